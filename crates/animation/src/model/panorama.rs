//! Environment light: panoramas.

use crate::base::sin_cos;
use std::f32::consts::{PI, TAU};

/// The light from all directions: an equirectangular image, and data derived from it.
///
/// The middle column is the direction +X, and +Z is a quarter of the width to its right. The top row is +Y.
#[derive(Debug, Clone, PartialEq)]
pub struct Panorama {
    /// The columns.
    pub width: u32,
    /// The rows.
    pub height: u32,
    /// The rows from the top, in linear red, green and blue as `RGB9_E5` of OpenGL.
    pub texels: Vec<u32>,
    /// The light that a white diffuse surface reflects, as [`Harmonics`].
    pub irradiance: Harmonics,
    /// The key light, such as the sun: so much brighter than the rest that it was removed from the image. It
    /// has its own highlight and shadow.
    pub key: Option<KeyLight>,
    /// The reflections by rising roughness, if they are given: per level the six faces of a cube map in GL's order, `RGB9_E5`; each
    /// level has half the size of the one before. Empty if the texels are to be prefiltered.
    pub levels: Vec<Vec<u32>>,
}

/// A directional light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyLight {
    /// The unit vector towards it.
    pub direction: [f32; 3],
    /// The linear colour times the intensity: the light that a white diffuse surface facing it reflects.
    pub color: [f32; 3],
}

/// Spherical harmonics up to the second order: a smooth function of directions (x, y, z) per colour channel.
/// It is the sum of these terms, each times its coefficient: 1, y, z, x, x·z, y·z, x·y, 3y² − 1, x² − z².
pub type Harmonics = [[f32; 3]; 9];

/// Factors from the light's harmonics to those of the light that a diffuse surface reflects: the squared
/// norms of the harmonics, times ⅔ for the first order and ¼ for the second.
const MATT: [f32; 9] = [
    0.079_577_47,
    0.159_154_94,
    0.159_154_94,
    0.159_154_94,
    0.298_415_5,
    0.298_415_5,
    0.298_415_5,
    0.024_867_96,
    0.074_603_88,
];

/// The largest value of `RGB9_E5`.
const MAX_VALUE: f32 = 65408.0;

/// Builds a [`Panorama`] row by row.
#[derive(Debug)]
pub struct PanoramaBuilder {
    panorama: Panorama,
    /// The number of input rows and columns per row and column of the panorama.
    fold: usize,
    /// The sum of the input for the current row of the panorama.
    row: Vec<[f32; 3]>,
    pending: usize,
    /// The cosines and sines of the columns.
    columns: Vec<[f32; 2]>,
    rows: usize,
}

impl PanoramaBuilder {
    /// The largest width of a panorama; larger images are downscaled.
    pub const MAX_WIDTH: usize = 4096;

    /// A builder for an image of this size; both numbers are above 0. In large images, an incomplete texel at
    /// the right or bottom edge is dropped.
    pub fn new(width: usize, height: usize) -> Self {
        let fold = width.div_ceil(Self::MAX_WIDTH).min(height).max(1);
        let (width, height) = (width / fold, height / fold);
        let angle = |column: usize| ((column as f32 + 0.5) / width as f32 - 0.5) * TAU;
        Self {
            panorama: Panorama {
                width: width as u32,
                height: height as u32,
                texels: Vec::with_capacity(width * height),
                irradiance: Harmonics::default(),
                key: None,
                levels: Vec::new(),
            },
            fold,
            row: vec![[0.0; 3]; width],
            pending: 0,
            columns: (0..width).map(|column| sin_cos(angle(column))).map(|(sin, cos)| [cos, sin]).collect(),
            rows: 0,
        }
    }

    /// Adds the next row from the top. Negative values and NaN count as 0; values above 65408 are clamped.
    pub fn push(&mut self, row: &[[f32; 3]]) {
        let share = 1.0 / (self.fold * self.fold) as f32;
        for (sum, texels) in self.row.iter_mut().zip(row.chunks_exact(self.fold)) {
            for texel in texels {
                for (sum, value) in sum.iter_mut().zip(texel) {
                    if *value > 0.0 {
                        *sum += share * value.min(MAX_VALUE);
                    }
                }
            }
        }
        self.pending += 1;
        if self.pending == self.fold && self.rows < self.panorama.height as usize {
            self.pending = 0;
            self.finish_row();
        }
    }

    fn finish_row(&mut self) {
        let band = Band::new(self.rows, self.panorama.height as usize);
        self.rows += 1;
        // The row's contribution to each harmonic is a sum over the columns times a factor of the row.
        let mut sums = [[0.0_f32; 3]; 5];
        for (texel, &[c, s]) in self.row.iter_mut().zip(&self.columns) {
            for (i, &value) in texel.iter().enumerate() {
                sums[0][i] += value;
                sums[1][i] += value * c;
                sums[2][i] += value * s;
                sums[3][i] += value * (c * c - s * s);
                sums[4][i] += value * (c * s);
            }
            self.panorama.texels.push(packed(*texel));
            *texel = [0.0; 3];
        }
        // A texel has the width of its column, which matters if there are few columns.
        let step = TAU / self.columns.len() as f32;
        let (first, second) = (2.0 * sin_cos(0.5 * step).0, sin_cos(step).0);
        let weights = [step, first, first, second, second];
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum = sum.map(|sum| sum * weight);
        }
        let [all, cos, sin, cos2, sin_cos] = sums;
        let parts = [
            (all, band.one),
            (all, band.y),
            (sin, band.across),
            (cos, band.across),
            (sin_cos, band.across2),
            (sin, band.across_y),
            (cos, band.across_y),
            (all, 3.0 * band.y2 - band.one),
            (cos2, band.across2),
        ];
        for ((out, (sum, weight)), matt) in self.panorama.irradiance.iter_mut().zip(parts).zip(MATT) {
            for (out, sum) in out.iter_mut().zip(sum) {
                *out += matt * weight * sum;
            }
        }
    }

    /// The panorama. Missing rows are black.
    pub fn finish(mut self) -> Panorama {
        let Panorama { width, height, .. } = self.panorama;
        self.panorama.texels.resize(width as usize * height as usize, 0);
        self.panorama.extract_key_light(&self.columns);
        self.panorama
    }
}

/// Integrals over the height of a row. `y` is the height, and `across` the length of the horizontal part of a
/// direction.
struct Band {
    one: f32,
    y: f32,
    y2: f32,
    across: f32,
    across_y: f32,
    across2: f32,
}

impl Band {
    fn new(row: usize, rows: usize) -> Self {
        let angle = |row: usize| row as f32 / rows as f32 * PI;
        let (from, to) = (angle(row), angle(row + 1));
        let ((sin_from, cos_from), (sin_to, cos_to)) = (sin_cos(from), sin_cos(to));
        let one = cos_from - cos_to;
        let y2 = (cos_from * cos_from * cos_from - cos_to * cos_to * cos_to) / 3.0;
        Self {
            one,
            y: 0.5 * (cos_from * cos_from - cos_to * cos_to),
            y2,
            across: 0.5 * (to - from) - 0.5 * (sin_to * cos_to - sin_from * cos_from),
            across_y: (sin_to * sin_to * sin_to - sin_from * sin_from * sin_from) / 3.0,
            across2: one - y2,
        }
    }
}

impl Panorama {
    /// Removes light brighter than `BRIGHT` times the average if it is concentrated in one direction, such as
    /// the sun. Prefiltering would turn it into fireflies, and a separate light has a sharp shadow.
    fn extract_key_light(&mut self, columns: &[[f32; 2]]) {
        const BRIGHT: f32 = 32.0;
        let limit = BRIGHT * luminance(self.irradiance[0]);
        if !(limit > 0.0 && limit.is_finite()) {
            return;
        }
        let limit_exponent = exponent(limit);
        if self.texels.iter().any(|texel| (texel >> 27) as i32 >= limit_exponent) {
            self.remove_key_light(columns, limit, limit_exponent);
        }
    }

    /// Removes the light above `limit`. Texels with a smaller exponent than `limit_exponent` are below it.
    fn remove_key_light(&mut self, columns: &[[f32; 2]], limit: f32, limit_exponent: i32) {
        let rows = self.height as usize;
        let mut bright = Vec::new();
        let (mut sum, mut axis, mut all) = ([0.0; 3], [0.0; 3], 0.0);
        for (row, texels) in self.texels.chunks_exact(columns.len()).enumerate() {
            let band = Band::new(row, rows);
            let (across, y) = (sin_cos(PI * (row as f32 + 0.5) / rows as f32).0, band.y / band.one);
            for (column, &texel) in texels.iter().enumerate() {
                if ((texel >> 27) as i32) < limit_exponent {
                    continue;
                }
                let color = unpacked(texel);
                let peak = color[0].max(color[1]).max(color[2]);
                if peak <= limit {
                    continue;
                }
                let left = limit / peak;
                let size = band.one * TAU / columns.len() as f32;
                let excess = color.map(|value| value * (1.0 - left) * size);
                let [c, s] = columns[column];
                let direction = [across * c, y, across * s];
                let weight = luminance(excess);
                all += weight;
                for i in 0..3 {
                    sum[i] += excess[i];
                    axis[i] += weight * direction[i];
                }
                bright.push((
                    row * columns.len() + column,
                    color.map(|value| value * left),
                    direction,
                    excess,
                ));
            }
        }
        let length = (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]).sqrt();
        // Several lamps have no common direction. A length of 0.98 of the total is a cone of about 11° around
        // one direction.
        if !(all > 0.0 && length > 0.98 * all) {
            return;
        }
        for (texel, color, direction, excess) in bright {
            self.texels[texel] = packed(color);
            for ((out, harmonic), matt) in self.irradiance.iter_mut().zip(harmonics(direction)).zip(MATT) {
                for (out, excess) in out.iter_mut().zip(excess) {
                    *out -= matt * harmonic * excess;
                }
            }
        }
        let direction = axis.map(|value| value / length);
        self.key = Some(KeyLight { direction, color: sum.map(|value| value / PI) });
    }

    /// The light from a direction of unit length; nearest texel.
    pub fn light(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let at = |share: f32, count: u32| ((share * count as f32) as u32).min(count.saturating_sub(1));
        let column = at(z.atan2(x) / TAU + 0.5, self.width);
        let row = at(y.clamp(-1.0, 1.0).acos() / PI, self.height);
        self.texels.get((row * self.width + column) as usize).map_or([0.0; 3], |&texel| unpacked(texel))
    }
}

/// The luminance of a linear sRGB colour.
fn luminance([r, g, b]: [f32; 3]) -> f32 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn harmonics([x, y, z]: [f32; 3]) -> [f32; 9] {
    [1.0, y, z, x, x * z, y * z, x * y, 3.0 * y * y - 1.0, x * x - z * z]
}

/// 2ⁿ for `n` from −126 to 127.
fn power(n: i32) -> f32 {
    f32::from_bits(((n + 127) as u32) << 23)
}

/// The shared exponent of a texel whose largest value is `peak`.
fn exponent(peak: f32) -> i32 {
    let exponent = (((peak.to_bits() >> 23) & 255) as i32 - 127).max(-16) + 16;
    // Rounding up may need the next exponent.
    if peak * power(24 - exponent) + 0.5 >= 512.0 { exponent + 1 } else { exponent }
}

/// Converts three values of at least 0 to `RGB9_E5`; values above 65408 are clamped.
pub fn packed(color: [f32; 3]) -> u32 {
    let color = color.map(|value| value.min(MAX_VALUE));
    let exponent = exponent(color[0].max(color[1]).max(color[2]));
    let [r, g, b] = color.map(|value| (value * power(24 - exponent) + 0.5) as u32);
    (exponent as u32) << 27 | b << 18 | g << 9 | r
}

/// The three values of a texel in `RGB9_E5`.
pub fn unpacked(texel: u32) -> [f32; 3] {
    let scale = power((texel >> 27) as i32 - 24);
    [texel & 511, texel >> 9 & 511, texel >> 18 & 511].map(|value| value as f32 * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(width: usize, height: usize, light: impl Fn(usize, usize) -> [f32; 3]) -> Panorama {
        let mut builder = PanoramaBuilder::new(width, height);
        for row in 0..height {
            builder.push(&(0..width).map(|column| light(column, row)).collect::<Vec<_>>());
        }
        builder.finish()
    }

    fn sent_back(panorama: &Panorama, direction: [f32; 3]) -> [f32; 3] {
        let mut sum = [0.0; 3];
        for (numbers, harmonic) in panorama.irradiance.iter().zip(harmonics(direction)) {
            for (sum, number) in sum.iter_mut().zip(numbers) {
                *sum += number * harmonic;
            }
        }
        sum
    }

    #[test]
    fn panorama_replaces_nan_and_negative_light_by_black() {
        let panorama = built(4, 2, |_, _| [f32::NAN, -3.0, f32::NEG_INFINITY]);
        assert_eq!(panorama.texels, [0; 8]);
        assert_eq!(panorama.irradiance, Harmonics::default());
        let endless = built(4, 2, |_, _| [f32::INFINITY; 3]);
        assert!(endless.texels.iter().all(|&texel| unpacked(texel) == [65408.0; 3]));
    }

    #[test]
    fn panorama_texels_keep_nine_bits_of_precision() {
        for value in [0.0, 1e-4, 0.1, 0.5, 0.999_9, 1.0, 1.5, 255.9, 511.6, 60000.0, 65408.0] {
            let [r, g, b] = unpacked(packed([value, 0.5 * value, 0.0]));
            assert!((r - value).abs() <= value / 512.0 + 2e-8, "{value} came as {r}");
            assert!((g - 0.5 * value).abs() <= value / 512.0 + 2e-8, "{value} came as {g}");
            assert_eq!(b, 0.0);
        }
        assert_eq!(unpacked(packed([1e9, 1.0, 0.0]))[0], 65408.0);
    }

    #[test]
    fn irradiance_of_uniform_light_is_uniform() {
        for (width, height) in [(1, 1), (2, 1), (8, 4), (64, 32)] {
            let panorama = built(width, height, |_, _| [1.0, 0.5, 0.25]);
            for direction in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.6, 0.0, 0.8], [0.48, 0.6, 0.64]] {
                let back = sent_back(&panorama, direction);
                for (value, expected) in back.into_iter().zip([1.0, 0.5, 0.25]) {
                    assert!((value - expected).abs() < 1e-4, "{width} × {height}: {back:?}");
                }
            }
            assert_eq!(panorama.key, None);
        }
    }

    /// Compared with the integral of light times cosine, summed over texels.
    #[test]
    fn irradiance_is_the_integral_over_the_hemisphere() {
        // Smooth light, which second-order harmonics represent completely.
        let light = |column: usize, row: usize| {
            let (phi, theta) = (((column as f32 + 0.5) / 64.0 - 0.5) * TAU, (row as f32 + 0.5) / 32.0 * PI);
            let (x, y, z) = (theta.sin() * phi.cos(), theta.cos(), theta.sin() * phi.sin());
            [2.0 + x + 0.5 * x * z, 2.0 + y - 0.5 * y * y, 2.0 - z + 0.3 * x * y]
        };
        let panorama = built(64, 32, light);
        for normal in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [0.48, 0.6, 0.64]] {
            let mut expected = [0.0_f64; 3];
            for row in 0..32 {
                for column in 0..64 {
                    let (phi, theta) =
                        (((column as f32 + 0.5) / 64.0 - 0.5) * TAU, (row as f32 + 0.5) / 32.0 * PI);
                    let d = [theta.sin() * phi.cos(), theta.cos(), theta.sin() * phi.sin()];
                    let cosine = (d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2]).max(0.0);
                    let size = theta.sin() * PI / 32.0 * TAU / 64.0;
                    for (sum, value) in expected.iter_mut().zip(light(column, row)) {
                        *sum += f64::from(value * cosine * size / PI);
                    }
                }
            }
            for (value, expected) in sent_back(&panorama, normal).into_iter().zip(expected) {
                assert!(
                    (f64::from(value) - expected).abs() < 0.01,
                    "{normal:?}: {value}, expected {expected}"
                );
            }
        }
    }

    #[test]
    fn key_light_extraction_keeps_the_energy_of_a_sun() {
        let sky = |column: usize, row: usize| {
            if (column, row) == (48, 8) { [9000.0, 8000.0, 6000.0] } else { [1.0; 3] }
        };
        let with = built(64, 32, sky);
        let key = with.key.unwrap_or(KeyLight { direction: [0.0; 3], color: [0.0; 3] });
        // Column 48 of 64 is a quarter of the width to the right of the middle, +Z; row 8 of 32 is from 39°
        // to 45° up.
        assert!((key.direction[2] - 0.74).abs() < 0.01 && (key.direction[1] - 0.67).abs() < 0.01, "{key:?}");
        let size = TAU / 64.0 * ((PI * 8.0 / 32.0).cos() - (PI * 9.0 / 32.0).cos());
        assert!((key.color[0] / (9000.0 * size / PI) - 1.0).abs() < 0.05, "{key:?}");
        assert!(key.color[2] < 0.7 * key.color[0]);
        let back = sent_back(&with, [0.0, -1.0, 0.0]);
        assert!((0.9..1.6).contains(&back[0]), "what is left is the sky: {back:?}");
        assert!(with.texels.iter().all(|&texel| unpacked(texel)[0] < 200.0));
    }

    #[test]
    fn key_light_is_not_extracted_from_several_lamps() {
        let room = |column: usize, row: usize| {
            if row == 8 && column.is_multiple_of(16) { [900.0; 3] } else { [0.1; 3] }
        };
        let panorama = built(64, 32, room);
        assert_eq!(panorama.key, None);
        assert!(panorama.texels.iter().any(|&texel| unpacked(texel)[0] > 890.0));
    }

    #[test]
    fn panorama_downsamples_large_images() {
        let panorama =
            built(2 * PanoramaBuilder::MAX_WIDTH, 2, |column, row| [(column + row) as f32 % 2.0 * 2.0; 3]);
        assert_eq!((panorama.width, panorama.height), (4096, 1));
        assert!(panorama.texels.iter().all(|&texel| unpacked(texel) == [1.0; 3]));
    }
}
