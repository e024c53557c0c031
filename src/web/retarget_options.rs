//! The way in which clips are retargeted, as a structure. The module of the tools includes this file.

use super::structures::structures;
use crate::animation::retarget::{GivenBones, Hips, Mode, Options, Rotations};

structures! {
    /// A human bone, by its name in VRM 1.0, and the name of its joint; without a joint it is removed.
    pub struct BoneJoint: "BoneJoint" {
        bone: String,
        joint: Option<String>,
    }

    /// The way in which the joints of two files are paired, and clips are converted.
    pub struct RetargetOptions: "RetargetOptions" {
        /// Pairs joints by names only, not as human bones.
        by_names as byNames: bool,
        /// Changes of the map of the other file.
        source: Vec<BoneJoint>,
        /// Changes of the map of this model.
        target: Vec<BoneJoint>,
        /// Does not scale the translation of the hips.
        keep_hips as keepHips: bool,
        /// See [`Options::foot_lock`].
        foot_lock as footLock: bool,
        /// The name of a value of [`Rotations`]; `undefined`: the default.
        rotations: Option<String>,
    }
}

impl From<RetargetOptions> for Options {
    fn from(options: RetargetOptions) -> Self {
        let RetargetOptions { by_names, source, target, keep_hips, foot_lock, rotations } = options;
        let bones = |bones: Vec<BoneJoint>| -> GivenBones {
            bones.into_iter().map(|BoneJoint { bone, joint }| (bone, joint)).collect()
        };
        let mode = match [source, target].map(bones) {
            _ if by_names => Mode::Names,
            [source, target] if source.is_empty() && target.is_empty() => Mode::Auto,
            [source, target] => Mode::Map { source, target },
        };
        let hips = if keep_hips { Hips::Kept } else { Hips::Scaled };
        Self { mode, hips, foot_lock, rotations: Rotations::from_name(&rotations.unwrap_or_default()) }
    }
}
