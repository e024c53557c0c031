//! Pip's animation controls, solved to joint poses, and his springs.

use super::skeleton::{ANKLE, BALL, J, JOINTS};
use crate::maths::{euler, turn};
use crate::motion::Rig;
use crate::motion::arm::Arm;
use crate::motion::limb::{Foot, Leg};
use crate::motion::pose::Pose;
use crate::motion::springs::Chain;
use glam::{DVec3, dvec3};

/// The controls of the whole character. Angles are pitch, yaw, roll in degrees; pairs are left, right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Controls {
    /// The turn of the whole character to the left, in degrees. The feet do not follow.
    pub(crate) root: f64,
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
    /// Pitch (positive looks down) and yaw of the eyes.
    pub(crate) gaze: (f64, f64),
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
            root: 0.0,
            hips: dvec3(0.0, -0.008, 0.0),
            hips_turn: DVec3::ZERO,
            spine: DVec3::ZERO,
            chest: DVec3::ZERO,
            neck: DVec3::ZERO,
            head: DVec3::ZERO,
            stretch: 0.0,
            arms: [arm; 2],
            feet: [foot; 2],
            gaze: (0.0, 0.0),
            ears: [DVec3::ZERO; 2],
            tail_yaw: [0.0; 5],
            tail_lift: [0.0; 5],
        }
    }
}

/// The legs.
pub(crate) const LEG: Leg = Leg {
    upper: [J::UpperLegL as usize, J::UpperLegR as usize],
    heel: dvec3(ANKLE.x, 0.0, ANKLE.z - 0.04),
    ball: BALL,
    knee: dvec3(0.12, 0.0, 1.0),
};

/// Ears, tail, scarf and the lock of hair are on springs.
pub(crate) const RIG: Rig<Controls> = Rig {
    joints: &JOINTS,
    solve: Controls::solve,
    springs: &[
        Chain { joints: &[J::Tuft as usize], hertz: &[4.5], damping: 0.4, sail: 0.6, ball: None },
        ears(&[J::EarL1 as usize, J::EarL2 as usize, J::EarL3 as usize]),
        ears(&[J::EarR1 as usize, J::EarR2 as usize, J::EarR3 as usize]),
        Chain {
            joints: &[
                J::Tail1 as usize,
                J::Tail2 as usize,
                J::Tail3 as usize,
                J::Tail4 as usize,
                J::Tail5 as usize,
            ],
            hertz: &[5.6, 5.0, 4.6, 4.2, 4.0],
            damping: 0.7,
            sail: 0.7,
            ball: None,
        },
        Chain {
            joints: &[J::Scarf1 as usize, J::Scarf2 as usize],
            hertz: &[3.0, 2.6],
            damping: 0.55,
            sail: 1.0,
            // The belly.
            ball: Some((J::Spine as usize, dvec3(0.0, -0.02, 0.012), 0.168)),
        },
    ],
    carrier: (J::Hips as usize, 0.5),
};

const fn ears(joints: &'static [usize]) -> Chain {
    Chain { joints, hertz: &[5.4, 4.8, 4.4], damping: 0.75, sail: 1.0, ball: None }
}

impl Controls {
    /// The mirror image.
    pub(crate) fn mirrored(mut self) -> Controls {
        self.root = -self.root;
        self.hips.x = -self.hips.x;
        for turn in [&mut self.hips_turn, &mut self.spine, &mut self.chest, &mut self.neck, &mut self.head] {
            (turn.y, turn.z) = (-turn.y, -turn.z);
        }
        self.gaze.1 = -self.gaze.1;
        self.arms.swap(0, 1);
        self.feet.swap(0, 1);
        self.ears.swap(0, 1);
        for foot in &mut self.feet {
            foot.pos.x = -foot.pos.x;
        }
        for yaw in &mut self.tail_yaw {
            *yaw = -*yaw;
        }
        self
    }

    /// Solves the controls to joint transforms.
    pub(crate) fn solve(&self) -> Pose {
        let mut pose = Pose::rest(&JOINTS);
        let e = |v: DVec3| euler(v.x, v.y, v.z);
        let mut set = |j: J, q| pose.rotation[j as usize] = q;
        set(J::Root, turn(DVec3::Y, self.root));
        set(J::Hips, e(self.hips_turn));
        set(J::Spine, e(self.spine));
        set(J::Chest, e(self.chest));
        set(J::Neck, e(self.neck));
        set(J::Head, e(self.head));
        let gaze = euler(self.gaze.0, self.gaze.1, 0.0);
        set(J::EyeL, gaze);
        set(J::EyeR, gaze);
        for (i, j) in [J::Tail1, J::Tail2, J::Tail3, J::Tail4, J::Tail5].into_iter().enumerate() {
            set(j, euler(self.tail_lift[i], self.tail_yaw[i], 0.0));
        }
        pose.shift[J::Hips as usize] = self.hips;
        let s = self.stretch;
        pose.scale[J::Spine as usize] = dvec3(1.0 - 0.5 * s, 1.0 + s, 1.0 - 0.5 * s);
        // The head is squashed less than the belly.
        pose.scale[J::Head as usize] = dvec3(1.0 + 0.22 * s, 1.0 - 0.5 * s, 1.0 + 0.22 * s);
        for side in 0..2 {
            let s = if side == 0 { 1.0 } else { -1.0 };
            let pick = |l: J, r: J| if side == 0 { l } else { r } as usize;
            let ear = self.ears[side];
            let joints = pick(J::EarL1, J::EarR1);
            for (i, w) in [0.5, 0.3, 0.2].into_iter().enumerate() {
                pose.rotation[joints + i] = euler(ear.x * w, ear.y * w * s, -ear.z * w * s);
            }
            let arm = &self.arms[side];
            arm.solve(&mut pose, &JOINTS, side, pick(J::UpperArmL, J::UpperArmR));
            // The thumb bends about the hand's own axis.
            let thumb = pick(J::ThumbL, J::ThumbR);
            let hand = (JOINTS[thumb].at - JOINTS[JOINTS[thumb].parent].at).normalize();
            pose.rotation[thumb] = turn(hand, arm.thumb * s);
            LEG.solve(&mut pose, &JOINTS, side, &self.feet[side]);
        }
        pose
    }
}
