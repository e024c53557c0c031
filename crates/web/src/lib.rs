//! gambol as a WebAssembly module: the sources of `gambol-animation`, `gambol-import` and `gambol` as one crate, on which none depends.
//!
//! Linked from the three crates, functions that several of them instantiate would be in the module several times: 3 kB of brotli more.
//! As a second crate type of `gambol`, builds with other features (for the tools) would replace its file, which has no hash in its name,
//! and Cargo would compile all of it again each time.

#![deny(unsafe_code)]

extern crate self as gambol_animation;

#[path = "../../animation/src/animation/mod.rs"]
pub mod animation;
#[path = "../../animation/src/base/mod.rs"]
pub mod base;
#[path = "../../import/src/lib.rs"]
pub mod import;
#[path = "../../animation/src/model/mod.rs"]
pub mod model;
#[path = "../../../src/render/mod.rs"]
pub mod render;
#[path = "../../../src/viewer/mod.rs"]
pub mod viewer;
#[cfg(target_arch = "wasm32")]
#[path = "../../../src/web/mod.rs"]
mod web;
