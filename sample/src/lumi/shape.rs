//! Lumi's shape as a distance field.

use super::skeleton::{EAR, FORELEG, HIND, TAIL};
use crate::field::{chain, curved, ellipsoid, smax, smin, taper};
use crate::maths::{mix, smoothstep};
use glam::{DVec3, dvec3};

/// The tips of the shape, which remeshing must keep.
pub(crate) const TIPS: [DVec3; 2] = [dvec3(0.222, 0.5, 0.2), dvec3(0.0, 0.545, -0.742)];

/// Distances to the parts of the left half; their smooth union is the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    pub(crate) head: f64,
    pub(crate) ear: f64,
    pub(crate) torso: f64,
    pub(crate) fore: f64,
    pub(crate) hind: f64,
    pub(crate) tail: f64,
}

fn head(p: DVec3) -> f64 {
    let skull = ellipsoid(p, dvec3(0.0, 0.575, 0.235), dvec3(0.166, 0.135, 0.142));
    let cheek = ellipsoid(p, dvec3(0.082, 0.53, 0.27), dvec3(0.094, 0.07, 0.09));
    let fluff = chain(
        p,
        &[dvec3(0.1, 0.535, 0.24), dvec3(0.165, 0.512, 0.215), dvec3(0.216, 0.501, 0.202)],
        &[0.07, 0.042, 0.01],
        0.03,
    );
    let muzzle = ellipsoid(p, dvec3(0.0, 0.52, 0.345), dvec3(0.072, 0.05, 0.062));
    let pad = ellipsoid(p, dvec3(0.03, 0.512, 0.378), dvec3(0.04, 0.034, 0.034));
    let d = smin(smin(skull, cheek, 0.06), fluff, 0.035);
    smin(smin(d, muzzle, 0.045), pad, 0.025)
}

/// The frame of the left ear: along it, across it, and out of its hollow side.
pub(crate) fn ear_frame() -> (DVec3, DVec3, DVec3) {
    let along = (EAR[2] - EAR[0]).normalize();
    let facing = dvec3(0.25, 0.0, 1.0);
    let out = (facing - along * facing.dot(along)).normalize();
    (along, out.cross(along), out)
}

/// A point in the ear's frame: along, across and out.
pub(crate) fn in_ear(p: DVec3) -> DVec3 {
    let (along, across, out) = ear_frame();
    let r = p - EAR[0].lerp(EAR[2], 0.42);
    dvec3(r.dot(along), r.dot(across), r.dot(out))
}

fn ear(p: DVec3) -> f64 {
    let q = in_ear(p);
    let leaf = ellipsoid(q, DVec3::ZERO, dvec3(0.068, 0.054, 0.026));
    smax(leaf, -ellipsoid(q, dvec3(0.002, 0.0, 0.026), dvec3(0.049, 0.04, 0.022)), 0.014)
}

fn torso(p: DVec3) -> f64 {
    let back = taper(p, dvec3(0.0, 0.325, -0.205), dvec3(0.0, 0.325, 0.05), 0.112, 0.118);
    let chest = ellipsoid(p, dvec3(0.0, 0.315, 0.085), dvec3(0.1, 0.105, 0.1));
    let neck = taper(p, dvec3(0.0, 0.37, 0.08), dvec3(0.0, 0.5, 0.19), 0.1, 0.088);
    let bib = chain(
        p,
        &[dvec3(0.0, 0.42, 0.2), dvec3(0.0, 0.35, 0.188), dvec3(0.0, 0.28, 0.16)],
        &[0.05, 0.052, 0.03],
        0.03,
    );
    smin(smin(smin(back, chest, 0.06), neck, 0.06), bib, 0.05)
}

fn fore(p: DVec3) -> f64 {
    let d = chain(p, &[FORELEG[1], FORELEG[2], FORELEG[3]], &[0.06, 0.048, 0.04], 0.03);
    let paw = ellipsoid(p, dvec3(0.095, 0.03, 0.132), dvec3(0.05, 0.042, 0.064));
    smax(smin(d, paw, 0.03), -p.y, 0.02)
}

fn hind(p: DVec3) -> f64 {
    let thigh = ellipsoid(p, dvec3(0.078, 0.275, -0.195), dvec3(0.068, 0.105, 0.09));
    let d = chain(p, &[HIND[0], HIND[1], HIND[2]], &[0.07, 0.056, 0.039], 0.03);
    let hock = taper(p, HIND[2], HIND[3], 0.036, 0.036);
    let paw = ellipsoid(p, dvec3(0.096, 0.029, -0.188), dvec3(0.048, 0.041, 0.062));
    let d = smin(smin(d, thigh, 0.05), hock, 0.02);
    smax(smin(d, paw, 0.03), -p.y, 0.02)
}

fn tail(p: DVec3) -> f64 {
    curved(p, &TAIL, &[0.044, 0.05, 0.059, 0.068, 0.074, 0.064, 0.02], 0.012, 0.04)
}

/// The distances to each part, mirrored across x = 0.
pub(crate) fn parts(p: DVec3) -> Parts {
    let p = dvec3(p.x.abs(), p.y, p.z);
    Parts { head: head(p), ear: ear(p), torso: torso(p), fore: fore(p), hind: hind(p), tail: tail(p) }
}

impl Parts {
    pub(crate) fn least(&self) -> f64 {
        self.head.min(self.ear).min(self.torso).min(self.fore).min(self.hind).min(self.tail)
    }
}

/// The distance to the body.
pub(crate) fn body(p: DVec3) -> f64 {
    let q = parts(p);
    let d = smin(q.head, q.ear, 0.03);
    let mut t = smin(q.torso, q.fore, 0.045);
    t = smin(t, q.hind, 0.045);
    t = smin(t, q.tail, 0.05);
    smin(d, t, 0.05)
}

/// The target edge length near a point of the body.
pub(crate) fn body_size(p: DVec3) -> f64 {
    let q = parts(p);
    let least = q.least();
    let near = |d: f64, size: f64, s: f64| mix(size, s.max(size), smoothstep(0.0, 0.03, d - least));
    let mut s: f64 = 0.028;
    s = near(q.torso, 0.03, s);
    s = near(q.tail, 0.025, s);
    s = near(q.fore, 0.0205, s);
    s = near(q.hind, 0.022, s);
    s = near(q.head, 0.022, s);
    s = near(q.ear, 0.0125, s);
    s = mix(s, 0.0145, smoothstep(0.08, 0.06, p.y));
    let face = smoothstep(0.26, 0.33, p.z) * smoothstep(0.45, 0.48, p.y);
    s = mix(s, 0.0155, face);
    let tips = smoothstep(0.15, 0.19, p.x.abs()) * smoothstep(0.45, 0.47, p.y);
    s = mix(s, 0.012, tips);
    mix(s, 0.02, smoothstep(0.45, 0.5, p.y) * smoothstep(-0.7, -0.73, p.z))
}
