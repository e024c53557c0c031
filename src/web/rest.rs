//! The second module, which a page loads after its first frame.

use crate::base::deferred::second_module_runs;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Returns the error for a call that needs the second module too early, and requests the module again.
    #[wasm_bindgen(js_name = notYet)]
    fn not_yet() -> JsValue;
}

/// Checks that the second module, `gambol.more.wasm`, has started. Each function of the first module that
/// needs the second must call it before it borrows or changes anything. Then the call fails with `load/chunk`
/// without side effects; later in the call it would panic.
/// # Errors
/// `load/chunk`.
pub(super) fn need_rest() -> Result<(), JsValue> {
    if second_module_runs() { Ok(()) } else { Err(not_yet()) }
}

/// Defines methods of a class whose bodies are in the second module; after `impl mut`, methods with `&mut
/// self`. Each throws the errors of its body, or `load/chunk`.
macro_rules! deferred_methods {
    (impl $class:ident {$(
        $(#[$meta:meta])*
        pub fn $name:ident($this:ident $(, $arg:ident: $ty:ty)* $(,)?) -> Result<$ok:ty, $err:ty> $body:tt
    )+}) => {
        #[wasm_bindgen]
        impl $class {$(
            $(#[$meta])*
            #[doc = "\n`load/chunk`, as long as the second module has not started."]
            pub fn $name(&self $(, $arg: $ty)*) -> Result<$ok, JsValue> {
                crate::web::rest::need_rest()?;
                $name(self $(, $arg)*).map_err(JsValue::from)
            }
        )+}

        crate::base::deferred! {$(
            fn $name(this: &$class $(, $arg: $ty)*) -> Result<$ok, $err> =
                |$this: &$class $(, $arg: $ty)*| -> Result<$ok, $err> $body;
        )+}
    };
    (impl mut $class:ident {$(
        $(#[$meta:meta])*
        pub fn $name:ident($this:ident $(, $arg:ident: $ty:ty)* $(,)?) -> Result<$ok:ty, $err:ty> $body:tt
    )+}) => {
        #[wasm_bindgen]
        impl $class {$(
            $(#[$meta])*
            #[doc = "\n`load/chunk`, as long as the second module has not started."]
            pub fn $name(&mut self $(, $arg: $ty)*) -> Result<$ok, JsValue> {
                crate::web::rest::need_rest()?;
                $name(self $(, $arg)*).map_err(JsValue::from)
            }
        )+}

        crate::base::deferred! {$(
            fn $name(this: &mut $class $(, $arg: $ty)*) -> Result<$ok, $err> =
                |$this: &mut $class $(, $arg: $ty)*| -> Result<$ok, $err> $body;
        )+}
    };
}

pub(super) use deferred_methods;
