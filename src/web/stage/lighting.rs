//! How the stage is lit.

use super::super::hdr::Hdr;
use super::Stage;
use crate::render::{Lighting, ToneMapping};
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

    /// Takes the light of the studio, or none but that of the files.
    #[wasm_bindgen(js_name = setStudio)]
    pub fn set_studio(&mut self, on: bool) {
        if on { self.stage.set_studio() } else { self.stage.set_environment(None) }
    }

    /// Rotation (radians), intensity, exposure, tone curve (0 none, 1 neutral, 2 AgX, 3 ACES), sky (0 or 1) and its
    /// blur, intensity and softness of shadows; other lengths are ignored.
    #[wasm_bindgen(js_name = setLighting)]
    pub fn set_lighting(&mut self, numbers: &[f32]) {
        let &[rotation, intensity, exposure, tone, sky, skybox_blur, shadow_intensity, shadow_softness] =
            numbers
        else {
            return;
        };
        let tone_mapping = match tone as u32 {
            0 => ToneMapping::None,
            2 => ToneMapping::AgX,
            3 => ToneMapping::Aces,
            _ => ToneMapping::Neutral,
        };
        let skybox = sky != 0.0;
        *self.stage.lighting_mut() = Lighting {
            rotation,
            intensity,
            exposure,
            tone_mapping,
            skybox,
            skybox_blur,
            shadow_intensity,
            shadow_softness,
        };
    }
}
