//! Dropping nodes that nothing uses.

use gambol_gltf::document::{Document, Index, visit};
use gambol_gltf::json::Value;

/// Extensions that refer to no node, or only by a property `node`. With any other one, all nodes stay.
const HARMLESS: [&str; 9] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
];

fn is_harmless(name: &str) -> bool {
    HARMLESS.contains(&name) || name.starts_with("KHR_materials_") || name.starts_with("KHR_texture_")
}

/// Drops nodes that no scene shows and that no skin, animation or extension refers to.
pub(super) fn drop_unused(document: &mut Document) {
    let harmless = document.list("extensionsUsed").iter().all(|name| name.as_str().is_some_and(is_harmless));
    let scenes = document.list("scenes");
    // Without a scene, all nodes may be shown.
    if !harmless || scenes.is_empty() {
        return;
    }
    let count = document.list("nodes").len();
    let mut used = vec![false; count];
    let mut stack: Vec<usize> = Vec::new();
    let mut note = |value: &Value| stack.extend(value.as_index());
    scenes.iter().flat_map(|scene| scene["nodes"].as_array()).flatten().for_each(&mut note);
    for skin in document.list("skins") {
        skin["joints"].as_array().into_iter().flatten().for_each(&mut note);
        note(&skin["skeleton"]);
    }
    for animation in document.list("animations") {
        animation["channels"]
            .as_array()
            .into_iter()
            .flatten()
            .for_each(|channel| note(&channel["target"]["node"]));
    }
    let mut parents: Vec<Option<usize>> = vec![None; count];
    for (i, node) in document.list("nodes").iter().enumerate() {
        for child in node["children"].as_array().into_iter().flatten().filter_map(Value::as_index) {
            if let Some(parent) = parents.get_mut(child) {
                *parent = Some(i);
            }
        }
    }
    // Extensions of the document and of scenes may name nodes.
    let mut json = document.json.clone();
    if let Some(root) = json.as_object_mut() {
        root.remove("nodes");
    }
    visit(&mut json, &mut |kind, value| {
        if kind == Index::Node {
            stack.extend(value.as_index());
        }
    });
    // The nodes above give a used node its place, and those below belong to it.
    while let Some(node) = stack.pop() {
        let Some(place) = used.get_mut(node) else { continue };
        if std::mem::replace(place, true) {
            continue;
        }
        stack.extend(parents[node]);
        let children = document.list("nodes")[node]["children"].as_array();
        stack.extend(children.into_iter().flatten().filter_map(Value::as_index));
    }
    if used.contains(&true) {
        document.retain("nodes", Index::Node, &used);
    }
}
