//! Foot lock: ankles move as those of the source, in proportion, while they are planted.
//!
//! Without it, an ankle is where the directions of the leg's bones lead. The difference from the source's ankle, in
//! proportion, changes while the source's foot is planted, because the proportions of the bodies differ: the foot
//! slides. With it, the difference is constant while the foot is planted, and changes smoothly between. Two-bone
//! inverse kinematics turns the leg; the foot keeps its orientation. The hips sink where a leg is too short.

use super::directions::{arc, quat_of, unit};
use crate::animation::procedural::lead;
use glam::{DMat3, DQuat, DVec3};

/// The speed below which an ankle is planted, in lengths of a leg per second.
const SLOW: f64 = 0.25;
/// The height above the lowest point of an ankle up to which it may be planted while it moves over the ground, as on a
/// treadmill; in lengths of a leg.
const LOW: f64 = 0.08;
/// The fraction of a leg's length that is used.
const STRETCH: f64 = 0.9999;
/// The most that the hips sink, in lengths of a leg. Legs that are still too short stretch to their ankle in vain.
const SINK: f64 = 0.01;
/// Differences of ankles at both ends of a loop, in lengths of a leg.
const LOOP: f64 = 1e-3;

/// The legs, at all times.
pub(super) struct Feet {
    pub(super) legs: Vec<Leg>,
    /// The index of the hips.
    pub(super) hips: Option<usize>,
    /// The matrix of the node above the hips at each time.
    pub(super) hips_above: Vec<DMat3>,
    scale: f64,
    up: DVec3,
    /// The length of the target's leg.
    size: f64,
}

/// A leg at all times.
pub(super) struct Leg {
    /// The indices of upper leg, lower leg and foot.
    pub(super) bones: [usize; 3],
    /// The joint of the source that is the ankle.
    pub(super) ankle: usize,
    keys: Vec<Key>,
    /// The rotations of the nodes between the bones.
    between: [DQuat; 2],
}

/// A leg at a time.
struct Key {
    /// The ankle of the source.
    source: DVec3,
    /// World rotations and positions of the bones.
    rotations: [DQuat; 3],
    joints: [DVec3; 3],
    /// The world rotation of the node above the leg.
    above: DQuat,
    /// The matrix of the node above a foot that is no descendant of the leg.
    foot_above: Option<DMat3>,
}

/// The changes of the keys of bones.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) rotations: Vec<(usize, usize, DQuat)>,
    pub(super) translations: Vec<(usize, usize, DVec3)>,
}

impl Leg {
    pub(super) fn new(bones: [usize; 3], ankle: usize) -> Self {
        Self { bones, ankle, keys: Vec::new(), between: [DQuat::IDENTITY; 2] }
    }

    /// Keeps the state of the leg at the next time.
    pub(super) fn keep(
        &mut self,
        source: DVec3,
        rotations: [DQuat; 3],
        joints: [DVec3; 3],
        [above, lower]: [DQuat; 2],
        foot_above: Option<DMat3>,
        foot: DQuat,
    ) {
        self.between = [lower, foot];
        self.keys.push(Key { source, rotations, joints, above, foot_above });
    }

    /// The distance of the ankle from where it is in the source, in proportion.
    fn offset(&self, i: usize, scale: f64) -> DVec3 {
        self.keys[i].joints[2] - self.keys[i].source * scale
    }

    /// The intervals of keys, first and last, in which the source's foot is planted. `leg` is the length of its leg.
    fn planted(&self, times: &[f32], up: DVec3, leg: f64) -> Vec<(usize, usize)> {
        let height = |i: usize| self.keys[i].source.dot(up);
        let lowest = (0..times.len()).map(height).fold(f64::INFINITY, f64::min);
        let mut planted: Vec<(usize, usize)> = Vec::new();
        for i in 1..times.len() {
            let slow = SLOW * leg * (f64::from(times[i]) - f64::from(times[i - 1]));
            let way = self.keys[i].source - self.keys[i - 1].source;
            let low = height(i).max(height(i - 1)) < lowest + LOW * leg && way.dot(up).abs() < slow;
            if !low && way.length() >= slow {
                continue;
            }
            match planted.last_mut() {
                Some((_, end)) if *end == i - 1 => *end = i,
                _ => planted.push((i - 1, i)),
            }
        }
        planted
    }

    /// The change of the ankle's position at each time.
    fn corrections(&self, times: &[f32], feet: &Feet) -> Vec<DVec3> {
        let count = times.len();
        let mut corrections = vec![DVec3::ZERO; count];
        let leg = feet.size / feet.scale;
        let planted = self.planted(times, feet.up, leg);
        let offset = |i: usize| self.offset(i, feet.scale);
        let mean = |&(begin, end): &(usize, usize)| {
            (begin..=end).map(offset).sum::<DVec3>() / (end - begin + 1) as f64
        };
        let mut held: Vec<DVec3> = planted.iter().map(mean).collect();
        let (Some(&(begin, _)), Some(&(_, end))) = (planted.first(), planted.last()) else {
            return corrections;
        };
        let repeats = (offset(0) - offset(count - 1)).length() < LOOP * feet.size;
        if repeats && held.len() > 1 && begin == 0 && end == count - 1 {
            let last = held.len() - 1;
            let both = (held[0] + held[last]) * 0.5;
            (held[0], held[last]) = (both, both);
        }
        for (&(begin, end), held) in planted.iter().zip(&held) {
            (begin..=end).for_each(|i| corrections[i] = *held - offset(i));
        }
        // At the ends of a loop both are the same; otherwise the nearest correction stays.
        let (mut first, mut last) = (corrections[begin], corrections[end]);
        if repeats {
            let both = if begin == 0 {
                first
            } else if end == count - 1 {
                last
            } else {
                (first + last) * 0.5
            };
            (first, last) = (both, both);
        }
        let mut gaps = vec![(0, first, begin)];
        gaps.extend(planted.windows(2).map(|pair| (pair[0].1, corrections[pair[0].1], pair[1].0)));
        gaps.push((end, corrections[end], count - 1));
        for (from, start, to) in gaps {
            let stop = if from == end { last } else { corrections[to] };
            for i in from..=to {
                let length = f64::from(times[to]) - f64::from(times[from]);
                let u =
                    if length > 0.0 { (f64::from(times[i]) - f64::from(times[from])) / length } else { 0.0 };
                // Where the gap is empty, the planted key stays.
                if from < to {
                    corrections[i] = start + (stop - start) * (u * u * (3.0 - 2.0 * u));
                }
            }
        }
        corrections
    }
}

impl Feet {
    pub(super) fn new(legs: Vec<Leg>, hips: Option<usize>, scale: f64, up: DVec3, size: f64) -> Self {
        Self { legs, hips, hips_above: Vec::new(), scale, up, size }
    }

    /// The changes that keep planted ankles in place.
    pub(super) fn lock(&mut self, times: &[f32]) -> Changes {
        let mut changes = Changes::default();
        let corrections: Vec<Vec<DVec3>> = self.legs.iter().map(|leg| leg.corrections(times, self)).collect();
        for i in 0..times.len() {
            let mut sunk = 0.0_f64;
            if self.hips.is_some() {
                for (leg, corrections) in self.legs.iter().zip(&corrections) {
                    sunk = sunk.max(self.missing(&leg.keys[i], corrections[i])).min(SINK * self.size);
                }
            }
            let down = self.up * -sunk;
            if sunk > 0.0
                && let (Some(hips), Some(above)) = (self.hips, self.hips_above.get(i))
            {
                changes.translations.push((hips, i, above.inverse() * down));
            }
            for (leg, corrections) in self.legs.iter().zip(&corrections) {
                leg.turn(i, corrections[i], down, &mut changes);
            }
        }
        changes
    }

    /// The height by which the hips sink so that the leg reaches its ankle.
    fn missing(&self, key: &Key, correction: DVec3) -> f64 {
        let [hip, knee, ankle] = key.joints;
        let reach = STRETCH * ((knee - hip).length() + (ankle - knee).length());
        let to = ankle + correction - hip;
        let height = -to.dot(self.up);
        let along = (to.length_squared() - height * height).max(0.0);
        if to.length() <= reach || height <= 0.0 || along >= reach * reach {
            return 0.0;
        }
        height - (reach * reach - along).sqrt()
    }
}

impl Leg {
    fn turn(&self, i: usize, correction: DVec3, down: DVec3, changes: &mut Changes) {
        let Key { rotations, joints, above, foot_above, .. } = &self.keys[i];
        let [hip, knee, ankle] = joints.map(|joint| joint + down);
        let goal = ankle - down + correction;
        if (goal - ankle).length() == 0.0 {
            return;
        }
        let [upper, lower, foot] = *rotations;
        let (bent, reached, wanted) = (knee - hip, ankle - hip, goal - hip);
        let Some(turn) = lead(bent.to_array(), reached.to_array(), wanted.to_array(), None, 1.0) else {
            return;
        };
        let turn = quat_of(&turn);
        let knee = hip + turn * bent;
        let (Some(now), Some(wanted)) = (unit(turn * (reached - bent)), unit(goal - knee)) else { return };
        let bend = arc(now, wanted);
        let (upper, lower) = (turn * upper, bend * turn * lower);
        let [between, between_foot] = self.between;
        let [upper_leg, lower_leg, end] = self.bones;
        changes.rotations.push((upper_leg, i, (above.conjugate() * upper).normalize()));
        changes.rotations.push((lower_leg, i, ((upper * between).conjugate() * lower).normalize()));
        match foot_above {
            Some(above) => changes.translations.push((end, i, above.inverse() * (goal - joints[2]))),
            None => {
                changes.rotations.push((end, i, ((lower * between_foot).conjugate() * foot).normalize()));
            }
        }
    }
}
