//! Cached poses of a clip and interpolation between them, for small members and for crowds in the background.

use super::batch::PaletteBatch;
use super::batch_poses::PoseRequest;
use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::{ClipId, SIDE_BY_SIDE};
use gambol_kernels::mix_palettes;

/// Cached poses per second.
pub(super) const RATE: f64 = 30.0;
/// The largest number of poses that are cached or measured; longer clips are sampled.
pub(super) const MAX_POSES: usize = 4096;

/// The cached palettes of a clip, [`RATE`] per second, in model space, and its morph weights.
#[derive(Debug, Clone)]
pub(super) struct Baked {
    palettes: Vec<Affine>,
    weights: Vec<f32>,
    /// The number of matrices per pose.
    entries: usize,
    /// The index of the last pose, which is at the end of the clip.
    last: usize,
    duration: f64,
}

impl Baked {
    /// Computes the poses; `None` if the clip is too long, or if its palettes exceed `most` matrices.
    pub(super) fn new(
        batch: &mut PaletteBatch,
        rig: &Rig,
        clip: ClipId,
        duration: f64,
        most: usize,
    ) -> Option<Self> {
        let last = (duration * RATE).ceil();
        if !(last < MAX_POSES as f64) {
            return None;
        }
        let (last, len, weights) = (last as usize, rig.palette_len(), rig.rest_pose().weights.len());
        if (last + 1) * len > most {
            return None;
        }
        let wanted = |i: usize| PoseRequest {
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
            entries: len,
            last,
            duration,
        };
        let wanted: Vec<PoseRequest> = (0..=last).map(wanted).collect();
        batch.palettes(rig, &wanted, &mut baked.palettes, &mut baked.weights);
        Some(baked)
    }

    /// The total number of matrices.
    pub(super) fn len(&self) -> usize {
        self.palettes.len()
    }

    /// Interpolates linearly between the two poses next to a time of the clip, `0..=duration` seconds, and
    /// moves the result to a place.
    ///
    /// - `palette`: starts at the first matrix to write; consecutive matrices are [`SIDE_BY_SIDE`] entries
    ///   apart.
    #[inline(never)]
    pub(super) fn show(&self, time: f64, place: &Affine, palette: &mut [Affine], weights: &mut [f32]) {
        let at = time * RATE;
        let first = (at as usize).min(self.last.saturating_sub(1));
        let second = (first + 1).min(self.last);
        let into = at - first as f64;
        // The interval before the last pose may be shorter.
        let way = if second == self.last { self.duration * RATE - first as f64 } else { 1.0 };
        let fraction = if into < way { (into / way) as f32 } else { 1.0 };
        let pose = |at: usize| &self.palettes[at * self.entries..][..self.entries];
        mix_palettes(pose(first), pose(second), fraction, place, palette, SIDE_BY_SIDE);
        let len = weights.len();
        if len > 0 {
            let [first, second] = [first, second].map(|at| &self.weights[at * len..][..len]);
            for ((out, first), second) in weights.iter_mut().zip(first).zip(second) {
                *out = first + (second - first) * fraction;
            }
        }
    }
}
