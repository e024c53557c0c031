//! f64 vectors, matrices and rotations for procedural animation.
//!
//! There are no angles and no trigonometry. Rotations between directions are matrices computed from them,
//! with operations that IEEE 754 rounds exactly once. So the bits are the same on every machine.

use crate::affine::Affine;
use crate::simd::F32x4;

/// A position or a direction.
pub type Vector = [f64; 3];

/// The rows of a rotation matrix.
pub type Turn = [Vector; 3];

/// Three rows of `m0 m1 m2 t`. In f64, so that a conversion between spaces and back loses no precision.
pub type Rows = [[f64; 4]; 3];

/// Lengths below this fraction count as zero.
pub const NEGLIGIBLE: f64 = 1e-9;

/// The rows of a matrix.
pub fn rows(matrix: &Affine) -> Rows {
    matrix.rows.map(|row| row.to_array().map(f64::from))
}

/// The product of two matrices.
pub fn product(a: &Rows, b: &Rows) -> Rows {
    std::array::from_fn(|i| {
        let [x, y, z, t] = a[i];
        std::array::from_fn(|j| {
            let linear = x * b[0][j] + y * b[1][j] + z * b[2][j];
            if j == 3 { linear + t } else { linear }
        })
    })
}

/// A matrix in f32.
pub fn affine(rows: &Rows) -> Affine {
    Affine { rows: rows.map(|row| F32x4::new(row.map(|value| value as f32))) }
}

/// `true` if every number is finite.
pub fn is_finite(rows: &Rows) -> bool {
    rows.as_flattened().iter().all(|value| value.is_finite())
}

/// The inverse of an affine matrix; `None` if it is not finite.
pub fn inverse([a, b, c]: &Rows) -> Option<Rows> {
    let cross = |u: &[f64; 4], v: &[f64; 4]| {
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    // The columns of the inverse, times the determinant.
    let (x, y, z) = (cross(b, c), cross(c, a), cross(a, b));
    let determinant = a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
    let rows: Rows = std::array::from_fn(|i| {
        let row = [x[i] / determinant, y[i] / determinant, z[i] / determinant];
        [row[0], row[1], row[2], -(row[0] * a[3] + row[1] * b[3] + row[2] * c[3])]
    });
    is_finite(&rows).then_some(rows)
}

/// The translation of a matrix.
pub fn place([x, y, z]: &Rows) -> Vector {
    [x[3], y[3], z[3]]
}

/// Transforms a position (`w` 1) or direction (0) by a matrix.
pub fn moved([a, b, c]: &Rows, [x, y, z]: Vector, w: f64) -> Vector {
    let along = |row: &[f64; 4]| row[0] * x + row[1] * y + row[2] * z + row[3] * w;
    [along(a), along(b), along(c)]
}

/// The sum of two vectors.
pub fn sum(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The first vector minus the second.
pub fn difference(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A vector times a number.
pub fn scaled(a: Vector, by: f64) -> Vector {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// Linear interpolation, exact at both ends.
pub fn mixed(a: Vector, b: Vector, weight: f64) -> Vector {
    sum(scaled(a, 1.0 - weight), scaled(b, weight))
}

/// The dot product.
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The cross product.
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The length of a vector.
pub fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The unit vector of a direction; `None` if the length is zero or not finite.
pub fn unit(a: Vector) -> Option<Vector> {
    unit_beyond(a, 1e-100)
}

/// The unit vector of a direction longer than `least`.
pub fn unit_beyond(a: Vector, least: f64) -> Option<Vector> {
    let length = length(a);
    (length > least && length < f64::INFINITY).then(|| [a[0] / length, a[1] / length, a[2] / length])
}

/// The component of a vector that is perpendicular to a direction.
pub fn without(a: Vector, direction: Vector) -> Vector {
    difference(a, scaled(direction, dot(a, direction)))
}

/// A direction perpendicular to another.
pub fn across(a: Vector) -> Vector {
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
pub fn carried(a: Vector, from: Vector, to: Vector) -> Vector {
    let near = 1.0 + dot(from, to);
    if near < NEGLIGIBLE {
        // A rotation by 180° around that direction.
        return unit(without(a, to)).unwrap_or(a);
    }
    unit(difference(a, scaled(sum(from, to), dot(a, to) / near))).unwrap_or(a)
}

/// The shortest rotation from a direction to another, around an axis perpendicular to both.
pub fn arc(from: Vector, to: Vector) -> Turn {
    let (axis, cos) = (cross(from, to), dot(from, to));
    if cos < 0.0 {
        let axis = unit_beyond(axis, NEGLIGIBLE).unwrap_or_else(|| across(from));
        return frames([from, axis], [to, axis]);
    }
    about(axis, cos, 1.0 / (1.0 + cos))
}

/// The same as [`arc`] of the unit vectors, with divisions that do not wait for each other.
///
/// - `lengths`: the product of the lengths of both, not zero and finite.
#[inline(always)]
pub(crate) fn arc_between(from: Vector, to: Vector, lengths: f64) -> Turn {
    let (axis, cos) = (cross(from, to), dot(from, to));
    if cos < 0.0 {
        let unit = |a| scaled(a, 1.0 / length(a));
        return arc(unit(from), unit(to));
    }
    let by = 1.0 / lengths;
    about(scaled(axis, by), cos * by, lengths / (lengths + cos))
}

/// A rotation: `cos` + \[`axis`\] + \[`axis`\]² `by`.
///
/// For nearly equal directions the axis is noise, which vanishes in this formula.
///
/// - `axis`: of the length of the sine.
/// - `by`: 1 / (1 + cosine).
#[inline(always)]
fn about(axis: Vector, cos: f64, by: f64) -> Turn {
    let ([x, y, z], [bx, by, bz]) = (axis, scaled(axis, by));
    [
        [cos + bx * x, bx * y - z, bx * z + y],
        [bx * y + z, cos + by * y, by * z - x],
        [bx * z - y, by * z + x, cos + bz * z],
    ]
}

/// The rotation that maps two perpendicular directions to two others.
pub fn frames([a, b]: [Vector; 2], [to_a, to_b]: [Vector; 2]) -> Turn {
    let (c, to_c) = (cross(a, b), cross(to_a, to_b));
    let row = |i: usize| {
        let of = |j: usize| to_a[i] * a[j] + to_b[i] * b[j] + to_c[i] * c[j];
        [of(0), of(1), of(2)]
    };
    [row(0), row(1), row(2)]
}

/// A matrix rotated about its own origin.
pub fn turned(turn: &Turn, matrix: &Rows) -> Rows {
    let at = place(matrix);
    let turn = turn.map(|[x, y, z]| [x, y, z, 0.0]);
    let [mut x, mut y, mut z] = product(&turn, matrix);
    (x[3], y[3], z[3]) = (at[0], at[1], at[2]);
    [x, y, z]
}
