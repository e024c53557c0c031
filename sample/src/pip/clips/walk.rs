//! A bouncy, slightly waddling walk in place.

use super::{BASE, Clip};
use crate::maths::wave;
use crate::motion::gait::step;
use crate::pip::rig::Controls;
use glam::dvec3;

const T: f64 = 0.8;
/// 14 of the 24 steps: feet land and leave the ground at keys.
const DUTY: f64 = 14.0 / 24.0;
const STRIDE: f64 = 0.15;

pub(super) const CLIP: Clip = Clip {
    name: "Walk",
    duration: T,
    steps: 24,
    pose,
    face: &[
        (0.0, [0.0, 0.3, 0.0]),
        (0.3, [0.0, 0.3, 0.0]),
        (0.37, [1.0, 0.3, 0.0]),
        (0.47, [0.0, 0.3, 0.0]),
        (0.8, [0.0, 0.3, 0.0]),
    ],
    speed: STRIDE / (DUTY * T),
    // The times at which each foot lands.
    markers: &[(0.0, "left"), (0.5 * T, "right")],
    wind: dvec3(0.0, 0.0, -4.0),
    ..BASE
};

fn cos(turns: f64) -> f64 {
    wave(turns + 0.25)
}

fn pose(t: f64) -> Controls {
    let p = t / T;
    let mid = DUTY * 0.5;
    let mut c = Controls::default();
    let bob = cos(2.0 * (p - mid));
    let side = cos(p - mid);
    let reach = cos(p);
    c.hips = dvec3(0.016 * side, -0.017 + 0.014 * bob, 0.004 * wave(2.0 * p));
    c.hips_turn = dvec3(3.0 + 1.5 * cos(2.0 * p - 0.3), -9.0 * reach, 4.5 * side);
    c.spine = dvec3(1.0, 5.0 * reach, -4.5 * side);
    c.chest = dvec3(1.5 * cos(2.0 * p - 0.35), 11.0 * reach, -3.5 * side);
    c.stretch = 0.03 * cos(2.0 * (p - mid) - 0.06);
    c.neck = dvec3(-2.0, -4.0 * reach, 1.0 * side);
    c.head = dvec3(-2.0 + 3.0 * cos(2.0 * (p - mid) - 0.28), -3.0 * reach, 4.0 * cos(p - mid - 0.12));
    for i in 0..2 {
        let q = p + 0.5 * i as f64;
        let back = cos(q - 0.04);
        let arm = &mut c.arms[i];
        arm.raise = -20.0 + 4.0 * bob;
        arm.swing = 4.0 - 36.0 * back;
        arm.elbow = 34.0 - 16.0 * cos(q - 0.14);
        arm.wrist = 5.0 - 14.0 * cos(q - 0.24);
        let yaw = c.feet[i].yaw;
        c.feet[i] = step(q, DUTY, STRIDE, 0.045, 34.0, 16.0);
        c.feet[i].yaw = yaw;
        c.ears[i] = dvec3(-3.0 + 5.0 * cos(2.0 * (p - mid) - 0.3), 0.0, 3.0 * bob);
    }
    for i in 0..5 {
        let lag = 0.1 * i as f64;
        c.tail_yaw[i] = (5.0 + 1.5 * i as f64) * cos(p - mid - lag);
        c.tail_lift[i] = 3.0 + 2.5 * cos(2.0 * p - lag);
    }
    c
}
