//! Where each shown mesh finds its matrices in a palette, and its morph weights in a pose.

use super::ids::{LightId, MeshId, NodeId};
use super::property_layout::PropertyLayout;
use super::root::Model;
use glam::Mat4;
use std::ops::Range;

/// How many members of a crowd have their palettes side by side: the first entry of each, then the second one of each, and so
/// on. As many as the kernels pose at once, which so write along the memory.
pub const SIDE_BY_SIDE: usize = 4;

/// The index of a member's first entry, from which each further one is [`SIDE_BY_SIDE`] behind the one before.
///
/// - `at`: which of the members.
/// - `entries`: how many each has.
pub fn side_by_side(at: usize, entries: usize) -> usize {
    at / SIDE_BY_SIDE * SIDE_BY_SIDE * entries + at % SIDE_BY_SIDE
}

/// The order of the matrices that one actor of a model has in the palette.
///
/// A skinned mesh has one slot per joint of its skin (shared by all meshes that wear the skin), a rigid
/// mesh one slot with the matrix of its node. So one shader input serves both. A mesh that its node shows many
/// times is as many rigid drawables.
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
    /// The lights of the scene, by node.
    pub lights: Vec<(NodeId, LightId)>,
    /// What clips animate besides nodes, and where it stands in a pose.
    pub properties: PropertyLayout,
}

/// One entry of the palette.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slot {
    /// The joint, or the node of a rigid mesh.
    pub node: NodeId,
    /// The inverse bind matrix or the place of an instance; `None` for a rigid mesh at its node.
    pub node_from_mesh: Option<Mat4>,
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
    /// The number of drawables from `first` on that show the same mesh at one node: its instances, whose slots are consecutive.
    pub fn instances_from(&self, first: usize) -> usize {
        let Some(drawable) = self.drawables.get(first).filter(|drawable| !drawable.skinned) else { return 1 };
        self.drawables[first..].iter().take_while(|other| other.node == drawable.node).count()
    }

    /// The layout for the scene that `model` shows.
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
            let Some(mesh) = node.mesh else { continue };
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
