//! The eyes, the mouth and the nose, and the face's movement when it blinks, smiles or is surprised.
//!
//! Eyes and mouth are thin patches on the head. Opening and closing only slides their vertices along the head, so the
//! fur has no holes. Hidden parts (the eyeball behind a closed lid) sink just under the surface.

use crate::atlas::{Rect, SIZE};
use crate::maths::{cos, mix, sin, smoothstep};
use crate::shape;
use crate::texture::{EYE, MOUTH, NOSE};
use glam::{DVec2, DVec3, dvec2, dvec3};

/// The names of the morph targets, in order.
pub(crate) const TARGETS: [&str; 3] = ["blink", "smile", "surprise"];

/// A vertex of the face patches, with its position under each target.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) pos: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) uv: DVec2,
    pub(crate) moved: [(DVec3, DVec3); 3],
}

/// The face patches as one mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patches {
    pub(crate) points: Vec<Point>,
    pub(crate) tris: Vec<[u32; 3]>,
}

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

/// The normal after the displacement of the fur around it.
pub(crate) fn drifted_normal(target: usize, p: DVec3, n: DVec3) -> DVec3 {
    const E: f64 = 1e-3;
    let slope = |axis: DVec3| (drift(target, p + axis * E) - drift(target, p - axis * E)) / (2.0 * E);
    let (dx, dy, dz) = (slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
    (n - dvec3(dx.dot(n), dy.dot(n), dz.dot(n))).normalize_or(n)
}

fn in_rect(rect: Rect, s: f64, t: f64) -> DVec2 {
    let [x, y, w, h] = rect.map(|v| v as f64);
    dvec2(x + w * s, y + h * t) / SIZE as f64
}

/// A tangent frame on the left half of the head.
struct Frame {
    at: DVec3,
    right: DVec3,
    up: DVec3,
    out: DVec3,
}

impl Frame {
    fn new(at: DVec3, out: DVec3) -> Frame {
        let out = out.normalize();
        let right = DVec3::Y.cross(out).normalize();
        Frame { at: shape::project(&shape::body, at), right, up: out.cross(right), out }
    }

    /// The point of the fur below plane coordinates, raised by `height`, and the fur's normal there.
    fn on(&self, a: f64, b: f64, height: f64) -> (DVec3, DVec3) {
        // Marches along the frame's axis: projection along the slope would crowd points on bulges.
        let mut p = self.at + self.right * a + self.up * b + self.out * 0.05;
        for _ in 0..24 {
            p -= self.out * (shape::body(p) * 0.8);
        }
        let n = shape::normal(&shape::body, p);
        (p + n * height, n)
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
            (a * 0.07, top - deep * v, 0.004)
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

impl Patches {
    /// Builds all patches.
    pub(crate) fn new() -> Patches {
        let mut patches = Patches::default();
        patches.eye(1.0);
        patches.eye(-1.0);
        patches.mouth();
        patches.nose();
        patches
    }

    fn eye(&mut self, side: f64) {
        let frame = Frame::new(dvec3(0.108, 0.685, 0.2), dvec3(0.42, 0.06, 1.0));
        let poses = [None, Some(0), Some(1), Some(2)];
        const RADII: [f64; 5] = [0.3, 0.56, 0.79, 0.9, 1.0];
        const SPOKES: u32 = 24;
        let mut grid: Vec<(f64, f64, f64)> = vec![(0.0, 1.0, 0.0)];
        for r in RADII {
            for i in 0..SPOKES {
                let turn = std::f64::consts::TAU * f64::from(i) / f64::from(SPOKES);
                grid.push((r, cos(turn), sin(turn)));
            }
        }
        let mut tris = Vec::new();
        for i in 0..SPOKES {
            let n = (i + 1) % SPOKES;
            tris.push([0, 1 + i, 1 + n]);
            for ring in 1..RADII.len() as u32 {
                let (a, b) = (1 + (ring - 1) * SPOKES, 1 + ring * SPOKES);
                tris.extend([[a + i, b + i, b + n], [a + i, b + n, a + n]]);
            }
        }
        self.add(&poses, &tris, side, true, |pose| {
            grid.iter()
                .map(|&(r, c, s)| {
                    let (a, b, h) = eye_at(pose, r, c, s);
                    let (p, n) = frame.on(a, b, h);
                    // Both eyes are lit from the same side, so the texture is not mirrored.
                    let uv = in_rect(EYE, 0.5 + 0.5 * side * r * c / 1.04, 0.5 - 0.5 * r * s / 1.04);
                    (p, n, uv)
                })
                .collect()
        });
    }

    fn mouth(&mut self) {
        let frame = Frame::new(dvec3(0.0, 0.576, 0.25), dvec3(0.0, -0.12, 1.0));
        let poses = [None, Some(0), Some(1), Some(2)];
        const COLUMNS: u32 = 18;
        const ROWS: [f64; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];
        let mut tris = Vec::new();
        let rows = ROWS.len() as u32;
        for c in 0..COLUMNS {
            for r in 0..rows - 1 {
                let (a, b) = (c * rows + r, (c + 1) * rows + r);
                tris.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
            }
        }
        self.add(&poses, &tris, 1.0, false, |pose| {
            let pose = pose.filter(|&t| t != 0);
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
            points
        });
    }

    fn nose(&mut self) {
        let tip = shape::project(&shape::body, dvec3(0.0, 0.636, 0.27));
        const SPOKES: u32 = 14;
        // Rings from the tip back; the profile is wide above and narrow below, like a rounded heart.
        const RINGS: [(f64, f64); 5] = [(0.35, 0.97), (0.66, 0.8), (0.88, 0.5), (1.0, 0.1), (0.92, -0.5)];
        let mut grid = vec![(DVec3::Z, DVec3::Z)];
        for (r, z) in RINGS {
            for i in 0..SPOKES {
                let turn = std::f64::consts::TAU * f64::from(i) / f64::from(SPOKES);
                let (c, s) = (cos(turn), sin(turn));
                let narrow = 1.0 + 0.34 * s * r;
                grid.push((dvec3(r * c * narrow, r * s, z), dvec3(r * c, r * s, z)));
            }
        }
        let mut tris = Vec::new();
        for i in 0..SPOKES {
            let n = (i + 1) % SPOKES;
            tris.push([0, 1 + i, 1 + n]);
            for ring in 1..RINGS.len() as u32 {
                let (a, b) = (1 + (ring - 1) * SPOKES, 1 + ring * SPOKES);
                tris.extend([[a + i, b + i, b + n], [a + i, b + n, a + n]]);
            }
        }
        let size = dvec3(0.029, 0.021, 0.02);
        self.add(&[None], &tris, 1.0, false, |_| {
            grid.iter()
                .map(|&(v, n)| {
                    let uv = in_rect(NOSE, 0.5 + 0.46 * n.x, 0.5 - 0.46 * n.y);
                    (tip + v * size, (n / size).normalize(), uv)
                })
                .collect()
        });
    }

    /// Adds a patch, defined by its points in each pose. `side` -1 mirrors it; `domed` computes its normals from its
    /// own shape rather than the fur's.
    fn add(
        &mut self,
        poses: &[Option<usize>],
        tris: &[[u32; 3]],
        side: f64,
        domed: bool,
        place: impl Fn(Option<usize>) -> Vec<(DVec3, DVec3, DVec2)>,
    ) {
        let flip = |v: DVec3| dvec3(v.x * side, v.y, v.z);
        let laid: Vec<Vec<(DVec3, DVec3, DVec2)>> = poses.iter().map(|&pose| place(pose)).collect();
        let rest = &laid[0];
        // The normals of a dome come from its own shape: the sum of the triangles' normals, blended with the fur's
        // where the patch has shrunk to nothing.
        let shaded = |points: &[(DVec3, DVec3, DVec2)], own: bool| {
            let mut sums = vec![DVec3::ZERO; points.len()];
            for t in tris {
                let [a, b, c] = t.map(|v| points[v as usize].0);
                let n = (b - a).cross(c - a);
                for &v in t {
                    sums[v as usize] += n;
                }
            }
            points
                .iter()
                .zip(sums)
                .map(|(p, s)| if own { s.normalize_or(p.1) } else { p.1 })
                .collect::<Vec<_>>()
        };
        let base_normals = shaded(rest, domed);
        let first = self.points.len() as u32;
        let target_normals: Vec<Vec<DVec3>> =
            laid.iter().enumerate().map(|(i, l)| shaded(l, domed && i != 1)).collect();
        for (i, &(p, _, uv)) in rest.iter().enumerate() {
            let moved = [0, 1, 2].map(|t| {
                let pose = if laid.len() > 1 { t + 1 } else { 0 };
                let q = laid[pose][i].0;
                // The patch moves with the fur.
                let q = q + drift(t, dvec3(q.x.abs(), q.y, q.z));
                let n = if laid.len() > 1 { target_normals[pose][i] } else { base_normals[i] };
                (flip(q), flip(n))
            });
            self.points.push(Point { pos: flip(p), normal: flip(base_normals[i]), uv, moved });
        }
        for &[a, b, c] in tris {
            let t = if side > 0.0 { [a, b, c] } else { [a, c, b] };
            self.tris.push(t.map(|v| v + first));
        }
    }
}
