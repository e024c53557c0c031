//! An invitation to play: the chest on the ground, the tail in the air, then a jump.

use super::{BASE, CALM, Clip, stand};
use crate::lumi::rig::Controls;
use crate::maths::wave;
use crate::motion::{curve, hold};
use glam::dvec3;

const T: f64 = 3.0;
/// The time in the air.
const AIR: (f64, f64) = (2.0, 2.32);

pub(super) const CLIP: Clip = Clip {
    name: "Play",
    duration: T,
    steps: 60,
    pose,
    face: &[
        (0.0, CALM),
        (0.3, [0.0, 0.6, 0.3, 0.0]),
        (0.7, [0.0, 1.0, 0.0, 0.0]),
        (1.2, [0.0, 1.0, 0.0, 0.0]),
        (1.28, [1.0, 1.0, 0.0, 0.0]),
        (1.4, [0.0, 1.0, 0.0, 0.0]),
        (2.1, [0.0, 1.0, 0.2, 0.0]),
        (2.4, [0.6, 0.8, 0.0, 0.0]),
        (2.6, [0.0, 0.5, 0.0, 0.0]),
        (T, CALM),
    ],
    once: true,
    ..BASE
};

fn pose(t: f64) -> Controls {
    let mut c = stand();
    let bow = hold(t, 0.1, 0.5, 1.65, 1.98);
    let wiggle = hold(t, 0.5, 0.75, 1.5, 1.8) * wave((t - 0.5) / 0.32);
    let u = ((t - AIR.0) / (AIR.1 - AIR.0)).clamp(0.0, 1.0);
    let arc = 4.0 * 0.11 * u * (1.0 - u);
    let land = curve(t, &[(0.0, 0.0), (AIR.1 - 0.02, 0.0), (AIR.1 + 0.1, 1.0), (2.65, 0.0), (T, 0.0)]);
    let crouch = curve(t, &[(0.0, 0.0), (1.7, 0.0), (1.9, 1.0), (AIR.0, 0.2), (2.1, 0.0), (T, 0.0)]);
    let tip = curve(t, &[(0.0, 0.0), (AIR.0 - 0.1, 0.0), (2.08, -1.0), (2.3, 0.6), (2.5, 0.0), (T, 0.0)]);
    c.hips +=
        dvec3(0.016 * wiggle, 0.006 * bow + arc - 0.05 * land - 0.05 * crouch, -0.03 * bow - 0.02 * crouch);
    c.hips_turn += dvec3(30.0 * bow + 10.0 * tip, 5.0 * wiggle, 5.0 * wiggle);
    c.spine += dvec3(-2.0 * bow + 3.0 * land, -4.0 * wiggle, -2.0 * wiggle);
    c.chest += dvec3(-4.0 * bow + 3.0 * land, -4.0 * wiggle, -3.0 * wiggle);
    c.neck += dvec3(-14.0 * bow - 3.0 * land, 0.0, 0.0);
    let tilt = hold(t, 0.6, 0.85, 1.3, 1.7);
    c.head += dvec3(-12.0 * bow - 4.0 * tip + 4.0 * land, 0.0, 12.0 * tilt);
    for i in 0..2 {
        let s = if i == 0 { 1.0 } else { -1.0 };
        let fore = &mut c.fore[i];
        // The forefeet slide forward, the forearms lie on the ground.
        fore.pos += dvec3(0.015 * s, 0.0, 0.115) * bow;
        fore.pitch = -52.0 * bow;
        fore.toe = 52.0 * bow;
        fore.pos.y += arc * 1.1 + 0.02 * hold(t, 0.1, 0.22, 0.24, 0.4);
        fore.pos.z += 0.03 * tip;
        let hind = &mut c.hind[i];
        hind.pos.y = arc;
        hind.pos.z -= 0.02 * (4.0 * u * (1.0 - u));
        hind.pitch = 36.0 * hold(t, AIR.0 - 0.1, AIR.0, AIR.0 + 0.1, AIR.1);
        hind.toe = -hind.pitch * hold(t, AIR.0 - 0.12, AIR.0 - 0.1, AIR.0, AIR.0 + 0.06);
        c.ears[i] += dvec3(4.0 * bow - 10.0 * land, 0.0, -6.0 * bow);
    }
    for i in 0..6 {
        let wag = hold(t, 0.3, 0.6, 2.2, 2.8) * wave((t - 0.4) / 0.32 - 0.1 * i as f64);
        c.tail_yaw[i] += (6.0 + 2.5 * i as f64) * wag;
        c.tail_lift[i] += [14.0, 8.0, 6.0, 2.0, 0.0, 0.0][i] * bow;
    }
    c
}
