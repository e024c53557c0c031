//! Procedural changes of joints and morph weights after animation.

use super::Stage;
use super::shared::Shared;
use crate::animation::{LookAt, MorphOverride, Override, TwoBoneIk};
use crate::viewer::{ActorId, StageError};
use crate::web::rest::deferred_methods;
use crate::web::words::Space;
use glam::{Quat, Vec3};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Sets overrides, look-at constraints and two-bone IK of joints, and overrides of morph weights, which apply in every
/// further frame.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Joints {
    shared: Rc<Shared>,
}

#[wasm_bindgen]
impl Joints {
    /// The joints of a stage.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Joints {
        Self { shared: Rc::clone(&stage.shared) }
    }
}

deferred_methods! {
    impl Joints {
        /// Sets the override of a joint, applied after animation.
        ///
        /// - `to`: translation (3), rotation (4), scale (3); NaN for parts that keep their animated values.
        /// - `space`: the space of `to`.
        /// - `weight`: the blend weight, from the animated transform (0) to `to` (1).
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setOverride)]
        pub fn set_override(
            this,
            actor: u32,
            joint: u32,
            to: &[f32],
            space: Space,
            weight: f32,
        ) -> Result<(), StageError> {
            let node = this.shared.node(actor, joint)?;
            let &[x, y, z, qx, qy, qz, qw, sx, sy, sz] = to else { return Ok(()) };
            let vector = |vector: Vec3| (!vector.is_nan()).then_some(vector);
            let rotation = Quat::from_xyzw(qx, qy, qz, qw);
            let to = Override {
                translation: vector(Vec3::new(x, y, z)),
                rotation: (!rotation.is_nan()).then_some(rotation),
                scale: vector(Vec3::new(sx, sy, sz)),
                space: space.into(),
                weight,
            };
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.overrides.set(node, to);
            Ok(())
        }

        /// Removes the override of a joint.
        #[wasm_bindgen(js_name = clearOverride)]
        pub fn clear_override(this, actor: u32, joint: u32) -> Result<(), StageError> {
            let node = this.shared.node(actor, joint)?;
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.overrides.remove(node);
            Ok(())
        }

        /// Sets the look-at constraint of a joint.
        ///
        /// - `target`: the target position in `space`, which is the model or the world.
        /// - `weight`: the blend weight, from the animated pose (0) to the target (1).
        /// - `limit`: the largest angle from the animated direction, in radians.
        /// - `axis`: the direction in the joint's local space that points at the target; nothing for the
        ///   model's +Z at rest.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = lookAt)]
        pub fn look_at(
            this,
            actor: u32,
            joint: u32,
            target: &[f32],
            space: Space,
            weight: f32,
            limit: f32,
            axis: Option<Vec<f32>>,
        ) -> Result<(), StageError> {
            let node = this.shared.node(actor, joint)?;
            let target = vector(target).unwrap_or(Vec3::NAN);
            let axis = axis.and_then(|axis| vector(&axis));
            let look_at = LookAt { target, axis, limit, space: space.into(), weight };
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.set_look_at(node, look_at);
            Ok(())
        }

        /// Removes the look-at constraint of a joint.
        #[wasm_bindgen(js_name = endLookAt)]
        pub fn end_look_at(this, actor: u32, joint: u32) -> Result<(), StageError> {
            let node = this.shared.node(actor, joint)?;
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.overrides.remove_look_at(node);
            Ok(())
        }

        /// Sets two-bone IK: a joint reaches for a target by the two bones above it.
        ///
        /// - `joint`, `middle`, `root`: the end of the chain, the joint that bends, and the first joint.
        /// - `target`: the target position in `space`, which is the model or the world.
        /// - `weight`: the blend weight, from the animated pose (0) to the target (1).
        /// - `pole`: the direction in which the middle joint points; nothing for the animated direction.
        ///
        /// # Errors
        /// `joint/not-found`.
        pub fn reach(
            this,
            actor: u32,
            joint: u32,
            middle: u32,
            root: u32,
            target: &[f32],
            space: Space,
            weight: f32,
            pole: Option<Vec<f32>>,
        ) -> Result<(), StageError> {
            let [end, middle, first] = [joint, middle, root].map(|joint| this.shared.node(actor, joint));
            let (end, middle, first) = (end?, middle?, first?);
            let target = vector(target).unwrap_or(Vec3::NAN);
            let pole = pole.and_then(|pole| vector(&pole));
            let reach = TwoBoneIk { middle, end, target, pole, space: space.into(), weight };
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.overrides.set_ik(first, reach);
            Ok(())
        }

        /// Removes the IK of a joint.
        #[wasm_bindgen(js_name = endReach)]
        pub fn end_reach(this, actor: u32, joint: u32) -> Result<(), StageError> {
            let node = this.shared.node(actor, joint)?;
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.overrides.remove_ik(node);
            Ok(())
        }

        /// Sets the override of a morph.
        ///
        /// - `morph`: its index in [`Asset::morphs`](crate::web::asset::Asset::morphs).
        /// - `value`: the morph weight; NaN ends the override.
        /// - `weight`: the blend weight, from the animated morph weight (0) to `value` (1).
        /// - `fade`: the duration of the change in seconds.
        #[wasm_bindgen(js_name = setMorph)]
        pub fn set_morph(
            this,
            actor: u32,
            morph: u32,
            value: f32,
            weight: f32,
            fade: f64,
        ) -> Result<(), StageError> {
            let to = (!value.is_nan()).then_some(MorphOverride { value, weight });
            let mut stage = this.shared.stage_mut();
            let asset = Rc::clone(&stage.cast().get(ActorId::new(actor))?.asset);
            let actor = stage.actor_mut(ActorId::new(actor))?;
            let now = actor.player.elapsed();
            for &at in asset.morphs().get(morph as usize).map_or(&[][..], |morph| &morph.weights) {
                actor.morphs.set(at, to, fade, now);
            }
            Ok(())
        }
    }
}

/// Converts three numbers to a vector; `None` for another count.
fn vector(numbers: &[f32]) -> Option<Vec3> {
    numbers.try_into().ok().map(Vec3::from_array)
}
