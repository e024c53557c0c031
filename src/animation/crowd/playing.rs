//! What members play, and where in it they are.

use crate::animation::player::{Fade, Position};
use crate::model::ClipId;

/// How far a member is in a clip.
#[derive(Debug, Clone, Copy)]
pub(super) struct Playing {
    pub(super) clip: Option<ClipId>,
    /// Where it is in its clip at its start.
    pub(super) offset: f64,
    pub(super) start: f64,
    /// Whether the pass there is one that ping-pong plays backwards.
    pub(super) backwards: bool,
    pub(super) rate: f64,
}

/// What a member has played before, and its share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    pub(super) playing: Playing,
    pub(super) share: Fade,
}

impl Playing {
    /// Begins where it is now.
    pub(super) fn rebase(&mut self, Position { time, backwards, .. }: Position, clock: f64) {
        (self.offset, self.start, self.backwards) = (time, clock, backwards);
    }
}
