//! Vectors and rotations for procedural animation, in f64; the functions are those of the kernels.

use super::spaces::{Space, rows};
use crate::base::Affine;
use glam::Vec3;

pub(super) use gambol_kernels::vectors::{
    NEGLIGIBLE, Vector, across, carried, cross, difference, dot, frames, length, mixed, moved, place, scaled,
    sum, turned, unit, unit_beyond, without,
};
pub(crate) use gambol_kernels::vectors::{Turn, arc};

/// Transforms a position (`w` 1) or direction (0) from a space to the world.
pub(super) fn in_world(value: Vec3, space: Space, world_from_model: &Affine, w: f64) -> Vector {
    let value = vector(value);
    if space == Space::World { value } else { moved(&rows(world_from_model), value, w) }
}

pub(super) fn vector(value: Vec3) -> Vector {
    value.to_array().map(f64::from)
}
