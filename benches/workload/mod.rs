//! The work of the benchmarks, native and in wasm: sample → node matrices → palette for independent characters.
//!
//! The character is generated: 20 joints, all of them rotating, two of them translating, three clips of 49 keys at 24
//! Hz. Every character has its own time.

mod crowd;
mod pick;
mod procedural;
mod retarget;
mod skin;
mod states;

pub(crate) use crowd::{Members, Way};
pub(crate) use pick::Pickable;
pub(crate) use procedural::Procedural;
pub(crate) use retarget::Retargeting;
pub(crate) use skin::Skinned;
pub(crate) use states::Steered;

use gambol::animation::{
    Affine, COAST, Contribution, F32x4, Fading, Inertia, JointMask, LayerMode, Mix, Mixer, PaletteBatch,
    Pose, PoseRequest, Reference, Rig,
};
use gambol::model::{
    Channel, Clip, ClipId, Curve, Influences, Interpolation, Mesh, MeshId, Model, Node, NodeId, Path,
    Primitive, SIDE_BY_SIDE, Skin, SkinId, Transform, side_by_side,
};
use glam::{Mat4, Quat, Vec3};
use std::rc::Rc;

/// The number of joints of a character.
pub(crate) const JOINTS: usize = 20;

const KEYS: usize = 49;
const RATE: f64 = 24.0;
/// The number of `F32x4` in a key of all joints: five groups of rotations with two scalars each, and two single
/// translations.
const ROW: usize = 5 * 6 + 2 * 3;
const CLIPS: usize = 3;
/// Seconds per frame.
const FRAME: f64 = 1.0 / 60.0;

/// Characters of one model, each at its own time.
pub(crate) struct Crowd {
    rig: Rig,
    pose: Pose,
    quartet: PaletteBatch,
    wanted: Vec<PoseRequest>,
    /// As many keys as the clip has, for [`Crowd::floor`].
    keys: Vec<F32x4>,
    matrices: Vec<Affine>,
    palette: Vec<Affine>,
    times: Vec<f64>,
    duration: f64,
    random: u64,
    mixer: Mixer,
    mix: Mix,
    mask: Rc<JointMask>,
    /// A transition of each character, in progress at time 0.
    inertias: Vec<Inertia>,
}

/// A way of mixing that is measured against playing one clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feature {
    /// Two clips with weight 0.5 each.
    Blend2,
    /// Two clips with changing weights.
    Crossfade,
    /// A clip, and another one as a layer on half of the joints.
    Masked,
    /// A clip, and an additive layer: another clip relative to its first key.
    Additive,
    /// Two clips, and an additive layer of a third one on half of the joints.
    Blend2Additive,
    /// A clip, and an inertial transition from another one.
    Inertia,
}

impl Feature {
    pub(crate) const ALL: [(Self, &str); 6] = [
        (Self::Blend2, "blend2"),
        (Self::Crossfade, "crossfade"),
        (Self::Masked, "masked"),
        (Self::Additive, "additive"),
        (Self::Blend2Additive, "blend2_additive"),
        (Self::Inertia, "inertia"),
    ];

    /// Writes the mix of this feature at `time`.
    fn write(self, time: f64, duration: f64, mask: &Rc<JointMask>, mix: &mut Mix) {
        mix.clear();
        let part = |clip: usize, weight: f32| Contribution { clip: ClipId::new(clip), time, weight };
        let base = LayerMode::Override;
        let additive = LayerMode::Additive(Reference::Clip(ClipId::new(2), 0.0));
        match self {
            Self::Blend2 | Self::Blend2Additive => {
                mix.push(base, 1.0, None, [part(0, 0.5), part(1, 0.5)].into_iter());
            }
            Self::Crossfade => {
                let share = (time / duration) as f32;
                mix.push(base, 1.0, None, [part(0, 1.0 - share), part(1, share)].into_iter());
            }
            Self::Masked | Self::Additive | Self::Inertia => {
                mix.push(base, 1.0, None, std::iter::once(part(0, 1.0)));
            }
        }
        match self {
            Self::Masked => mix.push(base, 1.0, Some(mask), std::iter::once(part(2, 1.0))),
            Self::Additive => mix.push(additive, 0.5, None, std::iter::once(part(2, 1.0))),
            Self::Blend2Additive => mix.push(additive, 0.5, Some(mask), std::iter::once(part(2, 1.0))),
            Self::Blend2 | Self::Crossfade | Self::Inertia => {}
        }
    }
}

impl Crowd {
    /// Creates `count` characters at random times. With `general`, the rest pose, the clips and the inverse bind
    /// matrices contain non-uniform scale.
    pub(crate) fn new(count: usize, general: bool) -> Self {
        let rig = Rig::new(&model(general));
        let weights: Vec<f32> = (0..rig.node_count()).map(|i| f32::from(u8::from(i > JOINTS / 2))).collect();
        let pose = |clip: usize, time: f64| {
            let mut pose = rig.rest_pose().clone();
            rig.sample(ClipId::new(clip), time, &mut pose);
            pose
        };
        let before = COAST.map(|time| pose(1, 0.3 + time));
        let mut inertia = Inertia::new();
        inertia.start(&rig, -0.5, 1.0, &before, &pose(0, 0.0));
        let mut crowd = Self {
            mixer: Mixer::new(),
            mix: Mix::default(),
            mask: Rc::new(JointMask::new(&weights)),
            inertias: vec![inertia; count],
            pose: rig.rest_pose().clone(),
            quartet: PaletteBatch::new(&rig),
            wanted: (0..count)
                .map(|i| PoseRequest {
                    clip: Some(ClipId::new(0)),
                    time: 0.0,
                    fading: None,
                    place: Affine::identity(),
                    to: side_by_side(i, rig.palette_len()),
                    step: SIDE_BY_SIDE,
                    weights_to: 0,
                })
                .collect(),
            keys: vec![F32x4::splat(0.5); (KEYS + 1) * ROW],
            matrices: Vec::with_capacity(rig.node_count()),
            palette: vec![Affine::identity(); count.next_multiple_of(SIDE_BY_SIDE) * rig.palette_len()],
            times: vec![0.0; count],
            duration: (KEYS - 1) as f64 / RATE,
            random: 0x9E37_79B9_7F4A_7C15,
            rig,
        };
        crowd.scatter();
        crowd
    }

    /// A frame in which all characters advance.
    pub(crate) fn forward(&mut self) -> f32 {
        self.pass();
        self.palettes()
    }

    fn pass(&mut self) {
        for time in &mut self.times {
            *time += FRAME;
            if *time >= self.duration {
                *time -= self.duration;
            }
        }
    }

    /// A frame in which all characters advance, with more than one clip.
    pub(crate) fn mixed(&mut self, feature: Feature) -> f32 {
        self.pass();
        let palettes = self.palette.chunks_exact_mut(self.rig.palette_len());
        for ((time, palette), inertia) in self.times.iter().zip(palettes).zip(&self.inertias) {
            feature.write(*time, self.duration, &self.mask, &mut self.mix);
            self.mixer.evaluate(&self.rig, &self.mix, &mut self.pose);
            if feature == Feature::Inertia {
                inertia.apply(0.0, &mut self.pose);
            }
            self.rig.node_matrices(&self.pose, &Affine::identity(), &mut self.matrices);
            self.rig.palette(&self.matrices, palette);
        }
        Affine::as_floats(&self.palette)[3]
    }

    /// A frame in which all characters seek to a random time.
    pub(crate) fn seek(&mut self) -> f32 {
        self.scatter();
        self.palettes()
    }

    fn scatter(&mut self) {
        for time in &mut self.times {
            // xorshift: random enough to defeat any cached key index.
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            *time = self.duration * (self.random >> 11) as f64 / (1_u64 << 53) as f64;
        }
    }

    /// A frame in which all characters advance, four at a time. With `mixed`, neighbours play different clips.
    pub(crate) fn quartets(&mut self, mixed: bool) -> f32 {
        self.pass();
        for (i, wanted) in self.wanted.iter_mut().enumerate() {
            wanted.clip = Some(ClipId::new(if mixed { i % CLIPS } else { 0 }));
        }
        self.four_by_four()
    }

    /// A frame in which all characters seek to a random time, four at a time.
    pub(crate) fn quartets_seek(&mut self) -> f32 {
        self.scatter();
        self.four_by_four()
    }

    /// A frame in which all characters advance, four at a time, with two clips of weight 0.5 each.
    pub(crate) fn quartets_blended(&mut self) -> f32 {
        self.pass();
        for (time, wanted) in self.times.iter().zip(&mut self.wanted) {
            wanted.clip = Some(ClipId::new(0));
            wanted.fading = Some(Fading { clip: Some(ClipId::new(1)), time: *time, weight: 0.5 });
        }
        let first = self.four_by_four();
        self.wanted.iter_mut().for_each(|wanted| wanted.fading = None);
        first
    }

    fn four_by_four(&mut self) -> f32 {
        for (time, wanted) in self.times.iter().zip(&mut self.wanted) {
            wanted.time = *time;
        }
        self.quartet.palettes(&self.rig, &self.wanted, &mut self.palette, &mut []);
        Affine::as_floats(&self.palette)[3]
    }

    /// The lower bound of the work: reads two rows of keys for each character, and writes its palette.
    pub(crate) fn floor(&mut self) -> f32 {
        self.pass();
        let len = self.rig.palette_len();
        for (time, palette) in self.times.iter().zip(self.palette.chunks_exact_mut(len)) {
            let key = (time * RATE) as usize;
            let rows = &self.keys[key * ROW..(key + 2) * ROW];
            let mut sum = F32x4::zero();
            for &lanes in rows {
                sum = sum + lanes;
            }
            for matrix in palette {
                matrix.rows[0] = sum;
                matrix.rows[1] = sum;
                matrix.rows[2] = sum;
            }
        }
        Affine::as_floats(&self.palette)[3]
    }

    fn palettes(&mut self) -> f32 {
        let clip = ClipId::new(0);
        for (time, palette) in self.times.iter().zip(self.palette.chunks_exact_mut(self.rig.palette_len())) {
            self.rig.sample(clip, *time, &mut self.pose);
            self.rig.node_matrices(&self.pose, &Affine::identity(), &mut self.matrices);
            self.rig.palette(&self.matrices, palette);
        }
        Affine::as_floats(&self.palette)[3]
    }
}

fn model(general: bool) -> Model {
    // A spine with arms, legs and a head: the shape of the tree matters little, its depth somewhat.
    let parents = [0, 0, 1, 2, 3, 2, 5, 6, 7, 2, 9, 10, 11, 0, 13, 14, 0, 16, 17, 3];
    let mut nodes = Vec::new();
    for (i, parent) in parents.into_iter().enumerate() {
        let scale = if general && i % 5 == 1 { Vec3::new(1.1, 0.9, 1.0) } else { Vec3::ONE };
        let translation = Vec3::new(0.1, 0.3, 0.02 * i as f32);
        let rest = Transform { translation, scale, ..Transform::IDENTITY };
        let parent = (i > 0).then(|| NodeId::new(parent));
        nodes.push(Node { parent, rest, source: i as u32, ..Node::default() });
    }
    nodes.push(Node { mesh: Some(MeshId::new(0)), skin: Some(SkinId::new(0)), ..Node::default() });
    let joints: Vec<_> = (0..JOINTS).map(NodeId::new).collect();
    let bind = |i: usize| {
        let stretch = Mat4::from_scale(if general { Vec3::new(0.01, 0.02, 0.01) } else { Vec3::ONE });
        stretch * Mat4::from_rotation_y(0.3 * i as f32) * Mat4::from_translation(Vec3::splat(-0.1 * i as f32))
    };
    let inverse_bind = (0..JOINTS).map(bind).collect();
    let influences = Influences { per_vertex: 4, joints: vec![0; 4], weights: vec![1.0, 0.0, 0.0, 0.0] };
    let primitive =
        Primitive { positions: vec![[0.0; 3]], influences: Some(influences), ..Primitive::default() };
    Model {
        node_of_source: (0..nodes.len()).map(NodeId::new).collect(),
        nodes,
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        skins: vec![Skin { joints, inverse_bind, ..Skin::default() }],
        clips: [0.0, 1.3, 2.9].map(|shift| clip(shift, general).into()).to_vec(),
        ..Model::default()
    }
}

/// A clip; all clips have the same channels and different keys.
fn clip(shift: f32, general: bool) -> Clip {
    let times: Vec<f32> = (0..KEYS).map(|key| (key as f64 / RATE) as f32).collect();
    let mut curves = Vec::new();
    let mut channels = Vec::new();
    let mut animate = |node: usize, path, values: Vec<f32>, width| {
        let curve = Curve::new(Interpolation::Linear, width, times.clone(), values);
        curves.push(curve.expect("times rise and values are finite"));
        channels.push(Channel { node: NodeId::new(node), path, curve: curves.len() - 1 });
    };
    for joint in 0..JOINTS {
        let turn = |key: usize| {
            let phase = key as f32 * 0.13 + joint as f32 + shift;
            Quat::from_rotation_x(0.6 * phase.sin()) * Quat::from_rotation_z(0.4 * (1.7 * phase).cos())
        };
        animate(joint, Path::Rotation, (0..KEYS).flat_map(|key| turn(key).to_array()).collect(), 4);
    }
    for joint in [0, 4] {
        let move_by = |key: usize| [0.1, 0.3 + 0.05 * (key as f32 * 0.26 + shift).sin(), 0.0];
        animate(joint, Path::Translation, (0..KEYS).flat_map(move_by).collect(), 3);
    }
    for joint in [2, 7, 12, 17].into_iter().filter(|_| general) {
        let grow = |key: usize| [1.0, 1.0 + 0.2 * (key as f32 * 0.2 + shift).sin(), 1.0];
        animate(joint, Path::Scale, (0..KEYS).flat_map(grow).collect(), 3);
    }
    Clip { duration: times[KEYS - 1], channels, curves, ..Clip::default() }
}
