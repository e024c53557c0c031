//! A stage: its size, its clock. By concern beside this file: who is on it, what they
//! play, their joints, and the camera.
//!
//! Calls about an actor name it by its number; those about what it plays also name a track: 0 is the base, others are
//! layers.

mod actors;
mod camera;
mod events;
mod inspect;
mod joints;
mod lighting;
mod mixing;
mod models;
mod transport;

use super::context::Context;
use super::convert::array;
use crate::animation::MAX_STEP;
use crate::model::NodeId;
use crate::viewer::{self, ActorId, Member, StageError};
use inspect::page_clock;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Actors, and a camera that sees them. Freeing it deletes the GL objects of its models.
#[wasm_bindgen(wasm_bindgen = crate::web::bindgen)]
#[derive(Debug)]
pub struct Stage {
    stage: viewer::Stage,
    /// How long the last frame took to update and to draw, in milliseconds.
    times: [f64; 2],
}

#[wasm_bindgen(wasm_bindgen = crate::web::bindgen)]
impl Stage {
    /// An empty stage that draws in the context, which may have others.
    #[wasm_bindgen(constructor)]
    pub fn new(context: &Context, cpu_skinning: bool) -> Stage {
        let mut stage = viewer::Stage::new(Rc::clone(&context.context));
        stage.set_cpu_skinning(cpu_skinning);
        Self { stage, times: [0.0; 2] }
    }

    /// Begins anew after the context was lost and [restored](Context::restore). Actors, timeline and camera are as they
    /// were. Light and models have to be brought to the GPU again, by `advanceLight`, and by `setImage…` and `advance`.
    pub fn restore(&mut self) -> Result<(), JsValue> {
        Ok(self.stage.restore()?)
    }

    /// Tells the canvas's size in device pixels, and how many of them a CSS pixel has.
    pub fn resize(&mut self, width: u32, height: u32, pixel_ratio: Option<f32>) {
        self.stage.resize(width, height, pixel_ratio.unwrap_or(1.0));
    }

    /// Four numbers 0 … 1, sRGB and alpha; `undefined` is transparent.
    #[wasm_bindgen(js_name = setBackground)]
    pub fn set_background(&mut self, rgba: Option<Vec<f32>>) {
        self.stage.set_background(rgba.and_then(|rgba| rgba.try_into().ok()));
    }

    /// The timeline's time in seconds.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> f64 {
        self.stage.cast().now()
    }

    /// Whether only `setTime` moves the timeline, not the page's clock.
    #[wasm_bindgen(js_name = setManual)]
    pub fn set_manual(&mut self, manual: bool) {
        self.stage.set_manual(manual);
    }

    /// Sets the timeline to any number of seconds, forwards or backwards.
    #[wasm_bindgen(js_name = setTime)]
    pub fn set_time(&mut self, seconds: f64) {
        self.stage.set_time(seconds);
    }

    /// Calls the present time of the timeline so many seconds; nothing moves.
    #[wasm_bindgen(js_name = setClock)]
    pub fn set_clock(&mut self, seconds: f64) {
        self.stage.set_clock(seconds);
    }

    /// Sets what everybody plays to a fraction of its segment.
    pub fn scrub(&mut self, fraction: f64) {
        self.stage.scrub(fraction);
    }

    /// Whether a tick advances by as much as the page's clock did, however much that is; 0.1 s at most otherwise.
    #[wasm_bindgen(js_name = setCatchingUp)]
    pub fn set_catching_up(&mut self, on: bool) {
        self.stage.set_max_step(if on { f64::INFINITY } else { MAX_STEP });
    }

    /// Advances the timeline to the page's clock and draws if anything changed; whether to call again.
    pub fn tick(&mut self, now_ms: f64) -> Result<bool, JsValue> {
        let begun = page_clock();
        let viewer::Ticked { draws, goes_on } = self.stage.advance(now_ms / 1000.0);
        let mut complete = true;
        if draws {
            let updated = page_clock();
            complete = self.stage.draw(true)?;
            self.times = [updated - begun, page_clock() - updated];
        }
        Ok(goes_on || !complete)
    }

    /// Draws now, and waits for all that is needed.
    pub fn draw(&mut self) -> Result<(), JsValue> {
        self.stage.draw(false)?;
        Ok(())
    }

    /// How many frames were drawn.
    #[wasm_bindgen(getter)]
    pub fn frames(&self) -> f64 {
        self.stage.stats().frames as f64
    }

    /// The next tick advances by 0.
    #[wasm_bindgen(js_name = resetClock)]
    pub fn reset_clock(&mut self) {
        self.stage.reset_clock();
    }

    /// Takes the queued events, those of an actor oldest first: `{ actor, track, playback, type, time, … }[]`.
    #[wasm_bindgen(js_name = drainEvents)]
    pub fn drain_events(&mut self) -> JsValue {
        array(self.stage.drain_events(), |(actor, event)| events::event_object(actor, &event))
    }
}

impl Stage {
    fn member(&self, actor: u32) -> Result<&Member, StageError> {
        self.stage.cast().get(ActorId::new(actor))
    }

    /// The node that has an index in the actor's file.
    fn node(&self, actor: u32, index: usize) -> Result<NodeId, StageError> {
        let nodes = &self.member(actor)?.asset.model.node_of_source;
        nodes.get(index).copied().ok_or(StageError::NoJoint)
    }
}
