//! What gambol makes of a file.

use gambol::animation::{Affine, Deformed, Pose, Rig, deform};
use gambol::import::{NoResolver, import};
use gambol::model::{ClipId, Model, NodeId};
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
        let model = import(glb, &mut NoResolver).expect("the file is right").model;
        let rig = Rig::new(&model);
        let (pose, palette) = (rig.rest_pose().clone(), vec![Affine::identity(); rig.palette_len()]);
        Self { model, rig, pose, matrices: Vec::new(), palette }
    }

    /// Goes to a time of a clip, or to the rest pose.
    pub(crate) fn go(&mut self, clip: Option<usize>, time: f64) {
        match clip {
            Some(clip) => self.rig.sample(ClipId::new(clip), time, &mut self.pose),
            None => self.pose.copy_from(self.rig.rest_pose()),
        }
        self.place();
    }

    /// Computes the matrices of the pose as it is.
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

    /// All vertices in world space, by node of the file and primitive.
    pub(crate) fn vertices(&self) -> Vec<(usize, usize, Deformed)> {
        let mut list = Vec::new();
        for drawable in &self.rig.layout.drawables {
            let source = self.model.nodes[drawable.node.index()].source as usize;
            for (i, primitive) in self.model.meshes[drawable.mesh.index()].primitives.iter().enumerate() {
                let mut out = Deformed::default();
                deform(primitive, drawable, &self.palette, &self.pose.weights, &mut out);
                list.push((source, i, out));
            }
        }
        list.sort_by_key(|&(node, primitive, _)| (node, primitive));
        list
    }
}

/// A vector in double precision.
pub(crate) fn double(vector: [f32; 3]) -> DVec3 {
    DVec3::from_array(vector.map(f64::from))
}
