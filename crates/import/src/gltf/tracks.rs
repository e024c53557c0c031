//! Clips from lists of numbers, read and checked as the animations of files. Faults that a file is repaired for are errors.

use super::accessor::Reader;
use super::animation_pointers::Context;
use super::animations::{Numbers, clip};
use super::elements::{AccessorIndex, Animation, Channel, Sampler, Target};
use super::nodes::{Found, Tree, unit_quaternion};
use gambol_animation::model::{Clip, Marker, MeshId, Model, NodeId};
use gambol_gltf::element::{Checked, Interpolation, Kind, Word};
use gambol_gltf::error::{ImportError, codes};
use gambol_gltf::json;
use gambol_gltf::json::Value;
use gambol_gltf::limits::Limits;
use gambol_gltf::log::Log;
use std::fmt;

/// One property over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// The property.
    pub target: TrackTarget,
    /// `STEP`, `LINEAR` or `CUBICSPLINE`.
    pub interpolation: String,
    /// The times of the keys in seconds, strictly increasing.
    pub times: Vec<f32>,
    /// The numbers of the keys. With `CUBICSPLINE`: in-tangent, value and out-tangent of each.
    pub values: Vec<f32>,
}

/// The property of a [`Track`].
#[derive(Debug, Clone, PartialEq)]
pub enum TrackTarget {
    /// A property of a node.
    Node {
        /// The index of the node in the file of the model.
        node: usize,
        /// `translation`, `rotation`, `scale` or `weights`.
        path: String,
    },
    /// A property by its JSON pointer in the file of the model. Spec: KHR_animation_pointer.
    Pointer(String),
    /// Single morph weights of nodes, which share one number.
    Weights(Vec<(NodeId, u32)>),
}

/// A fault of a [`Track`], or of a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackError {
    /// One of [`codes`].
    pub code: &'static str,
    /// The place of the fault, such as `tracks[3].times[2]`; empty for the clip.
    pub place: String,
    /// The fault, as a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for TrackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => write!(f, "{}.", self.message),
            place => write!(f, "{} (at {place}).", self.message),
        }
    }
}

impl std::error::Error for TrackError {}

/// The numbers of tracks: the times of the first one, its values, the times of the second one …
struct Lists<'a>(&'a [Track]);

impl Numbers for Lists<'_> {
    fn floats(
        &self,
        index: AccessorIndex,
        _: fmt::Arguments<'_>,
        _: &[Kind],
        _: &'static str,
    ) -> Result<Vec<f32>, ImportError> {
        let track = &self.0[index.value() / 2];
        Ok(if index.value().is_multiple_of(2) { &track.times } else { &track.values }.clone())
    }

    fn keeps_units(&self) -> bool {
        true
    }
}

/// Makes a clip of a model from tracks. Rotations are normalised, but numbers of another clip stay as they are, to the bit.
///
/// Pointers need the feature that reads KHR_animation_pointer.
///
/// # Errors
/// The first fault for which the import of a file with these animations has a warning.
pub fn clip_from_tracks(
    model: &Model,
    name: &str,
    tracks: &[Track],
    markers: &[Marker],
) -> Result<Clip, TrackError> {
    let reader = Reader::new(&[], &[], &[], Vec::new(), Limits::default().decoded_bytes);
    let tree = Tree { sources: Vec::new(), ids: model.node_of_source.clone(), parents: Vec::new() };
    let context = Context {
        reader: &reader,
        tree: &tree,
        nodes: &model.nodes,
        weighted_by_mesh: &weighted_by_mesh(model),
        materials: &model.materials,
        cameras: &model.cameras,
        lights: &model.lights,
    };
    let mut log = Log::default();
    let animation = animation(name, tracks, markers);
    let clip = clip(&animation, (&context, &Lists(tracks)), format_args!(""), &mut log);
    match log.into_warnings().into_iter().next() {
        None => Ok(clip),
        Some(warning) => {
            // A message goes on with the repair, which is not made here.
            let message = match warning.code {
                codes::NO_KEYS => "The track has no keys",
                _ => warning.message.split("; ").next().unwrap_or_default(),
            };
            let place = place(&warning.pointer, warning.code, tracks);
            Err(TrackError { code: warning.code, place, message: message.to_owned() })
        }
    }
}

fn animation(name: &str, tracks: &[Track], markers: &[Marker]) -> Animation {
    let sampler = |(i, track): (usize, &Track)| {
        let interpolation = Interpolation::of(&track.interpolation);
        Some(Sampler {
            input: AccessorIndex::new(2 * i as u32),
            interpolation: interpolation.map_or(Checked::Invalid, Checked::Valid),
            output: AccessorIndex::new(2 * i as u32 + 1),
        })
    };
    let channel = |(sampler, track): (usize, &Track)| {
        let target = match &track.target {
            TrackTarget::Node { node, path } => Target::Node { node: *node, path: path.clone() },
            TrackTarget::Pointer(text) => Target::Pointer(text.clone()),
            TrackTarget::Weights(weights) => Target::Weights(weights.clone()),
        };
        Channel { sampler, target }
    };
    let marker = |Marker { name, time }: &Marker| json!({ "name": name.as_str(), "time": *time });
    let markers: Vec<Value> = markers.iter().map(marker).collect();
    Animation {
        name: name.to_owned(),
        channels: tracks.iter().enumerate().map(channel).collect(),
        samplers: tracks.iter().enumerate().map(sampler).collect(),
        markers: (!markers.is_empty()).then_some(Value::Array(markers)),
    }
}

/// For each mesh, the nodes with its morph weights. A model does not say whether a node has these weights from its mesh, or
/// equal ones of its own; the latter are rare.
fn weighted_by_mesh(model: &Model) -> Vec<Vec<NodeId>> {
    let mut nodes = vec![Vec::new(); model.meshes.len()];
    for (i, node) in model.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh.map(MeshId::index) else { continue };
        if node.weights == model.meshes[mesh].weights {
            nodes[mesh].push(NodeId::new(i));
        }
    }
    nodes
}

/// The place of a fault in the tracks, by its JSON pointer in their animation.
fn place(pointer: &str, code: &'static str, tracks: &[Track]) -> String {
    let mut steps = pointer.split('/').skip(1);
    let (list, index) = (steps.next().unwrap_or_default(), steps.next().unwrap_or_default());
    let part = steps.next().unwrap_or_default();
    if list == "extras" {
        // `/extras/markers/2`
        return format!("markers[{part}]");
    }
    let Some(track) = index.parse().ok().and_then(|index: usize| tracks.get(index)) else {
        return String::new();
    };
    let part = match (list, part) {
        ("channels", _) => match (&track.target, code) {
            (_, codes::CHANNEL_DUPLICATE) | (TrackTarget::Weights(_), _) => String::new(),
            (TrackTarget::Pointer(_), _) => ".pointer".to_owned(),
            (_, codes::INDEX_OUT_OF_RANGE) => ".node".to_owned(),
            _ => ".path".to_owned(),
        },
        (_, "input") => format!(".times{}", wrong_time(code, &track.times)),
        (_, "output") => format!(".values{}", wrong_value(code, track)),
        (_, "") => String::new(),
        (_, part) => format!(".{part}"),
    };
    format!("tracks[{index}]{part}")
}

fn wrong_time(code: &'static str, times: &[f32]) -> String {
    let at = match code {
        codes::KEY_TIME_NOT_FINITE => times.iter().position(|time| !time.is_finite()),
        codes::KEY_TIMES_UNSORTED => times.windows(2).position(|pair| pair[0] >= pair[1]).map(|at| at + 1),
        _ => None,
    };
    at.map_or(String::new(), |at| format!("[{at}]"))
}

fn wrong_value(code: &'static str, Track { interpolation, values, .. }: &Track) -> String {
    let at = match code {
        codes::KEY_VALUE_NOT_FINITE => values.iter().position(|value| !value.is_finite()),
        codes::ROTATION_NORMALIZED => {
            let (step, offset) = if interpolation == "CUBICSPLINE" { (12, 4) } else { (4, 0) };
            let turns = |row: &[f32]| {
                let quaternion = row[offset..].first_chunk::<4>();
                quaternion
                    .is_some_and(|q| q.iter().all(|c| c.is_finite()) && unit_quaternion(*q).1 != Found::Unit)
            };
            values.chunks_exact(step).position(turns).map(|row| row * step + offset)
        }
        _ => None,
    };
    at.map_or(String::new(), |at| format!("[{at}]"))
}
