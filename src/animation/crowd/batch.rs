//! The palettes of many characters of one model, four at a time, a character a lane.
//!
//! One character alone fills the lanes with four nodes (`animation/pose.rs`, `base/affine.rs`), and pays for it with shuffles in every product of
//! two matrices. Four characters have the same tree: each product of theirs is the plain one, four times at once. Every lane does
//! what the kernels for one character do, operation by operation, so what comes out has their bits. Poses are sampled, and
//! blended, one by one, as always, so that four characters may play four clips.

use super::batch_poses::{Poses, Stands, Wanted};
use crate::animation::clip::ClipTables;
use crate::animation::pose::{Pose, TransformX4, rotation};
use crate::animation::rig::Rig;
use crate::base::{Affine, F32x4};
use crate::model::{ClipId, NodeId, Path};
use std::ops::Range;

/// What the palettes of a rig are computed with, kept for its memory.
#[derive(Debug, Clone)]
pub struct Quartet {
    poses: Poses,
    visible: Vec<bool>,
    /// Of one character, and its palette.
    matrices: Vec<Affine>,
    alone: Vec<Affine>,

    moving: Vec<Moving>,
    /// Of each node the index of the matrix above it in `worlds`.
    above: Vec<u32>,
    slots: Vec<Slot>,
    /// Of each node that clips animate, and of those of its group, a quaternion, a translation and a scale, a row each. What no
    /// clip animates stays.
    transforms: Vec<AffineX4>,
    /// Whose local matrices are made of them.
    made: Vec<Made>,
    /// The local matrices of all nodes; the others stay.
    locals: Vec<AffineX4>,
    /// What the poses had where nothing changes that they were gathered from.
    gathered: [Stands; 4],
    /// `world_from_model`, then `world_from_node` of every node.
    worlds: Vec<AffineX4>,
}

/// A matrix of each of four characters: three rows of four numbers, a character a lane.
type AffineX4 = [[F32x4; 4]; 3];

/// Four nodes some of which clips animate.
#[derive(Debug, Clone, Copy)]
struct Moving {
    group: u32,
    /// What changes from one time to another.
    changes: Parts,
    /// What is so or otherwise with another clip.
    differs: Parts,
}

/// Some parts of transforms.
#[derive(Debug, Clone, Copy)]
struct Parts {
    turned: bool,
    moved: bool,
    scaled: bool,
}

/// A node whose local matrix is made of its transform.
#[derive(Debug, Clone, Copy)]
struct Made {
    node: u32,
    scaled: bool,
}

/// A matrix of the palette.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// The index of the node's matrix in `worlds`.
    node: u32,
    /// Whether the mesh is elsewhere than at the node.
    apart: bool,
    /// All lanes the same: what is spread as it is read has an address of its own for each number.
    node_from_mesh: AffineX4,
}

impl Quartet {
    /// What takes four characters down the tree of a rig.
    pub fn new(rig: &Rig) -> Self {
        let rest = rig.rest_pose();
        let mut locals = Vec::new();
        rig.local_matrices(rest, &mut locals);
        let nodes = (0..rig.node_count()).map(NodeId::new);
        let clips = (0..rig.clip_count()).map(|clip| rig.tables(ClipId::new(clip)));
        let still = |tables: &ClipTables| {
            let mut pose = rest.clone();
            tables.sample_still(&mut pose);
            pose
        };
        let clips: Vec<_> = clips.map(|tables| (tables, still(tables))).collect();
        let moving: Vec<_> =
            (0..rest.groups.len()).filter_map(|group| Moving::new(&clips, rest, group)).collect();
        let fixed = rig.fixed();
        let mut transforms = vec![AffineX4::default(); 4 * rest.groups.len()];
        let mut made = Vec::new();
        let locals: Vec<_> = locals.iter().map(|local| transposed([local; 4])).collect();
        for &Moving { group, differs, .. } in &moving {
            for (lane, node) in (4 * group as usize..).take(4).enumerate() {
                let TransformX4 { rotation, translation, scale } = &rest.groups[group as usize];
                let scaled = differs.scaled || *scale != [F32x4::splat(1.0); 3];
                let all = |lanes: &F32x4| F32x4::splat(lanes.to_array()[lane]);
                for (kept, lanes) in transforms[node].iter_mut().zip([&rotation[..], translation, scale]) {
                    kept.iter_mut().zip(lanes).for_each(|(kept, lanes)| *kept = all(lanes));
                }
                if node < rig.node_count() && fixed.iter().all(|&(other, _)| other != node) {
                    made.push(Made { node: node as u32, scaled });
                }
            }
        }
        let above = |node| rig.parent(node).map_or(0, |parent| parent.index() as u32 + 1);
        let slots = rig.layout.slots.iter().map(|slot| {
            let node_from_mesh = slot.node_from_mesh.map_or_else(Affine::identity, Affine::from);
            Slot {
                node: slot.node.index() as u32 + 1,
                apart: slot.node_from_mesh.is_some(),
                node_from_mesh: transposed([&node_from_mesh; 4]),
            }
        });
        Self {
            poses: Poses::new(rig, &clips),
            visible: Vec::new(),
            matrices: Vec::new(),
            alone: vec![Affine::identity(); rig.palette_len()],
            above: nodes.map(above).collect(),
            moving,
            slots: slots.collect(),
            worlds: vec![AffineX4::default(); rig.node_count() + 1],
            transforms,
            made,
            locals,
            gathered: [Stands::Still(0); 4],
        }
    }

    /// Writes what [`Rig::sample`], [`Rig::node_matrices`] and [`Rig::palette`] make of each, to the bit. The matrices of
    /// meshes that are hidden are zeros.
    ///
    /// - `rig`: that of [`Quartet::new`].
    /// - `weights`: for the morph weights; empty if they are not wanted.
    ///
    /// # Panics
    /// If a clip is of another model, or a list has no room.
    pub fn palettes(&mut self, rig: &Rig, wanted: &[Wanted], palettes: &mut [Affine], weights: &mut [f32]) {
        let (fours, rest) = wanted.as_chunks::<4>();
        let ends = rig.may_hide() || !weights.is_empty();
        for four in fours {
            self.poses.sample_four(rig, four);
            self.four(rig, four, palettes);
            if ends {
                for (i, one) in four.iter().enumerate() {
                    self.finish(rig, i, one, palettes, weights);
                }
            }
        }
        // One or two alone are faster than four, and three about as fast.
        for one in rest {
            self.poses.sample_first(rig, one);
            rig.node_matrices(&self.poses.of[0], &one.place, &mut self.matrices);
            rig.palette(&self.matrices, &mut self.alone);
            for (i, matrix) in self.alone.iter().enumerate() {
                palettes[one.to + i * one.step] = *matrix;
            }
            if ends {
                self.finish(rig, 0, one, palettes, weights);
            }
        }
    }

    /// What else there is of a pose.
    #[inline(never)]
    fn finish(&mut self, rig: &Rig, i: usize, one: &Wanted, palettes: &mut [Affine], weights: &mut [f32]) {
        let pose = &self.poses.of[i];
        rig.visibility(pose, &mut self.visible);
        hide(rig, &self.visible, |slot| palettes[one.to + slot * one.step] = Affine::zero());
        if !weights.is_empty() {
            weights[one.weights_to..][..pose.weights.len()].copy_from_slice(&pose.weights);
        }
    }

    fn four(&mut self, rig: &Rig, [a, b, c, d]: &[Wanted; 4], palettes: &mut [Affine]) {
        assert_eq!(self.poses.of[0].groups.len(), rig.rest_pose().groups.len(), "a quartet of another model");
        self.worlds.as_mut_slice()[0] = transposed([&a.place, &b.place, &c.place, &d.place]);
        self.gather();
        self.turn();
        self.descend();
        let len = self.slots.len();
        // Asked for once: each further time would end the right of the pointers before it.
        let list = (palettes.as_mut_ptr(), palettes.len());
        let out = [a.first(list, len), b.first(list, len), c.first(list, len), d.first(list, len)];
        // SAFETY: where each palette begins, and from there with its steps, is room for it, as was just looked at.
        unsafe { self.skin(out) };
    }

    /// Brings what clips animate of the four side by side.
    #[inline(never)]
    fn gather(&mut self) {
        let [a, b, c, d] = &self.poses.of;
        let (a, b) = (a.groups.as_slice(), b.groups.as_slice());
        let (c, d) = (c.groups.as_slice(), d.groups.as_slice());
        let transforms = self.transforms.as_chunks_mut::<4>().0;
        // What stood still for these clips does so now.
        let known = self.gathered == self.poses.stands && self.gathered.iter().all(Stands::is_still);
        self.gathered = self.poses.stands;
        for moving in &self.moving {
            let group = moving.group as usize;
            let parts = if known { moving.changes } else { moving.differs };
            let (pa, pb, pc, pd) = (&a[group], &b[group], &c[group], &d[group]);
            let into = &mut transforms[group];
            if parts.turned {
                let (ra, rb, rc, rd) = (&pa.rotation, &pb.rotation, &pc.rotation, &pd.rotation);
                gather::<0, 0>([ra[0], rb[0], rc[0], rd[0]], into);
                gather::<0, 1>([ra[1], rb[1], rc[1], rd[1]], into);
                gather::<0, 2>([ra[2], rb[2], rc[2], rd[2]], into);
                gather::<0, 3>([ra[3], rb[3], rc[3], rd[3]], into);
            }
            if parts.moved {
                let (ta, tb, tc, td) = (&pa.translation, &pb.translation, &pc.translation, &pd.translation);
                gather::<1, 0>([ta[0], tb[0], tc[0], td[0]], into);
                gather::<1, 1>([ta[1], tb[1], tc[1], td[1]], into);
                gather::<1, 2>([ta[2], tb[2], tc[2], td[2]], into);
            }
            if parts.scaled {
                let (sa, sb, sc, sd) = (&pa.scale, &pb.scale, &pc.scale, &pd.scale);
                gather::<2, 0>([sa[0], sb[0], sc[0], sd[0]], into);
                gather::<2, 1>([sa[1], sb[1], sc[1], sd[1]], into);
                gather::<2, 2>([sa[2], sb[2], sc[2], sd[2]], into);
            }
        }
    }

    /// Makes local matrices, as `TransformX4::write_matrices` does. Not where they are multiplied: there are not registers enough.
    #[inline(never)]
    fn turn(&mut self) {
        let transforms = self.transforms.as_slice();
        let locals = self.locals.as_mut_slice();
        for made in &self.made {
            let [q, t, s] = &transforms[made.node as usize];
            let local = &mut locals[made.node as usize];
            let [a, b, c] = rotation(*q);
            if made.scaled {
                local[0] = [a[0] * s[0], a[1] * s[1], a[2] * s[2], t[0]];
                local[1] = [b[0] * s[0], b[1] * s[1], b[2] * s[2], t[1]];
                local[2] = [c[0] * s[0], c[1] * s[1], c[2] * s[2], t[2]];
            } else {
                local[0] = [a[0], a[1], a[2], t[0]];
                local[1] = [b[0], b[1], b[2], t[1]];
                local[2] = [c[0], c[1], c[2], t[2]];
            }
        }
    }

    /// Multiplies the local matrices down the tree.
    #[inline(never)]
    fn descend(&mut self) {
        let worlds = self.worlds.as_mut_slice();
        let mut locals = self.locals.iter();
        for (i, above) in self.above.iter().enumerate() {
            let Some(local) = locals.next() else { return };
            let (before, rest) = worlds.split_at_mut(i + 1);
            let above = &before[*above as usize];
            let [world, ..] = rest else { return };
            // A copy stays where it is; what is referred to might change with each row that is written, and is read again.
            let local = *local;
            descend_row(&above[0], &local, &mut world[0]);
            descend_row(&above[1], &local, &mut world[1]);
            descend_row(&above[2], &local, &mut world[2]);
        }
    }

    /// Applies the inverse bind matrices.
    ///
    /// # Safety
    /// From each pointer on is room for the matrices of a palette, each so many behind the one before, and nobody else uses it.
    #[inline(never)]
    unsafe fn skin(&self, [a, b, c, d]: [(*mut Affine, usize); 4]) {
        let ((mut a, step_a), (mut b, step_b), (mut c, step_c), (mut d, step_d)) = (a, b, c, d);
        let worlds = self.worlds.as_slice();
        for slot in &self.slots {
            // A copy, as above.
            let (world, m) = (&worlds[slot.node as usize], slot.node_from_mesh);
            let mut row = [F32x4::zero(); 4];
            // SAFETY: of each palette as many matrices are written as it has.
            unsafe {
                if slot.apart {
                    descend_row(&world[0], &m, &mut row);
                    [(*a).rows[0], (*b).rows[0], (*c).rows[0], (*d).rows[0]] = F32x4::transpose(row);
                    descend_row(&world[1], &m, &mut row);
                    [(*a).rows[1], (*b).rows[1], (*c).rows[1], (*d).rows[1]] = F32x4::transpose(row);
                    descend_row(&world[2], &m, &mut row);
                    [(*a).rows[2], (*b).rows[2], (*c).rows[2], (*d).rows[2]] = F32x4::transpose(row);
                } else {
                    [(*a).rows[0], (*b).rows[0], (*c).rows[0], (*d).rows[0]] = F32x4::transpose(world[0]);
                    [(*a).rows[1], (*b).rows[1], (*c).rows[1], (*d).rows[1]] = F32x4::transpose(world[1]);
                    [(*a).rows[2], (*b).rows[2], (*c).rows[2], (*d).rows[2]] = F32x4::transpose(world[2]);
                }
            }
            (a, b) = (a.wrapping_add(step_a), b.wrapping_add(step_b));
            (c, d) = (c.wrapping_add(step_c), d.wrapping_add(step_d));
        }
    }
}

impl Moving {
    /// The group, if any clip has any of it elsewhere than at rest.
    ///
    /// - `clips`: with what is the same at all times of each.
    fn new(clips: &[(&ClipTables, Pose)], rest: &Pose, group: usize) -> Option<Self> {
        let bits = |pose: &Pose, path: Path| {
            let mut group = pose.groups[group];
            F32x4::as_floats(group.lanes_mut(path)).iter().map(|value| value.to_bits()).collect::<Vec<_>>()
        };
        let of = |is_so: &dyn Fn(Path) -> bool| Parts {
            turned: is_so(Path::Rotation),
            moved: is_so(Path::Translation),
            scaled: is_so(Path::Scale),
        };
        let change = |path| clips.iter().any(|(tables, _)| tables.changes(group, path));
        let differ =
            |path| change(path) || clips.iter().any(|(_, still)| bits(still, path) != bits(rest, path));
        let differs @ Parts { turned, moved, scaled } = of(&differ);
        (turned || moved || scaled).then(|| Self { group: group as u32, changes: of(&change), differs })
    }
}

#[inline(always)]
fn transposed([a, b, c, d]: [&Affine; 4]) -> AffineX4 {
    let ([a0, a1, a2], [b0, b1, b2], [c0, c1, c2], [d0, d1, d2]) = (a.rows, b.rows, c.rows, d.rows);
    [
        F32x4::transpose([a0, b0, c0, d0]),
        F32x4::transpose([a1, b1, c1, d1]),
        F32x4::transpose([a2, b2, c2, d2]),
    ]
}

/// Writes one number of four nodes, each of four characters.
///
/// - `of`: of each character those of the nodes.
#[inline(always)]
fn gather<const ROW: usize, const AT: usize>(of: [F32x4; 4], [a, b, c, d]: &mut [AffineX4; 4]) {
    [a[ROW][AT], b[ROW][AT], c[ROW][AT], d[ROW][AT]] = F32x4::transpose(of);
}

/// A row of the matrix above times a local matrix.
#[inline(always)]
fn descend_row(&[x, y, z, t]: &[F32x4; 4], [a, b, c]: &AffineX4, out: &mut [F32x4; 4]) {
    out[0] = (x * a[0] + y * b[0]) + z * c[0];
    out[1] = (x * a[1] + y * b[1]) + z * c[1];
    out[2] = (x * a[2] + y * b[2]) + z * c[2];
    out[3] = (x * a[3] + y * b[3]) + (z * c[3] + t);
}

/// Makes the matrices of what is hidden zeros, which leave nothing of a mesh.
fn hide(rig: &Rig, visible: &[bool], mut zero: impl FnMut(usize)) {
    if visible.is_empty() {
        return;
    }
    // Meshes may wear the same skin: it is there for those that are shown.
    let drawables = &rig.layout.drawables;
    let shown = |slots: &Range<u32>| {
        drawables.iter().any(|other| other.slots == *slots && visible[other.node.index()])
    };
    for drawable in drawables.iter().filter(|drawable| !visible[drawable.node.index()]) {
        if !shown(&drawable.slots) {
            (drawable.slots.start as usize..drawable.slots.end as usize).for_each(&mut zero);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::batch_poses::Fading;
    use super::*;
    use crate::animation::mixing::{Contribution, LayerMode, Mix, Mixer};
    use crate::base::Transform;
    use crate::model::{Channel, Clip, Curve, Interpolation, Mesh, MeshId, Model, Node, Skin, SkinId};
    use glam::{Mat4, Quat, Vec3};

    /// Nine nodes: some still, some turning, moving or stretched, one sheared, one hidden at times; two meshes.
    fn model() -> Model {
        let parents = [None, Some(0), Some(1), Some(1), Some(3), None, Some(5), Some(2), Some(7)];
        let rest = |i: usize| Transform {
            translation: Vec3::new(0.3, 0.1 * i as f32, -0.2),
            rotation: Quat::from_rotation_x(0.4 * i as f32) * 0.9,
            scale: if i == 8 { Vec3::new(2.0, 0.5, -1.0) } else { Vec3::ONE },
        };
        let mut model = Model {
            nodes: (parents.iter().enumerate())
                .map(|(i, parent)| Node { parent: parent.map(NodeId::new), rest: rest(i), ..Node::default() })
                .collect(),
            meshes: vec![Mesh::default()],
            clips: vec![clip(0.1), clip(0.9), another_clip()],
            ..Model::default()
        };
        let shear = [1.0, 0.2, 0.0, 0.0, 0.0, 1.0, 0.3, 0.0, 0.1, 0.0, 1.0, 0.0, 5.0, 0.0, 0.0, 1.0];
        model.nodes[6].rest_matrix = Some(Mat4::from_cols_array(&shear));
        model.nodes[4].visible = false;
        for node in [4, 8] {
            model.nodes[node].mesh = Some(MeshId::new(0));
        }
        model.nodes[8].skin = Some(SkinId::new(0));
        let joints = vec![7, 2, 6, 3, 1];
        let inverse_bind = (0..5).map(|i| Mat4::from_rotation_y(i as f32) * Mat4::from_translation(Vec3::X));
        model.skins.push(Skin {
            inverse_bind: inverse_bind.collect(),
            joints: joints.into_iter().map(NodeId::new).collect(),
            ..Skin::default()
        });
        model
    }

    fn clip(phase: f32) -> Clip {
        let mut clip = Clip { duration: 2.0, ..Clip::default() };
        let mut add = |node: usize, path: Path, interpolation, times: &[f32], values: Vec<f32>| {
            let width = if path == Path::Rotation { 4 } else { 3 };
            let curve = Curve::new(interpolation, width, times.to_vec(), values).expect("a good curve");
            clip.curves.push(curve);
            let curve = clip.curves.len() - 1;
            clip.channels.push(Channel { node: NodeId::new(node), path, curve });
        };
        let turns =
            |n: usize| (0..n).flat_map(|i| Quat::from_rotation_z(phase + i as f32).to_array()).collect();
        let numbers = |n: usize| (0..3 * n).map(|i| 0.7 + (phase * i as f32).sin()).collect();
        for node in [0, 1, 2, 7] {
            add(node, Path::Rotation, Interpolation::Linear, &[0.0, 0.7, 2.0], turns(3));
        }
        add(1, Path::Translation, Interpolation::Linear, &[0.5, 1.5], numbers(2));
        add(3, Path::Scale, Interpolation::Step, &[0.0, 1.0, 2.0], numbers(3));
        add(5, Path::Translation, Interpolation::CubicSpline, &[0.0, 1.0], numbers(6));
        clip
    }

    /// It leaves alone what the others change, and the other way round; what both have, it holds still.
    fn another_clip() -> Clip {
        let mut clip = clip(0.4);
        clip.channels.retain(|channel| ![0, 5].contains(&channel.node.index()));
        let still =
            |value: Vec<f32>| Curve::new(Interpolation::Linear, 3, vec![0.0], value).expect("a good curve");
        for (node, path, value) in [(2, Path::Translation, 5.0), (3, Path::Scale, 0.2), (6, Path::Scale, 3.0)]
        {
            clip.channels.retain(|channel| (channel.node.index(), channel.path) != (node, path));
            clip.channels.push(Channel { node: NodeId::new(node), path, curve: clip.curves.len() });
            clip.curves.push(still(vec![value; 3]));
        }
        clip
    }

    #[test]
    fn clips_that_change_the_same_share_what_stands_still() {
        let mut model = model();
        model.clips.push(clip(0.7));
        let quartet = Quartet::new(&Rig::new(&model));
        assert_eq!(quartet.poses.still_of, [1, 1, 2, 1]);
        assert_eq!(quartet.poses.stills.len(), 3);
    }

    #[test]
    fn the_bits_are_those_of_one_alone() {
        let model = model();
        let rig = Rig::new(&model);
        let len = rig.palette_len();
        assert_eq!(len, 6);
        // Here and there one gives way to another.
        let fading = |i: usize| {
            let clip = [Some(ClipId::new(1)), None, Some(ClipId::new(2))][i % 3];
            (i % 4 == 1).then(|| Fading { clip, time: 0.2 * i as f64, weight: [0.3, 0.5, 1.0][i / 4 % 3] })
        };
        // Some in fours, some left over; in any order, with gaps.
        for count in (0..=11).filter(|count| !cfg!(miri) || [1, 4, 6].contains(count)) {
            let wanted: Vec<Wanted> = (0..count)
                .map(|i| Wanted {
                    clip: [Some(0), Some(2), Some(1), None][i * 7 % 12 % 4].map(ClipId::new),
                    time: [0.0, 0.35, 1.0, 1.7, 2.0, 0.699_999][i % 6],
                    fading: fading(i),
                    place: Affine::from(Mat4::from_rotation_y(i as f32) * Mat4::from_scale(Vec3::splat(1.5))),
                    to: if count % 2 == 0 { (count - 1 - i) * (len + 1) } else { i },
                    step: if count % 2 == 0 { 1 } else { count },
                    weights_to: 0,
                })
                .collect();
            let nan = Affine { rows: [F32x4::splat(7.5); 3] };
            let mut got = vec![nan; count * (len + 1)];
            let mut quartet = Quartet::new(&rig);
            quartet.palettes(&rig, &wanted, &mut got, &mut []);
            // Once more: nothing is left over from before.
            quartet.palettes(&rig, &wanted, &mut got, &mut []);
            let mut want = vec![nan; got.len()];
            let (mut pose, mut matrices) = (rig.rest_pose().clone(), Vec::new());
            let mut palette = vec![nan; len];
            for one in &wanted {
                let own = 1.0 - one.fading.map_or(0.0, |fading| fading.weight);
                let mut parts = vec![(one.clip, one.time, own)];
                parts.extend(one.fading.map(|fading| (fading.clip, fading.time, fading.weight)));
                let parts = parts
                    .into_iter()
                    .filter_map(|(clip, time, weight)| clip.map(|clip| Contribution { clip, time, weight }));
                let mut mix = Mix::default();
                mix.push(LayerMode::Override, 1.0, None, parts);
                Mixer::new().evaluate(&rig, &mix, &mut pose);
                rig.node_matrices(&pose, &one.place, &mut matrices);
                rig.palette(&matrices, &mut palette);
                for (i, matrix) in palette.iter().enumerate() {
                    want[one.to + i * one.step] = *matrix;
                }
                let mut visible = Vec::new();
                rig.visibility(&pose, &mut visible);
                hide(&rig, &visible, |slot| want[one.to + slot * one.step] = Affine::zero());
            }
            let bits =
                |list: &[Affine]| Affine::as_floats(list).iter().map(|f| f.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&got), bits(&want), "{count}");
        }
    }

    #[test]
    #[should_panic(expected = "no room")]
    fn a_list_without_room_is_refused() {
        let rig = Rig::new(&model());
        let one = Wanted {
            clip: None,
            time: 0.0,
            fading: None,
            place: Affine::identity(),
            to: 0,
            step: 1,
            weights_to: 0,
        };
        let mut palettes = vec![Affine::identity(); 4 * rig.palette_len() - 1];
        let wanted: Vec<_> = (0..4).map(|i| Wanted { to: i * rig.palette_len(), ..one }).collect();
        Quartet::new(&rig).palettes(&rig, &wanted, &mut palettes, &mut []);
    }
}
