//! BVH files: a hierarchy of joints, and the values of their channels for each frame.
//!
//! A joint's rotation is the product of its rotation channels, in their order. Its translation is OFFSET without position
//! channels, see [`positions`] for the others. Files name neither the axis that points up, see [`up`], nor a unit of
//! length.

mod body;
mod channels;
mod hierarchy;
mod motion;
mod numbers;
mod poses;
mod positions;
#[cfg(test)]
mod tests;
mod up;

use glam::{DQuat, DVec3};

use crate::conversion::{Conversion, Up};
use crate::error::{FormatError, codes};
use crate::rotation::continuous;
use crate::scene::{Channel, Clip, Interpolation, Node, Path, Scene};
use crate::text::place;
use body::Body;
use channels::{Positions, Track};
use hierarchy::{Joint, Moved};
use poses::Poses;

/// Reads a file.
pub(crate) fn read(bytes: &[u8], conversion: &Conversion<'_>) -> Result<Scene, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (joints, end) = hierarchy::read(bytes, conversion)?;
    let motion = motion::read(bytes, end, joints.iter().map(|joint| joint.channels.len()).sum(), conversion);
    let tracks = Track::all(&joints);
    let body = Body::new(&joints);
    let unit = conversion.metres_per_unit().unwrap_or_else(|| unit(&joints, &body, conversion));

    let (mut meanings, habit) = positions::of_bones(&tracks, &motion, &body);
    let poses = Poses::new(&tracks, &motion, &meanings);
    let up = conversion.up().unwrap_or_else(|| guess_up(&joints, &body, &tracks, &poses, conversion));
    let meaning = positions::of_body(&tracks, &motion, &body, (&meanings, habit), &poses, up::axis(up));
    meanings.iter_mut().for_each(|of_joint| *of_joint = of_joint.or(Some(meaning)));
    let meaning = |joint: usize| meanings[joint].unwrap_or(Positions::Replace);
    warn_of_added(bytes, &tracks, meaning, conversion);

    let space = Space { up, unit };
    let mut clip = Clip { name: conversion.stem.to_owned(), channels: Vec::new() };
    let frames = || (0..motion.len()).map(|index| motion.frame(index));
    for (node, track) in tracks.iter().enumerate().filter(|_| motion.len() > 0) {
        if track.has(|moved| matches!(moved, Moved::Rotation(_))) {
            let values = continuous(frames().map(|frame| space.rotation(track.rotation(frame))));
            clip.channels.push(channel(node, Path::Rotation, &motion.times, values));
        }
        if track.has_positions() {
            let values = frames().flat_map(|frame| space.place(track.translation(frame, meaning(node))));
            clip.channels.push(channel(node, Path::Translation, &motion.times, values.collect()));
        }
    }
    let nodes = joints.iter().map(|joint| node(joint, &space)).collect();
    let clips = if clip.channels.is_empty() { vec![] } else { vec![clip] };
    Ok(Scene { nodes, clips, ..Scene::default() })
}

/// The axes and the unit of the file.
struct Space {
    up: Up,
    unit: f64,
}

impl Space {
    /// All joints are turned, not only the root, so the rest pose of the result has no rotations.
    fn turned(&self, v: DVec3) -> DVec3 {
        match self.up {
            Up::Y => v,
            Up::Z => DVec3::new(v.x, v.z, -v.y),
        }
    }

    fn place(&self, v: DVec3) -> [f32; 3] {
        // Adding 0 turns -0 into 0.
        (self.turned(v) * self.unit).as_vec3().to_array().map(|x| x + 0.0)
    }

    fn rotation(&self, rotation: DQuat) -> DQuat {
        let axis = self.turned(DVec3::new(rotation.x, rotation.y, rotation.z));
        DQuat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }
}

fn node(joint: &Joint, space: &Space) -> Node {
    Node {
        name: joint.name.clone(),
        parent: joint.parent,
        translation: space.place(joint.offset),
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

fn guess_up(
    joints: &[Joint],
    body: &Body,
    tracks: &[Track<'_>],
    poses: &Poses,
    conversion: &Conversion<'_>,
) -> Up {
    let up = up::guess(body, &Poses::rest(tracks), poses);
    if up == Up::Z {
        let message = "The figure stands along Z, so Z is taken for the axis that points up";
        let place = || crate::error::Place::Object { path: joints[body.tree.start].name.clone() };
        conversion.warn(codes::BVH_UP_GUESSED, message, place);
    }
    up
}

/// Warns of joints whose positions are added to an OFFSET that is not zero.
fn warn_of_added(
    bytes: &[u8],
    tracks: &[Track<'_>],
    meaning: impl Fn(usize) -> Positions,
    conversion: &Conversion<'_>,
) {
    let is_added = |joint: &usize| {
        let track = &tracks[*joint];
        track.has_positions() && track.joint.offset != DVec3::ZERO && meaning(*joint) == Positions::Add
    };
    let mut added = (0..tracks.len()).filter(is_added).map(|joint| tracks[joint].joint);
    if let Some(first) = added.next() {
        let others = match added.count() {
            0 => String::new(),
            count => format!(" and of {count} other joints"),
        };
        let message = format!(
            "The positions of \"{}\"{others} are relative to OFFSET; they are added to it",
            first.name
        );
        conversion.warn(codes::BVH_OFFSET_ADDED, message, || place(bytes, first.at));
    }
}

/// Metres per unit, guessed from the size of the figure, see [`Format::Bvh`](crate::Format::Bvh).
fn unit(joints: &[Joint], body: &Body, conversion: &Conversion<'_>) -> f64 {
    let height = body.height;
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
