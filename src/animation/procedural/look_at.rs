//! Look-at constraints for joints.

use super::spaces::{Rows, Space, inverse, rows};
use super::vectors::{
    NEGLIGIBLE, Turn, Vector, across, arc, cross, difference, dot, frames, in_world, length, mixed, moved,
    place, scaled, sum, turned, unit, unit_beyond, vector, without,
};
use crate::animation::rig::Rig;
use crate::base::{Affine, sin_cos};
use crate::model::NodeId;
use glam::Vec3;
use std::f32::consts::PI;

/// A look-at constraint for a head or an eye: rotates a joint so that its axis points at a target.
///
/// The rotation is a yaw about the direction that is up in the joint's parent, and a pitch, so the joint keeps its roll. Up is
/// the model's +Y at rest. A joint whose axis points up or down takes the shortest arc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LookAt {
    /// The target position, in metres of the space.
    pub target: Vec3,
    /// The axis in the joint's local space. By default the direction that is the model's
    /// [front](crate::model::Model::front) at rest.
    pub axis: Option<Vec3>,
    /// The largest angle from the animated direction, in radians `0.0..=π`. If the target is more than half the way from the
    /// limit to the opposite direction, the joint gives up smoothly: at the opposite direction, it keeps its animated rotation.
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
    /// The direction up in the parent's local space, or in the model's for a root.
    up: Option<Vector>,
    /// The cosine and the sine of the limit.
    limit: [f64; 2],
    /// The cosine of the angle to the target from which on the joint gives up.
    last: f64,
    /// The lowest component of the direction along up.
    lowest: f64,
}

/// The sine of the angle to up within which the joint takes the shortest arc at last.
const STEEP: f64 = 0.25;

impl LookAt {
    /// Prepares it for a node; `None` if it has no effect.
    pub(super) fn checked(self, node: NodeId, rig: &Rig) -> Option<ResolvedLookAt> {
        let Self { target, axis, limit, space, weight } = self;
        let weight = weight.clamp(0.0, 1.0);
        let axis = axis.map(vector).filter(|axis| length(*axis).is_finite()).and_then(unit);
        let axis = axis.or_else(|| ahead(node, rig)).unwrap_or([0.0, 0.0, 1.0]);
        let up = up(node, rig);
        let (limit, last) = if limit >= PI {
            ([-1.0, 0.0], -1.0)
        } else {
            let (sin, cos) = sin_cos(limit.max(0.0));
            // The cosine of (limit + π) / 2.
            ([f64::from(cos), f64::from(sin)], -f64::from(sin_cos(0.5 * limit.max(0.0)).0))
        };
        let lowest = rig.lowest_look(node).map_or(-1.0, |angle| -f64::from(sin_cos(angle).0));
        let resolved = ResolvedLookAt { target, space, weight, axis, up, limit, last, lowest };
        (target.is_finite() && weight > 0.0).then_some(resolved)
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
    ///
    /// - `parent`: the world matrix of the parent, or of the model for a root.
    pub(super) fn turn(&self, matrix: &Rows, parent: &Rows, world_from_model: &Affine) -> Option<Rows> {
        let now = unit(moved(matrix, self.axis, 0.0))?;
        let up = self.up.and_then(|up| unit(moved(parent, up, 0.0)));
        let goal = in_world(self.target, self.space, world_from_model, 1.0);
        let mut wanted = unit(difference(goal, place(matrix)))?;
        let mut weight = f64::from(self.weight);
        let [cos, sin] = self.limit;
        let near = dot(now, wanted);
        if near < cos {
            let aside = unit(without(wanted, now)).unwrap_or_else(|| across(now));
            wanted = sum(scaled(now, cos), scaled(aside, sin));
            if near < self.last {
                weight *= smooth((1.0 + near) / (1.0 + self.last));
            }
        }
        let mut wanted = unit(mixed(now, wanted, weight)).unwrap_or_else(|| across(now));
        let Some(up) = up else { return Some(turned(&arc(now, wanted), matrix)) };
        // An animation may look lower.
        let lowest = self.lowest.min(dot(now, up));
        if dot(wanted, up) < lowest {
            wanted = before(now, wanted, up, lowest);
        }
        Some(turned(&level(now, wanted, up), matrix))
    }
}

/// From 0 to 1, with slope 0 at both ends.
fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// The direction on the arc from `now` to `wanted` whose component along `up` is `lowest`. Without an angle: `a cos + b sin =
/// lowest`, solved for the cosine.
fn before(now: Vector, wanted: Vector, up: Vector, lowest: f64) -> Vector {
    let aside = unit(without(wanted, now)).unwrap_or_else(|| across(now));
    let (a, b) = (dot(now, up), dot(aside, up));
    let both = a * a + b * b;
    let root = (both - lowest * lowest).max(0.0).sqrt();
    let cos = ((a * lowest + b.abs() * root) / both.max(f64::MIN_POSITIVE)).clamp(-1.0, 1.0);
    sum(scaled(now, cos), scaled(aside, (1.0 - cos * cos).sqrt()))
}

/// The rotation from a direction to another by yaw about `up` and by pitch. Near `up`, where yaw has no meaning, it becomes
/// the shortest arc.
fn level(now: Vector, wanted: Vector, up: Vector) -> Turn {
    let shortest = arc(now, wanted);
    let (from, to) = (cross(up, now), cross(up, wanted));
    let Some(side) = unit_beyond(from, NEGLIGIBLE) else { return shortest };
    let carried = shortest.map(|row| dot(row, side));
    let steepness = |side: Vector| smooth(dot(side, side) / (STEEP * STEEP));
    let mut to_side = carried;
    if let Some(level) = unit_beyond(to, NEGLIGIBLE) {
        to_side = mixed(carried, level, steepness(from) * steepness(to));
    }
    let to_side = unit(without(to_side, wanted)).unwrap_or_else(|| across(wanted));
    frames([now, side], [wanted, to_side])
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

/// The direction in the local space of a node's parent that is up in the model at rest; `None` if the parent is flat.
fn up(node: NodeId, rig: &Rig) -> Option<Vector> {
    let Some(parent) = rig.parent(node) else { return Some([0.0, 1.0, 0.0]) };
    let mut matrices = Vec::new();
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    unit(moved(&inverse(&rows(&matrices[parent.index()]))?, [0.0, 1.0, 0.0], 0.0))
}
