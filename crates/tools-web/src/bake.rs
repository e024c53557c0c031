//! Baked clips.

use crate::convert::{object, thrown};
use crate::export::decoded_document;
use crate::files::Files;
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

/// Bakes clips of a file.
///
/// - `clips`: names or indices; empty for all clips.
/// - `kind`: `morphs`, `palette` or `vertices`.
/// - `steps`: see [`BakeOptions::steps`].
#[wasm_bindgen(unchecked_return_type = "Baked")]
pub fn bake(
    bytes: &[u8],
    mut files: Files,
    clips: Vec<String>,
    fps: f64,
    kind: &str,
    steps: bool,
) -> Result<JsValue, JsValue> {
    baked(bytes, &mut files, &clips, fps, kind, steps).map_err(|error| thrown(&error))
}

fn baked(
    bytes: &[u8],
    files: &mut Files,
    clips: &[String],
    fps: f64,
    kind: &str,
    steps: bool,
) -> Result<JsValue, ToolsError> {
    let model = import(bytes, files)?.model;
    let options = BakeOptions { clips: find_clips(&model, clips)?, fps, steps };
    let (bytes, report) = match kind {
        "palette" => (bake_palette(&model, &options)?, None),
        "vertices" => (bake_vertices(&model, &options)?, None),
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
