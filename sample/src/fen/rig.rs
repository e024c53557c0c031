//! Fen's animation controls, solved to joint poses.

use super::skeleton::{J, JOINTS, LEG as LEG_AT, finger, hand_frame};
use crate::maths::{euler, turn};
use crate::motion::Rig;
use crate::motion::arm::Arm;
use crate::motion::limb::{Foot, Leg};
use crate::motion::pose::Pose;
use glam::{DVec3, dvec3};

/// A hand: the bend of each finger from thumb to little finger, in degrees of each joint, and the spread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hand {
    pub(crate) curl: [f64; 5],
    /// Degrees that the outer fingers move apart; negative closes them.
    pub(crate) spread: f64,
}

/// A hand at ease.
pub(crate) const EASE: Hand = Hand { curl: [8.0, 16.0, 18.0, 21.0, 24.0], spread: -4.0 };
/// An open hand.
pub(crate) const OPEN: Hand = Hand { curl: [-8.0, -2.0, -2.0, -2.0, -2.0], spread: 9.0 };
/// A fist.
pub(crate) const FIST: Hand = Hand { curl: [40.0, 72.0, 74.0, 74.0, 72.0], spread: -8.0 };

impl Hand {
    /// The hand between two hands.
    pub(crate) fn mix(a: Hand, b: Hand, t: f64) -> Hand {
        let mut hand = a;
        for (x, y) in hand.curl.iter_mut().zip(b.curl) {
            *x += (y - *x) * t;
        }
        hand.spread += (b.spread - a.spread) * t;
        hand
    }
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
    /// Pitch (positive looks down) and yaw of the eyes.
    pub(crate) gaze: (f64, f64),
    pub(crate) arms: [Arm; 2],
    pub(crate) hands: [Hand; 2],
    pub(crate) feet: [Foot; 2],
}

impl Default for Controls {
    fn default() -> Controls {
        let arm = Arm { raise: -22.0, elbow: 14.0, ..Arm::default() };
        let foot = Foot { yaw: 10.0, ..Foot::default() };
        Controls {
            hips: dvec3(0.0, -0.012, 0.0),
            hips_turn: DVec3::ZERO,
            spine: DVec3::ZERO,
            chest: DVec3::ZERO,
            neck: DVec3::ZERO,
            head: DVec3::ZERO,
            gaze: (0.0, 0.0),
            arms: [arm; 2],
            hands: [EASE; 2],
            feet: [foot; 2],
        }
    }
}

/// The legs.
pub(crate) const LEG: Leg = Leg {
    upper: [J::UpperLegL as usize, J::UpperLegR as usize],
    heel: dvec3(LEG_AT[2].x, 0.0, LEG_AT[2].z - 0.04),
    ball: LEG_AT[3],
    knee: dvec3(0.1, 0.0, 1.0),
};

/// The rig; nothing is on springs.
pub(crate) fn rig() -> Rig<Controls> {
    Rig { joints: &JOINTS, solve: Controls::solve, springs: &[], carrier: (J::Hips as usize, 1.0) }
}

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
        let (along, across, palm) = hand_frame();
        for side in 0..2 {
            let upper = if side == 0 { J::UpperArmL } else { J::UpperArmR } as usize;
            self.arms[side].solve(&mut pose, &JOINTS, side, upper);
            let hand = &self.hands[side];
            // An axis keeps its x in the mirror, as rotations do.
            let mirror = |axis: DVec3| if side == 0 { axis } else { dvec3(axis.x, -axis.y, -axis.z) };
            for (f, &curl) in hand.curl.iter().enumerate() {
                // Fingers bend to the palm; the thumb bends across it.
                let hinge = if f == 0 { (along * 0.55 - across * 0.8).normalize() } else { -across };
                let apart = [0.6, 1.0, 0.3, -0.4, -1.1][f] * hand.spread;
                pose.rotation[finger(side, f, 0)] = turn(mirror(palm), apart) * turn(mirror(hinge), curl);
                pose.rotation[finger(side, f, 1)] = turn(mirror(hinge), curl * 1.1);
                pose.rotation[finger(side, f, 2)] = turn(mirror(hinge), curl * 0.8);
            }
            LEG.solve(&mut pose, &JOINTS, side, &self.feet[side]);
        }
        pose
    }
}
