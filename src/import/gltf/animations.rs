//! Animations → clips. A broken channel is left out; the others play. Spec: glTF 2.0 §3.11.

use super::accessor::Reader;
use super::json::{Animation, Target};
use super::nodes::{Found, Tree, unit_quaternion};
use crate::import::error::{ImportError, ImportErrorKind, Log, codes};
use crate::model::{Channel, Clip, Curve, CurveError, Interpolation, Node, NodeId, Path};
use ::gltf::json;
use json::accessor::Type;
use json::validation::Checked;
use std::collections::HashMap;

/// What the channels are checked against.
pub(super) struct Context<'a> {
    pub(super) reader: &'a Reader<'a>,
    pub(super) tree: &'a Tree,
    /// The nodes of the model.
    pub(super) nodes: &'a [Node],
    /// For each mesh, the nodes whose morph weights are those of the mesh.
    pub(super) weighted_by_mesh: &'a [Vec<NodeId>],
}

/// The clips of a file, in file order, also those without a channel that works.
pub(super) fn clips(animations: &[Animation], context: &Context<'_>, log: &mut Log) -> Vec<Clip> {
    let clip = |(a, animation)| {
        let pointer = format!("/animations/{a}");
        Import { context, log, animation, pointer, times: HashMap::new(), curves: HashMap::new() }.clip()
    };
    animations.iter().enumerate().map(clip).collect()
}

/// The import of one animation.
struct Import<'a, 'b> {
    context: &'a Context<'b>,
    log: &'a mut Log,
    animation: &'a Animation,
    /// The pointer of the animation.
    pointer: String,
    /// Key times by the index of their accessor: most channels share them.
    times: HashMap<usize, Result<Times, ImportError>>,
    /// Curves by sampler, property and width; `None` for those that failed.
    curves: HashMap<(usize, Path, usize), Option<usize>>,
}

/// Key times that increase.
struct Times {
    times: Vec<f32>,
    /// Which keys of the file these are, if not just all.
    keys: Option<Vec<usize>>,
    /// How many keys the file has.
    count: usize,
}

impl Import<'_, '_> {
    fn clip(mut self) -> Clip {
        let animation = self.animation;
        let mut clip = Clip { name: animation.name.clone(), ..Clip::default() };
        let mut channel_of: HashMap<(NodeId, Path), usize> = HashMap::new();
        for (c, channel) in animation.channels.iter().enumerate() {
            let pointer = format!("{}/channels/{c}", self.pointer);
            let left_out = |error: ImportError, log: &mut Log| log.survived(error, "the channel is left out");
            let sampler = match animation.samplers.get(channel.sampler) {
                Some(Some(sampler)) => sampler,
                Some(None) => continue, // reported when the JSON was read
                None => {
                    let (index, count) = (channel.sampler, animation.samplers.len());
                    let kind = ImportErrorKind::IndexOutOfRange { what: "sampler", index, count };
                    left_out(kind.at(pointer + "/sampler"), self.log);
                    continue;
                }
            };
            match self.times(channel.sampler, sampler) {
                Ok(times) => clip.duration = times.times.last().copied().unwrap_or(0.0).max(clip.duration),
                Err(error) => {
                    let error = error.clone();
                    left_out(error, self.log);
                    continue;
                }
            }
            let (nodes, path) = match self.targets(&channel.target, &pointer) {
                Ok(targets) => targets,
                Err(error) => {
                    left_out(error, self.log);
                    continue;
                }
            };
            for node in nodes {
                let width = match path {
                    Path::Translation | Path::Scale => 3,
                    Path::Rotation => 4,
                    Path::Weights => self.context.nodes[node.index()].weights.len(),
                };
                let key = (channel.sampler, path, width);
                let curve = match self.curves.get(&key) {
                    Some(&curve) => curve,
                    None => {
                        let curve = match self.curve(channel.sampler, sampler, path, width) {
                            Ok(curve) => {
                                clip.curves.push(curve);
                                Some(clip.curves.len() - 1)
                            }
                            Err(error) => {
                                left_out(error, self.log);
                                None
                            }
                        };
                        self.curves.insert(key, curve);
                        curve
                    }
                };
                let Some(curve) = curve else { continue };
                let channel = Channel { node, path, curve };
                match channel_of.get(&(node, path)) {
                    Some(&earlier) => {
                        let message = "an earlier channel animates the same; this one takes its place";
                        self.log.warn(codes::CHANNEL_DUPLICATE, format!("{pointer}/target"), message);
                        clip.channels[earlier] = channel;
                    }
                    None => {
                        channel_of.insert((node, path), clip.channels.len());
                        clip.channels.push(channel);
                    }
                }
            }
        }
        clip
    }

    /// The key times of a sampler, sorted.
    fn times(&mut self, index: usize, sampler: &json::animation::Sampler) -> Result<&Times, &ImportError> {
        let pointer = format!("{}/samplers/{index}/input", self.pointer);
        let (reader, log) = (self.context.reader, &mut *self.log);
        let read = || read_times(reader, sampler, &pointer, log);
        self.times.entry(sampler.input.value()).or_insert_with(read).as_ref()
    }

    /// Which nodes and which of their properties a channel animates.
    fn targets(&mut self, target: &Target, pointer: &str) -> Result<(Vec<NodeId>, Path), ImportError> {
        let ignored = |log: &mut Log, message: String| {
            log.warn(codes::CHANNEL_IGNORED, format!("{pointer}/target"), message);
            Ok((Vec::new(), Path::Translation))
        };
        let resolve = |node: usize| self.context.tree.resolve(node, || format!("{pointer}/target/node"));
        let (nodes, path) = match target {
            Target::Node { node, path } => {
                let Some(path) = path_of(path) else {
                    return ignored(self.log, "the animated property is unknown".to_owned());
                };
                (vec![resolve(*node)?], path)
            }
            Target::Pointer(text) => {
                let mut steps = text.strip_prefix('/').unwrap_or_default().splitn(3, '/');
                let (collection, index, property) =
                    (steps.next(), steps.next(), steps.next().unwrap_or_default());
                let index = index.and_then(|index| index.parse::<usize>().ok());
                match (collection, index, path_of(property)) {
                    (Some("nodes"), Some(node), Some(path)) => (vec![resolve(node)?], path),
                    (Some("meshes"), Some(mesh), Some(Path::Weights)) => {
                        let nodes = self.context.weighted_by_mesh.get(mesh).map_or(&[][..], Vec::as_slice);
                        self.context
                            .reader
                            .spend(nodes.len(), size_of::<Channel>())
                            .map_err(|k| k.at(pointer))?;
                        (nodes.to_vec(), Path::Weights)
                    }
                    _ => return ignored(self.log, format!("animating “{text}” is not supported")),
                }
            }
            Target::Nothing => return ignored(self.log, "the channel animates nothing".to_owned()),
        };
        let morphs = |node: &NodeId| !self.context.nodes[node.index()].weights.is_empty();
        if path == Path::Weights && !nodes.iter().any(morphs) {
            return ignored(self.log, "morph weights are animated where there is no morph target".to_owned());
        }
        Ok((nodes, path))
    }

    /// The curve of a sampler whose key times are good.
    fn curve(
        &mut self,
        index: usize,
        sampler: &json::animation::Sampler,
        path: Path,
        width: usize,
    ) -> Result<Curve, ImportError> {
        let pointer = format!("{}/samplers/{index}", self.pointer);
        let interpolation = match sampler.interpolation {
            Checked::Valid(json::animation::Interpolation::Step) => Interpolation::Step,
            Checked::Valid(json::animation::Interpolation::Linear) => Interpolation::Linear,
            Checked::Valid(json::animation::Interpolation::CubicSpline) => Interpolation::CubicSpline,
            Checked::Invalid => {
                let message = "the interpolation is unknown; LINEAR is used";
                self.log.warn(codes::INVALID_VALUE, format!("{pointer}/interpolation"), message);
                Interpolation::Linear
            }
        };
        let Some(Ok(times)) = self.times.get(&sampler.input.value()) else {
            return Err(ImportErrorKind::NoKeys.at(pointer));
        };
        let output = format!("{pointer}/output");
        let (kinds, expected): (&[Type], _) = match path {
            Path::Translation | Path::Scale => (&[Type::Vec3], "VEC3"),
            Path::Rotation => (&[Type::Vec4], "VEC4"),
            // The specification says SCALAR, but the order of the numbers is the same for vectors.
            Path::Weights => (&[Type::Scalar, Type::Vec2, Type::Vec3, Type::Vec4], "SCALAR"),
        };
        let (mut values, _) = self.context.reader.floats(sampler.output, &output, kinds, expected)?;
        let row = width * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let needed = times.count.saturating_mul(row);
        if values.len() < needed {
            return Err(ImportErrorKind::OutputTooShort { needed, available: values.len() }.at(output));
        }
        if values.len() > needed {
            let message = format!(
                "the keys need {needed} components, but there are {}; the rest is ignored",
                values.len()
            );
            self.log.warn(codes::OUTPUT_TOO_LONG, &output, message);
            values.truncate(needed);
        }
        // Each curve has its own copy of the times.
        self.context.reader.spend(times.times.len(), 4).map_err(|kind| kind.at(&output))?;
        if let Some(keys) = &times.keys {
            values = keys.iter().flat_map(|&key| &values[key * row..][..row]).copied().collect();
        }
        if path == Path::Rotation {
            normalize_rotations(&mut values, interpolation, &output, self.log);
        }
        Curve::new(interpolation, width, times.times.clone(), values).map_err(|error| {
            let kind = match error {
                CurveError::NoKeys => ImportErrorKind::NoKeys,
                CurveError::TimeNotFinite { key } | CurveError::TimesNotIncreasing { key } => {
                    ImportErrorKind::KeyTimeNotFinite { key }
                }
                CurveError::ValueNotFinite { index } => {
                    ImportErrorKind::KeyValueNotFinite { component: index }
                }
                CurveError::WrongLength { needed, available } => {
                    ImportErrorKind::OutputTooShort { needed, available }
                }
            };
            kind.at(output)
        })
    }
}

fn path_of(name: &str) -> Option<Path> {
    match name {
        "translation" => Some(Path::Translation),
        "rotation" => Some(Path::Rotation),
        "scale" => Some(Path::Scale),
        "weights" => Some(Path::Weights),
        _ => None,
    }
}

fn read_times(
    reader: &Reader<'_>,
    sampler: &json::animation::Sampler,
    pointer: &str,
    log: &mut Log,
) -> Result<Times, ImportError> {
    let (times, _) = reader.floats(sampler.input, pointer, &[Type::Scalar], "SCALAR")?;
    let count = times.len();
    if times.is_empty() {
        return Err(ImportErrorKind::NoKeys.at(pointer));
    }
    if let Some(key) = times.iter().position(|time| !time.is_finite()) {
        return Err(ImportErrorKind::KeyTimeNotFinite { key }.at(pointer));
    }
    if times.is_sorted_by(|a, b| a < b) {
        return Ok(Times { times, keys: None, count });
    }
    log.warn(
        codes::KEY_TIMES_UNSORTED,
        pointer,
        "key times do not increase; they are sorted, the last of equals counts",
    );
    let mut keys: Vec<usize> = (0..count).collect();
    keys.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
    // The sort is stable, so of equal times the last of the file comes last. (−0 and 0 are equal times.)
    let mut kept: Vec<usize> = Vec::with_capacity(count);
    for key in keys {
        match kept.last_mut() {
            Some(last) if times[*last] == times[key] => *last = (*last).max(key),
            _ => kept.push(key),
        }
    }
    let times = kept.iter().map(|&key| times[key]).collect();
    Ok(Times { times, keys: Some(kept), count })
}

/// Makes the values, not the tangents, unit quaternions. Values that are not finite are left for
/// [`Curve::new`] to refuse.
fn normalize_rotations(values: &mut [f32], interpolation: Interpolation, pointer: &str, log: &mut Log) {
    let (step, offset) = if interpolation == Interpolation::CubicSpline { (12, 4) } else { (4, 0) };
    let mut worst = Found::Unit;
    for row in values.chunks_exact_mut(step) {
        if let Some(value) = row[offset..].first_chunk_mut::<4>()
            && value.iter().all(|component| component.is_finite())
        {
            let (unit, found) = unit_quaternion(*value);
            *value = unit.to_array();
            worst = worst.max(found);
        }
    }
    worst.warn(|| pointer.to_owned(), log);
}
