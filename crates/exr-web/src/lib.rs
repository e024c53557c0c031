//! A reader of OpenEXR panoramas for JavaScript: a WebAssembly module of its own, which the package loads for the first such
//! file.
#![expect(unreachable_pub, reason = "JavaScript calls the exports of wasm-bindgen")]

mod picture;

use crate::picture::{Fault, Picture};
use js_sys::{Error, Reflect};
use wasm_bindgen::prelude::*;

/// An OpenEXR image that is decoded in steps. An image wider than 4096 pixels is reduced.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Exr(Picture);

#[wasm_bindgen]
impl Exr {
    /// Reads the header. An error has a `code`: `image/…`.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>) -> Result<Exr, JsValue> {
        Picture::new(bytes).map(Exr).map_err(thrown)
    }

    /// The columns after reduction.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> usize {
        self.0.width
    }

    /// The rows after reduction.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> usize {
        self.0.height
    }

    /// Decodes blocks with about `pixels` pixels; returns `true` if more remain.
    pub fn advance(&mut self, pixels: usize) -> Result<bool, JsValue> {
        self.0.advance(pixels).map_err(thrown)
    }

    /// The light of `count` rows from the row `top`: linear red, green and blue of each pixel.
    pub fn rows(&self, top: usize, count: usize) -> Vec<f32> {
        self.0.rows(top, count).as_flattened().to_vec()
    }
}

fn thrown(fault: Fault) -> JsValue {
    let error = JsValue::from(Error::new(&fault.message));
    let done = Reflect::set(&error, &"code".into(), &fault.code.into());
    debug_assert!(done.is_ok(), "a plain object takes any property");
    error
}
