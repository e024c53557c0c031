//! Events of moving playheads, and their collection.

use super::action::{Action, LoopMode, Position};
use crate::base::sort_by;
use crate::model::{ClipId, Marker};
use std::ops::Range;
use std::rc::Rc;

/// The largest number of marker, loop and finish events per advance. The first event has the count of those
/// dropped before it.
pub(super) const MAX_EVENTS: usize = 64;

/// An event of a [`Player`](super::Player).
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The kind of event.
    pub kind: EventKind,
    /// The exact clip time of the event, in seconds; not the time of the frame.
    pub time: f64,
    /// The number of events of the same advance that were dropped before this one.
    pub skipped: u64,
    /// The layer of the event; `None` for the base.
    pub layer: Option<u32>,
    /// The playback of the event; see [`Transport::playback`](super::playhead::Transport::playback).
    pub playback: u64,
}

/// The kind of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// Playback started.
    Play,
    /// Playback was paused.
    Pause,
    /// A seek was requested.
    Seeking,
    /// The frame of the last seek was displayed.
    Seeked,
    /// Time advanced: at most four times a second during playback, and at the end and after each scrub.
    TimeUpdate,
    /// The playhead passed or reached a marker of its clip, by playing or scrubbing.
    Marker {
        /// The name of the marker.
        name: Rc<str>,
    },
    /// A pass ended and another one begins.
    Loop {
        /// The number of complete passes.
        iteration: u64,
    },
    /// The last pass ended.
    Finished,
    /// Another clip was selected.
    ClipChange {
        /// The previous clip, if there was one.
        from: Option<ClipId>,
        /// The new clip; `None` for a blend space.
        to: Option<ClipId>,
    },
    /// The rate was changed.
    RateChange,
    /// The state machine of the actor has left or entered a state. With the same state twice, it stopped there because its
    /// transitions lead on and on within one step. Times are those of the machine.
    State {
        /// The index of the state that was left.
        left: Option<u32>,
        /// The index of the state that was entered.
        entered: Option<u32>,
    },
}

/// A marker; lists of them are sorted by time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mark {
    pub(crate) name: Rc<str>,
    pub(crate) time: f64,
}

/// The markers of a clip, sorted by time, without those whose time is NaN.
pub(crate) fn marks(markers: &[Marker]) -> Rc<[Mark]> {
    let timed = markers.iter().filter(|marker| !marker.time.is_nan());
    let mut marks: Vec<Mark> =
        timed.map(|marker| Mark { name: marker.name.as_str().into(), time: marker.time }).collect();
    sort_by(&mut marks, |a, b| a.time.total_cmp(&b.time));
    marks.into()
}

/// A marker or the end of a pass that a playhead passed.
#[derive(Debug, Clone)]
pub(super) struct Passed {
    /// The timeline's time.
    pub(super) when: f64,
    pub(super) event: Event,
}

/// Collects the events of one advance.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventCollector {
    /// The last events of each playhead, in order of time.
    passed: Vec<Passed>,
    /// The number of dropped events.
    omitted: u64,
    heads: usize,
}

/// The movement of an action from one position to a later one.
pub(crate) struct Span<'a> {
    pub(crate) action: &'a Action,
    pub(crate) marks: &'a [Mark],
    pub(crate) from: Position,
    /// `true` if no event has been reported yet for the starting point itself.
    pub(crate) fresh: bool,
    pub(crate) to: Position,
}

impl Span<'_> {
    /// The markers passed within pass `pass`, sorted by time, and `true` if it runs forwards.
    fn marks_of(&self, pass: u64) -> (Range<usize>, bool) {
        let turn = pass - self.action.passes;
        let (begin, end) = self.action.ends(turn);
        // In ping-pong mode the end of one pass is the beginning of the next: it counts once.
        let wraps = self.action.loop_mode != LoopMode::PingPong;
        let (from, with_from) = match pass == self.from.passes {
            true if self.action.is_past(turn, self.from.time) => (begin, true),
            true => (self.from.time, self.fresh),
            false => (begin, wraps),
        };
        let to = if self.ends(pass) { end } else { self.to.time };
        let forwards = self.action.forwards(turn);
        (marks_between(self.marks, (from, with_from), to, forwards), forwards)
    }

    /// `true` if the movement reaches the end of pass `pass`.
    fn ends(&self, pass: u64) -> bool {
        pass < self.to.passes
    }

    fn count(&self, pass: u64) -> u64 {
        self.marks_of(pass).0.len() as u64 + u64::from(self.ends(pass))
    }

    /// The index of the last pass that the movement touches.
    fn last(&self) -> u64 {
        self.to.passes - u64::from(self.to.finished)
    }

    /// The total number of events, computed without a loop. All passes between the first and the last are
    /// alike; in ping-pong mode every other one is.
    fn total(&self) -> u64 {
        let (first, last) = (self.from.passes, self.last());
        let between = (last - first).saturating_sub(1);
        let mut total = self.count(first);
        if last > first {
            total = total.saturating_add(self.count(last));
        }
        if between > 0 {
            let odd = self.count(first + 1).saturating_mul(between.div_ceil(2));
            total = total.saturating_add(odd);
        }
        if between > 1 {
            total = total.saturating_add(self.count(first + 2).saturating_mul(between / 2));
        }
        total
    }
}

/// The markers between two times: including those at `to`, and those at `from` if `with_from` is set.
pub(super) fn marks_between(
    marks: &[Mark],
    (from, with_from): (f64, bool),
    to: f64,
    forwards: bool,
) -> Range<usize> {
    let before = |time: f64| marks.partition_point(|mark| mark.time < time);
    let up_to = |time: f64| marks.partition_point(|mark| mark.time <= time);
    let (begin, end) = match (forwards, with_from) {
        (true, true) => (before(from), up_to(to)),
        (true, false) => (up_to(from), up_to(to)),
        (false, true) => (before(to), up_to(from)),
        (false, false) => (before(to), before(from)),
    };
    begin..end.max(begin)
}

/// The last [`MAX_EVENTS`] markers between two times, in the order of the way, each with the number of those dropped
/// before it. See [`marks_between`].
pub(crate) fn passed_marks(
    marks: &[Mark],
    (from, with_from): (f64, bool),
    to: f64,
) -> impl Iterator<Item = (&Mark, u64)> {
    let forwards = to >= from;
    let passed = marks_between(marks, (from, with_from), to, forwards);
    let omitted = passed.len().saturating_sub(MAX_EVENTS);
    (omitted..passed.len()).map(move |i| {
        let mark = &marks[if forwards { passed.start + i } else { passed.end - 1 - i }];
        (mark, if i == omitted { omitted as u64 } else { 0 })
    })
}

impl EventCollector {
    /// Adds the last [`MAX_EVENTS`] events of a movement.
    pub(crate) fn add(&mut self, way: &Span<'_>, layer: Option<u32>, playback: u64) {
        // Without markers, a movement within one pass has no events.
        if way.marks.is_empty() && way.to.passes == way.from.passes {
            return;
        }
        let past = way.action.is_past(way.to.passes.saturating_sub(way.action.passes), way.to.time);
        if way.from.finished || way.to.passes < way.from.passes || past && !way.to.finished {
            return;
        }
        let begin = self.passed.len();
        let mut latest = f64::INFINITY;
        let mut push = |turn: u64, time: f64, kind: EventKind, list: &mut Vec<Passed>| {
            // Rounding must not change the order.
            latest = latest.min(way.action.when(turn, time));
            list.push(Passed { when: latest, event: Event { kind, time, skipped: 0, layer, playback } });
        };
        // From the last event backwards, up to the limit.
        let mut pass = way.last();
        loop {
            let turn = pass - way.action.passes;
            if way.ends(pass) {
                let last = way.to.finished && pass + 1 == way.to.passes;
                let kind = if last { EventKind::Finished } else { EventKind::Loop { iteration: pass + 1 } };
                push(turn, way.action.ends(turn).1, kind, &mut self.passed);
            }
            let (range, forwards) = way.marks_of(pass);
            for i in 0..range.len().min(MAX_EVENTS) {
                let mark = &way.marks[if forwards { range.end - 1 - i } else { range.start + i }];
                push(turn, mark.time, EventKind::Marker { name: Rc::clone(&mark.name) }, &mut self.passed);
            }
            if pass == way.from.passes || self.passed.len() - begin >= MAX_EVENTS {
                break;
            }
            pass -= 1;
        }
        self.passed.truncate(begin + MAX_EVENTS);
        let kept = (self.passed.len() - begin) as u64;
        self.omitted = self.omitted.saturating_add(way.total() - kept);
        self.passed[begin..].reverse();
        self.heads += usize::from(kept > 0);
    }

    /// Moves the last [`MAX_EVENTS`] of all to `events`, in order of time.
    pub(crate) fn finish(&mut self, events: &mut Vec<Event>) {
        // The most common case.
        if self.passed.is_empty() && self.omitted == 0 {
            return;
        }
        if self.heads > 1 {
            // Insertion sort: it does not allocate, and the input is a few lists that are already sorted.
            for mut at in 1..self.passed.len() {
                while at > 0 && self.passed[at - 1].when.total_cmp(&self.passed[at].when).is_gt() {
                    self.passed.swap(at - 1, at);
                    at -= 1;
                }
            }
        }
        let more = self.passed.len().saturating_sub(MAX_EVENTS);
        let skipped = self.omitted.saturating_add(more as u64);
        let first = events.len();
        events.extend(self.passed.drain(..).skip(more).map(|passed| passed.event));
        if let Some(event) = events.get_mut(first) {
            event.skipped = skipped;
        }
        (self.omitted, self.heads) = (0, 0);
    }
}
