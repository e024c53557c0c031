//! Skin weights: the nearest bones of the nearest part, then diffused over the surface.
//!
//! Diffusion is along the mesh, not through space. It keeps an arm's influence off the flank beside it, and makes every
//! bend as smooth as the mesh allows.

use crate::mesher::{Mesh, rings};
use crate::skeleton::Joint;
use glam::DVec3;

/// Four joints and their weights in 255ths, which sum to 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Skin {
    pub(crate) joints: [u8; 4],
    pub(crate) weights: [u8; 4],
}

impl Skin {
    /// A skin with a single joint.
    pub(crate) fn rigid(joint: usize) -> Skin {
        Skin { joints: [joint as u8, 0, 0, 0], weights: [255, 0, 0, 0] }
    }

    /// A skin with the share `t` of joint `b`, and the rest of joint `a`.
    pub(crate) fn blend(a: usize, b: usize, t: f64) -> Skin {
        let w = (t * 255.0).round() as u8;
        match w {
            0 => Skin::rigid(a),
            255 => Skin::rigid(b),
            _ => Skin { joints: [a as u8, b as u8, 0, 0], weights: [255 - w, w, 0, 0] },
        }
    }
}

/// The weight of every joint.
pub(crate) type Row = Vec<f64>;

fn to_segment(joint: &Joint, p: DVec3) -> f64 {
    let ab = joint.tip - joint.at;
    let t = ((p - joint.at).dot(ab) / ab.length_squared()).clamp(0.0, 1.0);
    p.distance_squared(joint.at + ab * t)
}

/// Distributes one unit among bones, by their distances.
pub(crate) fn share(joints: &[Joint], p: DVec3, bones: &[usize]) -> Row {
    let mut row = vec![0.0; joints.len()];
    let mut sum = 0.0;
    for &j in bones {
        let d = to_segment(&joints[j], p) + 2e-4;
        let w = 1.0 / (d * d * d);
        row[j] = w;
        sum += w;
    }
    for w in &mut row {
        *w /= sum;
    }
    row
}

/// Moves the share `t` of all weights of a row to one joint.
pub(crate) fn pull(row: &mut Row, joint: usize, t: f64) {
    for w in row.iter_mut() {
        *w *= 1.0 - t;
    }
    row[joint] += t;
}

fn diffuse(mesh: &Mesh, rows: &mut Vec<Row>, rounds: usize) {
    let ring = rings(mesh);
    for _ in 0..rounds {
        let mut next = rows.clone();
        for (v, row) in next.iter_mut().enumerate() {
            let scale = 0.5 / ring[v].len().max(1) as f64;
            for w in row.iter_mut() {
                *w *= 0.5;
            }
            for &n in &ring[v] {
                for (w, other) in row.iter_mut().zip(&rows[n as usize]) {
                    *w += other * scale;
                }
            }
        }
        *rows = next;
    }
}

/// Keeps the four largest weights and rounds them so that they sum to exactly 255.
fn quantised(row: &Row) -> Skin {
    let mut order: Vec<usize> = (0..row.len()).collect();
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

/// The skin of each vertex: a row by position, diffused `rounds` times, then adjusted by position.
pub(crate) fn skins(
    mesh: &Mesh,
    rounds: usize,
    row: &dyn Fn(DVec3) -> Row,
    adjust: &dyn Fn(DVec3, &mut Row),
) -> Vec<Skin> {
    let mut rows: Vec<Row> = mesh.pos.iter().map(|&p| row(p)).collect();
    diffuse(mesh, &mut rows, rounds);
    for (row, &p) in rows.iter_mut().zip(&mesh.pos) {
        adjust(p, row);
    }
    rows.iter().map(quantised).collect()
}
