//! Sampling of keyframes: tables of keys with a row per key time.
//!
//! Channels with the same key times and interpolation are in one table. Sampling finds the row of a time once
//! per table, and interpolates to the next row, four nodes at a time. A seek costs the same as playing.
//!
//! ```text
//!            track 0 (rotations of nodes 0…3)      track 1 (translations of nodes 4…7)  …
//! time k     x x x x  y y y y  z z z z  w w w w …  x x x x  y y y y  z z z z
//! time k+1   x x x x  y y y y  z z z z  w w w w …  x x x x  y y y y  z z z z
//! ```

use crate::simd::{F32x4, Mask4};
use crate::slerp::Progress;
use crate::transform::{Property, TransformX4};
use std::array::from_fn;

/// The interpolation between keys. Spec: glTF 2.0 §3.11, Appendix C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// A key's value is constant until the next key.
    Step,
    /// Linear between keys; rotations follow the arc.
    Linear,
    /// Hermite splines: a key has an in-tangent, a value and an out-tangent.
    CubicSpline,
}

/// One property of up to four nodes that are adjacent in the pose.
#[derive(Debug, Clone)]
pub struct Track {
    /// The index of the group of four nodes.
    pub group: usize,
    /// The property.
    pub property: Property,
    /// The offset of the track in a row, in `F32x4`.
    pub offset: usize,
    /// The lanes that the table writes; `None` for all.
    pub partial: Option<Mask4>,
}

/// Tracks with the same key times.
#[derive(Debug, Clone)]
pub struct KeyTable {
    interpolation: Interpolation,
    times: KeyTimes,
    /// The number of `F32x4` per row.
    stride: usize,
    rows: Vec<F32x4>,
    tracks: Vec<Track>,
}

/// The position of a time in a table: the last key at or before it, and the fraction of the way to the next
/// key.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spot {
    /// The index of the key.
    pub key: usize,
    /// `0.0..=1.0`, 1 only by rounding; exactly 0 on a key, before the first key and after the last key.
    pub fraction: f64,
}

impl Interpolation {
    /// The number of parts of a key: in-tangent, value and out-tangent, or the value alone.
    pub fn parts(self) -> usize {
        if self == Self::CubicSpline { 3 } else { 1 }
    }
}

impl Property {
    /// The number of `F32x4` of a track per row. Linear rotations have two more: see
    /// [`correction`](crate::correction).
    pub fn width(self, interpolation: Interpolation) -> usize {
        let components = if self == Self::Rotation { 4 } else { 3 };
        match interpolation {
            Interpolation::Linear if self == Self::Rotation => 6,
            _ => components * interpolation.parts(),
        }
    }
}

impl KeyTable {
    /// A table with keys that are all zero.
    ///
    /// - `times`: at least one, strictly increasing.
    /// - `stride`: the number of `F32x4` per row; larger than the tracks if rows contain other numbers too.
    ///
    /// # Panics
    /// If a track exceeds the row.
    pub fn new(interpolation: Interpolation, times: &[f32], stride: usize, tracks: Vec<Track>) -> Self {
        let fits = |track: &Track| track.offset + track.property.width(interpolation) <= stride;
        assert!(tracks.iter().all(fits), "a track must lie within its row");
        let rows = vec![F32x4::zero(); times.len() * stride];
        Self { interpolation, times: KeyTimes::new(times), stride, rows, tracks }
    }

    /// The interpolation.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// The number of `F32x4` per row.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The tracks.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The tracks, and all rows for writing.
    pub fn rows_mut(&mut self) -> (&[Track], &mut [F32x4]) {
        (&self.tracks, &mut self.rows)
    }

    /// `true` if there is only one key.
    pub fn is_still(&self) -> bool {
        self.times.last == 0
    }

    /// The position of a time.
    pub fn find(&self, time: f64) -> Spot {
        self.times.find(time)
    }

    /// The time from key `key` to the next, in seconds.
    pub fn distance(&self, key: usize) -> f64 {
        f64::from(self.times.times[key + 1]) - f64::from(self.times.times[key])
    }

    /// The row of a key.
    #[inline(always)]
    pub fn row(&self, key: usize) -> &[F32x4] {
        &self.rows[key * self.stride..][..self.stride]
    }

    /// Writes the tracks at a time into a pose.
    ///
    /// # Panics
    /// If the pose has too few groups.
    pub fn sample(&self, time: f64, groups: &mut [TransformX4]) {
        self.sample_at(self.times.find(time), groups);
    }

    /// Writes the tracks at a position from [`KeyTable::find`].
    ///
    /// # Panics
    /// If the pose has too few groups.
    #[inline]
    pub fn sample_at(&self, Spot { key, fraction }: Spot, groups: &mut [TransformX4]) {
        let row = self.row(key);
        // On a key its value is used unchanged (Appendix C). Before the first key and after the last the
        // value is constant.
        if fraction == 0.0 || self.interpolation == Interpolation::Step {
            self.copy(row, groups);
        } else if self.interpolation == Interpolation::Linear {
            self.mix(row, self.row(key + 1), fraction as f32, groups);
        } else {
            let factors = spline_factors(fraction, self.distance(key));
            self.spline(row, self.row(key + 1), factors, groups);
        }
    }

    /// Writes the values of one key; in splines they are after the in-tangents.
    #[inline(never)]
    fn copy(&self, row: &[F32x4], groups: &mut [TransformX4]) {
        assert!(row.len() == self.stride, "the row must be a key of this table");
        let skip = usize::from(self.interpolation == Interpolation::CubicSpline);
        for track in &self.tracks {
            let group = &mut groups[track.group];
            // SAFETY: a track with all its parts is inside a row, see `KeyTable::new`, and `row` is a row.
            unsafe {
                if track.property == Property::Rotation {
                    track.write(&mut group.rotation, *part(row, track.offset + 4 * skip));
                } else {
                    track.write(vector(group, track.property), *part(row, track.offset + 3 * skip));
                }
            }
        }
    }

    /// Interpolates linearly between a key and the next one.
    #[inline(never)]
    fn mix(&self, row: &[F32x4], next: &[F32x4], fraction: f32, groups: &mut [TransformX4]) {
        let stride = self.stride;
        assert!(
            self.interpolation == Interpolation::Linear && row.len() == stride && next.len() == stride,
            "the rows must be keys of this table"
        );
        let progress = Progress::new(fraction);
        for track in &self.tracks {
            let (group, at) = (&mut groups[track.group], track.offset);
            if track.property == Property::Rotation {
                // SAFETY: as above.
                let (a, b): (&[F32x4; 6], &[F32x4; 6]) = unsafe { (part(row, at), part(next, at)) };
                let along = progress.along(a[4], a[5]);
                track.write(&mut group.rotation, from_fn(|i| a[i] + (b[i] - a[i]) * along));
            } else {
                // SAFETY: as above.
                let (a, b): (&[F32x4; 3], &[F32x4; 3]) = unsafe { (part(row, at), part(next, at)) };
                track.write(vector(group, track.property), from_fn(|i| a[i] + (b[i] - a[i]) * progress.u));
            }
        }
    }

    /// Interpolates between a spline key and the next one; see [`spline_factors`].
    #[inline(never)]
    fn spline(&self, row: &[F32x4], next: &[F32x4], factors: [f32; 4], groups: &mut [TransformX4]) {
        let [v0, b0, v1, a1] = factors.map(F32x4::splat);
        for track in &self.tracks {
            let group = &mut groups[track.group];
            let width = if track.property == Property::Rotation { 4 } else { 3 };
            let (row, next) = (&row[track.offset..][..3 * width], &next[track.offset..][..3 * width]);
            let cubic = |i: usize| {
                (row[width + i] * v0 + row[2 * width + i] * b0) + (next[width + i] * v1 + next[i] * a1)
            };
            if track.property == Property::Rotation {
                track.write(&mut group.rotation, from_fn(cubic));
            } else {
                track.write(vector(group, track.property), from_fn(cubic));
            }
        }
    }
}

/// The factors of this key's value and out-tangent, and of the next key's value and in-tangent.
///
/// Appendix C: `(2t³−3t²+1)·v₀ + d(t³−2t²+t)·b₀ + (−2t³+3t²)·v₁ + d(t³−t²)·a₁`.
pub fn spline_factors(t: f64, distance: f64) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, distance * (t3 - 2.0 * t2 + t), 3.0 * t2 - 2.0 * t3, distance * (t3 - t2)]
        .map(|factor| factor as f32)
}

/// `N` elements of a row from `at` on.
///
/// # Safety
/// `at + N` must not exceed the length of the row.
#[inline(always)]
unsafe fn part<const N: usize>(row: &[F32x4], at: usize) -> &[F32x4; N] {
    debug_assert!(at + N <= row.len(), "a track must lie within its row");
    // SAFETY: the caller guarantees that `N` elements exist, and an array has the layout of its elements.
    unsafe { &*row.as_ptr().add(at).cast() }
}

/// The translations or scales of a group.
#[inline(always)]
fn vector(group: &mut TransformX4, property: Property) -> &mut [F32x4; 3] {
    if property == Property::Translation { &mut group.translation } else { &mut group.scale }
}

impl Track {
    #[inline(always)]
    fn write<const N: usize>(&self, target: &mut [F32x4; N], values: [F32x4; N]) {
        match self.partial {
            None => *target = values,
            Some(mask) => *target = from_fn(|i| mask.select(values[i], target[i])),
        }
    }
}

/// Key times with a uniform grid for lookups in constant time.
#[derive(Debug, Clone)]
struct KeyTimes {
    /// The times, followed by infinity twice, so that the two times after any key can be read.
    times: Vec<f32>,
    last: usize,
    /// For each cell of a uniform grid over the times, the number of keys in the cells before it.
    before: Vec<u32>,
    cells_per_second: f64,
}

impl KeyTimes {
    fn new(times: &[f32]) -> Self {
        let cells = times.len();
        let span = f64::from(times[times.len() - 1]) - f64::from(times[0]);
        let cells_per_second = if span > 0.0 { (cells - 1) as f64 / span } else { 0.0 };
        let padded = [times, &[f32::INFINITY; 2]].concat();
        let mut index = Self { times: padded, last: cells - 1, before: vec![0; cells + 1], cells_per_second };
        for &time in times {
            let cell = index.cell(f64::from(time));
            index.before[cell + 1] += 1;
        }
        for cell in 0..cells {
            index.before[cell + 1] += index.before[cell];
        }
        index
    }

    /// The grid cell of a time. `find` requires only that it increases monotonically with time.
    #[inline(always)]
    fn cell(&self, time: f64) -> usize {
        // Not negative here. Converted to a signed number, because WebAssembly's unsigned conversions take
        // several times as long.
        let cell = ((time - f64::from(self.times[0])) * self.cells_per_second) as i32;
        (cell.cast_unsigned() as usize).min(self.last)
    }

    #[inline(always)]
    fn find(&self, time: f64) -> Spot {
        let (last, times, before) = (self.last, self.times.as_slice(), self.before.as_slice());
        // Also for NaN, which no caller passes.
        if !(time > f64::from(times[0])) {
            return Spot { key: 0, fraction: 0.0 };
        }
        if time >= f64::from(times[last]) {
            return Spot { key: last, fraction: 0.0 };
        }
        let cell = self.cell(time);
        let (from, to) = (before[cell] as usize, before[cell + 1] as usize);
        // Two comparisons instead of a loop, whose length the branch predictor cannot predict. Keys of later
        // cells are greater.
        let count = if to - from <= 2 {
            usize::from(f64::from(times[from]) <= time) + usize::from(f64::from(times[from + 1]) <= time)
        } else {
            times[from..to].partition_point(|&key| f64::from(key) <= time)
        };
        let key = from + count - 1;
        let start = f64::from(times[key]);
        Spot { key, fraction: (time - start) / (f64::from(times[key + 1]) - start) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "a track must lie within its row")]
    fn key_table_refuses_a_track_beyond_its_row() {
        let track = Track { group: 0, property: Property::Rotation, offset: 1, partial: None };
        KeyTable::new(Interpolation::Linear, &[0.0], 6, vec![track]);
    }

    #[test]
    fn key_index_finds_the_same_key_as_a_search() {
        let even: Vec<f32> = (0..97).map(|i| 0.5 + i as f32 / 24.0).collect();
        let jittered: Vec<f32> =
            (0..200).map(|i| i as f32 / 37.5 + 0.004 * ((i * 7919 % 13) as f32 / 13.0)).collect();
        let clustered: Vec<f32> = (0..60).map(|i| 1.0 + (i as f32).exp2() * 1e-6).collect();
        for times in [vec![3.0], vec![0.0, 1e-30], vec![-2.0, 5.0, 5.000001], even, jittered, clustered] {
            let index = KeyTimes::new(&times);
            let mut probes: Vec<f64> = Vec::new();
            for pair in times.windows(2) {
                let (a, b) = (f64::from(pair[0]), f64::from(pair[1]));
                probes.extend([a, a.next_down(), a.next_up(), b, (a + b) / 2.0, a + 0.1 * (b - a)]);
            }
            probes.extend([-1e9, 1e9, f64::from(times[0])]);
            for time in probes {
                let Spot { key, fraction } = index.find(time);
                let want = times.partition_point(|&key| f64::from(key) <= time).saturating_sub(1);
                assert_eq!(key, want, "{time} in {times:?}");
                assert!((0.0..1.0).contains(&fraction) || key + 1 < times.len() && fraction == 1.0);
                let on_key = f64::from(times[key]) == time;
                let outside = time < f64::from(times[0]) || key + 1 == times.len();
                assert_eq!(fraction == 0.0, on_key || outside, "{time} {fraction}");
            }
        }
    }
}
