//! The actors of a stage, and their positions.

use super::Stage;
use super::joints::legs;
use crate::animation::RootOptions;
use crate::base::{Affine, Transform};
use crate::viewer::{ActorId, JointSpace, StageError};
use crate::web::asset::Asset;
use crate::web::features::feature_methods;
use crate::web::structures::{Indices, structures};
use crate::web::words::{RootMotion, RootRotation};
use glam::{Quat, Vec3};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

structures! {
    /// The treatment of root motion.
    pub struct RootMotionOptions: "RootMotionOptions" {
        motion: RootMotion,
        rotation: RootRotation,
        /// `true` if the vertical movement is part of it.
        vertical: bool,
        /// `true` if clips that walk on the spot move by their planted feet.
        contact: bool,
        /// The joints of these feet, each at the end of two bones; `undefined`: those of a human.
        feet: Option<Indices>,
    }
}

#[wasm_bindgen]
impl Stage {
    /// Adds a paused actor to the stage at a place, and returns its number. If it throws, nothing changes.
    pub fn add(&self, asset: &Asset, place: &[f32]) -> Result<u32, JsValue> {
        Ok(self.shared.stage_mut().add(asset.compiled()?, affine(place))?.number())
    }

    /// Removes an actor or a crowd from the stage. Actors that follow it keep their positions.
    pub fn remove(&self, actor: u32) -> Result<(), StageError> {
        self.shared.stage_mut().remove(ActorId::new(actor))
    }

    /// Sets the place of an actor, relative to the joint that it follows, if any.
    pub fn place(&self, actor: u32, place: &[f32]) -> Result<(), StageError> {
        self.shared.stage_mut().place(ActorId::new(actor), affine(place))
    }

    /// Sets the place of an actor without physics: spring bones move with it.
    pub fn teleport(&self, actor: u32, place: &[f32]) -> Result<(), StageError> {
        self.shared.stage_mut().teleport(ActorId::new(actor), affine(place))
    }

    /// Selects a variant of the actor's materials, by its index in the description of the asset; nothing for
    /// none.
    #[wasm_bindgen(js_name = setVariant)]
    pub fn set_variant(&self, actor: u32, variant: Option<u32>) -> Result<(), StageError> {
        self.shared.stage_mut().set_variant(ActorId::new(actor), variant.map(|index| index as usize))
    }
}

#[wasm_bindgen]
impl Stage {
    /// Makes an actor follow a joint of another actor.
    ///
    /// - `own_units`: `true` if the offset is in the joint's local units, `false` for metres of the
    ///   leader's model.
    /// - `offset`: a place relative to the joint.
    ///
    /// # Errors
    /// `actor/cycle`, `joint/not-found`.
    pub fn attach(
        &self,
        actor: u32,
        leader: u32,
        joint: u32,
        own_units: bool,
        offset: &[f32],
    ) -> Result<(), StageError> {
        let node = self.shared.node(leader, joint)?;
        let [actor, leader] = [actor, leader].map(ActorId::new);
        self.shared.stage_mut().attach(actor, leader, node, joint_space(own_units), affine(offset))
    }

    /// Stops following a joint; the actor keeps its position.
    pub fn detach(&self, actor: u32) -> Result<(), StageError> {
        self.shared.stage_mut().detach(ActorId::new(actor))
    }
}

feature_methods! {
    list for_root_motion: Body;
    impl Stage {
        /// Sets the root motion mode of an actor's clips, and resets the movement. Returns the number of legs that are
        /// found.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setRootMotion)]
        pub fn set_root_motion(
            this,
            actor: u32,
            options: &js::RootMotionOptions,
        ) -> Result<u32, StageError> {
            let RootMotionOptions { motion, rotation, vertical, contact, feet } = options.into();
            let nodes = feet.iter().flatten().map(|&foot| this.shared.node(actor, foot));
            let nodes = nodes.collect::<Result<Vec<_>, _>>()?;
            let mut stage = this.shared.stage_mut();
            let asset = Rc::clone(&stage.cast().get(ActorId::new(actor))?.asset);
            let found = if contact { legs(&asset.model, &nodes) } else { None };
            let legs = found.map(|(legs, _)| legs).unwrap_or_default();
            let count = legs.len() as u32;
            let options = RootOptions { rotation: rotation.into(), vertical, legs };
            stage.set_root_motion(ActorId::new(actor), motion.into(), options)?;
            Ok(count)
        }

        /// Resets the movement of root motion: the actor returns to its place, and continues from there.
        #[wasm_bindgen(js_name = resetRootMotion)]
        pub fn reset_root_motion(this, actor: u32) -> Result<(), StageError> {
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.player.reset_travel();
            Ok(())
        }
    }
}

/// The space of offsets relative to a joint.
pub(super) fn joint_space(own_units: bool) -> JointSpace {
    if own_units { JointSpace::Joint } else { JointSpace::Metres }
}

/// The matrix of a place (ten numbers). Numbers that are missing or not finite are replaced by those of the
/// identity.
fn affine(trs: &[f32]) -> Affine {
    let mut all = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
    for (number, value) in all.iter_mut().zip(trs) {
        if value.is_finite() {
            *number = *value;
        }
    }
    let [x, y, z, qx, qy, qz, qw, sx, sy, sz] = all;
    Affine::from(Transform {
        translation: Vec3::new(x, y, z),
        rotation: Quat::from_xyzw(qx, qy, qz, qw),
        scale: Vec3::new(sx, sy, sz),
    })
}
