//! An eager speech: the mouth forms vowels, the brows and the hands stress the words.

use super::{BASE, Clip};
use crate::fen::face::{F, Face, face};
use crate::fen::rig::{Controls, EASE, Hand, OPEN};
use crate::maths::wave;
use crate::motion::{curve, hold};
use glam::dvec3;

const T: f64 = 4.8;

const REST: Face = face(&[(F::SmileLeft, 0.2), (F::SmileRight, 0.2)]);
const AH: Face =
    face(&[(F::JawOpen, 0.75), (F::SmileLeft, 0.15), (F::SmileRight, 0.15), (F::BrowInnerUp, 0.3)]);
const EE: Face = face(&[
    (F::JawOpen, 0.2),
    (F::StretchLeft, 0.6),
    (F::StretchRight, 0.6),
    (F::SmileLeft, 0.5),
    (F::SmileRight, 0.5),
]);
const OH: Face = face(&[(F::Funnel, 0.85), (F::JawOpen, 0.15), (F::BrowInnerUp, 0.4)]);
const OO: Face = face(&[(F::Pucker, 0.9), (F::BrowOuterUpLeft, 0.3), (F::BrowOuterUpRight, 0.3)]);
const EH: Face = face(&[(F::JawOpen, 0.42), (F::StretchLeft, 0.3), (F::StretchRight, 0.3)]);
const MM: Face =
    face(&[(F::BlinkLeft, 1.0), (F::BlinkRight, 1.0), (F::SmileLeft, 0.3), (F::SmileRight, 0.3)]);
const WOW: Face = face(&[
    (F::Funnel, 0.7),
    (F::JawOpen, 0.45),
    (F::WideLeft, 0.8),
    (F::WideRight, 0.8),
    (F::BrowInnerUp, 0.9),
    (F::BrowOuterUpLeft, 0.7),
    (F::BrowOuterUpRight, 0.7),
]);
const SLY: Face = face(&[
    (F::SmileLeft, 0.9),
    (F::MouthLeft, 0.5),
    (F::SquintLeft, 0.5),
    (F::SquintRight, 0.7),
    (F::BrowDownRight, 0.8),
    (F::BrowOuterUpLeft, 0.9),
]);

pub(super) const CLIP: Clip = Clip {
    name: "Talk",
    duration: T,
    steps: 72,
    pose,
    face: &[
        (0.0, REST),
        (0.14, EH),
        (0.3, AH),
        (0.44, EE),
        (0.56, MM),
        (0.7, OH),
        (0.86, EH),
        (1.0, AH),
        (1.12, OO),
        (1.28, EE),
        (1.42, REST),
        (1.6, AH),
        (1.78, EH),
        (1.9, OO),
        (2.06, WOW),
        (2.5, WOW),
        (2.64, MM),
        (2.78, EE),
        (2.92, AH),
        (3.06, OH),
        (3.2, EE),
        (3.34, REST),
        (3.5, SLY),
        (4.1, SLY),
        (4.24, EH),
        (4.4, AH),
        (4.55, EE),
        (T, REST),
    ],
    ..BASE
};

fn pose(t: f64) -> Controls {
    let u = t / T;
    let mut c = Controls::default();
    let beat = wave(t / 0.8);
    let nod = wave(t / 0.8 - 0.1);
    let sway = wave(u);
    let wow = hold(t, 1.8, 2.1, 2.5, 2.9);
    let sly = hold(t, 3.3, 3.6, 4.0, 4.3);
    // One hand explains, then both show something large, then a finger points.
    let explain = hold(t, 0.05, 0.5, 1.4, 1.9);
    let point = hold(t, 3.1, 3.5, 4.1, 4.6);
    c.hips += dvec3(0.016 * sway, -0.004 - 0.006 * wow, 0.0);
    c.hips_turn = dvec3(0.0, 4.0 * sway, -2.0 * sway);
    c.spine = dvec3(1.0 + 0.6 * beat + 4.0 * sly - 3.0 * wow, 0.0, 1.5 * sway);
    c.chest = dvec3(beat - 3.0 * wow + 3.0 * sly, -3.0 * sway, 1.5 * sway);
    c.neck = dvec3(1.0 * nod, 2.0 * wave(2.0 * u), 0.0);
    c.head = dvec3(
        2.5 * nod - 5.0 * wow + 4.0 * sly,
        7.0 * curve(t, &[(0.0, 0.0), (0.6, 0.6), (1.5, -0.6), (2.2, 0.0), (3.6, 1.0), (4.1, 0.8), (T, 0.0)]),
        3.0 * beat - 8.0 * sly,
    );
    c.gaze = (2.0 * sly, 8.0 * hold(t, 0.5, 0.65, 0.9, 1.1) - 8.0 * hold(t, 1.1, 1.25, 1.5, 1.7));
    let show = [0.55 * wow, explain + wow + 0.6 * point];
    for i in 0..2 {
        let s = if i == 0 { 1.0 } else { -1.0 };
        let on = [show[0] + 0.35 * wow, show[1]][i].min(1.0);
        let arm = &mut c.arms[i];
        arm.swing = 4.0 + 28.0 * on + 5.0 * on * beat;
        arm.raise += 10.0 * on + 24.0 * wow;
        arm.elbow += 58.0 * on + 10.0 * on * nod;
        arm.lift = 12.0 * wow;
        arm.twist = -18.0 * on + 10.0 * on * wave(t / 1.6) * (1.0 - wow);
        arm.wrist = 6.0 - 16.0 * on + 8.0 * on * wave(t / 0.8 - 0.2);
        arm.wag = 4.0 * s * on * nod;
        c.hands[i] = Hand::mix(EASE, OPEN, on * (0.75 + 0.25 * beat) + 0.2 * wow);
    }
    let finger = Hand { curl: [30.0, -2.0, 66.0, 70.0, 70.0], spread: 0.0 };
    c.hands[1] = Hand::mix(c.hands[1], finger, point);
    c.arms[1].lift += 30.0 * point;
    c.arms[1].wag += 10.0 * point * wave(t / 0.4);
    c
}
