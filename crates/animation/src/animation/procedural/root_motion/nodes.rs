//! The nodes that may be the root of a clip.

use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::{Model, NodeId};

/// `model_from_node` of every node at rest.
pub(super) fn at_rest(rig: &Rig) -> Vec<Affine> {
    let mut matrices = Vec::new();
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    matrices
}

/// `true` for each node that may be a root: a joint or an ancestor of one, or all nodes of a model without skins.
pub(super) fn may_move(model: &Model) -> Vec<bool> {
    let mut may_move = vec![model.skins.is_empty(); model.nodes.len()];
    for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        let up = |node: &NodeId| model.nodes[node.index()].parent;
        for node in std::iter::successors(Some(*joint), up) {
            may_move[node.index()] = true;
        }
    }
    may_move
}
