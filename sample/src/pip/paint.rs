//! Pip's colours.

use super::shape;
use super::skeleton::{EAR, J, JOINTS, SCARF, TAIL};
use crate::maths::{bump, mix, smoothstep};
use crate::paint::{Decal, EYE, MOUTH, NOSE, along, rgb, zigzag};
use glam::{DVec2, DVec3, dvec2, dvec3};

const FUR: DVec3 = rgb(0xF79350);
const FUR_DEEP: DVec3 = rgb(0xE06C36);
const CREAM: DVec3 = rgb(0xFFF2DF);
const PLUM: DVec3 = rgb(0x663650);
const PINK: DVec3 = rgb(0xF9A79F);
const BLUSH: DVec3 = rgb(0xFF8474);
const TEAL: DVec3 = rgb(0x1BA5A2);
const TEAL_DEEP: DVec3 = rgb(0x0E7F86);
const TEAL_PALE: DVec3 = rgb(0xC9F5E6);

fn face(p: DVec3, colour: DVec3) -> DVec3 {
    let x = p.x.abs();
    // The mask: a bib under the eyes that runs out into the cheek tufts.
    let edge = mix(0.652, 0.602, smoothstep(0.0, 0.085, x)) + 0.052 * smoothstep(0.13, 0.25, x)
        - 0.1 * smoothstep(-0.02, -0.1, p.z);
    let mask = smoothstep(-0.007, 0.007, edge - p.y);
    let mut c = colour.lerp(CREAM, mask);
    // Pale brows.
    let q = dvec2(x - 0.083, p.y - 0.778);
    let q = dvec2((q.x + q.y * 0.3) / 0.031, (q.y - q.x * 0.3) / 0.0165);
    if p.z > 0.0 {
        c = c.lerp(CREAM, 0.9 * smoothstep(1.12, 0.88, q.length()));
    }
    // Rosy cheeks.
    let q = dvec2((x - 0.178) / 0.05, (p.y - 0.595) / 0.036);
    if p.z > 0.03 {
        c = c.lerp(BLUSH, 0.62 * smoothstep(1.1, 0.2, q.length()));
    }
    c
}

/// The colour of the body.
pub(crate) fn body(p: DVec3, n: DVec3) -> DVec3 {
    let q = shape::parts(p);
    let x = p.x.abs();
    let m = dvec3(x, p.y, p.z);
    let fur = FUR.lerp(FUR_DEEP, 0.65 * smoothstep(0.2, -0.25, p.z) + 0.35 * smoothstep(0.1, -0.9, n.y));
    let least = q.torso.min(q.arm).min(q.leg).min(q.tail).min(q.head).min(q.ear).min(q.tuft);
    let mut c = fur;
    if q.head < least + 0.02 {
        c = c.lerp(face(p, c), smoothstep(0.02, 0.005, q.head - least));
    }
    // The bib and belly.
    let b = dvec2(x / 0.098, (p.y - 0.315) / mix(0.125, 0.2, smoothstep(0.3, 0.4, p.y)));
    let belly = smoothstep(1.06, 0.94, b.length()) * smoothstep(0.0, 0.04, p.z);
    c = c.lerp(CREAM, belly * smoothstep(0.02, 0.0, q.torso - least));
    // Socks with a ragged edge.
    let (e, w) = (JOINTS[J::LowerArmL as usize].at, JOINTS[J::HandL as usize].at);
    let dir = (w - e).normalize();
    let r = m - e;
    let side = DVec3::Z.cross(dir);
    let u = r.dot(dir) / (w - e).length();
    let sock = smoothstep(-0.05, 0.05, u - 0.42 + 0.13 * zigzag(r.dot(side), r.z, 6.0));
    c = c.lerp(PLUM, sock * smoothstep(0.02, 0.005, q.arm - least));
    let r = m - JOINTS[J::FootL as usize].at;
    let sock = smoothstep(-0.004, 0.004, 0.088 - p.y + 0.011 * zigzag(r.x, r.z + 0.005, 6.0));
    c = c.lerp(PLUM, sock * smoothstep(0.02, 0.005, q.leg - least));
    // The tail's brush.
    let t = along(&TAIL, p);
    let i = (t as usize).min(TAIL.len() - 2);
    let d = (TAIL[i + 1] - TAIL[i]).normalize();
    let r = p - TAIL[i].lerp(TAIL[i + 1], t - i as f64);
    let tip = smoothstep(-0.04, 0.04, t - 3.55 + 0.2 * zigzag(x, r.dot(DVec3::X.cross(d)), 10.0));
    c = c.lerp(CREAM, tip * smoothstep(0.02, 0.005, q.tail - least));
    // Ears: rosy hollows, dark tips.
    let ear = smoothstep(0.02, 0.005, q.ear - least);
    if ear > 0.0 {
        let (length, across, out) = shape::ear_frame();
        let r = m - EAR[0];
        let u = r.dot(length) / (EAR[3] - EAR[0]).length();
        let v = r.dot(across);
        let dark = smoothstep(-0.012, 0.012, u - 0.7 + 0.05 * zigzag(v, r.dot(out), 6.0));
        c = c.lerp(PLUM, dark * ear);
        let oval = dvec2((u - 0.475) / 0.325, v / 0.047).length();
        let facing = n.dot(dvec3(p.x.signum() * out.x, out.y, out.z));
        let inside = smoothstep(1.1, 0.9, oval) * smoothstep(0.0, 0.25, facing);
        c = c.lerp(PINK.lerp(PINK * 0.84, smoothstep(0.45, 0.15, u)), inside);
    }
    // The lock of hair is lighter towards its tip.
    c.lerp(CREAM, 0.6 * smoothstep(0.02, 0.0, q.tuft - least) * smoothstep(0.9, 0.97, p.y))
}

/// The share of a tint that the fur takes: little of it where it is cream.
pub(crate) fn tint(p: DVec3, n: DVec3) -> f64 {
    let c = body(p, n);
    mix(
        0.15,
        1.0,
        smoothstep(35.0, 90.0, c.max_element() - c.min_element()).max(smoothstep(160.0, 130.0, c.x)),
    )
}

/// The colour of the scarf.
pub(crate) fn scarf(p: DVec3, _: DVec3) -> DVec3 {
    let drop = SCARF[0].y - p.y;
    let loose = smoothstep(0.02, 0.04, drop) * smoothstep(0.09, 0.1, p.z);
    let stripes = bump(0.112, 0.136, drop).min(0.5) + bump(0.144, 0.156, drop).min(0.5);
    let fold = smoothstep(0.02, -0.02, p.y - 0.462 + p.z * 0.16);
    TEAL.lerp(TEAL_DEEP, fold * 0.55 * (1.0 - loose)).lerp(TEAL_PALE, (2.0 * stripes).min(1.0) * loose)
}

/// The eye in the unit square: dark lashes above, a deep iris lit from below, two highlights.
fn eye(a: f64, b: f64) -> DVec3 {
    let r = dvec2(a, b).length();
    let white = rgb(0xFFFDF6).lerp(rgb(0xCBD6E2), smoothstep(-0.1, 0.75, b));
    let i = dvec2(a, b + 0.03);
    let ir = dvec2(i.x / 0.82, i.y / 0.88).length();
    let glow = smoothstep(0.45, -0.75, b);
    let iris = rgb(0x0C3F50).lerp(rgb(0x35C9B4), glow);
    let iris = iris.lerp(rgb(0x092C3B), smoothstep(0.84, 0.99, ir));
    let mut c = white.lerp(iris, smoothstep(1.02, 0.98, ir));
    let pupil = dvec2(i.x / 0.45, (i.y - 0.02) / 0.5).length();
    c = c.lerp(rgb(0x101A28), smoothstep(1.06, 0.94, pupil));
    // A crescent of light in the iris.
    let cr = dvec2(i.x / 0.5, (i.y + 0.42) / 0.2).length();
    c = c.lerp(rgb(0x8FF2DC), 0.55 * smoothstep(1.0, 0.3, cr) * smoothstep(0.85, 1.15, pupil));
    let lash = smoothstep(0.775, 0.805, r) * smoothstep(-0.12, 0.08, b);
    let rim = smoothstep(0.9, 0.935, r);
    c = c.lerp(rgb(0x2A1626), lash.max(rim));
    let big = dvec2((a + 0.27) / 0.235, (b - 0.33) / 0.25).length();
    let small = dvec2((a - 0.28) / 0.11, (b + 0.36) / 0.12).length();
    c = c.lerp(rgb(0xFFFFFF), smoothstep(1.06, 0.92, big));
    c.lerp(rgb(0xF4FFFC), 0.92 * smoothstep(1.1, 0.88, small))
}

/// The mouth: `a` from corner to corner, `v` from the upper lip down.
fn mouth(a: f64, v: f64) -> DVec3 {
    let dark = rgb(0x4A1730).lerp(rgb(0x7A2440), smoothstep(0.15, 0.7, v));
    let t = dvec2(a / 0.62, (v - 1.0) / 0.46).length();
    let c = dark.lerp(rgb(0xFF7F86), smoothstep(1.06, 0.94, t));
    let line = rgb(0x4A1F30);
    let lip = smoothstep(0.12, 0.06, v).max(smoothstep(0.93, 0.96, v)).max(smoothstep(0.9, 0.95, a.abs()));
    c.lerp(line, lip)
}

fn nose(a: f64, b: f64) -> DVec3 {
    let c = rgb(0x3A1E2C).lerp(rgb(0x5E3346), smoothstep(-0.3, 0.9, b));
    let shine = dvec2((a + 0.2) / 0.42, (b - 0.52) / 0.2).length();
    c.lerp(rgb(0xFFE9E4), 0.85 * smoothstep(1.1, 0.6, shine))
}

/// The eye, the mouth and the nose. Eye and nose have a margin of two texels, so that filtering does not lose the
/// outermost ring.
pub(crate) const DECALS: [Decal; 3] = [
    (EYE, |s: DVec2| eye((s.x * 2.0 - 1.0) * 1.04, (1.0 - s.y * 2.0) * 1.04)),
    (MOUTH, |s: DVec2| mouth((s.x * 2.0 - 1.0) * 1.04, mix(-0.05, 1.05, s.y))),
    (NOSE, |s: DVec2| nose(s.x * 2.0 - 1.0, 1.0 - s.y * 2.0)),
];
