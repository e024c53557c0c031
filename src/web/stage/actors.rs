//! Who is on stage, and where.

use super::super::asset::Asset;
use super::super::convert::error;
use super::Stage;
use crate::animation::{Affine, pose_hash};
use crate::model::{ImageId, Transform};
use crate::render::{BlockFormat, CompressedImage};
use crate::viewer::ActorId;
use glam::{Quat, Vec3};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use web_sys::ImageBitmap;

#[wasm_bindgen]
impl Stage {
    /// Begins to build the programs of a model; `isPrepared` says when `add` need not wait for them.
    pub fn prepare(&mut self, asset: &Asset) -> Result<(), JsValue> {
        Ok(self.stage.prepare(&asset.asset)?)
    }

    /// Whether all programs that were begun are built.
    #[wasm_bindgen(js_name = isPrepared)]
    pub fn is_prepared(&self) -> bool {
        self.stage.is_prepared()
    }

    /// Puts an actor on stage, paused, and returns its number, which no other will have. `place`: translation (3),
    /// rotation (4), scale (3).
    pub fn add(&mut self, asset: &Asset, place: &[f32]) -> Result<u32, JsValue> {
        Ok(self.stage.add(&asset.asset, affine(place))?.number())
    }

    /// Takes an actor off the stage. Those that follow it stay where they stand.
    pub fn remove(&mut self, actor: u32) -> Result<(), JsValue> {
        Ok(self.stage.remove(ActorId::new(actor))?)
    }

    /// Places an actor, as `add` does; relative to the joint that it follows, if any.
    pub fn place(&mut self, actor: u32, place: &[f32]) -> Result<(), JsValue> {
        Ok(self.stage.place(ActorId::new(actor), affine(place))?)
    }

    /// Makes an actor follow a joint of another, at an `offset` like a place.
    pub fn attach(&mut self, actor: u32, leader: u32, joint: usize, offset: &[f32]) -> Result<(), JsValue> {
        let node = self.node(leader, joint)?;
        Ok(self.stage.attach(ActorId::new(actor), ActorId::new(leader), node, affine(offset))?)
    }

    /// Makes an actor follow nobody; it stays where it stands.
    pub fn detach(&mut self, actor: u32) -> Result<(), JsValue> {
        Ok(self.stage.detach(ActorId::new(actor))?)
    }

    /// Gives the actor's model one of its images, decoded without premultiplied alpha and colour conversion.
    #[wasm_bindgen(js_name = setImage)]
    pub fn set_image(&mut self, actor: u32, index: usize, bitmap: &ImageBitmap) -> Result<(), JsValue> {
        Ok(self.stage.set_image(ActorId::new(actor), ImageId::new(index), bitmap)?)
    }

    /// Gives the actor's model one of its images: four bytes a pixel, top row first.
    #[wasm_bindgen(js_name = setImageRgba)]
    pub fn set_image_rgba(
        &mut self,
        actor: u32,
        index: usize,
        width: u32,
        height: u32,
        rgba: &[u8],
    ) -> Result<(), JsValue> {
        let id = ActorId::new(actor);
        Ok(self.stage.set_image_rgba(id, ImageId::new(index), width, height, rgba)?)
    }

    /// Gives the actor's model one of its images, packed as `"bc1"`, `"bc3"`, `"bc7"`, `"etc2-rgb"`, `"etc2-rgba"` or
    /// `"astc-4x4"`: the blocks of each level.
    #[wasm_bindgen(js_name = setImageCompressed)]
    pub fn set_image_compressed(
        &mut self,
        actor: u32,
        index: usize,
        format: &str,
        width: u32,
        height: u32,
        levels: Vec<Uint8Array>,
    ) -> Result<(), JsValue> {
        let format = match format {
            "bc1" => BlockFormat::Bc1,
            "bc3" => BlockFormat::Bc3,
            "bc7" => BlockFormat::Bc7,
            "etc2-rgb" => BlockFormat::Etc2Rgb,
            "etc2-rgba" => BlockFormat::Etc2Rgba,
            "astc-4x4" => BlockFormat::Astc4x4,
            other => return Err(error("render/unsupported", other, None)),
        };
        let levels: Vec<_> = levels.iter().map(Uint8Array::to_vec).collect();
        let packed = CompressedImage { format, width, height, levels };
        Ok(self.stage.set_image_compressed(ActorId::new(actor), ImageId::new(index), &packed)?)
    }

    /// Chooses a variant of materials by its index in the asset's `variants()`; −1 is none.
    #[wasm_bindgen(js_name = setVariant)]
    pub fn set_variant(&mut self, actor: u32, index: i32) -> Result<(), JsValue> {
        Ok(self.stage.set_variant(ActorId::new(actor), usize::try_from(index).ok())?)
    }

    /// The index of the variant of materials, or −1.
    pub fn variant(&self, actor: u32) -> Result<i32, JsValue> {
        let variant = self.member(actor)?.actor.variant;
        Ok(variant.map_or(-1, |variant| variant.index() as i32))
    }

    /// The box around an actor's pose, in the world: its least corner and its greatest; empty if nothing is shown.
    pub fn bounds(&mut self, actor: u32) -> Result<Vec<f32>, JsValue> {
        let bounds = self.stage.posed().get(ActorId::new(actor))?.bounds;
        Ok(bounds.map_or_else(Vec::new, |bounds| [bounds.min.to_array(), bounds.max.to_array()].concat()))
    }

    /// A hash of all bits of an actor's pose, in hexadecimal.
    #[wasm_bindgen(js_name = poseHash)]
    pub fn pose_hash(&mut self, actor: u32) -> Result<String, JsValue> {
        let actor = &self.stage.posed().get(ActorId::new(actor))?.actor;
        Ok(format!("{:016x}", pose_hash(actor.palette(), &actor.pose().weights)))
    }
}

/// The matrix of ten numbers; what is missing is as in the identity.
pub(super) fn affine(trs: &[f32]) -> Affine {
    let at =
        |i: usize, default: f32| trs.get(i).copied().filter(|value| value.is_finite()).unwrap_or(default);
    Affine::from(Transform {
        translation: Vec3::new(at(0, 0.0), at(1, 0.0), at(2, 0.0)),
        rotation: Quat::from_xyzw(at(3, 0.0), at(4, 0.0), at(5, 0.0), at(6, 1.0)),
        scale: Vec3::new(at(7, 1.0), at(8, 1.0), at(9, 1.0)),
    })
}
