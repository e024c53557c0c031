//! A greeting: the right hand waves, and the whole body moves with it.

use super::{BASE, Clip, stand};
use crate::maths::{smoothstep, wave};
use crate::motion::curve;
use crate::pip::rig::Controls;
use glam::dvec3;

const T: f64 = 2.8;

pub(super) const CLIP: Clip = Clip {
    name: "Wave",
    duration: T,
    steps: 42,
    pose,
    face: &[
        (0.0, [0.0, 0.15, 0.0]),
        (0.2, [0.0, 0.15, 0.0]),
        (0.28, [1.0, 0.4, 0.0]),
        (0.42, [0.0, 1.0, 0.0]),
        (1.3, [0.0, 1.0, 0.0]),
        (1.4, [1.0, 1.0, 0.0]),
        (1.56, [0.0, 1.0, 0.0]),
        (2.05, [0.0, 0.9, 0.0]),
        (2.8, [0.0, 0.15, 0.0]),
    ],
    once: true,
    ..BASE
};

fn pose(t: f64) -> Controls {
    let mut c = stand();
    // 0 with the arm down, 1 with it up; a small dip first, a small overshoot at the top.
    let up = curve(
        t,
        &[
            (0.0, 0.0),
            (0.2, -0.12),
            (0.56, 1.08),
            (0.7, 1.0),
            (2.0, 1.0),
            (2.1, 1.03),
            (2.45, -0.05),
            (T, 0.0),
        ],
    );
    let on = smoothstep(0.45, 0.75, t) * smoothstep(2.15, 1.85, t);
    let beat = (t - 0.5) / 0.46;
    let flap = on * wave(beat);
    let late = on * wave(beat - 0.13);
    let bounce = on * wave(2.0 * beat + 0.25);
    let dip =
        curve(t, &[(0.0, 0.0), (0.2, 1.0), (0.45, -0.6), (0.65, 0.0), (2.2, 0.0), (2.42, 0.45), (T, 0.0)]);
    c.hips += dvec3(0.02 * up, -0.02 * dip - 0.004 * bounce - 0.004 * up, 0.0);
    c.hips_turn = dvec3(3.0 * dip, 3.0 * up, 3.0 * up);
    c.spine = dvec3(2.0 * dip, 2.0 * up, -7.0 * up + 1.5 * flap);
    c.chest = dvec3(2.0 * dip - 2.0 * up, 3.0 * up, -6.0 * up + 2.0 * flap);
    c.stretch = -0.06 * dip + 0.02 * up - 0.012 * bounce;
    c.neck = dvec3(-2.0 * up, -2.0 * up, 2.0 * up - 1.5 * late);
    c.head = dvec3(4.0 * dip - 4.0 * up, -5.0 * up, 3.0 * up - 4.0 * late);
    let arm = &mut c.arms[1];
    arm.raise = -20.0 + 62.0 * up + 6.0 * flap;
    arm.swing = 4.0 + 20.0 * up;
    arm.elbow = 20.0 - 8.0 * up;
    arm.lift = 48.0 * up + 27.0 * flap;
    arm.wag = 6.0 * up + 20.0 * late;
    let arm = &mut c.arms[0];
    arm.raise = -20.0 + 9.0 * up + 2.0 * late;
    arm.swing = 3.0 + 4.0 * dip - 6.0 * up;
    arm.elbow = 20.0 + 12.0 * up;
    arm.wrist = 8.0 * up;
    // The weight is on the left foot; the right heel comes up.
    c.feet[1].pitch = 16.0 * up.max(0.0);
    c.feet[1].toe = -16.0 * up.max(0.0);
    c.ears[0] = dvec3(2.0 * late, 0.0, 6.0 * up + 4.0 * late);
    c.ears[1] = dvec3(2.0 * late, 0.0, -5.0 * up + 4.0 * late);
    for i in 0..5 {
        let wag = on * wave(beat - 0.12 * i as f64);
        c.tail_yaw[i] = (9.0 + 2.0 * i as f64) * wag + 3.0 * up;
        c.tail_lift[i] = 4.0 * up - 3.0 * dip;
    }
    c
}
