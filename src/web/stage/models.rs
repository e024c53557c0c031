//! Models and light on their way to the GPU, a little at a time.
//!
//! `bytes` is the most that goes to the GPU in one step; without `patience` a step never returns `busy`.

use super::Stage;
use crate::model::ImageId;
use crate::render::{CompressedImage, Pixels};
use crate::viewer;
use crate::web::asset::Asset;
use crate::web::rest::{deferred_methods, need_rest};
use crate::web::words::{BlockFormat, StepResult};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use web_sys::ImageBitmap;

#[wasm_bindgen]
impl Stage {
    /// Begins to bring a model to the GPU; then its images are to be set, and `advance` called until all is there. `load/chunk` if it
    /// needs the second module, which has not started.
    pub fn prepare(&self, asset: &Asset) -> Result<(), JsValue> {
        if self.needs_rest(asset)? {
            need_rest()?;
        }
        Ok(self.shared.stage_mut().prepare(asset.compiled()?)?)
    }

    /// `true` if the second module has to be there before a model is prepared: the CPU deforms some of its primitives.
    #[wasm_bindgen(js_name = needsRest)]
    pub fn needs_rest(&self, asset: &Asset) -> Result<bool, JsValue> {
        Ok(viewer::deforms_on_cpu(asset.compiled()?))
    }

    /// `true` if a prepared model is on the GPU as a whole, with its images: another stage of the context may have brought it there.
    #[wasm_bindgen(js_name = isComplete)]
    pub fn is_complete(&self, asset: &Asset) -> Result<bool, JsValue> {
        Ok(self.shared.stage().is_complete(asset.compiled()?))
    }

    /// Takes one step with a model that was prepared. If it throws, the model is to be released.
    pub fn advance(&self, asset: &Asset, bytes: usize, patience: bool) -> Result<StepResult, JsValue> {
        Ok(self.shared.stage_mut().advance_model(asset.compiled()?, bytes, patience)?.into())
    }

    /// Takes a prepared model off the GPU, unless an actor shows it.
    pub fn release(&self, asset: &Asset) {
        if let Ok(asset) = asset.compiled() {
            self.shared.stage_mut().release(asset);
        }
    }

    /// Takes one step with the light.
    #[wasm_bindgen(js_name = advanceLight)]
    pub fn advance_light(&self, bytes: usize) -> Result<StepResult, JsValue> {
        Ok(self.shared.stage_mut().advance_light(bytes)?.into())
    }

    /// Gives a prepared model one of its images, decoded without premultiplied alpha and colour conversion. It is closed
    /// when it is on the GPU, or is not needed any more.
    #[wasm_bindgen(js_name = setImage)]
    pub fn set_image(&self, asset: &Asset, index: usize, bitmap: ImageBitmap) -> Result<(), JsValue> {
        self.give(asset, index, Pixels::Bitmap(bitmap.into()))
    }
}

deferred_methods! {
    impl Stage {
        /// Gives a prepared model one of its images: four bytes a pixel, top row first.
        #[wasm_bindgen(js_name = setImageRgba)]
        pub fn set_image_rgba(
            this,
            asset: &Asset,
            index: usize,
            width: u32,
            height: u32,
            rgba: Vec<u8>,
        ) -> Result<(), JsValue> {
            this.give(asset, index, Pixels::Rgba { width, height, rgba })
        }

        /// Gives a prepared model one of its images, compressed: the blocks of each level.
        #[wasm_bindgen(js_name = setImageCompressed)]
        pub fn set_image_compressed(
            this,
            asset: &Asset,
            index: usize,
            format: BlockFormat,
            width: u32,
            height: u32,
            levels: Vec<Uint8Array>,
        ) -> Result<(), JsValue> {
            let levels: Vec<_> = levels.iter().map(Uint8Array::to_vec).collect();
            this.give(
                asset,
                index,
                Pixels::Packed(CompressedImage { format: format.into(), width, height, levels }),
            )
        }
    }
}

impl Stage {
    fn give(&self, asset: &Asset, index: usize, pixels: Pixels) -> Result<(), JsValue> {
        Ok(self.shared.stage_mut().give_image(asset.compiled()?, ImageId::new(index), pixels)?)
    }
}
