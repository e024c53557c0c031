//! Tracks of plain numbers: the morph weights of a node, and animated properties.

use super::rows::{parts, set_lane};
use crate::animation::pose::Pose;
use crate::base::F32x4;
use crate::model::Interpolation;
use std::ops::Range;

/// A list of numbers in a pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlatList {
    /// [`Pose::weights`]
    Weights,
    /// [`Pose::properties`]
    Properties,
}

/// A track of numbers that are adjacent in a list of a pose.
#[derive(Debug, Clone)]
pub(super) struct FlatTrack {
    pub(super) list: FlatList,
    /// The indices of the numbers in the list.
    pub(super) range: Range<usize>,
    /// The index of the track in a row, in `F32x4`. A part has a quarter as many `F32x4` as numbers, rounded
    /// up.
    pub(super) offset: usize,
}

impl FlatTrack {
    /// The number of `F32x4` in a part of a row.
    fn width(&self) -> usize {
        self.range.len().div_ceil(4)
    }

    fn target<'a>(&self, pose: &'a mut Pose) -> &'a mut [f32] {
        let list = match self.list {
            FlatList::Weights => &mut pose.weights,
            FlatList::Properties => &mut pose.properties,
        };
        &mut list[self.range.clone()]
    }

    /// Writes keys of a curve, a row per key, into the rows of a table from row `first` on.
    pub(super) fn fill(
        &self,
        rows: &mut [F32x4],
        stride: usize,
        first: usize,
        values: &[f32],
        interpolation: Interpolation,
    ) {
        let (width, parts) = (self.range.len(), parts(interpolation));
        if width == 0 {
            return;
        }
        for (part, values) in values.chunks_exact(width).enumerate() {
            let (key, part) = (first + part / parts, part % parts);
            for (i, &value) in values.iter().enumerate() {
                let at = key * stride + self.offset + part * self.width();
                set_lane(rows, at + i / 4, i % 4, value);
            }
        }
    }

    /// Copies the values of one key to the pose. `skip` is the number of parts before the values.
    #[inline]
    pub(super) fn copy(&self, row: &[F32x4], skip: usize, pose: &mut Pose) {
        let from = self.offset + skip * self.width();
        let values = F32x4::as_floats(&row[from..][..self.width()]);
        let target = self.target(pose);
        target.copy_from_slice(&values[..target.len()]);
    }

    #[inline]
    pub(super) fn mix(&self, row: &[F32x4], next: &[F32x4], fraction: f32, pose: &mut Pose) {
        let lanes = self.offset..self.offset + self.width();
        let (a, b) = (F32x4::as_floats(&row[lanes.clone()]), F32x4::as_floats(&next[lanes]));
        for (target, (a, b)) in self.target(pose).iter_mut().zip(a.iter().zip(b)) {
            *target = a + (b - a) * fraction;
        }
    }

    /// Interpolates between two keys. `factors`: of this key's value and out-tangent, then of the next key's
    /// value and in-tangent.
    #[inline]
    pub(super) fn spline(&self, row: &[F32x4], next: &[F32x4], factors: [f32; 4], pose: &mut Pose) {
        let [v0, b0, v1, a1] = factors;
        let n = self.width() * 4;
        let (row, next) = (&row[self.offset..], &next[self.offset..]);
        let (row, next) = (F32x4::as_floats(row), F32x4::as_floats(next));
        for (i, target) in self.target(pose).iter_mut().enumerate() {
            *target = (row[n + i] * v0 + row[2 * n + i] * b0) + (next[n + i] * v1 + next[i] * a1);
        }
    }
}
