//! What actors play: each call names an actor and one of its tracks.

use super::Stage;
use crate::animation::{LoopMode, Transport};
use crate::model::ClipId;
use crate::viewer::{ActorId, StageError};
use wasm_bindgen::prelude::*;

/// The track below all layers.
pub(super) const BASE: u32 = 0;

#[wasm_bindgen(wasm_bindgen = crate::web::bindgen)]
impl Stage {
    /// Plays the base's clip of this index, or, with −1, what the track has. Returns the number of the playback, which
    /// events carry.
    pub fn play(&mut self, actor: u32, track: u32, clip: i32) -> Result<f64, JsValue> {
        self.choose(actor, track, clip)?;
        Ok(self.track_mut(actor, track)?.play() as f64)
    }

    /// Makes a clip the current one of the base, at its beginning. Layers keep what they were made with.
    pub fn choose(&mut self, actor: u32, track: u32, clip: i32) -> Result<(), JsValue> {
        let clip = self.clip_id(actor, clip)?;
        if track == BASE && clip.is_some() {
            self.stage.actor_mut(ActorId::new(actor))?.player.choose(clip);
        }
        Ok(())
    }

    /// Stops the playhead where it is.
    pub fn pause(&mut self, actor: u32, track: u32) -> Result<(), JsValue> {
        self.track_mut(actor, track)?.pause();
        Ok(())
    }

    /// Pauses and goes back to the beginning.
    pub fn stop(&mut self, actor: u32, track: u32) -> Result<(), JsValue> {
        self.track_mut(actor, track)?.stop();
        Ok(())
    }

    /// Sets the playhead, clamped to the clip.
    pub fn seek(&mut self, actor: u32, track: u32, time: f64) -> Result<(), JsValue> {
        self.track_mut(actor, track)?.seek(time);
        Ok(())
    }

    /// Pauses and moves the playhead by frames.
    pub fn step(&mut self, actor: u32, track: u32, frames: i32) -> Result<(), JsValue> {
        self.track_mut(actor, track)?.step(frames);
        Ok(())
    }

    /// Whether the playhead stands still because nobody plays.
    pub fn paused(&mut self, actor: u32, track: u32) -> Result<bool, JsValue> {
        Ok(self.track(actor, track)?.paused())
    }

    /// The current clip of the base, or −1: without one, and while it plays a blend space.
    pub fn clip(&self, actor: u32) -> Result<i32, JsValue> {
        Ok(self.member(actor)?.actor.player.clip().map_or(-1, |clip| clip.index() as i32))
    }

    /// The playhead in seconds of the clip.
    #[wasm_bindgen(js_name = currentTime)]
    pub fn current_time(&mut self, actor: u32, track: u32) -> Result<f64, JsValue> {
        Ok(self.track(actor, track)?.position().time)
    }

    /// The clip's length in seconds.
    pub fn duration(&mut self, actor: u32, track: u32) -> Result<f64, JsValue> {
        Ok(self.track(actor, track)?.duration())
    }

    /// How many passes are complete.
    pub fn iteration(&mut self, actor: u32, track: u32) -> Result<f64, JsValue> {
        Ok(self.track(actor, track)?.position().passes as f64)
    }

    /// Whether all passes are played.
    pub fn finished(&mut self, actor: u32, track: u32) -> Result<bool, JsValue> {
        Ok(self.track(actor, track)?.position().finished)
    }

    /// Clip seconds per second: any finite number.
    pub fn rate(&mut self, actor: u32, track: u32) -> Result<f64, JsValue> {
        Ok(self.track(actor, track)?.rate())
    }

    /// Sets the rate; the playhead does not move.
    #[wasm_bindgen(js_name = setRate)]
    pub fn set_rate(&mut self, actor: u32, track: u32, rate: f64) -> Result<(), JsValue> {
        self.track_mut(actor, track)?.set_rate(rate);
        Ok(())
    }

    /// `"once"`, `"repeat"` or `"pingpong"`.
    #[wasm_bindgen(js_name = loopMode)]
    pub fn loop_mode(&mut self, actor: u32, track: u32) -> Result<String, JsValue> {
        let mode = match self.track(actor, track)?.loop_mode() {
            LoopMode::Once => "once",
            LoopMode::Repeat => "repeat",
            LoopMode::PingPong => "pingpong",
        };
        Ok(mode.to_owned())
    }

    /// Sets the loop mode; other words are ignored.
    #[wasm_bindgen(js_name = setLoopMode)]
    pub fn set_loop_mode(&mut self, actor: u32, track: u32, mode: &str) -> Result<(), JsValue> {
        let mode = match mode {
            "once" => LoopMode::Once,
            "repeat" => LoopMode::Repeat,
            "pingpong" => LoopMode::PingPong,
            _ => return Ok(()),
        };
        self.track_mut(actor, track)?.set_loop_mode(mode);
        Ok(())
    }

    /// How many passes are played.
    pub fn repetitions(&mut self, actor: u32, track: u32) -> Result<f64, JsValue> {
        Ok(self.track(actor, track)?.repetitions())
    }

    /// Sets how many passes are played: 1 or more, or infinity.
    #[wasm_bindgen(js_name = setRepetitions)]
    pub fn set_repetitions(&mut self, actor: u32, track: u32, repetitions: f64) -> Result<(), JsValue> {
        self.track_mut(actor, track)?.set_repetitions(repetitions);
        Ok(())
    }

    /// What is played, in seconds: begin and end.
    pub fn segment(&mut self, actor: u32, track: u32) -> Result<Vec<f64>, JsValue> {
        let segment = self.track(actor, track)?.segment();
        Ok(vec![segment.start, segment.end])
    }

    /// Sets what is played; other than two numbers mean all.
    #[wasm_bindgen(js_name = setSegment)]
    pub fn set_segment(&mut self, actor: u32, track: u32, segment: &[f64]) -> Result<(), JsValue> {
        let segment = <[f64; 2]>::try_from(segment).ok().map(|[begin, end]| begin..end);
        self.track_mut(actor, track)?.set_segment(segment);
        Ok(())
    }

    /// The timeline's time at which playing began, or `undefined`.
    #[wasm_bindgen(js_name = startTime)]
    pub fn start_time(&mut self, actor: u32, track: u32) -> Result<Option<f64>, JsValue> {
        Ok(self.track(actor, track)?.start_time())
    }

    /// Plays as if playing had begun at that time of the timeline.
    #[wasm_bindgen(js_name = setStartTime)]
    pub fn set_start_time(&mut self, actor: u32, track: u32, time: f64) -> Result<(), JsValue> {
        self.track_mut(actor, track)?.set_start_time(time);
        Ok(())
    }

    /// Sets the playhead to a fraction of the segment, as a clock that tells progress does.
    #[wasm_bindgen(js_name = setProgress)]
    pub fn set_progress(&mut self, actor: u32, track: u32, fraction: f64) -> Result<(), JsValue> {
        self.track_mut(actor, track)?.scrub(fraction);
        Ok(())
    }

    /// The number of what is being played, which events carry.
    pub fn playback(&mut self, actor: u32, track: u32) -> Result<f64, JsValue> {
        Ok(self.track(actor, track)?.playback() as f64)
    }
}

impl Stage {
    fn track(&mut self, actor: u32, track: u32) -> Result<Transport<'_>, StageError> {
        self.stage.track(ActorId::new(actor), (track != BASE).then_some(track))
    }

    fn track_mut(&mut self, actor: u32, track: u32) -> Result<Transport<'_>, StageError> {
        self.stage.track_mut(ActorId::new(actor), (track != BASE).then_some(track))
    }

    /// A clip of the actor's model; `None` for an index that is none of them.
    pub(super) fn clip_id(&self, actor: u32, index: i32) -> Result<Option<ClipId>, StageError> {
        let count = self.member(actor)?.asset.model.clips.len();
        Ok(usize::try_from(index).ok().filter(|&index| index < count).map(ClipId::new))
    }
}
