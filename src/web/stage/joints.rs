//! The joints of actors, named by the indices of their nodes in the file.

use super::super::numbered::{index, word};
use super::Stage;
use crate::animation::{Aim, Override, Reach, Space};
use crate::model::NodeId;
use crate::viewer::{ActorId, StageError};
use glam::{Quat, Vec3};
use wasm_bindgen::prelude::*;

/// The numbers of spaces, as in `core.ts`.
const SPACES: [Space; 3] = [Space::Local, Space::Model, Space::World];

#[wasm_bindgen]
impl Stage {
    /// Moves a joint after animation: translation (3), rotation (4), scale (3), each NaN where it is left out; in one of
    /// `SPACES`; with a weight 0 … 1.
    #[wasm_bindgen(js_name = setOverride)]
    pub fn set_override(
        &mut self,
        actor: u32,
        joint: f64,
        to: &[f32],
        space: f64,
        weight: f32,
    ) -> Result<(), JsValue> {
        let node = self.node(actor, joint)?;
        let &[x, y, z, qx, qy, qz, qw, sx, sy, sz] = to else { return Ok(()) };
        let vector = |vector: Vec3| (!vector.is_nan()).then_some(vector);
        let rotation = Quat::from_xyzw(qx, qy, qz, qw);
        let to = Override {
            translation: vector(Vec3::new(x, y, z)),
            rotation: (!rotation.is_nan()).then_some(rotation),
            scale: vector(Vec3::new(sx, sy, sz)),
            space: word(&SPACES, space).unwrap_or(Space::Local),
            weight,
        };
        self.stage.actor_mut(ActorId::new(actor))?.overrides.set(node, to);
        Ok(())
    }

    /// Lets a joint look at a place or reach for it. Numbers: 0 to look, 1 to reach; 1 if what follows is of the world, else of
    /// the model; a weight 0 … 1; the place (3), where NaN ends it. To look: the limit in radians, and
    /// perhaps the axis (3). To reach: the first joint of the chain and the middle one, and perhaps the pole (3).
    #[wasm_bindgen(js_name = setGoal)]
    pub fn set_goal(&mut self, actor: u32, joint: f64, numbers: &[f32]) -> Result<(), JsValue> {
        let node = self.node(actor, joint)?;
        let vector = |at: usize| Some(Vec3::from_array(numbers.get(at..at + 3)?.try_into().ok()?));
        let number = |at: usize| numbers.get(at).copied().unwrap_or_default();
        let space = if number(1) == 1.0 { Space::World } else { Space::Model };
        let (weight, target) = (number(2), vector(3).unwrap_or(Vec3::NAN));
        if number(0) == 0.0 {
            let aim = Aim { target, axis: vector(7), limit: number(6), space, weight };
            self.stage.actor_mut(ActorId::new(actor))?.set_aim(node, aim);
        } else {
            let [first, middle] = [number(6), number(7)].map(|index| self.node(actor, index.into()));
            let (first, middle) = (first?, middle?);
            let reach = Reach { middle, end: node, target, pole: vector(8), space, weight };
            self.stage.actor_mut(ActorId::new(actor))?.overrides.set_reach(first, reach);
        }
        Ok(())
    }
}

impl Stage {
    pub(super) fn clear_override(&mut self, actor: u32, joint: f64) -> Result<(), StageError> {
        let node = self.node(actor, joint)?;
        self.stage.actor_mut(ActorId::new(actor))?.overrides.remove(node);
        Ok(())
    }

    /// The node that has an index in the actor's file.
    pub(super) fn node(&self, actor: u32, number: f64) -> Result<NodeId, StageError> {
        let nodes = &self.member(actor)?.asset.model.node_of_source;
        let index = index(number);
        index.and_then(|index| nodes.get(index)).copied().ok_or(StageError::NoJoint)
    }
}
