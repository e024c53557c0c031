//! The view of a stage: size, background, debug views, stills.

use super::Stage;
use super::shared::Shared;
use crate::render::{Channel, RenderError};
use crate::viewer::{ActorId, DebugViews, Still};
use crate::web::rest::deferred_methods;
use crate::web::words::Skinning;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Stage {
    /// Sets the size of the canvas in device pixels, and the number of device pixels in a CSS pixel.
    pub fn resize(&self, width: u32, height: u32, pixel_ratio: f32) {
        self.shared.stage_mut().resize(width, height, pixel_ratio);
    }

    /// Sets the background: red, green, blue and alpha `0..=1`, sRGB; nothing for transparent.
    #[wasm_bindgen(js_name = setBackground)]
    pub fn set_background(&self, rgba: Option<Vec<f32>>) {
        self.shared.stage_mut().set_background(rgba.and_then(|rgba| rgba.try_into().ok()));
    }
}

deferred_methods! {
    impl Stage {
        /// Sets the debug views.
        ///
        /// - `surface`: the word of the property that surfaces display; nothing for their materials.
        /// - `joint`: the joint for `weights`: its name or its index.
        /// - the others: overlays over the image; `bindPose` displays the undeformed meshes of the file.
        #[wasm_bindgen(js_name = setDebug)]
        pub fn set_debug(
            this,
            surface: Option<String>,
            joint: String,
            skeleton: bool,
            bounds: bool,
            wireframe: bool,
            normal_lines: bool,
            tangent_lines: bool,
            bind_pose: bool,
            grid: bool,
        ) -> Result<(), JsValue> {
            this.shared.stage_mut().set_debug(DebugViews {
                surface: surface.and_then(|word| Channel::named(&word)),
                joint,
                skeleton,
                bounds,
                wireframe,
                normal_lines,
                tangent_lines,
                bind_pose,
                grid,
            });
            Ok(())
        }

        /// Sets the skinning method of all actors.
        ///
        /// # Errors
        /// `load/chunk`.
        #[wasm_bindgen(js_name = setSkinning)]
        pub fn set_skinning(this, skinning: Skinning) -> Result<(), JsValue> {
            this.shared.stage_mut().set_skinning(skinning.into());
            Ok(())
        }

        /// A copy for a recording, which draws in the same context; see [`crate::viewer::Stage::film`]. It must be freed.
        pub fn film(this) -> Result<Stage, JsValue> {
            let film = this.shared.stage().film();
            Ok(Stage { shared: Rc::new(Shared::new(film)), failure: None })
        }

        /// Draws a still of another size or time into the lower left part of the canvas. It changes nothing
        /// else.
        ///
        /// - `width`, `height`: the size of the still, in device pixels.
        /// - `actor`, `time`: the actor that is posed at another time of its clip, in seconds; nothing for
        ///   the current times.
        /// - `background`: as in [`Stage::set_background`]; nothing for that of the stage, an empty list for
        ///   transparent.
        #[wasm_bindgen(js_name = drawStill)]
        pub fn draw_still(
            this,
            width: u32,
            height: u32,
            actor: Option<u32>,
            time: Option<f64>,
            background: Option<Vec<f32>>,
        ) -> Result<(), RenderError> {
            let mut stage = this.shared.stage_mut();
            let background = match background {
                Some(rgba) => rgba.try_into().ok(),
                None => stage.background(),
            };
            let at = actor.map(ActorId::new).zip(time);
            stage.draw_still(&Still { size: (width, height), at, background })
        }
    }
}
