//! Textures and samplers.

use super::buffer::as_bytes;
use super::context::Gl;
use super::cost::Spent;
use super::object::{Sampler, Texture};
use crate::model::{Filter, MipFilter, TextureSampler, Wrap};
use crate::render::error::RenderError;
use glow::HasContext;

/// The texel format of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TexelFormat {
    /// Four bytes, linear.
    Linear,
    /// Four bytes with sRGB-encoded colour, which is sampled as linear.
    Srgb,
    /// Four f32.
    Float,
}

/// A GPU compression format with blocks of 4 × 4 texels.
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
    /// ASTC with blocks of 4 × 4 texels.
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
}

impl Gl {
    /// Checks that the GPU supports textures of this size.
    pub(crate) fn check_size(&self, width: u32, height: u32) -> Result<(), RenderError> {
        let available = self.limits.texture_size as u32;
        if width > available || height > available {
            return Err(RenderError::TextureTooLarge { width, height, available });
        }
        Ok(())
    }

    /// Allocates a texture for an image and its mipmap; once per texture.
    ///
    /// # Errors
    /// If the image is too large or has no pixels.
    pub(crate) fn allocate_image(
        &self,
        texture: &Texture,
        format: TexelFormat,
        width: u32,
        height: u32,
    ) -> Result<(), RenderError> {
        let levels = width.max(height).max(1).ilog2() + 1;
        self.allocate_levels(texture, format.internal(), width, height, levels)
    }

    /// Allocates `levels` levels of a texture; once per texture. GL reports an error for an unsupported format.
    ///
    /// # Errors
    /// As [`Gl::allocate_image`].
    pub(crate) fn allocate_levels(
        &self,
        texture: &Texture,
        internal: u32,
        width: u32,
        height: u32,
        levels: u32,
    ) -> Result<(), RenderError> {
        self.check_size(width, height)?;
        if width == 0 || height == 0 {
            return Err(RenderError::ImageData { needed: 4, available: 0 });
        }
        self.select_for_upload(texture);
        let (levels, width, height) = (levels as i32, width as i32, height as i32);
        // SAFETY: see the module `gl`; the texture is alive and bound.
        unsafe { self.raw.tex_storage_2d(glow::TEXTURE_2D, levels, internal, width, height) };
        Ok(())
    }

    /// Writes rows of an image, four bytes per pixel, from row `y` on.
    pub(crate) fn write_rows(&self, texture: &Texture, width: u32, y: u32, rgba: &[u8]) {
        self.write_texels(texture, width, y, (glow::RGBA, glow::UNSIGNED_BYTE), rgba);
    }

    /// Writes whole rows of texels of four bytes, from row `y` on.
    pub(super) fn write_texels(
        &self,
        texture: &Texture,
        width: u32,
        y: u32,
        (format, kind): (u32, u32),
        texels: &[u8],
    ) {
        self.select_for_upload(texture);
        self.spend(Spent::Uploaded, texels.len());
        let rows = texels.len() / (4 * width.max(1) as usize);
        // SAFETY: see the module `gl`; the texture is alive and bound, the data has the right length, and GL rejects
        // writes beyond the texture.
        unsafe {
            self.raw.tex_sub_image_2d(
                glow::TEXTURE_2D,
                0,
                0,
                y as i32,
                width as i32,
                rows as i32,
                format,
                kind,
                glow::PixelUnpackData::Slice(Some(texels)),
            );
        }
    }

    /// Writes `rows` rows of a decoded image of the browser, from row `y` on, to the same rows.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn write_rows_of_bitmap(
        &self,
        texture: &Texture,
        bitmap: &web_sys::ImageBitmap,
        y: u32,
        rows: u32,
    ) {
        self.select_for_upload(texture);
        self.spend(Spent::Uploaded, 4 * bitmap.width() as usize * rows as usize);
        // SAFETY: see the module `gl`; the texture is alive and bound, and GL rejects writes beyond it. (A bitmap
        // never taints a context: creating one from a cross-origin image fails earlier.)
        unsafe {
            self.raw.pixel_store_i32(glow::UNPACK_SKIP_ROWS, y as i32);
            self.raw.tex_sub_image_2d_with_image_bitmap_and_width_and_height(
                glow::TEXTURE_2D,
                0,
                0,
                y as i32,
                bitmap.width() as i32,
                rows as i32,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                bitmap,
            );
            self.raw.pixel_store_i32(glow::UNPACK_SKIP_ROWS, 0);
        }
    }

    /// Writes rows of blocks of a level, `width` pixels wide, from pixel row `y` on. `rows` is their height in
    /// pixels, which need not be a multiple of 4 at the lower end.
    pub(crate) fn write_blocks(
        &self,
        texture: &Texture,
        internal: u32,
        level: u32,
        (y, width, rows): (u32, u32, u32),
        blocks: &[u8],
    ) {
        self.select_for_upload(texture);
        self.spend(Spent::Uploaded, blocks.len());
        let data = glow::CompressedPixelUnpackData::Slice(blocks);
        // SAFETY: see the module `gl`; the texture is alive and bound, and GL rejects another length.
        unsafe {
            self.raw.compressed_tex_sub_image_2d(
                glow::TEXTURE_2D,
                level as i32,
                0,
                y as i32,
                width as i32,
                rows as i32,
                internal,
                data,
            );
        }
    }

    /// Generates the mipmap of a texture from its first level.
    pub(crate) fn fill_levels(&self, texture: &Texture) {
        self.select_for_upload(texture);
        // SAFETY: see the module `gl`; the texture is alive and bound.
        unsafe { self.raw.generate_mipmap(glow::TEXTURE_2D) };
    }

    /// Allocates a texture of `width` × `height` texels of four f32, for fetches in shaders; once per texture.
    pub(crate) fn allocate_floats(&self, texture: &Texture, width: usize, height: usize) {
        self.select_for_upload(texture);
        let internal = TexelFormat::Float.internal();
        // SAFETY: see the module `gl`; the texture is alive and bound.
        unsafe {
            self.raw.tex_storage_2d(glow::TEXTURE_2D, 1, internal, width as i32, height as i32);
            // Float textures are complete only without filtering.
            for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
                self.raw.tex_parameter_i32(glow::TEXTURE_2D, filter, glow::NEAREST as i32);
            }
        }
    }

    /// Copies `texels`, four f32 each, into a texture of `width` texels per row, from texel `first` on in row-major order.
    /// Uses up to three calls: the rest of the first row, the full rows, and the remaining texels.
    pub(crate) fn write_floats(&self, texture: &Texture, width: usize, first: usize, texels: &[f32]) {
        self.select_for_upload(texture);
        self.spend(Spent::Uploaded, size_of_val(texels));
        let missing = 4 * (first.next_multiple_of(width) - first);
        let (head, rest) = texels.split_at(missing.min(texels.len()));
        let (full, tail) = rest.split_at(rest.len() - rest.len() % (4 * width));
        let mut first = first;
        for part in [head, full, tail] {
            let count = part.len() / 4;
            let (columns, rows) = if count < width { (count, 1) } else { (width, count / width) };
            if count > 0 {
                let data = glow::PixelUnpackData::Slice(Some(as_bytes(part)));
                // SAFETY: see the module `gl`; the texture is alive and bound, the data has the right length,
                // and GL rejects writes beyond the texture.
                unsafe {
                    self.raw.tex_sub_image_2d(
                        glow::TEXTURE_2D,
                        0,
                        (first % width) as i32,
                        (first / width) as i32,
                        columns as i32,
                        rows as i32,
                        glow::RGBA,
                        glow::FLOAT,
                        data,
                    );
                }
            }
            first += count;
        }
    }

    /// Allocates a texture for a copy of a canvas of this size, and its mipmap; once per texture.
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

    /// Copies a part of the current render target to a texture of its size, and generates its mipmap.
    pub(crate) fn copy_canvas(&self, texture: &Texture, corner: [u32; 2], size: [u32; 2]) {
        self.select_for_upload(texture);
        let ([x, y], [width, height]) = (corner.map(|n| n as i32), size.map(|n| n as i32));
        // SAFETY: see the module `gl`; the texture is alive and bound, and has this size.
        unsafe {
            self.raw.copy_tex_sub_image_2d(glow::TEXTURE_2D, 0, 0, 0, x, y, width, height);
            self.raw.generate_mipmap(glow::TEXTURE_2D);
        }
    }

    /// Sets the parameters of `sampler`.
    pub(crate) fn set_sampler(&self, sampler: &Sampler, sampling: TextureSampler) {
        let mag = match sampling.mag {
            Filter::Nearest => glow::NEAREST,
            Filter::Linear => glow::LINEAR,
        };
        let min = match (sampling.min, sampling.mip) {
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
            (glow::TEXTURE_WRAP_S, wrap(sampling.wrap_s)),
            (glow::TEXTURE_WRAP_T, wrap(sampling.wrap_t)),
        ];
        // SAFETY: see the module `gl`; the sampler is alive, and the values are valid for the parameters.
        unsafe {
            for (parameter, value) in parameters {
                self.raw.sampler_parameter_i32(sampler.raw, parameter, value as i32);
            }
            // Anisotropic filtering interpolates between texels, which would override nearest filtering.
            if self.limits.anisotropy > 1.0
                && sampling.min == Filter::Linear
                && sampling.mag == Filter::Linear
            {
                let name = glow::TEXTURE_MAX_ANISOTROPY;
                self.raw.sampler_parameter_f32(sampler.raw, name, self.limits.anisotropy);
            }
        }
    }
}
