//! Meshes with other vertices, without joints and morph targets.

use super::vertices::add_attribute;
use crate::error::ToolsError;
use gambol::animation::Deformed;
use gambol::import::codes;
use gambol_gltf::document::{Document, remove_below};
use gambol_gltf::json::Value;

const DRACO: &str = "KHR_draco_mesh_compression";

/// The first rows of a list: import adds vertices at the end.
fn first<const N: usize>(rows: &[[f32; N]], count: usize) -> Option<&[[f32; N]]> {
    rows.get(..count).filter(|rows| !rows.is_empty())
}

/// The number of vertices that a primitive has in the file.
pub(crate) fn vertex_count(document: &Document, primitive: &Value) -> Result<usize, ToolsError> {
    let position = primitive.pointer("/attributes/POSITION").and_then(Value::as_u64);
    position.map_or(Ok(0), |index| Ok(document.accessor(index as usize)?.count))
}

/// A primitive of the file with other vertices. Attributes that the file does not have are not added: players derive them
/// from the others. Texture coordinates and colours are replaced if morph targets change them.
///
/// - `pointer`: that of the primitive.
///
/// # Errors
/// [`codes::DRACO_UNAVAILABLE`] if the primitive is still compressed, and those of accessors.
pub(crate) fn still_primitive(
    document: &mut Document,
    primitive: &Value,
    vertices: &Deformed,
    pointer: &str,
) -> Result<Value, ToolsError> {
    let place = format!("/extensions/{DRACO}");
    if primitive.pointer(&place).is_some() {
        let message = "The mesh is compressed with Draco. Decode it first.";
        return Err(ToolsError::new(codes::DRACO_UNAVAILABLE, format!("{pointer}{place}"), message));
    }
    let count = vertex_count(document, primitive)?;
    let targets = primitive.list("targets");
    let changes = |name: &str| targets.iter().any(|target| target.get(name).is_some());
    let mut still = primitive.clone();
    if let Some(object) = still.as_object_mut() {
        object.remove("targets");
    }
    let Some(attributes) = still.get_mut("attributes").and_then(Value::as_object_mut) else {
        return Ok(still);
    };
    attributes.retain(|name, _| !is_influence(name));
    let Deformed { positions, normals, tangents, tex_coords, colors } = vertices;
    for (name, value) in attributes.iter_mut() {
        let set = name.strip_prefix("TEXCOORD_").and_then(|set| set.parse::<usize>().ok());
        let accessor = match (name, set) {
            ("POSITION", _) => first(positions, count).map(|rows| add_attribute(document, rows)),
            ("NORMAL", _) => first(normals, count).map(|rows| add_attribute(document, rows)),
            ("TANGENT", _) => first(tangents, count).map(|rows| add_attribute(document, rows)),
            ("COLOR_0", _) if changes(name) => first(colors, count).map(|rows| add_attribute(document, rows)),
            (_, Some(set)) if changes(name) => {
                let rows = tex_coords.get(set).and_then(|set| first(set, count));
                rows.map(|rows| add_attribute(document, rows))
            }
            _ => None,
        };
        if let Some(accessor) = accessor {
            *value = accessor.into();
        }
    }
    Ok(still)
}

fn is_influence(name: &str) -> bool {
    name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_")
}

/// A mesh of the file without morph targets, whose primitives the caller replaces.
pub(crate) fn still_mesh(mesh: &Value) -> Value {
    let mut still = mesh.clone();
    if let Some(object) = still.as_object_mut() {
        object.remove("weights");
    }
    remove_below(&mut still, "extras", "targetNames");
    still
}
