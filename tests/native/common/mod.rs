//! Shared helpers of the tests: random numbers, small files, models, counted allocations, a stub of OpenGL.

pub(crate) mod allocator;
pub(crate) mod builder;
pub(crate) mod check;
#[path = "../../../examples/pose/draco.rs"]
pub(crate) mod draco;
#[path = "../../../examples/pose/dump.rs"]
pub(crate) mod dump;
#[cfg(feature = "web")]
pub(crate) mod gl;
pub(crate) mod models;
pub(crate) mod outside;
pub(crate) mod random;
mod vectors;
