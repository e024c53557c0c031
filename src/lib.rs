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

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
