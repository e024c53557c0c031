//! BVH files: a hierarchy of joints, and the values of their channels for each frame.
//!
//! A joint's rotation is the product of its rotation channels, in their order. Its translation is OFFSET without position
//! channels. With them, programs differ: for most, a position replaces OFFSET; for some, it is added. So a joint's
//! positions are added only if they are nearer to zero than to OFFSET, over all frames.

mod hierarchy;
mod motion;
#[cfg(test)]
mod tests;

use glam::{DQuat, DVec3};

use crate::conversion::Conversion;
use crate::error::{FormatError, codes};
use crate::rotation::continuous;
use crate::scene::{Channel, Clip, Interpolation, Node, Path, Scene};
use crate::text::place;
use hierarchy::{Joint, Moved};
use motion::Motion;

/// Reads a file.
pub(crate) fn read(bytes: &[u8], conversion: &Conversion<'_>) -> Result<Scene, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (joints, end) = hierarchy::read(bytes, conversion)?;
    let motion = motion::read(bytes, end, joints.iter().map(|joint| joint.channels.len()).sum(), conversion);
    let unit = conversion.metres_per_unit().unwrap_or_else(|| unit(&joints, conversion));
    let mut clip = Clip { name: conversion.stem.to_owned(), channels: Vec::new() };
    let mut first = 0;
    for (node, joint) in joints.iter().enumerate() {
        let keys = Keys { motion: &motion, joint, first };
        if let Some(values) = keys.rotations() {
            clip.channels.push(channel(node, Path::Rotation, &motion.times, values));
        }
        if let Some(values) = keys.translations(unit, || {
            let name = &joint.name;
            let message =
                format!("The positions of \"{name}\" are relative to its OFFSET; they are added to it");
            conversion.warn(codes::BVH_OFFSET_ADDED, message, || place(bytes, joint.at));
        }) {
            clip.channels.push(channel(node, Path::Translation, &motion.times, values));
        }
        first += joint.channels.len();
    }
    let nodes = joints.iter().map(|joint| node(joint, unit)).collect();
    let clips = if clip.channels.is_empty() { vec![] } else { vec![clip] };
    Ok(Scene { nodes, clips, ..Scene::default() })
}

fn node(joint: &Joint, unit: f64) -> Node {
    Node {
        name: joint.name.clone(),
        parent: joint.parent,
        translation: (joint.offset * unit).as_vec3().to_array(),
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
        mesh: None,
        skin: None,
    }
}

/// A channel; if all its values are the same, with the first and the last key only.
fn channel(node: usize, path: Path, times: &[f32], mut values: Vec<f32>) -> Channel {
    let width = values.len() / times.len();
    let mut times = times.to_vec();
    if times.len() > 2 && values.chunks_exact(width).all(|row| row == &values[..width]) {
        times = vec![times[0], times[times.len() - 1]];
        values.truncate(2 * width);
    }
    Channel { node, path, interpolation: Interpolation::Linear, times, values }
}

/// The keys of one joint.
struct Keys<'a> {
    motion: &'a Motion,
    joint: &'a Joint,
    /// The index of the joint's first channel in a frame.
    first: usize,
}

impl Keys<'_> {
    /// For each frame, the joint's channels with their values.
    fn frames(&self) -> impl Iterator<Item = impl Iterator<Item = (Moved, f64)>> {
        self.motion.frames().map(|frame| {
            let values = frame[self.first..].iter().map(|&value| f64::from(value));
            self.joint.channels.iter().copied().zip(values)
        })
    }

    /// `true` if the joint has a channel of this kind, and there are frames.
    fn has(&self, kind: impl Fn(&Moved) -> bool) -> bool {
        !self.motion.times.is_empty() && self.joint.channels.iter().any(kind)
    }

    fn rotations(&self) -> Option<Vec<f32>> {
        let turn = |axis: usize, degrees: f64| {
            // libm gives the same bits on every machine.
            let (sin, cos) = libm::sincos(degrees.to_radians() / 2.0);
            let axis = DVec3::AXES[axis] * sin;
            DQuat::from_xyzw(axis.x, axis.y, axis.z, cos)
        };
        let rotation = |frame: &mut dyn Iterator<Item = (Moved, f64)>| {
            frame.fold(DQuat::IDENTITY, |product, (moved, value)| match moved {
                Moved::Rotation(axis) => product * turn(axis, value),
                _ => product,
            })
        };
        self.has(|moved| matches!(moved, Moved::Rotation(_)))
            .then(|| continuous(self.frames().map(|mut frame| rotation(&mut frame))))
    }

    /// `added` is called if the positions are relative to OFFSET.
    fn translations(&self, unit: f64, added: impl FnOnce()) -> Option<Vec<f32>> {
        if !self.has(|moved| matches!(moved, Moved::Position(_))) {
            return None;
        }
        let offset = self.joint.offset;
        let positions = || {
            self.frames().map(|frame| {
                frame.filter_map(|(moved, value)| match moved {
                    Moved::Position(axis) => Some((axis, value)),
                    _ => None,
                })
            })
        };
        // The sum of |offset - position|² - |position|².
        let nearer_to_zero = positions()
            .flatten()
            .map(|(axis, value)| offset[axis] * (offset[axis] - 2.0 * value))
            .sum::<f64>()
            > 0.0;
        if nearer_to_zero {
            added();
        }
        let mut values = Vec::with_capacity(3 * self.motion.times.len());
        for frame in positions() {
            let mut translation = offset;
            for (axis, value) in frame {
                translation[axis] = if nearer_to_zero { offset[axis] + value } else { value };
            }
            values.extend((translation * unit).as_vec3().to_array());
        }
        Some(values)
    }
}

/// Metres per unit, guessed from the size of the figure, see [`Format::Bvh`](crate::Format::Bvh). The longest path
/// through the skeleton does not depend on its pose; of a human it is from toe to fingertip, 1.4 times the height.
fn unit(joints: &[Joint], conversion: &Conversion<'_>) -> f64 {
    let mut reach = vec![0.0_f64; joints.len()];
    let mut longest = 0.0_f64;
    for (index, joint) in joints.iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            let along = reach[index] + joint.offset.length();
            longest = longest.max(reach[parent] + along);
            reach[parent] = reach[parent].max(along);
        }
    }
    let height = longest / 1.4;
    let (unit, name) = match height {
        // Nothing but positions: most files have centimetres.
        0.0 => return 0.01,
        ..4.0 => (1.0, "metres"),
        ..45.0 => (0.0254 / 0.45, "1/0.45 inches, the unit of CMU's library"),
        ..90.0 => (0.0254, "inches"),
        ..500.0 => return 0.01,
        _ => (0.001, "millimetres"),
    };
    let message = format!("The figure is about {height:.1} units high; its unit is taken for {name}");
    let place = || crate::error::Place::Object { path: joints[0].name.clone() };
    conversion.warn(codes::BVH_UNIT_GUESSED, message, place);
    unit
}
