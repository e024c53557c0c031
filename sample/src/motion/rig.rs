//! The animation controls of hips, back, head, arms and feet, solved to joint poses.

use crate::maths::{arc, euler, from_basis, turn};
use crate::skeleton::{ANKLE, BALL, COUNT, J, JOINTS, mirrored};
use glam::{DQuat, DVec3, dvec3};

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

/// An arm's angles in degrees, the same signs on both sides.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Arm {
    /// Up and outwards.
    pub(crate) raise: f64,
    /// Forwards.
    pub(crate) swing: f64,
    /// Bend of the elbow upwards and outwards, in any direction of the arm.
    pub(crate) lift: f64,
    /// Bend of the elbow forwards.
    pub(crate) elbow: f64,
    /// Bend of the wrist, in the elbow's plane.
    pub(crate) wrist: f64,
    /// Sideways bend of the wrist.
    pub(crate) wag: f64,
}

/// The controls of the whole character. Angles are pitch, yaw, roll in degrees; pairs are left, right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Controls {
    pub(crate) hips: DVec3,
    pub(crate) hips_turn: DVec3,
    pub(crate) spine: DVec3,
    pub(crate) chest: DVec3,
    pub(crate) neck: DVec3,
    pub(crate) head: DVec3,
    /// Positive stretches, negative squashes; the volume is preserved.
    pub(crate) stretch: f64,
    pub(crate) arms: [Arm; 2],
    pub(crate) feet: [Foot; 2],
    /// Each ear's pitch, yaw and roll (roll outwards).
    pub(crate) ears: [DVec3; 2],
    /// Yaw of each tail joint.
    pub(crate) tail_yaw: [f64; 5],
    /// Pitch of each tail joint; positive lifts.
    pub(crate) tail_lift: [f64; 5],
}

impl Default for Controls {
    fn default() -> Controls {
        let arm = Arm { raise: -20.0, elbow: 20.0, ..Arm::default() };
        let foot = Foot { yaw: 9.0, ..Foot::default() };
        Controls {
            hips: dvec3(0.0, -0.008, 0.0),
            hips_turn: DVec3::ZERO,
            spine: DVec3::ZERO,
            chest: DVec3::ZERO,
            neck: DVec3::ZERO,
            head: DVec3::ZERO,
            stretch: 0.0,
            arms: [arm; 2],
            feet: [foot; 2],
            ears: [DVec3::ZERO; 2],
            tail_yaw: [0.0; 5],
            tail_lift: [0.0; 5],
        }
    }
}

/// Local transforms of all joints, relative to their rest.
#[derive(Clone, Debug)]
pub(crate) struct Pose {
    pub(crate) rotation: [DQuat; COUNT],
    pub(crate) shift: [DVec3; COUNT],
    pub(crate) scale: [DVec3; COUNT],
}

/// The frame of a bone: its direction, and the hinge axis of its limb.
///
/// The hinge is perpendicular to both bones of a limb at any bend, so the frame never flips.
fn bone_frame(along: DVec3, hinge: DVec3) -> DQuat {
    let y = along.normalize();
    let x = (hinge - y * hinge.dot(y)).normalize_or(DVec3::X);
    from_basis(x, y, x.cross(y))
}

impl Controls {
    /// Solves the controls to joint transforms.
    pub(crate) fn solve(&self) -> Pose {
        let mut pose = Pose {
            rotation: [DQuat::IDENTITY; COUNT],
            shift: [DVec3::ZERO; COUNT],
            scale: [DVec3::ONE; COUNT],
        };
        let e = |v: DVec3| euler(v.x, v.y, v.z);
        let mut set = |j: J, q: DQuat| pose.rotation[j as usize] = q;
        let hips = e(self.hips_turn);
        set(J::Hips, hips);
        set(J::Spine, e(self.spine));
        set(J::Chest, e(self.chest));
        set(J::Neck, e(self.neck));
        set(J::Head, e(self.head));
        for (i, j) in [J::Tail1, J::Tail2, J::Tail3, J::Tail4, J::Tail5].into_iter().enumerate() {
            set(j, euler(self.tail_lift[i], self.tail_yaw[i], 0.0));
        }
        for side in 0..2 {
            let left = side == 0;
            let s = if left { 1.0 } else { -1.0 };
            let pick = |l: J, r: J| if left { l } else { r };
            let point = |p: DVec3| if left { p } else { mirrored(p) };

            let ear = self.ears[side];
            let share = [0.5, 0.3, 0.2];
            let joints = pick(J::EarL1, J::EarR1) as usize;
            for (i, w) in share.into_iter().enumerate() {
                pose.rotation[joints + i] = euler(ear.x * w, ear.y * w * s, -ear.z * w * s);
            }

            let arm = self.arms[side];
            let upper = pick(J::UpperArmL, J::UpperArmR) as usize;
            let along = (JOINTS[upper + 1].at - JOINTS[upper].at).normalize();
            let hinge = along.cross(DVec3::Z).normalize();
            pose.rotation[upper - 1] =
                turn(DVec3::Z, arm.raise * 0.22 * s) * turn(DVec3::Y, -arm.swing * 0.12 * s);
            pose.rotation[upper] = turn(DVec3::X, -arm.swing) * turn(DVec3::Z, arm.raise * 0.78 * s);
            pose.rotation[upper + 1] = turn(DVec3::Z, arm.lift * s) * turn(hinge, arm.elbow);
            pose.rotation[upper + 2] = turn(hinge, arm.wrist) * turn(DVec3::Z, arm.wag * s);

            // The leg: two bones from the hip to the ankle, knee forward.
            let leg = pick(J::UpperLegL, J::UpperLegR) as usize;
            let [hip, knee, ankle] = [leg, leg + 1, leg + 2].map(|j| JOINTS[j].at);
            let foot = self.feet[side];
            let facing = turn(DVec3::Y, foot.yaw * s);
            let tilt = facing * turn(DVec3::X, foot.pitch);
            let pivot = if foot.pitch > 0.0 { BALL } else { dvec3(ANKLE.x, 0.0, ANKLE.z - 0.04) };
            let pivot = point(pivot) - ankle;
            let goal = ankle + foot.pos + facing * pivot - tilt * pivot;
            let hips_at = JOINTS[J::Hips as usize].at;
            let from = hips_at + self.hips + hips * (hip - hips_at);
            let (la, lb) = (hip.distance(knee), knee.distance(ankle));
            let reach = goal - from;
            let d = reach.length().clamp(0.05, (la + lb) * 0.9985);
            let dir = reach.normalize();
            // The knee points forward from a hanging leg and turns with it. At any height of the leg the pole vector
            // differs from the leg's own direction.
            let hanging = hips * facing;
            let forward = arc(hanging * DVec3::NEG_Y, dir) * (hanging * dvec3(0.12 * s, 0.0, 1.0));
            let bend = (forward - dir * forward.dot(dir)).normalize_or(DVec3::Z);
            let x = (la * la - lb * lb + d * d) / (2.0 * d);
            let h = (la * la - x * x).max(0.0).sqrt();
            let knee_at = from + dir * x + bend * h;
            let ankle_at = from + dir * d;
            let hinge = dir.cross(bend);
            let rest_hinge = (ankle - hip).cross(dvec3(0.12 * s, 0.0, 1.0)).normalize();
            let upper_turn =
                bone_frame(knee_at - from, hinge) * bone_frame(knee - hip, rest_hinge).conjugate();
            let lower_turn =
                bone_frame(ankle_at - knee_at, hinge) * bone_frame(ankle - knee, rest_hinge).conjugate();
            pose.rotation[leg] = hips.conjugate() * upper_turn;
            pose.rotation[leg + 1] = upper_turn.conjugate() * lower_turn;
            pose.rotation[leg + 2] = lower_turn.conjugate() * tilt;
            pose.rotation[leg + 3] = turn(DVec3::X, foot.toe);
        }
        pose.shift[J::Hips as usize] = self.hips;
        let s = self.stretch;
        pose.scale[J::Spine as usize] = dvec3(1.0 - 0.5 * s, 1.0 + s, 1.0 - 0.5 * s);
        // The head is squashed less than the belly.
        pose.scale[J::Head as usize] = dvec3(1.0 + 0.22 * s, 1.0 - 0.5 * s, 1.0 + 0.22 * s);
        pose
    }
}
