//! From a pose to the palette of one character, four nodes at a time where nodes are independent of each
//! other.

use crate::affine::Affine;
use crate::simd::F32x4;
use crate::transform::TransformX4;
use std::array::from_fn;
use std::ops::Range;

/// The parent index of a root node.
pub const ROOT: u32 = u32::MAX;

/// A slot of a palette: the node and the offset of one matrix.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// The index of the node.
    pub node: u32,
    /// `true` if the mesh has an offset from the node.
    pub has_offset: bool,
    /// An inverse bind matrix or the transform of an instance; ignored unless `has_offset`.
    pub node_from_mesh: Affine,
}

/// Computes the local matrix of every node.
///
/// - `matrices`: four per group.
#[inline(never)]
pub fn local_matrices(groups: &[TransformX4], matrices: &mut [Affine]) {
    for (group, four) in groups.iter().zip(matrices.as_chunks_mut().0) {
        group.write_matrices(four);
    }
}

/// Converts local matrices of consecutive nodes to world matrices, in place. Parents come before children.
/// The matrices of all nodes before must already be world matrices.
///
/// - `parents`: the index of each node's parent, below its own, or [`ROOT`].
/// - `world_from_model`: the transform of the character.
///
/// # Panics
/// If a node or a parent has no matrix.
#[inline(never)]
pub fn descend(parents: &[u32], nodes: Range<usize>, world_from_model: &Affine, matrices: &mut [Affine]) {
    for node in nodes {
        let parent = parents[node];
        let world = if parent == ROOT {
            world_from_model.mul(&matrices[node])
        } else {
            matrices[parent as usize].mul(&matrices[node])
        };
        matrices[node] = world;
    }
}

/// Writes the matrix of each slot.
///
/// - `matrices`: `world_from_node` of each node.
///
/// # Panics
/// If a node has no matrix.
#[inline(never)]
pub fn palette(slots: &[Slot], matrices: &[Affine], palette: &mut [Affine]) {
    for (slot, out) in slots.iter().zip(palette) {
        let node = &matrices[slot.node as usize];
        *out = if slot.has_offset { node.mul(&slot.node_from_mesh) } else { *node };
    }
}

/// Interpolates between two palettes and transforms the result by `place`. Consecutive matrices are written
/// `step` entries has_offset.
///
/// - `fraction`: the weight of the second palette, `0.0..=1.0`.
/// - `place`: `world_from_model`.
///
/// Matrices beyond the end of the list are not written.
#[inline(never)]
pub fn mix_palettes(
    first: &[Affine],
    second: &[Affine],
    fraction: f32,
    place: &Affine,
    list: &mut [Affine],
    step: usize,
) {
    let fraction = F32x4::splat(fraction);
    // Spread before the loop, because `place` is the same for all matrices.
    let place =
        place.rows.map(|row| [row.spread::<0>(), row.spread::<1>(), row.spread::<2>(), row.only_last()]);
    for ((first, second), out) in first.iter().zip(second).zip(list.iter_mut().step_by(step)) {
        let [a, b, c]: [F32x4; 3] = from_fn(|i| first.rows[i] + (second.rows[i] - first.rows[i]) * fraction);
        // The same operations as in `Affine::mul`.
        out.rows = place.map(|[x, y, z, last]| (x * a + y * b) + (z * c + last));
    }
}
