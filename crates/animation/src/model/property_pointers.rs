//! The JSON pointers of animated properties, in the file of their model. Spec: KHR_animation_pointer, glTF 2.0
//! Asset Object Model.

use super::camera::Projection;
use super::material::Material;
use super::material_table::{MaterialProperty, TransformProperty};
use super::properties::{CameraProperty, LightProperty, Property};
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
        let glossy = material.layers.is_glossy();
        match (self, self.row(glossy)) {
            (_, Some(row)) => row.path(),
            (Self::Transform(slot, part), _) => {
                let part = match part {
                    TransformProperty::Offset => "offset",
                    TransformProperty::Rotation => "rotation",
                    TransformProperty::Scale => "scale",
                };
                format!("{}/extensions/KHR_texture_transform/{part}", slot.row(glossy).path())
            }
            _ => String::new(),
        }
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
