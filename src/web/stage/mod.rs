//! The stage on a canvas: its context, its size, its clock. By concern beside this file: who is on it, what they
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

use super::convert::{array, error};
use crate::animation::MAX_STEP;
use crate::model::NodeId;
use crate::render::Renderer;
use crate::viewer::{self, ActorId, Member, StageError};
use inspect::page_clock;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, WebGl2RenderingContext, WebGlContextAttributes};

/// A canvas with actors on it. Freeing it deletes every GL object it made.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Stage {
    stage: viewer::Stage,
    context: WebGl2RenderingContext,
    /// How long the last frame took to update and to draw, in milliseconds.
    times: [f64; 2],
}

#[wasm_bindgen]
impl Stage {
    /// Makes the canvas's WebGL2 context. Options: `{ antialias: boolean, cpuSkinning: boolean }`.
    #[wasm_bindgen(constructor)]
    pub fn new(canvas: &HtmlCanvasElement, options: &JsValue) -> Result<Stage, JsValue> {
        let option = |name: &str| js_sys::Reflect::get(options, &name.into()).map(|value| value.is_truthy());
        let attributes = WebGlContextAttributes::new();
        attributes.set_antialias(option("antialias")?);
        attributes.set_alpha(true);
        attributes.set_premultiplied_alpha(true);
        attributes.set_depth(true);
        attributes.set_stencil(false);
        attributes.set_preserve_drawing_buffer(false);
        let context = canvas
            .get_context_with_context_options("webgl2", &attributes)?
            .and_then(|context| context.dyn_into::<WebGl2RenderingContext>().ok())
            .ok_or_else(|| {
                error("render/webgl2-unsupported", "this browser cannot draw with WebGL2", None)
            })?;
        let renderer = Renderer::from_webgl2(context.clone())?;
        let mut stage = viewer::Stage::new(renderer);
        stage.set_cpu_skinning(option("cpuSkinning")?);
        Ok(Self { stage, context, times: [0.0; 2] })
    }

    /// Begins anew in the canvas's context after it was lost and given back. Actors, timeline and camera are as they
    /// were. Light and models have to be brought to the GPU again, by `advanceLight`, and by `setImage…` and `advance`.
    pub fn restore(&mut self) -> Result<(), JsValue> {
        let renderer = Renderer::from_webgl2(self.context.clone())?;
        Ok(self.stage.restore(renderer)?)
    }

    /// Whether the browser took the context away.
    #[wasm_bindgen(getter, js_name = contextLost)]
    pub fn context_lost(&self) -> bool {
        self.context.is_context_lost()
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
        if draws {
            let updated = page_clock();
            self.stage.draw()?;
            self.times = [updated - begun, page_clock() - updated];
        }
        Ok(goes_on)
    }

    /// Draws now.
    pub fn draw(&mut self) -> Result<(), JsValue> {
        Ok(self.stage.draw()?)
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
