//! Procedural animation: overrides of joints and morph weights, look-at, inverse kinematics (IK), spring
//! bones, root motion, billboards.

mod billboards;
pub(crate) mod chain_ik;
pub(crate) mod expressions;
mod eyes;
mod feet;
pub(crate) mod gaze;
mod ik;
mod joint_line;
mod look_at;
pub(crate) mod materials;
pub(crate) mod morphs;
pub(crate) mod overrides;
mod root_motion;
mod spaces;
pub(crate) mod springs;
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
pub use materials::{ChangedMaterial, MaterialChange, MaterialChanges};
pub use morphs::{MorphOverride, MorphOverrides};
pub(crate) use overrides::stand;
pub use overrides::{Override, Overrides, unscaled};
pub use root_motion::{
    GroundContacts, GroundedPoint, RootMotion, RootOptions, RootRotation, extract, in_place, root_of,
};
pub use spaces::Space;
pub use springs::Springs;
pub(crate) use springs::{advance, bind, swing};
pub(crate) use vectors::{Turn, arc};
