//! Plays one clip of a model: what a page's play, pause and seek mean.

use super::events::{Event, EventKind, Journey, Mark, marks};
use super::playhead::{Journal, Playhead, Transport};
use super::timeline::{Action, LoopMode, Position};
use crate::model::{Clip, ClipId, Marker};
use std::ops::Range;
use std::rc::Rc;

/// The longest step that one frame advances the timeline by, in seconds: a page that hung does not jump.
pub const MAX_STEP: f64 = 0.1;

/// How far apart `TimeUpdate` events are at least, in seconds.
const UPDATE_INTERVAL: f64 = 0.25;

/// One clip at a time on one timeline.
///
/// The playhead is a pure function of the timeline's time (see [`Action`]); events queue up until
/// [`Player::drain_events`].
#[derive(Debug, Clone)]
pub struct Player {
    clips: Vec<ClipInfo>,
    base: Playhead,
    journal: Journal,
    journey: Journey,
    last_update: f64,
}

#[derive(Debug, Clone)]
struct ClipInfo {
    duration: f64,
    frames_per_second: f64,
    marks: Rc<[Mark]>,
}

impl Player {
    /// A paused player at the beginning of the first clip, if there is one; the timeline is at `now` seconds.
    pub fn new(clips: &[Clip], now: f64) -> Self {
        let info = |clip: &Clip| ClipInfo {
            duration: f64::from(clip.duration),
            frames_per_second: clip.frames_per_second(),
            marks: marks(&clip.markers),
        };
        let clips: Vec<_> = clips.iter().map(info).collect();
        let first = clips.first();
        let base = Playhead {
            source: first.map(|_| ClipId::new(0)),
            marks: first.map_or_else(|| Rc::new([]) as Rc<[Mark]>, |clip| Rc::clone(&clip.marks)),
            frames_per_second: first.map_or(30.0, |clip| clip.frames_per_second),
            layer: None,
            action: Action::new(first.map_or(0.0, |clip| clip.duration), now),
            paused: true,
            fresh: true,
            playback: 0,
            over: false,
        };
        let journal = Journal { now, ..Journal::default() };
        Self { clips, base, journal, journey: Journey::default(), last_update: now }
    }

    /// The timeline's time, in seconds.
    pub fn now(&self) -> f64 {
        self.journal.now
    }

    /// The controls of the base.
    pub fn base(&mut self) -> Transport<'_> {
        Transport { head: &mut self.base, journal: &mut self.journal }
    }

    /// The current clip.
    pub fn clip(&self) -> Option<ClipId> {
        self.base.source
    }

    /// The current clip's length in seconds; 0 without a clip.
    pub fn duration(&self) -> f64 {
        self.base.action.duration
    }

    /// Whether the playhead stands still because nobody plays, or because it has finished.
    pub fn paused(&self) -> bool {
        self.base.is_paused(self.journal.now)
    }

    /// Where the playhead is.
    pub fn position(&self) -> Position {
        self.base.at(self.journal.now)
    }

    /// Whether the next advance would move the playhead.
    pub fn is_moving(&self) -> bool {
        self.base.is_moving(self.journal.now)
    }

    /// Plays `clip`, or the current one; another one from its beginning. See [`Transport::play`].
    ///
    /// # Panics
    /// If the clip is not of this player's model.
    pub fn play(&mut self, clip: Option<ClipId>) -> u64 {
        self.choose(clip);
        self.base().play()
    }

    /// Makes `clip` the current one, at its beginning (at its end if the rate is negative), without a segment; `None` or
    /// the current clip changes nothing.
    ///
    /// # Panics
    /// If the clip is not of this player's model.
    pub fn choose(&mut self, clip: Option<ClipId>) {
        let Some(to) = clip.filter(|_| clip != self.base.source) else { return };
        let now = self.journal.now;
        self.base.settle(now);
        let from = self.base.source.replace(to);
        let info = &self.clips[to.index()];
        self.base.marks = Rc::clone(&info.marks);
        self.base.frames_per_second = info.frames_per_second;
        let duration = info.duration;
        self.base.action = Action { duration, begin: 0.0, end: duration, ..self.base.action };
        self.base.restart(now);
        self.base.over = false;
        self.base.playback = self.journal.next_playback();
        self.base().emit(EventKind::ClipChange { from, to: Some(to) });
    }

    /// See [`Transport::pause`].
    pub fn pause(&mut self) {
        self.base().pause();
    }

    /// See [`Transport::stop`].
    pub fn stop(&mut self) {
        self.base().stop();
    }

    /// See [`Transport::seek`].
    pub fn seek(&mut self, time: f64) {
        self.base().seek(time);
    }

    /// See [`Transport::step`].
    pub fn step(&mut self, frames: i32) {
        self.base().step(frames);
    }

    /// See [`Transport::scrub`].
    pub fn scrub(&mut self, fraction: f64) {
        self.base().scrub(fraction);
    }

    /// Clip seconds per second.
    pub fn rate(&self) -> f64 {
        self.base.action.rate
    }

    /// See [`Transport::set_rate`].
    pub fn set_rate(&mut self, rate: f64) {
        self.base().set_rate(rate);
    }

    /// What happens at the end of the segment.
    pub fn loop_mode(&self) -> LoopMode {
        self.base.action.loop_mode
    }

    /// See [`Transport::set_loop_mode`].
    pub fn set_loop_mode(&mut self, mode: LoopMode) {
        self.base().set_loop_mode(mode);
    }

    /// How many passes are played, counted from the last start or seek; infinite for endless.
    pub fn repetitions(&self) -> f64 {
        self.base.action.repetitions
    }

    /// See [`Transport::set_repetitions`].
    pub fn set_repetitions(&mut self, repetitions: f64) {
        self.base().set_repetitions(repetitions);
    }

    /// What is played of the clip, in its seconds.
    pub fn segment(&self) -> Range<f64> {
        self.base.action.begin..self.base.action.end
    }

    /// See [`Transport::set_segment`].
    pub fn set_segment(&mut self, segment: Option<Range<f64>>) {
        self.base().set_segment(segment);
    }

    /// Replaces the markers of a clip, for this player; those outside of the clip never happen.
    ///
    /// # Panics
    /// If the clip is not of this player's model.
    pub fn set_markers(&mut self, clip: ClipId, markers: &[Marker]) {
        let marks = marks(markers);
        if self.base.source == Some(clip) {
            self.base.marks = Rc::clone(&marks);
        }
        self.clips[clip.index()].marks = marks;
    }

    /// Advances the timeline by `dt` seconds; a `dt` that is negative or not finite does nothing.
    pub fn advance(&mut self, dt: f64) {
        if dt > 0.0 && dt.is_finite() {
            self.advance_to((self.journal.now + dt).min(f64::MAX));
        }
    }

    /// Sets the timeline to `now` seconds; what is not finite does nothing.
    ///
    /// Backwards, all is as it is at that time, and nothing is told of markers and passes.
    pub fn advance_to(&mut self, now: f64) {
        if !now.is_finite() || now == self.journal.now {
            return;
        }
        let before = std::mem::replace(&mut self.journal.now, now);
        let finished = self.base.advance(before, now, &mut self.journey);
        self.journey.finish(&mut self.journal.events);
        if finished || self.base.is_moving(now) && (now - self.last_update).abs() >= UPDATE_INTERVAL {
            self.last_update = now;
            self.base().emit(EventKind::TimeUpdate);
        }
    }

    /// Tells that the current position was shown.
    pub fn presented(&mut self) {
        if std::mem::take(&mut self.journal.seek_is_pending) {
            self.base().emit(EventKind::Seeked);
        }
    }

    /// Takes the events since the last call, oldest first.
    pub fn drain_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.journal.events)
    }
}

#[cfg(test)]
mod tests {
    use super::super::events::MAX_EVENTS;
    use super::*;

    fn player() -> Player {
        let clip = |duration| Clip { duration, ..Clip::default() };
        Player::new(&[clip(2.0), clip(0.5), clip(0.0)], 0.0)
    }

    fn kinds(player: &mut Player) -> Vec<EventKind> {
        player.drain_events().into_iter().map(|event| event.kind).collect()
    }

    #[test]
    fn without_clips_everything_is_a_no_op() {
        let mut player = Player::new(&[], 0.0);
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
            let finished = kinds(&mut player).iter().filter(|kind| **kind == EventKind::Finished).count();
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
        assert_eq!(events.len(), MAX_EVENTS + 1, "and a time update");
        assert_eq!(events[0].skipped, 500_000 - MAX_EVENTS as u64);
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
