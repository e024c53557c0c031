//! Spherical interpolation, four rotations at a time, without the host's sine and arctangent: these differ from machine
//! to machine, and the same file, clip and time must give the same bits everywhere.

use super::simd::F32x4;

/// Below this angle (radians) a straight line and the arc differ by less than f32 resolves.
pub(super) const NO_TURN: f32 = 1.0 / 1024.0;

/// The angle between two unit quaternions of one hemisphere, and the factor of [`slerp_weight`].
pub(super) fn segment(a: [f32; 4], b: [f32; 4]) -> (f32, f32) {
    // From the chord, which is exact where the cosine is not; in f64, with operations that have the same bits
    // on every machine (a host's arctangent would not).
    let length = |combine: fn(f64, f64) -> f64| {
        let [x, y, z, w] = std::array::from_fn(|i| combine(a[i].into(), b[i].into()));
        (x * x + y * y + z * z + w * w).sqrt()
    };
    let (chord, sum) = (length(|a, b| a - b), length(|a, b| a + b));
    let angle = (2.0 * arctangent(chord / sum)) as f32;
    let angle = angle.max(NO_TURN);
    (angle, scale_of(angle))
}

/// The cosine between two unit quaternions. Not glam's, which adds up in another order where it uses SIMD.
pub(super) fn dot(a: [f32; 4], b: [f32; 4]) -> f64 {
    let [x, y, z, w] = std::array::from_fn(|i| f64::from(a[i]) * f64::from(b[i]));
    x + y + z + w
}

/// `½ / tan(angle / 2)`, with the tangent that the kernel uses, so that the weights of the ends are 0 and 1.
pub(super) fn scale_of(angle: f32) -> f32 {
    0.5 / tangent(F32x4::splat(0.5 * angle)).to_array()[0]
}

/// How far along the chord from `a` to `b` lies the point where the arc has gone the fraction `u`.
///
/// With `v = u − ½` and the angle φ between the quaternions, it is `½ + ½·tan(vφ)/tan(φ/2)`. The chord's
/// point is then on the right ray, and its length does not matter. So this is slerp, not an approximation of
/// it, at the price of one polynomial.
#[inline(always)]
pub(super) fn slerp_weight(u: F32x4, angle: F32x4, scale: F32x4) -> F32x4 {
    let half = F32x4::splat(0.5);
    half + scale * tangent((u - half) * angle)
}

/// The tangent for −π/4 … π/4, where rotations of up to half a turn lie; within 1e-7, relative.
#[inline(always)]
fn tangent(x: F32x4) -> F32x4 {
    let z = x * x;
    let [c0, c1, c2, c3, c4, c5] = TANGENT;
    let p = F32x4::splat(c5) * z + F32x4::splat(c4);
    let p = p * z + F32x4::splat(c3);
    let p = p * z + F32x4::splat(c2);
    let p = p * z + F32x4::splat(c1);
    let p = p * z + F32x4::splat(c0);
    x + x * (z * p)
}

/// A minimax fit of `(tan x − x) / x³` in x².
const TANGENT: [f32; 6] =
    [0.333_331_56, 0.133_388, 0.053_411_208, 0.024_430_394, 0.003_119_510_6, 0.009_385_643];

/// The arctangent of 0 … 1 within 1e-15, by its series after two halvings of the angle.
fn arctangent(x: f64) -> f64 {
    let halve = |x: f64| x / (1.0 + (1.0 + x * x).sqrt());
    let x = halve(halve(x));
    let z = x * x;
    let mut sum = 0.0;
    for n in (0..12).rev() {
        sum = 1.0 / f64::from(2 * n + 1) - z * sum;
    }
    4.0 * x * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangent_and_arctangent_agree_with_the_host() {
        for i in -1000..=1000_i32 {
            let x = std::f64::consts::FRAC_PI_4 * f64::from(i) / 1000.0;
            let got = f64::from(tangent(F32x4::splat(x as f32)).to_array()[0]);
            let want = f64::from(x as f32).tan();
            assert!((got - want).abs() <= 1e-7 * want.abs(), "{x} {got} {want}");
            let x = f64::from(i.abs()) / 1000.0;
            assert!((arctangent(x) - x.atan()).abs() < 1e-15, "{x}");
        }
    }
}
