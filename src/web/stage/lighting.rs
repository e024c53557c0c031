//! The lighting of a stage, its skybox and its shadows.

use super::Stage;
use super::shared::Shared;
use crate::render;
use crate::viewer::EnvironmentSource;
use crate::web::asset::Asset;
use crate::web::convert::{error, undecodable};
use crate::web::features::{Feature, feature_methods, need};
use crate::web::hdr::{CubeFaces, Hdr};
use crate::web::structures::structures;
use crate::web::words::ToneMapping;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

structures! {
    /// The parameters of light and skybox.
    pub struct Light: "Light" {
        /// The rotation of the environment around the vertical axis, in radians.
        rotation: f32,
        /// A factor for the environment's light, at least 0.
        intensity: f32,
        /// A factor for all light, at least 0.
        exposure: f32,
        tone_mapping as toneMapping: ToneMapping,
        /// `true` to draw the skybox instead of the background.
        skybox: bool,
        /// The blur of the skybox, `0..=1`.
        skybox_blur as skyboxBlur: f32,
        /// The height above the ground at which the skybox was captured, in metres; 0 for an infinite distance.
        skybox_height as skyboxHeight: f32,
        /// `0..=1`.
        shadow_intensity as shadowIntensity: f32,
        /// `0..=1`.
        shadow_softness as shadowSoftness: f32,
    }
}

/// Controls the lighting of a stage.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Lighting {
    shared: Rc<Shared>,
}

#[wasm_bindgen]
impl Lighting {
    /// The lighting of a stage.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Lighting {
        Self { shared: Rc::clone(&stage.shared) }
    }

    /// Sets the parameters of light and skybox.
    ///
    /// # Errors
    /// `feature/not-used`, if there is a skybox or a shadow: they need `light`.
    pub fn set(&self, light: &js::Light) -> Result<(), JsValue> {
        let Light {
            rotation,
            intensity,
            exposure,
            tone_mapping,
            skybox,
            skybox_blur,
            skybox_height,
            shadow_intensity,
            shadow_softness,
        } = light.into();
        if skybox || skybox_height > 0.0 || shadow_intensity > 0.0 {
            need(Feature::Light)?;
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

    /// Selects the built-in studio environment, or `false` for the lights of the files only.
    #[wasm_bindgen(js_name = setStudio)]
    pub fn set_studio(&self, on: bool) {
        self.shared.stage_mut().set_environment(if on {
            EnvironmentSource::Studio
        } else {
            EnvironmentSource::Dark
        });
    }
}

feature_methods! {
    list for_light: Light;
    impl Lighting {
        /// Uses a completely decoded HDR image as the environment; this consumes the image.
        ///
        /// # Errors
        /// `image/…`.
        #[wasm_bindgen(js_name = setEnvironment)]
        pub fn set_environment(this, picture: Hdr) -> Result<(), JsValue> {
            let source = EnvironmentSource::Panorama(Rc::new(picture.source.finish().map_err(undecodable)?));
            this.shared.stage_mut().set_environment(source);
            Ok(())
        }

        /// Uses the image-based light of a model as the environment; this consumes its faces.
        ///
        /// # Errors
        /// `image/broken`, if the faces do not fit the light.
        #[wasm_bindgen(js_name = setImageLight)]
        pub fn set_image_light(this, asset: &Asset, faces: CubeFaces) -> Result<(), JsValue> {
            let model = asset.model();
            let light = model.image_light().and_then(|light| light.panorama(&faces.faces));
            let Some(light) = light else {
                return Err(error("image/broken", "The images do not fit the image-based light of the file", None));
            };
            this.shared.stage_mut().set_environment(EnvironmentSource::Panorama(Rc::new(light)));
            Ok(())
        }

        /// Uses the built-in studio as the skybox, or `false` for the environment that lights the stage.
        #[wasm_bindgen(js_name = setSkyStudio)]
        pub fn set_sky_studio(this, on: bool) -> Result<(), JsValue> {
            this.shared.stage_mut().set_sky(on.then_some(EnvironmentSource::Studio));
            Ok(())
        }

        /// Uses an HDR image as the skybox; consumes it like [`Lighting::set_environment`].
        ///
        /// # Errors
        /// `image/…`.
        #[wasm_bindgen(js_name = setSkyPicture)]
        pub fn set_sky_picture(this, picture: Hdr) -> Result<(), JsValue> {
            let source = EnvironmentSource::Panorama(Rc::new(picture.source.finish().map_err(undecodable)?));
            this.shared.stage_mut().set_sky(Some(source));
            Ok(())
        }
    }
}
