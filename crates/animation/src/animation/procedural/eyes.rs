//! Eyes that are joints, turned by glances.

use super::vectors::Vector;
use crate::animation::pose::Pose;
use crate::animation::rest_pose::Rest;
use crate::base::sin_cos;
use crate::model::{Model, NodeId};
use gambol_kernels::Property;
use glam::{DQuat, DVec3};

/// The angle of an eye at amount 1, in radians: 25°.
const REACH: f32 = 25.0_f32.to_radians();

/// An eye that is a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EyeJoint {
    node: NodeId,
    /// The directions up, and to the left of the character, in the space of the parent at rest.
    up: Vector,
    left: Vector,
}

impl EyeJoint {
    /// The eyes of a model; `None` if their places at rest do not tell left from right.
    ///
    /// - `eyes`: the joints of the left and of the right eye.
    ///
    /// # Panics
    /// If a joint is not of the model.
    pub fn pair(model: &Model, eyes: [NodeId; 2]) -> Option<[Self; 2]> {
        let rest = Rest::new(model);
        let [left, right] = eyes.map(|eye| rest.at(eye));
        let across = DVec3::new(left.x - right.x, 0.0, left.z - right.z).try_normalize()?;
        Some(eyes.map(|node| {
            let parent = model.nodes[node.index()].parent;
            let to_parent =
                parent.map_or(DQuat::IDENTITY, |parent| rest.rotations[parent.index()].conjugate());
            Self { node, up: (to_parent * DVec3::Y).to_array(), left: (to_parent * across).to_array() }
        }))
    }

    /// Turns the eye from its animated direction: amounts to the character's right and upwards.
    pub(super) fn turn(&self, [right, up]: [f64; 2], pose: &mut Pose) {
        let about = |axis: Vector, amount: f64| {
            let (sin, cos) = sin_cos(-0.5 * REACH * amount as f32);
            let [x, y, z] = axis.map(|value| value * f64::from(sin));
            DQuat::from_xyzw(x, y, z, cos.into())
        };
        let now = pose.get(self.node).rotation.as_dquat();
        let turned = about(self.up, right) * about(self.left, up) * now;
        pose.set_property(self.node, Property::Rotation, &turned.to_array().map(|value| value as f32));
    }
}
