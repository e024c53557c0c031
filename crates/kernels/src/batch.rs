//! The palettes of four characters of one model, computed together with one character per lane.
//!
//! For a single character the lanes hold four nodes ([`palette`](crate::palette())), which needs shuffles in
//! every matrix product. Four characters have the same tree, so each product is the plain one in four lanes.
//! Every lane does the same operations as the kernels for one character, so the results have the same bits.

use crate::affine::Affine;
use crate::palette::{ROOT, Slot, local_matrices};
use crate::simd::F32x4;
use crate::transform::{TransformX4, rotation};
use std::array::from_fn;

/// One matrix for each of four characters: three rows of four numbers, one character per lane.
type AffineX4 = [[F32x4; 4]; 3];

/// A tree of nodes, with buffers for four characters.
#[derive(Debug, Clone)]
pub struct Batch {
    animated: Vec<Animated>,
    /// The index of each node's parent matrix in `worlds`.
    above: Vec<u32>,
    /// The slots of meshes that are at their node.
    rigid: Vec<SlotX4>,
    /// All other slots, with `node_from_mesh` in all lanes. In a separate list, so that neither loop
    /// branches.
    bound: Vec<(SlotX4, AffineX4)>,
    /// A buffer for palettes whose targets are not interleaved.
    scratch: Vec<[Affine; 4]>,
    /// A quaternion, a translation and a scale for each node, one per row. Channels that no clip animates are
    /// constant.
    transforms: Vec<AffineX4>,
    /// The nodes whose local matrices depend on their transforms.
    rebuilt: Vec<Rebuilt>,
    /// The local matrices of all nodes; those not in `rebuilt` are constant.
    locals: Vec<AffineX4>,
    /// `world_from_model`, then `world_from_node` of every node.
    worlds: Vec<AffineX4>,
}

/// A group of four nodes that clips animate.
#[derive(Debug, Clone, Copy)]
pub struct Animated {
    /// The index of the group.
    pub group: u32,
    /// The properties that change over time.
    pub changes: Properties,
    /// The properties that change over time or differ between clips.
    pub differs: Properties,
}

/// A set of properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Properties {
    /// `true` if the set contains the rotation.
    pub rotation: bool,
    /// `true` if the set contains the translation.
    pub translation: bool,
    /// `true` if the set contains the scale.
    pub scale: bool,
}

/// A node whose local matrix depends on its transform.
#[derive(Debug, Clone, Copy)]
struct Rebuilt {
    node: u32,
    scaled: bool,
}

/// A slot of the palettes.
#[derive(Debug, Clone, Copy)]
struct SlotX4 {
    /// The index in a palette.
    at: u32,
    /// The index of the node's matrix in `worlds`.
    node: u32,
}

/// The location of a palette in a list of matrices.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The index of the first matrix.
    pub to: usize,
    /// The distance between matrices: 1 for a contiguous palette. Interleaving four palettes is fastest,
    /// because the writes are sequential.
    pub step: usize,
}

impl Batch {
    /// Creates a batch for a tree.
    ///
    /// - `rest`: the rest pose.
    /// - `parents`: the index of each node's parent, below its own, or [`ROOT`].
    /// - `fixed`: nodes with a local matrix that is not that of their transform; no clip animates them.
    ///
    /// # Panics
    /// If a node has no transform, or a parent's index is not below the node's.
    pub fn new(
        rest: &[TransformX4],
        parents: &[u32],
        fixed: &[(usize, Affine)],
        slots: &[Slot],
        animated: Vec<Animated>,
    ) -> Self {
        let mut locals = vec![Affine::identity(); 4 * rest.len()];
        local_matrices(rest, &mut locals);
        fixed.iter().for_each(|&(node, local)| locals[node] = local);
        let mut transforms = vec![AffineX4::default(); 4 * rest.len()];
        let mut rebuilt = Vec::new();
        for &Animated { group, differs, .. } in &animated {
            let TransformX4 { rotation, translation, scale } = &rest[group as usize];
            let scaled = differs.scale || *scale != [F32x4::splat(1.0); 3];
            for (lane, node) in (4 * group as usize..).take(4).enumerate() {
                let all = |lanes: &F32x4| F32x4::splat(lanes.to_array()[lane]);
                for (kept, lanes) in transforms[node].iter_mut().zip([&rotation[..], translation, scale]) {
                    kept.iter_mut().zip(lanes).for_each(|(kept, lanes)| *kept = all(lanes));
                }
                if node < parents.len() && fixed.iter().all(|&(other, _)| other != node) {
                    rebuilt.push(Rebuilt { node: node as u32, scaled });
                }
            }
        }
        let above = |(node, &parent): (usize, &u32)| {
            assert!(parent == ROOT || (parent as usize) < node, "a parent must precede its children");
            if parent == ROOT { 0 } else { parent + 1 }
        };
        let (mut rigid, mut bound) = (Vec::new(), Vec::new());
        for (at, slot) in slots.iter().enumerate() {
            let own = SlotX4 { at: at as u32, node: slot.node + 1 };
            if slot.has_offset {
                bound.push((own, transposed([&slot.node_from_mesh; 4])));
            } else {
                rigid.push(own);
            }
        }
        Self {
            animated,
            above: parents.iter().enumerate().map(above).collect(),
            rigid,
            bound,
            scratch: vec![[Affine::identity(); 4]; slots.len()],
            transforms,
            rebuilt,
            locals: locals.iter().map(|local| transposed([local; 4])).collect(),
            worlds: vec![AffineX4::default(); parents.len() + 1],
        }
    }

    /// Writes four palettes.
    ///
    /// - `still`: `true` if only [`Animated::changes`] differs from the poses of the last call.
    /// - `places`: `world_from_model` of each character.
    ///
    /// # Panics
    /// If a pose has fewer groups than the tree, or if `palettes` is too short.
    pub fn palettes(
        &mut self,
        poses: [&[TransformX4]; 4],
        still: bool,
        places: [&Affine; 4],
        targets: [Target; 4],
        palettes: &mut [Affine],
    ) {
        self.worlds[0] = transposed(places);
        self.gather(poses, still);
        self.rebuild();
        self.descend();
        let (first, len) = (targets[0].to, self.scratch.len());
        if (0..4).all(|i| targets[i].to == first + i && targets[i].step == 4) {
            self.skin(palettes[first..][..4 * len].as_chunks_mut().0);
            return;
        }
        let end =
            |target: &Target| target.to.saturating_add(len.saturating_sub(1).saturating_mul(target.step));
        assert!(
            len == 0 || targets.iter().all(|target| end(target) < palettes.len()),
            "the output is too short for the palette"
        );
        let mut scratch = std::mem::take(&mut self.scratch);
        self.skin(&mut scratch);
        for (lane, Target { to, step }) in targets.iter().enumerate() {
            for (at, four) in scratch.iter().enumerate() {
                palettes[to + at * step] = four[lane];
            }
        }
        self.scratch = scratch;
    }

    /// Transposes the animated channels of the four poses.
    #[inline(never)]
    fn gather(&mut self, poses: [&[TransformX4]; 4], still: bool) {
        let transforms = self.transforms.as_chunks_mut::<4>().0;
        for animated in &self.animated {
            let group = animated.group as usize;
            let properties = if still { animated.changes } else { animated.differs };
            let of = poses.map(|pose| &pose[group]);
            let [a, b, c, d] = &mut transforms[group];
            if properties.rotation {
                for i in 0..4 {
                    [a[0][i], b[0][i], c[0][i], d[0][i]] = F32x4::transpose(of.map(|pose| pose.rotation[i]));
                }
            }
            if properties.translation {
                for i in 0..3 {
                    [a[1][i], b[1][i], c[1][i], d[1][i]] =
                        F32x4::transpose(of.map(|pose| pose.translation[i]));
                }
            }
            if properties.scale {
                for i in 0..3 {
                    [a[2][i], b[2][i], c[2][i], d[2][i]] = F32x4::transpose(of.map(|pose| pose.scale[i]));
                }
            }
        }
    }

    /// Computes the local matrices, as [`TransformX4::write_matrices`] does. Separate from the multiplication
    /// because there are too few registers for both.
    #[inline(never)]
    fn rebuild(&mut self) {
        for rebuilt in &self.rebuilt {
            let [q, t, s] = &self.transforms[rebuilt.node as usize];
            let rows = rotation(*q);
            let local = &mut self.locals[rebuilt.node as usize];
            if rebuilt.scaled {
                *local = from_fn(|i| [rows[i][0] * s[0], rows[i][1] * s[1], rows[i][2] * s[2], t[i]]);
            } else {
                *local = from_fn(|i| [rows[i][0], rows[i][1], rows[i][2], t[i]]);
            }
        }
    }

    /// Multiplies the local matrices down the tree.
    #[inline(never)]
    fn descend(&mut self) {
        for (i, (above, local)) in self.above.iter().zip(&self.locals).enumerate() {
            let (before, rest) = self.worlds.split_at_mut(i + 1);
            let above = &before[*above as usize];
            let [world, ..] = rest else { return };
            // A copy, because the compiler would reload a reference after each row that is written.
            let local = *local;
            for row in 0..3 {
                world[row] = row_times(&above[row], &local);
            }
        }
    }

    /// Applies the inverse bind matrices. Writes the first matrix of all four, then the second one.
    #[inline(never)]
    fn skin(&self, out: &mut [[Affine; 4]]) {
        for (slot, node_from_mesh) in &self.bound {
            let [a, b, c, d] = &mut out[slot.at as usize];
            for (i, row) in self.worlds[slot.node as usize].iter().enumerate() {
                let row = row_times(row, node_from_mesh);
                [a.rows[i], b.rows[i], c.rows[i], d.rows[i]] = F32x4::transpose(row);
            }
        }
        for slot in &self.rigid {
            let [a, b, c, d] = &mut out[slot.at as usize];
            for (i, row) in self.worlds[slot.node as usize].iter().enumerate() {
                [a.rows[i], b.rows[i], c.rows[i], d.rows[i]] = F32x4::transpose(*row);
            }
        }
    }
}

#[inline(always)]
fn transposed(of: [&Affine; 4]) -> AffineX4 {
    from_fn(|row| F32x4::transpose(of.map(|matrix| matrix.rows[row])))
}

/// A row of a matrix times another matrix.
#[inline(always)]
fn row_times(&[x, y, z, t]: &[F32x4; 4], [a, b, c]: &AffineX4) -> [F32x4; 4] {
    [
        (x * a[0] + y * b[0]) + z * c[0],
        (x * a[1] + y * b[1]) + z * c[1],
        (x * a[2] + y * b[2]) + z * c[2],
        (x * a[3] + y * b[3]) + (z * c[3] + t),
    ]
}
