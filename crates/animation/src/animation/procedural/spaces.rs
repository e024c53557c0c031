//! The spaces of overrides.

pub(super) use gambol_kernels::vectors::{Rows, affine, inverse, is_finite, product, rows};

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
