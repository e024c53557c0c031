//! A fast run in place, with both feet in the air on every stride.

use super::{BASE, Clip};
use crate::maths::wave;
use crate::motion::gait::step;
use crate::pip::rig::Controls;
use glam::dvec3;

const T: f64 = 0.5;
/// 6 of the 16 steps: feet land and leave the ground at keys.
const DUTY: f64 = 6.0 / 16.0;
const STRIDE: f64 = 0.2;

pub(super) const CLIP: Clip = Clip {
    name: "Run",
    duration: T,
    steps: 16,
    pose,
    face: &[(0.0, [0.0, 0.75, 0.0]), (0.25, [0.0, 0.85, 0.0]), (0.5, [0.0, 0.75, 0.0])],
    speed: STRIDE / (DUTY * T),
    // The times at which each foot lands.
    markers: &[(0.0, "left"), (0.5 * T, "right")],
    wind: dvec3(0.0, 3.0, -20.0),
    ..BASE
};

fn cos(turns: f64) -> f64 {
    wave(turns + 0.25)
}

fn pose(t: f64) -> Controls {
    let p = t / T;
    let mid = DUTY * 0.5;
    let low = cos(2.0 * (p - mid - 0.01));
    let side = cos(p - mid);
    let reach = cos(p - 0.02);
    let hips = dvec3(0.01 * side, -0.008 - 0.03 * low, 0.02);
    let mut c = Controls { hips, ..Controls::default() };
    c.hips_turn = dvec3(13.0 - 3.0 * cos(2.0 * p - 0.2), -14.0 * reach, 5.0 * side);
    c.spine = dvec3(5.0, 8.0 * reach, -4.0 * side);
    c.chest = dvec3(4.0 + 3.0 * low, 18.0 * reach, -5.0 * side);
    c.stretch = -0.07 * cos(2.0 * (p - mid) - 0.03) + 0.01;
    c.neck = dvec3(-8.0, -6.0 * reach, 1.0 * side);
    c.head = dvec3(-11.0 + 4.0 * cos(2.0 * (p - mid) - 0.2), -6.0 * reach, 4.0 * cos(p - mid - 0.1));
    for i in 0..2 {
        let q = p + 0.5 * i as f64;
        let back = cos(q - 0.03);
        let arm = &mut c.arms[i];
        arm.raise = -10.0;
        arm.swing = 8.0 - 62.0 * back;
        arm.elbow = 74.0 - 24.0 * cos(q - 0.08);
        arm.wrist = 4.0 - 14.0 * cos(q - 0.2);
        c.feet[i] = step(q, DUTY, STRIDE, 0.105, 46.0, 10.0);
        c.feet[i].yaw = 3.0;
        // In a run the feet land nearly on one line.
        c.feet[i].pos.x = if i == 0 { -0.022 } else { 0.022 };
        c.ears[i] = dvec3(-26.0, 0.0, 4.0);
    }
    for i in 0..5 {
        let lag = 0.12 * i as f64;
        c.tail_yaw[i] = (5.0 + 2.0 * i as f64) * cos(p - mid - lag);
        c.tail_lift[i] = -7.0 + 5.0 * cos(2.0 * (p - mid) - lag - 0.1);
    }
    c
}
