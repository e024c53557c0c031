//! Curves of the source at ascending times, and the times at which the target gets keys.

use crate::base::sort_by;
use crate::model::{Curve, Interpolation};
use gambol_kernels::{same_hemisphere, slerp};
use glam::{DQuat, DVec3};

use crate::animation::rest_pose::unit_of;

/// A curve that is sampled at ascending times.
#[derive(Debug, Clone)]
pub(super) struct Track<'a> {
    pub(super) curve: &'a Curve,
    /// The last key that is not after the last time.
    key: usize,
}

impl<'a> Track<'a> {
    pub(super) fn new(curve: &'a Curve) -> Self {
        Self { curve, key: 0 }
    }

    /// Seeks a time; returns the fraction of the way to the next key, 0 on a key and outside of the keys.
    fn seek(&mut self, time: f32) -> f64 {
        let times = self.curve.times();
        while times.get(self.key + 1).is_some_and(|next| *next <= time) {
            self.key += 1;
        }
        let begin = times[self.key];
        match times.get(self.key + 1) {
            Some(&end) if time > begin => {
                (f64::from(time) - f64::from(begin)) / (f64::from(end) - f64::from(begin))
            }
            _ => 0.0,
        }
    }

    pub(super) fn rotation(&mut self, time: f32) -> DQuat {
        let u = self.seek(time);
        let (values, key) = (self.curve.values(), self.key);
        match self.curve.interpolation() {
            Interpolation::Linear if u > 0.0 => {
                let (rows, _) = values.as_chunks::<4>();
                let from = rows[key];
                quat(slerp(from, same_hemisphere(from, rows[key + 1]), u))
            }
            Interpolation::CubicSpline => {
                let [x, y, z, w] = spline(self.curve, key, u);
                unit_of(DQuat::from_xyzw(x, y, z, w))
            }
            _ => quat(values.as_chunks::<4>().0[key]),
        }
    }

    pub(super) fn vector(&mut self, time: f32) -> DVec3 {
        let u = self.seek(time);
        let (values, key) = (self.curve.values(), self.key);
        match self.curve.interpolation() {
            Interpolation::Linear if u > 0.0 => {
                let (rows, _) = values.as_chunks::<3>();
                let (from, to) = (vector(rows[key]), vector(rows[key + 1]));
                from + (to - from) * u
            }
            Interpolation::CubicSpline => DVec3::from_array(spline(self.curve, key, u)),
            _ => vector(values.as_chunks::<3>().0[key]),
        }
    }

    /// One number of a row; for morph weights.
    pub(super) fn number(&mut self, time: f32, at: usize) -> f32 {
        let u = self.seek(time);
        let (values, key, width) = (self.curve.values(), self.key, self.curve.width());
        match self.curve.interpolation() {
            Interpolation::Linear if u > 0.0 => {
                let (from, to) = (values[key * width + at], values[(key + 1) * width + at]);
                (f64::from(from) + (f64::from(to) - f64::from(from)) * u) as f32
            }
            Interpolation::CubicSpline => hermite(self.curve, key, u, at) as f32,
            _ => values[key * width + at],
        }
    }
}

pub(super) fn vector([x, y, z]: [f32; 3]) -> DVec3 {
    DVec3::new(x.into(), y.into(), z.into())
}

fn quat([x, y, z, w]: [f32; 4]) -> DQuat {
    unit_of(DQuat::from_xyzw(x.into(), y.into(), z.into(), w.into()))
}

/// The parts of a segment of a spline for one number: start, start tangent, end, end tangent; tangents for the whole
/// segment. `None` after the last key.
fn segment(curve: &Curve, key: usize, at: usize) -> Option<[f64; 4]> {
    let (values, width) = (curve.values(), curve.width());
    let part = |key: usize, part: usize| f64::from(values[(3 * key + part) * width + at]);
    let (begin, end) = (curve.times()[key], *curve.times().get(key + 1)?);
    let length = f64::from(end) - f64::from(begin);
    Some([part(key, 1), part(key, 2) * length, part(key + 1, 1), part(key + 1, 0) * length])
}

/// Spec: glTF 2.0 Appendix C.
fn hermite(curve: &Curve, key: usize, u: f64, at: usize) -> f64 {
    match segment(curve, key, at).filter(|_| u > 0.0) {
        Some([p0, m0, p1, m1]) => {
            let (u2, u3) = (u * u, u * u * u);
            (2.0 * u3 - 3.0 * u2 + 1.0) * p0
                + (u3 - 2.0 * u2 + u) * m0
                + (3.0 * u2 - 2.0 * u3) * p1
                + (u3 - u2) * m1
        }
        None => f64::from(curve.values()[(3 * key + 1) * curve.width() + at]),
    }
}

fn spline<const N: usize>(curve: &Curve, key: usize, u: f64) -> [f64; N] {
    std::array::from_fn(|at| hermite(curve, key, u, at))
}

/// The most keys that replace a segment of a spline.
const PIECES: f64 = 32.0;
/// The largest error of lines that replace a spline, as a fraction of the largest value.
const ERROR: f64 = 2e-4;

/// The times between the keys of a spline at which lines need further keys.
fn pieces(curve: &Curve) -> Vec<f32> {
    let width = curve.width();
    let rows = curve.values().chunks_exact(3 * width);
    let largest = rows
        .flat_map(|row| &row[width..2 * width])
        .fold(0.0_f64, |most, value| most.max(f64::from(*value).abs()));
    let mut times = Vec::new();
    for key in 0..curve.times().len() - 1 {
        // The second derivative is linear, so it is largest at an end. The error of a line is an eighth of it.
        let bend =
            (0..width).filter_map(|at| segment(curve, key, at)).fold(0.0_f64, |most, [p0, m0, p1, m1]| {
                let (begin, end) =
                    (6.0 * (p1 - p0) - 4.0 * m0 - 2.0 * m1, -6.0 * (p1 - p0) + 2.0 * m0 + 4.0 * m1);
                most.max(begin.abs()).max(end.abs())
            });
        let count = (bend / (8.0 * ERROR * largest)).sqrt().ceil();
        let count = if count <= PIECES { count } else { PIECES } as u32;
        let (begin, end) = (curve.times()[key], curve.times()[key + 1]);
        for i in 1..count {
            let u = f64::from(i) / f64::from(count);
            let time = (f64::from(begin) + (f64::from(end) - f64::from(begin)) * u) as f32;
            if time > *times.last().unwrap_or(&begin) && time > begin && time < end {
                times.push(time);
            }
        }
    }
    times
}

/// Two ascending lists as one, without equal values.
fn merged(a: &[f32], b: &[f32]) -> Vec<f32> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let (from_a, from_b) = (a.get(i), b.get(j));
        let first = from_b.is_none_or(|b| from_a.is_some_and(|a| a <= b));
        let Some(&time) = (if first { from_a } else { from_b }) else { break };
        if first {
            i += 1;
        } else {
            j += 1;
        }
        if all.last() != Some(&time) {
            all.push(time);
        }
    }
    all
}

/// The times of the keys of several curves.
#[derive(Debug, Default)]
pub(super) struct Times<'a> {
    sets: Vec<Set<'a>>,
    /// All times, strictly ascending.
    pub(super) all: Vec<f32>,
}

/// The times of curves that share them.
#[derive(Debug)]
struct Set<'a> {
    keys: &'a [f32],
    interpolation: Interpolation,
    /// Times between the keys that the target needs.
    between: Vec<f32>,
}

/// Sets that a new curve is compared with: curves of one clip have few different times.
const COMPARED: usize = 8;

impl<'a> Times<'a> {
    /// Adds the times of a curve; returns the index of its set.
    pub(super) fn add(&mut self, curve: &'a Curve) -> usize {
        let (keys, interpolation) = (curve.times(), curve.interpolation());
        let is_spline = interpolation == Interpolation::CubicSpline;
        let known = self.sets.iter().enumerate().rev().take(COMPARED);
        let mut known = known.filter(|(_, set)| !is_spline && set.interpolation == interpolation);
        if let Some((at, _)) = known.find(|(_, set)| set.keys == keys) {
            return at;
        }
        let between = if is_spline { pieces(curve) } else { Vec::new() };
        self.sets.push(Set { keys, interpolation, between });
        self.sets.len() - 1
    }

    /// Merges the times. A curve with steps among others gets a second key right before each step.
    pub(super) fn merge(&mut self) {
        if self.sets.iter().any(|set| set.interpolation != Interpolation::Step && set.keys.len() > 1) {
            for set in self.sets.iter_mut().filter(|set| set.interpolation == Interpolation::Step) {
                let before = set.keys.windows(2).map(|pair| (pair[0], pair[1].next_down()));
                set.between =
                    before.filter(|(last, before)| before > last).map(|(_, before)| before).collect();
            }
        }
        let list = |set: &Set<'a>| merged(set.keys, &set.between);
        let mut lists: Vec<Vec<f32>> = self.sets.iter().map(list).collect();
        while lists.len() > 1 {
            let pair = |pair: &[Vec<f32>]| merged(&pair[0], pair.get(1).map_or(&[], Vec::as_slice));
            lists = lists.chunks(2).map(pair).collect();
        }
        self.all = lists.pop().unwrap_or_default();
    }

    /// The number of sets.
    pub(super) fn sets(&self) -> usize {
        self.sets.len()
    }

    /// The interpolation of a track that depends on the curves of some sets, and `true` for each of all times at which
    /// it needs a key.
    pub(super) fn needed(&self, sets: &[usize]) -> (Interpolation, Vec<bool>) {
        let steps = sets.iter().all(|&set| self.sets[set].interpolation == Interpolation::Step);
        let mut needed = vec![false; self.all.len()];
        for &set in sets {
            let Set { keys, between, .. } = &self.sets[set];
            if keys.len() == needed.len() {
                needed.fill(true);
                continue;
            }
            for time in keys.iter().chain(between.iter().filter(|_| !steps)) {
                let at = self.all.partition_point(|other| other < time);
                if let Some(needed) = needed.get_mut(at) {
                    *needed = true;
                }
            }
        }
        (if steps && !sets.is_empty() { Interpolation::Step } else { Interpolation::Linear }, needed)
    }
}

/// The weights of an expression from the X translation of a node of a clip: `0.0..=1.0`, or 0 and 1 with steps for a
/// binary expression. Keys are added where the curve enters or leaves the range. Spec: VRMC_vrm_animation 1.0,
/// Expressions; VRMC_vrm 1.0, `isBinary`.
pub(super) fn expression_weights(curve: &Curve, is_binary: bool) -> Option<Curve> {
    let is_step = curve.interpolation() == Interpolation::Step;
    let times = match curve.interpolation() {
        Interpolation::CubicSpline => merged(curve.times(), &pieces(curve)),
        _ => curve.times().to_vec(),
    };
    let mut track = Track::new(curve);
    let limits = if is_binary { &[0.5][..] } else { &[0.0, 1.0] };
    let limited = |weight: f32| if is_binary { f32::from(weight > 0.5) } else { weight.clamp(0.0, 1.0) };
    let mut keys: Vec<(f32, f32)> = Vec::with_capacity(times.len());
    let mut last: Option<(f32, f32)> = None;
    for time in times {
        let weight = track.number(time, 0);
        if let Some((begin, from)) = last.filter(|_| !is_step) {
            let (length, way) = (f64::from(time) - f64::from(begin), f64::from(weight) - f64::from(from));
            let mut crossings: Vec<(f32, f32)> = Vec::new();
            for &limit in limits {
                let crosses = match is_binary {
                    true => (from > limit) != (weight > limit),
                    false => (from < limit && weight > limit) || (from > limit && weight < limit),
                };
                if crosses {
                    let at = f64::from(begin) + length * (f64::from(limit) - f64::from(from)) / way;
                    // A binary expression rises after a half.
                    crossings.push((
                        (at as f32).max(begin.next_up()),
                        limited(if is_binary { weight } else { limit }),
                    ));
                }
            }
            sort_by(&mut crossings, |a, b| a.0.total_cmp(&b.0));
            for (at, value) in crossings {
                if at < time && keys.last().is_some_and(|(last, _)| at > *last) {
                    keys.push((at, value));
                }
            }
        }
        keys.push((time, limited(weight)));
        last = Some((time, weight));
    }
    let interpolation = if is_step || is_binary { Interpolation::Step } else { Interpolation::Linear };
    let (times, weights) = keys.into_iter().unzip();
    Curve::new(interpolation, 1, times, weights).ok()
}
