//! Lumi's eyes, mouth and nose, and the face's movement.

use super::shape;
use super::skeleton::{EYE_AT, J};
use crate::face::{Eyes, Lids, mouth, nose};
use crate::maths::{mix, smoothstep};
use crate::patch::{Frame, Patches};
use glam::{DVec3, dvec3};

/// The names of the morph targets, in order.
pub(crate) const TARGETS: [&str; 4] = ["blink", "smile", "surprise", "yawn"];

/// The displacement of the head's fur at a point under a target.
pub(crate) fn drift(target: usize, p: DVec3) -> DVec3 {
    let side = if p.x < 0.0 { -1.0 } else { 1.0 };
    let q = dvec3(p.x.abs(), p.y, p.z);
    let push = |at: DVec3, reach: f64, by: DVec3| {
        let w = smoothstep(reach, 0.0, q.distance(at));
        dvec3(by.x * side, by.y, by.z) * w
    };
    match target {
        0 => push(dvec3(0.06, 0.635, 0.34), 0.06, dvec3(0.0, -0.004, 0.0)),
        1 => {
            push(dvec3(0.1, 0.53, 0.33), 0.07, dvec3(0.008, 0.014, 0.006))
                + push(dvec3(0.19, 0.505, 0.21), 0.07, dvec3(0.004, 0.012, 0.0))
        }
        2 => push(dvec3(0.055, 0.64, 0.33), 0.07, dvec3(0.0, 0.014, 0.0)),
        _ => {
            push(dvec3(0.0, 0.455, 0.33), 0.09, dvec3(0.0, -0.03, -0.006))
                + push(dvec3(0.03, 0.535, 0.385), 0.05, dvec3(0.0, 0.006, 0.0))
        }
    }
}

const EYES: Eyes = Eyes {
    at: EYE_AT,
    out: dvec3(0.36, 0.08, 1.0),
    rx: 0.044,
    ry: 0.05,
    head: J::Head as usize,
    joints: [J::EyeL as usize, J::EyeR as usize],
};

fn mouth_at(pose: Option<usize>, a: f64, v: f64) -> Option<(f64, f64, f64)> {
    let round = (1.0 - a * a).max(0.0);
    let open = |width: f64, height: f64, middle: f64| {
        (a * width, middle + height * round.sqrt() * (0.5 - v), 0.0035 + 0.003 * v)
    };
    Some(match pose {
        Some(0) => return None,
        Some(1) => {
            let top = 0.002 + 0.01 * a * a - 0.003 * (1.0 - (2.0 * a.abs() - 1.0).powi(2)).max(0.0);
            let deep = 0.03 * round.sqrt() * (0.7 + 0.3 * round);
            (a * 0.045, top - deep * v, 0.0035 + 0.003 * v)
        }
        Some(2) => open(0.014, 0.024, -0.012),
        Some(3) => open(0.034, 0.05, -0.022),
        _ => {
            // Two small arcs that meet under the nose, corners up.
            let arc = 1.0 - (2.0 * a.abs() - 1.0) * (2.0 * a.abs() - 1.0);
            let line = 0.002 - 0.0085 * arc.max(0.0) + 0.004 * a * a * a * a;
            let thick = 0.0016 + 0.0024 * round;
            // The teeth are below the skin.
            if v < 0.3 {
                (a * 0.034, line + thick * (0.5 - v / 0.2), 0.003)
            } else {
                (a * 0.034, line - thick * 0.3, mix(-0.002, -0.006, v))
            }
        }
    })
}

/// Builds all patches.
pub(crate) fn patches() -> Patches {
    let mut patches = Patches::new(TARGETS.len(), drift);
    for eye in 0..2 {
        EYES.add(&mut patches, &shape::body, eye, |target| {
            Some([Lids::Shut, Lids::Smile, Lids::Wide, Lids::Shut][target])
        });
    }
    let head = J::Head as usize;
    let frame = Frame::new(&shape::body, dvec3(0.0, 0.497, 0.41), dvec3(0.0, -0.1, 1.0));
    mouth(&mut patches, &frame, head, 16, mouth_at);
    nose(&mut patches, &shape::body, head, dvec3(0.0, 0.545, 0.41), dvec3(0.02, 0.0145, 0.014));
    patches
}
