//! Groups the channels of a clip into tables. Each table is looked up in each frame, so there should be few.
//!
//! - Channels that are constant, except for rounding, need no keys: they share a table of one row.
//! - Channels with different key times share a table with the union of their times, unless that takes too
//!   much memory. Their values at the added times are interpolated.
//! - Rotations with a large angle between two keys get keys in between: see [`MAX_ANGLE`].

use super::number_tracks::FlatList;
use super::rows::parts;
use crate::base::IndexMap;
use crate::model::{Clip, Curve, Interpolation, NodeId, PaletteLayout, Path, Property};
use gambol_kernels::{MAX_ANGLE, angle, is_narrow, same_hemisphere, slerp};
use std::ops::Range;

/// The channels of a table.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(super) interpolation: Interpolation,
    pub(super) times: Vec<f32>,
    pub(super) channels: Vec<Column>,
    /// The number of floats in a row.
    width: usize,
    floats: usize,
    /// The number of channels that were rejected because the table would become too large.
    refused: usize,
}

/// The tables that accept no additional times, by a hash of their times.
type ByTimes = IndexMap;

/// A channel and its curve.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) target: Target,
    /// An index into [`Clip::curves`].
    curve: usize,
    /// The value of a constant channel.
    constant: Option<Vec<f32>>,
}

/// The part of a pose that a channel writes.
#[derive(Debug)]
pub(super) enum Target {
    Transform(NodeId, Path),
    Flat(FlatList, Range<usize>),
}

/// Largest relative deviation of a transform's keys that still counts as constant: relative to its largest
/// number. Such keys differ only by the rounding of an exporter that recomputed them. Many files have more
/// such keys than keys that change.
const ROUNDING: f64 = 3e-7;
/// A table may have `GROWTH` times as many floats as the keys of its channels, but at most `LARGE`. `SMALL`
/// floats are always allowed.
const GROWTH: usize = 8;
const SMALL: usize = 1 << 14;
const LARGE: usize = 1 << 22;
/// The number of tables that accept additional times.
const TRIES: usize = 8;
/// A table that rejected this many channels accepts no more additional times. This keeps the grouping linear
/// in time.
const REFUSALS: usize = 64;

/// Groups the channels of a clip into tables, one channel per step, because a clip may have very many.
#[derive(Debug)]
pub(crate) struct Sorting {
    /// The table of constant channels comes first.
    sets: Vec<Columns>,
    by_times: ByTimes,
    /// The number of channels that are grouped: those of nodes, then those of properties.
    next: usize,
}

impl Sorting {
    pub(super) fn new() -> Self {
        let still = Columns::new(Interpolation::Step, vec![0.0]);
        Self { sets: vec![still], by_times: ByTimes::default(), next: 0 }
    }

    /// Groups the next channel. Returns the count of its numbers, or `None` if no channel is left. `layout`
    /// maps morph weights and properties to their indices in a pose.
    pub(super) fn advance(&mut self, clip: &Clip, layout: &PaletteLayout) -> Option<usize> {
        let weights = |node: NodeId| {
            let range = &layout.weights_of_node[node.index()];
            range.start as usize..range.end as usize
        };
        let next = self.next;
        self.next += 1;
        let (target, curve) = if let Some(channel) = clip.channels.get(next) {
            let target = match channel.path {
                Path::Weights => Target::Flat(FlatList::Weights, weights(channel.node)),
                path => Target::Transform(channel.node, path),
            };
            (Some(target), channel.curve)
        } else {
            let channel = clip.properties.get(next - clip.channels.len())?;
            let target = if let Property::Weight(node, target) = channel.property {
                let at = weights(node).start + target as usize;
                Some(Target::Flat(FlatList::Weights, at..at + 1))
            } else {
                layout
                    .properties
                    .range(channel.property)
                    .map(|range| Target::Flat(FlatList::Properties, range))
            };
            (target, channel.curve)
        };
        if let Some(target) = target {
            self.add(clip, target, curve);
        }
        Some(clip.curves[curve].values().len())
    }

    fn add(&mut self, clip: &Clip, target: Target, at: usize) {
        let curve = &clip.curves[at];
        let constant = constant(curve).or_else(|| settled(&target, curve));
        let set =
            if constant.is_some() { 0 } else { place(&mut self.sets, &mut self.by_times, &target, curve) };
        self.sets[set].channels.push(Column { target, curve: at, constant });
    }

    /// The tables.
    pub(super) fn finish(mut self) -> Vec<Columns> {
        if self.sets[0].channels.is_empty() {
            self.sets.remove(0);
        }
        self.sets
    }
}

/// Returns the index of the table for a curve; adds a table if none fits.
fn place(sets: &mut Vec<Columns>, by_times: &mut ByTimes, target: &Target, curve: &Curve) -> usize {
    let times = match target {
        Target::Transform(_, Path::Rotation) => divided(curve),
        _ => curve.times().to_vec(),
    };
    let width = curve.width() * parts(curve.interpolation());
    let floats = curve.times().len() * width;
    let key = key_of(curve.interpolation(), &times);
    let mut open = sets.iter_mut().enumerate().skip(1).take(TRIES);
    let home = open.find_map(|(i, set)| {
        let takes = set.interpolation == curve.interpolation() && set.takes(&times, width, floats);
        takes.then_some(i)
    });
    // The other tables are found by hash: a clip may have as many tables as channels.
    let home = home.or_else(|| by_times.get(&key).copied().filter(|&at| sets[at].times == times));
    let at = home.unwrap_or(sets.len());
    if home.is_none() {
        sets.push(Columns::new(curve.interpolation(), times));
        if at > TRIES {
            by_times.insert(key, at);
        }
    }
    sets[at].width += width;
    sets[at].floats += floats;
    at
}

/// The key for tables with these times, with a hash (FNV-1a). Different times rarely have equal keys.
fn key_of(interpolation: Interpolation, times: &[f32]) -> (usize, usize, usize) {
    let hash =
        times.iter().fold(0x811C_9DC5_u32, |hash, time| (hash ^ time.to_bits()).wrapping_mul(0x0100_0193));
    (interpolation as usize, times.len(), hash as usize)
}

impl Columns {
    fn new(interpolation: Interpolation, times: Vec<f32>) -> Self {
        Self { interpolation, times, channels: Vec::new(), width: 0, floats: 0, refused: 0 }
    }

    /// Adds times to the table if they are new. Returns `false` if that would take too much memory.
    fn takes(&mut self, times: &[f32], width: usize, floats: usize) -> bool {
        if self.times == times {
            return true;
        }
        let width = self.width + width;
        let limit = (GROWTH * (self.floats + floats)).clamp(SMALL, LARGE);
        if self.refused == REFUSALS || self.times.len().max(times.len()) * width > limit {
            return false;
        }
        let times = union(&self.times, times);
        let fits = times.len() * width <= limit;
        if fits {
            self.times = times;
        } else {
            self.refused += 1;
        }
        fits
    }

    /// A range of rows of one of its channels, in the layout of [`Curve::values`], and the count of numbers
    /// per value.
    pub(super) fn rows(&self, clip: &Clip, column: &Column, rows: Range<usize>) -> (Vec<f32>, usize) {
        let rotation = matches!(column.target, Target::Transform(_, Path::Rotation));
        let curve = &clip.curves[column.curve];
        let values = match &column.constant {
            Some(value) => value.clone(),
            None => resampled(curve, rotation, &self.times[rows], self.times.len() > curve.times().len()),
        };
        (values, curve.width())
    }
}

/// The union of two sorted lists of times, each time once. 0 and −0 are equal.
fn union(a: &[f32], b: &[f32]) -> Vec<f32> {
    let mut times = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    loop {
        let next = match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) => {
                if x < y {
                    x
                } else {
                    y
                }
            }
            (Some(&x), None) | (None, Some(&x)) => x,
            (None, None) => return times,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        times.push(next);
    }
}

/// The value of a curve that is constant to the bit; `None` for any other.
fn constant(curve: &Curve) -> Option<Vec<f32>> {
    let (width, parts) = (curve.width(), parts(curve.interpolation()));
    let first = curve.values().get(parts / 2 * width..)?.get(..width)?;
    for (i, &value) in curve.values().iter().enumerate() {
        let (part, at) = (i / width % parts, i % width);
        let same = if part == parts / 2 { value.to_bits() == first[at].to_bits() } else { value == 0.0 };
        if !same {
            return None;
        }
    }
    Some(first.to_vec())
}

/// The value of a transform whose keys are equal within [`ROUNDING`]: the middle between minimum and maximum.
/// `None` for any other.
fn settled(target: &Target, curve: &Curve) -> Option<Vec<f32>> {
    let &Target::Transform(_, path) = target else { return None };
    if curve.interpolation() == Interpolation::CubicSpline {
        return None;
    }
    let (mut low, mut high) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
    for value in curve.values().chunks_exact(curve.width()) {
        for ((&value, low), high) in value.iter().zip(&mut low).zip(&mut high) {
            (*low, *high) = (low.min(value), high.max(value));
        }
    }
    let ends = || low.into_iter().zip(high).take(curve.width()).map(|(a, b)| (f64::from(a), f64::from(b)));
    let size = |(low, high): (f64, f64)| low.abs().max(high.abs());
    let largest = ends().map(size).fold(0.0, f64::max);
    let near = ends().all(|(low, high)| {
        // The three numbers of a scale are independent of each other.
        let size = if path == Path::Scale { size((low, high)) } else { largest };
        size > 0.0 && 0.5 * (high - low) <= ROUNDING * size
    });
    near.then(|| ends().map(|(low, high)| (0.5 * (low + high)) as f32).collect())
}

/// The key times of a rotation, with times added where the angle between two keys is above [`MAX_ANGLE`].
fn divided(curve: &Curve) -> Vec<f32> {
    let times = curve.times();
    if curve.interpolation() != Interpolation::Linear {
        return times.to_vec();
    }
    let keys = curve.values().as_chunks::<4>().0;
    let mut all = Vec::with_capacity(times.len());
    for (i, &time) in times.iter().enumerate() {
        all.push(time);
        let Some(&next) = times.get(i + 1) else { break };
        let (a, b) = (keys[i], same_hemisphere(keys[i], keys[i + 1]));
        if is_narrow(a, b) {
            continue;
        }
        let pieces = (angle(a, b) / MAX_ANGLE).ceil();
        let (from, distance) = (f64::from(time), f64::from(next) - f64::from(time));
        let mut before = time;
        for piece in 1..pieces as usize {
            let between = (from + distance * (piece as f64 / pieces)) as f32;
            // No float lies between adjacent floats.
            if before < between && between < next {
                all.push(between);
                before = between;
            }
        }
    }
    all
}

/// The rows of a curve at other times, which must include the curve's own times.
///
/// At its own keys the rows are those of the curve. Between them the result has the same shape, because a
/// part of a line, an arc or a cubic is again one. `others` is `true` if the table has times that are not the
/// curve's.
fn resampled(curve: &Curve, rotation: bool, times: &[f32], others: bool) -> Vec<f32> {
    let (own, width) = (curve.times(), curve.width());
    let row_width = width * parts(curve.interpolation());
    let mut rows = Vec::with_capacity(times.len() * row_width);
    let first = times.first().map_or(0, |&first| own.partition_point(|&key| key <= first));
    let mut key = first.saturating_sub(1);
    for &time in times {
        while key + 1 < own.len() && own[key + 1] <= time {
            key += 1;
        }
        let begin = rows.len();
        let (from, after) = curve.values()[key * row_width..].split_at(row_width);
        rows.extend_from_slice(from);
        let inside = time > own[key] && key + 1 < own.len();
        let u = if inside {
            let start = f64::from(own[key]);
            (f64::from(time) - start) / (f64::from(own[key + 1]) - start)
        } else {
            0.0
        };
        let row = &mut rows[begin..];
        match curve.interpolation() {
            // With its own keys alone the rows need no change.
            Interpolation::CubicSpline if others => {
                resample_spline(curve, key, time, u, row);
            }
            Interpolation::Linear if inside => {
                if let ([ax, ay, az, aw], [bx, by, bz, bw, ..], true) = (from, after, rotation) {
                    let a = [*ax, *ay, *az, *aw];
                    row.copy_from_slice(&slerp(a, same_hemisphere(a, [*bx, *by, *bz, *bw]), u));
                } else {
                    for (value, &next) in row.iter_mut().zip(after) {
                        *value = (f64::from(*value) + (f64::from(next) - f64::from(*value)) * u) as f32;
                    }
                }
            }
            _ => {}
        }
    }
    rows
}

/// Converts the row of key `key` to that of `time`: on the key, a fraction `u` of the way to the next, or
/// outside of all keys.
fn resample_spline(curve: &Curve, key: usize, time: f32, u: f64, row: &mut [f32]) {
    let (own, width) = (curve.times(), curve.width());
    let (first, last) = (key == 0, key + 1 == own.len());
    if u > 0.0 {
        let distance = f64::from(own[key + 1]) - f64::from(own[key]);
        let next = &curve.values()[(key + 1) * row.len()..][..row.len()];
        divide_spline(row, next, width, u, distance);
        return;
    }
    // Before the first key and after the last the value is constant.
    if first || time > own[key] {
        row[..width].fill(0.0);
    }
    if last || time < own[key] {
        row[2 * width..].fill(0.0);
    }
}

/// Converts the row of a spline key to that of a point on the way to the next key. The slope at the point
/// gives both tangents.
fn divide_spline(row: &mut [f32], next: &[f32], width: usize, u: f64, distance: f64) {
    let (u2, u3) = (u * u, u * u * u);
    for i in 0..width {
        let [v0, b0] = [row[width + i], row[2 * width + i]].map(f64::from);
        let [v1, a1] = [next[width + i], next[i]].map(f64::from);
        let value = (2.0 * u3 - 3.0 * u2 + 1.0) * v0
            + distance * (u3 - 2.0 * u2 + u) * b0
            + (3.0 * u2 - 2.0 * u3) * v1
            + distance * (u3 - u2) * a1;
        let slope = 6.0 * (u2 - u) * (v0 - v1) / distance
            + (3.0 * u2 - 4.0 * u + 1.0) * b0
            + (3.0 * u2 - 2.0 * u) * a1;
        row[width + i] = value as f32;
        (row[i], row[2 * width + i]) = (slope as f32, slope as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::ClipTables;
    use super::*;
    use crate::animation::pose::Pose;
    use crate::base::Transform;
    use crate::model::Channel;
    use glam::Quat;

    const NODES: usize = 6;

    fn columns(clip: &Clip, layout: &PaletteLayout) -> Vec<Columns> {
        let mut sorting = Sorting::new();
        while sorting.advance(clip, layout).is_some() {}
        sorting.finish()
    }

    fn layout() -> PaletteLayout {
        PaletteLayout { weights_of_node: vec![0..0; NODES], ..PaletteLayout::default() }
    }

    /// The node, path, interpolation, key times and values of a channel.
    type Moves = (usize, Path, Interpolation, Vec<f32>, Vec<f32>);

    fn clip(channels: &[Moves]) -> Clip {
        let mut clip = Clip { duration: 4.0, ..Clip::default() };
        for (node, path, interpolation, times, values) in channels {
            let width = if *path == Path::Rotation { 4 } else { 3 };
            let curve = Curve::new(*interpolation, width, times.clone(), values.clone());
            clip.curves.push(curve.expect("a good curve"));
            clip.channels.push(Channel {
                node: NodeId::new(*node),
                path: *path,
                curve: clip.curves.len() - 1,
            });
        }
        clip
    }

    fn turns(angles: &[f32]) -> Vec<f32> {
        angles.iter().flat_map(|&angle| Quat::from_rotation_y(angle).to_array()).collect()
    }

    fn pose() -> Pose {
        Pose::new(&[Transform::IDENTITY; NODES], Vec::new())
    }

    /// Checks that the poses are those of a clip per channel, which has one table with the channel's own
    /// keys.
    fn agrees_with_channels_alone(clip: &Clip, times: impl Iterator<Item = f64>) {
        let together = ClipTables::new(clip, &pose(), &layout());
        let alone: Vec<_> = (clip.channels.iter())
            .map(|&channel| {
                ClipTables::new(&Clip { channels: vec![channel], ..clip.clone() }, &pose(), &layout())
            })
            .collect();
        for time in times {
            let (mut got, mut want) = (pose(), pose());
            together.sample(time, &mut got);
            alone.iter().for_each(|tables| tables.sample(time, &mut want));
            for node in (0..NODES).map(NodeId::new) {
                let (got, want) = (got.get(node), want.get(node));
                assert!(got.translation.abs_diff_eq(want.translation, 1e-6), "{time} {got:?} {want:?}");
                assert!(got.scale.abs_diff_eq(want.scale, 1e-6), "{time} {got:?} {want:?}");
                let (a, b) = (got.rotation, want.rotation);
                assert!(a.abs_diff_eq(b, 4e-7) || a.abs_diff_eq(-b, 4e-7), "{time} {got:?} {want:?}");
            }
        }
    }

    #[test]
    fn columns_share_a_table_for_channels_with_different_times() {
        use Interpolation::{CubicSpline, Linear, Step};
        use Path::{Rotation, Scale, Translation};
        let numbers = |n: usize| (0..n).map(|i| (i as f32 * 1.7).sin()).collect::<Vec<_>>();
        let clip = clip(&[
            (0, Rotation, Linear, vec![0.0, 1.0, 2.0, 4.0], turns(&[0.0, 0.5, -0.4, 2.9])),
            (1, Rotation, Linear, vec![0.5, 1.0, 3.3], turns(&[0.0, -0.5, 0.4])),
            (1, Translation, Linear, vec![0.25, 3.75], numbers(6)),
            (2, Scale, Step, vec![0.0, 1.1, 2.2], numbers(9)),
            (3, Scale, Step, vec![0.3, 1.1], numbers(6)),
            (4, Translation, CubicSpline, vec![0.0, 2.0], numbers(18)),
            (5, Translation, CubicSpline, vec![0.5, 1.5, 3.0], numbers(27)),
        ]);
        let tables = columns(&clip, &layout());
        let counts: Vec<_> =
            tables.iter().map(|columns| (columns.interpolation, columns.channels.len())).collect();
        assert_eq!(counts.len(), 3, "{counts:?}");
        assert!(
            counts.contains(&(Linear, 3))
                && counts.contains(&(Step, 2))
                && counts.contains(&(CubicSpline, 2))
        );
        agrees_with_channels_alone(&clip, (-10..=450).map(|i| f64::from(i) / 100.0));
        // A key of one channel stays exact among the keys of others.
        let mut got = pose();
        ClipTables::new(&clip, &pose(), &layout()).sample(0.25, &mut got);
        assert_eq!(got.get(NodeId::new(1)).translation.to_array(), numbers(6)[..3]);
    }

    #[test]
    fn columns_drop_the_keys_of_constant_channels() {
        let times: Vec<f32> = (0..100).map(|i| i as f32 / 25.0).collect();
        let still = |value: [f32; 3]| value.repeat(100);
        let clip = clip(&[
            (
                0,
                Path::Translation,
                Interpolation::Linear,
                times.clone(),
                (0..300).map(|i| i as f32).collect(),
            ),
            (1, Path::Translation, Interpolation::Step, vec![1.0], vec![4.0, 5.0, 6.0]),
            (5, Path::Scale, Interpolation::Linear, times, still([7.0, 8.0, 9.0])),
            (
                4,
                Path::Translation,
                Interpolation::CubicSpline,
                vec![0.0, 1.0],
                [[0.0; 3], [1.0, 2.0, 3.0], [0.0; 3], [-0.0; 3], [1.0, 2.0, 3.0], [0.0; 3]].concat(),
            ),
        ]);
        let tables = columns(&clip, &layout());
        let shapes: Vec<_> =
            tables.iter().map(|columns| (columns.times.len(), columns.channels.len())).collect();
        assert_eq!(shapes, [(1, 3), (100, 1)]);
        agrees_with_channels_alone(&clip, [0.0, 0.5, 1.0, 3.0].into_iter());
    }

    #[test]
    fn columns_treat_rounding_errors_as_constant() {
        let times = [0.0, 1.0, 2.0];
        let keys = |path: Path, by: f32| match path {
            Path::Rotation => [[0.6, 0.0, 0.8, 0.0], [0.6, by, 0.8, 0.0], [0.6, 0.0, 0.8, by]].concat(),
            _ => [[3.0, 1.0, 1.0], [3.0 + by, 1.0, 1.0], [3.0, 1.0, 1.0 + by]].concat(),
        };
        let count = |path, interpolation, by| {
            let clip = clip(&[(1, path, interpolation, times.to_vec(), keys(path, by))]);
            columns(&clip, &layout())[0].times.len()
        };
        use Interpolation::{Linear, Step};
        for interpolation in [Linear, Step] {
            // Twice the bound, from minimum to maximum: relative to the largest number, or for a scale to
            // each number.
            for (path, most) in
                [(Path::Rotation, 0.48e-6), (Path::Translation, 1.8e-6), (Path::Scale, 0.6e-6)]
            {
                assert_eq!(count(path, interpolation, 0.8 * most), 1, "{path:?}");
                assert_eq!(count(path, interpolation, 1.3 * most), 3, "{path:?}");
            }
        }
        let by = 1.2e-6;
        let clip = clip(&[(1, Path::Translation, Linear, times.to_vec(), keys(Path::Translation, by))]);
        let tables = ClipTables::new(&clip, &pose(), &layout());
        for time in [-1.0, 0.0, 0.3, 1.0, 2.0] {
            let mut pose = pose();
            tables.sample(time, &mut pose);
            let apart = pose.get(NodeId::new(1)).translation - glam::Vec3::new(3.0, 1.0, 1.0);
            assert!(apart.abs().max_element() <= 0.51 * by, "{apart}");
        }
    }

    #[test]
    fn columns_divide_wide_rotations() {
        let clip =
            clip(&[(0, Path::Rotation, Interpolation::Linear, vec![1.0, 2.0, 3.0], turns(&[0.0, 3.1, 3.2]))]);
        let tables = columns(&clip, &layout());
        assert_eq!(tables[0].times, [1.0, 1.25, 1.5, 1.75, 2.0, 3.0]);
        // Without a float between two times no key can be added.
        let next = 1.0_f32.next_up();
        let clip =
            self::clip(&[(0, Path::Rotation, Interpolation::Linear, vec![1.0, next], turns(&[0.0, 3.1]))]);
        assert_eq!(columns(&clip, &layout())[0].times, [1.0, next]);
    }

    /// Channels with different key times, which are equal in the first half.
    fn disjoint(channels: usize, keys: usize) -> Clip {
        let moves: Vec<Moves> = (0..channels)
            .map(|i| {
                let own = |key: usize| if key < keys / 2 { 0.0 } else { (i + 1) as f32 / 1000.0 };
                let times = (0..keys).map(|key| key as f32 + own(key)).collect();
                let values = (0..3 * keys).map(|value| ((value * (i + 3)) as f32).sin()).collect();
                (i % NODES, Path::Translation, Interpolation::Linear, times, values)
            })
            .collect();
        clip(&moves)
    }

    #[test]
    fn columns_try_few_tables_for_each_of_very_many_channels() {
        // So many keys that tables reject times which they would otherwise accept.
        let clip = disjoint(400, 600);
        let mut sorting = Sorting::new();
        while sorting.advance(&clip, &layout()).is_some() {}
        assert!(sorting.sets.len() > 10 * TRIES, "{}", sorting.sets.len());
        let refusals: usize = sorting.sets.iter().map(|set| set.refused).sum();
        assert!(refusals <= TRIES * REFUSALS, "{refusals} unions for nothing");
        assert!(sorting.sets[TRIES + 1..].iter().all(|set| set.refused == 0 && set.channels.len() == 1));
        // Channels with the same times still share a table, unless a full table has accepted the first of
        // them.
        let mut twice = clip.clone();
        twice.channels.extend(clip.channels.iter().copied());
        let taken_in: usize = sorting.sets[1..=TRIES].iter().map(|set| set.channels.len()).sum();
        assert_eq!(columns(&twice, &layout()).len(), sorting.finish().len() + taken_in);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes hours there")]
    fn columns_limit_the_growth_of_a_clip() {
        // No two keys are at the same time: the union would have 20,000 rows for 200 channels.
        let channels: Vec<_> = (0..200)
            .map(|i| {
                let times = (0..100).map(|key| (key * 200 + i) as f32).collect();
                let values = (0..300).map(|value| (value * i) as f32).collect();
                (i % NODES, Path::Translation, Interpolation::Linear, times, values)
            })
            .collect();
        let tables = columns(&clip(&channels), &layout())
            .iter()
            .map(|c| c.times.len() * c.channels.len())
            .sum::<usize>();
        assert!(3 * tables <= GROWTH * 3 * 200 * 100 + TRIES * SMALL, "{tables}");
    }
}
