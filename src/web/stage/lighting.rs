//! Light from pictures.

use super::super::hdr::Hdr;
use super::Stage;
use crate::viewer::Environs;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Stage {
    /// Takes the light, or the sky, of a picture, whose rest is read, and which is used up.
    #[wasm_bindgen(js_name = setEnvironment)]
    pub fn set_environment(&mut self, picture: Hdr, sky: bool) -> Result<(), JsValue> {
        let environs = Environs::Panorama(Rc::new(picture.picture.finish()?));
        if sky {
            self.stage.set_sky(Some(environs));
        } else {
            self.stage.set_environment(environs);
        }
        Ok(())
    }
}
