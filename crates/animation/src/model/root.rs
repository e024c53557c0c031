//! The model: the contents of one file.

use super::camera::Camera;
use super::clip::Clip;
use super::humanoid::{Humanoid, VrmVersion};
use super::ids::NodeId;
use super::image_light::{ImageLight, ImageLights};
use super::light::Light;
use super::material::Material;
use super::mesh::Mesh;
use super::node::{Node, Scene};
use super::skin::Skin;
use super::springs::SpringBones;
use super::texture::{Image, Texture};
use glam::Vec3;
use std::sync::Arc;

/// A character, prop or scene of a file; immutable and shared by all its instances.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// All nodes, parents before their children (not in file order, see [`Node::source`]).
    pub nodes: Vec<Node>,
    /// The node of each glTF node index.
    pub node_of_source: Vec<NodeId>,
    /// The scenes of the file; empty if it has none.
    pub scenes: Vec<Scene>,
    /// The default scene of the file: an index into [`Model::scenes`].
    pub default_scene: Option<usize>,
    /// The meshes, in file order.
    pub meshes: Vec<Mesh>,
    /// The skins, in file order.
    pub skins: Vec<Skin>,
    /// The materials, in file order.
    pub materials: Vec<Material>,
    /// The textures, in file order.
    pub textures: Vec<Texture>,
    /// The images, in file order; still encoded.
    pub images: Vec<Image>,
    /// The cameras, in file order.
    pub cameras: Vec<Camera>,
    /// The lights, in file order.
    pub lights: Vec<Light>,
    /// The names of the variants of materials, in file order; see [`Primitive::variants`](super::Primitive::variants).
    pub variants: Vec<String>,
    /// The animations, in file order.
    pub clips: Vec<Arc<Clip>>,
    /// The human bones that a VRM file names.
    pub humanoid: Option<Box<Humanoid>>,
    /// The spring bones of a VRM file.
    pub springs: Option<Box<SpringBones>>,
    /// The image-based lights.
    pub image_lights: Option<Box<ImageLights>>,
}

impl Model {
    /// The direction in which the character looks at rest, in the space of the model: −Z for VRM 0, else +Z.
    ///
    /// Spec: VRM 0.x (the axes of a Unity scene, with Z negated); glTF 2.0 §3.4.
    pub fn front(&self) -> Vec3 {
        let version = self.humanoid.as_ref().map(|humanoid| humanoid.version);
        if version == Some(VrmVersion::Vrm0) { Vec3::NEG_Z } else { Vec3::Z }
    }

    /// The image-based light of the active scene; see [`Model::shown_roots`].
    pub fn image_light(&self) -> Option<&ImageLight> {
        let lights = self.image_lights.as_ref()?;
        let scene = self.default_scene.filter(|&scene| scene < self.scenes.len()).unwrap_or(0);
        lights.lights.get((*lights.scenes.get(scene)?)?)?.as_ref()
    }

    /// The root nodes of the active scene: [`Model::default_scene`], else scene 0, else all roots.
    pub fn shown_roots(&self) -> Vec<NodeId> {
        match self.default_scene.and_then(|i| self.scenes.get(i)).or(self.scenes.first()) {
            Some(scene) => scene.roots.clone(),
            None => {
                let roots = self.nodes.iter().enumerate().filter(|(_, node)| node.parent.is_none());
                roots.map(|(i, _)| NodeId::new(i)).collect()
            }
        }
    }

    /// `true` for each node that is in the active scene; see [`Model::shown_roots`].
    pub fn shown_nodes(&self) -> Vec<bool> {
        let mut shown = vec![false; self.nodes.len()];
        for root in self.shown_roots() {
            shown[root.index()] = true;
        }
        for i in 0..self.nodes.len() {
            if let Some(parent) = self.nodes[i].parent {
                shown[i] |= shown[parent.index()];
            }
        }
        shown
    }
}
