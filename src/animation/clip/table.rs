//! Clips as sampling wants them: tables of keys, a row per key time.
//!
//! All channels of a clip that share key times and interpolation stand in one table. Sampling finds the row of
//! a time once per table and mixes it with the next row, four nodes at a time; a seek costs what playing costs.
//!
//! ```text
//!            track 0 (rotations of nodes 0…3)      track 1 (translations of nodes 4…7)  …
//! time k     x x x x  y y y y  z z z z  w w w w …  x x x x  y y y y  z z z z
//! time k+1   x x x x  y y y y  z z z z  w w w w …  x x x x  y y y y  z z z z
//! ```

use super::rows::parts;

use super::number_tracks::FlatTrack;
use super::slerp::Progress;
use crate::animation::pose::{Pose, TransformX4};
use crate::base::{F32x4, Mask4, run};
use crate::model::{Interpolation, Path};

/// A clip, ready to be sampled.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClipTables {
    /// Those with more than one key come first.
    pub(super) tables: Vec<Table>,
    /// How many these are.
    changing: usize,
}

/// Where a time is in a table: the last key at or before it, and how far it is to the next.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spot {
    key: usize,
    fraction: f64,
}

/// The channels that share their key times.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(super) interpolation: Interpolation,
    pub(super) times: TimeIndex,
    /// How many `F32x4` a key has.
    pub(super) stride: usize,
    pub(super) rows: Vec<F32x4>,
    pub(super) tracks: Vec<Track>,
    pub(super) flats: Vec<FlatTrack>,
}

/// One property of up to four nodes that are neighbours in the pose.
#[derive(Debug, Clone)]
pub(super) struct Track {
    pub(super) group: usize,
    pub(super) path: Path,
    /// Where the track begins in a row.
    pub(super) offset: usize,
    /// The lanes that the table writes, unless it writes all.
    pub(super) partial: Option<Mask4>,
}

impl ClipTables {
    pub(super) fn of(tables: Vec<Table>) -> Self {
        let (mut all, still): (Vec<_>, Vec<_>) = tables.into_iter().partition(|table| table.times.last > 0);
        let changing = all.len();
        all.extend(still);
        Self { tables: all, changing }
    }

    /// Writes what the clip animates at `time` seconds into `pose` and leaves the rest of it alone.
    #[inline]
    pub(crate) fn sample(&self, time: f64, pose: &mut Pose) {
        for table in &self.tables {
            table.sample(time, pose);
        }
    }

    /// Writes of that what is the same at all times.
    pub(crate) fn sample_still(&self, pose: &mut Pose) {
        self.tables[self.changing..].iter().for_each(|table| table.sample(0.0, pose));
    }

    /// Where a time is in the first of the others, which are nearly always one.
    #[inline(always)]
    pub(crate) fn find(&self, time: f64) -> Spot {
        if self.changing == 0 { Spot::default() } else { self.tables.as_slice()[0].times.find(time) }
    }

    /// Writes the others.
    ///
    /// - `spot`: of [`ClipTables::find`]. Who samples many characters finds all their places first: each takes long to arrive, and
    ///   none waits for another.
    #[inline]
    pub(crate) fn sample_changing(&self, spot: Spot, time: f64, pose: &mut Pose) {
        for (i, table) in self.tables.iter().take(self.changing).enumerate() {
            table.sample_at(if i == 0 { spot } else { table.times.find(time) }, pose);
        }
    }

    /// Whether those have a property of a group of nodes.
    pub(crate) fn changes(&self, group: usize, path: Path) -> bool {
        let changing = &self.tables[..self.changing];
        changing
            .iter()
            .flat_map(|table| &table.tracks)
            .any(|track| track.group == group && track.path == path)
    }
}

impl Table {
    #[inline]
    fn sample(&self, time: f64, pose: &mut Pose) {
        self.sample_at(self.times.find(time), pose);
    }

    #[inline(always)]
    fn sample_at(&self, Spot { key, fraction }: Spot, pose: &mut Pose) {
        let row = self.row(key);
        // On a key, the key's value is used as it is (Appendix C); before the first and after the last it holds.
        if fraction == 0.0 || self.interpolation == Interpolation::Step {
            let skip = usize::from(self.interpolation == Interpolation::CubicSpline);
            self.copy(row, skip, pose);
            return;
        }
        let next = self.row(key + 1);
        if self.interpolation == Interpolation::Linear {
            self.mix(row, next, fraction as f32, pose);
        } else {
            self.spline(row, next, fraction, self.times.distance(key), pose);
        }
    }

    #[inline(always)]
    fn row(&self, key: usize) -> &[F32x4] {
        run(&self.rows, key * self.stride, self.stride)
    }

    /// Takes the values of one key. `skip` parts (the in-tangents of a spline) come before them.
    #[inline(never)]
    fn copy(&self, row: &[F32x4], skip: usize, pose: &mut Pose) {
        assert!(row.len() == self.stride && skip < parts(self.interpolation), "a key of this table");
        let groups = pose.groups.as_mut_slice();
        for track in &self.tracks {
            let group = &mut groups[track.group];
            if track.path == Path::Rotation {
                // SAFETY: a track has that many in each of its parts, and ends where its row does, at the latest: see `Table::new`.
                let &[x, y, z, w] = unsafe { F32x4::part(row, track.offset + 4 * skip) };
                track.write4(&mut group.rotation, [x, y, z, w]);
            } else {
                // SAFETY: likewise.
                let &[x, y, z] = unsafe { F32x4::part(row, track.offset + 3 * skip) };
                track.write3(group, [x, y, z]);
            }
        }
        self.flats.iter().for_each(|flat| flat.copy(row, skip, pose));
    }

    /// On its own, since compilers and engines allocate registers badly in a kernel merged into its caller.
    #[inline(never)]
    fn mix(&self, row: &[F32x4], next: &[F32x4], fraction: f32, pose: &mut Pose) {
        let width = self.stride;
        assert!(
            self.interpolation == Interpolation::Linear && row.len() == width && next.len() == width,
            "two keys of this table"
        );
        let progress = Progress::new(fraction);
        let u = progress.u;
        let groups = pose.groups.as_mut_slice();
        for track in &self.tracks {
            let group = &mut groups[track.group];
            if track.path == Path::Rotation {
                let ([ax, ay, az, aw, constant, slope], [bx, by, bz, bw, ..]): (&[_; 6], &[_; 6]) =
                    // SAFETY: a linear track has that many, and ends where its row does, at the latest: see `Table::new`.
                    unsafe { (F32x4::part(row, track.offset), F32x4::part(next, track.offset)) };
                let w = progress.along(*constant, *slope);
                let mixed = [
                    *ax + (*bx - *ax) * w,
                    *ay + (*by - *ay) * w,
                    *az + (*bz - *az) * w,
                    *aw + (*bw - *aw) * w,
                ];
                track.write4(&mut group.rotation, mixed);
            } else {
                let ([ax, ay, az], [bx, by, bz]): (&[_; 3], &[_; 3]) =
                    // SAFETY: likewise.
                    unsafe { (F32x4::part(row, track.offset), F32x4::part(next, track.offset)) };
                let mixed = [*ax + (*bx - *ax) * u, *ay + (*by - *ay) * u, *az + (*bz - *az) * u];
                track.write3(group, mixed);
            }
        }
        self.flats.iter().for_each(|flat| flat.mix(row, next, fraction, pose));
    }

    /// Appendix C: `(2t³−3t²+1)·v₀ + d(t³−2t²+t)·b₀ + (−2t³+3t²)·v₁ + d(t³−t²)·a₁`.
    #[inline(never)]
    fn spline(&self, row: &[F32x4], next: &[F32x4], t: f64, distance: f64, pose: &mut Pose) {
        let (t2, t3) = (t * t, t * t * t);
        let factors = [
            2.0 * t3 - 3.0 * t2 + 1.0,
            distance * (t3 - 2.0 * t2 + t),
            3.0 * t2 - 2.0 * t3,
            distance * (t3 - t2),
        ]
        .map(|factor| factor as f32);
        let lanes = factors.map(F32x4::splat);
        let groups = pose.groups.as_mut_slice();
        for track in &self.tracks {
            let group = &mut groups[track.group];
            let width = if track.path == Path::Rotation { 4 } else { 3 };
            let (row, next) = (&row[track.offset..][..3 * width], &next[track.offset..][..3 * width]);
            let [v0, b0, v1, a1] = lanes;
            let component = |i: usize| {
                (row[width + i] * v0 + row[2 * width + i] * b0) + (next[width + i] * v1 + next[i] * a1)
            };
            if track.path == Path::Rotation {
                let cubic = [component(0), component(1), component(2), component(3)];
                track.write4(&mut group.rotation, cubic);
            } else {
                track.write3(group, [component(0), component(1), component(2)]);
            }
        }
        self.flats.iter().for_each(|flat| flat.spline(row, next, factors, pose));
    }
}

impl Track {
    /// Spelled out, as all of the kernels: small arrays that a loop walks stay in memory where the compiler
    /// does not unroll, and it does not when it builds for size.
    #[inline(always)]
    fn write4(&self, target: &mut [F32x4; 4], [x, y, z, w]: [F32x4; 4]) {
        match &self.partial {
            None => {
                target[0] = x;
                target[1] = y;
                target[2] = z;
                target[3] = w;
            }
            Some(mask) => {
                target[0] = mask.select(x, target[0]);
                target[1] = mask.select(y, target[1]);
                target[2] = mask.select(z, target[2]);
                target[3] = mask.select(w, target[3]);
            }
        }
    }

    #[inline(always)]
    fn write3(&self, group: &mut TransformX4, [x, y, z]: [F32x4; 3]) {
        let target = if self.path == Path::Translation { &mut group.translation } else { &mut group.scale };
        match &self.partial {
            None => {
                target[0] = x;
                target[1] = y;
                target[2] = z;
            }
            Some(mask) => {
                target[0] = mask.select(x, target[0]);
                target[1] = mask.select(y, target[1]);
                target[2] = mask.select(z, target[2]);
            }
        }
    }
}

/// Key times with a grid that leads to the right key at once.
#[derive(Debug, Clone)]
pub(super) struct TimeIndex {
    /// The times, then twice infinity, so that the two after any key can be looked at.
    times: Vec<f32>,
    last: usize,
    /// For each cell of an even grid over the times: how many keys lie in the cells before it.
    before: Vec<u32>,
    cells_per_second: f64,
}

impl TimeIndex {
    /// `times`: at least one, strictly increasing.
    pub(super) fn new(times: &[f32]) -> Self {
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

    /// The cell of a time; never falls as the time rises, which is all that `find` builds on.
    #[inline(always)]
    fn cell(&self, time: f64) -> usize {
        let times = self.times.as_slice();
        // Not below 0, and to a number with a sign, since WebAssembly's conversions to others take several times as long.
        let cell = ((time - f64::from(times[0])) * self.cells_per_second) as i32;
        (cell.cast_unsigned() as usize).min(self.last)
    }

    /// The last key at or before `time`, and how far `time` is on the way to the next, `0.0..1.0`.
    ///
    /// Exactly 0 on a key, before the first and after the last.
    #[inline]
    fn find(&self, time: f64) -> Spot {
        let last = self.last;
        let (times, before) = (self.times.as_slice(), self.before.as_slice());
        // Also for NaN, which no caller has a reason to pass.
        if !(time > f64::from(times[0])) {
            return Spot { key: 0, fraction: 0.0 };
        }
        if time >= f64::from(times[last]) {
            return Spot { key: last, fraction: 0.0 };
        }
        let cell = self.cell(time);
        let (from, to) = (before[cell] as usize, before[cell + 1] as usize);
        // Two comparisons instead of a loop whose length no processor can foresee; keys of later cells are above.
        let count = if to - from <= 2 {
            usize::from(f64::from(times[from]) <= time) + usize::from(f64::from(times[from + 1]) <= time)
        } else {
            times[from..to].partition_point(|&key| f64::from(key) <= time)
        };
        let key = from + count - 1;
        let start = f64::from(times[key]);
        Spot { key, fraction: (time - start) / (f64::from(times[key + 1]) - start) }
    }

    /// The seconds from key `key` to the next.
    fn distance(&self, key: usize) -> f64 {
        f64::from(self.times[key + 1]) - f64::from(self.times[key])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Transform;
    use crate::model::{Channel, Clip, Curve, NodeId, PaletteLayout};
    use glam::{DQuat, Quat, Vec3};

    fn table(
        interpolation: Interpolation,
        path: Path,
        width: usize,
        times: &[f32],
        values: &[f32],
    ) -> (ClipTables, Pose) {
        let curve = Curve::new(interpolation, width, times.to_vec(), values.to_vec()).expect("a good curve");
        let channels = vec![Channel { node: NodeId::new(1), path, curve: 0 }];
        let clip = Clip { channels, curves: vec![curve], ..Clip::default() };
        let rest = Transform { translation: Vec3::splat(-9.0), ..Transform::IDENTITY };
        let weights = if path == Path::Weights { width } else { 0 };
        let base = Pose::new(&[rest; 2], vec![0.0; weights]);
        let layout =
            PaletteLayout { weights_of_node: vec![0..0, 0..weights as u32], ..PaletteLayout::default() };
        (ClipTables::new(&clip, &base, &layout), base)
    }

    fn translation(tables: &ClipTables, base: &Pose, time: f64) -> [f32; 3] {
        let mut pose = base.clone();
        tables.sample(time, &mut pose);
        assert_eq!(pose.get(NodeId::new(0)), base.get(NodeId::new(0)), "a node without channel moved");
        pose.get(NodeId::new(1)).translation.to_array()
    }

    //   key      0     1           2
    //   time     1     2           4        holds before and after
    //   value   10    20          40
    const TIMES: [f32; 3] = [1.0, 2.0, 4.0];
    const VALUES: [f32; 9] = [10.0, 0.0, -1.0, 20.0, 0.0, -2.0, 40.0, 0.0, -4.0];

    #[test]
    fn linear_holds_hits_keys_and_mixes() {
        let (tables, base) = table(Interpolation::Linear, Path::Translation, 3, &TIMES, &VALUES);
        let x = |time| translation(&tables, &base, time)[0];
        for time in [f64::NEG_INFINITY, -1.0, 0.0, 0.999, 1.0, f64::NAN] {
            assert_eq!(x(time), 10.0, "{time}");
        }
        assert_eq!(x(2.0), 20.0);
        assert_eq!(x(1.5), 15.0);
        assert_eq!(x(3.0), 30.0);
        for time in [4.0, 4.001, 1e300, f64::INFINITY] {
            assert_eq!(x(time), 40.0, "{time}");
        }
    }

    #[test]
    fn step_takes_the_new_value_exactly_on_the_key() {
        let (tables, base) = table(Interpolation::Step, Path::Translation, 3, &TIMES, &VALUES);
        let x = |time| translation(&tables, &base, time)[0];
        assert_eq!([x(0.0), x(1.0), x(2.0_f64.next_down())], [10.0; 3]);
        assert_eq!([x(2.0), x(3.9)], [20.0; 2]);
        assert_eq!([x(4.0), x(5.0)], [40.0; 2]);
    }

    #[test]
    fn cubic_spline_is_appendix_c() {
        // Two keys two seconds apart: rows of in-tangent, value, out-tangent.
        let rows = [[9.0, 9.0, 9.0], [1.0, 2.0, 3.0], [0.5, -1.0, 0.0]];
        let next = [[2.0, 0.0, -3.0], [5.0, 5.0, 5.0], [9.0, 9.0, 9.0]];
        let values: Vec<f32> = rows.into_iter().chain(next).flatten().collect();
        let (tables, base) = table(Interpolation::CubicSpline, Path::Translation, 3, &[0.0, 2.0], &values);
        assert_eq!(translation(&tables, &base, 0.0), [1.0, 2.0, 3.0]);
        assert_eq!(translation(&tables, &base, 2.0), [5.0, 5.0, 5.0]);
        // t = ½: ½·v₀ + 2·⅛·b₀ + ½·v₁ − 2·⅛·a₁
        assert_eq!(translation(&tables, &base, 1.0), [2.625, 3.25, 4.75]);
    }

    #[test]
    fn weights_of_any_count_are_mixed() {
        for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
            for width in [1, 3, 4, 5, 9] {
                let key = |value: f32| {
                    let tangents = vec![0.0; width];
                    let values: Vec<f32> = (0..width).map(|i| value * (i + 1) as f32).collect();
                    match interpolation {
                        Interpolation::CubicSpline => [tangents.clone(), values, tangents].concat(),
                        _ => values,
                    }
                };
                let values = [key(1.0), key(3.0)].concat();
                let (tables, mut pose) = table(interpolation, Path::Weights, width, &[0.0, 1.0], &values);
                for (time, value) in [(0.0, 1.0), (0.5, 2.0), (1.0, 3.0)] {
                    let value = if interpolation == Interpolation::Step && time == 0.5 { 1.0 } else { value };
                    tables.sample(time, &mut pose);
                    let want: Vec<f32> = (0..width).map(|i| value * (i + 1) as f32).collect();
                    assert_eq!(pose.weights, want, "{interpolation:?} {width} {time}");
                }
            }
        }
    }

    #[test]
    fn one_key_is_a_constant() {
        for interpolation in [Interpolation::Step, Interpolation::Linear] {
            let (tables, base) = table(interpolation, Path::Translation, 3, &[2.5], &[1.0, 2.0, 3.0]);
            for time in [0.0, 2.5, 7.0] {
                assert_eq!(translation(&tables, &base, time), [1.0, 2.0, 3.0]);
            }
        }
    }

    /// Slerp in f64, written from its definition.
    fn slerp(a: Quat, b: Quat, u: f64) -> DQuat {
        let a = a.as_dquat().normalize();
        let mut b = b.as_dquat().normalize();
        if a.dot(b) < 0.0 {
            b = -b;
        }
        let angle = 2.0 * (a - b).length().atan2((a + b).length());
        if angle < 1e-12 { a } else { (a * ((1.0 - u) * angle).sin() + b * (u * angle).sin()).normalize() }
    }

    #[test]
    fn rotations_follow_the_arc_up_to_half_a_turn() {
        let mut worst: f64 = 0.0;
        let axis = Vec3::new(1.0, 2.0, -0.5).normalize();
        let a = Quat::from_rotation_x(0.3);
        for degrees in [0.0, 1e-4, 0.01, 0.2, 1.0, 10.0, 45.0, 90.0, 135.0, 170.0, 179.0, 179.99, 180.0] {
            for sign in [1.0, -1.0] {
                let b = a * Quat::from_axis_angle(axis, f32::to_radians(degrees)) * sign;
                let values = [a.to_array(), b.to_array()].concat();
                let (tables, base) = table(Interpolation::Linear, Path::Rotation, 4, &[0.0, 1.0], &values);
                let mut pose = base.clone();
                for step in 0..=40 {
                    let u = f64::from(step) / 40.0;
                    tables.sample(u, &mut pose);
                    let got = pose.get(NodeId::new(1)).rotation.as_dquat();
                    let want = slerp(a, b, u);
                    let error = (got - want).length().min((got + want).length());
                    worst = worst.max(error);
                }
            }
        }
        assert!(worst < 3e-7, "{worst:e}");
    }

    #[test]
    fn a_rotation_key_is_used_as_it_is() {
        let a = Quat::from_rotation_x(0.3);
        let b = Quat::from_rotation_y(2.0);
        let values = [a.to_array(), b.to_array(), a.to_array()].concat();
        let (tables, base) = table(Interpolation::Linear, Path::Rotation, 4, &TIMES, &values);
        for (time, want) in [(1.0, a), (2.0, b), (4.0, a)] {
            let mut pose = base.clone();
            tables.sample(time, &mut pose);
            let lanes = pose.groups[0].rotation.map(|lanes| lanes.to_array()[1]);
            assert!(lanes == want.to_array() || lanes == (-want).to_array(), "{time}");
        }
    }

    #[test]
    fn the_index_finds_what_a_search_finds() {
        let even: Vec<f32> = (0..97).map(|i| 0.5 + i as f32 / 24.0).collect();
        let jittered: Vec<f32> =
            (0..200).map(|i| i as f32 / 37.5 + 0.004 * ((i * 7919 % 13) as f32 / 13.0)).collect();
        let clustered: Vec<f32> = (0..60).map(|i| 1.0 + (i as f32).exp2() * 1e-6).collect();
        for times in [vec![3.0], vec![0.0, 1e-30], vec![-2.0, 5.0, 5.000001], even, jittered, clustered] {
            let index = TimeIndex::new(&times);
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
