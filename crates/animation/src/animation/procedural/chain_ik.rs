//! Inverse kinematics (IK) of chains with any number of bones: FABRIK and CCD.

use super::ik::lead;
use super::joint_line::JointLine;
use super::spaces::{Space, rows};
use super::vectors::{
    Turn, Vector, across, arc, cross, difference, dot, in_world, length, mixed, moved, scaled, sum, unit,
    vector, without,
};
use crate::animation::rig::Rig;
use crate::base::{Affine, feature, sin_cos};
use crate::model::NodeId;
use gambol_kernels::{Carrier, Motion};
use glam::Vec3;
use std::f32::consts::PI;

/// The largest number of iterations in a frame.
const ITERATIONS: usize = 48;

/// An iteration ends if the end is this near to the target, as a fraction of the chain's length.
const NEAR: f64 = 1e-4;

/// A chain whose joints are nearer to a line than this fraction of its length counts as straight.
const STRAIGHT: f64 = 1e-6;

/// IK for a chain such as a tail or a spine: its joints rotate so that the last one reaches the target.
///
/// A target that is too far or too near is pointed at by a straight or folded chain. The end joint moves with the last
/// bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainIk {
    /// The target position, in metres of the space.
    pub target: Vec3,
    /// The space of the target; [`Space::Local`] means the model's.
    pub space: Space,
    /// The method.
    pub solver: ChainSolver,
    /// The fraction of the way from the animated position to the target, `0.0..=1.0`.
    pub weight: f32,
}

/// A method of [`ChainIk`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChainSolver {
    /// Forward and backward reaching: bends all joints alike.
    #[default]
    Fabrik,
    /// Cyclic coordinate descent: bends the joints near the end most.
    Ccd,
}

/// The limit of a joint's rotation from its animated pose, relative to the joint above it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum JointLimit {
    /// No limit.
    #[default]
    Free,
    /// The largest angle between the bone and its animated direction, in radians `0.0..=π`.
    Cone(f32),
    /// A rotation about one axis only.
    Hinge {
        /// The axis, in the joint's local space.
        axis: Vec3,
        /// The smallest angle in radians, `-π..=0`.
        min: f32,
        /// The largest angle in radians, `0..=π`.
        max: f32,
    },
}

/// The IK of all chains of an actor, applied after [`Overrides`](super::Overrides). Upper chains come first.
#[derive(Debug, Clone, Default)]
pub struct ChainGoals {
    list: Vec<Chain>,
}

#[derive(Debug, Clone)]
struct Chain {
    line: JointLine,
    ik: ChainIk,
    /// For each bone.
    limits: Vec<Limit>,
    is_limited: bool,
    /// The animated positions of the joints.
    animated: Vec<Vector>,
    bones: Vec<Bone>,
    /// The positions that the solver changes.
    points: Vec<Vector>,
    /// With limits, the best positions so far.
    best: Vec<Vector>,
    carriers: Vec<Carrier>,
}

/// A bone in the animated pose.
#[derive(Debug, Clone, Copy, Default)]
struct Bone {
    length: f64,
    /// The direction; zero for a bone without length.
    way: Vector,
    /// The axis of a hinge.
    axis: Vector,
}

/// Cosine and sine.
type Angle = [f64; 2];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit {
    Free,
    Cone(Angle),
    Hinge(Vector, Angle, Angle),
}

feature! {
    list for_body;
    pub(crate) fn reach(goals: &mut ChainGoals, world_from_model: &Affine, matrices: &mut [Affine]) = ChainGoals::apply;
}

impl ChainGoals {
    /// Sets the IK of a chain and replaces the previous one with the same end. Without effect, except for the removal,
    /// unless each joint is a descendant of the one before and the target is finite.
    ///
    /// - `joints`: at least two; the last one is the end.
    /// - `limits`: one for each joint but the last; missing and invalid ones are [`JointLimit::Free`].
    pub fn set(&mut self, rig: &Rig, joints: &[NodeId], limits: &[JointLimit], ik: ChainIk) {
        let Some(&end) = joints.last() else { return };
        self.remove(end);
        let weight = ik.weight.clamp(0.0, 1.0);
        let Some(line) = JointLine::new(rig, joints.iter().copied(), false) else { return };
        if !ik.target.is_finite() || !(weight > 0.0) {
            return;
        }
        let count = line.bones();
        let limits: Vec<Limit> =
            (0..count).map(|i| limits.get(i).map_or(Limit::Free, JointLimit::checked)).collect();
        let chain = Chain {
            ik: ChainIk { weight, ..ik },
            is_limited: limits.iter().any(|limit| *limit != Limit::Free),
            limits,
            animated: vec![[0.0; 3]; count + 1],
            bones: vec![Bone::default(); count],
            points: vec![[0.0; 3]; count + 1],
            best: vec![[0.0; 3]; count + 1],
            carriers: vec![Carrier::none(); count],
            line,
        };
        let first = chain.line.joints()[0];
        let before = |known: &&Chain| known.line.joints()[0] <= first;
        let at = self.list.iter().take_while(before).count();
        self.list.insert(at, chain);
    }

    /// Removes the IK of the chain with this end.
    pub fn remove(&mut self, end: NodeId) {
        self.list.retain(|chain| chain.line.joints().last() != Some(&end));
    }

    /// Removes the IK of all chains.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// `true` without any IK.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Bends the chains.
    ///
    /// - `matrices`: world matrices; changed below the chains' first joints.
    ///
    /// # Panics
    /// If the matrices are of another model.
    pub fn apply(&mut self, world_from_model: &Affine, matrices: &mut [Affine]) {
        for chain in &mut self.list {
            chain.apply(world_from_model, matrices);
        }
    }
}

impl JointLimit {
    fn checked(&self) -> Limit {
        let angle = |angle: f32| {
            let (sin, cos) = sin_cos(angle);
            [f64::from(cos), f64::from(sin)]
        };
        match *self {
            Self::Cone(limit) if limit < PI => Limit::Cone(angle(limit.max(0.0))),
            Self::Hinge { axis, min, max } if !min.is_nan() && !max.is_nan() => {
                let axis = Some(vector(axis)).filter(|axis| length(*axis).is_finite()).and_then(unit);
                let [min, max] = [min.clamp(-PI, 0.0), max.clamp(0.0, PI)].map(angle);
                axis.map_or(Limit::Free, |axis| Limit::Hinge(axis, min, max))
            }
            _ => Limit::Free,
        }
    }
}

impl Limit {
    /// The allowed direction nearest to `way`.
    ///
    /// - `along`: the animated direction, moved with the joint above.
    /// - `axis`: the axis of the hinge, moved with it.
    fn allowed(&self, way: Vector, along: Vector, axis: Vector) -> Vector {
        match *self {
            Self::Free => way,
            Self::Cone([cos, sin]) => {
                if dot(way, along) >= cos {
                    return way;
                }
                let aside = unit(without(way, along)).unwrap_or_else(|| across(along));
                sum(scaled(along, cos), scaled(aside, sin))
            }
            Self::Hinge(_, min, max) => {
                let out = without(along, axis);
                let Some(x) = unit(out) else { return along };
                let y = cross(axis, x);
                let [c, s] = [dot(way, x), dot(way, y)];
                let size = (c * c + s * s).sqrt();
                let [mut c, mut s] = if size > 1e-12 { [c / size, s / size] } else { [1.0, 0.0] };
                // An angle within half a turn exceeds a limit on its side if its cosine is smaller.
                let limit = if s < 0.0 { min } else { max };
                if c < limit[0] {
                    let nearness = |angle: Angle| angle[0] * c + angle[1] * s;
                    [c, s] = if nearness(min) > nearness(max) { min } else { max };
                }
                let turned = sum(scaled(x, c), scaled(y, s));
                sum(scaled(axis, dot(along, axis)), scaled(turned, length(out)))
            }
        }
    }
}

impl Chain {
    fn apply(&mut self, world_from_model: &Affine, matrices: &mut [Affine]) {
        if !self.line.read(matrices, &mut self.animated) {
            return;
        }
        for (i, bone) in self.bones.iter_mut().enumerate() {
            let way = difference(self.animated[i + 1], self.animated[i]);
            let axis = match self.limits[i] {
                Limit::Hinge(axis, ..) => moved(&rows(&matrices[self.line.joints()[i].index()]), axis, 0.0),
                _ => [0.0; 3],
            };
            *bone = Bone {
                length: length(way),
                way: unit(way).unwrap_or_default(),
                axis: unit(axis).unwrap_or_default(),
            };
        }
        let target = in_world(self.ik.target, self.ik.space, world_from_model, 1.0);
        let end = self.animated[self.bones.len()];
        let target = mixed(end, target, f64::from(self.ik.weight));
        if !target.iter().all(|value| value.is_finite()) {
            return;
        }
        self.points.copy_from_slice(&self.animated);
        self.solve(target);
        let mut motion = Motion::NONE;
        for (i, bone) in self.bones.iter().enumerate() {
            let way = unit(difference(self.points[i + 1], self.points[i]));
            if let Some(way) = way.filter(|_| bone.length > 0.0) {
                motion = motion.after(&arc(bone.way, motion.turned_back(way)), self.animated[i]);
            }
            self.carriers[i] = Carrier::new(&motion, self.animated[i]);
        }
        self.line.apply(&self.carriers, matrices);
    }

    /// Moves the points so that the last one is at the target, or as near as it can be.
    fn solve(&mut self, target: Vector) {
        let total: f64 = self.bones.iter().map(|bone| bone.length).sum();
        let root = self.points[0];
        let wanted = difference(target, root);
        if !(total > 0.0) {
            return;
        }
        if !self.is_limited {
            let longest = self.bones.iter().map(|bone| bone.length).fold(0.0, f64::max);
            let reach = length(wanted);
            let animated = difference(self.animated[self.bones.len()], root);
            let way = unit(wanted).or_else(|| unit(animated)).unwrap_or(self.bones[0].way);
            if reach >= total {
                return self.lay(way, |_| true);
            }
            if reach <= 2.0 * longest - total {
                let first = self.bones.iter().position(|bone| bone.length == longest);
                return self.lay(way, |i| Some(i) == first);
            }
        }
        let near = NEAR * total;
        if self.distance(target) > near {
            self.bow(target, wanted, total);
        }
        let mut least = f64::INFINITY;
        for round in 0..2 * ITERATIONS {
            if self.is_limited {
                self.project();
                let distance = self.distance(target);
                if distance < least {
                    least = distance;
                    self.best.copy_from_slice(&self.points);
                }
            }
            if self.distance(target) <= near {
                break;
            }
            // CCD may be slow where many joints must stretch.
            match self.ik.solver {
                ChainSolver::Ccd if round < ITERATIONS => self.ccd(target),
                _ => self.fabrik(target, root),
            }
        }
        if self.is_limited {
            self.points.copy_from_slice(&self.best);
        } else {
            self.close(wanted, total);
        }
    }

    /// Lays all bones on a line; `forwards` tells the direction of each.
    fn lay(&mut self, way: Vector, forwards: impl Fn(usize) -> bool) {
        for (i, bone) in self.bones.iter().enumerate() {
            let by = if forwards(i) { bone.length } else { -bone.length };
            self.points[i + 1] = sum(self.points[i], scaled(way, by));
        }
    }

    fn distance(&self, target: Vector) -> f64 {
        length(difference(self.points[self.bones.len()], target))
    }

    /// Bends a chain that is straight and in line with the target: no iteration would.
    fn bow(&mut self, target: Vector, wanted: Vector, total: f64) {
        let root = self.points[0];
        let way = unit(wanted).unwrap_or(self.bones[0].way);
        let aside = |point: &Vector| length(without(difference(*point, root), way));
        if self.points.iter().any(|point| aside(point) > STRAIGHT * total) {
            return;
        }
        let (across, inner) = (across(way), 1..self.bones.len());
        for point in &mut self.points[inner] {
            *point = sum(*point, scaled(across, 0.05 * total));
        }
        // It restores the lengths.
        self.fabrik(target, root);
    }

    fn fabrik(&mut self, target: Vector, root: Vector) {
        let points = &mut self.points;
        let count = self.bones.len();
        points[count] = target;
        for i in (0..count).rev() {
            let way = unit(difference(points[i], points[i + 1])).unwrap_or(scaled(self.bones[i].way, -1.0));
            points[i] = sum(points[i + 1], scaled(way, self.bones[i].length));
        }
        points[0] = root;
        for i in 0..count {
            let way = unit(difference(points[i + 1], points[i])).unwrap_or(self.bones[i].way);
            points[i + 1] = sum(points[i], scaled(way, self.bones[i].length));
        }
    }

    fn ccd(&mut self, target: Vector) {
        let count = self.bones.len();
        for i in (0..count).rev() {
            let from = self.points[i];
            let now = unit(difference(self.points[count], from));
            if let (Some(now), Some(wanted)) = (now, unit(difference(target, from))) {
                turn_about(&arc(now, wanted), from, &mut self.points[i + 1..]);
            }
        }
    }

    /// Moves the points to where the limits allow.
    fn project(&mut self) {
        let mut motion = Motion::NONE;
        for (i, (bone, limit)) in self.bones.iter().zip(&self.limits).enumerate() {
            let along = motion.turned(bone.way);
            let way = unit(difference(self.points[i + 1], self.points[i])).unwrap_or(along);
            let way =
                if bone.length > 0.0 { limit.allowed(way, along, motion.turned(bone.axis)) } else { along };
            let next = sum(self.points[i], scaled(way, bone.length));
            // The points below keep their places for their own bones.
            self.points[i + 1] = next;
            if bone.length > 0.0 {
                motion = motion.after(&arc(bone.way, motion.turned_back(way)), [0.0; 3]);
            }
        }
    }

    /// Removes the rest of the error.
    fn close(&mut self, wanted: Vector, total: f64) {
        let (root, count) = (self.points[0], self.bones.len());
        let (end, reach) = (difference(self.points[count], root), length(wanted));
        if length(end) < reach {
            self.stretch(end, reach, total);
        } else {
            self.fold(end, wanted, reach);
        }
        let now = unit(difference(self.points[count], root));
        if let (Some(now), Some(way)) = (now, unit(wanted)) {
            turn_about(&arc(now, way), root, &mut self.points[1..]);
        }
    }

    /// Turns all bones towards the end by one share until the chain is long enough. If the target leaves the reach, the
    /// chain so becomes straight without a jump.
    fn stretch(&mut self, end: Vector, reach: f64, total: f64) {
        let way = unit(end).unwrap_or(self.bones[0].way);
        let stretched = |bone: &Bone, ends: &[Vector], share: f64| {
            let now = unit(difference(ends[1], ends[0])).unwrap_or(way);
            scaled(unit(mixed(now, way, share)).unwrap_or(way), bone.length)
        };
        let missing = |share: f64| {
            let bones = self.bones.iter().zip(self.points.windows(2));
            length(bones.fold([0.0; 3], |at, (bone, ends)| sum(at, stretched(bone, ends, share)))) - reach
        };
        // False position, with halved weights (Illinois).
        let (mut low, mut high) = ([0.0, missing(0.0)], [1.0, total - reach]);
        let (mut share, mut last) = (0.0, 0.0);
        for _ in 0..24 {
            share = (low[0] * high[1] - high[0] * low[1]) / (high[1] - low[1]);
            let now = missing(share);
            if now.abs() <= 1e-9 * total {
                break;
            }
            let side = if now < 0.0 { &mut low } else { &mut high };
            *side = [share, now];
            if now * last > 0.0 {
                let other = if now < 0.0 { &mut high } else { &mut low };
                other[1] *= 0.5;
            }
            last = now;
        }
        if !share.is_finite() {
            return;
        }
        let mut before = self.points[0];
        for (i, bone) in self.bones.iter().enumerate() {
            let next = sum(self.points[i], stretched(bone, &[before, self.points[i + 1]], share));
            before = std::mem::replace(&mut self.points[i + 1], next);
        }
    }

    /// Bends the chain at one joint, as two rigid bones: at the joint with the most room.
    fn fold(&mut self, end: Vector, wanted: Vector, reach: f64) {
        let (root, count) = (self.points[0], self.bones.len());
        let mut most = 0.0;
        let mut middle = None;
        for (i, &point) in self.points.iter().enumerate().take(count).skip(1) {
            let point = difference(point, root);
            let (upper, lower) = (length(point), length(difference(end, point)));
            let spare = (upper + lower - reach).min(reach - (upper - lower).abs());
            if spare > most {
                (most, middle) = (spare, Some(i));
            }
        }
        let Some(middle) = middle else { return };
        let bent = difference(self.points[middle], root);
        let Some(turn) = lead(bent, end, wanted, None, 1.0) else { return };
        turn_about(&turn, root, &mut self.points[1..]);
        let from = self.points[middle];
        let now = unit(difference(self.points[count], from));
        if let (Some(now), Some(way)) = (now, unit(difference(sum(root, wanted), from))) {
            turn_about(&arc(now, way), from, &mut self.points[middle + 1..]);
        }
    }
}

fn turn_about(turn: &Turn, pivot: Vector, points: &mut [Vector]) {
    for point in points {
        let from = difference(*point, pivot);
        *point = sum(pivot, turn.map(|row| dot(row, from)));
    }
}
