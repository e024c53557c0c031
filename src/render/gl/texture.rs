//! Textures and samplers.

use super::{Gl, RenderError, Sampler, Spent, Texture, as_bytes};
use crate::model::{Filter, MipFilter, TextureSampler, Wrap};
use glow::HasContext;

/// What texels are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TexelFormat {
    /// Four bytes, linear.
    Linear,
    /// Four bytes, of which the colour is sRGB and comes out linear.
    Srgb,
    /// Four f32.
    Float,
}

/// How GPUs pack blocks of 4 × 4 texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockFormat {
    /// S3TC without alpha.
    Bc1,
    /// S3TC with alpha.
    Bc3,
    /// BPTC.
    Bc7,
    /// ETC2 without alpha.
    Etc2Rgb,
    /// ETC2 with alpha.
    Etc2Rgba,
    /// ASTC of 4 × 4.
    Astc4x4,
}

impl TexelFormat {
    fn internal(self) -> u32 {
        match self {
            Self::Linear => glow::RGBA8,
            Self::Srgb => glow::SRGB8_ALPHA8,
            Self::Float => glow::RGBA32F,
        }
    }

    fn component(self) -> u32 {
        if self == Self::Float { glow::FLOAT } else { glow::UNSIGNED_BYTE }
    }
}

impl Gl {
    /// Checks that a texture can have this size.
    pub(crate) fn check_size(&self, width: u32, height: u32) -> Result<(), RenderError> {
        let available = self.limits.texture_size as u32;
        if width > available || height > available {
            return Err(RenderError::TextureTooLarge { width, height, available });
        }
        Ok(())
    }

    /// Fills a texture with an image and the image's mipmap.
    ///
    /// # Errors
    /// If the image is too large or `rgba` is not four bytes a pixel.
    pub(crate) fn fill_texture(
        &self,
        texture: &Texture,
        format: TexelFormat,
        width: u32,
        height: u32,
        rgba: &[u8],
    ) -> Result<(), RenderError> {
        self.check_size(width, height)?;
        let needed = width as usize * height as usize * 4;
        if rgba.len() != needed || needed == 0 {
            return Err(RenderError::ImageData { needed, available: rgba.len() });
        }
        self.select_for_upload(texture);
        self.spend(Spent::Uploaded, needed);
        let data = glow::PixelUnpackData::Slice(Some(rgba));
        let internal = format.internal() as i32;
        // SAFETY: see the module `gl`; the texture is alive and bound, the data has the right length.
        unsafe {
            self.raw.tex_image_2d(
                glow::TEXTURE_2D,
                0,
                internal,
                width as i32,
                height as i32,
                0,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                data,
            );
            self.raw.generate_mipmap(glow::TEXTURE_2D);
        }
        Ok(())
    }

    /// Fills a texture with an image that the browser decoded, and the image's mipmap.
    ///
    /// # Errors
    /// If the image is too large or closed.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn fill_texture_from_bitmap(
        &self,
        texture: &Texture,
        format: TexelFormat,
        bitmap: &web_sys::ImageBitmap,
    ) -> Result<(), RenderError> {
        let (width, height) = (bitmap.width(), bitmap.height());
        self.check_size(width, height)?;
        if width == 0 || height == 0 {
            return Err(RenderError::ImageData { needed: 4, available: 0 });
        }
        self.select_for_upload(texture);
        self.spend(Spent::Uploaded, 4 * width as usize * height as usize);
        let internal = format.internal() as i32;
        // SAFETY: see the module `gl`; the texture is alive and bound. (A bitmap never taints a context:
        // making one of another origin's image fails before.)
        unsafe {
            self.raw.tex_image_2d_with_image_bitmap(
                glow::TEXTURE_2D,
                0,
                internal,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                bitmap,
            );
            self.raw.generate_mipmap(glow::TEXTURE_2D);
        }
        Ok(())
    }

    /// Fills a texture with levels of blocks, which have been checked; GL reports a format it does not have.
    ///
    /// # Errors
    /// If the image is too large.
    pub(crate) fn fill_compressed<'a>(
        &self,
        texture: &Texture,
        internal: u32,
        levels: impl Iterator<Item = (u32, u32, &'a [u8])>,
    ) -> Result<(), RenderError> {
        self.select_for_upload(texture);
        let mut last = 0;
        for (level, (width, height, blocks)) in levels.enumerate() {
            self.check_size(width, height)?;
            self.spend(Spent::Uploaded, blocks.len());
            let (width, height) = (width as i32, height as i32);
            last = level as i32;
            // SAFETY: see the module `gl`; the texture is alive and bound, and the blocks have the length
            // that the size needs.
            unsafe {
                let size = blocks.len() as i32;
                let internal = internal as i32;
                self.raw.compressed_tex_image_2d(
                    glow::TEXTURE_2D,
                    last,
                    internal,
                    width,
                    height,
                    0,
                    size,
                    blocks,
                );
            }
        }
        // SAFETY: as above. Nothing can make the levels that the image does not have.
        unsafe { self.raw.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAX_LEVEL, last) };
        Ok(())
    }

    /// Gives a texture that shaders fetch from room for `width` × `height` texels of four f32, once.
    pub(crate) fn allocate_floats(&self, texture: &Texture, width: usize, height: usize) {
        self.select_for_upload(texture);
        let internal = TexelFormat::Float.internal();
        // SAFETY: see the module `gl`; the texture is alive and bound.
        unsafe {
            self.raw.tex_storage_2d(glow::TEXTURE_2D, 1, internal, width as i32, height as i32);
            // Float textures are complete without filters only.
            for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
                self.raw.tex_parameter_i32(glow::TEXTURE_2D, filter, glow::NEAREST as i32);
            }
        }
    }

    /// Copies `texels` into a texture of `width` texels a row, from the beginning of row `row` on: the full
    /// rows in one call, and what is left in another.
    pub(crate) fn write_floats(&self, texture: &Texture, width: usize, row: usize, texels: &[f32]) {
        self.select_for_upload(texture);
        self.spend(Spent::Uploaded, size_of_val(texels));
        let (full, rest) = texels.split_at(texels.len() - texels.len() % (4 * width));
        let full_rows = full.len() / (4 * width);
        for (part, row, columns, rows) in
            [(full, row, width, full_rows), (rest, row + full_rows, rest.len() / 4, 1)]
        {
            if part.is_empty() {
                continue;
            }
            let data = glow::PixelUnpackData::Slice(Some(as_bytes(part)));
            // SAFETY: see the module `gl`; the texture is alive and bound, the data has the right length,
            // and GL refuses what is beyond the texture.
            unsafe {
                self.raw.tex_sub_image_2d(
                    glow::TEXTURE_2D,
                    0,
                    0,
                    row as i32,
                    columns as i32,
                    rows as i32,
                    glow::RGBA,
                    TexelFormat::Float.component(),
                    data,
                );
            }
        }
    }

    /// Gives a texture room for a copy of a canvas of this size, and its mipmap, once.
    pub(crate) fn allocate_copy(&self, texture: &Texture, width: u32, height: u32) {
        self.select_for_upload(texture);
        let levels = width.max(height).max(1).ilog2() as i32 + 1;
        // SAFETY: see the module `gl`; the texture is alive and bound.
        unsafe {
            self.raw.tex_storage_2d(glow::TEXTURE_2D, levels, glow::RGBA8, width as i32, height as i32);
            for (parameter, value) in [
                (glow::TEXTURE_MIN_FILTER, glow::LINEAR_MIPMAP_LINEAR),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
            ] {
                self.raw.tex_parameter_i32(glow::TEXTURE_2D, parameter, value as i32);
            }
        }
    }

    /// Copies what is drawn into into a texture of the same size, and makes its mipmap.
    pub(crate) fn copy_canvas(&self, texture: &Texture, width: u32, height: u32) {
        self.select_for_upload(texture);
        // SAFETY: see the module `gl`; the texture is alive and bound, and has this size.
        unsafe {
            self.raw.copy_tex_sub_image_2d(glow::TEXTURE_2D, 0, 0, 0, 0, 0, width as i32, height as i32);
            self.raw.generate_mipmap(glow::TEXTURE_2D);
        }
    }

    /// Sets what `sampler` does.
    pub(crate) fn set_sampler(&self, sampler: &Sampler, how: TextureSampler) {
        let mag = match how.mag {
            Filter::Nearest => glow::NEAREST,
            Filter::Linear => glow::LINEAR,
        };
        let min = match (how.min, how.mip) {
            (Filter::Nearest, MipFilter::None) => glow::NEAREST,
            (Filter::Linear, MipFilter::None) => glow::LINEAR,
            (Filter::Nearest, MipFilter::Nearest) => glow::NEAREST_MIPMAP_NEAREST,
            (Filter::Linear, MipFilter::Nearest) => glow::LINEAR_MIPMAP_NEAREST,
            (Filter::Nearest, MipFilter::Linear) => glow::NEAREST_MIPMAP_LINEAR,
            (Filter::Linear, MipFilter::Linear) => glow::LINEAR_MIPMAP_LINEAR,
        };
        let wrap = |wrap| match wrap {
            Wrap::ClampToEdge => glow::CLAMP_TO_EDGE,
            Wrap::MirroredRepeat => glow::MIRRORED_REPEAT,
            Wrap::Repeat => glow::REPEAT,
        };
        let parameters = [
            (glow::TEXTURE_MAG_FILTER, mag),
            (glow::TEXTURE_MIN_FILTER, min),
            (glow::TEXTURE_WRAP_S, wrap(how.wrap_s)),
            (glow::TEXTURE_WRAP_T, wrap(how.wrap_t)),
        ];
        // SAFETY: see the module `gl`; the sampler is alive, the values are GL's for the parameters.
        unsafe {
            for (parameter, value) in parameters {
                self.raw.sampler_parameter_i32(sampler.raw, parameter, value as i32);
            }
            // Anisotropy blurs between texels, which who asks for the nearest one does not want.
            if self.limits.anisotropy > 1.0 && how.min == Filter::Linear && how.mag == Filter::Linear {
                let name = glow::TEXTURE_MAX_ANISOTROPY;
                self.raw.sampler_parameter_f32(sampler.raw, name, self.limits.anisotropy);
            }
        }
    }
}
