//! USDZ.

use crate::convert::{object, thrown};
use crate::files::Files;
use crate::web::structures::structures;
use gambol::import::Warning;
use gambol::model::{Clip, ClipId, Model, VariantId};
use gambol_tools::{ToolsError, UsdzExporter, UsdzOptions, codes, find_clips};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** The result of `UsdzWriter.finish`. */
export interface WrittenUsdz {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly pointer: string }[];
}
";

structures! {
    /// The part of a model that becomes USDZ.
    pub struct UsdzDescription: "UsdzDescription" {
        /// The name or the index of a clip; empty for the opening one.
        clip: Vec<String>,
        /// `true` for the rest pose in place of a clip.
        still: bool,
        /// The name of a variant of the materials; empty for none.
        variant: Vec<String>,
        /// The largest width and height of an image; `undefined` for any.
        size: Option<u32>,
    }
}

/// Writes a USDZ. The page may encode the pending images before it is finished.
#[wasm_bindgen]
pub struct UsdzWriter {
    exporter: UsdzExporter,
}

#[wasm_bindgen]
impl UsdzWriter {
    /// Imports the file.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8], mut files: Files, options: &js::UsdzDescription) -> Result<Self, JsValue> {
        let exporter = UsdzExporter::new(bytes, &mut files, |model| chosen(model, &options.into()));
        exporter.map(|exporter| Self { exporter }).map_err(|error| thrown(&error))
    }

    /// The indices of the images that must be encoded as PNG or JPEG.
    pub fn pending(&self) -> Vec<u32> {
        self.exporter.pending().into_iter().map(|index| index as u32).collect()
    }

    /// The bytes of an image.
    pub fn image(&self, index: usize) -> Vec<u8> {
        self.exporter.image(index).to_vec()
    }

    /// Replaces an image.
    pub fn provide(&mut self, index: usize, bytes: Vec<u8>) {
        self.exporter.provide(index, bytes);
    }

    /// The file; `name` is that of its root.
    #[wasm_bindgen(unchecked_return_type = "WrittenUsdz")]
    pub fn finish(self, name: &str) -> Result<JsValue, JsValue> {
        let written = self.exporter.finish(name).map_err(|error| thrown(&error))?;
        Ok(object([
            ("bytes", Uint8Array::from(&written.bytes[..]).into()),
            ("warnings", written.warnings.iter().map(described).collect::<Array>().into()),
        ]))
    }
}

fn described(warning: &Warning) -> JsValue {
    object([
        ("code", warning.code.into()),
        ("message", warning.message.as_str().into()),
        ("pointer", warning.pointer.as_str().into()),
    ])
}

fn chosen(model: &Model, description: &UsdzDescription) -> Result<UsdzOptions, ToolsError> {
    let UsdzDescription { clip, still, variant, size } = description;
    let clip = match (still, clip.is_empty()) {
        (true, _) => None,
        (false, true) => {
            Clip::opening(model.clips.iter().enumerate().map(|(i, clip)| (ClipId::new(i), &**clip)))
        }
        (false, false) => find_clips(model, clip)?.first().copied(),
    };
    let variant = variant.first().map(|name| {
        let index = model.variants.iter().position(|known| known == name);
        index.map(VariantId::new).ok_or_else(|| {
            let known = model.variants.join("”, “");
            let message = format!("The file has no variant “{name}”. Its variants: “{known}”.");
            ToolsError::new(codes::OPTION, "", message)
        })
    });
    Ok(UsdzOptions { clip, variant: variant.transpose()?, max_texture_size: *size })
}
