//! Textures, samplers and images.

use super::ids::{ImageId, TextureId};
use crate::base::sin_cos;

/// The textures of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "glTF's own words")]
pub enum TextureSlot {
    BaseColor,
    MetallicRoughness,
    Normal,
    Occlusion,
    Emissive,
    Specular,
    /// Or that of specular-glossiness.
    SpecularColor,
    Clearcoat,
    ClearcoatRoughness,
    ClearcoatNormal,
    SheenColor,
    SheenRoughness,
    Transmission,
    Thickness,
    Iridescence,
    IridescenceThickness,
    Anisotropy,
}

impl TextureSlot {
    /// How many slots there are.
    pub const COUNT: usize = 17;
    /// All slots, in order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::BaseColor,
        Self::MetallicRoughness,
        Self::Normal,
        Self::Occlusion,
        Self::Emissive,
        Self::Specular,
        Self::SpecularColor,
        Self::Clearcoat,
        Self::ClearcoatRoughness,
        Self::ClearcoatNormal,
        Self::SheenColor,
        Self::SheenRoughness,
        Self::Transmission,
        Self::Thickness,
        Self::Iridescence,
        Self::IridescenceThickness,
        Self::Anisotropy,
    ];
}

/// A texture and the texture coordinates it uses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureRef {
    /// The texture.
    pub texture: TextureId,
    /// Which set of texture coordinates: `n` of `TEXCOORD_n`.
    pub tex_coord: u32,
    /// What is done to the coordinates before the texture is looked up.
    pub transform: TextureTransform,
}

/// A transform of texture coordinates `T · R · S`. Spec: KHR_texture_transform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureTransform {
    /// The translation, in widths and heights of the image.
    pub offset: [f32; 2],
    /// The rotation around the origin, in radians: from V towards U, that is counter-clockwise in a picture
    /// whose V goes down.
    pub rotation: f32,
    /// The scale of the coordinates.
    pub scale: [f32; 2],
}

impl TextureTransform {
    /// What leaves coordinates as they are.
    pub const IDENTITY: Self = Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2] };

    /// The rows of the 2×3 matrix that takes `(u, v, 1)` to the transformed coordinates.
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
    /// 0 no occlusion … 1 all of it.
    pub strength: f32,
}

/// An image and how it is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Texture {
    /// The image; a texture without one shows white.
    pub image: Option<ImageId>,
    /// How it is sampled.
    pub sampler: TextureSampler,
}

/// How a texture is sampled; glTF's defaults are linear with mipmaps, repeating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextureSampler {
    /// The filter where the texture is magnified.
    pub mag: Filter,
    /// The filter where the texture is minified.
    pub min: Filter,
    /// How mipmaps are used.
    pub mip: MipFilter,
    /// What is beyond 0 … 1 horizontally.
    pub wrap_s: Wrap,
    /// What is beyond 0 … 1 vertically.
    pub wrap_t: Wrap,
}

/// A texture filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the words of glTF and GL")]
pub enum Filter {
    Nearest,
    #[default]
    Linear,
}

/// How the levels of a mipmap are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MipFilter {
    /// Not at all: only the full image.
    None,
    /// The nearest level.
    Nearest,
    /// The two nearest levels, mixed.
    #[default]
    Linear,
}

/// What a texture shows beyond 0 … 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the words of glTF and GL")]
pub enum Wrap {
    ClampToEdge,
    MirroredRepeat,
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
    /// Where the bytes are.
    pub data: ImageData,
    /// The image to show in its place if its format cannot be decoded.
    pub fallback: Option<ImageId>,
}

/// Where the bytes of an image are.
#[derive(Debug, Clone)]
pub enum ImageData {
    /// In the file, or a data URI.
    Embedded(Vec<u8>),
    /// At a URI relative to the file, percent-encoded as in the file.
    External(String),
}
