//! The JavaScript API below the npm package: names, conversions, error codes; no logic.
//!
//! An `Import` takes bytes, an `Asset` is what came of them, a `Stage` shows it in the `Context` of a canvas, a `Sampler` has its
//! poses without one; an `Hdr` is light. The TypeScript of `www/gambol` is their only caller and the public API.
#![expect(unreachable_pub, reason = "what wasm-bindgen exports is reached from JavaScript")]
#![expect(clippy::too_many_arguments, reason = "JavaScript names them")]

mod asset;
mod context;
mod convert;
mod hdr;
mod import;
mod rest;
mod sampler;
mod second;
mod stage;
mod words;

use wasm_bindgen::prelude::*;

/// The lists of this room; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 5] =
    [&asset::DEFERRED, &hdr::DEFERRED, &import::DEFERRED, &sampler::DEFERRED, &stage::DEFERRED_LISTS];

/// The version of the package, as in `Cargo.toml`.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Runs when the module is instantiated: a panic shall say on the console what happened.
#[wasm_bindgen(start)]
pub fn start() {
    // The modules that ship stop without words.
    #[cfg(not(feature = "split"))]
    console_error_panic_hook::set_once();
}
