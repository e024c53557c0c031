//! Imports animations as clips. A faulty channel is skipped; the others are kept. Spec: glTF 2.0 §3.11.

use super::accessor::Reader;
use super::animation_pointers::{self, Context, PointerTarget, path_of};
use super::elements::{AccessorIndex, Animation, Sampler, Target};
use super::nodes::{Found, unit_quaternion};
use gambol_animation::base::{IndexMap, feature, order, sort_by};
use gambol_animation::model::{
    Channel, Clip, Curve, CurveError, Interpolation, Marker, Node, NodeId, Path, Property, PropertyChannel,
};
use gambol_gltf::element::{self, Checked, Kind};
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use std::fmt::{self, Display};
use std::sync::Arc;

/// The target of a curve.
#[derive(Debug, Clone, Copy)]
enum AnimatedTarget {
    Node(NodeId, Path),
    Property(Property),
}

/// The type of a curve's values. Targets of the same type with the same sampler share a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueType {
    Vector,
    Rotation,
    /// A list of separate numbers.
    Scalars,
    /// A boolean: `true` if not 0.
    Truth,
}

impl AnimatedTarget {
    /// The key of the target in an [`IndexMap`].
    fn key(self) -> (usize, usize, usize) {
        match self {
            Self::Node(node, path) => (0, node.index(), path as usize),
            Self::Property(Property::Visible(node)) => (1, node.index(), 0),
            Self::Property(Property::Weight(node, weight)) => (2, node.index(), weight as usize),
            Self::Property(Property::Material(id, property)) => (3, id.index(), property.range().start),
            Self::Property(Property::Light(id, property)) => (4, id.index(), property as usize),
            Self::Property(Property::Camera(id, property)) => (5, id.index(), property as usize),
        }
    }

    /// The required type of values, and the number of components per keyframe.
    fn needs(self, nodes: &[Node]) -> (ValueType, usize) {
        match self {
            Self::Node(_, Path::Translation | Path::Scale) => (ValueType::Vector, 3),
            Self::Node(_, Path::Rotation) => (ValueType::Rotation, 4),
            Self::Node(node, Path::Weights) => (ValueType::Scalars, nodes[node.index()].weights.len()),
            Self::Property(Property::Visible(_)) => (ValueType::Truth, 1),
            Self::Property(property) if property.width() == 1 => (ValueType::Scalars, 1),
            Self::Property(property) => (ValueType::Vector, property.width()),
        }
    }
}

/// The numbers of the samplers of an animation: those of accessors, or lists.
pub(super) trait Numbers {
    /// The numbers of an accessor, or of the list with its index; see [`Reader::floats`].
    fn floats(
        &self,
        index: AccessorIndex,
        pointer: fmt::Arguments<'_>,
        kinds: &[Kind],
        expected: &'static str,
    ) -> Result<Vec<f32>, ImportError>;

    /// `true` if rotations of unit length, as far as f32 can express it, stay as they are.
    fn keeps_units(&self) -> bool;
}

impl Numbers for Reader<'_> {
    fn floats(
        &self,
        index: AccessorIndex,
        pointer: fmt::Arguments<'_>,
        kinds: &[Kind],
        expected: &'static str,
    ) -> Result<Vec<f32>, ImportError> {
        self.floats(index, pointer, kinds, expected)
    }

    fn keeps_units(&self) -> bool {
        false
    }
}

/// The clips of a file, in the order of the file, including those without valid channels.
pub(super) fn clips(animations: &[Animation], context: &Context<'_>, log: &mut Log) -> Vec<Arc<Clip>> {
    let clip = |(a, animation)| {
        let pointer = format_args!("/animations/{a}");
        clip(animation, (context, context.reader), pointer, log).into()
    };
    animations.iter().enumerate().map(clip).collect()
}

/// A clip from an animation, whose pointer is `pointer`. The accessors of its samplers are indices of `numbers`.
pub(super) fn clip(
    animation: &Animation,
    (context, numbers): (&Context<'_>, &dyn Numbers),
    pointer: fmt::Arguments<'_>,
    log: &mut Log,
) -> Clip {
    let (times, times_of, curves) = (Vec::new(), IndexMap::new(), IndexMap::new());
    Import { context, numbers, log, animation, pointer, times, times_of, curves }.clip()
}

/// The import of one animation.
/// The index of a curve whose import failed.
const FAILED: usize = usize::MAX;

struct Import<'a, 'b> {
    context: &'a Context<'b>,
    numbers: &'a dyn Numbers,
    log: &'a mut Log,
    animation: &'a Animation,
    /// The pointer of the animation.
    pointer: fmt::Arguments<'a>,
    /// The keyframe times of accessors, as most channels share them.
    times: Vec<Result<Times, ImportError>>,
    /// The indices of the times by accessor: `(accessor, 0, 0)`.
    times_of: IndexMap,
    /// The curves by sampler, type and width; [`FAILED`] if the import of a curve failed.
    curves: IndexMap,
}

/// Strictly increasing keyframe times.
struct Times {
    times: Vec<f32>,
    /// The indices of the keyframes in the file, if they were sorted or merged.
    keys: Option<Vec<usize>>,
    /// The number of keyframes in the file.
    count: usize,
}

feature! {
    list for_decoding;
    fn pointed(import: &mut Import<'_, '_>, text: &str, pointer: fmt::Arguments<'_>) -> Result<Vec<AnimatedTarget>, ImportError> =
        |import, text, pointer| import.pointed(text, pointer);
}

impl Import<'_, '_> {
    fn clip(mut self) -> Clip {
        let (animation, above) = (self.animation, self.pointer);
        let mut clip = Clip { name: animation.name.clone(), ..Clip::default() };
        let mut channel_of = IndexMap::new();
        for (c, channel) in animation.channels.iter().enumerate() {
            let pointer = format_args!("{above}/channels/{c}");
            let skip = |error: ImportError, log: &mut Log| log.warn_repaired(error, "the channel is skipped");
            let sampler = match animation.samplers.get(channel.sampler) {
                Some(Some(sampler)) => sampler,
                Some(None) => continue, // reported when the JSON was read
                None => {
                    let (index, count) = (channel.sampler, animation.samplers.len());
                    let kind = ImportErrorKind::IndexOutOfRange { element: "sampler", index, count };
                    skip(kind.at(format_args!("{pointer}/sampler")), self.log);
                    continue;
                }
            };
            match self.times(channel.sampler, sampler) {
                Ok(times) => clip.duration = times.times.last().copied().unwrap_or(0.0).max(clip.duration),
                Err(error) => {
                    let error = error.clone();
                    skip(error, self.log);
                    continue;
                }
            }
            let targets = match self.targets(&channel.target, pointer) {
                Ok(targets) => targets,
                Err(error) => {
                    skip(error, self.log);
                    continue;
                }
            };
            let mut duplicate = false;
            for driven in targets {
                let (meaning, width) = driven.needs(self.context.nodes);
                let key = (channel.sampler, meaning as usize, width);
                let curve = match self.curves.get(&key) {
                    Some(&curve) => curve,
                    None => {
                        let curve = match self.curve(channel.sampler, sampler, meaning, width) {
                            Ok(curve) => {
                                clip.curves.push(curve);
                                clip.curves.len() - 1
                            }
                            Err(error) => {
                                skip(error, self.log);
                                FAILED
                            }
                        };
                        self.curves.insert(key, curve);
                        curve
                    }
                };
                if curve == FAILED {
                    continue;
                }
                let earlier = channel_of.get(&driven.key()).copied();
                duplicate |= earlier.is_some();
                let place = match driven {
                    AnimatedTarget::Node(node, path) => {
                        put(&mut clip.channels, earlier, Channel { node, path, curve })
                    }
                    AnimatedTarget::Property(property) => {
                        put(&mut clip.properties, earlier, PropertyChannel { property, curve })
                    }
                };
                channel_of.insert(driven.key(), place);
            }
            // One warning per channel, which may animate many nodes.
            if duplicate {
                let message = "An earlier channel animates the same property; the last one is used";
                self.log.warn(codes::CHANNEL_DUPLICATE, format_args!("{pointer}/target"), message);
            }
        }
        self.drop_elements(&mut clip, &channel_of);
        clip.markers = self.markers(clip.duration);
        clip
    }

    /// The markers within the clip, sorted by time.
    fn markers(&mut self, duration: f32) -> Vec<Marker> {
        let Some(list) = &self.animation.markers else { return Vec::new() };
        let pointer = format_args!("{}/extras/markers", self.pointer);
        let Some(list) = list.as_array() else {
            self.log.warn(codes::MARKER_IGNORED, pointer, "The markers are not an array; they are ignored");
            return Vec::new();
        };
        let mut markers = Vec::with_capacity(list.len());
        for (i, marker) in list.iter().enumerate() {
            let name = marker.str_at("name");
            let time = marker.get("time").and_then(Value::as_f64);
            // The duration is rounded to f32: a marker at the end must not count as beyond it.
            let time = time.filter(|&time| time >= 0.0 && time as f32 <= duration);
            match (name, time) {
                (Some(name), Some(time)) => {
                    markers.push(Marker { name: name.to_owned(), time: time.min(duration.into()) });
                }
                _ => {
                    let message = "The marker has no name or no time within the clip; it is skipped";
                    self.log.warn(codes::MARKER_IGNORED, format_args!("{pointer}/{i}"), message);
                }
            }
        }
        sort_by(&mut markers, |a, b| a.time.total_cmp(&b.time));
        markers
    }

    /// Removes channels of single weights of a node if another channel animates all of its weights.
    fn drop_elements(&mut self, clip: &mut Clip, channel_of: &IndexMap) {
        let before = clip.properties.len();
        clip.properties.retain(|channel| match channel.property {
            Property::Weight(node, _) => {
                !channel_of.contains_key(&AnimatedTarget::Node(node, Path::Weights).key())
            }
            _ => true,
        });
        if clip.properties.len() < before {
            let message =
                "A channel animates all morph weights of a node; channels of its single weights are skipped";
            self.log.warn(codes::CHANNEL_DUPLICATE, self.pointer, message);
        }
    }

    /// The sorted keyframe times of a sampler.
    fn times(&mut self, index: usize, sampler: &Sampler) -> Result<&Times, &ImportError> {
        let above = self.pointer;
        let pointer = format_args!("{above}/samplers/{index}/input");
        let key = (sampler.input.value(), 0, 0);
        let at = match self.times_of.get(&key) {
            Some(&at) => at,
            None => {
                self.times.push(read_times(self.numbers, sampler, pointer, self.log));
                self.times_of.insert(key, self.times.len() - 1);
                self.times.len() - 1
            }
        };
        self.times[at].as_ref()
    }

    /// The targets of a channel; empty, with a warning, if they are not supported.
    fn targets(
        &mut self,
        target: &Target,
        pointer: fmt::Arguments<'_>,
    ) -> Result<Vec<AnimatedTarget>, ImportError> {
        match target {
            Target::Node { node, path } => match path_of(path) {
                Some(path) => {
                    let node = self.resolve(*node, pointer)?;
                    Ok(self.of_nodes(vec![node], path, pointer))
                }
                None => Ok(self.ignored(pointer, "The target path is unknown; the channel is skipped")),
            },
            Target::Weights(weights) => {
                let one = |&(node, target)| AnimatedTarget::Property(Property::Weight(node, target));
                Ok(weights.iter().map(one).collect())
            }
            Target::Pointer(text) => pointed(self, text, pointer),
            Target::Nothing => Ok(self.ignored(pointer, "The channel has no target; it is skipped")),
        }
    }

    /// The targets of a pointer of KHR_animation_pointer.
    fn pointed(
        &mut self,
        text: &str,
        pointer: fmt::Arguments<'_>,
    ) -> Result<Vec<AnimatedTarget>, ImportError> {
        Ok(match animation_pointers::resolve(text, self.context) {
            Some(PointerTarget::Node(node, path)) => {
                let node = self.resolve(node, pointer)?;
                self.of_nodes(vec![node], path, pointer)
            }
            Some(PointerTarget::Mesh(mesh)) => {
                let nodes = self.nodes_of_mesh(mesh, pointer)?.to_vec();
                self.of_nodes(nodes, Path::Weights, pointer)
            }
            Some(PointerTarget::MeshWeight(mesh, target)) => {
                let nodes = self.nodes_of_mesh(mesh, pointer)?.iter();
                nodes.map(|&node| AnimatedTarget::Property(Property::Weight(node, target))).collect()
            }
            Some(PointerTarget::Properties(properties)) => {
                properties.into_iter().map(AnimatedTarget::Property).collect()
            }
            None => self.ignored(
                pointer,
                format_args!(
                    "The pointer “{text}” is not a property that can be animated; the channel is skipped"
                ),
            ),
        })
    }

    fn of_nodes(
        &mut self,
        nodes: Vec<NodeId>,
        path: Path,
        pointer: fmt::Arguments<'_>,
    ) -> Vec<AnimatedTarget> {
        let morphs = |node: &NodeId| !self.context.nodes[node.index()].weights.is_empty();
        if path == Path::Weights && !nodes.iter().any(morphs) {
            return self.ignored(pointer, "The target has no morph targets; the channel is skipped");
        }
        nodes.into_iter().map(|node| AnimatedTarget::Node(node, path)).collect()
    }

    fn resolve(&self, node: usize, pointer: fmt::Arguments<'_>) -> Result<NodeId, ImportError> {
        self.context.tree.resolve(node, format_args!("{pointer}/target/node"))
    }

    fn ignored(&mut self, pointer: fmt::Arguments<'_>, message: impl Display) -> Vec<AnimatedTarget> {
        self.log.warn(codes::CHANNEL_IGNORED, format_args!("{pointer}/target"), message);
        Vec::new()
    }

    /// The nodes with the weights of a mesh. Charges the budget, as many channels may animate many nodes.
    fn nodes_of_mesh(&self, mesh: usize, pointer: fmt::Arguments<'_>) -> Result<&[NodeId], ImportError> {
        let nodes = self.context.weighted_by_mesh.get(mesh).map_or(&[][..], Vec::as_slice);
        let spent = self.context.reader.spend(nodes.len(), size_of::<PropertyChannel>());
        spent.map_err(|kind| kind.at(pointer))?;
        Ok(nodes)
    }

    /// The curve of a sampler whose keyframe times are valid.
    fn curve(
        &mut self,
        index: usize,
        sampler: &Sampler,
        meaning: ValueType,
        width: usize,
    ) -> Result<Curve, ImportError> {
        let above = self.pointer;
        let pointer = format_args!("{above}/samplers/{index}");
        let mut interpolation = match sampler.interpolation {
            Checked::Valid(element::Interpolation::Step) => Interpolation::Step,
            Checked::Valid(element::Interpolation::Linear) => Interpolation::Linear,
            Checked::Valid(element::Interpolation::CubicSpline) => Interpolation::CubicSpline,
            Checked::Invalid => {
                let message = "The interpolation is unknown; LINEAR is used";
                self.log.warn(codes::INVALID_VALUE, format_args!("{pointer}/interpolation"), message);
                Interpolation::Linear
            }
        };
        let times = self.times_of.get(&(sampler.input.value(), 0, 0)).map(|&at| &self.times[at]);
        let Some(Ok(times)) = times else { return Err(ImportErrorKind::NoKeys.at(pointer)) };
        let output = format_args!("{pointer}/output");
        let (kinds, expected): (&[Kind], _) = match (meaning, width) {
            (ValueType::Vector, 2) => (&[Kind::Vec2], "VEC2"),
            (ValueType::Vector, 3) => (&[Kind::Vec3], "VEC3"),
            (ValueType::Vector | ValueType::Rotation, _) => (&[Kind::Vec4], "VEC4"),
            // The specification requires SCALAR, but vectors have the numbers in the same order.
            (ValueType::Scalars | ValueType::Truth, _) => {
                (&[Kind::Scalar, Kind::Vec2, Kind::Vec3, Kind::Vec4], "SCALAR")
            }
        };
        let mut values = self.numbers.floats(sampler.output, output, kinds, expected)?;
        let row = width * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let needed = times.count.saturating_mul(row);
        if values.len() < needed {
            return Err(ImportErrorKind::OutputTooShort { needed, available: values.len() }.at(output));
        }
        if values.len() > needed {
            let message = format_args!(
                "The keyframes need {needed} components, but the output has {}; the rest is ignored",
                values.len()
            );
            self.log.warn(codes::OUTPUT_TOO_LONG, output, message);
            values.truncate(needed);
        }
        // Each curve copies the times.
        self.context.reader.spend(times.times.len(), 4).map_err(|kind| kind.at(output))?;
        if let Some(keys) = &times.keys {
            let mut kept = Vec::with_capacity(keys.len() * row);
            for &key in keys {
                kept.extend_from_slice(&values[key * row..][..row]);
            }
            values = kept;
        }
        let lost = meaning == ValueType::Rotation
            && interpolation == Interpolation::CubicSpline
            && self.context.reader.is_filtered_to_quaternions(sampler.output);
        if lost {
            let message = "The tangents of the rotations are lost: the meshopt filter QUATERNION makes unit quaternions of them. LINEAR is used. Compress the original file again, with sampled (LINEAR) keys";
            self.log.warn(codes::TANGENTS_LOST, output, message);
            values = middles(&values, width);
            interpolation = Interpolation::Linear;
        }
        if meaning == ValueType::Rotation {
            let keeps_units = self.numbers.keeps_units();
            normalize_rotations(&mut values, interpolation, keeps_units, output, self.log);
        }
        if meaning == ValueType::Truth {
            if interpolation == Interpolation::CubicSpline {
                values = middles(&values, width);
            }
            if interpolation != Interpolation::Step {
                let message = "Booleans cannot be interpolated; STEP is used";
                self.log.warn(codes::INVALID_VALUE, format_args!("{pointer}/interpolation"), message);
                interpolation = Interpolation::Step;
            }
            values.iter_mut().for_each(|value| *value = f32::from(u8::from(*value != 0.0)));
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

/// The values of keys of a spline, without their tangents.
fn middles(rows: &[f32], width: usize) -> Vec<f32> {
    let mut middles = Vec::with_capacity(rows.len() / 3);
    for key in rows.chunks_exact(3 * width) {
        middles.extend_from_slice(&key[width..2 * width]);
    }
    middles
}

/// Replaces the channel at `earlier`, or appends the channel; returns its index.
fn put<T>(list: &mut Vec<T>, earlier: Option<usize>, channel: T) -> usize {
    match earlier {
        Some(earlier) => {
            list[earlier] = channel;
            earlier
        }
        None => {
            list.push(channel);
            list.len() - 1
        }
    }
}

fn read_times(
    numbers: &dyn Numbers,
    sampler: &Sampler,
    pointer: fmt::Arguments<'_>,
    log: &mut Log,
) -> Result<Times, ImportError> {
    let times = numbers.floats(sampler.input, pointer, &[Kind::Scalar], "SCALAR")?;
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
    let message = "Keyframe times do not increase; they are sorted, and of equal times the last one is used";
    log.warn(codes::KEY_TIMES_UNSORTED, pointer, message);
    Ok(sorted(&times))
}

fn sorted(times: &[f32]) -> Times {
    let count = times.len();
    let keys = order(count, &|a, b| times[a].total_cmp(&times[b]));
    // The order is stable, so of equal times the last one of the file is last. (−0 and 0 are equal.)
    let mut kept: Vec<usize> = Vec::with_capacity(count);
    for key in keys {
        match kept.last_mut() {
            Some(last) if times[*last] == times[key] => *last = (*last).max(key),
            _ => kept.push(key),
        }
    }
    let times = kept.iter().map(|&key| times[key]).collect();
    Times { times, keys: Some(kept), count }
}

/// `true` for a unit quaternion whose components are rounded to f32. Normalizing it again could change its last bits.
fn is_unit(q: &[f32; 4]) -> bool {
    let squared = q.iter().map(|&value| f64::from(value) * f64::from(value)).sum::<f64>();
    (squared - 1.0).abs() <= 2.0 * f64::from(f32::EPSILON)
}

/// Normalizes the quaternions, but not the tangents. Values that are not finite are unchanged, and
/// [`Curve::new`] rejects them.
fn normalize_rotations(
    values: &mut [f32],
    interpolation: Interpolation,
    keeps_units: bool,
    pointer: fmt::Arguments<'_>,
    log: &mut Log,
) {
    let (step, offset) = if interpolation == Interpolation::CubicSpline { (12, 4) } else { (4, 0) };
    let mut worst = Found::Unit;
    for row in values.chunks_exact_mut(step) {
        if let Some(value) = row[offset..].first_chunk_mut::<4>()
            && value.iter().all(|component| component.is_finite())
        {
            if keeps_units && is_unit(value) {
                continue;
            }
            let (unit, found) = unit_quaternion(*value);
            *value = unit.to_array();
            worst = worst.max(found);
        }
    }
    worst.warn(pointer, log);
}
