//! A gambol: hopping from foot to foot, arms in the air.

use super::{BASE, Clip};
use crate::maths::wave;
use crate::motion::curve;
use crate::pip::rig::Controls;
use glam::dvec3;

const T: f64 = 2.0;
/// Two side-to-side swings, so four hops.
const SWINGS: f64 = 2.0;

pub(super) const CLIP: Clip = Clip {
    name: "Dance",
    duration: T,
    steps: 40,
    pose,
    face: &[
        (0.0, [0.0, 0.8, 0.0]),
        (0.4, [0.0, 1.0, 0.0]),
        (0.5, [1.0, 1.0, 0.0]),
        (0.95, [1.0, 1.0, 0.0]),
        (1.05, [0.0, 1.0, 0.0]),
        (1.5, [0.0, 0.9, 0.0]),
        (2.0, [0.0, 0.8, 0.0]),
    ],
    ..BASE
};

fn pose(t: f64) -> Controls {
    let p = t / T * SWINGS;
    let mut c = Controls::default();
    // Left at the first quarter, right at the third; in the air in between.
    let side = wave(p);
    let hop = p * 2.0 - (p * 2.0).floor();
    let high = curve(hop, &[(0.0, 1.0), (0.28, 0.0), (0.5, -0.55), (0.72, 0.0), (1.0, 1.0)]);
    let air = high.max(0.0);
    let turn = wave(p - 0.05);
    let slow = wave(t / T);
    c.hips += dvec3(0.055 * side, 0.05 * air + 0.05 * high.min(0.0) - 0.006, 0.0);
    c.hips_turn = dvec3(2.0, 16.0 * turn + 8.0 * slow, 7.0 * side);
    c.spine = dvec3(2.0 - 2.0 * high, -6.0 * turn, -8.0 * side);
    c.chest = dvec3(-2.0, -5.0 * turn, -8.0 * wave(p - 0.04));
    c.stretch =
        0.1 * curve(hop - 0.02, &[(-0.02, 0.5), (0.12, 0.35), (0.5, -0.95), (0.86, 0.75), (0.98, 0.5)]);
    c.neck = dvec3(0.0, -3.0 * turn, 4.0 * wave(p - 0.1));
    c.head = dvec3(-4.0 + 4.0 * high, -6.0 * turn - 5.0 * slow, 11.0 * wave(p - 0.1));
    for i in 0..2 {
        let s = if i == 0 { 1.0 } else { -1.0 };
        let own = s * side;
        let arm = &mut c.arms[i];
        arm.raise = 48.0 + 26.0 * s * wave(p - 0.06) + 10.0 * high;
        arm.swing = 16.0 + 10.0 * wave(p * 2.0);
        arm.elbow = 14.0;
        arm.lift = 44.0 - 24.0 * s * wave(p - 0.12);
        arm.wag = 20.0 * s * wave(p - 0.22);
        let foot = &mut c.feet[i];
        // The foot away from the lean swings up and out.
        let free = (-own).max(0.0);
        let kick = free * free * (3.0 - 2.0 * free);
        foot.pos = dvec3(s * (0.012 + 0.03 * kick), 0.075 * kick + 0.05 * air, 0.05 * kick);
        foot.pitch = -22.0 * kick + 14.0 * air * (1.0 - kick);
        foot.yaw = 9.0 + 14.0 * kick;
        c.ears[i] = dvec3(-3.0, 0.0, 6.0 * s * wave(p - 0.15) + 6.0 * high);
    }
    for i in 0..5 {
        let lag = 0.1 * i as f64;
        c.tail_yaw[i] = -(9.0 + 3.0 * i as f64) * wave(p - lag);
        c.tail_lift[i] = 4.0 + 4.0 * wave(2.0 * p - lag);
    }
    c
}
