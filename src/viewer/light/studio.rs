//! The default environment: a procedural photo studio.

use crate::base::sin_cos;
use crate::model::{Harmonics, KeyLight, Panorama, packed};
use glam::Vec3;
use std::f32::consts::{PI, TAU};

/// A lamp: a uniform rectangular light with soft edges.
struct SoftBox {
    /// The direction of its centre.
    towards: Vec3,
    /// Half its width and height, at a distance of 1.
    size: [f32; 2],
    light: Vec3,
}

/// The direction towards the key light.
const KEY: Vec3 = Vec3::new(-0.449, 0.719, 0.529);

/// The key light's lamp, a rim light behind the subject, and a large dim fill light.
const LAMPS: [SoftBox; 3] = [
    SoftBox { towards: KEY, size: [0.42, 0.42], light: Vec3::new(3.1, 3.0, 2.85) },
    SoftBox { towards: Vec3::new(0.68, 0.32, -0.66), size: [0.16, 0.75], light: Vec3::new(3.2, 3.35, 3.5) },
    SoftBox { towards: Vec3::new(0.86, 0.25, 0.44), size: [0.5, 0.7], light: Vec3::new(0.62, 0.64, 0.66) },
];

/// The light that surfaces reflect: computed from the texels, as a test does.
const IRRADIANCE: Harmonics = [
    [0.65447056, 0.6578956, 0.66133046],
    [0.34428108, 0.35352907, 0.36288175],
    [0.07411015, 0.06471238, 0.052817084],
    [0.07800149, 0.090849794, 0.10581796],
    [-0.20640281, -0.2076798, -0.20707294],
    [0.14365283, 0.13535774, 0.12404636],
    [-0.06706948, -0.058102448, -0.046575196],
    [-0.015410272, -0.016512722, -0.01751128],
    [0.013415915, 0.014501362, 0.01574195],
];

/// The size of the panorama.
const WIDTH: usize = 256;
const HEIGHT: usize = 128;

/// The studio: bright walls that get darker upwards, a floor that reflects some light, and lamps.
pub(crate) fn studio() -> Panorama {
    let mut texels = Vec::with_capacity(WIDTH * HEIGHT);
    each_texel(|light| texels.push(packed(light)));
    // The key light is stronger than the lamp itself: directional light makes shapes clear.
    Panorama {
        width: WIDTH as u32,
        height: HEIGHT as u32,
        texels,
        irradiance: IRRADIANCE,
        key: Some(key()),
        levels: Vec::new(),
    }
}

/// Computes the light of each texel, in rows from the top.
fn each_texel(mut give: impl FnMut([f32; 3])) {
    // A page waits for this, so values shared by many texels are computed once.
    let lamps = LAMPS.map(Lamp::new);
    let columns: Vec<_> =
        (0..WIDTH).map(|x| sin_cos(TAU * ((x as f32 + 0.5) / WIDTH as f32 - 0.5))).collect();
    for y in 0..HEIGHT {
        let (across, up) = sin_cos(PI * (y as f32 + 0.5) / HEIGHT as f32);
        let room = room(up);
        for (sin, cos) in &columns {
            let direction = Vec3::new(across * cos, up, across * sin);
            let light = lamps.iter().fold(room, |light, lamp| light + lamp.light * lamp.seen(direction));
            give(light.to_array());
        }
    }
}

/// The key light.
pub(crate) fn key() -> KeyLight {
    KeyLight { direction: KEY.normalize().to_array(), color: [0.92, 0.89, 0.85] }
}

/// The light of walls, ceiling and floor at a height.
fn room(y: f32) -> Vec3 {
    const CEILING: Vec3 = Vec3::new(0.30, 0.32, 0.35);
    const WALL: Vec3 = Vec3::new(0.50, 0.505, 0.51);
    const HORIZON: Vec3 = Vec3::new(0.42, 0.415, 0.41);
    const FLOOR: Vec3 = Vec3::new(0.24, 0.23, 0.22);
    let above = WALL.lerp(CEILING, step(0.0, 1.0, y));
    let below = HORIZON.lerp(FLOOR, step(0.0, 0.6, -y));
    below.lerp(above, step(-0.12, 0.12, y))
}

/// A soft box with its axes.
struct Lamp {
    towards: Vec3,
    side: Vec3,
    up: Vec3,
    size: [f32; 2],
    light: Vec3,
}

impl Lamp {
    fn new(SoftBox { towards, size, light }: SoftBox) -> Self {
        let towards = towards.normalize();
        let side = Vec3::Y.cross(towards).normalize();
        Self { towards, side, up: towards.cross(side), size, light }
    }

    /// The fraction of its light from a direction, 0 … 1.
    fn seen(&self, direction: Vec3) -> f32 {
        let depth = direction.dot(self.towards);
        if depth <= 0.1 {
            return 0.0;
        }
        let place = [direction.dot(self.side) / depth, direction.dot(self.up) / depth];
        let edge = |place: f32, size: f32| step(1.25 * size, 0.8 * size, place.abs());
        edge(place[0], self.size[0]) * edge(place[1], self.size[1])
    }
}

/// A smooth step from 0 at `from` to 1 at `to`.
fn step(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::PanoramaBuilder;

    #[test]
    fn studio_irradiance_is_that_of_its_light() {
        let mut lights = Vec::new();
        each_texel(|light| lights.push(light));
        let mut builder = PanoramaBuilder::new(WIDTH, HEIGHT);
        lights.chunks(WIDTH).for_each(|row| builder.push(row));
        let built = builder.finish();
        let studio = studio();
        assert_eq!(built.irradiance, studio.irradiance);
        assert_eq!(Panorama { key: studio.key, ..built }, studio);
    }

    #[test]
    fn studio_is_bright_above_and_has_no_strong_colour() {
        let panorama = studio();
        let sum = |direction: Vec3| panorama.light(direction.to_array()).iter().sum::<f32>() / 3.0;
        assert!(sum(Vec3::NEG_Y) < sum(Vec3::X) && sum(KEY.normalize()) > 2.0);
        let [r, g, b] = panorama.irradiance[0];
        assert!((0.3..0.8).contains(&g) && (r / b - 1.0).abs() < 0.1, "{r} {g} {b}");
    }
}
