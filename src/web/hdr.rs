//! Pictures of light on their way in.

use super::rest::need_rest;
use crate::base::deferred;
use crate::import::{self, HdrError};
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
        need_rest()?;
        Ok(Self { picture: read_header(bytes)? })
    }

    /// Reads about as many pixels; whether there are more.
    pub fn advance(&mut self, pixels: usize) -> Result<bool, JsValue> {
        need_rest()?;
        Ok(advance(&mut self.picture, pixels)?)
    }
}

deferred! {
    fn read_header(bytes: Vec<u8>) -> Result<import::Hdr<Vec<u8>>, HdrError> = import::Hdr::new;
    fn advance(picture: &mut import::Hdr<Vec<u8>>, pixels: usize) -> Result<bool, HdrError> = import::Hdr::advance;
}
