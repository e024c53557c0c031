//! The JSON pointers of animated properties, in the file of their model. Spec: KHR_animation_pointer, glTF 2.0
//! Asset Object Model.

use super::camera::Projection;
use super::material::Material;
use super::properties::{CameraProperty, LightProperty, MaterialProperty, Property, TransformProperty};
use super::root::Model;

impl Property {
    /// The JSON pointer of the property. Morph weights and visibility have that of their node, even if the file
    /// animates the weights of the mesh.
    ///
    /// # Panics
    /// If the model has no such node, material or camera.
    pub fn pointer(self, model: &Model) -> String {
        let source = |node: super::NodeId| model.nodes[node.index()].source;
        match self {
            Self::Visible(node) => format!("/nodes/{}/extensions/KHR_node_visibility/visible", source(node)),
            Self::Weight(node, target) => format!("/nodes/{}/weights/{target}", source(node)),
            Self::Material(id, property) => {
                format!("/materials/{}/{}", id.index(), property.key(&model.materials[id.index()]))
            }
            Self::Light(id, property) => {
                format!("/extensions/KHR_lights_punctual/lights/{}/{}", id.index(), property.key())
            }
            Self::Camera(id, property) => {
                format!("/cameras/{}/{}", id.index(), property.key(model.cameras[id.index()].projection))
            }
        }
    }
}

impl MaterialProperty {
    /// The path of the property in its material.
    fn key(self, material: &Material) -> String {
        let glossy = material.layers.specular_glossiness.is_some();
        let (extension, key) = match self {
            Self::BaseColor if glossy => ("pbrSpecularGlossiness", "diffuseFactor"),
            Self::BaseColor => return "pbrMetallicRoughness/baseColorFactor".to_owned(),
            Self::Metallic => return "pbrMetallicRoughness/metallicFactor".to_owned(),
            Self::Roughness => return "pbrMetallicRoughness/roughnessFactor".to_owned(),
            Self::Emissive => return "emissiveFactor".to_owned(),
            Self::AlphaCutoff => return "alphaCutoff".to_owned(),
            Self::NormalScale => return "normalTexture/scale".to_owned(),
            Self::OcclusionStrength => return "occlusionTexture/strength".to_owned(),
            Self::Transform(slot, part) => {
                let part = match part {
                    TransformProperty::Offset => "offset",
                    TransformProperty::Rotation => "rotation",
                    TransformProperty::Scale => "scale",
                };
                return format!("{}/extensions/KHR_texture_transform/{part}", slot.key(glossy));
            }
            Self::EmissiveStrength => ("emissive_strength", "emissiveStrength"),
            Self::Ior => ("ior", "ior"),
            Self::Dispersion => ("dispersion", "dispersion"),
            Self::SpecularColor if glossy => ("pbrSpecularGlossiness", "specularFactor"),
            Self::Glossiness => ("pbrSpecularGlossiness", "glossinessFactor"),
            Self::Specular => ("specular", "specularFactor"),
            Self::SpecularColor => ("specular", "specularColorFactor"),
            Self::Clearcoat => ("clearcoat", "clearcoatFactor"),
            Self::ClearcoatRoughness => ("clearcoat", "clearcoatRoughnessFactor"),
            Self::ClearcoatNormalScale => ("clearcoat", "clearcoatNormalTexture/scale"),
            Self::SheenColor => ("sheen", "sheenColorFactor"),
            Self::SheenRoughness => ("sheen", "sheenRoughnessFactor"),
            Self::Transmission => ("transmission", "transmissionFactor"),
            Self::Thickness => ("volume", "thicknessFactor"),
            Self::AttenuationDistance => ("volume", "attenuationDistance"),
            Self::AttenuationColor => ("volume", "attenuationColor"),
            Self::Iridescence => ("iridescence", "iridescenceFactor"),
            Self::IridescenceIor => ("iridescence", "iridescenceIor"),
            Self::IridescenceThicknessMinimum => ("iridescence", "iridescenceThicknessMinimum"),
            Self::IridescenceThicknessMaximum => ("iridescence", "iridescenceThicknessMaximum"),
            Self::AnisotropyStrength => ("anisotropy", "anisotropyStrength"),
            Self::AnisotropyRotation => ("anisotropy", "anisotropyRotation"),
        };
        format!("extensions/KHR_materials_{extension}/{key}")
    }
}

impl LightProperty {
    /// The path of the property in its light.
    fn key(self) -> &'static str {
        match self {
            Self::Color => "color",
            Self::Intensity => "intensity",
            Self::Range => "range",
            Self::InnerAngle => "spot/innerConeAngle",
            Self::OuterAngle => "spot/outerConeAngle",
        }
    }
}

impl CameraProperty {
    /// The path of the property in its camera.
    fn key(self, projection: Projection) -> &'static str {
        match (projection, self) {
            (Projection::Perspective { .. }, Self::First) => "perspective/yfov",
            (Projection::Perspective { .. }, Self::Second) => "perspective/aspectRatio",
            (Projection::Perspective { .. }, Self::Near) => "perspective/znear",
            (Projection::Perspective { .. }, Self::Far) => "perspective/zfar",
            (Projection::Orthographic { .. }, Self::First) => "orthographic/xmag",
            (Projection::Orthographic { .. }, Self::Second) => "orthographic/ymag",
            (Projection::Orthographic { .. }, Self::Near) => "orthographic/znear",
            (Projection::Orthographic { .. }, Self::Far) => "orthographic/zfar",
        }
    }
}
