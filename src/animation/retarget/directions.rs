//! Rotations and unit vectors in f64, with operations that IEEE 754 rounds once.

use crate::animation::procedural::{Turn, arc as arc_matrix};
use glam::{DMat3, DQuat, DVec3};

/// The unit vector of a direction; `None` if it has no length.
pub(super) fn unit(vector: DVec3) -> Option<DVec3> {
    let length = vector.length();
    (length > 1e-100 && length < f64::INFINITY).then(|| vector / length)
}

/// The shortest rotation from one unit vector to another.
pub(super) fn arc(from: DVec3, to: DVec3) -> DQuat {
    quat_of(&arc_matrix(from.to_array(), to.to_array()))
}

/// The quaternion of a rotation matrix.
pub(super) fn quat_of(turn: &Turn) -> DQuat {
    let [x, y, z] = *turn;
    DQuat::from_mat3(&DMat3::from_cols_array_2d(&[x, y, z]).transpose())
}
