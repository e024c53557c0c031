//! The poses of four members, sampled or blended one by one.

use crate::animation::clip::ClipTables;
use crate::animation::mixing::{Amount, Contribution, LayerMode, Mix, Mixer, Part, Parts, blend};
use crate::animation::pose::Pose;
use crate::animation::rig::Rig;
use crate::base::{Affine, F32x4};
use crate::model::ClipId;
use gambol_kernels::{Spot, TransformX4};

/// Four poses, and the buffers for computing them.
#[derive(Debug, Clone)]
pub(super) struct Poses {
    pub(super) of: [Pose; 4],
    /// The rest pose, then poses with the constant channels of clips applied.
    pub(super) stills: Vec<Pose>,
    /// The index into `stills` for each clip. Clips share an entry if they change the same channels and agree
    /// in the rest.
    pub(super) still_of: Vec<usize>,
    /// The origin of the constant parts of each pose.
    pub(super) bases: [PoseBase; 4],
    /// Two poses that are blended, and the index into `stills` for each.
    pair: [Pose; 2],
    pair_stands: [usize; 2],
    /// For each clip, the index of the first clip with the same channels.
    touches: Vec<usize>,
    mixer: Mixer,
    mix: Mix,
}

/// The origin of the parts of a pose that sampling does not overwrite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PoseBase {
    /// An entry of `stills`.
    Still(usize),
    /// The rest pose, except for the channels of two blended clips. The index is from `Poses::touches`.
    Blend(usize),
    Unknown,
}

impl PoseBase {
    pub(super) fn is_still(&self) -> bool {
        matches!(self, Self::Still(_))
    }
}

impl PoseRequest {
    #[inline(always)]
    fn find(&self, rig: &Rig) -> Spot {
        match self.clip {
            Some(clip) => rig.tables(clip).find(self.time),
            None => Spot::default(),
        }
    }
}

impl Poses {
    /// - `clips`: the clips of the rig, each with its constant channels applied to the rest pose.
    pub(super) fn new(rig: &Rig, clips: &[(&ClipTables, Pose)]) -> Self {
        let rest = rig.rest_pose();
        let (stills, still_of) = shared(clips, rest);
        Self {
            of: [(); 4].map(|()| rest.clone()),
            stills,
            still_of,
            bases: [PoseBase::Still(0); 4],
            pair: [(); 2].map(|()| rest.clone()),
            pair_stands: [0; 2],
            touches: touches(rig),
            mixer: Mixer::new(),
            mix: Mix::default(),
        }
    }

    /// Samples all four poses.
    #[inline(always)]
    pub(super) fn sample_four(&mut self, rig: &Rig, [a, b, c, d]: &[PoseRequest; 4]) {
        let (at_a, at_b, at_c, at_d) = (a.find(rig), b.find(rig), c.find(rig), d.find(rig));
        self.sample(rig, 0, a, at_a);
        self.sample(rig, 1, b, at_b);
        self.sample(rig, 2, c, at_c);
        self.sample(rig, 3, d, at_d);
    }

    /// Samples the first pose only.
    pub(super) fn sample_first(&mut self, rig: &Rig, one: &PoseRequest) {
        self.sample(rig, 0, one, one.find(rig));
    }

    #[inline(always)]
    fn sample(&mut self, rig: &Rig, i: usize, one: &PoseRequest, spot: Spot) {
        if let Some(fading) = one.fading {
            self.blend(rig, i, (one, spot), fading);
            return;
        }
        let pose = &mut self.of[i];
        let still = one.clip.map_or(0, |clip| self.still_of[clip.index()]);
        if self.bases[i] != PoseBase::Still(still) {
            pose.copy_from(&self.stills[still]);
            self.bases[i] = PoseBase::Still(still);
        }
        if let Some(clip) = one.clip {
            rig.tables(clip).sample_changing(spot, one.time, pose);
        }
    }

    /// Blends two clips with the same result as [`Mixer::evaluate`].
    #[inline(never)]
    fn blend(&mut self, rig: &Rig, i: usize, (one, spot): (&PoseRequest, Spot), fading: Fading) {
        let Fading { clip, time, weight } = fading;
        let own = 1.0 - weight;
        let (Some(to), Some(from), true) = (one.clip, clip, own > 0.0 && weight > 0.0) else {
            return self.mix(rig, i, [(one.clip, one.time, own), (clip, time, weight)]);
        };
        let to = Part { clip: to, time: one.time, weight: own, mask: None };
        let from = Part { clip: from, time, weight, mask: None };
        // The clip with the larger weight comes first.
        let first = usize::from(weight > own);
        let from_spot = rig.tables(from.clip).find(time);
        self.take(rig, first, to, spot);
        self.take(rig, 1 - first, from, from_spot);
        let parts = if first == 0 { [to, from] } else { [from, to] };
        // If both clips have the same channels, blending overwrites all that the last call wrote.
        let touches = self.touches[parts[0].clip.index()];
        let alike = touches == self.touches[parts[1].clip.index()] && own + weight >= 1.0;
        let bases = if alike { PoseBase::Blend(touches) } else { PoseBase::Unknown };
        let pose = &mut self.of[i];
        if !alike || self.bases[i] != bases {
            pose.copy_from(rig.rest_pose());
            self.bases[i] = bases;
        }
        blend(Parts { rig, parts: &parts, poses: &self.pair, layers: &[] }, Amount::FULL, pose);
    }

    /// Samples one of the two poses that are blended.
    #[inline(always)]
    fn take(&mut self, rig: &Rig, k: usize, Part { clip, time, .. }: Part, spot: Spot) {
        let still = self.still_of[clip.index()];
        if self.pair_stands[k] != still {
            self.pair[k].copy_from(&self.stills[still]);
            self.pair_stands[k] = still;
        }
        rig.tables(clip).sample_changing(spot, time, &mut self.pair[k]);
    }

    #[inline(never)]
    fn mix(&mut self, rig: &Rig, i: usize, parts: [(Option<ClipId>, f64, f32); 2]) {
        let part = |(clip, time, weight): (Option<ClipId>, f64, f32)| {
            clip.map(|clip| Contribution { clip, time, weight })
        };
        self.mix.clear();
        self.mix.push(LayerMode::Override, 1.0, None, parts.into_iter().filter_map(part));
        self.mixer.evaluate(rig, &self.mix, &mut self.of[i]);
        self.bases[i] = PoseBase::Unknown;
    }
}

/// The constant parts of each clip, shared among clips; the first is the rest pose. See [`Poses::still_of`].
///
/// - `clips`: each with its constant channels applied to the rest pose.
fn shared(clips: &[(&ClipTables, Pose)], rest: &Pose) -> (Vec<Pose>, Vec<usize>) {
    let (mut stills, mut known) = (vec![rest.clone()], Vec::new());
    let numbers = |pose: &Pose| -> Vec<f32> {
        let groups = pose.groups.iter().flat_map(|group| {
            [&group.rotation[..], &group.translation, &group.scale].into_iter().flat_map(F32x4::as_floats)
        });
        groups.chain(&pose.weights).chain(&pose.properties).copied().collect()
    };
    let still_of = clips.iter().map(|(tables, still)| {
        // Channels overwrite NaN with numbers, so what is still NaN has no channel.
        let mut marked = rest.clone();
        marked.groups.fill(TransformX4 {
            rotation: [F32x4::splat(f32::NAN); 4],
            translation: [F32x4::splat(f32::NAN); 3],
            scale: [F32x4::splat(f32::NAN); 3],
        });
        marked.weights.fill(f32::NAN);
        marked.properties.fill(f32::NAN);
        tables.sample_changing(tables.find(0.0), 0.0, &mut marked);
        let left = numbers(&marked).into_iter().zip(numbers(still));
        let left: Vec<Option<u32>> =
            left.map(|(mark, still)| mark.is_nan().then_some(still.to_bits())).collect();
        let same = known.iter().position(|other| *other == left);
        same.unwrap_or_else(|| {
            known.push(left);
            stills.push(still.clone());
            known.len() - 1
        }) + 1
    });
    let still_of = still_of.collect();
    (stills, still_of)
}

/// See [`Poses::touches`]. In models with morph weights or animated properties each clip is its own first.
fn touches(rig: &Rig) -> Vec<usize> {
    let of = |clip: usize| rig.channel_set(ClipId::new(clip)).groups();
    let rest = rig.rest_pose();
    let only_nodes = rest.weights.is_empty() && rest.properties.is_empty();
    let first = |clip: usize| (0..clip).find(|&other| only_nodes && of(other) == of(clip)).unwrap_or(clip);
    (0..rig.clip_count()).map(first).collect()
}

/// A pose to compute, and the indices where its results are written.
#[derive(Debug, Clone, Copy)]
pub struct PoseRequest {
    /// The clip; `None` for the rest pose.
    pub clip: Option<ClipId>,
    /// Time in the clip, in seconds.
    pub time: f64,
    /// The clip that fades out.
    pub fading: Option<Fading>,
    /// `world_from_model`.
    pub place: Affine,
    /// The index of the first matrix in the list that is written to.
    pub to: usize,
    /// The distance between matrices in that list: 1 for a contiguous palette. Interleaving the palettes of
    /// four members is fastest, because the writes are sequential.
    pub step: usize,
    /// The index of the first morph weight.
    pub weights_to: usize,
}

/// A clip that fades out, as in a [`Mix`] of one layer with both clips.
#[derive(Debug, Clone, Copy)]
pub struct Fading {
    /// The clip; `None` for the rest pose.
    pub clip: Option<ClipId>,
    /// Time in the clip, in seconds.
    pub time: f64,
    /// The weight of the clip, `0.0..=1.0`; the other clip has the rest.
    pub weight: f32,
}
