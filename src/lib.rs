//! Plays animated glTF characters: import, animation, skinning, WebGL2.
//!
//! ```text
//! bytes ──import──▶ Model ──┬──▶ animation: Clip → Pose → Palette ──┐
//!                           └──▶ render: meshes, textures, programs ─┴─▶ frame
//!                                  viewer ties both; web is the thin JS edge
//! ```
//!
//! Dependencies run one way: `web → viewer → {render, animation} → model → base`, and `import → model`.

pub mod animation;
mod base;
pub mod import;
pub mod model;
#[cfg(feature = "web")]
pub mod render;
#[cfg(feature = "web")]
pub mod viewer;

#[cfg(all(target_arch = "wasm32", feature = "web"))]
mod web;

/// The examples of the README and of the guide for the crate are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/guides/crate.md")]
struct Readme;
