//! Who is on stage, and where.

use super::super::asset::Asset;
use super::Stage;
use crate::animation::{Affine, pose_hash};
use crate::model::Transform;
use crate::viewer::{ActorId, JointSpace};
use glam::{Quat, Vec3};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Stage {
    /// Puts an actor on stage, paused, and returns its number, which no other will have. `place`: translation (3),
    /// rotation (4), scale (3).
    pub fn add(&mut self, asset: &Asset, place: &[f32]) -> Result<u32, JsValue> {
        Ok(self.stage.add(asset.compiled()?, affine(place))?.number())
    }

    /// Places an actor, as `add` does; relative to the joint that it follows, if any.
    pub fn place(&mut self, actor: u32, place: &[f32]) -> Result<(), JsValue> {
        Ok(self.stage.place(ActorId::new(actor), affine(place))?)
    }

    /// The way that root motion has added to an actor's place, in metres of its model: 3 numbers, 0 unless it accumulates.
    #[wasm_bindgen(js_name = rootMotionDelta)]
    pub fn root_motion_delta(&mut self, actor: u32) -> Result<Vec<f32>, JsValue> {
        Ok(self.stage.posed().get(ActorId::new(actor))?.actor.gone().to_array().to_vec())
    }

    /// Takes that way back: the actor stands where it was placed, and goes on from there.
    #[wasm_bindgen(js_name = resetRootMotion)]
    pub fn reset_root_motion(&mut self, actor: u32) -> Result<(), JsValue> {
        // The way up to now is part of what is taken back.
        self.stage.posed();
        self.stage.actor_mut(ActorId::new(actor))?.begin_here();
        Ok(())
    }

    /// Makes an actor follow a joint of another, at an `offset` like a place; in the joint's own units, or in those of its
    /// model.
    pub fn attach(
        &mut self,
        actor: u32,
        leader: u32,
        joint: f64,
        own_units: bool,
        offset: &[f32],
    ) -> Result<(), JsValue> {
        let node = self.node(leader, joint)?;
        let ids = [actor, leader].map(ActorId::new);
        Ok(self.stage.attach(ids[0], ids[1], node, joint_space(own_units), affine(offset))?)
    }

    /// A hash of all bits of an actor's pose, in hexadecimal.
    #[wasm_bindgen(js_name = poseHash)]
    pub fn pose_hash(&mut self, actor: u32) -> Result<String, JsValue> {
        let actor = &self.stage.posed().get(ActorId::new(actor))?.actor;
        Ok(format!("{:016x}", pose_hash(actor.palette(), &actor.pose().weights)))
    }
}

/// The space of offsets at a joint.
pub(super) fn joint_space(own_units: bool) -> JointSpace {
    if own_units { JointSpace::Joint } else { JointSpace::Metres }
}

/// The matrix of ten numbers; what is missing is as in the identity.
pub(super) fn affine(trs: &[f32]) -> Affine {
    let mut all = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
    for (number, given) in all.iter_mut().zip(trs) {
        if given.is_finite() {
            *number = *given;
        }
    }
    let [x, y, z, qx, qy, qz, qw, sx, sy, sz] = all;
    Affine::from(Transform {
        translation: Vec3::new(x, y, z),
        rotation: Quat::from_xyzw(qx, qy, qz, qw),
        scale: Vec3::new(sx, sy, sz),
    })
}
