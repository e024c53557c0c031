//! The hot loops of [gambol](https://docs.rs/gambol): keys → poses → palettes, skinning, and rays against
//! skinned triangles.
//!
//! They are a separate crate because they are compiled for speed, and the rest of the web module for size
//! (`[profile.wasm.package.gambol-kernels]` of the workspace). Functions that are generic or `#[inline]`, and
//! callbacks, must not be in a loop here: they are compiled in the crate that uses them.
//!
//! All results have the same bits on every machine: operations are those that IEEE 754 rounds exactly once,
//! in a fixed order.

#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "views of matrices as floats")]
mod affine;
mod batch;
mod extent;
mod four;
mod motion;
mod palette;
mod ray;
#[expect(unsafe_code, reason = "unchecked access to rows makes sampling 20 % faster")]
mod sample;
#[expect(unsafe_code, reason = "intrinsics of SSE2, and views of lanes as floats")]
mod simd;
mod skinning;
mod slerp;
pub mod springs;
mod transform;
pub mod vectors;

pub use affine::Affine;
pub use batch::{Animated, Batch, Properties, Target};
pub use extent::widen;
pub use four::{
    AffineX4, PointX4, at_lane, morph_four, next_as_far, place_four, raise_squares, skin_four, still_four,
};
pub use motion::{Carrier, Motion, carry};
pub use palette::{ROOT, Slot, descend, local_matrices, mix_palettes, palette};
pub use ray::Ray;
pub use sample::{Interpolation, KeyTable, Spot, Track, spline_factors};
pub use simd::{F32x4, Mask4};
pub use skinning::{mean, skin, skin_positions, skin_vertices, turned_normal, turned_tangent};
pub use slerp::{MAX_ANGLE, angle, correction, is_narrow, same_hemisphere, slerp};
pub use transform::{Property, TransformX4, rotation};
