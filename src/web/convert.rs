//! Converts Rust values to JavaScript values, and errors to `Error` objects with a code.

use super::structures::{Floats, FromJs};
use crate::import::{HdrError, ImportError};
use crate::render::RenderError;
use crate::viewer::StageError;
use glam::Vec3;
use js_sys::{Array, Error, Object, Reflect};
use wasm_bindgen::JsValue;

/// Sets a property of a plain object created by this module.
pub(super) fn set(object: &JsValue, name: &str, value: impl Into<JsValue>) {
    let done = Reflect::set(object, &JsValue::from_str(name), &value.into());
    debug_assert!(done.is_ok(), "a plain object takes any property");
}

/// A plain object with these properties.
pub(super) fn object<const N: usize>(properties: [(&str, JsValue); N]) -> JsValue {
    let object = JsValue::from(Object::new());
    for (name, value) in properties {
        set(&object, name, value);
    }
    object
}

/// An array of converted values.
pub(super) fn array<T>(values: impl IntoIterator<Item = T>, convert: impl FnMut(T) -> JsValue) -> JsValue {
    values.into_iter().map(convert).collect::<Array>().into()
}

/// An `Error` with a stable `code`, and a JSON `pointer` if there is one.
pub(super) fn error(code: &str, message: &str, pointer: Option<&str>) -> JsValue {
    let error = JsValue::from(Error::new(message));
    set(&error, "code", code);
    if let Some(pointer) = pointer {
        set(&error, "pointer", pointer);
    }
    error
}

/// The `Error` of a file that cannot be imported.
pub(super) fn refused(fault: ImportError) -> JsValue {
    error(fault.code(), &fault.to_string(), Some(&fault.pointer))
}

/// The `Error` of an HDR image that cannot be decoded.
pub(super) fn undecodable(fault: HdrError) -> JsValue {
    error(fault.code(), &fault.to_string(), None)
}

impl From<RenderError> for JsValue {
    fn from(fault: RenderError) -> Self {
        error(fault.code(), &fault.to_string(), None)
    }
}

impl From<StageError> for JsValue {
    fn from(fault: StageError) -> Self {
        error(fault.code(), &fault.to_string(), None)
    }
}

impl FromJs for Vec3 {
    fn from_js(value: &JsValue) -> Self {
        Floats::from_js(value).try_into().map_or(Self::ZERO, Self::from_array)
    }
}

/// The error of a call for a step that has already finished.
pub(super) fn too_late() -> JsValue {
    error("argument/invalid", "The file is already imported; the call is too late", None)
}
