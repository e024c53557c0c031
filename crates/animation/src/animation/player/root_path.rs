//! The root motion of one clip: the movement of its root joint as a function of the clip's time.

use crate::base::{Affine, F32x4};
use crate::model::{Interpolation, NodeId};
use glam::{DQuat, DVec3};

/// A rotation followed by a translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rigid {
    /// A unit quaternion.
    pub rotation: DQuat,
    /// In metres.
    pub translation: DVec3,
}

impl Rigid {
    /// No movement.
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// `self` and then `next`, which is given in the space that `self` has moved.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let rotation = match (self.turns(), next.turns()) {
            (false, _) => next.rotation,
            (true, false) => self.rotation,
            (true, true) => (self.rotation * next.rotation).normalize(),
        };
        Self { rotation, translation: self.translation + self.rotation * next.translation }
    }

    /// The movement back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// The movement `times` in sequence, at most 2⁵³; backwards for negative numbers.
    #[must_use]
    pub fn repeated(&self, times: f64) -> Self {
        let one = if times < 0.0 { self.inverse() } else { *self };
        let times = times.abs();
        if !one.turns() {
            return Self { translation: one.translation * times, ..one };
        }
        // By squaring: the rounding errors of a thousand passes are those of ten products.
        let (mut left, mut power, mut all) = (times as i64, one, Self::IDENTITY);
        while left > 0 {
            if left & 1 == 1 {
                all = all.then(&power);
            }
            power = power.then(&power);
            left >>= 1;
        }
        all
    }

    /// A place that is moved, in its own space.
    #[must_use]
    pub fn moved(&self, place: &Affine) -> Affine {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| self.rotation * axis);
        let at = self.translation;
        Affine {
            rows: place.rows.map(|row| {
                let [x, y, z, w] = row.to_array().map(f64::from);
                let [a, b, c] = axes.map(|axis| (x * axis.x + y * axis.y + z * axis.z) as f32);
                F32x4::new([a, b, c, (x * at.x + y * at.y + z * at.z + w) as f32])
            }),
        }
    }

    /// `true` if it is not a pure translation.
    fn turns(&self) -> bool {
        self.rotation.x != 0.0 || self.rotation.y != 0.0 || self.rotation.z != 0.0
    }
}

/// A velocity in the space of the moved model.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Velocity {
    /// Metres per second.
    pub linear: DVec3,
    /// Radians per second, times the axis.
    pub angular: DVec3,
}

impl Velocity {
    /// The velocity of a small movement within `seconds`.
    pub(super) fn of(movement: &Rigid, seconds: f64) -> Self {
        let angular = turn_of(movement.rotation) * (4.0 / seconds);
        Self { linear: movement.translation / seconds, angular }
    }
}

/// The tangent of a quarter of the angle, times the axis: a measure of small turns that can be added.
pub(super) fn turn_of(rotation: DQuat) -> DVec3 {
    let DQuat { x, y, z, w } = if rotation.w < 0.0 { -rotation } else { rotation };
    DVec3::new(x, y, z) / (1.0 + w)
}

/// The interval for velocities of a clip, in seconds.
const INSTANT: f64 = 1e-5;

/// Keys of a position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PositionTrack {
    pub(crate) interpolation: Interpolation,
    /// In seconds, strictly increasing.
    pub(crate) times: Vec<f64>,
    /// A position for each key; in splines the in-tangent, the position and the out-tangent.
    pub(crate) values: Vec<DVec3>,
}

/// The key at or before a time, and the fraction of the interval to the next one.
fn find(times: impl Fn(usize) -> f64, count: usize, time: f64) -> (usize, f64) {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if times(middle) <= time { low = middle + 1 } else { high = middle }
    }
    match low {
        0 => (0, 0.0),
        _ if low == count => (count - 1, 0.0),
        _ => (low - 1, (time - times(low - 1)) / (times(low) - times(low - 1))),
    }
}

impl PositionTrack {
    /// The position at a time; constant before the first key and after the last one.
    fn at(&self, time: f64) -> DVec3 {
        let (key, s) = find(|i| self.times[i], self.times.len(), time);
        if self.interpolation != Interpolation::CubicSpline {
            let from = self.values[key];
            let moves = s > 0.0 && self.interpolation == Interpolation::Linear;
            return if moves { from + (self.values[key + 1] - from) * s } else { from };
        }
        let from = self.values[3 * key + 1];
        if !(s > 0.0) {
            return from;
        }
        // Spec: glTF 2.0, Appendix C.5.
        let length = self.times[key + 1] - self.times[key];
        let (out, into, to) = (self.values[3 * key + 2], self.values[3 * key + 3], self.values[3 * key + 4]);
        let (s2, s3) = (s * s, s * s * s);
        from * (2.0 * s3 - 3.0 * s2 + 1.0)
            + out * (length * (s3 - 2.0 * s2 + s))
            + to * (3.0 * s2 - 2.0 * s3)
            + into * (length * (s3 - s2))
    }
}

/// The root motion of a clip, which its compiled keys lack.
#[derive(Debug, Clone, PartialEq)]
pub struct RootPath {
    /// The position of the root joint, in the model; components that stay in the clip are 0.
    pub(crate) positions: PositionTrack,
    /// The rotation since the first key, in the model, by times in seconds; empty if rotations stay in the clip. The
    /// angles between neighbours are small.
    pub(crate) rotations: Vec<(f64, DQuat)>,
    /// `true` if rotations jump at their keys.
    pub(crate) rotations_step: bool,
}

impl RootPath {
    /// The movement from the first key to a time of the clip, in the space of the model.
    pub fn at(&self, time: f64) -> Rigid {
        let (position, first) = (self.positions.at(time), self.positions.at(f64::NEG_INFINITY));
        let rotation = self.rotation(time);
        Rigid { rotation, translation: position - rotation * first }
    }

    /// The movement from one time of the clip to another, in the space of the moved model.
    pub fn between(&self, from: f64, to: f64) -> Rigid {
        self.at(from).inverse().then(&self.at(to))
    }

    /// The velocity at a time of a clip, in the space of the moved model. At a key, that after it; at the end, that before
    /// it.
    pub fn velocity(&self, time: f64, duration: f64) -> Velocity {
        let time = time.clamp(0.0, duration);
        let (from, to) =
            if time + INSTANT <= duration { (time, time + INSTANT) } else { (time - INSTANT, time) };
        Velocity::of(&self.between(from, to), INSTANT)
    }

    fn rotation(&self, time: f64) -> DQuat {
        if self.rotations.is_empty() {
            return DQuat::IDENTITY;
        }
        let (key, s) = find(|i| self.rotations[i].0, self.rotations.len(), time);
        let from = self.rotations[key].1;
        if !(s > 0.0) || self.rotations_step {
            return from;
        }
        // Neighbours are near each other, so the angle is linear to a ten-thousandth of it.
        let to = self.rotations[key + 1].1;
        let to = if from.dot(to) < 0.0 { -to } else { to };
        (from * (1.0 - s) + to * s).normalize()
    }
}

/// The root joint of a clip.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClipRoot {
    /// The topmost joint, or ancestor of joints, that the clip moves or turns; `None` without any.
    pub node: Option<NodeId>,
    /// Its root motion; `None` for a clip that stays on the spot.
    pub path: Option<RootPath>,
}
