//! The pixels of an image, uploaded in groups of rows.

use super::compressed::CompressedImage;
use crate::render::error::RenderError;
use crate::render::gl::{Gl, TexelFormat, Texture};
use std::rc::Rc;

/// A decoded image.
#[derive(Debug)]
pub enum Pixels {
    /// Decoded by the browser, with `premultiplyAlpha: "none"`, `colorSpaceConversion: "none"` and not flipped.
    #[cfg(target_arch = "wasm32")]
    Bitmap(Bitmap),
    /// Four bytes per pixel, not premultiplied, from the top row.
    Rgba {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
        /// `4 * width * height` bytes.
        rgba: Vec<u8>,
    },
    /// In a compression format of this GPU. The blocks are sampled as sRGB where a material uses the image as colour.
    Packed(CompressedImage<Vec<u8>>),
}

/// An image that the browser decoded. Do not close it; dropping it does.
/// The garbage collector does not see the size of the pixels. Without `close`, bitmaps of cancelled loads would accumulate.
#[cfg(target_arch = "wasm32")]
#[derive(Debug)]
pub struct Bitmap(web_sys::ImageBitmap);

#[cfg(target_arch = "wasm32")]
impl From<web_sys::ImageBitmap> for Bitmap {
    fn from(bitmap: web_sys::ImageBitmap) -> Self {
        Self(bitmap)
    }
}

#[cfg(target_arch = "wasm32")]
impl Bitmap {
    /// The bitmap, for reading.
    pub fn get(&self) -> &web_sys::ImageBitmap {
        &self.0
    }
}

#[cfg(target_arch = "wasm32")]
impl Drop for Bitmap {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Pixels {
    /// Checks that the number of bytes matches the size.
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Bitmap(_) => Ok(()),
            Self::Rgba { width, height, rgba } => {
                let needed = 4 * *width as usize * *height as usize;
                let fits = rgba.len() == needed && needed > 0;
                if fits { Ok(()) } else { Err(RenderError::ImageData { needed, available: rgba.len() }) }
            }
            Self::Packed(packed) => packed.check(),
        }
    }

    pub(crate) fn size(&self) -> (u32, u32) {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Bitmap(Bitmap(bitmap)) => (bitmap.width(), bitmap.height()),
            Self::Rgba { width, height, .. } => (*width, *height),
            Self::Packed(packed) => (packed.width, packed.height),
        }
    }

    /// Uploads the whole image, with its mipmap.
    pub(crate) fn upload(&self, gl: &Rc<Gl>, format: TexelFormat) -> Result<Texture, RenderError> {
        let mut filling = Filling::new(gl, self, format)?;
        while filling.write(gl, self, usize::MAX) > 0 {}
        filling.finish(gl, self);
        Ok(filling.texture)
    }

    /// Overwrites a texture of the same size with an image that is not compressed.
    pub(crate) fn rewrite(&self, gl: &Gl, texture: &Texture) {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Bitmap(Bitmap(bitmap)) => gl.write_rows_of_bitmap(texture, bitmap, 0, bitmap.height()),
            Self::Rgba { width, rgba, .. } => gl.write_rows(texture, *width, 0, rgba),
            Self::Packed(_) => return,
        }
        gl.fill_levels(texture);
    }

    fn allocate(&self, gl: &Rc<Gl>, format: TexelFormat) -> Result<Texture, RenderError> {
        let texture = Texture::new(gl)?;
        let (width, height) = self.size();
        match self {
            Self::Packed(packed) => {
                let internal = packed.format.internal(format);
                gl.allocate_levels(&texture, internal, width, height, packed.levels.len() as u32)?;
            }
            _ => gl.allocate_image(&texture, format, width, height)?,
        }
        Ok(texture)
    }
}

/// A texture whose upload is in progress.
#[derive(Debug)]
pub(crate) struct Filling {
    pub(crate) format: TexelFormat,
    pub(crate) texture: Texture,
    level: u32,
    row: u32,
}

impl Filling {
    pub(crate) fn new(gl: &Rc<Gl>, pixels: &Pixels, format: TexelFormat) -> Result<Self, RenderError> {
        Ok(Self { format, texture: pixels.allocate(gl, format)?, level: 0, row: 0 })
    }

    /// Uploads rows of up to `budget` bytes, but at least one row of pixels or blocks. Returns the number of bytes
    /// written, 0 at the end.
    pub(crate) fn write(&mut self, gl: &Gl, pixels: &Pixels, budget: usize) -> usize {
        let (width, height) = pixels.size();
        let row = 4 * width as usize;
        let rows = |bytes: usize, left: u32| (budget / bytes.max(1)).clamp(1, left.max(1) as usize) as u32;
        let y = self.row;
        match pixels {
            #[cfg(target_arch = "wasm32")]
            Pixels::Bitmap(Bitmap(bitmap)) => {
                let rows = rows(row, height - y).min(height - y);
                if rows > 0 {
                    gl.write_rows_of_bitmap(&self.texture, bitmap, y, rows);
                }
                self.row += rows;
                rows as usize * row
            }
            Pixels::Rgba { rgba, .. } => {
                let rows = rows(row, height - y).min(height - y);
                let part = &rgba[y as usize * row..(y + rows) as usize * row];
                if rows > 0 {
                    gl.write_rows(&self.texture, width, y, part);
                }
                self.row += rows;
                part.len()
            }
            Pixels::Packed(packed) => {
                let Some((width, height, blocks)) = packed.levels().nth(self.level as usize) else {
                    return 0;
                };
                let row = width.div_ceil(4) as usize * packed.format.block_bytes();
                let left = height.div_ceil(4) - y;
                let rows = rows(row, left).min(left);
                let part = &blocks[y as usize * row..(y + rows) as usize * row];
                let internal = packed.format.internal(self.format);
                let place = (4 * y, width, (4 * rows).min(height - 4 * y));
                gl.write_blocks(&self.texture, internal, self.level, place, part);
                self.row += rows;
                if rows == left {
                    (self.level, self.row) = (self.level + 1, 0);
                }
                part.len()
            }
        }
    }

    /// Generates the mipmap of an image without one.
    pub(crate) fn finish(&self, gl: &Gl, pixels: &Pixels) {
        if !matches!(pixels, Pixels::Packed(_)) {
            gl.fill_levels(&self.texture);
        }
    }
}
