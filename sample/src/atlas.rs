//! Cuts meshes into charts, each projected along one axis, and packs them into one square image.
//!
//! Colour depends only on the position on the surface, so both sides of a cut agree and no seam is visible.

use crate::mesher::{Mesh, edges};
use glam::{DVec2, DVec3, dvec2};
use std::collections::BTreeMap;

/// The width and height of the image.
pub(crate) const SIZE: usize = 512;
/// Empty texels around each chart, filled with its border colour.
const GUTTER: f64 = 3.0;

/// A reserved rectangle of the image: x, y, width, height.
pub(crate) type Rect = [usize; 4];

const AXES: [DVec3; 6] = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];

/// A piece of a mesh, projected to the plane of the image.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    /// The index of the mesh that it was cut from.
    pub(crate) mesh: usize,
    pub(crate) tris: Vec<u32>,
    axis: usize,
    lo: DVec2,
    span: DVec2,
    place: DVec2,
}

/// All charts, and the number of texels per metre.
#[derive(Clone, Debug)]
pub(crate) struct Atlas {
    pub(crate) charts: Vec<Chart>,
    scale: f64,
}

fn flatten(axis: usize, p: DVec3) -> DVec2 {
    match axis {
        0 => dvec2(-p.z, p.y),
        1 => dvec2(p.z, p.y),
        2 => dvec2(p.x, -p.z),
        3 => dvec2(p.x, p.z),
        4 => dvec2(p.x, p.y),
        _ => dvec2(-p.x, p.y),
    }
}

fn unit_normal(mesh: &Mesh, t: usize) -> DVec3 {
    let [a, b, c] = mesh.tris[t].map(|v| mesh.pos[v as usize]);
    (b - a).cross(c - a).normalize_or(DVec3::Y)
}

/// The part of the plane that a growing chart already covers, so that an overhang starts a new chart.
#[derive(Default)]
struct Cover(BTreeMap<(i32, i32), (f64, f64)>);

impl Cover {
    /// Adds a triangle unless it would overlap a distant part of the chart.
    fn claim(&mut self, mesh: &Mesh, t: usize, axis: usize) -> bool {
        const CELL: f64 = 0.004;
        const NEAR: f64 = 0.03;
        const STEPS: u32 = 8;
        let corners = mesh.tris[t].map(|v| mesh.pos[v as usize]);
        let mut cells = Vec::new();
        for i in 0..=STEPS {
            for j in 0..=STEPS - i {
                let (u, v) = (f64::from(i) / f64::from(STEPS), f64::from(j) / f64::from(STEPS));
                let p = corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v;
                let q = flatten(axis, p) / CELL;
                let depth = p.dot(AXES[axis]);
                let key = (q.x.floor() as i32, q.y.floor() as i32);
                if let Some(&(lo, hi)) = self.0.get(&key)
                    && (depth < hi - NEAR || depth > lo + NEAR)
                {
                    return false;
                }
                cells.push((key, depth));
            }
        }
        for (key, depth) in cells {
            let e = self.0.entry(key).or_insert((depth, depth));
            *e = (e.0.min(depth), e.1.max(depth));
        }
        true
    }
}

/// Groups triangles by the axis that they face, without tiny groups.
fn cut(mesh: &Mesh) -> Vec<(usize, Vec<u32>)> {
    let normals: Vec<DVec3> = (0..mesh.tris.len()).map(|t| unit_normal(mesh, t)).collect();
    let mut beside = vec![Vec::new(); mesh.tris.len()];
    for tris in edges(mesh).values() {
        if let &[s, t] = tris.as_slice() {
            beside[s as usize].push(t as usize);
            beside[t as usize].push(s as usize);
        }
    }
    // Front and back are preferred: they are the most visible.
    let liking = |axis: usize| if axis >= 4 { 0.26 } else { 0.0 };
    let score = |t: usize, axis: usize| normals[t].dot(AXES[axis]) + liking(axis);
    let mut label: Vec<usize> = (0..mesh.tris.len())
        .map(|t| (0..6).max_by(|&a, &b| score(t, a).total_cmp(&score(t, b))).unwrap_or(0))
        .collect();
    // Triangles adopt the axes of their neighbours, which straightens the borders.
    for _ in 0..8 {
        let old = label.clone();
        for t in 0..label.len() {
            let pull = |axis: usize| {
                let votes = beside[t].iter().filter(|&&n| old[n] == axis).count() as f64;
                score(t, axis) + 0.28 * votes
            };
            let allowed = (0..6).filter(|&a| normals[t].dot(AXES[a]) > 0.25);
            if let Some(a) = allowed.max_by(|&a, &b| pull(a).total_cmp(&pull(b))) {
                label[t] = a;
            }
        }
    }
    for round in 0.. {
        let mut owner = vec![usize::MAX; label.len()];
        let mut groups: Vec<(usize, Vec<u32>)> = Vec::new();
        for start in 0..label.len() {
            if owner[start] != usize::MAX {
                continue;
            }
            let g = groups.len();
            let mut members = vec![start as u32];
            let mut cover = Cover::default();
            cover.claim(mesh, start, label[start]);
            owner[start] = g;
            let mut i = 0;
            while i < members.len() {
                for &n in &beside[members[i] as usize] {
                    let same = owner[n] == usize::MAX && label[n] == label[start];
                    if same && cover.claim(mesh, n, label[start]) {
                        owner[n] = g;
                        members.push(n as u32);
                    }
                }
                i += 1;
            }
            groups.push((label[start], members));
        }
        if round > 200 {
            return groups;
        }
        // Tiny groups join a neighbouring group whose axis all of their triangles face.
        let mut changed = false;
        for (axis, members) in &groups {
            if members.len() > 24 {
                continue;
            }
            let mut votes = [0usize; 6];
            for &t in members {
                for &n in &beside[t as usize] {
                    if label[n] != *axis {
                        votes[label[n]] += 1;
                    }
                }
            }
            let seen = |a: usize| members.iter().all(|&t| normals[t as usize].dot(AXES[a]) > 0.12);
            let best = (0..6).filter(|&a| votes[a] > 0 && seen(a)).max_by_key(|&a| votes[a]);
            if let Some(a) = best {
                for &t in members {
                    label[t as usize] = a;
                }
                changed = true;
                break;
            }
        }
        if !changed {
            return groups;
        }
    }
    Vec::new()
}

/// Packs boxes on shelves; `None` if they do not fit.
fn pack(charts: &mut [Chart], scale: f64, reserved: Rect) -> Option<()> {
    let limit = |y: f64, h: f64| {
        let [rx, ry, rw, rh] = reserved.map(|v| v as f64);
        debug_assert!(rx + rw >= SIZE as f64);
        if y < ry + rh && y + h > ry { rx } else { SIZE as f64 }
    };
    let (mut x, mut y, mut shelf) = (0.0, 0.0, 0.0f64);
    for c in charts {
        let w = (c.span.x * scale).ceil() + 2.0 * GUTTER;
        let h = (c.span.y * scale).ceil() + 2.0 * GUTTER;
        if x + w > limit(y, h.max(shelf)) {
            y += shelf;
            (x, shelf) = (0.0, 0.0);
        }
        if x + w > limit(y, h) || y + h > SIZE as f64 {
            return None;
        }
        c.place = dvec2(x, y);
        x += w;
        shelf = shelf.max(h);
    }
    Some(())
}

impl Atlas {
    /// Cuts the meshes and packs the charts.
    pub(crate) fn new(meshes: &[&Mesh], reserved: Rect) -> Atlas {
        let mut charts = Vec::new();
        for (m, mesh) in meshes.iter().enumerate() {
            for (axis, tris) in cut(mesh) {
                let mut lo = DVec2::INFINITY;
                let mut hi = DVec2::NEG_INFINITY;
                for &t in &tris {
                    for v in mesh.tris[t as usize] {
                        let p = flatten(axis, mesh.pos[v as usize]);
                        lo = lo.min(p);
                        hi = hi.max(p);
                    }
                }
                charts.push(Chart { mesh: m, tris, axis, lo, span: hi - lo, place: DVec2::ZERO });
            }
        }
        charts.sort_by(|a, b| b.span.y.total_cmp(&a.span.y));
        let mut scale = 600.0;
        while pack(&mut charts, scale, reserved).is_none() {
            scale *= 0.985;
        }
        Atlas { charts, scale }
    }

    /// The texture coordinates of a point of a chart, in texels.
    pub(crate) fn texel(&self, chart: &Chart, p: DVec3) -> DVec2 {
        let q = flatten(chart.axis, p) - chart.lo;
        chart.place + dvec2(q.x, chart.span.y - q.y) * self.scale + DVec2::splat(GUTTER)
    }
}

/// A vertex of the cut mesh: the index of its original vertex, and its texture coordinates in 0..1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub(crate) vertex: u32,
    pub(crate) uv: DVec2,
}

/// Splits a mesh's vertices along the cuts.
pub(crate) fn split(atlas: &Atlas, which: usize, mesh: &Mesh) -> (Vec<Corner>, Vec<[u32; 3]>) {
    let mut corners = Vec::new();
    let mut tris = vec![[0; 3]; mesh.tris.len()];
    for chart in atlas.charts.iter().filter(|c| c.mesh == which) {
        let mut seen = BTreeMap::new();
        for &t in &chart.tris {
            tris[t as usize] = mesh.tris[t as usize].map(|v| {
                *seen.entry(v).or_insert_with(|| {
                    let uv = atlas.texel(chart, mesh.pos[v as usize]) / SIZE as f64;
                    corners.push(Corner { vertex: v, uv });
                    corners.len() as u32 - 1
                })
            });
        }
    }
    (corners, tris)
}
