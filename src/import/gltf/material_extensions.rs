//! Material extensions: reading, validation, and resolution of animation pointers.

use super::extensions::{Read, extension, index};
use crate::model::{
    Anisotropy, Clearcoat, Iridescence, Layers, MaterialProperty, NormalTexture, Sheen, Specular,
    SpecularGlossiness, TextureId, TextureRef, TextureTransform, Transmission, Volume,
};
use gambol_gltf::error::codes;
use gambol_gltf::json::Value;
use std::ops::RangeInclusive;

/// The colour and texture of specular-glossiness, which replace the base colour.
pub(super) type Diffuse = ([f32; 4], Option<TextureRef>);

const UNIT: RangeInclusive<f32> = 0.0..=1.0;
const POSITIVE: RangeInclusive<f32> = 0.0..=f32::MAX;

impl Read<'_> {
    /// The layers of a material, for a file with this number of textures.
    pub(super) fn layers(
        &mut self,
        i: usize,
        material: &Value,
        textures: usize,
    ) -> (Layers, Option<Diffuse>) {
        let empty = Value::Null;
        let mut found = Layers::default();
        let begin = |this: &mut Self, name: &str| {
            this.pointer = format!("/materials/{i}/extensions/{name}");
            extension(material, name)
        };
        if let Some(value) = begin(self, "KHR_materials_ior") {
            let ior = self.number(value, "ior", 1.5, |_| true);
            // 0 is the only valid number below 1.
            found.ior = if ior == 0.0 { 0.0 } else { self.clamped("ior", [ior], 1.0..=f32::MAX)[0] };
        }
        found.dispersion = begin(self, "KHR_materials_dispersion")
            .map_or(0.0, |value| self.factor(value, "dispersion", 0.0, POSITIVE));
        found.specular = begin(self, "KHR_materials_specular").map(|value| Specular {
            factor: self.factor(value, "specularFactor", 1.0, UNIT),
            texture: self.texture(value, "specularTexture", textures),
            color: self.factors(value, "specularColorFactor", [1.0; 3], POSITIVE),
            color_texture: self.texture(value, "specularColorTexture", textures),
        });
        found.clearcoat = begin(self, "KHR_materials_clearcoat").map(|value| Clearcoat {
            factor: self.factor(value, "clearcoatFactor", 0.0, UNIT),
            texture: self.texture(value, "clearcoatTexture", textures),
            roughness: self.factor(value, "clearcoatRoughnessFactor", 0.0, UNIT),
            roughness_texture: self.texture(value, "clearcoatRoughnessTexture", textures),
            normal_texture: self.texture(value, "clearcoatNormalTexture", textures).map(|texture| {
                let info = value.get("clearcoatNormalTexture").unwrap_or(&empty);
                self.below("clearcoatNormalTexture", |this| NormalTexture {
                    texture,
                    scale: this.number(info, "scale", 1.0, |_| true),
                })
            }),
        });
        found.sheen = begin(self, "KHR_materials_sheen").map(|value| Sheen {
            color: self.factors(value, "sheenColorFactor", [0.0; 3], UNIT),
            color_texture: self.texture(value, "sheenColorTexture", textures),
            roughness: self.factor(value, "sheenRoughnessFactor", 0.0, UNIT),
            roughness_texture: self.texture(value, "sheenRoughnessTexture", textures),
        });
        found.transmission = begin(self, "KHR_materials_transmission").map(|value| Transmission {
            factor: self.factor(value, "transmissionFactor", 0.0, UNIT),
            texture: self.texture(value, "transmissionTexture", textures),
        });
        found.volume = begin(self, "KHR_materials_volume").map(|value| Volume {
            thickness: self.factor(value, "thicknessFactor", 0.0, POSITIVE),
            thickness_texture: self.texture(value, "thicknessTexture", textures),
            attenuation_distance: self.number(value, "attenuationDistance", f32::MAX, |x| x > 0.0),
            attenuation_color: self.factors(value, "attenuationColor", [1.0; 3], UNIT),
        });
        found.iridescence = begin(self, "KHR_materials_iridescence").map(|value| Iridescence {
            factor: self.factor(value, "iridescenceFactor", 0.0, UNIT),
            texture: self.texture(value, "iridescenceTexture", textures),
            ior: self.factor(value, "iridescenceIor", 1.3, 1.0..=f32::MAX),
            thickness_minimum: self.factor(value, "iridescenceThicknessMinimum", 100.0, POSITIVE),
            thickness_maximum: self.factor(value, "iridescenceThicknessMaximum", 400.0, POSITIVE),
            thickness_texture: self.texture(value, "iridescenceThicknessTexture", textures),
        });
        found.anisotropy = begin(self, "KHR_materials_anisotropy").map(|value| Anisotropy {
            strength: self.factor(value, "anisotropyStrength", 0.0, UNIT),
            rotation: self.number(value, "anisotropyRotation", 0.0, |_| true),
            texture: self.texture(value, "anisotropyTexture", textures),
        });
        let mut diffuse = None;
        found.specular_glossiness = begin(self, "KHR_materials_pbrSpecularGlossiness").map(|value| {
            diffuse = Some((
                self.factors(value, "diffuseFactor", [1.0; 4], UNIT),
                self.texture(value, "diffuseTexture", textures),
            ));
            SpecularGlossiness {
                specular: self.factors(value, "specularFactor", [1.0; 3], UNIT),
                glossiness: self.factor(value, "glossinessFactor", 1.0, UNIT),
                texture: self.texture(value, "specularGlossinessTexture", textures),
            }
        });
        (found, diffuse)
    }

    /// A number, clamped to the valid range.
    fn factor(&mut self, value: &Value, key: &str, default: f32, range: RangeInclusive<f32>) -> f32 {
        let factor = self.number(value, key, default, |_| true);
        self.clamped(key, [factor], range)[0]
    }

    /// Numbers, clamped to the valid range.
    fn factors<const N: usize>(
        &mut self,
        value: &Value,
        key: &str,
        default: [f32; N],
        range: RangeInclusive<f32>,
    ) -> [f32; N] {
        let factors = self.numbers(value, key, default);
        self.clamped(key, factors, range)
    }

    fn clamped<const N: usize>(
        &mut self,
        key: &str,
        factors: [f32; N],
        range: RangeInclusive<f32>,
    ) -> [f32; N] {
        if factors.iter().any(|factor| !range.contains(factor)) {
            let message = "The value is out of range; it is clamped";
            self.log.warn(codes::NUMBER_REPLACED, format_args!("{}/{key}", self.pointer), message);
        }
        factors.map(|factor| factor.clamp(*range.start(), *range.end()))
    }

    /// Calls `read` with the pointer of a member.
    fn below<T>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        self.pointer += "/";
        self.pointer += key;
        let out = read(self);
        self.pointer.truncate(length);
        out
    }

    fn texture(&mut self, value: &Value, key: &str, textures: usize) -> Option<TextureRef> {
        let info = value.get(key)?;
        self.below(key, |this| {
            let Some(texture) = index(info, "index").map(|texture| texture as usize) else {
                this.warn("index", "The texture has no index; it is ignored");
                return None;
            };
            if texture >= textures {
                this.out_of_range("index", "texture", texture, textures);
                return None;
            }
            let (transform, set) = match extension(info, "KHR_texture_transform") {
                Some(value) => this.below("extensions/KHR_texture_transform", |this| this.transform(value)),
                None => Default::default(),
            };
            let tex_coord = set.or(index(info, "texCoord")).unwrap_or(0);
            Some(TextureRef { texture: TextureId::new(texture), tex_coord, transform })
        })
    }

    /// A texture transform, and the texture coordinate set that it selects.
    pub(super) fn transform(&mut self, value: &Value) -> (TextureTransform, Option<u32>) {
        let transform = TextureTransform {
            offset: self.numbers(value, "offset", [0.0; 2]),
            rotation: self.number(value, "rotation", 0.0, |_| true),
            scale: self.numbers(value, "scale", [1.0; 2]),
        };
        (transform, index(value, "texCoord"))
    }
}

/// The material property at a pointer within a material, if the material has the layer.
pub(super) fn property(layers: &Layers, pointer: &str) -> Option<MaterialProperty> {
    use MaterialProperty as P;
    let (extension, key) = pointer.strip_prefix("extensions/KHR_materials_")?.split_once('/')?;
    let (there, property) = match (extension, key) {
        ("ior", "ior") => (true, P::Ior),
        ("dispersion", "dispersion") => (true, P::Dispersion),
        ("specular", _) => {
            let property = match key {
                "specularFactor" => P::Specular,
                "specularColorFactor" => P::SpecularColor,
                _ => return None,
            };
            (layers.specular.is_some() && layers.specular_glossiness.is_none(), property)
        }
        ("clearcoat", _) => {
            let mapped = layers.clearcoat?.normal_texture.is_some();
            match key {
                "clearcoatFactor" => (true, P::Clearcoat),
                "clearcoatRoughnessFactor" => (true, P::ClearcoatRoughness),
                "clearcoatNormalTexture/scale" => (mapped, P::ClearcoatNormalScale),
                _ => return None,
            }
        }
        ("sheen", "sheenColorFactor") => (layers.sheen.is_some(), P::SheenColor),
        ("sheen", "sheenRoughnessFactor") => (layers.sheen.is_some(), P::SheenRoughness),
        ("transmission", "transmissionFactor") => (layers.transmission.is_some(), P::Transmission),
        ("volume", _) => {
            let property = match key {
                "thicknessFactor" => P::Thickness,
                "attenuationDistance" => P::AttenuationDistance,
                "attenuationColor" => P::AttenuationColor,
                _ => return None,
            };
            (layers.volume.is_some(), property)
        }
        ("iridescence", _) => {
            let property = match key {
                "iridescenceFactor" => P::Iridescence,
                "iridescenceIor" => P::IridescenceIor,
                "iridescenceThicknessMinimum" => P::IridescenceThicknessMinimum,
                "iridescenceThicknessMaximum" => P::IridescenceThicknessMaximum,
                _ => return None,
            };
            (layers.iridescence.is_some(), property)
        }
        ("anisotropy", "anisotropyStrength") => (layers.anisotropy.is_some(), P::AnisotropyStrength),
        ("anisotropy", "anisotropyRotation") => (layers.anisotropy.is_some(), P::AnisotropyRotation),
        ("pbrSpecularGlossiness", _) => {
            let property = match key {
                "diffuseFactor" => P::BaseColor,
                "specularFactor" => P::SpecularColor,
                "glossinessFactor" => P::Glossiness,
                _ => return None,
            };
            (layers.specular_glossiness.is_some(), property)
        }
        _ => return None,
    };
    there.then_some(property)
}
