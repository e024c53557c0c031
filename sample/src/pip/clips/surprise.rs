//! A start: a hop with arms and ears in the air, wide eyes, then a closer look.

use super::{BASE, CALM, Clip, stand};
use crate::maths::{bump, wave};
use crate::motion::{curve, hold};
use crate::pip::rig::Controls;
use glam::dvec3;

const T: f64 = 2.2;
/// The time in the air.
const AIR: (f64, f64) = (0.22, 0.5);

pub(super) const CLIP: Clip = Clip {
    name: "Surprise",
    duration: T,
    steps: 48,
    pose,
    face: &[
        (0.0, CALM),
        (0.1, [0.6, 0.0, 0.2]),
        (0.24, [0.0, 0.0, 1.0]),
        (0.95, [0.0, 0.0, 1.0]),
        (1.1, [0.0, 0.0, 0.7]),
        (1.18, [1.0, 0.0, 0.5]),
        (1.28, [0.0, 0.0, 0.6]),
        (1.38, [1.0, 0.1, 0.4]),
        (1.5, [0.0, 0.2, 0.3]),
        (T, CALM),
    ],
    once: true,
    ..BASE
};

fn pose(t: f64) -> Controls {
    let mut c = stand();
    let u = ((t - AIR.0) / (AIR.1 - AIR.0)).clamp(0.0, 1.0);
    let arc = 4.0 * 0.1 * u * (1.0 - u);
    let shock = curve(t, &[(0.0, 0.0), (0.12, -0.25), (0.28, 1.0), (0.85, 0.8), (1.2, 0.0), (T, 0.0)]);
    let dip = curve(
        t,
        &[(0.0, 0.0), (0.14, 0.8), (AIR.0, 0.0), (AIR.1, 0.0), (0.6, 0.9), (0.8, 0.2), (1.1, 0.0), (T, 0.0)],
    );
    let look = hold(t, 0.95, 1.25, 1.6, 2.05);
    let shiver = bump(0.5, 1.05, t) * wave(t * 8.0);
    c.hips += dvec3(0.002 * shiver, arc - 0.045 * dip - 0.01 * look, -0.02 * shock + 0.018 * look);
    c.hips_turn += dvec3(-6.0 * shock + 8.0 * look, 0.0, 0.0);
    c.spine += dvec3(-5.0 * shock + 7.0 * look, 0.0, 0.6 * shiver);
    c.chest += dvec3(-6.0 * shock + 6.0 * look, 0.0, 0.8 * shiver);
    c.stretch += 0.1 * shock.max(0.0) - 0.13 * dip;
    c.neck += dvec3(-4.0 * shock + 2.0 * look, 0.0, 0.0);
    c.head += dvec3(-5.0 * shock - 4.0 * look, 0.0, 11.0 * look + 0.8 * shiver);
    for (i, arm) in c.arms.iter_mut().enumerate() {
        let s = if i == 0 { 1.0 } else { -1.0 };
        arm.raise += 58.0 * shock + 3.0 * s * shiver;
        arm.swing += 30.0 * shock + 22.0 * look;
        arm.elbow += 16.0 * shock + 40.0 * look;
        arm.twist = 30.0 * look;
        arm.lift += 46.0 * shock;
        arm.wag += 14.0 * shock;
        arm.thumb = -30.0 * shock;
        let foot = &mut c.feet[i];
        foot.pos.y = arc + 0.015 * u * (1.0 - u) * 4.0;
        // The legs spread in the air, and come back one after the other.
        let wide = curve(t, &[(0.0, 0.0), (AIR.0, 0.0), (AIR.1, 1.0), (1.1, 1.0), (1.45, 0.0), (T, 0.0)]);
        foot.pos.x = 0.022 * s * wide;
        foot.pos.y += 0.018 * bump(1.1, 1.45, t);
        foot.pitch = 24.0 * hold(t, 0.18, AIR.0, 0.32, AIR.1);
        foot.toe = -foot.pitch * hold(t, 0.14, 0.18, AIR.0, 0.3);
        c.ears[i] += dvec3(8.0 * shock + 6.0 * look, 0.0, -16.0 * shock - 4.0 * look);
    }
    c.gaze = (-3.0 * shock + 4.0 * look, 0.0);
    for i in 0..5 {
        c.tail_lift[i] += -9.0 * shock + 3.0 * look;
        c.tail_yaw[i] += 1.5 * shiver;
    }
    c
}
