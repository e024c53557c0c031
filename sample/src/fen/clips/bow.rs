//! A gentleman's bow: one hand on the heart, the other one swept aside, one foot drawn back.

use super::{BASE, BLISS, CALM, Clip, SMILE};
use crate::fen::rig::{Controls, EASE, Hand, OPEN};
use crate::maths::bump;
use crate::motion::{curve, hold};
use glam::dvec3;

const T: f64 = 3.4;

pub(super) const CLIP: Clip = Clip {
    name: "Bow",
    duration: T,
    steps: 54,
    pose,
    face: &[
        (0.0, CALM),
        (0.35, SMILE),
        (0.8, SMILE),
        (1.15, BLISS),
        (1.95, BLISS),
        (2.2, SMILE),
        (2.8, SMILE),
        (T, CALM),
    ],
    once: true,
    ..BASE
};

fn pose(t: f64) -> Controls {
    let mut c = super::stand();
    let ready = hold(t, 0.1, 0.65, 2.4, 3.1);
    let bow =
        curve(t, &[(0.0, 0.0), (0.55, -0.06), (1.25, 1.0), (1.8, 0.96), (2.45, -0.03), (2.8, 0.0), (T, 0.0)]);
    let flourish = hold(t, 0.15, 0.75, 1.9, 2.7);
    c.hips += dvec3(0.014 * ready, -0.03 * bow.max(0.0), -0.085 * bow);
    c.hips_turn += dvec3(33.0 * bow, -5.0 * ready, 0.0);
    c.spine += dvec3(17.0 * bow, 0.0, 0.0);
    c.chest += dvec3(13.0 * bow - 3.0 * ready * (1.0 - bow), -3.0 * ready, 0.0);
    c.neck += dvec3(-6.0 * bow, 2.0 * ready, 0.0);
    c.head += dvec3(6.0 * bow, 5.0 * ready, 4.0 * ready * (1.0 - bow));
    // The right hand on the heart.
    let heart = &mut c.arms[1];
    heart.swing += 30.0 * ready;
    heart.raise += 4.0 * ready;
    heart.twist += 52.0 * ready;
    heart.elbow += 98.0 * ready;
    heart.wrist += 12.0 * ready;
    c.hands[1] = Hand::mix(c.hands[1], Hand { curl: [2.0, 8.0, 8.0, 9.0, 10.0], spread: -6.0 }, ready);
    // The left arm sweeps out and back.
    let sweep = &mut c.arms[0];
    sweep.raise += 72.0 * flourish - 14.0 * bow;
    sweep.swing += 26.0 * hold(t, 0.1, 0.45, 0.6, 1.2) - 16.0 * bow;
    sweep.elbow += 12.0 * hold(t, 0.1, 0.4, 0.5, 1.0);
    sweep.wag += 14.0 * flourish;
    c.hands[0] = Hand::mix(Hand::mix(c.hands[0], EASE, ready), OPEN, 0.8 * flourish);
    // The left foot is drawn back, and returns.
    let back = curve(t, &[(0.0, 0.0), (0.2, 0.0), (0.7, 1.0), (2.45, 1.0), (2.95, 0.0), (T, 0.0)]);
    let foot = &mut c.feet[0];
    foot.pos = dvec3(0.0, 0.028 * (bump(0.2, 0.7, t) + bump(2.45, 2.95, t)), -0.13 * back);
    foot.pitch = 22.0 * back;
    foot.toe = -22.0 * back;
    foot.yaw += 8.0 * back;
    c
}
