//! Skin weights: the nearest bones of the nearest part, then diffused over the surface.
//!
//! Diffusion is along the mesh, not through space. It keeps an arm's influence off the flank beside it, and makes every
//! bend as smooth as the mesh allows.

use crate::maths::smoothstep;
use crate::mesher::{Mesh, rings};
use crate::shape;
use crate::skeleton::{COUNT, J, JOINTS};
use glam::DVec3;

/// Four joints and their weights in 255ths, which sum to 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Skin {
    pub(crate) joints: [u8; 4],
    pub(crate) weights: [u8; 4],
}

impl Skin {
    /// A skin with a single joint.
    pub(crate) fn rigid(j: J) -> Skin {
        Skin { joints: [j as u8, 0, 0, 0], weights: [255, 0, 0, 0] }
    }
}

type Row = [f64; COUNT];

fn to_segment(p: DVec3, j: usize) -> f64 {
    let (a, b) = (JOINTS[j].at, JOINTS[j].tip);
    let ab = b - a;
    let t = ((p - a).dot(ab) / ab.length_squared()).clamp(0.0, 1.0);
    p.distance_squared(a + ab * t)
}

/// Distributes one unit among bones, by their distances.
fn share(p: DVec3, bones: &[J]) -> Row {
    let mut row = [0.0; COUNT];
    let mut sum = 0.0;
    for &j in bones {
        let d = to_segment(p, j as usize) + 2e-4;
        let w = 1.0 / (d * d * d);
        row[j as usize] = w;
        sum += w;
    }
    for w in &mut row {
        *w /= sum;
    }
    row
}

fn diffuse(mesh: &Mesh, rows: &mut Vec<Row>, rounds: usize) {
    let ring = rings(mesh);
    for _ in 0..rounds {
        let mut next = rows.clone();
        for (v, row) in next.iter_mut().enumerate() {
            let scale = 0.5 / ring[v].len().max(1) as f64;
            for (j, w) in row.iter_mut().enumerate() {
                let sum: f64 = ring[v].iter().map(|&n| rows[n as usize][j]).sum();
                *w = *w * 0.5 + sum * scale;
            }
        }
        *rows = next;
    }
}

/// Keeps the four largest weights and rounds them so that they sum to exactly 255.
fn quantised(row: &Row) -> Skin {
    let mut order: Vec<usize> = (0..COUNT).collect();
    // Rounds before comparing: two mirrored sums may differ in their last bits.
    order.sort_by_key(|&j| (std::cmp::Reverse((row[j] * 1e6).round() as i64), j));
    let top = &order[..4];
    let sum: f64 = top.iter().map(|&j| row[j]).sum();
    let mut skin = Skin::default();
    let mut left = 255i32;
    for (i, &j) in top.iter().enumerate() {
        let w = ((row[j] / sum * 255.0).round() as i32).clamp(0, left);
        left -= w;
        skin.weights[i] = w as u8;
    }
    skin.weights[0] += left as u8;
    for (i, &j) in top.iter().enumerate() {
        if skin.weights[i] > 0 {
            skin.joints[i] = j as u8;
        }
    }
    skin
}

/// The weights of the body.
pub(crate) fn body(mesh: &Mesh) -> Vec<Skin> {
    let mut rows: Vec<Row> = mesh
        .pos
        .iter()
        .map(|&p| {
            let q = shape::parts(p);
            let left = p.x >= 0.0;
            let pick = |l: &'static [J], r: &'static [J]| if left { l } else { r };
            let choices: [(f64, &[J]); 7] = [
                (q.head, &[J::Head]),
                (q.tuft, &[J::Tuft]),
                (q.ear, pick(&[J::EarL1, J::EarL2, J::EarL3], &[J::EarR1, J::EarR2, J::EarR3])),
                (
                    q.torso,
                    pick(
                        &[J::Hips, J::Spine, J::Chest, J::Neck, J::ShoulderL],
                        &[J::Hips, J::Spine, J::Chest, J::Neck, J::ShoulderR],
                    ),
                ),
                (
                    q.arm,
                    pick(&[J::UpperArmL, J::LowerArmL, J::HandL], &[J::UpperArmR, J::LowerArmR, J::HandR]),
                ),
                (
                    q.leg,
                    pick(
                        &[J::UpperLegL, J::LowerLegL, J::FootL, J::ToeL],
                        &[J::UpperLegR, J::LowerLegR, J::FootR, J::ToeR],
                    ),
                ),
                (q.tail, &[J::Tail1, J::Tail2, J::Tail3, J::Tail4, J::Tail5]),
            ];
            let mut best = &choices[0];
            for c in &choices[1..] {
                if c.0 < best.0 {
                    best = c;
                }
            }
            share(p, best.1)
        })
        .collect();
    diffuse(mesh, &mut rows, 6);
    // The face moves rigidly with the eyes and the mouth on it.
    for (row, &p) in rows.iter_mut().zip(&mesh.pos) {
        let face = smoothstep(0.5, 0.535, p.y) * smoothstep(0.03, 0.08, p.z) * smoothstep(0.84, 0.8, p.y);
        for w in row.iter_mut() {
            *w *= 1.0 - face;
        }
        row[J::Head as usize] += face;
    }
    rows.iter().map(quantised).collect()
}

/// The weights of the scarf.
pub(crate) fn scarf(mesh: &Mesh) -> Vec<Skin> {
    let mut rows: Vec<Row> = mesh
        .pos
        .iter()
        .map(|&p| {
            let mut row = [0.0; COUNT];
            if p.y < 0.425 && p.z > 0.09 {
                return share(p, &[J::Scarf1, J::Scarf2]);
            }
            let up = smoothstep(0.43, 0.51, p.y) * 0.5;
            row[J::Chest as usize] = 1.0 - up;
            row[J::Neck as usize] = up;
            row
        })
        .collect();
    diffuse(mesh, &mut rows, 5);
    rows.iter().map(quantised).collect()
}
