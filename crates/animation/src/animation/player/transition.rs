//! Transitions between sources, and synchronization with the base.

use super::action::LoopMode;
use super::blend_space::{SyncMode, align, follow};
use super::playhead::{Playhead, Source};
use crate::animation::mixing::{JointMask, LayerMode};
use std::rc::Rc;

/// The largest number of sources that fade out. Above it, the source with the smallest weight is removed
/// immediately.
const MAX_OUTGOING: usize = 16;

/// The transition from one source to another. Its seconds run while the actor moves; 0 or less is a cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transition {
    /// The new source takes over immediately. The displayed motion slows down to rest and gives way to it, within
    /// this many seconds.
    Inertial(f64),
    /// The old source plays on and fades out while the new one fades in, within this many seconds.
    Crossfade(f64),
    /// The new source takes over immediately.
    Cut,
}

impl Default for Transition {
    fn default() -> Self {
        Self::Inertial(0.3)
    }
}

impl Transition {
    /// Replaces a transition without duration by a cut.
    pub(super) fn checked(self) -> Self {
        match self {
            Self::Inertial(seconds) | Self::Crossfade(seconds) if !(seconds > 0.0) => Self::Cut,
            Self::Inertial(seconds) => Self::Inertial(seconds.min(f64::MAX)),
            Self::Crossfade(seconds) => Self::Crossfade(seconds.min(f64::MAX)),
            Self::Cut => Self::Cut,
        }
    }
}

/// A number that changes smoothly from one value to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fade {
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// On the player's clock.
    pub(crate) begin: f64,
    pub(crate) end: f64,
}

impl Fade {
    pub(crate) fn still(value: f64) -> Self {
        Self { from: value, to: value, begin: 0.0, end: 0.0 }
    }

    /// `true` if it is over and has ended at `value`.
    pub(super) fn rests_at(&self, value: f64, clock: f64) -> bool {
        value == self.to && clock >= self.end
    }

    pub(crate) fn at(&self, clock: f64) -> f64 {
        if clock >= self.end {
            return self.to;
        }
        let s = ((clock - self.begin) / (self.end - self.begin)).clamp(0.0, 1.0);
        self.from + (self.to - self.from) * (s * s * (3.0 - 2.0 * s))
    }
}

/// A source that fades out while another one, of the base or of the layer, fades in.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    /// Its playhead, with the player's clock as timeline.
    pub(super) head: Playhead,
    /// Its weight at the start of the last crossfade.
    pub(super) share: f64,
    pub(super) link: Link,
}

/// Adds a source to those that fade out; it has had `share` of the weight so far, and they have had the rest. `now` is
/// the time of the timeline and of the player's clock.
pub(super) fn fade_out(
    outgoing: &mut Vec<Outgoing>,
    head: &Playhead,
    share: f64,
    link: Link,
    now: (f64, f64),
) {
    for out in &mut *outgoing {
        out.share *= 1.0 - share;
    }
    outgoing.retain(|out| out.share > 0.0);
    let (now, clock) = now;
    let mut head = head.clone();
    head.rebase(now);
    head.action.start += clock - now;
    outgoing.push(Outgoing { head, share, link });
    if outgoing.len() > MAX_OUTGOING {
        let mut least = 0;
        for i in 1..outgoing.len() {
            if outgoing[i].share < outgoing[least].share {
                least = i;
            }
        }
        let left = outgoing.remove(least).share;
        for out in outgoing {
            out.share /= 1.0 - left;
        }
    }
}

/// The synchronization of a source with the base.
#[derive(Debug, Clone, Default)]
pub(super) struct Link {
    pub(super) mode: SyncMode,
    /// The times of common markers, in the base and in the source.
    base: Vec<f64>,
    own: Vec<f64>,
}

impl Link {
    pub(super) fn new(mode: SyncMode, base: &Playhead, own: &Playhead) -> Self {
        let lists = [(&*base.marks, base.action.duration), (&*own.marks, own.action.duration)];
        let mut aligned = align(&lists).filter(|_| mode == SyncMode::Marker).unwrap_or_default().into_iter();
        let (base, own) = (aligned.next().unwrap_or_default(), aligned.next().unwrap_or_default());
        Self { mode, base, own }
    }

    /// The time of the source that corresponds to `time` of the base.
    pub(super) fn time(&self, time: f64, base: f64, own: f64) -> f64 {
        follow(time, (&self.base, base), (&self.own, own))
    }
}

/// Options of a new layer; see [`Player::add_layer`](super::Player::add_layer).
#[derive(Debug, Clone)]
pub struct LayerOptions {
    /// The name, defined by the page.
    pub name: String,
    /// The source of the layer.
    pub source: Source,
    /// The way it combines with the layers below.
    pub mode: LayerMode,
    /// Its weight at each node; `None` means 1 everywhere.
    pub mask: Option<Rc<JointMask>>,
    /// `0.0..=1.0` for [`LayerMode::Override`], clamped; at least 0 for [`LayerMode::Average`], clamped; any
    /// finite number for [`LayerMode::Additive`].
    pub weight: f32,
    /// Synchronization with the base. A synchronized layer ignores its own playhead, rate and segment, and
    /// emits no events for markers and passes.
    pub sync: SyncMode,
    /// The transition in which it appears; `None` is the player's default.
    pub transition: Option<Transition>,
}

impl LayerOptions {
    /// An override layer of full weight, without name and mask.
    pub fn new(source: Source) -> Self {
        let (name, mode, mask) = (String::new(), LayerMode::Override, None);
        Self { name, source, mode, mask, weight: 1.0, sync: SyncMode::None, transition: None }
    }
}

/// The way a source plays; see [`Player::play_source`](super::Player::play_source).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playing {
    /// Source seconds per second; any finite number.
    pub rate: f64,
    /// The behaviour at the end of the segment.
    pub loop_mode: LoopMode,
    /// The segment, in seconds of the source; `None` is all of it.
    pub segment: Option<[f64; 2]>,
}

/// A source above the base.
#[derive(Debug, Clone)]
pub struct Layer {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) head: Playhead,
    pub(super) mode: LayerMode,
    pub(super) mask: Option<Rc<JointMask>>,
    pub(super) weight: Fade,
    pub(super) link: Link,
    /// Sources that fade out within the layer, and the weight of its own source against them.
    pub(super) outgoing: Vec<Outgoing>,
    pub(super) takes_over: Fade,
    /// `true` if it is removed after it has faded out.
    pub(super) removed: bool,
}

impl Layer {
    /// Its id, unique among all layers that the player ever had.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The name, defined by the page.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The way it combines with the layers below.
    pub fn mode(&self) -> LayerMode {
        self.mode
    }

    /// Its weight at each node; `None` means 1 everywhere.
    pub fn mask(&self) -> Option<&Rc<JointMask>> {
        self.mask.as_ref()
    }

    /// The weight that was set; during a fade, its target.
    pub fn weight(&self) -> f32 {
        self.weight.to as f32
    }

    /// Synchronization with the base.
    pub fn sync(&self) -> SyncMode {
        self.link.mode
    }

    /// The sources that fade out within it, and the weight of its own source.
    pub(super) fn shares(&self, clock: f64) -> (&[Outgoing], f64) {
        let share = self.takes_over.at(clock);
        if self.outgoing.is_empty() || share >= 1.0 { (&[], 1.0) } else { (&self.outgoing, share) }
    }

    /// `true` while its weight, or the weights of its sources, change with time.
    pub(super) fn fades(&self, clock: f64) -> bool {
        clock < self.weight.end || !self.shares(clock).0.is_empty()
    }

    /// The source of the layer.
    pub fn source(&self) -> Option<&Source> {
        self.head.source.as_ref()
    }
}

/// Options of [`Player::transition_to`](super::Player::transition_to).
#[derive(Debug, Clone, Copy, Default)]
pub struct TransitionOptions {
    /// The transition to the new source; `None` is the player's default.
    pub transition: Option<Transition>,
    /// Synchronization of the start with the old source. In a crossfade the old source then follows the new
    /// one.
    pub sync: SyncMode,
    /// The start time, in seconds of the source; `None` is its beginning. Takes precedence over `sync`.
    pub at: Option<f64>,
}
