//! Materials, textures, texture samplers, images. Spec: glTF 2.0 §3.8 and §3.9.

use super::{ImageId, TextureId};

/// A metallic-roughness material.
#[derive(Debug, Clone)]
pub struct Material {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// Linear base colour and alpha.
    pub base_color: [f32; 4],
    /// Multiplied with the base colour; sRGB.
    pub base_color_texture: Option<TextureRef>,
    /// 0 dielectric … 1 metal.
    pub metallic: f32,
    /// 0 smooth … 1 rough.
    pub roughness: f32,
    /// Green is roughness, blue is metallic; linear.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Normals in tangent space; linear.
    pub normal_texture: Option<NormalTexture>,
    /// Red is how much ambient light arrives; linear.
    pub occlusion_texture: Option<OcclusionTexture>,
    /// Linear emitted colour.
    pub emissive: [f32; 3],
    /// Multiplied with `emissive`; sRGB.
    pub emissive_texture: Option<TextureRef>,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Whether back faces are shown, with their normals flipped.
    pub double_sided: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            occlusion_texture: None,
            emissive: [0.0; 3],
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
        }
    }
}

/// How alpha is used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    Opaque,
    /// Shown where alpha is at least the cutoff.
    Mask {
        /// The cutoff, 0.5 where the file is silent.
        cutoff: f32,
    },
    /// Blended over what is behind.
    Blend,
}

/// A texture and the texture coordinates it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextureRef {
    /// The texture.
    pub texture: TextureId,
    /// Which set of texture coordinates: `n` of `TEXCOORD_n`.
    pub tex_coord: u32,
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
