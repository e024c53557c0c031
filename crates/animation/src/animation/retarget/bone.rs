//! The bones of the target, and the nodes above them.

use crate::animation::rest_pose::Rest;
use crate::model::{HumanBone, NodeId};
use glam::{DAffine3, DQuat, DVec3};

/// A bone of the target and its drivers in the source.
#[derive(Debug, Clone)]
pub(super) struct Bone {
    pub(super) human: Option<HumanBone>,
    pub(super) target: NodeId,
    /// The nodes of the source, each with `R_s(rest)⁻¹ · A · R_t(rest)`; their results are blended by `blend`.
    pub(super) drivers: Vec<(NodeId, DQuat)>,
    pub(super) blend: f64,
    /// The end of the bone's direction, if that is from joint to joint.
    pub(super) to: Option<End>,
    /// The bone that the target's bone is attached to, if that is none of its ancestors.
    pub(super) detached: Option<NodeId>,
    /// The index of that bone, and the position in its space.
    pub(super) attached: Option<(usize, DVec3)>,
    pub(super) anchor: Anchor,
}

/// The end of a bone's direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// The child in the source.
    pub(super) child: NodeId,
    /// The position of the child in the space of the target's bone; `None` if the child is no descendant.
    pub(super) offset: Option<DVec3>,
}

/// The node above a bone in the target: by the nearest bone among its ancestors and the rest pose of the nodes between,
/// or by the rest pose of all nodes above.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Anchor {
    /// An index of a bone.
    pub(super) bone: Option<usize>,
    pub(super) rotation: DQuat,
    pub(super) affine: DAffine3,
}

/// `model_from_node` of a node relative to another, at rest.
pub(super) fn relative(rest: &Rest, ancestor: NodeId, node: NodeId) -> DAffine3 {
    rest.affines[ancestor.index()].inverse() * rest.affines[node.index()]
}
