//! The directional albedo of the specular BRDF. Spec: glTF 2.0 Appendix B.

use crate::base::sin_cos;
use std::f32::consts::PI;

/// The width and height of the table in texels; `shaders/environment.glsl` has the same value.
pub(super) const SIZE: usize = 32;
/// The number of samples per texel.
const SAMPLES: u32 = 64;

/// The table of scale and bias of F0, by the cosine n·v (columns) and the roughness (rows).
///
/// Both range over 0 … 1, from the centre of the first texel to the centre of the last.
/// A texel is two f16, with the scale in the lower half.
pub(super) fn brdf_table() -> Vec<u32> {
    // Half of the cap is enough, as both halves are symmetric.
    let samples: Vec<_> = (0..SAMPLES)
        .map(|i| {
            let (sin, cos) = sin_cos((i as f32 + 0.5) / SAMPLES as f32 * PI);
            [cos, sin, (i.reverse_bits() as f32 / 4_294_967_296.0) + 0.5 / SAMPLES as f32]
        })
        .collect();
    let along = |texel: usize| texel as f32 / (SIZE - 1) as f32;
    let texel = |i: usize| {
        let [scale, bias] = mirrored(along(i % SIZE), along(i / SIZE), &samples);
        half(scale) | half(bias) << 16
    };
    (0..SIZE * SIZE).map(texel).collect()
}

/// Integrates with samples of visible normals, as in Heitz and Dupuy: spherical caps of a stretched hemisphere.
/// The remaining weight is the ratio of lit facets (the masking of the light direction).
fn mirrored(n_v: f32, roughness: f32, samples: &[[f32; 3]]) -> [f32; 2] {
    // At grazing angles and for smooth surfaces the terms are unbounded.
    let n_v = n_v.max(4e-3);
    let alpha = (roughness * roughness).max(1e-4);
    let a2 = alpha * alpha;
    let v_x = (1.0 - n_v * n_v).max(0.0).sqrt();
    let reach = |cosine: f32| (a2 + (1.0 - a2) * cosine * cosine).sqrt();
    let (sight, stretched) = (reach(n_v), (a2 * v_x * v_x + n_v * n_v).sqrt());
    let (s_x, s_z) = (alpha * v_x / stretched, n_v / stretched);
    let mut sum = [0.0; 2];
    for &[cos, sin, at] in samples {
        let z = (1.0 - at) * (1.0 + s_z) - s_z;
        let around = (1.0 - z * z).max(0.0).sqrt();
        let (x, y, z) = (alpha * (around * cos + s_x), alpha * around * sin, z + s_z);
        let scale = 1.0 / (x * x + y * y + z * z).sqrt();
        let v_h = (x * v_x + z * n_v) * scale;
        let n_l = 2.0 * v_h * z * scale - n_v;
        if n_l > 0.0 {
            let share = n_l * (n_v + sight) / (n_v * reach(n_l) + n_l * sight);
            let x = (1.0 - v_h).max(0.0);
            // Schlick's weight of the reflection at grazing angles.
            let edge = share * (x * x) * (x * x) * x;
            sum[0] += share - edge;
            sum[1] += edge;
        }
    }
    sum.map(|sum| sum / samples.len() as f32)
}

/// The nearest f16 of a number from 0 to 2.
fn half(value: f32) -> u32 {
    // Values below 2⁻¹⁴ are not converted exactly; the error is invisible.
    ((value.to_bits() + 0x1000) >> 13).saturating_sub(112 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(half: u32) -> f64 {
        let (exponent, mantissa) = ((half >> 10 & 31) as i32, f64::from(half & 1023));
        if exponent == 0 {
            mantissa * 2_f64.powi(-24)
        } else {
            (1.0 + mantissa / 1024.0) * 2_f64.powi(exponent - 15)
        }
    }

    /// The BRDF of the specification, integrated numerically over light directions.
    fn added_up(n_v: f64, roughness: f64) -> [f64; 2] {
        const STEPS: usize = 400;
        let a2 = roughness.powi(4);
        let v = [(1.0 - n_v * n_v).sqrt(), 0.0, n_v];
        let mut sum = [0.0; 2];
        for i in 0..STEPS {
            // Uniform steps of n·l and azimuth, so that each step has the same solid angle.
            let n_l = (i as f64 + 0.5) / STEPS as f64;
            let across = (1.0 - n_l * n_l).sqrt();
            for j in 0..STEPS {
                let around = (j as f64 + 0.5) / STEPS as f64 * std::f64::consts::PI;
                let h = [across * around.cos() + v[0], across * around.sin(), n_l + v[2]];
                let length = h.iter().map(|x| x * x).sum::<f64>().sqrt();
                let (n_h, v_h) = (h[2] / length, (h[0] * v[0] + h[2] * v[2]) / length);
                let d = a2 / (std::f64::consts::PI * (n_h * n_h * (a2 - 1.0) + 1.0).powi(2));
                let smith =
                    n_v * (n_l * n_l * (1.0 - a2) + a2).sqrt() + n_l * (n_v * n_v * (1.0 - a2) + a2).sqrt();
                let share = d * 0.5 / smith * n_l * std::f64::consts::TAU / (STEPS * STEPS) as f64;
                let edge = (1.0 - v_h).powi(5);
                sum[0] += share * (1.0 - edge);
                sum[1] += share * edge;
            }
        }
        sum
    }

    #[test]
    fn brdf_table_is_the_integral_of_the_brdf() {
        let table = brdf_table();
        assert_eq!(table.len(), SIZE * SIZE);
        for (x, y) in [(31, 31), (31, 16), (16, 31), (16, 16), (8, 12), (3, 24), (24, 10), (10, 20)] {
            let along = |at: usize| at as f64 / (SIZE - 1) as f64;
            let expected = added_up(along(x), along(y));
            let texel = table[y * SIZE + x];
            for (got, expected) in [texel & 0xFFFF, texel >> 16].map(number).into_iter().zip(expected) {
                assert!((got - expected).abs() < 0.01, "{x} {y}: {got}, {expected}");
            }
        }
    }

    #[test]
    fn brdf_table_of_a_mirror_reflects_all_light() {
        let table = brdf_table();
        for texel in &table[SIZE / 8..SIZE] {
            let [scale, bias] = [texel & 0xFFFF, texel >> 16].map(number);
            assert!((scale + bias - 1.0).abs() < 2e-3, "{scale} {bias}");
        }
    }
}
