//! Poses: overrides after animation, skinning, billboards, flip-books, bounds, picking, and their exact bits.

mod billboards;
mod bounds;
mod chains;
mod corpus;
mod dual_quaternion;
mod expressions;
mod feet;
mod flipbooks;
mod gaze;
mod goals;
mod hash;
mod materials;
mod morphs;
mod overrides;
mod picking;
mod root_motion;
mod spring_moves;
mod springs;
