//! Counts from one to five on the fingers of the right hand.

use super::{BASE, CALM, Clip, LAUGH, SMILE};
use crate::fen::face::{F, Face, face};
use crate::fen::rig::{Controls, FIST, Hand};
use crate::motion::{curve, hold};
use glam::dvec3;

const T: f64 = 4.4;
/// The time of the first number, and from number to number.
const FIRST: f64 = 0.8;
const EACH: f64 = 0.5;

const ONE: Face = face(&[(F::Funnel, 0.6), (F::BrowInnerUp, 0.4)]);
const TWO: Face = face(&[(F::Pucker, 0.9), (F::BrowOuterUpLeft, 0.5), (F::BrowOuterUpRight, 0.5)]);
const THREE: Face = face(&[(F::JawOpen, 0.2), (F::SmileLeft, 0.7), (F::SmileRight, 0.7)]);
const FOUR: Face = face(&[(F::Funnel, 0.9), (F::JawOpen, 0.2), (F::BrowInnerUp, 0.6)]);

pub(super) const CLIP: Clip = Clip {
    name: "Count",
    duration: T,
    steps: 66,
    pose,
    face: &[
        (0.0, CALM),
        (0.5, CALM),
        (0.85, ONE),
        (1.1, CALM),
        (1.35, TWO),
        (1.6, CALM),
        (1.85, THREE),
        (2.1, CALM),
        (2.35, FOUR),
        (2.6, CALM),
        (2.9, LAUGH),
        (3.4, LAUGH),
        (3.8, SMILE),
        (T, CALM),
    ],
    once: true,
    ..BASE
};

fn pose(t: f64) -> Controls {
    let mut c = super::stand();
    let up = hold(t, 0.1, 0.65, 3.5, 4.15);
    let fist = hold(t, 0.2, 0.55, 3.55, 4.0);
    // A small push of the hand with each number.
    let beat = |n: usize| {
        let at = FIRST + EACH * n as f64;
        hold(t, at - 0.12, at, at + 0.02, at + 0.24)
    };
    let push: f64 = (0..5).map(beat).sum();
    let joy = hold(t, 2.75, 2.95, 3.2, 3.7);
    c.hips += dvec3(-0.012 * up, -0.006 * push - 0.01 * joy, 0.0);
    c.hips_turn += dvec3(0.0, 3.0 * up, 0.0);
    c.spine += dvec3(1.0 * push, 2.0 * up, 0.0);
    c.chest += dvec3(-2.0 * up + 1.5 * push - 3.0 * joy, 3.0 * up, 0.0);
    c.neck += dvec3(1.5 * push, -3.0 * up, 0.0);
    c.head += dvec3(3.0 * push - 4.0 * joy, -9.0 * up * (1.0 - joy), 5.0 * up - 10.0 * joy);
    c.gaze = (2.0 * up, -13.0 * up * (1.0 - joy));
    let arm = &mut c.arms[1];
    arm.raise += 20.0 * up;
    arm.swing += 34.0 * up + 5.0 * push;
    arm.elbow += 88.0 * up - 5.0 * push;
    arm.twist += -26.0 * up;
    arm.lift += 16.0 * up;
    let arm = &mut c.arms[0];
    arm.elbow += 20.0 * up + 24.0 * joy;
    arm.raise += 6.0 * up + 16.0 * joy;
    let rest = c.hands[1];
    c.hands[1] = Hand::mix(rest, FIST, fist);
    // One: the thumb. Then a finger for each number.
    for f in 0..5 {
        let at = FIRST + EACH * f as f64;
        let out = curve(t, &[(0.0, 0.0), (at - 0.16, 0.0), (at + 0.04, 1.0), (3.55, 1.0), (T, 1.0)]);
        let straight = if f == 0 { -14.0 } else { -3.0 };
        c.hands[1].curl[f] += (straight - c.hands[1].curl[f]) * out * fist;
    }
    c.hands[1].spread += 12.0 * joy + 6.0 * fist;
    c
}
