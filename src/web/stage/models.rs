//! Models and light on their way to the GPU, a little at a time.
//!
//! A step returns 0 when all is there, 1 if there is more to do, and 2 if the GPU is at work, so that going on now would
//! hold up the page. `bytes` is how many go to the GPU in one step at most; without `patience` it never returns 2.

use super::super::asset::Asset;
use super::super::convert::error;
use super::super::numbered::word;
use super::Stage;
use crate::model::ImageId;
use crate::render::{BlockFormat, CompressedImage, Pixels, Progress};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use web_sys::ImageBitmap;

/// The numbers of how GPUs pack images, as in `core.ts`.
const BLOCK_FORMATS: [BlockFormat; 6] = [
    BlockFormat::Bc1,
    BlockFormat::Bc3,
    BlockFormat::Bc7,
    BlockFormat::Etc2Rgb,
    BlockFormat::Etc2Rgba,
    BlockFormat::Astc4x4,
];

#[wasm_bindgen]
impl Stage {
    /// Begins to bring a model to the GPU; then its images are to be set, and `advance` called until all is there.
    pub fn prepare(&mut self, asset: &Asset) -> Result<(), JsValue> {
        Ok(self.stage.prepare(asset.compiled()?)?)
    }

    /// `true` if a prepared model is on the GPU as a whole, with its images: another stage of the context may have brought it there.
    #[wasm_bindgen(js_name = isComplete)]
    pub fn is_complete(&self, asset: &Asset) -> Result<bool, JsValue> {
        Ok(self.stage.is_complete(asset.compiled()?))
    }

    /// Takes one step with a model that was prepared. If it throws, the model is to be released.
    pub fn advance(&mut self, asset: &Asset, bytes: usize, patience: bool) -> Result<u32, JsValue> {
        Ok(number(self.stage.advance_model(asset.compiled()?, bytes, patience)?))
    }

    /// Takes a prepared model off the GPU, unless an actor shows it.
    pub fn release(&mut self, asset: &Asset) {
        if let Ok(asset) = asset.compiled() {
            self.stage.release(asset);
        }
    }

    /// Takes one step with the light.
    #[wasm_bindgen(js_name = advanceLight)]
    pub fn advance_light(&mut self, bytes: usize) -> Result<u32, JsValue> {
        Ok(number(self.stage.advance_light(bytes)?))
    }

    /// Gives a prepared model one of its images, decoded without premultiplied alpha and colour conversion. It is closed
    /// when it is on the GPU.
    #[wasm_bindgen(js_name = setImage)]
    pub fn set_image(&mut self, asset: &Asset, index: usize, bitmap: ImageBitmap) -> Result<(), JsValue> {
        self.give(asset, index, Pixels::Bitmap(bitmap))
    }

    /// Gives a prepared model one of its images: four bytes a pixel, top row first.
    #[wasm_bindgen(js_name = setImageRgba)]
    pub fn set_image_rgba(
        &mut self,
        asset: &Asset,
        index: usize,
        width: u32,
        height: u32,
        rgba: Vec<u8>,
    ) -> Result<(), JsValue> {
        self.give(asset, index, Pixels::Rgba { width, height, rgba })
    }

    /// Gives a prepared model one of its images, packed as one of `BLOCK_FORMATS`: the blocks of each level.
    #[wasm_bindgen(js_name = setImageCompressed)]
    pub fn set_image_compressed(
        &mut self,
        asset: &Asset,
        index: usize,
        format: f64,
        width: u32,
        height: u32,
        levels: Vec<Uint8Array>,
    ) -> Result<(), JsValue> {
        let Some(format) = word(&BLOCK_FORMATS, format) else {
            return Err(error("render/unsupported", "there is no such format of blocks", None));
        };
        let levels: Vec<_> = levels.iter().map(Uint8Array::to_vec).collect();
        self.give(asset, index, Pixels::Packed(CompressedImage { format, width, height, levels }))
    }
}

impl Stage {
    fn give(&mut self, asset: &Asset, index: usize, pixels: Pixels) -> Result<(), JsValue> {
        Ok(self.stage.give_image(asset.compiled()?, ImageId::new(index), pixels)?)
    }
}

fn number(progress: Progress) -> u32 {
    match progress {
        Progress::Done => 0,
        Progress::More => 1,
        Progress::Busy => 2,
    }
}
