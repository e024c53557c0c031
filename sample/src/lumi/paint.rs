//! Lumi's colours.

use super::shape;
use super::skeleton::TAIL;
use crate::maths::{mix, smoothstep};
use crate::paint::{Decal, EYE, MOUTH, NOSE, along, rgb};
use glam::{DVec2, DVec3, dvec2, dvec3};

const FUR: DVec3 = rgb(0xD2D5DC);
const FUR_DEEP: DVec3 = rgb(0xA9AFBF);
const WHITE: DVec3 = rgb(0xFBF8F2);
const SPOT: DVec3 = rgb(0x4D5068);
const PINK: DVec3 = rgb(0xF2A7AE);
const BLUSH: DVec3 = rgb(0xF59A9A);

/// A number in 0..1 for a cell of a grid, by integer arithmetic.
fn random(x: i64, y: i64, z: i64, salt: u64) -> f64 {
    let mut h = (x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (y as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
        ^ (z as u64).wrapping_mul(0x1656_67B1_9E37_79F9)
        ^ salt.wrapping_mul(0x27D4_EB2F_1656_67C5);
    h ^= h >> 29;
    h = h.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h ^= h >> 32;
    (h >> 40) as f64 / (1u64 << 24) as f64
}

/// Rosettes: dark rings with a paler middle around the points of a jittered grid; 1 in the dark. Small ones are dots.
fn rosettes(p: DVec3, cell: f64) -> f64 {
    let q = p / cell;
    let [cx, cy, cz] = q.floor().to_array().map(|v| v as i64);
    let mut dark: f64 = 0.0;
    for x in cx - 1..=cx + 1 {
        for y in cy - 1..=cy + 1 {
            for z in cz - 1..=cz + 1 {
                let jitter = |salt: u64| 0.2 + 0.6 * random(x, y, z, salt);
                let at = dvec3(x as f64 + jitter(1), y as f64 + jitter(2), z as f64 + jitter(3));
                let radius = 0.26 + 0.16 * random(x, y, z, 4);
                let d = q.distance(at) / radius;
                let ring = smoothstep(1.0, 0.88, d) * smoothstep(0.4, 0.56, d);
                let dot = smoothstep(0.62, 0.5, d);
                let kind = if random(x, y, z, 5) < 0.62 { ring } else { dot };
                dark = dark.max(kind);
            }
        }
    }
    dark
}

/// The colour of the body.
pub(crate) fn body(p: DVec3, n: DVec3) -> DVec3 {
    let q = shape::parts(p);
    let least = q.least();
    let on = |d: f64| smoothstep(0.025, 0.004, d - least);
    let x = p.x.abs();
    let m = dvec3(x, p.y, p.z);
    let mut c = FUR.lerp(FUR_DEEP, 0.8 * smoothstep(0.1, 0.95, n.y) * on(q.torso.min(q.hind)));
    // The belly, the bib and the insides of the legs are white.
    let under = smoothstep(-0.15, -0.55, n.y) * on(q.torso);
    let bib = smoothstep(0.075, 0.05, x) * smoothstep(0.1, 0.16, p.z) * on(q.torso);
    let inside = smoothstep(0.085, 0.06, x) * on(q.fore.min(q.hind)) * smoothstep(0.3, 0.25, p.y);
    let pale = under.max(bib).max(inside);
    c = c.lerp(WHITE, pale);
    // Socks fade to white.
    c = c.lerp(WHITE, 0.85 * smoothstep(0.085, 0.05, p.y) * on(q.fore.min(q.hind)));
    // Three lines between the toes of each paw.
    for (middle, front) in [(0.0955, 0.15), (0.097, -0.17)] {
        let line = |x: f64| smoothstep(0.0036, 0.0018, (m.x - middle - x).abs());
        let toes = line(-0.021).max(line(0.0)).max(line(0.021));
        let at = smoothstep(front, front + 0.015, p.z) * smoothstep(front + 0.09, front + 0.07, p.z);
        c = c.lerp(SPOT, 0.55 * toes * at * smoothstep(0.062, 0.05, p.y) * smoothstep(0.0, 0.012, p.y));
    }
    // Rosettes, smaller on the legs.
    let body = on(q.torso).max(on(q.hind) * smoothstep(0.2, 0.26, p.y));
    let large = rosettes(m, 0.078) * body;
    let small = rosettes(m + DVec3::splat(0.31), 0.052)
        * on(q.fore.min(q.hind))
        * smoothstep(0.26, 0.21, p.y)
        * smoothstep(0.07, 0.1, p.y);
    c = c.lerp(SPOT, 0.85 * large.max(small) * (1.0 - pale));
    // Rings around the tail, and a dark tip.
    let t = along(&TAIL, p);
    let band = (t * 1.55).fract();
    let ring = smoothstep(0.3, 0.4, band) * smoothstep(0.85, 0.75, band) * smoothstep(0.8, 1.1, t);
    let tip = smoothstep(5.3, 5.45, t);
    c = c.lerp(WHITE, 0.35 * on(q.tail) * smoothstep(0.0, -0.8, n.y));
    c = c.lerp(SPOT, 0.85 * ring.max(tip) * on(q.tail));
    let head = on(q.head);
    if head > 0.0 {
        c = c.lerp(face(m), head);
    }
    let ear = on(q.ear);
    if ear > 0.0 {
        let (_, _, out) = shape::ear_frame();
        let facing = n.dot(dvec3(p.x.signum() * out.x, out.y, out.z));
        let e = shape::in_ear(m);
        let inside = smoothstep(1.1, 0.9, dvec2((e.x - 0.004) / 0.046, e.y / 0.036).length())
            * smoothstep(0.0, 0.25, facing);
        let back = SPOT.lerp(WHITE, smoothstep(1.0, 0.7, dvec2((e.x - 0.01) / 0.03, e.y / 0.026).length()));
        c = c.lerp(FUR, ear).lerp(back, ear * smoothstep(-0.1, -0.4, facing)).lerp(PINK, inside * ear);
    }
    c
}

/// The share of a tint that the fur takes: little of it where it is white.
pub(crate) fn tint(p: DVec3, n: DVec3) -> f64 {
    mix(0.15, 1.0, smoothstep(246.0, 228.0, body(p, n).x))
}

fn face(p: DVec3) -> DVec3 {
    let mut c = FUR.lerp(FUR_DEEP, 0.7 * smoothstep(0.62, 0.7, p.y));
    // A white muzzle, cheeks and brows.
    let edge = mix(0.563, 0.535, smoothstep(0.0, 0.05, p.x)) + 0.02 * smoothstep(0.09, 0.17, p.x);
    c = c.lerp(WHITE, smoothstep(-0.006, 0.006, edge - p.y));
    let brow = dvec2((p.x - 0.05) / 0.022, (p.y - 0.645 - 0.3 * (p.x - 0.05)) / 0.011).length();
    if p.z > 0.2 {
        c = c.lerp(WHITE, 0.95 * smoothstep(1.15, 0.85, brow));
    }
    // Small dots on the brow and the crown; streaks on the cheeks.
    let crown = smoothstep(0.655, 0.668, p.y);
    c = c.lerp(SPOT, 0.85 * rosettes(p + DVec3::splat(0.17), 0.044) * crown);
    let streak = |y: f64| {
        let line = y - 0.1 * (p.x - 0.12);
        smoothstep(0.0055, 0.0035, (p.y - line).abs())
            * smoothstep(0.115, 0.13, p.x)
            * smoothstep(0.19, 0.16, p.x)
    };
    if p.z > 0.1 {
        c = c.lerp(SPOT, 0.75 * streak(0.572).max(streak(0.545)));
    }
    let blush = dvec2((p.x - 0.108) / 0.034, (p.y - 0.525) / 0.022).length();
    if p.z > 0.2 {
        c = c.lerp(BLUSH, 0.5 * smoothstep(1.1, 0.2, blush));
    }
    // Whisker dots.
    for (dx, dy) in [(0.03, 0.517), (0.043, 0.51), (0.037, 0.526)] {
        let d = dvec2(p.x - dx, p.y - dy).length();
        if p.z > 0.34 {
            c = c.lerp(SPOT, 0.6 * smoothstep(0.0036, 0.0022, d));
        }
    }
    c
}

/// The eye in the unit square: an amber iris, lit from below.
fn eye(a: f64, b: f64) -> DVec3 {
    let r = dvec2(a, b).length();
    let white = rgb(0xFFFEFA).lerp(rgb(0xCFD6E4), smoothstep(-0.1, 0.75, b));
    let i = dvec2(a, b + 0.02);
    let ir = dvec2(i.x / 0.83, i.y / 0.87).length();
    let iris = rgb(0x9A4A12).lerp(rgb(0xFFC748), smoothstep(0.5, -0.7, b));
    let iris = iris.lerp(rgb(0x5A2408), smoothstep(0.82, 0.99, ir));
    let mut c = white.lerp(iris, smoothstep(1.02, 0.98, ir));
    let pupil = dvec2(i.x / 0.38, (i.y - 0.02) / 0.5).length();
    c = c.lerp(rgb(0x1B1016), smoothstep(1.06, 0.94, pupil));
    let crescent = dvec2(i.x / 0.5, (i.y + 0.45) / 0.2).length();
    c = c.lerp(rgb(0xFFE9A0), 0.6 * smoothstep(1.0, 0.3, crescent) * smoothstep(0.85, 1.15, pupil));
    let lash = smoothstep(0.78, 0.81, r) * smoothstep(-0.1, 0.1, b);
    let rim = smoothstep(0.89, 0.925, r);
    c = c.lerp(rgb(0x2B2438), lash.max(rim));
    let big = dvec2((a + 0.28) / 0.22, (b - 0.33) / 0.24).length();
    let small = dvec2((a - 0.28) / 0.1, (b + 0.36) / 0.11).length();
    c = c.lerp(rgb(0xFFFFFF), smoothstep(1.06, 0.92, big));
    c.lerp(rgb(0xFFFBEF), 0.92 * smoothstep(1.1, 0.88, small))
}

fn mouth(a: f64, v: f64) -> DVec3 {
    let dark = rgb(0x4A2030).lerp(rgb(0x7C3346), smoothstep(0.15, 0.7, v));
    let t = dvec2(a / 0.62, (v - 1.0) / 0.5).length();
    let c = dark.lerp(rgb(0xFF8F96), smoothstep(1.06, 0.94, t));
    // Two small teeth.
    let tooth = dvec2((a.abs() - 0.42) / 0.1, (v - 0.33) / 0.17).length();
    let c = c.lerp(rgb(0xFFFDF4), smoothstep(1.1, 0.9, tooth));
    let line = rgb(0x43304A);
    let lip = smoothstep(0.1, 0.05, v).max(smoothstep(0.94, 0.97, v)).max(smoothstep(0.92, 0.96, a.abs()));
    c.lerp(line, lip)
}

fn nose(a: f64, b: f64) -> DVec3 {
    let c = rgb(0xC9707C).lerp(rgb(0xEE9AA0), smoothstep(-0.5, 0.8, b));
    let shine = dvec2((a + 0.2) / 0.4, (b - 0.5) / 0.2).length();
    c.lerp(rgb(0xFFF1EE), 0.8 * smoothstep(1.1, 0.6, shine))
}

/// The eye, the mouth and the nose.
pub(crate) const DECALS: [Decal; 3] = [
    (EYE, |s: DVec2| eye((s.x * 2.0 - 1.0) * 1.04, (1.0 - s.y * 2.0) * 1.04)),
    (MOUTH, |s: DVec2| mouth((s.x * 2.0 - 1.0) * 1.04, mix(-0.05, 1.05, s.y))),
    (NOSE, |s: DVec2| nose(s.x * 2.0 - 1.0, 1.0 - s.y * 2.0)),
];
