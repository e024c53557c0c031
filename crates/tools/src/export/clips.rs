//! Clips as animations of a file.

use super::pose::{drop_unused, extensions};
use super::vertices::{add_times, add_values};
use crate::error::{ToolsError, codes};
use gambol::model::{Channel, Clip, Interpolation, Model, Path};
use gambol_gltf::document::Document;
use gambol_gltf::json;
use gambol_gltf::json::{Map, Value};
use glam::Mat4;
use std::collections::HashMap;

const POINTER: &str = "KHR_animation_pointer";

/// A clip to write.
#[derive(Debug, Clone, PartialEq)]
pub enum ClipToWrite {
    /// An animation of the file, by its index: it is kept as it is.
    Kept(usize),
    /// Another clip.
    New(NewClip),
}

/// A clip as channels with their keys.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewClip {
    /// The name of the animation; may be empty.
    pub name: String,
    /// The channels.
    pub channels: Vec<NewChannel>,
    /// The markers: name and seconds.
    pub markers: Vec<(String, f64)>,
}

impl NewClip {
    /// A clip of a model, with all its keys and the indices of nodes in the model's file. Properties without a node
    /// (KHR_animation_pointer) are left out.
    pub fn from_model(clip: &Clip, model: &Model) -> Self {
        let channel = |channel: &Channel| {
            let curve = &clip.curves[channel.curve];
            let path = match channel.path {
                Path::Translation => "translation",
                Path::Rotation => "rotation",
                Path::Scale => "scale",
                Path::Weights => "weights",
            };
            let interpolation = match curve.interpolation() {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            };
            NewChannel {
                node: Some(model.nodes[channel.node.index()].source as usize),
                path: path.to_owned(),
                interpolation: interpolation.to_owned(),
                times: curve.times().to_vec(),
                values: curve.values().to_vec(),
            }
        };
        Self {
            name: clip.name.clone(),
            channels: clip.channels.iter().map(channel).collect(),
            markers: clip.markers.iter().map(|marker| (marker.name.clone(), marker.time)).collect(),
        }
    }
}

/// A channel with its keys.
#[derive(Debug, Clone, PartialEq)]
pub struct NewChannel {
    /// The node; `None` for a pointer.
    pub node: Option<usize>,
    /// `translation`, `rotation`, `scale` or `weights`, or a JSON pointer (KHR_animation_pointer).
    pub path: String,
    /// `STEP`, `LINEAR` or `CUBICSPLINE`.
    pub interpolation: String,
    /// The times of the keys in seconds, ascending.
    pub times: Vec<f32>,
    /// The numbers of the keys: as many for each; three parts with `CUBICSPLINE`.
    pub values: Vec<f32>,
}

/// Replaces the animations of a file. Animations that are kept, and keys of new clips, are written to the bit.
///
/// # Errors
/// [`codes::CLIP_NOT_FOUND`] for an animation that the file does not have; [`codes::EXPORT_OTHER_FILE`] if a clip animates
/// nodes that the file does not have; [`codes::EXPORT_KEYS`] for keys that glTF cannot express.
pub fn export_clips(mut document: Document, clips: &[ClipToWrite]) -> Result<Document, ToolsError> {
    let extensions = extensions(&document);
    let before = document.list("animations").to_vec();
    let mut animations = Vec::with_capacity(clips.len());
    let mut writer = Writer { times: HashMap::new(), animated: Vec::new() };
    for clip in clips {
        match clip {
            ClipToWrite::Kept(index) => animations.push(before.get(*index).cloned().ok_or_else(|| {
                let message = format!("The file has no animation {index}; the count is {}.", before.len());
                ToolsError::new(codes::CLIP_NOT_FOUND, "/animations", message)
            })?),
            // glTF allows no animation without channels.
            ClipToWrite::New(clip) if clip.channels.is_empty() => {}
            ClipToWrite::New(clip) => {
                animations.push(writer.animation(&mut document, clip, animations.len())?)
            }
        }
    }
    *document.list_mut("animations") = animations;
    document.drop_empty_list("animations");
    for node in writer.animated {
        use_transform(&mut document.list_mut("nodes")[node]);
    }
    drop_unused(&mut document, &extensions, false);
    Ok(document)
}

struct Writer {
    /// The accessors of key times, by their bits.
    times: HashMap<Vec<u32>, usize>,
    /// Nodes whose transforms new clips animate.
    animated: Vec<usize>,
}

impl Writer {
    fn animation(
        &mut self,
        document: &mut Document,
        clip: &NewClip,
        index: usize,
    ) -> Result<Value, ToolsError> {
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for (i, channel) in clip.channels.iter().enumerate() {
            let pointer = format!("/animations/{index}/channels/{i}");
            let width = self.width(document, channel, &pointer)?;
            let bits = channel.times.iter().map(|time| time.to_bits()).collect();
            let input = *self.times.entry(bits).or_insert_with(|| add_times(document, &channel.times));
            let output = add_values(document, &channel.values, width);
            channels.push(json!({ "sampler": samplers.len(), "target": target(document, channel) }));
            samplers
                .push(json!({ "input": input, "output": output, "interpolation": &channel.interpolation }));
        }
        let mut animation = Map::new();
        if !clip.name.is_empty() {
            animation.insert("name".to_owned(), clip.name.as_str().into());
        }
        animation.insert("channels".to_owned(), Value::Array(channels));
        animation.insert("samplers".to_owned(), Value::Array(samplers));
        if !clip.markers.is_empty() {
            let marker = |(name, time): &(String, f64)| json!({ "name": name, "time": time });
            let markers: Vec<Value> = clip.markers.iter().map(marker).collect();
            animation.insert("extras".to_owned(), json!({ "markers": markers }));
        }
        Ok(Value::Object(animation))
    }

    /// The width of the accessor of a channel's values, after checks of its keys.
    fn width(
        &mut self,
        document: &Document,
        channel: &NewChannel,
        pointer: &str,
    ) -> Result<usize, ToolsError> {
        let keys = channel.times.len();
        let parts = match channel.interpolation.as_str() {
            "STEP" | "LINEAR" => 1,
            // Spec: glTF 2.0 §5.7.3: at least two keys.
            "CUBICSPLINE" if keys > 1 => 3,
            _ => 0,
        };
        let per_key = channel.values.len().checked_div(keys * parts).unwrap_or(0);
        let finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
        let good = per_key > 0
            && per_key * keys * parts == channel.values.len()
            && finite(&channel.times)
            && finite(&channel.values)
            && channel.times[0] >= 0.0
            && channel.times.is_sorted_by(|a, b| a < b);
        let keys_error = || {
            let message = "The keys cannot be written: times must ascend from 0 or later, and all numbers must be finite.";
            ToolsError::new(codes::EXPORT_KEYS, pointer, message)
        };
        if !good {
            return Err(keys_error());
        }
        let Some(node) = channel.node else { return Ok(if per_key <= 4 { per_key } else { 1 }) };
        let Some(json) = document.list("nodes").get(node) else {
            let message = format!("The clip animates node {node}, which the file does not have.");
            return Err(ToolsError::new(codes::EXPORT_OTHER_FILE, pointer, message));
        };
        let wanted = match channel.path.as_str() {
            "translation" | "scale" => 3,
            "rotation" => 4,
            "weights" => {
                let targets = target_count(document, json);
                return if per_key == targets { Ok(1) } else { Err(keys_error()) };
            }
            _ => 0,
        };
        if per_key != wanted {
            return Err(keys_error());
        }
        self.animated.push(node);
        Ok(wanted)
    }
}

/// The number of morph targets of a node's mesh.
pub(crate) fn target_count(document: &Document, node: &Value) -> usize {
    let mesh = node.index_at("mesh").and_then(|mesh| document.list("meshes").get(mesh));
    let primitives = mesh.map_or(&[][..], |mesh| mesh.list("primitives"));
    let count = |primitive: &Value| primitive.list("targets").len();
    primitives.iter().map(count).max().unwrap_or(0)
}

fn target(document: &mut Document, channel: &NewChannel) -> Value {
    match channel.node {
        Some(node) => json!({ "node": node, "path": &channel.path }),
        None => {
            document.declare(POINTER, false);
            json!({ "path": "pointer", "extensions": { POINTER: { "pointer": &channel.path } } })
        }
    }
}

/// Replaces the matrix of a node by translation, rotation and scale: glTF forbids to animate a matrix.
fn use_transform(node: &mut Value) {
    let Some(object) = node.as_object_mut() else { return };
    let Some(matrix) = object.remove("matrix") else { return };
    let numbers: Vec<f32> = matrix
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .map(|number| number as f32)
        .collect();
    let Ok(columns) = <[f32; 16]>::try_from(numbers) else { return };
    let (scale, rotation, translation) = Mat4::from_cols_array(&columns).to_scale_rotation_translation();
    object.insert("translation".to_owned(), json!(translation.to_array()));
    object.insert("rotation".to_owned(), json!(rotation.normalize().to_array()));
    object.insert("scale".to_owned(), json!(scale.to_array()));
}

/// Removes the channels that animate one of these pointers. An animation needs a channel, so one without any is removed, too.
pub(super) fn remove_channels(document: &mut Document, pointers: &[String]) {
    let animates = |channel: &Value| {
        let target = channel.pointer("/target/extensions/KHR_animation_pointer/pointer");
        target.and_then(Value::as_str).is_some_and(|target| pointers.iter().any(|pointer| pointer == target))
    };
    if !document.list("animations").iter().any(|animation| animation.list("channels").iter().any(animates)) {
        return;
    }
    let mut empty = Vec::new();
    for (i, animation) in document.list_mut("animations").iter_mut().enumerate() {
        let Some(channels) = animation.get_mut("channels").and_then(Value::as_array_mut) else { continue };
        let before = channels.len();
        channels.retain(|channel| !animates(channel));
        if channels.is_empty() && before > 0 {
            empty.push(i);
        }
    }
    for i in empty.into_iter().rev() {
        document.list_mut("animations").remove(i);
    }
    document.drop_empty_list("animations");
}
