//! Options and results of retargeting.

use super::conventions::Convention;
use super::humanoid::GivenBones;
use crate::model::{Clip, HumanBone, NodeId};
use std::sync::Arc;

/// Options of [`retarget`](super::retarget()).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// The way in which nodes are paired.
    pub mode: Mode,
    /// The translation of the hips.
    pub hips: Hips,
    /// The rotation of the bones of humanoids.
    pub rotations: Rotations,
    /// Keeps ankles in place while those of the source are, by inverse kinematics that is baked into the keys.
    /// The directions of leg bones then differ from those of the source.
    pub foot_lock: bool,
}

/// The way in which the nodes of two models are paired.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Mode {
    /// By names if the skeletons are the same, otherwise as humanoids, otherwise by names.
    #[default]
    Auto,
    /// By the names of nodes.
    Names,
    /// As humanoids, with changes of the maps that are found.
    Map {
        /// Changes of the map of the clips' model.
        source: GivenBones,
        /// Changes of the map of the model that will play the clips.
        target: GivenBones,
    },
}

/// The translation of the hips of a humanoid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Hips {
    /// Multiplied by the ratio of leg lengths.
    #[default]
    Scaled,
    /// In the units of the source.
    Kept,
}

/// The rotation of the bones of humanoids.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rotations {
    /// [`Rotations::Relative`] for a clip with VRMC_vrm_animation on a VRM avatar, otherwise [`Rotations::Directions`].
    #[default]
    Auto,
    /// Bones have the directions of those of the source.
    Directions,
    /// Bones turn from their rest pose as those of the source turn from theirs. Both rest poses must be the same
    /// posture, such as a T-pose. Spec: VRMC_vrm_animation 1.0, pose data compatibility.
    Relative,
}

impl Rotations {
    /// The value with a name: `directions` or `relative`, otherwise [`Rotations::Auto`].
    pub fn from_name(name: &str) -> Self {
        match name {
            "directions" => Self::Directions,
            "relative" => Self::Relative,
            _ => Self::Auto,
        }
    }
}

/// Retargeted clips.
#[derive(Debug, Clone, Default)]
pub struct Retargeted {
    /// The clips with at least one channel, in the order of the source. They are ordinary clips of the target.
    pub clips: Vec<Arc<Clip>>,
    /// The pairs that were found.
    pub report: Report,
}

/// The result of pairing two models.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// The conventions of source and target if they were paired as humanoids.
    pub conventions: Option<[Convention; 2]>,
    /// The pairs of human bones, in the order of [`HumanBone::ALL`].
    pub mapped: Vec<MappedBone>,
    /// The pairs of nodes without a human bone that move.
    pub named: usize,
    /// Human bones that only one of the models has.
    pub missing: Vec<HumanBone>,
    /// Human bones that the names of several nodes fit.
    pub ambiguous: Vec<HumanBone>,
    /// The factor of the translation of the hips; 1 if paired by names.
    pub scale: f64,
    /// Channels of the source that move nothing in the target.
    pub skipped: usize,
    /// Faults and guesses, as sentences.
    pub warnings: Vec<String>,
}

/// A pair of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MappedBone {
    /// The human bone.
    pub bone: HumanBone,
    /// The node of the source.
    pub source: NodeId,
    /// The node of the target.
    pub target: NodeId,
}
