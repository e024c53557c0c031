//! Looking into a stage: debug views, and what frames cost.

use super::super::rest::need_rest;
use super::Stage;
use crate::render::Channel;
use crate::viewer::DebugViews;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The page's clock in milliseconds.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    pub(super) fn page_clock() -> f64;
}

#[wasm_bindgen]
impl Stage {
    /// What is shown of the inner life. `overlays` by bits: 1 skeleton, 2 bounds, 4 wires, 8 normals and 16 tangents as
    /// lines, 32 bind pose, 128 the ground. `surface`: the number of a channel, −1 for materials. `joint`: whose weights are shown.
    #[wasm_bindgen(js_name = setDebug)]
    pub fn set_debug(&mut self, overlays: u32, surface: i32, joint: String) -> Result<(), JsValue> {
        if overlays != 0 || surface >= 0 {
            need_rest()?;
        }
        let has = |bit: u32| overlays & bit != 0;
        let surface = usize::try_from(surface).ok().and_then(|i| Channel::ALL.get(i).copied());
        self.stage.set_debug(DebugViews {
            surface,
            joint,
            skeleton: has(1),
            bounds: has(2),
            wireframe: has(4),
            normal_lines: has(8),
            tangent_lines: has(16),
            bind_pose: has(32),
            grid: has(128),
        });
        Ok(())
    }
}

impl Stage {
    /// What frames cost: how many were drawn, draw calls, triangles, changes of state, of programs, of textures, of buffers,
    /// bytes uploaded, of which palette, actors, joints, milliseconds of the last update and of the last drawing, bytes
    /// of memory; then the GL objects: buffers, textures, samplers, vertex arrays, programs, shaders, framebuffers, fences.
    pub(super) fn stats(&self) -> Vec<f64> {
        let stats = self.stage.stats();
        let (cost, live) = (stats.cost, stats.live);
        let [update, draw] = self.times;
        vec![
            stats.frames as f64,
            f64::from(cost.draws),
            f64::from(cost.triangles),
            f64::from(cost.states),
            f64::from(cost.programs),
            f64::from(cost.textures),
            f64::from(cost.buffers),
            f64::from(cost.uploaded),
            stats.palette_bytes as f64,
            stats.actors as f64,
            stats.joints as f64,
            update,
            draw,
            core::arch::wasm32::memory_size(0) as f64 * 65536.0,
            live.buffers as f64,
            live.textures as f64,
            live.samplers as f64,
            live.vertex_arrays as f64,
            live.programs as f64,
            live.shaders as f64,
            live.framebuffers as f64,
            live.fences as f64,
            stats.skipped,
        ]
    }
}
