//! Keys of one channel: fewer of them, with fewer bits.

use gambol::model::{Interpolation, Path};
use gambol_gltf::codec::meshopt;
use gambol_gltf::codec::meshopt::encode::{exponential, quaternion};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// The curve of a channel in the file.
#[derive(Debug, Clone)]
pub(super) struct Track {
    /// The node, in the order of the model.
    pub(super) node: usize,
    pub(super) path: Path,
    pub(super) interpolation: Interpolation,
    /// The number of components of a value.
    pub(super) width: usize,
    /// Increasing, in seconds.
    pub(super) times: Vec<f32>,
    /// Rows as in [`gambol::model::Curve`].
    pub(super) values: Vec<f32>,
    /// The value without the channel; `None` if it is not the same as that of the node at rest.
    pub(super) rest: Option<Vec<f32>>,
    /// For morph weights: the metres by which each target moves its farthest vertex.
    pub(super) reach: Vec<f32>,
    /// The largest error of rotations with each number of bits, if it is known.
    pub(super) rounding: Cell<[Option<f32>; 17]>,
    /// All keys with each coding that was tried: several tolerances have the same one.
    pub(super) rounded: RefCell<HashMap<Coding, Rc<Keys>>>,
}

/// The numbers of a curve in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Coding {
    /// Normalised integers of 16 bits, made of this number of bits.
    Rotation(u32),
    /// Floats that are multiples of a power of two with this exponent.
    Exponential(i32),
}

/// The keys that are written.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    pub(super) interpolation: Interpolation,
    pub(super) coding: Coding,
    pub(super) times: Vec<f32>,
    /// The values as they are read from the file.
    pub(super) values: Vec<f32>,
    /// The elements before the filter that makes the values.
    pub(super) elements: Vec<u8>,
}

impl Keys {
    fn new(interpolation: Interpolation, coding: Coding) -> Self {
        Self { interpolation, coding, times: Vec::new(), values: Vec::new(), elements: Vec::new() }
    }

    /// Adds a key, whose value is rounded.
    fn push(&mut self, time: f32, value: &[f32]) {
        self.times.push(time);
        match self.coding {
            Coding::Rotation(bits) => {
                let element = quaternion([value[0], value[1], value[2], value[3]], bits);
                self.values.extend(unfiltered(element));
                self.elements.extend(element.iter().flat_map(|v| v.to_le_bytes()));
            }
            Coding::Exponential(exponent) => {
                for &value in value {
                    let element = exponential(value, exponent);
                    self.values.push(meshopt::exponential(element));
                    self.elements.extend(element.to_le_bytes());
                }
            }
        }
    }
}

/// The rotation of an element of the filter QUATERNION, through 16 bits as in the file.
fn unfiltered([x, y, z, last]: [i16; 4]) -> [f32; 4] {
    let one = f32::from(last | 3);
    let scale = std::f32::consts::FRAC_1_SQRT_2 / one;
    let [x, y, z] = [x, y, z].map(|value| f32::from(value) * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut out = [w, x, y, z].map(|value| (value * 32767.0).round() / 32767.0);
    out.rotate_right((last & 3) as usize);
    out
}

/// The largest error of a curve's values, in the units of the values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// The error of keys and of values between them.
    pub(super) value: f32,
}

impl Tolerance {
    /// The part for the rounding of keys at both ends of a line.
    pub(super) fn of_line(self) -> f32 {
        0.4 * self.value
    }
}

impl Track {
    /// The number of components per key.
    fn row(&self) -> usize {
        if self.interpolation == Interpolation::CubicSpline { 3 * self.width } else { self.width }
    }

    /// The value of a key, without tangents.
    fn value(&self, key: usize) -> &[f32] {
        let begin =
            key * self.row() + if self.interpolation == Interpolation::CubicSpline { self.width } else { 0 };
        &self.values[begin..begin + self.width]
    }

    /// The distance of two values: of rotations half the angle, of others the length of the difference. Morph weights count
    /// as the metres that they move vertices.
    fn distance(&self, a: &[f32], b: &[f32]) -> f32 {
        match self.path {
            Path::Rotation => chord(a, b),
            Path::Weights => {
                a.iter().zip(b).zip(&self.reach).map(|((a, b), reach)| (a - b).abs() * reach).sum()
            }
            _ => a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt(),
        }
    }

    /// The coding whose rounding stays within an error.
    fn coding(&self, error: f32) -> Coding {
        let linear = self.interpolation != Interpolation::CubicSpline;
        if self.path == Path::Rotation && linear {
            // The components are rounded to multiples of 1/(√2·one), and then to 16 bits.
            for bits in 6..=16 {
                let one = ((1 << (bits - 1)) - 1) as f32;
                if 0.75 / one + 2.2e-5 <= error && self.fits_rotation(bits, error) {
                    return Coding::Rotation(bits);
                }
            }
            if self.fits_rotation(16, error) {
                return Coding::Rotation(16);
            }
        }
        let per_component = match self.path {
            Path::Weights => error / self.reach.iter().sum::<f32>().max(1e-20),
            _ => error / (self.width as f32).sqrt(),
        };
        Coding::Exponential(exponent_within(per_component))
    }

    fn fits_rotation(&self, bits: u32, error: f32) -> bool {
        let mut known = self.rounding.get();
        let most = *known[bits as usize].get_or_insert_with(|| self.rounding_of(bits));
        self.rounding.set(known);
        most <= error
    }

    /// The largest error of some rotations with a number of bits.
    fn rounding_of(&self, bits: u32) -> f32 {
        let steps = (self.times.len() / 64).max(1);
        let errors = (0..self.times.len()).step_by(steps).map(|key| {
            let value = self.value(key);
            let element = quaternion([value[0], value[1], value[2], value[3]], bits);
            chord(value, &unfiltered(element))
        });
        errors.fold(0.0, |most: f32, error| if error.is_nan() { f32::INFINITY } else { most.max(error) })
    }

    /// A single key, if one value is within the tolerance of the whole curve.
    pub(super) fn constant(&self, tolerance: Tolerance) -> Option<Keys> {
        if self.interpolation == Interpolation::CubicSpline && !self.tangents_rest(tolerance) {
            return None;
        }
        let count = self.times.len();
        let mut middle = vec![0.0; self.width];
        let mut turn = 1.0;
        for key in 0..count {
            if self.path == Path::Rotation {
                turn = if dot(self.value(key), self.value(0)) < 0.0 { -1.0 } else { 1.0 };
            }
            middle
                .iter_mut()
                .zip(self.value(key))
                .for_each(|(sum, value)| *sum += turn * value / count as f32);
        }
        if self.path == Path::Rotation {
            let length = dot(&middle, &middle).sqrt();
            middle.iter_mut().for_each(|value| *value /= length);
        }
        let linear = Self { interpolation: Interpolation::Linear, ..self.one_key(&middle) };
        for value in [self.value(0), &middle] {
            let mut keys = Keys::new(Interpolation::Linear, linear.coding(0.25 * tolerance.value));
            keys.push(self.times[0], value);
            let near = |key| self.distance(self.value(key), &keys.values) <= 0.5 * tolerance.value;
            if (0..count).all(near) {
                return Some(keys);
            }
        }
        None
    }

    /// This track with one key.
    fn one_key(&self, value: &[f32]) -> Self {
        Self {
            times: vec![self.times[0]],
            values: value.to_vec(),
            reach: self.reach.clone(),
            rest: None,
            rounding: Cell::default(),
            rounded: RefCell::default(),
            ..*self
        }
    }

    /// `true` if the whole curve is the value at rest.
    pub(super) fn is_rest(&self, tolerance: Tolerance) -> bool {
        let Some(rest) = &self.rest else { return false };
        let still = self.interpolation != Interpolation::CubicSpline || self.tangents_rest(tolerance);
        still
            && (0..self.times.len()).all(|key| self.distance(self.value(key), rest) <= 0.5 * tolerance.value)
    }

    /// `true` if the tangents of a cubic curve move it by less than a part of the tolerance.
    fn tangents_rest(&self, tolerance: Tolerance) -> bool {
        let longest = self.times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f32::max);
        let zero = vec![0.0; self.width];
        self.values.chunks_exact(3 * self.width).all(|row| {
            [&row[..self.width], &row[2 * self.width..]].into_iter().all(|tangent| {
                let moved: Vec<f32> = tangent.iter().map(|v| v * longest * 0.15).collect();
                let length = match self.path {
                    Path::Rotation => dot(&moved, &moved).sqrt(),
                    _ => self.distance(&moved, &zero),
                };
                length <= 0.2 * tolerance.value
            })
        })
    }

    /// All keys, rounded.
    pub(super) fn dense(&self, tolerance: Tolerance) -> Keys {
        if self.interpolation == Interpolation::CubicSpline {
            return self.cubic(tolerance);
        }
        self.rounded(0.9 * tolerance.value).as_ref().clone()
    }

    /// The keys of a cubic curve, without those on the curve that the others make.
    fn cubic(&self, tolerance: Tolerance) -> Keys {
        let longest = self.times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f32::max);
        // A tangent moves the value by up to 4/27 of itself for each second between the keys.
        let error = 0.5 * tolerance.value / (1.0 + 0.3 * longest);
        let mut keys = Keys::new(Interpolation::CubicSpline, self.coding(error));
        let row = self.row();
        (0..self.times.len()).for_each(|key| keys.push(self.times[key], &self.values[key * row..][..row]));
        keys
    }

    /// Some of the keys: as few as keep the curve within the tolerance.
    pub(super) fn sparse(&self, tolerance: Tolerance) -> Keys {
        match self.interpolation {
            Interpolation::CubicSpline => self.resampled().sparse(tolerance),
            Interpolation::Step => {
                let mut keys = Keys::new(Interpolation::Step, self.coding(0.3 * tolerance.value));
                let mut held: Option<usize> = None;
                for key in 0..self.times.len() {
                    let near = |held: usize| {
                        self.distance(self.value(held), self.value(key)) <= 0.6 * tolerance.value
                    };
                    if !held.is_some_and(near) {
                        keys.push(self.times[key], self.value(key));
                        held = Some(key);
                    }
                }
                keys
            }
            Interpolation::Linear => self.fewest(&self.rounded(tolerance.of_line()), tolerance),
        }
    }

    /// As few of the rounded keys of a linear track as keep the curve within the tolerance.
    pub(super) fn fewest(&self, rounded: &Keys, tolerance: Tolerance) -> Keys {
        let fits = |i: usize, j: usize| self.fits(rounded, i, j, tolerance);
        self.chosen(rounded, &longest_steps(self.times.len(), fits))
    }

    pub(super) fn is_linear(&self) -> bool {
        self.interpolation == Interpolation::Linear
    }

    /// All keys of a track without tangents, rounded within an error.
    pub(super) fn rounded(&self, error: f32) -> Rc<Keys> {
        let coding = self.coding(error);
        let mut known = self.rounded.borrow_mut();
        Rc::clone(known.entry(coding).or_insert_with(|| Rc::new(self.coded(coding))))
    }

    /// All keys with a coding.
    fn coded(&self, coding: Coding) -> Keys {
        let mut keys = Keys::new(self.interpolation, coding);
        keys.times.reserve(self.times.len());
        keys.values.reserve(self.values.len());
        keys.elements.reserve(4 * self.values.len());
        (0..self.times.len()).for_each(|key| keys.push(self.times[key], self.value(key)));
        keys
    }

    /// Some of the keys of [`Track::rounded`].
    pub(super) fn chosen(&self, all: &Keys, chosen: &[usize]) -> Keys {
        let mut keys = Keys::new(all.interpolation, all.coding);
        let size = all.elements.len() / all.times.len().max(1);
        for &key in chosen {
            keys.times.push(all.times[key]);
            keys.values.extend_from_slice(&all.values[key * self.width..][..self.width]);
            keys.elements.extend_from_slice(&all.elements[key * size..][..size]);
        }
        keys
    }

    /// `true` if a straight line from key `i` to key `j` is within the tolerance of the keys between.
    pub(super) fn fits(&self, rounded: &Keys, i: usize, j: usize, tolerance: Tolerance) -> bool {
        let row = |key: usize| &rounded.values[key * self.width..][..self.width];
        let (a, b) = (row(i), row(j));
        let (begin, length) = (self.times[i], self.times[j] - self.times[i]);
        let mut between = [0.0f32; 4];
        let mut many = Vec::new();
        let arc = (self.path == Path::Rotation).then(|| Arc::new(a, b));
        // The keys at both ends of a long line rarely decide, so the test begins in the middle.
        let count = j - i - 1;
        (0..count).map(|n| i + 1 + (n + count / 2) % count.max(1)).all(|key| {
            let part = (self.times[key] - begin) / length;
            let value = match &arc {
                Some(arc) => {
                    between = arc.at(part);
                    &between[..]
                }
                None if self.width <= 4 => {
                    between.iter_mut().zip(a.iter().zip(b)).for_each(|(v, (a, b))| *v = a + (b - a) * part);
                    &between[..self.width]
                }
                None => {
                    many.clear();
                    many.extend(a.iter().zip(b).map(|(a, b)| a + (b - a) * part));
                    &many
                }
            };
            self.distance(value, self.value(key)) <= tolerance.value
        })
    }

    /// A cubic curve as short straight lines.
    fn resampled(&self) -> Self {
        const STEPS: usize = 8;
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for key in 0..self.times.len() {
            let last = key + 1 == self.times.len();
            for step in 0..if last { 1 } else { STEPS } {
                let part = step as f32 / STEPS as f32;
                let begin = self.times[key];
                let length = if last { 0.0 } else { self.times[key + 1] - begin };
                let time = begin + length * part;
                if times.last().is_some_and(|&before| before >= time) {
                    continue;
                }
                times.push(time);
                values.extend(if last { self.value(key).to_vec() } else { self.hermite(key, part, length) });
            }
        }
        let (interpolation, reach) = (Interpolation::Linear, self.reach.clone());
        let (rounding, rounded) = (Cell::default(), RefCell::default());
        Self { times, values, interpolation, reach, rest: self.rest.clone(), rounding, rounded, ..*self }
    }

    /// The value between two keys of a cubic curve; rotations have unit length.
    fn hermite(&self, key: usize, t: f32, length: f32) -> Vec<f32> {
        let (w, row) = (self.width, 3 * self.width);
        let (from, to) = (&self.values[key * row..][..row], &self.values[(key + 1) * row..][..row]);
        let (t2, t3) = (t * t, t * t * t);
        let mut out: Vec<f32> = (0..w)
            .map(|i| {
                (2.0 * t3 - 3.0 * t2 + 1.0) * from[w + i]
                    + (t3 - 2.0 * t2 + t) * length * from[2 * w + i]
                    + (3.0 * t2 - 2.0 * t3) * to[w + i]
                    + (t3 - t2) * length * to[i]
            })
            .collect();
        if self.path == Path::Rotation {
            let length = dot(&out, &out).sqrt();
            if length > 1e-6 {
                out.iter_mut().for_each(|value| *value /= length);
            }
        }
        out
    }
}

/// The largest exponent of a power of two whose multiples are within an error of any number.
pub(super) fn exponent_within(error: f32) -> i32 {
    let exponent = (2.0 * error).max(1e-30).log2().floor() as i32;
    exponent.clamp(-60, 60)
}

/// The keys of the longest steps for which `fits` is `true`, from the first key to the last one.
pub(super) fn longest_steps(count: usize, fits: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut chosen = vec![0];
    let mut at = 0;
    while at + 1 < count {
        // The step is doubled as long as it fits, then halved.
        let (mut good, mut step) = (1, 2);
        while at + step < count && fits(at, at + step) {
            good = step;
            step *= 2;
        }
        let mut bad = step.min(count - at);
        if at + good + 1 < count && bad == count - at && good < bad - 1 && fits(at, count - 1) {
            good = count - 1 - at;
        }
        while good + 1 < bad {
            let middle = good + (bad - good) / 2;
            if fits(at, at + middle) { good = middle } else { bad = middle }
        }
        at += good;
        chosen.push(at);
    }
    chosen
}

/// The arc between two rotations.
struct Arc {
    a: [f32; 4],
    b: [f32; 4],
    angle: f32,
}

impl Arc {
    fn new(a: &[f32], b: &[f32]) -> Self {
        let cosine = dot(a, b);
        let turn = if cosine < 0.0 { -1.0 } else { 1.0 };
        let at = |values: &[f32], turn: f32| std::array::from_fn(|i| values[i] * turn);
        Self { a: at(a, 1.0), b: at(b, turn), angle: cosine.abs().min(1.0).acos() }
    }

    fn at(&self, part: f32) -> [f32; 4] {
        let (p, q) = if self.angle < 0.02 {
            (1.0 - part, part)
        } else {
            (((1.0 - part) * self.angle).sin(), (part * self.angle).sin())
        };
        let mut out: [f32; 4] = std::array::from_fn(|i| p * self.a[i] + q * self.b[i]);
        let scale = 1.0 / dot(&out, &out).sqrt().max(1e-20);
        out.iter_mut().for_each(|value| *value *= scale);
        out
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The distance of two unit quaternions, of which either sign is the same rotation: about half the angle between them.
fn chord(a: &[f32], b: &[f32]) -> f32 {
    let length = |values: &[f32]| 1.0 / dot(values, values).sqrt().max(1e-20);
    let (x, y) = (length(a), length(b));
    let turn = if dot(a, b) < 0.0 { -1.0 } else { 1.0 };
    a.iter().zip(b).map(|(a, b)| (a * x - turn * b * y).powi(2)).sum::<f32>().sqrt()
}

impl Track {
    /// The first key alone, nearly exact.
    pub(super) fn first_key(&self) -> Keys {
        let value = self.value(0).to_vec();
        let one = Self { interpolation: Interpolation::Linear, ..self.one_key(&value) };
        let mut keys = Keys::new(Interpolation::Linear, one.coding(1e-5));
        keys.push(self.times[0], &value);
        keys
    }
}

impl Keys {
    /// Adds a key with the last value.
    pub(super) fn repeat_last(&mut self, time: f32) {
        let count = self.times.len().max(1);
        let (values, elements) = (self.values.len() / count, self.elements.len() / count);
        self.values.extend_from_within(self.values.len() - values..);
        self.elements.extend_from_within(self.elements.len() - elements..);
        self.times.push(time);
    }
}
