//! A scene at a place.

use gambol_gltf::document::Document;
use gambol_gltf::json;

/// Puts all scenes of a file at a place: their roots become children of a new node.
///
/// - `place`: the translation in metres (3), the rotation as a unit quaternion X, Y, Z, W (4), and the scale (3).
pub fn export_placed(mut document: Document, place: [f32; 10]) -> Document {
    let [x, y, z, a, b, c, d, u, v, w] = place;
    if place == [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0] {
        return document;
    }
    for scene in 0..document.list("scenes").len() {
        let roots = document.list("scenes")[scene].list("nodes").to_vec();
        if roots.is_empty() {
            continue;
        }
        let node = json!({
            "translation": [x, y, z],
            "rotation": [a, b, c, d],
            "scale": [u, v, w],
            "children": roots,
        });
        let node = document.push("nodes", node);
        if let Some(scene) = document.list_mut("scenes")[scene].as_object_mut() {
            scene.insert("nodes".to_owned(), json!([node]));
        }
    }
    document
}
