//! Files whose meshes are compressed by Draco, without a decoder: their nodes and clips can be inspected all the same.

use super::codes;
use super::finding::{Finding, Severity};
use gambol_gltf::document::Document;
use gambol_gltf::json::Value;

const DRACO: &str = "KHR_draco_mesh_compression";

/// The file without the primitives that need a decoder.
pub(crate) fn plain(document: &Document) -> Document {
    let mut plain = document.clone();
    let is_compressed = |primitive: &Value| primitive.pointer(&format!("/extensions/{DRACO}")).is_some();
    let emptied: Vec<usize> = plain
        .json
        .list("meshes")
        .iter()
        .enumerate()
        .filter(|(_, mesh)| mesh.list("primitives").iter().any(is_compressed))
        .map(|(m, _)| m)
        .collect();
    for node in plain.list_mut("nodes").iter_mut().filter_map(Value::as_object_mut) {
        let mesh = node.get("mesh").and_then(Value::as_u64);
        if mesh.is_some_and(|mesh| emptied.contains(&(mesh as usize))) {
            // A skin without a mesh is invalid; the joints stay.
            node.remove("mesh");
            node.remove("skin");
            node.remove("weights");
        }
    }
    for &mesh in &emptied {
        let primitives = plain.list_mut("meshes").get_mut(mesh).and_then(|mesh| mesh.get_mut("primitives"));
        if let Some(primitives) = primitives.and_then(Value::as_array_mut) {
            primitives.retain(|primitive| !is_compressed(primitive));
        }
    }
    plain.undeclare(DRACO);
    plain
}

pub(super) fn finding(pointer: &str) -> Finding {
    let message = "Meshes are compressed by Draco, and there is no decoder here. Their vertices are not measured: weights, \
                   influences, and the mesh at the seams of loops.";
    Finding::new(codes::COMPRESSED, Severity::Info, pointer, message)
        .fix("Inspect the file before it is compressed.")
}
