//! The pose of a moment as a file without joints, morph targets and animations.

use super::still::{still_mesh, still_primitive};
use super::vertices::members;
use crate::error::{ToolsError, codes};
use gambol::animation::{Snapshot, SnapshotMesh};
use gambol_gltf::document::{Document, remove_below, renumbered};
use gambol_gltf::json;
use gambol_gltf::json::{Map, Value};

pub(super) const VISIBILITY: &str = "KHR_node_visibility";

/// Extensions of a node by which it shows something beside its mesh.
const SHOWING: [&str; 2] = ["KHR_lights_punctual", "EXT_mesh_gpu_instancing"];

/// The hidden meshes and lights of an exported pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hidden {
    /// They are not in the file. Their nodes stay.
    #[default]
    LeaveOut,
    /// They are hidden by KHR_node_visibility. Players without this extension show them.
    Keep,
}

/// Writes a snapshot of a model into the document of its file. Skins, morph targets and animations are gone; nodes have
/// their transforms in the pose. Meshes with joints are at new roots of the scene, in world space. Materials, textures,
/// extras and everything else is that of the file. Meshes that only the wearer of an avatar sees are left out.
///
/// # Errors
/// [`codes::EXPORT_OTHER_FILE`] if the snapshot is of another model; those of
/// [`Document::decode_draco`] if a primitive is still compressed.
pub fn export_pose(
    mut document: Document,
    snapshot: &Snapshot,
    hidden: Hidden,
) -> Result<Document, ToolsError> {
    let before = extensions(&document);
    if snapshot.nodes.len() != document.list("nodes").len() {
        return Err(other_file("/nodes"));
    }
    let nodes = document.list_mut("nodes");
    for (node, transform) in nodes.iter_mut().zip(&snapshot.nodes) {
        let (Some(transform), Some(object)) = (transform, node.as_object_mut()) else { continue };
        object.remove("matrix");
        object.insert("translation".to_owned(), json!(transform.translation.to_array()));
        object.insert("rotation".to_owned(), json!(transform.rotation.to_array()));
        object.insert("scale".to_owned(), json!(transform.scale.to_array()));
    }
    for &(node, shown) in &snapshot.shown {
        let node = document.list_mut("nodes").get_mut(node as usize).ok_or_else(|| other_file("/nodes"))?;
        if let Some(extensions) = members(node, "extensions") {
            extensions.insert(VISIBILITY.to_owned(), json!({ "visible": shown }));
        }
    }
    for &node in &snapshot.first_person {
        let node = document.list_mut("nodes").get_mut(node as usize).ok_or_else(|| other_file("/nodes"))?;
        if let Some(object) = node.as_object_mut() {
            object.remove("mesh");
        }
    }
    let mut roots = Vec::new();
    for mesh in &snapshot.meshes {
        if mesh.visible || hidden == Hidden::Keep {
            place_mesh(&mut document, mesh, &mut roots)?;
        } else {
            node_of(&mut document, mesh)?.remove("mesh");
        }
    }
    for node in document.list_mut("nodes") {
        let Some(object) = node.as_object_mut() else { continue };
        object.remove("weights");
        // That of a mesh without influences.
        object.remove("skin");
    }
    add_roots(&mut document, roots);
    match hidden {
        Hidden::LeaveOut => leave_out_hidden(&mut document),
        Hidden::Keep if extensions(&document).iter().any(|name| name == VISIBILITY) => {
            document.declare(VISIBILITY, false);
        }
        Hidden::Keep => {}
    }
    finish(&mut document, &before);
    Ok(document)
}

/// Removes the meshes and lights of hidden nodes, and the marks that hide them.
fn leave_out_hidden(document: &mut Document) {
    let nodes = document.list_mut("nodes");
    let is_hidden = |node: &Value| {
        node.pointer(&format!("/extensions/{VISIBILITY}/visible")).and_then(Value::as_bool) == Some(false)
    };
    let mut hidden: Vec<bool> = nodes.iter().map(is_hidden).collect();
    let mut waiting: Vec<usize> = (0..nodes.len()).filter(|&node| hidden[node]).collect();
    while let Some(node) = waiting.pop() {
        for child in nodes[node].list("children").iter().filter_map(Value::as_index) {
            if let Some(hidden @ false) = hidden.get_mut(child) {
                *hidden = true;
                waiting.push(child);
            }
        }
    }
    for (node, hidden) in nodes.iter_mut().zip(hidden) {
        if let Some(object) = node.as_object_mut().filter(|_| hidden) {
            object.remove("mesh");
            SHOWING.iter().for_each(|name| remove_below(node, "extensions", name));
        }
        remove_below(node, "extensions", VISIBILITY);
    }
}

/// The error for indices of a model that do not fit the file.
pub(super) fn other_file(pointer: &str) -> ToolsError {
    let message = "The file is of another model. Export with the file from which the model was loaded.";
    ToolsError::new(codes::EXPORT_OTHER_FILE, pointer, message)
}

/// The node that shows a mesh of the snapshot.
fn node_of<'a>(document: &'a mut Document, mesh: &SnapshotMesh) -> Result<&'a mut Map, ToolsError> {
    let node = document.list_mut("nodes").get_mut(mesh.node as usize).and_then(Value::as_object_mut);
    node.ok_or_else(|| other_file("/nodes"))
}

/// Adds a deformed mesh, and a root for it if it is in world space.
fn place_mesh(
    document: &mut Document,
    mesh: &SnapshotMesh,
    roots: &mut Vec<Value>,
) -> Result<(), ToolsError> {
    let pointer = format!("/meshes/{}", mesh.mesh);
    let source =
        document.list("meshes").get(mesh.mesh as usize).ok_or_else(|| other_file("/meshes"))?.clone();
    let sources = source.list("primitives").to_vec();
    if sources.len() != mesh.primitives.len() {
        return Err(other_file(&pointer));
    }
    let mut primitives = Vec::with_capacity(sources.len());
    for (i, (source, posed)) in sources.iter().zip(&mesh.primitives).enumerate() {
        let pointer = format!("{pointer}/primitives/{i}");
        primitives.push(still_primitive(document, source, &posed.vertices, &pointer)?);
    }
    let mut still = still_mesh(&source);
    still["primitives"] = Value::Array(primitives);
    let meshes = document.list_mut("meshes");
    meshes.push(still);
    let index = meshes.len() - 1;
    let node = node_of(document, mesh)?;
    if mesh.in_world {
        node.remove("mesh");
        node.remove("skin");
        let mut root = Map::new();
        if let Some(name) = node.get("name") {
            root.insert("name".to_owned(), name.clone());
        }
        root.insert("mesh".to_owned(), index.into());
        if !mesh.visible {
            root.insert("extensions".to_owned(), json!({ VISIBILITY: { "visible": false } }));
        }
        roots.push(Value::Object(root));
    } else {
        node.insert("mesh".to_owned(), index.into());
    }
    Ok(())
}

/// Adds nodes as roots of the scene that is shown.
fn add_roots(document: &mut Document, roots: Vec<Value>) {
    let first = document.list("nodes").len();
    let added: Vec<usize> = (first..first + roots.len()).collect();
    document.list_mut("nodes").extend(roots);
    let shown = document.json.index_at("scene").unwrap_or(0);
    let Some(scene) = document.list_mut("scenes").get_mut(shown).and_then(Value::as_object_mut) else {
        // Without a scene, all roots are shown.
        document.drop_empty_list("scenes");
        return;
    };
    let nodes = scene.entry("nodes").or_insert_with(|| json!([]));
    if let Some(nodes) = nodes.as_array_mut() {
        nodes.extend(added.into_iter().map(Value::from));
    }
    if scene.get("nodes").and_then(Value::as_array).is_some_and(<[_]>::is_empty) {
        scene.remove("nodes");
    }
}

/// Drops everything that refers to joints, morph targets and animations, and what nothing refers to any more.
fn finish(document: &mut Document, before: &[String]) {
    if let Some(root) = document.json.as_object_mut() {
        root.remove("skins");
        root.remove("animations");
    }
    drop_unused(document, before, true);
}

/// Drops meshes, accessors and views that nothing refers to, and the names of extensions that are gone.
///
/// - `before`: the [`extensions`] that the file had.
/// - `avatars`: drops extensions of avatars, too.
pub(crate) fn drop_unused(document: &mut Document, before: &[String], avatars: bool) {
    let names: Vec<String> =
        document.json.get("extensions").and_then(Value::as_object).map_or_else(Vec::new, |all| {
            // They refer to morph targets and joints by their indices.
            all.keys().filter(|name| avatars && name.starts_with("VRM")).map(str::to_owned).collect()
        });
    names.iter().for_each(|name| remove_below(&mut document.json, "extensions", name));
    if avatars {
        drop_meshes(document);
    }
    document.prune();
    let left = extensions(document);
    // Others have no object of their own, such as KHR_mesh_quantization.
    before.iter().filter(|name| !left.contains(name)).for_each(|name| document.undeclare(name));
}

/// The names of all extensions that have an object in the JSON.
pub(crate) fn extensions(document: &Document) -> Vec<String> {
    let mut names = Vec::new();
    extensions_in(&document.json, &mut names);
    names
}

/// Drops meshes that no node shows.
fn drop_meshes(document: &mut Document) {
    let mesh_of = |node: &Value| node.index_at("mesh");
    let mut keep = vec![false; document.list("meshes").len()];
    for mesh in document.list("nodes").iter().filter_map(mesh_of) {
        if let Some(keep) = keep.get_mut(mesh) {
            *keep = true;
        }
    }
    let renumbered = renumbered(&keep);
    for node in document.list_mut("nodes") {
        if let Some(&mesh) = mesh_of(node).and_then(|mesh| renumbered.get(mesh)) {
            node["mesh"] = mesh.into();
        }
    }
    document.drop_empty_list("nodes");
    let mut keep = keep.into_iter();
    document.list_mut("meshes").retain(|_| keep.next().unwrap_or(true));
    document.drop_empty_list("meshes");
}

/// The names of all extensions in a value.
fn extensions_in(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| extensions_in(value, names)),
        Value::Object(members) => {
            for (key, value) in members.iter().filter(|(key, _)| *key != "extras") {
                if let (Some(found), true) = (value.as_object(), key == "extensions") {
                    names.extend(
                        found
                            .keys()
                            .filter(|name| !names.iter().any(|own| own == name))
                            .map(str::to_owned)
                            .collect::<Vec<_>>(),
                    );
                }
                extensions_in(value, names);
            }
        }
        _ => {}
    }
}
