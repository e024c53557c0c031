//! A stage and its frames. Each topic has a class of its own, which works on the same stage; [`Query`](query::Query) and
//! [`Events`](events::Events) have all that is read, so whoever mirrors a stage mirrors the calls of the other classes.
//!
//! Actors go by numbers that are never given twice: `actor/removed` is thrown for those that are gone. A `track` is what an
//! actor plays: 0 is the base, others are layers. A `joint` is the index of a node in the file. A place is ten numbers:
//! translation (3), rotation (X, Y, Z, W), scale (3).

mod actors;
mod camera;
mod clock;
mod crowds;
mod events;
mod joints;
mod layers;
mod lighting;
mod models;
mod playback;
mod query;
mod shared;
mod view;
mod worker;

use crate::render::RenderError;
use crate::viewer;
use crate::web::context::Context;
use crate::web::rest::{deferred_methods, need_rest};
use shared::Shared;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The lists of this room; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 11] = [
    &DEFERRED,
    &actors::DEFERRED,
    &crowds::DEFERRED,
    &joints::DEFERRED,
    &layers::DEFERRED,
    &lighting::DEFERRED,
    &models::DEFERRED,
    &playback::DEFERRED,
    &query::DEFERRED,
    &view::DEFERRED,
    &worker::DEFERRED,
];

#[wasm_bindgen]
extern "C" {
    /// The page's clock in milliseconds.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn page_clock() -> f64;
}

/// Actors, and a camera that sees them. When this and the classes made of it are freed, the GL objects of its models are
/// deleted.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Stage {
    shared: Rc<Shared>,
    /// The error of the last tick.
    failure: Option<JsValue>,
}

#[wasm_bindgen]
impl Stage {
    /// An empty stage that draws in the context, which may have others.
    ///
    /// # Errors
    /// `load/chunk`, if it skins on the CPU.
    #[wasm_bindgen(constructor)]
    pub fn new(context: &Context, cpu_skinning: bool) -> Result<Stage, JsValue> {
        if cpu_skinning {
            need_rest()?;
        }
        let mut stage = viewer::Stage::new(Rc::clone(&context.context));
        stage.set_cpu_skinning(cpu_skinning);
        Ok(Self { shared: Rc::new(Shared::new(stage)), failure: None })
    }

    /// Advances the timeline to the page's clock, in milliseconds, and draws if anything changed. Returns `true` if there will be
    /// something to do next frame, `undefined` if it failed: [`Stage::fail`] throws the error. (A function that throws by
    /// itself returns a list, and frames make no garbage.)
    pub fn tick(&mut self, now_ms: f64) -> Option<bool> {
        self.tick_through(now_ms).map_err(|error| self.failure = Some(error.into())).ok()
    }

    /// Throws the error of the last tick.
    pub fn fail(&mut self) -> Result<(), JsValue> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Draws now, and waits for all that is needed.
    pub fn draw(&self) -> Result<(), RenderError> {
        self.shared.stage_mut().draw(false)?;
        Ok(())
    }
}

deferred_methods! {
    impl Stage {
        /// Begins anew after the context was lost and [restored](Context::restore). Actors, timeline and camera are as they
        /// were. Light and models have to be brought to the GPU again, by `advanceLight`, and by `setImage…` and `advance`.
        pub fn restore(this) -> Result<(), RenderError> {
            this.shared.stage_mut().restore()
        }
    }
}

impl Stage {
    fn tick_through(&self, now_ms: f64) -> Result<bool, RenderError> {
        let stage = &mut *self.shared.stage_mut();
        let begun = page_clock();
        let viewer::Ticked { draws, goes_on } = stage.advance(now_ms / 1000.0);
        let mut complete = true;
        if draws {
            if stage.cast().has_crowds() {
                stage.pose_crowds();
            }
            let updated = page_clock();
            complete = stage.draw(true)?;
            self.shared.set_times([updated - begun, page_clock() - updated]);
        }
        Ok(goes_on || !complete)
    }
}
