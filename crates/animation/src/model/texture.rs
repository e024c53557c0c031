//! Textures, samplers and images.

use super::ids::{ImageId, MaterialId, TextureId};
use crate::base::sin_cos;
use std::ops::Range;

/// A reference to a texture, with its texture coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureRef {
    /// The texture.
    pub texture: TextureId,
    /// The set of texture coordinates: `n` of `TEXCOORD_n`.
    pub tex_coord: u32,
    /// The transform of the coordinates.
    pub transform: TextureTransform,
}

/// A transform of texture coordinates `T · R · S`. Spec: KHR_texture_transform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureTransform {
    /// The translation, in widths and heights of the image.
    pub offset: [f32; 2],
    /// The rotation around the origin, in radians: from V towards U, which is counter-clockwise in an image
    /// whose V points down.
    pub rotation: f32,
    /// The scale of the coordinates.
    pub scale: [f32; 2],
}

impl TextureTransform {
    /// The identity.
    pub const IDENTITY: Self = Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2] };

    /// The rows of the 2×3 matrix that maps `(u, v, 1)` to the transformed coordinates.
    pub fn rows(&self) -> [[f32; 3]; 2] {
        let (sin, cos) = sin_cos(self.rotation);
        let ([x, y], [u, v]) = (self.offset, self.scale);
        [[cos * u, sin * v, x], [-sin * u, cos * v, y]]
    }
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// A cell of the textures of a material, which are divided into columns and rows. The cell is shown in place of the
/// whole images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextureCell {
    /// The material.
    pub material: MaterialId,
    /// The number of columns; at least 1.
    pub columns: u32,
    /// The number of rows; at least 1.
    pub rows: u32,
    /// The index of the cell, from the upper left by rows.
    pub index: u32,
}

impl TextureCell {
    /// The rows of a texture transform, followed by the transform from the whole image to the cell.
    pub fn of_rows(&self, [u, v]: [[f32; 3]; 2]) -> [[f32; 3]; 2] {
        let (columns, rows) = (self.columns.max(1), self.rows.max(1));
        let within = |[a, b, at]: [f32; 3], cell: u32, count: u32| {
            [a / count as f32, b / count as f32, (at + cell as f32) / count as f32]
        };
        [within(u, self.index % columns, columns), within(v, self.index / columns, rows)]
    }
}

/// A normal map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalTexture {
    /// The texture.
    pub texture: TextureRef,
    /// Multiplied with X and Y of the texture's normals.
    pub scale: f32,
}

/// An occlusion map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OcclusionTexture {
    /// The texture.
    pub texture: TextureRef,
    /// 0 no occlusion … 1 full.
    pub strength: f32,
}

/// An image with a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Texture {
    /// The image; `None` for white.
    pub image: Option<ImageId>,
    /// The sampler.
    pub sampler: TextureSampler,
}

/// A texture sampler; by default linear with mipmaps, repeating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextureSampler {
    /// The filter where the texture is magnified.
    pub mag: Filter,
    /// The filter where the texture is minified.
    pub min: Filter,
    /// The use of mipmaps.
    pub mip: MipFilter,
    /// The wrap mode outside of 0 … 1, horizontally.
    pub wrap_s: Wrap,
    /// The wrap mode outside of 0 … 1, vertically.
    pub wrap_t: Wrap,
}

/// A texture filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// The nearest texel.
    Nearest,
    /// Linear interpolation between the four nearest texels.
    #[default]
    Linear,
}

/// The use of mipmap levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MipFilter {
    /// No mipmaps: only the full image.
    None,
    /// The nearest level.
    Nearest,
    /// Linear interpolation between the two nearest levels.
    #[default]
    Linear,
}

/// The wrap mode of a texture outside of 0 … 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wrap {
    /// The texels at the edge continue.
    ClampToEdge,
    /// The image repeats, every second time mirrored.
    MirroredRepeat,
    /// The image repeats.
    #[default]
    Repeat,
}

/// An image, still encoded as PNG, JPEG or another format that the browser decodes.
#[derive(Debug, Clone)]
pub struct Image {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// The MIME type that the file states.
    pub mime_type: Option<String>,
    /// The location of the bytes.
    pub data: ImageData,
    /// A fallback image if its format cannot be decoded.
    pub fallback: Option<ImageId>,
}

/// The location of an image's bytes.
#[derive(Debug, Clone)]
pub enum ImageData {
    /// In a data URI, or in a file or buffer that was in memory.
    Embedded(Vec<u8>),
    /// In a file or buffer whose owner the import has read range by range: the owner has the bytes.
    Outside {
        /// The index of the buffer.
        buffer: usize,
        /// The bytes within those that were provided for the buffer; without a URI of the buffer, within the file.
        range: Range<usize>,
    },
    /// At a URI relative to the file, percent-encoded as in the file.
    External(String),
}
