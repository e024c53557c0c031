//! Spherical linear interpolation (slerp) of four rotations at a time, without the host's sine and
//! arctangent. Those differ between machines, and the same file, clip and time must give the same bits
//! everywhere.
//!
//! A rotation between two keys is on the chord, at the position that corresponds to the fraction `u` of the
//! arc. With `v = u − ½` and the angle φ between the quaternions, that position is
//!
//! `½ + ½·tan(vφ)/tan(φ/2)`
//!
//! The length of the result is arbitrary, because matrices divide by it. The difference from `u` is odd in
//! `v` and zero at both ends, so it is `v(v² − ¼)` times a function of `v²`. Two numbers per segment
//! approximate this function well enough. Up to [`MAX_ANGLE`] the rotation is exact to 1e-7 radians. Wider
//! segments are divided when a clip is compiled.

use crate::simd::F32x4;

/// The largest angle between the quaternions of adjacent keys, in radians. It is half the rotation between
/// them: an eighth of a turn.
pub const MAX_ANGLE: f64 = std::f64::consts::FRAC_PI_8;

/// Below this angle (radians) the difference between a line and the arc is less than the resolution of f32.
const NO_TURN: f64 = 1.0 / 1024.0;

/// The points where the correction of the chord is exact, as distances from the middle. They are zeros of the
/// Chebyshev polynomial of degree 7, scaled until the outermost are at the ends.
const EXACT: [f64; 2] = [0.400_968_867_902_419_1, 0.222_520_933_956_314_4];

/// The angle between two unit quaternions in the same hemisphere, in radians.
pub fn angle(a: [f32; 4], b: [f32; 4]) -> f64 {
    // From the chord, which is exact where the cosine is not. In f64, with operations that have the same bits
    // on every machine, unlike the host's arctangent.
    let length = |combine: fn(f64, f64) -> f64| {
        let [x, y, z, w] = std::array::from_fn(|i| combine(a[i].into(), b[i].into()));
        (x * x + y * y + z * z + w * w).sqrt()
    };
    let (chord, sum) = (length(|a, b| a - b), length(|a, b| a + b));
    2.0 * arctangent(chord / sum)
}

/// `true` if the angle between two unit quaternions in the same hemisphere is at most [`MAX_ANGLE`]; without its arctangent. May be
/// `false` for angles that are barely smaller.
pub fn is_narrow(a: [f32; 4], b: [f32; 4]) -> bool {
    let square = |combine: fn(f64, f64) -> f64| {
        let [x, y, z, w] = std::array::from_fn(|i| combine(a[i].into(), b[i].into()));
        x * x + y * y + z * z + w * w
    };
    // The square of the tangent of half the angle is 0.0396 for `MAX_ANGLE`.
    square(|a, b| a - b) <= 0.0395 * square(|a, b| a + b)
}

/// The quaternion or its negative, which is the same rotation: the one in the same hemisphere as `other`.
pub fn same_hemisphere(other: [f32; 4], q: [f32; 4]) -> [f32; 4] {
    // In f64, where the sign has no rounding error. For half a turn both arcs are equally long, and all
    // machines must choose the same one. Not by glam, whose SIMD code adds in another order.
    let [x, y, z, w] = std::array::from_fn(|i| f64::from(other[i]) * f64::from(q[i]));
    if x + y + z + w < 0.0 { q.map(|value| -value) } else { q }
}

/// The two numbers for a segment with this angle, for `Progress::along`.
pub fn correction(angle: f64) -> [f32; 2] {
    if angle < NO_TURN {
        return [0.0; 2];
    }
    // As `weight`, with the tangents of both points and of half the angle at once.
    let [x, y] = EXACT.map(|v| v * angle);
    let [x, y, half] = tangents([x, y, 0.5 * angle]);
    let [a, b] = [(EXACT[0], x), (EXACT[1], y)].map(|(v, x)| (x / (2.0 * half) - v) / (v * (v * v - 0.25)));
    let [s, t] = EXACT.map(|v| v * v);
    let slope = (b - a) / (t - s);
    [(a - slope * s) as f32, slope as f32]
}

/// The unit quaternion at the fraction `u` of the arc between two quaternions in the same hemisphere.
pub fn slerp(a: [f32; 4], b: [f32; 4], u: f64) -> [f32; 4] {
    let angle = angle(a, b);
    let along = if angle < NO_TURN { u } else { 0.5 + weight(u - 0.5, angle) };
    let [x, y, z, w] = std::array::from_fn(|i| f64::from(a[i]) + (f64::from(b[i]) - f64::from(a[i])) * along);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    [x, y, z, w].map(|value| (value / length) as f32)
}

/// The position on the chord for position `v` on the arc; both as fractions from the middle, −½ … ½.
fn weight(v: f64, angle: f64) -> f64 {
    let [x, half] = tangents([v * angle, 0.5 * angle]);
    x / (2.0 * half)
}

/// The progress from one key to the next, in the form that all rotations of a table share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    /// The fraction.
    pub(crate) u: F32x4,
    /// `v²` and `v(v² − ¼)`.
    square: F32x4,
    bow: F32x4,
}

impl Progress {
    /// `u`: 0 … 1.
    #[inline(always)]
    pub(crate) fn new(u: f32) -> Self {
        let v = u - 0.5;
        let square = v * v;
        let bow = v * (square - 0.25);
        Self { u: F32x4::splat(u), square: F32x4::splat(square), bow: F32x4::splat(bow) }
    }

    /// The position along the chord, for a segment with the numbers of [`correction`].
    #[inline(always)]
    pub(crate) fn along(self, constant: F32x4, slope: F32x4) -> F32x4 {
        self.u + self.bow * (constant + slope * self.square)
    }
}

/// The tangents for −π/4 … π/4 within 1e-15, from the series of sine and cosine. All at once, since each division waits for the
/// one before.
fn tangents<const N: usize>(x: [f64; N]) -> [f64; N] {
    let (mut sine, mut cosine) = ([0.0; N], [0.0; N]);
    for n in (0..10).rev() {
        let n = f64::from(2 * n);
        for i in 0..N {
            let z = x[i] * x[i];
            sine[i] = 1.0 - sine[i] * z / ((n + 2.0) * (n + 3.0));
            cosine[i] = 1.0 - cosine[i] * z / ((n + 1.0) * (n + 2.0));
        }
    }
    std::array::from_fn(|i| x[i] * sine[i] / cosine[i])
}

/// The arctangent for 0 … 1 within 1e-15, from its series after halving the angle twice.
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
            assert!((tangents([x])[0] - x.tan()).abs() < 1e-15, "{x}");
            let x = f64::from(i.abs()) / 1000.0;
            assert!((arctangent(x) - x.atan()).abs() < 1e-15, "{x}");
        }
    }

    #[test]
    fn slerp_correction_keeps_its_error_bound() {
        for degrees in [0.0, 0.01, 0.1, 1.0, 5.0, 10.0, 20.0, 22.5_f64] {
            let angle = degrees.to_radians();
            let [constant, slope] = correction(angle).map(F32x4::splat);
            let half = (0.5 * angle).tan();
            for i in 0..=1000 {
                let u = i as f32 / 1000.0;
                let along = f64::from(Progress::new(u).along(constant, slope).to_array()[0]);
                let got = ((2.0 * along - 1.0) * half).atan();
                let want = (f64::from(u) - 0.5) * angle;
                assert!(2.0 * (got - want).abs() < 1e-7, "{degrees} {u} {got} {want}");
            }
            for end in [0.0, 1.0] {
                assert_eq!(Progress::new(end).along(constant, slope).to_array(), [end; 4]);
            }
        }
    }

    #[test]
    fn slerp_angles_are_narrow_up_to_the_largest() {
        for i in 0..=1000 {
            let half = f64::from(i) / 1000.0 * std::f64::consts::FRAC_PI_2;
            let b = [0.0, half.sin() as f32, 0.0, half.cos() as f32];
            let a = [0.0, 0.0, 0.0, 1.0];
            // As near to the largest angle as it is called for.
            assert!(!is_narrow(a, b) || angle(a, b) <= MAX_ANGLE, "{half}");
            assert!(is_narrow(a, b) || angle(a, b) > 0.998 * MAX_ANGLE, "{half}");
        }
        assert!(!is_narrow([f32::NAN; 4], [1.0, 0.0, 0.0, 0.0]));
    }

    #[test]
    fn slerp_is_on_the_arc() {
        for degrees in [0.0, 0.01, 40.0, 90.0_f64] {
            let at = |degrees: f64| {
                [degrees.to_radians().sin() as f32, 0.0, 0.0, degrees.to_radians().cos() as f32]
            };
            let got = slerp(at(10.0), at(10.0 + degrees), 0.3);
            let want = at(10.0 + 0.3 * degrees);
            assert!(got.iter().zip(want).all(|(got, want)| (got - want).abs() < 2e-7), "{got:?} {want:?}");
        }
    }
}
