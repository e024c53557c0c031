//! A swing on the spot: knees, hips and snapping fingers.

use super::{BASE, BLISS, Clip, LAUGH, SMILE};
use crate::fen::rig::{Controls, EASE, FIST, Hand};
use crate::maths::wave;
use crate::motion::curve;
use glam::dvec3;

const T: f64 = 2.4;
/// Two swings from side to side.
const SWINGS: f64 = 2.0;

pub(super) const CLIP: Clip = Clip {
    name: "Dance",
    duration: T,
    steps: 48,
    pose,
    face: &[
        (0.0, SMILE),
        (0.3, LAUGH),
        (0.6, SMILE),
        (1.05, SMILE),
        (1.2, BLISS),
        (2.0, BLISS),
        (2.2, SMILE),
        (T, SMILE),
    ],
    ..BASE
};

fn pose(t: f64) -> Controls {
    let p = t / T * SWINGS;
    let mut c = Controls::default();
    let side = wave(p);
    let turn = wave(p - 0.06);
    let slow = wave(t / T);
    // Down at both ends of each swing.
    let beat = p * 2.0 - (p * 2.0).floor();
    let low = curve(beat, &[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]);
    c.hips = dvec3(0.05 * side, -0.03 - 0.05 * low, 0.0);
    c.hips_turn = dvec3(3.0, 14.0 * turn + 6.0 * slow, 8.0 * side);
    c.spine = dvec3(2.0 * low, -7.0 * turn, -9.0 * side);
    c.chest = dvec3(-3.0 + 3.0 * low, -9.0 * turn - 4.0 * slow, -8.0 * wave(p - 0.05));
    c.neck = dvec3(2.0 * low, 0.0, 4.0 * wave(p - 0.1));
    c.head = dvec3(-3.0 + 5.0 * low, -8.0 * slow, 10.0 * wave(p - 0.12));
    c.gaze = (0.0, 8.0 * side);
    for i in 0..2 {
        let s = if i == 0 { 1.0 } else { -1.0 };
        let own = s * side;
        let arm = &mut c.arms[i];
        arm.raise = 6.0 + 26.0 * own + 12.0 * slow * s;
        arm.swing = 26.0 + 14.0 * wave(p * 2.0);
        arm.elbow = 66.0 - 18.0 * own;
        arm.lift = 34.0 + 22.0 * s * wave(p - 0.1);
        arm.twist = -10.0 * own;
        arm.wrist = 14.0 * wave(2.0 * p - 0.1);
        // The fingers snap where the arm is up.
        let snap = (s * wave(p - 0.22)).max(0.0);
        c.hands[i] = Hand::mix(EASE, FIST, 0.65 * snap * snap);
        let foot = &mut c.feet[i];
        // The heel of the free leg comes up.
        let free = (-own).max(0.0);
        foot.pitch = 30.0 * free * free * (3.0 - 2.0 * free);
        foot.toe = -foot.pitch;
        foot.pos.x = 0.03 * s;
        foot.yaw = 14.0 + 6.0 * free;
    }
    c
}
