//! The stage's own camera.

use super::Stage;
use super::shared::Shared;
use crate::viewer::{ActorId, StageError};
use crate::web::words::Framing;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Moves the stage's own camera, which orbits around a target, and selects the active camera.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Camera {
    shared: Rc<Shared>,
}

#[wasm_bindgen]
impl Camera {
    /// The camera of a stage.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Camera {
        Self { shared: Rc::clone(&stage.shared) }
    }

    /// Sets the camera: azimuth and polar angle in radians, the distance to the target and the target in
    /// metres, the vertical field of view in radians. Each is clamped to its range. Numbers that are not
    /// finite have no effect.
    #[expect(clippy::too_many_arguments, reason = "an array would allocate in JavaScript")]
    pub fn set(
        &self,
        azimuth: f64,
        polar: f64,
        distance: f64,
        target_x: f64,
        target_y: f64,
        target_z: f64,
        fov_y: f64,
    ) {
        let state = [azimuth, polar, distance, target_x, target_y, target_z, fov_y];
        self.shared.stage_mut().camera_mut().set(state);
    }

    /// Orbits around the target by an azimuth and a polar angle, in radians.
    pub fn orbit(&self, azimuth: f64, polar: f64) {
        self.shared.stage_mut().camera_mut().orbit(azimuth, polar);
    }

    /// Moves the image to the right and down, in fractions of the height of the canvas.
    pub fn pan(&self, right: f64, down: f64) {
        self.shared.stage_mut().camera_mut().pan(right, down);
    }

    /// Multiplies the distance to the target.
    pub fn zoom(&self, factor: f64) {
        self.shared.stage_mut().camera_mut().zoom(factor);
    }

    /// Resets the angles and frames all actors.
    pub fn reset(&self) {
        self.shared.stage_mut().reset_camera();
    }

    /// Frames all actors without changing the angles.
    pub fn frame(&self) {
        self.shared.stage_mut().frame();
    }

    /// Sets the behaviour of the automatic camera with a larger clip: `true` to move out smoothly, `false` to
    /// cut.
    #[wasm_bindgen(js_name = setGlides)]
    pub fn set_glides(&self, glides: bool) {
        self.shared.stage_mut().set_camera_glides(glides);
    }

    /// Sets the parts of the canvas that something covers, in CSS pixels.
    #[wasm_bindgen(js_name = setPadding)]
    pub fn set_padding(&self, left: f32, top: f32, right: f32, bottom: f32) {
        self.shared.stage_mut().set_padding([left, top, right, bottom]);
    }

    /// Sets the poses that the camera frames, and frames them unless the camera was moved.
    #[wasm_bindgen(js_name = setFraming)]
    pub fn set_framing(&self, framing: Framing) {
        self.shared.stage_mut().set_framing(framing.into());
    }

    /// Activates a camera of the actor's file, by its index in the description of the asset; nothing for the
    /// stage's own camera.
    #[wasm_bindgen(js_name = setViewCamera)]
    pub fn set_view_camera(&self, actor: u32, camera: Option<u32>) -> Result<(), StageError> {
        self.shared.stage_mut().set_view_camera(ActorId::new(actor), camera.map(|index| index as usize))
    }
}
