//! The palettes of four characters of one model at once, a character a lane.
//!
//! One character alone fills the lanes with four nodes ([`palette`](crate::palette())), and pays for it with shuffles in every product of
//! two matrices. Four characters have the same tree: each product of theirs is the plain one, four times at once. Every lane does
//! what the kernels for one character do, operation by operation, so the results have the same bits.

use crate::affine::Affine;
use crate::palette::{ROOT, Slot, local_matrices};
use crate::simd::F32x4;
use crate::transform::{TransformX4, rotation};
use std::array::from_fn;

/// A matrix of each of four characters: three rows of four numbers, a character a lane.
type AffineX4 = [[F32x4; 4]; 3];

/// A tree of nodes, and the memory for four characters that have it.
#[derive(Debug, Clone)]
pub struct Batch {
    animated: Vec<Animated>,
    /// Of each node the index of the matrix above it in `worlds`.
    above: Vec<u32>,
    /// The matrices of meshes that are at their node.
    rigid: Vec<SlotX4>,
    /// Those of the others, with `node_from_mesh`, all lanes the same. Lists of their own, so that neither loop branches.
    bound: Vec<(SlotX4, AffineX4)>,
    /// The palettes side by side, where they are not written so at once.
    scratch: Vec<[Affine; 4]>,
    /// Of each node a quaternion, a translation and a scale, a row each. What no clip animates stays.
    transforms: Vec<AffineX4>,
    /// The nodes whose local matrices follow their transforms.
    rebuilt: Vec<Rebuilt>,
    /// The local matrices of all nodes; the others stay.
    locals: Vec<AffineX4>,
    /// `world_from_model`, then `world_from_node` of every node.
    worlds: Vec<AffineX4>,
}

/// A group of four nodes that clips animate.
#[derive(Debug, Clone, Copy)]
pub struct Animated {
    /// The index of the group.
    pub group: u32,
    /// The properties that change from one time to another.
    pub changes: Properties,
    /// The properties that change or differ between clips.
    pub differs: Properties,
}

/// A set of properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "glTF's own words")]
pub struct Properties {
    pub rotation: bool,
    pub translation: bool,
    pub scale: bool,
}

/// A node whose local matrix follows its transform.
#[derive(Debug, Clone, Copy)]
struct Rebuilt {
    node: u32,
    scaled: bool,
}

/// A matrix of the palettes.
#[derive(Debug, Clone, Copy)]
struct SlotX4 {
    /// Its index in a palette.
    at: u32,
    /// The index of the node's matrix in `worlds`.
    node: u32,
}

/// The place of a palette in a list of matrices.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The index of the first matrix.
    pub to: usize,
    /// From each matrix to the next one: 1 for a palette that stands alone. Palettes of four that stand side by side, matrix by
    /// matrix, are written fastest, since that is one way through the memory.
    pub step: usize,
}

impl Batch {
    /// A tree.
    ///
    /// - `rest`: the transforms at rest.
    /// - `parents`: of each node an index below its own, or [`ROOT`].
    /// - `fixed`: nodes whose local matrix is another than that of their transform, and that no clip animates.
    ///
    /// # Panics
    /// If a node has no transform, or there is no such parent.
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
            assert!(parent == ROOT || (parent as usize) < node, "parents stand before their children");
            if parent == ROOT { 0 } else { parent + 1 }
        };
        let (mut rigid, mut bound) = (Vec::new(), Vec::new());
        for (at, slot) in slots.iter().enumerate() {
            let own = SlotX4 { at: at as u32, node: slot.node + 1 };
            if slot.apart {
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
    /// - `still`: `true` if nothing but [`Animated::changes`] differs from the poses of the call before.
    /// - `places`: `world_from_model` of each character.
    ///
    /// # Panics
    /// If a pose has fewer groups than the tree, or a palette has no room.
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
            "no room for a palette"
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

    /// Brings what clips animate of the four side by side.
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

    /// Makes local matrices, as [`TransformX4::write_matrices`] does. Not where they are multiplied: there are not registers enough.
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
            // A copy stays where it is; what is referred to might change with each row that is written, and is read again.
            let local = *local;
            for row in 0..3 {
                world[row] = row_times(&above[row], &local);
            }
        }
    }

    /// Applies the inverse bind matrices: writes the first matrix of all four, then the second one.
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
