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
    /// The parent, which stands before this node in [`Model::nodes`](super::Model::nodes).
    pub parent: Option<NodeId>,
    /// The local transform when nothing animates it.
    pub rest: Transform,
    /// The local matrix, where the file gives one that [`Node::rest`] cannot express (shear);
    /// it holds as long as no channel animates the node.
    pub rest_matrix: Option<Mat4>,
    /// The mesh that the node shows.
    pub mesh: Option<MeshId>,
    /// The skin that deforms the mesh; only where there is a mesh with [`Influences`](super::Influences).
    pub skin: Option<SkinId>,
    /// The camera that the node carries.
    pub camera: Option<CameraId>,
    /// The light that the node carries.
    pub light: Option<LightId>,
    /// `true` if the node and all below it are shown when nothing animates that. Spec: KHR_node_visibility.
    pub visible: bool,
    /// The places where the mesh is shown, `node_from_mesh` each; if empty, once at the node. Only without a skin.
    /// Spec: EXT_mesh_gpu_instancing.
    pub instances: Vec<Mat4>,
    /// The morph weights when nothing animates them: one per morph target of the mesh.
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
            skin: None,
            camera: None,
            light: None,
            visible: true,
            instances: Vec::new(),
            weights: Vec::new(),
        }
    }
}

/// A set of root nodes that are shown together.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// The nodes that the scene lists.
    pub roots: Vec<NodeId>,
}
