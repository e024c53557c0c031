//! The joints of actors, named by the indices of their nodes in the file.

use super::Stage;
use crate::animation::{Override, Space};
use crate::viewer::ActorId;
use glam::{Mat4, Quat, Vec3};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Stage {
    /// Moves a joint after animation: `translation` (3), `rotation` (4), `scale` (3), each may be left out; in space
    /// `"local"`, `"model"` or `"world"`; with a weight 0 … 1.
    #[wasm_bindgen(js_name = setOverride)]
    #[expect(clippy::too_many_arguments, reason = "JavaScript names them")]
    pub fn set_override(
        &mut self,
        actor: u32,
        joint: usize,
        translation: Option<Vec<f32>>,
        rotation: Option<Vec<f32>>,
        scale: Option<Vec<f32>>,
        space: &str,
        weight: f32,
    ) -> Result<(), JsValue> {
        let node = self.node(actor, joint)?;
        let vector = |numbers: Option<Vec<f32>>| numbers?.try_into().ok().map(Vec3::from_array);
        let to = Override {
            translation: vector(translation),
            rotation: rotation.and_then(|numbers| numbers.try_into().ok()).map(Quat::from_array),
            scale: vector(scale),
            space: match space {
                "model" => Space::Model,
                "world" => Space::World,
                _ => Space::Local,
            },
            weight,
        };
        self.stage.actor_mut(ActorId::new(actor))?.overrides.set(node, to);
        Ok(())
    }

    /// Leaves a joint to its animation again.
    #[wasm_bindgen(js_name = clearOverride)]
    pub fn clear_override(&mut self, actor: u32, joint: usize) -> Result<(), JsValue> {
        let node = self.node(actor, joint)?;
        self.stage.actor_mut(ActorId::new(actor))?.overrides.remove(node);
        Ok(())
    }

    /// The matrix `world_from_joint` now: 16 numbers, column after column.
    #[wasm_bindgen(js_name = worldFromJoint)]
    pub fn world_from_joint(&mut self, actor: u32, joint: usize) -> Result<Vec<f32>, JsValue> {
        let node = self.node(actor, joint)?;
        let matrix = self.stage.world_from_node(ActorId::new(actor), node)?;
        Ok(Mat4::from(matrix).to_cols_array().to_vec())
    }

    /// Where a point in the space of a joint is on the canvas: CSS pixels from the left and from the top, metres in front
    /// of the camera, and 1 if it is in front, else 0.
    pub fn project(&mut self, actor: u32, joint: usize, x: f32, y: f32, z: f32) -> Result<Vec<f32>, JsValue> {
        let node = self.node(actor, joint)?;
        let at = self.stage.project(ActorId::new(actor), node, Vec3::new(x, y, z))?;
        Ok(vec![at.x, at.y, at.depth, f32::from(u8::from(at.in_front))])
    }
}
