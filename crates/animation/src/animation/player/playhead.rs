//! The playhead of one source, and its transport: play, pause and seek, for the base and for layers.

use super::action::{Action, CachedAction, LoopMode, MAX_PASSES, Position};
use super::blend_space::BlendSpace;
use super::events::{Event, EventCollector, EventKind, Mark, Span, passed_marks};
use crate::animation::mixing::Contribution;
use crate::model::ClipId;
use std::ops::Range;
use std::rc::Rc;

/// A source: a clip or a blend space.
#[derive(Debug, Clone)]
pub enum Source {
    /// A clip.
    Clip(ClipId),
    /// Clips blended by a parameter; see [`Player::blend_space`](super::Player::blend_space).
    Space(Box<BlendSpace>),
}

impl Source {
    /// The clip; `None` for a blend space.
    pub fn clip(&self) -> Option<ClipId> {
        match self {
            Self::Clip(clip) => Some(*clip),
            Self::Space(_) => None,
        }
    }

    /// The clip, or all clips of the blend space.
    pub fn clips(&self) -> impl Iterator<Item = ClipId> {
        let space = match self {
            Self::Clip(_) => None,
            Self::Space(space) => Some(space),
        };
        self.clip().into_iter().chain(space.into_iter().flat_map(|space| space.clips()))
    }
}

/// The playback position of one source on the timeline.
#[derive(Debug, Clone)]
pub(super) struct Playhead {
    pub(super) source: Option<Source>,
    /// The markers of the source, sorted.
    pub(super) marks: Rc<[Mark]>,
    /// The frame rate for stepping.
    pub(super) frames_per_second: f64,
    /// The id of its layer; `None` for the base.
    pub(super) layer: Option<u32>,
    /// Its position on the timeline. While it is paused, this is the position at `start`.
    pub(super) action: CachedAction,
    /// `true` if it was paused. A playhead that has finished counts as paused without this flag.
    pub(super) paused: bool,
    /// `true` if it is paused because it had finished.
    pub(super) ended: bool,
    /// `true` if no event has been reported yet for the starting point itself.
    pub(super) fresh: bool,
    pub(super) playback: u64,
    /// `true` if the playback has finished, so the next play is a new playback.
    pub(super) over: bool,
}

/// State that the playheads of a player share.
#[derive(Debug, Clone, Default)]
pub(super) struct Journal {
    /// The timeline's time, in seconds.
    pub(super) now: f64,
    pub(super) events: Vec<Event>,
    /// The number of playbacks so far.
    pub(super) playbacks: u64,
    /// `true` after a seek or a cut of the base: the next frame shows exactly the new position.
    pub(super) cut: bool,
    pub(super) seek_is_pending: bool,
}

impl Journal {
    pub(super) fn next_playback(&mut self) -> u64 {
        self.playbacks += 1;
        self.playbacks
    }
}

impl Playhead {
    pub(super) fn at(&self, now: f64) -> Position {
        self.action.at(if self.paused { self.action.start } else { now })
    }

    /// `true` if the clock of transitions runs: also after the end, but not while paused.
    pub(super) fn runs(&self) -> bool {
        self.source.is_some() && self.action.rate != 0.0 && (!self.paused || self.ended)
    }

    /// Sets the parameter of its blend space; the phase does not change. Returns `false` if it has none.
    pub(super) fn set_blend_position(&mut self, position: [f32; 2], now: f64) -> bool {
        self.rebase(now);
        let Some(Source::Space(space)) = &mut self.source else { return false };
        let before = self.action.duration;
        space.set_position(position);
        let action = &mut *self.action;
        for time in [&mut action.offset, &mut action.begin, &mut action.end] {
            *time = space.moved(*time, before);
        }
        action.duration = space.duration();
        self.frames_per_second = space.frames_per_second();
        // An empty list would be allocated each time.
        if space.has_marks() {
            self.marks = space.marks();
        }
        true
    }

    /// Adds the contributions of its source at `time`.
    pub(super) fn contribute(&self, time: f64, share: f64, contributions: &mut Vec<Contribution>) {
        match &self.source {
            _ if share <= 0.0 => {}
            Some(Source::Clip(clip)) => {
                contributions.push(Contribution { clip: *clip, time, weight: share as f32 });
            }
            Some(Source::Space(space)) => space.contribute(time, share, contributions),
            None => {}
        }
    }

    pub(super) fn is_paused(&self, now: f64) -> bool {
        self.paused || self.has_finished(now)
    }

    /// Endless playback never finishes, so its position is not needed.
    fn has_finished(&self, now: f64) -> bool {
        self.action.total_passes() < f64::INFINITY && self.at(now).finished
    }

    pub(super) fn is_moving(&self, now: f64) -> bool {
        self.source.is_some() && self.action.rate != 0.0 && !self.is_paused(now)
    }

    /// Collects the events from `before` to `now`; returns `true` if it finishes.
    pub(super) fn advance(&mut self, before: f64, now: f64, events: &mut EventCollector) -> bool {
        if !self.is_moving(before) || now <= before || now <= self.action.start {
            return false;
        }
        let (from, to) = (self.at(before), self.at(now));
        let way = Span { action: &self.action, marks: &self.marks, from, fresh: self.fresh, to };
        events.add(&way, self.layer, self.playback);
        self.fresh = false;
        self.over |= to.finished;
        to.finished
    }

    /// Moves to the beginning in the direction of playback.
    pub(super) fn restart(&mut self, now: f64) {
        self.place(if self.action.rate < 0.0 { self.action.end } else { self.action.begin }, now);
        self.fresh = true;
    }

    pub(super) fn place(&mut self, offset: f64, now: f64) {
        self.ended = false;
        *self.action =
            Action { start: now, offset, least_passes: 0, passes: 0, backwards: false, ..*self.action };
    }

    pub(super) fn rebase(&mut self, now: f64) {
        if !self.paused {
            *self.action = self.action.rebased(now);
        }
    }

    /// Converts a finished playhead to a paused one, before any other change.
    pub(super) fn settle(&mut self, now: f64) {
        if !self.paused && self.has_finished(now) {
            self.rebase(now);
            (self.paused, self.ended) = (true, true);
        }
    }
}

/// Playback controls of one source: those of a media element, named as in the Web Animations API.
///
/// All calls take effect at the player's current time, in call order.
#[derive(Debug)]
pub struct Transport<'a> {
    pub(super) head: &'a mut Playhead,
    pub(super) journal: &'a mut Journal,
}

impl Transport<'_> {
    /// The source's length in seconds; 0 without a source.
    pub fn duration(&self) -> f64 {
        self.head.action.duration
    }

    /// `true` if the source is paused or has finished.
    pub fn paused(&self) -> bool {
        self.head.is_paused(self.journal.now)
    }

    /// The playback position.
    pub fn position(&self) -> Position {
        self.head.at(self.journal.now)
    }

    /// The number of the current playback, 0 before the first one. It changes when a source is selected, and
    /// when a finished source is played again. The event `Finished` carries it, at most once while the
    /// timeline runs forwards.
    pub fn playback(&self) -> u64 {
        self.head.playback
    }

    /// Plays the source. It restarts if it has finished, is at the end of the last pass, or is past the
    /// segment. With a negative rate it restarts from the end. Returns the [`Transport::playback`].
    pub fn play(&mut self) -> u64 {
        if self.head.source.is_none() {
            return 0;
        }
        self.head.settle(self.journal.now);
        // As in the Web Animations API: a playhead at the end plays from the beginning.
        self.start(self.head.paused && self.head.action.is_over())
    }

    /// Plays from the beginning, regardless of the position; otherwise like [`Transport::play`]. It also
    /// restarts a finished playback whose repetitions or loop mode were changed since, so that
    /// [`Transport::play`] would continue it.
    pub fn replay(&mut self) -> u64 {
        if self.head.source.is_none() {
            return 0;
        }
        self.head.settle(self.journal.now);
        self.start(true)
    }

    fn start(&mut self, restart: bool) -> u64 {
        if restart {
            self.head.restart(self.journal.now);
            self.head.over = true;
        }
        if self.head.paused {
            self.head.action.start = self.journal.now;
            self.unpause();
        }
        self.head.playback
    }

    /// Pauses at the current position.
    pub fn pause(&mut self) {
        self.head.settle(self.journal.now);
        if !self.head.paused {
            self.head.rebase(self.journal.now);
            self.head.paused = true;
            self.emit(EventKind::Pause);
        }
        self.head.ended = false;
    }

    /// Pauses and seeks to the beginning of the segment.
    pub fn stop(&mut self) {
        self.pause();
        self.seek(self.head.action.begin);
    }

    /// Sets the playhead to `time` seconds, clamped to `0.0..=duration`; NaN is 0. Resets the count of
    /// passes, and the direction of ping-pong.
    pub fn seek(&mut self, time: f64) {
        self.head.settle(self.journal.now);
        let time = time.max(0.0).min(self.head.action.duration);
        self.head.place(time, self.journal.now);
        self.head.fresh = true;
        self.journal.cut |= self.head.layer.is_none();
        self.journal.seek_is_pending |= self.head.layer.is_none();
        self.emit(EventKind::Seeking);
    }

    /// Pauses and moves the playhead by whole frames, within `0.0..=duration`; see
    /// [`Clip::frames_per_second`](crate::model::Clip::frames_per_second).
    pub fn step(&mut self, frames: i32) {
        self.pause();
        if self.head.source.is_none() {
            return;
        }
        let rate = self.head.frames_per_second;
        // From between two frames, the first step goes to the nearest frame in its direction.
        let here = self.position().time * rate;
        let near = here.round_ties_even();
        let from = match (here - near).abs() < 1e-3 {
            true => near,
            false if frames < 0 => here.ceil(),
            false => here.floor(),
        };
        self.seek((from + f64::from(frames)) / rate);
    }

    /// Sets the playhead to a fraction of the segment, clamped to `0.0..=1.0`; NaN is 0. For clocks that
    /// report progress, such as scroll position.
    ///
    /// Emits the markers passed, in either direction, then `TimeUpdate` if the base has moved. It emits no
    /// `Seeking`, and a paused playhead stays paused. Resets the count of passes, and the direction of
    /// ping-pong.
    pub fn scrub(&mut self, fraction: f64) {
        self.head.settle(self.journal.now);
        let Action { begin, end, .. } = *self.head.action;
        let fraction = if fraction.is_nan() { 0.0 } else { fraction.clamp(0.0, 1.0) };
        let to = if fraction == 1.0 { end } else { (begin + fraction * (end - begin)).min(end) };
        let from = self.position().time;
        let fresh = self.head.fresh && to != from;
        let marks = Rc::clone(&self.head.marks);
        self.head.place(to, self.journal.now);
        self.head.fresh &= to == from;
        self.journal.cut |= to != from && self.head.layer.is_none();
        for (mark, skipped) in passed_marks(&marks, (from, fresh), to) {
            self.push(EventKind::Marker { name: Rc::clone(&mark.name) }, mark.time, skipped);
        }
        // A page that displays the time also needs updates from a timeline that does not run by itself.
        if to != from && self.head.layer.is_none() {
            self.emit(EventKind::TimeUpdate);
        }
    }

    /// Playback rate, in clip seconds per second.
    pub fn rate(&self) -> f64 {
        self.head.action.rate
    }

    /// Sets the rate to any finite number; other values have no effect. The playhead does not move. Returns `true` if
    /// the rate has changed.
    pub fn set_rate(&mut self, rate: f64) -> bool {
        if !rate.is_finite() || rate == self.rate() {
            return false;
        }
        self.head.settle(self.journal.now);
        self.head.rebase(self.journal.now);
        self.head.action.rate = rate;
        self.emit(EventKind::RateChange);
        true
    }

    /// The behaviour at the end of the segment.
    pub fn loop_mode(&self) -> LoopMode {
        self.head.action.loop_mode
    }

    /// Sets the behaviour at the end of the segment. The playhead does not move, and a pass that has begun is
    /// completed. Returns `true` if the mode has changed; an equal one has no effect.
    pub fn set_loop_mode(&mut self, mode: LoopMode) -> bool {
        if mode == self.loop_mode() {
            return false;
        }
        self.set_passes(|action| {
            action.loop_mode = mode;
            action.backwards &= mode == LoopMode::PingPong;
        });
        true
    }

    /// The number of passes, counted from the last start or seek; infinite for endless.
    pub fn repetitions(&self) -> f64 {
        self.head.action.repetitions
    }

    /// Sets the number of passes, rounded up to a whole number of at least 1; NaN and more than 2⁵³ are
    /// endless.
    ///
    /// The playhead does not move, and a pass that has begun is completed. Returns `true` if the number has changed; an
    /// equal one has no effect.
    pub fn set_repetitions(&mut self, repetitions: f64) -> bool {
        let whole = repetitions.ceil().max(1.0);
        let endless = repetitions.is_nan() || whole > MAX_PASSES;
        let count = if endless { f64::INFINITY } else { whole };
        if count == self.repetitions() {
            return false;
        }
        self.set_passes(|action| action.repetitions = count);
        true
    }

    /// The segment of the source that is played, in seconds of the source.
    pub fn segment(&self) -> Range<f64> {
        self.head.action.begin..self.head.action.end
    }

    /// Sets the segment that is played, in seconds of the source; `None` is all. Both ends are clamped to
    /// `0.0..=duration` and swapped if they are in the wrong order. NaN is the source's own start or end.
    ///
    /// The playhead does not move. Before the segment it runs on to the segment's end. Past it, it restarts
    /// from the beginning. Returns `true` if the segment has changed; an equal one has no effect.
    pub fn set_segment(&mut self, segment: Option<Range<f64>>) -> bool {
        let duration = self.head.action.duration;
        let Range { start, end } = segment.unwrap_or(0.0..duration);
        let start = start.max(0.0).min(duration);
        let end = end.min(duration).max(0.0);
        let segment = start.min(end)..start.max(end);
        if segment == self.segment() {
            return false;
        }
        self.head.settle(self.journal.now);
        self.head.rebase(self.journal.now);
        (self.head.action.begin, self.head.action.end) = (segment.start, segment.end);
        true
    }

    /// The timeline's time at which the first pass began, or would have begun at the current rate. `None`
    /// while paused and at rate 0.
    pub fn start_time(&self) -> Option<f64> {
        self.head.action.start_of_playing().filter(|_| !self.head.paused && self.head.source.is_some())
    }

    /// Plays so that the first pass begins at `time` of the timeline, which may be in the past or the future.
    /// For following another clock, such as a video's. A value that is not finite has no effect.
    ///
    /// Like a seek, it emits no events for the time before the present.
    pub fn set_start_time(&mut self, time: f64) {
        if self.head.source.is_none() || !time.is_finite() {
            return;
        }
        self.head.settle(self.journal.now);
        self.head.restart(time);
        self.journal.cut |= self.head.layer.is_none();
        if self.head.paused {
            self.unpause();
        }
    }

    fn unpause(&mut self) {
        if std::mem::take(&mut self.head.over) || self.head.playback == 0 {
            self.head.playback = self.journal.next_playback();
        }
        (self.head.paused, self.head.ended) = (false, false);
        self.emit(EventKind::Play);
    }

    /// Changes the number of passes; the pass that has begun is completed first.
    fn set_passes(&mut self, change: impl FnOnce(&mut Action)) {
        let now = self.journal.now;
        self.head.settle(now);
        self.head.rebase(now);
        let finished = self.position().finished;
        // Otherwise a smaller number of passes would stop the clip in the middle.
        self.head.action.least_passes = if finished { 0 } else { self.head.action.passes + 1 };
        change(&mut self.head.action);
        if finished && !self.position().finished {
            // The last pass becomes one that ends now, so that further playing completes it.
            self.head.action.passes -= 1;
        }
    }

    pub(super) fn emit(&mut self, kind: EventKind) {
        let time = self.position().time;
        self.push(kind, time, 0);
    }

    fn push(&mut self, kind: EventKind, time: f64, skipped: u64) {
        let (layer, playback) = (self.head.layer, self.head.playback);
        self.journal.events.push(Event { kind, time, skipped, layer, playback });
    }
}
