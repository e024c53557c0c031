//! The palettes of many members of one model, computed four at a time with one member per SIMD lane: see
//! [`gambol_kernels::Batch`].
//!
//! Poses are sampled and blended one by one, so four members can play four different clips.

use super::batch_poses::{PoseBase, PoseRequest, Poses};
use crate::animation::clip::ClipTables;
use crate::animation::pose::Pose;
use crate::animation::rig::Rig;
use crate::base::{Affine, F32x4};
use crate::model::ClipId;
use gambol_kernels::{Animated, Batch, Properties, Property, Target};
use std::ops::Range;

/// Buffers for computing the palettes of a rig, reused between calls.
#[derive(Debug, Clone)]
pub struct PaletteBatch {
    poses: Poses,
    batch: Batch,
    visible: Vec<bool>,
    /// The node matrices and the palette of a single member.
    matrices: Vec<Affine>,
    alone: Vec<Affine>,
    /// The origin of the constant parts of the poses at the last call.
    gathered: [PoseBase; 4],
}

impl PaletteBatch {
    /// A batch for the nodes of a rig.
    pub fn new(rig: &Rig) -> Self {
        let rest = rig.rest_pose();
        let clips = (0..rig.clip_count()).map(|clip| rig.tables(ClipId::new(clip)));
        let still = |tables: &ClipTables| {
            let mut pose = rest.clone();
            tables.sample_still(&mut pose);
            pose
        };
        let clips: Vec<_> = clips.map(|tables| (tables, still(tables))).collect();
        let animated = (0..rest.groups.len()).filter_map(|group| animated(&clips, rest, group)).collect();
        Self {
            poses: Poses::new(rig, &clips),
            batch: Batch::new(&rest.groups, rig.parents(), rig.fixed(), rig.slots(), animated),
            visible: Vec::new(),
            matrices: Vec::new(),
            alone: vec![Affine::identity(); rig.palette_len()],
            gathered: [PoseBase::Still(0); 4],
        }
    }

    /// Writes the same palettes as [`Rig::sample`], [`Rig::node_matrices`] and [`Rig::palette`], equal to the
    /// bit. The matrices of hidden meshes are zeros.
    ///
    /// - `rig`: the rig passed to [`PaletteBatch::new`].
    /// - `weights`: receives the morph weights; may be empty if they are not needed.
    ///
    /// # Panics
    /// If a clip is of another model, or if a list is too short.
    pub fn palettes(
        &mut self,
        rig: &Rig,
        wanted: &[PoseRequest],
        palettes: &mut [Affine],
        weights: &mut [f32],
    ) {
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
        // For one or two members single poses are faster than four lanes; for three they are about as fast.
        for one in rest {
            self.poses.sample_first(rig, one);
            rig.node_matrices(&self.poses.of[0], &one.place, &mut self.matrices);
            self.put(rig, one, None, palettes);
            if ends {
                self.finish(rig, 0, one, palettes, weights);
            }
        }
    }

    /// Samples a pose.
    pub(super) fn pose(&mut self, rig: &Rig, one: &PoseRequest) -> &Pose {
        self.poses.sample_first(rig, one);
        &self.poses.of[0]
    }

    /// Writes the palette of a pose whose node matrices were changed after sampling; see [`PaletteBatch::palettes`].
    pub(super) fn posed_palette(
        &mut self,
        rig: &Rig,
        one: &PoseRequest,
        matrices: &[Affine],
        palettes: &mut [Affine],
        weights: &mut [f32],
    ) {
        self.put(rig, one, Some(matrices), palettes);
        if rig.may_hide() || !weights.is_empty() {
            self.poses.sample_first(rig, one);
            self.finish(rig, 0, one, palettes, weights);
        }
    }

    /// Writes the palette of node matrices; `None` for those of the buffer.
    fn put(&mut self, rig: &Rig, one: &PoseRequest, matrices: Option<&[Affine]>, palettes: &mut [Affine]) {
        rig.palette(matrices.unwrap_or(&self.matrices), &mut self.alone);
        for (i, matrix) in self.alone.iter().enumerate() {
            palettes[one.to + i * one.step] = *matrix;
        }
    }

    /// Hides the matrices of hidden meshes and copies the morph weights.
    #[inline(never)]
    fn finish(
        &mut self,
        rig: &Rig,
        i: usize,
        one: &PoseRequest,
        palettes: &mut [Affine],
        weights: &mut [f32],
    ) {
        let pose = &self.poses.of[i];
        rig.visibility(pose, &mut self.visible);
        hide(rig, &self.visible, |slot| palettes[one.to + slot * one.step] = Affine::zero());
        if !weights.is_empty() {
            weights[one.weights_to..][..pose.weights.len()].copy_from_slice(&pose.weights);
        }
    }

    fn four(&mut self, rig: &Rig, four: &[PoseRequest; 4], palettes: &mut [Affine]) {
        let Self { poses, batch, gathered, .. } = self;
        assert_eq!(
            poses.of[0].groups.len(),
            rig.rest_pose().groups.len(),
            "the batch belongs to another model"
        );
        // The constant parts are the same as in the last call.
        let still = *gathered == poses.bases && gathered.iter().all(PoseBase::is_still);
        *gathered = poses.bases;
        // No closures here: this is compiled for size, where closures become calls.
        let [a, b, c, d] = &poses.of;
        let poses = [&a.groups[..], &b.groups[..], &c.groups[..], &d.groups[..]];
        let [a, b, c, d] = four;
        let targets = [
            Target { to: a.to, step: a.step },
            Target { to: b.to, step: b.step },
            Target { to: c.to, step: c.step },
            Target { to: d.to, step: d.step },
        ];
        batch.palettes(poses, still, [&a.place, &b.place, &c.place, &d.place], targets, palettes);
    }
}

/// The channels of a group that differ from the rest pose in any clip; `None` if there are none.
///
/// - `clips`: each with the pose of its constant channels.
fn animated(clips: &[(&ClipTables, Pose)], rest: &Pose, group: usize) -> Option<Animated> {
    let bits = |pose: &Pose, property: Property| {
        let lanes = F32x4::as_floats(pose.groups[group].lanes(property));
        lanes.iter().map(|value| value.to_bits()).collect::<Vec<_>>()
    };
    let of = |is_so: &dyn Fn(Property) -> bool| Properties {
        rotation: is_so(Property::Rotation),
        translation: is_so(Property::Translation),
        scale: is_so(Property::Scale),
    };
    let change = |property| clips.iter().any(|(tables, _)| tables.changes(group, property));
    let differ = |property| {
        change(property) || clips.iter().any(|(_, still)| bits(still, property) != bits(rest, property))
    };
    let differs @ Properties { rotation, translation, scale } = of(&differ);
    (rotation || translation || scale).then(|| Animated {
        group: group as u32,
        changes: of(&change),
        differs,
    })
}

/// Sets the matrices of hidden meshes to zero, which collapses the mesh to nothing.
fn hide(rig: &Rig, visible: &[bool], mut zero: impl FnMut(usize)) {
    if visible.is_empty() {
        return;
    }
    // A skin that several meshes share stays visible if one of them is visible.
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
    use crate::model::{
        Channel, Clip, Curve, Interpolation, Mesh, MeshId, Model, Node, NodeId, Path, Skin, SkinId,
    };
    use glam::{Mat4, Quat, Vec3};

    /// Nine nodes: some constant, some rotating, moving or scaled, one sheared, one hidden at times; two
    /// meshes.
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
            clips: vec![clip(0.1).into(), clip(0.9).into(), another_clip().into()],
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

    /// A clip with constant channels for some nodes that the other clips animate. It has no channels for two
    /// of their nodes.
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
    fn palette_batch_clips_with_equal_channels_share_constant_poses() {
        let mut model = model();
        model.clips.push(clip(0.7).into());
        let batch = PaletteBatch::new(&Rig::new(&model));
        assert_eq!(batch.poses.still_of, [1, 1, 2, 1]);
        assert_eq!(batch.poses.stills.len(), 3);
    }

    #[test]
    fn palette_batch_has_the_bits_of_single_palettes() {
        let model = model();
        let rig = Rig::new(&model);
        let len = rig.palette_len();
        assert_eq!(len, 6);
        // Some members are in a transition between two clips.
        let fading = |i: usize| {
            let clip = [Some(ClipId::new(1)), None, Some(ClipId::new(2))][i % 3];
            (i % 4 == 1).then(|| Fading { clip, time: 0.2 * i as f64, weight: [0.3, 0.5, 1.0][i / 4 % 3] })
        };
        // Some members in groups of four, some left over; in any order, with gaps.
        for count in (0..=11).filter(|count| !cfg!(miri) || [1, 4, 6].contains(count)) {
            let wanted: Vec<PoseRequest> = (0..count)
                .map(|i| PoseRequest {
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
            let mut batch = PaletteBatch::new(&rig);
            batch.palettes(&rig, &wanted, &mut got, &mut []);
            // A second call must not depend on the state of the first.
            batch.palettes(&rig, &wanted, &mut got, &mut []);
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
    #[should_panic(expected = "too short for the palette")]
    fn palette_batch_refuses_a_list_that_is_too_short() {
        let rig = Rig::new(&model());
        let one = PoseRequest {
            clip: None,
            time: 0.0,
            fading: None,
            place: Affine::identity(),
            to: 0,
            step: 1,
            weights_to: 0,
        };
        let mut palettes = vec![Affine::identity(); 4 * rig.palette_len() - 1];
        let wanted: Vec<_> = (0..4).map(|i| PoseRequest { to: i * rig.palette_len(), ..one }).collect();
        PaletteBatch::new(&rig).palettes(&rig, &wanted, &mut palettes, &mut []);
    }
}
