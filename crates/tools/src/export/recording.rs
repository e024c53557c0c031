//! Recorded motion as a clip.

use super::clips::{NewChannel, NewClip, target_count};
use crate::error::{ToolsError, codes};
use gambol_gltf::document::Document;

/// The properties of a node: the place of each within the ten numbers of its transform.
const PATHS: [(&str, usize, usize); 3] = [("translation", 0, 3), ("rotation", 3, 4), ("scale", 7, 3)];

/// A clip with a key for each frame. Properties that never change have two keys, at the beginning and at the end.
///
/// - `frames`: for each frame, ten numbers for each node of the file (translation, rotation X, Y, Z, W, scale), and then the
///   morph weights of all nodes.
/// - `step`: the seconds between frames.
///
/// # Errors
/// [`codes::EXPORT_OTHER_FILE`] if the number of nodes or of morph targets is not that of the file.
pub fn recorded_clip(
    document: &Document,
    name: &str,
    frames: &[f32],
    step: f64,
) -> Result<NewClip, ToolsError> {
    let nodes = document.list("nodes");
    let targets: Vec<usize> = nodes.iter().map(|node| target_count(document, node)).collect();
    let width = nodes.len() * 10 + targets.iter().sum::<usize>();
    if width == 0 || frames.is_empty() || !frames.len().is_multiple_of(width) {
        let message = "The recording is of another model than the file. Export with the file from which the model was loaded.";
        return Err(ToolsError::new(codes::EXPORT_OTHER_FILE, "/nodes", message));
    }
    let count = frames.len() / width;
    let times: Vec<f32> = (0..count).map(|i| (i as f64 * step) as f32).collect();
    let mut channels = Vec::new();
    let mut add = |node: usize, path: &str, at: usize, width_of: usize| {
        let rows = frames.chunks_exact(width).map(|frame| &frame[at..at + width_of]);
        let (kept, values) = keys(rows, path == "rotation");
        channels.push(NewChannel {
            node: Some(node),
            path: path.to_owned(),
            interpolation: "LINEAR".to_owned(),
            times: kept.into_iter().map(|i| times[i]).collect(),
            values,
        });
    };
    let mut weights_at = nodes.len() * 10;
    for (node, &targets) in targets.iter().enumerate() {
        for (path, at, width_of) in PATHS {
            add(node, path, node * 10 + at, width_of);
        }
        if targets > 0 {
            add(node, "weights", weights_at, targets);
        }
        weights_at += targets;
    }
    Ok(NewClip { name: name.to_owned(), channels, markers: Vec::new() })
}

/// The frames with a key, and the values of the keys.
///
/// - `turns`: `true` for rotations, of which each is the nearer one of two quaternions to that of the frame before.
fn keys<'a>(rows: impl ExactSizeIterator<Item = &'a [f32]>, turns: bool) -> (Vec<usize>, Vec<f32>) {
    let count = rows.len();
    let mut values: Vec<f32> = Vec::new();
    let mut width = 0;
    let mut constant = true;
    for row in rows {
        let last = values.len() - width;
        width = row.len();
        let dot: f32 = values[last..].iter().zip(row).map(|(a, b)| a * b).sum();
        let sign = if turns && dot < 0.0 { -1.0 } else { 1.0 };
        values.extend(row.iter().map(|value| sign * value));
        constant &= values[..width] == values[values.len() - width..];
    }
    if constant && count > 1 {
        values.truncate(2 * width);
        return (vec![0, count - 1], values);
    }
    ((0..count).collect(), values)
}
