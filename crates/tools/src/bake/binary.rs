//! Baked clips as a header in JSON and numbers.
//!
//! | bytes | content |
//! |---|---|
//! | 4 | `GMBK` |
//! | 4 | the version, 1, as u32 |
//! | 4 | the length of the header in bytes, a multiple of 4, as u32 |
//! | … | the header: JSON, padded with spaces |
//! | … | numbers: f32 |
//!
//! All numbers are little-endian.

use super::BakeOptions;
use super::frames::Frames;
use crate::error::ToolsError;
use gambol::animation::{Affine, Deformed};
use gambol::model::{Model, NodeId, Primitive};
use gambol_gltf::json;
use gambol_gltf::json::Value;

/// Bakes clips into matrices: frames × entries × 3 rows × 4 numbers. Entry `i` of the header's `entries` is the joint, or the
/// node of a rigid mesh, whose matrix `model_from_node · node_from_mesh` it is. The entries of a mesh are `count` from `entry`
/// on.
///
/// # Errors
/// Those of [`BakeOptions`].
pub fn bake_palette(model: &Model, options: &BakeOptions) -> Result<Vec<u8>, ToolsError> {
    let frames = Frames::new(model, &options.clips, options.fps)?;
    let layout = &frames.rig.layout;
    let mut size = frames.size;
    size.add(frames.list.len(), layout.slots.len() * size_of::<Affine>())?;
    let name = |node: NodeId| model.nodes[node.index()].name.as_str();
    let source = |node: NodeId| model.nodes[node.index()].source;
    let entries: Vec<Value> = layout
        .slots
        .iter()
        .map(|slot| json!({ "node": source(slot.node), "name": name(slot.node) }))
        .collect();
    let meshes: Vec<Value> = layout
        .drawables
        .iter()
        .map(|drawable| {
            json!({
                "node": source(drawable.node),
                "mesh": drawable.mesh.index(),
                "skinned": drawable.skinned,
                "entry": drawable.slots.start,
                "count": drawable.slots.len(),
            })
        })
        .collect();
    let header = header("palette", &frames, options.fps, json!({ "entries": entries, "meshes": meshes }));
    let numbers = frames.list.iter().flat_map(|frame| Affine::as_floats(&frame.palette));
    Ok(written(&header, numbers.copied(), frames.list.len() * layout.slots.len() * 12))
}

/// Bakes clips into vertices, in the space of the model. For each of the header's `primitives`, `positions` and, if it has
/// normals, `normals` are the indices of their first number: frames × vertices × 3 numbers.
///
/// # Errors
/// Those of [`BakeOptions`].
pub fn bake_vertices(model: &Model, options: &BakeOptions) -> Result<Vec<u8>, ToolsError> {
    let frames = Frames::new(model, &options.clips, options.fps)?;
    let (mut size, mut length) = (frames.size, 0);
    let drawn = frames.rig.layout.drawables.iter().map(|drawable| &model.meshes[drawable.mesh.index()]);
    for primitive in drawn.flat_map(|mesh| &mesh.primitives) {
        let lists = 1 + usize::from(!primitive.normals.is_empty());
        let numbers = frames.list.len() * lists * 3 * baked_count(primitive);
        size.add(numbers, size_of::<f32>())?;
        length += numbers;
    }
    let (mut numbers, mut primitives) = (Vec::with_capacity(length), Vec::new());
    let mut deformed = Deformed::default();
    for (d, drawable) in frames.rig.layout.drawables.iter().enumerate() {
        for (p, primitive) in model.meshes[drawable.mesh.index()].primitives.iter().enumerate() {
            let count = baked_count(primitive);
            let has_normals = !primitive.normals.is_empty();
            let positions = numbers.len();
            let mut normals = Vec::new();
            for frame in &frames.list {
                frames.deform(frame, d, p, &mut deformed);
                numbers.extend_from_slice(deformed.positions[..count].as_flattened());
                normals.extend_from_slice(deformed.normals.get(..count).unwrap_or_default().as_flattened());
            }
            primitives.push(json!({
                "node": model.nodes[drawable.node.index()].source,
                "mesh": drawable.mesh.index(),
                "primitive": p,
                "vertices": count,
                "positions": positions,
                "normals": if has_normals { json!(numbers.len()) } else { Value::Null },
            }));
            numbers.extend(normals);
        }
    }
    let header = header("vertices", &frames, options.fps, json!({ "primitives": primitives }));
    Ok(written(&header, numbers.into_iter(), length))
}

/// The vertices of a primitive without those that import has added at the end.
fn baked_count(primitive: &Primitive) -> usize {
    primitive.vertex_count() - primitive.split_vertices
}

fn header(kind: &str, frames: &Frames<'_>, fps: f64, rest: Value) -> Value {
    let clips: Vec<Value> = frames
        .clips
        .iter()
        .map(|baked| {
            let clip = &frames.model.clips[baked.clip.index()];
            json!({ "name": &clip.name, "duration": clip.duration, "first": baked.first, "times": &baked.times })
        })
        .collect();
    let mut header = json!({
        "kind": kind,
        "generator": concat!("gambol-tools ", env!("CARGO_PKG_VERSION")),
        "fps": fps,
        "frames": frames.list.len(),
        "clips": clips,
    });
    if let (Some(header), Value::Object(rest)) = (header.as_object_mut(), rest) {
        header.extend(rest);
    }
    header
}

/// `count`: the number of the numbers, so that their memory is taken at once.
fn written(header: &Value, numbers: impl Iterator<Item = f32>, count: usize) -> Vec<u8> {
    let mut text = header.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = b"GMBK".to_vec();
    out.extend(1u32.to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text);
    out.reserve(count * size_of::<f32>());
    out.extend(numbers.flat_map(f32::to_le_bytes));
    out
}
