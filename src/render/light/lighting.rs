//! How a frame is lit and shown, besides where the light comes from.

/// What may be set of the light and of the way to the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lighting {
    /// How far the environment is turned around +Y, in radians, counter-clockwise from above.
    pub rotation: f32,
    /// What the environment's light is multiplied by, from 0.
    pub intensity: f32,
    /// What all light is multiplied by before the tone curve, from 0.
    pub exposure: f32,
    /// How light becomes colour.
    pub tone_mapping: ToneMapping,
    /// Whether the environment is the background.
    pub skybox: bool,
    /// How blurred it is then: 0 not at all, 1 as a surface of roughness 1 mirrors it.
    pub skybox_blur: f32,
    /// How high above the ground it was taken, to lie on that; 0 keeps it far away.
    pub skybox_height: f32,
    /// How dark shadows are, from 0, without any, to 1, without any light of the key light.
    pub shadow_intensity: f32,
    /// How soft shadows are, 0 … 1.
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

/// How light, which has no upper end, becomes the colour of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToneMapping {
    /// It is cut off at 1.
    None,
    /// Khronos PBR Neutral: base colours stay as they are.
    #[default]
    Neutral,
    /// AgX, its default look.
    AgX,
    /// ACES, Hill's fit.
    Aces,
}
