//! The spaces of overrides, and f64 matrices.

use crate::base::{Affine, F32x4};

/// The space of an [`Override`](super::Override).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Space {
    /// Relative to the parent: `parent_from_node`.
    #[default]
    Local,
    /// Relative to the model: `model_from_node`.
    Model,
    /// Relative to the world: `world_from_node`.
    World,
}

/// Three rows of `m0 m1 m2 t`. In f64, so that a conversion between spaces and back loses no precision.
pub(super) type Rows = [[f64; 4]; 3];

pub(super) fn rows(matrix: &Affine) -> Rows {
    matrix.rows.map(|row| row.to_array().map(f64::from))
}

pub(super) fn product(a: &Rows, b: &Rows) -> Rows {
    std::array::from_fn(|i| {
        let [x, y, z, t] = a[i];
        std::array::from_fn(|j| {
            let linear = x * b[0][j] + y * b[1][j] + z * b[2][j];
            if j == 3 { linear + t } else { linear }
        })
    })
}

pub(super) fn affine(rows: &Rows) -> Affine {
    Affine { rows: rows.map(|row| F32x4::new(row.map(|value| value as f32))) }
}

pub(super) fn is_finite(rows: &Rows) -> bool {
    rows.as_flattened().iter().all(|value| value.is_finite())
}

/// The inverse of an affine matrix; `None` if it is not finite.
pub(super) fn inverse([a, b, c]: &Rows) -> Option<Rows> {
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
