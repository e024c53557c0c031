//! A shake from the head to the tail, as after a bath.

use super::{BASE, CALM, Clip, stand};
use crate::lumi::rig::Controls;
use crate::maths::wave;
use crate::motion::{curve, hold};
use glam::dvec3;

const T: f64 = 2.4;
/// The shakes per second.
const HERTZ: f64 = 5.0;

pub(super) const CLIP: Clip = Clip {
    name: "Shake",
    duration: T,
    steps: 60,
    pose,
    face: &[
        (0.0, CALM),
        (0.35, [1.0, 0.0, 0.0, 0.0]),
        (1.6, [1.0, 0.0, 0.0, 0.0]),
        (1.75, [0.0, 0.2, 0.3, 0.0]),
        (1.95, [1.0, 0.3, 0.0, 0.0]),
        (2.08, [0.0, 0.3, 0.0, 0.0]),
        (T, CALM),
    ],
    once: true,
    ..BASE
};

fn pose(t: f64) -> Controls {
    let mut c = stand();
    // The wave begins at the head and runs down to the tail.
    let shake = |delay: f64| hold(t - delay, 0.3, 0.6, 0.95, 1.45) * wave((t - delay) * HERTZ);
    let brace = hold(t, 0.05, 0.35, 1.4, 1.9);
    let proud = curve(t, &[(0.0, 0.0), (1.6, 0.0), (1.85, 1.0), (2.05, 1.0), (T, 0.0)]);
    c.hips += dvec3(0.006 * shake(0.22), -0.03 * brace, -0.008 * brace);
    c.hips_turn += dvec3(2.0 * brace, 0.0, 10.0 * shake(0.22));
    c.spine += dvec3(0.0, 0.0, 9.0 * shake(0.15) - 4.0 * shake(0.22));
    c.chest += dvec3(3.0 * brace, 0.0, 12.0 * shake(0.08) - 6.0 * shake(0.18));
    c.neck += dvec3(12.0 * brace, 5.0 * shake(0.02), 12.0 * shake(0.02));
    c.head += dvec3(6.0 * brace - 8.0 * proud, 8.0 * shake(0.0), 24.0 * shake(0.0) + 6.0 * proud);
    for i in 0..2 {
        let s = if i == 0 { 1.0 } else { -1.0 };
        c.ears[i] += dvec3(-12.0 * brace, 0.0, 14.0 * brace - 22.0 * s * shake(0.04));
    }
    for i in 0..6 {
        let lag = 0.3 + 0.05 * i as f64;
        c.tail_yaw[i] += (8.0 + 3.0 * i as f64) * shake(lag);
        c.tail_lift[i] += -2.0 * brace + 3.0 * proud;
    }
    c
}
