//! Inertial blending: after a change, the offset from the new pose to the displayed pose decays to zero.
//!
//! The old motion is not played on. At the change, the difference between the displayed pose and the new pose
//! is stored, with its velocity. It then decays on a curve that starts with that value and velocity. At the
//! end of the duration value, velocity and acceleration are 0:
//!
//! ```text
//! offset(s) = value · h₀(s) + velocity · duration · h₁(s)        s = time since the change / duration, 0 … 1
//! h₀(s) = (1 − s)³ (1 + 3s + 6s²)        h₁(s) = s (1 − s)³ (1 + 3s)
//! ```
//!
//! Morph weights have a shorter duration, [`WEIGHTS`] at most. A face has no mass, and a closed eyelid would
//! otherwise stay closed for as long as an arm moves.
//!
//! Rotation offsets are modified Rodrigues parameters, `tan(angle / 4) · axis`. They convert to and from
//! quaternions without trigonometry.

use super::blend::{vector, vector_mut};
use super::mix::{Change, Mix};
use super::mixer::Mixer;
use crate::animation::pose::Pose;
use crate::animation::rig::Rig;
use crate::base::deferred::second_module_runs;
use crate::base::{F32x4, deferred};
use gambol_kernels::TransformX4;

/// The longest duration for morph weights, in seconds.
const WEIGHTS: f64 = 0.1;

/// An inertial transition: a pure function of its initial values and the clock.
#[derive(Debug, Clone, Default)]
pub struct Inertia {
    /// Start time on the actor's clock, in seconds.
    start: f64,
    /// In seconds; 0 without a transition.
    duration: f64,
    translations: Vec<Offset>,
    rotations: Vec<Offset>,
    scales: Vec<Offset>,
    /// Offsets of morph weights, which decay within [`WEIGHTS`].
    weights: Vec<NumberOffset>,
    properties: Vec<NumberOffset>,
    /// Buffers of [`Inertia::change`]; empty before the first call.
    poses: Vec<Pose>,
}

/// The offset of a vector or rotation for four nodes.
#[derive(Debug, Clone, Copy)]
struct Offset {
    group: u32,
    value: [F32x4; 3],
    /// Per second.
    velocity: [F32x4; 3],
}

#[derive(Debug, Clone, Copy)]
struct NumberOffset {
    at: u32,
    value: f32,
    velocity: f32,
}

/// Two poses `delta` seconds apart, for a value and a velocity.
type Pair<'a> = [&'a Pose; 2];

deferred! {
    fn begin(inertia: &mut Inertia, rig: &Rig, mixer: &mut Mixer, change: &mut Change) = Inertia::begin;
    fn decay(inertia: &Inertia, clock: f64, pose: &mut Pose) = Inertia::decay;
}

impl Inertia {
    /// No transition.
    pub fn new() -> Self {
        Self::default()
    }

    /// Applies a change of a player: ends the active transition, or starts another one from the displayed
    /// pose.
    ///
    /// - `mixer`: evaluates the mixes of the change.
    ///
    /// # Panics
    /// If the change is of another model.
    pub fn change(&mut self, rig: &Rig, mixer: &mut Mixer, change: &mut Change) {
        if change.cut {
            self.clear();
        }
        // Without the second module it is a cut.
        if change.duration > 0.0 && second_module_runs() {
            begin(self, rig, mixer, change);
        }
    }

    fn begin(&mut self, rig: &Rig, mixer: &mut Mixer, change: &mut Change) {
        let Change { at, delta, duration, ref mut before, ref mut after, .. } = *change;
        let mut poses = std::mem::take(&mut self.poses);
        poses.resize_with(4, || rig.rest_pose().clone());
        for mixes in [&mut *before, &mut *after] {
            hold_wraps(mixes, delta);
        }
        for (mix, pose) in before.iter().chain(&*after).zip(&mut poses) {
            mixer.evaluate(rig, mix, pose);
        }
        if let [now, next, after, after_next] = poses.as_mut_slice() {
            self.apply(at, now);
            self.apply(at + delta, next);
            self.start(rig, at, duration, delta, [now, next], [after, after_next]);
        }
        self.poses = poses;
    }

    /// Starts a transition, which replaces the active one.
    ///
    /// - `clock`: the current time, in seconds.
    /// - `duration`: seconds; no effect unless it is finite and above 0.
    /// - `before`: the displayed pose now, and the pose `delta` seconds later without the change.
    /// - `after`: the new poses at the same two times.
    ///
    /// # Panics
    /// If a pose is of another model.
    pub fn start(
        &mut self,
        rig: &Rig,
        clock: f64,
        duration: f64,
        delta: f64,
        before: [&Pose; 2],
        after: [&Pose; 2],
    ) {
        self.clear();
        if !(duration > 0.0 && duration.is_finite() && delta > 0.0) {
            return;
        }
        (self.start, self.duration) = (clock, duration);
        let rate = (1.0 / delta) as f32;
        vector_offsets::<false>(before, after, rate, &mut self.translations);
        rotation_offsets(before, after, rate, &mut self.rotations);
        vector_offsets::<true>(before, after, rate, &mut self.scales);
        number_offsets(before, after, rate, |pose| &pose.weights, |_| true, &mut self.weights);
        let blends = |at: usize| rig.node_of_property()[at].is_none();
        number_offsets(before, after, rate, |pose| &pose.properties, blends, &mut self.properties);
    }

    /// Ends the transition immediately.
    pub fn clear(&mut self) {
        self.duration = 0.0;
        for offsets in [&mut self.translations, &mut self.rotations, &mut self.scales] {
            offsets.clear();
        }
        self.weights.clear();
        self.properties.clear();
    }

    /// `true` if [`Inertia::apply`] changes poses at `clock`.
    pub fn is_active(&self, clock: f64) -> bool {
        self.duration > 0.0 && clock < self.start + self.duration
    }

    /// Adds the remaining offsets at `clock` to the pose; none after the end of the transition.
    ///
    /// Before the start the offsets are those at the start.
    ///
    /// # Panics
    /// If the pose is of another model.
    pub fn apply(&self, clock: f64, pose: &mut Pose) {
        if self.is_active(clock) {
            decay(self, clock, pose);
        }
    }

    fn decay(&self, clock: f64, pose: &mut Pose) {
        let (of_value, of_velocity) = self.factors(clock, self.duration);
        let factors = (F32x4::splat(of_value), F32x4::splat(of_velocity));
        move_vectors::<false>(&self.translations, factors, &mut pose.groups);
        turn(&self.rotations, factors, &mut pose.groups);
        move_vectors::<true>(&self.scales, factors, &mut pose.groups);
        move_numbers(&self.properties, (of_value, of_velocity), &mut pose.properties);
        let of_weights = self.factors(clock, self.duration.min(WEIGHTS));
        move_numbers(&self.weights, of_weights, &mut pose.weights);
    }

    /// Returns `h₀` and `duration · h₁` at `clock`; both are 0 after the end of `duration`.
    fn factors(&self, clock: f64, duration: f64) -> (f32, f32) {
        let s = ((clock - self.start) / duration).clamp(0.0, 1.0);
        let left = (1.0 - s) * (1.0 - s) * (1.0 - s);
        let of_value = left * (1.0 + 3.0 * s + 6.0 * s * s);
        let of_velocity = duration * s * left * (1.0 + 3.0 * s);
        (of_value as f32, of_velocity as f32)
    }
}

/// The highest playback rate at which a clip's velocity counts. A larger step is a wrap of the loop.
const FASTEST: f64 = 64.0;

/// Holds clips that wrap between the two mixes, so their velocity is 0. If the ends of a loop do not match,
/// the difference of the two poses would give a huge velocity.
fn hold_wraps([now, next]: &mut [Mix; 2], delta: f64) {
    if now.contributions.len() != next.contributions.len() {
        return;
    }
    for (now, next) in now.contributions.iter().zip(&mut next.contributions) {
        if now.clip == next.clip && !((next.time - now.time).abs() <= FASTEST * delta) {
            next.time = now.time;
        }
    }
}

/// `true` if value and velocity of all four nodes are 0.
fn is_still([x, y, z]: [F32x4; 3], [u, v, w]: [F32x4; 3]) -> bool {
    let zero = F32x4::zero();
    x == zero && y == zero && z == zero && u == zero && v == zero && w == zero
}

#[inline(never)]
fn vector_offsets<const SCALE: bool>(
    before: Pair<'_>,
    after: Pair<'_>,
    rate: f32,
    offsets: &mut Vec<Offset>,
) {
    let rate = F32x4::splat(rate);
    for g in 0..after[0].groups.len() {
        let of = |i: usize| {
            let (p, q) = (vector::<SCALE>(&before[i].groups[g]), vector::<SCALE>(&after[i].groups[g]));
            [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
        };
        let (value, next) = (of(0), of(1));
        let velocity =
            [(next[0] - value[0]) * rate, (next[1] - value[1]) * rate, (next[2] - value[2]) * rate];
        if !is_still(value, velocity) {
            offsets.push(Offset { group: g as u32, value, velocity });
        }
    }
}

#[inline(never)]
fn rotation_offsets(before: Pair<'_>, after: Pair<'_>, rate: f32, offsets: &mut Vec<Offset>) {
    let rate = F32x4::splat(rate);
    for g in 0..after[0].groups.len() {
        let first = turn_between(&before[0].groups[g], &after[0].groups[g]);
        let second = turn_between(&before[1].groups[g], &after[1].groups[g]);
        // The first takes the shorter arc. The second has the sign closest to the first, so that the
        // difference is a velocity.
        let [x, y, z, w] = first;
        let [x, y, z, w] = [x.with_signs_of(w), y.with_signs_of(w), z.with_signs_of(w), w.with_signs_of(w)];
        let dot = (x * second[0] + y * second[1]) + (z * second[2] + w * second[3]);
        let value = rodrigues([x, y, z, w]);
        let next = rodrigues(second.map(|part| part.with_signs_of(dot)));
        let velocity =
            [(next[0] - value[0]) * rate, (next[1] - value[1]) * rate, (next[2] - value[2]) * rate];
        if !is_still(value, velocity) {
            offsets.push(Offset { group: g as u32, value, velocity });
        }
    }
}

/// The unit quaternion `before · after⁻¹`.
#[inline(always)]
fn turn_between(before: &TransformX4, after: &TransformX4) -> [F32x4; 4] {
    let ([px, py, pz, pw], [qx, qy, qz, qw]) = (before.rotation, after.rotation);
    let x = (px * qw - pw * qx) + (pz * qy - py * qz);
    let y = (py * qw - pw * qy) + (px * qz - pz * qx);
    let z = (pz * qw - pw * qz) + (py * qx - px * qy);
    let w = (pw * qw + px * qx) + (py * qy + pz * qz);
    let norm = (x * x + y * y) + (z * z + w * w);
    let unit = F32x4::splat(1.0) / norm.max(F32x4::splat(f32::MIN_POSITIVE)).sqrt();
    [x * unit, y * unit, z * unit, w * unit]
}

/// Modified Rodrigues parameters: `tan(angle / 4) · axis`.
#[inline(always)]
fn rodrigues([x, y, z, w]: [F32x4; 4]) -> [F32x4; 3] {
    let factor = F32x4::splat(1.0) / (F32x4::splat(1.0) + w);
    [x * factor, y * factor, z * factor]
}

fn number_offsets<'a>(
    before: Pair<'a>,
    after: Pair<'a>,
    rate: f32,
    list: impl Fn(&'a Pose) -> &'a [f32],
    blends: impl Fn(usize) -> bool,
    offsets: &mut Vec<NumberOffset>,
) {
    let of = |i: usize, at: usize| list(before[i])[at] - list(after[i])[at];
    for at in (0..list(after[0]).len()).filter(|&at| blends(at)) {
        let value = of(0, at);
        let velocity = (of(1, at) - value) * rate;
        if value != 0.0 || velocity != 0.0 {
            offsets.push(NumberOffset { at: at as u32, value, velocity });
        }
    }
}

#[inline(never)]
fn move_vectors<const SCALE: bool>(
    offsets: &[Offset],
    (of_value, of_velocity): (F32x4, F32x4),
    groups: &mut [TransformX4],
) {
    for Offset { group, value: [x, y, z], velocity: [u, v, w] } in offsets {
        let [tx, ty, tz] = vector_mut::<SCALE>(&mut groups[*group as usize]);
        *tx = *tx + (*x * of_value + *u * of_velocity);
        *ty = *ty + (*y * of_value + *v * of_velocity);
        *tz = *tz + (*z * of_value + *w * of_velocity);
    }
}

fn move_numbers(offsets: &[NumberOffset], (of_value, of_velocity): (f32, f32), numbers: &mut [f32]) {
    for offset in offsets {
        numbers[offset.at as usize] += offset.value * of_value + offset.velocity * of_velocity;
    }
}

#[inline(never)]
fn turn(offsets: &[Offset], (of_value, of_velocity): (F32x4, F32x4), groups: &mut [TransformX4]) {
    for Offset { group, value: [x, y, z], velocity: [u, v, w] } in offsets {
        let mx = *x * of_value + *u * of_velocity;
        let my = *y * of_value + *v * of_velocity;
        let mz = *z * of_value + *w * of_velocity;
        // The quaternion of the parameters; its length is arbitrary.
        let dw = F32x4::splat(1.0) - ((mx * mx + my * my) + mz * mz);
        let (dx, dy, dz) = (mx + mx, my + my, mz + mz);
        let [qx, qy, qz, qw] = &mut groups[*group as usize].rotation;
        let (px, py, pz, pw) = (*qx, *qy, *qz, *qw);
        *qx = (dw * px + dx * pw) + (dy * pz - dz * py);
        *qy = (dw * py + dy * pw) + (dz * px - dx * pz);
        *qz = (dw * pz + dz * pw) + (dx * py - dy * px);
        *qw = (dw * pw - dx * px) - (dy * py + dz * pz);
    }
}
