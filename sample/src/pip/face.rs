//! Pip's eyes, mouth and nose, and the face's movement when he blinks, smiles or is surprised.

use super::shape;
use super::skeleton::{EYE_AT, J};
use crate::face::{Eyes, Lids, mouth, nose};
use crate::maths::{mix, smoothstep};
use crate::patch::{Frame, Patches};
use glam::{DVec3, dvec3};

/// The names of the morph targets, in order.
pub(crate) const TARGETS: [&str; 3] = ["blink", "smile", "surprise"];

/// The displacement of the head's fur at a point under a target.
pub(crate) fn drift(target: usize, p: DVec3) -> DVec3 {
    let side = if p.x < 0.0 { -1.0 } else { 1.0 };
    let q = dvec3(p.x.abs(), p.y, p.z);
    let push = |at: DVec3, reach: f64, by: DVec3| {
        let w = smoothstep(reach, 0.0, q.distance(at));
        dvec3(by.x * side, by.y, by.z) * w
    };
    match target {
        // Closing the eyes draws the brow down and the cheeks up.
        0 => {
            push(dvec3(0.085, 0.775, 0.17), 0.075, dvec3(0.0, -0.005, 0.002))
                + push(dvec3(0.13, 0.6, 0.17), 0.07, dvec3(0.0, 0.006, 0.003))
        }
        // A smile bunches the cheeks and lifts the brow a little.
        1 => {
            push(dvec3(0.165, 0.597, 0.14), 0.1, dvec3(0.012, 0.022, 0.012))
                + push(dvec3(0.085, 0.775, 0.17), 0.07, dvec3(0.0, 0.008, 0.0))
                + push(dvec3(0.3, 0.585, -0.01), 0.1, dvec3(0.006, 0.018, 0.0))
        }
        _ => {
            push(dvec3(0.085, 0.78, 0.17), 0.09, dvec3(0.0, 0.02, 0.0))
                + push(dvec3(0.0, 0.5, 0.17), 0.08, dvec3(0.0, -0.012, 0.0))
        }
    }
}

fn mouth_at(pose: Option<usize>, a: f64, v: f64) -> (f64, f64, f64) {
    let round = (1.0 - a * a).max(0.0);
    match pose {
        Some(1) => {
            // A wide open smile with lifted corners.
            let top = 0.004 + 0.016 * a * a - 0.004 * (1.0 - (2.0 * a.abs() - 1.0).powi(2)).max(0.0);
            let deep = 0.058 * round.sqrt() * (0.75 + 0.25 * round);
            (a * 0.07, top - deep * v, 0.004 + 0.004 * v)
        }
        Some(2) => {
            // A little round O.
            (a * 0.024, -0.014 + 0.026 * round.sqrt() * (1.0 - 2.0 * v), 0.004)
        }
        _ => {
            // At rest: two small arcs that meet under the nose, corners up.
            let arc = 1.0 - (2.0 * a.abs() - 1.0) * (2.0 * a.abs() - 1.0);
            let line = 0.002 - 0.011 * arc.max(0.0) + 0.006 * a * a * a * a;
            let thick = 0.0022 + 0.0034 * round;
            // Only the dark of the mouth is visible: the tongue's rows are below the skin.
            if v < 0.45 {
                (a * 0.05, line + thick * (0.5 - v / 0.4), 0.0035)
            } else {
                (a * 0.05, line - thick * 0.3, mix(-0.002, -0.006, v))
            }
        }
    }
}

const EYES: Eyes = Eyes {
    at: EYE_AT,
    out: dvec3(0.42, 0.06, 1.0),
    rx: 0.06,
    ry: 0.078,
    head: J::Head as usize,
    joints: [J::EyeL as usize, J::EyeR as usize],
};

/// Builds all patches.
pub(crate) fn patches() -> Patches {
    let mut patches = Patches::new(TARGETS.len(), drift);
    for eye in 0..2 {
        EYES.add(&mut patches, &shape::body, eye, |target| {
            Some([Lids::Shut, Lids::Smile, Lids::Wide][target])
        });
    }
    let head = J::Head as usize;
    let frame = Frame::new(&shape::body, dvec3(0.0, 0.576, 0.25), dvec3(0.0, -0.12, 1.0));
    mouth(&mut patches, &frame, head, 18, |pose, a, v| (pose != Some(0)).then(|| mouth_at(pose, a, v)));
    nose(&mut patches, &shape::body, head, dvec3(0.0, 0.636, 0.27), dvec3(0.029, 0.021, 0.02));
    patches
}
