//! Materials on the GPU: one uniform buffer per model, and the textures of each material.

use super::images::UsedImage;
use super::samplers::Samplers;
use super::uv_sets::{mask_sampler, uv_set};
use crate::base::{feature, sin_cos};
use crate::model::{
    AlphaMode, Encoding, LAYERS, Layer, Limit, Material, MaterialId, MaterialProperty, MaterialState, Model,
    NUMBERS, Picture, PropertyLayout, Shown, TextureCell, TextureSlot, TextureTransform,
};
use crate::render::error::RenderError;
use crate::render::gl::{Buffer, Gl, Sampler, TexelFormat};
use crate::render::programs::{Alpha, Unlit, Variant};
use std::cell::Cell;
use std::rc::Rc;

/// The number of floats of the uniform block `Material` (`shaders/material.glsl`).
const MATERIAL_FLOATS: usize = ROWS + 8 * TextureSlot::COUNT;
/// The index of the first float of texture transforms, after those of [`MaterialProperty::place`].
const ROWS: usize = MaterialProperty::SHADER_FLOATS;
/// The size of the uniform block `Material` in bytes.
pub(crate) const MATERIAL_SIZE: usize = MATERIAL_FLOATS * 4;

/// The materials of a model, the default material last.
#[derive(Debug)]
pub(crate) struct Materials {
    pub(crate) blocks: Buffer,
    /// The distance between materials in `blocks` in bytes.
    pub(crate) stride: usize,
    pub(crate) list: Vec<GpuMaterial>,
}

/// The state of a draw that depends on its material.
#[derive(Debug)]
pub(crate) struct GpuMaterial {
    pub(crate) alpha: Alpha,
    pub(crate) double_sided: bool,
    pub(crate) textures: [Option<TextureUse>; TextureSlot::COUNT],
    /// For each texture slot, `true` if the transform is animated or is not the identity.
    pub(crate) transforms: [bool; TextureSlot::COUNT],
    pub(crate) unlit: bool,
    /// `true` for each [`Layer`] of the material.
    pub(crate) layers: [bool; Layer::COUNT],
    /// The index of its first property in [`ActorDraw::properties`](crate::render::ActorDraw::properties), if clips animate it.
    animated: Option<usize>,
    /// Its uniform block without cells and animation, if an actor shows a cell of its textures.
    whole: Option<Box<[f32; MATERIAL_FLOATS]>>,
    /// The contents of its uniform block.
    current: Cell<[f32; MATERIAL_FLOATS]>,
}

/// The use of a texture by a material.
#[derive(Debug)]
pub(crate) struct TextureUse {
    /// The image; white without one.
    pub(crate) image: Option<UsedImage>,
    pub(crate) sampler: Rc<Sampler>,
    /// The texture coordinate set requested by the file.
    pub(crate) tex_coord: u32,
}

impl Materials {
    pub(crate) fn new(
        gl: &Rc<Gl>,
        model: &Model,
        properties: &PropertyLayout,
        samplers: &mut Samplers,
    ) -> Result<Self, RenderError> {
        let fallback = Material::default();
        let materials = model.materials.iter().chain([&fallback]);
        let states = materials
            .enumerate()
            .map(|(id, material)| MaterialState::of(model, MaterialId::new(id), material));
        let stride = MATERIAL_SIZE.next_multiple_of(gl.limits().uniform_alignment);
        let mut data = Vec::new();
        let mut list = Vec::new();
        for state in states.clone() {
            data.extend(block(&state.numbers));
            data.resize(data.len().next_multiple_of(stride / 4), 0.0);
            list.push(GpuMaterial::new(gl, &state, samplers)?);
        }
        animate(&mut list, properties);
        let any_animated = !properties.of_materials().is_empty();
        for (state, material) in states.zip(&mut list) {
            material.end_mask(gl, model, &state, samplers)?;
        }
        let blocks = Buffer::new(gl)?;
        gl.fill_uniforms(&blocks, &data, any_animated);
        Ok(Self { blocks, stride, list })
    }

    /// Takes over the layout of properties after a clip was added that animates more of them. Returns `true` if a shader
    /// needs another layer or texture transform.
    pub(crate) fn animate(&mut self, properties: &PropertyLayout) -> bool {
        animate(&mut self.list, properties)
    }

    /// The index of a material, or of the default material.
    pub(crate) fn index_of(&self, material: Option<MaterialId>) -> usize {
        material.map_or(self.list.len() - 1, |id| id.index())
    }

    /// Updates the uniform block of a material from an actor's properties and cells, if it has changed.
    pub(crate) fn refresh(&self, gl: &Gl, index: usize, properties: &[f32], cells: &[TextureCell]) {
        let material = &self.list[index];
        if let Some(whole) = &material.whole {
            return refresh_cell(self, gl, index, (properties, cells), whole);
        }
        if let Some(block) = material.animated_block(properties) {
            self.write(gl, index, &block);
        }
    }

    fn refresh_cell(
        &self,
        gl: &Gl,
        index: usize,
        (properties, cells): (&[f32], &[TextureCell]),
        whole: &[f32; MATERIAL_FLOATS],
    ) {
        let mut block = self.list[index].animated_block(properties).unwrap_or(*whole);
        in_cell(&mut block, index, cells);
        self.write(gl, index, &block);
    }

    /// Writes the uniform block of a material, if it has changed.
    fn write(&self, gl: &Gl, index: usize, block: &[f32; MATERIAL_FLOATS]) {
        if self.list[index].replace(block) {
            gl.write_uniforms(&self.blocks, index * self.stride, block);
        }
    }
}

/// Takes over the layout of properties; returns `true` if the layers or the texture transforms of a shader change.
fn animate(list: &mut [GpuMaterial], properties: &PropertyLayout) -> bool {
    let mut differs = false;
    for (id, begin) in properties.materials() {
        list[id.index()].animated = Some(begin);
    }
    for &(id, property) in properties.of_materials() {
        let material = &mut list[id.index()];
        let mut show = |shown: &mut bool| differs |= !std::mem::replace(shown, true);
        if let MaterialProperty::Transform(slot, _) = property {
            show(&mut material.transforms[slot as usize]);
        }
        for row in LAYERS.iter().filter(|row| row.shown == Shown::IfNot0(property)) {
            show(&mut material.layers[row.layer as usize]);
        }
    }
    differs
}

feature! {
    list for_sprites;
    fn refresh_cell(
        materials: &Materials,
        gl: &Gl,
        index: usize,
        values: (&[f32], &[TextureCell]),
        whole: &[f32; MATERIAL_FLOATS],
    ) = Materials::refresh_cell;
}

/// Restricts the texture transforms of a uniform block to the cell of its material, if there is one.
pub(super) fn in_cell(block: &mut [f32; MATERIAL_FLOATS], material: usize, cells: &[TextureCell]) {
    let Some(cell) = cells.iter().find(|cell| cell.material.index() == material) else { return };
    for out in block[ROWS..].chunks_exact_mut(8) {
        let [u, v] = cell.of_rows([[out[0], out[1], out[2]], [out[4], out[5], out[6]]]);
        out[..3].copy_from_slice(&u);
        out[4..7].copy_from_slice(&v);
    }
}

impl GpuMaterial {
    /// The uniform block for an actor's properties; `None` if clips do not animate it.
    fn animated_block(&self, properties: &[f32]) -> Option<[f32; MATERIAL_FLOATS]> {
        let own = properties.get(self.animated?..)?.first_chunk()?;
        Some(block(own))
    }

    /// Prepares the material for cells of its textures.
    pub(crate) fn divide(&mut self) {
        self.whole.get_or_insert_with(|| Box::new(self.current.get()));
    }

    /// Notes the contents of the uniform block; returns `true` if they have changed.
    pub(super) fn replace(&self, block: &[f32; MATERIAL_FLOATS]) -> bool {
        self.current.replace(*block) != *block
    }

    /// Shows what clips may animate of the material that this one replaces.
    pub(super) fn join_animation(&mut self, of: &Self) {
        for (own, other) in self.layers.iter_mut().zip(of.layers) {
            *own |= other;
        }
        for (own, other) in self.transforms.iter_mut().zip(of.transforms) {
            *own |= other;
        }
    }

    /// The variant of a draw with the material.
    ///
    /// - `shape`: the variant without its material.
    /// - `sets`: the number of texture coordinate sets of the primitive; `lanes` are those in its vertex buffer.
    pub(super) fn variant(&self, shape: &Variant, sets: usize, lanes: &[u32]) -> Variant {
        let variant = Variant {
            layers: self.layers,
            textures: self.lanes(sets, lanes),
            transforms: self.transforms,
            alpha: self.alpha,
            unlit: if self.unlit { Some(Unlit::Material) } else { shape.unlit },
            ..*shape
        };
        variant.reduced()
    }

    /// Pictures of the page have no image yet.
    pub(super) fn new(
        gl: &Rc<Gl>,
        material: &MaterialState,
        samplers: &mut Samplers,
    ) -> Result<Self, RenderError> {
        let mut textures = [const { None }; TextureSlot::COUNT];
        for (used, shown) in textures.iter_mut().zip(&material.textures) {
            if let Some(shown) = shown {
                let sampler = samplers.get(gl, shown.sampler)?;
                let image = match shown.picture {
                    Some(Picture::Model(id)) => Some(UsedImage::Model(id)),
                    Some(Picture::Own(_)) | None => None,
                };
                *used = Some(TextureUse { image, sampler, tex_coord: shown.tex_coord });
            }
        }
        let alpha = match material.alpha_mode {
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask { .. } => Alpha::Mask,
            AlphaMode::Blend => Alpha::Blend,
        };
        Ok(Self {
            alpha,
            double_sided: material.double_sided,
            textures,
            transforms: material.transforms,
            unlit: material.unlit,
            layers: material.layers,
            animated: None,
            whole: None,
            current: Cell::new(block(&material.numbers)),
        })
    }

    /// Lets the texture of an alpha mask end at its edge, unless its transform moves it; see [`mask_sampler`].
    pub(super) fn end_mask(
        &mut self,
        gl: &Rc<Gl>,
        model: &Model,
        state: &MaterialState,
        samplers: &mut Samplers,
    ) -> Result<(), RenderError> {
        const SLOT: TextureSlot = TextureSlot::BaseColor;
        if self.alpha != Alpha::Mask || self.transforms[SLOT as usize] {
            return Ok(());
        }
        if let (Some(shown), Some(used)) = (state.textures[SLOT as usize], &mut self.textures[SLOT as usize])
        {
            let sampler = mask_sampler(model, state.material, used.tex_coord, shown.sampler);
            used.sampler = samplers.get(gl, sampler)?;
        }
        Ok(())
    }

    /// The texture coordinate sets that the material uses, on a primitive with `sets` of them.
    pub(crate) fn uv_sets(&self, sets: usize) -> impl Iterator<Item = u32> {
        self.textures.iter().flatten().filter_map(move |used| uv_set(used.tex_coord, sets))
    }

    /// For each texture, the index of the shader's texture coordinate set, on a primitive with `sets` of them;
    /// `lanes` are the sets of the shader.
    pub(crate) fn lanes(&self, sets: usize, lanes: &[u32]) -> [Option<u8>; TextureSlot::COUNT] {
        self.textures.each_ref().map(|used| {
            let set = uv_set(used.as_ref()?.tex_coord, sets)?;
            // The shader may lack the requested set; then the nearest lower one is used.
            Some(lanes.partition_point(|&lane| lane <= set).saturating_sub(1) as u8)
        })
    }
}

/// The texel format of a slot.
pub(crate) fn format_of(slot: TextureSlot) -> TexelFormat {
    match slot.row(false).encoding {
        Encoding::Srgb => TexelFormat::Srgb,
        Encoding::Linear => TexelFormat::Linear,
    }
}

/// The maximum of half floats, so that no driver overflows to infinity.
const BRIGHTEST: f32 = 65504.0;

/// The uniform block for material properties. Values are clamped, as animation curves may exceed their ranges.
pub(super) fn block(properties: &[f32; MaterialProperty::COUNT]) -> [f32; MATERIAL_FLOATS] {
    let mut out = [0.0; MATERIAL_FLOATS];
    for row in NUMBERS {
        let numbers = &properties[row.property.range()];
        let out = &mut out[row.property.place().unwrap_or_default()..];
        if row.limit == Limit::Angle {
            let (sin, cos) = sin_cos(numbers[0]);
            out[..2].copy_from_slice(&[cos, sin]);
            continue;
        }
        let most = if numbers.len() > 1 { BRIGHTEST } else { f32::MAX };
        for (out, &value) in out.iter_mut().zip(numbers) {
            *out = row.limit.clamp(value).min(most);
        }
    }
    for (slot, out) in TextureSlot::ALL.into_iter().zip(out[ROWS..].chunks_exact_mut(8)) {
        let [u, v] = TextureTransform::of_properties(properties, slot).rows();
        out[..3].copy_from_slice(&u);
        out[4..7].copy_from_slice(&v);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_texture_coordinates_fall_back_to_existing_sets() {
        assert_eq!(uv_set(0, 0), None);
        assert_eq!([0, 1, 7].map(|wanted| uv_set(wanted, 1)), [Some(0); 3]);
        assert_eq!([0, 1, 2, u32::MAX].map(|wanted| uv_set(wanted, 4)), [Some(0), Some(1), Some(2), Some(3)]);
    }

    /// The floats of a property in the uniform block.
    fn floats(block: &[f32; MATERIAL_FLOATS], property: MaterialProperty) -> &[f32] {
        let begin = property.place().unwrap_or_default();
        &block[begin..begin + property.row(false).map_or(0, |row| row.shader_width())]
    }

    #[test]
    fn material_block_has_each_property_at_its_place() {
        use MaterialProperty as P;
        let mut material = Material {
            base_color: [0.1, 0.2, 0.3, 0.4],
            emissive: [0.5, 0.6, 0.75],
            alpha_mode: AlphaMode::Mask { cutoff: 0.8 },
            metallic: 0.9,
            roughness: 0.25,
            ..Material::default()
        };
        material.layers.numbers[P::EmissiveStrength.range()].copy_from_slice(&[4.0]);
        material.layers.numbers[P::AnisotropyRotation.range()].copy_from_slice(&[std::f32::consts::PI]);
        let block = block(&material.properties());
        let wanted: &[(P, &[f32])] = &[
            (P::BaseColor, &[0.1, 0.2, 0.3, 0.4]),
            (P::Emissive, &[0.5, 0.6, 0.75]),
            (P::EmissiveStrength, &[4.0]),
            (P::AlphaCutoff, &[0.8]),
            (P::Metallic, &[0.9]),
            (P::Roughness, &[0.25]),
            (P::NormalScale, &[1.0]),
            (P::OcclusionStrength, &[1.0]),
            (P::Clearcoat, &[0.0]),
            (P::Ior, &[1.5]),
            (P::AttenuationDistance, &[f32::MAX]),
        ];
        for (property, values) in wanted {
            assert_eq!(floats(&block, *property), *values, "{property:?}");
        }
        let [cos, sin] = floats(&block, P::AnisotropyRotation) else { panic!("an angle has two floats") };
        assert!((cos + 1.0).abs() < 1e-6 && sin.abs() < 1e-6, "{cos} {sin}");
        assert_eq!(block[ROWS..ROWS + 8], [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn material_block_clamps_animated_values() {
        use MaterialProperty as P;
        let mut properties = Material::default().properties();
        let cases: &[(P, &[f32], &[f32])] = &[
            (P::BaseColor, &[-1.0, 2.0, 0.5, 7.0], &[0.0, 1.0, 0.5, 1.0]),
            (P::Roughness, &[-0.1], &[0.0]),
            (P::SpecularColor, &[1e9, -1.0, 2.0], &[65504.0, 0.0, 2.0]),
            (P::Thickness, &[1e9], &[1e9]),
            (P::AttenuationDistance, &[-1.0], &[f32::MIN_POSITIVE]),
            (P::Ior, &[0.5], &[1.0]),
        ];
        for (property, values, _) in cases {
            properties[property.range()].copy_from_slice(values);
        }
        let block = block(&properties);
        for (property, _, wanted) in cases {
            assert_eq!(floats(&block, *property), *wanted, "{property:?}");
        }
    }
}
