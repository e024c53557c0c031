//! A head that is stroked: it leans into the hand, the eyes close, the ears lie down, the tail wags.

use super::{BASE, CALM, Clip, stand};
use crate::maths::wave;
use crate::motion::{curve, hold};
use crate::pip::rig::Controls;
use glam::dvec3;

const T: f64 = 3.2;

pub(super) const CLIP: Clip = Clip {
    name: "Petted",
    duration: T,
    steps: 48,
    pose,
    face: &[
        (0.0, CALM),
        (0.25, [0.0, 0.3, 0.35]),
        (0.55, [1.0, 0.55, 0.0]),
        (1.4, [1.0, 0.8, 0.0]),
        (2.5, [1.0, 0.7, 0.0]),
        (2.72, [0.0, 0.7, 0.0]),
        (T, CALM),
    ],
    once: true,
    ..BASE
};

fn pose(t: f64) -> Controls {
    let mut c = stand();
    let on = hold(t, 0.15, 0.6, 2.4, 3.0);
    // The hand strokes from the brow to the back, three times.
    let stroke = on * wave((t - 0.5) / 0.85);
    let late = on * wave((t - 0.5) / 0.85 - 0.15);
    let flinch = hold(t, 0.08, 0.22, 0.3, 0.55);
    let tremble = hold(t, 1.2, 1.6, 2.0, 2.5) * wave(t * 7.0);
    c.hips += dvec3(0.012 * on, -0.02 * on - 0.008 * flinch + 0.006 * late, 0.0);
    c.hips_turn += dvec3(-2.0 * on, 4.0 * on, 3.0 * on + 1.5 * late);
    c.spine += dvec3(-3.0 * on + 2.0 * late, 0.0, 3.0 * on);
    c.chest += dvec3(-4.0 * on + 2.0 * late, 3.0 * on, 2.0 * on);
    c.stretch += -0.05 * on + 0.025 * late - 0.03 * flinch;
    c.neck += dvec3(-4.0 * on + 3.0 * stroke, 4.0 * on, -4.0 * on);
    c.head += dvec3(-10.0 * on + 8.0 * stroke + 6.0 * flinch, 6.0 * on, -13.0 * on + 4.0 * late);
    for (i, arm) in c.arms.iter_mut().enumerate() {
        let s = if i == 0 { 1.0 } else { -1.0 };
        // The hands come together in front of the chest.
        arm.raise += -6.0 * on;
        arm.swing += 34.0 * on + 3.0 * late;
        arm.twist = 42.0 * on;
        arm.elbow += 62.0 * on + 4.0 * s * late;
        arm.wrist += 10.0 * on;
        arm.thumb = 12.0 * on;
        c.ears[i] +=
            dvec3(-26.0 * on + 10.0 * stroke - 6.0 * flinch, 0.0, 20.0 * on + 6.0 * late + 2.0 * tremble);
    }
    // The right foot drums.
    let drum = hold(t, 1.3, 1.5, 2.1, 2.3) * curve((t * 5.5).fract(), &[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]);
    c.feet[1].pitch = -20.0 * drum;
    for i in 0..5 {
        let wag = on * wave(t / 0.42 - 0.11 * i as f64);
        c.tail_yaw[i] += (7.0 + 3.0 * i as f64) * wag;
        c.tail_lift[i] += 5.0 * on;
    }
    c
}
