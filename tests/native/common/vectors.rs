//! Pseudorandom vectors and rotations.

use super::random::Random;
use glam::{EulerRot, Quat, Vec3};

impl Random {
    /// A vector in the cube `-1.0..1.0`.
    pub(crate) fn vector(&mut self) -> Vec3 {
        self.point(1.0).into()
    }

    /// A rotation by at most `reach` radians about each axis.
    pub(crate) fn euler(&mut self, reach: f32) -> Quat {
        let Vec3 { x, y, z } = reach * self.vector();
        Quat::from_euler(EulerRot::XYZ, x, y, z)
    }
}
