//! Axis-aligned bounding boxes.

use super::numbers::REACH;
use gambol_kernels::Affine;
use glam::Vec3;

/// A box with its sides along the axes; in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// The least corner.
    pub min: Vec3,
    /// The greatest corner.
    pub max: Vec3,
}

impl Aabb {
    /// Around nothing: the union with it changes nothing.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The middle.
    pub fn center(&self) -> Vec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// The radius of the sphere around the box.
    pub fn radius(&self) -> f32 {
        (0.5 * self.max - 0.5 * self.min).length()
    }

    /// The smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// `true` if it is around something, with finite corners.
    pub fn is_valid(&self) -> bool {
        self.min.is_finite() && self.max.is_finite() && self.min.cmple(self.max).all()
    }

    /// The smallest box around where a matrix takes this one.
    pub fn transformed(&self, matrix: &Affine) -> Self {
        let center = matrix.transform_point(self.center());
        let half = 0.5 * self.max - 0.5 * self.min;
        let reach = Vec3::from_array(matrix.rows().map(|row| row.truncate().abs().dot(half)));
        Self { min: center - reach, max: center + reach }
    }

    /// The box around all sums of a point of this one and a point of the other.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self { min: self.min + other.min, max: self.max + other.max }
    }

    /// Grows to hold a point.
    pub fn add(&mut self, point: Vec3) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }
}

/// `true` if a point counts for boxes; see [`REACH`].
pub(crate) fn is_in_reach(point: Vec3) -> bool {
    point.abs().cmple(Vec3::splat(REACH)).all()
}

/// Around what does not move.
pub(crate) const ZERO: Aabb = Aabb { min: Vec3::ZERO, max: Vec3::ZERO };
