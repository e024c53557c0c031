//! How a change of what is played becomes visible.

use super::blend_space::{SyncMode, align, follow};
use super::playhead::{Playhead, Source};
use crate::animation::mixing::{JointMask, LayerMode};
use crate::base::deferred;
use std::rc::Rc;

/// How what is played gives way to something else. Seconds run while the actor moves; 0 and less are a cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transition {
    /// The new takes over at once; the difference to what was displayed, and to its speed, dies away in so many seconds.
    Inertial(f64),
    /// The old plays on and fades out while the new fades in, in so many seconds.
    Crossfade(f64),
    /// At once.
    Cut,
}

impl Default for Transition {
    fn default() -> Self {
        Self::Inertial(0.3)
    }
}

impl Transition {
    /// A transition without length is a cut.
    pub(super) fn checked(self) -> Self {
        match self {
            Self::Inertial(seconds) | Self::Crossfade(seconds) if !(seconds > 0.0) => Self::Cut,
            Self::Inertial(seconds) => Self::Inertial(seconds.min(f64::MAX)),
            Self::Crossfade(seconds) => Self::Crossfade(seconds.min(f64::MAX)),
            Self::Cut => Self::Cut,
        }
    }
}

/// A number that goes smoothly from one value to another.
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

    pub(crate) fn at(&self, clock: f64) -> f64 {
        if clock >= self.end {
            return self.to;
        }
        let s = ((clock - self.begin) / (self.end - self.begin)).clamp(0.0, 1.0);
        self.from + (self.to - self.from) * (s * s * (3.0 - 2.0 * s))
    }
}

/// A source that gives way to the base.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    /// Its timeline is the player's clock.
    pub(super) head: Playhead,
    /// Its share when the last crossfade began.
    pub(super) share: f64,
    pub(super) link: Link,
}

/// How a source goes along with the base.
#[derive(Debug, Clone, Default)]
pub(super) struct Link {
    pub(super) mode: SyncMode,
    /// The times of common markers in the base, and in the source.
    base: Vec<f64>,
    own: Vec<f64>,
}

deferred! {
    pub(super) fn link(mode: SyncMode, base: &Playhead, own: &Playhead) -> Link = Link::new;
    pub(super) fn linked_time(link: &Link, time: f64, base: f64, own: f64) -> f64 = Link::time;
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

/// What a new layer is; see [`Player::add_layer`](super::Player::add_layer).
#[derive(Debug, Clone)]
pub struct LayerOptions {
    /// What the page calls it.
    pub name: String,
    /// What it plays.
    pub source: Source,
    /// How it meets what is below.
    pub mode: LayerMode,
    /// How much of it each node takes; all without a mask.
    pub mask: Option<Rc<JointMask>>,
    /// `0.0..=1.0` for [`LayerMode::Override`], to which it is clamped; at least 0 for [`LayerMode::Average`]; any finite
    /// number for [`LayerMode::Additive`].
    pub weight: f32,
    /// Whether it goes along with the base; then its own playhead, rate and segment count for nothing, and it tells of no
    /// markers and passes.
    pub sync: SyncMode,
    /// How it comes; `None` is the player's default.
    pub transition: Option<Transition>,
}

impl LayerOptions {
    /// An override layer of full weight, without a name and a mask.
    pub fn new(source: Source) -> Self {
        let (name, mode, mask) = (String::new(), LayerMode::Override, None);
        Self { name, source, mode, mask, weight: 1.0, sync: SyncMode::None, transition: None }
    }
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
    /// Whether it goes when it has faded out.
    pub(super) leaves: bool,
}

impl Layer {
    /// Its number, which no other layer of the player ever has.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// What the page calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it meets what is below.
    pub fn mode(&self) -> LayerMode {
        self.mode
    }

    /// How much of it each node takes; all without a mask.
    pub fn mask(&self) -> Option<&Rc<JointMask>> {
        self.mask.as_ref()
    }

    /// The weight that was set; while it fades, where it is going.
    pub fn weight(&self) -> f32 {
        self.weight.to as f32
    }

    /// Whether it goes along with the base.
    pub fn sync(&self) -> SyncMode {
        self.link.mode
    }

    /// What it plays.
    pub fn source(&self) -> Option<&Source> {
        self.head.source.as_ref()
    }
}

/// How [`Player::transition_to`](super::Player::transition_to) goes.
#[derive(Debug, Clone, Copy, Default)]
pub struct TransitionOptions {
    /// How the new source takes over; `None` is the player's default.
    pub transition: Option<Transition>,
    /// Where it starts: at the corresponding place of what it follows; in a crossfade what fades out goes along with it.
    pub sync: SyncMode,
    /// Where it starts, in its seconds; its beginning if `None`. Takes precedence over `sync`.
    pub at: Option<f64>,
}
