//! `inspect`.

use crate::files::Files;
use gambol_tools::inspect::Options;
use wasm_bindgen::prelude::*;

/// Inspects a file. Returns the report as JSON, which is the type `InspectReport` of the package.
#[wasm_bindgen]
pub fn inspect(bytes: &[u8], mut files: Files) -> String {
    gambol_tools::inspect::inspect(bytes, &mut files, &Options::default()).to_json().to_string()
}
