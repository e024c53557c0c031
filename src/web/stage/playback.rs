//! Playback: the transport of each track of an actor.

use super::Stage;
use super::shared::{BASE, Shared};
use crate::animation::{Player, Source, TransitionOptions, Transport};
use crate::model::Marker;
use crate::viewer::StageError;
use crate::web::rest::{deferred_methods, need_rest};
use crate::web::words::{LoopMode, SyncMode, TransitionMode};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Plays, pauses and seeks. A returned number is that of the current playback, which its events carry.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Playback {
    shared: Rc<Shared>,
}

#[wasm_bindgen]
impl Playback {
    /// The playback of a stage.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Playback {
        Self { shared: Rc::clone(&stage.shared) }
    }

    /// Plays the track from its current position, or from its beginning if it has finished.
    pub fn play(&self, actor: u32, track: u32) -> Result<f64, StageError> {
        self.shared.change_track(actor, track, |transport| _ = transport.play())
    }

    /// Plays from the beginning, as a new playback.
    pub fn replay(&self, actor: u32, track: u32) -> Result<f64, StageError> {
        self.shared.change_track(actor, track, |transport| _ = transport.replay())
    }

    /// Pauses at the current position.
    pub fn pause(&self, actor: u32, track: u32) -> Result<(), StageError> {
        self.change(actor, track, |transport| transport.pause())
    }

    /// Pauses and seeks to the beginning of the segment.
    pub fn stop(&self, actor: u32, track: u32) -> Result<(), StageError> {
        self.change(actor, track, |transport| transport.stop())
    }

    /// Sets the playhead, in seconds, clamped to the clip.
    pub fn seek(&self, actor: u32, track: u32, time: f64) -> Result<(), StageError> {
        self.change(actor, track, |transport| transport.seek(time))
    }

    /// Pauses and moves the playhead by whole frames of the clip; backwards if negative.
    pub fn step(&self, actor: u32, track: u32, frames: f64) -> Result<(), StageError> {
        self.change(actor, track, |transport| transport.step(frames as i32))
    }

    /// Sets the playhead to a fraction of the segment, `0..=1`, for a clock that reports progress.
    #[wasm_bindgen(js_name = setProgress)]
    pub fn set_progress(&self, actor: u32, track: u32, fraction: f64) -> Result<(), StageError> {
        self.change(actor, track, |transport| transport.scrub(fraction))?;
        self.shared.player(actor, Player::scrubbed)
    }

    /// Plays as if playback had started at a time of the timeline, in seconds.
    #[wasm_bindgen(js_name = setStartTime)]
    pub fn set_start_time(&self, actor: u32, track: u32, time: f64) -> Result<f64, StageError> {
        self.shared.change_track(actor, track, |transport| transport.set_start_time(time))
    }

    /// Sets the playback rate in clip seconds per second, any finite number. The playhead does not move.
    #[wasm_bindgen(js_name = setRate)]
    pub fn set_rate(&self, actor: u32, track: u32, rate: f64) -> Result<(), StageError> {
        self.shared.set_track(actor, track, |transport| transport.set_rate(rate))
    }

    /// Sets the behaviour at the end of the clip. The playhead does not move.
    #[wasm_bindgen(js_name = setLoopMode)]
    pub fn set_loop_mode(&self, actor: u32, track: u32, mode: LoopMode) -> Result<(), StageError> {
        self.shared.set_track(actor, track, |transport| transport.set_loop_mode(mode.into()))
    }

    /// Sets the number of passes: 1 or more, or infinity.
    #[wasm_bindgen(js_name = setRepetitions)]
    pub fn set_repetitions(&self, actor: u32, track: u32, count: f64) -> Result<(), StageError> {
        self.shared.set_track(actor, track, |transport| transport.set_repetitions(count))
    }

    /// Sets the segment of the clip that is played, in seconds; nothing for the clip's own start or end.
    #[wasm_bindgen(js_name = setSegment)]
    pub fn set_segment(
        &self,
        actor: u32,
        track: u32,
        begin: Option<f64>,
        end: Option<f64>,
    ) -> Result<(), StageError> {
        let segment = begin.unwrap_or(f64::NAN)..end.unwrap_or(f64::NAN);
        self.shared.set_track(actor, track, |transport| transport.set_segment(Some(segment)))
    }

    /// Makes a clip, by its index, the current one of the base, at its beginning.
    #[wasm_bindgen(js_name = setClip)]
    pub fn set_clip(&self, actor: u32, clip: u32) -> Result<f64, StageError> {
        let clip = self.shared.clip(actor, clip)?;
        self.shared.player(actor, |player| player.choose(Some(clip)))?;
        self.shared.change_track(actor, BASE, |_| ())
    }

    /// Sets the default transition, with its duration in seconds.
    ///
    /// # Errors
    /// `load/chunk`, for a crossfade.
    #[wasm_bindgen(js_name = setTransition)]
    pub fn set_transition(&self, actor: u32, mode: TransitionMode, seconds: f64) -> Result<(), JsValue> {
        if matches!(mode, TransitionMode::Crossfade) {
            need_rest()?;
        }
        Ok(self.shared.player(actor, |player| player.set_transition(mode.lasting(seconds)))?)
    }
}

deferred_methods! {
    impl Playback {
        /// Replaces the source of the base by a clip or a blend space, and plays it.
        ///
        /// - `clips`, `space`, `in_step`: the source, see [`Shared::source`].
        /// - `mode`, `seconds`: the transition; without a mode it is the actor's default.
        /// - `sync`: the synchronization of the start with the old source.
        /// - `at`: the start time in seconds, which takes precedence over `sync`.
        ///
        /// # Errors
        /// `clip/not-found`, `blend-space/…`.
        #[wasm_bindgen(js_name = transitionTo)]
        pub fn transition_to(
            this,
            actor: u32,
            clips: &[u32],
            space: &[f32],
            in_step: SyncMode,
            mode: Option<TransitionMode>,
            seconds: f64,
            sync: SyncMode,
            at: Option<f64>,
        ) -> Result<f64, StageError> {
            let source = this.shared.source(actor, clips, space, in_step)?;
            let transition = mode.map(|mode| mode.lasting(seconds));
            let options = TransitionOptions { transition, sync: sync.into(), at };
            this.shared.player(actor, |player| player.transition_to(source, &options) as f64)
        }

        /// Replaces the markers of a clip, for this actor: as many names as times, in seconds of the clip.
        ///
        /// # Errors
        /// `clip/not-found`.
        #[wasm_bindgen(js_name = setMarkers)]
        pub fn set_markers(
            this,
            actor: u32,
            clip: u32,
            names: Vec<String>,
            times: &[f64],
        ) -> Result<(), StageError> {
            let clip = this.shared.clip(actor, clip)?;
            let marker = |(name, &time): (String, &f64)| Marker { name, time };
            let markers: Vec<_> = names.into_iter().zip(times).map(marker).collect();
            this.shared.player(actor, |player| player.set_markers(clip, &markers))
        }
    }
}

impl Playback {
    fn change(
        &self,
        actor: u32,
        track: u32,
        change: impl FnOnce(&mut Transport<'_>),
    ) -> Result<(), StageError> {
        self.shared.change_track(actor, track, change).map(|_| ())
    }
}

impl Shared {
    /// Creates a source for an actor: a clip or a blend space.
    ///
    /// - `clips`: the index of a clip, or those of a blend space.
    /// - `space`: empty for a clip. For a blend space two numbers for its parameter, then two for the
    ///   position of each clip.
    /// - `in_step`: the synchronization of the clips of a blend space, by markers or by phase.
    pub(super) fn source(
        &self,
        actor: u32,
        clips: &[u32],
        space: &[f32],
        in_step: SyncMode,
    ) -> Result<Source, StageError> {
        let &[x, y, ref places @ ..] = space else {
            let &first = clips.first().ok_or(StageError::NoClip)?;
            return Ok(Source::Clip(self.clip(actor, first)?));
        };
        let mut points = Vec::with_capacity(clips.len());
        for (&clip, place) in clips.iter().zip(places.chunks_exact(2)) {
            points.push((self.clip(actor, clip)?, [place[0], place[1]]));
        }
        let mut space =
            self.member(actor, |member| member.actor.player.blend_space(&points, in_step.into()))??;
        space.set_position([x, y]);
        Ok(Source::Space(Box::new(space)))
    }
}
