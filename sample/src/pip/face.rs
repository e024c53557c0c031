//! Pip's eyes, mouth and nose, and the face's movement when he blinks, smiles or is surprised.

use super::shape;
use super::skeleton::{EYE_AT, J};
use crate::field::project;
use crate::maths::{cos, mix, smoothstep};
use crate::paint::{EYE, MOUTH, NOSE};
use crate::patch::{Frame, Patches, Spoke, disc, in_rect, strip};
use crate::weights::Skin;
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

const RX: f64 = 0.06;
const RY: f64 = 0.078;

/// The position of a point of an eye in a pose, by its ring radius `r` and angle: plane coordinates and height.
fn eye_at(pose: Option<usize>, r: f64, c: f64, s: f64) -> (f64, f64, f64) {
    let dome = 0.003 + 0.02 * (1.0 - r * r);
    // The lashes come to a point at the outer corner.
    let flick = 0.15 * smoothstep(0.75, 1.0, c * 0.8 + s * 0.6) * smoothstep(0.75, 1.0, r);
    let (a, b) = (RX * r * c * (1.0 + flick), RY * r * s * (1.0 + 0.3 * flick));
    match pose {
        // Shut: the upper lashes come down to a soft arc; the rest is hidden.
        Some(0) => {
            let (a, b) = (RX * r * c, RY * r * s);
            let wide = a * 1.07;
            let k = 1.0 - (a / RX) * (a / RX);
            // The outer corner hangs a little: level lids look angry when half closed.
            let line = -0.0225 - 0.0095 * k - 0.006 * a / RX;
            if r > 0.99 && s >= -0.01 {
                (wide, line + 0.0075 * k.max(0.0).sqrt() + 0.0015, 0.0045)
            } else if r > 0.75 && s >= -0.01 {
                (wide, line - 0.005 * k.max(0.0).sqrt(), 0.0045)
            } else {
                (a, line + 0.1 * (b - line), -0.009)
            }
        }
        // A smile lifts the lower lid.
        Some(1) => {
            let lift = smoothstep(0.3, -1.0, r * s);
            // It also arches the eye a little.
            let arch = 1.0 - c * c * r * r;
            (a * 1.02, b + 0.005 * arch + lift * (0.016 + 0.009 * arch), dome)
        }
        // Surprise opens them wide.
        Some(_) => (a * 1.06, b * 1.12 + 0.004, dome),
        None => (a, b, dome),
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

/// Builds all patches.
pub(crate) fn patches() -> Patches {
    let mut patches = Patches::new(TARGETS.len(), drift);
    eye(&mut patches, 1.0);
    eye(&mut patches, -1.0);
    mouth(&mut patches);
    nose(&mut patches);
    patches
}

fn eye(patches: &mut Patches, side: f64) {
    let frame = Frame::new(&shape::body, EYE_AT, dvec3(0.42, 0.06, 1.0));
    let (grid, tris) = disc(&[0.24, 0.5, 0.74, 0.9, 1.0], 36);
    let joint = if side > 0.0 { J::EyeL } else { J::EyeR };
    // Iris and pupil follow the eye; the lashes and the rim stay.
    let gaze = |i: usize| Skin::blend(J::Head as usize, joint as usize, smoothstep(0.84, 0.42, grid[i].0));
    patches.add(
        &tris,
        side,
        |pose| pose != Some(0),
        gaze,
        |pose| {
            let point = |&(r, c, s): &Spoke| {
                let (a, b, h) = eye_at(pose, r, c, s);
                let (p, n) = frame.on(a, b, h);
                // Both eyes are lit from the same side, so the texture is not mirrored.
                let uv = in_rect(EYE, 0.5 + 0.5 * side * r * c / 1.04, 0.5 - 0.5 * r * s / 1.04);
                (p, n, uv)
            };
            Some(grid.iter().map(point).collect())
        },
    );
}

fn mouth(patches: &mut Patches) {
    let frame = Frame::new(&shape::body, dvec3(0.0, 0.576, 0.25), dvec3(0.0, -0.12, 1.0));
    const COLUMNS: u32 = 18;
    const ROWS: [f64; 5] = [0.0, 0.2, 0.4, 0.7, 1.0];
    let tris = strip(COLUMNS, ROWS.len() as u32);
    patches.add(
        &tris,
        1.0,
        |_| false,
        |_| Skin::rigid(J::Head as usize),
        |pose| {
            if pose == Some(0) {
                return None;
            }
            let mut points = Vec::new();
            for c in 0..=COLUMNS {
                // The columns are denser towards the corners, where the outline turns.
                let t = f64::from(c) / f64::from(COLUMNS);
                let a = -cos(t * std::f64::consts::PI) * 0.55 + (2.0 * t - 1.0) * 0.45;
                for v in ROWS {
                    let (x, y, h) = mouth_at(pose, a, v);
                    let (p, n) = frame.on(x, y, h);
                    points.push((p, n, in_rect(MOUTH, 0.5 + 0.5 * a / 1.04, (v + 0.05) / 1.1)));
                }
            }
            Some(points)
        },
    );
}

fn nose(patches: &mut Patches) {
    let tip = project(&shape::body, dvec3(0.0, 0.636, 0.27));
    // Rings from the tip back; the profile is wide above and narrow below, like a rounded heart.
    const HEIGHTS: [f64; 6] = [1.0, 0.97, 0.8, 0.5, 0.1, -0.5];
    const SPOKES: u32 = 18;
    let (grid, tris) = disc(&[0.35, 0.66, 0.88, 1.0, 0.92], SPOKES);
    let size = dvec3(0.029, 0.021, 0.02);
    patches.add(
        &tris,
        1.0,
        |_| false,
        |_| Skin::rigid(J::Head as usize),
        |pose| {
            let point = |(i, &(r, c, s)): (usize, &Spoke)| {
                let z = HEIGHTS[i.div_ceil(SPOKES as usize)];
                let n = dvec3(r * c, r * s, z);
                let v = dvec3(r * c * (1.0 + 0.34 * s * r), r * s, z);
                (tip + v * size, (n / size).normalize(), in_rect(NOSE, 0.5 + 0.46 * n.x, 0.5 - 0.46 * n.y))
            };
            pose.is_none().then(|| grid.iter().enumerate().map(point).collect())
        },
    );
}
