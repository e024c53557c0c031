//! Images in GPU compression formats.

use crate::render::error::RenderError;
use crate::render::gl::{BlockFormat, TexelFormat};

/// An image of blocks of 4 × 4 texels, with its mipmap.
#[derive(Debug, Clone)]
pub struct CompressedImage<L> {
    /// The format of blocks.
    pub format: BlockFormat,
    /// The width of the first level in pixels.
    pub width: u32,
    /// The height of the first level in pixels.
    pub height: u32,
    /// The blocks of each level, row by row from the top. Each level is half as large as the previous one,
    /// rounded down, and at least 1 pixel. The mipmap need not be complete.
    pub levels: Vec<L>,
}

impl<L: AsRef<[u8]>> CompressedImage<L> {
    /// The width, height and blocks of each level.
    pub(super) fn levels(&self) -> impl Iterator<Item = (u32, u32, &[u8])> {
        let half = |size: u32, level: usize| size.checked_shr(level as u32).unwrap_or(0).max(1);
        self.levels
            .iter()
            .enumerate()
            .map(move |(i, level)| (half(self.width, i), half(self.height, i), level.as_ref()))
    }

    /// Checks the number of bytes in each level, and that there are no more levels than
    /// halvings of the size.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        let most = (u32::BITS - self.width.max(self.height).leading_zeros()) as usize;
        if self.width == 0 || self.height == 0 || self.levels.is_empty() || self.levels.len() > most {
            return Err(RenderError::ImageData { needed: most, available: self.levels.len() });
        }
        for (width, height, blocks) in self.levels() {
            let needed = width.div_ceil(4) as usize * height.div_ceil(4) as usize * self.format.block_bytes();
            if blocks.len() != needed {
                return Err(RenderError::ImageData { needed, available: blocks.len() });
            }
        }
        Ok(())
    }
}

impl BlockFormat {
    /// The number of bytes per block.
    pub fn block_bytes(self) -> usize {
        match self {
            Self::Bc1 | Self::Etc2Rgb => 8,
            Self::Bc3 | Self::Bc7 | Self::Etc2Rgba | Self::Astc4x4 => 16,
        }
    }

    /// The internal format of GL.
    pub(super) fn internal(self, texels: TexelFormat) -> u32 {
        let (linear, srgb) = match self {
            Self::Bc1 => (glow::COMPRESSED_RGB_S3TC_DXT1_EXT, glow::COMPRESSED_SRGB_S3TC_DXT1_EXT),
            Self::Bc3 => (glow::COMPRESSED_RGBA_S3TC_DXT5_EXT, glow::COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT),
            Self::Bc7 => (glow::COMPRESSED_RGBA_BPTC_UNORM, glow::COMPRESSED_SRGB_ALPHA_BPTC_UNORM),
            Self::Etc2Rgb => (glow::COMPRESSED_RGB8_ETC2, glow::COMPRESSED_SRGB8_ETC2),
            Self::Etc2Rgba => (glow::COMPRESSED_RGBA8_ETC2_EAC, glow::COMPRESSED_SRGB8_ALPHA8_ETC2_EAC),
            Self::Astc4x4 => (glow::COMPRESSED_RGBA_ASTC_4x4_KHR, glow::COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR),
        };
        if texels == TexelFormat::Srgb { srgb } else { linear }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(format: BlockFormat, width: u32, height: u32, levels: &[usize]) -> CompressedImage<Vec<u8>> {
        let levels = levels.iter().map(|&length| vec![0; length]).collect();
        CompressedImage { format, width, height, levels }
    }

    #[test]
    fn compressed_image_levels_must_have_the_bytes_of_their_size() {
        assert!(image(BlockFormat::Bc1, 8, 8, &[]).check().is_err());
        assert!(image(BlockFormat::Bc1, 0, 8, &[0]).check().is_err());
        assert!(image(BlockFormat::Bc1, 8, 8, &[31]).check().is_err());
        assert!(image(BlockFormat::Bc1, 8, 8, &[32, 8, 8, 8, 8]).check().is_err());
        assert!(image(BlockFormat::Bc7, 8, 8, &[32]).check().is_err());
        assert!(image(BlockFormat::Bc1, 8, 8, &[32, 8, 8, 8]).check().is_ok());
        assert!(image(BlockFormat::Bc7, 8, 4, &[32, 16, 16, 16]).check().is_ok());
        assert!(image(BlockFormat::Astc4x4, 20, 12, &[5 * 3 * 16, 3 * 2 * 16]).check().is_ok());
    }
}
