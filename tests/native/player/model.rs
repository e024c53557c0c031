//! A player written a second time, from the rules of the time contract (ARCHITECTURE.md), in whole ticks and step
//! by step: it walks from pass to pass, while the real one computes where the playhead is from the timeline alone.

use gambol::animation::LoopMode;

/// Ticks per second: every number of the tests is a whole number of them, so nothing is rounded anywhere.
pub(crate) const TICKS: i64 = 1 << 12;
/// Rates are whole numbers of these.
pub(crate) const RATE_UNIT: f64 = 0.25;
/// Ticks of a clip are quarters of ticks of the clock, since rates are quarters.
const FINE: i64 = 4;

/// What happened, as [`gambol::animation::EventKind`] names it; names of markers are numbers.
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

/// What happened, when in the clip (in seconds), how many events were left out before, and the playback.
pub(crate) type Event = (Kind, f64, u64, u64);

/// Where the playhead is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// In quarters of ticks.
    at: i64,
    pub(crate) passes: u64,
    /// Whether ping-pong has turned round.
    pub(crate) turned: bool,
    pub(crate) finished: bool,
}

/// One clip at a time; lengths and times in ticks.
#[derive(Debug, Clone)]
pub(crate) struct ModelPlayer {
    lengths: Vec<i64>,
    /// Of each clip the times of its markers, sorted.
    markers: Vec<Vec<i64>>,
    frame: i64,
    pub(crate) clip: usize,
    pub(crate) place: Place,
    /// Where the playhead was when somebody last changed something, and when: it comes back there with the clock.
    anchor: (i64, Place),
    /// Where passes begin and end, in quarters of ticks.
    segment: (i64, i64),
    /// Whether the markers at the very place are still to be told of.
    fresh: bool,
    paused: bool,
    quarters: i64,
    mode: LoopMode,
    /// How many passes are played; `None` is endless.
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
    /// `lengths`: of the clips, and `markers`: in them; `frame`: of all clips' frames; in ticks.
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

    /// How far it is to the end of the pass; negative for who is past it.
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

    /// The timeline's time of the first beginning, if it is a fraction that has no end.
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

    /// Comes back here from now on.
    fn drop_anchor(&mut self) {
        if !self.paused {
            self.anchor = (self.clock.max(self.anchor.0), self.place);
        }
    }

    /// Who has finished is paused by whatever is done next.
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
        // Who stands at the end of the last pass, or past the segment, plays from the beginning.
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

    /// To so many 64ths of the segment.
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
        self.settle();
        let inside = |ticks: i64| (ticks * FINE).clamp(0, self.lengths[self.clip] * FINE);
        self.segment = (inside(begin.min(end)), inside(begin.max(end)));
        self.drop_anchor();
    }

    /// A pass that has begun is played to its end, however few are asked for; a last pass that has ended
    /// turns into one that ends now if more are asked for.
    pub(crate) fn set_passes(&mut self, mode: LoopMode, repetitions: Option<u64>) {
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

    /// Moves along, and tells of the markers there: not those where it starts, unless they are news.
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
            // A segment without length is over at once, or never.
            if self.length() == 0 && self.total().is_none() {
                break;
            }
            // A segment without length has all its passes now; else each takes its part of the way.
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
                    // The end of the pass is the beginning of the next, whose markers are passed right away.
                    (self.place.at, self.fresh) = (self.begin(), true);
                    self.move_to(self.place.at, &mut told);
                }
            }
        }
        told
    }

    /// Goes where the clock says, from where it was when somebody last changed something.
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

    /// Sets the clock: forwards step by step, backwards to where it would be then.
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
