//! Sine, cosine and arc cosine with the same bits on every machine; those of std depend on the host in the
//! last bits.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// The sine and cosine of an angle in radians, correct to one unit in the last place for angles below about 10⁶.
pub fn sin_cos(angle: f32) -> (f32, f32) {
    let angle = f64::from(angle);
    let quarters = (angle * FRAC_2_PI).round_ties_even();
    let x = angle - quarters * FRAC_PI_2;
    let x2 = x * x;
    // Taylor series: the truncation error is below 2⁻³⁰ within an eighth of a turn.
    let sin = x * (1.0 + x2 * (-1.0 / 6.0 + x2 * (1.0 / 120.0 + x2 * (-1.0 / 5040.0 + x2 / 362_880.0))));
    let cos = 1.0
        + x2 * (-0.5 + x2 * (1.0 / 24.0 + x2 * (-1.0 / 720.0 + x2 * (1.0 / 40_320.0 - x2 / 3_628_800.0))));
    let (sin, cos) = (sin as f32, cos as f32);
    match quarters as i64 & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The tangent of an angle in radians.
pub fn tan(angle: f32) -> f32 {
    let (sin, cos) = sin_cos(angle);
    sin / cos
}

/// The arc cosine with an error of 2e-7: Abramowitz and Stegun 4.4.46.
pub fn arc_cosine(cosine: f32) -> f32 {
    let x = cosine.abs().min(1.0);
    let mut sum = -0.001_262_491_1;
    sum = sum * x + 0.006_670_09;
    sum = sum * x - 0.017_088_126;
    sum = sum * x + 0.030_891_88;
    sum = sum * x - 0.050_174_303;
    sum = sum * x + 0.088_978_99;
    sum = sum * x - 0.214_598_8;
    sum = sum * x + std::f32::consts::FRAC_PI_2;
    let angle = sum * (1.0 - x).sqrt();
    if cosine < 0.0 { std::f32::consts::PI - angle } else { angle }
}

#[cfg(test)]
mod tests {
    use super::{arc_cosine, sin_cos, tan};

    #[test]
    fn arc_cosine_agrees_with_std() {
        for i in 0..=200 {
            let cosine = i as f32 / 100.0 - 1.0;
            assert!((arc_cosine(cosine) - cosine.acos()).abs() < 1e-6, "{cosine}");
        }
        assert!(!arc_cosine(f32::NAN).is_nan());
    }

    #[test]
    fn sin_cos_and_tan_agree_with_std() {
        let angles = (-200_000..200_000).map(|i| i as f32 * 1e-3).chain((0..1000).map(|i| i as f32 * 777.7));
        for angle in angles {
            let (sin, cos) = sin_cos(angle);
            let wide = f64::from(angle);
            assert!((f64::from(sin) - wide.sin()).abs() <= 6e-8, "{angle}");
            assert!((f64::from(cos) - wide.cos()).abs() <= 6e-8, "{angle}");
            if cos.abs() > 0.1 {
                assert!(
                    (f64::from(tan(angle)) / wide.tan() - 1.0).abs() <= 1e-6 || sin.abs() < 1e-3,
                    "{angle}"
                );
            }
        }
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(f32::NAN).0.is_nan() && sin_cos(f32::INFINITY).1.is_nan());
    }
}
