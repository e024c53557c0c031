//! The JavaScript API below the npm package: names, conversions, error codes; no logic.
//!
//! An `Import` takes bytes, an `Asset` is what came of them, a `Stage` shows it in the `Context` of a canvas, a `Sampler` has its
//! poses without one; an `Hdr` is light. The TypeScript of `www/gambol` is their only caller and the public API.
#![expect(unreachable_pub, reason = "what wasm-bindgen exports is reached from JavaScript")]

mod asset;
mod context;
mod convert;
mod hdr;
mod import;
mod rest;
mod sampler;
mod stage;
mod words;

use wasm_bindgen::prelude::*;

/// The version of the package, as in `Cargo.toml`.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Runs when the module is instantiated: a panic shall say on the console what happened.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}
