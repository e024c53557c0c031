//! The clips that members play, and the position in them.

use crate::animation::player::{Fade, Position};
use crate::model::ClipId;

/// The clip of a member and the state of its playback.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Playing {
    pub(super) clip: Option<ClipId>,
    /// The time in the clip at `start`, in seconds.
    pub(super) offset: f64,
    pub(super) start: f64,
    /// `true` if a ping-pong pass at the start runs backwards.
    pub(super) backwards: bool,
    pub(super) rate: f64,
}

/// The previous clip of a member, and its weight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Previous {
    pub(super) playing: Playing,
    pub(super) share: Fade,
}

impl Playing {
    /// Restarts at the current position.
    pub(super) fn rebase(&mut self, Position { time, backwards, .. }: Position, clock: f64) {
        (self.offset, self.start, self.backwards) = (time, clock, backwards);
    }
}
