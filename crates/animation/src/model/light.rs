//! Punctual lights. Spec: KHR_lights_punctual.

/// A punctual light, which shines along −Z of its node. Lengths in metres, angles in radians.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// The type of light.
    pub kind: LightKind,
    /// The linear colour.
    pub color: [f32; 3],
    /// The intensity: in lux for a directional light, otherwise in candela. Not negative.
    pub intensity: f32,
    /// The distance beyond which the light has no effect; `None` for infinite.
    pub range: Option<f32>,
}

/// A type of light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightKind {
    /// Parallel light from an infinite distance.
    Directional,
    /// Light from the node in all directions.
    Point,
    /// Light from the node in a cone.
    Spot {
        /// The angle from the axis at which the light begins to fade; below `outer`.
        inner: f32,
        /// The angle from the axis at which the light ends; at most π/2.
        outer: f32,
    },
}

impl Default for Light {
    fn default() -> Self {
        Self { name: String::new(), kind: LightKind::Point, color: [1.0; 3], intensity: 1.0, range: None }
    }
}
