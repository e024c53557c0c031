//! An independent player, from the rules of the time contract (docs/design/time-contract.md), in whole ticks and step
//! by step. It advances pass by pass, while the real player computes the playhead from the timeline alone.

use gambol::animation::LoopMode;

/// Ticks per second: all times of the tests are whole numbers of ticks, so nothing is rounded.
pub(crate) const TICKS: i64 = 1 << 12;
/// Rates are multiples of this.
pub(crate) const RATE_UNIT: f64 = 0.25;
/// Ticks of a clip are quarters of ticks of the clock, since rates are quarters.
const FINE: i64 = 4;

/// The kinds of [`gambol::animation::EventKind`]; names of markers are numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Play,
    Pause,
    Seeking,
    Seeked,
    TimeUpdate,
    Marker(usize),
    Loop(u64),
    Finished,
    ClipChange(usize, usize),
    RateChange,
}

/// An event: kind, clip time in seconds, number of events dropped before it, and playback.
pub(crate) type Event = (Kind, f64, u64, u64);

/// The position of the playhead.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// The clip time, in quarters of ticks.
    at: i64,
    pub(crate) passes: u64,
    /// `true` if ping-pong plays in the other direction.
    pub(crate) turned: bool,
    pub(crate) finished: bool,
}

/// A player of one clip at a time; lengths and times are in ticks.
#[derive(Debug, Clone)]
pub(crate) struct ModelPlayer {
    lengths: Vec<i64>,
    /// The sorted times of the markers of each clip.
    markers: Vec<Vec<i64>>,
    frame: i64,
    pub(crate) clip: usize,
    pub(crate) place: Place,
    /// The clock and the playhead at the last change. If the clock is set back, the playhead is computed from there.
    anchor: (i64, Place),
    /// The start and the end of passes, in quarters of ticks.
    segment: (i64, i64),
    /// `true` if the markers at the current position are not reported yet.
    fresh: bool,
    paused: bool,
    quarters: i64,
    mode: LoopMode,
    /// The number of passes; `None` is endless.
    repetitions: Option<u64>,
    seek_pending: bool,
    pub(crate) clock: i64,
    last_update: i64,
    pub(crate) playback: u64,
    playbacks: u64,
    over: bool,
    pub(crate) events: Vec<Event>,
}

impl ModelPlayer {
    /// `lengths` of the clips, `markers` in them, and the `frame` of all clips, in ticks.
    pub(crate) fn new(lengths: &[i64], markers: &[Vec<i64>], frame: i64) -> Self {
        let place = Place { at: 0, passes: 0, turned: false, finished: false };
        Self {
            lengths: lengths.to_vec(),
            markers: markers.to_vec(),
            frame,
            clip: 0,
            place,
            anchor: (0, place),
            segment: (0, lengths[0] * FINE),
            fresh: true,
            paused: true,
            quarters: 4,
            mode: LoopMode::Repeat,
            repetitions: None,
            seek_pending: false,
            clock: 0,
            last_update: 0,
            playback: 0,
            playbacks: 0,
            over: false,
            events: Vec::new(),
        }
    }

    /// The distance to the end of the pass; negative after it.
    fn to_end(&self) -> i64 {
        if self.forwards() { self.segment.1 - self.place.at } else { self.place.at - self.segment.0 }
    }

    fn forwards(&self) -> bool {
        (self.quarters >= 0) != self.place.turned
    }

    fn begin(&self) -> i64 {
        if self.forwards() { self.segment.0 } else { self.segment.1 }
    }

    fn length(&self) -> i64 {
        self.segment.1 - self.segment.0
    }

    /// The playhead in seconds.
    pub(crate) fn time(&self) -> f64 {
        self.place.at as f64 / (TICKS * FINE) as f64
    }

    pub(crate) fn paused(&self) -> bool {
        self.paused || self.place.finished
    }

    /// The timeline's time of the first start, if it is exact.
    pub(crate) fn start_time(&self) -> Option<f64> {
        let (clock, Place { at, passes, turned, .. }) = self.anchor;
        let forwards = (self.quarters >= 0) != turned;
        let into = if forwards { at - self.segment.0 } else { self.segment.1 - at };
        let way = passes as f64 * self.length() as f64 + into as f64;
        (!self.paused && self.quarters != 0)
            .then(|| (clock as f64 - way / self.quarters.abs() as f64) / TICKS as f64)
    }

    fn emit(&mut self, kind: Kind) {
        self.events.push((kind, self.time(), 0, self.playback));
    }

    /// Sets the anchor to the current position.
    fn drop_anchor(&mut self) {
        if !self.paused {
            self.anchor = (self.clock.max(self.anchor.0), self.place);
        }
    }

    /// A finished player is paused by any following call.
    fn settle(&mut self) {
        if self.place.finished && !self.paused {
            self.drop_anchor();
            self.paused = true;
        }
    }

    fn go(&mut self, at: i64) {
        self.place = Place { at, passes: 0, turned: false, finished: false };
        self.anchor = (self.clock, self.place);
    }

    fn restart(&mut self) {
        self.go(if self.quarters < 0 { self.segment.1 } else { self.segment.0 });
        self.fresh = true;
    }

    pub(crate) fn choose(&mut self, clip: usize) {
        if clip != self.clip {
            self.settle();
            let before = std::mem::replace(&mut self.clip, clip);
            self.segment = (0, self.lengths[clip] * FINE);
            self.restart();
            self.over = false;
            self.playbacks += 1;
            self.playback = self.playbacks;
            self.emit(Kind::ClipChange(before, clip));
        }
    }

    pub(crate) fn play(&mut self, clip: Option<usize>) {
        if let Some(clip) = clip {
            self.choose(clip);
        }
        self.settle();
        // At the end of the last pass, or outside of the segment, playback starts from the beginning.
        let last = self.total().is_some_and(|total| self.place.passes + 1 >= total);
        let at_end = last && self.to_end() == 0 || self.to_end() < 0;
        if self.paused && (self.place.finished || at_end && self.quarters != 0) {
            self.restart();
            self.over = true;
        }
        if self.paused {
            self.anchor = (self.clock, self.place);
            self.unpause();
        }
    }

    fn unpause(&mut self) {
        if std::mem::take(&mut self.over) || self.playback == 0 {
            self.playbacks += 1;
            self.playback = self.playbacks;
        }
        self.paused = false;
        self.emit(Kind::Play);
    }

    pub(crate) fn set_start_time(&mut self, ticks: i64) {
        self.settle();
        self.restart();
        self.anchor.0 = ticks;
        if self.paused {
            self.paused = false;
            self.come_back();
            self.unpause();
        } else {
            self.come_back();
        }
    }

    pub(crate) fn pause(&mut self) {
        self.settle();
        if !self.paused {
            self.paused = true;
            self.emit(Kind::Pause);
        }
    }

    pub(crate) fn seek(&mut self, ticks: i64) {
        self.seek_finely(ticks * FINE);
    }

    fn seek_finely(&mut self, at: i64) {
        self.settle();
        self.go(at.clamp(0, self.lengths[self.clip] * FINE));
        self.fresh = true;
        self.seek_pending = true;
        self.emit(Kind::Seeking);
    }

    pub(crate) fn stop(&mut self) {
        self.pause();
        self.seek_finely(self.segment.0);
    }

    pub(crate) fn step(&mut self, frames: i64) {
        self.pause();
        let (frame, at) = (self.frame * FINE, self.place.at);
        let from = if frames < 0 { (at + frame - 1).div_euclid(frame) } else { at.div_euclid(frame) };
        self.seek((from + frames) * self.frame);
    }

    /// Seeks to `part` 64ths of the segment.
    pub(crate) fn scrub(&mut self, part: i64) {
        self.settle();
        let to = self.segment.0 + self.length() * part.clamp(0, 64) / 64;
        let mut told = Vec::new();
        let moves = to != self.place.at;
        if moves {
            self.move_to(to, &mut told);
        }
        self.go(to);
        self.deliver(told);
        if moves {
            self.emit(Kind::TimeUpdate);
        }
    }

    pub(crate) fn set_rate(&mut self, quarters: i64) {
        if quarters != self.quarters {
            self.settle();
            self.quarters = quarters;
            self.drop_anchor();
            self.emit(Kind::RateChange);
        }
    }

    pub(crate) fn set_segment(&mut self, begin: i64, end: i64) {
        let inside = |ticks: i64| (ticks * FINE).clamp(0, self.lengths[self.clip] * FINE);
        let segment = (inside(begin.min(end)), inside(begin.max(end)));
        if segment != self.segment {
            self.settle();
            self.segment = segment;
            self.drop_anchor();
        }
    }

    /// A started pass is played to its end, even if fewer passes are requested. If a finished player gets more passes,
    /// its last pass ends now and the next one follows. Equal ones have no effect.
    pub(crate) fn set_passes(&mut self, mode: LoopMode, repetitions: Option<u64>) {
        if (mode, repetitions) == (self.mode, self.repetitions) {
            return;
        }
        self.settle();
        (self.mode, self.repetitions) = (mode, repetitions);
        self.place.turned &= mode == LoopMode::PingPong;
        if self.place.finished && self.total().is_none_or(|total| self.place.passes < total) {
            self.place.finished = false;
            self.place.passes -= 1;
        }
        self.drop_anchor();
    }

    pub(crate) fn mode(&self) -> LoopMode {
        self.mode
    }

    pub(crate) fn repetitions(&self) -> Option<u64> {
        self.repetitions
    }

    fn total(&self) -> Option<u64> {
        if self.mode == LoopMode::Once { Some(1) } else { self.repetitions }
    }

    /// Moves the playhead, and reports the markers passed; those at the start only if they are not reported yet.
    fn move_to(&mut self, to: i64, told: &mut Vec<Event>) {
        let from = self.place.at;
        let fresh = std::mem::take(&mut self.fresh);
        let mut passed: Vec<(usize, i64)> =
            self.markers[self.clip].iter().map(|ticks| ticks * FINE).enumerate().collect();
        passed.retain(|&(_, at)| from.min(to) <= at && at <= from.max(to) && (at != from || fresh));
        if to < from || to == from && !self.forwards() {
            passed.reverse();
        }
        self.place.at = to;
        for (name, at) in passed {
            told.push((Kind::Marker(name), at as f64 / (TICKS * FINE) as f64, 0, self.playback));
        }
    }

    fn walk(&mut self, ticks: i64) -> Vec<Event> {
        let mut told: Vec<Event> = Vec::new();
        let mut way = ticks * self.quarters.abs();
        while way > 0 && !self.place.finished {
            if self.to_end() < 0 {
                (self.place.at, self.fresh) = (self.begin(), true);
            }
            let (forwards, to_end) = (self.forwards(), self.to_end());
            if way < to_end {
                self.move_to(self.place.at + if forwards { way } else { -way }, &mut told);
                break;
            }
            self.move_to(self.place.at + if forwards { to_end } else { -to_end }, &mut told);
            // A segment of zero length is over immediately, or never.
            if self.length() == 0 && self.total().is_none() {
                break;
            }
            // A segment of zero length has all its passes now; otherwise each pass takes its part of the way.
            way -= if self.length() == 0 { 0 } else { to_end };
            self.place.passes += 1;
            self.place.finished = self.total().is_some_and(|total| self.place.passes >= total);
            let kind = if self.place.finished { Kind::Finished } else { Kind::Loop(self.place.passes) };
            told.push((kind, self.time(), 0, self.playback));
            if self.place.finished {
                break;
            }
            match self.mode {
                LoopMode::PingPong => self.place.turned ^= self.length() > 0,
                _ => {
                    // The end of a pass is the beginning of the next, whose markers are passed immediately.
                    (self.place.at, self.fresh) = (self.begin(), true);
                    self.move_to(self.place.at, &mut told);
                }
            }
        }
        told
    }

    /// Computes the playhead for the clock, from the position at the last change.
    fn come_back(&mut self) {
        let fresh = self.fresh;
        self.place = self.anchor.1;
        self.walk((self.clock - self.anchor.0).max(0));
        self.fresh = fresh;
    }

    fn deliver(&mut self, mut told: Vec<Event>) {
        let left_out = told.len().saturating_sub(64);
        told.drain(..left_out);
        if let Some(first) = told.first_mut() {
            first.2 = left_out as u64;
        }
        self.events.append(&mut told);
    }

    /// Sets the clock: forwards step by step, backwards by computing the position at that time.
    pub(crate) fn advance_to(&mut self, ticks: i64) {
        let before = std::mem::replace(&mut self.clock, ticks);
        if ticks == before || self.paused || self.quarters == 0 {
            return;
        }
        let mut finishes = false;
        if ticks < before {
            self.come_back();
        } else if !self.place.finished {
            let told = self.walk((ticks - before.max(self.anchor.0)).max(0));
            finishes = self.place.finished;
            self.over |= finishes;
            self.deliver(told);
        }
        if finishes || !self.place.finished && (self.clock - self.last_update).abs() >= TICKS / 4 {
            self.last_update = self.clock;
            self.emit(Kind::TimeUpdate);
        }
    }

    pub(crate) fn presented(&mut self) {
        if std::mem::take(&mut self.seek_pending) {
            self.emit(Kind::Seeked);
        }
    }
}
