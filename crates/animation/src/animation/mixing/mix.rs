//! The clips of an actor at one instant: written by the player, read by the mixer.

use super::mask::JointMask;
use crate::model::ClipId;
use std::ops::Range;
use std::rc::Rc;

/// Layers from the lowest to the highest, each with its clips.
///
/// A function of the player's state and the timeline's time. It is refilled each frame without allocating.
#[derive(Debug, Clone, Default)]
pub struct Mix {
    /// The layers, the base first.
    pub layers: Vec<MixLayer>,
    /// The clips of all layers, indexed by [`MixLayer::contributions`].
    pub contributions: Vec<Contribution>,
}

/// Clips that are blended with each other. The result then overrides, or is added to, the layers below.
#[derive(Debug, Clone)]
pub struct MixLayer {
    /// The way the layer combines with those below.
    pub mode: LayerMode,
    /// `0.0..=1.0` for [`LayerMode::Override`], at least 0 for [`LayerMode::Average`]; any finite number for
    /// [`LayerMode::Additive`].
    pub weight: f32,
    /// The weight of the layer at each node; `None` means 1 everywhere.
    pub mask: Option<Rc<JointMask>>,
    /// The range of its clips in [`Mix::contributions`].
    pub contributions: Range<usize>,
}

/// The way a layer combines with those below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LayerMode {
    /// The channels of its clips replace the pose below.
    Override,
    /// Its clips are averaged with those of the override layer below, and with the averaged layers in
    /// between. The weight of a clip is its own weight × the weight of the layer × the mask at the node.
    Average,
    /// The difference between its clips and a reference pose is added to the pose below.
    Additive(Reference),
}

impl LayerMode {
    /// `true` for [`LayerMode::Additive`].
    pub fn is_additive(self) -> bool {
        matches!(self, Self::Additive(_))
    }
}

/// The reference pose of an additive layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reference {
    /// The rest pose of the file.
    Rest,
    /// A clip at a time in seconds. By default the same clip at its first key.
    Clip(ClipId, f64),
}

/// A clip at a time, with a weight in its layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contribution {
    /// The clip.
    pub clip: ClipId,
    /// Time in the clip, in seconds, `0.0..=duration`.
    pub time: f64,
    /// At least 0. In a [`LayerMode::Override`], weights with a sum above 1 are scaled down to 1; below 1,
    /// the pose below has the rest. In a [`LayerMode::Additive`], the weighted differences are added in
    /// sequence.
    pub weight: f32,
}

impl Mix {
    /// Removes all layers and keeps the allocations.
    pub fn clear(&mut self) {
        self.layers.clear();
        self.contributions.clear();
    }

    /// Adds a layer on top.
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

/// The times of the stored poses of an inertial transition, in seconds since the change. They are dense at first, where
/// the old motion is shown at almost full weight and speed.
pub const COAST: [f64; 4] = [0.0, 1.0 / 64.0, 4.0 / 64.0, 9.0 / 64.0];

/// The time of [`Change::probe`], in seconds since the change. It is short, so that it rarely contains the end of a pass.
pub const PROBE: f64 = 1.0 / 1024.0;

/// A change that an actor must apply before it shows the next pose; see [`Player::take_transition`].
///
/// [`Player::take_transition`]: crate::animation::Player::take_transition
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// `true` if the active transition ends immediately, before anything else: after a seek or a cut.
    pub cut: bool,
    /// The player's [clock](crate::animation::Player::clock) at the change.
    pub at: f64,
    /// The duration of the transition, in seconds of the player's clock. If 0 there is no transition, and the
    /// mixes are empty.
    pub duration: f64,
    /// The mixes without the change, at the times of [`COAST`] after it.
    pub before: [Mix; COAST.len()],
    /// The mix without the change, [`PROBE`] seconds after it.
    pub probe: Mix,
    /// The new mix at the change.
    pub after: Mix,
}
