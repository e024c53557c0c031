//! The tools of `gambol-tools` for JavaScript: a WebAssembly module of its own, which the package loads when a page calls one
//! of them.
#![expect(unreachable_pub, reason = "JavaScript calls the exports of wasm-bindgen")]

mod accessors;
mod bake;
mod convert;
mod diff;
mod export;
mod files;
mod inspect;
mod optimize;
mod retarget;
mod usdz;
mod web;

use gambol::animation;
