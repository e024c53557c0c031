//! Inverse kinematics: chains of two bones whose end reaches for a place.

use super::spaces::{Rows, Space, rows};
use super::vectors::{
    NEGLIGIBLE, Vector, across, arc, carried, cross, difference, frames, in_world, length, mixed, moved,
    place, scaled, sum, turned, unit, unit_beyond, without,
};
use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::NodeId;
use glam::Vec3;

/// A chain of two bones whose end reaches for a place: an arm or a leg.
///
/// It hangs at its first joint, which turns, and bends at `middle`; what lies between those three moves along. The end is
/// where it shall be, or, where that is too far or too near, in its direction. It keeps its own rotation to its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// The joint in which it bends: below the first.
    pub middle: NodeId,
    /// The joint that reaches: below `middle`.
    pub end: NodeId,
    /// The place, in metres of the space.
    pub target: Vec3,
    /// Where the middle points to, as a direction in the space; without it, it goes where it is animated to go. A chain that
    /// is straight by its animation needs one.
    pub pole: Option<Vec3>,
    /// What these are in; a local space is the model's.
    pub space: Space,
    /// How far the end goes from where it is animated to be to the place, `0.0..=1.0`.
    pub weight: f32,
}

impl Reach {
    /// `None` if it asks for nothing.
    pub(super) fn checked(self) -> Option<Self> {
        let pole = self.pole.filter(|pole| pole.is_finite());
        let weight = self.weight.clamp(0.0, 1.0);
        (self.target.is_finite() && weight > 0.0).then_some(Self { pole, weight, ..self })
    }

    /// Where this takes the first joint, and for what the middle one reaches then. The matrices up to `first` are the world's,
    /// those after it are local.
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
        let wanted = difference(goal, from);
        let (upper, lower) = (length(bent), length(difference(reached, bent)));
        let along = unit(bent)?;
        // Of a chain that is folded, or is to be, any direction across is as good as another.
        let toward = unit(wanted).or_else(|| unit(reached)).unwrap_or_else(|| across(along));
        let straight = unit_beyond(reached, NEGLIGIBLE * upper)
            .unwrap_or_else(|| unit(without(toward, along)).unwrap_or_else(|| across(along)));

        let bend = unit_beyond(without(bent, straight), 1e-6 * upper);
        let pole = self.pole.and_then(|pole| {
            let pole = in_world(pole, self.space, world_from_model, 0.0);
            unit_beyond(without(pole, toward), 1e-6 * length(pole))
        });
        let kept = bend.map(|bend| carried(bend, straight, toward));
        let next = match (kept, pole) {
            (Some(kept), Some(pole)) => unit(mixed(kept, pole, weight)).unwrap_or(pole),
            (None, Some(pole)) => pole,
            (Some(kept), None) => kept,
            (None, None) => carried(across(straight), straight, toward),
        };
        let bend = bend.unwrap_or_else(|| carried(next, toward, straight));

        // The law of cosines: how far the first bone stands off the way to the place.
        // Not `clamp`, which panics where a length is NaN.
        let reach = length(wanted).max((upper - lower).abs()).min(upper + lower);
        let cos = (upper * upper + (reach * reach - lower * lower)) / (2.0 * upper * reach);
        let cos = if cos.is_finite() { cos.clamp(-1.0, 1.0) } else { 0.0 };
        let sin = (1.0 - cos * cos).sqrt();
        let led = sum(scaled(toward, cos), scaled(next, sin));
        let turn = frames([along, cross(bend, straight)], [led, cross(next, toward)]);
        Some((turned(&turn, &matrix), goal))
    }
}

/// Where the middle joint of a chain is taken, so that its end lies in the direction of `goal`. The matrices up to `middle` are
/// the world's, those after it are local.
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

/// Where a node is in the world: up to `from` the matrices are the world's, below they are local. `None` if it is not below.
fn below(rig: &Rig, matrices: &[Affine], from: NodeId, node: NodeId) -> Option<Vector> {
    let mut at = place(&rows(&matrices[node.index()]));
    let mut up = rig.parent(node)?;
    while up != from {
        at = moved(&rows(&matrices[up.index()]), at, 1.0);
        up = rig.parent(up)?;
    }
    Some(moved(&rows(&matrices[from.index()]), at, 1.0))
}
