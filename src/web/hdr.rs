//! Decoding of HDR images.

use super::convert::undecodable;
use super::features::{Feature, need};
use crate::base::feature;
use crate::import::{self, HdrError};
use wasm_bindgen::prelude::*;

/// An HDR image for environment light, decoded in small steps so that the page is not blocked.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Hdr {
    pub(super) picture: import::Hdr<Vec<u8>>,
}

#[wasm_bindgen]
impl Hdr {
    /// Reads the header of a Radiance `.hdr` file.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>) -> Result<Hdr, JsValue> {
        need(Feature::Light)?;
        Ok(Self { picture: read_header(bytes).map_err(undecodable)? })
    }

    /// Decodes about `pixels` pixels; returns `true` if more remain.
    pub fn advance(&mut self, pixels: usize) -> Result<bool, JsValue> {
        need(Feature::Light)?;
        advance(&mut self.picture, pixels).map_err(undecodable)
    }
}

feature! {
    list for_light;
    fn read_header(bytes: Vec<u8>) -> Result<import::Hdr<Vec<u8>>, HdrError> = import::Hdr::new;
    fn advance(picture: &mut import::Hdr<Vec<u8>>, pixels: usize) -> Result<bool, HdrError> = import::Hdr::advance;
}
