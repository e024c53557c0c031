//! Changes to the glue, the script that wasm-bindgen writes beside the module.
//!
//! Each change to its text is in a separate file, for one need for which wasm-bindgen has no option:
//!
//! | file | need | without it |
//! |---|---|---|
//! | `instances.rs` | several instances of the module in one page | a panic ends every viewer of the page for good |
//! | `views.rs` | frames without garbage: views of the memory | a view for each upload |
//! | `errors.rs` | frames without garbage: errors of WebGL | a function and a list for each `texSubImage2D` |
//! | `names.rs` | short names of imports and exports, by esbuild | 4.4 kB more until the first frame |
//!
//! The case `garbage` of `tests/browser/cases/stats.ts` measures the garbage. Each change fails with its reason if a
//! new version of wasm-bindgen writes the glue in another way. Then look at the function that the message names, and at
//! the case or test above.

mod errors;
mod instances;
mod names;
mod views;

use std::path::Path;

use anyhow::Result;
use walrus::Module;

pub(crate) use instances::{declarations, plain_factory};

/// The module name of the imports with which the first module requests those of features.
const LINK: &str = "./__wasm_split.js";

/// Writes `out`/`glue.js`, adapted from wasm-bindgen's script. Imports and exports of `module` get the same short
/// names.
pub(crate) fn adapt(js: &str, module: &mut Module, out: &Path) -> Result<()> {
    let js = errors::caught_in_place(js)?;
    let js = views::kept(&js)?;
    let requests = module.imports.iter().filter(|import| import.module == LINK);
    let requests: Vec<_> = requests.map(|import| &*import.name).collect();
    names::shorten(&instances::factory(&js, &requests)?, module, out)
}
