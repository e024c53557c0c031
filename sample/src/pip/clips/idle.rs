//! Breathing, glances to both sides, a twitching ear and a swishing tail.

use super::{BASE, Clip};
use crate::maths::wave;
use crate::motion::curve;
use crate::pip::rig::Controls;
use glam::dvec3;

const T: f64 = 4.0;

pub(super) const CLIP: Clip = Clip {
    name: "Idle",
    duration: T,
    steps: 60,
    pose,
    face: &[
        (0.0, [0.0, 0.15, 0.0]),
        (0.9, [0.0, 0.15, 0.0]),
        (0.98, [1.0, 0.15, 0.0]),
        (1.1, [0.0, 0.15, 0.0]),
        (2.5, [0.0, 0.4, 0.0]),
        (2.58, [1.0, 0.4, 0.0]),
        (2.68, [0.15, 0.4, 0.0]),
        (2.76, [1.0, 0.4, 0.0]),
        (2.9, [0.0, 0.3, 0.0]),
        (4.0, [0.0, 0.15, 0.0]),
    ],
    ..BASE
};

pub(super) fn pose(t: f64) -> Controls {
    let u = t / T;
    let breath = wave(2.0 * u);
    let after = wave(2.0 * u - 0.12);
    let sway = wave(u);
    let mut c = Controls::default();
    c.hips += dvec3(0.011 * sway, 0.0035 * breath - 0.004, 0.0);
    c.hips_turn = dvec3(0.0, 2.0 * sway, -1.6 * sway);
    c.spine = dvec3(1.0 - 1.2 * breath, 0.0, 1.4 * sway);
    c.chest = dvec3(-1.6 * after, -1.5 * sway, 1.2 * sway);
    c.stretch = 0.014 * breath;
    // A glance to one side, a tilt to the other.
    let look = curve(
        t,
        &[(0.0, 0.0), (0.75, 0.0), (1.15, 17.0), (1.9, 15.0), (2.45, -9.0), (3.3, -8.0), (4.0, 0.0)],
    );
    let tilt =
        curve(t, &[(0.0, 0.0), (0.8, 0.0), (1.3, -3.0), (1.9, -3.0), (2.55, 8.0), (3.25, 7.0), (4.0, 0.0)]);
    let nod = curve(
        t,
        &[(0.0, 0.0), (0.7, 0.0), (0.95, 4.0), (1.2, -3.0), (1.9, -2.0), (2.2, 3.0), (2.6, -2.0), (4.0, 0.0)],
    );
    c.neck = dvec3(1.0 * after, look * 0.3, tilt * 0.3);
    c.head = dvec3(nod - 1.2 * after, look * 0.7, tilt * 0.7);
    for (i, arm) in c.arms.iter_mut().enumerate() {
        arm.raise += 2.5 * after + if i == 0 { sway } else { -sway };
        arm.swing = 4.0 + 2.0 * wave(2.0 * u - 0.2);
        arm.elbow = 24.0 + 3.0 * after;
        arm.wrist = 6.0 + 4.0 * wave(2.0 * u - 0.3);
    }
    let twitch =
        curve(t, &[(0.0, 0.0), (1.9, 0.0), (1.97, 1.0), (2.05, -0.3), (2.12, 0.8), (2.25, 0.0), (4.0, 0.0)]);
    let flick = curve(t, &[(0.0, 0.0), (3.35, 0.0), (3.42, 1.0), (3.55, 0.0), (4.0, 0.0)]);
    c.ears[0] = dvec3(-4.0 * twitch, 0.0, 30.0 * twitch + 2.0 * after);
    c.ears[1] = dvec3(-4.0 * flick, 0.0, 24.0 * flick + 2.0 * after);
    for i in 0..5 {
        let lag = 0.09 * i as f64;
        c.tail_yaw[i] = 5.0 + (4.0 + 2.2 * i as f64) * wave(2.0 * u - lag);
        c.tail_lift[i] = 2.0 * wave(2.0 * u - lag - 0.2);
    }
    c
}
