//! Sitting and sleeping, with the way down and up. Between the markers `down` and `up` both clips loop.

use super::{BASE, CALM, Clip, stand};
use crate::lumi::rig::Controls;
use crate::maths::{bump, wave};
use crate::motion::{curve, hold};
use glam::dvec3;

const SIT_T: f64 = 5.0;
const SLEEP_T: f64 = 8.0;
/// The parts that can be repeated.
const SITTING: (f64, f64) = (1.6, 3.6);
const SLEEPING: (f64, f64) = (2.4, 6.0);

pub(super) const SIT: Clip = Clip {
    name: "Sit",
    duration: SIT_T,
    steps: 60,
    pose: sit,
    face: &[
        (0.0, CALM),
        (0.5, [0.6, 0.1, 0.0, 0.0]),
        (0.9, [0.0, 0.3, 0.0, 0.0]),
        (2.2, [0.0, 0.4, 0.0, 0.0]),
        (2.5, [1.0, 0.5, 0.0, 0.0]),
        (2.9, [1.0, 0.5, 0.0, 0.0]),
        (3.1, [0.0, 0.4, 0.0, 0.0]),
        (4.2, [0.0, 0.1, 0.0, 0.0]),
        (SIT_T, CALM),
    ],
    markers: &[(SITTING.0, "down"), (SITTING.1, "up")],
    once: true,
    ..BASE
};

pub(super) const SLEEP: Clip = Clip {
    name: "Sleep",
    duration: SLEEP_T,
    steps: 84,
    pose: sleep,
    face: &[
        (0.0, CALM),
        (0.35, [0.2, 0.0, 0.0, 0.2]),
        (0.75, [0.6, 0.0, 0.0, 0.9]),
        (1.1, [0.5, 0.0, 0.0, 0.6]),
        (1.35, [0.2, 0.1, 0.0, 0.0]),
        (1.9, [1.0, 0.2, 0.0, 0.0]),
        (6.0, [1.0, 0.2, 0.0, 0.0]),
        (6.4, [0.4, 0.1, 0.0, 0.0]),
        (6.55, [0.9, 0.1, 0.0, 0.0]),
        (6.8, [0.0, 0.1, 0.2, 0.0]),
        (SLEEP_T, CALM),
    ],
    markers: &[(SLEEPING.0, "down"), (SLEEPING.1, "up")],
    once: true,
    ..BASE
};

/// Standing at 0, on the haunches at 1. The forefeet stay; the hind feet step forward.
fn haunches(c: &mut Controls, down: f64) {
    c.hips += dvec3(0.0, -0.205 * down, 0.03 * down);
    c.hips_turn.x -= 44.0 * down;
    c.spine.x += 4.0 * down;
    c.chest.x += 12.0 * down;
    c.neck.x += 10.0 * down;
    c.head.x += 15.0 * down;
    for i in 0..2 {
        let foot = &mut c.hind[i];
        foot.pos.z += 0.085 * down;
        foot.pos.x += if i == 0 { 0.02 } else { -0.02 } * down;
        foot.pitch = -48.0 * down;
        foot.toe = 48.0 * down;
        foot.yaw += 14.0 * down;
    }
    for (i, lift) in [42.0, 6.0, -6.0, -14.0, -8.0, -4.0].into_iter().enumerate() {
        c.tail_lift[i] += lift * down;
    }
}

fn sit(t: f64) -> Controls {
    let mut c = stand();
    let down = curve(t, &[(0.0, 0.0), (0.15, 0.0), (0.85, 1.0), (4.1, 1.0), (4.75, 0.0), (SIT_T, 0.0)]);
    haunches(&mut c, down);
    // Small steps of the hind feet on the way, one after the other.
    for (i, foot) in c.hind.iter_mut().enumerate() {
        let at = 0.12 * i as f64;
        foot.pos.y += 0.02 * (bump(0.25, 0.65, t - at) + bump(4.25, 4.6, t - at));
    }
    let on = hold(t, 0.8, 1.2, 3.9, 4.3);
    let u = (t - SITTING.0) / (SITTING.1 - SITTING.0);
    let breath = on * wave(u);
    let tilt = on * curve(t, &[(SITTING.0, 0.0), (2.2, 11.0), (3.0, 11.0), (SITTING.1, 0.0)]);
    let pride = hold(t, 0.7, 1.1, 3.8, 4.2);
    c.chest.x += -2.0 * pride - 1.2 * breath;
    c.neck += dvec3(-4.0 * pride + breath, 0.3 * tilt, 0.2 * tilt);
    c.head += dvec3(2.0 * pride - breath, 0.4 * tilt, -tilt);
    for i in 0..6 {
        // The tail lies around the feet, and its tip beats.
        c.tail_yaw[i] += 17.0 * down + on * 1.6 * i as f64 * wave(2.0 * u - 0.1 * i as f64);
    }
    c
}

fn sleep(t: f64) -> Controls {
    let mut c = stand();
    let yawn = hold(t, 0.15, 0.65, 0.85, 1.3);
    let down = curve(t, &[(0.0, 0.0), (0.9, 0.0), (1.75, 1.0), (6.4, 1.0), (7.3, 0.0), (SLEEP_T, 0.0)]);
    let deep = curve(t, &[(0.0, 0.0), (1.5, 0.0), (2.2, 1.0), (6.0, 1.0), (6.6, 0.0), (SLEEP_T, 0.0)]);
    let u = (t - SLEEPING.0) / (SLEEPING.1 - SLEEPING.0);
    let breath = deep * wave(2.0 * u);
    // Lies down on the belly; the head comes to rest on the paws.
    c.hips += dvec3(0.0, -0.203 * down + 0.002 * breath, -0.01 * down);
    c.hips_turn += dvec3(-2.0 * down + 1.0 * breath, 0.0, 5.0 * down);
    c.spine += dvec3(2.0 * down - 1.6 * breath, 6.0 * deep, 0.0);
    c.chest += dvec3(1.0 * down - 1.0 * breath, 8.0 * deep, -4.0 * down);
    c.neck += dvec3(-10.0 * yawn + 30.0 * deep + breath, 10.0 * deep, 0.0);
    c.head += dvec3(-14.0 * yawn - 22.0 * deep, 6.0 * deep, 12.0 * deep);
    for i in 0..2 {
        let s = if i == 0 { 1.0 } else { -1.0 };
        let fore = &mut c.fore[i];
        fore.pos += dvec3(-0.012 * s, 0.0, 0.1 + 0.012 * s) * down;
        fore.pitch = -56.0 * down;
        fore.toe = 56.0 * down;
        let hind = &mut c.hind[i];
        hind.pos += dvec3(0.035 * s, 0.0, 0.085) * down;
        hind.pitch = -54.0 * down;
        hind.toe = 54.0 * down;
        hind.yaw += 16.0 * down;
        for (foot, at) in [(fore, 0.95), (hind, 1.15)] {
            let at = at + 0.1 * i as f64;
            foot.pos.y += 0.022 * (bump(at, at + 0.45, t) + bump(at + 5.55, at + 6.0, t));
        }
        c.ears[i] += dvec3(-10.0 * yawn - 8.0 * deep, 0.0, 8.0 * yawn + 12.0 * deep);
    }
    for i in 0..6 {
        c.tail_yaw[i] += 20.0 * down;
        c.tail_lift[i] += [8.0, 10.0, -2.0, -12.0, -10.0, -6.0][i] * down;
    }
    // A dream: the tip of the tail and an ear twitch.
    let dream = deep * bump(3.6, 4.1, t);
    c.tail_yaw[5] += 14.0 * dream * wave((t - 3.6) * 4.0);
    c.ears[1].z += 12.0 * dream * wave((t - 3.6) * 4.0);
    c
}
