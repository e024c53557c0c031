//! Procedural animation: overrides of joints and morph weights, look-at, inverse kinematics (IK), root motion.

mod ik;
mod look_at;
mod morphs;
mod overrides;
mod root_motion;
mod spaces;
mod vectors;

pub use ik::TwoBoneIk;
pub(crate) use ik::lead;
pub use look_at::LookAt;
pub use morphs::{MorphOverride, MorphOverrides};
pub use overrides::{Override, Overrides, unscaled};
pub(crate) use root_motion::travel;
pub use root_motion::{RootMotion, RootPath, RootTravel, in_place};
pub use spaces::Space;
pub(crate) use vectors::{Turn, arc};

/// Deferred functions of this module; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 3] =
    [&morphs::DEFERRED, &overrides::DEFERRED, &root_motion::DEFERRED];
