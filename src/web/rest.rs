//! The second module, which a page loads behind its first frame.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Checks that the second module, `gambol.more.wasm`, has started. To be called before anything is borrowed or changed, by each
    /// function of the first module that needs the second one: the call fails with `load/chunk`, and nothing has changed. In the middle
    /// of a call the instance would have to stop.
    ///
    /// # Errors
    /// `load/chunk`.
    #[wasm_bindgen(catch, js_name = needRest)]
    pub(super) fn need_rest() -> Result<(), JsValue>;
}
