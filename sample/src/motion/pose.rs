//! The local transforms of all joints, and forward kinematics.

use crate::skeleton::{Joint, local};
use glam::{DAffine3, DQuat, DVec3};

/// Local transforms of all joints, relative to their rest.
#[derive(Clone, Debug)]
pub(crate) struct Pose {
    pub(crate) rotation: Vec<DQuat>,
    pub(crate) shift: Vec<DVec3>,
    pub(crate) scale: Vec<DVec3>,
}

impl Pose {
    /// The rest pose.
    pub(crate) fn rest(joints: &[Joint]) -> Pose {
        let n = joints.len();
        Pose { rotation: vec![DQuat::IDENTITY; n], shift: vec![DVec3::ZERO; n], scale: vec![DVec3::ONE; n] }
    }

    /// Moves all joints but the root, which places the character, by the share `t` to another pose.
    pub(crate) fn blend(&mut self, to: &Pose, t: f64) {
        for j in 1..self.rotation.len() {
            let a = self.rotation[j];
            let b = if a.dot(to.rotation[j]) < 0.0 { -to.rotation[j] } else { to.rotation[j] };
            self.rotation[j] = (a * (1.0 - t) + b * t).normalize();
            self.shift[j] = self.shift[j].lerp(to.shift[j], t);
            self.scale[j] = self.scale[j].lerp(to.scale[j], t);
        }
    }

    /// The transform of a joint from its parent's frame.
    pub(crate) fn local(&self, joints: &[Joint], j: usize) -> DAffine3 {
        let at = local(joints, j) + self.shift[j];
        DAffine3::from_scale_rotation_translation(self.scale[j], self.rotation[j], at)
    }

    /// The transform of a joint to model space, and its rotation.
    pub(crate) fn world(&self, joints: &[Joint], j: usize) -> (DAffine3, DQuat) {
        let (mut frame, mut turn) = (self.local(joints, j), self.rotation[j]);
        let mut at = j;
        while at != 0 {
            at = joints[at].parent;
            frame = self.local(joints, at) * frame;
            turn = self.rotation[at] * turn;
        }
        (frame, turn)
    }
}
