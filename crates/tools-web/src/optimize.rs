//! `optimize`, in steps.

use crate::convert::{object, thrown};
use crate::diff::difference;
use crate::files::Files;
use crate::web::structures::{structures, words};
use gambol_tools::{Compression, Options, Report, Sizes};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** Numbers of a file, and the bytes of its parts. */
export interface Sizes {
  readonly keys: number;
  readonly channels: number;
  readonly accessors: number;
  readonly nodes: number;
  readonly animation: number;
  readonly geometry: number;
  readonly images: number;
  readonly json: number;
  readonly other: number;
  readonly total: number;
}

/** The result of the optimiser. */
export interface Optimized {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly before: Sizes;
  readonly after: Sizes;
  readonly bound: number;
  readonly unchanged: boolean;
  readonly difference: FileDifference | undefined;
}
";

words! {
    /// The compression of a file: EXT_meshopt_compression, KHR_meshopt_compression or none.
    pub enum CompressionWord {
        Meshopt = "meshopt",
        KhronosMeshopt = "khr-meshopt",
        None = "none",
    }
}

structures! {
    /// The options of the optimiser.
    pub struct Optimizing: "Optimizing" {
        /// The bound in metres; `undefined`: the default of `Options`.
        error: Option<f32>,
        compression: CompressionWord,
    }
}

/// `optimize` of `gambol-tools`, in steps.
#[wasm_bindgen]
pub struct Optimizer {
    optimizer: gambol_tools::Optimizer,
    files: Files,
}

#[wasm_bindgen]
impl Optimizer {
    /// Reads a file.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8], mut files: Files, options: &js::Optimizing) -> Result<Self, JsValue> {
        let Optimizing { error, compression } = options.into();
        let compression = match compression {
            CompressionWord::KhronosMeshopt => Compression::KhronosMeshopt,
            CompressionWord::None => Compression::None,
            _ => Compression::Meshopt,
        };
        let options = Options { error, compression };
        let optimizer =
            gambol_tools::Optimizer::new(bytes, &mut files, &options).map_err(|error| thrown(&error))?;
        Ok(Self { optimizer, files })
    }

    /// Does a part of the work. Returns the share that is done, `undefined` at the end.
    pub fn advance(&mut self) -> Result<Option<f32>, JsValue> {
        self.optimizer.advance(&mut self.files).map_err(|error| thrown(&error))
    }

    /// The result.
    #[wasm_bindgen(unchecked_return_type = "Optimized")]
    pub fn finish(self) -> JsValue {
        let made = self.optimizer.finish();
        let Report { before, after, bound, difference: found, unchanged } = made.report;
        object([
            ("bytes", Uint8Array::from(&made.bytes[..]).into()),
            ("before", sizes(&before)),
            ("after", sizes(&after)),
            ("bound", bound.into()),
            ("unchanged", unchanged.into()),
            ("difference", found.as_ref().map_or(JsValue::UNDEFINED, difference)),
        ])
    }
}

fn sizes(sizes: &Sizes) -> JsValue {
    let number = |value: usize| JsValue::from(value as f64);
    object([
        ("keys", number(sizes.keys)),
        ("channels", number(sizes.channels)),
        ("accessors", number(sizes.accessors)),
        ("nodes", number(sizes.nodes)),
        ("animation", number(sizes.animation)),
        ("geometry", number(sizes.geometry)),
        ("images", number(sizes.images)),
        ("json", number(sizes.json)),
        ("other", number(sizes.other)),
        ("total", number(sizes.total)),
    ])
}
