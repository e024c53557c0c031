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

/// The cosine of the angle (160°) from which on the shortest rotation is arbitrary.
const OPPOSITE: f64 = -0.94;

/// The shortest rotation from one unit vector to another; for vectors that are nearly opposite, half a turn about the
/// axis across the first one that is nearest to `axis`, and the shortest rotation from there.
pub(super) fn arc_about(from: DVec3, to: DVec3, axis: DVec3) -> DQuat {
    if from.dot(to) > OPPOSITE {
        return arc(from, to);
    }
    let across = unit(axis - from * axis.dot(from)).unwrap_or_else(|| from.any_orthonormal_vector());
    arc(-from, to) * DQuat::from_xyzw(across.x, across.y, across.z, 0.0)
}

/// The quaternion of a rotation matrix.
pub(super) fn quat_of(turn: &Turn) -> DQuat {
    let [x, y, z] = *turn;
    DQuat::from_mat3(&DMat3::from_cols_array_2d(&[x, y, z]).transpose())
}
