//! Joints that reach for places and look at them: what a [`Reach`] and an [`Aim`] do to a matrix.
//!
//! Nothing here measures an angle. Directions are turned into directions by matrices that are made of them, in f64, with
//! operations that IEEE 754 rounds once, so that the bits are the same everywhere.

use super::spaces::{Rows, Space, product, rows};
use crate::animation::rig::Rig;
use crate::base::{Affine, Within, sin_cos};
use crate::model::NodeId;
use glam::Vec3;
use std::f32::consts::PI;

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

/// A joint that turns, the short way, until one of its directions points at a place: a head, an eye.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim {
    /// The place, in metres of the space.
    pub target: Vec3,
    /// The direction in the joint's own space; without it the one that points along the model's +Z at rest, which is where
    /// models look.
    pub axis: Option<Vec3>,
    /// The most that it turns away from where it is animated to look, in radians `0.0..=π`.
    pub limit: f32,
    /// What the place is in; a local space is the model's.
    pub space: Space,
    /// How far it turns: the fraction of the straight way from the one direction to the other, `0.0..=1.0`.
    pub weight: f32,
}

/// An [`Aim`] with all that need not be computed for each frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Aimed {
    target: Vec3,
    space: Space,
    weight: f32,
    axis: Vector,
    /// The cosine and the sine of the limit.
    limit: [f64; 2],
}

pub(super) type Vector = [f64; 3];
type Turn = [Vector; 3];

/// Less than this fraction of a length is taken for none.
const NEGLIGIBLE: f64 = 1e-9;

impl Reach {
    /// `None` if it asks for nothing.
    pub(super) fn checked(self) -> Option<Self> {
        let pole = self.pole.filter(|pole| pole.is_finite());
        let weight = self.weight.within(0.0, 1.0);
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
        let reach = length(wanted).within((upper - lower).abs(), upper + lower);
        let cos = (upper * upper + (reach * reach - lower * lower)) / (2.0 * upper * reach);
        let cos = if cos.is_finite() { cos.within(-1.0, 1.0) } else { 0.0 };
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

impl Aim {
    /// `None` if it asks for nothing.
    pub(super) fn checked(self, node: NodeId, rig: &Rig) -> Option<Aimed> {
        let Self { target, axis, limit, space, weight } = self;
        let weight = weight.within(0.0, 1.0);
        let axis = axis.map(vector).filter(|axis| length(*axis).is_finite()).and_then(unit);
        let axis = axis.or_else(|| ahead(node, rig)).unwrap_or([0.0, 0.0, 1.0]);
        let limit = if limit >= PI {
            [-1.0, 0.0]
        } else {
            let (sin, cos) = sin_cos(limit.max(0.0));
            [f64::from(cos), f64::from(sin)]
        };
        (target.is_finite() && weight > 0.0).then_some(Aimed { target, space, weight, axis, limit })
    }
}

impl Aimed {
    /// Where this takes a matrix of the world.
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

/// The direction in the space of a node that is the model's +Z at rest.
fn ahead(node: NodeId, rig: &Rig) -> Option<Vector> {
    let mut matrices = Vec::new();
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    // The last column of the inverse, but for its length and for the sign of a mirrored matrix.
    let [a, b, c] = rows(&matrices[node.index()]).map(|[x, y, z, _]| [x, y, z]);
    let column = cross(a, b);
    unit(if dot(column, c) < 0.0 { scaled(column, -1.0) } else { column })
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

/// A place (`w` 1) or a direction (0) of a space in the world.
fn in_world(value: Vec3, space: Space, world_from_model: &Affine, w: f64) -> Vector {
    let value = vector(value);
    if space == Space::World { value } else { moved(&rows(world_from_model), value, w) }
}

fn vector(value: Vec3) -> Vector {
    value.to_array().map(f64::from)
}

fn place([x, y, z]: &Rows) -> Vector {
    [x[3], y[3], z[3]]
}

/// Where a matrix takes a place (`w` 1) or a direction (0).
fn moved([a, b, c]: &Rows, [x, y, z]: Vector, w: f64) -> Vector {
    let along = |row: &[f64; 4]| row[0] * x + row[1] * y + row[2] * z + row[3] * w;
    [along(a), along(b), along(c)]
}

fn sum(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn difference(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn scaled(a: Vector, by: f64) -> Vector {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// Exact at both ends.
fn mixed(a: Vector, b: Vector, weight: f64) -> Vector {
    sum(scaled(a, 1.0 - weight), scaled(b, weight))
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// A direction; `None` of what has none, and of what is not finite.
fn unit(a: Vector) -> Option<Vector> {
    unit_beyond(a, 1e-100)
}

/// The direction of what is longer than that.
fn unit_beyond(a: Vector, least: f64) -> Option<Vector> {
    let length = length(a);
    (length > least && length < f64::INFINITY).then(|| [a[0] / length, a[1] / length, a[2] / length])
}

/// What is left of a vector without its part along a direction.
fn without(a: Vector, direction: Vector) -> Vector {
    difference(a, scaled(direction, dot(a, direction)))
}

/// A direction across another.
fn across(a: Vector) -> Vector {
    let [x, y, z] = a.map(f64::abs);
    let axis = if x <= y && x <= z {
        [1.0, 0.0, 0.0]
    } else if y <= z {
        [0.0, 1.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    };
    unit(without(axis, a)).unwrap_or(axis)
}

/// Takes a direction across `from` along when that turns to `to` the short way.
fn carried(a: Vector, from: Vector, to: Vector) -> Vector {
    let near = 1.0 + dot(from, to);
    if near < NEGLIGIBLE {
        // Half a turn around that very direction.
        return unit(without(a, to)).unwrap_or(a);
    }
    unit(difference(a, scaled(sum(from, to), dot(a, to) / near))).unwrap_or(a)
}

/// The turn the short way from a direction to another, around an axis across both.
fn arc(from: Vector, to: Vector) -> Turn {
    let (axis, cos) = (cross(from, to), dot(from, to));
    if cos < 0.0 {
        let axis = unit_beyond(axis, NEGLIGIBLE).unwrap_or_else(|| across(from));
        return frames([from, axis], [to, axis]);
    }
    // Of directions that are the same the axis is noise, which vanishes here: 1 + [c] + [c]² / (1 + cos).
    let by = 1.0 / (1.0 + cos);
    let [x, y, z] = axis;
    [
        [cos + by * x * x, by * x * y - z, by * x * z + y],
        [by * x * y + z, cos + by * y * y, by * y * z - x],
        [by * x * z - y, by * y * z + x, cos + by * z * z],
    ]
}

/// The turn that takes two directions, which are across each other, to two others.
fn frames([a, b]: [Vector; 2], [to_a, to_b]: [Vector; 2]) -> Turn {
    let (c, to_c) = (cross(a, b), cross(to_a, to_b));
    let row = |i: usize| {
        let of = |j: usize| to_a[i] * a[j] + to_b[i] * b[j] + to_c[i] * c[j];
        [of(0), of(1), of(2)]
    };
    [row(0), row(1), row(2)]
}

/// A matrix turned about its own place.
fn turned(turn: &Turn, matrix: &Rows) -> Rows {
    let at = place(matrix);
    let turn = turn.map(|[x, y, z]| [x, y, z, 0.0]);
    let [mut x, mut y, mut z] = product(&turn, matrix);
    (x[3], y[3], z[3]) = (at[0], at[1], at[2]);
    [x, y, z]
}
