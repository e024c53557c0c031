//! Poses of a clip that were made ahead, and what is between them: for members that are small, and for crowds in the background.

use super::batch::Quartet;
use super::batch_poses::Wanted;
use crate::animation::rig::Rig;
use crate::base::{Affine, F32x4, run};
use crate::model::{ClipId, SIDE_BY_SIDE};

/// How many poses are made of a second.
pub(super) const RATE: f64 = 30.0;
/// The most poses, made ahead or measured: longer clips are sampled.
pub(super) const MOST_POSES: usize = 4096;

/// The palettes of a clip, [`RATE`] a second, in the space of the model, and its morph weights.
#[derive(Debug, Clone)]
pub(super) struct Baked {
    palettes: Vec<Affine>,
    weights: Vec<f32>,
    /// How many matrices a pose has.
    entries: usize,
    /// The last pose is that of the clip's end.
    last: usize,
    duration: f64,
}

/// How far on the way from one pose to the next, and where that is shown. What all matrices are multiplied by is spread over the
/// lanes ahead.
#[derive(Debug, Clone, Copy)]
struct Between {
    fraction: F32x4,
    /// Of each row of the place its first three numbers, and what it adds to the last lane.
    place: [[F32x4; 4]; 3],
}

impl Baked {
    /// Makes the poses; `None` of a clip that is too long, or whose palettes are more than `most` matrices.
    pub(super) fn new(
        quartet: &mut Quartet,
        rig: &Rig,
        clip: ClipId,
        duration: f64,
        most: usize,
    ) -> Option<Self> {
        let last = (duration * RATE).ceil();
        if !(last < MOST_POSES as f64) {
            return None;
        }
        let (last, len, weights) = (last as usize, rig.palette_len(), rig.rest_pose().weights.len());
        if (last + 1) * len > most {
            return None;
        }
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
            entries: len,
            last,
            duration,
        };
        let wanted: Vec<Wanted> = (0..=last).map(wanted).collect();
        quartet.palettes(rig, &wanted, &mut baked.palettes, &mut baked.weights);
        Some(baked)
    }

    /// How many matrices it has.
    pub(super) fn len(&self) -> usize {
        self.palettes.len()
    }

    /// Writes what is shown at a time of the clip, `0..=duration` seconds, at a place: the mean of two poses, by how far it is to
    /// each.
    ///
    /// - `palette`: begins with the first matrix; each further one is [`SIDE_BY_SIDE`] behind the one before.
    #[inline(never)]
    pub(super) fn show(&self, time: f64, place: &Affine, palette: &mut [Affine], weights: &mut [f32]) {
        let at = time * RATE;
        let first = (at as usize).min(self.last.saturating_sub(1));
        let second = (first + 1).min(self.last);
        let into = at - first as f64;
        // The last two may be less far apart.
        let way = if second == self.last { self.duration * RATE - first as f64 } else { 1.0 };
        let fraction = if into < way { (into / way) as f32 } else { 1.0 };
        let [x, y, z] = place.rows;
        let between = Between { fraction: F32x4::splat(fraction), place: [spread(x), spread(y), spread(z)] };
        let (palettes, len) = (self.palettes.as_slice(), self.entries);
        between.write(run(palettes, first * len, len), run(palettes, second * len, len), palette);
        let len = weights.len();
        if len > 0 {
            let (first, second) =
                (run(&self.weights, first * len, len), run(&self.weights, second * len, len));
            for ((out, first), second) in weights.iter_mut().zip(first).zip(second) {
                *out = first + (second - first) * fraction;
            }
        }
    }
}

impl Between {
    /// On its own: what it is given lies in memory, where compilers would move what is computed before a loop into it.
    #[inline(never)]
    fn write(&self, first: &[Affine], second: &[Affine], list: &mut [Affine]) {
        let Self { fraction, place: [px, py, pz] } = self;
        let list = list.as_chunks_mut::<SIDE_BY_SIDE>().0;
        for ((first, second), [out, ..]) in first.iter().zip(second).zip(list) {
            let ([a, b, c], [x, y, z]) = (first.rows, second.rows);
            let mixed = [a + (x - a) * *fraction, b + (y - b) * *fraction, c + (z - c) * *fraction];
            out.rows = [placed(px, mixed), placed(py, mixed), placed(pz, mixed)];
        }
    }
}

#[inline(always)]
fn spread(row: F32x4) -> [F32x4; 4] {
    [row.spread::<0>(), row.spread::<1>(), row.spread::<2>(), row.only_last()]
}

/// A row of a product, as of [`Affine::mul`].
#[inline(always)]
fn placed([x, y, z, last]: &[F32x4; 4], [a, b, c]: [F32x4; 3]) -> F32x4 {
    (*x * a + *y * b) + (*z * c + *last)
}
