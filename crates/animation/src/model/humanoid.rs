//! Human bones, and the parts of a VRM file that name them.

use super::ids::NodeId;
use std::fmt;

macro_rules! human_bones {
    ($($(#[$doc:meta])* $bone:ident = $name:literal;)*) => {
        /// A bone of a human body, with VRM 1.0's names. Spec: VRMC_vrm 1.0, humanoid.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the names of the body's parts")]
        pub enum HumanBone {
            $($(#[$doc])* $bone,)*
        }

        impl HumanBone {
            /// All bones. Each comes after its [`HumanBone::parent`].
            pub const ALL: [Self; COUNT] = [$(Self::$bone,)*];

            /// The name in VRM 1.0, such as `leftUpperArm`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$bone => $name,)*
                }
            }
        }
    };
}

const COUNT: usize = 55;

human_bones! {
    Hips = "hips";
    Spine = "spine";
    Chest = "chest";
    UpperChest = "upperChest";
    Neck = "neck";
    Head = "head";
    LeftEye = "leftEye";
    RightEye = "rightEye";
    Jaw = "jaw";
    LeftUpperLeg = "leftUpperLeg";
    LeftLowerLeg = "leftLowerLeg";
    LeftFoot = "leftFoot";
    LeftToes = "leftToes";
    RightUpperLeg = "rightUpperLeg";
    RightLowerLeg = "rightLowerLeg";
    RightFoot = "rightFoot";
    RightToes = "rightToes";
    LeftShoulder = "leftShoulder";
    LeftUpperArm = "leftUpperArm";
    LeftLowerArm = "leftLowerArm";
    LeftHand = "leftHand";
    RightShoulder = "rightShoulder";
    RightUpperArm = "rightUpperArm";
    RightLowerArm = "rightLowerArm";
    RightHand = "rightHand";
    LeftThumbMetacarpal = "leftThumbMetacarpal";
    LeftThumbProximal = "leftThumbProximal";
    LeftThumbDistal = "leftThumbDistal";
    LeftIndexProximal = "leftIndexProximal";
    LeftIndexIntermediate = "leftIndexIntermediate";
    LeftIndexDistal = "leftIndexDistal";
    LeftMiddleProximal = "leftMiddleProximal";
    LeftMiddleIntermediate = "leftMiddleIntermediate";
    LeftMiddleDistal = "leftMiddleDistal";
    LeftRingProximal = "leftRingProximal";
    LeftRingIntermediate = "leftRingIntermediate";
    LeftRingDistal = "leftRingDistal";
    LeftLittleProximal = "leftLittleProximal";
    LeftLittleIntermediate = "leftLittleIntermediate";
    LeftLittleDistal = "leftLittleDistal";
    RightThumbMetacarpal = "rightThumbMetacarpal";
    RightThumbProximal = "rightThumbProximal";
    RightThumbDistal = "rightThumbDistal";
    RightIndexProximal = "rightIndexProximal";
    RightIndexIntermediate = "rightIndexIntermediate";
    RightIndexDistal = "rightIndexDistal";
    RightMiddleProximal = "rightMiddleProximal";
    RightMiddleIntermediate = "rightMiddleIntermediate";
    RightMiddleDistal = "rightMiddleDistal";
    RightRingProximal = "rightRingProximal";
    RightRingIntermediate = "rightRingIntermediate";
    RightRingDistal = "rightRingDistal";
    RightLittleProximal = "rightLittleProximal";
    RightLittleIntermediate = "rightLittleIntermediate";
    RightLittleDistal = "rightLittleDistal";
}

impl HumanBone {
    /// The number of bones.
    pub const COUNT: usize = COUNT;

    /// The bone with this name in VRM 1.0.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bone| bone.name() == name)
    }

    /// The bone that this one is attached to; `None` for the hips.
    pub const fn parent(self) -> Option<Self> {
        use HumanBone as B;
        Some(match self {
            B::Hips => return None,
            B::Spine | B::LeftUpperLeg | B::RightUpperLeg => B::Hips,
            B::LeftEye | B::RightEye | B::Jaw => B::Head,
            B::LeftShoulder | B::RightShoulder | B::Neck => B::UpperChest,
            B::LeftThumbMetacarpal
            | B::LeftIndexProximal
            | B::LeftMiddleProximal
            | B::LeftRingProximal
            | B::LeftLittleProximal => B::LeftHand,
            B::RightThumbMetacarpal
            | B::RightIndexProximal
            | B::RightMiddleProximal
            | B::RightRingProximal
            | B::RightLittleProximal => B::RightHand,
            // In a limb, each bone is listed after the one that it is attached to.
            _ => Self::ALL[self as usize - 1],
        })
    }

    /// `true` for bones that a humanoid needs here: hips, and both parts of arms and legs.
    pub const fn is_essential(self) -> bool {
        use HumanBone as B;
        matches!(
            self,
            B::Hips
                | B::LeftUpperLeg
                | B::LeftLowerLeg
                | B::RightUpperLeg
                | B::RightLowerLeg
                | B::LeftUpperArm
                | B::LeftLowerArm
                | B::RightUpperArm
                | B::RightLowerArm
        )
    }
}

impl fmt::Display for HumanBone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The human bones and expressions that a VRM file names. Spec: VRM 0.x, VRMC_vrm 1.0,
/// VRMC_vrm_animation 1.0.
#[derive(Debug, Clone, PartialEq)]
pub struct Humanoid {
    /// The extension of the file.
    pub version: VrmVersion,
    /// The node of each named bone, in the order of [`HumanBone::ALL`]; no node twice.
    pub bones: Vec<(HumanBone, NodeId)>,
    /// The expressions, with VRM 1.0's names for its presets, in the order of the file.
    pub expressions: Vec<Expression>,
}

/// A version of VRM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VrmVersion {
    /// An avatar with the extension VRM.
    Vrm0,
    /// An avatar with the extension VRMC_vrm.
    Vrm1,
    /// A clip with the extension VRMC_vrm_animation.
    Animation,
}

/// An expression of a face.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expression {
    /// The name of the preset in VRM 1.0, such as `happy`, or the avatar's own name.
    pub name: String,
    /// The morph weights at full expression; of avatars.
    pub binds: Vec<MorphBind>,
    /// `true` if it changes colours or textures too, which are not applied; of avatars.
    pub changes_materials: bool,
    /// The node whose X translation is the weight of the expression; of clips.
    pub driver: Option<NodeId>,
    /// See [`FaceExpression::is_binary`](super::FaceExpression::is_binary).
    pub is_binary: bool,
    /// See [`FaceExpression::overrides`](super::FaceExpression::overrides).
    pub overrides: [ExpressionOverride; 3],
}

/// A morph weight of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MorphBind {
    /// A node with a mesh.
    pub node: NodeId,
    /// The morph target: an index into the node's weights.
    pub target: usize,
    /// The weight at full expression.
    pub weight: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_follow_their_parents_and_are_found_by_name() {
        for (i, bone) in HumanBone::ALL.into_iter().enumerate() {
            assert_eq!(bone as usize, i);
            assert_eq!(HumanBone::from_name(bone.name()), Some(bone));
            assert_eq!(bone.parent().is_none(), bone == HumanBone::Hips);
            assert!(bone.parent().is_none_or(|parent| parent < bone));
        }
        assert_eq!(HumanBone::from_name("Hips"), None);
        assert_eq!(HumanBone::from_name(""), None);
    }

    #[test]
    fn limbs_are_attached_to_their_own_side() {
        for bone in HumanBone::ALL {
            let Some(parent) = bone.parent() else { continue };
            for side in ["left", "right"] {
                let other = if side == "left" { "right" } else { "left" };
                assert!(!(bone.name().starts_with(side) && parent.name().starts_with(other)), "{bone}");
            }
        }
        let parent = |name: &str| HumanBone::from_name(name).and_then(HumanBone::parent);
        assert_eq!(parent("leftToes"), Some(HumanBone::LeftFoot));
        assert_eq!(parent("rightLittleDistal"), Some(HumanBone::RightLittleIntermediate));
        assert_eq!(parent("leftThumbProximal"), Some(HumanBone::LeftThumbMetacarpal));
        assert_eq!(parent("rightUpperArm"), Some(HumanBone::RightShoulder));
    }
}

/// The effect of an expression on those of another kind. Spec: VRMC_vrm 1.0, expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExpressionOverride {
    /// None.
    #[default]
    None,
    /// They have no effect while this one has any.
    Block,
    /// Their amounts are reduced by that of this one.
    Blend,
}

impl ExpressionOverride {
    /// All rules.
    pub const ALL: [Self; 3] = [Self::None, Self::Block, Self::Blend];

    /// The name in a VRM file and for pages.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Block => "block",
            Self::Blend => "blend",
        }
    }
}
