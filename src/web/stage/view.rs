//! The view of a stage: size, background, debug views, stills.

use super::Stage;
use super::shared::Shared;
use crate::render::{Channel, LineKind, RenderError, ViewTarget, line};
use crate::viewer::{ActorId, DebugViews, Still, View};
use crate::web::features::feature_methods;
use crate::web::structures::{Floats, structures};
use crate::web::words::Skinning;
use glam::{Mat4, Vec3};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::WebGlFramebuffer;

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

feature_methods! {
    list for_views: Extras;
    impl Stage {
        /// Draws views of WebXR; see [`crate::viewer::Stage::draw_views`]. Returns `true` if they are complete.
        ///
        /// - `framebuffer`: that of the session's layer; `undefined` for the canvas.
        /// - `views`: 36 numbers each: the viewport (left, bottom, width, height), `view_from_world` and `clip_from_view`.
        /// - `marks`: the two ends of each line, X, Y, Z of each.
        #[wasm_bindgen(js_name = drawViews)]
        pub fn draw_views(
            this,
            framebuffer: Option<WebGlFramebuffer>,
            views: &[f32],
            marks: &[f32],
            transparent: bool,
        ) -> Result<bool, RenderError> {
            let matrix = |numbers: &[f32]| numbers.try_into().map_or(Mat4::IDENTITY, |n| Mat4::from_cols_array(&n));
            let views = views.chunks_exact(36).map(|numbers| View {
                view: matrix(&numbers[4..20]),
                projection: matrix(&numbers[20..]),
                target: ViewTarget {
                    framebuffer: framebuffer.clone(),
                    viewport: [numbers[0], numbers[1], numbers[2], numbers[3]].map(|n| n as u32),
                },
            });
            let end = Vec3::from_slice;
            let marks = marks.chunks_exact(6).map(|ends| line(end(&ends[..3]), end(&ends[3..]), LineKind::Mark));
            let marks: Vec<_> = marks.collect();
            this.shared.stage_mut().draw_views(views.collect(), &marks, transparent)
        }
    }
}
