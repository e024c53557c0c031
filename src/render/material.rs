//! Materials on the GPU: one uniform buffer for all of a model, and which textures they use.

use super::RenderError;
use super::gl::{Buffer, Gl, Sampler, TexelFormat};
use super::samplers::Samplers;
use super::variant::{Alpha, TextureSlot};
use crate::model::{AlphaMode, ImageId, Material, Model, Primitive, TextureRef};
use std::rc::Rc;

/// The floats of the uniform block `Material` (`shaders/material.glsl`).
const MATERIAL_FLOATS: usize = 12;
/// The size of the uniform block `Material` in bytes.
pub(crate) const MATERIAL_SIZE: usize = MATERIAL_FLOATS * 4;

/// The materials of a model, the default material last.
#[derive(Debug)]
pub(crate) struct Materials {
    pub(crate) blocks: Buffer,
    /// The bytes from material to material in `blocks`.
    pub(crate) stride: usize,
    pub(crate) list: Vec<GpuMaterial>,
}

/// What a draw has to set for its material.
#[derive(Debug)]
pub(crate) struct GpuMaterial {
    pub(crate) alpha: Alpha,
    pub(crate) double_sided: bool,
    pub(crate) textures: [Option<TextureUse>; TextureSlot::COUNT],
}

/// How a material uses a texture.
#[derive(Debug)]
pub(crate) struct TextureUse {
    /// The image; a texture without one shows white.
    pub(crate) image: Option<ImageId>,
    pub(crate) sampler: Rc<Sampler>,
    /// The set of texture coordinates that the file asks for.
    pub(crate) tex_coord: u32,
}

impl Materials {
    pub(crate) fn new(gl: &Rc<Gl>, model: &Model, samplers: &mut Samplers) -> Result<Self, RenderError> {
        let fallback = Material::default();
        let materials = || model.materials.iter().chain([&fallback]);
        let stride = MATERIAL_SIZE.next_multiple_of(gl.limits().uniform_alignment);
        let mut data = Vec::new();
        let mut list = Vec::new();
        for material in materials() {
            data.extend(block(material));
            data.resize(data.len().next_multiple_of(stride / 4), 0.0);
            list.push(GpuMaterial::new(gl, model, material, samplers)?);
        }
        let blocks = Buffer::new(gl)?;
        gl.fill_uniforms(&blocks, &data, false);
        Ok(Self { blocks, stride, list })
    }

    /// The index of a primitive's material.
    pub(crate) fn index_of(&self, primitive: &Primitive) -> usize {
        primitive.material.map_or(self.list.len() - 1, |id| id.index())
    }
}

impl GpuMaterial {
    fn new(
        gl: &Rc<Gl>,
        model: &Model,
        material: &Material,
        samplers: &mut Samplers,
    ) -> Result<Self, RenderError> {
        let mut textures = [const { None }; TextureSlot::COUNT];
        for slot in TextureSlot::ALL {
            if let Some(TextureRef { texture, tex_coord }) = texture_of(material, slot) {
                let texture = model.textures[texture.index()];
                let sampler = samplers.get(gl, texture.sampler)?;
                textures[slot as usize] = Some(TextureUse { image: texture.image, sampler, tex_coord });
            }
        }
        let alpha = match material.alpha_mode {
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask { .. } => Alpha::Mask,
            AlphaMode::Blend => Alpha::Blend,
        };
        Ok(Self { alpha, double_sided: material.double_sided, textures })
    }

    /// The set of texture coordinates that each texture is looked up with on a primitive that has `sets`
    /// of them.
    pub(crate) fn tex_coords(&self, sets: usize) -> [Option<u8>; TextureSlot::COUNT] {
        self.textures.each_ref().map(|used| tex_coord(used.as_ref()?.tex_coord, sets))
    }
}

/// The shaders have two sets of texture coordinates: one that they do not have, or that the primitive does
/// not have, falls back to the nearest that is there. Without any, the texture counts as absent.
fn tex_coord(wanted: u32, sets: usize) -> Option<u8> {
    let last = sets.min(2).checked_sub(1)?;
    Some((wanted as usize).min(last) as u8)
}

/// The texture that a material has in a slot.
pub(crate) fn texture_of(material: &Material, slot: TextureSlot) -> Option<TextureRef> {
    match slot {
        TextureSlot::BaseColor => material.base_color_texture,
        TextureSlot::MetallicRoughness => material.metallic_roughness_texture,
        TextureSlot::Normal => material.normal_texture.map(|normal| normal.texture),
        TextureSlot::Occlusion => material.occlusion_texture.map(|occlusion| occlusion.texture),
        TextureSlot::Emissive => material.emissive_texture,
    }
}

/// What the texels of a slot mean.
pub(crate) fn format_of(slot: TextureSlot) -> TexelFormat {
    match slot {
        TextureSlot::BaseColor | TextureSlot::Emissive => TexelFormat::Srgb,
        TextureSlot::MetallicRoughness | TextureSlot::Normal | TextureSlot::Occlusion => TexelFormat::Linear,
    }
}

fn block(material: &Material) -> [f32; MATERIAL_FLOATS] {
    let [r, g, b, a] = material.base_color;
    let [emissive_r, emissive_g, emissive_b] = material.emissive;
    let cutoff = if let AlphaMode::Mask { cutoff } = material.alpha_mode { cutoff } else { 0.0 };
    let normal_scale = material.normal_texture.map_or(1.0, |normal| normal.scale);
    let occlusion = material.occlusion_texture.map_or(1.0, |occlusion| occlusion.strength);
    [
        r,
        g,
        b,
        a,
        emissive_r,
        emissive_g,
        emissive_b,
        cutoff,
        material.metallic,
        material.roughness,
        normal_scale,
        occlusion,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texture_coordinates_fall_back() {
        assert_eq!(tex_coord(0, 0), None);
        assert_eq!([0, 1, 7].map(|wanted| tex_coord(wanted, 1)), [Some(0); 3]);
        assert_eq!(
            [0, 1, 2, u32::MAX].map(|wanted| tex_coord(wanted, 4)),
            [Some(0), Some(1), Some(1), Some(1)]
        );
    }

    #[test]
    fn the_block_is_as_the_shader_has_it() {
        let material = Material {
            base_color: [0.1, 0.2, 0.3, 0.4],
            emissive: [0.5, 0.6, 0.7],
            alpha_mode: AlphaMode::Mask { cutoff: 0.8 },
            metallic: 0.9,
            roughness: 0.25,
            ..Material::default()
        };
        assert_eq!(block(&material), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.25, 1.0, 1.0]);
    }
}
