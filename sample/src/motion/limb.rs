//! Legs: two bones from the hip to the ankle, a foot with a sole, and toes.

use super::pose::Pose;
use crate::maths::{arc, from_basis, turn};
use crate::skeleton::{Joint, mirrored};
use glam::{DQuat, DVec3};

/// The goal of a leg.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Foot {
    /// The offset of the sole from its rest position.
    pub(crate) pos: DVec3,
    /// Degrees; positive lifts the heel around the ball, negative lifts the toes around the heel.
    pub(crate) pitch: f64,
    /// Degrees outwards.
    pub(crate) yaw: f64,
    /// Degrees that the toes bend; negative bends them up.
    pub(crate) toe: f64,
}

/// The left one of a pair of legs. The joints of a leg follow each other: upper leg, lower leg, foot, toes.
pub(crate) struct Leg {
    /// The first joints of the left and of the right leg.
    pub(crate) upper: [usize; 2],
    /// The points of the sole about which the foot tilts.
    pub(crate) heel: DVec3,
    pub(crate) ball: DVec3,
    /// The direction in which the knee points.
    pub(crate) knee: DVec3,
}

/// The frame of a bone: its direction, and the hinge axis of its limb.
///
/// The hinge is perpendicular to both bones of a limb at any bend, so the frame never flips.
fn bone_frame(along: DVec3, hinge: DVec3) -> DQuat {
    let y = along.normalize();
    let x = (hinge - y * hinge.dot(y)).normalize_or(DVec3::X);
    from_basis(x, y, x.cross(y))
}

impl Leg {
    /// Turns the joints of one side (0 left, 1 right), so that the foot is at its goal. The joints above are posed.
    pub(crate) fn solve(&self, pose: &mut Pose, joints: &[Joint], side: usize, foot: &Foot) {
        let s = if side == 0 { 1.0 } else { -1.0 };
        let point = |p: DVec3| if side == 0 { p } else { mirrored(p) };
        let leg = self.upper[side];
        let [hip, knee, ankle] = [leg, leg + 1, leg + 2].map(|j| joints[j].at);
        let facing = turn(DVec3::Y, foot.yaw * s);
        let tilt = facing * turn(DVec3::X, foot.pitch);
        let pivot = point(if foot.pitch > 0.0 { self.ball } else { self.heel }) - ankle;
        let goal = ankle + foot.pos + facing * pivot - tilt * pivot;
        let (above, body) = pose.world(joints, joints[leg].parent);
        let from = above.transform_point3(hip - joints[joints[leg].parent].at);
        let (la, lb) = (hip.distance(knee), knee.distance(ankle));
        let reach = goal - from;
        let d = reach.length().clamp(0.05, (la + lb) * 0.9985);
        let dir = reach.normalize();
        // The knee points forward from a hanging leg and turns with it. At any height of the leg the pole vector
        // differs from the leg's own direction.
        let pole = point(self.knee);
        let hanging = body * facing;
        let forward = arc(hanging * DVec3::NEG_Y, dir) * (hanging * pole);
        let bend = (forward - dir * forward.dot(dir)).normalize_or(DVec3::Z);
        let x = (la * la - lb * lb + d * d) / (2.0 * d);
        let h = (la * la - x * x).max(0.0).sqrt();
        let knee_at = from + dir * x + bend * h;
        let ankle_at = from + dir * d;
        let hinge = dir.cross(bend);
        let rest_hinge = (ankle - hip).cross(pole).normalize();
        let upper_turn = bone_frame(knee_at - from, hinge) * bone_frame(knee - hip, rest_hinge).conjugate();
        let lower_turn =
            bone_frame(ankle_at - knee_at, hinge) * bone_frame(ankle - knee, rest_hinge).conjugate();
        pose.rotation[leg] = body.conjugate() * upper_turn;
        pose.rotation[leg + 1] = upper_turn.conjugate() * lower_turn;
        pose.rotation[leg + 2] = lower_turn.conjugate() * tilt;
        pose.rotation[leg + 3] = turn(DVec3::X, foot.toe);
    }
}
