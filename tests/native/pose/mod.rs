//! Poses: overrides after animation, skinning, bounds, picking, and their exact bits.

mod bounds;
mod chains;
mod corpus;
mod dual_quaternion;
mod expressions;
mod feet;
mod gaze;
mod goals;
mod hash;
mod morphs;
mod overrides;
mod picking;
mod springs;
