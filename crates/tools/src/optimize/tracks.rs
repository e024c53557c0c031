//! The channels of the file that can be changed: those that the importer takes as they are.

use super::keys::Track;
use gambol::model::{Clip, Interpolation, Model, NodeId, Path};
use gambol_gltf::document::Document;
use gambol_gltf::element::{ComponentType, Kind};
use gambol_gltf::json::Value;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// A channel of an animation and its curve.
pub(super) struct Found {
    /// The index in the animation.
    pub(super) channel: usize,
    pub(super) track: Track,
}

/// The channels of an animation with valid keys. All others stay as they are: pointers into other parts of the file, targets
/// that two channels share, keys that the importer repairs.
pub(super) fn tracks(
    document: &Document,
    animation: usize,
    model: &Model,
    clip: &Clip,
    reach: &HashMap<usize, Vec<f32>>,
) -> Vec<Found> {
    let json = &document.list("animations")[animation];
    let channels = json.get("channels").and_then(Value::as_array).unwrap_or_default();
    let mut found: Vec<Found> = Vec::new();
    for (channel, json_channel) in channels.iter().enumerate() {
        found.extend(
            track(document, json, json_channel, model, clip, reach).map(|track| Found { channel, track }),
        );
    }
    let target = |found: &Found| (found.track.node, found.track.path);
    let mut counts: HashMap<(usize, Path), usize> = HashMap::new();
    for channel in channels {
        if let Some(key) = targeted(channel, model) {
            *counts.entry(key).or_default() += 1;
        }
    }
    found.retain(|found| counts.get(&target(found)) == Some(&1));
    found
}

/// The node in the order of the model, and the path.
fn targeted(channel: &Value, model: &Model) -> Option<(usize, Path)> {
    let target = channel.get("target")?;
    let path = match target.get("path")?.as_str()? {
        "translation" => Path::Translation,
        "rotation" => Path::Rotation,
        "scale" => Path::Scale,
        "weights" => Path::Weights,
        _ => return None,
    };
    let node: &NodeId = model.node_of_source.get(target.index_at("node")?)?;
    Some((node.index(), path))
}

fn track(
    document: &Document,
    animation: &Value,
    channel: &Value,
    model: &Model,
    clip: &Clip,
    reach: &HashMap<usize, Vec<f32>>,
) -> Option<Track> {
    let (node, path) = targeted(channel, model)?;
    if channel.get("target")?.get("extensions").is_some() {
        return None;
    }
    // The importer skipped the channel.
    let imported = clip.channels.iter().find(|known| known.node.index() == node && known.path == path)?;
    let sampler = animation.get("samplers")?.get(channel.index_at("sampler")?)?;
    let known = ["input", "output", "interpolation"];
    if sampler.as_object()?.keys().any(|key| !known.contains(&key)) {
        return None;
    }
    let of_file = match sampler.get("interpolation").map_or(Some("LINEAR"), Value::as_str)? {
        "LINEAR" => Interpolation::Linear,
        "STEP" => Interpolation::Step,
        "CUBICSPLINE" => Interpolation::CubicSpline,
        _ => return None,
    };
    let width = match path {
        Path::Rotation => 4,
        Path::Weights => model.nodes[node].weights.len(),
        _ => 3,
    };
    let curve = clip.curves.get(imported.curve)?;
    let (input, output) = (sampler.index_at("input")?, sampler.index_at("output")?);
    let plain = |i: usize| {
        let json = &document.list("accessors")[i];
        json.get("extras").is_none() && json.get("extensions").is_none()
    };
    let (keys, values) = (document.accessor(input).ok()?, document.accessor(output).ok()?);
    let kind = match path {
        Path::Rotation => Kind::Vec4,
        Path::Weights => Kind::Scalar,
        _ => Kind::Vec3,
    };
    if keys.component != ComponentType::F32 || keys.kind != Kind::Scalar || values.kind != kind {
        return None;
    }
    if !plain(input) || !plain(output) || width == 0 {
        return None;
    }
    let times = document.floats(input).ok()?;
    let raw = document.floats(output).ok()?;
    // Of a spline whose tangents are lost, the importer takes the values.
    let interpolation = curve.interpolation();
    let is_mended = of_file == Interpolation::CubicSpline && interpolation == Interpolation::Linear;
    // The importer's curve has the same keys unless it repaired them.
    let unchanged = curve.times() == times
        && (is_mended || interpolation == of_file)
        && curve.width() == width
        && curve.values().len() * if is_mended { 3 } else { 1 } == raw.len();
    if !unchanged || times.is_empty() || times[0] < 0.0 {
        return None;
    }
    if path == Path::Rotation && interpolation == Interpolation::CubicSpline {
        // Values that are not unit quaternions make another curve when normalised.
        let same = curve.values().iter().zip(&raw).all(|(a, b)| (a - b).abs() < 1e-3);
        same.then_some(())?;
    }
    let at_rest = &model.nodes[node];
    let rest = match path {
        Path::Weights => Some(at_rest.weights.clone()),
        _ if at_rest.rest_matrix.is_some() => None,
        Path::Translation => Some(at_rest.rest.translation.to_array().to_vec()),
        Path::Rotation => Some(at_rest.rest.rotation.to_array().to_vec()),
        Path::Scale => Some(at_rest.rest.scale.to_array().to_vec()),
    };
    let reach =
        reach.get(&node).filter(|reach| reach.len() == width).cloned().unwrap_or_else(|| vec![1.0; width]);
    let values = curve.values().to_vec();
    let (rounding, rounded) = (Cell::default(), RefCell::default());
    Some(Track { node, path, interpolation, width, times, values, rest, reach, rounding, rounded })
}
