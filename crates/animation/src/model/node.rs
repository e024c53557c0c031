//! Nodes and scenes.

use super::ids::{CameraId, LightId, MeshId, NodeId, SkinId};
use crate::base::Transform;
use glam::Mat4;

/// A node of the hierarchy. Spec: glTF 2.0 §3.5.
#[derive(Debug, Clone)]
pub struct Node {
    /// The name in the file, verbatim; empty if it has none.
    pub name: String,
    /// The index of the node in the file.
    pub source: u32,
    /// The parent, which comes before this node in [`Model::nodes`](super::Model::nodes).
    pub parent: Option<NodeId>,
    /// The local transform without animation.
    pub rest: Transform,
    /// The local matrix if [`Node::rest`] cannot express it (shear). It is used as long as no channel
    /// animates the node.
    pub rest_matrix: Option<Mat4>,
    /// The mesh at the node.
    pub mesh: Option<MeshId>,
    /// `true` if only the wearer of an avatar sees the mesh, so that nothing of it is drawn, framed or picked. Spec: VRMC_vrm 1.0
    /// and VRM 0.x, first person.
    pub first_person_only: bool,
    /// The skin that deforms the mesh; only for a mesh with [`Influences`](super::Influences).
    pub skin: Option<SkinId>,
    /// The camera at the node.
    pub camera: Option<CameraId>,
    /// The light at the node.
    pub light: Option<LightId>,
    /// `true` if the node and its descendants are visible without animation. Spec: KHR_node_visibility.
    pub visible: bool,
    /// The transforms `node_from_mesh` of the mesh's instances; if empty, the mesh is drawn once at the node.
    /// Only without a skin. Spec: EXT_mesh_gpu_instancing.
    pub instances: Vec<Mat4>,
    /// The morph weights without animation: one per morph target of the mesh.
    pub weights: Vec<f32>,
}

impl Default for Node {
    fn default() -> Self {
        Self {
            name: String::new(),
            source: 0,
            parent: None,
            rest: Transform::IDENTITY,
            rest_matrix: None,
            mesh: None,
            first_person_only: false,
            skin: None,
            camera: None,
            light: None,
            visible: true,
            instances: Vec::new(),
            weights: Vec::new(),
        }
    }
}

/// A scene: a set of root nodes.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// The root nodes of the scene.
    pub roots: Vec<NodeId>,
}
