//! Plays animated glTF characters: import, animation, skinning, WebGL2.
//!
//! Without the feature `web` (`default-features = false`) the crate needs no browser: it reads glTF 2.0 into a [`model::Model`], samples and
//! blends its clips, and computes joint matrices.
//!
//! ```
//! use gambol::animation::{Affine, Rig};
//! use gambol::import::{NoResolver, import};
//! use gambol::model::ClipId;
//!
//! # fn main() -> Result<(), gambol::import::ImportError> {
//! # let bytes = gambol_sample::glb();
//! let imported = import(&bytes, &mut NoResolver)?;
//! let rig = Rig::new(&imported.model);
//!
//! let mut pose = rig.rest_pose().clone();
//! let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
//! rig.sample(ClipId::new(0), 0.5, &mut pose);
//! rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
//! rig.palette(&matrices, &mut palette);
//! # Ok(())
//! # }
//! ```
//!
//! # Conventions
//!
//! | | |
//! |---|---|
//! | Handedness | right-handed, +Y up; models look along +Z, as in glTF 2.0 §3.4, and those of VRM 0 along −Z ([`model::Model::front`]) |
//! | Units | metres, seconds, radians |
//! | Matrices | [`animation::Affine`]: three rows of four numbers, for column vectors; names say `target_from_source` |
//! | Quaternions | X, Y, Z, W |
//! | Colours | linear, unless a name says sRGB |
//! | Results | the same bits on every machine: only operations that IEEE 754 rounds once, in a fixed order |
//!
//! # Modules
//!
//! ```text
//! bytes ──import──▶ Model ──┬──▶ animation: Clip → Pose → Palette ──┐
//!                           └──▶ render: meshes, textures, programs ─┴─▶ frame
//!                                  viewer ties both; web is the thin JS edge
//! ```
//!
//! Dependencies run one way: `web → viewer → {render, animation} → model → base`, and `import → model`.

// The shipped module is compiled without the code of `Debug`, so `{:?}` writes nothing there.
#![cfg_attr(not(test), warn(clippy::use_debug))]
#![deny(unsafe_code)]

#[cfg(feature = "web")]
pub mod render;
#[cfg(feature = "web")]
pub mod viewer;

#[cfg(all(target_arch = "wasm32", feature = "web"))]
mod web;

pub use gambol_animation::{animation, model};
pub use gambol_import as import;

#[cfg(feature = "web")]
use gambol_animation::base;

/// The examples of the README and of the guide for the crate are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/guides/crate.md")]
struct Readme;
