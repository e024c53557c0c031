//! The human bones of a model, and its spine.

use super::conventions::Convention;
use crate::model::{HumanBone, Model, NodeId};

/// The nodes that are human bones.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanoidMap {
    /// The origin of the map.
    pub convention: Convention,
    /// Bones that the names of several nodes fit; the map has the first one.
    pub ambiguous: Vec<HumanBone>,
    /// Nodes that distribute the twist of a limb, below its bones. They are no bones of the map.
    pub twists: Vec<NodeId>,
    /// By the index of the bone.
    pub(super) nodes: [Option<NodeId>; HumanBone::COUNT],
    spine: Vec<NodeId>,
}

/// Changes of a map: the name of a bone in VRM 1.0, and the name of its node; `None` removes the bone.
pub type GivenBones = Vec<(String, Option<String>)>;

impl HumanoidMap {
    pub(super) fn empty(convention: Convention) -> Self {
        let nodes = [None; HumanBone::COUNT];
        Self { convention, ambiguous: Vec::new(), twists: Vec::new(), nodes, spine: Vec::new() }
    }

    /// The node of a bone.
    pub fn node(&self, bone: HumanBone) -> Option<NodeId> {
        self.nodes[bone as usize]
    }

    /// The bones that the model has, and their nodes.
    pub fn bones(&self) -> impl Iterator<Item = (HumanBone, NodeId)> + '_ {
        HumanBone::ALL.into_iter().filter_map(|bone| Some((bone, self.node(bone)?)))
    }

    /// The nodes of the spine from the hips to the chest that carries neck and arms, without the hips.
    pub fn spine(&self) -> &[NodeId] {
        &self.spine
    }

    /// `true` if the model has hips, and both parts of both arms and legs.
    pub fn is_complete(&self) -> bool {
        HumanBone::ALL.into_iter().all(|bone| !bone.is_essential() || self.node(bone).is_some())
    }

    pub(super) fn set(&mut self, bone: HumanBone, node: Option<NodeId>) {
        self.nodes[bone as usize] = node;
    }

    /// The spine: the nodes between the hips and the topmost node that carries neck and arms. Its bones are the first,
    /// the middle and the last of them.
    pub(super) fn find_spine(&mut self, model: &Model) {
        use HumanBone as B;
        self.spine.clear();
        let Some(hips) = self.node(B::Hips) else { return };
        let given = [B::UpperChest, B::Chest, B::Spine].into_iter().find_map(|bone| self.node(bone));
        let first = |bones: &[B]| bones.iter().find_map(|bone| self.node(*bone));
        let neck = first(&[B::Neck, B::Head]);
        let arms = [first(&[B::LeftShoulder, B::LeftUpperArm]), first(&[B::RightShoulder, B::RightUpperArm])];
        let is_torso = |node: &NodeId| *node != hips && is_above(model, hips, *node);
        // The topmost: what a VRM file or a hand says, or the node that carries neck and both arms, or the neck alone.
        let carrying = arms.into_iter().flatten().fold(neck, |shared, arm| match shared {
            Some(shared) => common(model, shared, arm),
            None => Some(arm),
        });
        let carrying = carrying.filter(|node| is_torso(node) && Some(*node) != neck);
        let below_neck = neck.and_then(|neck| model.nodes[neck.index()].parent).filter(is_torso);
        let Some(top) = given.filter(is_torso).or(carrying).or(below_neck) else { return };
        let chain = std::iter::successors(Some(top), |node| model.nodes[node.index()].parent);
        // A map by hand may have another bone in between.
        let is_other = |node: NodeId| {
            let bone = self.bones().find(|(_, other)| *other == node).map(|(bone, _)| bone);
            bone.is_some_and(|bone| !matches!(bone, B::Spine | B::Chest | B::UpperChest))
        };
        let mut spine: Vec<NodeId> =
            chain.take_while(|node| *node != hips).filter(|node| !is_other(*node)).collect();
        spine.reverse();
        self.spine = spine;
        if given.is_some() {
            // Nodes below the first named bone are not of the spine.
            if let Some(first) =
                [B::Spine, B::Chest, B::UpperChest].into_iter().find_map(|bone| self.node(bone))
                && let Some(at) = self.spine.iter().position(|node| *node == first)
            {
                self.spine.drain(..at);
            }
            return;
        }
        let names = match self.spine.len() {
            0 => &[][..],
            1 => &[(B::Spine, 0)],
            2 => &[(B::Spine, 0), (B::Chest, 1)],
            n => &[(B::Spine, 0), (B::Chest, n / 2), (B::UpperChest, n - 1)],
        };
        for &(bone, at) in names {
            self.nodes[bone as usize] = Some(self.spine[at]);
        }
    }
}

/// `true` if a node is an ancestor of another, or the same.
pub(super) fn is_above(model: &Model, above: NodeId, node: NodeId) -> bool {
    // Parents come first.
    let up = std::iter::successors(Some(node), |node| model.nodes[node.index()].parent);
    up.take_while(|node| *node >= above).any(|node| node == above)
}

/// The nearest common ancestor of two nodes, which may be one of them.
pub(super) fn common(model: &Model, mut a: NodeId, mut b: NodeId) -> Option<NodeId> {
    while a != b {
        let later = if a > b { &mut a } else { &mut b };
        *later = model.nodes[later.index()].parent?;
    }
    Some(a)
}
