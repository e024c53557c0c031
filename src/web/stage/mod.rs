//! A stage and its frames. Each topic has its own class that operates on the same stage.
//! [`Query`](query::Query) and [`Events`](events::Events) contain all methods for reading, so a mirror of a
//! stage must repeat only the calls of the other classes.
//!
//! - Actors are identified by numbers that are never reused; `actor/removed` is thrown for removed ones.
//! - A `track` is the base (0) or a layer of an actor.
//! - A `joint` is the index of a node in the file.
//! - A place is ten numbers: translation (3), rotation (X, Y, Z, W), scale (3).

pub(super) mod actors;
mod camera;
mod clock;
pub(super) mod crowds;
mod events;
pub(super) mod joints;
pub(super) mod layers;
pub(super) mod lighting;
pub(super) mod materials;
pub(super) mod models;
pub(super) mod picking;
pub(super) mod playback;
pub(super) mod query;
mod shared;
pub(super) mod states;
pub(super) mod view;
pub(super) mod worker;

use crate::render::RenderError;
use crate::viewer;
use crate::web::context::Context;
use crate::web::features::{Feature, need};
use shared::Shared;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The page's clock in milliseconds.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn page_clock() -> f64;
}

/// Actors and a camera. The GL objects of its models are deleted when this and all classes created from it
/// are freed.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Stage {
    shared: Rc<Shared>,
    /// The error of the last tick.
    failure: Option<JsValue>,
}

#[wasm_bindgen]
impl Stage {
    /// An empty stage that draws in a context, which may be shared with other stages.
    ///
    /// # Errors
    /// `feature/not-used`, with CPU skinning: it needs `extras`.
    #[wasm_bindgen(constructor)]
    pub fn new(context: &Context, cpu_skinning: bool) -> Result<Stage, JsValue> {
        if cpu_skinning {
            need(Feature::Extras)?;
        }
        let mut stage = viewer::Stage::new(Rc::clone(&context.context));
        stage.set_cpu_skinning(cpu_skinning);
        Ok(Self { shared: Rc::new(Shared::new(stage)), failure: None })
    }

    /// Advances the timeline to the page's clock, in milliseconds, and draws if anything changed. Returns
    /// `true` if the next frame must be ticked too, and `undefined` after an error, which [`Stage::fail`]
    /// throws. (A function that throws by itself returns a list, and frames should create no garbage.)
    pub fn tick(&mut self, now_ms: f64) -> Option<bool> {
        self.tick_through(now_ms).map_err(|error| self.failure = Some(error.into())).ok()
    }

    /// Throws the error of the last tick.
    pub fn fail(&mut self) -> Result<(), JsValue> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Draws immediately, and waits for all resources.
    pub fn draw(&self) -> Result<(), RenderError> {
        self.shared.stage_mut().draw(false)?;
        Ok(())
    }
}

#[wasm_bindgen]
impl Stage {
    /// Restores the stage after the context was lost and [restored](Context::restore). Actors, timeline and
    /// camera keep their state. Light and models must be uploaded to the GPU again, by `advanceLight`, and by
    /// `setImage…` and `advance`.
    pub fn restore(&self) -> Result<(), RenderError> {
        self.shared.stage_mut().restore()
    }
}

impl Stage {
    fn tick_through(&self, now_ms: f64) -> Result<bool, RenderError> {
        let stage = &mut *self.shared.stage_mut();
        let begun = page_clock();
        let viewer::TickResult { draws, continues } = stage.advance(now_ms / 1000.0);
        let mut complete = true;
        if draws {
            if stage.cast().has_crowds() {
                stage.pose_crowds();
            }
            let updated = page_clock();
            complete = stage.draw(true)?;
            self.shared.set_times([updated - begun, page_clock() - updated]);
        }
        Ok(continues || !complete)
    }
}
