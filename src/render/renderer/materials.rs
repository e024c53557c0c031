//! Materials of actors in place of those of their models.

use super::{ModelHandle, Renderer};
use crate::model::{MaterialState, Model, PaletteLayout, TextureCell, TextureSlot};
use crate::render::error::RenderError;
use crate::render::gl::TexelFormat;
use crate::render::resources::{MaterialUse, MaterialVersion, OwnMaterial, PictureTexture, Pixels};

impl Renderer {
    /// Uploads a picture of the page, with its mipmap.
    ///
    /// - `srgb`: `true` for a colour, `false` for data.
    ///
    /// # Errors
    /// `ImageData`, `TextureTooLarge`, `OutOfMemory`, `ContextLost`.
    pub fn picture(&mut self, pixels: &Pixels, srgb: bool) -> Result<PictureTexture, RenderError> {
        pixels.check()?;
        let format = if srgb { TexelFormat::Srgb } else { TexelFormat::Linear };
        let texture = pixels.upload(&self.gl, format)?;
        self.gl.check()?;
        Ok(PictureTexture { texture: texture.into(), size: pixels.size() })
    }

    /// Replaces the pixels of a picture. Returns `false`, and does nothing, if their size differs.
    ///
    /// # Errors
    /// `ImageData`.
    pub fn set_picture(&mut self, picture: &PictureTexture, pixels: &Pixels) -> Result<bool, RenderError> {
        pixels.check()?;
        let fits = picture.size == pixels.size() && !matches!(pixels, Pixels::Packed(_));
        if fits {
            pixels.rewrite(&self.gl, &picture.texture);
        }
        Ok(fits)
    }

    /// A material in place of one of a model; `None` until the model is uploaded. [`Renderer::build_material`] builds its programs.
    ///
    /// - `model`, `layout`: the arguments of [`Renderer::begin_model`].
    /// - `pictures`: the textures of the slots that show a picture of the page.
    ///
    /// # Errors
    /// `StaleHandle`, `OutOfMemory`, `ContextLost`.
    pub fn own_material(
        &mut self,
        handle: ModelHandle,
        source: (&Model, &PaletteLayout),
        state: (&MaterialState, MaterialVersion),
        pictures: &[Option<PictureTexture>; TextureSlot::COUNT],
    ) -> Result<Option<OwnMaterial>, RenderError> {
        self.model_mut(handle)?;
        let Some(gpu) = &self.models[handle.index as usize].model else { return Ok(None) };
        if gpu.draws.is_empty() {
            return Ok(None);
        }
        OwnMaterial::new(&self.gl, gpu, source, state, pictures, &mut self.samplers).map(Some)
    }

    /// Builds the missing programs of a material, and writes its numbers. Returns `true` if all programs are built, which is
    /// certain without `may_defer`. Call it before each frame with the material.
    ///
    /// # Errors
    /// `Shader`, `OutOfMemory`, `ContextLost`.
    pub fn build_material(
        &mut self,
        material: &mut OwnMaterial,
        (state, version): (&MaterialState, u32),
        cells: &[TextureCell],
        wanted: MaterialUse,
        may_defer: bool,
    ) -> Result<bool, RenderError> {
        if cells.iter().any(|cell| cell.material == state.material) {
            material.divide();
        }
        material.write(&self.gl, (state, version), cells);
        material.build(&self.gl, &mut self.programs, wanted, may_defer)
    }
}
