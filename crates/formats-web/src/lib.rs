//! The converters of `gambol-formats` for JavaScript: a WebAssembly module of its own, which the package loads when a
//! file needs it.
#![expect(unreachable_pub, reason = "JavaScript calls the exports of wasm-bindgen")]

mod options;
mod web;

use crate::options::{Conversion, UpAxis};
use gambol_formats::{Converted, Format, FormatError, Options, Place, Up};
use js_sys::{Array, Error, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** A converted file. */
export interface ConvertedFile {
  /** The bytes of a GLB file. */
  readonly glb: Uint8Array<ArrayBuffer>;
  /** Parts that were repaired or skipped. */
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly pointer: string }[];
  /** The format of the file. */
  readonly format: 'bvh' | 'x' | 'fbx';
}
";

/// Converts a file to GLB. An error has a `code`, and the place of the fault as its `pointer`.
#[wasm_bindgen(js_name = toGlb, unchecked_return_type = "ConvertedFile")]
pub fn to_glb(bytes: &[u8], name: &str, conversion: &options::js::Conversion) -> Result<JsValue, JsValue> {
    let Conversion { metres_per_unit, up, decoded_bytes } = conversion.into();
    let mut options = Options::default();
    options.metres_per_unit = metres_per_unit;
    options.up = up.map(|up| if matches!(up, UpAxis::Z) { Up::Z } else { Up::Y });
    if let Some(limit) = decoded_bytes.filter(|limit| *limit >= 0.0) {
        options.decoded_bytes = limit as u64;
    }
    let converted = gambol_formats::to_glb(bytes, name, &options).map_err(|error| thrown(&error))?;
    let format = match gambol_formats::detect(bytes, name) {
        Some(Format::Bvh) => "bvh",
        Some(Format::X) => "x",
        _ => "fbx",
    };
    Ok(object([
        ("glb", Uint8Array::from(&converted.glb[..]).into()),
        ("warnings", warnings(&converted)),
        ("format", format.into()),
    ]))
}

fn warnings(converted: &Converted) -> JsValue {
    let warning = |warning: &gambol_formats::Warning| {
        let pointer = pointer(&warning.place);
        let message = if pointer.is_empty() {
            format!("{}.", warning.message)
        } else {
            format!("{} ({pointer}).", warning.message)
        };
        object([("code", warning.code.into()), ("message", message.into()), ("pointer", pointer.into())])
    };
    converted.warnings.iter().map(warning).collect::<Array>().into()
}

/// The text of a place; empty for the whole file.
fn pointer(place: &Place) -> String {
    match place {
        Place::Object { path } if path.is_empty() => String::new(),
        place => place.to_string(),
    }
}

fn thrown(error: &FormatError) -> JsValue {
    let thrown = JsValue::from(Error::new(&error.to_string()));
    set(&thrown, "code", error.code.into());
    set(&thrown, "pointer", pointer(&error.place).into());
    thrown
}

fn object<const N: usize>(properties: [(&str, JsValue); N]) -> JsValue {
    let object = JsValue::from(Object::new());
    for (name, value) in properties {
        set(&object, name, value);
    }
    object
}

fn set(object: &JsValue, name: &str, value: JsValue) {
    let done = Reflect::set(object, &name.into(), &value);
    debug_assert!(done.is_ok(), "a plain object takes any property");
}
