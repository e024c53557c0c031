//! Linear blend skinning on the CPU, for vertices with four or more influences.

use crate::affine::Affine;
use crate::simd::F32x4;
use glam::Vec3;
use std::array::from_fn;

/// Skins the positions of a primitive with four influences per vertex.
///
/// - `joints`, `weights`: one entry per vertex.
/// - `palette`: the palette of the skin.
///
/// # Panics
/// If a joint index is out of range.
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

/// Skins some vertices like [`skin_positions`].
///
/// - `positions`, `joints`, `weights`: those of all vertices.
/// - `out`: at least as long as `vertices`; further elements are not changed.
///
/// # Panics
/// If a vertex or joint index is out of range.
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

/// Skins vertices with any number of influences, including their normals and tangents.
///
/// One vertex at a time: four together need more lanes than a processor has registers for.
///
/// - `fours`: the influences per vertex, divided by four.
/// - `normals`, `tangents`: one entry per vertex, or empty.
///
/// # Panics
/// If a vertex has no influences, or if a joint index is out of range.
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

/// A normal transformed by the cofactor matrix and normalized; zero stays zero.
#[inline(always)]
pub fn turned_normal(matrix: &Affine, normal: [f32; 3]) -> [f32; 3] {
    // The rows of the cofactor matrix, which is det · (M⁻¹)ᵀ. For a mirrored matrix the sign is corrected.
    let [x, y, z] = matrix.rows;
    let cofactors = Affine { rows: [y.cross(z), z.cross(x), x.cross(y)] };
    let [a, b, c, _] = (x * cofactors.rows[0]).to_array();
    let mirror = if a + b + c < 0.0 { -1.0 } else { 1.0 };
    unit(cofactors.turn(Vec3::from_array(normal)), mirror)
}

/// A tangent transformed and normalized; the sign is not changed.
#[inline(always)]
pub fn turned_tangent(matrix: &Affine, [x, y, z, sign]: [f32; 4]) -> [f32; 4] {
    let [x, y, z] = unit(matrix.turn(Vec3::new(x, y, z)), 1.0);
    [x, y, z, sign]
}

/// The weighted sum of four joints' matrices.
#[inline(always)]
pub fn mean(joints: &[u16; 4], weights: &[f32; 4], palette: &[Affine]) -> Affine {
    // By reference: copies of whole matrices went through memory.
    let [a, b, c, d] = joints.map(|joint| &palette[usize::from(joint)].rows);
    let [p, q, r, s] = weights.map(F32x4::splat);
    Affine { rows: from_fn(|i| (p * a[i] + q * b[i]) + (r * c[i] + s * d[i])) }
}

#[inline(always)]
fn placed(matrix: &Affine, position: [f32; 3]) -> [f32; 3] {
    matrix.transform_point(Vec3::from_array(position)).to_array()
}

/// A direction normalized and multiplied by a sign; zero stays zero.
#[inline(always)]
fn unit(direction: F32x4, sign: f32) -> [f32; 3] {
    let [x, y, z, _] = (direction * direction).to_array();
    let scale = sign / (x + y + z).sqrt();
    let [x, y, z, _] = (direction * F32x4::splat(scale)).to_array();
    if scale.is_finite() { [x, y, z] } else { [0.0; 3] }
}
