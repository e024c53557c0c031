//! Fen's shape: the body with its clothes, the hands and the bow tie, as distance fields.

use super::skeleton::{ARM, LEG, finger_points, hand_frame};
use crate::field::{chain, ellipsoid, smax, smin, taper};
use crate::maths::{mix, smoothstep};
use glam::{DVec3, dvec3};
use std::sync::LazyLock;

/// Distances to the parts of the left half; their smooth union is the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    pub(crate) head: f64,
    pub(crate) torso: f64,
    pub(crate) arm: f64,
    pub(crate) shorts: f64,
    pub(crate) leg: f64,
}

fn head(p: DVec3) -> f64 {
    let skull = ellipsoid(p, dvec3(0.0, 1.2, 0.02), dvec3(0.132, 0.088, 0.112));
    let jaw = ellipsoid(p, dvec3(0.0, 1.16, 0.04), dvec3(0.146, 0.066, 0.112));
    let snout = ellipsoid(p, dvec3(0.0, 1.185, 0.085), dvec3(0.075, 0.05, 0.075));
    // The eyes stand on domes.
    let dome = ellipsoid(p, dvec3(0.079, 1.277, 0.042), dvec3(0.062, 0.07, 0.064));
    smin(smin(smin(skull, jaw, 0.05), snout, 0.05), dome, 0.035)
}

fn torso(p: DVec3) -> f64 {
    let trunk = taper(p, dvec3(0.0, 0.76, 0.0), dvec3(0.0, 0.97, -0.004), 0.076, 0.078);
    let belly = ellipsoid(p, dvec3(0.0, 0.82, 0.014), dvec3(0.084, 0.095, 0.078));
    let shoulders = taper(p, dvec3(0.0, 0.99, -0.004), dvec3(0.075, 1.0, -0.004), 0.064, 0.042);
    let neck = taper(p, dvec3(0.0, 1.02, 0.0), dvec3(0.0, 1.12, 0.01), 0.046, 0.05);
    smin(smin(smin(trunk, belly, 0.04), shoulders, 0.05), neck, 0.035)
}

fn arm(p: DVec3) -> f64 {
    let d = chain(p, &ARM, &[0.037, 0.029, 0.024], 0.02);
    // The sleeve ends in a cuff, which covers the wrist.
    let (along, _, _) = hand_frame();
    let cuff = taper(p, ARM[2] - along * 0.026, ARM[2] + along * 0.004, 0.027, 0.0305);
    smin(d, cuff, 0.006)
}

fn shorts(p: DVec3) -> f64 {
    let hips = ellipsoid(p, dvec3(0.0, 0.71, 0.0), dvec3(0.104, 0.07, 0.083));
    let leg = taper(p, dvec3(0.058, 0.69, 0.0), dvec3(0.075, 0.475, 0.013), 0.061, 0.058);
    smin(hips, smax(leg, 0.455 - p.y, 0.012), 0.03)
}

fn leg(p: DVec3) -> f64 {
    let d = chain(p, &[LEG[0], LEG[1], LEG[2]], &[0.05, 0.036, 0.026], 0.02);
    let foot = chain(
        p,
        &[LEG[2] + dvec3(0.0, -0.03, -0.012), LEG[3] + dvec3(0.0, 0.005, 0.0)],
        &[0.033, 0.031],
        0.02,
    );
    let mut d = smin(d, foot, 0.03);
    // Three long toes with round pads.
    for tip in [dvec3(0.056, 0.02, 0.158), dvec3(0.092, 0.02, 0.176), dvec3(0.13, 0.02, 0.15)] {
        let toe = taper(p, dvec3(mix(0.086, tip.x, 0.35), 0.024, 0.07), tip, 0.026, 0.013);
        let pad = (p - tip).length() - 0.0185;
        d = smin(d, smin(toe, pad, 0.008), 0.014);
    }
    smax(d, -p.y, 0.014)
}

/// The distances to each part, mirrored across x = 0.
pub(crate) fn parts(p: DVec3) -> Parts {
    let p = dvec3(p.x.abs(), p.y, p.z);
    Parts { head: head(p), torso: torso(p), arm: arm(p), shorts: shorts(p), leg: leg(p) }
}

impl Parts {
    pub(crate) fn least(&self) -> f64 {
        self.head.min(self.torso).min(self.arm).min(self.shorts).min(self.leg)
    }
}

/// The distance to the body.
pub(crate) fn body(p: DVec3) -> f64 {
    let q = parts(p);
    let t = smin(smin(q.torso, q.arm, 0.03), q.shorts, 0.012);
    smin(smin(t, q.leg, 0.008), q.head, 0.025)
}

static FINGERS: LazyLock<[[DVec3; 4]; 5]> = LazyLock::new(|| [0, 1, 2, 3, 4].map(finger_points));

/// The distances to the palm and to each finger of the left hand.
pub(crate) fn hand_parts(p: DVec3) -> (f64, [f64; 5]) {
    let p = dvec3(p.x.abs(), p.y, p.z);
    let (along, across, out) = hand_frame();
    let r = p - (ARM[2] + along * 0.034);
    let q = dvec3(r.dot(along), r.dot(across), r.dot(out));
    let palm = ellipsoid(q, DVec3::ZERO, dvec3(0.036, 0.032, 0.017));
    let wrist = taper(p, ARM[2] - along * 0.012, ARM[2] + along * 0.02, 0.019, 0.018);
    let fingers = FINGERS.map(|points| {
        let bones = chain(p, &points, &[0.011, 0.0092, 0.0086, 0.0082], 0.004);
        smin(bones, (p - points[3]).length() - 0.0132, 0.006)
    });
    (smin(palm, wrist, 0.012), fingers)
}

/// The distance to the left hand or its mirror image.
pub(crate) fn hand(p: DVec3) -> f64 {
    let (palm, fingers) = hand_parts(p);
    // Fingers melt into the palm, but not into each other.
    let apart = fingers.into_iter().fold(f64::MAX, |d, f| if d == f64::MAX { f } else { smin(d, f, 0.003) });
    smin(palm, apart, 0.011)
}

/// The distance to the bow tie: two wings and a knot.
pub(crate) fn tie(p: DVec3) -> f64 {
    let x = p.x.abs();
    let q = dvec3(x, p.y, p.z);
    let knot = ellipsoid(q, dvec3(0.0, 1.048, 0.066), dvec3(0.014, 0.015, 0.013));
    // The wings are flat and widen outwards.
    let (a, b) = (dvec3(0.012, 1.048, 0.066), dvec3(0.052, 1.05, 0.058));
    let flat = |v: DVec3| dvec3(v.x, v.y, a.z + (v.z - a.z) * 1.9);
    let wing = taper(flat(q), flat(a), flat(b), 0.011, 0.026) * 0.55;
    let wing = smax(wing, q.x - 0.066, 0.008);
    smin(knot, wing, 0.006)
}

/// The target edge length near a point of the body.
pub(crate) fn body_size(p: DVec3) -> f64 {
    let q = parts(p);
    let least = q.least();
    let near = |d: f64, size: f64, s: f64| mix(size, s.max(size), smoothstep(0.0, 0.02, d - least));
    let mut s: f64 = 0.03;
    s = near(q.torso, 0.03, s);
    s = near(q.shorts, 0.026, s);
    s = near(q.leg, 0.024, s);
    s = near(q.arm, 0.021, s);
    s = near(q.head, 0.0185, s);
    s = mix(s, 0.013, smoothstep(0.06, 0.045, p.y));
    let hem = smoothstep(0.03, 0.01, (p.y - 0.46).abs());
    s = mix(s, 0.016, hem * smoothstep(0.03, 0.0, q.shorts));
    let cuff = smoothstep(0.03, 0.015, (dvec3(p.x.abs(), p.y, p.z) - ARM[2]).length() - 0.025);
    s = mix(s, 0.0105, cuff);
    let dome = smoothstep(1.235, 1.26, p.y);
    s = mix(s, 0.0155, dome);
    let mouth = smoothstep(0.02, 0.07, p.z) * smoothstep(1.11, 1.13, p.y) * smoothstep(1.215, 1.195, p.y);
    mix(s, 0.0165, mouth)
}

/// The target edge length near a point of a hand.
pub(crate) fn hand_size(p: DVec3) -> f64 {
    let (palm, fingers) = hand_parts(p);
    let finger = fingers.into_iter().fold(f64::MAX, f64::min);
    mix(0.0085, 0.0135, smoothstep(0.0, 0.012, finger - palm))
}
