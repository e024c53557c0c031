//! A sneeze: two short breaths, a long one, the sneeze, and a shake of the head.

use super::{BASE, CALM, Clip, stand};
use crate::maths::{bump, wave};
use crate::motion::curve;
use crate::pip::rig::Controls;
use glam::dvec3;

const T: f64 = 2.6;
/// The moment of the sneeze.
const BANG: f64 = 1.16;

pub(super) const CLIP: Clip = Clip {
    name: "Sneeze",
    duration: T,
    steps: 48,
    pose,
    face: &[
        (0.0, CALM),
        (0.25, [0.3, 0.0, 0.25]),
        (0.42, [0.15, 0.0, 0.1]),
        (0.6, [0.5, 0.0, 0.5]),
        (0.72, [0.4, 0.0, 0.3]),
        (1.05, [0.9, 0.0, 0.9]),
        (BANG, [1.0, 0.0, 0.0]),
        (1.6, [1.0, 0.0, 0.0]),
        (1.74, [0.0, 0.0, 0.6]),
        (2.1, [0.0, 0.1, 0.2]),
        (T, CALM),
    ],
    markers: &[(BANG, "sneeze")],
    once: true,
    ..BASE
};

fn pose(t: f64) -> Controls {
    let mut c = stand();
    let breath = curve(
        t,
        &[
            (0.0, 0.0),
            (0.25, 0.35),
            (0.4, 0.22),
            (0.6, 0.65),
            (0.74, 0.5),
            (1.06, 1.0),
            (BANG, 0.0),
            (T, 0.0),
        ],
    );
    let bang = curve(t, &[(0.0, 0.0), (1.07, 0.0), (BANG, 1.0), (1.3, 0.75), (1.62, 0.0), (T, 0.0)]);
    let shake = bump(1.5, 2.3, t) * wave((t - 1.5) / 0.2);
    let hop = bump(1.1, 1.32, t);
    c.hips += dvec3(0.0, 0.006 * breath - 0.05 * bang + 0.035 * hop, -0.014 * breath - 0.012 * bang);
    c.hips_turn += dvec3(-5.0 * breath + 9.0 * bang, 0.0, 0.0);
    c.spine += dvec3(-8.0 * breath + 8.0 * bang, 0.0, 0.0);
    c.chest += dvec3(-9.0 * breath + 8.0 * bang, -2.0 * shake, 0.0);
    c.stretch += 0.08 * breath - 0.15 * bang;
    c.neck += dvec3(-6.0 * breath + 4.0 * bang, 4.0 * shake, 0.0);
    c.head += dvec3(-17.0 * breath + 12.0 * bang, 11.0 * shake, 3.0 * breath);
    for (i, arm) in c.arms.iter_mut().enumerate() {
        arm.raise += 14.0 * breath - 4.0 * bang;
        arm.swing += 18.0 * breath - 46.0 * bang;
        arm.elbow += 34.0 * breath - 6.0 * bang;
        arm.lift += 10.0 * breath;
        arm.wrist += 12.0 * breath;
        let foot = &mut c.feet[i];
        foot.pos.y = 0.035 * hop;
        foot.pos.z =
            -0.02 * curve(t, &[(0.0, 0.0), (1.12, 0.0), (1.3, 1.0), (1.9, 1.0), (2.2, 0.0), (T, 0.0)]);
        // Back to its place by a small step, one foot after the other.
        foot.pos.y += 0.016 * bump(1.9, 2.2, t - 0.06 * i as f64);
        c.ears[i] += dvec3(-16.0 * breath + 16.0 * bang, 0.0, 10.0 * breath - 14.0 * bang + 8.0 * shake);
    }
    for i in 0..5 {
        c.tail_lift[i] += 4.0 * breath - 11.0 * bang;
        c.tail_yaw[i] += 4.0 * shake;
    }
    c
}
