//! Motions of joints, and of all nodes below them.

use crate::affine::Affine;
use crate::simd::F32x4;
use crate::vectors::{Rows, Turn, Vector, affine, difference, rows, sum};

/// A rotation, then a translation: `x → turn · x + shift`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    pub(crate) turn: Turn,
    pub(crate) shift: Vector,
}

impl Motion {
    /// No motion.
    pub const NONE: Self =
        Self { turn: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], shift: [0.0; 3] };

    /// Moves a position.
    pub fn of(&self, at: Vector) -> Vector {
        sum(turn_by(&self.turn, at), self.shift)
    }

    /// Turns a direction.
    pub fn turned(&self, direction: Vector) -> Vector {
        turn_by(&self.turn, direction)
    }

    /// Turns a direction back.
    pub fn turned_back(&self, direction: Vector) -> Vector {
        turn_back(&self.turn, direction)
    }

    /// The motion that first turns about `pivot`, then is this one.
    pub fn after(&self, turn: &Turn, pivot: Vector) -> Self {
        let turn = then(turn, &self.turn);
        Self { turn, shift: difference(self.of(pivot), turn_by(&turn, pivot)) }
    }
}

/// Turns a direction.
pub(crate) fn turn_by(turn: &Turn, [x, y, z]: Vector) -> Vector {
    turn.map(|[a, b, c]| a * x + b * y + c * z)
}

/// Turns a direction back.
pub(crate) fn turn_back([a, b, c]: &Turn, [x, y, z]: Vector) -> Vector {
    std::array::from_fn(|i| a[i] * x + b[i] * y + c[i] * z)
}

/// The rotation `first`, then `second`.
pub(crate) fn then(first: &Turn, second: &Turn) -> Turn {
    second.map(|[a, b, c]| std::array::from_fn(|j| a * first[0][j] + b * first[1][j] + c * first[2][j]))
}

/// Moves world matrices, each by the motion of its joint. A matrix that is not finite stays.
///
/// - `followers`: pairs of a node and an index of `motions`.
///
/// # Panics
/// If an index is out of range.
pub fn carry(followers: &[(u32, u32)], motions: &[Motion], matrices: &mut [Affine]) {
    for &(node, at) in followers {
        let Motion { turn, shift } = motions[at as usize];
        let [a, b, c] = rows(&matrices[node as usize]);
        let moved: Rows = std::array::from_fn(|i| {
            let ([x, y, z], t) = (turn[i], shift[i]);
            let linear: [f64; 4] = std::array::from_fn(|j| x * a[j] + y * b[j] + z * c[j]);
            [linear[0], linear[1], linear[2], linear[3] + t]
        });
        let moved = affine(&moved);
        let [a, b, c] = moved.rows;
        // The product with infinity or NaN is NaN.
        let zero = F32x4::zero();
        if a * zero + b * zero + c * zero == zero {
            matrices[node as usize] = moved;
        }
    }
}
