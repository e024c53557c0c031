//! Lights without size.

use crate::base::sin_cos;
use glam::Vec3;
use std::f32::consts::{FRAC_PI_2, PI};

/// The most lights besides the studio's.
pub const MAX_LIGHTS: usize = 8;

/// A light without size, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PunctualLight {
    /// Where it is; or, with `directional`, anything.
    pub position: Vec3,
    /// The unit vector along which it shines; anything for a light that shines everywhere.
    pub direction: Vec3,
    /// Whether it shines in parallel from infinitely far away.
    pub directional: bool,
    /// Its linear colour times its strength: in lux if it is directional, else in candela.
    pub color: [f32; 3],
    /// The distance that its light does not reach beyond; [`f32::MAX`] without such a distance.
    pub range: f32,
    /// The angles of the cone where it begins to fade and where it ends, in radians; `None` without a cone.
    pub cone: Option<[f32; 2]>,
}

impl PunctualLight {
    /// The three vectors that the shader has of it.
    pub(crate) fn block(&self) -> [f32; LIGHT_FLOATS] {
        let place = if self.directional { -self.direction } else { self.position };
        // What a surface sends back is computed for a light of strength π.
        let [r, g, b] = self.color.map(|value| value / PI);
        let (axis, offset) = match self.cone {
            None => (Vec3::ZERO, 1.0),
            Some([inner, outer]) => {
                let (inner, outer) = (inner.clamp(0.0, FRAC_PI_2), outer.clamp(0.0, FRAC_PI_2));
                let (inner, outer) = (sin_cos(inner).1, sin_cos(outer).1);
                let scale = 1.0 / (inner - outer).max(1e-3);
                (self.direction * scale, -outer * scale)
            }
        };
        let w = if self.directional { 0.0 } else { 1.0 };
        let inverse_range = if self.range > 0.0 { 1.0 / self.range } else { f32::MAX };
        [place.x, place.y, place.z, w, r, g, b, inverse_range, axis.x, axis.y, axis.z, offset]
    }
}

/// The floats of a light in it.
pub(crate) const LIGHT_FLOATS: usize = 12;
