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
/// the model's +Y at rest. A joint whose axis points up or down takes the shortest arc. A joint with a limit does not lean
/// over backwards: a direction behind it is reached by yaw alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LookAt {
    /// The target position, in metres of the space.
    pub target: Vec3,
    /// The axis in the joint's local space. By default the direction that is the model's
    /// [front](crate::model::Model::front) at rest.
    pub axis: Option<Vec3>,
    /// The largest angle from the animated direction, in radians `0.0..=π`; π is no limit. If the target is more than half the
    /// way from the limit to the opposite direction, the joint gives up smoothly: at the opposite direction, it keeps its
    /// animated rotation. If the limit is wider than a right angle, this is so for yaw alone.
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
    cone: Cone,
    /// The lowest component of the direction along up.
    lowest: f64,
}

/// The directions within a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cone {
    /// The tangent of half the limit; infinite without a limit.
    half: f64,
    /// The cosine and the sine of the limit.
    limit: [f64; 2],
    /// The cosine of the angle to the target from which on the joint gives up: that of (limit + π) / 2.
    last: f64,
}

/// The directions by their yaw from the joint's own direction.
#[derive(Debug, Clone, Copy)]
struct Compass {
    ahead: Vector,
    side: Vector,
    up: Vector,
    /// 1, and 0 for a joint that points up or down, which has no yaw.
    has_yaw: f64,
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
        let lowest = rig.lowest_look(node).map_or(-1.0, |angle| -f64::from(sin_cos(angle).0));
        let resolved = ResolvedLookAt { target, space, weight, axis, up, cone: Cone::new(limit), lowest };
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
        let wanted = unit(difference(goal, place(matrix)))?;
        let weight = f64::from(self.weight);
        let Some(up) = up else {
            return Some(turned(&arc(now, self.cone.towards(now, wanted, weight)), matrix));
        };
        let compass = Compass::new(now, up).filter(|_| self.cone.half.is_finite());
        // The factor of yaw that makes a wide limit a right angle.
        let scale = compass.map_or(1.0, |compass| compass.scale(self.cone));
        let mut wanted = match compass {
            Some(compass) => {
                let cone = if scale < 1.0 { Cone::of_half(scale * self.cone.half) } else { self.cone };
                compass.in_front(cone.towards(now, compass.scaled(wanted, scale), weight))
            }
            None => self.cone.towards(now, wanted, weight),
        };
        // An animation may look lower.
        let lowest = self.lowest.min(dot(now, up));
        if dot(wanted, up) < lowest {
            wanted = before(now, wanted, up, lowest);
        }
        let narrow = turned(&level(now, wanted, up), matrix);
        let widened = compass.filter(|_| scale < 1.0).and_then(|compass| compass.widening(wanted, scale));
        Some(widened.map_or(narrow, |widening| turned(&widening, &narrow)))
    }
}

impl Cone {
    /// - `limit`: an angle; π and more is no limit.
    fn new(limit: f32) -> Self {
        if limit >= PI {
            return Self { half: f64::INFINITY, limit: [-1.0, 0.0], last: -1.0 };
        }
        let (sin, cos) = sin_cos(limit.max(0.0));
        let (half_sin, half_cos) = sin_cos(0.5 * limit.max(0.0));
        let half = f64::from(half_sin) / f64::from(half_cos);
        Self { half, limit: [f64::from(cos), f64::from(sin)], last: -f64::from(half_sin) }
    }

    /// The cone of a limit by the tangent of its half.
    fn of_half(half: f64) -> Self {
        let square = 1.0 + half * half;
        let limit = [(1.0 - half * half) / square, 2.0 * half / square];
        Self { half, limit, last: -half / square.sqrt() }
    }

    /// The direction within the cone around `now` on the way to another.
    fn towards(self, now: Vector, mut wanted: Vector, mut weight: f64) -> Vector {
        let [cos, sin] = self.limit;
        let near = dot(now, wanted);
        if near < cos {
            let aside = unit(without(wanted, now)).unwrap_or_else(|| across(now));
            wanted = sum(scaled(now, cos), scaled(aside, sin));
            if near < self.last {
                weight *= smooth((1.0 + near) / (1.0 + self.last));
            }
        }
        unit(mixed(now, wanted, weight)).unwrap_or_else(|| across(now))
    }
}

/// The way of a wide limit. Beyond a right angle, the shortest way to a target behind leads over the zenith, where a head would
/// lie on its neck and roll. So yaw is scaled until the limit is a right angle. There the cone ends beside the joint, and
/// nothing is behind it. The yaw of the result is scaled back. See `docs/design/procedural.md#look-at`.
impl Compass {
    /// `None` for a joint that points exactly up or down.
    fn new(now: Vector, up: Vector) -> Option<Self> {
        let from = cross(up, now);
        let side = unit_beyond(from, NEGLIGIBLE)?;
        Some(Self { ahead: cross(side, up), side, up, has_yaw: steepness(from) })
    }

    /// The factor for [`Compass::scaled`].
    fn scale(&self, cone: Cone) -> f64 {
        if cone.half > 1.0 { 1.0 - self.has_yaw + self.has_yaw / cone.half } else { 1.0 }
    }

    /// Multiplies the tangent of half the yaw of a direction, which is a smooth map of the circle without trigonometry: the
    /// directions ahead and behind stay. The pitch stays.
    fn scaled(&self, direction: Vector, factor: f64) -> Vector {
        let (x, y) = (dot(direction, self.ahead), dot(direction, self.side));
        let level = (x * x + y * y).sqrt();
        let square = factor * factor;
        let size = (level + x) + square * (level - x);
        if factor == 1.0 || level < NEGLIGIBLE || size <= 0.0 {
            return direction;
        }
        let (cos, sin) = (((level + x) - square * (level - x)) / size, 2.0 * factor * y / size);
        let along = sum(scaled(self.ahead, level * cos), scaled(self.side, level * sin));
        sum(along, scaled(self.up, dot(direction, self.up)))
    }

    /// The nearest direction that is not behind the joint.
    fn in_front(&self, direction: Vector) -> Vector {
        let behind = dot(direction, self.ahead);
        if behind >= 0.0 {
            return direction;
        }
        unit(difference(direction, scaled(self.ahead, behind * self.has_yaw))).unwrap_or(self.up)
    }

    /// The yaw that takes back the scale of a direction. It vanishes towards up and down.
    fn widening(&self, direction: Vector, scale: f64) -> Option<Turn> {
        let flat = unit_beyond(without(direction, self.up), NEGLIGIBLE)?;
        let factor = 1.0 - (1.0 - scale) * steepness(cross(self.up, direction));
        let wide = unit(self.scaled(flat, 1.0 / factor))?;
        Some(frames([self.up, flat], [self.up, wide]))
    }
}

/// From 0 to 1, with slope 0 at both ends.
fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// From 0 for up and down to 1, by the product of a direction and up.
fn steepness(side: Vector) -> f64 {
    smooth(dot(side, side) / (STEEP * STEEP))
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
