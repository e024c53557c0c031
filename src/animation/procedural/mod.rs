//! Poses that are not in clips: overrides, look-at, inverse kinematics, root motion.

mod goals;
mod overrides;
mod root_motion;
mod spaces;

pub use goals::{Aim, Reach};
pub use overrides::{Override, Overrides, unscaled};
pub use root_motion::{Journey, RootMotion, Way, in_place};
pub use spaces::Space;
