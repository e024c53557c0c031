//! The camera.

use super::Stage;
use crate::animation::Framing;
use crate::viewer::ActorId;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(wasm_bindgen = crate::web::bindgen)]
impl Stage {
    /// Turns the camera around its target, in radians.
    pub fn orbit(&mut self, azimuth: f32, polar: f32) {
        self.stage.camera_mut().orbit(azimuth, polar);
    }

    /// Moves what is seen right and down, in fractions of the canvas's height.
    pub fn pan(&mut self, right: f32, down: f32) {
        self.stage.camera_mut().pan(right, down);
    }

    /// Multiplies the camera's distance.
    pub fn zoom(&mut self, factor: f32) {
        self.stage.camera_mut().zoom(factor);
    }

    /// Turns the camera back and frames everybody.
    #[wasm_bindgen(js_name = resetCamera)]
    pub fn reset_camera(&mut self) {
        self.stage.reset_camera();
    }

    /// Frames everybody without turning the camera.
    pub fn frame(&mut self) {
        self.stage.frame();
    }

    /// What is framed: `"clip"`, `"all-clips"`, `"pose"` or `"rest"`.
    #[wasm_bindgen(getter)]
    pub fn framing(&self) -> String {
        match self.stage.framing() {
            Framing::Clip => "clip",
            Framing::AllClips => "all-clips",
            Framing::Pose => "pose",
            Framing::Rest => "rest",
        }
        .to_owned()
    }

    /// Sets what is framed, and frames it unless the camera was moved; other words are ignored.
    #[wasm_bindgen(setter)]
    pub fn set_framing(&mut self, framing: &str) {
        self.stage.set_framing(match framing {
            "clip" => Framing::Clip,
            "all-clips" => Framing::AllClips,
            "pose" => Framing::Pose,
            "rest" => Framing::Rest,
            _ => return,
        });
    }

    /// Looks through a camera of an actor's file by its index in the asset's `cameras()`; −1 is the stage's own.
    #[wasm_bindgen(js_name = setViewCamera)]
    pub fn set_view_camera(&mut self, actor: u32, index: i32) -> Result<(), JsValue> {
        Ok(self.stage.set_view_camera(ActorId::new(actor), usize::try_from(index).ok())?)
    }

    /// The index of the actor's camera that is looked through, or −1.
    #[wasm_bindgen(js_name = viewCamera)]
    pub fn view_camera(&self, actor: u32) -> i32 {
        let through = self.stage.view_camera().filter(|(id, _)| id.number() == actor);
        through.map_or(-1, |(_, index)| index as i32)
    }

    /// Azimuth, polar angle, distance, target X, Y, Z, vertical field of view.
    #[wasm_bindgen(js_name = cameraState)]
    pub fn camera_state(&self) -> Vec<f64> {
        self.stage.camera().state().map(f64::from).to_vec()
    }

    /// Sets what `cameraState` returned; other lengths are ignored.
    #[wasm_bindgen(js_name = setCameraState)]
    pub fn set_camera_state(&mut self, state: &[f64]) {
        if let Ok(state) = <[f64; 7]>::try_from(state) {
            self.stage.camera_mut().set(state.map(|value| value as f32));
        }
    }
}
