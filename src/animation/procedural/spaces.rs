//! The spaces of overrides, and matrices of f64.

use crate::base::Affine;

/// The space that an [`Override`](super::Override) is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Space {
    /// The parent: `parent_from_node`.
    #[default]
    Local,
    /// The model, wherever it stands: `model_from_node`.
    Model,
    /// The world: `world_from_node`.
    World,
}

/// Three rows of `m0 m1 m2 t`; f64, so that there and back again costs no precision.
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
