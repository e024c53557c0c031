//! A material of an actor, in place of one of its model.

use super::gpu_model::{GpuModel, Look};
use super::images::UsedImage;
use super::material::{GpuMaterial, block, in_cell};
use super::samplers::Samplers;
use crate::model::{MaterialState, Model, PaletteLayout, Picture, TextureCell, TextureSlot};
use crate::render::error::RenderError;
use crate::render::gl::{Buffer, Gl, Texture};
use crate::render::programs::{Programs, Variant, deformed_variant};
use std::rc::Rc;

/// A material of an actor, in place of one of its model.
#[derive(Debug)]
pub struct OwnMaterial {
    /// The index of the material that it replaces.
    material: usize,
    version: MaterialVersion,
    /// The version of the numbers in `block`; `None` for those of cells.
    written: Option<u32>,
    pub(crate) gpu: GpuMaterial,
    pub(crate) block: Buffer,
    looks: Vec<OwnLook>,
}

/// A look of the model with another material.
#[derive(Debug)]
struct OwnLook {
    /// The indices of the draw in the model, and of the look in the draw.
    at: (u32, u32),
    look: Look,
}

/// The counters of what a material is made from. One of another version is another material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaterialVersion {
    /// See [`ChangedMaterial::revision`](crate::animation::ChangedMaterial::revision).
    pub revision: u32,
    /// The number of textures that took the place of others.
    pub textures: u32,
    /// The number of properties of materials that clips animate, which grows with clips that are added.
    pub animated: u32,
}

/// The programs that the draws of a material need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaterialUse {
    /// `true` if shadows are drawn.
    pub shadows: bool,
    /// `true` if the CPU deforms primitives.
    pub deformed: bool,
    /// `true` for a crowd.
    pub crowd: bool,
    /// `true` for dual-quaternion skinning.
    pub dual: bool,
}

/// A picture of the page on the GPU.
#[derive(Debug, Clone)]
pub struct PictureTexture {
    pub(crate) texture: Rc<Texture>,
    /// The width and the height in pixels.
    pub(crate) size: (u32, u32),
}

impl OwnMaterial {
    /// A material for the draws of a model, without programs.
    ///
    /// - `pictures`: the textures of the slots that show a picture of the page.
    ///
    /// # Errors
    /// `OutOfMemory`, `ContextLost`.
    pub(crate) fn new(
        gl: &Rc<Gl>,
        gpu: &GpuModel,
        (model, layout): (&Model, &PaletteLayout),
        (state, version): (&MaterialState, MaterialVersion),
        pictures: &[Option<PictureTexture>; TextureSlot::COUNT],
        samplers: &mut Samplers,
    ) -> Result<Self, RenderError> {
        let material = state.material.index();
        let mut own = GpuMaterial::new(gl, state, samplers)?;
        for ((used, shown), texture) in own.textures.iter_mut().zip(&state.textures).zip(pictures) {
            let is_own = shown.is_some_and(|shown| matches!(shown.picture, Some(Picture::Own(_))));
            if let (Some(used), true) = (used, is_own) {
                used.image = texture.as_ref().map(|texture| UsedImage::Own(Rc::clone(&texture.texture)));
            }
        }
        let of_file = &gpu.materials.list[material];
        own.join_animation(of_file);
        own.end_mask(gl, model, state, samplers)?;
        let mut looks = Vec::new();
        for (i, draw) in gpu.draws.iter().enumerate() {
            let drawable = &layout.drawables[draw.source.0];
            let primitive = &model.meshes[drawable.mesh.index()].primitives[draw.source.1];
            for (j, _) in draw.looks.iter().enumerate().filter(|(_, look)| look.material == material) {
                let sets = &gpu.parts[draw.part].geometry.sets;
                let variant = own.variant(&draw.shape, primitive.tex_coords.len(), sets);
                looks.push((i as u32, j as u32, variant));
            }
        }
        let looks = looks
            .into_iter()
            .map(|(i, j, variant)| OwnLook { at: (i, j), look: Look::unbuilt(material, variant) });
        let looks = looks.collect();
        let own_block = Buffer::new(gl)?;
        gl.fill_uniforms(&own_block, &block(&state.numbers), true);
        Ok(Self { material, version, written: None, gpu: own, block: own_block, looks })
    }

    /// Lets the textures show cells, if they do not yet.
    pub(crate) fn divide(&mut self) {
        for OwnLook { look, .. } in &mut self.looks {
            let transforms = look.variant.textures.map(|texture| texture.is_some());
            if transforms != look.variant.transforms {
                *look = Look::unbuilt(self.material, Variant { transforms, ..look.variant });
            }
        }
    }

    /// Builds missing programs; returns `true` if all are built, which is certain without `may_defer`.
    ///
    /// # Errors
    /// `Shader`, `OutOfMemory`, `ContextLost`.
    pub(crate) fn build(
        &mut self,
        gl: &Rc<Gl>,
        programs: &mut Programs,
        wanted: MaterialUse,
        may_defer: bool,
    ) -> Result<bool, RenderError> {
        for OwnLook { look, .. } in &mut self.looks {
            let variant = look.variant.skinned(wanted.dual);
            if variant != look.variant {
                *look = Look::unbuilt(self.material, variant);
            }
        }
        let mut complete = true;
        // Requests all programs before waiting for the first one, so that they compile in parallel.
        for waiting in [false, true] {
            for OwnLook { look, .. } in &mut self.looks {
                for (variant, program) in look.missing(wanted) {
                    if waiting {
                        *program = programs.poll(gl, variant, may_defer)?;
                        complete &= program.is_some();
                    } else {
                        programs.request(gl, variant)?;
                    }
                }
            }
        }
        Ok(complete)
    }

    /// Writes the numbers, if they have changed.
    ///
    /// - `version`: the version of the numbers.
    pub(crate) fn write(&mut self, gl: &Gl, (state, version): (&MaterialState, u32), cells: &[TextureCell]) {
        let has_cell = cells.iter().any(|cell| cell.material == state.material);
        if !has_cell && self.written == Some(version) {
            return;
        }
        self.written = (!has_cell).then_some(version);
        let mut numbers = block(&state.numbers);
        in_cell(&mut numbers, self.material, cells);
        if self.gpu.replace(&numbers) {
            gl.write_uniforms(&self.block, 0, &numbers);
        }
    }

    /// The look in place of one of the model.
    pub(crate) fn look(&self, draw: usize, look: usize) -> Option<&Look> {
        let at = (draw as u32, look as u32);
        let found = self.looks.binary_search_by_key(&at, |own| own.at);
        found.ok().map(|i| &self.looks[i].look)
    }

    /// The index of the material that it replaces.
    pub fn material(&self) -> usize {
        self.material
    }

    /// The counters of what it is made from.
    pub fn version(&self) -> MaterialVersion {
        self.version
    }
}

impl Look {
    /// The programs that are not built yet, with their variants.
    fn missing(
        &mut self,
        wanted: MaterialUse,
    ) -> impl Iterator<Item = (Variant, &mut Option<Rc<crate::render::programs::MeshProgram>>)> {
        let MaterialUse { shadows, deformed, crowd, .. } = wanted;
        let variant = self.variant;
        let on_cpu = deformed_variant(variant);
        let [shadow, deformed_shadow] = &mut self.shadow_programs;
        let [in_crowd, crowd_shadow] = &mut self.crowd_programs;
        let all = [
            (!crowd, variant, &mut self.program),
            (deformed, on_cpu, &mut self.deformed_program),
            (shadows && !crowd, variant.shadow(), shadow),
            (shadows && deformed, on_cpu.shadow(), deformed_shadow),
            (crowd, variant.in_crowd(), in_crowd),
            (shadows && crowd, variant.shadow().in_crowd(), crowd_shadow),
        ];
        all.into_iter()
            .filter(|(wanted, _, program)| *wanted && program.is_none())
            .map(|(_, variant, program)| (variant, program))
    }
}
