//! Spring bones: chains of joints that swing. Spec: VRMC_springBone 1.0.
//!
//! Positions are integrated (Verlet) in fixed steps of [`STEP`]. A frame shows the state between the last two steps.
//! So it lags by up to one step behind, but only in the deflection from the animated direction.

use super::joint_line::{JointLine, Motion};
use super::spaces::{Rows, inverse, rows};
use super::vectors::{Vector, across, arc, difference, dot, length, moved, scaled, sum, unit, vector};
use crate::animation::player::Player;
use crate::animation::rig::Rig;
use crate::base::{Affine, deferred, sort_by};
use crate::model::{NodeId, SpringBones, SpringCenter, SpringChain, SpringCollider, SpringJoint};

/// Steps per second. The forces of VRMC_springBone are made for a display of this rate.
const RATE: f64 = 60.0;

/// The duration of a step, in seconds.
const STEP: f64 = 1.0 / RATE;

/// A longer interval between two frames is a jump of time, in seconds.
const JUMP: f64 = 0.5;

/// A chain rests after this number of steps that change no direction by more than [`REST`].
const REST_STEPS: u8 = 8;
const REST: f64 = 1e-6;

/// All chains of spring bones of an actor, applied after all other changes of joints.
#[derive(Debug, Clone, Default)]
pub struct Springs {
    /// Upper chains before those that hang on them.
    chains: Vec<Chain>,
    /// The player's clock and its number of reversals at the last frame.
    clock: f64,
    reversals: u64,
    /// Seconds of the springs since the last reset.
    time: f64,
    /// Seconds that the next frame adds.
    pending: f64,
    /// `false` if the next frame shows the settled pose.
    swings: bool,
}

#[derive(Debug, Clone)]
struct Chain {
    line: JointLine,
    /// For each bone.
    bones: Vec<Bone>,
    colliders: Vec<Collider>,
    center: SpringCenter,
    /// Joints of the animation, at this frame and at the one before.
    points: Vec<Track<Vector>>,
    space: Track<Rows>,
    motions: Vec<Motion>,
    /// The number of steps since the last visible change.
    still: u8,
    /// `false` if there is no state of the frame before.
    swings: bool,
}

#[derive(Debug, Clone)]
struct Bone {
    /// In metres for each step.
    stiffness: f64,
    gravity: Vector,
    /// The velocity that is left after a step.
    kept: f64,
    radius: f64,
    /// The bone's end after the last two steps, in the centre's space.
    tail: Vector,
    tail_before: Vector,
    /// The difference between the bone's direction and its animated one, with the upper bones undeflected.
    deflection: Vector,
    deflection_before: Vector,
}

#[derive(Debug, Clone)]
struct Collider {
    shape: SpringCollider,
    ends: Track<[Vector; 2]>,
}

/// A value at this frame and at the one before.
#[derive(Debug, Clone, Copy, Default)]
struct Track<T> {
    before: T,
    now: T,
}

/// Linear interpolation, exact where nothing changes: so a chain at rest does not depend on the frames.
fn between(before: f64, now: f64, share: f64) -> f64 {
    before + (now - before) * share
}

fn points_between(before: Vector, now: Vector, share: f64) -> Vector {
    std::array::from_fn(|i| between(before[i], now[i], share))
}

impl<T: Copy> Track<T> {
    /// The values of the next frame; equal ones if nothing is known about the last frame.
    fn push(&mut self, now: T, swings: bool) {
        *self = Self { before: if swings { self.now } else { now }, now };
    }
}

deferred! {
    pub(crate) fn bind(rig: &Rig, springs: &SpringBones) -> Springs = Springs::new;
    pub(crate) fn advance(springs: &mut Springs, player: &Player, cut: bool) = Springs::advance;
    pub(crate) fn swing(springs: &mut Springs, world_from_model: &Affine, matrices: &mut [Affine]) = Springs::apply;
}

impl Springs {
    /// Chains in the settled pose. Chains with fewer than two joints, and those with a joint that is not a descendant
    /// of the one before, are left out. A number that is not finite has its initial value, and colliders with one are
    /// left out.
    pub fn new(rig: &Rig, springs: &SpringBones) -> Self {
        let mut this = Self::default();
        this.replace(rig, |_| false, springs);
        this
    }

    /// Removes the chains that begin at one of these nodes, and adds others. Added chains are settled.
    pub fn replace(&mut self, rig: &Rig, removed: impl Fn(NodeId) -> bool, springs: &SpringBones) {
        self.chains.retain(|chain| !removed(chain.line.joints()[0]));
        self.chains.extend(springs.chains.iter().filter_map(|chain| Chain::new(rig, springs, chain)));
        sort_by(&mut self.chains, |a, b| a.line.joints()[0].cmp(&b.line.joints()[0]));
    }

    /// `true` without a chain.
    pub fn is_empty(&self) -> bool {
        self.chains.is_empty()
    }

    /// `true` if a chain is visibly in motion.
    pub fn is_swinging(&self) -> bool {
        self.swings && self.chains.iter().any(|chain| chain.still < REST_STEPS)
    }

    /// Shows the settled pose in the next frame: that of a chain which hangs still in the animated pose.
    pub fn reset(&mut self) {
        self.swings = false;
    }

    /// Adds the time since the last call: the player's clock times the amount of its rate. Resets after a jump.
    ///
    /// - `cut`: `true` after a seek or a cut.
    pub fn advance(&mut self, player: &Player, cut: bool) {
        let clock = player.clock();
        let seconds = (clock - self.clock) * player.rate().abs() + self.pending;
        let reversed = player.reversals() != self.reversals;
        (self.clock, self.reversals, self.pending) = (clock, player.reversals(), 0.0);
        if cut || reversed || !(0.0..=JUMP).contains(&seconds) {
            self.reset();
        } else {
            self.pending = seconds;
        }
    }

    /// Integrates the pending time and bends the chains.
    ///
    /// - `matrices`: world matrices of the animated nodes; changed below the chains' first joints.
    ///
    /// # Panics
    /// If the matrices are of another model.
    pub fn apply(&mut self, world_from_model: &Affine, matrices: &mut [Affine]) {
        let seconds = std::mem::take(&mut self.pending);
        let from = if self.swings { self.time } else { 0.0 };
        let to = if self.swings { from + seconds } else { 0.0 };
        let steps = (from * RATE).floor() as u64 + 1..(to * RATE).floor() as u64 + 1;
        let share = to * RATE - (to * RATE).floor();
        let model = rows(world_from_model);
        let unit = length([model[0][0], model[1][0], model[2][0]]);
        for chain in &mut self.chains {
            chain.swings &= self.swings;
            if !chain.read(&model, matrices) {
                chain.swings = false;
                continue;
            }
            if chain.swings {
                if seconds == 0.0 {
                    chain.carry();
                }
                for step in steps.clone() {
                    chain.step(Some((step as f64 * STEP - from) / (to - from)), unit);
                }
            } else {
                chain.step(None, unit);
                chain.swings = true;
            }
            chain.show(share);
            chain.line.apply(&chain.motions, matrices);
        }
        self.swings = true;
        self.time = to;
    }
}

impl Chain {
    fn new(rig: &Rig, springs: &SpringBones, chain: &SpringChain) -> Option<Self> {
        let line = JointLine::new(rig, chain.joints.iter().map(|joint| joint.node))?;
        let groups = chain.groups.iter().filter_map(|&group| springs.groups.get(group)).flatten();
        let colliders = groups.filter_map(|&collider| springs.colliders.get(collider));
        let is_valid = |collider: &&SpringCollider| {
            let SpringCollider { node, offset, tail, radius } = collider;
            offset.is_finite()
                && tail.is_finite()
                && radius.is_finite()
                && *radius >= 0.0
                && node.index() < rig.node_count()
        };
        let ends = Track::default();
        let colliders = colliders.filter(is_valid).map(|&shape| Collider { shape, ends }).collect();
        let center = match chain.center {
            SpringCenter::Node(node) if node.index() >= rig.node_count() => SpringCenter::World,
            center => center,
        };
        Some(Self {
            bones: chain.joints[..line.bones()].iter().map(Bone::new).collect(),
            colliders,
            center,
            points: vec![Track::default(); line.bones() + 1],
            space: Track::default(),
            motions: vec![Motion::NONE; line.bones()],
            still: 0,
            swings: false,
            line,
        })
    }

    /// Reads the frame's matrices; `false` if one is not finite.
    fn read(&mut self, model: &Rows, matrices: &[Affine]) -> bool {
        let swings = self.swings;
        let mut finite = true;
        for (track, joint) in self.points.iter_mut().zip(self.line.joints()) {
            let matrix = &matrices[joint.index()].rows;
            let at = [0, 1, 2].map(|i| f64::from(matrix[i].to_array()[3]));
            finite &= at.iter().all(|value| value.is_finite());
            track.push(at, swings);
        }
        for Collider { shape, ends } in &mut self.colliders {
            let matrix = rows(&matrices[shape.node.index()]);
            let at = [shape.offset, shape.tail].map(|end| moved(&matrix, vector(end), 1.0));
            finite &= at.as_flattened().iter().all(|value| value.is_finite());
            ends.push(at, swings);
        }
        let space = match self.center {
            SpringCenter::World => return finite,
            SpringCenter::Model => *model,
            SpringCenter::Node(node) => rows(&matrices[node.index()]),
        };
        self.space.push(space, swings);
        finite && space.as_flattened().iter().all(|value| value.is_finite())
    }

    /// Moves the state with the animated joints while time stands still, so that the chain keeps its shape.
    fn carry(&mut self) {
        let back = if self.center == SpringCenter::World { None } else { inverse(&self.space.now) };
        for (bone, Track { before, now }) in self.bones.iter_mut().zip(&self.points[1..]) {
            let moved_on = |tail: Vector| {
                let by = difference(*now, *before);
                match &back {
                    Some(back) => moved(back, sum(moved(&self.space.before, tail, 1.0), by), 1.0),
                    None => sum(tail, by),
                }
            };
            if before != now {
                (bone.tail, bone.tail_before) = (moved_on(bone.tail), moved_on(bone.tail_before));
            }
        }
    }

    /// Integrates a step, or settles.
    ///
    /// - `share`: the step's time between the last frame, 0, and this one, 1; `None` to settle.
    /// - `metre`: the length of a metre of the model.
    fn step(&mut self, share: Option<f64>, metre: f64) {
        let Self { bones, colliders, center, points, space, still, .. } = self;
        let at_share = share.unwrap_or(1.0);
        let at = |point: &Track<Vector>| points_between(point.before, point.now, at_share);
        // A singular space has no inverse; the chain then has its inertia in the world.
        let space = if *center == SpringCenter::World {
            None
        } else {
            let Track { before, now } = space;
            let space: Rows =
                std::array::from_fn(|i| std::array::from_fn(|j| between(before[i][j], now[i][j], at_share)));
            inverse(&space).map(|back| (space, back))
        };
        let mut motion = Motion::NONE;
        let mut change = 0.0_f64;
        let mut to = at(&points[0]);
        for (bone, next) in bones.iter_mut().zip(&points[1..]) {
            let from = std::mem::replace(&mut to, at(next));
            let rest = difference(to, from);
            let origin = motion.of(from);
            let Some(straight) = unit(rest) else {
                // A bone without length has no direction.
                let tail = space.map_or(origin, |(_, back)| moved(&back, origin, 1.0));
                (bone.tail_before, bone.tail) = (bone.tail, tail);
                continue;
            };
            let (size, along) = (length(rest), motion.turned(straight));
            let force = sum(scaled(along, bone.stiffness * metre), scaled(bone.gravity, metre));
            let mut way = if share.is_some() {
                let [now, before] = [bone.tail, bone.tail_before]
                    .map(|tail| space.map_or(tail, |(space, _)| moved(&space, tail, 1.0)));
                let inertia = scaled(difference(now, before), bone.kept);
                difference(sum(sum(now, inertia), force), origin)
            } else {
                force
            };
            way = unit(way).unwrap_or(along);
            for collider in colliders.iter() {
                let [a, b] = collider.ends.before;
                let [to_a, to_b] = collider.ends.now;
                let ends = [points_between(a, to_a, at_share), points_between(b, to_b, at_share)];
                let radius = (f64::from(collider.shape.radius) + bone.radius) * metre;
                let tip = sum(origin, scaled(way, size));
                if let Some(tip) = pushed(tip, ends, radius) {
                    way = unit(difference(tip, origin)).unwrap_or(way);
                }
            }
            let tip = sum(origin, scaled(way, size));
            let tail = space.map_or(tip, |(_, back)| moved(&back, tip, 1.0));
            let free = motion.turned_back(way);
            let deflection = difference(free, straight);
            if share.is_some() {
                (bone.tail_before, bone.deflection_before) = (bone.tail, bone.deflection);
            } else {
                (bone.tail_before, bone.deflection_before) = (tail, deflection);
            }
            (bone.tail, bone.deflection) = (tail, deflection);
            let changed = difference(bone.deflection, bone.deflection_before);
            change = change.max(dot(changed, changed));
            motion = motion.after(&arc(straight, free), from);
        }
        *still = if share.is_none() || change > REST * REST { 0 } else { still.saturating_add(1) };
    }

    /// Computes the motions of the joints for this frame, between the last two steps.
    fn show(&mut self, share: f64) {
        let mut motion = Motion::NONE;
        for ((bone, ends), shown) in self.bones.iter().zip(self.points.windows(2)).zip(&mut self.motions) {
            let (from, to) = (ends[0].now, ends[1].now);
            if let Some(straight) = unit(difference(to, from)) {
                let deflection = points_between(bone.deflection_before, bone.deflection, share);
                let way = unit(sum(straight, deflection)).unwrap_or(straight);
                motion = motion.after(&arc(straight, way), from);
            }
            *shown = motion;
        }
    }
}

impl Bone {
    fn new(joint: &SpringJoint) -> Self {
        let initial = SpringJoint::new(joint.node);
        let real = |value: f32, initial: f32| f64::from(if value.is_finite() { value } else { initial });
        let direction = if joint.gravity_dir.is_finite() { joint.gravity_dir } else { initial.gravity_dir };
        let power = real(joint.gravity_power, initial.gravity_power);
        Self {
            stiffness: real(joint.stiffness, initial.stiffness).max(0.0) * STEP,
            gravity: scaled(vector(direction), power * STEP),
            kept: 1.0 - real(joint.drag_force, initial.drag_force).clamp(0.0, 1.0),
            radius: real(joint.hit_radius, initial.hit_radius).max(0.0),
            tail: [0.0; 3],
            tail_before: [0.0; 3],
            deflection: [0.0; 3],
            deflection_before: [0.0; 3],
        }
    }
}

/// The nearest place outside of a capsule; `None` if the point is outside.
fn pushed(point: Vector, [a, b]: [Vector; 2], radius: f64) -> Option<Vector> {
    let axis = difference(b, a);
    let share = dot(difference(point, a), axis) / dot(axis, axis);
    // A sphere has no axis: NaN.
    let nearest = if share > 0.0 { sum(a, scaled(axis, share.min(1.0))) } else { a };
    let out = difference(point, nearest);
    if dot(out, out) >= radius * radius {
        return None;
    }
    let out = unit(out).unwrap_or_else(|| across(axis));
    Some(sum(nearest, scaled(out, radius)))
}
