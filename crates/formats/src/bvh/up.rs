//! The axis that points up. The format says Y, but some programs write Z, such as Blender.
//!
//! Both axes have points; Z is chosen only if it has more.
//!
//! | evidence | points |
//! |---|---|
//! | the axis is Y | 1 |
//! | at rest, the legs point down (1.2) and the spine up (0.8) | 2 |
//! | the same, averaged over the clip | 2.5 |
//! | the lowest joint stays on the ground, and the hips are above it | 2 |
//!
//! If only Y has the last one, Y points up, unless the body stands along Z at rest and in nearly all of the clip.
//!
//! So a body that lies, crawls or does push-ups keeps the axis of its rest pose, and one whose bones lie along one axis
//! at rest is judged by the clip. A rest pose that the root turns upright in all frames does not count.

use glam::DVec3;

use super::body::{Body, Limbs};
use super::poses::{Poses, low, lowest, median};
use crate::conversion::Up;

pub(super) fn axis(up: Up) -> DVec3 {
    match up {
        Up::Y => DVec3::Y,
        Up::Z => DVec3::Z,
    }
}

/// The least cosine of the angle between a limb and the axis: at rest, and in a clip.
const AT_REST: f64 = 0.85;
const IN_CLIP: f64 = 0.8;
/// The least part of their length that legs reach.
const STRAIGHT: f64 = 0.7;

/// The axis that points up. `rest`: the places of the joints at rest.
pub(super) fn guess(body: &Body, rest: &[DVec3], poses: &Poses) -> Up {
    let Some(limbs) = &body.limbs else { return Up::Y };
    let [y, z] = [Up::Y, Up::Z].map(|up| Evidence::new(limbs, rest, poses, up));
    let [y_on_ground, z_on_ground] = [Up::Y, Up::Z].map(|up| on_ground(body, poses, axis(up)));
    if y_on_ground && !z_on_ground && !(z.at_rest >= 1.0 && z.in_clip > 0.8) {
        return Up::Y;
    }
    let points = |evidence: &Evidence, on_ground: bool| {
        2.0 * evidence.at_rest + 2.5 * evidence.in_clip + if on_ground { 2.0 } else { 0.0 }
    };
    if points(&z, z_on_ground) > points(&y, y_on_ground) + 1.0 { Up::Z } else { Up::Y }
}

/// From 0 for a body that lies to 1 for one that stands upright along an axis.
struct Evidence {
    at_rest: f64,
    in_clip: f64,
}

impl Evidence {
    fn new(limbs: &Limbs, rest: &[DVec3], poses: &Poses, up: Up) -> Self {
        let count = poses.replaced.len().max(1) as f64;
        let in_clip: f64 = poses.replaced.iter().map(|pose| limbs.stand(pose, axis(up), IN_CLIP)).sum();
        let at_rest = if limbs.are_opposite(rest) { limbs.stand(rest, axis(up), AT_REST) } else { 0.0 };
        Self { at_rest, in_clip: in_clip / count }
    }
}

impl Limbs {
    /// The directions of the legs, from their first joints to the last ones, and of the spine.
    fn directions(&self, pose: &[DVec3]) -> (Option<DVec3>, Option<DVec3>) {
        let legs: DVec3 = self.legs.iter().map(|&[first, last]| pose[last] - pose[first]).sum();
        // Legs that bend or point away from each other have no direction.
        let legs = if legs.length() > STRAIGHT * self.length { legs.try_normalize() } else { None };
        (legs, self.spine.and_then(|[first, last]| (pose[last] - pose[first]).try_normalize()))
    }

    /// 1 for a body that stands upright along the axis, 0 for one that lies.
    fn stand(&self, pose: &[DVec3], up: DVec3, least: f64) -> f64 {
        let (legs, spine) = self.directions(pose);
        let (weight_of_legs, weight_of_spine) = if self.spine.is_some() { (0.6, 0.4) } else { (1.0, 0.0) };
        let points = |direction: Option<DVec3>, up: DVec3, weight: f64| {
            if direction.is_some_and(|direction| direction.dot(up) > least) { weight } else { 0.0 }
        };
        points(legs, -up, weight_of_legs) + points(spine, up, weight_of_spine)
    }

    /// `false` if legs and spine have the same direction, as in skeletons whose bones all lie along one axis.
    fn are_opposite(&self, pose: &[DVec3]) -> bool {
        match self.directions(pose) {
            (Some(legs), Some(spine)) => legs.dot(spine) < 0.3,
            (legs, _) => legs.is_some(),
        }
    }
}

/// `true` if the lowest joint is near the ground for most of the clip, and the hips are above the ground. The meaning of
/// positions may be any, since it is judged later, along the axis that points up.
fn on_ground(body: &Body, poses: &Poses, up: DVec3) -> bool {
    [&poses.replaced, &poses.added].into_iter().any(|poses| {
        let heights = || poses.iter().map(|pose| lowest(&pose[body.tree.clone()], up));
        let hips = low(poses.iter().map(|pose| pose[body.tree.start].dot(up)));
        let ground = low(heights());
        ground.abs() <= 0.1 * body.height
            && median(heights()) - ground <= 0.15 * body.height
            && hips > 0.03 * body.height
    })
}
