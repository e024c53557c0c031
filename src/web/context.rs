//! The WebGL2 context of a canvas, for one or more stages.

use super::convert::error;
use crate::render::Renderer;
use crate::viewer;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, WebGl2RenderingContext, WebGlContextAttributes};

/// The WebGL2 context of a canvas. Free it after its stages: this deletes all its GL objects.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Context {
    pub(super) context: Rc<RefCell<viewer::Context>>,
    raw: WebGl2RenderingContext,
}

#[wasm_bindgen]
impl Context {
    /// Creates the context of the canvas.
    #[wasm_bindgen(constructor)]
    pub fn new(canvas: &HtmlCanvasElement, antialias: bool) -> Result<Context, JsValue> {
        let attributes = WebGlContextAttributes::new();
        attributes.set_antialias(antialias);
        attributes.set_alpha(true);
        attributes.set_premultiplied_alpha(true);
        attributes.set_depth(true);
        attributes.set_stencil(false);
        attributes.set_preserve_drawing_buffer(false);
        let raw = canvas
            .get_context_with_context_options("webgl2", &attributes)?
            .and_then(|context| context.dyn_into::<WebGl2RenderingContext>().ok())
            .ok_or_else(|| {
                error("render/webgl2-unsupported", "WebGL2 is not available in this browser", None)
            })?;
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
