//! Skinning on the CPU with the formulas of the vertex shader, for tests, tools and exact bounds.

use super::dual_quaternion;
use crate::base::{Affine, F32x4};
use crate::model::{Deltas, Drawable, Influences, Primitive};
use gambol_kernels::{mean, skin, skin_positions, skin_vertices, turned_normal, turned_tangent};
use glam::Vec3;

/// The vertices of a primitive in world space.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Deformed {
    /// One position per vertex.
    pub positions: Vec<[f32; 3]>,
    /// One unit normal per vertex; empty if the primitive has none.
    pub normals: Vec<[f32; 3]>,
    /// One unit tangent and bitangent sign per vertex; empty if the primitive has none.
    pub tangents: Vec<[f32; 4]>,
    /// The sets of texture coordinates up to the last one that morph targets change; empty if they change
    /// none.
    pub tex_coords: Vec<Vec<[f32; 2]>>,
    /// The colours; empty if morph targets do not change them.
    pub colors: Vec<[f32; 4]>,
}

/// Morphs and then skins a primitive of `drawable`.
///
/// - `palette`: the palette of the whole actor, from [`Rig::palette`](crate::animation::rig::Rig::palette).
/// - `rotations`: the rotations of the palette, from [`rotations`](super::dual_quaternion::rotations), to
///   blend dual quaternions. Empty to blend matrices.
/// - `weights`: the morph weights of the whole pose.
/// - `out`: overwritten; its allocations are reused.
///
/// A primitive without influences uses the drawable's first slot. Normals use the cofactor matrix, so they
/// are correct with non-uniform scale and mirrored joints. Spec: glTF 2.0 §3.7.2.2 and §3.7.3.
///
/// # Panics
/// If the palette or the weights are of another model.
pub fn deform(
    primitive: &Primitive,
    drawable: &Drawable,
    palette: &[Affine],
    rotations: &[F32x4],
    weights: &[f32],
    out: &mut Deformed,
) {
    let slots = drawable.slots.start as usize..drawable.slots.end as usize;
    let palette = &palette[slots.clone()];
    let influences = primitive.influences.as_ref().filter(|_| drawable.skinned);
    let weights = &weights[drawable.weights.start as usize..drawable.weights.end as usize];
    morph(primitive, weights, out);
    if let Some(influences) = influences.filter(|_| rotations.is_empty()) {
        return deform_linear(influences, palette, out);
    }
    for vertex in 0..primitive.vertex_count() {
        let matrix = influences.map_or(palette[0], |influences| {
            let (position, rotations) = (Vec3::from_array(out.positions[vertex]), &rotations[slots.start..]);
            dual_quaternion::blend(influences, vertex, position, palette, rotations)
        });
        out.positions[vertex] = matrix.transform_point(Vec3::from_array(out.positions[vertex])).to_array();
        if let Some(normal) = out.normals.get_mut(vertex) {
            *normal = turned_normal(&matrix, *normal);
        }
        if let Some(tangent) = out.tangents.get_mut(vertex) {
            *tangent = turned_tangent(&matrix, *tangent);
        }
    }
}

/// [`deform`] with linear blending.
fn deform_linear(influences: &Influences, palette: &[Affine], out: &mut Deformed) {
    let Deformed { positions, normals, tangents, .. } = out;
    let (joints, weights) = (influences.joints.as_chunks::<4>().0, influences.weights.as_chunks::<4>().0);
    if influences.per_vertex == 4 && normals.is_empty() && tangents.is_empty() {
        skin_positions(joints, weights, palette, positions);
    } else {
        skin((joints, weights, influences.per_vertex / 4), palette, positions, normals, tangents);
    }
}

/// The position of one vertex, as in [`deform`].
///
/// # Panics
/// If the vertex index is out of range, or if the palette or the weights are of another model.
pub fn deform_position(
    primitive: &Primitive,
    vertex: usize,
    drawable: &Drawable,
    palette: &[Affine],
    rotations: &[F32x4],
    weights: &[f32],
) -> Vec3 {
    position(primitive, vertex, drawable, palette, rotations, weights)
}

/// The positions of some vertices, equal to [`deform`] to the bit.
///
/// - `out`: at least as long as `vertices`; further elements are not changed.
///
/// # Panics
/// As [`deform_position`].
pub(super) fn deform_positions(
    primitive: &Primitive,
    vertices: &[u32],
    drawable: &Drawable,
    palette: &[Affine],
    rotations: &[F32x4],
    weights: &[f32],
    out: &mut [Vec3],
) {
    let influences = primitive.influences.as_ref().filter(|_| drawable.skinned);
    let still = weights[drawable.weights.start as usize..drawable.weights.end as usize]
        .iter()
        .all(|&weight| weight == 0.0);
    match influences.filter(|influences| influences.per_vertex == 4 && still && rotations.is_empty()) {
        Some(influences) => {
            let palette = &palette[drawable.slots.start as usize..drawable.slots.end as usize];
            let influences = (influences.joints.as_chunks().0, influences.weights.as_chunks().0);
            skin_vertices(vertices, &primitive.positions, influences, palette, out);
        }
        None => {
            for (out, &vertex) in out.iter_mut().zip(vertices) {
                *out = deform_position(primitive, vertex as usize, drawable, palette, rotations, weights);
            }
        }
    }
}

/// The position of one vertex with linear blending.
pub(crate) fn linear_position(
    primitive: &Primitive,
    vertex: usize,
    drawable: &Drawable,
    palette: &[Affine],
    weights: &[f32],
) -> Vec3 {
    position(primitive, vertex, drawable, palette, &[], weights)
}

// Inlined, so that linear blending, which all pages need, contains no code for dual quaternions.
#[inline(always)]
fn position(
    primitive: &Primitive,
    vertex: usize,
    drawable: &Drawable,
    palette: &[Affine],
    rotations: &[F32x4],
    weights: &[f32],
) -> Vec3 {
    let weights = &weights[drawable.weights.start as usize..drawable.weights.end as usize];
    let mut position = [primitive.positions[vertex]];
    for (target, &weight) in primitive.targets.iter().zip(weights).filter(|&(_, &weight)| weight != 0.0) {
        for (value, delta) in position[0].iter_mut().zip(target.positions.get(vertex)) {
            *value += weight * delta;
        }
    }
    let (position, slots) = (Vec3::from_array(position[0]), drawable.slots.start as usize);
    let palette = &palette[slots..drawable.slots.end as usize];
    let influences = primitive.influences.as_ref().filter(|_| drawable.skinned);
    let matrix = influences.map_or(palette[0], |influences| {
        if rotations.is_empty() {
            blend(influences, vertex, palette)
        } else {
            dual_quaternion::blend_one(influences, vertex, position, palette, &rotations[slots..])
        }
    });
    matrix.transform_point(position)
}

/// Copies the vertices and adds the morph targets with a weight other than 0.
fn morph(primitive: &Primitive, weights: &[f32], out: &mut Deformed) {
    out.positions.clone_from(&primitive.positions);
    out.normals.clone_from(&primitive.normals);
    out.tangents.clone_from(&primitive.tangents);
    let sets = primitive.targets.iter().map(|target| target.tex_coords.len()).max().unwrap_or(0);
    out.tex_coords.resize_with(sets.min(primitive.tex_coords.len()), Vec::new);
    for (out, set) in out.tex_coords.iter_mut().zip(&primitive.tex_coords) {
        out.clone_from(set);
    }
    out.colors.clear();
    if primitive.targets.iter().any(|target| !target.colors.is_empty()) {
        out.colors.extend_from_slice(&primitive.colors);
    }
    for (target, &weight) in primitive.targets.iter().zip(weights).filter(|&(_, &weight)| weight != 0.0) {
        add(&mut out.positions, &target.positions, weight);
        add(&mut out.normals, &target.normals, weight);
        add(&mut out.tangents, &target.tangents, weight);
        for (set, deltas) in out.tex_coords.iter_mut().zip(&target.tex_coords) {
            add(set, deltas, weight);
        }
        add(&mut out.colors, &target.colors, weight);
    }
    out.colors.as_flattened_mut().iter_mut().for_each(|value| *value = (*value).clamp(0.0, 1.0));
}

fn add<const N: usize, const M: usize>(values: &mut [[f32; N]], deltas: &Deltas<M>, weight: f32) {
    let add = |value: &mut [f32; N], delta: &[f32; M]| {
        for (value, delta) in value.iter_mut().zip(delta) {
            *value += weight * delta;
        }
    };
    match deltas.vertices() {
        None => values.iter_mut().zip(deltas.values()).for_each(|(value, delta)| add(value, delta)),
        Some(vertices) => {
            for (&vertex, delta) in vertices.iter().zip(deltas.values()) {
                if let Some(value) = values.get_mut(vertex as usize) {
                    add(value, delta);
                }
            }
        }
    }
}

/// The weighted sum of the joints' matrices.
fn blend(influences: &Influences, vertex: usize, palette: &[Affine]) -> Affine {
    let range = vertex * influences.per_vertex..(vertex + 1) * influences.per_vertex;
    let (joints, weights) = (influences.joints[range.clone()].as_chunks().0, &influences.weights[range]);
    let mut matrix = mean(&joints[0], &weights.as_chunks().0[0], palette);
    for (joints, weights) in joints.iter().zip(weights.as_chunks().0).skip(1) {
        matrix = matrix + mean(joints, weights, palette);
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{MeshId, MorphTarget, NodeId};
    use glam::Mat4;

    fn drawable(slots: u32, weights: u32) -> Drawable {
        Drawable {
            node: NodeId::new(0),
            mesh: MeshId::new(0),
            slots: 0..slots,
            skinned: slots > 1,
            weights: 0..weights,
        }
    }

    fn assert_close(got: [f32; 3], want: [f32; 3]) {
        assert!(Vec3::from_array(got).abs_diff_eq(Vec3::from_array(want), 1e-6), "{got:?} {want:?}");
    }

    #[test]
    fn cpu_skinning_with_a_singular_matrix_gives_no_nan() {
        let primitive = Primitive {
            positions: vec![[1.0, 2.0, 3.0]],
            normals: vec![[0.0, 1.0, 0.0]],
            tangents: vec![[1.0, 0.0, 0.0, 1.0]],
            ..Primitive::default()
        };
        let flat = Affine::from(Mat4::from_scale(Vec3::ZERO));
        let mut out = Deformed::default();
        deform(&primitive, &drawable(1, 0), &[flat], &[], &[], &mut out);
        assert_eq!(out.positions, [[0.0; 3]]);
        assert_eq!(out.normals, [[0.0; 3]]);
        assert_eq!(out.tangents, [[0.0, 0.0, 0.0, 1.0]]);
    }

    #[test]
    fn cpu_skinning_normals_stay_perpendicular_under_stretch_and_mirror() {
        let slope = Vec3::new(1.0, 1.0, 0.0).normalize().to_array();
        let primitive =
            Primitive { positions: vec![[1.0, 0.0, 0.0]], normals: vec![slope], ..Primitive::default() };
        // Under x → −2x the plane x + y = 1 becomes −x/2 + y = 1.
        let mirror = Affine::from(Mat4::from_scale(Vec3::new(-2.0, 1.0, 1.0)));
        let mut out = Deformed::default();
        deform(&primitive, &drawable(1, 0), &[mirror], &[], &[], &mut out);
        assert_close(out.normals[0], Vec3::new(-0.5, 1.0, 0.0).normalize().to_array());
    }

    #[test]
    fn cpu_skinning_morphs_first_and_uses_every_influence() {
        let primitive = Primitive {
            positions: vec![[1.0, 0.0, 0.0]],
            influences: Some(Influences {
                per_vertex: 8,
                joints: vec![0, 1, 2, 0, 1, 2, 0, 2],
                weights: vec![0.1, 0.2, 0.0, 0.1, 0.1, 0.2, 0.1, 0.2],
            }),
            targets: vec![MorphTarget { positions: vec![[1.0, 0.0, 0.0]].into(), ..MorphTarget::default() }],
            ..Primitive::default()
        };
        // Each joint has a different scale: 0.3·1 + 0.3·10 + 0.4·100.
        let palette = [1.0, 10.0, 100.0].map(|s| Affine::from(Mat4::from_scale(Vec3::splat(s))));
        let mut out = Deformed::default();
        deform(&primitive, &drawable(3, 1), &palette, &[], &[0.5], &mut out);
        assert!((out.positions[0][0] - 1.5 * 43.3).abs() < 1e-4, "{:?}", out.positions);
        let alone = deform_position(&primitive, 0, &drawable(3, 1), &palette, &[], &[0.5]);
        assert_eq!(alone.to_array(), out.positions[0]);
    }
}
