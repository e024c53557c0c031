//! Procedural animation: overrides of joints and morph weights, look-at, inverse kinematics (IK), spring
//! bones, root motion, billboards.

mod billboards;
mod chain_ik;
mod expressions;
mod eyes;
mod feet;
mod gaze;
mod ik;
mod joint_line;
mod look_at;
mod morphs;
mod overrides;
mod root_motion;
mod spaces;
mod springs;
mod vectors;

pub use billboards::{Billboard, Billboards, Facing};
pub(crate) use chain_ik::reach;
pub use chain_ik::{ChainGoals, ChainIk, ChainSolver, JointLimit};
pub use expressions::{Blinks, Expressions, Glances};
pub use eyes::EyeJoint;
pub use feet::{Feet, GroundPoint, LegBones};
pub(crate) use gaze::GazeTime;
pub(crate) use gaze::look;
pub use gaze::{Gaze, GazeControl, GazeJoint};
pub use ik::TwoBoneIk;
pub(crate) use ik::lead;
pub use look_at::LookAt;
pub use morphs::{MorphOverride, MorphOverrides};
pub(crate) use overrides::stand;
pub use overrides::{Override, Overrides, unscaled};
pub(crate) use root_motion::extract_roots;
pub use root_motion::{
    GroundContacts, GroundedPoint, RootMotion, RootOptions, RootRotation, extract, in_place, root_of,
};
pub use spaces::Space;
pub use springs::Springs;
pub(crate) use springs::{advance, bind, swing};
pub(crate) use vectors::{Turn, arc};

/// Deferred functions of this module; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 7] = [
    &chain_ik::DEFERRED,
    &expressions::DEFERRED,
    &gaze::DEFERRED,
    &morphs::DEFERRED,
    &overrides::DEFERRED,
    &root_motion::DEFERRED,
    &springs::DEFERRED,
];
