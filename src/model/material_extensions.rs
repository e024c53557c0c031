//! What extensions of materials add to metallic-roughness, layer by layer.
//!
//! Spec: KHR_materials_specular, _clearcoat, _sheen, _transmission, _volume, _iridescence, _anisotropy and
//! _pbrSpecularGlossiness. All factors of textures are linear; each texture is multiplied with its factor.

use super::texture::{NormalTexture, TextureRef};

/// The layers of a material: those that its file names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layers {
    /// The index of refraction of the body, at least 1; or 0, which mirrors as if it were infinite. 1.5 where
    /// the file is silent. Spec: KHR_materials_ior.
    pub ior: f32,
    /// How the body mirrors.
    pub specular: Option<Specular>,
    /// A coat of varnish.
    pub clearcoat: Option<Clearcoat>,
    /// Fibres that stand up.
    pub sheen: Option<Sheen>,
    /// Light that goes through the surface.
    pub transmission: Option<Transmission>,
    /// What is below the surface; without it walls are thin.
    pub volume: Option<Volume>,
    /// A thin film.
    pub iridescence: Option<Iridescence>,
    /// A brushed surface.
    pub anisotropy: Option<Anisotropy>,
    /// How much refraction parts colours: 20 over Abbe's number, not negative. Spec: KHR_materials_dispersion.
    pub dispersion: f32,
    /// The material is of the older model, which takes the place of metallic and roughness.
    pub specular_glossiness: Option<SpecularGlossiness>,
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            ior: 1.5,
            specular: None,
            clearcoat: None,
            sheen: None,
            transmission: None,
            volume: None,
            iridescence: None,
            anisotropy: None,
            dispersion: 0.0,
            specular_glossiness: None,
        }
    }
}

/// How a dielectric mirrors. Spec: KHR_materials_specular.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Specular {
    /// 0 not at all … 1.
    pub factor: f32,
    /// Alpha is multiplied with the factor.
    pub texture: Option<TextureRef>,
    /// The linear colour when seen head-on, not negative.
    pub color: [f32; 3],
    /// Multiplied with the colour; sRGB.
    pub color_texture: Option<TextureRef>,
}

impl Default for Specular {
    fn default() -> Self {
        Self { factor: 1.0, texture: None, color: [1.0; 3], color_texture: None }
    }
}

/// A clear coat. Spec: KHR_materials_clearcoat.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Clearcoat {
    /// 0 none … 1.
    pub factor: f32,
    /// Red is multiplied with the factor.
    pub texture: Option<TextureRef>,
    /// 0 smooth … 1 rough.
    pub roughness: f32,
    /// Green is multiplied with the roughness.
    pub roughness_texture: Option<TextureRef>,
    /// The normals of the coat; without it, those of the surface without its normal map.
    pub normal_texture: Option<NormalTexture>,
}

/// The sheen of cloth. Spec: KHR_materials_sheen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sheen {
    /// The linear colour, 0 … 1.
    pub color: [f32; 3],
    /// Multiplied with the colour; sRGB.
    pub color_texture: Option<TextureRef>,
    /// 0 sharp … 1 soft.
    pub roughness: f32,
    /// Alpha is multiplied with the roughness.
    pub roughness_texture: Option<TextureRef>,
}

/// Light that goes through. Spec: KHR_materials_transmission.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Transmission {
    /// 0 none … 1 all that the surface does not mirror.
    pub factor: f32,
    /// Red is multiplied with the factor.
    pub texture: Option<TextureRef>,
}

/// What light goes through below the surface. Spec: KHR_materials_volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Volume {
    /// In the mesh's space; 0 is a thin wall.
    pub thickness: f32,
    /// Green is multiplied with the thickness.
    pub thickness_texture: Option<TextureRef>,
    /// How far light gets, in metres of the world, until white has become `attenuation_color`; [`f32::MAX`]
    /// where it gets everywhere.
    pub attenuation_distance: f32,
    /// The linear colour, 0 … 1.
    pub attenuation_color: [f32; 3],
}

impl Default for Volume {
    fn default() -> Self {
        Self {
            thickness: 0.0,
            thickness_texture: None,
            attenuation_distance: f32::MAX,
            attenuation_color: [1.0; 3],
        }
    }
}

/// A thin film over the body. Spec: KHR_materials_iridescence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iridescence {
    /// 0 none … 1.
    pub factor: f32,
    /// Red is multiplied with the factor.
    pub texture: Option<TextureRef>,
    /// The film's index of refraction, at least 1.
    pub ior: f32,
    /// Its thickness in nanometres where the texture's green is 0.
    pub thickness_minimum: f32,
    /// Its thickness in nanometres where the texture's green is 1, or without a texture.
    pub thickness_maximum: f32,
    /// Green says where between the two it is.
    pub thickness_texture: Option<TextureRef>,
}

impl Default for Iridescence {
    fn default() -> Self {
        Self {
            factor: 0.0,
            texture: None,
            ior: 1.3,
            thickness_minimum: 100.0,
            thickness_maximum: 400.0,
            thickness_texture: None,
        }
    }
}

/// Highlights that are longer one way. Spec: KHR_materials_anisotropy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Anisotropy {
    /// 0 round … 1.
    pub strength: f32,
    /// From the tangent counter-clockwise to the direction in which highlights are longer, in radians.
    pub rotation: f32,
    /// Red and green are a direction, which `rotation` turns; blue is multiplied with the strength.
    pub texture: Option<TextureRef>,
}

/// The model before metallic-roughness; its diffuse colour and texture are [`Material::base_color`] and
/// [`Material::base_color_texture`]. Spec: KHR_materials_pbrSpecularGlossiness.
///
/// [`Material::base_color`]: super::material::Material::base_color
/// [`Material::base_color_texture`]: super::material::Material::base_color_texture
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpecularGlossiness {
    /// The linear colour that is mirrored when seen head-on, 0 … 1.
    pub specular: [f32; 3],
    /// 0 rough … 1 smooth.
    pub glossiness: f32,
    /// Colour, sRGB, is multiplied with `specular`, alpha with `glossiness`.
    pub texture: Option<TextureRef>,
}

impl Default for SpecularGlossiness {
    fn default() -> Self {
        Self { specular: [1.0; 3], glossiness: 1.0, texture: None }
    }
}
