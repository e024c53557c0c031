//! Two-bone inverse kinematics (IK).

use super::spaces::{Rows, Space, rows};
use super::vectors::{
    NEGLIGIBLE, Turn, Vector, across, arc, carried, cross, difference, frames, in_world, length, mixed,
    moved, place, scaled, sum, turned, unit, unit_beyond, without,
};
use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::NodeId;
use glam::Vec3;

/// Two-bone IK for a chain such as an arm or a leg.
///
/// The first joint rotates, and the chain bends at `middle`; nodes in between move along. The end reaches the
/// target, or points towards it if it is too far or too near. The end keeps its local rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoBoneIk {
    /// The joint at which the chain bends, a descendant of the first.
    pub middle: NodeId,
    /// The end joint, a descendant of `middle`.
    pub end: NodeId,
    /// The target position, in metres of the space.
    pub target: Vec3,
    /// The space of the target; [`Space::Local`] means the model's.
    pub space: Space,
    /// The direction in which the middle joint points, in `pole_space`. Without it the middle joint keeps its
    /// animated direction. A chain that is straight in its animation needs a pole.
    pub pole: Option<Vec3>,
    /// The space of the pole; [`Space::Local`] means the model's.
    pub pole_space: Space,
    /// The fraction of the way from the animated position to the target, `0.0..=1.0`.
    pub weight: f32,
}

impl TwoBoneIk {
    /// Clamps the weight; `None` if it has no effect.
    pub(super) fn checked(self) -> Option<Self> {
        let pole = self.pole.filter(|pole| pole.is_finite());
        let weight = self.weight.clamp(0.0, 1.0);
        (self.target.is_finite() && weight > 0.0).then_some(Self { pole, weight, ..self })
    }

    /// Returns the new matrix of the first joint, and the goal of the middle joint. The matrices up to
    /// `first` are world matrices, the others are local.
    pub(super) fn turn(
        &self,
        first: NodeId,
        rig: &Rig,
        world_from_model: &Affine,
        matrices: &[Affine],
    ) -> Option<(Rows, Vector)> {
        let matrix = rows(&matrices[first.index()]);
        let from = place(&matrix);
        let bent = difference(below(rig, matrices, first, self.middle)?, from);
        let end = below(rig, matrices, first, self.end)?;
        let reached = difference(end, from);
        let weight = f64::from(self.weight);
        let goal = mixed(end, in_world(self.target, self.space, world_from_model, 1.0), weight);
        let pole = self.pole.map(|pole| in_world(pole, self.pole_space, world_from_model, 0.0));
        let turn = lead(bent, reached, difference(goal, from), pole, weight)?;
        Some((turned(&turn, &matrix), goal))
    }
}

/// The rotation of the first bone of a chain. All vectors begin at the first joint.
///
/// - `bent`, `reached`: the middle joint and the end.
/// - `wanted`: the target.
/// - `pole`: the direction in which the middle joint points, by `weight`.
pub(crate) fn lead(
    bent: Vector,
    reached: Vector,
    wanted: Vector,
    pole: Option<Vector>,
    weight: f64,
) -> Option<Turn> {
    let (upper, lower) = (length(bent), length(difference(reached, bent)));
    let along = unit(bent)?;
    // For a folded chain, any perpendicular direction will do.
    let toward = unit(wanted).or_else(|| unit(reached)).unwrap_or_else(|| across(along));
    let straight = unit_beyond(reached, NEGLIGIBLE * upper)
        .unwrap_or_else(|| unit(without(toward, along)).unwrap_or_else(|| across(along)));

    let bend = unit_beyond(without(bent, straight), 1e-6 * upper);
    let pole = pole.and_then(|pole| unit_beyond(without(pole, toward), 1e-6 * length(pole)));
    let kept = bend.map(|bend| carried(bend, straight, toward));
    let next = match (kept, pole) {
        (Some(kept), Some(pole)) => unit(mixed(kept, pole, weight)).unwrap_or(pole),
        (None, Some(pole)) => pole,
        (Some(kept), None) => kept,
        (None, None) => carried(across(straight), straight, toward),
    };
    let bend = bend.unwrap_or_else(|| carried(next, toward, straight));

    // The law of cosines gives the angle between the first bone and the direction to the target.
    // Not `clamp`, which panics if a length is NaN.
    let reach = length(wanted).max((upper - lower).abs()).min(upper + lower);
    let cos = (upper * upper + (reach * reach - lower * lower)) / (2.0 * upper * reach);
    let cos = if cos.is_finite() { cos.clamp(-1.0, 1.0) } else { 0.0 };
    let sin = (1.0 - cos * cos).sqrt();
    let led = sum(scaled(toward, cos), scaled(next, sin));
    Some(frames([along, cross(bend, straight)], [led, cross(next, toward)]))
}

/// Returns the new matrix of the middle joint, so that the end lies in the direction of `goal`. The matrices
/// up to `middle` are world matrices, the others are local.
pub(super) fn bend(
    middle: NodeId,
    end: NodeId,
    goal: Vector,
    rig: &Rig,
    matrices: &[Affine],
) -> Option<Rows> {
    let matrix = rows(&matrices[middle.index()]);
    let from = place(&matrix);
    let now = unit(difference(below(rig, matrices, middle, end)?, from))?;
    let wanted = unit(difference(goal, from))?;
    Some(turned(&arc(now, wanted), &matrix))
}

/// The world position of a node. The matrices up to `from` are world matrices, those below it are local.
/// `None` if the node is not a descendant of `from`.
pub(super) fn below(rig: &Rig, matrices: &[Affine], from: NodeId, node: NodeId) -> Option<Vector> {
    let mut at = place(&rows(&matrices[node.index()]));
    let mut up = rig.parent(node)?;
    while up != from {
        at = moved(&rows(&matrices[up.index()]), at, 1.0);
        up = rig.parent(up)?;
    }
    Some(moved(&rows(&matrices[from.index()]), at, 1.0))
}
