//! Numbers, transforms and boxes for all other modules; SIMD lanes and matrices are those of the kernels.

mod boxes;
mod decompose;
pub mod feature;
mod names;
mod numbers;
mod sort;
mod transform;
mod trig;

pub use boxes::{Aabb, ZERO, is_in_reach};
pub use decompose::{compose, decompose};
pub use feature::feature;
pub use gambol_kernels::{Affine, F32x4, Mask4};
pub use names::{distance, nearest};
pub use numbers::{REACH, greater, lesser};
pub use sort::{find_sorted, order, sort_by};
pub use transform::Transform;
pub use trig::{arc_cosine, sin_cos, tan};

/// Indices by three numbers. Maps of the first WebAssembly module share this type, because each type is compiled by itself.
pub type IndexMap = std::collections::HashMap<(usize, usize, usize), usize>;
