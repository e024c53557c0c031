//! Faults that other tools are known for: tangents, names of morph targets, helper nodes, stray meshes.

use super::file::{ARM, File, HIPS, MESH, good, near, wave};
use gambol::import::NoResolver;
use gambol_tools::Document;
use gambol_tools::inspect::{Finding, Options, PatchStep, Severity, inspect};
use glam::DVec3;
use serde_json::{Value, json};

fn of(file: &File, code: &str) -> Vec<Finding> {
    file.report().findings.into_iter().filter(|finding| finding.code == code).collect()
}

/// A quad that faces +Z, 2 m wide, with an upright or mirrored picture and given tangents.
///
/// - `mirrored`: `true` if U grows to the left.
fn quad(tangents: [[f64; 4]; 4], mirrored: bool, material: Value) -> File {
    let mut file = File::new();
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    // V points down: the lower corners have V 1.
    let u = |x: f64| if mirrored { (1.0 - x) / 2.0 } else { (1.0 + x) / 2.0 };
    let places: Vec<f64> = corners.iter().flat_map(|&[x, y, _]| [u(x), (1.0 - y) / 2.0]).collect();
    let coordinates = file.floats("VEC2", &places);
    let attributes = json!({
        "POSITION": file.floats("VEC3", corners.as_flattened()),
        "NORMAL": file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4)),
        "TANGENT": file.floats("VEC4", tangents.as_flattened()),
        "TEXCOORD_0": coordinates,
    });
    let view = file.view(&[0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 3, 0]);
    let indices = file.push(
        "accessors",
        json!({ "bufferView": view, "componentType": 5123, "type": "SCALAR", "count": 6 }),
    );
    file.push("materials", material);
    file.push(
        "meshes",
        json!({ "primitives": [{ "attributes": attributes, "indices": indices, "material": 0 }] }),
    );
    file.push("nodes", json!({ "mesh": 0 }));
    file.push("scenes", json!({ "nodes": [0] }));
    file
}

const CODE: &str = "inspect/tangents-flipped";

#[test]
fn inspect_finds_tangents_against_the_texture_coordinates() {
    let [right, left] = [1.0, -1.0].map(|x| move |w: f64| [[x, 0.0, 0.0, w]; 4]);
    let plain = || json!({});
    // By the specification: the bitangent cross(normal, tangent) · w points up in the picture.
    assert_eq!(of(&quad(right(1.0), false, plain()), CODE), []);
    assert_eq!(of(&quad(left(-1.0), true, plain()), CODE), []);
    for (tangents, mirrored) in [
        (right(-1.0), false),
        (left(1.0), false),
        (left(-1.0), false),
        (left(1.0), true),
        (right(-1.0), true),
    ] {
        let found = of(&quad(tangents, mirrored, plain()), CODE);
        assert_eq!(found.len(), 1, "{tangents:?}, mirrored: {mirrored}");
        assert_eq!(found[0].pointer, "/meshes/0/primitives/0/attributes/TANGENT");
        assert_eq!(found[0].severity, Severity::Info);
        near(&found[0], "triangles", 2.0, 0.0);
        near(&found[0], "of", 2.0, 0.0);
    }
    // A normal map shows it.
    let mut mapped = quad(right(-1.0), false, json!({ "normalTexture": { "index": 0 } }));
    mapped.push("textures", json!({}));
    let found = of(&mapped, CODE);
    assert_eq!(found[0].severity, Severity::Warning);
    let pointer = "/meshes/0/primitives/0/attributes/TANGENT".to_owned();
    assert_eq!(found[0].fix.as_ref().expect("a fix").patch, [PatchStep::Remove(pointer)]);
    // Of one triangle of two: the third corner belongs to the second one only.
    let mut half = right(1.0);
    half[3] = [1.0, 0.0, 0.0, -1.0];
    assert_eq!(of(&quad(half, false, plain()), CODE), [], "one corner in three is a seam");
}

#[test]
fn inspect_does_not_measure_tangents_without_their_parts() {
    let bad =
        quad([[1.0, 0.0, 0.0, -1.0]; 4], false, json!({ "normalTexture": { "index": 0, "texCoord": 1 } }));
    assert_eq!(of(&bad, CODE), [], "another set of coordinates");
    for name in ["NORMAL", "TEXCOORD_0", "POSITION"] {
        let mut file = quad([[1.0, 0.0, 0.0, -1.0]; 4], false, json!({}));
        let attributes = file.json["meshes"][0]["primitives"][0]["attributes"].as_object_mut();
        attributes.expect("attributes").remove(name);
        assert_eq!(of(&file, CODE), [], "{name}");
    }
    let mut degenerate = quad([[1.0, 0.0, 0.0, -1.0]; 4], false, json!({}));
    let zeros = degenerate.floats("VEC2", &[0.5; 8]);
    degenerate.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(zeros);
    assert_eq!(of(&degenerate, CODE), []);
}

/// The figure with two morph targets and these names.
fn named(names: Value) -> File {
    let mut file = good();
    let deltas = file.floats("VEC3", &[0.0; 18 * 3]);
    file.json["meshes"][0]["primitives"][0]["targets"] =
        json!([{ "POSITION": deltas }, { "POSITION": deltas }]);
    file.json["meshes"][0]["extras"] = json!({ "targetNames": names });
    file
}

#[test]
fn inspect_compares_names_of_morph_targets_with_the_targets() {
    named(json!(["A", "B"])).clean();
    named(json!(["", ""])).clean();
    for (names, count) in [(json!(["A"]), 1.0), (json!(["A", "B", "C"]), 3.0), (json!([]), 0.0)] {
        let finding = named(names).one("inspect/morph-names");
        near(&finding, "names", count, 0.0);
        near(&finding, "targets", 2.0, 0.0);
        assert_eq!(finding.pointer, "/meshes/0/extras/targetNames");
        assert_eq!((finding.severity, finding.node), (Severity::Warning, Some(MESH)));
    }
    let twice = named(json!(["Smile", "Smile"])).one("inspect/name-twice");
    assert_eq!(twice.pointer, "/meshes/0/extras/targetNames/1");
    assert!(twice.message.contains("“Smile”"), "{}", twice.message);
}

#[test]
fn inspect_finds_animated_helper_nodes_of_assimp() {
    let mut file = good();
    file.json["nodes"][HIPS]["name"] = json!("Hips_$AssimpFbx$_Translation");
    // Without keys they do no harm.
    file.clean();
    file.slide(0, HIPS, |time| DVec3::new(0.0, 0.02 * wave(time), 0.0));
    let finding = of(&file, "inspect/pivot-nodes").remove(0);
    assert_eq!((finding.node, finding.severity), (Some(HIPS), Severity::Warning));
    assert!(finding.message.contains("1 helper node"), "{}", finding.message);
}

#[test]
fn inspect_finds_the_sphere_of_blender_beside_skinned_meshes() {
    let with = |name: &str, mesh_name: &str, edit: &dyn Fn(&mut File, usize)| {
        let mut file = good();
        let points = file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let mesh = json!({ "name": mesh_name, "primitives": [{ "attributes": { "POSITION": points } }] });
        let mesh = file.push("meshes", mesh);
        let node = file.push("nodes", json!({ "name": name, "mesh": mesh }));
        file.json["scenes"][0]["nodes"].as_array_mut().expect("roots").push(json!(node));
        edit(&mut file, node);
        of(&file, "inspect/stray-mesh")
    };
    for (name, mesh) in [("Icosphere", ""), ("Icosphere.001", ""), ("Shape", "Icosphere")] {
        let found = with(name, mesh, &|_, _| {});
        assert_eq!(found.len(), 1, "{name}, {mesh}");
        assert_eq!((found[0].node, found[0].severity), (Some(MESH + 1), Severity::Warning));
    }
    for name in ["Icosphere of light", "Sphere", ""] {
        assert_eq!(with(name, "", &|_, _| {}), [], "{name}");
    }
    // In the hand of the figure, moved by a clip, of another scene, or without a skinned mesh.
    let held: &dyn Fn(&mut File, usize) = &|file, node| {
        file.json["nodes"][ARM]["children"].as_array_mut().expect("children").push(json!(node));
        file.json["scenes"][0]["nodes"].as_array_mut().expect("roots").pop();
    };
    let moved: &dyn Fn(&mut File, usize) = &|file, node| {
        file.channel(0, (node, "translation"), "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    };
    let elsewhere: &dyn Fn(&mut File, usize) = &|file, node| {
        file.json["scenes"][0]["nodes"].as_array_mut().expect("roots").pop();
        file.push("scenes", json!({ "nodes": [node] }));
    };
    let rigid: &dyn Fn(&mut File, usize) = &|file, _| {
        file.json["nodes"][MESH].as_object_mut().expect("a node").remove("skin");
    };
    for edit in [held, moved, elsewhere, rigid] {
        assert_eq!(with("Icosphere", "", edit), []);
    }
}

/// Meshopt's attribute codec, version 0, for at most 16 elements: each byte as its difference to that of the element before.
fn encoded(elements: &[u8], stride: usize) -> Vec<u8> {
    let count = elements.len() / stride;
    assert!(count <= 16, "one group");
    let mut stream = vec![0xa0];
    for at in 0..stride {
        // Whole bytes follow.
        stream.push(3);
        let mut last = elements[at];
        for row in 0..16 {
            let byte = elements.get(row * stride + at).copied().unwrap_or(last);
            let delta = byte.wrapping_sub(std::mem::replace(&mut last, byte)).cast_signed();
            stream.push(((delta << 1) ^ (delta >> 7)).cast_unsigned());
        }
    }
    let tail = stride.max(32);
    stream.resize(stream.len() + tail - stride, 0);
    stream.extend_from_slice(&elements[..stride]);
    stream
}

#[test]
fn inspect_reports_tangents_that_a_filter_has_destroyed() {
    let mut file = good();
    // Six rows: for two keys an in-tangent, a value and an out-tangent. The largest component of each is the fourth one.
    let element = |x: i16| [x, 0, 0, (32767 & !3) | 3].map(i16::to_le_bytes).concat();
    let rows: Vec<u8> = [0, 0, 900, -900, 16384, 0].into_iter().flat_map(element).collect();
    let stream = encoded(&rows, 8);
    let view = file.view(&stream);
    let at = file.json["bufferViews"][view]["byteOffset"].clone();
    file.json["bufferViews"][view] = json!({
        "buffer": 1, "byteLength": rows.len(),
        "extensions": { "EXT_meshopt_compression": {
            "buffer": 0, "byteOffset": at, "byteLength": stream.len(), "byteStride": 8, "count": 6,
            "mode": "ATTRIBUTES", "filter": "QUATERNION",
        } },
    });
    let output =
        json!({ "bufferView": view, "componentType": 5122, "normalized": true, "type": "VEC4", "count": 6 });
    let output = file.push("accessors", output);
    let input = file.floats("SCALAR", &[0.0, 1.0]);
    let clip = file.clip("Spline");
    file.json["animations"][clip]["samplers"] =
        json!([{ "input": input, "output": output, "interpolation": "CUBICSPLINE" }]);
    file.json["animations"][clip]["channels"] =
        json!([{ "sampler": 0, "target": { "node": ARM, "path": "rotation" } }]);
    for list in ["extensionsUsed", "extensionsRequired"] {
        file.push(list, json!("EXT_meshopt_compression"));
    }
    let mut glb = file.glb();
    // The second buffer has no bytes.
    let buffers = format!("\"buffers\":[{{\"byteLength\":{}}}]", file.bin.len());
    let both = format!("\"buffers\":[{{\"byteLength\":{}}},{{\"byteLength\":48}}]", file.bin.len());
    let end = 20 + u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
    let text = String::from_utf8(glb[20..end].to_vec()).expect("UTF-8").replace(&buffers, &both);
    let mut text = text.trim_end().to_owned().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    glb.splice(20..end, text.iter().copied());
    glb[12..16].copy_from_slice(&(text.len() as u32).to_le_bytes());
    let length = glb.len() as u32;
    glb[8..12].copy_from_slice(&length.to_le_bytes());

    let findings = inspect(&glb, &mut NoResolver, &Options::default()).findings;
    let lost: Vec<_> = findings.iter().filter(|finding| finding.code == "import/tangents-lost").collect();
    assert_eq!(lost.len(), 1, "{findings:#?}");
    assert_eq!((lost[0].clip, lost[0].severity), (Some(clip), Severity::Error));
    assert!(lost[0].fix.as_ref().expect("a cure").description.contains("gambol optimize"));
    // The other rules see the clip as it plays.
    assert!(findings.iter().all(|finding| finding.code != "inspect/rotation-flipped"), "{findings:#?}");

    // The optimiser writes LINEAR keys, which have no tangents to lose.
    let made =
        gambol_tools::optimize(&glb, &mut NoResolver, &gambol_tools::Options::default()).expect("valid");
    let document = Document::parse(&made.bytes, &mut NoResolver).expect("valid");
    let sampler = &document.list("animations")[clip]["samplers"][0];
    assert!(made.report.unchanged || sampler.get("interpolation").is_none(), "{sampler}");
}
