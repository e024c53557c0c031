//! Punctual lights.

use crate::base::sin_cos;
use glam::Vec3;
use std::f32::consts::{FRAC_PI_2, PI};

/// The maximum number of punctual lights.
pub const MAX_LIGHTS: usize = 8;

/// A punctual light in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PunctualLight {
    /// The position; ignored if `directional`.
    pub position: Vec3,
    /// The unit vector of the light's direction; ignored for point lights.
    pub direction: Vec3,
    /// `true` for a directional light.
    pub directional: bool,
    /// The linear colour times the intensity: in lux for a directional light, else in candela.
    pub color: [f32; 3],
    /// The distance at which the light ends; [`f32::MAX`] without a limit.
    pub range: f32,
    /// The inner and outer angles of a spot light's cone in radians; `None` without a cone.
    pub cone: Option<[f32; 2]>,
}

impl PunctualLight {
    /// The data of the light in the uniform block: three `vec4`.
    pub(crate) fn block(&self) -> [f32; LIGHT_FLOATS] {
        let place = if self.directional { -self.direction } else { self.position };
        // The shader's BRDF omits the factor 1/π.
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

/// The number of floats of a light in the uniform block.
pub(crate) const LIGHT_FLOATS: usize = 12;
