//! Stages of which the page has one that plays and a worker another one that draws.

use super::Stage;
use super::shared::Shared;
use crate::viewer::Ticked;
use crate::web::rest::deferred_methods;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Moves a stage whose pictures another one draws, and tells when to draw.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Mirror {
    shared: Rc<Shared>,
    goes_on: bool,
}

#[wasm_bindgen]
impl Mirror {
    /// The ticks of a stage without their pictures.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Mirror {
        Self { shared: Rc::clone(&stage.shared), goes_on: false }
    }

    /// From now on another stage draws what this one plays; see [`crate::viewer::Stage::set_apart`].
    #[wasm_bindgen(js_name = setApart)]
    pub fn set_apart(&self) {
        self.shared.stage_mut().set_apart();
    }

    /// `true` if there will be something to draw after the last pass.
    #[wasm_bindgen(js_name = goesOn)]
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }
}

deferred_methods! {
    impl mut Mirror {
        /// Ticks without drawing, at a time of the page's clock in milliseconds. Returns `true` if there is anything to draw.
        pub fn pass(this, now_ms: f64) -> Result<bool, JsValue> {
            let Ticked { draws, goes_on } = this.shared.stage_mut().pass(now_ms / 1000.0);
            this.goes_on = goes_on;
            Ok(draws)
        }
    }
}
