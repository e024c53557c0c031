//! A welcome: a happy hop, arms wide open, and a nod.

use super::{BASE, CALM, Clip, stand};
use crate::maths::wave;
use crate::motion::{curve, hold};
use crate::pip::rig::Controls;
use glam::dvec3;

const T: f64 = 2.4;
/// The time in the air.
const AIR: (f64, f64) = (0.4, 0.66);

pub(super) const CLIP: Clip = Clip {
    name: "Greet",
    duration: T,
    steps: 42,
    pose,
    face: &[
        (0.0, CALM),
        (0.2, [1.0, 0.3, 0.0]),
        (0.34, [0.0, 0.8, 0.2]),
        (0.6, [0.0, 1.0, 0.0]),
        (1.15, [0.0, 1.0, 0.0]),
        (1.3, [1.0, 0.9, 0.0]),
        (1.75, [1.0, 0.7, 0.0]),
        (1.9, [0.0, 0.6, 0.0]),
        (T, CALM),
    ],
    once: true,
    ..BASE
};

fn pose(t: f64) -> Controls {
    let mut c = stand();
    let u = ((t - AIR.0) / (AIR.1 - AIR.0)).clamp(0.0, 1.0);
    let arc = 4.0 * 0.075 * u * (1.0 - u);
    let dip = curve(
        t,
        &[
            (0.0, 0.0),
            (0.28, 1.0),
            (AIR.0, -0.2),
            (AIR.1, -0.1),
            (0.78, 0.9),
            (1.0, -0.1),
            (1.15, 0.0),
            (T, 0.0),
        ],
    );
    let open = hold(t, 0.3, 0.75, 1.2, 2.1);
    let nod = hold(t, 1.1, 1.42, 1.55, 2.0);
    let beat = hold(t, 0.7, 0.85, 1.05, 1.3) * wave((t - 0.7) / 0.3);
    c.hips += dvec3(0.0, arc - 0.045 * dip - 0.012 * nod, -0.012 * nod);
    c.stretch += -0.12 * dip + 0.08 * hold(t, 0.32, 0.45, 0.55, 0.7);
    c.hips_turn += dvec3(4.0 * dip + 7.0 * nod, 0.0, 2.0 * beat);
    c.spine += dvec3(4.0 * dip - 4.0 * open + 10.0 * nod, 0.0, 2.0 * beat);
    c.chest += dvec3(3.0 * dip - 6.0 * open + 12.0 * nod, 0.0, 3.0 * beat);
    c.neck += dvec3(3.0 * nod, 0.0, 0.0);
    c.head +=
        dvec3(-8.0 * dip.max(0.0) + 3.0 * open + 10.0 * nod, 0.0, 9.0 * open * (1.0 - nod) - 4.0 * beat);
    for (i, arm) in c.arms.iter_mut().enumerate() {
        let s = if i == 0 { 1.0 } else { -1.0 };
        arm.raise += 62.0 * open - 8.0 * dip + 6.0 * s * beat - 26.0 * nod;
        arm.swing += 26.0 * open - 24.0 * nod;
        arm.elbow += 8.0 * dip - 14.0 * open;
        arm.lift += 26.0 * open - 14.0 * nod + 8.0 * beat;
        arm.wag += 16.0 * open * (1.0 - nod);
        arm.thumb = -22.0 * open;
        let foot = &mut c.feet[i];
        foot.pos.y = arc;
        foot.pitch = 30.0 * hold(t, 0.34, AIR.0, 0.5, AIR.1);
        foot.toe = -foot.pitch * hold(t, 0.3, 0.34, AIR.0, 0.48);
        c.ears[i] += dvec3(-10.0 * dip - 8.0 * nod, 0.0, 8.0 * open);
    }
    for i in 0..5 {
        let wag = hold(t, 0.5, 0.8, 1.8, T) * wave((t - 0.5) / 0.36 - 0.1 * i as f64);
        c.tail_yaw[i] += (6.0 + 2.0 * i as f64) * wag;
        c.tail_lift[i] += 4.0 * open;
    }
    c
}
