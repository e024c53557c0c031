//! Plays one clip of a model: what a page's play, pause and seek mean.

use super::timeline::{Action, LoopMode, MOST_PASSES, Position};
use crate::model::{Clip, ClipId};

/// The longest step that one frame advances the timeline by, in seconds: a page that hung does not jump.
pub const MAX_STEP: f64 = 0.1;

/// How many events one advance delivers at most; the first of them says how many were left out before it.
const MAX_EVENTS: u64 = 64;

/// How far apart `TimeUpdate` events are at least, in seconds.
const UPDATE_INTERVAL: f64 = 0.25;

/// Something that happened to a [`Player`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The exact clip time at which it happened, in seconds; not the frame's.
    pub time: f64,
    /// How many events of the same advance were left out before this one.
    pub skipped: u64,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// Playing began.
    Play,
    /// Playing was paused.
    Pause,
    /// A seek was asked for.
    Seeking,
    /// The frame that a seek asked for was shown.
    Seeked,
    /// Time went on: at most four times a second.
    TimeUpdate,
    /// A pass ended and another begins.
    Loop {
        /// How many passes are complete.
        iteration: u64,
    },
    /// The last pass ended.
    Finished,
    /// Another clip was chosen.
    ClipChange {
        /// The clip before, if there was one.
        from: Option<ClipId>,
        /// The clip now.
        to: Option<ClipId>,
    },
    /// The rate was changed.
    RateChange,
}

/// One clip at a time on one timeline.
///
/// The playhead is a pure function of the timeline's time (see [`Action`]); events queue up until
/// [`Player::drain_events`].
#[derive(Debug, Clone)]
pub struct Player {
    clips: Vec<ClipInfo>,
    clip: Option<ClipId>,
    /// The timeline's time, in seconds.
    now: f64,
    /// The current clip's place on the timeline; while paused it stands still at its start.
    action: Action,
    paused: bool,
    seek_is_pending: bool,
    last_update: f64,
    events: Vec<Event>,
}

#[derive(Debug, Clone, Copy)]
struct ClipInfo {
    duration: f64,
    frames_per_second: f64,
}

impl Player {
    /// A paused player at time 0 of the first clip, if there is one.
    pub fn new(clips: &[Clip]) -> Self {
        let info = |clip: &Clip| ClipInfo {
            duration: f64::from(clip.duration),
            frames_per_second: clip.frames_per_second(),
        };
        let clips: Vec<_> = clips.iter().map(info).collect();
        let duration = clips.first().map_or(0.0, |clip| clip.duration);
        Self {
            clip: (!clips.is_empty()).then_some(ClipId::new(0)),
            clips,
            now: 0.0,
            action: Action::new(duration, 0.0),
            paused: true,
            seek_is_pending: false,
            last_update: 0.0,
            events: Vec::new(),
        }
    }

    /// The current clip.
    pub fn clip(&self) -> Option<ClipId> {
        self.clip
    }

    /// The current clip's length in seconds; 0 without a clip.
    pub fn duration(&self) -> f64 {
        self.action.duration
    }

    /// Whether the playhead stands still because nobody plays.
    pub fn paused(&self) -> bool {
        self.paused
    }

    /// Where the playhead is.
    pub fn position(&self) -> Position {
        self.action.at(self.clock())
    }

    /// Whether the next advance would move the playhead.
    pub fn is_moving(&self) -> bool {
        !self.paused && self.clip.is_some() && self.action.rate != 0.0
    }

    /// Plays `clip`, or the current one; from its beginning if it is another one, has finished, or stands where the
    /// last pass ends. Backwards, the beginning is the clip's end.
    ///
    /// # Panics
    /// If the clip is not of this player's model.
    pub fn play(&mut self, clip: Option<ClipId>) {
        self.choose(clip);
        if self.clip.is_none() {
            return;
        }
        // As in the Web Animations API: who stands at the end plays from the beginning.
        if self.paused && self.action.is_over() {
            self.restart();
        }
        if self.paused {
            self.paused = false;
            self.action.start = self.now;
            self.emit(EventKind::Play);
        }
    }

    /// Makes `clip` the current one, at its beginning (at its end if the rate is negative); `None` or the current clip changes nothing.
    ///
    /// # Panics
    /// If the clip is not of this player's model.
    pub fn choose(&mut self, clip: Option<ClipId>) {
        let Some(to) = clip.filter(|_| clip != self.clip) else { return };
        let from = self.clip.replace(to);
        self.action.duration = self.clips[to.index()].duration;
        self.restart();
        self.emit(EventKind::ClipChange { from, to: Some(to) });
    }

    /// Stops the playhead where it is.
    pub fn pause(&mut self) {
        if !self.paused {
            self.rebase();
            self.paused = true;
            self.emit(EventKind::Pause);
        }
    }

    /// Pauses and goes back to the beginning.
    pub fn stop(&mut self) {
        self.pause();
        self.seek(0.0);
    }

    /// Sets the playhead to `time` seconds, clamped to the clip; NaN is 0. Counts passes anew, forwards.
    pub fn seek(&mut self, time: f64) {
        self.place(if time.is_nan() { 0.0 } else { time.clamp(0.0, self.action.duration) });
        self.seek_is_pending = true;
        self.emit(EventKind::Seeking);
    }

    /// Pauses and moves the playhead by whole frames of the clip, within it; see [`Clip::frames_per_second`].
    pub fn step(&mut self, frames: i32) {
        self.pause();
        let Some(clip) = self.clip else { return };
        let rate = self.clips[clip.index()].frames_per_second;
        // From between two frames, one step goes to the nearest frame in its direction.
        let here = self.position().time * rate;
        let near = here.round();
        let from = match (here - near).abs() < 1e-3 {
            true => near,
            false if frames < 0 => here.ceil(),
            false => here.floor(),
        };
        self.seek((from + f64::from(frames)) / rate);
    }

    /// Clip seconds per second.
    pub fn rate(&self) -> f64 {
        self.action.rate
    }

    /// Sets the rate: any finite number; the playhead does not move. Others are ignored.
    pub fn set_rate(&mut self, rate: f64) {
        if rate.is_finite() && rate != self.action.rate {
            self.rebase();
            self.action.rate = rate;
            self.emit(EventKind::RateChange);
        }
    }

    /// What happens at the clip's end.
    pub fn loop_mode(&self) -> LoopMode {
        self.action.loop_mode
    }

    /// Sets what happens at the clip's end; the playhead does not move, and a pass that has begun is played to its end.
    pub fn set_loop_mode(&mut self, mode: LoopMode) {
        self.set_passes(|action| {
            action.loop_mode = mode;
            action.backwards &= mode == LoopMode::PingPong;
        });
    }

    /// How many passes are played, counted from the last start or seek; infinite for endless.
    pub fn repetitions(&self) -> f64 {
        self.action.repetitions
    }

    /// Sets how many passes are played: rounded up to a whole number of at least 1; NaN and more than 2⁵³ are endless.
    ///
    /// The playhead does not move, and a pass that has begun is played to its end.
    pub fn set_repetitions(&mut self, repetitions: f64) {
        let whole = repetitions.ceil().max(1.0);
        let endless = repetitions.is_nan() || whole > MOST_PASSES;
        self.set_passes(|action| action.repetitions = if endless { f64::INFINITY } else { whole });
    }

    /// Advances the timeline by `dt` seconds; a `dt` that is negative or not finite does nothing.
    pub fn advance(&mut self, dt: f64) {
        if !(dt > 0.0 && dt.is_finite()) {
            return;
        }
        let before = self.position();
        self.now = (self.now + dt).min(f64::MAX);
        if !self.is_moving() {
            return;
        }
        let after = self.position();
        self.emit_passes(before.passes, &after);
        if after.finished {
            self.rebase();
            self.paused = true;
        }
        if self.now - self.last_update >= UPDATE_INTERVAL || after.finished {
            self.last_update = self.now;
            self.emit(EventKind::TimeUpdate);
        }
    }

    /// Tells that the current position was shown.
    pub fn presented(&mut self) {
        if std::mem::take(&mut self.seek_is_pending) {
            self.emit(EventKind::Seeked);
        }
    }

    /// Takes the events since the last call, oldest first.
    pub fn drain_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    fn emit_passes(&mut self, before: u64, after: &Position) {
        let first = (before + 1).max((after.passes + 1).saturating_sub(MAX_EVENTS));
        for pass in first..=after.passes {
            let last = after.finished && pass == after.passes;
            let kind = if last { EventKind::Finished } else { EventKind::Loop { iteration: pass } };
            let time = self.action.end_of_pass(pass).map_or(after.time, |(_, time)| time);
            let skipped = if pass == first { first - (before + 1) } else { 0 };
            self.events.push(Event { kind, time, skipped });
        }
    }

    /// Changes how many passes there are, between two of them.
    fn set_passes(&mut self, change: impl FnOnce(&mut Action)) {
        self.rebase();
        let finished = self.position().finished;
        // A clip that stopped on its way because fewer passes are asked for would stand where no end is.
        self.action.least_passes = if finished { 0 } else { self.action.passes + 1 };
        change(&mut self.action);
        if finished && !self.position().finished {
            // The last pass becomes one that ends now, so that playing on completes it.
            self.action.passes -= 1;
        }
    }

    /// To the beginning of what will be played.
    fn restart(&mut self) {
        self.place(if self.action.rate < 0.0 { self.action.duration } else { 0.0 });
    }

    fn place(&mut self, offset: f64) {
        let start = self.now;
        self.action = Action { start, offset, least_passes: 0, passes: 0, backwards: false, ..self.action };
    }

    fn rebase(&mut self) {
        self.action = self.action.rebased(self.clock());
        self.action.start = self.now;
    }

    /// The timeline's time as the action sees it.
    fn clock(&self) -> f64 {
        if self.paused { self.action.start } else { self.now }
    }

    fn emit(&mut self, kind: EventKind) {
        let time = self.position().time;
        self.events.push(Event { kind, time, skipped: 0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player() -> Player {
        let clip = |duration| Clip { duration, ..Clip::default() };
        Player::new(&[clip(2.0), clip(0.5), clip(0.0)])
    }

    fn kinds(player: &mut Player) -> Vec<EventKind> {
        player.drain_events().into_iter().map(|event| event.kind).collect()
    }

    #[test]
    fn without_clips_everything_is_a_no_op() {
        let mut player = Player::new(&[]);
        player.play(None);
        player.advance(1.0);
        player.step(1);
        player.seek(3.0);
        assert_eq!((player.position().time, player.paused()), (0.0, true));
    }

    #[test]
    fn nonsense_numbers_do_no_harm() {
        let mut player = player();
        player.play(None);
        player.seek(f64::NAN);
        player.set_rate(f64::INFINITY);
        player.set_repetitions(f64::NAN);
        player.advance(f64::NAN);
        player.advance(-1.0);
        assert_eq!((player.position().time, player.rate()), (0.0, 1.0));
        player.set_repetitions(-7.0);
        assert_eq!(player.repetitions(), 1.0);
    }

    #[test]
    fn the_end_can_be_shown_at_any_rate_before_and_after_playing() {
        for rate in [1.0, 0.5, 0.0, -1.0] {
            for mode in [LoopMode::Once, LoopMode::Repeat, LoopMode::PingPong] {
                let mut player = player();
                player.set_rate(rate);
                player.set_loop_mode(mode);
                player.seek(2.0);
                assert_eq!(player.position().time, 2.0, "before play");
                player.play(None);
                player.advance(7.3);
                player.seek(99.0);
                assert_eq!(player.position().time, 2.0, "{rate} {mode:?}");
            }
        }
    }

    #[test]
    fn play_once_finishes_once_and_plays_again_from_the_start() {
        let mut player = player();
        player.set_loop_mode(LoopMode::Once);
        for _ in 0..1000 {
            player.play(None);
            player.advance(1.5);
            player.advance(1.5);
            player.advance(1.5);
            assert_eq!((player.position().time, player.paused()), (2.0, true));
            let finished = kinds(&mut player).iter().filter(|&&kind| kind == EventKind::Finished).count();
            assert_eq!(finished, 1);
        }
        player.seek(1.0);
        assert_eq!(player.position().time, 1.0, "a finished clip can be scrubbed");
    }

    #[test]
    fn who_stands_at_the_end_plays_from_the_beginning() {
        for (rate, end, beginning) in [(1.0, 2.0, 0.0), (-1.0, 0.0, 2.0)] {
            let mut player = player();
            player.set_loop_mode(LoopMode::Once);
            player.set_rate(rate);
            player.seek(end);
            player.play(None);
            assert_eq!(player.position().time, beginning);
            player.advance(0.5);
            assert!(!player.paused() && (player.position().time - beginning).abs() == 0.5);
        }
    }

    #[test]
    fn calls_in_one_task_act_in_call_order() {
        let mut player = player();
        player.choose(Some(ClipId::new(1)));
        player.seek(0.25);
        player.set_repetitions(1.0);
        player.play(None);
        assert_eq!(player.position().time, 0.25);
        let change = EventKind::ClipChange { from: Some(ClipId::new(0)), to: Some(ClipId::new(1)) };
        assert_eq!(kinds(&mut player), [change, EventKind::Seeking, EventKind::Play]);
        player.advance(0.25);
        assert_eq!(kinds(&mut player), [EventKind::Finished, EventKind::TimeUpdate]);
    }

    #[test]
    fn a_long_step_loses_no_loop_and_floods_nobody() {
        let mut player = player();
        player.play(None);
        player.drain_events();
        player.advance(61.0);
        let events = player.drain_events();
        let loops: Vec<_> =
            events.iter().filter(|event| matches!(event.kind, EventKind::Loop { .. })).collect();
        assert_eq!(loops.len(), 30);
        assert!(loops.iter().all(|event| event.time == 2.0 && event.skipped == 0));
        player.set_rate(1e6);
        player.drain_events();
        player.advance(1.0);
        let events = player.drain_events();
        assert_eq!(events.len() as u64, MAX_EVENTS + 1, "and a time update");
        assert_eq!(events[0].skipped, 500_000 - MAX_EVENTS);
    }

    #[test]
    fn the_rate_never_moves_the_playhead() {
        let mut player = player();
        player.play(None);
        for (i, rate) in [3.0, -1.0, 0.0, -2.5, 0.1].into_iter().enumerate() {
            player.advance(0.3);
            let before = player.position().time;
            player.set_rate(rate);
            assert_eq!(player.position().time, before, "change {i}");
        }
    }

    #[test]
    fn a_paused_playhead_stands_still_and_goes_on_from_there() {
        let mut player = player();
        player.play(None);
        player.advance(0.75);
        player.pause();
        player.advance(5.0);
        assert_eq!(player.position().time, 0.75);
        player.play(None);
        player.advance(0.25);
        assert_eq!(player.position().time, 1.0);
    }

    #[test]
    fn steps_are_whole_frames_within_the_clip() {
        let mut player = player();
        player.play(None);
        player.advance(0.51);
        player.step(1);
        assert!(player.paused());
        let frame = 1.0 / Clip::default().frames_per_second();
        let at = player.position().time / frame;
        assert!((at - at.round()).abs() < 1e-9 && player.position().time > 0.51);
        player.step(-1000);
        assert_eq!(player.position().time, 0.0);
        player.step(100_000);
        assert_eq!(player.position().time, 2.0);
    }

    #[test]
    fn a_pass_that_has_begun_is_played_to_its_end() {
        for fewer in [
            |player: &mut Player| player.set_loop_mode(LoopMode::Once),
            |player: &mut Player| {
                player.set_repetitions(1.0);
            },
        ] {
            let mut player = player();
            player.play(None);
            player.advance(6.5);
            fewer(&mut player);
            assert_eq!((player.position().time, player.position().finished), (0.5, false));
            player.advance(1.0);
            assert!(!player.paused());
            player.drain_events();
            player.advance(1.0);
            assert_eq!((player.position().time, player.paused()), (2.0, true));
            assert_eq!(kinds(&mut player), [EventKind::Finished, EventKind::TimeUpdate]);
        }
    }

    #[test]
    fn more_passes_after_the_last_are_all_played() {
        let mut player = player();
        player.set_repetitions(1.0);
        player.play(None);
        player.advance(9.0);
        player.set_repetitions(3.0);
        player.drain_events();
        player.play(None);
        player.advance(4.5);
        let (one, two) = (EventKind::Loop { iteration: 1 }, EventKind::Loop { iteration: 2 });
        assert_eq!(player.position().time, 2.0, "two passes more, not one");
        assert_eq!(
            kinds(&mut player),
            [EventKind::Play, one, two, EventKind::Finished, EventKind::TimeUpdate]
        );
    }

    #[test]
    fn numbers_beyond_counting_neither_hang_nor_overflow() {
        let mut player = player();
        player.choose(Some(ClipId::new(2)));
        player.set_repetitions(1e300);
        player.play(None);
        player.advance(1.0);
        assert!(!player.position().finished, "more passes than can be counted are endless");
        player.choose(Some(ClipId::new(0)));
        player.set_rate(f64::MAX);
        for _ in 0..4 {
            player.advance(f64::MAX);
            player.advance(f64::INFINITY);
            let position = player.position();
            assert!((0.0..=2.0).contains(&position.time) && !position.finished);
        }
    }

    #[test]
    fn seeked_follows_the_frame() {
        let mut player = player();
        player.seek(1.0);
        player.seek(1.5);
        player.presented();
        player.presented();
        assert_eq!(kinds(&mut player), [EventKind::Seeking, EventKind::Seeking, EventKind::Seeked]);
    }
}
