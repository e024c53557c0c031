//! Pictures of light on their way in.

use crate::import;
use wasm_bindgen::prelude::*;

/// A picture of light, read a little at a time so that the page is not held up.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Hdr {
    pub(super) picture: import::Hdr<Vec<u8>>,
}

#[wasm_bindgen]
impl Hdr {
    /// Reads the header of Radiance's `.hdr`.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>) -> Result<Hdr, JsValue> {
        Ok(Self { picture: import::Hdr::new(bytes)? })
    }

    /// Reads about as many pixels; whether there are more.
    pub fn advance(&mut self, pixels: usize) -> Result<bool, JsValue> {
        Ok(self.picture.advance(pixels)?)
    }
}
