//! Lights that a file places. Spec: KHR_lights_punctual.

/// A light without size; it shines along −Z of its node. Lengths in metres, angles in radians.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// How it spreads.
    pub kind: LightKind,
    /// Its linear colour.
    pub color: [f32; 3],
    /// Its strength: in lux if it is directional, else in candela. Not negative.
    pub intensity: f32,
    /// The distance that its light does not reach beyond; `None` if there is no such distance.
    pub range: Option<f32>,
}

/// How a light spreads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightKind {
    /// In parallel, from infinitely far away.
    Directional,
    /// Everywhere, from the node.
    Point,
    /// In a cone, from the node.
    Spot {
        /// The angle from the axis where it begins to fade; below `outer`.
        inner: f32,
        /// The angle from the axis where it ends; at most π/2.
        outer: f32,
    },
}

impl Default for Light {
    fn default() -> Self {
        Self { name: String::new(), kind: LightKind::Point, color: [1.0; 3], intensity: 1.0, range: None }
    }
}
