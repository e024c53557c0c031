//! Who is on stage, and where.

use super::super::asset::Asset;
use super::Stage;
use crate::animation::{Affine, RootMotion, pose_hash};
use crate::model::Transform;
use crate::viewer::ActorId;
use glam::{Quat, Vec3};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(wasm_bindgen = crate::web::bindgen)]
impl Stage {
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

    /// Says what becomes of the way that clips go over the ground: 0 is kept, 1 taken out, 2 added up.
    #[wasm_bindgen(js_name = setRootMotion)]
    pub fn set_root_motion(&mut self, actor: u32, motion: u32) -> Result<(), JsValue> {
        let motion = match motion {
            1 => RootMotion::InPlace,
            2 => RootMotion::Accumulate,
            _ => RootMotion::Keep,
        };
        Ok(self.stage.set_root_motion(ActorId::new(actor), motion)?)
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
