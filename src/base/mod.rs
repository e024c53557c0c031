//! What all other modules build on: numbers, lanes, matrices, transforms and boxes.

mod affine;
mod boxes;
mod decompose;
mod numbers;
mod simd;
mod transform;
mod trig;

pub use affine::Affine;
pub use boxes::Aabb;
pub(crate) use boxes::{ZERO, is_in_reach};
pub(crate) use decompose::{compose, decompose};
pub use numbers::REACH;
pub(crate) use numbers::{greater, lesser};
pub use simd::F32x4;
pub(crate) use simd::{Mask4, run};
pub use transform::Transform;
#[cfg(feature = "web")]
pub(crate) use trig::tan;
pub(crate) use trig::{arc_cosine, sin_cos};
