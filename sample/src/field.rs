//! Signed distance fields: ellipsoids and tapered capsules, smooth unions of them, and their surfaces.
//!
//! The distances are estimates (nearly exact only near the surface). That suffices for polygonising and for Newton's
//! projection.

use crate::maths::mix;
use glam::{DVec3, dvec3};

/// A distance field.
pub(crate) type Field<'a> = &'a dyn Fn(DVec3) -> f64;

/// The smooth union of two distances, rounded over the length `k`.
pub(crate) fn smin(a: f64, b: f64, k: f64) -> f64 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * k * 0.25
}

/// The smooth intersection of two distances.
pub(crate) fn smax(a: f64, b: f64, k: f64) -> f64 {
    -smin(-a, -b, k)
}

/// The first-order distance to an ellipsoid: its implicit function divided by the function's slope.
pub(crate) fn ellipsoid(p: DVec3, centre: DVec3, radii: DVec3) -> f64 {
    let q = (p - centre) / radii;
    let l = q.length();
    let slope = (q / radii).length();
    if slope < 1e-9 { -radii.min_element() } else { (l - 1.0) * l / slope }
}

/// The hull of two spheres: radius `ra` at `a`, `rb` at `b`.
pub(crate) fn taper(p: DVec3, a: DVec3, b: DVec3, ra: f64, rb: f64) -> f64 {
    let ab = b - a;
    let l = ab.length();
    let y = (p - a).dot(ab) / l;
    let x = ((p - a).length_squared() - y * y).max(0.0).sqrt();
    // The centre of the nearest sphere between the two is displaced along the axis by the slope.
    let m = ((ra - rb) / l).clamp(-0.97, 0.97);
    let s = (y - m * x / (1.0 - m * m).sqrt()).clamp(0.0, l);
    (x * x + (y - s) * (y - s)).sqrt() - mix(ra, rb, s / l)
}

/// Tapered capsules through points, joined smoothly over the length `k`.
pub(crate) fn chain(p: DVec3, points: &[DVec3], radii: &[f64], k: f64) -> f64 {
    let mut d = f64::MAX;
    for i in 1..points.len() {
        let e = taper(p, points[i - 1], points[i], radii[i - 1], radii[i]);
        d = if i == 1 { e } else { smin(d, e, k) };
    }
    d
}

/// [`chain`] along a smooth curve: each piece between two points has a point in its middle. `bulge` is added to the
/// radius in the middle of the last piece.
pub(crate) fn curved<const N: usize>(
    p: DVec3,
    points: &[DVec3; N],
    radii: &[f64; N],
    bulge: f64,
    k: f64,
) -> f64 {
    let mut d = f64::MAX;
    for i in 0..N - 1 {
        let (p0, p1) = (points[i.max(1) - 1], points[i]);
        let (p2, p3) = (points[i + 1], points[(i + 2).min(N - 1)]);
        let middle = (p1 + p2) * 0.5625 - (p0 + p3) * 0.0625;
        let thick = (radii[i] + radii[i + 1]) * 0.5 + if i == N - 2 { bulge } else { 0.0 };
        let e = taper(p, p1, middle, radii[i], thick);
        d = if i == 0 { e } else { smin(d, e, k) };
        d = smin(d, taper(p, middle, p2, thick, radii[i + 1]), k);
    }
    d
}

/// The gradient of a distance, by four samples at the corners of a tetrahedron.
pub(crate) fn gradient(f: Field<'_>, p: DVec3) -> DVec3 {
    const E: f64 = 2e-4;
    let mut g = DVec3::ZERO;
    for s in [dvec3(1.0, -1.0, -1.0), dvec3(-1.0, -1.0, 1.0), dvec3(-1.0, 1.0, -1.0), dvec3(1.0, 1.0, 1.0)] {
        g += s * f(p + s * E);
    }
    g / (4.0 * E)
}

/// The outward normal.
pub(crate) fn normal(f: Field<'_>, p: DVec3) -> DVec3 {
    gradient(f, p).normalize_or(DVec3::Y)
}

/// `p` projected onto the surface by Newton steps along the gradient.
pub(crate) fn project(f: Field<'_>, mut p: DVec3) -> DVec3 {
    for _ in 0..3 {
        let g = gradient(f, p);
        let d = f(p);
        let step = g * (d / g.length_squared().max(0.05));
        p -= step;
        if d.abs() < 1e-6 {
            break;
        }
    }
    p
}
