//! The joints of actors, named by the indices of their nodes in the file.

use super::Stage;
use crate::animation::{Aim, Override, Reach, Space};
use crate::viewer::{ActorId, SurfacePoint};
use glam::{Mat4, Quat, Vec3};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(wasm_bindgen = crate::web::bindgen)]
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

    /// Lets a joint look at a place or reach for it. Numbers: 0 to look, 1 to reach; 1 if what follows is of the world, else of
    /// the model; a weight 0 … 1; the place (3), where NaN ends it. To look: the limit in radians, and
    /// perhaps the axis (3). To reach: the first joint of the chain and the middle one, and perhaps the pole (3).
    #[wasm_bindgen(js_name = setGoal)]
    pub fn set_goal(&mut self, actor: u32, joint: usize, numbers: &[f32]) -> Result<(), JsValue> {
        let node = self.node(actor, joint)?;
        let vector = |at: usize| Some(Vec3::from_array(numbers.get(at..at + 3)?.try_into().ok()?));
        let number = |at: usize| numbers.get(at).copied().unwrap_or_default();
        let space = if number(1) == 1.0 { Space::World } else { Space::Model };
        let (weight, target) = (number(2), vector(3).unwrap_or(Vec3::NAN));
        if number(0) == 0.0 {
            let aim = Aim { target, axis: vector(7), limit: number(6), space, weight };
            self.stage.actor_mut(ActorId::new(actor))?.set_aim(node, aim);
        } else {
            let [first, middle] = [number(6), number(7)].map(|index| self.node(actor, index as usize));
            let (first, middle) = (first?, middle?);
            let reach = Reach { middle, end: node, target, pole: vector(8), space, weight };
            self.stage.actor_mut(ActorId::new(actor))?.overrides.set_reach(first, reach);
        }
        Ok(())
    }

    /// The matrix `world_from_joint` now: 16 numbers, column after column.
    #[wasm_bindgen(js_name = worldFromJoint)]
    pub fn world_from_joint(&mut self, actor: u32, joint: usize) -> Result<Vec<f32>, JsValue> {
        let node = self.node(actor, joint)?;
        let matrix = self.stage.world_from_node(ActorId::new(actor), node)?;
        Ok(Mat4::from(matrix).to_cols_array().to_vec())
    }

    /// Where a point in the space of a joint, or of the world for −1, is on the canvas: CSS pixels from the left and from
    /// the top, metres in front of the camera, and 1 if it is in front, else 0.
    pub fn project(&mut self, actor: u32, joint: i32, x: f32, y: f32, z: f32) -> Result<Vec<f32>, JsValue> {
        let point = Vec3::new(x, y, z);
        let at = match usize::try_from(joint) {
            Ok(joint) => {
                let node = self.node(actor, joint)?;
                self.stage.project(ActorId::new(actor), node, point)?
            }
            Err(_) => self.stage.project_world(point),
        };
        Ok(vec![at.x, at.y, at.depth, f32::from(u8::from(at.in_front))])
    }

    /// What is seen at a place of the canvas, in CSS pixels: the point and the normal in the world, the index of the node
    /// in its file, the actor, and the eight numbers of the surface; empty for nothing.
    pub fn pick(&mut self, x: f32, y: f32) -> Vec<f32> {
        let hit = self.stage.pick(x, y).and_then(|hit| {
            let nodes = &self.member(hit.actor.number()).ok()?.asset.model.node_of_source;
            let joint = nodes.iter().position(|&node| node == hit.node)?;
            let [px, py, pz] = hit.position.to_array();
            let [nx, ny, nz] = hit.normal.to_array();
            let SurfacePoint { mesh, primitive, vertices, weights: [u, v, w] } = hit.surface;
            let [mesh, primitive, a, b, c, actor, joint] =
                [mesh, primitive, vertices[0], vertices[1], vertices[2], hit.actor.number() as usize, joint]
                    .map(|index| index as f32);
            Some(vec![px, py, pz, nx, ny, nz, joint, actor, mesh, primitive, a, b, c, u, v, w])
        });
        hit.unwrap_or_default()
    }

    /// Where a place of the surface is now, and its normal, in the world; empty if there is none. It has eight numbers: the
    /// mesh, its primitive, three vertices, and how much each of them counts.
    pub fn surface(&mut self, actor: u32, at: &[f32]) -> Result<Vec<f32>, JsValue> {
        let &[mesh, primitive, a, b, c, u, v, w] = at else { return Ok(Vec::new()) };
        let [mesh, primitive, a, b, c] = [mesh, primitive, a, b, c].map(|index| index as usize);
        let at = SurfacePoint { mesh, primitive, vertices: [a, b, c], weights: [u, v, w] };
        let found = self.stage.surface(ActorId::new(actor), &at)?;
        Ok(found
            .map_or_else(Vec::new, |(position, normal)| [position.to_array(), normal.to_array()].concat()))
    }
}
