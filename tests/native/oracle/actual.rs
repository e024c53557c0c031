//! Gambol's results for a file.

use gambol::animation::{Affine, Deformed, Pose, Rig, deform};
use gambol::import::{NoResolver, import};
use gambol::model::{
    CameraId, CameraProperty, ClipId, LightId, LightProperty, MaterialId, MaterialProperty, Model, NodeId,
    Property, TextureSlot, TransformProperty,
};
use glam::{DMat4, DVec3, Mat4};

/// A model and the buffers of one actor.
pub(crate) struct Actual {
    pub(crate) model: Model,
    pub(crate) rig: Rig,
    pub(crate) pose: Pose,
    pub(crate) matrices: Vec<Affine>,
    pub(crate) palette: Vec<Affine>,
}

impl Actual {
    /// Imports a GLB file.
    pub(crate) fn new(glb: &[u8]) -> Self {
        Self::of(import(glb, &mut NoResolver).expect("the file is right").model)
    }

    /// Wraps an imported model.
    pub(crate) fn of(model: Model) -> Self {
        let rig = Rig::new(&model);
        let (pose, palette) = (rig.rest_pose().clone(), vec![Affine::identity(); rig.palette_len()]);
        Self { model, rig, pose, matrices: Vec::new(), palette }
    }

    /// Samples a clip at a time, or takes the rest pose.
    pub(crate) fn go(&mut self, clip: Option<usize>, time: f64) {
        match clip {
            Some(clip) => self.rig.sample(ClipId::new(clip), time, &mut self.pose),
            None => self.pose.copy_from(self.rig.rest_pose()),
        }
        self.place();
    }

    /// Computes the matrices of the current pose.
    pub(crate) fn place(&mut self) {
        self.rig.node_matrices(&self.pose, &Affine::identity(), &mut self.matrices);
        self.rig.palette(&self.matrices, &mut self.palette);
    }

    /// The node with an index of the file.
    pub(crate) fn node(&self, source: usize) -> NodeId {
        self.model.node_of_source[source]
    }

    /// The world matrix of a node, by its index in the file.
    pub(crate) fn matrix(&self, source: usize) -> DMat4 {
        Mat4::from(self.matrices[self.node(source).index()]).as_dmat4()
    }

    /// The morph weights of a node, by its index in the file.
    pub(crate) fn weights(&self, source: usize) -> &[f32] {
        let range = &self.rig.layout.weights_of_node[self.node(source).index()];
        &self.pose.weights[range.start as usize..range.end as usize]
    }

    /// For each node of the file, `true` if it and all its ancestors are visible.
    pub(crate) fn visible(&self) -> Vec<bool> {
        let mut visible = Vec::new();
        self.rig.visibility(&self.pose, &mut visible);
        let of = |node: &NodeId| visible.get(node.index()).copied().unwrap_or(true);
        self.model.node_of_source.iter().map(of).collect()
    }

    /// The value in the pose of the property that a JSON pointer of the file names.
    pub(crate) fn pointed(&self, pointer: &str) -> Vec<f32> {
        let steps: Vec<&str> = pointer.split('/').skip(1).collect();
        let at = |step: &str| step.parse::<usize>().expect("an index");
        let property = match steps[..] {
            ["nodes", node, path] if path != "weights" => {
                let transform = self.pose.get(self.node(at(node)));
                return match path {
                    "translation" => transform.translation.to_array().to_vec(),
                    "rotation" => transform.rotation.to_array().to_vec(),
                    "scale" => transform.scale.to_array().to_vec(),
                    other => panic!("no property {other}"),
                };
            }
            [of @ ("nodes" | "meshes"), index, "weights", ref target @ ..] => {
                let shows =
                    |node: &&gambol::model::Node| node.mesh.is_some_and(|mesh| mesh.index() == at(index));
                let node = match of {
                    "nodes" => at(index),
                    _ => self.model.nodes.iter().find(shows).expect("a node shows it").source as usize,
                };
                let weights = self.weights(node);
                return target.first().map_or(weights.to_vec(), |target| vec![weights[at(target)]]);
            }
            ["nodes", node, "extensions", _, "visible"] => Property::Visible(self.node(at(node))),
            ["materials", material, ref rest @ ..] => {
                Property::Material(MaterialId::new(at(material)), material_property(rest))
            }
            ["cameras", camera, _, name] => {
                let property = match name {
                    "yfov" | "xmag" => CameraProperty::First,
                    "aspectRatio" | "ymag" => CameraProperty::Second,
                    "znear" => CameraProperty::Near,
                    _ => CameraProperty::Far,
                };
                Property::Camera(CameraId::new(at(camera)), property)
            }
            ["extensions", "KHR_lights_punctual", "lights", light, .., name] => {
                let property = match name {
                    "color" => LightProperty::Color,
                    "intensity" => LightProperty::Intensity,
                    "range" => LightProperty::Range,
                    "innerConeAngle" => LightProperty::InnerAngle,
                    _ => LightProperty::OuterAngle,
                };
                Property::Light(LightId::new(at(light)), property)
            }
            _ => panic!("no property {pointer}"),
        };
        let range =
            self.rig.layout.properties.range(property).unwrap_or_else(|| panic!("{pointer} is not animated"));
        self.pose.properties[range].to_vec()
    }

    /// All vertices in world space, with the node's index in the file and the primitive's index.
    pub(crate) fn vertices(&self) -> Vec<(usize, usize, Deformed)> {
        let mut list = Vec::new();
        for drawable in &self.rig.layout.drawables {
            let source = self.model.nodes[drawable.node.index()].source as usize;
            for (i, primitive) in self.model.meshes[drawable.mesh.index()].primitives.iter().enumerate() {
                let mut out = Deformed::default();
                deform(primitive, drawable, &self.palette, &[], &self.pose.weights, &mut out);
                list.push((source, i, out));
            }
        }
        list.sort_by_key(|&(node, primitive, _)| (node, primitive));
        list
    }
}

fn material_property(rest: &[&str]) -> MaterialProperty {
    let slot = |key: &str| match key {
        "baseColorTexture" => TextureSlot::BaseColor,
        "metallicRoughnessTexture" => TextureSlot::MetallicRoughness,
        "normalTexture" => TextureSlot::Normal,
        "occlusionTexture" => TextureSlot::Occlusion,
        _ => TextureSlot::Emissive,
    };
    match *rest {
        [.., texture, "extensions", "KHR_texture_transform", part] => {
            let part = match part {
                "offset" => TransformProperty::Offset,
                "rotation" => TransformProperty::Rotation,
                _ => TransformProperty::Scale,
            };
            MaterialProperty::Transform(slot(texture), part)
        }
        [.., "baseColorFactor"] => MaterialProperty::BaseColor,
        [.., "metallicFactor"] => MaterialProperty::Metallic,
        [.., "roughnessFactor"] => MaterialProperty::Roughness,
        [.., "emissiveFactor"] => MaterialProperty::Emissive,
        [.., "emissiveStrength"] => MaterialProperty::EmissiveStrength,
        [.., "alphaCutoff"] => MaterialProperty::AlphaCutoff,
        [.., "scale"] => MaterialProperty::NormalScale,
        [.., "strength"] => MaterialProperty::OcclusionStrength,
        _ => panic!("no property {rest:?}"),
    }
}

/// A vector in double precision.
pub(crate) fn double(vector: [f32; 3]) -> DVec3 {
    DVec3::from_array(vector.map(f64::from))
}
