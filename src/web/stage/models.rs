//! Uploads of models and light to the GPU, in small steps.
//!
//! `bytes` is the upload limit of one step. Without `may_defer` a step never returns `busy`.

use super::Stage;
use crate::model::ImageId;
use crate::render::{CompressedImage, Pixels};
use crate::viewer;
use crate::web::asset::Asset;
use crate::web::features::{Feature, feature_methods, need};
use crate::web::words::{BlockFormat, StepResult};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use web_sys::ImageBitmap;

#[wasm_bindgen]
impl Stage {
    /// Starts the upload of a model. Then set its images, and call `advance` until it is complete.
    ///
    /// # Errors
    /// `feature/not-used`, if it needs `extras`: see [`Stage::deforms_on_cpu`].
    pub fn prepare(&self, asset: &Asset) -> Result<(), JsValue> {
        if self.deforms_on_cpu(asset)? {
            need(Feature::Extras)?;
        }
        Ok(self.shared.stage_mut().prepare(asset.compiled()?)?)
    }

    /// `true` if the CPU deforms some of the model's primitives, for which the feature `extras` must run before the model is prepared.
    #[wasm_bindgen(js_name = deformsOnCpu)]
    pub fn deforms_on_cpu(&self, asset: &Asset) -> Result<bool, JsValue> {
        Ok(viewer::deforms_on_cpu(asset.compiled()?))
    }

    /// `true` if a prepared model is completely on the GPU, with its images. Another stage of the context may
    /// have uploaded it.
    #[wasm_bindgen(js_name = isComplete)]
    pub fn is_complete(&self, asset: &Asset) -> Result<bool, JsValue> {
        Ok(self.shared.stage().is_complete(asset.compiled()?))
    }

    /// Does one step of the upload of a prepared model. If it throws, release the model.
    pub fn advance(&self, asset: &Asset, bytes: usize, may_defer: bool) -> Result<StepResult, JsValue> {
        Ok(self.shared.stage_mut().advance_model(asset.compiled()?, bytes, may_defer)?.into())
    }

    /// Removes a prepared model from the GPU, unless an actor uses it.
    pub fn release(&self, asset: &Asset) {
        if let Ok(asset) = asset.compiled() {
            self.shared.stage_mut().release(asset);
        }
    }

    /// Does one step of the upload of the light.
    #[wasm_bindgen(js_name = advanceLight)]
    pub fn advance_light(&self, bytes: usize) -> Result<StepResult, JsValue> {
        Ok(self.shared.stage_mut().advance_light(bytes)?.into())
    }

    /// Sets an image of a prepared model, decoded without premultiplied alpha and without colour conversion.
    /// The bitmap is closed when it is on the GPU or no longer needed.
    #[wasm_bindgen(js_name = setImage)]
    pub fn set_image(&self, asset: &Asset, index: usize, bitmap: ImageBitmap) -> Result<(), JsValue> {
        self.give(asset, index, Pixels::Bitmap(bitmap.into()))
    }
}

feature_methods! {
    list for_retargeting: Retargeting;
    impl Stage {
        /// Takes over the clips of a model after some were added, removed or replaced.
        #[wasm_bindgen(js_name = updateClips)]
        pub fn update_clips(this, asset: &Asset) -> Result<(), JsValue> {
            Ok(this.shared.stage_mut().update_clips(asset.compiled()?)?)
        }
    }
}

#[wasm_bindgen]
impl Stage {
    /// Sets an image of a prepared model: four bytes per pixel, top row first.
    #[wasm_bindgen(js_name = setImageRgba)]
    pub fn set_image_rgba(
        &self,
        asset: &Asset,
        index: usize,
        width: u32,
        height: u32,
        rgba: Vec<u8>,
    ) -> Result<(), JsValue> {
        self.give(asset, index, Pixels::Rgba { width, height, rgba })
    }

    /// Sets a compressed image of a prepared model: the blocks of each mipmap level.
    #[wasm_bindgen(js_name = setImageCompressed)]
    pub fn set_image_compressed(
        &self,
        asset: &Asset,
        index: usize,
        format: BlockFormat,
        width: u32,
        height: u32,
        levels: Vec<Uint8Array>,
    ) -> Result<(), JsValue> {
        let levels: Vec<_> = levels.iter().map(Uint8Array::to_vec).collect();
        self.give(
            asset,
            index,
            Pixels::Packed(CompressedImage { format: format.into(), width, height, levels }),
        )
    }
}

impl Stage {
    fn give(&self, asset: &Asset, index: usize, pixels: Pixels) -> Result<(), JsValue> {
        Ok(self.shared.stage_mut().give_image(asset.compiled()?, ImageId::new(index), pixels)?)
    }
}
