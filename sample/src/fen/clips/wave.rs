//! A greeting: the right hand waves with open fingers, which follow one after the other.

use super::{BASE, CALM, Clip, LAUGH, SMILE};
use crate::fen::face::{F, face};
use crate::fen::rig::{Controls, EASE, Hand, OPEN};
use crate::maths::{smoothstep, wave};
use crate::motion::{curve, hold};
use glam::dvec3;

const T: f64 = 2.8;

pub(super) const CLIP: Clip = Clip {
    name: "Wave",
    duration: T,
    steps: 48,
    pose,
    face: &[
        (0.0, CALM),
        (0.25, face(&[(F::BrowInnerUp, 0.7), (F::WideLeft, 0.6), (F::WideRight, 0.6), (F::JawOpen, 0.2)])),
        (0.55, LAUGH),
        (1.1, SMILE),
        (1.6, LAUGH),
        (2.2, SMILE),
        (T, CALM),
    ],
    once: true,
    ..BASE
};

fn pose(t: f64) -> Controls {
    let mut c = super::stand();
    let up =
        curve(t, &[(0.0, 0.0), (0.18, -0.06), (0.6, 1.06), (0.75, 1.0), (2.0, 1.0), (2.45, -0.03), (T, 0.0)]);
    let on = smoothstep(0.5, 0.8, t) * smoothstep(2.15, 1.85, t);
    let beat = (t - 0.55) / 0.42;
    let flap = on * wave(beat);
    let late = on * wave(beat - 0.15);
    c.hips += dvec3(0.022 * up, -0.006 * up, 0.0);
    c.hips_turn += dvec3(0.0, 4.0 * up, 2.5 * up);
    c.spine += dvec3(0.0, 2.0 * up, -4.0 * up + flap);
    c.chest += dvec3(-2.0 * up, 3.0 * up, -4.0 * up + 1.5 * flap);
    c.neck += dvec3(0.0, -2.0 * up, 2.0 * up - 1.5 * late);
    c.head += dvec3(-3.0 * up, -5.0 * up, 6.0 * up - 4.0 * late);
    let arm = &mut c.arms[1];
    arm.raise += 96.0 * up + 5.0 * flap;
    arm.swing += 14.0 * up;
    arm.elbow += 6.0 * up;
    arm.lift += 74.0 * up + 20.0 * flap;
    arm.wag += 14.0 * late;
    c.hands[1] = Hand::mix(c.hands[1], OPEN, up.clamp(0.0, 1.0));
    for f in 1..5 {
        c.hands[1].curl[f] += 12.0 * on * wave(beat - 0.3 - 0.06 * f as f64);
    }
    let arm = &mut c.arms[0];
    arm.elbow += 16.0 * up;
    arm.swing += -6.0 * up;
    c.hands[0] = Hand::mix(c.hands[0], EASE, hold(t, 0.2, 0.6, 2.0, 2.5));
    c.feet[1].pitch = 14.0 * up.max(0.0);
    c.feet[1].toe = -14.0 * up.max(0.0);
    c
}
