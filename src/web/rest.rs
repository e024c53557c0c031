//! The second module, which a page loads behind its first frame.

use std::sync::atomic::{AtomicBool, Ordering};
use wasm_bindgen::prelude::*;

/// Set once the second module has started.
static STARTED: AtomicBool = AtomicBool::new(false);

#[wasm_bindgen]
extern "C" {
    /// The error of a call that comes too early; asks for the second module once more.
    #[wasm_bindgen(js_name = notYet)]
    fn not_yet() -> JsValue;
}

/// Checks that the second module, `gambol.more.wasm`, has started. To be called before anything is borrowed or changed, by each
/// function of the first module that needs the second one: the call fails with `load/chunk`, and nothing has changed. In the middle
/// of a call the instance would have to stop.
///
/// # Errors
/// `load/chunk`.
pub(super) fn need_rest() -> Result<(), JsValue> {
    if STARTED.load(Ordering::Relaxed) { Ok(()) } else { Err(not_yet()) }
}

/// Tells that the second module has started.
pub(super) fn has_started() {
    STARTED.store(true, Ordering::Relaxed);
}

/// Makes methods of a class whose bodies only the second module has; after `impl mut`, methods that take `&mut self`. Each throws what its body
/// throws, or `load/chunk`.
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
