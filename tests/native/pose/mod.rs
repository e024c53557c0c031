//! Poses: joints that are moved after animation, skinning, bounds, picking, and the bits of all that.

mod bounds;
mod corpus;
mod dual_quaternion;
mod goals;
mod hash;
mod overrides;
mod picking;
