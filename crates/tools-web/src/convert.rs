//! Values of Rust → objects of JavaScript.

use gambol_tools::ToolsError;
use js_sys::{Error, Object, Reflect};
use wasm_bindgen::JsValue;

/// An error with `code` and `pointer`.
pub(crate) fn thrown(error: &ToolsError) -> JsValue {
    let thrown = JsValue::from(Error::new(&error.message));
    set(&thrown, "code", error.code.into());
    set(&thrown, "pointer", error.pointer.as_str().into());
    thrown
}

/// A plain object.
pub(crate) fn object<const N: usize>(properties: [(&str, JsValue); N]) -> JsValue {
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
