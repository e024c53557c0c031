//! Functions that the standard library leaves to the platform, implemented in plain arithmetic.
//!
//! `f64::sin` and similar functions may differ in the last bit between machines; additions, multiplications, divisions
//! and square roots do not. The character must have the same bytes everywhere, so this crate calls no transcendental
//! function of `std`.

use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Sine, by range reduction and a Taylor polynomial (error below 1e-11).
pub(crate) fn sin(x: f64) -> f64 {
    let mut x = x - TAU * (x / TAU).round();
    if x > FRAC_PI_2 {
        x = PI - x;
    } else if x < -FRAC_PI_2 {
        x = -PI - x;
    }
    let x2 = x * x;
    let mut term = x;
    let mut sum = x;
    for i in 1..9 {
        let n = f64::from(2 * i);
        term *= -x2 / (n * (n + 1.0));
        sum += term;
    }
    sum
}

/// Cosine.
pub(crate) fn cos(x: f64) -> f64 {
    sin(x + FRAC_PI_2)
}

/// Sine of a phase counted in whole turns.
pub(crate) fn wave(turns: f64) -> f64 {
    sin(turns * TAU)
}

/// Hermite step from 0 at `a` to 1 at `b` (`a` may exceed `b`).
pub(crate) fn smoothstep(a: f64, b: f64, x: f64) -> f64 {
    let t = ((x - a) / (b - a)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Linear blend.
pub(crate) fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// A bump that is 0 outside `a..b` and 1 at the middle, smooth at both ends.
pub(crate) fn bump(a: f64, b: f64, x: f64) -> f64 {
    let m = 0.5 * (a + b);
    smoothstep(a, m, x) * smoothstep(b, m, x)
}

/// Rotation by `degrees` about a unit axis.
pub(crate) fn turn(axis: DVec3, degrees: f64) -> DQuat {
    let half = degrees.to_radians() * 0.5;
    let v = axis * sin(half);
    DQuat::from_xyzw(v.x, v.y, v.z, cos(half))
}

/// Yaw about Y, then pitch about X, then roll about Z (each in the rotated frame), in degrees.
pub(crate) fn euler(pitch: f64, yaw: f64, roll: f64) -> DQuat {
    turn(DVec3::Y, yaw) * turn(DVec3::X, pitch) * turn(DVec3::Z, roll)
}

/// The shortest rotation that takes direction `a` to direction `b` (both of length one).
pub(crate) fn arc(a: DVec3, b: DVec3) -> DQuat {
    let c = a.cross(b);
    let w = 1.0 + a.dot(b);
    if w < 1e-6 {
        return DQuat::IDENTITY;
    }
    let q = DQuat::from_xyzw(c.x, c.y, c.z, w);
    scaled_to_one(q)
}

/// The rotation whose columns are an orthonormal basis.
pub(crate) fn from_basis(x: DVec3, y: DVec3, z: DVec3) -> DQuat {
    // Shepperd's choice of the largest component keeps the square root well away from zero.
    let t = x.x + y.y + z.z;
    let q = if t > 0.0 {
        DQuat::from_xyzw(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + t)
    } else if x.x > y.y && x.x > z.z {
        DQuat::from_xyzw(1.0 + x.x - y.y - z.z, y.x + x.y, z.x + x.z, y.z - z.y)
    } else if y.y > z.z {
        DQuat::from_xyzw(y.x + x.y, 1.0 - x.x + y.y - z.z, z.y + y.z, z.x - x.z)
    } else {
        DQuat::from_xyzw(z.x + x.z, z.y + y.z, 1.0 - x.x - y.y + z.z, x.y - y.x)
    };
    scaled_to_one(q)
}

fn scaled_to_one(q: DQuat) -> DQuat {
    let l = (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).sqrt();
    DQuat::from_xyzw(q.x / l, q.y / l, q.z / l, q.w / l)
}
