//! Image-based lights of a file. Spec: EXT_lights_image_based.

use super::cube::{along, direction, place};
use super::panorama::packed;
use super::{Harmonics, ImageId, Panorama};
use crate::base::sin_cos;
use glam::{Mat3A, Quat, Vec3A};
use std::f32::consts::{PI, TAU};

/// The image-based lights of a file, and their scenes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImageLights {
    /// The lights, in file order; `None` for a faulty one.
    pub lights: Vec<Option<ImageLight>>,
    /// The light of each scene: an index into `lights`.
    pub scenes: Vec<Option<usize>>,
}

/// An image-based light: reflections for each roughness as a cube map, and the light that diffuse surfaces receive.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageLight {
    /// A factor of all its light, at least 0.
    pub intensity: f32,
    /// The rotation of the light in the space of the model; a unit quaternion.
    pub rotation: Quat,
    /// The coefficients of the irradiance: per spherical harmonic up to the second order, in the order l00, l1−1, l10, l11, l2−2, l2−1,
    /// l20, l21, l22, the three colour channels.
    pub irradiance: [[f32; 3]; 9],
    /// The width and height of a face of the first level in texels: a power of two.
    pub size: usize,
    /// The images of each level, for roughnesses from 0 to 1: positive and negative X, Y and Z.
    pub levels: Vec<[ImageId; 6]>,
}

/// The normalisation of each harmonic: 1, y, z, x, xy, yz, 3z² − 1, xz, x² − y².
const NORM: [f32; 9] = [
    0.282_094_8,
    0.488_602_5,
    0.488_602_5,
    0.488_602_5,
    1.092_548_4,
    1.092_548_4,
    0.315_391_57,
    1.092_548_4,
    0.546_274_2,
];

impl ImageLight {
    /// The largest supported size of a face in texels.
    pub const MAX_SIZE: usize = 2048;

    /// The light as a panorama with its reflections. `faces` are the images level by level: rows from the top, in linear red,
    /// green and blue. `None` if their number or a size is wrong.
    pub fn panorama(&self, faces: &[Vec<[f32; 3]>]) -> Option<Panorama> {
        let count = |face: usize| (self.size >> (face / 6)).pow(2);
        let fit = faces.len() == 6 * self.levels.len()
            && faces.iter().enumerate().all(|(i, face)| !face.is_empty() && face.len() == count(i));
        if !fit {
            return None;
        }
        let light_from_world = Mat3A::from_quat(self.rotation).transpose();
        let seen = |level: usize, towards: Vec3A| {
            let faces = faces.get(6 * level..)?;
            Some(packed(
                (self.intensity * seen(faces, self.size >> level, light_from_world * towards)).to_array(),
            ))
        };
        let mut levels = Vec::with_capacity(self.levels.len());
        for level in 0..self.levels.len() {
            let size = self.size >> level;
            let mut texels = Vec::with_capacity(6 * size * size);
            for face in 0..6 {
                for y in 0..size {
                    for x in 0..size {
                        texels.push(seen(
                            level,
                            direction(face, along(x as f32, size), along(y as f32, size)),
                        )?);
                    }
                }
            }
            levels.push(texels);
        }
        // The sky: as many columns as the cube has around the horizon.
        let (width, height) = (4 * self.size.min(1024), 2 * self.size.min(1024));
        let mut texels = Vec::with_capacity(width * height);
        for row in 0..height {
            let (across, up) = sin_cos(PI * (row as f32 + 0.5) / height as f32);
            for column in 0..width {
                let (sin, cos) = sin_cos(TAU * ((column as f32 + 0.5) / width as f32 - 0.5));
                texels.push(seen(0, Vec3A::new(across * cos, up, across * sin))?);
            }
        }
        let (width, height) = (width as u32, height as u32);
        Some(Panorama { width, height, texels, irradiance: self.reflected(), key: None, levels })
    }

    /// The light that a white diffuse surface reflects: the irradiance divided by π, rotated.
    fn reflected(&self) -> Harmonics {
        let mut out = Harmonics::default();
        let rotation = Mat3A::from_quat(self.rotation);
        for channel in 0..3 {
            let mut c = [0.0; 9];
            for ((c, coefficient), norm) in c.iter_mut().zip(self.irradiance).zip(NORM) {
                *c = coefficient[channel] * norm * self.intensity / PI;
            }
            let [all, y, z, x, xy, yz, z2, xz, x2_y2] = c;
            // A constant, a linear form and a quadratic form, which rotate as a vector and a matrix do.
            let linear = rotation * Vec3A::new(x, y, z);
            let quadratic = Mat3A::from_cols(
                Vec3A::new(x2_y2, 0.5 * xy, 0.5 * xz),
                Vec3A::new(0.5 * xy, -x2_y2, 0.5 * yz),
                Vec3A::new(0.5 * xz, 0.5 * yz, 3.0 * z2),
            );
            let m = rotation * quadratic * rotation.transpose();
            let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = m.to_cols_array_2d();
            // x² + y² + z² is 1.
            let sides = 0.5 * (xx + zz);
            let up = (yy - sides) / 3.0;
            let terms = [
                all - z2 + sides + up,
                linear.y,
                linear.z,
                linear.x,
                2.0 * xz,
                2.0 * yz,
                2.0 * xy,
                up,
                0.5 * (xx - zz),
            ];
            for (out, term) in out.iter_mut().zip(terms) {
                out[channel] = term;
            }
        }
        out
    }
}

/// Samples six faces in a direction, with bilinear interpolation within a face. The image of a face is stored as it is seen from
/// the middle, which is GL's image mirrored about its vertical axis. Spec: EXT_lights_image_based, Prefiltered Specular Radiance
/// Cubemaps.
fn seen(faces: &[Vec<[f32; 3]>], size: usize, towards: Vec3A) -> Vec3A {
    let (face, u, v) = place(towards);
    let last = (size - 1) as f32;
    let at = |along: f32| ((0.5 * along + 0.5) * size as f32 - 0.5).clamp(0.0, last);
    let (x, y) = (at(-u), at(v));
    let (left, top) = (x as usize, y as usize);
    let (right, below) = ((left + 1).min(size - 1), (top + 1).min(size - 1));
    let texel = |x: usize, y: usize| {
        let texel = faces.get(face).and_then(|face| face.get(y * size + x));
        Vec3A::from(texel.copied().unwrap_or_default())
    };
    let (x, y) = (x - left as f32, y - top as f32);
    let upper = texel(left, top).lerp(texel(right, top), x);
    upper.lerp(texel(left, below).lerp(texel(right, below), x), y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::unpacked;

    /// A light whose faces show a function of the direction, as an exporter writes them.
    fn light(size: usize, levels: usize, rotation: Quat) -> (ImageLight, Vec<Vec<[f32; 3]>>) {
        let light = ImageLight {
            intensity: 1.0,
            rotation,
            irradiance: [[0.0; 3]; 9],
            size,
            levels: vec![[ImageId::new(0); 6]; levels],
        };
        let mut faces = Vec::new();
        for level in 0..levels {
            let size = size >> level;
            for (right, down, middle) in SEEN {
                let at = |i: usize| (i as f32 + 0.5) / size as f32 * 2.0 - 1.0;
                let mut texels = Vec::new();
                for y in 0..size {
                    for x in 0..size {
                        texels.push(color(middle + right * at(x) + down * at(y), level));
                    }
                }
                faces.push(texels);
            }
        }
        (light, faces)
    }

    /// The picture of each face from the middle: the directions to the right, down, and to its centre. Right is the cross product
    /// of the view and the upward direction, as glTF is right-handed.
    const SEEN: [(Vec3A, Vec3A, Vec3A); 6] = [
        (Vec3A::Z, Vec3A::NEG_Y, Vec3A::X),
        (Vec3A::NEG_Z, Vec3A::NEG_Y, Vec3A::NEG_X),
        (Vec3A::NEG_X, Vec3A::Z, Vec3A::Y),
        (Vec3A::NEG_X, Vec3A::NEG_Z, Vec3A::NEG_Y),
        (Vec3A::NEG_X, Vec3A::NEG_Y, Vec3A::Z),
        (Vec3A::X, Vec3A::NEG_Y, Vec3A::NEG_Z),
    ];

    /// The light from a direction; it differs between levels.
    fn color(towards: Vec3A, level: usize) -> [f32; 3] {
        let towards = towards.normalize();
        (Vec3A::splat(1.5 + level as f32) + towards).to_array()
    }

    fn rotations() -> [Quat; 3] {
        [Quat::IDENTITY, Quat::from_rotation_y(1.0), Quat::from_xyzw(0.5, -0.5, 0.1, 0.7).normalize()]
    }

    #[test]
    fn image_light_refuses_faces_of_wrong_number_or_size() {
        let (light, faces) = light(8, 2, Quat::IDENTITY);
        assert!(light.panorama(&faces).is_some());
        assert_eq!(light.panorama(&faces[..11]), None);
        for i in 0..12 {
            let mut short = faces.clone();
            short[i].pop();
            assert_eq!(light.panorama(&short), None, "{i}");
        }
        let small = ImageLight { levels: vec![[ImageId::new(0); 6]; 5], ..light };
        assert_eq!(small.panorama(&vec![Vec::new(); 30]), None, "a level without texels");
    }

    #[test]
    fn image_light_levels_and_sky_show_each_direction() {
        for rotation in rotations() {
            let (light, faces) = light(32, 3, rotation);
            let panorama = light.panorama(&faces).expect("faces that fit");
            for (level, texels) in panorama.levels.iter().enumerate() {
                let size = 32 >> level;
                assert_eq!(texels.len(), 6 * size * size);
                for (i, &texel) in texels.iter().enumerate() {
                    let (face, x, y) = (i / (size * size), i % size, i / size % size);
                    let towards = direction(face, along(x as f32, size), along(y as f32, size));
                    let expected = Vec3A::from(color(rotation.inverse() * towards, level));
                    let off = (Vec3A::from(unpacked(texel)) - expected).abs().max_element();
                    assert!(off < 0.12, "{rotation} {level} {towards}: {off}");
                }
            }
            for towards in [Vec3A::X, Vec3A::NEG_Z, Vec3A::new(0.48, 0.6, -0.64), Vec3A::new(-0.6, -0.8, 0.0)]
            {
                let found = Vec3A::from(panorama.light(towards.to_array()));
                let expected = Vec3A::from(color(rotation.inverse() * towards, 0));
                assert!(
                    (found - expected).abs().max_element() < 0.08,
                    "{rotation} {towards}: {found}, {expected}"
                );
            }
        }
    }

    #[test]
    fn image_light_is_exact_without_a_rotation_and_scaled_by_its_intensity() {
        let (light, faces) = light(8, 1, Quat::IDENTITY);
        let light = ImageLight { intensity: 2.0, ..light };
        let panorama = light.panorama(&faces).expect("faces that fit");
        for (i, &texel) in panorama.levels[0].iter().enumerate() {
            let (face, x, y) = (i / 64, i % 8, i / 8 % 8);
            let expected = faces[face][y * 8 + (7 - x)].map(|value| 2.0 * value);
            // The channels of a texel share their exponent.
            let step = expected.into_iter().fold(0.0, f32::max) / 256.0;
            for (found, expected) in unpacked(texel).into_iter().zip(expected) {
                assert!((found - expected).abs() <= step, "{found}, {expected}");
            }
        }
    }

    /// Compared with the sum of the real harmonics, as defined.
    #[test]
    fn image_light_irradiance_is_that_of_its_coefficients() {
        let irradiance: [[f32; 3]; 9] = std::array::from_fn(|i| {
            [1.0 / (i + 1) as f32, (i as f32 - 4.0) * 0.1, 0.3 * (-1.0_f32).powi(i as i32)]
        });
        let defined = |d: Vec3A, channel: usize| {
            let [x, y, z] = d.to_array().map(f64::from);
            let pi = std::f64::consts::PI;
            let harmonics = [
                0.5 * (1.0 / pi).sqrt(),
                (3.0 / (4.0 * pi)).sqrt() * y,
                (3.0 / (4.0 * pi)).sqrt() * z,
                (3.0 / (4.0 * pi)).sqrt() * x,
                0.5 * (15.0 / pi).sqrt() * x * y,
                0.5 * (15.0 / pi).sqrt() * y * z,
                0.25 * (5.0 / pi).sqrt() * (3.0 * z * z - 1.0),
                0.5 * (15.0 / pi).sqrt() * x * z,
                0.25 * (15.0 / pi).sqrt() * (x * x - y * y),
            ];
            harmonics.iter().zip(irradiance).map(|(h, c)| h * f64::from(c[channel])).sum::<f64>() / pi
        };
        for rotation in rotations() {
            let (light, _) = light(8, 1, rotation);
            let reflected = ImageLight { irradiance, intensity: 3.0, ..light }.reflected();
            for towards in [
                Vec3A::X,
                Vec3A::Y,
                Vec3A::NEG_Z,
                Vec3A::new(0.48, 0.6, -0.64),
                Vec3A::new(-0.36, -0.48, 0.8),
            ] {
                let [x, y, z] = towards.to_array();
                let terms = [1.0, y, z, x, x * z, y * z, x * y, 3.0 * y * y - 1.0, x * x - z * z];
                for channel in 0..3 {
                    let found: f32 = terms.iter().zip(reflected).map(|(term, c)| term * c[channel]).sum();
                    let expected = 3.0 * defined(rotation.inverse() * towards, channel);
                    assert!(
                        (f64::from(found) - expected).abs() < 1e-5,
                        "{rotation} {towards} {channel}: {found}, {expected}"
                    );
                }
            }
        }
    }
}
