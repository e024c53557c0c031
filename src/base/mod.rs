//! Numbers, transforms and boxes for all other modules; SIMD lanes and matrices are those of the kernels.

mod boxes;
mod decompose;
pub(crate) mod deferred;
mod names;
mod numbers;
mod sort;
mod transform;
mod trig;

pub use boxes::Aabb;
pub(crate) use boxes::{ZERO, is_in_reach};
pub(crate) use decompose::{compose, decompose};
#[cfg(feature = "split")]
pub(crate) use deferred::DeferredList;
pub(crate) use deferred::deferred;
pub(crate) use gambol_kernels::Mask4;
pub use gambol_kernels::{Affine, F32x4};
pub(crate) use names::{distance, nearest};
pub use numbers::REACH;
pub(crate) use numbers::{greater, lesser};
pub(crate) use sort::{find_sorted, order, sort_by};
pub use transform::Transform;
#[cfg(feature = "web")]
pub(crate) use trig::tan;
pub(crate) use trig::{arc_cosine, sin_cos};

/// Indices by three numbers. Maps of the first WebAssembly module share this type, because each type is compiled by itself.
pub(crate) type IndexMap = std::collections::HashMap<(usize, usize, usize), usize>;
