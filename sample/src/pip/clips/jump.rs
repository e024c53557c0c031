//! A jump on the spot: crouch, spring, hang, land, settle.

use super::{BASE, Clip, stand};
use crate::maths::smoothstep;
use crate::motion::curve;
use crate::pip::rig::Controls;
use glam::dvec3;

const T: f64 = 1.5;
/// The times at which the feet leave the ground and land, in seconds.
pub(crate) const AIR: (f64, f64) = (0.45, 0.93);
const HEIGHT: f64 = 0.3;

pub(super) const CLIP: Clip = Clip {
    name: "Jump",
    duration: T,
    steps: 36,
    pose,
    face: &[
        (0.0, [0.0, 0.15, 0.0]),
        (0.28, [0.0, 0.1, 0.0]),
        (0.42, [0.0, 0.5, 0.2]),
        (0.62, [0.0, 1.0, 0.0]),
        (0.9, [0.0, 0.9, 0.0]),
        (0.97, [1.0, 0.8, 0.0]),
        (1.08, [1.0, 0.7, 0.0]),
        (1.18, [0.0, 0.6, 0.0]),
        (1.5, [0.0, 0.15, 0.0]),
    ],
    once: true,
    ..BASE
};

fn pose(t: f64) -> Controls {
    let mut c = stand();
    let rest = c.hips.y;
    let u = ((t - AIR.0) / (AIR.1 - AIR.0)).clamp(0.0, 1.0);
    let arc = 4.0 * HEIGHT * u * (1.0 - u);
    let crouch = curve(
        t,
        &[
            (0.0, rest),
            (0.27, -0.082),
            (0.33, -0.08),
            (AIR.0, 0.012),
            (0.62, 0.0),
            (AIR.1, 0.006),
            (1.03, -0.088),
            (1.24, 0.002),
            (1.36, rest - 0.004),
            (T, rest),
        ],
    );
    c.hips = dvec3(
        0.0,
        crouch + arc,
        curve(t, &[(0.0, 0.0), (0.3, -0.018), (0.5, 0.01), (0.9, -0.004), (1.05, -0.016), (T, 0.0)]),
    );
    c.stretch = curve(
        t,
        &[
            (0.0, 0.0),
            (0.28, -0.13),
            (0.34, -0.12),
            (0.46, 0.17),
            (0.68, -0.02),
            (0.9, 0.09),
            (1.03, -0.2),
            (1.2, 0.06),
            (1.34, -0.015),
            (T, 0.0),
        ],
    );
    let lean = curve(
        t,
        &[
            (0.0, 0.0),
            (0.28, 26.0),
            (0.34, 25.0),
            (0.5, -9.0),
            (0.7, -2.0),
            (0.9, 8.0),
            (1.04, 24.0),
            (1.24, -4.0),
            (1.38, 1.0),
            (T, 0.0),
        ],
    );
    c.hips_turn = dvec3(lean * 0.5, 0.0, 0.0);
    c.spine = dvec3(lean * 0.3, 0.0, 0.0);
    c.chest = dvec3(lean * 0.35, 0.0, 0.0);
    let head = curve(
        t,
        &[
            (0.0, 0.0),
            (0.22, -10.0),
            (0.34, -22.0),
            (0.5, -10.0),
            (0.7, 7.0),
            (0.92, 4.0),
            (1.08, -16.0),
            (1.28, 5.0),
            (T, 0.0),
        ],
    );
    c.neck = dvec3(head * 0.4, 0.0, 0.0);
    c.head = dvec3(head * 0.6, 0.0, 0.0);
    let swing = curve(
        t,
        &[
            (0.0, 0.0),
            (0.28, -58.0),
            (0.34, -56.0),
            (0.5, 38.0),
            (0.72, 16.0),
            (0.93, 14.0),
            (1.08, -30.0),
            (1.26, 12.0),
            (T, 0.0),
        ],
    );
    let raise = curve(
        t,
        &[
            (0.0, -20.0),
            (0.3, -12.0),
            (0.5, 60.0),
            (0.72, 72.0),
            (0.9, 50.0),
            (1.06, 12.0),
            (1.28, -24.0),
            (T, -20.0),
        ],
    );
    let elbow = curve(
        t,
        &[
            (0.0, 20.0),
            (0.3, 34.0),
            (0.5, 12.0),
            (0.72, 26.0),
            (0.93, 14.0),
            (1.08, 42.0),
            (1.3, 18.0),
            (T, 20.0),
        ],
    );
    for i in 0..2 {
        let arm = &mut c.arms[i];
        arm.swing = swing;
        arm.raise = raise;
        arm.elbow = elbow;
        arm.wrist = curve(
            t - 0.06,
            &[
                (0.0, 0.0),
                (0.3, -16.0),
                (0.52, 24.0),
                (0.75, -6.0),
                (1.08, -20.0),
                (1.3, 6.0),
                (T - 0.06, 0.0),
            ],
        );
        // The feet follow the hips up, tuck, and reach for the ground, one slightly before the other.
        let foot = &mut c.feet[i];
        let tuck =
            curve(u, &[(0.0, 0.0), (0.2, 0.004), (0.55, 0.075 - 0.02 * i as f64), (0.85, 0.01), (1.0, 0.0)]);
        foot.pos.y = arc + tuck;
        foot.pos.z = curve(
            u,
            &[(0.0, 0.0), (0.25, -0.03), (0.6, -0.02 + 0.035 * i as f64), (0.85, 0.012), (1.0, 0.0)],
        );
        let push = smoothstep(0.36, AIR.0, t) * smoothstep(AIR.0 + 0.24, AIR.0 + 0.02, t);
        let dangle = smoothstep(0.5, 0.66, t) * smoothstep(AIR.1, 0.8, t);
        foot.pitch = 42.0 * push + 20.0 * dangle;
        foot.toe = -42.0 * smoothstep(0.36, AIR.0, t) * smoothstep(AIR.0 + 0.06, AIR.0, t);
    }
    for i in 0..5 {
        c.tail_lift[i] = curve(
            t - 0.02 * i as f64,
            &[
                (0.0, 0.0),
                (0.28, 7.0),
                (0.5, -16.0),
                (0.75, 2.0),
                (0.9, 10.0),
                (1.05, -8.0),
                (1.25, 4.0),
                (1.42, 0.0),
            ],
        );
    }
    let ear = curve(
        t,
        &[
            (0.0, 0.0),
            (0.28, -22.0),
            (0.36, -22.0),
            (0.5, -8.0),
            (0.75, 4.0),
            (0.95, 0.0),
            (1.08, -14.0),
            (1.3, 0.0),
            (T, 0.0),
        ],
    );
    c.ears = [dvec3(ear, 0.0, -0.3 * ear); 2];
    c
}
