//! A line of joints that is bent after all world matrices are known.

use super::spaces::rows;
use super::vectors::{Vector, place};
use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::NodeId;
use gambol_kernels::{Carrier, carry};

/// Joints of which each is a descendant of the one before, and all nodes that move with them.
#[derive(Debug, Clone)]
pub(super) struct JointLine {
    /// The joints. Nodes between two joints move with the upper one.
    joints: Vec<NodeId>,
    /// The number of joints that turn, from the first on: all, or all but the last, which then is only an end point.
    bones: usize,
    /// Every joint and every node below one, with the index of the joint that turns it.
    followers: Vec<(u32, u32)>,
}

impl JointLine {
    /// `None` if no joint turns, or one is not a descendant of the one before.
    ///
    /// - `last_turns`: `false` if the last joint is only an end point.
    pub(super) fn new(rig: &Rig, joints: impl IntoIterator<Item = NodeId>, last_turns: bool) -> Option<Self> {
        const NONE: u32 = u32::MAX;
        let joints: Vec<NodeId> = joints.into_iter().collect();
        let bones = joints.len().checked_sub(usize::from(!last_turns)).filter(|&bones| bones > 0)?;
        let mut carriers = vec![NONE; rig.node_count()];
        for (i, &parent) in rig.parents().iter().enumerate() {
            let above = carriers.get(parent as usize).copied().unwrap_or(NONE);
            // Parents come before children.
            let next = if i == joints[0].index() { 0 } else { above.saturating_add(1) as usize };
            let is_joint = next < bones && joints[next].index() == i;
            carriers[i] = if is_joint { next as u32 } else { above };
        }
        let is_carried = |at: usize| carriers.get(joints[at].index()).copied();
        let is_line = (0..bones).all(|at| is_carried(at) == Some(at as u32))
            && (last_turns
                || is_carried(bones) == Some(bones as u32 - 1) && joints[bones] > joints[bones - 1]);
        let followers = carriers.iter().enumerate().filter(|(_, at)| **at != NONE);
        let followers = followers.map(|(i, &at)| (i as u32, at)).collect();
        is_line.then_some(Self { joints, bones, followers })
    }

    /// The joints.
    pub(super) fn joints(&self) -> &[NodeId] {
        &self.joints
    }

    /// The number of joints that turn.
    pub(super) fn bones(&self) -> usize {
        self.bones
    }

    /// Writes the world positions of the joints; returns `false` if one is not finite.
    pub(super) fn read(&self, matrices: &[Affine], points: &mut [Vector]) -> bool {
        let mut finite = true;
        for (point, joint) in points.iter_mut().zip(&self.joints) {
            *point = place(&rows(&matrices[joint.index()]));
            finite &= point.iter().all(|value| value.is_finite());
        }
        finite
    }

    /// Moves the world matrices of all nodes, each with its joint. A matrix that is not finite stays.
    pub(super) fn apply(&self, carriers: &[Carrier], matrices: &mut [Affine]) {
        carry(&self.followers, carriers, matrices);
    }
}
