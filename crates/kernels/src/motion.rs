//! Motions of joints, and of all nodes below them.

use crate::affine::Affine;
use crate::vectors::{Turn, Vector, affine, difference, is_finite, product, rows, sum};

/// A rotation, then a translation: `x → turn · x + shift`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    turn: Turn,
    shift: Vector,
}

impl Motion {
    /// No motion.
    pub const NONE: Self =
        Self { turn: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], shift: [0.0; 3] };

    /// Moves a position.
    pub fn of(&self, at: Vector) -> Vector {
        sum(self.turned(at), self.shift)
    }

    /// Turns a direction.
    pub fn turned(&self, [x, y, z]: Vector) -> Vector {
        self.turn.map(|[a, b, c]| a * x + b * y + c * z)
    }

    /// Turns a direction back.
    pub fn turned_back(&self, [x, y, z]: Vector) -> Vector {
        let [a, b, c] = self.turn;
        std::array::from_fn(|i| a[i] * x + b[i] * y + c[i] * z)
    }

    /// The motion that first turns about `pivot`, then is this one.
    pub fn after(&self, turn: &Turn, pivot: Vector) -> Self {
        let turn = self
            .turn
            .map(|[a, b, c]| std::array::from_fn(|j| a * turn[0][j] + b * turn[1][j] + c * turn[2][j]));
        let next = Self { turn, shift: [0.0; 3] };
        Self { shift: difference(self.of(pivot), next.turned(pivot)), ..next }
    }
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
        let moved: [[f64; 4]; 3] = std::array::from_fn(|i| [turn[i][0], turn[i][1], turn[i][2], shift[i]]);
        let moved = product(&moved, &rows(&matrices[node as usize]));
        if is_finite(&moved) {
            matrices[node as usize] = affine(&moved);
        }
    }
}
