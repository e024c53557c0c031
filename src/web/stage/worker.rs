//! Mirrored stages: the page's stage plays, and a stage in a worker draws.

use super::Stage;
use super::shared::Shared;
use crate::viewer::TickResult;
use crate::web::features::feature_methods;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Advances a stage that another stage draws, and reports when to draw.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Mirror {
    shared: Rc<Shared>,
    continues: bool,
}

#[wasm_bindgen]
impl Mirror {
    /// A mirror that ticks a stage without drawing.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Mirror {
        Self { shared: Rc::clone(&stage.shared), continues: false }
    }

    /// Declares that another stage draws this one; see [`crate::viewer::Stage::set_drawn_elsewhere`].
    #[wasm_bindgen(js_name = setApart)]
    pub fn set_apart(&self) {
        self.shared.stage_mut().set_drawn_elsewhere();
    }

    /// Ticks without drawing, at a time of the page's clock in milliseconds. Returns `true` if a frame
    /// must be drawn.
    pub fn pass(&mut self, now_ms: f64) -> bool {
        let TickResult { draws, continues } = self.shared.stage_mut().pass(now_ms / 1000.0);
        self.continues = continues;
        draws
    }

    /// `true` if the next frame must be ticked too, after the last pass.
    #[wasm_bindgen(js_name = goesOn)]
    pub fn goes_on(&self) -> bool {
        self.continues
    }
}

feature_methods! {
    list for_pictures: Extras;
    impl Mirror {
        /// Advances to a time of the page's clock in milliseconds, until [`Mirror::end_preview`]. Returns `true` if a frame must
        /// be drawn.
        pub fn preview(this, now_ms: f64) -> Result<bool, JsValue> {
            Ok(this.shared.stage_mut().preview(now_ms / 1000.0).draws)
        }

        /// Restores the state before the first preview; see [`crate::viewer::Stage::end_preview`].
        #[wasm_bindgen(js_name = endPreview)]
        pub fn end_preview(this) -> Result<bool, JsValue> {
            Ok(this.shared.stage_mut().end_preview())
        }
    }
}
