//! The table of materials: the layers, with their numbers and textures.
//!
//! The reader of files, pointers of animations, uniforms and samplers of shaders, debug views and the list of supported
//! extensions are derived from it. CONTRIBUTING.md has the steps for a new layer.

use MaterialProperty as P;

/// A layer of a material: the core of glTF, or an extension.
#[derive(Debug)]
pub struct LayerRow {
    /// The layer.
    pub layer: Layer,
    /// The name of the extension; empty for the core.
    pub extension: &'static str,
    /// The materials whose shader has the layer.
    pub shown: Shown,
    /// The name of the layer in Rust, from which that of its macro in shaders is made.
    pub name: &'static str,
}

/// The materials whose shader has a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// All materials; the layer has no macro.
    Always,
    /// Those with the extension.
    IfPresent,
    /// Those in which this property is not 0, or is animated.
    IfNot0(MaterialProperty),
}

/// One or more numbers of a layer, which are animated together.
#[derive(Debug)]
pub struct NumberRow {
    /// The layer.
    pub layer: Layer,
    /// The property.
    pub property: MaterialProperty,
    /// The path in the layer's JSON.
    pub key: &'static str,
    /// The values without an entry in the file. Their count is that of the numbers.
    pub default: &'static [f32],
    /// The valid values.
    pub limit: Limit,
    /// The texture that multiplies the numbers, and its channels.
    pub texture: Option<(TextureSlot, &'static str)>,
    /// The word of the debug view that shows the property.
    pub view: Option<&'static str>,
    /// The name of the property in Rust, from which that in shaders is made.
    pub name: &'static str,
}

/// A texture of a layer.
#[derive(Debug)]
pub struct TextureRow {
    /// The layer.
    pub layer: Layer,
    /// The slot.
    pub slot: TextureSlot,
    /// The path in the layer's JSON.
    pub key: &'static str,
    /// The encoding of red, green and blue.
    pub encoding: Encoding,
    /// The texel for textures without an image.
    pub without_image: Texel,
    /// The texel until the image is uploaded.
    pub pending: Texel,
    /// The name of the slot in Rust, from which that in shaders is made.
    pub name: &'static str,
}

/// The valid values of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// The nearest value of this interval is used, and a warning reported.
    Clamped(f32, f32),
    /// The default is used for values outside of this interval, and a warning reported.
    Required(f32, f32),
    /// 0, which stands for an infinite index of refraction, or at least 1, as `Clamped`.
    Refraction,
    /// Any angle in radians. Shaders get its cosine and its sine.
    Angle,
}

/// The encoding of the colours of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Linear numbers.
    Linear,
    /// sRGB; alpha is linear.
    Srgb,
}

/// A texel in place of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texel {
    /// White: the factors alone.
    White,
    /// Black: factors of 0.
    Black,
    /// The normal of the surface.
    Flat,
    /// A rough surface without metal.
    Rough,
    /// The direction of the tangent.
    Along,
}

/// The values 0 to 1.
const UNIT: Limit = Limit::Clamped(0.0, 1.0);
/// Values that are not negative.
const POSITIVE: Limit = Limit::Clamped(0.0, f32::MAX);
/// Indices of refraction.
const FROM_1: Limit = Limit::Clamped(1.0, f32::MAX);
/// All values.
const ANY: Limit = Limit::Clamped(f32::MIN, f32::MAX);

/// `Some` value, or `None` without one.
macro_rules! option {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

/// Makes the enums and the rows of the table, which is below.
macro_rules! material_table {
    ($(
        $(#[$layer_doc:meta])*
        $layer:ident($extension:literal, $shown:expr) {
            numbers { $(
                $(#[$number_doc:meta])*
                $number:ident = $number_key:literal, $default:expr, $limit:expr
                    $(, * $factor:ident . $channels:ident)? $(, view $view:literal)?;
            )* }
            textures { $(
                $(#[$texture_doc:meta])*
                $texture:ident = $texture_key:literal, $encoding:ident, $without_image:ident, $pending:ident;
            )* }
        }
    )*) => {
        /// A layer of a material.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Layer {
            $($(#[$layer_doc])* $layer,)*
        }

        /// One or more numbers of a material, in the order of [`Material::properties`](super::Material::properties).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum MaterialProperty {
            $($($(#[$number_doc])* $number,)*)*
            /// A part of the transform of a texture.
            Transform(TextureSlot, TransformProperty),
        }

        /// The texture slots of a material.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum TextureSlot {
            $($($(#[$texture_doc])* $texture,)*)*
        }

        /// The properties of [`MaterialProperty`] except for transforms.
        enum Number {
            $($($number,)*)*
        }

        /// The layers, in the order of [`Layer`].
        pub const LAYERS: &[LayerRow] = &[$(
            LayerRow { layer: Layer::$layer, extension: $extension, shown: $shown, name: stringify!($layer) },
        )*];

        /// The numbers, in the order of [`MaterialProperty`].
        pub const NUMBERS: &[NumberRow] = &[$($(
            NumberRow {
                layer: Layer::$layer,
                property: MaterialProperty::$number,
                key: $number_key,
                default: &$default,
                limit: $limit,
                texture: option!($((TextureSlot::$factor, stringify!($channels)))?),
                view: option!($($view)?),
                name: stringify!($number),
            },
        )*)*];

        /// The textures, in the order of [`TextureSlot`].
        pub const TEXTURES: &[TextureRow] = &[$($(
            TextureRow {
                layer: Layer::$layer,
                slot: TextureSlot::$texture,
                key: $texture_key,
                encoding: Encoding::$encoding,
                without_image: Texel::$without_image,
                pending: Texel::$pending,
                name: stringify!($texture),
            },
        )*)*];

        impl Layer {
            /// The number of layers.
            pub const COUNT: usize = LAYERS.len();
        }

        impl TextureSlot {
            /// The number of slots.
            pub const COUNT: usize = TEXTURES.len();
            /// All slots, in order.
            pub const ALL: [Self; Self::COUNT] = [$($(Self::$texture,)*)*];
        }

        impl MaterialProperty {
            /// The index in [`NUMBERS`]; `None` for transforms.
            pub const fn index(self) -> Option<usize> {
                match self {
                    $($(Self::$number => Some(Number::$number as usize),)*)*
                    Self::Transform(..) => None,
                }
            }
        }
    };
}

// Numbers: name = key, defaults, limit, * texture.channels by which it is multiplied, view "debug view".
// Textures: name = key, encoding, texel without an image, texel until the image is there.
material_table! {
    /// The materials of glTF itself. `crates/import/src/gltf/materials.rs` reads them.
    Core("", Shown::Always) {
        numbers {
            /// `baseColorFactor`: red, green, blue, alpha.
            BaseColor = "pbrMetallicRoughness/baseColorFactor", [1.0; 4], UNIT;
            /// `emissiveFactor`: red, green, blue.
            Emissive = "emissiveFactor", [0.0; 3], POSITIVE;
            /// `metallicFactor`.
            Metallic = "pbrMetallicRoughness/metallicFactor", [1.0], UNIT;
            /// `roughnessFactor`.
            Roughness = "pbrMetallicRoughness/roughnessFactor", [1.0], UNIT;
            /// `alphaCutoff`.
            AlphaCutoff = "alphaCutoff", [0.5], POSITIVE;
            /// `scale` of the normal map.
            NormalScale = "normalTexture/scale", [1.0], ANY;
            /// `strength` of the occlusion map.
            OcclusionStrength = "occlusionTexture/strength", [1.0], UNIT;
        }
        textures {
            /// `baseColorTexture`.
            BaseColor = "pbrMetallicRoughness/baseColorTexture", Srgb, White, White;
            /// `metallicRoughnessTexture`.
            MetallicRoughness = "pbrMetallicRoughness/metallicRoughnessTexture", Linear, White, Rough;
            /// `normalTexture`.
            Normal = "normalTexture", Linear, Flat, Flat;
            /// `occlusionTexture`.
            Occlusion = "occlusionTexture", Linear, White, White;
            /// `emissiveTexture`.
            Emissive = "emissiveTexture", Srgb, White, Black;
        }
    }

    /// A factor of the emissive colour.
    EmissiveStrength("KHR_materials_emissive_strength", Shown::Always) {
        numbers {
            /// `emissiveStrength`.
            EmissiveStrength = "emissiveStrength", [1.0], Limit::Required(0.0, f32::MAX);
        }
        textures {}
    }

    /// The index of refraction of the base.
    Ior("KHR_materials_ior", Shown::Always) {
        numbers {
            /// The index of refraction (IOR), at least 1; or 0, which reflects as if it were infinite.
            Ior = "ior", [1.5], Limit::Refraction;
        }
        textures {}
    }

    /// The specular reflection of dielectrics.
    Specular("KHR_materials_specular", Shown::IfPresent) {
        numbers {
            /// `specularFactor`.
            Specular = "specularFactor", [1.0], UNIT, * Specular.a, view "specular";
            /// The specular colour at normal incidence, also of specular-glossiness.
            SpecularColor = "specularColorFactor", [1.0; 3], POSITIVE, * SpecularColor.rgb, view "specular-color";
        }
        textures {
            /// `specularTexture`.
            Specular = "specularTexture", Linear, White, White;
            /// The specular colour, also of specular-glossiness.
            SpecularColor = "specularColorTexture", Srgb, White, White;
        }
    }

    /// A clear coat.
    Clearcoat("KHR_materials_clearcoat", Shown::IfNot0(P::Clearcoat)) {
        numbers {
            /// `clearcoatFactor`.
            Clearcoat = "clearcoatFactor", [0.0], UNIT, * Clearcoat.r, view "clearcoat";
            /// `clearcoatRoughnessFactor`.
            ClearcoatRoughness =
                "clearcoatRoughnessFactor", [0.0], UNIT, * ClearcoatRoughness.g, view "clearcoat-roughness";
            /// `scale` of the clearcoat normal map.
            ClearcoatNormalScale = "clearcoatNormalTexture/scale", [1.0], ANY;
        }
        textures {
            /// `clearcoatTexture`.
            Clearcoat = "clearcoatTexture", Linear, White, Black;
            /// `clearcoatRoughnessTexture`.
            ClearcoatRoughness = "clearcoatRoughnessTexture", Linear, White, White;
            /// `clearcoatNormalTexture`; without it, the coat has the geometric normals of the surface.
            ClearcoatNormal = "clearcoatNormalTexture", Linear, Flat, Flat;
        }
    }

    /// The sheen of cloth.
    Sheen("KHR_materials_sheen", Shown::IfNot0(P::SheenColor)) {
        numbers {
            /// `sheenColorFactor`: red, green, blue.
            SheenColor = "sheenColorFactor", [0.0; 3], UNIT, * SheenColor.rgb, view "sheen";
            /// `sheenRoughnessFactor`.
            SheenRoughness = "sheenRoughnessFactor", [0.0], UNIT, * SheenRoughness.a, view "sheen-roughness";
        }
        textures {
            /// `sheenColorTexture`.
            SheenColor = "sheenColorTexture", Srgb, White, Black;
            /// `sheenRoughnessTexture`.
            SheenRoughness = "sheenRoughnessTexture", Linear, White, White;
        }
    }

    /// Transmission of light through the surface.
    Transmission("KHR_materials_transmission", Shown::IfNot0(P::Transmission)) {
        numbers {
            /// `transmissionFactor`.
            Transmission = "transmissionFactor", [0.0], UNIT, * Transmission.r, view "transmission";
        }
        textures {
            /// `transmissionTexture`.
            Transmission = "transmissionTexture", Linear, White, Black;
        }
    }

    /// The volume below the surface; without it, or with a thickness of 0, the wall is thin.
    Volume("KHR_materials_volume", Shown::IfNot0(P::Thickness)) {
        numbers {
            /// `thicknessFactor` of the volume, in the units of the mesh.
            Thickness = "thicknessFactor", [0.0], POSITIVE, * Thickness.g, view "thickness";
            /// `attenuationDistance` of the volume, in metres; [`f32::MAX`] for no attenuation.
            AttenuationDistance =
                "attenuationDistance", [f32::MAX], Limit::Required(f32::MIN_POSITIVE, f32::MAX);
            /// `attenuationColor` of the volume: red, green, blue.
            AttenuationColor = "attenuationColor", [1.0; 3], UNIT;
        }
        textures {
            /// `thicknessTexture` of the volume.
            Thickness = "thicknessTexture", Linear, White, White;
        }
    }

    /// A thin film with iridescence.
    Iridescence("KHR_materials_iridescence", Shown::IfNot0(P::Iridescence)) {
        numbers {
            /// `iridescenceFactor`.
            Iridescence = "iridescenceFactor", [0.0], UNIT, * Iridescence.r, view "iridescence";
            /// The index of refraction of the thin film.
            IridescenceIor = "iridescenceIor", [1.3], FROM_1;
            /// The thickness of the thin film in nanometres where the texture's green is 0.
            IridescenceThicknessMinimum = "iridescenceThicknessMinimum", [100.0], POSITIVE;
            /// The thickness of the thin film in nanometres where the texture's green is 1, or without a texture.
            IridescenceThicknessMaximum = "iridescenceThicknessMaximum", [400.0], POSITIVE;
        }
        textures {
            /// `iridescenceTexture`.
            Iridescence = "iridescenceTexture", Linear, White, Black;
            /// `iridescenceThicknessTexture`.
            IridescenceThickness = "iridescenceThicknessTexture", Linear, White, White;
        }
    }

    /// Anisotropic highlights, as of brushed metal.
    Anisotropy("KHR_materials_anisotropy", Shown::IfNot0(P::AnisotropyStrength)) {
        numbers {
            /// `anisotropyStrength`.
            AnisotropyStrength = "anisotropyStrength", [0.0], UNIT, * Anisotropy.b, view "anisotropy";
            /// `anisotropyRotation`: the counter-clockwise angle from the tangent to the direction of longer
            /// highlights, in radians.
            AnisotropyRotation = "anisotropyRotation", [0.0], Limit::Angle;
        }
        textures {
            /// `anisotropyTexture`: red and green are a direction, rotated by the angle.
            Anisotropy = "anisotropyTexture", Linear, Along, Along;
        }
    }

    /// Dispersion in volumes.
    Dispersion("KHR_materials_dispersion", Shown::IfNot0(P::Dispersion)) {
        numbers {
            /// `dispersion`: 20 divided by the Abbe number.
            Dispersion = "dispersion", [0.0], POSITIVE;
        }
        textures {}
    }

    /// Diffuse transmission of light from the other side, as of leaves, paper and wax.
    DiffuseTransmission("KHR_materials_diffuse_transmission", Shown::IfNot0(P::DiffuseTransmission)) {
        numbers {
            /// `diffuseTransmissionFactor`: the fraction of the diffuse light.
            DiffuseTransmission =
                "diffuseTransmissionFactor", [0.0], UNIT, * DiffuseTransmission.a, view "diffuse-transmission";
            /// `diffuseTransmissionColorFactor`: red, green, blue.
            DiffuseTransmissionColor =
                "diffuseTransmissionColorFactor", [1.0; 3], UNIT, * DiffuseTransmissionColor.rgb,
                view "diffuse-transmission-color";
        }
        textures {
            /// `diffuseTransmissionTexture`.
            DiffuseTransmission = "diffuseTransmissionTexture", Linear, White, White;
            /// `diffuseTransmissionColorTexture`.
            DiffuseTransmissionColor = "diffuseTransmissionColorTexture", Srgb, White, White;
        }
    }

    /// The specular-glossiness model, which replaces metallic and roughness; see also [`GLOSSY_NUMBERS`].
    SpecularGlossiness("KHR_materials_pbrSpecularGlossiness", Shown::IfPresent) {
        numbers {
            /// `glossinessFactor` of specular-glossiness.
            Glossiness = "glossinessFactor", [1.0], UNIT, * SpecularColor.a;
        }
        textures {}
    }
}

/// The numbers of specular-glossiness in place of those of other layers.
pub const GLOSSY_NUMBERS: &[NumberRow] = &[
    glossy_number(&NUMBERS[Number::BaseColor as usize], "diffuseFactor", &[1.0; 4]),
    glossy_number(&NUMBERS[Number::SpecularColor as usize], "specularFactor", &[1.0; 3]),
];

/// The textures of specular-glossiness in place of those of other layers.
pub const GLOSSY_TEXTURES: &[TextureRow] = &[
    glossy_texture(&TEXTURES[TextureSlot::BaseColor as usize], "diffuseTexture"),
    glossy_texture(&TEXTURES[TextureSlot::SpecularColor as usize], "specularGlossinessTexture"),
];

const fn glossy_number(row: &NumberRow, key: &'static str, default: &'static [f32]) -> NumberRow {
    let layer = Layer::SpecularGlossiness;
    NumberRow { layer, key, default, limit: UNIT, ..*row }
}

const fn glossy_texture(row: &TextureRow, key: &'static str) -> TextureRow {
    TextureRow { layer: Layer::SpecularGlossiness, key, ..*row }
}

/// A part of a [`TextureTransform`](super::TextureTransform).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransformProperty {
    /// The offset: U, V.
    Offset,
    /// The rotation, in radians.
    Rotation,
    /// The scale: U, V.
    Scale,
}

/// Removes layers without effect from those that a shader has.
pub fn remove_unseen(layers: &mut [bool; Layer::COUNT]) {
    let has = |layers: &[bool; Layer::COUNT], layer: Layer| layers[layer as usize];
    let enters = has(layers, Layer::Transmission) || has(layers, Layer::DiffuseTransmission);
    layers[Layer::Volume as usize] &= enters;
    let refracts = has(layers, Layer::Transmission) && has(layers, Layer::Volume);
    layers[Layer::Dispersion as usize] &= refracts;
    if layers[Layer::SpecularGlossiness as usize] {
        layers[Layer::Specular as usize] = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_layers_without_effect_are_removed() {
        let of = |list: &[Layer]| {
            let mut layers = [false; Layer::COUNT];
            list.iter().for_each(|&layer| layers[layer as usize] = true);
            remove_unseen(&mut layers);
            LAYERS.iter().map(|row| row.layer).filter(|&layer| layers[layer as usize]).collect::<Vec<_>>()
        };
        assert_eq!(of(&[Layer::Volume, Layer::Dispersion]), [], "nothing goes through");
        let glass = [Layer::Transmission, Layer::Volume, Layer::Dispersion];
        assert_eq!(of(&glass), glass);
        let wax = [Layer::Volume, Layer::DiffuseTransmission];
        assert_eq!(of(&[Layer::Volume, Layer::Dispersion, Layer::DiffuseTransmission]), wax);
        assert_eq!(of(&[Layer::Specular, Layer::SpecularGlossiness]), [Layer::SpecularGlossiness]);
    }
}
