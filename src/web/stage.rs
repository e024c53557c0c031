//! The stage on a canvas.

use super::asset::Asset;
use super::convert::{array, error, object, set};
use crate::animation::{Event, EventKind, LoopMode, Player, pose_hash};
use crate::model::{ClipId, ImageId};
use crate::render::{BlockFormat, CompressedImage, Renderer};
use crate::viewer;
use js_sys::Uint8Array;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, ImageBitmap, WebGl2RenderingContext, WebGlContextAttributes};

/// A canvas with one character on it. Freeing it deletes every GL object it made.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Stage {
    stage: viewer::Stage,
    context: WebGl2RenderingContext,
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
        Ok(Self { stage, context })
    }

    /// Shows an asset, framed and paused, in place of the one before.
    #[wasm_bindgen(js_name = setAsset)]
    pub fn set_asset(&mut self, asset: &Asset) -> Result<(), JsValue> {
        Ok(self.stage.set_asset(Some(Rc::clone(&asset.asset)))?)
    }

    /// Shows nothing.
    pub fn clear(&mut self) -> Result<(), JsValue> {
        Ok(self.stage.set_asset(None)?)
    }

    /// Gives the model one of its images, decoded without premultiplied alpha and colour conversion.
    #[wasm_bindgen(js_name = setImage)]
    pub fn set_image(&mut self, index: usize, bitmap: &ImageBitmap) -> Result<(), JsValue> {
        Ok(self.stage.set_image(ImageId::new(index), bitmap)?)
    }

    /// Chooses a variant of materials by its index in the asset's `variants()`; −1 is none.
    #[wasm_bindgen(js_name = setVariant)]
    pub fn set_variant(&mut self, index: i32) {
        self.stage.set_variant(usize::try_from(index).ok());
    }

    /// The index of the variant of materials, or −1.
    #[wasm_bindgen(getter)]
    pub fn variant(&self) -> i32 {
        let variant = self.stage.actor().and_then(|actor| actor.variant);
        variant.map_or(-1, |variant| variant.index() as i32)
    }

    /// Looks through a camera of the file by its index in the asset's `cameras()`; −1 is the stage's own.
    #[wasm_bindgen(js_name = setViewCamera)]
    pub fn set_view_camera(&mut self, index: i32) {
        self.stage.set_view_camera(usize::try_from(index).ok());
    }

    /// The index of the file's camera that is looked through, or −1.
    #[wasm_bindgen(getter, js_name = viewCamera)]
    pub fn view_camera(&self) -> i32 {
        self.stage.view_camera().map_or(-1, |index| index as i32)
    }

    /// Gives the model one of its images: four bytes a pixel, top row first.
    #[wasm_bindgen(js_name = setImageRgba)]
    pub fn set_image_rgba(
        &mut self,
        index: usize,
        width: u32,
        height: u32,
        rgba: &[u8],
    ) -> Result<(), JsValue> {
        Ok(self.stage.set_image_rgba(ImageId::new(index), width, height, rgba)?)
    }

    /// Gives the model one of its images, packed as `"bc1"`, `"bc3"`, `"bc7"`, `"etc2-rgb"`, `"etc2-rgba"` or
    /// `"astc-4x4"`: the blocks of each level.
    #[wasm_bindgen(js_name = setImageCompressed)]
    pub fn set_image_compressed(
        &mut self,
        index: usize,
        format: &str,
        width: u32,
        height: u32,
        levels: Vec<Uint8Array>,
    ) -> Result<(), JsValue> {
        let format = match format {
            "bc1" => BlockFormat::Bc1,
            "bc3" => BlockFormat::Bc3,
            "bc7" => BlockFormat::Bc7,
            "etc2-rgb" => BlockFormat::Etc2Rgb,
            "etc2-rgba" => BlockFormat::Etc2Rgba,
            "astc-4x4" => BlockFormat::Astc4x4,
            other => return Err(error("render/unsupported", other, None)),
        };
        let levels: Vec<_> = levels.iter().map(Uint8Array::to_vec).collect();
        let packed = CompressedImage { format, width, height, levels };
        Ok(self.stage.set_image_compressed(ImageId::new(index), &packed)?)
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

    /// Advances the timeline to the page's clock and draws if anything changed; whether to call again.
    pub fn tick(&mut self, now_ms: f64) -> Result<bool, JsValue> {
        Ok(self.stage.tick(now_ms / 1000.0)?)
    }

    /// Draws now.
    pub fn draw(&mut self) -> Result<(), JsValue> {
        Ok(self.stage.draw()?)
    }

    /// The next tick advances by 0.
    #[wasm_bindgen(js_name = resetClock)]
    pub fn reset_clock(&mut self) {
        self.stage.reset_clock();
    }

    /// Takes the queued events, oldest first: `{ type, time, … }[]`.
    #[wasm_bindgen(js_name = drainEvents)]
    pub fn drain_events(&mut self) -> JsValue {
        array(self.stage.drain_events(), |event| event_object(&event))
    }

    /// Plays a clip; −1 is the current one.
    pub fn play(&mut self, clip: i32) {
        if let Some(actor) = self.stage.actor_mut() {
            let clips = actor.rig().clip_count();
            actor.player.play(usize::try_from(clip).ok().filter(|&clip| clip < clips).map(ClipId::new));
        }
    }

    /// Makes a clip the current one, at its beginning.
    pub fn choose(&mut self, clip: usize) {
        if let Some(actor) = self.stage.actor_mut()
            && clip < actor.rig().clip_count()
        {
            actor.player.choose(Some(ClipId::new(clip)));
        }
    }

    /// Stops the playhead where it is.
    pub fn pause(&mut self) {
        self.with_player(Player::pause);
    }

    /// Pauses and goes back to the beginning.
    pub fn stop(&mut self) {
        self.with_player(Player::stop);
    }

    /// Sets the playhead, clamped to the clip.
    pub fn seek(&mut self, time: f64) {
        self.with_player(|player| player.seek(time));
    }

    /// Pauses and moves the playhead by frames.
    pub fn step(&mut self, frames: i32) {
        self.with_player(|player| player.step(frames));
    }

    /// Whether the playhead stands still because nobody plays.
    #[wasm_bindgen(getter)]
    pub fn paused(&self) -> bool {
        self.stage.actor().is_none_or(|actor| actor.player.paused())
    }

    /// The current clip, or −1.
    #[wasm_bindgen(getter)]
    pub fn clip(&self) -> i32 {
        let clip = self.stage.actor().and_then(|actor| actor.player.clip());
        clip.map_or(-1, |clip| clip.index() as i32)
    }

    /// The playhead in seconds of the clip.
    #[wasm_bindgen(getter, js_name = currentTime)]
    pub fn current_time(&self) -> f64 {
        self.stage.actor().map_or(0.0, |actor| actor.player.position().time)
    }

    /// The clip's length in seconds.
    #[wasm_bindgen(getter)]
    pub fn duration(&self) -> f64 {
        self.stage.actor().map_or(0.0, |actor| actor.player.duration())
    }

    /// How many passes are complete.
    #[wasm_bindgen(getter)]
    pub fn iteration(&self) -> f64 {
        self.stage.actor().map_or(0.0, |actor| actor.player.position().passes as f64)
    }

    /// Whether all passes are played.
    #[wasm_bindgen(getter)]
    pub fn finished(&self) -> bool {
        self.stage.actor().is_some_and(|actor| actor.player.position().finished)
    }

    /// Clip seconds per second: any finite number.
    #[wasm_bindgen(getter)]
    pub fn rate(&self) -> f64 {
        self.stage.actor().map_or(1.0, |actor| actor.player.rate())
    }

    /// Sets the rate; the playhead does not move.
    #[wasm_bindgen(setter)]
    pub fn set_rate(&mut self, rate: f64) {
        self.with_player(|player| player.set_rate(rate));
    }

    /// `"once"`, `"repeat"` or `"pingpong"`.
    #[wasm_bindgen(getter, js_name = loopMode)]
    pub fn loop_mode(&self) -> String {
        let mode = self.stage.actor().map_or(LoopMode::Repeat, |actor| actor.player.loop_mode());
        match mode {
            LoopMode::Once => "once",
            LoopMode::Repeat => "repeat",
            LoopMode::PingPong => "pingpong",
        }
        .to_owned()
    }

    /// Sets the loop mode; other words are ignored.
    #[wasm_bindgen(setter, js_name = loopMode)]
    pub fn set_loop_mode(&mut self, mode: &str) {
        let mode = match mode {
            "once" => LoopMode::Once,
            "repeat" => LoopMode::Repeat,
            "pingpong" => LoopMode::PingPong,
            _ => return,
        };
        self.with_player(|player| player.set_loop_mode(mode));
    }

    /// How many passes are played.
    #[wasm_bindgen(getter)]
    pub fn repetitions(&self) -> f64 {
        self.stage.actor().map_or(f64::INFINITY, |actor| actor.player.repetitions())
    }

    /// Sets how many passes are played: 1 or more, or infinity.
    #[wasm_bindgen(setter)]
    pub fn set_repetitions(&mut self, repetitions: f64) {
        self.with_player(|player| player.set_repetitions(repetitions));
    }

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

    /// Frames the character.
    #[wasm_bindgen(js_name = resetCamera)]
    pub fn reset_camera(&mut self) {
        self.stage.reset_camera();
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

    /// Whether the browser took the context away.
    #[wasm_bindgen(getter, js_name = contextLost)]
    pub fn context_lost(&self) -> bool {
        self.context.is_context_lost()
    }

    /// A hash of all bits of the pose at the playhead, in hexadecimal; empty without a model.
    #[wasm_bindgen(js_name = poseHash)]
    pub fn pose_hash(&mut self) -> String {
        self.stage.actor_mut().map_or_else(String::new, |actor| {
            actor.update();
            format!("{:016x}", pose_hash(actor.palette(), &actor.pose().weights))
        })
    }

    /// How many GL objects there are: `{ buffers, textures, … }`.
    #[wasm_bindgen(js_name = liveObjects)]
    pub fn live_objects(&self) -> JsValue {
        let live = self.stage.live_objects();
        let count = |count: usize| JsValue::from_f64(count as f64);
        object([
            ("buffers", count(live.buffers)),
            ("textures", count(live.textures)),
            ("samplers", count(live.samplers)),
            ("vertexArrays", count(live.vertex_arrays)),
            ("programs", count(live.programs)),
            ("shaders", count(live.shaders)),
            ("framebuffers", count(live.framebuffers)),
        ])
    }
}

impl Stage {
    fn with_player(&mut self, act: impl FnOnce(&mut Player)) {
        if let Some(actor) = self.stage.actor_mut() {
            act(&mut actor.player);
        }
    }
}

fn event_object(event: &Event) -> JsValue {
    let kind = match &event.kind {
        EventKind::Play => "play",
        EventKind::Pause => "pause",
        EventKind::Seeking => "seeking",
        EventKind::Seeked => "seeked",
        EventKind::TimeUpdate => "timeupdate",
        EventKind::Marker { .. } => "marker",
        EventKind::Loop { .. } => "loop",
        EventKind::Finished => "finished",
        EventKind::ClipChange { .. } => "clipchange",
        EventKind::RateChange => "ratechange",
    };
    let object = object([("type", kind.into()), ("time", event.time.into())]);
    let index = |clip: Option<ClipId>| clip.map_or(-1, |clip| clip.index() as i32);
    match &event.kind {
        EventKind::Marker { name } => set(&object, "name", &**name),
        EventKind::Loop { iteration } => set(&object, "iteration", *iteration as f64),
        EventKind::ClipChange { from, to } => {
            set(&object, "from", index(*from));
            set(&object, "to", index(*to));
        }
        _ => {}
    }
    if event.skipped > 0 {
        set(&object, "skipped", event.skipped as f64);
    }
    object
}
