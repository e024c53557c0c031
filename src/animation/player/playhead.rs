//! One source on the timeline, and its transport: what play, pause and seek mean, for the base and for layers alike.

use super::action::{Action, Followed, LoopMode, MOST_PASSES, Position};
use super::blend_space::{BlendSpace, space_contribute};
use super::events::{Event, EventCollector, EventKind, MAX_EVENTS, Mark, Span, marks_between};
use crate::animation::mixing::Contribution;
use crate::model::ClipId;
use std::ops::Range;
use std::rc::Rc;

/// What a base or a layer plays.
#[derive(Debug, Clone)]
pub enum Source {
    /// A clip.
    Clip(ClipId),
    /// Clips that are mixed by a parameter; see [`Player::blend_space`](super::Player::blend_space).
    Space(Box<BlendSpace>),
}

impl Source {
    /// The clip, if it is one.
    pub fn clip(&self) -> Option<ClipId> {
        match self {
            Self::Clip(clip) => Some(*clip),
            Self::Space(_) => None,
        }
    }

    /// The clip, or those of the blend space.
    pub fn clips(&self) -> impl Iterator<Item = ClipId> {
        let space = match self {
            Self::Clip(_) => None,
            Self::Space(space) => Some(space),
        };
        self.clip().into_iter().chain(space.into_iter().flat_map(|space| space.clips()))
    }
}

/// One source's place on the timeline.
#[derive(Debug, Clone)]
pub(super) struct Playhead {
    pub(super) source: Option<Source>,
    /// The markers of the source, sorted.
    pub(super) marks: Rc<[Mark]>,
    /// Its frames are what stepping counts.
    pub(super) frames_per_second: f64,
    /// The layer that it belongs to.
    pub(super) layer: Option<u32>,
    /// Its place on the timeline; while paused it stands still at its start.
    pub(super) action: Followed,
    /// Whether it was paused; who has finished is so without having been.
    pub(super) paused: bool,
    /// Whether it is paused because it had finished.
    pub(super) ended: bool,
    /// Whether nothing was told yet of the very point where it starts.
    pub(super) fresh: bool,
    pub(super) playback: u64,
    /// Whether the playback has finished, so that playing on is another one.
    pub(super) over: bool,
}

/// What the playheads of a player share.
#[derive(Debug, Clone, Default)]
pub(super) struct Journal {
    /// The timeline's time, in seconds.
    pub(super) now: f64,
    pub(super) events: Vec<Event>,
    /// How many playbacks there were.
    pub(super) playbacks: u64,
    /// Whether the base's playhead was set to a place, of which the next picture shows exactly the pose.
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

    /// Whether time goes on for transitions: also after the end, but not for who was paused.
    pub(super) fn runs(&self) -> bool {
        self.source.is_some() && self.action.rate != 0.0 && (!self.paused || self.ended)
    }

    /// Moves the parameter of its blend space; the phase stays. Returns whether it has one.
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
        self.marks = space.marks();
        true
    }

    /// Adds what it plays at `time`.
    pub(super) fn contribute(&self, time: f64, share: f64, contributions: &mut Vec<Contribution>) {
        match &self.source {
            _ if share <= 0.0 => {}
            Some(Source::Clip(clip)) => {
                contributions.push(Contribution { clip: *clip, time, weight: share as f32 });
            }
            Some(Source::Space(space)) => space_contribute(space, time, share, contributions),
            None => {}
        }
    }

    pub(super) fn is_paused(&self, now: f64) -> bool {
        self.paused || self.has_finished(now)
    }

    /// What is endless never does, so that it need not be found out where it is.
    fn has_finished(&self, now: f64) -> bool {
        self.action.total_passes() < f64::INFINITY && self.at(now).finished
    }

    pub(super) fn is_moving(&self, now: f64) -> bool {
        self.source.is_some() && self.action.rate != 0.0 && !self.is_paused(now)
    }

    /// Collects what happens from `before` to `now`; returns whether it finishes.
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

    /// To the beginning of what will be played.
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

    /// Who has finished is paused by whatever is done next.
    pub(super) fn settle(&mut self, now: f64) {
        if !self.paused && self.has_finished(now) {
            self.rebase(now);
            (self.paused, self.ended) = (true, true);
        }
    }
}

/// The controls of one source: those of a media element, with the names of the Web Animations API.
///
/// All calls act at the player's present time, in call order.
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

    /// Whether the playhead stands still because nobody plays, or because it has finished.
    pub fn paused(&self) -> bool {
        self.head.is_paused(self.journal.now)
    }

    /// Where the playhead is.
    pub fn position(&self) -> Position {
        self.head.at(self.journal.now)
    }

    /// A number for what is being played: another one whenever a source is chosen, or is played again after it has
    /// finished. The event `Finished` carries it, once at most as long as the timeline runs forwards; 0 before anything
    /// was played.
    pub fn playback(&self) -> u64 {
        self.head.playback
    }

    /// Plays: from the beginning if it has finished, stands where the last pass ends, or is past the segment. Backwards,
    /// the beginning is the end. Returns the [`Transport::playback`].
    pub fn play(&mut self) -> u64 {
        if self.head.source.is_none() {
            return 0;
        }
        self.head.settle(self.journal.now);
        // As in the Web Animations API: a playhead at the end plays from the beginning.
        self.start(self.head.paused && self.head.action.is_over())
    }

    /// Plays from the beginning, wherever the playhead is; else as [`Transport::play`]. A playback that has finished is played
    /// again by it also where its repetitions or loop mode have changed since, by which it would no longer be over.
    pub fn replay(&mut self) -> u64 {
        if self.head.source.is_none() {
            return 0;
        }
        self.head.settle(self.journal.now);
        self.start(true)
    }

    fn start(&mut self, anew: bool) -> u64 {
        if anew {
            self.head.restart(self.journal.now);
            self.head.over = true;
        }
        if self.head.paused {
            self.head.action.start = self.journal.now;
            self.unpause();
        }
        self.head.playback
    }

    /// Stops the playhead where it is.
    pub fn pause(&mut self) {
        self.head.settle(self.journal.now);
        if !self.head.paused {
            self.head.rebase(self.journal.now);
            self.head.paused = true;
            self.emit(EventKind::Pause);
        }
        self.head.ended = false;
    }

    /// Pauses and goes back to the beginning of the segment.
    pub fn stop(&mut self) {
        self.pause();
        self.seek(self.head.action.begin);
    }

    /// Sets the playhead to `time` seconds, clamped to `0.0..=duration`; NaN is 0. Counts passes anew, forwards.
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
        // From between two frames, one step goes to the nearest frame in its direction.
        let here = self.position().time * rate;
        let near = here.round_ties_even();
        let from = match (here - near).abs() < 1e-3 {
            true => near,
            false if frames < 0 => here.ceil(),
            false => here.floor(),
        };
        self.seek((from + f64::from(frames)) / rate);
    }

    /// Sets the playhead to a fraction of the segment, clamped to `0.0..=1.0`; NaN is 0. For clocks that tell progress, as
    /// a page's scroll position does.
    ///
    /// Markers on the way there happen, in either direction, then `TimeUpdate` if the base has moved. There is no `Seeking`, and a
    /// paused playhead stays paused. Counts passes anew, forwards.
    pub fn scrub(&mut self, fraction: f64) {
        self.head.settle(self.journal.now);
        let Action { begin, end, .. } = *self.head.action;
        let fraction = if fraction.is_nan() { 0.0 } else { fraction.clamp(0.0, 1.0) };
        let to = if fraction == 1.0 { end } else { (begin + fraction * (end - begin)).min(end) };
        let from = self.position().time;
        let forwards = to >= from;
        let fresh = self.head.fresh && to != from;
        let marks = Rc::clone(&self.head.marks);
        let passed = marks_between(&marks, (from, fresh), to, forwards);
        let left_out = passed.len().saturating_sub(MAX_EVENTS);
        self.head.place(to, self.journal.now);
        self.head.fresh &= to == from;
        self.journal.cut |= to != from && self.head.layer.is_none();
        for i in left_out..passed.len() {
            let mark = &marks[if forwards { passed.start + i } else { passed.end - 1 - i }];
            let skipped = if i == left_out { left_out as u64 } else { 0 };
            self.push(EventKind::Marker { name: Rc::clone(&mark.name) }, mark.time, skipped);
        }
        // A page that shows the time hears of a timeline that does not run by itself, too.
        if to != from && self.head.layer.is_none() {
            self.emit(EventKind::TimeUpdate);
        }
    }

    /// Clip seconds per second.
    pub fn rate(&self) -> f64 {
        self.head.action.rate
    }

    /// Sets the rate: any finite number; the playhead does not move. Others are ignored.
    pub fn set_rate(&mut self, rate: f64) {
        if rate.is_finite() && rate != self.head.action.rate {
            self.head.settle(self.journal.now);
            self.head.rebase(self.journal.now);
            self.head.action.rate = rate;
            self.emit(EventKind::RateChange);
        }
    }

    /// What happens at the end of the segment.
    pub fn loop_mode(&self) -> LoopMode {
        self.head.action.loop_mode
    }

    /// Sets what happens at the end of the segment; the playhead does not move, and a pass that has begun is played to its
    /// end.
    pub fn set_loop_mode(&mut self, mode: LoopMode) {
        self.set_passes(|action| {
            action.loop_mode = mode;
            action.backwards &= mode == LoopMode::PingPong;
        });
    }

    /// How many passes are played, counted from the last start or seek; infinite for endless.
    pub fn repetitions(&self) -> f64 {
        self.head.action.repetitions
    }

    /// Sets how many passes are played: rounded up to a whole number of at least 1; NaN and more than 2⁵³ are endless.
    ///
    /// The playhead does not move, and a pass that has begun is played to its end.
    pub fn set_repetitions(&mut self, repetitions: f64) {
        let whole = repetitions.ceil().max(1.0);
        let endless = repetitions.is_nan() || whole > MOST_PASSES;
        self.set_passes(|action| action.repetitions = if endless { f64::INFINITY } else { whole });
    }

    /// What is played of the source, in its seconds.
    pub fn segment(&self) -> Range<f64> {
        self.head.action.begin..self.head.action.end
    }

    /// Sets what is played of the source, in its seconds; `None` is all. Clamped to `0.0..=duration`; ends that are in the
    /// wrong order change places, and NaN stands for the source's own end.
    ///
    /// The playhead does not move. Outside of the segment it runs on until the segment's end; past that it begins anew.
    pub fn set_segment(&mut self, segment: Option<Range<f64>>) {
        let duration = self.head.action.duration;
        let Range { start, end } = segment.unwrap_or(0.0..duration);
        let start = start.max(0.0).min(duration);
        let end = end.min(duration).max(0.0);
        self.head.settle(self.journal.now);
        self.head.rebase(self.journal.now);
        (self.head.action.begin, self.head.action.end) = (start.min(end), start.max(end));
    }

    /// The timeline's time at which the first pass began, or would have begun if it had been played from the beginning at
    /// this rate; `None` while paused and at rate 0.
    pub fn start_time(&self) -> Option<f64> {
        self.head.action.start_of_playing().filter(|_| !self.head.paused && self.head.source.is_some())
    }

    /// Plays so that the first pass begins, or has begun, at `time` of the timeline: it may be ahead. For following another
    /// clock, as that of a video. What is not finite is ignored.
    ///
    /// Like a seek it tells nothing of what lies before the present time.
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

    /// Changes how many passes there are, between two of them.
    fn set_passes(&mut self, change: impl FnOnce(&mut Action)) {
        let now = self.journal.now;
        self.head.settle(now);
        self.head.rebase(now);
        let finished = self.position().finished;
        // A clip that stopped on its way because fewer passes are asked for would stand where no end is.
        self.head.action.least_passes = if finished { 0 } else { self.head.action.passes + 1 };
        change(&mut self.head.action);
        if finished && !self.position().finished {
            // The last pass becomes one that ends now, so that playing on completes it.
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
