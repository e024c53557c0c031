//! Animation stacks, which become clips.

use std::collections::HashMap;

use super::Reader;
use super::curve::{Form, Keys, Kind, Property, knots, measure};
use super::mesh::{channels, effective_weights};
use crate::error::{FormatError, codes};
use crate::scene::{Channel, Clip, Interpolation, Path};

/// The largest deviation of a channel: of rotations in radians, of translations as a share of the model's size. It is
/// a tenth of that allowed for vertices, since deviations of joints add up along a chain.
const TOLERANCE: f64 = 1e-5;

/// The curves of the properties of each element, by its id and in the order of the file.
type Curves<'a> = HashMap<u32, Vec<(&'a str, &'a ufbx::AnimCurve)>>;

/// Adds the clip of an animation stack, if it changes anything: exporters write a stack even for a model at rest.
pub(super) fn clip(reader: &mut Reader<'_>, stack: &ufbx::AnimStack) -> Result<(), FormatError> {
    let name = name(reader, stack);
    let source = reader.source;
    let mut curves = Curves::new();
    // Weights of layers change what the curves of other layers mean.
    let mut of_layers = Vec::new();
    for layer in &stack.layers {
        for property in &layer.anim_props {
            let list = curves.entry(property.element.element_id).or_default();
            for curve in property.anim_value.curves.iter().flatten() {
                list.push((&*property.prop_name, &**curve));
                if property.element.type_ == ufbx::ElementType::AnimLayer {
                    of_layers.push(&**curve);
                }
            }
        }
    }
    // Stacks may share layers, so a small file may have many stacks that are large.
    let properties: usize = stack.layers.iter().map(|layer| layer.anim_props.len()).sum();
    reader.spend(properties, 32, name)?;
    let with_keys = |curve: &&ufbx::AnimCurve| !curve.keyframes.is_empty();
    let all = || curves.values().flatten().map(|(_, curve)| *curve).filter(with_keys);
    let (mut begin, mut end) = (stack.time_begin, stack.time_end);
    if end <= begin {
        // The stack has no time span: it lasts as long as its keys.
        begin = all().map(|curve| curve.min_time).fold(f64::INFINITY, f64::min);
        end = all().map(|curve| curve.max_time).fold(f64::NEG_INFINITY, f64::max);
    }
    if end < begin || all().next().is_none() {
        return Ok(());
    }
    let stretch = stretch(source, all().map(|curve| curve.max_time), end);
    if stretch != 1.0 {
        let message = format!("The keys are {stretch} times later than the clip ends, as Assimp writes them");
        reader.warn(codes::FBX_REPAIRED, name, message);
        (begin, end) = (begin * stretch, end * stretch);
    }
    reader.spend(source.nodes.len(), 32, name)?;
    let mut clip = Builder { reader, stack, curves, of_layers, begin, end, channels: Vec::new() };
    for node in &source.nodes {
        if clip.reader.node(node).is_some() {
            clip.transform(node)?;
        }
    }
    for node in &source.nodes {
        clip.weights(node)?;
    }
    let mut channels = clip.channels;
    if stretch != 1.0 {
        channels.iter_mut().for_each(|channel| compress(channel, stretch));
    }
    if !channels.is_empty() {
        reader.scene.clips.push(Clip { name: name.to_owned(), channels });
    }
    Ok(())
}

/// The name of a clip: that of the stack. All stacks of Mixamo have the same name, so theirs is that of the file.
fn name<'a>(reader: &Reader<'a>, stack: &'a ufbx::AnimStack) -> &'a str {
    let stem = reader.conversion.stem;
    // Blender adds the names of the object and of the layer: `Armature|mixamo.com|Layer0`.
    let is_mixamo = |stack: &ufbx::AnimStack| {
        stack.element.name.split('|').any(|part| part.eq_ignore_ascii_case("mixamo.com"))
    };
    let others = || reader.source.anim_stacks.iter().filter(|stack| is_mixamo(stack)).count() > 1;
    let unnamed = stack.element.name.is_empty() || (is_mixamo(stack) && !stem.is_empty() && !others());
    if unnamed { stem } else { &stack.element.name }
}

/// The factor by which Assimp has written the times of keys too late: by ticks a second, where the time span of the
/// stack is in seconds. 1 for other files.
fn stretch(source: &ufbx::Scene, last: impl Iterator<Item = f64>, end: f64) -> f64 {
    let creator = source.metadata.creator.to_ascii_lowercase();
    let factor = last.fold(0.0, f64::max) / end;
    let by_assimp = ["assimp", "open asset import library"].iter().any(|name| creator.contains(name));
    if !by_assimp || !(2.0..1e9).contains(&factor) {
        return 1.0;
    }
    let whole = factor.round();
    if (factor - whole).abs() < 1e-3 * whole { whole } else { factor }
}

/// Divides the times of a channel.
fn compress(channel: &mut Channel, by: f64) {
    let mut last = f32::NEG_INFINITY;
    for time in &mut channel.times {
        // A jump has two keys at neighbouring times, which must stay apart.
        *time = ((f64::from(*time) / by) as f32).max(last.next_up());
        last = *time;
    }
    if channel.interpolation == Interpolation::CubicSpline {
        let width = channel.values.len() / (3 * channel.times.len());
        for row in channel.values.chunks_exact_mut(3 * width) {
            let (into, out) = row.split_at_mut(2 * width);
            into[..width].iter_mut().chain(out).for_each(|slope| *slope = (f64::from(*slope) * by) as f32);
        }
    }
}

struct Builder<'r, 'a, 's> {
    reader: &'r mut Reader<'a>,
    stack: &'s ufbx::AnimStack,
    curves: Curves<'s>,
    of_layers: Vec<&'s ufbx::AnimCurve>,
    begin: f64,
    end: f64,
    channels: Vec<Channel>,
}

/// Properties that move the pivots of a node. With them, its translation depends on all its curves.
const PIVOTS: [&str; 4] = ["RotationPivot", "RotationOffset", "ScalingPivot", "ScalingOffset"];
const ROTATIONS: [&str; 4] = ["Lcl Rotation", "PreRotation", "PostRotation", "RotationOrder"];

/// Bits of ufbx's transform flags: the parts to evaluate. The binding keeps its own constants private.
const EXPLICIT: u32 = 0x4;
const TRANSLATION: u32 = 0x10;
const ROTATION: u32 = 0x20;
const SCALE: u32 = 0x40;

impl<'s> Builder<'_, '_, 's> {
    fn transform(&mut self, node: &ufbx::Node) -> Result<(), FormatError> {
        let helpers = scale_helpers(node);
        // Also limits the time: nodes may be nested deeply, and stacks may be many.
        self.reader.spend(helpers.len(), 32, &node.element.name)?;
        let of_helpers: Vec<_> =
            helpers.iter().flat_map(|helper| self.curves_of(helper, &["Lcl Scaling"])).collect();
        let pivots = PIVOTS.iter().any(|name| {
            let property = ufbx::find_prop(&node.element.props, name).map(|property| property.value_vec4);
            property.is_some_and(|v| v.x != 0.0 || v.y != 0.0 || v.z != 0.0)
                || !self.curves_of(node, &[name]).is_empty()
        });
        let rotation = self.curves_of(node, &ROTATIONS);
        let mut scale = self.curves_of(node, &["Lcl Scaling"]);
        let mut translation = self.curves_of(node, &["Lcl Translation"]);
        if pivots {
            translation.extend(self.curves_of(node, &PIVOTS));
            translation.extend(&rotation);
            translation.extend(&scale);
        }
        translation.extend(&of_helpers);
        if node.is_scale_helper {
            scale.extend(&of_helpers);
        }

        let rest = &node.local_transform;
        let tolerance = TOLERANCE * self.reader.size / world_scale(node);
        let at_rest = vector(rest.translation);
        let linear = if of_helpers.is_empty() { Kind::Linear } else { Kind::Other };
        let kind = if pivots && linear == Kind::Linear { Kind::Angles } else { linear };
        self.channel(node, (Path::Translation, kind), translation, &at_rest, tolerance)?;
        let at_rest = super::unit(rest.rotation);
        self.channel(node, (Path::Rotation, Kind::Angles), rotation, &at_rest, TOLERANCE)?;
        let at_rest = vector(rest.scale);
        let tolerance = TOLERANCE * at_rest.iter().fold(1e-3, |max: f64, x| max.max(x.abs()));
        self.channel(node, (Path::Scale, linear), scale, &at_rest, tolerance)
    }

    /// The curves of properties of a node, without those that have no keys.
    fn curves_of(&self, node: &ufbx::Node, properties: &[&str]) -> Vec<&'s ufbx::AnimCurve> {
        let all = self.curves.get(&node.element.element_id).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter(|(name, _)| properties.contains(name)).map(|(_, curve)| *curve).collect()
    }

    fn channel(
        &mut self,
        node: &ufbx::Node,
        (path, kind): (Path, Kind),
        curves: Vec<&'s ufbx::AnimCurve>,
        rest: &[f64],
        tolerance: f64,
    ) -> Result<(), FormatError> {
        let Some(index) = self.reader.node(node).filter(|_| !curves.is_empty()) else { return Ok(()) };
        let anim: &ufbx::Anim = &self.stack.anim;
        let part = match path {
            Path::Rotation => ROTATION,
            Path::Scale => SCALE,
            _ => TRANSLATION,
        };
        let mut sample = |time: f64, out: &mut [f64]| {
            let local = ufbx::evaluate_transform_flags(anim, node, time, EXPLICIT | part);
            match path {
                Path::Rotation => out.copy_from_slice(&super::unit(local.rotation)),
                Path::Scale => out.copy_from_slice(&vector(local.scale)),
                _ => out.copy_from_slice(&vector(local.translation)),
            }
        };
        let form = Form { width: rest.len(), rotation: path == Path::Rotation, kind, tolerance };
        let keys = self.keys(curves, form, &mut sample, &node.element.name)?;
        self.push(index, path, keys, rest, tolerance)
    }

    fn keys(
        &mut self,
        mut curves: Vec<&'s ufbx::AnimCurve>,
        mut form: Form,
        sample: &mut dyn FnMut(f64, &mut [f64]),
        path: &str,
    ) -> Result<Keys, FormatError> {
        curves.extend(&self.of_layers);
        let count: usize = curves.iter().map(|curve| curve.keyframes.len()).sum();
        // Also limits the time that a file takes whose stacks share layers, or whose nodes share curves.
        let layers = self.stack.layers.len().max(1);
        self.reader.spend(count, 8 * layers, path)?;
        let mut knots = if layers == 1 && curves.iter().all(|curve| is_constant(curve)) {
            // One sample says all.
            knots(&[], self.begin, self.begin)
        } else {
            self.reader.spend(count, 24 * layers, path)?;
            knots(&curves, self.begin, self.end)
        };
        if layers > 1 {
            form.kind = Kind::Other;
        }
        self.reader.spend(knots.len(), 16 * layers * form.width.max(curves.len()), path)?;
        // Samples, keys and tangents, while they are computed.
        self.reader.fits(knots.len(), 96 * form.width, path)?;
        measure(&mut knots, &curves);
        let short = self.reader.splits.short;
        let property = Property { form, knots, splits: &mut self.reader.splits, layers, sample };
        let keys = property.keys();
        if self.reader.splits.short && !short {
            let message = "The curves from here on deviate, since they need too many keys";
            self.reader.warn(codes::FBX_COARSE, path, message);
        }
        Ok(keys)
    }

    fn push(
        &mut self,
        node: usize,
        path: Path,
        keys: Keys,
        rest: &[f64],
        tolerance: f64,
    ) -> Result<(), FormatError> {
        let (interpolation, times, values) = match keys {
            Keys::Keys { interpolation, times, values } => (interpolation, times, values),
            Keys::Constant(row) => {
                // The pose at rest of another file may differ: a constant rotation is a part of the clip's pose.
                let equal = row.iter().zip(rest).all(|(a, b)| (a - b).abs() <= tolerance);
                if equal && path != Path::Rotation {
                    return Ok(());
                }
                let mut times = vec![0.0, (self.end - self.begin) as f32];
                times.dedup();
                let values = row.iter().map(|&x| super::finite(x)).collect::<Vec<_>>().repeat(times.len());
                (Interpolation::Linear, times, values)
            }
        };
        self.reader.spend(times.len() + values.len(), 4, "")?;
        let mut values = values;
        if let Some(factor) = self.reader.scales.get(&node).filter(|_| path == Path::Scale) {
            values.iter_mut().for_each(|value| *value *= factor);
        }
        self.channels.push(Channel { node, path, interpolation, times, values });
        Ok(())
    }

    /// The weights of the morph targets of a node's mesh.
    fn weights(&mut self, node: &ufbx::Node) -> Result<(), FormatError> {
        let Some(index) = self.reader.node(node) else { return Ok(()) };
        let Some(mesh) = node.mesh.as_ref().filter(|_| self.reader.scene.nodes[index].mesh.is_some()) else {
            return Ok(());
        };
        let channels: Vec<_> = channels(mesh).collect();
        self.reader.spend(channels.len(), 32, &node.element.name)?;
        let width = channels.iter().map(|(_, channel)| channel.keyframes.len()).sum();
        let of_channel = |channel: &ufbx::BlendChannel| {
            let all = self.curves.get(&channel.element.element_id).map(Vec::as_slice).unwrap_or_default();
            all.iter().filter(|(name, _)| *name == "DeformPercent").map(|(_, curve)| *curve)
        };
        let curves: Vec<_> = channels.iter().flat_map(|(_, channel)| of_channel(channel)).collect();
        if curves.is_empty() || width == 0 {
            return Ok(());
        }
        let anim: &ufbx::Anim = &self.stack.anim;
        let mut sample = |time: f64, out: &mut [f64]| {
            for (first, channel) in &channels {
                let weight = ufbx::evaluate_blend_weight(anim, channel, time);
                effective_weights(channel, weight, &mut out[*first..]);
            }
            out.iter_mut().filter(|x| !(**x as f32).is_finite()).for_each(|x| *x = 0.0);
        };
        let in_between = channels.iter().any(|(_, channel)| channel.keyframes.len() > 1);
        let kind = if in_between { Kind::Other } else { Kind::Linear };
        let form = Form { width, rotation: false, kind, tolerance: TOLERANCE };
        let keys = self.keys(curves, form, &mut sample, &node.element.name)?;
        let mut rest = vec![0.0; width];
        for (first, channel) in &channels {
            effective_weights(channel, channel.weight, &mut rest[*first..]);
        }
        self.push(index, Path::Weights, keys, &rest, TOLERANCE)
    }
}

/// Helper nodes of ufbx whose scale changes the transform of a node.
fn scale_helpers(node: &ufbx::Node) -> Vec<&ufbx::Node> {
    let mut helpers = Vec::new();
    if let Some(parent) = &node.parent {
        helpers.extend(parent.scale_helper.as_deref());
        let mut scaled = parent.inherit_scale_node.as_deref();
        while let Some(node) = scaled {
            let Some(helper) = node.scale_helper.as_deref() else { break };
            helpers.push(helper);
            scaled = node.inherit_scale_node.as_deref();
        }
    }
    helpers.retain(|helper| helper.element.element_id != node.element.element_id);
    helpers
}

/// The factor by which a change of the node's translation is larger in the scene.
fn world_scale(node: &ufbx::Node) -> f64 {
    let Some(parent) = &node.parent else { return 1.0 };
    let m = &parent.node_to_world;
    let columns = [[m.m00, m.m10, m.m20], [m.m01, m.m11, m.m21], [m.m02, m.m12, m.m22]];
    let scale = columns.map(|[x, y, z]| (x * x + y * y + z * z).sqrt()).into_iter().fold(0.0, f64::max);
    if scale > 0.0 && scale.is_finite() { scale } else { 1.0 }
}

fn is_constant(curve: &ufbx::AnimCurve) -> bool {
    let flat = |key: &ufbx::Keyframe| key.left.dy == 0.0 && key.right.dy == 0.0;
    curve.min_value == curve.max_value
        && curve.keyframes.iter().all(flat)
        && [&curve.pre_extrapolation, &curve.post_extrapolation]
            .iter()
            .all(|side| side.mode != ufbx::ExtrapolationMode::RepeatRelative)
}

/// The components, with 0 for those that are not finite as 32-bit floats.
fn vector(v: ufbx::Vec3) -> [f64; 3] {
    [v.x, v.y, v.z].map(|x| if (x as f32).is_finite() { x } else { 0.0 })
}
