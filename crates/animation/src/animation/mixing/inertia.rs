//! Inertial blending: after a change, the old motion comes to rest while the new one takes over.
//!
//! The old clips are not played on. At the change, the old poses of the next moments are stored ([`COAST`]). The old
//! motion runs on through them, slower and slower. The pose goes from it to the new pose:
//!
//! ```text
//! pose(t)  = old(c(t)) · h(t / duration) + new(t) · (1 − h(t / duration))        t = seconds since the change
//! h(s)     = (1 − s)³ (1 + 3s + 6s²)
//! c(t)     = t − t² / 2b, from b on b / 2                                         b = min(duration, 0.28125)
//! ```
//!
//! So the pose begins with the displayed value and velocity. Each channel stays between a pose of the old motion and the
//! pose of the new one, so nothing overshoots. Rotations go along the arc between both. The arc is the shorter one at
//! the change, and changes its side never.
//!
//! Morph weights have a shorter duration, [`WEIGHTS`] at most. A face has no mass, and a closed eyelid would
//! otherwise stay closed for as long as an arm moves.
//!
//! See docs/design/frame.md#inertia for the reasons and the figures.

use super::blend::{vector, vector_mut};
use super::mix::{COAST, Change, Mix, PROBE};
use super::mixer::Mixer;
use crate::animation::pose::Pose;
use crate::animation::rig::Rig;
use crate::base::F32x4;
use gambol_kernels::TransformX4;

/// The longest duration for morph weights, in seconds.
const WEIGHTS: f64 = 0.1;

/// The number of stored poses.
const POSES: usize = COAST.len();

/// An inertial transition: a pure function of its initial values and the clock.
#[derive(Debug, Clone, Default)]
pub struct Inertia {
    /// Start time on the actor's clock, in seconds.
    start: f64,
    /// In seconds; 0 without a transition.
    duration: f64,
    /// The old poses, at the times of [`COAST`] after the start; empty before the first transition. Rotations are of unit
    /// length, with the signs of those before.
    old: Vec<Pose>,
    /// The shorter rotation from the new to the old pose at the start, of each group.
    turns: Vec<[F32x4; 4]>,
    /// The indices of the properties that are blended.
    properties: Vec<u32>,
    /// Buffers of [`Inertia::change`]; empty before the first call.
    poses: Vec<Pose>,
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
        if change.duration > 0.0 {
            self.begin(rig, mixer, change);
        }
    }

    fn begin(&mut self, rig: &Rig, mixer: &mut Mixer, change: &mut Change) {
        let Change { at, duration, ref mut before, ref mut probe, ref after, .. } = *change;
        let mut poses = std::mem::take(&mut self.poses);
        poses.resize_with(POSES + 1, || rig.rest_pose().clone());
        hold_wraps(before, probe);
        for ((mix, seconds), pose) in before.iter().zip(COAST).zip(&mut poses) {
            mixer.evaluate(rig, mix, pose);
            self.apply(at + seconds, pose);
        }
        if let [old @ .., new] = poses.as_mut_slice() {
            mixer.evaluate(rig, after, new);
            self.start(rig, at, duration, old, new);
        }
        self.poses = poses;
    }

    /// Starts a transition, which replaces the active one.
    ///
    /// - `clock`: the current time, in seconds.
    /// - `duration`: seconds; no effect unless it is finite and above 0.
    /// - `old`: the displayed pose now, and without the change at the other times of [`COAST`]. No effect with another
    ///   number of poses.
    /// - `new`: the new pose now.
    ///
    /// # Panics
    /// If a pose is of another model.
    pub fn start(&mut self, rig: &Rig, clock: f64, duration: f64, old: &[Pose], new: &Pose) {
        self.clear();
        if !(duration > 0.0 && duration.is_finite() && old.len() == POSES) {
            return;
        }
        (self.start, self.duration) = (clock, duration);
        self.old.resize_with(POSES, || rig.rest_pose().clone());
        for (own, pose) in self.old.iter_mut().zip(old) {
            own.copy_from(pose);
        }
        for g in 0..new.groups.len() {
            let mut last = self.old[0].groups[g].rotation;
            for pose in &mut self.old {
                let rotation = &mut pose.groups[g].rotation;
                *rotation = agreeing(unit(*rotation), last);
                last = *rotation;
            }
        }
        self.turns.clear();
        self.turns.extend(self.old[0].groups.iter().zip(&new.groups).map(|(old, new)| {
            let turn = turn_between(old.rotation, new.rotation);
            turn.map(|part| part.with_signs_of(turn[3]))
        }));
        self.properties.clear();
        let blends = |at: &u32| rig.node_of_property()[*at as usize].is_none();
        self.properties.extend((0..new.properties.len() as u32).filter(blends));
    }

    /// Ends the transition immediately.
    pub fn clear(&mut self) {
        self.duration = 0.0;
    }

    /// `true` if [`Inertia::apply`] changes poses at `clock`.
    pub fn is_active(&self, clock: f64) -> bool {
        self.duration > 0.0 && clock < self.start + self.duration
    }

    /// Blends the new pose at `clock` with the old motion; no effect after the end of the transition.
    ///
    /// Before the start the result is that at the start.
    ///
    /// # Panics
    /// If the pose is of another model.
    pub fn apply(&self, clock: f64, pose: &mut Pose) {
        if self.is_active(clock) {
            self.decay(clock, pose);
        }
    }

    fn decay(&self, clock: f64, pose: &mut Pose) {
        let seconds = (clock - self.start).max(0.0);
        let brake = self.duration.min(2.0 * COAST[POSES - 1]);
        let coasted = seconds.min(brake);
        let coasted = coasted - coasted * coasted / (2.0 * brake);
        let next = COAST.iter().skip(1).take_while(|&&time| time < coasted).count() + 1;
        let next = next.min(POSES - 1);
        let part = ((coasted - COAST[next - 1]) / (COAST[next] - COAST[next - 1])).clamp(0.0, 1.0) as f32;
        let old = Old { poses: [&self.old[next - 1], &self.old[next]], part };
        let rest = left(seconds / self.duration);
        move_vectors::<false>(old, rest, &mut pose.groups);
        self.turn(old, rest, &mut pose.groups);
        move_vectors::<true>(old, rest, &mut pose.groups);
        for &at in &self.properties {
            let at = at as usize;
            pose.properties[at] = old.number(|pose| pose.properties[at], rest, pose.properties[at]);
        }
        let rest = left(seconds / self.duration.min(WEIGHTS));
        for (at, weight) in pose.weights.iter_mut().enumerate() {
            *weight = old.number(|pose| pose.weights[at], rest, *weight);
        }
    }

    #[inline(never)]
    fn turn(&self, old: Old<'_>, rest: f32, groups: &mut [TransformX4]) {
        let one = F32x4::splat(1.0);
        let (part, rest) = (F32x4::splat(old.part), F32x4::splat(rest));
        let pairs = old.poses[0].groups.iter().zip(&old.poses[1].groups);
        for ((group, (a, b)), first) in groups.iter_mut().zip(pairs).zip(&self.turns) {
            let old = std::array::from_fn(|i| a.rotation[i] + (b.rotation[i] - a.rotation[i]) * part);
            let turn = turn_between(old, group.rotation);
            let near = dot(turn, *first);
            let [x, y, z, w] = turn.map(|value| value.with_signs_of(near));
            // Beyond a third of a turn from the first arc, the old motion fades. At half a turn the arc changes its side, and
            // nothing is left of it.
            let near = (near + near).abs();
            let by = one.gt(near).select(near, one) * rest;
            // Modified Rodrigues parameters, `tan(angle / 4) · axis`: a multiple of them is a rotation about the same axis. An
            // angle beyond half a turn falls again, so that it is 0 at a whole turn.
            let by = by / (one + w.abs());
            let (mx, my, mz) = (x * by, y * by, z * by);
            // Their quaternion; its length is arbitrary.
            let dw = one - ((mx * mx + my * my) + mz * mz);
            let (dx, dy, dz) = (mx + mx, my + my, mz + mz);
            let [qx, qy, qz, qw] = &mut group.rotation;
            let (px, py, pz, pw) = (*qx, *qy, *qz, *qw);
            *qx = (dw * px + dx * pw) + (dy * pz - dz * py);
            *qy = (dw * py + dy * pw) + (dz * px - dx * pz);
            *qz = (dw * pz + dz * pw) + (dx * py - dy * px);
            *qw = (dw * pw - dx * px) - (dy * py + dz * pz);
        }
    }
}

/// The old motion at one time, between two stored poses.
#[derive(Clone, Copy)]
struct Old<'a> {
    poses: [&'a Pose; 2],
    part: f32,
}

impl Old<'_> {
    /// Blends a number of the new pose with that of the old motion.
    fn number(&self, of: impl Fn(&Pose) -> f32, rest: f32, new: f32) -> f32 {
        let (a, b) = (of(self.poses[0]), of(self.poses[1]));
        new + (a + (b - a) * self.part - new) * rest
    }
}

/// The part of the old motion in the pose: from 1 to 0 while `s` goes from 0 to 1.
fn left(s: f64) -> f32 {
    let rest = 1.0 - s.min(1.0);
    (rest * rest * rest * (1.0 + 3.0 * s + 6.0 * s * s)) as f32
}

/// The highest playback rate at which a clip moves on. A larger step is a wrap of the loop.
const FASTEST: f64 = 64.0;

/// Holds clips that wrap in the time of the mixes. If the ends of a loop do not match, the old motion would jump.
///
/// - `probe`: the mix at [`PROBE`] seconds, for the rates of the clips.
fn hold_wraps(mixes: &mut [Mix; POSES], probe: &Mix) {
    let count = probe.contributions.len();
    if mixes.iter().any(|mix| mix.contributions.len() != count) {
        return;
    }
    for (at, probe) in probe.contributions.iter().enumerate() {
        let first = mixes[0].contributions[at];
        let rate = (probe.time - first.time).abs() / PROBE;
        let rate = if rate <= FASTEST { rate } else { 0.0 };
        let mut last = first;
        for (i, mix) in mixes.iter_mut().enumerate().skip(1) {
            let now = &mut mix.contributions[at];
            // Rates of clips in step with another one may change.
            let most = 3.0 * rate * (COAST[i] - COAST[i - 1]);
            if now.clip == last.clip && !((now.time - last.time).abs() <= most) {
                now.time = last.time;
            }
            last = *now;
        }
    }
}

#[inline(never)]
fn move_vectors<const SCALE: bool>(old: Old<'_>, rest: f32, groups: &mut [TransformX4]) {
    let (part, rest) = (F32x4::splat(old.part), F32x4::splat(rest));
    let pairs = old.poses[0].groups.iter().zip(&old.poses[1].groups);
    for (group, (a, b)) in groups.iter_mut().zip(pairs) {
        let (a, b) = (vector::<SCALE>(a), vector::<SCALE>(b));
        for ((value, a), b) in vector_mut::<SCALE>(group).iter_mut().zip(a).zip(b) {
            let old = *a + (*b - *a) * part;
            *value = *value + (old - *value) * rest;
        }
    }
}

/// The unit quaternion `before · after⁻¹`.
#[inline(always)]
fn turn_between([px, py, pz, pw]: [F32x4; 4], [qx, qy, qz, qw]: [F32x4; 4]) -> [F32x4; 4] {
    let x = (px * qw - pw * qx) + (pz * qy - py * qz);
    let y = (py * qw - pw * qy) + (px * qz - pz * qx);
    let z = (pz * qw - pw * qz) + (py * qx - px * qy);
    let w = (pw * qw + px * qx) + (py * qy + pz * qz);
    unit([x, y, z, w])
}

#[inline(always)]
fn dot(p: [F32x4; 4], q: [F32x4; 4]) -> F32x4 {
    (p[0] * q[0] + p[1] * q[1]) + (p[2] * q[2] + p[3] * q[3])
}

#[inline(always)]
fn unit(q: [F32x4; 4]) -> [F32x4; 4] {
    let by = F32x4::splat(1.0) / dot(q, q).max(F32x4::splat(f32::MIN_POSITIVE)).sqrt();
    q.map(|value| value * by)
}

/// The quaternion of the same rotation that is nearer to another one.
#[inline(always)]
fn agreeing(q: [F32x4; 4], with: [F32x4; 4]) -> [F32x4; 4] {
    let near = dot(q, with);
    q.map(|value| value.with_signs_of(near))
}
