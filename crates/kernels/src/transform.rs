//! Transforms of four nodes, one per lane.

use crate::affine::Affine;
use crate::simd::F32x4;

/// A property of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// X, Y, Z in metres.
    Translation,
    /// A quaternion: X, Y, Z, W.
    Rotation,
    /// X, Y, Z.
    Scale,
}

/// Four transforms, one per lane. Rotations need not be of unit length: matrices divide by it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct TransformX4 {
    /// X, Y, Z, W.
    pub rotation: [F32x4; 4],
    /// X, Y, Z in metres.
    pub translation: [F32x4; 3],
    /// X, Y, Z.
    pub scale: [F32x4; 3],
}

impl TransformX4 {
    /// Four identity transforms.
    pub fn identity() -> Self {
        let (zero, one) = (F32x4::zero(), F32x4::splat(1.0));
        Self { rotation: [zero, zero, zero, one], translation: [zero; 3], scale: [one; 3] }
    }

    /// The lanes of one property.
    #[inline]
    pub fn lanes(&self, property: Property) -> &[F32x4] {
        match property {
            Property::Rotation => &self.rotation,
            Property::Translation => &self.translation,
            Property::Scale => &self.scale,
        }
    }

    /// The lanes of one property.
    #[inline]
    pub fn lanes_mut(&mut self, property: Property) -> &mut [F32x4] {
        match property {
            Property::Rotation => &mut self.rotation,
            Property::Translation => &mut self.translation,
            Property::Scale => &mut self.scale,
        }
    }

    /// Writes the four matrices `T · R · S`.
    #[inline]
    pub fn write_matrices(&self, [a, b, c, d]: &mut [Affine; 4]) {
        let turned = rotation(self.rotation);
        for (i, row) in turned.into_iter().enumerate() {
            let [x, y, z] = row;
            let [sx, sy, sz] = self.scale;
            let row = [x * sx, y * sy, z * sz, self.translation[i]];
            [a.rows[i], b.rows[i], c.rows[i], d.rows[i]] = F32x4::transpose(row);
        }
    }
}

/// The rows of the matrices of four quaternions of any length, X first.
#[inline(always)]
pub fn rotation([x, y, z, w]: [F32x4; 4]) -> [[F32x4; 3]; 3] {
    // 2/|q|² instead of normalizing q: this needs no square root and corrects keys that are not normalized. A
    // zero quaternion gives the identity, not NaN.
    let norm = (x * x + y * y) + (z * z + w * w);
    let two = F32x4::splat(2.0) / norm.max(F32x4::splat(f32::MIN_POSITIVE));
    let (x2, y2, z2) = (x * two, y * two, z * two);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let one = F32x4::splat(1.0);
    [
        [one - (yy + zz), xy - wz, xz + wy],
        [xy + wz, one - (xx + zz), yz - wx],
        [xz - wy, yz + wx, one - (xx + yy)],
    ]
}
