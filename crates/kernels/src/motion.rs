//! Motions of joints, and of all nodes below them.

use crate::affine::Affine;
use crate::simd::F32x4;
use crate::vectors::{Turn, Vector, difference, sum};

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

/// A turn of everything below a joint, and the joint's new place.
///
/// Relative to the joint, so that f32 is precise: numbers are as small as the distances from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carrier {
    /// The joint's place before.
    pub from: [f32; 3],
    /// The rotation, and the joint's place after it.
    pub to: Affine,
}

impl Carrier {
    /// No motion.
    pub fn none() -> Self {
        Self { from: [0.0; 3], to: Affine::identity() }
    }

    /// A motion of what is below a joint at `from`.
    pub fn new(motion: &Motion, from: Vector) -> Self {
        Self { from: from.map(|value| value as f32), to: turned_to(&motion.turn, motion.of(from)) }
    }
}

/// The matrix with a rotation and a translation.
#[inline(always)]
pub(crate) fn turned_to(turn: &Turn, place: Vector) -> Affine {
    let row = |[x, y, z]: Vector, t: f64| F32x4::new([x as f32, y as f32, z as f32, t as f32]);
    let ([a, b, c], [x, y, z]) = (*turn, place);
    Affine { rows: [row(a, x), row(b, y), row(c, z)] }
}

/// Moves world matrices, each with its joint. A matrix that is not finite stays.
///
/// - `followers`: pairs of a node and an index of `carriers`.
///
/// # Panics
/// If an index is out of range.
pub fn carry(followers: &[(u32, u32)], carriers: &[Carrier], matrices: &mut [Affine]) {
    let zero = F32x4::zero();
    for &(node, at) in followers {
        let Carrier { from: [x, y, z], to } = &carriers[at as usize];
        let [a, b, c] = matrices[node as usize].rows;
        let from = |value: f32| F32x4::splat(value).only_last();
        let moved = to.mul(&Affine { rows: [a - from(*x), b - from(*y), c - from(*z)] });
        let [a, b, c] = moved.rows;
        // The product with infinity or NaN is NaN.
        if a * zero + b * zero + c * zero == zero {
            matrices[node as usize] = moved;
        }
    }
}
