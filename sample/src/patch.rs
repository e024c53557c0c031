//! Eyes, mouth and nose: thin patches on the head, with a shape for each morph target.
//!
//! Opening and closing only slides their vertices along the head, so the head's surface has no holes. Hidden parts (the
//! eyeball behind a closed lid) sink just under the surface.

use crate::atlas::{Rect, SIZE};
use crate::field::{Field, normal, project};
use crate::maths::{cos, sin};
use crate::weights::Skin;
use glam::{DVec2, DVec3, dvec2, dvec3};

/// The displacement of the head's surface at a point under a morph target.
pub(crate) type Drift = fn(usize, DVec3) -> DVec3;

/// A surface that does not move.
pub(crate) const fn still(_: usize, _: DVec3) -> DVec3 {
    DVec3::ZERO
}

/// The normal after the displacement of the surface around it.
pub(crate) fn drifted_normal(drift: Drift, target: usize, p: DVec3, n: DVec3) -> DVec3 {
    const E: f64 = 1e-3;
    let slope = |axis: DVec3| (drift(target, p + axis * E) - drift(target, p - axis * E)) / (2.0 * E);
    let (dx, dy, dz) = (slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
    (n - dvec3(dx.dot(n), dy.dot(n), dz.dot(n))).normalize_or(n)
}

/// A vertex of the patches, with its position and normal under each target.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) pos: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) uv: DVec2,
    pub(crate) skin: Skin,
    pub(crate) moved: Vec<(DVec3, DVec3)>,
}

/// All patches as one mesh.
#[derive(Clone, Debug)]
pub(crate) struct Patches {
    pub(crate) points: Vec<Point>,
    pub(crate) tris: Vec<[u32; 3]>,
    targets: usize,
    drift: Drift,
}

/// The points of a patch in a pose: position, normal and texture coordinates.
pub(crate) type Laid = Vec<(DVec3, DVec3, DVec2)>;

/// The texture coordinates of a point of a rectangle of the image, by its position in 0..1.
pub(crate) fn in_rect(rect: Rect, s: f64, t: f64) -> DVec2 {
    let [x, y, w, h] = rect.map(|v| v as f64);
    dvec2(x + w * s, y + h * t) / SIZE as f64
}

/// A point of a disc: its radius, and the cosine and sine of its angle.
pub(crate) type Spoke = (f64, f64, f64);

/// Rings of `spokes` points around a point in the middle, and the triangles.
pub(crate) fn disc(radii: &[f64], spokes: u32) -> (Vec<Spoke>, Vec<[u32; 3]>) {
    let mut points = vec![(0.0, 1.0, 0.0)];
    for &r in radii {
        for i in 0..spokes {
            let turn = std::f64::consts::TAU * f64::from(i) / f64::from(spokes);
            points.push((r, cos(turn), sin(turn)));
        }
    }
    let mut tris = Vec::new();
    for i in 0..spokes {
        let n = (i + 1) % spokes;
        tris.push([0, 1 + i, 1 + n]);
        for ring in 1..radii.len() as u32 {
            let (a, b) = (1 + (ring - 1) * spokes, 1 + ring * spokes);
            tris.extend([[a + i, b + i, b + n], [a + i, b + n, a + n]]);
        }
    }
    (points, tris)
}

/// The triangles of a grid whose points run down its columns.
pub(crate) fn strip(columns: u32, rows: u32) -> Vec<[u32; 3]> {
    let mut tris = Vec::new();
    for c in 0..columns {
        for r in 0..rows - 1 {
            let (a, b) = (c * rows + r, (c + 1) * rows + r);
            tris.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
        }
    }
    tris
}

/// A tangent frame on a surface.
pub(crate) struct Frame<'a> {
    field: Field<'a>,
    at: DVec3,
    right: DVec3,
    up: DVec3,
    out: DVec3,
}

impl Frame<'_> {
    pub(crate) fn new(field: Field<'_>, at: DVec3, out: DVec3) -> Frame<'_> {
        let out = out.normalize();
        let right = DVec3::Y.cross(out).normalize();
        Frame { field, at: project(field, at), right, up: out.cross(right), out }
    }

    /// The point of the surface below plane coordinates, raised by `height`, and the surface's normal there.
    pub(crate) fn on(&self, a: f64, b: f64, height: f64) -> (DVec3, DVec3) {
        // Marches along the frame's axis: projection along the slope would crowd points on bulges.
        let mut p = self.at + self.right * a + self.up * b + self.out * 0.05;
        for _ in 0..24 {
            p -= self.out * ((self.field)(p) * 0.8);
        }
        let n = normal(self.field, p);
        (p + n * height, n)
    }
}

impl Patches {
    /// No patches, for a number of morph targets that move the head by `drift`.
    pub(crate) fn new(targets: usize, drift: Drift) -> Patches {
        Patches { points: Vec::new(), tris: Vec::new(), targets, drift }
    }

    /// Adds a patch. `place` returns its points at rest and under each target; `None` if the target only moves it with
    /// the surface. `side` -1 mirrors it. `domed` is `true` for poses with normals by the patch's own shape rather than
    /// the surface's. `skin` is the skin of each point.
    pub(crate) fn add(
        &mut self,
        tris: &[[u32; 3]],
        side: f64,
        domed: impl Fn(Option<usize>) -> bool,
        skin: impl Fn(usize) -> Skin,
        place: impl Fn(Option<usize>) -> Option<Laid>,
    ) {
        let flip = |v: DVec3| dvec3(v.x * side, v.y, v.z);
        // The normals of a dome are the sum of its triangles' normals, or the surface's where the patch has shrunk to
        // nothing.
        let shaded = |points: &Laid, own: bool| -> Vec<DVec3> {
            let mut sums = vec![DVec3::ZERO; points.len()];
            for t in tris {
                let [a, b, c] = t.map(|v| points[v as usize].0);
                let n = (b - a).cross(c - a);
                for &v in t {
                    sums[v as usize] += n;
                }
            }
            points.iter().zip(sums).map(|(p, s)| if own { s.normalize_or(p.1) } else { p.1 }).collect()
        };
        let Some(rest) = place(None) else { return };
        let normals = shaded(&rest, domed(None));
        let first = self.points.len() as u32;
        let poses: Vec<Option<(Laid, Vec<DVec3>)>> = (0..self.targets)
            .map(|t| place(Some(t)).map(|laid| (shaded(&laid, domed(Some(t))), laid)).map(|(n, l)| (l, n)))
            .collect();
        for (i, &(p, _, uv)) in rest.iter().enumerate() {
            let moved = (0..self.targets).map(|t| {
                let (q, n) = match &poses[t] {
                    Some((laid, normals)) => (laid[i].0, normals[i]),
                    None => (p, normals[i]),
                };
                // The patch moves with the surface.
                let drift = flip((self.drift)(t, flip(q)));
                (flip(q + drift), flip(n))
            });
            let moved = moved.collect();
            self.points.push(Point { pos: flip(p), normal: flip(normals[i]), uv, skin: skin(i), moved });
        }
        for &[a, b, c] in tris {
            let t = if side > 0.0 { [a, b, c] } else { [a, c, b] };
            self.tris.push(t.map(|v| v + first));
        }
    }
}
