//! Layers that extensions add to metallic-roughness materials: the rows of [`LAYERS`](super::LAYERS).
//!
//! Spec: KHR_materials_*. Each texture is multiplied by its factor.

use super::material_table::{Layer, MaterialProperty, NUMBERS, TextureSlot};
use super::texture::TextureRef;

/// The layers of a material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layers {
    /// `true` for each [`Layer`] whose extension is in the file.
    pub present: [bool; Layer::COUNT],
    /// The numbers, indexed by [`MaterialProperty::range`]; the defaults for layers that are not in the file. Those of
    /// the core are unused, except for the base colour of specular-glossiness.
    pub numbers: [f32; MaterialProperty::TRANSFORMS],
    /// The textures by [`TextureSlot`], as the numbers.
    pub textures: [Option<TextureRef>; TextureSlot::COUNT],
}

impl Default for Layers {
    fn default() -> Self {
        let mut numbers = [0.0; MaterialProperty::TRANSFORMS];
        for row in NUMBERS {
            numbers[row.property.range()].copy_from_slice(row.default);
        }
        Self { present: [false; Layer::COUNT], numbers, textures: [None; TextureSlot::COUNT] }
    }
}

impl Layers {
    /// `true` if the file has the layer.
    pub fn has(&self, layer: Layer) -> bool {
        self.present[layer as usize]
    }

    /// `true` if the material follows the specular-glossiness model.
    pub fn is_glossy(&self) -> bool {
        self.has(Layer::SpecularGlossiness)
    }
}
