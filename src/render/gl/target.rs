//! Render targets other than the canvas, and textures for lookups only: cube maps, panoramas, tables.

use super::buffer::as_bytes;
use super::context::Gl;
use super::cost::Spent;
use super::object::{CubeMap, Framebuffer, Texture};
use crate::render::error::RenderError;
use glow::HasContext;

/// The texel format of a render target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetFormat {
    /// One byte per texel.
    Share,
    /// Depth, sampled as a value.
    Depth,
    /// Depth, sampled with comparison.
    Shadow,
}

impl Gl {
    /// Allocates a texture of `size` × `size` texels; once per texture.
    pub(crate) fn allocate_target(&self, texture: &Texture, format: TargetFormat, size: u32) {
        self.select_for_upload(texture);
        let filter = if format == TargetFormat::Depth { glow::NEAREST } else { glow::LINEAR };
        // SAFETY: see the module `gl`; the texture is alive and bound.
        unsafe {
            let internal = match format {
                TargetFormat::Share => glow::R8,
                TargetFormat::Depth | TargetFormat::Shadow => glow::DEPTH_COMPONENT24,
            };
            let size = size as i32;
            self.raw.tex_storage_2d(glow::TEXTURE_2D, 1, internal, size, size);
            self.set_filters(glow::TEXTURE_2D, filter, filter);
            self.set_wrap(glow::TEXTURE_2D, glow::CLAMP_TO_EDGE, glow::CLAMP_TO_EDGE);
            if format == TargetFormat::Shadow {
                let mode = glow::COMPARE_REF_TO_TEXTURE as i32;
                self.raw.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_COMPARE_MODE, mode);
                self.raw.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL as i32);
            }
        }
    }

    /// Allocates a cube map with faces of `size` × `size` texels and `levels` levels, `RGB9_E5`; once per texture.
    pub(crate) fn allocate_cube(&self, cube: &CubeMap, size: usize, levels: usize) {
        self.select_cube_for_upload(cube);
        let (levels, size) = (levels as i32, size as i32);
        // SAFETY: see the module `gl`; the texture is alive and bound.
        unsafe {
            self.raw.tex_storage_2d(glow::TEXTURE_CUBE_MAP, levels, glow::RGB9_E5, size, size);
            self.set_filters(glow::TEXTURE_CUBE_MAP, glow::LINEAR_MIPMAP_LINEAR, glow::LINEAR);
            self.set_wrap(glow::TEXTURE_CUBE_MAP, glow::CLAMP_TO_EDGE, glow::CLAMP_TO_EDGE);
        }
    }

    /// Writes one face of a level.
    pub(crate) fn write_cube(&self, cube: &CubeMap, level: usize, face: usize, size: usize, texels: &[u32]) {
        self.select_cube_for_upload(cube);
        let size = size as i32;
        self.spend(Spent::Uploaded, size_of_val(texels));
        // SAFETY: see the module `gl`; the texture is alive and bound, and GL rejects writes beyond it.
        unsafe {
            self.raw.tex_sub_image_2d(
                glow::TEXTURE_CUBE_MAP_POSITIVE_X + face as u32,
                level as i32,
                0,
                0,
                size,
                size,
                glow::RGB,
                glow::UNSIGNED_INT_5_9_9_9_REV,
                glow::PixelUnpackData::Slice(Some(as_bytes(texels))),
            );
        }
    }

    /// Allocates a texture for a panorama, `RGB9_E5`, which wraps horizontally; once per texture.
    ///
    /// # Errors
    /// If it is too large or has no pixels.
    pub(crate) fn allocate_panorama(
        &self,
        texture: &Texture,
        width: u32,
        height: u32,
    ) -> Result<(), RenderError> {
        self.allocate_levels(texture, glow::RGB9_E5, width, height, 1)?;
        // SAFETY: see the module `gl`; the texture is alive and bound.
        unsafe {
            self.set_filters(glow::TEXTURE_2D, glow::LINEAR, glow::LINEAR);
            self.set_wrap(glow::TEXTURE_2D, glow::REPEAT, glow::CLAMP_TO_EDGE);
        }
        Ok(())
    }

    /// Writes whole rows of a panorama, from row `y` on.
    pub(crate) fn write_panorama(&self, texture: &Texture, width: u32, y: u32, texels: &[u32]) {
        let format = (glow::RGB, glow::UNSIGNED_INT_5_9_9_9_REV);
        self.write_texels(texture, width, y, format, as_bytes(texels));
    }

    /// Allocates a texture for a table of `size` × `size` pairs of f16, and writes them; once per texture.
    pub(crate) fn fill_table(&self, texture: &Texture, size: usize, pairs: &[u32]) {
        self.select_for_upload(texture);
        // SAFETY: see the module `gl`; the texture is alive and bound.
        unsafe {
            self.raw.tex_storage_2d(glow::TEXTURE_2D, 1, glow::RG16F, size as i32, size as i32);
            self.set_filters(glow::TEXTURE_2D, glow::LINEAR, glow::LINEAR);
            self.set_wrap(glow::TEXTURE_2D, glow::CLAMP_TO_EDGE, glow::CLAMP_TO_EDGE);
        }
        self.write_texels(texture, size as u32, 0, (glow::RG, glow::HALF_FLOAT), as_bytes(pairs));
    }

    unsafe fn set_filters(&self, target: u32, min: u32, mag: u32) {
        // SAFETY: the caller has bound a texture to `target`.
        unsafe {
            self.raw.tex_parameter_i32(target, glow::TEXTURE_MIN_FILTER, min as i32);
            self.raw.tex_parameter_i32(target, glow::TEXTURE_MAG_FILTER, mag as i32);
        }
    }

    unsafe fn set_wrap(&self, target: u32, s: u32, t: u32) {
        // SAFETY: the caller has bound a texture to `target`.
        unsafe {
            self.raw.tex_parameter_i32(target, glow::TEXTURE_WRAP_S, s as i32);
            self.raw.tex_parameter_i32(target, glow::TEXTURE_WRAP_T, t as i32);
        }
    }

    /// Attaches a texture to `framebuffer`.
    pub(crate) fn attach(&self, framebuffer: &Framebuffer, texture: &Texture, format: TargetFormat) {
        self.bind_framebuffer(Some(framebuffer));
        let depth = matches!(format, TargetFormat::Depth | TargetFormat::Shadow);
        let attachment = if depth { glow::DEPTH_ATTACHMENT } else { glow::COLOR_ATTACHMENT0 };
        // SAFETY: see the module `gl`; framebuffer and texture are alive, the framebuffer is bound.
        unsafe {
            let raw = Some(texture.raw);
            self.raw.framebuffer_texture_2d(glow::FRAMEBUFFER, attachment, glow::TEXTURE_2D, raw, 0);
            if depth {
                self.raw.draw_buffers(&[glow::NONE]);
            }
        }
    }
}
