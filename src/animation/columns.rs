//! Which channels of a clip stand in one table: as few tables as can be, since each of them is looked up in each frame.
//!
//! What never changes needs no keys: it stands beside its neighbours in the pose, or in a table of one row. Channels with key times
//! of their own get those of others as well, with the values they have there, unless that takes many times the memory. So does a
//! rotation that turns far from one key to the next: see [`WIDEST`].

use super::flat::FlatList;
use super::slerp::{WIDEST, angle, beside, slerp};
use super::table::parts;
use crate::model::{Clip, Curve, Interpolation, NodeId, PaletteLayout, Path, Property, sort_by};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

/// The channels of a table.
pub(super) struct Columns<'a> {
    pub(super) interpolation: Interpolation,
    pub(super) times: Cow<'a, [f32]>,
    pub(super) channels: Vec<Column<'a>>,
}

/// A channel with the keys of its table.
pub(super) struct Column<'a> {
    pub(super) target: Target,
    /// How many numbers a value has.
    pub(super) width: usize,
    /// A row a key, as [`Curve::values`].
    pub(super) values: Cow<'a, [f32]>,
}

/// What a channel writes in a pose.
#[derive(Clone)]
pub(super) enum Target {
    Transform(NodeId, Path),
    Flat(FlatList, Range<usize>),
}

/// A clip's tables may take this many times the memory of its own keys, or this many floats.
const GROWTH: usize = 8;
const SMALL: usize = 1 << 14;
/// No more tables are looked through for one that takes others in.
const TRIES: usize = 8;

/// The channels of a clip, table by table. `layout` says where morph weights and properties stand in a pose.
pub(super) fn columns<'a>(clip: &'a Clip, layout: &PaletteLayout) -> Vec<Columns<'a>> {
    let (mut constants, mut varying) = (Vec::new(), Vec::new());
    for entry in entries(clip, layout) {
        match constant(entry.curve) {
            Some(value) => constants.push((entry, value)),
            None => varying.push(entry),
        }
    }
    let mut sets = joined(by_times(varying));
    let mut homes = vec![usize::MAX; 3 * layout.weights_of_node.len().div_ceil(4)];
    for (i, set) in sets.iter().enumerate().filter(|(_, set)| set.interpolation != Interpolation::CubicSpline)
    {
        set.entries.iter().filter_map(Entry::home).for_each(|home| homes[home] = i);
    }
    let alone = sets.len();
    sets.push(Set::new(Interpolation::Step, Cow::Borrowed(&[0.0])));
    for (entry, value) in constants {
        let home = entry.home().map_or(alone, |home| homes[home].min(alone));
        sets[home].constants.push((entry.target, value));
    }
    sets.into_iter().map(Set::columns).filter(|columns| !columns.channels.is_empty()).collect()
}

/// A channel with its curve.
struct Entry<'a> {
    target: Target,
    curve: &'a Curve,
    /// When it has keys: its own times, and those that divide what is too wide.
    times: Cow<'a, [f32]>,
}

fn entries<'a>(clip: &'a Clip, layout: &PaletteLayout) -> Vec<Entry<'a>> {
    let weights = |node: NodeId| {
        let range = &layout.weights_of_node[node.index()];
        range.start as usize..range.end as usize
    };
    let mut entries = Vec::with_capacity(clip.channels.len() + clip.properties.len());
    let mut add = |target: Target, curve: usize| {
        let curve = &clip.curves[curve];
        let times = match target {
            Target::Transform(_, Path::Rotation) => divided(curve),
            _ => Cow::Borrowed(curve.times()),
        };
        entries.push(Entry { target, curve, times });
    };
    for channel in &clip.channels {
        let target = match channel.path {
            Path::Weights => Target::Flat(FlatList::Weights, weights(channel.node)),
            path => Target::Transform(channel.node, path),
        };
        add(target, channel.curve);
    }
    for channel in &clip.properties {
        if let Property::Weight(node, target) = channel.property {
            let at = weights(node).start + target as usize;
            add(Target::Flat(FlatList::Weights, at..at + 1), channel.curve);
        } else if let Some(range) = layout.properties.range(channel.property) {
            add(Target::Flat(FlatList::Properties, range), channel.curve);
        }
    }
    entries
}

impl<'a> Entry<'a> {
    /// The place in the pose that it shares with its neighbours.
    fn home(&self) -> Option<usize> {
        match self.target {
            Target::Transform(node, path) => Some(node.index() / 4 * 3 + path as usize),
            Target::Flat(..) => None,
        }
    }

    /// The floats of a row.
    fn width(&self) -> usize {
        self.curve.width() * parts(self.curve.interpolation())
    }

    fn column(self, times: &[f32]) -> Column<'a> {
        let Self { target, curve, .. } = self;
        let values = if compare_times(curve.times(), times) == Ordering::Equal {
            Cow::Borrowed(curve.values())
        } else {
            let rotation = matches!(target, Target::Transform(_, Path::Rotation));
            Cow::Owned(resampled(curve, rotation, times))
        };
        Column { width: curve.width(), target, values }
    }
}

/// Entries that share their times and their interpolation.
struct Set<'a> {
    interpolation: Interpolation,
    times: Cow<'a, [f32]>,
    entries: Vec<Entry<'a>>,
    /// What never changes, and its value.
    constants: Vec<(Target, &'a [f32])>,
}

impl<'a> Set<'a> {
    fn new(interpolation: Interpolation, times: Cow<'a, [f32]>) -> Self {
        Self { interpolation, times, entries: Vec::new(), constants: Vec::new() }
    }

    /// The floats of a row.
    fn width(&self) -> usize {
        self.entries.iter().map(Entry::width).sum()
    }

    fn columns(self) -> Columns<'a> {
        let Self { interpolation, times, entries, constants } = self;
        let mut channels: Vec<_> = entries.into_iter().map(|entry| entry.column(&times)).collect();
        channels.extend(constants.into_iter().map(|(target, value)| Column {
            target,
            width: value.len(),
            values: Cow::Owned(value.repeat(times.len())),
        }));
        Columns { interpolation, times, channels }
    }
}

fn by_times(entries: Vec<Entry<'_>>) -> Vec<Set<'_>> {
    let key = |entry: &Entry<'_>| entry.curve.interpolation() as u8;
    let compare = |a: &Entry<'_>, b: &Entry<'_>| compare_times(&a.times, &b.times).then(key(a).cmp(&key(b)));
    let mut entries = entries;
    sort_by(&mut entries, compare);
    let mut sets: Vec<Set<'_>> = Vec::new();
    for entry in entries {
        match sets.last_mut() {
            Some(set) if compare(&set.entries[0], &entry) == Ordering::Equal => set.entries.push(entry),
            _ => {
                let mut set = Set::new(entry.curve.interpolation(), entry.times.clone());
                set.entries.push(entry);
                sets.push(set);
            }
        }
    }
    sets
}

fn compare_times(a: &[f32], b: &[f32]) -> Ordering {
    bits(a).cmp(bits(b))
}

fn bits(values: &[f32]) -> impl Iterator<Item = u32> {
    values.iter().map(|value| value.to_bits())
}

/// Makes one of sets where the memory allows it, those with the most keys first.
fn joined(mut sets: Vec<Set<'_>>) -> Vec<Set<'_>> {
    sort_by(&mut sets, |a, b| b.times.len().cmp(&a.times.len()));
    let mut joined: Vec<(Set<'_>, usize)> = Vec::new();
    for mut set in sets {
        let (width, keys) = (set.width(), set.times.len());
        let mut fits = None;
        for (i, (other, floats)) in joined.iter().enumerate().take(TRIES) {
            let width = other.width() + width;
            let limit = SMALL.max(GROWTH * (floats + width * keys));
            if other.interpolation != set.interpolation || other.times.len() * width > limit {
                continue;
            }
            let times = union(&other.times, &set.times);
            if times.len() * width <= limit {
                fits = Some((i, times));
                break;
            }
        }
        match fits {
            Some((i, times)) => {
                let (other, floats) = &mut joined[i];
                other.times = Cow::Owned(times);
                other.entries.append(&mut set.entries);
                *floats += width * keys;
            }
            None => joined.push((set, width * keys)),
        }
    }
    joined.into_iter().map(|(set, _)| set).collect()
}

/// The times of both, each once. 0 and −0 are one time.
fn union(a: &[f32], b: &[f32]) -> Vec<f32> {
    let mut times = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) if x <= y => x,
            (_, Some(&y)) => y,
            (x, None) => x.copied().unwrap_or_default(),
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        times.push(next);
    }
    times
}

/// The value that a curve has at all times, to the bit.
fn constant(curve: &Curve) -> Option<&[f32]> {
    let (width, parts) = (curve.width(), parts(curve.interpolation()));
    let first = curve.values().get(parts / 2 * width..)?.get(..width)?;
    let stays = |(i, part): (usize, &[f32])| {
        if i % parts == parts / 2 {
            bits(part).eq(bits(first))
        } else {
            part.iter().all(|&tangent| tangent == 0.0)
        }
    };
    curve.values().chunks(width.max(1)).enumerate().all(stays).then_some(first)
}

/// The key times of a rotation, with others in between where it turns too far.
fn divided(curve: &Curve) -> Cow<'_, [f32]> {
    let times = curve.times();
    let mut all = Cow::Borrowed(times);
    if curve.interpolation() != Interpolation::Linear {
        return all;
    }
    let keys = curve.values().as_chunks::<4>().0;
    for (i, pair) in keys.windows(2).enumerate() {
        let pieces = (angle(pair[0], beside(pair[0], pair[1])) / WIDEST).ceil().max(1.0);
        if pieces == 1.0 && matches!(all, Cow::Borrowed(_)) {
            continue;
        }
        if let Cow::Borrowed(_) = all {
            all = Cow::Owned(times[..=i].to_vec());
        }
        let all = all.to_mut();
        let (from, to) = (f64::from(times[i]), f64::from(times[i + 1]));
        for piece in 1..pieces as usize {
            let time = (from + (to - from) * (piece as f64 / pieces)) as f32;
            // Of keys that are next to each other there is nothing in between.
            if all.last().is_some_and(|&last| last < time) && time < times[i + 1] {
                all.push(time);
            }
        }
        all.push(times[i + 1]);
    }
    all
}

/// The rows of a curve at other times, among which its own are. What is constant may have any times.
///
/// At its own keys they are those of the curve, and so is what is between: a part of a line, an arc or a cubic is one.
fn resampled(curve: &Curve, rotation: bool, times: &[f32]) -> Vec<f32> {
    let (own, width) = (curve.times(), curve.width());
    let row_width = width * parts(curve.interpolation());
    let row = |key: usize| &curve.values()[key * row_width..][..row_width];
    let mut rows = Vec::with_capacity(times.len() * row_width);
    let mut key = 0;
    for &time in times {
        while key + 1 < own.len() && own[key + 1] <= time {
            key += 1;
        }
        let from = row(key);
        let outside = time < own[key] || key + 1 == own.len() && time > own[key];
        if outside || time == own[key] || curve.interpolation() == Interpolation::Step {
            let begin = rows.len();
            rows.extend_from_slice(from);
            if curve.interpolation() == Interpolation::CubicSpline {
                // Before the first key and after the last it holds.
                if outside || key == 0 {
                    rows[begin..begin + width].fill(0.0);
                }
                if outside || key + 1 == own.len() {
                    rows[begin + 2 * width..].fill(0.0);
                }
            }
            continue;
        }
        let to = row(key + 1);
        let (start, distance) = (f64::from(own[key]), f64::from(own[key + 1]) - f64::from(own[key]));
        let u = (f64::from(time) - start) / distance;
        match curve.interpolation() {
            Interpolation::CubicSpline => rows.extend(divided_spline(from, to, width, u, distance)),
            _ if rotation => {
                let at = |row: &[f32]| [row[0], row[1], row[2], row[3]];
                rows.extend(slerp(at(from), beside(at(from), at(to)), u));
            }
            _ => {
                let mix = |(&a, &b): (&f32, &f32)| (f64::from(a) + (f64::from(b) - f64::from(a)) * u) as f32;
                rows.extend(from.iter().zip(to).map(mix));
            }
        }
    }
    rows
}

/// A key on the way between two of a spline: its tangents are the slope there.
fn divided_spline(from: &[f32], to: &[f32], width: usize, u: f64, distance: f64) -> Vec<f32> {
    let at = |row: &[f32], i: usize| f64::from(row[i]);
    let (u2, u3) = (u * u, u * u * u);
    let mut row = vec![0.0; 3 * width];
    for i in 0..width {
        let (v0, b0, v1, a1) = (at(from, width + i), at(from, 2 * width + i), at(to, width + i), at(to, i));
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
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::pose::Pose;
    use crate::animation::table::ClipTables;
    use crate::model::{Channel, Transform};
    use glam::Quat;

    const NODES: usize = 6;

    fn layout() -> PaletteLayout {
        PaletteLayout { weights_of_node: vec![0..0; NODES], ..PaletteLayout::default() }
    }

    fn clip(channels: &[(usize, Path, Interpolation, Vec<f32>, Vec<f32>)]) -> Clip {
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

    /// The same numbers as if each channel were a clip of its own, which is one table with the channel's own keys.
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
    fn channels_with_times_of_their_own_share_a_table() {
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
        // A key is a key, also among those of others.
        let mut got = pose();
        ClipTables::new(&clip, &pose(), &layout()).sample(0.25, &mut got);
        assert_eq!(got.get(NodeId::new(1)).translation.to_array(), numbers(6)[..3]);
    }

    #[test]
    fn what_stands_still_takes_no_keys() {
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
            // Beside what moves.
            (1, Path::Translation, Interpolation::Step, vec![1.0], vec![4.0, 5.0, 6.0]),
            // In a row of its own.
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
        assert_eq!(shapes, [(100, 2), (1, 2)]);
        agrees_with_channels_alone(&clip, [0.0, 0.5, 1.0, 3.0].into_iter());
    }

    #[test]
    fn wide_turns_are_divided() {
        let clip =
            clip(&[(0, Path::Rotation, Interpolation::Linear, vec![1.0, 2.0, 3.0], turns(&[0.0, 3.1, 3.2]))]);
        let tables = columns(&clip, &layout());
        assert_eq!(*tables[0].times, [1.0, 1.25, 1.5, 1.75, 2.0, 3.0]);
        // Where there are no times in between, there is nothing to divide.
        let next = 1.0_f32.next_up();
        let clip =
            self::clip(&[(0, Path::Rotation, Interpolation::Linear, vec![1.0, next], turns(&[0.0, 3.1]))]);
        assert_eq!(*columns(&clip, &layout())[0].times, [1.0, next]);
    }

    #[test]
    fn clips_do_not_grow_without_bound() {
        // No two keys at the same time: together they would be 200 · 20,000 rows wide.
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
