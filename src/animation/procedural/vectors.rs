//! f64 vectors and rotations for [`TwoBoneIk`](super::TwoBoneIk) and [`LookAt`](super::LookAt).
//!
//! There are no angles and no trigonometry. Rotations between directions are matrices computed from them,
//! with operations that IEEE 754 rounds exactly once. So the bits are the same on every machine.

use super::spaces::{Rows, Space, product, rows};
use crate::base::Affine;
use glam::Vec3;

pub(crate) type Vector = [f64; 3];

pub(crate) type Turn = [Vector; 3];

/// Lengths below this fraction count as zero.
pub(super) const NEGLIGIBLE: f64 = 1e-9;

/// Transforms a position (`w` 1) or direction (0) from a space to the world.
pub(super) fn in_world(value: Vec3, space: Space, world_from_model: &Affine, w: f64) -> Vector {
    let value = vector(value);
    if space == Space::World { value } else { moved(&rows(world_from_model), value, w) }
}

pub(super) fn vector(value: Vec3) -> Vector {
    value.to_array().map(f64::from)
}

pub(super) fn place([x, y, z]: &Rows) -> Vector {
    [x[3], y[3], z[3]]
}

/// Transforms a position (`w` 1) or direction (0) by a matrix.
pub(super) fn moved([a, b, c]: &Rows, [x, y, z]: Vector, w: f64) -> Vector {
    let along = |row: &[f64; 4]| row[0] * x + row[1] * y + row[2] * z + row[3] * w;
    [along(a), along(b), along(c)]
}

pub(super) fn sum(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn difference(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scaled(a: Vector, by: f64) -> Vector {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// Linear interpolation, exact at both ends.
pub(super) fn mixed(a: Vector, b: Vector, weight: f64) -> Vector {
    sum(scaled(a, 1.0 - weight), scaled(b, weight))
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The unit vector of a direction; `None` if the length is zero or not finite.
pub(super) fn unit(a: Vector) -> Option<Vector> {
    unit_beyond(a, 1e-100)
}

/// The unit vector of a direction longer than `least`.
pub(super) fn unit_beyond(a: Vector, least: f64) -> Option<Vector> {
    let length = length(a);
    (length > least && length < f64::INFINITY).then(|| [a[0] / length, a[1] / length, a[2] / length])
}

/// The component of a vector that is perpendicular to a direction.
pub(super) fn without(a: Vector, direction: Vector) -> Vector {
    difference(a, scaled(direction, dot(a, direction)))
}

/// A direction perpendicular to another.
pub(super) fn across(a: Vector) -> Vector {
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

/// Applies the shortest rotation from `from` to `to` to a direction that is perpendicular to `from`.
pub(super) fn carried(a: Vector, from: Vector, to: Vector) -> Vector {
    let near = 1.0 + dot(from, to);
    if near < NEGLIGIBLE {
        // A rotation by 180° around that direction.
        return unit(without(a, to)).unwrap_or(a);
    }
    unit(difference(a, scaled(sum(from, to), dot(a, to) / near))).unwrap_or(a)
}

/// The shortest rotation from a direction to another, around an axis perpendicular to both.
pub(crate) fn arc(from: Vector, to: Vector) -> Turn {
    let (axis, cos) = (cross(from, to), dot(from, to));
    if cos < 0.0 {
        let axis = unit_beyond(axis, NEGLIGIBLE).unwrap_or_else(|| across(from));
        return frames([from, axis], [to, axis]);
    }
    // For nearly equal directions the axis is noise, which vanishes in this formula: 1 + [c] + [c]² / (1 +
    // cos).
    let by = 1.0 / (1.0 + cos);
    let [x, y, z] = axis;
    [
        [cos + by * x * x, by * x * y - z, by * x * z + y],
        [by * x * y + z, cos + by * y * y, by * y * z - x],
        [by * x * z - y, by * y * z + x, cos + by * z * z],
    ]
}

/// The rotation that maps two perpendicular directions to two others.
pub(super) fn frames([a, b]: [Vector; 2], [to_a, to_b]: [Vector; 2]) -> Turn {
    let (c, to_c) = (cross(a, b), cross(to_a, to_b));
    let row = |i: usize| {
        let of = |j: usize| to_a[i] * a[j] + to_b[i] * b[j] + to_c[i] * c[j];
        [of(0), of(1), of(2)]
    };
    [row(0), row(1), row(2)]
}

/// A matrix rotated about its own origin.
pub(super) fn turned(turn: &Turn, matrix: &Rows) -> Rows {
    let at = place(matrix);
    let turn = turn.map(|[x, y, z]| [x, y, z, 0.0]);
    let [mut x, mut y, mut z] = product(&turn, matrix);
    (x[3], y[3], z[3]) = (at[0], at[1], at[2]);
    [x, y, z]
}
