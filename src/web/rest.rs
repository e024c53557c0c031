//! The second module, where it is needed in the middle of a call.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Starts the second module, `gambol.more.wasm`, unless it has started. To be called before anything is borrowed or changed,
    /// by each function of the first module that needs the other one for what it was asked: if that cannot be had, the call fails
    /// with `load/chunk` and all is as it was. Without it the instance would have to stop in the middle of the call.
    ///
    /// # Errors
    /// `load/chunk`.
    #[wasm_bindgen(catch, js_name = needRest)]
    pub(super) fn need_rest() -> Result<(), JsValue>;
}
