//! A turn on the spot by a right angle: the eyes first, then the head, the body, and foot after foot.
//!
//! The root turns, so the last pose is the first one, turned.

use super::{BASE, CALM, Clip, stand};
use crate::maths::turn;
use crate::motion::{curve, hold};
use crate::pip::rig::{Controls, LEG};
use crate::pip::skeleton::JOINTS;
use glam::{DVec3, dvec3};

const T: f64 = 1.2;
const ANGLE: f64 = 90.0;

pub(super) const LEFT: Clip = Clip {
    name: "TurnLeft",
    duration: T,
    steps: 36,
    pose: left,
    face: &[(0.0, CALM), (0.12, [0.0, 0.2, 0.0]), (0.2, [1.0, 0.2, 0.0]), (0.36, [0.0, 0.3, 0.0]), (T, CALM)],
    once: true,
    turn: ANGLE,
    ..BASE
};

pub(super) const RIGHT: Clip = Clip { name: "TurnRight", pose: |t| left(t).mirrored(), turn: -ANGLE, ..LEFT };

/// The angle of each foot on the ground, by its steps: start, end, and the angle after each.
const STEPS: [&[(f64, f64, f64)]; 2] = [&[(0.16, 0.42, 50.0), (0.68, 0.92, ANGLE)], &[(0.4, 0.7, ANGLE)]];

fn left(t: f64) -> Controls {
    let mut c = stand();
    let yaw = curve(t, &[(0.0, 0.0), (0.1, 0.0), (0.9, ANGLE), (T, ANGLE)]);
    let lead = hold(t, 0.0, 0.26, 0.42, 0.95);
    c.root = yaw;
    c.gaze = (0.0, 16.0 * hold(t, 0.0, 0.12, 0.3, 0.7));
    c.head += dvec3(3.0 * lead, 24.0 * lead, -5.0 * lead);
    c.neck += dvec3(0.0, 9.0 * lead, 0.0);
    c.chest += dvec3(2.0 * lead, 9.0 * lead, 2.0 * lead);
    c.spine += dvec3(0.0, 5.0 * lead, 0.0);
    c.hips.y -= 0.012 * hold(t, 0.05, 0.3, 0.8, 1.1);
    for i in 0..2 {
        let s = if i == 0 { 1.0 } else { -1.0 };
        let (mut angle, mut from, mut lift) = (0.0, 0.0, 0.0);
        for &(a, b, to) in STEPS[i] {
            // The foot turns while it is well above the ground.
            let d = b - a;
            angle += (to - from) * curve(t, &[(a + 0.12 * d, 0.0), (b - 0.18 * d, 1.0)]);
            lift += 0.035 * hold(t, a, a + 0.35 * d, a + 0.6 * d, b);
            from = to;
        }
        let ankle = JOINTS[LEG.upper[i] + 2].at;
        let foot = &mut c.feet[i];
        foot.pos = turn(DVec3::Y, angle) * ankle - ankle + DVec3::Y * lift;
        foot.pitch = 300.0 * lift;
        foot.yaw += angle * s;
        // The body leans over the foot that stands.
        c.hips.x -= 0.3 * s * lift;
        c.hips_turn.z -= 60.0 * s * lift;
        let arm = &mut c.arms[i];
        arm.raise += 12.0 * lead;
        arm.swing += -16.0 * s * lead;
        arm.elbow += 10.0 * lead;
        c.ears[i] += dvec3(-4.0 * lead, 0.0, 0.0);
    }
    for i in 0..5 {
        c.tail_yaw[i] += -5.0 * lead;
    }
    c
}
