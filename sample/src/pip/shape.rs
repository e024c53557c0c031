//! Pip's shape: the body and the scarf as distance fields.

use super::skeleton::{EAR, J, JOINTS, SCARF, TAIL, THUMB, TUFT};
use crate::field::{chain, curved, ellipsoid, smax, smin, taper};
use crate::maths::{mix, smoothstep};
use glam::{DVec3, dvec3};

/// The tips of the two tufts of each cheek.
const CHEEK_TIPS: [DVec3; 2] = [dvec3(0.332, 0.572, -0.014), dvec3(0.312, 0.668, -0.03)];
/// The tip of the side lock.
const TUFT_TIP: DVec3 = dvec3(0.108, 0.94, 0.07);

/// The tips of the shape, which remeshing must keep.
pub(crate) const TIPS: [DVec3; 6] = [
    dvec3(0.342, 0.572, -0.016),
    dvec3(0.321, 0.671, -0.033),
    dvec3(0.3152, 1.131, -0.0508),
    dvec3(0.0, 0.568, -0.373),
    dvec3(0.0, 0.987, 0.077),
    dvec3(0.113, 0.9462, 0.0688),
];

/// Distances to the parts of the left half; their smooth union is the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    pub(crate) head: f64,
    pub(crate) tuft: f64,
    pub(crate) ear: f64,
    pub(crate) torso: f64,
    pub(crate) arm: f64,
    pub(crate) thumb: f64,
    pub(crate) leg: f64,
    pub(crate) tail: f64,
}

fn at(j: J) -> DVec3 {
    JOINTS[j as usize].at
}

/// The frame of the left ear: along it, across it, and out of its hollow side.
pub(crate) fn ear_frame() -> (DVec3, DVec3, DVec3) {
    let along = (EAR[3] - EAR[0]).normalize();
    let facing = dvec3(0.3, 0.0, 1.0);
    let out = (facing - along * facing.dot(along)).normalize();
    (along, out.cross(along), out)
}

fn ear(p: DVec3) -> f64 {
    let (_, _, out) = ear_frame();
    // Space is scaled along the ear's facing, so that round capsules become a flat leaf.
    const THIN: f64 = 0.54;
    let flat = |q: DVec3| q + out * ((q - EAR[0]).dot(out) * (1.0 / THIN - 1.0));
    let points = [EAR[0], EAR[1], EAR[2], (EAR[2] + EAR[3]) * 0.5, EAR[3]].map(flat);
    let q = flat(p);
    let d = chain(q, &points, &[0.06, 0.084, 0.066, 0.043, 0.019], 0.025) * 0.55;
    smax(d, -ear_hollow(p), 0.018)
}

/// The distance to the ellipsoid that hollows out the left ear.
fn ear_hollow(p: DVec3) -> f64 {
    let (_, _, out) = ear_frame();
    let r = p - (EAR[0] * 0.37 + EAR[2] * 0.63 + out * 0.036);
    let along = (EAR[2] - EAR[0]).normalize();
    ellipsoid(dvec3(r.dot(along), r.dot(out.cross(along)), r.dot(out)), DVec3::ZERO, dvec3(0.12, 0.05, 0.031))
}

fn head(p: DVec3) -> f64 {
    let skull = ellipsoid(p, dvec3(0.0, 0.675, 0.0), dvec3(0.25, 0.2, 0.212));
    let cheek = ellipsoid(p, dvec3(0.118, 0.605, 0.045), dvec3(0.13, 0.098, 0.135));
    let fluff = chain(
        p,
        &[dvec3(0.15, 0.6, 0.01), dvec3(0.245, 0.572, 0.0), CHEEK_TIPS[0]],
        &[0.085, 0.055, 0.009],
        0.03,
    );
    let fluff_up = chain(
        p,
        &[dvec3(0.17, 0.65, 0.0), dvec3(0.247, 0.645, -0.012), CHEEK_TIPS[1]],
        &[0.075, 0.043, 0.009],
        0.03,
    );
    let muzzle = ellipsoid(p, dvec3(0.0, 0.592, 0.17), dvec3(0.1, 0.072, 0.092));
    let mut d = smin(skull, cheek, 0.07);
    d = smin(d, fluff, 0.035);
    d = smin(d, fluff_up, 0.03);
    smin(d, muzzle, 0.055)
}

fn tuft(p: DVec3) -> f64 {
    // Locks that rise, lean forward and curl back at the tip.
    let mid = chain(
        p,
        &[dvec3(0.0, 0.835, 0.05), dvec3(0.0, 0.895, 0.105), dvec3(0.0, 0.938, 0.108), TUFT[1]],
        &[0.052, 0.038, 0.027, 0.007],
        0.03,
    );
    let side = chain(
        p,
        &[dvec3(0.036, 0.835, 0.05), dvec3(0.062, 0.882, 0.084), TUFT_TIP],
        &[0.045, 0.033, 0.008],
        0.03,
    );
    smin(mid, side, 0.02)
}

fn torso(p: DVec3) -> f64 {
    let belly = ellipsoid(p, dvec3(0.0, 0.285, 0.005), dvec3(0.148, 0.13, 0.135));
    let chest = taper(p, dvec3(0.0, 0.3, 0.0), dvec3(0.0, 0.46, -0.005), 0.125, 0.092);
    smin(belly, chest, 0.06)
}

fn arm(p: DVec3) -> f64 {
    let d = chain(p, &[at(J::UpperArmL), at(J::LowerArmL), at(J::HandL)], &[0.05, 0.043, 0.044], 0.03);
    let w = at(J::HandL);
    let dir = (JOINTS[J::HandL as usize].tip - w).normalize();
    let palm = taper(p, w + dir * 0.012, w + dir * 0.042, 0.046, 0.046);
    smin(d, palm, 0.03)
}

fn thumb(p: DVec3) -> f64 {
    taper(p, THUMB[0], THUMB[1], 0.026, 0.0205)
}

fn leg(p: DVec3) -> f64 {
    let d = chain(p, &[at(J::UpperLegL), at(J::LowerLegL), at(J::FootL)], &[0.078, 0.061, 0.053], 0.03);
    let foot = ellipsoid(p, dvec3(0.098, 0.034, 0.04), dvec3(0.064, 0.052, 0.1));
    let d = smin(d, foot, 0.035);
    smax(d, -p.y, 0.024)
}

fn tail(p: DVec3) -> f64 {
    curved(p, &TAIL, &[0.036, 0.05, 0.083, 0.108, 0.09, 0.008], 0.012, 0.04)
}

/// The distances to each part, mirrored across x = 0.
pub(crate) fn parts(p: DVec3) -> Parts {
    let p = dvec3(p.x.abs(), p.y, p.z);
    Parts {
        head: head(p),
        tuft: tuft(p),
        ear: ear(p),
        torso: torso(p),
        arm: arm(p),
        thumb: thumb(p),
        leg: leg(p),
        tail: tail(p),
    }
}

/// The distance to the body.
pub(crate) fn body(p: DVec3) -> f64 {
    let q = parts(p);
    let mut d = smin(q.head, q.ear, 0.05);
    d = smin(d, q.tuft, 0.028);
    let mut t = smin(q.torso, smin(q.arm, q.thumb, 0.018), 0.035);
    t = smin(t, q.leg, 0.04);
    t = smin(t, q.tail, 0.05);
    smin(d, t, 0.03)
}

/// The distance to the scarf: a ring around the neck, a knot and two loose ends.
pub(crate) fn scarf(p: DVec3) -> f64 {
    let c = dvec3(0.0, 0.458, 0.003);
    // The ring dips at the front.
    let q = p - c + DVec3::Y * ((p.z - c.z) * 0.16);
    let ring = (dvec3(q.x, 0.0, q.z * 1.02).length() - 0.101).abs();
    // A slightly flattened tube, wider than tall, with one soft fold.
    let tube = dvec3(ring, q.y * 1.02, 0.0).length() - 0.043;
    let knot = ellipsoid(p, dvec3(0.066, 0.444, 0.114), dvec3(0.036, 0.033, 0.034));
    let flat = |v: DVec3| v + DVec3::Z * ((v.z - SCARF[0].z - (SCARF[0].y - v.y) * 0.3) * 1.1);
    let end = chain(flat(p), &SCARF.map(flat), &[0.022, 0.034, 0.04], 0.03) * 0.55;
    let b = [SCARF[0], SCARF[0] + dvec3(-0.035, -0.055, 0.02)];
    let short = taper(flat(p), flat(b[0]), flat(b[1]), 0.018, 0.031) * 0.55;
    let end = smin(end, short, 0.012);
    smin(smin(tube, knot, 0.02), end, 0.016)
}

/// The target edge length near a point of the body: short where details are visible or the shape is thin.
pub(crate) fn body_size(p: DVec3) -> f64 {
    let q = parts(p);
    let least = q.head.min(q.torso).min(q.arm).min(q.thumb).min(q.leg).min(q.tail).min(q.ear).min(q.tuft);
    let mut s: f64 = 0.041;
    let near = |d: f64, size: f64, s: f64| mix(size, s.max(size), smoothstep(0.0, 0.03, d - least));
    s = near(q.torso, 0.041, s);
    s = mix(s, 0.029, smoothstep(0.06, 0.0, q.arm) * smoothstep(0.06, 0.02, q.torso));
    s = near(q.leg, 0.033, s);
    s = near(q.arm, 0.027, s);
    s = near(q.tail, 0.036, s);
    s = near(q.ear, 0.0185, s);
    s = near(q.tuft, 0.0175, s);
    s = mix(s, 0.0185, smoothstep(0.03, 0.0, q.arm - least) * smoothstep(0.3, 0.27, p.y));
    s = near(q.thumb, 0.0135, s);
    s = mix(s, 0.025, smoothstep(0.1, 0.07, p.y));
    // The face, the cheek tufts and the tips.
    let x = p.x.abs();
    let face = smoothstep(0.02, 0.12, p.z) * smoothstep(0.48, 0.54, p.y) * smoothstep(0.84, 0.76, p.y);
    s = mix(s, 0.021, face);
    let tips = smoothstep(0.21, 0.27, x) * smoothstep(0.5, 0.53, p.y) * smoothstep(0.74, 0.7, p.y);
    s = mix(s, 0.0145, tips);
    let tail_tip = smoothstep(0.47, 0.54, p.y) * smoothstep(-0.3, -0.33, p.z);
    s = mix(s, 0.021, tail_tip);
    let ear_tip = smoothstep(1.04, 1.08, p.y);
    s = mix(s, 0.015, ear_tip);
    mix(s, 0.0105, smoothstep(1.095, 1.115, p.y))
}

/// The target edge length near a point of the scarf.
pub(crate) fn scarf_size(p: DVec3) -> f64 {
    mix(0.028, 0.02, smoothstep(0.06, 0.1, p.z) * smoothstep(0.46, 0.42, p.y))
}
