//! Compiles a clip to tables in small steps, because a clip may have millions of keys.

use super::columns::{Columns, Sorting, Target};
use super::number_tracks::FlatTrack;
use super::rows::{kernel_interpolation, parts, set_lane};
use super::table::{ClipTables, Table};
use crate::animation::pose::{Pose, property};
use crate::base::{F32x4, Mask4, order};
use crate::model::{Clip, Interpolation, PaletteLayout, Path};
use gambol_kernels::{KeyTable, Property, Track, angle, correction, same_hemisphere};

/// The state of a clip that is compiled in small steps.
#[derive(Debug)]
pub(crate) enum Compiling {
    /// Channels are grouped into tables.
    Sorting(Sorting),
    /// Tables are filled: the pending tables in reverse order, the table in progress, and the finished
    /// tables.
    Filling(Vec<Columns>, Option<Box<Filling>>, Vec<Table>),
}

impl Default for Compiling {
    fn default() -> Self {
        Self::Sorting(Sorting::new())
    }
}

impl ClipTables {
    /// Compiles a clip. `base` is the pose of everything that the clip does not animate. `layout` maps morph
    /// weights and properties to their indices in a pose.
    pub(crate) fn new(clip: &Clip, base: &Pose, layout: &PaletteLayout) -> Self {
        let mut compiling = Compiling::default();
        while compiling.advance(clip, base, layout, usize::MAX) {}
        compiling.finish()
    }
}

impl Compiling {
    /// Continues until about `budget` numbers of keys are processed. Returns `true` if more work remains.
    ///
    /// - `clip`, `base`, `layout`: see [`ClipTables::new`]; the same in each call.
    pub(crate) fn advance(
        &mut self,
        clip: &Clip,
        base: &Pose,
        layout: &PaletteLayout,
        budget: usize,
    ) -> bool {
        let mut left = budget;
        while left > 0 {
            let spent = match self {
                Self::Sorting(sorting) => match sorting.advance(clip, layout) {
                    Some(spent) => spent,
                    None => {
                        let sorting = std::mem::replace(sorting, Sorting::new());
                        let mut columns = sorting.finish();
                        columns.reverse();
                        *self = Self::Filling(columns, None, Vec::new());
                        1
                    }
                },
                Self::Filling(columns, filling, tables) => match filling {
                    Some(going) => match going.advance(clip, base) {
                        0 => {
                            tables.extend(filling.take().map(|filling| filling.table));
                            1
                        }
                        spent => spent,
                    },
                    None => match columns.pop() {
                        Some(columns) => {
                            let begun = Filling::new(columns);
                            let spent = begun.columns.times.len();
                            *filling = Some(Box::new(begun));
                            spent
                        }
                        None => return false,
                    },
                },
            };
            left = left.saturating_sub(spent.max(1));
        }
        true
    }

    /// The tables. Call it only when [`Compiling::advance`] returned `false`.
    pub(crate) fn finish(self) -> ClipTables {
        match self {
            Self::Sorting(_) => ClipTables::default(),
            Self::Filling(_, _, tables) => ClipTables::of(tables),
        }
    }
}

/// A table that is being filled.
#[derive(Debug)]
pub(crate) struct Filling {
    table: Table,
    columns: Columns,
    /// The places to fill, in reverse order.
    places: Vec<Place>,
    /// The number of rows that are filled for the last place.
    row: usize,
}

/// The place of a channel's values in a row.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// The index of the flat track, and of the channel.
    Flat(usize, usize),
    /// The index of the track, its lane, and the index of the channel; `None` for an unused lane.
    Lane(usize, usize, Option<usize>),
}

/// The number of rows of a channel that one step fills.
const ROWS_AT_ONCE: usize = 4096;

impl Filling {
    /// Computes the layout of a table's rows.
    fn new(columns: Columns) -> Self {
        let Columns { interpolation, ref times, ref channels, .. } = columns;
        let mut stride = 0;
        let (mut flats, mut tracks): (Vec<FlatTrack>, Vec<Track>) = (Vec::new(), Vec::new());
        let mut places = Vec::with_capacity(channels.len());
        // The channels of four nodes are adjacent.
        let mut groups: Vec<(usize, Path, [Option<usize>; 4])> = Vec::new();
        let place = |i: usize| match channels[i].target {
            Target::Transform(node, path) => (node.index() / 4, path),
            Target::Flat(..) => (0, Path::Weights),
        };
        for i in order(channels.len(), &|a, b| place(a).cmp(&place(b))) {
            match &channels[i].target {
                Target::Transform(node, path) => {
                    let group = node.index() / 4;
                    if groups.last().is_none_or(|last| (last.0, last.1) != (group, *path)) {
                        groups.push((group, *path, [None; 4]));
                    }
                    if let Some((.., four)) = groups.last_mut() {
                        four[node.index() % 4] = Some(i);
                    }
                }
                Target::Flat(list, range) => {
                    places.push(Place::Flat(flats.len(), i));
                    flats.push(FlatTrack { offset: stride, list: *list, range: range.clone() });
                    stride += range.len().div_ceil(4) * parts(interpolation);
                }
            }
        }
        for (group, path, four) in groups {
            let on = four.map(|channel| channel.is_some());
            let partial = (on != [true; 4]).then(|| Mask4::new(on));
            places.extend((0..4).map(|lane| Place::Lane(tracks.len(), lane, four[lane])));
            let Some(property) = property(path) else { continue };
            tracks.push(Track { group, property, offset: stride, partial });
            stride += property.width(kernel_interpolation(interpolation));
        }
        places.reverse();
        let keys = KeyTable::new(kernel_interpolation(interpolation), times, stride, tracks);
        let table = Table { interpolation, keys, flats };
        Self { table, columns, places, row: 0 }
    }

    /// Fills some rows of a channel. Returns the count of numbers written, 0 if the table is complete.
    fn advance(&mut self, clip: &Clip, base: &Pose) -> usize {
        let Self { table, columns, places, row } = self;
        let Some(&place) = places.last() else { return 0 };
        let Table { interpolation, keys, flats } = table;
        let (interpolation, stride) = (*interpolation, keys.stride());
        let (tracks, rows) = keys.rows_mut();
        let count = columns.times.len();
        let width = match place {
            Place::Flat(flat, _) => flats[flat].range.len(),
            Place::Lane(..) => 4,
        };
        let (from, to) = (*row, count.min(*row + (ROWS_AT_ONCE * 4 / width.max(4)).max(1)));
        match place {
            Place::Flat(flat, channel) => {
                let (values, _) = columns.rows(clip, &columns.channels[channel], from..to);
                flats[flat].fill(rows, stride, from, &values, interpolation);
            }
            Place::Lane(track, lane, Some(channel)) => {
                let track = &tracks[track];
                let (values, width) = columns.rows(clip, &columns.channels[channel], from..to);
                fill_lane(rows, stride, track, lane, from, &values, width * parts(interpolation));
                if track.property == Property::Rotation && interpolation == Interpolation::Linear {
                    fill_segments(rows, stride, track, lane, from, &values);
                }
            }
            Place::Lane(track, lane, None) => {
                let rows = &mut rows[from * stride..to * stride];
                fill_unused_lane(rows, stride, &tracks[track], lane, interpolation, base);
            }
        }
        if to < count {
            *row = to;
        } else {
            *row = 0;
            places.pop();
        }
        (to - from) * width
    }
}

/// Writes one lane of a track, from key `first` on, with `width` numbers per key.
fn fill_lane(
    rows: &mut [F32x4],
    stride: usize,
    track: &Track,
    lane: usize,
    first: usize,
    values: &[f32],
    width: usize,
) {
    for (key, values) in values.chunks_exact(width).enumerate() {
        for (i, &value) in values.iter().enumerate() {
            set_lane(rows, (first + key) * stride + track.offset + i, lane, value);
        }
    }
}

/// Negates rotation keys so that neighbours lie in one hemisphere and interpolation takes the shorter arc.
/// Stores the [`correction`] of each segment. Keys before `first` are already done. The last key begins no
/// segment: its correction stays 0.
fn fill_segments(
    rows: &mut [F32x4],
    stride: usize,
    track: &Track,
    lane: usize,
    first: usize,
    values: &[f32],
) {
    let mut keys = values.as_chunks::<4>().0.iter();
    let (mut before, mut at) = match first.checked_sub(1) {
        Some(before) => {
            let at = before * stride + track.offset;
            ([0, 1, 2, 3].map(|i| rows[at + i].to_array()[lane]), at)
        }
        None => match keys.next() {
            Some(&first) => (first, track.offset),
            None => return,
        },
    };
    for &key in keys {
        let rotation = same_hemisphere(before, key);
        for (i, number) in correction(angle(before, rotation)).into_iter().enumerate() {
            set_lane(rows, at + 4 + i, lane, number);
        }
        at += stride;
        for (i, &value) in rotation.iter().enumerate() {
            set_lane(rows, at + i, lane, value);
        }
        before = rotation;
    }
}

/// Fills a lane that no channel of the table animates. It is interpolated like the others but never written
/// to a pose, so any finite value will do.
fn fill_unused_lane(
    rows: &mut [F32x4],
    stride: usize,
    track: &Track,
    lane: usize,
    interpolation: Interpolation,
    base: &Pose,
) {
    let mut group = base.groups[track.group];
    let values = group.lanes_mut(track.property);
    let width = track.property.width(kernel_interpolation(interpolation));
    for row in 0..rows.len() / stride {
        for i in 0..width {
            let value = values[i % values.len()].to_array()[lane];
            set_lane(rows, row * stride + track.offset + i, lane, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Transform;
    use crate::model::{Channel, Curve, NodeId};
    use glam::Quat;

    #[test]
    fn clip_compiling_in_steps_equals_compiling_at_once() {
        // More rows than one step fills, rotations that alternate between hemispheres, and two channels that
        // share a table.
        let count = 2 * ROWS_AT_ONCE + 17;
        let times: Vec<f32> = (0..count).map(|i| i as f32 / 60.0).collect();
        let sparse: Vec<f32> = times.iter().copied().step_by(3).collect();
        let turn = |i: usize| {
            let turn = Quat::from_rotation_y((i as f32 * 0.9).sin() * 3.0);
            (if i.is_multiple_of(2) { turn } else { -turn }).to_array()
        };
        let curves = [
            Curve::new(Interpolation::Linear, 4, times.clone(), (0..count).flat_map(turn).collect()),
            Curve::new(Interpolation::Linear, 4, sparse.clone(), (0..sparse.len()).flat_map(turn).collect()),
            Curve::new(Interpolation::Linear, 5, times, (0..5 * count).map(|i| (i as f32).cos()).collect()),
        ];
        let curves: Vec<Curve> = curves.into_iter().map(|curve| curve.expect("a good curve")).collect();
        let channel = |node, path, curve| Channel { node: NodeId::new(node), path, curve };
        let channels =
            vec![channel(0, Path::Rotation, 0), channel(1, Path::Rotation, 1), channel(1, Path::Weights, 2)];
        let clip = Clip { channels, curves, ..Clip::default() };
        let base = Pose::new(&[Transform::IDENTITY; 2], vec![0.0; 5]);
        let layout = PaletteLayout { weights_of_node: vec![0..0, 0..5], ..PaletteLayout::default() };
        let whole = ClipTables::new(&clip, &base, &layout);
        let mut compiling = Compiling::default();
        let mut steps = 1;
        while compiling.advance(&clip, &base, &layout, 1) {
            steps += 1;
        }
        assert!(steps > 3 * 2, "{steps} steps");
        let parts = compiling.finish();
        let bits = |tables: &ClipTables| -> Vec<Vec<u32>> {
            let keys = |table: &Table| {
                (0..count)
                    .filter(|_| !table.keys.is_still())
                    .flat_map(|key| F32x4::as_floats(table.keys.row(key)).to_vec())
                    .map(f32::to_bits)
                    .collect()
            };
            tables.tables.iter().map(keys).collect()
        };
        assert_eq!(bits(&whole), bits(&parts));
    }
}
