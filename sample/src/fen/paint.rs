//! Fen's colours.

use super::shape;
use super::skeleton::{ARM, hand_frame};
use crate::maths::{mix, smoothstep};
use crate::paint::{Decal, EYE, MOUTH, NOSE, rgb};
use glam::{DVec2, DVec3, dvec2, dvec3};

const GREEN: DVec3 = rgb(0x8CCB4E);
const GREEN_DEEP: DVec3 = rgb(0x4C9A45);
const CREAM: DVec3 = rgb(0xF6F0C4);
const ORANGE: DVec3 = rgb(0xF58A3C);
const BLUSH: DVec3 = rgb(0xF59A6E);
const SHIRT: DVec3 = rgb(0xFBF6EA);
const SHIRT_DEEP: DVec3 = rgb(0xE4DCCB);
const VEST: DVec3 = rgb(0xD9503F);
const VEST_DEEP: DVec3 = rgb(0xA83338);
const SHORTS: DVec3 = rgb(0x34507E);
const SHORTS_DEEP: DVec3 = rgb(0x253A60);
const BRASS: DVec3 = rgb(0xF7D36B);

/// The colour of the body.
pub(crate) fn body(p: DVec3, n: DVec3) -> DVec3 {
    let q = shape::parts(p);
    let m = dvec3(p.x.abs(), p.y, p.z);
    let clothed = q.torso.min(q.arm);
    if q.shorts < q.leg - 0.0015 && q.shorts < clothed - 0.001 && q.shorts < q.head {
        // Shorts with a paler hem.
        let hem = smoothstep(0.478, 0.474, p.y) * smoothstep(0.462, 0.466, p.y);
        return SHORTS_DEEP.lerp(SHORTS, smoothstep(-0.9, 0.4, n.y + n.z)).lerp(rgb(0x6C8CBC), 0.6 * hem);
    }
    if q.leg < clothed && q.leg < q.head {
        let skin = GREEN_DEEP.lerp(GREEN, smoothstep(-0.9, 0.5, n.z));
        let pads = [dvec3(0.056, 0.02, 0.158), dvec3(0.092, 0.02, 0.176), dvec3(0.13, 0.02, 0.15)];
        let near = pads.into_iter().map(|pad| pad.distance(m)).fold(f64::MAX, f64::min);
        return skin.lerp(ORANGE, smoothstep(0.026, 0.021, near));
    }
    if q.arm < q.torso && q.arm < q.head {
        // The sleeve, and a button on the cuff.
        let (along, _, out) = hand_frame();
        let end = (m - ARM[2]).dot(along);
        let fold = 0.6 * smoothstep(-0.032, -0.029, end) * smoothstep(-0.024, -0.027, end);
        let button = (m - ARM[2] + along * 0.01 + out * 0.03).length();
        return SHIRT.lerp(SHIRT_DEEP, fold).lerp(BRASS, smoothstep(0.0085, 0.007, button));
    }
    if q.torso < q.head && p.y < 1.052 {
        return clothes(m, n);
    }
    skin(m, n)
}

/// The shirt, and the vest on it, with its opening, edges and buttons.
fn clothes(p: DVec3, n: DVec3) -> DVec3 {
    let front = smoothstep(0.0, 0.02, p.z);
    // The vest has a neckline, and openings for the arms.
    let neck = mix(-1.0, 0.0, front) + smoothstep(0.9, 1.04, p.y) * front;
    let line = 0.05 * neck.max(0.0) - p.x + 0.002;
    let collar = smoothstep(1.03, 1.036, p.y)
        .max(front * smoothstep(-0.002, 0.002, line) * smoothstep(0.9, 0.91, p.y));
    let sleeve = smoothstep(0.071, 0.076, p.x) * smoothstep(0.92, 0.95, p.y);
    let shirt = collar.max(sleeve);
    let mut c = VEST_DEEP.lerp(VEST, smoothstep(-1.0, 0.3, n.y + n.z));
    let stripe = smoothstep(0.0022, 0.0012, (p.x - 0.002).abs()) * front * smoothstep(0.91, 0.9, p.y);
    let edge = smoothstep(0.008, 0.005, line.abs()) * front * smoothstep(0.9, 0.92, p.y);
    c = c.lerp(VEST_DEEP * 0.8, stripe.max(0.8 * edge));
    for y in [0.78, 0.825, 0.87] {
        let d = dvec2(p.x - 0.018, p.y - y).length();
        c = c.lerp(BRASS, front * smoothstep(0.0082, 0.0066, d));
    }
    // A pocket.
    let pocket = dvec2((p.x - 0.052).abs() - 0.015, (p.y - 0.79).abs() - 0.004).max_element();
    c = c.lerp(VEST_DEEP * 0.85, front * smoothstep(0.001, -0.001, pocket));
    c.lerp(SHIRT, shirt)
}

fn skin(p: DVec3, n: DVec3) -> DVec3 {
    let mut c = GREEN.lerp(GREEN_DEEP, smoothstep(0.06, -0.1, p.z).max(0.35 * smoothstep(1.22, 1.26, p.y)));
    // The throat and the lower jaw are cream.
    let edge = mix(1.158, 1.148, smoothstep(0.05, 0.14, p.x));
    let throat = smoothstep(-0.008, 0.006, edge - p.y) * smoothstep(-0.06, 0.0, p.z);
    c = c.lerp(CREAM, throat);
    // Spots on the crown and the back of the head.
    for (at, r) in [
        (dvec3(0.0, 1.285, -0.01), 0.02),
        (dvec3(0.04, 1.265, -0.075), 0.017),
        (dvec3(0.1, 1.25, -0.06), 0.02),
        (dvec3(0.075, 1.2, -0.1), 0.022),
        (dvec3(0.0, 1.22, -0.105), 0.024),
        (dvec3(0.122, 1.19, -0.045), 0.014),
    ] {
        c = c.lerp(GREEN_DEEP * 0.82, 0.75 * smoothstep(r, r * 0.82, p.distance(at)));
    }
    // The lids around the eyes are paler.
    let lid = p.distance(dvec3(0.079, 1.272, 0.045));
    c = c.lerp(rgb(0xB9E27A), 0.5 * smoothstep(0.075, 0.064, lid) * smoothstep(0.04, 0.08, p.z));
    let blush = dvec2((p.x - 0.108) / 0.026, (p.y - 1.19) / 0.017).length();
    if p.z > 0.02 && n.z > 0.0 {
        c = c.lerp(BLUSH, 0.6 * smoothstep(1.1, 0.25, blush));
    }
    // Nostrils.
    let nostril = dvec2((p.x - 0.02) / 0.0068, (p.y - 1.213) / 0.0052).length();
    if p.z > 0.1 {
        c = c.lerp(rgb(0x2F5C34), 0.9 * smoothstep(1.2, 0.6, nostril));
    }
    c
}

/// The colour of the hands: orange pads at the fingertips.
pub(crate) fn hand(p: DVec3, n: DVec3) -> DVec3 {
    let m = dvec3(p.x.abs(), p.y, p.z);
    let near = (0..5).map(|f| super::skeleton::finger_points(f)[3].distance(m)).fold(f64::MAX, f64::min);
    GREEN_DEEP
        .lerp(GREEN, smoothstep(-1.0, 0.3, n.z + 0.3 * n.y))
        .lerp(ORANGE, smoothstep(0.0185, 0.015, near))
}

/// The share of a tint that the skin and the shorts take; shirt, vest, throat and pads keep their colours.
pub(crate) fn tint(p: DVec3, n: DVec3) -> f64 {
    let c = body(p, n);
    smoothstep(8.0, 40.0, c.y - c.x)
}

/// The colour of the bow tie.
pub(crate) fn tie(p: DVec3, _: DVec3) -> DVec3 {
    let cell = dvec2(p.x.abs() / 0.017, (p.y - 1.048) / 0.017);
    let d = (cell - dvec2(cell.x.round(), cell.y.round())).length();
    let knot = smoothstep(0.015, 0.012, p.x.abs());
    rgb(0x2C4A8A).lerp(rgb(0xF6E7B2), smoothstep(0.27, 0.2, d) * (1.0 - knot)).lerp(rgb(0x223A70), knot)
}

/// The eye in the unit square: a golden iris with a wide pupil.
fn eye(a: f64, b: f64) -> DVec3 {
    let r = dvec2(a, b).length();
    let white = rgb(0xFFFDF2).lerp(rgb(0xD8DCC6), smoothstep(-0.1, 0.75, b));
    let i = dvec2(a, b);
    let ir = dvec2(i.x / 0.7, i.y / 0.72).length();
    let iris = rgb(0x8A4B1C).lerp(rgb(0xE9A537), smoothstep(0.55, -0.6, b));
    let iris = iris.lerp(rgb(0x4A2410), smoothstep(0.8, 0.99, ir));
    let mut c = white.lerp(iris, smoothstep(1.03, 0.97, ir));
    let pupil = dvec2(i.x / 0.46, i.y / 0.36).length();
    c = c.lerp(rgb(0x17120E), smoothstep(1.07, 0.93, pupil));
    let lash = smoothstep(0.84, 0.87, r) * smoothstep(-0.05, 0.15, b);
    let rim = smoothstep(0.92, 0.95, r);
    c = c.lerp(rgb(0x22381F), lash.max(rim));
    let big = dvec2((a + 0.24) / 0.19, (b - 0.28) / 0.2).length();
    let small = dvec2((a - 0.24) / 0.09, (b + 0.3) / 0.09).length();
    c = c.lerp(rgb(0xFFFFFF), smoothstep(1.06, 0.92, big));
    c.lerp(rgb(0xFFF8E0), 0.9 * smoothstep(1.1, 0.88, small))
}

fn mouth(a: f64, v: f64) -> DVec3 {
    let dark = rgb(0x53202C).lerp(rgb(0x8C3442), smoothstep(0.15, 0.7, v));
    let t = dvec2(a / 0.68, (v - 1.02) / 0.5).length();
    let c = dark.lerp(rgb(0xF58A86), smoothstep(1.06, 0.94, t));
    let line = rgb(0x2E5A30);
    let lip = smoothstep(0.1, 0.05, v).max(smoothstep(0.94, 0.97, v)).max(smoothstep(0.94, 0.97, a.abs()));
    c.lerp(line, lip)
}

/// The eye, the mouth and the brows.
pub(crate) const DECALS: [Decal; 3] = [
    (EYE, |s: DVec2| eye((s.x * 2.0 - 1.0) * 1.04, (1.0 - s.y * 2.0) * 1.04)),
    (MOUTH, |s: DVec2| mouth((s.x * 2.0 - 1.0) * 1.04, mix(-0.05, 1.05, s.y))),
    (NOSE, |s: DVec2| rgb(0x2F6B36).lerp(rgb(0x24552C), s.x)),
];
