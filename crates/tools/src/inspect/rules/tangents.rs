//! Tangents that point against the texture coordinates. Spec: glTF 2.0 §3.7.2.1: the bitangent is normal × tangent · w, and V
//! points down in an image.

use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, PatchStep, Severity, plural};
use gambol_gltf::json::Value;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// The part of the triangles that is reported. Seams of mirrored halves stay below.
const PART: f64 = 0.1;
/// The least cosine between directions that counts as their agreement.
const CLEAR: f64 = 0.2;

pub(super) fn check(context: &Context<'_>, out: &mut Vec<Finding>) {
    for (m, mesh) in context.json.list("meshes").iter().enumerate() {
        for (p, primitive) in mesh.list("primitives").iter().enumerate() {
            let material = primitive.index_at("material").and_then(|i| context.json.list("materials").get(i));
            let map = material.and_then(|material| material.get("normalTexture"));
            let set = map.and_then(|map| map.index_at("texCoord")).unwrap_or(0);
            let Some(Counts { wrong, of }) = counts(context, primitive, set) else { continue };
            if of == 0 || (wrong as f64) < PART * of as f64 {
                continue;
            }
            let pointer = format!("/meshes/{m}/primitives/{p}/attributes/TANGENT");
            let effect = match map {
                Some(_) => "The normal map shows bumps as dents",
                None => "A normal map would show bumps as dents",
            };
            let message = format!(
                "The tangents of {wrong} of {} point against the texture coordinates: the sign w, or the direction, is the opposite. \
                 {effect}, along one axis.",
                plural(of, "triangle")
            );
            let severity = if map.is_some() { Severity::Warning } else { Severity::Info };
            let has_morphs = primitive.list("targets").iter().any(|target| target.get("TANGENT").is_some());
            let nodes = context.json.list("nodes").iter().enumerate();
            let nodes = nodes.filter(|(_, node)| node.index_at("mesh") == Some(m)).map(|(i, _)| i);
            out.push(
                Finding::new(codes::TANGENTS_FLIPPED, severity, pointer.clone(), message)
                    .nodes(nodes)
                    .count("triangles", wrong)
                    .count("of", of)
                    .fix(
                        "Export without tangents (gltfpack: without -gt): players make them. For an upright picture, w is 1.",
                    )
                    .patch(if has_morphs { Vec::new() } else { vec![PatchStep::Remove(pointer)] }),
            );
        }
    }
}

/// The triangles with wrong tangents, and all whose tangents are clear.
struct Counts {
    wrong: usize,
    of: usize,
}

/// Counts the triangles of a primitive; `None` if it has no tangents, or lacks what they are measured by.
fn counts(context: &Context<'_>, primitive: &Value, set: usize) -> Option<Counts> {
    let attributes = primitive.get("attributes")?;
    let floats = |name: &str| context.accessors.floats(attributes.index_at(name)?);
    let tangents: Arc<[f32]> = floats("TANGENT")?;
    let (positions, normals) = (floats("POSITION")?, floats("NORMAL")?);
    let coordinates = floats(&format!("TEXCOORD_{set}"))?;
    let vertices = positions.len() / 3;
    let fits =
        normals.len() == 3 * vertices && tangents.len() == 4 * vertices && coordinates.len() == 2 * vertices;
    let corners: Vec<u32> = match primitive.index_at("indices") {
        Some(indices) => context.document.integers(indices).ok()?,
        None => (0..vertices as u32).collect(),
    };
    let position =
        |i: usize| DVec3::from_array(std::array::from_fn(|axis| f64::from(positions[3 * i + axis])));
    let normal = |i: usize| DVec3::from_array(std::array::from_fn(|axis| f64::from(normals[3 * i + axis])));
    let place = |i: usize| DVec2::new(coordinates[2 * i].into(), coordinates[2 * i + 1].into());
    let mut counts = Counts { wrong: 0, of: 0 };
    for [a, b, c] in triangles(primitive, &corners)? {
        let corners = [a, b, c].map(|corner| corner as usize);
        if !fits || corners.iter().any(|&corner| corner >= vertices) {
            continue;
        }
        let [a, b, c] = corners;
        let (ab, ac) = (position(b) - position(a), position(c) - position(a));
        let (st, su) = (place(b) - place(a), place(c) - place(a));
        let area = st.perp_dot(su);
        // The directions in which U grows and V falls, as far as their signs.
        let along = (ab * su.y - ac * st.y) * area.signum();
        let up = -(ac * st.x - ab * su.x) * area.signum();
        let (Some(along), Some(up)) = (along.try_normalize(), up.try_normalize()) else { continue };
        if area == 0.0 || !area.is_finite() {
            continue;
        }
        let (mut tangent, mut bitangent) = (0.0, 0.0);
        for corner in corners {
            let [x, y, z, w] = std::array::from_fn(|i| f64::from(tangents[4 * corner + i]));
            let given = DVec3::new(x, y, z).normalize_or_zero();
            let normal = normal(corner).normalize_or_zero();
            tangent += given.dot(along) / 3.0;
            bitangent += normal.cross(given).dot(up) * w.signum() / 3.0;
        }
        let least = tangent.min(bitangent);
        if least < -CLEAR {
            counts.wrong += 1;
        }
        counts.of += usize::from(!(-CLEAR..=CLEAR).contains(&least));
    }
    Some(counts)
}

/// The corners of triangles, strips or fans; `None` for points and lines.
fn triangles(primitive: &Value, corners: &[u32]) -> Option<Vec<[u32; 3]>> {
    Some(match primitive.get("mode").and_then(Value::as_u64).unwrap_or(4) {
        4 => corners.as_chunks().0.to_vec(),
        5 => corners.windows(3).map(|three| [three[0], three[1], three[2]]).collect(),
        6 => corners.windows(2).skip(1).map(|two| [corners[0], two[0], two[1]]).collect(),
        _ => return None,
    })
}
