//! Axis-aligned bounding boxes.

use super::numbers::REACH;
use gambol_kernels::Affine;
use glam::Vec3;

/// An axis-aligned bounding box (AABB), in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// The minimum corner.
    pub min: Vec3,
    /// The maximum corner.
    pub max: Vec3,
}

impl Aabb {
    /// The box without points: the neutral element of the union.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The center.
    pub fn center(&self) -> Vec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// The radius of the bounding sphere.
    pub fn radius(&self) -> f32 {
        (0.5 * self.max - 0.5 * self.min).length()
    }

    /// The smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// `true` if it contains any point and its corners are finite.
    pub fn is_valid(&self) -> bool {
        self.min.is_finite() && self.max.is_finite() && self.min.cmple(self.max).all()
    }

    /// The smallest box around the transformed box.
    pub fn transformed(&self, matrix: &Affine) -> Self {
        let center = matrix.transform_point(self.center());
        let half = 0.5 * self.max - 0.5 * self.min;
        let reach = Vec3::from_array(matrix.rows().map(|row| row.truncate().abs().dot(half)));
        Self { min: center - reach, max: center + reach }
    }

    /// The Minkowski sum: the box around all sums of a point of each.
    pub fn plus(&self, other: &Self) -> Self {
        Self { min: self.min + other.min, max: self.max + other.max }
    }

    /// Enlarges the box to contain a point.
    pub fn add(&mut self, point: Vec3) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }
}

/// `true` if a point is within [`REACH`], so that boxes include it.
pub fn is_in_reach(point: Vec3) -> bool {
    point.abs().cmple(Vec3::splat(REACH)).all()
}

/// The box of the origin: offsets of vertices that do not move.
pub const ZERO: Aabb = Aabb { min: Vec3::ZERO, max: Vec3::ZERO };
