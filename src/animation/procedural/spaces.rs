//! The spaces of overrides, and f64 matrices.

use crate::base::Affine;

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
