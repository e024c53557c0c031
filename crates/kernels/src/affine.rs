//! Affine matrices in the layout of the palette.

use crate::simd::F32x4;
use glam::{Mat4, Vec3, Vec4};
use std::array::from_fn;
use std::ops::Add;

/// An affine matrix, 3×4 row-major: row `i` is `[m_i0, m_i1, m_i2, t_i]`.
///
/// Twelve floats, in the layout of the palette texture.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Affine {
    /// The three rows.
    pub rows: [F32x4; 3],
}

impl Affine {
    /// The identity matrix.
    pub fn identity() -> Self {
        let row = F32x4::new;
        Self { rows: [row([1.0, 0.0, 0.0, 0.0]), row([0.0, 1.0, 0.0, 0.0]), row([0.0, 0.0, 1.0, 0.0])] }
    }

    /// The zero matrix, which maps every point to the origin.
    #[inline(always)]
    pub fn zero() -> Self {
        // Unrolled: at opt-level "z" `[zero; 3]` is a loop that writes to memory.
        Self { rows: [F32x4::zero(), F32x4::zero(), F32x4::zero()] }
    }

    /// `self · other`: first `other`, then `self`.
    #[inline(always)]
    pub fn mul(&self, other: &Self) -> Self {
        let [a, b, c] = &self.rows;
        Self { rows: [other.combined(a), other.combined(b), other.combined(c)] }
    }

    /// `self + weight · other`.
    #[inline(always)]
    pub fn plus(&self, weight: f32, other: &Self) -> Self {
        let ([a, b, c], [x, y, z], weight) = (self.rows, other.rows, F32x4::splat(weight));
        Self { rows: [a + weight * x, b + weight * y, c + weight * z] }
    }

    /// A row times this matrix. No closures: at opt-level "z" they are not inlined.
    #[inline(always)]
    fn combined(&self, row: &F32x4) -> F32x4 {
        let [x, y, z] = self.rows;
        (row.spread_as_read::<0>() * x + row.spread_as_read::<1>() * y)
            + (row.spread_as_read::<2>() * z + row.only_last())
    }

    /// The images of X, Y, Z and the origin, each with 0 in the last lane.
    #[inline(always)]
    pub fn columns(&self) -> [F32x4; 4] {
        let [first, second, third] = self.rows;
        F32x4::transpose([first, second, third, F32x4::zero()])
    }

    /// Transforms a point.
    #[inline(always)]
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        let [x, y, z, _] = self.place(point).to_array();
        Vec3::new(x, y, z)
    }

    /// Transforms a point; the result has 0 in the last lane.
    #[inline(always)]
    pub fn place(&self, Vec3 { x, y, z }: Vec3) -> F32x4 {
        let [a, b, c, t] = self.columns();
        (a * F32x4::splat(x) + b * F32x4::splat(y)) + (c * F32x4::splat(z) + t)
    }

    /// Transforms a direction; the result has 0 in the last lane.
    #[inline(always)]
    pub fn turn(&self, Vec3 { x, y, z }: Vec3) -> F32x4 {
        let [a, b, c, _] = self.columns();
        (a * F32x4::splat(x) + b * F32x4::splat(y)) + c * F32x4::splat(z)
    }

    /// The three rows as glam vectors.
    pub fn rows(&self) -> [Vec4; 3] {
        self.rows.map(|row| Vec4::from_array(row.to_array()))
    }

    /// The floats of a slice of matrices, row by row, 12 per matrix.
    #[inline]
    pub fn as_floats(matrices: &[Self]) -> &[f32] {
        F32x4::as_floats(Self::as_rows(matrices))
    }

    fn as_rows(matrices: &[Self]) -> &[F32x4] {
        // SAFETY: `Affine` is three `F32x4` and nothing else (`repr(C)`); the length counts them.
        unsafe { std::slice::from_raw_parts(matrices.as_ptr().cast(), matrices.len() * 3) }
    }
}

/// The element-wise sum.
impl Add for Affine {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { rows: from_fn(|i| self.rows[i] + other.rows[i]) }
    }
}

impl Default for Affine {
    fn default() -> Self {
        Self::identity()
    }
}

/// Drops the last row, which is `0 0 0 1` in every matrix that glTF allows here.
impl From<Mat4> for Affine {
    fn from(matrix: Mat4) -> Self {
        let m = matrix.transpose();
        Self { rows: [m.x_axis, m.y_axis, m.z_axis].map(|row| F32x4::new(row.to_array())) }
    }
}

impl From<Affine> for Mat4 {
    fn from(affine: Affine) -> Self {
        let [x, y, z] = affine.rows();
        Mat4::from_cols(x, y, z, Vec4::W).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn some_matrix(seed: f32) -> Mat4 {
        let rotation = Quat::from_rotation_y(seed) * Quat::from_rotation_x(1.3 * seed);
        let scale = Vec3::new(1.0 + seed, 0.5, -2.0);
        Mat4::from_scale_rotation_translation(scale, rotation, Vec3::new(seed, 2.0, -3.0 * seed))
    }

    #[test]
    fn affine_round_trip_keeps_the_bits() {
        let matrix = some_matrix(0.7);
        assert_eq!(Mat4::from(Affine::from(matrix)), matrix);
    }

    #[test]
    fn affine_products_and_points_agree_with_glam() {
        let (a, b) = (some_matrix(0.7), some_matrix(-1.9));
        let product = Mat4::from(Affine::from(a).mul(&Affine::from(b)));
        assert!(product.abs_diff_eq(a * b, 1e-5));
        let point = Vec3::new(0.3, -4.0, 2.5);
        let got = Affine::from(a).transform_point(point);
        assert!(got.abs_diff_eq(a.transform_point3(point), 1e-5));
    }

    #[test]
    fn affine_identity_keeps_the_bits() {
        let matrix = Affine::from(some_matrix(0.3));
        assert_eq!(Affine::identity().mul(&matrix), matrix);
        assert_eq!(matrix.mul(&Affine::identity()), matrix);
    }

    #[test]
    fn affine_floats_are_rows() {
        let floats =
            Affine::as_floats(&[Affine::from(Mat4::from_translation(Vec3::new(7.0, 8.0, 9.0)))]).to_vec();
        assert_eq!(floats, [1.0, 0.0, 0.0, 7.0, 0.0, 1.0, 0.0, 8.0, 0.0, 0.0, 1.0, 9.0]);
    }
}
