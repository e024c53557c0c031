//! Sitting down on the ground, looking around or sleeping there, and getting up.
//!
//! Between the markers `down` and `up` both clips loop.

use super::{BASE, CALM, Clip, stand};
use crate::maths::wave;
use crate::motion::{curve, hold};
use crate::pip::rig::Controls;
use glam::dvec3;

const SIT_T: f64 = 5.0;
const SLEEP_T: f64 = 8.0;
/// The time of sitting down, and of getting up.
const MOVE: f64 = 1.0;

/// The parts that can be repeated.
const SITTING: (f64, f64) = (1.6, 3.6);
const SLEEPING: (f64, f64) = (2.4, 6.0);

pub(super) const SIT: Clip = Clip {
    name: "Sit",
    duration: SIT_T,
    steps: 60,
    pose: sit,
    face: &[
        (0.0, CALM),
        (0.55, [0.5, 0.2, 0.0]),
        (0.85, [1.0, 0.4, 0.0]),
        (1.0, [0.0, 0.4, 0.0]),
        (2.1, [0.0, 0.4, 0.0]),
        (2.2, [1.0, 0.5, 0.0]),
        (2.32, [0.0, 0.6, 0.0]),
        (4.0, [0.0, 0.4, 0.0]),
        (4.15, [1.0, 0.3, 0.0]),
        (4.3, [0.0, 0.2, 0.0]),
        (SIT_T, CALM),
    ],
    markers: &[(SITTING.0, "down"), (SITTING.1, "up")],
    once: true,
    ..BASE
};

pub(super) const SLEEP: Clip = Clip {
    name: "Sleep",
    duration: SLEEP_T,
    steps: 96,
    pose: sleep,
    face: &[
        (0.0, CALM),
        (0.8, [0.5, 0.0, 0.0]),
        (1.1, [0.4, 0.0, 0.0]),
        (1.6, [1.0, 0.1, 0.0]),
        (6.0, [1.0, 0.1, 0.0]),
        (6.3, [0.6, 0.0, 0.3]),
        (6.45, [1.0, 0.0, 0.1]),
        (6.7, [0.0, 0.0, 0.5]),
        (7.1, [0.0, 0.3, 0.0]),
        (SLEEP_T, CALM),
    ],
    markers: &[(SLEEPING.0, "down"), (SLEEPING.1, "up")],
    once: true,
    ..BASE
};

/// Standing at 0, on the ground at 1. The feet stay in their place; the body goes down behind them.
fn seated(t: f64, end: f64) -> Controls {
    let mut c = stand();
    let down = curve(
        t,
        &[
            (0.0, 0.0),
            (0.12, 0.0),
            (0.72, 1.05),
            (MOVE, 1.0),
            (end - MOVE, 1.0),
            (end - 0.2, 0.0),
            (end, 0.0),
        ],
    );
    // Bent forward on the way down and up, for balance.
    let bow = hold(t, 0.05, 0.4, 0.5, MOVE) + hold(t, end - MOVE, end - 0.65, end - 0.5, end - 0.1);
    let thud = curve(t, &[(0.0, 0.0), (0.66, 0.0), (0.76, 1.0), (MOVE, 0.0), (end, 0.0)]);
    c.hips += dvec3(0.0, -0.138 * down, -0.165 * down - 0.02 * bow);
    c.hips_turn += dvec3(-12.0 * down + 26.0 * bow, 0.0, 0.0);
    c.spine += dvec3(5.0 * down + 8.0 * bow, 0.0, 0.0);
    c.chest += dvec3(5.0 * down + 6.0 * bow, 0.0, 0.0);
    c.stretch += -0.03 * down - 0.1 * thud;
    c.neck += dvec3(-6.0 * bow, 0.0, 0.0);
    c.head += dvec3(2.0 * down - 16.0 * bow + 6.0 * thud, 0.0, 0.0);
    for (i, arm) in c.arms.iter_mut().enumerate() {
        arm.raise += -14.0 * down + 22.0 * bow;
        arm.swing += 16.0 * down + 34.0 * bow;
        arm.elbow += 6.0 * down;
        arm.wrist += -8.0 * down;
        let foot = &mut c.feet[i];
        foot.pitch = -52.0 * down.min(1.0) * hold(t, 0.35, 0.75, end - 0.75, end - 0.35);
        foot.yaw += 8.0 * down;
        c.ears[i] += dvec3(-12.0 * thud, 0.0, 4.0 * thud);
    }
    for i in 0..5 {
        c.tail_lift[i] += if i == 0 { 14.0 } else { 2.0 } * down - 6.0 * thud;
    }
    c
}

fn sit(t: f64) -> Controls {
    let mut c = seated(t, SIT_T);
    let on = hold(t, 0.8, 1.2, 3.9, 4.3);
    let u = (t - SITTING.0) / (SITTING.1 - SITTING.0);
    let breath = on * wave(2.0 * u);
    let sway = on * wave(u);
    let look = on
        * curve(
            t,
            &[(SITTING.0, 0.0), (1.95, 20.0), (2.4, 18.0), (2.85, -20.0), (3.25, -18.0), (SITTING.1, 0.0)],
        );
    let tilt = on
        * curve(t, &[(SITTING.0, 0.0), (2.0, -6.0), (2.4, -6.0), (2.9, 8.0), (3.3, 7.0), (SITTING.1, 0.0)]);
    c.gaze = (0.0, 0.35 * look);
    c.spine += dvec3(-breath, 0.0, 2.5 * sway);
    c.chest += dvec3(-1.5 * breath, 0.15 * look, 1.5 * sway);
    c.neck += dvec3(0.0, 0.3 * look, 0.2 * tilt);
    c.head += dvec3(1.5 * breath, 0.55 * look, tilt);
    c.stretch += 0.014 * breath;
    for i in 0..2 {
        // The toes wag in turn.
        let s = if i == 0 { 1.0 } else { -1.0 };
        let wag = on * wave(2.0 * u + 0.25 * s);
        c.feet[i].pitch -= 9.0 * wag * on;
        c.feet[i].yaw += 7.0 * wag;
        c.arms[i].elbow += 3.0 * breath;
        c.ears[i] += dvec3(0.0, 0.0, 5.0 * wag);
    }
    for i in 0..5 {
        c.tail_yaw[i] += on * (5.0 + 3.0 * i as f64) * wave(4.0 * u - 0.1 * i as f64);
    }
    c
}

fn sleep(t: f64) -> Controls {
    let mut c = seated(t, SLEEP_T);
    // Nods off once before he sleeps.
    let deep = curve(
        t,
        &[
            (0.0, 0.0),
            (0.9, 0.0),
            (1.3, 0.6),
            (1.45, 0.5),
            (2.0, 1.0),
            (6.0, 1.0),
            (6.5, 0.05),
            (7.0, 0.0),
            (SLEEP_T, 0.0),
        ],
    );
    let u = (t - SLEEPING.0) / (SLEEPING.1 - SLEEPING.0);
    let breath = deep * wave(2.0 * u);
    let after = deep * wave(2.0 * u - 0.12);
    let yawn = hold(t, 6.3, 6.6, 6.75, 7.1);
    c.hips_turn += dvec3(3.0 * deep, 0.0, 0.0);
    c.spine += dvec3(9.0 * deep - 3.0 * breath - 8.0 * yawn, 0.0, 4.0 * deep);
    c.chest += dvec3(10.0 * deep - 3.0 * breath - 8.0 * yawn, 0.0, 5.0 * deep);
    c.stretch += 0.03 * breath - 0.02 * deep + 0.06 * yawn;
    c.neck += dvec3(9.0 * deep, 0.0, 5.0 * deep);
    c.head += dvec3(13.0 * deep + 2.5 * after - 8.0 * yawn, 0.0, 10.0 * deep);
    for i in 0..2 {
        let arm = &mut c.arms[i];
        arm.swing += 6.0 * deep + 24.0 * yawn;
        arm.raise += -2.0 * deep + 60.0 * yawn;
        arm.lift += 26.0 * yawn;
        arm.elbow += 4.0 * deep;
        c.feet[i].yaw += 8.0 * deep;
        c.ears[i] += dvec3(-16.0 * deep, 0.0, 16.0 * deep + 2.0 * after);
    }
    for i in 0..5 {
        // The brush lies around him.
        c.tail_yaw[i] += 16.0 * deep;
        c.tail_lift[i] += -4.0 * deep + 1.0 * after;
    }
    c
}
