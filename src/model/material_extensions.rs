//! Layers that extensions add to metallic-roughness materials.
//!
//! Spec: KHR_materials_specular, _clearcoat, _sheen, _transmission, _volume, _iridescence, _anisotropy and
//! _pbrSpecularGlossiness. Textures are linear unless stated otherwise; each texture is multiplied by its
//! factor.

use super::texture::{NormalTexture, TextureRef};

/// The layers of a material; `None` for those not in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layers {
    /// The index of refraction (IOR) of the base, at least 1; or 0, which reflects as if it were infinite.
    /// The default is 1.5. Spec: KHR_materials_ior.
    pub ior: f32,
    /// The specular reflection of the base.
    pub specular: Option<Specular>,
    /// A clear coat.
    pub clearcoat: Option<Clearcoat>,
    /// The sheen of fibres.
    pub sheen: Option<Sheen>,
    /// Transmission through the surface.
    pub transmission: Option<Transmission>,
    /// The volume below the surface; `None` for thin walls.
    pub volume: Option<Volume>,
    /// A thin film with iridescence.
    pub iridescence: Option<Iridescence>,
    /// Anisotropic reflection, as of brushed metal.
    pub anisotropy: Option<Anisotropy>,
    /// The dispersion: 20 divided by the Abbe number, not negative. Spec: KHR_materials_dispersion.
    pub dispersion: f32,
    /// The specular-glossiness model, which replaces metallic and roughness.
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

/// The specular reflection of dielectrics. Spec: KHR_materials_specular.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Specular {
    /// 0 none … 1 full.
    pub factor: f32,
    /// Alpha multiplies the factor.
    pub texture: Option<TextureRef>,
    /// The linear colour at normal incidence, not negative.
    pub color: [f32; 3],
    /// Multiplies the colour; sRGB.
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
    /// 0 none … 1 full.
    pub factor: f32,
    /// Red multiplies the factor.
    pub texture: Option<TextureRef>,
    /// 0 smooth … 1 rough.
    pub roughness: f32,
    /// Green multiplies the roughness.
    pub roughness_texture: Option<TextureRef>,
    /// The normals of the coat; `None` for the geometric normals of the surface.
    pub normal_texture: Option<NormalTexture>,
}

/// The sheen of cloth. Spec: KHR_materials_sheen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sheen {
    /// The linear colour, 0 … 1.
    pub color: [f32; 3],
    /// Multiplies the colour; sRGB.
    pub color_texture: Option<TextureRef>,
    /// 0 sharp … 1 soft.
    pub roughness: f32,
    /// Alpha multiplies the roughness.
    pub roughness_texture: Option<TextureRef>,
}

/// Transmission of light. Spec: KHR_materials_transmission.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Transmission {
    /// 0 none … 1 all light that is not reflected.
    pub factor: f32,
    /// Red multiplies the factor.
    pub texture: Option<TextureRef>,
}

/// The volume that light passes through. Spec: KHR_materials_volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Volume {
    /// The thickness in the mesh's space; 0 for a thin wall.
    pub thickness: f32,
    /// Green multiplies the thickness.
    pub thickness_texture: Option<TextureRef>,
    /// The distance, in metres of the world, at which white light becomes `attenuation_color`; [`f32::MAX`]
    /// for no attenuation.
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

/// A thin film over the base. Spec: KHR_materials_iridescence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iridescence {
    /// 0 none … 1 full.
    pub factor: f32,
    /// Red multiplies the factor.
    pub texture: Option<TextureRef>,
    /// The film's index of refraction, at least 1.
    pub ior: f32,
    /// The thickness in nanometres where the texture's green is 0.
    pub thickness_minimum: f32,
    /// The thickness in nanometres where the texture's green is 1, or without a texture.
    pub thickness_maximum: f32,
    /// Green interpolates between the two.
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

/// Anisotropic highlights. Spec: KHR_materials_anisotropy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Anisotropy {
    /// 0 isotropic … 1.
    pub strength: f32,
    /// The counter-clockwise angle from the tangent to the direction of longer highlights, in radians.
    pub rotation: f32,
    /// Red and green are a direction, rotated by `rotation`; blue multiplies the strength.
    pub texture: Option<TextureRef>,
}

/// The specular-glossiness model. Its diffuse colour and texture are [`Material::base_color`] and
/// [`Material::base_color_texture`]. Spec: KHR_materials_pbrSpecularGlossiness.
///
/// [`Material::base_color`]: super::material::Material::base_color
/// [`Material::base_color_texture`]: super::material::Material::base_color_texture
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpecularGlossiness {
    /// The linear specular colour at normal incidence, 0 … 1.
    pub specular: [f32; 3],
    /// 0 rough … 1 smooth.
    pub glossiness: f32,
    /// The colour, sRGB, multiplies `specular`; alpha multiplies `glossiness`.
    pub texture: Option<TextureRef>,
}

impl Default for SpecularGlossiness {
    fn default() -> Self {
        Self { specular: [1.0; 3], glossiness: 1.0, texture: None }
    }
}
