//! Playback: the transport of each track of an actor.

use super::Stage;
use super::shared::{BASE, Shared};
use crate::animation::{self, Player, TransitionOptions, Transport};
use crate::model;
use crate::viewer::StageError;
use crate::web::structures::structures;
use crate::web::words::{LoopMode, SyncMode, TransitionMode};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

structures! {
    /// A transition; its duration is seconds.
    pub struct Transition: "Transition" {
        mode: TransitionMode,
        duration: f64,
    }

    /// A clip in a blend space; on a line `y` is 0.
    pub struct BlendPoint: "BlendPoint" {
        clip: u32,
        x: f32,
        y: f32,
    }

    /// A blend space: its clips, its parameter, and the synchronization of its clips, by markers or by phase.
    pub struct BlendSpace: "BlendSpace" {
        points: Vec<BlendPoint>,
        x: f32,
        y: f32,
        sync: SyncMode,
    }

    /// The source of a track: a clip or a blend space.
    pub struct Source: "Source" {
        clip: Option<u32>,
        space: Option<BlendSpace>,
    }

    /// A change to another source.
    pub struct SourceChange: "SourceChange" {
        source: Source,
        /// `undefined`: the actor's default.
        transition: Option<Transition>,
        /// The synchronization of the start with the old source.
        sync: SyncMode,
        /// The start time in seconds, which takes precedence over `sync`.
        time: Option<f64>,
    }

    /// The properties of a playback.
    pub struct PlaySettings: "PlaySettings" {
        /// Clip seconds per second, any finite number.
        rate: f64,
        /// The behaviour at the end of the clip.
        loop_mode as loopMode: LoopMode,
        /// The number of passes: 1 or more, or infinity.
        repetitions: f64,
    }

    /// A marker of a clip, in seconds of the clip.
    pub struct Marker: "Marker" {
        name: String,
        time: f64,
    }
}

impl From<Transition> for animation::Transition {
    fn from(Transition { mode, duration }: Transition) -> Self {
        mode.lasting(duration)
    }
}

/// Converts the transition of a call; `None` for the actor's default.
pub(super) fn transition(transition: Option<js::Transition>) -> Option<animation::Transition> {
    transition.map(|transition| Transition::from(&transition).into())
}

/// Converts the markers of a clip.
pub(super) fn markers(markers: &[js::Marker]) -> Vec<model::Marker> {
    let marker = |Marker { name, time }| model::Marker { name, time };
    markers.iter().map(|object| marker(object.into())).collect()
}

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

    /// Sets properties of the track. The playhead does not move, and equal ones have no effect.
    pub fn configure(&self, actor: u32, track: u32, settings: &js::PlaySettings) -> Result<(), StageError> {
        let PlaySettings { rate, loop_mode, repetitions } = settings.into();
        self.shared.set_track(actor, track, |transport| {
            let changes = [
                transport.set_rate(rate),
                transport.set_loop_mode(loop_mode.into()),
                transport.set_repetitions(repetitions),
            ];
            changes.contains(&true)
        })
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

    /// Sets the default transition.
    #[wasm_bindgen(js_name = setTransition)]
    pub fn set_transition(&self, actor: u32, transition: &js::Transition) -> Result<(), StageError> {
        let transition = Transition::from(transition).into();
        self.shared.player(actor, |player| player.set_transition(transition))
    }
}

#[wasm_bindgen]
impl Playback {
    /// Replaces the source of the base, and plays it.
    ///
    /// # Errors
    /// `clip/not-found`, `blend-space/…`.
    #[wasm_bindgen(js_name = transitionTo)]
    pub fn transition_to(&self, actor: u32, change: &js::SourceChange) -> Result<f64, StageError> {
        let SourceChange { source, transition, sync, time } = change.into();
        let source = self.shared.source(actor, source)?;
        let options =
            TransitionOptions { transition: transition.map(Into::into), sync: sync.into(), at: time };
        self.shared.player(actor, |player| player.transition_to(source, &options) as f64)
    }

    /// Replaces the markers of a clip, for this actor.
    ///
    /// # Errors
    /// `clip/not-found`.
    #[wasm_bindgen(js_name = setMarkers)]
    pub fn set_markers(&self, actor: u32, clip: u32, markers: Vec<js::Marker>) -> Result<(), StageError> {
        let clip = self.shared.clip(actor, clip)?;
        let markers = self::markers(&markers);
        self.shared.player(actor, |player| player.set_markers(clip, &markers))
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
    /// Creates a source for an actor.
    pub(super) fn source(&self, actor: u32, source: Source) -> Result<animation::Source, StageError> {
        let Source { clip, space } = source;
        let Some(BlendSpace { points, x, y, sync }) = space else {
            return Ok(animation::Source::Clip(self.clip(actor, clip.ok_or(StageError::NoClip)?)?));
        };
        let place = |BlendPoint { clip, x, y }| Ok((self.clip(actor, clip)?, [x, y]));
        let points = points.into_iter().map(place).collect::<Result<Vec<_>, StageError>>()?;
        let mut space =
            self.member(actor, |member| member.actor.player.blend_space(&points, sync.into()))??;
        space.set_position([x, y]);
        Ok(animation::Source::Space(Box::new(space)))
    }
}
