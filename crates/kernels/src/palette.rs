//! From a pose to the palette of one character, four nodes at a time where they do not depend on each other.

use crate::affine::Affine;
use crate::simd::F32x4;
use crate::transform::TransformX4;
use std::array::from_fn;
use std::ops::Range;

/// The parent of a node that has none.
pub const ROOT: u32 = u32::MAX;

/// A matrix of a palette.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// The index of the node.
    pub node: u32,
    /// `true` if the mesh is elsewhere than at the node.
    pub apart: bool,
    /// An inverse bind matrix or the place of an instance; not read unless `apart`.
    pub node_from_mesh: Affine,
}

/// Makes the local matrix of every node.
///
/// - `matrices`: four for each group.
#[inline(never)]
pub fn local_matrices(groups: &[TransformX4], matrices: &mut [Affine]) {
    for (group, four) in groups.iter().zip(matrices.as_chunks_mut().0) {
        group.write_matrices(four);
    }
}

/// Makes local matrices of consecutive nodes those of the world, in place, since parents come first; those of the
/// nodes before must be the world's already.
///
/// - `parents`: of each node an index below its own, or [`ROOT`].
/// - `world_from_model`: the place of the character.
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
        *out = if slot.apart { node.mul(&slot.node_from_mesh) } else { *node };
    }
}

/// Mixes two palettes, and takes them to a place: one matrix of the list after the other, `STEP` apart.
///
/// - `fraction`: of the second, `0.0..=1.0`.
/// - `place`: `world_from_model`.
///
/// Matrices for which the list has no room are left out.
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
    // Spread before the loop: the place is the same for all matrices.
    let place =
        place.rows.map(|row| [row.spread::<0>(), row.spread::<1>(), row.spread::<2>(), row.only_last()]);
    for ((first, second), out) in first.iter().zip(second).zip(list.iter_mut().step_by(step)) {
        let [a, b, c]: [F32x4; 3] = from_fn(|i| first.rows[i] + (second.rows[i] - first.rows[i]) * fraction);
        // As in `Affine::mul`.
        out.rows = place.map(|[x, y, z, last]| (x * a + y * b) + (z * c + last));
    }
}
