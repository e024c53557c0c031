//! A stage and its frames. By concern beside this file: its settings, who is on it, what they play, and their joints.
//!
//! Calls about an actor name it by its number; those about what it plays also name a track: 0 is the base, others are
//! layers.

mod actors;
mod crowds;
mod events;
mod inspect;
mod joints;
mod lighting;
mod mixing;
mod models;
mod questions;
mod settings;
mod transport;

use super::context::Context;
use super::rest::need_rest;
use crate::rare::rare;
use crate::render::RenderError;
use crate::viewer::{self, ActorId, Member, StageError};
use events::push_event;
use inspect::page_clock;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Actors, and a camera that sees them. Freeing it deletes the GL objects of its models.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Stage {
    stage: viewer::Stage,
    /// How long the last frame took to update and to draw, in milliseconds.
    times: [f64; 2],
    /// See [`Stage::measure`].
    measured: [f64; 6],
    /// Why the last tick, or the last measuring, failed.
    failure: Option<JsValue>,
}

#[wasm_bindgen]
impl Stage {
    /// An empty stage that draws in the context, which may have others.
    #[wasm_bindgen(constructor)]
    pub fn new(context: &Context, cpu_skinning: bool) -> Result<Stage, JsValue> {
        if cpu_skinning {
            need_rest()?;
        }
        let mut stage = viewer::Stage::new(Rc::clone(&context.context));
        stage.set_cpu_skinning(cpu_skinning);
        Ok(Self { stage, times: [0.0; 2], measured: [0.0; 6], failure: None })
    }

    /// Begins anew after the context was lost and [restored](Context::restore). Actors, timeline and camera are as they
    /// were. Light and models have to be brought to the GPU again, by `advanceLight`, and by `setImage…` and `advance`.
    pub fn restore(&mut self) -> Result<(), JsValue> {
        Ok(self.stage.restore()?)
    }

    /// Advances the timeline to the page's clock and draws if anything changed. Returns 1 if there will be something to do next frame,
    /// 0 if not, −1 if it failed: [`Stage::fail`] throws why. (What may throw by itself answers with a list, and frames make no
    /// garbage.)
    pub fn tick(&mut self, now_ms: f64) -> i32 {
        match self.tick_through(now_ms) {
            Ok(goes_on) => i32::from(goes_on),
            Err(error) => {
                self.failure = Some(error.into());
                -1
            }
        }
    }

    /// Throws why the last tick, or the last [`Stage::measure`], failed.
    pub fn fail(&mut self) -> Result<(), JsValue> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Draws now, and waits for all that is needed.
    pub fn draw(&mut self) -> Result<(), JsValue> {
        self.stage.draw(false)?;
        Ok(())
    }

    /// Takes the queued events, those of an actor oldest first, as the numbers of [`push_event`].
    #[wasm_bindgen(js_name = drainEvents)]
    pub fn drain_events(&mut self) -> Vec<f64> {
        let mut numbers = Vec::new();
        self.stage.drain_events(|actor, event| push_event(&mut numbers, actor, &event));
        numbers
    }
}

impl Stage {
    fn tick_through(&mut self, now_ms: f64) -> Result<bool, RenderError> {
        let begun = page_clock();
        let viewer::Ticked { draws, goes_on } = self.stage.advance(now_ms / 1000.0);
        let mut complete = true;
        if draws {
            if self.stage.cast().has_crowds() {
                rare(|| self.stage.pose_crowds());
            }
            let updated = page_clock();
            complete = self.stage.draw(true)?;
            self.times = [updated - begun, page_clock() - updated];
        }
        Ok(goes_on || !complete)
    }

    fn member(&self, actor: u32) -> Result<&Member, StageError> {
        self.stage.cast().get(ActorId::new(actor))
    }
}
