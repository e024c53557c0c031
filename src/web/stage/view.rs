//! The view of a stage: size, background, debug views, stills.

use super::Stage;
use super::shared::Shared;
use crate::render::{Channel, RenderError};
use crate::viewer::{ActorId, DebugViews, Still};
use crate::web::features::feature_methods;
use crate::web::structures::{Floats, structures};
use crate::web::words::Skinning;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

structures! {
    /// The debug views.
    pub struct DebugOptions: "DebugOptions" {
        /// The word of the property that surfaces display; `undefined`: their materials.
        surface: Option<String>,
        /// The joint for `weights`: its name or its index.
        joint: String,
        skeleton: bool,
        bounds: bool,
        wireframe: bool,
        normal_lines as normalLines: bool,
        tangent_lines as tangentLines: bool,
        /// Displays the undeformed meshes of the file.
        bind_pose as bindPose: bool,
        grid: bool,
    }

    /// An actor at a time of its clip, in seconds.
    pub struct StillPose: "StillPose" {
        actor: u32,
        time: f64,
    }

    /// A still.
    pub struct StillOptions: "StillOptions" {
        /// In device pixels.
        width: u32,
        /// In device pixels.
        height: u32,
        /// The actor that is posed at another time of its clip; `undefined`: the current times.
        pose: Option<StillPose>,
        /// As in [`Stage::set_background`]; `undefined`: that of the stage.
        background: Option<Floats>,
    }
}

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

feature_methods! {
    list for_debug: Extras;
    impl Stage {
        /// Sets the debug views.
        #[wasm_bindgen(js_name = setDebug)]
        pub fn set_debug(this, options: &js::DebugOptions) -> Result<(), JsValue> {
            let DebugOptions {
                surface,
                joint,
                skeleton,
                bounds,
                wireframe,
                normal_lines,
                tangent_lines,
                bind_pose,
                grid,
            } = options.into();
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
    }
}

feature_methods! {
    list for_skinning: Extras;
    impl Stage {
        /// Sets the skinning method of all actors.
        #[wasm_bindgen(js_name = setSkinning)]
        pub fn set_skinning(this, skinning: Skinning) -> Result<(), JsValue> {
            this.shared.stage_mut().set_skinning(skinning.into());
            Ok(())
        }
    }
}

feature_methods! {
    list for_pictures: Extras;
    impl Stage {
        /// A copy for a recording, which draws in the same context; see [`crate::viewer::Stage::film`]. It must be freed.
        pub fn film(this) -> Result<Stage, JsValue> {
            let film = this.shared.stage().film();
            Ok(Stage { shared: Rc::new(Shared::new(film)), failure: None })
        }

        /// Draws a still of another size or time into the lower left part of the canvas. It changes nothing
        /// else.
        #[wasm_bindgen(js_name = drawStill)]
        pub fn draw_still(this, options: &js::StillOptions) -> Result<(), RenderError> {
            let StillOptions { width, height, pose, background } = options.into();
            let mut stage = this.shared.stage_mut();
            let background = match background {
                Some(rgba) => rgba.try_into().ok(),
                None => stage.background(),
            };
            let at = pose.map(|StillPose { actor, time }| (ActorId::new(actor), time));
            stage.draw_still(&Still { size: (width, height), at, background })
        }
    }
}
