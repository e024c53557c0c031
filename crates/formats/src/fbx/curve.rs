//! Keys of glTF for a function of time whose curves are those of FBX.
//!
//! glTF's cubic splines equal FBX's curves where these are polynomials of the time, and can be fitted to any smooth
//! function. So the keys of the file are kept. Between two keys, more are added only where a spline deviates.

use crate::scene::Interpolation;

/// A time where a property has a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Knot {
    time: f64,
    /// The function may jump here.
    jump: bool,
    /// The largest change of the curves until the next knot, in their own unit.
    sweep: f64,
    /// The curves are polynomials of the time until the next knot, of degree 3 at most.
    polynomial: bool,
}

/// The maximum number of knots that repeated curves add to a property.
const MOST_REPEATS: usize = 1 << 16;

/// The keys of curves within a clip, with knots at its begin and end.
pub(super) fn knots(curves: &[&ufbx::AnimCurve], begin: f64, end: f64) -> Vec<Knot> {
    let knot = |time, jump| Knot { time, jump, sweep: 0.0, polynomial: true };
    let mut knots = vec![knot(begin, false), knot(end, false)];
    let mut repeats = MOST_REPEATS;
    for curve in curves {
        let mut held = false;
        for key in &curve.keyframes {
            let holds = is_step(key);
            knots.push(knot(key.time, held || holds));
            held = holds;
        }
        let period = curve.max_time - curve.min_time;
        let repeated = |side: &ufbx::Extrapolation| {
            !matches!(side.mode, ufbx::ExtrapolationMode::Constant | ufbx::ExtrapolationMode::Slope)
        };
        let sides = [
            (repeated(&curve.pre_extrapolation) && begin < curve.min_time, -1.0),
            (repeated(&curve.post_extrapolation) && end > curve.max_time, 1.0),
        ];
        for (_, direction) in sides.into_iter().filter(|&(used, _)| used && period > 0.0) {
            for pass in 1.. {
                let shift = f64::from(pass) * period * direction;
                let outside = if direction > 0.0 {
                    curve.min_time + shift > end
                } else {
                    curve.max_time + shift < begin
                };
                if outside || repeats < curve.keyframes.len() {
                    break;
                }
                repeats -= curve.keyframes.len();
                for key in &curve.keyframes {
                    // A mirrored pass goes backwards.
                    knots.push(knot(key.time + shift, true));
                    knots.push(knot(curve.min_time + curve.max_time - key.time + shift, true));
                }
            }
        }
    }
    knots.retain(|knot| knot.time >= begin && knot.time <= end);
    knots.sort_by(|a, b| a.time.total_cmp(&b.time));
    knots.dedup_by(|later, earlier| {
        let same = later.time - earlier.time < 2.0 * LIMIT;
        earlier.jump |= same && later.jump;
        // The end of the clip stays where it is.
        earlier.time = if same && later.time == end { end } else { earlier.time };
        same
    });
    if let Some(first) = knots.first_mut() {
        first.time = begin;
    }
    knots
}

/// Completes knots with the changes of curves between them.
pub(super) fn measure(knots: &mut [Knot], curves: &[&ufbx::AnimCurve]) {
    for i in 1..knots.len() {
        let (from, to) = (knots[i - 1].time, knots[i].time);
        for curve in curves {
            let (sweep, polynomial) = sweep(curve, from, to);
            knots[i - 1].sweep += if sweep.is_finite() { sweep } else { 0.0 };
            knots[i - 1].polynomial &= polynomial;
        }
    }
}

fn is_step(key: &ufbx::Keyframe) -> bool {
    matches!(key.interpolation, ufbx::Interpolation::ConstantPrev | ufbx::Interpolation::ConstantNext)
}

/// A limit of the change of a curve between two knots, and `true` if it is a polynomial of the time.
fn sweep(curve: &ufbx::AnimCurve, from: f64, to: f64) -> (f64, bool) {
    let keys = &curve.keyframes;
    let middle = 0.5 * (from + to);
    let at = keys.as_ref().partition_point(|key| key.time <= middle);
    if at > 0 && at < keys.len() {
        let (a, b) = (&keys[at - 1], &keys[at]);
        let change = b.value - a.value;
        return match a.interpolation {
            ufbx::Interpolation::Cubic => {
                let (out, into) = (f64::from(a.right.dy), f64::from(b.left.dy));
                let third = (b.time - a.time) / 3.0;
                let is_third = |dx: f32| (f64::from(dx) - third).abs() <= 1e-4 * third;
                // The length of the control polygon.
                let length = out.abs() + into.abs() + (change - out - into).abs();
                (length, is_third(a.right.dx) && is_third(b.left.dx))
            }
            ufbx::Interpolation::Linear => (change.abs(), true),
            _ => (0.0, true),
        };
    }
    let side = if at == 0 { &curve.pre_extrapolation } else { &curve.post_extrapolation };
    match side.mode {
        ufbx::ExtrapolationMode::Constant => (0.0, true),
        ufbx::ExtrapolationMode::Slope => {
            let [start, end] = [from, to].map(|time| ufbx::evaluate_curve(curve, time, 0.0));
            ((end - start).abs(), true)
        }
        _ => (curve.max_value - curve.min_value, false),
    }
}

/// The distance from a jump where the function is sampled on its two sides, in seconds.
const LIMIT: f64 = 1e-8;

/// The number of components that splits of curves may still add in the whole file.
pub(super) struct Splits {
    pub(super) left: usize,
    /// A curve needed more.
    pub(super) short: bool,
}

impl Splits {
    /// Takes components, if there are enough.
    fn take(&mut self, components: usize) -> bool {
        let enough = components <= self.left;
        self.left -= if enough { components } else { 0 };
        self.short |= !enough;
        enough
    }
}

/// A function of time that is to be said in keys.
pub(super) struct Property<'a> {
    pub(super) form: Form,
    pub(super) knots: Vec<Knot>,
    pub(super) splits: &'a mut Splits,
    /// The number of layers that a sample combines.
    pub(super) layers: usize,
    /// Writes finite numbers.
    pub(super) sample: &'a mut dyn FnMut(f64, &mut [f64]),
}

/// The type of a function's values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// The number of components.
    pub(super) width: usize,
    /// The components are a unit quaternion, and the curves are degrees.
    pub(super) rotation: bool,
    pub(super) kind: Kind,
    /// The largest deviation of a component, or of the angle of a rotation in radians.
    pub(super) tolerance: f64,
}

/// The dependence of a function on its curves, which tells the samples that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Linear: a spline equals polynomials.
    Linear,
    /// Smooth, by angles in degrees.
    Angles,
    /// Any other.
    Other,
}

/// Keys, or the value of a constant property.
#[derive(Debug, PartialEq)]
pub(super) enum Keys {
    Constant(Vec<f64>),
    Keys { interpolation: Interpolation, times: Vec<f32>, values: Vec<f32> },
}

/// Positions in a piece where the function is sampled, in sixths.
const SAMPLES: usize = 7;

/// A part between two knots, with its samples: `SAMPLES` rows at equal distances.
struct Piece {
    from: f64,
    to: f64,
    rows: Vec<f64>,
    /// The rows that are not sampled but interpolated.
    interpolated: &'static [usize],
}

impl Piece {
    fn row(&self, i: usize) -> &[f64] {
        let width = self.rows.len() / SAMPLES;
        &self.rows[i * width..(i + 1) * width]
    }
}

/// The maximum number of pieces between two keys for turns beyond 90°.
const MOST_TURNS: f64 = 1024.0;

/// Angles that change by less, in degrees, need fewer samples.
const SMALL: f64 = 15.0;

/// The maximum number of times that a piece is halved.
const MOST_HALVES: u32 = 8;

impl Property<'_> {
    /// Finds the simplest keys that say the function. Times are those of the clip, from 0.
    pub(super) fn keys(mut self) -> Keys {
        let pieces = self.pieces();
        let mut last = vec![0.0; self.form.width];
        let end = self.knots.last().map_or(0.0, |knot| knot.time);
        (self.sample)(end, &mut last);
        if let Some(piece) = pieces.last() {
            self.align(&mut last, piece.row(SAMPLES - 1));
        }
        let first = pieces.first().map_or(&last[..], |piece| piece.row(0)).to_vec();
        let near = |a: &[f64], b: &[f64], tolerance| self.distance(a, b) <= tolerance;
        let constant = self.form.tolerance * 0.1;
        let rows = || pieces.iter().flat_map(|piece| (0..SAMPLES).map(|i| piece.row(i)));
        if rows().all(|row| near(row, &first, constant)) && near(&last, &first, constant) {
            return Keys::Constant(first);
        }
        let all = |test: &dyn Fn(&Piece, usize) -> bool| {
            pieces.iter().all(|piece| (1..SAMPLES).all(|i| test(piece, i)))
        };
        let begin = self.knots[0].time;
        let mut keys = Writer {
            begin,
            width: self.form.width,
            times: Vec::new(),
            rows: Vec::new(),
            tangents: Vec::new(),
        };
        if all(&|piece, i| near(piece.row(i), piece.row(0), constant)) {
            for piece in &pieces {
                keys.step(piece.from, piece.row(0), &|a, b| near(a, b, constant));
            }
            keys.key(end, &last);
            return keys.finish(Interpolation::Step);
        }
        let is_line = |piece: &Piece, scratch: &mut [f64]| {
            (1..SAMPLES - 1).all(|i| {
                self.line(piece, i, scratch);
                near(piece.row(i), scratch, self.form.tolerance)
            })
        };
        let mut scratch = vec![0.0; self.form.width];
        if pieces.iter().all(|piece| is_line(piece, &mut scratch)) {
            for piece in &pieces {
                keys.piece(piece, None, &|a, b| near(a, b, constant));
            }
            keys.end(end, &last, &|a, b| near(a, b, constant));
            return keys.finish(Interpolation::Linear);
        }
        // Pieces still to do, the next one last.
        let mut open: Vec<(Piece, u32)> = pieces.into_iter().rev().map(|piece| (piece, 0)).collect();
        while let Some((piece, halves)) = open.pop() {
            let tangents = tangents(&piece);
            let fits = [(1, 1.0), (3, 0.5), (5, 1.0)].into_iter().all(|(i, share)| {
                self.spline(&piece, &tangents, i, &mut scratch);
                self.distance(piece.row(i), &scratch) <= self.form.tolerance * share
            });
            if fits || halves == MOST_HALVES || !self.splits.take(self.form.width * self.layers) {
                let near = |a: &[f64], b: &[f64]| self.distance(a, b) <= constant;
                keys.piece(&piece, Some(&tangents), &near);
            } else {
                let [left, right] = self.halve(&piece);
                open.push((right, halves + 1));
                open.push((left, halves + 1));
            }
        }
        keys.end(end, &last, &|a, b| self.distance(a, b) <= constant);
        keys.finish(Interpolation::CubicSpline)
    }

    /// Samples all pieces. Turns of more than 90° are split, since equal rotations look the same after a full turn.
    fn pieces(&mut self) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        for i in 1..self.knots.len() {
            let (start, stop) = (self.knots[i - 1], self.knots[i]);
            let turns = if self.form.rotation {
                (start.sweep / 90.0).ceil().clamp(1.0, MOST_TURNS) as usize
            } else {
                1
            };
            let added = (turns - 1) * self.form.width * self.layers;
            let turns = if self.splits.take(added) { turns } else { 1 };
            let interpolated: &'static [usize] = match self.form.kind {
                Kind::Linear if start.polynomial => &[1, 3, 5],
                // The deviation of a spline is largest near 1/6 and 5/6, and half as large in the middle.
                Kind::Angles if start.polynomial && start.sweep < SMALL => &[1, 5],
                _ => &[],
            };
            for turn in 0..turns {
                let time = |turn| start.time + (stop.time - start.time) * (turn as f64 / turns as f64);
                let (from, to) = (time(turn), if turn + 1 == turns { stop.time } else { time(turn + 1) });
                let jumps = [turn == 0 && start.jump, turn + 1 == turns && stop.jump];
                let piece = self.piece(from, to, jumps, interpolated, pieces.last());
                pieces.push(piece);
            }
        }
        pieces
    }

    /// Samples a piece, but for the rows that the others interpolate.
    fn piece(
        &mut self,
        from: f64,
        to: f64,
        jumps: [bool; 2],
        interpolated: &'static [usize],
        last: Option<&Piece>,
    ) -> Piece {
        let width = self.form.width;
        let mut rows = vec![0.0; SAMPLES * width];
        match last {
            // The end of the last piece is the start of this one.
            Some(last) if !jumps[0] => rows[..width].copy_from_slice(last.row(SAMPLES - 1)),
            _ => {
                let row = &mut rows[..width];
                (self.sample)(from + if jumps[0] { LIMIT } else { 0.0 }, row);
                if let Some(last) = last {
                    self.align(row, last.row(SAMPLES - 1));
                }
            }
        }
        let mut previous = 0;
        for sixth in (1..SAMPLES).filter(|sixth| !interpolated.contains(sixth)) {
            let aside = if sixth == SAMPLES - 1 && jumps[1] { LIMIT } else { 0.0 };
            let (before, row) = rows.split_at_mut(sixth * width);
            let row = &mut row[..width];
            (self.sample)(from + (to - from) * (sixth as f64 / 6.0) - aside, row);
            self.align(row, &before[previous * width..][..width]);
            previous = sixth;
        }
        for &sixth in interpolated {
            // Lagrange's polynomials of the samples at 0, 1/3, 2/3 and 1.
            let weights = match sixth {
                1 => [0.3125, 0.9375, -0.3125, 0.0625],
                3 => [-0.0625, 0.5625, 0.5625, -0.0625],
                _ => [0.0625, -0.3125, 0.9375, 0.3125],
            };
            for i in 0..width {
                let value = |k: usize| weights[k] * rows[2 * k * width + i];
                rows[sixth * width + i] = value(0) + value(1) + value(2) + value(3);
            }
        }
        Piece { from, to, rows, interpolated }
    }

    fn halve(&mut self, piece: &Piece) -> [Piece; 2] {
        let middle = 0.5 * (piece.from + piece.to);
        [(piece.from, middle, 0), (middle, piece.to, 3)].map(|(from, to, first)| {
            let mut rows = vec![0.0; SAMPLES * self.form.width];
            for sixth in 0..SAMPLES {
                let (before, row) = rows.split_at_mut(sixth * self.form.width);
                let row = &mut row[..self.form.width];
                let whole = first + sixth / 2;
                if sixth % 2 == 0 && !piece.interpolated.contains(&whole) {
                    row.copy_from_slice(piece.row(whole));
                } else {
                    (self.sample)(from + (to - from) * (sixth as f64 / 6.0), row);
                    let previous = before.len().checked_sub(self.form.width).map(|at| &before[at..]);
                    self.align(row, previous.unwrap_or(piece.row(whole)));
                }
            }
            Piece { from, to, rows, interpolated: &[] }
        })
    }

    /// Chooses that of the two quaternions of a rotation that is nearer to `to`.
    fn align(&self, row: &mut [f64], to: &[f64]) {
        if self.form.rotation && dot(row, to) < 0.0 {
            row.iter_mut().for_each(|x| *x = -*x);
        }
    }

    /// The largest difference of a component; of rotations the angle.
    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        if self.form.rotation {
            2.0 * differences.map(|d| d * d).sum::<f64>().sqrt()
        } else {
            differences.fold(0.0, f64::max)
        }
    }

    /// Writes the row that linear interpolation gives, spherical for rotations.
    fn line(&self, piece: &Piece, i: usize, out: &mut [f64]) {
        let (a, b) = (piece.row(0), piece.row(SAMPLES - 1));
        let t = i as f64 / 6.0;
        let (mut from, mut to) = (1.0 - t, t);
        if self.form.rotation {
            // Players take the shorter way.
            let cosine = dot(a, b);
            let angle = libm::acos(cosine.abs().min(1.0));
            if angle > 1e-6 {
                from = libm::sin(from * angle) / libm::sin(angle);
                to = libm::sin(to * angle) / libm::sin(angle) * cosine.signum();
            }
        }
        for (i, out) in out.iter_mut().enumerate() {
            *out = a[i] * from + b[i] * to;
        }
    }

    /// Writes the row that a cubic spline gives; of rotations its direction.
    fn spline(&self, piece: &Piece, tangents: &[f64], i: usize, out: &mut [f64]) {
        let (a, b) = (piece.row(0), piece.row(SAMPLES - 1));
        let (leave, arrive) = tangents.split_at(self.form.width);
        let t = i as f64 / 6.0;
        let (t2, t3) = (t * t, t * t * t);
        for (c, out) in out.iter_mut().enumerate() {
            *out = (2.0 * t3 - 3.0 * t2 + 1.0) * a[c]
                + (t3 - 2.0 * t2 + t) * leave[c]
                + (3.0 * t2 - 2.0 * t3) * b[c]
                + (t3 - t2) * arrive[c];
        }
        if self.form.rotation {
            let length = dot(out, out).sqrt();
            out.iter_mut().for_each(|x| *x /= length);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The tangents of the cubic through the samples at 0, 1/3, 2/3 and 1, for a piece of length 1: out of its start, then
/// into its end.
fn tangents(piece: &Piece) -> Vec<f64> {
    let [a, b, c, d] = [0, 2, 4, 6].map(|i| piece.row(i));
    let out = (0..a.len()).map(|i| (-11.0 * a[i] + 18.0 * b[i] - 9.0 * c[i] + 2.0 * d[i]) / 2.0);
    let into = (0..a.len()).map(|i| (-2.0 * a[i] + 9.0 * b[i] - 18.0 * c[i] + 11.0 * d[i]) / 2.0);
    out.chain(into).collect()
}

/// Collects keys, with times as 32-bit floats that increase.
struct Writer {
    begin: f64,
    width: usize,
    times: Vec<f32>,
    rows: Vec<f64>,
    /// The tangents from each key to the next one, per second; empty without splines.
    tangents: Vec<f64>,
}

impl Writer {
    fn last(&self) -> &[f64] {
        &self.rows[self.rows.len() - self.width..]
    }

    /// Adds a key. A time that is not after that of the last key replaces its value.
    fn key(&mut self, time: f64, row: &[f64]) {
        self.key_at((time - self.begin) as f32, row);
    }

    fn key_at(&mut self, time: f32, row: &[f64]) {
        if self.times.last().is_some_and(|&last| last >= time) {
            self.rows.truncate(self.rows.len() - self.width);
        } else {
            self.times.push(time);
        }
        self.rows.extend(row);
    }

    fn step(&mut self, time: f64, row: &[f64], near: &dyn Fn(&[f64], &[f64]) -> bool) {
        if self.times.is_empty() || !near(self.last(), row) {
            self.key(time, row);
        }
    }

    /// Adds the keys of a piece: its start, if that is not the end of the last piece, and its end.
    fn piece(&mut self, piece: &Piece, tangents: Option<&[f64]>, near: &dyn Fn(&[f64], &[f64]) -> bool) {
        self.end(piece.from, piece.row(0), near);
        let start = self.times[self.times.len() - 1];
        self.key(piece.to, piece.row(SAMPLES - 1));
        let seconds = f64::from(self.times[self.times.len() - 1]) - f64::from(start);
        if let Some(tangents) = tangents
            && seconds > 0.0
        {
            self.tangents.resize((self.times.len() - 2) * 2 * self.width, 0.0);
            self.tangents.extend(tangents.iter().map(|tangent| tangent / seconds));
        }
    }

    /// Adds a key where the last piece ends, if the function jumps there: then the last key moves before it.
    fn end(&mut self, time: f64, row: &[f64], near: &dyn Fn(&[f64], &[f64]) -> bool) {
        let seconds = (time - self.begin) as f32;
        let count = self.times.len();
        if count > 0 && near(self.last(), row) {
            return;
        }
        if count > 0 && self.times[count - 1] == seconds {
            let before = seconds.next_down();
            if count == 1 || self.times[count - 2] < before {
                self.times[count - 1] = before;
            }
        }
        self.key_at(seconds, row);
    }

    fn finish(mut self, interpolation: Interpolation) -> Keys {
        let width = self.width;
        let rows = |i: usize| self.rows[i * width..(i + 1) * width].iter().map(|&x| super::finite(x));
        let mut values = Vec::new();
        if interpolation == Interpolation::CubicSpline {
            self.tangents.resize(self.times.len() * 2 * width, 0.0);
            let tangents =
                |i: usize| self.tangents[i * width..(i + 1) * width].iter().map(|&x| super::finite(x));
            for i in 0..self.times.len() {
                match i.checked_sub(1) {
                    Some(previous) => values.extend(tangents(2 * previous + 1)),
                    None => values.extend(vec![0.0; width]),
                }
                values.extend(rows(i));
                values.extend(tangents(2 * i));
            }
        } else {
            values = (0..self.times.len()).flat_map(rows).collect();
        }
        Keys::Keys { interpolation, times: self.times, values }
    }
}
