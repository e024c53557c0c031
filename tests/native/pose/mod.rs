//! Poses: overrides after animation, skinning, bounds, picking, and their exact bits.

mod bounds;
mod corpus;
mod dual_quaternion;
mod goals;
mod hash;
mod morphs;
mod overrides;
mod picking;
mod springs;
