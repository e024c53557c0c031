//! The poses of four characters, sampled or blended one by one.

use crate::animation::clip::ClipTables;
use crate::animation::mixing::{Amount, Contribution, LayerMode, Mix, Mixer, Part, Parts, blend};
use crate::animation::pose::Pose;
use crate::animation::rig::Rig;
use crate::base::{Affine, F32x4};
use crate::model::ClipId;
use gambol_kernels::{Spot, TransformX4};

/// Four poses, and what they are made with.
#[derive(Debug, Clone)]
pub(super) struct Poses {
    pub(super) of: [Pose; 4],
    /// The rest pose, and poses with what clips have the same at all times.
    pub(super) stills: Vec<Pose>,
    /// Of each clip the index of its own. Clips that change the same, and have all else the same, share one.
    pub(super) still_of: Vec<usize>,
    /// What each of the poses has where nothing changes.
    pub(super) stands: [Stands; 4],
    /// Two that are blended, and which of the stills each of them has.
    pair: [Pose; 2],
    pair_stands: [usize; 2],
    /// Of each clip the first one that animates the same.
    touches: Vec<usize>,
    mixer: Mixer,
    mix: Mix,
}

/// What a pose has where what made it changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// One of the stills.
    Still(usize),
    /// The rest pose, where two clips that animate the same as this one do not write.
    Blend(usize),
    Unknown,
}

impl Stands {
    pub(super) fn is_still(&self) -> bool {
        matches!(self, Self::Still(_))
    }
}

impl Wanted {
    #[inline(always)]
    fn find(&self, rig: &Rig) -> Spot {
        match self.clip {
            Some(clip) => rig.tables(clip).find(self.time),
            None => Spot::default(),
        }
    }
}

impl Poses {
    /// - `clips`: of the rig, each with what is the same at all its times, laid over the rest pose.
    pub(super) fn new(rig: &Rig, clips: &[(&ClipTables, Pose)]) -> Self {
        let rest = rig.rest_pose();
        let (stills, still_of) = shared(clips, rest);
        Self {
            of: [(); 4].map(|()| rest.clone()),
            stills,
            still_of,
            stands: [Stands::Still(0); 4],
            pair: [(); 2].map(|()| rest.clone()),
            pair_stands: [0; 2],
            touches: touches(rig),
            mixer: Mixer::new(),
            mix: Mix::default(),
        }
    }

    /// Makes all four.
    #[inline(always)]
    pub(super) fn sample_four(&mut self, rig: &Rig, [a, b, c, d]: &[Wanted; 4]) {
        let (at_a, at_b, at_c, at_d) = (a.find(rig), b.find(rig), c.find(rig), d.find(rig));
        self.sample(rig, 0, a, at_a);
        self.sample(rig, 1, b, at_b);
        self.sample(rig, 2, c, at_c);
        self.sample(rig, 3, d, at_d);
    }

    /// Makes the first one.
    pub(super) fn sample_first(&mut self, rig: &Rig, one: &Wanted) {
        self.sample(rig, 0, one, one.find(rig));
    }

    #[inline(always)]
    fn sample(&mut self, rig: &Rig, i: usize, one: &Wanted, spot: Spot) {
        if let Some(fading) = one.fading {
            self.blend(rig, i, (one, spot), fading);
            return;
        }
        let pose = &mut self.of[i];
        let still = one.clip.map_or(0, |clip| self.still_of[clip.index()]);
        if self.stands[i] != Stands::Still(still) {
            pose.copy_from(&self.stills[still]);
            self.stands[i] = Stands::Still(still);
        }
        if let Some(clip) = one.clip {
            rig.tables(clip).sample_changing(spot, one.time, pose);
        }
    }

    /// What [`Mixer::evaluate`] makes of both.
    #[inline(never)]
    fn blend(&mut self, rig: &Rig, i: usize, (one, spot): (&Wanted, Spot), fading: Fading) {
        let Fading { clip, time, weight } = fading;
        let own = 1.0 - weight;
        let (Some(to), Some(from), true) = (one.clip, clip, own > 0.0 && weight > 0.0) else {
            return self.mix(rig, i, [(one.clip, one.time, own), (clip, time, weight)]);
        };
        let to = Part { clip: to, time: one.time, weight: own, mask: None };
        let from = Part { clip: from, time, weight, mask: None };
        // The heavier one is the first.
        let first = usize::from(weight > own);
        let from_spot = rig.tables(from.clip).find(time);
        self.take(rig, first, to, spot);
        self.take(rig, 1 - first, from, from_spot);
        let parts = if first == 0 { [to, from] } else { [from, to] };
        // Where both write, nothing is left of what was there before.
        let touches = self.touches[parts[0].clip.index()];
        let alike = touches == self.touches[parts[1].clip.index()] && own + weight >= 1.0;
        let stands = if alike { Stands::Blend(touches) } else { Stands::Unknown };
        let pose = &mut self.of[i];
        if !alike || self.stands[i] != stands {
            pose.copy_from(rig.rest_pose());
            self.stands[i] = stands;
        }
        blend(Parts { rig, parts: &parts, poses: &self.pair, layers: &[] }, Amount::FULL, pose);
    }

    /// Samples one of two that are blended.
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
        self.stands[i] = Stands::Unknown;
    }
}

/// What stands still beside what each clip changes, shared among clips; the first is the rest pose. See [`Poses::still_of`].
///
/// - `clips`: with what is the same at all times of each, laid over the rest pose.
fn shared(clips: &[(&ClipTables, Pose)], rest: &Pose) -> (Vec<Pose>, Vec<usize>) {
    let (mut stills, mut known) = (vec![rest.clone()], Vec::new());
    let numbers = |pose: &Pose| -> Vec<f32> {
        let groups = pose.groups.iter().flat_map(|group| {
            [&group.rotation[..], &group.translation, &group.scale].into_iter().flat_map(F32x4::as_floats)
        });
        groups.chain(&pose.weights).chain(&pose.properties).copied().collect()
    };
    let still_of = clips.iter().map(|(tables, still)| {
        // What is written is a number; so what is none afterwards is left alone.
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

/// See [`Poses::touches`]. Those that animate more than nodes are like none.
fn touches(rig: &Rig) -> Vec<usize> {
    let of = |clip: usize| rig.touched(ClipId::new(clip)).groups();
    let rest = rig.rest_pose();
    let only_nodes = rest.weights.is_empty() && rest.properties.is_empty();
    let first = |clip: usize| (0..clip).find(|&other| only_nodes && of(other) == of(clip)).unwrap_or(clip);
    (0..rig.clip_count()).map(first).collect()
}

/// A pose that is wanted, and where it is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// `None` is the rest pose.
    pub clip: Option<ClipId>,
    /// Seconds of the clip.
    pub time: f64,
    /// What gives way to it.
    pub fading: Option<Fading>,
    /// `world_from_model`.
    pub place: Affine,
    /// The index of the first matrix in the list that is written to.
    pub to: usize,
    /// From each matrix to the next one in that list: 1 for a palette that stands alone. Palettes of four that stand side by
    /// side, matrix by matrix, are written fastest, since that is one way through the memory.
    pub step: usize,
    /// The index of the first morph weight.
    pub weights_to: usize,
}

/// A clip that gives way to another, as in a [`Mix`] of one layer with both.
#[derive(Debug, Clone, Copy)]
pub struct Fading {
    /// `None` is the rest pose.
    pub clip: Option<ClipId>,
    /// Seconds of the clip.
    pub time: f64,
    /// Its share, `0.0..=1.0`; the other has the rest.
    pub weight: f32,
}
