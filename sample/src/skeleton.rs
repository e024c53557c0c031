//! Joints: names, parents and rest positions.
//!
//! The rest rotation of every joint is the identity. So a rotation in an animation is about the model's own axes: +Y
//! up, +Z forward, +X to the character's left. An inverse bind matrix is a plain translation.

use glam::{DVec3, dvec3};

/// The constant data of a joint.
pub(crate) struct Joint {
    /// The name of its node.
    pub(crate) name: &'static str,
    /// The index of its parent, which comes before it; the root is its own parent.
    pub(crate) parent: usize,
    /// Its rest position, in model space.
    pub(crate) at: DVec3,
    /// The end of its bone, in model space.
    pub(crate) tip: DVec3,
}

/// A named node for attachments.
pub(crate) struct Socket {
    pub(crate) name: &'static str,
    pub(crate) joint: usize,
    /// Its position in model space.
    pub(crate) at: DVec3,
}

/// The mirror image of a point across the plane x = 0.
pub(crate) const fn mirrored(p: DVec3) -> DVec3 {
    dvec3(-p.x, p.y, p.z)
}

/// A joint's translation in its parent's frame.
pub(crate) fn local(joints: &[Joint], j: usize) -> DVec3 {
    if j == 0 { joints[0].at } else { joints[j].at - joints[joints[j].parent].at }
}

/// The distance from each joint to the farthest end of a bone below it, in the rest pose.
pub(crate) fn reaches(joints: &[Joint]) -> Vec<f64> {
    let mut reach: Vec<f64> = joints.iter().map(|joint| joint.at.distance(joint.tip)).collect();
    for j in (1..joints.len()).rev() {
        let parent = joints[j].parent;
        reach[parent] = reach[parent].max(reach[j] + joints[j].at.distance(joints[parent].at));
    }
    reach
}
