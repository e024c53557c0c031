//! A loose walk and a springy run in place.

use super::{BASE, BLINK, CALM, Clip, SMILE};
use crate::fen::rig::{Controls, EASE, FIST, Hand};
use crate::maths::wave;
use crate::motion::gait::step;
use glam::dvec3;

const WALK_T: f64 = 1.0;
/// 18 of the 30 steps: feet land and leave the ground at keys.
const WALK_DUTY: f64 = 18.0 / 30.0;
const WALK_STRIDE: f64 = 0.36;
const RUN_T: f64 = 0.64;
/// 8 of the 24 steps.
const RUN_DUTY: f64 = 8.0 / 24.0;
const RUN_STRIDE: f64 = 0.42;

pub(super) const WALK: Clip = Clip {
    name: "Walk",
    duration: WALK_T,
    steps: 30,
    pose: walk,
    face: &[(0.0, CALM), (0.4, CALM), (0.48, BLINK), (0.6, CALM), (WALK_T, CALM)],
    speed: WALK_STRIDE / (WALK_DUTY * WALK_T),
    markers: &[(0.0, "left"), (0.5 * WALK_T, "right")],
    ..BASE
};

pub(super) const RUN: Clip = Clip {
    name: "Run",
    duration: RUN_T,
    steps: 24,
    pose: run,
    face: &[(0.0, SMILE), (0.5 * RUN_T, SMILE), (RUN_T, SMILE)],
    speed: RUN_STRIDE / (RUN_DUTY * RUN_T),
    markers: &[(0.0, "left"), (0.5 * RUN_T, "right")],
    ..BASE
};

fn cos(turns: f64) -> f64 {
    wave(turns + 0.25)
}

fn walk(t: f64) -> Controls {
    let p = t / WALK_T;
    let mid = WALK_DUTY * 0.5;
    let mut c = Controls::default();
    let bob = cos(2.0 * (p - mid));
    let side = cos(p - mid);
    let reach = cos(p - 0.02);
    c.hips = dvec3(0.02 * side, -0.038 + 0.014 * bob, 0.0);
    c.hips_turn = dvec3(2.0 + cos(2.0 * p - 0.3), -8.0 * reach, 4.0 * side);
    c.spine = dvec3(1.0, 5.0 * reach, -3.5 * side);
    c.chest = dvec3(-1.0 + 1.5 * cos(2.0 * p - 0.35), 9.0 * reach, -3.0 * side);
    c.neck = dvec3(1.0 - 1.5 * bob, -3.0 * reach, side);
    c.head = dvec3(-2.0 + 3.0 * cos(2.0 * (p - mid) - 0.25), -3.0 * reach, 3.0 * cos(p - mid - 0.12));
    for i in 0..2 {
        let q = p + 0.5 * i as f64;
        let back = cos(q - 0.04);
        let arm = &mut c.arms[i];
        arm.raise = -21.0 + 2.0 * bob;
        arm.swing = 2.0 - 27.0 * back;
        arm.elbow = 24.0 - 15.0 * cos(q - 0.13);
        arm.wrist = 4.0 - 12.0 * cos(q - 0.22);
        for curl in &mut c.hands[i].curl {
            *curl += 6.0 * cos(q - 0.3);
        }
        c.feet[i] = step(q, WALK_DUTY, WALK_STRIDE, 0.07, 38.0, 20.0);
        c.feet[i].yaw = 7.0;
        c.feet[i].pos.x = if i == 0 { -0.022 } else { 0.022 };
    }
    c
}

fn run(t: f64) -> Controls {
    let p = t / RUN_T;
    let mid = RUN_DUTY * 0.5;
    let low = cos(2.0 * (p - mid - 0.01));
    let side = cos(p - mid);
    let reach = cos(p - 0.02);
    let hips = dvec3(0.014 * side, -0.06 - 0.034 * low, 0.0);
    let mut c = Controls { hips, ..Controls::default() };
    c.hips_turn = dvec3(9.0 - 2.0 * cos(2.0 * p - 0.2), -12.0 * reach, 4.0 * side);
    c.spine = dvec3(4.0, 7.0 * reach, -3.0 * side);
    c.chest = dvec3(3.0 + 2.0 * low, 16.0 * reach, -4.0 * side);
    c.neck = dvec3(-6.0, -6.0 * reach, side);
    c.head = dvec3(-8.0 + 4.0 * cos(2.0 * (p - mid) - 0.2), -5.0 * reach, 3.0 * cos(p - mid - 0.1));
    for i in 0..2 {
        let q = p + 0.5 * i as f64;
        let back = cos(q - 0.03);
        let arm = &mut c.arms[i];
        arm.raise = -14.0;
        arm.swing = 6.0 - 50.0 * back;
        arm.elbow = 82.0 - 18.0 * cos(q - 0.08);
        arm.wrist = 6.0 - 10.0 * cos(q - 0.2);
        c.hands[i] = Hand::mix(EASE, FIST, 0.45);
        c.feet[i] = step(q, RUN_DUTY, RUN_STRIDE, 0.21, 54.0, 8.0);
        c.feet[i].yaw = 4.0;
        c.feet[i].pos.x = if i == 0 { -0.04 } else { 0.04 };
    }
    c
}
