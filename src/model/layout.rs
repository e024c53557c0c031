//! Where each shown mesh finds its matrices in a palette, and its morph weights in a pose.

use super::{MeshId, Model, NodeId};
use glam::Mat4;
use std::ops::Range;

/// The order of the matrices that one actor of a model has in the palette.
///
/// A skinned mesh has one slot per joint of its skin (shared by all meshes that wear the skin), a rigid
/// mesh one slot with the matrix of its node. So one shader input serves both.
#[derive(Debug, Clone, Default)]
pub struct PaletteLayout {
    /// What each palette entry is made of: `K = model_from_node · node_from_mesh`.
    pub slots: Vec<Slot>,
    /// Every shown mesh, by node.
    pub drawables: Vec<Drawable>,
    /// For each node, where its morph weights begin in the flat weights of a pose.
    pub weights_of_node: Vec<Range<u32>>,
    /// How many morph weights a pose has.
    pub weight_count: usize,
}

/// One entry of the palette.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slot {
    /// The joint, or the node of a rigid mesh.
    pub node: NodeId,
    /// The inverse bind matrix, or `None` for a rigid mesh.
    pub inverse_bind: Option<Mat4>,
}

/// A mesh that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawable {
    /// The node that shows it.
    pub node: NodeId,
    /// The mesh.
    pub mesh: MeshId,
    /// Its entries in the actor's palette: one per joint, or just one if it is rigid.
    pub slots: Range<u32>,
    /// Whether joints move it; if not, every vertex follows slot `slots.start`.
    pub skinned: bool,
    /// Its morph weights in the flat weights of a pose.
    pub weights: Range<u32>,
}

impl PaletteLayout {
    /// The layout for the scene that `model` shows.
    pub fn new(model: &Model) -> Self {
        let mut layout = Self::default();
        let mut skin_slots: Vec<Option<Range<u32>>> = vec![None; model.skins.len()];
        let shown = model.shown_nodes();
        for (i, node) in model.nodes.iter().enumerate() {
            let begin = layout.weight_count as u32;
            layout.weight_count += node.weights.len();
            let weights = begin..layout.weight_count as u32;
            layout.weights_of_node.push(weights.clone());
            let Some(mesh) = node.mesh.filter(|_| shown[i]) else { continue };
            let first = layout.slots.len() as u32;
            let slots = match node.skin {
                Some(skin) => skin_slots[skin.index()]
                    .get_or_insert_with(|| {
                        let skin = &model.skins[skin.index()];
                        let binds = skin.inverse_bind.iter().map(|&matrix| Some(matrix));
                        let slots = skin.joints.iter().zip(binds);
                        layout.slots.extend(slots.map(|(&node, inverse_bind)| Slot { node, inverse_bind }));
                        first..layout.slots.len() as u32
                    })
                    .clone(),
                None => {
                    layout.slots.push(Slot { node: NodeId::new(i), inverse_bind: None });
                    first..first + 1
                }
            };
            let skinned = node.skin.is_some();
            layout.drawables.push(Drawable { node: NodeId::new(i), mesh, slots, skinned, weights });
        }
        layout
    }
}
