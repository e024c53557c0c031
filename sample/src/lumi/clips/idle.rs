//! Breathing, a look around, a twitching ear and a swaying tail.

use super::{BASE, CALM, Clip};
use crate::lumi::rig::Controls;
use crate::maths::wave;
use crate::motion::curve;
use glam::dvec3;

const T: f64 = 5.0;

pub(super) const CLIP: Clip = Clip {
    name: "Idle",
    duration: T,
    steps: 72,
    pose,
    face: &[
        (0.0, CALM),
        (1.2, CALM),
        (1.3, [1.0, 0.1, 0.0, 0.0]),
        (1.44, CALM),
        (3.1, [0.0, 0.35, 0.0, 0.0]),
        (3.2, [1.0, 0.35, 0.0, 0.0]),
        (3.34, [0.0, 0.35, 0.0, 0.0]),
        (T, CALM),
    ],
    ..BASE
};

pub(super) fn pose(t: f64) -> Controls {
    let u = t / T;
    let breath = wave(2.0 * u);
    let after = wave(2.0 * u - 0.1);
    let sway = wave(u);
    let mut c = Controls::default();
    c.hips += dvec3(0.008 * sway, -0.006 + 0.002 * breath, 0.004 * wave(u + 0.2));
    c.hips_turn = dvec3(0.4 * breath, 1.2 * sway, -sway);
    c.spine = dvec3(-0.6 * breath, -0.8 * sway, 0.6 * sway);
    c.chest = dvec3(-0.6 * after, -0.8 * sway, 0.8 * sway);
    let look =
        curve(t, &[(0.0, 0.0), (0.9, 0.0), (1.35, 24.0), (2.4, 21.0), (3.2, -18.0), (4.1, -16.0), (T, 0.0)]);
    let tilt =
        curve(t, &[(0.0, 0.0), (0.9, 0.0), (1.5, -4.0), (2.4, -3.0), (3.3, 9.0), (4.1, 8.0), (T, 0.0)]);
    let nod = curve(
        t,
        &[(0.0, 0.0), (0.8, 0.0), (1.15, 5.0), (1.5, -4.0), (2.3, -3.0), (2.8, 5.0), (3.4, -1.0), (T, 0.0)],
    );
    let eyes = curve(
        t,
        &[(0.0, 0.0), (0.8, 0.0), (1.0, 13.0), (1.5, 3.0), (2.4, 2.0), (2.7, -12.0), (3.4, -2.0), (T, 0.0)],
    );
    c.gaze = (0.0, eyes);
    c.neck = dvec3(-4.0 + after, 0.4 * look, 0.2 * tilt);
    c.head = dvec3(5.0 + nod - after, 0.6 * look, 0.8 * tilt);
    let twitch =
        curve(t, &[(0.0, 0.0), (2.3, 0.0), (2.38, 1.0), (2.46, -0.2), (2.54, 0.8), (2.7, 0.0), (T, 0.0)]);
    c.ears[0] = dvec3(-6.0 * twitch, 0.0, 26.0 * twitch + after);
    c.ears[1] = dvec3(0.0, 0.0, after);
    for i in 0..6 {
        let lag = 0.09 * i as f64;
        c.tail_yaw[i] = 3.0 + (3.0 + 1.8 * i as f64) * wave(2.0 * u - lag);
        c.tail_lift[i] = 2.5 * wave(u - lag - 0.2);
    }
    c
}
