//! Compiled clips: tables of keys with a row per key time.

use super::number_tracks::FlatTrack;
use crate::animation::pose::Pose;
use crate::model::Interpolation;
use gambol_kernels::{KeyTable, Property, Spot, spline_factors};

/// A clip that is ready for sampling.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClipTables {
    /// Tables with more than one key come first.
    pub(super) tables: Vec<Table>,
    /// The number of tables with more than one key.
    changing: usize,
}

/// Channels with the same key times.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(super) interpolation: Interpolation,
    /// The tracks of nodes. The rows also hold the flat tracks.
    pub(super) keys: KeyTable,
    pub(super) flats: Vec<FlatTrack>,
}

impl ClipTables {
    pub(super) fn of(tables: Vec<Table>) -> Self {
        let (mut all, still): (Vec<_>, Vec<_>) = tables.into_iter().partition(|table| !table.keys.is_still());
        let changing = all.len();
        all.extend(still);
        Self { tables: all, changing }
    }

    /// Writes the values of all channels at `time` seconds into `pose`; the rest of the pose is not changed.
    #[inline]
    pub(crate) fn sample(&self, time: f64, pose: &mut Pose) {
        for table in &self.tables {
            table.sample(time, pose);
        }
    }

    /// Writes the values of the tables with one key.
    pub(crate) fn sample_still(&self, pose: &mut Pose) {
        self.tables[self.changing..].iter().for_each(|table| table.sample(0.0, pose));
    }

    /// The key and fraction of a time in the first table with more than one key. Nearly all clips have one
    /// such table.
    #[inline(always)]
    pub(crate) fn find(&self, time: f64) -> Spot {
        if self.changing == 0 { Spot::default() } else { self.tables.as_slice()[0].keys.find(time) }
    }

    /// Writes the values of the tables with more than one key.
    ///
    /// - `spot`: from [`ClipTables::find`]. For many characters, find all spots first: their memory accesses
    ///   then overlap.
    #[inline]
    pub(crate) fn sample_changing(&self, spot: Spot, time: f64, pose: &mut Pose) {
        for (i, table) in self.tables.iter().take(self.changing).enumerate() {
            table.sample_at(if i == 0 { spot } else { table.keys.find(time) }, pose);
        }
    }

    /// `true` if a table with more than one key has the property for a group of nodes.
    pub(crate) fn changes(&self, group: usize, property: Property) -> bool {
        let mut tracks = self.tables[..self.changing].iter().flat_map(|table| table.keys.tracks());
        tracks.any(|track| track.group == group && track.property == property)
    }
}

impl Table {
    #[inline(always)]
    fn sample(&self, time: f64, pose: &mut Pose) {
        self.keys.sample(time, &mut pose.groups);
        if !self.flats.is_empty() {
            self.sample_flats(self.keys.find(time), pose);
        }
    }

    #[inline(always)]
    fn sample_at(&self, spot: Spot, pose: &mut Pose) {
        self.keys.sample_at(spot, &mut pose.groups);
        if !self.flats.is_empty() {
            self.sample_flats(spot, pose);
        }
    }

    #[inline(never)]
    fn sample_flats(&self, Spot { key, fraction }: Spot, pose: &mut Pose) {
        let row = self.keys.row(key);
        // Same cases as in `KeyTable::sample`.
        if fraction == 0.0 || self.interpolation == Interpolation::Step {
            let skip = usize::from(self.interpolation == Interpolation::CubicSpline);
            self.flats.iter().for_each(|flat| flat.copy(row, skip, pose));
            return;
        }
        let next = self.keys.row(key + 1);
        if self.interpolation == Interpolation::Linear {
            self.flats.iter().for_each(|flat| flat.mix(row, next, fraction as f32, pose));
        } else {
            let factors = spline_factors(fraction, self.keys.distance(key));
            self.flats.iter().for_each(|flat| flat.spline(row, next, factors, pose));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Transform;
    use crate::model::{Channel, Clip, Curve, NodeId, PaletteLayout, Path};
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
    //   time     1     2           4        constant before and after
    //   value   10    20          40
    const TIMES: [f32; 3] = [1.0, 2.0, 4.0];
    const VALUES: [f32; 9] = [10.0, 0.0, -1.0, 20.0, 0.0, -2.0, 40.0, 0.0, -4.0];

    #[test]
    fn linear_table_clamps_hits_keys_and_interpolates() {
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
    fn step_table_changes_exactly_on_the_key() {
        let (tables, base) = table(Interpolation::Step, Path::Translation, 3, &TIMES, &VALUES);
        let x = |time| translation(&tables, &base, time)[0];
        assert_eq!([x(0.0), x(1.0), x(2.0_f64.next_down())], [10.0; 3]);
        assert_eq!([x(2.0), x(3.9)], [20.0; 2]);
        assert_eq!([x(4.0), x(5.0)], [40.0; 2]);
    }

    #[test]
    fn cubic_spline_table_follows_appendix_c() {
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
    fn table_interpolates_any_count_of_weights() {
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
    fn table_of_one_key_is_constant() {
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
    fn table_rotations_follow_the_arc_up_to_half_a_turn() {
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
    fn table_rotation_key_is_used_unchanged() {
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
}
