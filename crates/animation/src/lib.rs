#![doc = include_str!("../README.md")]
//! # Modules
//!
//! Imports go one way: `animation → model → base`.

// The module for pages is compiled without the code of `Debug`, so `{:?}` writes nothing there.
#![cfg_attr(not(test), warn(clippy::use_debug))]
#![forbid(unsafe_code)]

pub mod animation;
/// Shared with the crate `gambol`; no stable API.
#[doc(hidden)]
pub mod base;
pub mod model;
