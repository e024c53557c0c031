//! Breathing, a look around, a shift of weight, and fingers that drum on the thigh.

use super::{BASE, BLINK, CALM, Clip};
use crate::fen::face::{F, face};
use crate::fen::rig::Controls;
use crate::maths::wave;
use crate::motion::{curve, hold};
use glam::dvec3;

const T: f64 = 6.0;

pub(super) const CLIP: Clip = Clip {
    name: "Idle",
    duration: T,
    steps: 72,
    pose,
    face: &[
        (0.0, CALM),
        (1.0, CALM),
        (1.09, BLINK),
        (1.22, CALM),
        (1.7, face(&[(F::BrowInnerUp, 0.5), (F::MouthLeft, 0.4), (F::SmileLeft, 0.3)])),
        (2.5, face(&[(F::BrowInnerUp, 0.3), (F::MouthLeft, 0.2), (F::SmileLeft, 0.3)])),
        (3.2, CALM),
        (3.3, BLINK),
        (3.44, CALM),
        (3.58, BLINK),
        (3.72, CALM),
        (4.6, face(&[(F::CheekPuff, 0.8), (F::Pucker, 0.25)])),
        (5.0, face(&[(F::CheekPuff, 0.7), (F::Pucker, 0.3)])),
        (5.3, CALM),
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
    c.hips += dvec3(0.02 * sway, 0.003 * breath - 0.004, 0.0);
    c.hips_turn = dvec3(0.0, 2.5 * sway, -2.2 * sway);
    c.spine = dvec3(1.0 - 1.0 * breath, -sway, 1.6 * sway);
    c.chest = dvec3(-1.2 * after, -1.5 * sway, 1.4 * sway);
    let look = curve(
        t,
        &[(0.0, 0.0), (1.3, 0.0), (1.8, 20.0), (2.7, 18.0), (3.5, -14.0), (4.6, -12.0), (5.6, 0.0), (T, 0.0)],
    );
    let tilt =
        curve(t, &[(0.0, 0.0), (1.4, 0.0), (2.0, -5.0), (2.7, -4.0), (3.6, 7.0), (4.6, 5.0), (T, 0.0)]);
    let eyes = curve(
        t,
        &[(0.0, 0.0), (1.2, 0.0), (1.45, 16.0), (2.0, 5.0), (2.7, 2.0), (3.0, -14.0), (3.7, -4.0), (T, 0.0)],
    );
    c.gaze = (0.0, eyes);
    c.neck = dvec3(after, 0.35 * look, 0.3 * tilt);
    c.head = dvec3(-after, 0.65 * look, 0.7 * tilt);
    for (i, arm) in c.arms.iter_mut().enumerate() {
        let s = if i == 0 { 1.0 } else { -1.0 };
        arm.raise += 1.5 * after + 1.5 * s * sway;
        arm.swing = 3.0 + 2.0 * wave(2.0 * u - 0.2);
        arm.elbow += 2.0 * after;
        arm.wrist = 4.0 + 2.0 * after;
    }
    // The fingers of the right hand drum, from the little finger to the index.
    let drum = hold(t, 4.1, 4.4, 5.1, 5.4);
    for f in 1..5 {
        let beat = wave((t - 4.1) / 0.5 + 0.12 * f as f64);
        c.hands[1].curl[f] += 14.0 * drum * beat;
        c.hands[0].curl[f] += 2.0 * after;
    }
    c
}
