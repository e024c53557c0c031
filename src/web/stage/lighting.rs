//! The light of a stage, its sky and its shadows.

use super::Stage;
use super::shared::Shared;
use crate::import::HdrError;
use crate::render;
use crate::viewer::Environs;
use crate::web::hdr::Hdr;
use crate::web::rest::{deferred_methods, need_rest};
use crate::web::words::ToneMapping;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Lights a stage.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Lighting {
    shared: Rc<Shared>,
}

#[wasm_bindgen]
impl Lighting {
    /// The light of a stage.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Lighting {
        Self { shared: Rc::clone(&stage.shared) }
    }

    /// Sets how light and sky look.
    ///
    /// - `rotation`: of the environment around the vertical, in radians.
    /// - `intensity`: a factor of the environment's light, at least 0.
    /// - `exposure`: a factor of all light, at least 0.
    /// - `tone_mapping`: the curve by which light becomes colour.
    /// - `skybox`: whether the sky is drawn in place of the background.
    /// - `skybox_blur`: of the sky, `0..=1`.
    /// - `skybox_height`: metres above the ground at which the sky was taken; 0 is infinitely far away.
    /// - `shadow_intensity`, `shadow_softness`: `0..=1`.
    ///
    /// # Errors
    /// `load/chunk`, with a sky.
    pub fn set(
        &self,
        rotation: f32,
        intensity: f32,
        exposure: f32,
        tone_mapping: ToneMapping,
        skybox: bool,
        skybox_blur: f32,
        skybox_height: f32,
        shadow_intensity: f32,
        shadow_softness: f32,
    ) -> Result<(), JsValue> {
        if skybox || skybox_height > 0.0 {
            need_rest()?;
        }
        *self.shared.stage_mut().lighting_mut() = render::Lighting {
            rotation,
            intensity,
            exposure,
            tone_mapping: tone_mapping.into(),
            skybox,
            skybox_blur,
            skybox_height,
            shadow_intensity,
            shadow_softness,
        };
        Ok(())
    }

    /// Takes the light of the studio, or none but that of the files.
    #[wasm_bindgen(js_name = setStudio)]
    pub fn set_studio(&self, on: bool) {
        self.shared.stage_mut().set_environment(if on { Environs::Studio } else { Environs::Dark });
    }
}

deferred_methods! {
    impl Lighting {
        /// Takes the light of a picture that is read to its end, and which is used up.
        ///
        /// # Errors
        /// `image/…`.
        #[wasm_bindgen(js_name = setEnvironment)]
        pub fn set_environment(this, picture: Hdr) -> Result<(), HdrError> {
            let environs = Environs::Panorama(Rc::new(picture.picture.finish()?));
            this.shared.stage_mut().set_environment(environs);
            Ok(())
        }

        /// Shows the studio as the sky, or that which the light comes from.
        ///
        /// # Errors
        /// `load/chunk`.
        #[wasm_bindgen(js_name = setSkyStudio)]
        pub fn set_sky_studio(this, on: bool) -> Result<(), JsValue> {
            this.shared.stage_mut().set_sky(on.then_some(Environs::Studio));
            Ok(())
        }

        /// Shows a picture as the sky, as [`Lighting::set_environment`] takes it for the light.
        ///
        /// # Errors
        /// `image/…`.
        #[wasm_bindgen(js_name = setSkyPicture)]
        pub fn set_sky_picture(this, picture: Hdr) -> Result<(), HdrError> {
            let environs = Environs::Panorama(Rc::new(picture.picture.finish()?));
            this.shared.stage_mut().set_sky(Some(environs));
            Ok(())
        }
    }
}
