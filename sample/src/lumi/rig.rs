//! Lumi's animation controls, solved to joint poses, and her springs.

use super::skeleton::{FORELEG, HIND, J, JOINTS};
use crate::maths::{euler, turn};
use crate::motion::Rig;
use crate::motion::limb::{Foot, Leg};
use crate::motion::pose::Pose;
use crate::motion::springs::Chain;
use glam::{DVec3, dvec3};

/// The controls of the whole character. Angles are pitch, yaw, roll in degrees; pairs are left, right.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Controls {
    pub(crate) hips: DVec3,
    pub(crate) hips_turn: DVec3,
    pub(crate) spine: DVec3,
    pub(crate) chest: DVec3,
    pub(crate) neck: DVec3,
    pub(crate) head: DVec3,
    /// Pitch (positive looks down) and yaw of the eyes.
    pub(crate) gaze: (f64, f64),
    /// Each ear's pitch, yaw and roll (roll outwards).
    pub(crate) ears: [DVec3; 2],
    pub(crate) fore: [Foot; 2],
    pub(crate) hind: [Foot; 2],
    /// Yaw of each tail joint.
    pub(crate) tail_yaw: [f64; 6],
    /// Pitch of each tail joint; positive lifts.
    pub(crate) tail_lift: [f64; 6],
}

/// The forelegs.
pub(crate) const FORE: Leg = Leg {
    upper: [J::UpperArmL as usize, J::UpperArmR as usize],
    heel: dvec3(FORELEG[4].x, 0.0, FORELEG[4].z),
    ball: FORELEG[4],
    knee: dvec3(0.05, 0.0, -1.0),
};

/// The hind legs.
pub(crate) const BACK: Leg = Leg {
    upper: [J::UpperLegL as usize, J::UpperLegR as usize],
    heel: dvec3(HIND[3].x, 0.0, HIND[3].z),
    ball: HIND[3],
    knee: dvec3(0.12, 0.0, 1.0),
};

const fn ears(joints: &'static [usize]) -> Chain {
    Chain { joints, hertz: &[6.0, 5.4], damping: 0.7, sail: 0.5, ball: None }
}

/// Ears and tail are on springs.
pub(crate) const RIG: Rig<Controls> = Rig {
    joints: &JOINTS,
    solve: Controls::solve,
    springs: &[
        ears(&[J::EarL1 as usize, J::EarL2 as usize]),
        ears(&[J::EarR1 as usize, J::EarR2 as usize]),
        Chain {
            joints: &[
                J::Tail1 as usize,
                J::Tail2 as usize,
                J::Tail3 as usize,
                J::Tail4 as usize,
                J::Tail5 as usize,
                J::Tail6 as usize,
            ],
            hertz: &[5.0, 4.4, 4.0, 3.7, 3.5, 3.3],
            damping: 0.75,
            sail: 0.5,
            ball: None,
        },
    ],
    carrier: (J::Hips as usize, 0.6),
};

impl Controls {
    fn solve(&self) -> Pose {
        let mut pose = Pose::rest(&JOINTS);
        let e = |v: DVec3| euler(v.x, v.y, v.z);
        let mut set = |j: J, q| pose.rotation[j as usize] = q;
        set(J::Hips, e(self.hips_turn));
        set(J::Spine, e(self.spine));
        set(J::Chest, e(self.chest));
        set(J::Neck, e(self.neck));
        set(J::Head, e(self.head));
        let gaze = euler(self.gaze.0, self.gaze.1, 0.0);
        set(J::EyeL, gaze);
        set(J::EyeR, gaze);
        pose.shift[J::Hips as usize] = self.hips;
        for i in 0..6 {
            pose.rotation[J::Tail1 as usize + i] = euler(self.tail_lift[i], self.tail_yaw[i], 0.0);
        }
        for side in 0..2 {
            let s = if side == 0 { 1.0 } else { -1.0 };
            let pick = |l: J, r: J| if side == 0 { l } else { r } as usize;
            let (ear, joint) = (self.ears[side], pick(J::EarL1, J::EarR1));
            for (i, w) in [0.6, 0.4].into_iter().enumerate() {
                pose.rotation[joint + i] = euler(ear.x * w, ear.y * w * s, -ear.z * w * s);
            }
            // The shoulder blade swings with the leg.
            let reach = self.fore[side].pos.z * 110.0;
            pose.rotation[pick(J::ShoulderL, J::ShoulderR)] = turn(DVec3::X, -reach.clamp(-16.0, 16.0));
            FORE.solve(&mut pose, &JOINTS, side, &self.fore[side]);
            BACK.solve(&mut pose, &JOINTS, side, &self.hind[side]);
        }
        pose
    }
}
