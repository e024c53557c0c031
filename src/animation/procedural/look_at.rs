//! Look-at constraints for joints.

use super::spaces::{Rows, Space, rows};
use super::vectors::{
    Vector, across, arc, cross, difference, dot, in_world, length, mixed, moved, place, scaled, sum, turned,
    unit, vector, without,
};
use crate::animation::rig::Rig;
use crate::base::{Affine, sin_cos};
use crate::model::NodeId;
use glam::Vec3;
use std::f32::consts::PI;

/// A look-at constraint for a head or an eye: rotates a joint by the smallest angle so that its axis points
/// at a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LookAt {
    /// The target position, in metres of the space.
    pub target: Vec3,
    /// The axis in the joint's local space. By default the direction that is the model's
    /// [front](crate::model::Model::front) at rest.
    pub axis: Option<Vec3>,
    /// The largest angle from the animated direction, in radians `0.0..=π`.
    pub limit: f32,
    /// The space of the target; [`Space::Local`] means the model's.
    pub space: Space,
    /// The fraction of the rotation, `0.0..=1.0`: interpolates linearly between both directions and
    /// normalizes.
    pub weight: f32,
}

/// An [`LookAt`] with values that are computed once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ResolvedLookAt {
    target: Vec3,
    space: Space,
    weight: f32,
    axis: Vector,
    /// The cosine and the sine of the limit.
    limit: [f64; 2],
}

impl LookAt {
    /// Prepares it for a node; `None` if it has no effect.
    pub(super) fn checked(self, node: NodeId, rig: &Rig) -> Option<ResolvedLookAt> {
        let Self { target, axis, limit, space, weight } = self;
        let weight = weight.clamp(0.0, 1.0);
        let axis = axis.map(vector).filter(|axis| length(*axis).is_finite()).and_then(unit);
        let axis = axis.or_else(|| ahead(node, rig)).unwrap_or([0.0, 0.0, 1.0]);
        let limit = if limit >= PI {
            [-1.0, 0.0]
        } else {
            let (sin, cos) = sin_cos(limit.max(0.0));
            [f64::from(cos), f64::from(sin)]
        };
        (target.is_finite() && weight > 0.0).then_some(ResolvedLookAt { target, space, weight, axis, limit })
    }
}

impl ResolvedLookAt {
    /// Replaces the target by a point of the world, and sets the weight.
    pub(super) fn aim(&mut self, target: Vec3, weight: f32) {
        self.weight = weight.clamp(0.0, 1.0);
        if target.is_finite() {
            (self.target, self.space) = (target, Space::World);
        }
    }

    /// The axis in the joint's local space.
    pub(super) fn axis(&self) -> Vector {
        self.axis
    }

    /// Rotates a world matrix; `None` if it cannot be rotated.
    pub(super) fn turn(&self, matrix: &Rows, world_from_model: &Affine) -> Option<Rows> {
        let now = unit(moved(matrix, self.axis, 0.0))?;
        let goal = in_world(self.target, self.space, world_from_model, 1.0);
        let mut wanted = unit(difference(goal, place(matrix)))?;
        let [cos, sin] = self.limit;
        if dot(now, wanted) < cos {
            let aside = unit(without(wanted, now)).unwrap_or_else(|| across(now));
            wanted = sum(scaled(now, cos), scaled(aside, sin));
        }
        let wanted = unit(mixed(now, wanted, self.weight.into())).unwrap_or_else(|| across(now));
        Some(turned(&arc(now, wanted), matrix))
    }
}

/// The direction in a node's local space that is the model's front at rest.
fn ahead(node: NodeId, rig: &Rig) -> Option<Vector> {
    let mut matrices = Vec::new();
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    let [a, b, c] = rows(&matrices[node.index()]).map(|[x, y, z, _]| [x, y, z]);
    // The inverse matrix times the front, except for the length and for the sign of a mirrored matrix.
    let [x, y, z] = vector(rig.front());
    let front = sum(sum(scaled(cross(b, c), x), scaled(cross(c, a), y)), scaled(cross(a, b), z));
    unit(if dot(cross(a, b), c) < 0.0 { scaled(front, -1.0) } else { front })
}
