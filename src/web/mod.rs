//! The JavaScript API: names, conversions, error codes; no logic.

use wasm_bindgen::prelude::*;

/// The version of the package, as in `Cargo.toml`.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
