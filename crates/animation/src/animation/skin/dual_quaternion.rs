//! Dual quaternion skinning: between joints a mesh follows an arc instead of the chord, so it keeps its
//! volume.
//!
//! Each joint moves a vertex, scales as the joint scales, and rotates its surroundings. For this vertex that
//! is a rigid motion about its resulting position. So a scale about any center cannot tear the mesh between
//! two joints. The rigid motions are blended as dual quaternions (Kavan et al. 2007). The scales, which
//! affect only directions, are blended linearly. `shaders/dual.glsl` does the same.

use crate::base::{Affine, F32x4, feature};
use crate::model::Influences;
use glam::Vec3;

/// The blending of joints that influence the same vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Skinning {
    /// Linear blend skinning: the mean of the matrices. Spec: glTF 2.0 §3.7.3.3.
    #[default]
    Linear,
    /// Dual quaternion skinning: the mean of the rigid motions.
    DualQuaternion,
}

/// The largest number of squarings: enough to separate a scale of 5 : 1 : 1 from its rotation to the last
/// bits of f32.
const SQUARINGS: usize = 6;

/// The rotation of each matrix as a unit quaternion (X, Y, Z, W): the nearest rotation, or for a mirrored
/// matrix the nearest to its negative. The rest, a scale or a point reflection of one, is `rotation⁻¹ ·
/// matrix`.
///
/// - `out`: overwritten.
pub fn rotations(palette: &[Affine], out: &mut Vec<F32x4>) {
    out.clear();
    for matrix in palette {
        out.push(rotation(matrix));
    }
}

/// See [`rotations`]. The rotation R that is nearest to M maximizes the trace of Rᵀ·M. That is a quadratic
/// form of the quaternion (Davenport's), so the quaternion is the eigenvector of its largest eigenvalue.
/// Repeated squaring of the matrix makes its columns converge to it. This needs no division, so singular
/// matrices are no special case.
#[inline(never)]
fn rotation(matrix: &Affine) -> F32x4 {
    const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
    let [x, y, z] = linear(matrix);
    let largest = x.abs().max(y.abs()).max(z.abs());
    let largest = largest.x.max(largest.y).max(largest.z);
    if !(largest > 0.0 && largest.is_finite()) {
        return F32x4::new(IDENTITY);
    }
    let (x, y, z) = (x / largest, y / largest, z / largest);
    let side = if x.dot(y.cross(z)) < 0.0 { -1.0 } else { 1.0 };
    let (x, y, z) = (side * x, side * y, side * z);
    // For a rotation with uniform scale s this is 4s·q·qᵀ, which has already converged.
    let shift = ((x.dot(x) + y.dot(y) + z.dot(z)) / 3.0).sqrt();
    let (xy, xz, yz) = (x.y + y.x, x.z + z.x, y.z + z.y);
    let (xw, yw, zw) = (z.y - y.z, x.z - z.x, y.x - x.y);
    let scale = 0.25 / shift;
    let row = |row: [f32; 4]| F32x4::new(row) * F32x4::splat(scale);
    let mut form = [
        row([shift + (x.x - y.y - z.z), xy, xz, xw]),
        row([xy, shift + (y.y - x.x - z.z), yz, yw]),
        row([xz, yz, shift + (z.z - x.x - y.y), zw]),
        row([xw, yw, zw, shift + (x.x + y.y + z.z)]),
    ];
    for i in 0..SQUARINGS {
        let squared = squared(form);
        let trace = trace(squared);
        let scale = F32x4::splat(1.0 / trace);
        form = squared.map(|row| row * scale);
        // In the first iteration eigenvalues may be negative. Later their sum is 1, and the sum of their
        // squares is 1 once all but one have vanished.
        if i > 0 && trace > 0.99999 {
            break;
        }
    }
    let [a, b, c, d] = form.map(F32x4::to_array);
    let mut longest = (d[3], d);
    for (diagonal, row) in [(a[0], a), (b[1], b), (c[2], c)] {
        if diagonal > longest.0 {
            longest = (diagonal, row);
        }
    }
    let row = F32x4::new(longest.1);
    row * F32x4::splat(1.0 / dot(row, row).sqrt())
}

fn squared(rows: [F32x4; 4]) -> [F32x4; 4] {
    let [x, y, z, w] = rows;
    rows.map(|row| {
        (row.spread::<0>() * x + row.spread::<1>() * y) + (row.spread::<2>() * z + row.spread::<3>() * w)
    })
}

fn trace([x, y, z, w]: [F32x4; 4]) -> f32 {
    (x.to_array()[0] + y.to_array()[1]) + (z.to_array()[2] + w.to_array()[3])
}

feature! {
    list for_skinning;
    pub(crate) fn rotations_of(palette: &[Affine], out: &mut Vec<F32x4>) = rotations;
    pub(super) fn blend_one(
        influences: &Influences, vertex: usize, position: Vec3, palette: &[Affine], rotations: &[F32x4],
    ) -> Affine = blend;
}

/// The transform of a vertex by all its influences, as a matrix. With a single influence it is that joint's
/// matrix.
///
/// - `position`: the morphed position of the vertex.
/// - `palette`, `rotations`: those of the skin.
pub(super) fn blend(
    influences: &Influences,
    vertex: usize,
    position: Vec3,
    palette: &[Affine],
    rotations: &[F32x4],
) -> Affine {
    let range = vertex * influences.per_vertex..(vertex + 1) * influences.per_vertex;
    let (joints, weights) = (&influences.joints[range.clone()], &influences.weights[range]);
    let mut heaviest = 0;
    for (i, &weight) in weights.iter().enumerate() {
        if weight > weights[heaviest] {
            heaviest = i;
        }
    }
    let heaviest = usize::from(joints[heaviest]);
    // The position from the joint with the largest weight. All is relative to it, to keep precision far from
    // the origin.
    let (middle, sign) = (palette[heaviest].transform_point(position), rotations[heaviest]);
    let (mut real, mut dual) = (F32x4::zero(), F32x4::zero());
    let mut stretch = [Vec3::ZERO; 3];
    for (&joint, &weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        let (matrix, rotation) = (&palette[usize::from(joint)], rotations[usize::from(joint)]);
        let weight = if dot(rotation, sign) < 0.0 { -weight } else { weight };
        let away = matrix.transform_point(position) - middle;
        let weighted = rotation * F32x4::splat(weight);
        real = real + weighted;
        dual = dual + times(away, weighted);
        let ([a, b, c], [x, y, z]) = (rows_of(rotation), linear(matrix));
        let weight = weight.abs();
        stretch[0] += weight * (a.x * x + b.x * y + c.x * z);
        stretch[1] += weight * (a.y * x + b.y * y + c.y * z);
        stretch[2] += weight * (a.z * x + b.z * y + c.z * z);
    }
    // The vector of dual · real* over |real|².
    let ([x, y, z, w], [a, b, c, d]) = (real.to_array(), dual.to_array());
    let (real_vector, dual_vector) = (Vec3::new(x, y, z), Vec3::new(a, b, c));
    let moved = w * dual_vector - d * real_vector - dual_vector.cross(real_vector);
    let place = middle + moved / dot(real, real);
    let [sx, sy, sz] = stretch;
    let rows = rows_of(real).map(|row| row.x * sx + row.y * sy + row.z * sz);
    let row = |i: usize, at: f32| F32x4::new([rows[i].x, rows[i].y, rows[i].z, at - rows[i].dot(position)]);
    Affine { rows: [row(0, place.x), row(1, place.y), row(2, place.z)] }
}

/// The rows without translation.
pub(super) fn linear(matrix: &Affine) -> [Vec3; 3] {
    matrix.rows.map(|row| {
        let [x, y, z, _] = row.to_array();
        Vec3::new(x, y, z)
    })
}

pub(super) fn dot(a: F32x4, b: F32x4) -> f32 {
    let [x, y, z, w] = (a * b).to_array();
    (x + y) + (z + w)
}

/// The product of a vector, as a quaternion without a real part, and a quaternion.
fn times(vector: Vec3, quaternion: F32x4) -> F32x4 {
    let [x, y, z, w] = quaternion.to_array();
    let other = Vec3::new(x, y, z);
    let turned = w * vector + vector.cross(other);
    F32x4::new([turned.x, turned.y, turned.z, -vector.dot(other)])
}

/// The rows of the rotation for a quaternion of any length except 0.
fn rows_of(quaternion: F32x4) -> [Vec3; 3] {
    let [x, y, z, w] = quaternion.to_array();
    let scale = 2.0 / dot(quaternion, quaternion);
    let (sx, sy, sz) = (scale * x, scale * y, scale * z);
    let (xx, yy, zz) = (sx * x, sy * y, sz * z);
    let (xy, xz, yz) = (sx * y, sx * z, sy * z);
    let (xw, yw, zw) = (sx * w, sy * w, sz * w);
    [
        Vec3::new(1.0 - (yy + zz), xy - zw, xz + yw),
        Vec3::new(xy + zw, 1.0 - (xx + zz), yz - xw),
        Vec3::new(xz - yw, yz + xw, 1.0 - (xx + yy)),
    ]
}
