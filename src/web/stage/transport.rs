//! What actors play: each call names an actor and one of its tracks.

use super::super::numbered::{index, number, number_of, numbered, word};
use super::super::rest::need_rest;
use super::Stage;
use crate::animation::{LoopMode, RootMotion, Transport};
use crate::model::ClipId;
use crate::rare::rare;
use crate::viewer::{ActorId, StageError};
use wasm_bindgen::prelude::*;

/// The track below all layers.
pub(super) const BASE: u32 = 0;

/// The numbers of loop modes, as in `core.ts`.
pub(super) const LOOP_MODES: [LoopMode; 3] = [LoopMode::Repeat, LoopMode::Once, LoopMode::PingPong];

/// The numbers of what becomes of the way that clips go, as in `core.ts`.
const ROOT_MOTIONS: [RootMotion; 3] = [RootMotion::Keep, RootMotion::InPlace, RootMotion::Accumulate];

numbered! {
    /// What there is to know about a track; or, from `Clip` on, about the actor, whatever the track.
    enum ActorValue {
        /// 1 while the playhead stands still because nobody plays, else 0.
        Paused,
        /// The playhead in seconds of the clip.
        CurrentTime,
        /// The clip's length in seconds.
        Duration,
        /// How many passes are complete.
        Iteration,
        /// 1 when all passes are played, else 0.
        Finished,
        /// Clip seconds per second.
        Rate,
        /// One of `LOOP_MODES`.
        LoopMode,
        /// How many passes are played.
        Repetitions,
        /// Where what is played begins, in seconds.
        SegmentBegin,
        /// Where it ends.
        SegmentEnd,
        /// The timeline's time at which playing began; NaN for none.
        StartTime,
        /// The current clip of the base; −1 without one, and while it plays a blend space.
        Clip,
        /// The variant of materials, an index of the asset's `variants`; −1 for none.
        Variant,
        /// The actor's camera that is looked through, an index of the asset's `cameras`; −1 for the stage's own or another's.
        ViewCamera,
    }
}

numbered! {
    /// What can be done to a track; or, from `Clip` on, to the actor, whatever the track.
    enum ActorChange {
        /// Plays what the track has.
        Play,
        /// Stops the playhead where it is.
        Pause,
        /// Pauses and goes back to the beginning.
        Stop,
        /// Sets the playhead, clamped to the clip.
        Seek,
        /// Pauses and moves the playhead by frames.
        Step,
        /// Sets the rate, any finite number; the playhead does not move.
        Rate,
        /// Sets the loop mode, one of `LOOP_MODES`.
        LoopMode,
        /// Sets how many passes are played: 1 or more, or infinity.
        Repetitions,
        /// Sets what is played, from its begin to its end; NaN is the clip's own.
        Segment,
        /// Plays as if playing had begun at that time of the timeline.
        StartTime,
        /// Sets the playhead to a fraction of the segment, as a clock that tells progress does.
        Progress,
        /// Makes a clip the current one of the base, at its beginning.
        Clip,
        /// Chooses a variant of materials; −1 is none.
        Variant,
        /// Looks through a camera of the actor's file; −1 is the stage's own.
        ViewCamera,
        /// Says what becomes of the way that clips go over the ground, one of `ROOT_MOTIONS`.
        RootMotion,
        /// Takes it off the stage. Those that follow it stay where they stand.
        Remove,
        /// Makes it follow nobody; it stays where it stands.
        Detach,
        /// Leaves a joint to its animation again.
        ClearOverride,
    }
}

#[wasm_bindgen]
impl Stage {
    /// An [`ActorValue`].
    #[wasm_bindgen(js_name = actorValue)]
    pub fn actor_value(&mut self, actor: u32, track: u32, which: u32) -> Result<f64, JsValue> {
        let Some(which) = ActorValue::of(which) else { return Ok(f64::NAN) };
        let played = self.track(actor, track)?;
        let yes = |yes: bool| f64::from(u8::from(yes));
        Ok(match which {
            ActorValue::Paused => yes(played.paused()),
            ActorValue::CurrentTime => played.position().time,
            ActorValue::Duration => played.duration(),
            ActorValue::Iteration => played.position().passes as f64,
            ActorValue::Finished => yes(played.position().finished),
            ActorValue::Rate => played.rate(),
            ActorValue::LoopMode => number(&LOOP_MODES, &played.loop_mode()),
            ActorValue::Repetitions => played.repetitions(),
            ActorValue::SegmentBegin => played.segment().start,
            ActorValue::SegmentEnd => played.segment().end,
            ActorValue::StartTime => played.start_time().unwrap_or(f64::NAN),
            ActorValue::Clip => number_of(self.member(actor)?.actor.player.clip().map(ClipId::index)),
            ActorValue::Variant => {
                number_of(self.member(actor)?.actor.variant.map(|variant| variant.index()))
            }
            ActorValue::ViewCamera => {
                let through = self.stage.view_camera().filter(|(id, _)| id.number() == actor);
                number_of(through.map(|(_, index)| index))
            }
        })
    }

    /// Makes an [`ActorChange`] with the numbers that it needs; those that are left out are NaN. Returns the number of the
    /// playback then, which events carry.
    #[wasm_bindgen(js_name = changeActor)]
    pub fn change_actor(
        &mut self,
        actor: u32,
        track: u32,
        which: u32,
        a: f64,
        b: f64,
    ) -> Result<f64, JsValue> {
        let Some(which) = ActorChange::of(which) else { return Ok(f64::NAN) };
        if matches!(which, ActorChange::RootMotion | ActorChange::Detach | ActorChange::ClearOverride) {
            need_rest()?;
        }
        let id = ActorId::new(actor);
        match which {
            ActorChange::Clip => {
                if let clip @ Some(_) = self.clip_id(actor, a)? {
                    self.stage.actor_mut(id)?.player.choose(clip);
                }
            }
            ActorChange::Variant => self.stage.set_variant(id, index(a))?,
            ActorChange::ViewCamera => self.stage.set_view_camera(id, index(a))?,
            ActorChange::RootMotion => {
                let motion = word(&ROOT_MOTIONS, a).unwrap_or_default();
                rare(|| self.stage.set_root_motion(id, motion))?;
            }
            ActorChange::Remove => {
                self.stage.remove(id)?;
                return Ok(f64::NAN);
            }
            ActorChange::Detach => rare(|| self.stage.detach(id))?,
            ActorChange::ClearOverride => rare(|| self.clear_override(actor, a))?,
            _ => {}
        }
        let mut played = self.stage.track_mut(id, layer(track))?;
        match which {
            ActorChange::Play => _ = if a == 1.0 { played.replay() } else { played.play() },
            ActorChange::Pause => played.pause(),
            ActorChange::Stop => played.stop(),
            ActorChange::Seek => played.seek(a),
            ActorChange::Step => played.step(a as i32),
            ActorChange::Rate => played.set_rate(a),
            ActorChange::LoopMode => {
                if let Some(mode) = word(&LOOP_MODES, a) {
                    played.set_loop_mode(mode);
                }
            }
            ActorChange::Repetitions => played.set_repetitions(a),
            ActorChange::Segment => played.set_segment(Some(a..b)),
            ActorChange::StartTime => played.set_start_time(a),
            ActorChange::Progress => played.scrub(a),
            _ => {}
        }
        Ok(played.playback() as f64)
    }
}

/// The layer that a track is; none for the base.
pub(super) fn layer(track: u32) -> Option<u32> {
    (track != BASE).then_some(track)
}

impl Stage {
    fn track(&mut self, actor: u32, track: u32) -> Result<Transport<'_>, StageError> {
        self.stage.track(ActorId::new(actor), layer(track))
    }

    /// A clip of the actor's model; `None` for an index that is none of them.
    pub(super) fn clip_id(&self, actor: u32, number: f64) -> Result<Option<ClipId>, StageError> {
        let count = self.member(actor)?.asset.model.clips.len();
        Ok(index(number).filter(|&index| index < count).map(ClipId::new))
    }
}
