//! What an actor plays at one instant: the list that the player writes and the mixer reads.

use super::mask::JointMask;
use crate::model::ClipId;
use std::ops::Range;
use std::rc::Rc;

/// Layers from the lowest to the highest, each with what is blended in it.
///
/// A function of the player's state and the timeline's time; refilled each frame without allocating.
#[derive(Debug, Clone, Default)]
pub struct Mix {
    /// The layers, the base first.
    pub layers: Vec<MixLayer>,
    /// What [`MixLayer::contributions`] points into.
    pub contributions: Vec<Contribution>,
}

/// Clips that are blended with each other and then laid over (or onto) what is below.
#[derive(Debug, Clone)]
pub struct MixLayer {
    /// How the layer meets those below.
    pub mode: LayerMode,
    /// `0.0..=1.0` for [`LayerMode::Override`], at least 0 for [`LayerMode::Average`]; any finite number for
    /// [`LayerMode::Additive`].
    pub weight: f32,
    /// How much of the layer each node takes; all of it without a mask.
    pub mask: Option<Rc<JointMask>>,
    /// Which of [`Mix::contributions`] are blended.
    pub contributions: Range<usize>,
}

/// How a layer meets those below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LayerMode {
    /// What its clips animate takes the place of what is below.
    Override,
    /// Its clips are averaged with those of the override layer below it, and of the averaged layers between, by weight: a
    /// share is that of the contribution times the weight of the layer and the mask at the node.
    Average,
    /// The difference between its clips and a reference pose is added to what is below.
    Additive(Reference),
}

impl LayerMode {
    /// `true` for [`LayerMode::Additive`].
    pub fn is_additive(self) -> bool {
        matches!(self, Self::Additive(_))
    }
}

/// The pose that an additive layer is the difference to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reference {
    /// The rest pose of the file.
    Rest,
    /// A clip at a time in seconds; the same clip at its first key if the page names no other.
    Clip(ClipId, f64),
}

/// A clip at a time, with a share in its layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contribution {
    /// The clip.
    pub clip: ClipId,
    /// Seconds of the clip, `0.0..=duration`.
    pub time: f64,
    /// At least 0. Of a [`LayerMode::Override`], shares that add up to more than 1 are scaled down to 1, and what is
    /// missing comes from below; of a [`LayerMode::Additive`], the weighted differences are added one after the other.
    pub weight: f32,
}

impl Mix {
    /// Forgets all layers and keeps the memory.
    pub fn clear(&mut self) {
        self.layers.clear();
        self.contributions.clear();
    }

    /// Adds a layer above the others.
    pub fn push(
        &mut self,
        mode: LayerMode,
        weight: f32,
        mask: Option<&Rc<JointMask>>,
        contributions: impl Iterator<Item = Contribution>,
    ) {
        let begin = self.contributions.len();
        self.contributions.extend(contributions);
        let contributions = begin..self.contributions.len();
        self.layers.push(MixLayer { mode, weight, mask: mask.cloned(), contributions });
    }
}

/// A change that an actor has to act on before it shows the next pose; see [`Player::take_transition`].
///
/// [`Player::take_transition`]: crate::animation::Player::take_transition
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// Whether a transition that is under way ends at once, before anything else: the playhead was set to a place.
    pub cut: bool,
    /// The player's [clock](crate::animation::Player::clock) at the change.
    pub at: f64,
    /// How many seconds apart the two mixes of `before` are, and those of `after`.
    pub delta: f64,
    /// How long the transition takes, in seconds of the player's clock; if 0 there is none, and the mixes are empty.
    pub duration: f64,
    /// What was played when the change was made, and what would be `delta` seconds later.
    pub before: [Mix; 2],
    /// What is played instead, at the same two times.
    pub after: [Mix; 2],
}
