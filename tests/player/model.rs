//! A player written a second time, from the rules of the time contract (ARCHITECTURE.md), in whole ticks and step
//! by step: it walks from pass to pass, while the real one computes where the playhead is from the timeline alone.

use gambol::animation::LoopMode;

/// Ticks per second: every number of the tests is a whole number of them, so nothing is rounded anywhere.
pub(crate) const TICKS: i64 = 1 << 12;
/// Rates are whole numbers of these.
pub(crate) const RATE_UNIT: f64 = 0.25;
/// Ticks of a clip are quarters of ticks of the clock, since rates are quarters.
const FINE: i64 = 4;

/// What happened, as [`gambol::animation::EventKind`] names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Play,
    Pause,
    Seeking,
    Seeked,
    TimeUpdate,
    Loop(u64),
    Finished,
    ClipChange(usize, usize),
    RateChange,
}

/// What happened, when in the clip (in seconds), and how many events were left out before.
pub(crate) type Event = (Kind, f64, u64);

/// One clip at a time; lengths and times in ticks.
#[derive(Debug, Clone)]
pub(crate) struct ModelPlayer {
    lengths: Vec<i64>,
    frame: i64,
    pub(crate) clip: usize,
    /// The playhead, in quarters of ticks.
    at: i64,
    pub(crate) passes: u64,
    /// Whether ping-pong has turned round.
    pub(crate) turned: bool,
    pub(crate) finished: bool,
    pub(crate) paused: bool,
    quarters: i64,
    mode: LoopMode,
    /// How many passes are played; `None` is endless.
    repetitions: Option<u64>,
    seek_pending: bool,
    clock: i64,
    last_update: i64,
    pub(crate) events: Vec<Event>,
}

impl ModelPlayer {
    /// `lengths`: of the clips; `frame`: of all clips' frames; in ticks.
    pub(crate) fn new(lengths: &[i64], frame: i64) -> Self {
        Self {
            lengths: lengths.to_vec(),
            frame,
            clip: 0,
            at: 0,
            passes: 0,
            turned: false,
            finished: false,
            paused: true,
            quarters: 4,
            mode: LoopMode::Repeat,
            repetitions: None,
            seek_pending: false,
            clock: 0,
            last_update: 0,
            events: Vec::new(),
        }
    }

    fn end(&self) -> i64 {
        self.lengths[self.clip] * FINE
    }

    /// How far it is to the end of the pass.
    fn to_end(&self) -> i64 {
        if self.forwards() { self.end() - self.at } else { self.at }
    }

    fn forwards(&self) -> bool {
        (self.quarters >= 0) != self.turned
    }

    /// The playhead in seconds.
    pub(crate) fn time(&self) -> f64 {
        self.at as f64 / (TICKS * FINE) as f64
    }

    fn emit(&mut self, kind: Kind) {
        self.events.push((kind, self.time(), 0));
    }

    fn go(&mut self, at: i64) {
        (self.at, self.passes, self.turned, self.finished) = (at, 0, false, false);
    }

    fn restart(&mut self) {
        self.go(if self.quarters < 0 { self.end() } else { 0 });
    }

    pub(crate) fn choose(&mut self, clip: usize) {
        if clip != self.clip {
            let before = std::mem::replace(&mut self.clip, clip);
            self.restart();
            self.emit(Kind::ClipChange(before, clip));
        }
    }

    pub(crate) fn play(&mut self, clip: Option<usize>) {
        if let Some(clip) = clip {
            self.choose(clip);
        }
        // Who stands at the end of the last pass plays from the beginning.
        let last = self.total().is_some_and(|total| self.passes + 1 >= total);
        if self.paused && (self.finished || last && self.quarters != 0 && self.to_end() == 0) {
            self.restart();
        }
        if std::mem::replace(&mut self.paused, false) {
            self.emit(Kind::Play);
        }
    }

    pub(crate) fn pause(&mut self) {
        if !std::mem::replace(&mut self.paused, true) {
            self.emit(Kind::Pause);
        }
    }

    pub(crate) fn seek(&mut self, ticks: i64) {
        self.go((ticks * FINE).clamp(0, self.end()));
        self.seek_pending = true;
        self.emit(Kind::Seeking);
    }

    pub(crate) fn stop(&mut self) {
        self.pause();
        self.seek(0);
    }

    pub(crate) fn step(&mut self, frames: i64) {
        self.pause();
        let frame = self.frame * FINE;
        let from =
            if frames < 0 { (self.at + frame - 1).div_euclid(frame) } else { self.at.div_euclid(frame) };
        self.seek((from + frames) * self.frame);
    }

    pub(crate) fn set_rate(&mut self, quarters: i64) {
        if quarters != self.quarters {
            self.quarters = quarters;
            self.emit(Kind::RateChange);
        }
    }

    /// A pass that has begun is played to its end, however few are asked for; a last pass that has ended
    /// turns into one that ends now if more are asked for.
    pub(crate) fn set_passes(&mut self, mode: LoopMode, repetitions: Option<u64>) {
        (self.mode, self.repetitions) = (mode, repetitions);
        self.turned &= mode == LoopMode::PingPong;
        if self.finished && self.total().is_none_or(|total| self.passes < total) {
            self.finished = false;
            self.passes -= 1;
        }
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

    pub(crate) fn advance(&mut self, ticks: i64) {
        self.clock += ticks;
        if self.paused || self.quarters == 0 || ticks == 0 {
            return;
        }
        let mut way = ticks * self.quarters.abs();
        let mut ends: Vec<Event> = Vec::new();
        while way > 0 && !self.finished {
            let (forwards, to_end) = (self.forwards(), self.to_end());
            if way < to_end {
                self.at += if forwards { way } else { -way };
                break;
            }
            // A clip without length is over at once, or never.
            if self.end() == 0 && self.total().is_none() {
                break;
            }
            // A clip without length has all its passes now; else each takes its part of the way.
            way -= if self.end() == 0 { 0 } else { to_end };
            self.passes += 1;
            self.at = if forwards { self.end() } else { 0 };
            self.finished = self.total().is_some_and(|total| self.passes >= total);
            ends.push((if self.finished { Kind::Finished } else { Kind::Loop(self.passes) }, self.time(), 0));
            if self.finished {
                break;
            }
            match self.mode {
                LoopMode::PingPong => self.turned ^= self.end() > 0,
                _ => self.at = self.end() - self.at,
            }
        }
        let left_out = ends.len().saturating_sub(64);
        ends.drain(..left_out);
        if let Some(first) = ends.first_mut() {
            first.2 = left_out as u64;
        }
        self.events.append(&mut ends);
        self.paused = self.finished;
        if self.finished || self.clock - self.last_update >= TICKS / 4 {
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
