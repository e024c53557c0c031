//! The meaning of position channels: for most programs a position replaces OFFSET, for some it is added.
//!
//! A joint of the body keeps the length of its bone. So its positions are near OFFSET, or near zero; all such joints
//! vote, and have one meaning.
//!
//! Joints that carry the body have its travel, which says nothing. Their meaning is decided by the first of these rules
//! that applies, with the heights of a [`Body`]:
//!
//! 1. The positions of the first frame are OFFSET: they replace it.
//! 2. OFFSET has no height: they replace it, which differs by a horizontal shift only.
//! 3. The lowest joint of the clip is on the ground (10 % of the height) with one meaning, and farther from it with the
//!    other, where depth counts twice. They are added only if the hips would be in the ground otherwise (below 2.5 %).
//! 4. Other joints have position channels: the same meaning.
//! 5. Replaced, the hips would be in the ground; added, the lowest joint is nearer to the ground, and at most one height
//!    away from it: they are added.
//! 6. They replace OFFSET.
//!
//! The horizontal place never counts, since takes begin anywhere on the stage.

use glam::DVec3;

use super::body::Body;
use super::channels::{Positions, Track};
use super::motion::Motion;
use super::poses::{Poses, low, lowest};

/// The part of the height by which a joint of the body may move against its parent.
const STILL: f64 = 0.02;
const ON_GROUND: f64 = 0.1;
const IN_GROUND: f64 = 0.025;
/// The least height of an OFFSET that counts.
const HEIGHT: f64 = 0.03;

/// The mean distances of a joint's positions from OFFSET and from zero.
struct Distances {
    offset: f64,
    zero: f64,
}

impl Distances {
    fn new(track: &Track<'_>, motion: &Motion) -> Self {
        let mut sums = Self { offset: 0.0, zero: 0.0 };
        let count = motion.len().clamp(1, 256);
        for sample in 0..count.min(motion.len()) {
            let frame = motion.frame(sample * motion.len() / count);
            let offset = track.joint.offset;
            sums.offset += track.translation(frame, Positions::Replace).distance(offset);
            sums.zero += track.translation(frame, Positions::Add).distance(offset);
        }
        Self { offset: sums.offset / count as f64, zero: sums.zero / count as f64 }
    }

    /// 1 for positions near OFFSET, −1 for positions near zero.
    fn vote(&self) -> f64 {
        let sum = self.offset + self.zero;
        if sum > 0.0 { (self.zero - self.offset) / sum } else { 0.0 }
    }
}

/// The meaning of each joint's positions, as far as the joints decide it themselves; `None` for joints that carry the
/// body and move against the joint above. And the meaning of most joints, if one of them has positions.
pub(super) fn of_bones(
    tracks: &[Track<'_>],
    motion: &Motion,
    body: &Body,
) -> (Vec<Option<Positions>>, Option<Positions>) {
    let mut votes = 0.0;
    let mut undecided = vec![false; tracks.len()];
    let mut any = false;
    for (joint, track) in tracks.iter().enumerate() {
        if !track.has_positions() || motion.len() == 0 {
            continue;
        }
        let distances = Distances::new(track, motion);
        let still = distances.offset.min(distances.zero) <= STILL * body.height;
        undecided[joint] = body.carries[joint] && (track.joint.parent.is_none() || !still);
        if !undecided[joint] && track.joint.offset != DVec3::ZERO {
            votes += distances.vote();
            any = true;
        }
    }
    let meaning = if votes < 0.0 { Positions::Add } else { Positions::Replace };
    let of_joint = |&undecided: &bool| (!undecided).then_some(meaning);
    (undecided.iter().map(of_joint).collect(), (any && votes != 0.0).then_some(meaning))
}

/// The meaning of the positions that [`of_bones`] leaves open. `habit` is that of the other joints.
pub(super) fn of_body(
    tracks: &[Track<'_>],
    motion: &Motion,
    body: &Body,
    (open, habit): (&[Option<Positions>], Option<Positions>),
    poses: &Poses,
    up: DVec3,
) -> Positions {
    let in_question = || {
        let tracks = tracks.iter().zip(open).filter(|(_, meaning)| meaning.is_none()).map(|(track, _)| track);
        tracks.filter(|track| track.joint.offset != DVec3::ZERO)
    };
    if motion.len() == 0 || in_question().next().is_none() {
        return Positions::Replace;
    }
    let ground = |poses: &[Vec<DVec3>]| low(poses.iter().map(|pose| lowest(&pose[body.tree.clone()], up)));
    let (replaced, added) = (ground(&poses.replaced), ground(&poses.added));
    let hips = low(poses.replaced.iter().map(|pose| pose[body.tree.start].dot(up)));
    let size = if body.height > 0.0 { body.height } else { (added - replaced).abs() };
    let first = motion.frame(0);
    let is_offset = |track: &Track<'_>| {
        let distance = track.translation(first, Positions::Replace).distance(track.joint.offset);
        distance <= 1e-3 * size
    };
    if in_question().all(is_offset) || (added - replaced).abs() < HEIGHT * size {
        return Positions::Replace;
    }
    // A joint may be in the air, but not in the ground.
    let distance = |height: f64| if height < 0.0 { -2.0 * height } else { height };
    let nearer = distance(added) < distance(replaced);
    let impossible = hips <= IN_GROUND * size;
    if !nearer && replaced.abs() <= ON_GROUND * size {
        return Positions::Replace;
    }
    if nearer && impossible && added.abs() <= ON_GROUND * size {
        return Positions::Add;
    }
    let added = nearer && impossible && added.abs() <= size;
    habit.unwrap_or(if added { Positions::Add } else { Positions::Replace })
}
