//! Arms, by angles.

use super::pose::Pose;
use crate::maths::turn;
use crate::skeleton::Joint;
use glam::DVec3;

/// An arm's angles in degrees, the same signs on both sides.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Arm {
    /// Up and outwards.
    pub(crate) raise: f64,
    /// Forwards.
    pub(crate) swing: f64,
    /// Twist of the upper arm; positive turns the elbow's hinge inwards, so that a bent arm crosses the chest.
    pub(crate) twist: f64,
    /// Bend of the elbow upwards and outwards, in any direction of the arm.
    pub(crate) lift: f64,
    /// Bend of the elbow forwards.
    pub(crate) elbow: f64,
    /// Bend of the wrist, in the elbow's plane.
    pub(crate) wrist: f64,
    /// Sideways bend of the wrist.
    pub(crate) wag: f64,
    /// Bend of the thumb towards the palm.
    pub(crate) thumb: f64,
}

impl Arm {
    /// Turns the joints of one side (0 left, 1 right). They follow each other from the shoulder: `upper` is the upper
    /// arm's.
    pub(crate) fn solve(&self, pose: &mut Pose, joints: &[Joint], side: usize, upper: usize) {
        let s = if side == 0 { 1.0 } else { -1.0 };
        let along = (joints[upper + 1].at - joints[upper].at).normalize();
        let hinge = along.cross(DVec3::Z).normalize();
        pose.rotation[upper - 1] =
            turn(DVec3::Z, self.raise * 0.22 * s) * turn(DVec3::Y, -self.swing * 0.12 * s);
        pose.rotation[upper] =
            turn(DVec3::X, -self.swing) * turn(DVec3::Z, self.raise * 0.78 * s) * turn(along, self.twist * s);
        pose.rotation[upper + 1] = turn(DVec3::Z, self.lift * s) * turn(hinge, self.elbow);
        pose.rotation[upper + 2] = turn(hinge, self.wrist) * turn(DVec3::Z, self.wag * s);
    }
}
