//! Poses of a clip that were made ahead, for crowds in the background.

use super::measure::{MOST_POSES, mixed};
use crate::animation::quartet::{Quartet, Wanted};
use crate::animation::{Affine, Rig};
use crate::model::ClipId;

/// How many poses are made of a second.
const RATE: f64 = 30.0;

/// The palettes of a clip, 30 a second, in the space of the model, and its morph weights.
#[derive(Debug, Clone)]
pub(super) struct Baked {
    palettes: Vec<Affine>,
    weights: Vec<f32>,
    /// The last pose is that of the clip's end.
    last: usize,
    duration: f64,
}

/// A place between two baked poses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Between {
    pub(super) first: usize,
    pub(super) fraction: f32,
}

impl Baked {
    /// Makes the poses; `None` of a clip that is too long.
    pub(super) fn new(quartet: &mut Quartet, rig: &Rig, clip: ClipId, duration: f64) -> Option<Self> {
        let last = (duration * RATE).ceil();
        if !(last < MOST_POSES as f64) {
            return None;
        }
        let (last, len, weights) = (last as usize, rig.palette_len(), rig.rest_pose().weights.len());
        let wanted = |i: usize| Wanted {
            clip: Some(clip),
            time: (i as f64 / RATE).min(duration),
            fading: None,
            place: Affine::identity(),
            to: i * len,
            step: 1,
            weights_to: i * weights,
        };
        let mut baked = Self {
            palettes: vec![Affine::identity(); (last + 1) * len],
            weights: vec![0.0; (last + 1) * weights],
            last,
            duration,
        };
        let wanted: Vec<Wanted> = (0..=last).map(wanted).collect();
        quartet.palettes(rig, &wanted, &mut baked.palettes, &mut baked.weights);
        Some(baked)
    }

    /// Which poses a time is between: seconds of the clip, `0..=duration`.
    pub(super) fn between(&self, time: f64) -> Between {
        let first = ((time * RATE) as usize).min(self.last.saturating_sub(1));
        let begin = first as f64 / RATE;
        let end = ((first + 1) as f64 / RATE).min(self.duration);
        let fraction = if end > begin { ((time - begin) / (end - begin)) as f32 } else { 0.0 };
        Between { first, fraction }
    }

    /// Writes the mean of two poses at a place.
    ///
    /// - `step`: from each matrix to the next one in the list that is written to.
    #[inline(never)]
    pub(super) fn write(
        &self,
        Between { first, fraction }: Between,
        place: &Affine,
        list: &mut [Affine],
        step: usize,
    ) {
        let len = self.palettes.len() / (self.last + 1);
        let from = &self.palettes[first * len..][..len];
        let to = &self.palettes[(first + 1).min(self.last) * len..][..len];
        for (i, (from, to)) in from.iter().zip(to).enumerate() {
            list[step * i] = place.mul(&mixed(from, to, fraction));
        }
    }

    /// Writes the mean of their morph weights.
    pub(super) fn write_weights(&self, Between { first, fraction }: Between, weights: &mut [f32]) {
        let len = weights.len();
        let from = &self.weights[first * len..][..len];
        let to = &self.weights[(first + 1).min(self.last) * len..][..len];
        for ((out, from), to) in weights.iter_mut().zip(from).zip(to) {
            *out = from + (to - from) * fraction;
        }
    }
}
