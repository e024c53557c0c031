//! Materials, textures, texture samplers, images. Spec: glTF 2.0 §3.8 and §3.9.

use super::material_extensions::Layers;
use super::material_table::TextureSlot;
use super::texture::{NormalTexture, OcclusionTexture, TextureRef};

/// A metallic-roughness material.
#[derive(Debug, Clone)]
pub struct Material {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// Linear base colour and alpha.
    pub base_color: [f32; 4],
    /// Multiplied with the base colour; sRGB.
    pub base_color_texture: Option<TextureRef>,
    /// 0 dielectric … 1 metal.
    pub metallic: f32,
    /// 0 smooth … 1 rough.
    pub roughness: f32,
    /// Green is roughness, blue is metallic; linear.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Normals in tangent space; linear.
    pub normal_texture: Option<NormalTexture>,
    /// Red is the fraction of ambient light; linear.
    pub occlusion_texture: Option<OcclusionTexture>,
    /// Linear emitted colour, multiplied with [`MaterialProperty::EmissiveStrength`](super::MaterialProperty).
    pub emissive: [f32; 3],
    /// Multiplied with `emissive`; sRGB.
    pub emissive_texture: Option<TextureRef>,
    /// The use of alpha.
    pub alpha_mode: AlphaMode,
    /// `true` if back faces are visible, with flipped normals.
    pub double_sided: bool,
    /// `true` if the base colour is displayed without lighting. Spec: KHR_materials_unlit.
    pub unlit: bool,
    /// The layers of other extensions.
    pub layers: Layers,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            occlusion_texture: None,
            emissive: [0.0; 3],
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
            layers: Layers::default(),
        }
    }
}

impl Material {
    /// The texture in a slot.
    pub fn texture(&self, slot: TextureSlot) -> Option<TextureRef> {
        match slot {
            TextureSlot::BaseColor => self.base_color_texture,
            TextureSlot::MetallicRoughness => self.metallic_roughness_texture,
            TextureSlot::Normal => self.normal_texture.map(|normal| normal.texture),
            TextureSlot::Occlusion => self.occlusion_texture.map(|occlusion| occlusion.texture),
            TextureSlot::Emissive => self.emissive_texture,
            slot => self.layers.textures[slot as usize],
        }
    }
}

/// The use of alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    Opaque,
    /// Visible where alpha is at least the cutoff.
    Mask {
        /// The cutoff; 0.5 by default.
        cutoff: f32,
    },
    /// Alpha blending over the background.
    Blend,
}
