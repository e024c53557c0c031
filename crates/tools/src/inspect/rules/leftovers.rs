//! Nodes that other tools have left in the file.

use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, Severity, plural};
use super::super::raw::name;
use gambol_gltf::json::Value;

/// The part of a name by which Assimp marks the helper nodes of an FBX bone: `Hips_$AssimpFbx$_Rotation`.
const PIVOT: &str = "_$AssimpFbx$_";

/// Helper nodes of Assimp with keys.
pub(super) fn pivots(context: &Context<'_>, out: &mut Vec<Finding>) {
    let nodes = context.json.list("nodes");
    let channels = context.clips.iter().flat_map(|clip| &clip.channels);
    let mut helpers: Vec<usize> =
        channels.map(|channel| channel.node).filter(|&node| name(&nodes[node]).contains(PIVOT)).collect();
    helpers.sort_unstable();
    helpers.dedup();
    let Some(&first) = helpers.first() else { return };
    let message = format!(
        "Clips move {} of Assimp ({}) in place of bones. Retargeting, look-at and masks find a bone by its name, \
         which is a node that stands still.",
        plural(helpers.len(), "helper node"),
        context.node_list(&helpers)
    );
    out.push(
        Finding::new(codes::PIVOTS, Severity::Warning, format!("/nodes/{first}/name"), message)
            .count("nodes", helpers.len())
            .nodes(helpers)
            .fix(
                "Convert the FBX file again: with gambol (`gambol convert`), Blender or FBX2glTF, or with Assimp's setting \
                 AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS off.",
            ),
    );
}

/// Spheres by which Blender draws bones, beside skinned meshes.
pub(super) fn meshes(context: &Context<'_>, out: &mut Vec<Finding>) {
    let nodes = context.json.list("nodes");
    let is_skinned = |node: &Value| node.get("mesh").is_some() && node.get("skin").is_some();
    if !nodes.iter().any(is_skinned) {
        return;
    }
    let moved: Vec<usize> =
        context.clips.iter().flat_map(|clip| clip.channels.iter().map(|channel| channel.node)).collect();
    for (i, node) in nodes.iter().enumerate() {
        let Some(mesh) = node.index_at("mesh").and_then(|mesh| context.json.list("meshes").get(mesh)) else {
            continue;
        };
        if is_skinned(node) || !(is_icosphere(name(node)) || is_icosphere(name(mesh))) {
            continue;
        }
        // A sphere that a bone or a clip moves may be a prop.
        let above = std::iter::successors(Some(i), |&node| context.parents[node]).take(nodes.len());
        if above.clone().any(|node| context.is_joint[node] || moved.contains(&node)) {
            continue;
        }
        if above.last().is_some_and(|root| !is_shown(context, root)) {
            continue;
        }
        let message = format!(
            "The mesh {} stands beside the skinned meshes, and nothing moves it. Blender's importer of glTF adds such a sphere as \
             the shape of bones, and its exporter writes it.",
            context.node_words(i)
        );
        out.push(
            Finding::new(codes::STRAY_MESH, Severity::Warning, format!("/nodes/{i}"), message)
                .node(i)
                .fix("Delete the object before the export; in Blender it is in the collection “glTF_not_exported”."),
        );
    }
}

/// `Icosphere`, or `Icosphere.001`.
fn is_icosphere(name: &str) -> bool {
    let number = name.strip_prefix("Icosphere").map(|rest| rest.strip_prefix('.').unwrap_or(rest));
    number.is_some_and(|number| number.chars().all(|digit| digit.is_ascii_digit()))
}

/// `true` if the shown scene has a root; without scenes, all roots are shown.
fn is_shown(context: &Context<'_>, root: usize) -> bool {
    let scenes = context.json.list("scenes");
    let scene = context.json.index_at("scene").and_then(|scene| scenes.get(scene)).or(scenes.first());
    scene.is_none_or(|scene| scene.list("nodes").iter().any(|node| node.as_u64() == Some(root as u64)))
}
