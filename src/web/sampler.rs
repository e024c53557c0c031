//! Sampling of poses without a stage.

use super::asset::Asset;
use crate::animation::{Pose, pose_hash};
use crate::base::Affine;
use crate::model::{ClipId, NodeId};
use crate::viewer;
use glam::Mat4;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Samples the clips of an asset; does not need a canvas.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Sampler {
    asset: Rc<viewer::Asset>,
    pose: Pose,
    matrices: Vec<Affine>,
}

#[wasm_bindgen]
impl Sampler {
    /// A sampler in the rest pose.
    #[wasm_bindgen(constructor)]
    pub fn new(asset: &Asset) -> Result<Sampler, JsValue> {
        let asset = Rc::clone(asset.compiled()?);
        let mut sampler = Self { pose: asset.rig().rest_pose().clone(), matrices: Vec::new(), asset };
        sampler.update();
        Ok(sampler)
    }
}

#[wasm_bindgen]
impl Sampler {
    /// Samples a clip, by its index, at a time in seconds; the rest pose if the index is out of range.
    pub fn sample(&mut self, clip: usize, time: f64) {
        let rig = self.asset.rig();
        if clip < rig.clip_count() {
            rig.sample(ClipId::new(clip), time, &mut self.pose);
        } else {
            self.pose.copy_from(rig.rest_pose());
        }
        self.update();
    }

    /// The translation (3), rotation (X, Y, Z, W) and scale (3) of each node, relative to its parent, in
    /// the order of the file.
    pub fn transforms(&self) -> Vec<f32> {
        let mut all = Vec::new();
        for &node in self.nodes() {
            let transform = self.pose.get(node);
            all.extend_from_slice(&transform.translation.to_array());
            all.extend_from_slice(&transform.rotation.to_array());
            all.extend_from_slice(&transform.scale.to_array());
        }
        all
    }

    /// The matrix `model_from_node` of each node, in the order of the file: 16 numbers, column-major.
    pub fn matrices(&self) -> Vec<f32> {
        let matrix = |node: &NodeId| Mat4::from(self.matrices[node.index()]).to_cols_array();
        self.nodes().iter().flat_map(matrix).collect()
    }

    /// The morph weights of all nodes, in the order of the file.
    pub fn weights(&self) -> Vec<f32> {
        let layout = &self.asset.layout;
        let mut all = Vec::new();
        for &node in self.nodes() {
            let range = &layout.weights_of_node[node.index()];
            all.extend_from_slice(&self.pose.weights[range.start as usize..range.end as usize]);
        }
        all
    }

    /// A hash of all bits of the palette and the weights, in hexadecimal. It equals that of an actor in
    /// this pose at the origin.
    pub fn hash(&self) -> String {
        let rig = self.asset.rig();
        let mut palette = vec![Affine::identity(); rig.palette_len()];
        rig.palette(&self.matrices, &mut palette);
        format!("{:016x}", pose_hash(&palette, &self.pose.weights))
    }
}

impl Sampler {
    fn update(&mut self) {
        self.asset.rig().node_matrices(&self.pose, &Affine::identity(), &mut self.matrices);
    }

    /// The nodes in the order of the file.
    fn nodes(&self) -> &[NodeId] {
        &self.asset.model.node_of_source
    }
}
