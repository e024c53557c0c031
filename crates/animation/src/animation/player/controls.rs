//! The playback controls of the base; see [`Transport`].

#[cfg(doc)]
use super::Transport;
use super::{LoopMode, Player, scrub_travel};
use std::ops::Range;

impl Player {
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
        self.scrubbed();
    }

    /// Call it after [`Transport::scrub`] of the base, which then moves the actor by the root motion.
    pub fn scrubbed(&mut self) {
        if self.travel.is_some() {
            scrub_travel(self);
        }
    }

    /// Playback rate, in clip seconds per second.
    pub fn rate(&self) -> f64 {
        self.base.action.rate
    }

    /// See [`Transport::set_rate`].
    pub fn set_rate(&mut self, rate: f64) {
        self.base().set_rate(rate);
    }

    /// The behaviour at the end of the segment.
    pub fn loop_mode(&self) -> LoopMode {
        self.base.action.loop_mode
    }

    /// See [`Transport::set_loop_mode`].
    pub fn set_loop_mode(&mut self, mode: LoopMode) {
        self.base().set_loop_mode(mode);
    }

    /// The number of passes, counted from the last start or seek; infinite for endless.
    pub fn repetitions(&self) -> f64 {
        self.base.action.repetitions
    }

    /// See [`Transport::set_repetitions`].
    pub fn set_repetitions(&mut self, repetitions: f64) {
        self.base().set_repetitions(repetitions);
    }

    /// The segment of the clip that is played, in seconds of the clip.
    pub fn segment(&self) -> Range<f64> {
        self.base.action.begin..self.base.action.end
    }

    /// See [`Transport::set_segment`].
    pub fn set_segment(&mut self, segment: Option<Range<f64>>) {
        self.base().set_segment(segment);
    }
}
