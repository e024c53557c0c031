//! The WebGL2 context of a canvas, for one or more stages.

use crate::render::Renderer;
use crate::viewer;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::WebGl2RenderingContext;

/// The WebGL2 context of a canvas. Free it after its stages: this deletes all its GL objects.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Context {
    pub(super) context: Rc<RefCell<viewer::Context>>,
    raw: WebGl2RenderingContext,
}

#[wasm_bindgen]
impl Context {
    /// Draws in a context with alpha (premultiplied), depth, and no stencil.
    #[wasm_bindgen(constructor)]
    pub fn new(raw: WebGl2RenderingContext) -> Result<Context, JsValue> {
        let renderer = Renderer::from_webgl2(raw.clone())?;
        Ok(Self { context: viewer::Context::new(renderer), raw })
    }

    /// Reports that the browser has lost the context, and all GL objects with it. From then on no object is
    /// deleted.
    pub fn lose(&self) {
        self.context.borrow().lose();
    }

    /// Initializes the context again after it was lost and restored by the browser. Restore all its stages
    /// before any other call on them.
    pub fn restore(&self) -> Result<(), JsValue> {
        let renderer = Renderer::from_webgl2(self.raw.clone())?;
        self.context.borrow_mut().restore(renderer);
        Ok(())
    }

    /// `true` if the context is lost.
    #[wasm_bindgen(getter)]
    pub fn lost(&self) -> bool {
        self.raw.is_context_lost()
    }
}
