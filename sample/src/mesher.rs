//! Polygonises a distance field (naive surface nets) and remeshes it to the edge lengths of a size field.

use crate::field::{Field, gradient, project};
use glam::{DVec3, dvec3};
use std::collections::BTreeMap;

/// A triangle mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mesh {
    pub(crate) pos: Vec<DVec3>,
    pub(crate) tris: Vec<[u32; 3]>,
}

/// A mesh with one vertex per cell that the surface crosses, and one quad per crossed grid edge.
///
/// With `half`, only x >= 0 is meshed and the border lies exactly in the plane x = 0.
pub(crate) fn surface_nets(f: Field<'_>, mut lo: DVec3, hi: DVec3, h: f64, half: bool) -> Mesh {
    if half {
        lo.x = -0.5 * h;
    }
    let n = ((hi - lo) / h).ceil();
    let (nx, ny, nz) = (n.x as usize + 1, n.y as usize + 1, n.z as usize + 1);
    let at = |i: usize, j: usize, k: usize| lo + dvec3(i as f64, j as f64, k as f64) * h;
    let id = |i: usize, j: usize, k: usize| (i * ny + j) * nz + k;

    // Far from the surface one coarse sample decides a whole block.
    const BLOCK: usize = 4;
    let mut grid = vec![1.0; nx * ny * nz];
    let reach = h * BLOCK as f64 * 1.9;
    for bi in (0..nx).step_by(BLOCK) {
        for bj in (0..ny).step_by(BLOCK) {
            for bk in (0..nz).step_by(BLOCK) {
                let mid = at(bi, bj, bk) + DVec3::splat(h * (BLOCK as f64 - 1.0) * 0.5);
                let d = f(mid);
                for i in bi..(bi + BLOCK).min(nx) {
                    for j in bj..(bj + BLOCK).min(ny) {
                        for k in bk..(bk + BLOCK).min(nz) {
                            grid[id(i, j, k)] = if d.abs() > reach { d } else { f(at(i, j, k)) };
                        }
                    }
                }
            }
        }
    }

    let mut mesh = Mesh::default();
    let mut cell = vec![u32::MAX; nx * ny * nz];
    for i in 0..nx - 1 {
        for j in 0..ny - 1 {
            for k in 0..nz - 1 {
                let corner = |c: usize| (i + (c & 1), j + (c >> 1 & 1), k + (c >> 2 & 1));
                let value = |c: usize| {
                    let (a, b, d) = corner(c);
                    grid[id(a, b, d)]
                };
                let mut sum = DVec3::ZERO;
                let mut count = 0.0;
                for c in 0..8usize {
                    for bit in [1usize, 2, 4] {
                        if c & bit != 0 {
                            continue;
                        }
                        let (a, b) = (value(c), value(c | bit));
                        if (a < 0.0) != (b < 0.0) {
                            let (ci, cj, ck) = corner(c);
                            let (di, dj, dk) = corner(c | bit);
                            let t = a / (a - b);
                            sum += at(ci, cj, ck).lerp(at(di, dj, dk), t);
                            count += 1.0;
                        }
                    }
                }
                if count > 0.0 {
                    let mut p = sum / count;
                    if half && i == 0 {
                        p.x = 0.0;
                    }
                    cell[id(i, j, k)] = mesh.pos.len() as u32;
                    mesh.pos.push(p);
                }
            }
        }
    }

    let mut quad = |c: [u32; 4], flip: bool| {
        let [a, b, d, e] = if flip { [c[3], c[2], c[1], c[0]] } else { c };
        let p = |v: u32| mesh.pos[v as usize];
        if p(a).distance_squared(p(d)) < p(b).distance_squared(p(e)) {
            mesh.tris.extend([[a, b, d], [a, d, e]]);
        } else {
            mesh.tris.extend([[a, b, e], [b, d, e]]);
        }
    };
    let first = usize::from(half);
    for i in 0..nx - 1 {
        for j in 1..ny - 1 {
            for k in 1..nz - 1 {
                let here = grid[id(i, j, k)] < 0.0;
                let c = |a: usize, b: usize, d: usize| cell[id(i - a, j - b, k - d)];
                let crossed = |v: f64| here != (v < 0.0);
                if crossed(grid[id(i + 1, j, k)]) {
                    quad([c(0, 1, 1), c(0, 0, 1), c(0, 0, 0), c(0, 1, 0)], !here);
                }
                if i < first.max(1) {
                    continue;
                }
                if crossed(grid[id(i, j + 1, k)]) {
                    quad([c(1, 0, 1), c(1, 0, 0), c(0, 0, 0), c(0, 0, 1)], !here);
                }
                if crossed(grid[id(i, j, k + 1)]) {
                    quad([c(1, 1, 0), c(0, 1, 0), c(0, 0, 0), c(1, 0, 0)], !here);
                }
            }
        }
    }
    mesh
}

/// The triangles around each vertex.
pub(crate) fn fans(mesh: &Mesh) -> Vec<Vec<u32>> {
    let mut fans = vec![Vec::new(); mesh.pos.len()];
    for (t, tri) in mesh.tris.iter().enumerate() {
        for &v in tri {
            fans[v as usize].push(t as u32);
        }
    }
    fans
}

/// The triangles beside each edge.
pub(crate) fn edges(mesh: &Mesh) -> BTreeMap<(u32, u32), Vec<u32>> {
    let mut edges: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
    for (t, tri) in mesh.tris.iter().enumerate() {
        for i in 0..3 {
            let (a, b) = (tri[i], tri[(i + 1) % 3]);
            edges.entry((a.min(b), a.max(b))).or_default().push(t as u32);
        }
    }
    edges
}

/// The vertices that share an edge with each vertex.
pub(crate) fn rings(mesh: &Mesh) -> Vec<Vec<u32>> {
    let mut rings = vec![Vec::new(); mesh.pos.len()];
    for tri in &mesh.tris {
        for i in 0..3 {
            let v = &mut rings[tri[i] as usize];
            v.extend([tri[(i + 1) % 3], tri[(i + 2) % 3]]);
        }
    }
    for r in &mut rings {
        r.sort_unstable();
        r.dedup();
    }
    rings
}

fn cross(mesh: &Mesh, tri: [u32; 3]) -> DVec3 {
    let [a, b, c] = tri.map(|v| mesh.pos[v as usize]);
    (b - a).cross(c - a)
}

/// `true` if a vertex is on the border of a half mesh.
fn on_border(mesh: &Mesh, half: bool, v: u32) -> bool {
    half && mesh.pos[v as usize].x == 0.0
}

/// `true` if a vertex is one of the pinned tips.
fn held(mesh: &Mesh, pins: &[DVec3], v: u32) -> bool {
    pins.contains(&mesh.pos[v as usize])
}

fn collapse(mesh: &mut Mesh, f: Field<'_>, size: Field<'_>, half: bool, pins: &[DVec3], least: f64) -> usize {
    let fan = fans(mesh);
    let ring = rings(mesh);
    let mut order: Vec<(f64, u32, u32, bool)> = edges(mesh)
        .into_iter()
        .filter_map(|((a, b), tris)| {
            let (p, q) = (mesh.pos[a as usize], mesh.pos[b as usize]);
            let ratio = p.distance(q) / size((p + q) * 0.5);
            (ratio < least).then_some((ratio, a, b, tris.len() == 1))
        })
        .collect();
    order.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    let mut locked = vec![false; mesh.pos.len()];
    let mut dead = vec![false; mesh.tris.len()];
    let mut done = 0;
    for (_, a, b, rim) in order {
        if locked[a as usize] || locked[b as usize] {
            continue;
        }
        let (sa, sb) = (on_border(mesh, half, a), on_border(mesh, half, b));
        if sa && sb && !rim {
            continue;
        }
        let (pinned_a, pinned_b) = (held(mesh, pins, a), held(mesh, pins, b));
        if pinned_a && pinned_b || pinned_a && sb && !sa || pinned_b && sa && !sb {
            continue;
        }
        // The vertex that must not move is kept.
        let swap = sb && !sa || pinned_b;
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let fixed = sa != sb || pinned_a || pinned_b;
        let border = sa || sb;
        let shared = ring[a as usize].iter().filter(|v| ring[b as usize].contains(v)).count();
        if shared != if rim { 1 } else { 2 } {
            continue;
        }
        let (pa, pb) = (mesh.pos[a as usize], mesh.pos[b as usize]);
        let mut to = if fixed { pa } else { project(f, (pa + pb) * 0.5) };
        if border {
            to.x = 0.0;
        }
        // No triangle may flip, become thin or become too long.
        let fine = [(a, b), (b, a)].iter().all(|&(v, other)| {
            fan[v as usize].iter().all(|&t| {
                let tri = mesh.tris[t as usize];
                if tri.contains(&other) {
                    return true;
                }
                let before = cross(mesh, tri);
                let [p, q, r] = tri.map(|w| if w == v { to } else { mesh.pos[w as usize] });
                let after = (q - p).cross(r - p);
                let longest = p.distance(q).max(q.distance(r)).max(r.distance(p));
                after.dot(before) > 0.5 * after.length() * before.length()
                    && after.length() > 0.12 * longest * longest
                    && longest < 1.7 * size(to)
            })
        });
        if !fine {
            continue;
        }
        mesh.pos[a as usize] = to;
        for &t in &fan[b as usize] {
            let tri = &mut mesh.tris[t as usize];
            if tri.contains(&a) {
                dead[t as usize] = true;
            } else {
                for v in tri.iter_mut() {
                    if *v == b {
                        *v = a;
                    }
                }
            }
        }
        for &v in ring[a as usize].iter().chain(&ring[b as usize]) {
            locked[v as usize] = true;
        }
        locked[a as usize] = true;
        locked[b as usize] = true;
        done += 1;
    }
    let mut i = 0;
    mesh.tris.retain(|_| {
        i += 1;
        !dead[i - 1]
    });
    compact(mesh);
    done
}

fn compact(mesh: &mut Mesh) {
    let mut map = vec![u32::MAX; mesh.pos.len()];
    let mut pos = Vec::new();
    for tri in &mut mesh.tris {
        for v in tri {
            let m = &mut map[*v as usize];
            if *m == u32::MAX {
                *m = pos.len() as u32;
                pos.push(mesh.pos[*v as usize]);
            }
            *v = *m;
        }
    }
    mesh.pos = pos;
}

/// Flips edges whose opposite angles sum to more than 180° (Delaunay's rule).
fn flip(mesh: &mut Mesh) {
    let edges = edges(mesh);
    let ring = rings(mesh);
    let mut locked = vec![false; mesh.pos.len()];
    for (&(a, b), tris) in &edges {
        let &[s, t] = tris.as_slice() else { continue };
        let apex = |t: u32| mesh.tris[t as usize].into_iter().find(|&v| v != a && v != b);
        let (Some(c), Some(d)) = (apex(s), apex(t)) else { continue };
        if [a, b, c, d].iter().any(|&v| locked[v as usize]) || ring[c as usize].contains(&d) {
            continue;
        }
        let [pa, pb, pc, pd] = [a, b, c, d].map(|v| mesh.pos[v as usize]);
        let angle = |p: DVec3| {
            let (u, v) = (pa - p, pb - p);
            (u.dot(v), u.cross(v).length())
        };
        let ((c1, s1), (c2, s2)) = (angle(pc), angle(pd));
        if s1 * c2 + c1 * s2 >= -1e-12 {
            continue;
        }
        // The winding is preserved: triangle s runs a -> b or b -> a.
        let forward = {
            let tri = mesh.tris[s as usize];
            (0..3).any(|i| tri[i] == a && tri[(i + 1) % 3] == b)
        };
        let new = if forward { [[a, d, c], [d, b, c]] } else { [[a, c, d], [d, c, b]] };
        let old = cross(mesh, mesh.tris[s as usize]) + cross(mesh, mesh.tris[t as usize]);
        let fine = new.iter().all(|&n| {
            let v = cross(mesh, n);
            v.dot(old) > 0.6 * v.length() * old.length()
        });
        if !fine {
            continue;
        }
        mesh.tris[s as usize] = new[0];
        mesh.tris[t as usize] = new[1];
        for v in [a, b, c, d] {
            locked[v as usize] = true;
        }
    }
}

fn relax(mesh: &mut Mesh, f: Field<'_>, half: bool, pins: &[DVec3]) {
    let ring = rings(mesh);
    let old = mesh.pos.clone();
    for (v, p) in mesh.pos.iter_mut().enumerate() {
        let border = half && old[v].x == 0.0;
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for &w in &ring[v] {
            if !border || old[w as usize].x == 0.0 {
                sum += old[w as usize];
                count += 1.0;
            }
        }
        if count == 0.0 || pins.contains(p) {
            continue;
        }
        let n = gradient(f, old[v]).normalize_or(DVec3::Y);
        let step = (sum / count - old[v]) * 0.5;
        let mut q = project(f, old[v] + step - n * step.dot(n));
        if border {
            q.x = 0.0;
        } else if half {
            q.x = q.x.max(1e-4);
        }
        *p = q;
    }
}

/// Coarsens a fine mesh to the edge lengths of `size`, with regular triangles on the surface of `f`.
///
/// The vertices nearest to the `tips` are moved there and pinned: otherwise remeshing would round off sharp points.
pub(crate) fn remesh(mesh: &mut Mesh, f: Field<'_>, size: Field<'_>, half: bool, tips: &[DVec3]) {
    for p in &mut mesh.pos {
        let seam = half && p.x == 0.0;
        *p = project(f, *p);
        if seam {
            p.x = 0.0;
        }
    }
    let mut pins = Vec::new();
    for &tip in tips {
        let mut to = project(f, tip);
        if half && tip.x == 0.0 {
            to.x = 0.0;
        }
        let able = |p: &DVec3| !half || (p.x == 0.0) == (to.x == 0.0);
        let near = (0..mesh.pos.len())
            .filter(|&v| able(&mesh.pos[v]))
            .min_by(|&a, &b| mesh.pos[a].distance(to).total_cmp(&mesh.pos[b].distance(to)));
        if let Some(v) = near {
            mesh.pos[v] = to;
            pins.push(to);
        }
    }
    for round in 0..24 {
        let done = collapse(mesh, f, size, half, &pins, 0.85);
        if round % 3 == 2 {
            flip(mesh);
        }
        if done * 200 < mesh.pos.len() {
            break;
        }
    }
    for _ in 0..5 {
        flip(mesh);
        relax(mesh, f, half, &pins);
    }
    collapse(mesh, f, size, half, &pins, 0.7);
    for _ in 0..3 {
        flip(mesh);
        relax(mesh, f, half, &pins);
    }
    flip(mesh);
}
