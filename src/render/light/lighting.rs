//! The lighting settings of a frame, other than the light sources.

use crate::base::sin_cos;
use crate::model::KeyLight;

/// Settings of environment lighting, tone mapping, skybox and shadows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lighting {
    /// The rotation of the environment about +Y in radians, counter-clockwise from above.
    pub rotation: f32,
    /// A factor of the environment's light, from 0.
    pub intensity: f32,
    /// A factor of all light before tone mapping, from 0.
    pub exposure: f32,
    /// The tone mapping operator.
    pub tone_mapping: ToneMapping,
    /// `true` if the environment is the background.
    pub skybox: bool,
    /// The blur of the skybox: 0 is sharp, 1 is the reflection at roughness 1.
    pub skybox_blur: f32,
    /// The height of the camera that took the panorama above the ground, for a ground-projected skybox.
    /// 0 for a skybox at infinity.
    pub skybox_height: f32,
    /// The darkness of shadows: 0 for none, 1 to remove all light of the key light.
    pub shadow_intensity: f32,
    /// The softness of shadows, 0 … 1.
    pub shadow_softness: f32,
}

impl Default for Lighting {
    fn default() -> Self {
        Self {
            rotation: 0.0,
            intensity: 1.0,
            exposure: 1.0,
            tone_mapping: ToneMapping::Neutral,
            skybox: false,
            skybox_blur: 0.0,
            skybox_height: 0.0,
            shadow_intensity: 0.0,
            shadow_softness: 0.5,
        }
    }
}

impl Lighting {
    /// The key light of an environment with these settings, in world space.
    pub(crate) fn key(&self, KeyLight { direction: [x, y, z], color }: KeyLight) -> KeyLight {
        let (sin, cos) = sin_cos(self.rotation);
        let direction = [cos * x + sin * z, y, cos * z - sin * x];
        KeyLight { direction, color: color.map(|value| value * self.intensity) }
    }
}

/// A tone mapping operator, which maps unbounded light to the colour of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToneMapping {
    /// Clamps at 1.
    None,
    /// Khronos PBR Neutral, which preserves base colours.
    #[default]
    Neutral,
    /// AgX with its default look.
    AgX,
    /// ACES, the fit by Stephen Hill.
    Aces,
}
