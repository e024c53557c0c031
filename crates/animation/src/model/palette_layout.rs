//! The layout of matrices in a palette and of morph weights in a pose.

use super::ids::{LightId, MeshId, NodeId};
use super::property_layout::PropertyLayout;
use super::root::Model;
use glam::Mat4;
use std::ops::Range;

/// The number of crowd members with interleaved palettes: the first entry of each, then the second entry of
/// each, and so on. It is the number that the kernels pose together, so that their writes are sequential.
pub const SIDE_BY_SIDE: usize = 4;

/// The index of a member's first entry; consecutive entries are [`SIDE_BY_SIDE`] apart.
///
/// - `at`: the index of the member.
/// - `entries`: the number of entries per member.
pub fn side_by_side(at: usize, entries: usize) -> usize {
    at / SIDE_BY_SIDE * SIDE_BY_SIDE * entries + at % SIDE_BY_SIDE
}

/// The layout of an actor's palette.
///
/// A skinned mesh has one slot per joint of its skin, shared by all meshes with this skin. A rigid mesh has
/// one slot with the matrix of its node. So shaders treat both alike. A mesh with instances has one rigid
/// drawable per instance.
#[derive(Debug, Clone, Default)]
pub struct PaletteLayout {
    /// The sources of each palette entry `K = model_from_node · node_from_mesh`.
    pub slots: Vec<Slot>,
    /// The meshes of the active scene, in the order of their nodes.
    pub drawables: Vec<Drawable>,
    /// The range of each node's morph weights in the flat weights of a pose.
    pub weights_of_node: Vec<Range<u32>>,
    /// The number of morph weights in a pose.
    pub weight_count: usize,
    /// The lights of the active scene, in the order of their nodes.
    pub lights: Vec<(NodeId, LightId)>,
    /// The animated properties and their indices in a pose.
    pub properties: PropertyLayout,
}

/// One entry of the palette.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slot {
    /// The joint, or the node of a rigid mesh.
    pub node: NodeId,
    /// The inverse bind matrix or the transform of an instance; `None` for a rigid mesh at its node.
    pub node_from_mesh: Option<Mat4>,
}

/// A mesh to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawable {
    /// The node of the mesh.
    pub node: NodeId,
    /// The mesh.
    pub mesh: MeshId,
    /// The range of its entries in the actor's palette: one per joint, or a single one if it is rigid.
    pub slots: Range<u32>,
    /// `true` if joints deform it; otherwise all vertices use slot `slots.start`.
    pub skinned: bool,
    /// The range of its morph weights in the flat weights of a pose.
    pub weights: Range<u32>,
}

impl PaletteLayout {
    /// The number of instances from `first` on: drawables of the same mesh and node, whose slots are
    /// consecutive.
    pub fn instances_from(&self, first: usize) -> usize {
        let Some(drawable) = self.drawables.get(first).filter(|drawable| !drawable.skinned) else { return 1 };
        self.drawables[first..].iter().take_while(|other| other.node == drawable.node).count()
    }

    /// The layout for the active scene of `model`.
    pub fn new(model: &Model) -> Self {
        let mut layout = Self { properties: PropertyLayout::new(model), ..Self::default() };
        let mut skin_slots: Vec<Option<Range<u32>>> = vec![None; model.skins.len()];
        let shown = model.shown_nodes();
        for (i, node) in model.nodes.iter().enumerate() {
            let id = NodeId::new(i);
            let begin = layout.weight_count as u32;
            layout.weight_count += node.weights.len();
            let weights = begin..layout.weight_count as u32;
            layout.weights_of_node.push(weights.clone());
            if !shown[i] {
                continue;
            }
            layout.lights.extend(node.light.map(|light| (id, light)));
            let Some(mesh) = node.mesh.filter(|_| !node.first_person_only) else { continue };
            let first = layout.slots.len() as u32;
            let drawable =
                |slots, skinned| Drawable { node: id, mesh, slots, skinned, weights: weights.clone() };
            if let Some(skin) = node.skin {
                let slots = skin_slots[skin.index()].get_or_insert_with(|| {
                    let skin = &model.skins[skin.index()];
                    let slots = skin.joints.iter().zip(&skin.inverse_bind);
                    layout
                        .slots
                        .extend(slots.map(|(&node, &bind)| Slot { node, node_from_mesh: Some(bind) }));
                    first..layout.slots.len() as u32
                });
                layout.drawables.push(drawable(slots.clone(), true));
            } else if node.instances.is_empty() {
                layout.slots.push(Slot { node: id, node_from_mesh: None });
                layout.drawables.push(drawable(first..first + 1, false));
            } else {
                for (slot, &instance) in (first..).zip(&node.instances) {
                    layout.slots.push(Slot { node: id, node_from_mesh: Some(instance) });
                    layout.drawables.push(drawable(slot..slot + 1, false));
                }
            }
        }
        layout
    }
}
