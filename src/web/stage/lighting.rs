//! Light from pictures.

use super::super::hdr::Hdr;
use super::Stage;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(wasm_bindgen = crate::web::bindgen)]
impl Stage {
    /// Takes the light of a picture, whose rest is read, and which is used up.
    #[wasm_bindgen(js_name = setEnvironment)]
    pub fn set_environment(&mut self, picture: Hdr) -> Result<(), JsValue> {
        self.stage.set_environment(Some(Rc::new(picture.picture.finish()?)));
        Ok(())
    }
}
