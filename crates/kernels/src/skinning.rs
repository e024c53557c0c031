//! Skinning on the CPU: vertices that four or more joints move, blended linearly.

use crate::affine::Affine;
use crate::simd::F32x4;
use glam::Vec3;
use std::array::from_fn;

/// Takes the positions of a primitive with four influences a vertex to where its joints take them.
///
/// - `joints`, `weights`: of each vertex.
/// - `palette`: of the skin.
///
/// # Panics
/// If there is no such joint.
#[inline(never)]
pub fn skin_positions(
    joints: &[[u16; 4]],
    weights: &[[f32; 4]],
    palette: &[Affine],
    positions: &mut [[f32; 3]],
) {
    for ((position, joints), weights) in positions.iter_mut().zip(joints).zip(weights) {
        *position = placed(&mean(joints, weights, palette), *position);
    }
}

/// Finds the positions to which [`skin_positions`] takes some vertices.
///
/// - `positions`, `joints`, `weights`: of all vertices.
/// - `out`: has room for as many; the rest of it stays as it is.
///
/// # Panics
/// If there is no such vertex or joint.
#[inline(never)]
pub fn skin_vertices(
    vertices: &[u32],
    positions: &[[f32; 3]],
    (joints, weights): (&[[u16; 4]], &[[f32; 4]]),
    palette: &[Affine],
    out: &mut [Vec3],
) {
    for (out, &vertex) in out.iter_mut().zip(vertices) {
        let vertex = vertex as usize;
        let matrix = mean(&joints[vertex], &weights[vertex], palette);
        *out = matrix.transform_point(Vec3::from_array(positions[vertex]));
    }
}

/// The same for vertices of any number of influences, with their normals and tangents.
///
/// A vertex at a time: four together have more lanes than a processor holds.
///
/// - `fours`: the influences of a vertex, in fours.
/// - `normals`, `tangents`: of each vertex; or none.
///
/// # Panics
/// If a vertex has no influences, or there is no such joint.
#[inline(never)]
pub fn skin(
    (joints, weights, fours): (&[[u16; 4]], &[[f32; 4]], usize),
    palette: &[Affine],
    positions: &mut [[f32; 3]],
    normals: &mut [[f32; 3]],
    tangents: &mut [[f32; 4]],
) {
    for (vertex, position) in positions.iter_mut().enumerate() {
        let first = vertex * fours;
        let mut matrix = mean(&joints[first], &weights[first], palette);
        for at in first + 1..first + fours {
            matrix = matrix + mean(&joints[at], &weights[at], palette);
        }
        *position = placed(&matrix, *position);
        if let Some(normal) = normals.get_mut(vertex) {
            *normal = turned_normal(&matrix, *normal);
        }
        if let Some(tangent) = tangents.get_mut(vertex) {
            *tangent = turned_tangent(&matrix, *tangent);
        }
    }
}

/// A normal, turned by the cofactor matrix, with length 1; one without length stays so.
#[inline(always)]
pub fn turned_normal(matrix: &Affine, normal: [f32; 3]) -> [f32; 3] {
    // The rows of the cofactor matrix. It equals det · (M⁻¹)ᵀ, so where a matrix mirrors the sign is put right.
    let [x, y, z] = matrix.rows;
    let cofactors = Affine { rows: [y.cross(z), z.cross(x), x.cross(y)] };
    let [a, b, c, _] = (x * cofactors.rows[0]).to_array();
    let mirror = if a + b + c < 0.0 { -1.0 } else { 1.0 };
    unit(cofactors.turn(Vec3::from_array(normal)), mirror)
}

/// A tangent, turned, with length 1; its sign stays.
#[inline(always)]
pub fn turned_tangent(matrix: &Affine, [x, y, z, sign]: [f32; 4]) -> [f32; 4] {
    let [x, y, z] = unit(matrix.turn(Vec3::new(x, y, z)), 1.0);
    [x, y, z, sign]
}

/// The matrices of four joints, weighted.
#[inline(always)]
pub fn mean(joints: &[u16; 4], weights: &[f32; 4], palette: &[Affine]) -> Affine {
    let [a, b, c, d] = joints.map(|joint| palette[usize::from(joint)].rows);
    let [p, q, r, s] = weights.map(F32x4::splat);
    Affine { rows: from_fn(|i| (p * a[i] + q * b[i]) + (r * c[i] + s * d[i])) }
}

#[inline(always)]
fn placed(matrix: &Affine, position: [f32; 3]) -> [f32; 3] {
    matrix.transform_point(Vec3::from_array(position)).to_array()
}

/// A direction with length 1, and perhaps turned round; one without length stays so.
#[inline(always)]
fn unit(direction: F32x4, sign: f32) -> [f32; 3] {
    let [x, y, z, _] = (direction * direction).to_array();
    let scale = sign / (x + y + z).sqrt();
    let [x, y, z, _] = (direction * F32x4::splat(scale)).to_array();
    if scale.is_finite() { [x, y, z] } else { [0.0; 3] }
}
