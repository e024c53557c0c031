//! Poses of some frames, as evidence for guesses.

use glam::{DQuat, DVec3};

use super::channels::{Positions, Track};
use super::motion::Motion;

/// The most frames that are looked at.
const FRAMES: usize = 256;
/// The most joints of all frames together, which limits time and memory.
const JOINTS: usize = 1 << 18;

/// The places of all joints in some frames, in units of the file.
pub(super) struct Poses {
    /// For each frame, if positions replace OFFSET.
    pub(super) replaced: Vec<Vec<DVec3>>,
    /// For each frame, if positions of the joints in question are added to OFFSET.
    pub(super) added: Vec<Vec<DVec3>>,
}

impl Poses {
    /// `positions`: the meaning of each joint's positions; `None` for joints in question.
    pub(super) fn new(tracks: &[Track<'_>], motion: &Motion, positions: &[Option<Positions>]) -> Self {
        let count = motion.len();
        let samples = count.min(FRAMES).min((JOINTS / tracks.len().max(1)).max(1));
        let mut poses = Self { replaced: Vec::with_capacity(samples), added: Vec::with_capacity(samples) };
        for sample in 0..samples {
            let frame = motion.frame(sample * count / samples);
            let rotations: Vec<DQuat> = world_rotations(tracks, |track| track.rotation(frame));
            let place = |other: Positions| {
                let meaning = |joint: usize| positions.get(joint).copied().flatten().unwrap_or(other);
                places(tracks, &rotations, |joint| tracks[joint].translation(frame, meaning(joint)))
            };
            poses.replaced.push(place(Positions::Replace));
            poses.added.push(place(Positions::Add));
        }
        poses
    }

    /// The places of all joints in the rest pose.
    pub(super) fn rest(tracks: &[Track<'_>]) -> Vec<DVec3> {
        let rotations = vec![DQuat::IDENTITY; tracks.len()];
        places(tracks, &rotations, |joint| tracks[joint].joint.offset)
    }
}

fn world_rotations(tracks: &[Track<'_>], local: impl Fn(&Track<'_>) -> DQuat) -> Vec<DQuat> {
    let mut rotations: Vec<DQuat> = Vec::with_capacity(tracks.len());
    for track in tracks {
        let above = track.joint.parent.map_or(DQuat::IDENTITY, |parent| rotations[parent]);
        rotations.push((above * local(track)).normalize());
    }
    rotations
}

fn places(tracks: &[Track<'_>], rotations: &[DQuat], local: impl Fn(usize) -> DVec3) -> Vec<DVec3> {
    let mut places: Vec<DVec3> = Vec::with_capacity(tracks.len());
    for (joint, track) in tracks.iter().enumerate() {
        let place = match track.joint.parent {
            Some(parent) => places[parent] + rotations[parent] * local(joint),
            None => local(joint),
        };
        places.push(place);
    }
    places
}

/// A low quantile, which leaves single frames out of long clips, such as a T pose at the origin. 0 without values.
pub(super) fn low(values: impl Iterator<Item = f64>) -> f64 {
    quantile(values, 1, 50)
}

pub(super) fn median(values: impl Iterator<Item = f64>) -> f64 {
    quantile(values, 1, 2)
}

fn quantile(values: impl Iterator<Item = f64>, part: usize, of: usize) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() * part / of).copied().unwrap_or_default()
}

/// The lowest joint of a pose along an axis.
pub(super) fn lowest(pose: &[DVec3], up: DVec3) -> f64 {
    pose.iter().map(|place| place.dot(up)).fold(f64::INFINITY, f64::min)
}
