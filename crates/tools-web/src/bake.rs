//! Baked clips.

use crate::convert::{object, thrown};
use crate::export::decoded_document;
use crate::files::Files;
use crate::web::structures::{structures, words};
use gambol::import::import;
use gambol_tools::{
    BakeOptions, BakeReport, ToolsError, bake_morphs, bake_palette, bake_vertices, find_clips,
};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** The result of `bake`. */
export interface Baked {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly frames: number | undefined;
  readonly targets: number | undefined;
  readonly vertices: number | undefined;
  readonly error: number | undefined;
}
";

words! {
    /// The form of baked clips.
    pub enum BakedForm {
        Morphs = "morphs",
        Palette = "palette",
        Vertices = "vertices",
    }
}

structures! {
    /// The clips to bake.
    pub struct Baking: "Baking" {
        /// Names or indices; empty for all clips.
        clips: Vec<String>,
        /// Frames per second.
        fps: f64,
        form: BakedForm,
        /// See [`BakeOptions::steps`].
        steps: bool,
    }
}

/// Bakes clips of a file.
#[wasm_bindgen(unchecked_return_type = "Baked")]
pub fn bake(bytes: &[u8], mut files: Files, baking: &js::Baking) -> Result<JsValue, JsValue> {
    baked(bytes, &mut files, baking.into()).map_err(|error| thrown(&error))
}

fn baked(bytes: &[u8], files: &mut Files, baking: Baking) -> Result<JsValue, ToolsError> {
    let Baking { clips, fps, form, steps } = baking;
    let model = import(bytes, files)?.model;
    let options = BakeOptions { clips: find_clips(&model, &clips)?, fps, steps };
    let (bytes, report) = match form {
        BakedForm::Palette => (bake_palette(&model, &options)?, None),
        BakedForm::Vertices => (bake_vertices(&model, &options)?, None),
        _ => {
            let (document, report) = bake_morphs(decoded_document(bytes, files)?, &model, &options)?;
            (document.to_glb()?, Some(report))
        }
    };
    let number = |of: fn(&BakeReport) -> usize| {
        report.as_ref().map_or(JsValue::UNDEFINED, |report| JsValue::from(of(report) as f64))
    };
    Ok(object([
        ("bytes", Uint8Array::from(&bytes[..]).into()),
        ("frames", number(|report| report.frames)),
        ("targets", number(|report| report.targets)),
        ("vertices", number(|report| report.vertices)),
        ("error", report.as_ref().and_then(|report| report.error).map_or(JsValue::UNDEFINED, JsValue::from)),
    ]))
}
