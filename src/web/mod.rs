//! The JavaScript API below the npm package: names, conversions and error codes, without logic.
//!
//! - `Import` reads a file.
//! - `Asset` is the imported model.
//! - `Stage` draws it in the `Context` of a canvas.
//! - `Sampler` computes its poses without a canvas.
//! - `Hdr` decodes environment light.
//!
//! Only the TypeScript code of `www/gambol`, which is the public API, calls them.
#![expect(unreachable_pub, reason = "JavaScript calls the exports of wasm-bindgen")]
#![expect(clippy::too_many_arguments, reason = "JavaScript passes them as named arguments")]

mod asset;
mod channels;
mod clips;
mod context;
mod convert;
mod features;
mod hdr;
mod import;
mod motion;
mod retarget;
mod retarget_options;
mod sampler;
mod stage;
mod structures;
mod words;

use wasm_bindgen::prelude::*;

/// The version of the package, as in `Cargo.toml`.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Runs when the module is instantiated: reports panics to the console.
#[wasm_bindgen(start)]
pub fn start() {
    // Release modules contain no panic messages.
    #[cfg(not(feature = "split"))]
    console_error_panic_hook::set_once();
}
