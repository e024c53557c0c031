//! Spring bones: chains of joints that swing. Spec: VRMC_springBone 1.0.
//!
//! Positions are integrated (Verlet) in fixed steps of [`STEP`]. A frame shows the state between the last two steps.
//! So it lags by up to one step behind, but only in the deflection from the animated direction.

use super::joint_line::JointLine;
use super::spaces::{Rows, inverse, product, rows};
use super::vectors::{Vector, cross, dot, length, moved, scaled, unit, vector, without};
use crate::animation::player::Player;
use crate::animation::rig::Rig;
use crate::base::{Affine, feature, sort_by};
use crate::model::{NodeId, SpringBones, SpringCenter, SpringChain, SpringCollider, SpringJoint};
use gambol_kernels::Carrier;
use gambol_kernels::springs::{SpringBone, SpringLine, SpringShape, Track};

/// Steps per second. The forces of VRMC_springBone are made for a display of this rate.
const RATE: f64 = 60.0;

/// The duration of a step, in seconds.
const STEP: f64 = 1.0 / RATE;

/// A longer interval between two frames is a jump of time, in seconds.
const JUMP: f64 = 0.5;

/// The relative error that counts as rounding when sizes are compared.
const ROUNDING: f64 = 1e-5;

/// A chain rests after this number of steps without a visible change.
const REST_STEPS: u8 = 8;

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
    /// `world_from_model` in the last frame.
    model: Rows,
    /// `true` if the actor has been moved without physics since the last frame.
    carried: bool,
    /// `true` if time has passed since the last reset.
    has_begun: bool,
}

#[derive(Debug, Clone)]
struct Chain {
    line: JointLine,
    springs: SpringLine,
    /// The shapes of the line's colliders.
    shapes: Vec<SpringCollider>,
    center: SpringCenter,
    /// `false` if there is no state of the frame before.
    swings: bool,
}

feature! {
    list for_body;
    pub(crate) fn bind(rig: &Rig, springs: &SpringBones) -> Springs = Springs::new;
    pub(crate) fn advance(springs: &mut Springs, player: &Player, cut: bool) = Springs::advance;
    pub(crate) fn swing(springs: &mut Springs, world_from_model: &Affine, matrices: &mut [Affine]) = Springs::apply;
}

impl Springs {
    /// Chains in the settled pose. Chains without a bone, and those with a joint that is not a descendant of the one
    /// before, are left out. A number that is not finite has its initial value, and colliders with one are
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
        self.swings && self.chains.iter().any(|chain| chain.springs.still < REST_STEPS)
    }

    /// Shows the settled pose in the next frame: that of a chain which hangs still in the animated pose.
    pub fn reset(&mut self) {
        (self.swings, self.has_begun) = (false, false);
    }

    /// Moves the chains with their actor in the next frame: they keep their shape and their motion in the model.
    pub(crate) fn carry(&mut self) {
        self.carried = true;
    }

    /// `true` if no time has passed since the last reset.
    pub fn is_new(&self) -> bool {
        !self.has_begun
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
        let model = rows(world_from_model);
        self.relocate(&model);
        let from = if self.swings { self.time } else { 0.0 };
        let to = if self.swings { from + seconds } else { 0.0 };
        let steps = (from * RATE).floor() as u64 + 1..(to * RATE).floor() as u64 + 1;
        let share = to * RATE - (to * RATE).floor();
        let unit = length(column(&model, 0));
        for chain in &mut self.chains {
            chain.swings &= self.swings;
            if !chain.read(&model, matrices) {
                chain.swings = false;
                continue;
            }
            if chain.swings {
                if seconds == 0.0 {
                    chain.springs.carry();
                }
                for step in steps.clone() {
                    chain.springs.step(Some((step as f64 * STEP - from) / (to - from)), unit);
                }
            } else {
                chain.springs.step(None, unit);
                chain.swings = true;
            }
            chain.springs.show(share);
            chain.line.apply(&chain.springs.carriers, matrices);
        }
        self.swings = true;
        self.time = to;
        self.has_begun |= seconds > 0.0;
    }

    /// Moves the state of the last frame where the motion of the actor is none for its springs: a change of its size,
    /// [`Springs::carry`], and any motion before time has passed.
    fn relocate(&mut self, model: &Rows) {
        let before = std::mem::replace(&mut self.model, *model);
        let carried = std::mem::take(&mut self.carried) || self.is_new();
        if !self.swings || before == *model || !carried && have_one_size(&before, model) {
            return;
        }
        let by = if carried {
            inverse(&before).map(|back| product(model, &back))
        } else {
            resizing(&before, model)
        };
        let settles_alike =
            |by: &Rows| is_similarity(by) && self.chains.iter().all(|chain| chain.springs.settles_alike(by));
        match by.filter(|by| !self.is_new() || settles_alike(by)) {
            Some(by) => self.chains.iter_mut().for_each(|chain| chain.springs.move_by(&by)),
            None => self.reset(),
        }
    }
}

fn column(matrix: &Rows, at: usize) -> Vector {
    matrix.map(|row| row[at])
}

/// The products of the axes of a matrix, which no rotation changes.
fn products(matrix: &Rows) -> [f64; 6] {
    let [x, y, z] = [0, 1, 2].map(|at| column(matrix, at));
    [dot(x, x), dot(y, y), dot(z, z), dot(x, y), dot(y, z), dot(z, x)]
}

/// `true` if two matrices differ by a rotation and a translation, except for rounding.
fn have_one_size(a: &Rows, b: &Rows) -> bool {
    let (a, b) = (products(a), products(b));
    let size = a.iter().chain(&b).fold(0.0, |size: f64, value| size.max(value.abs()));
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= ROUNDING * size)
}

/// `true` if a matrix keeps all angles, except for rounding.
fn is_similarity(matrix: &Rows) -> bool {
    let [x, y, z, a, b, c] = products(matrix);
    [x - y, x - z, a, b, c].iter().all(|value| value.abs() <= ROUNDING * x)
}

/// The rotation of a matrix, as columns: its X axis is that of the matrix, its Y axis is in the plane of X and Y. `None` if
/// it is singular.
fn orientation(matrix: &Rows) -> Option<[Vector; 3]> {
    let x = unit(column(matrix, 0))?;
    let y = unit(without(column(matrix, 1), x))?;
    Some([x, y, cross(x, y)])
}

/// The motion that gives an actor the size that it has now, at its place before. `None` if one of both is singular.
fn resizing(before: &Rows, now: &Rows) -> Option<Rows> {
    let (from, to) = (orientation(now)?, orientation(before)?);
    // Turned back to the orientation before.
    let own = [0, 1, 2].map(|axis| column(now, axis));
    let entry = |i: usize, j: usize| (0..3).map(|axis| to[axis][i] * dot(from[axis], own[j])).sum::<f64>();
    let row = |i: usize| [entry(i, 0), entry(i, 1), entry(i, 2), before[i][3]];
    let resized: Rows = [row(0), row(1), row(2)];
    Some(product(&resized, &inverse(before)?))
}

impl Chain {
    fn new(rig: &Rig, springs: &SpringBones, chain: &SpringChain) -> Option<Self> {
        let tail = chain.tail.filter(|tail| tail.is_finite());
        let line = JointLine::new(rig, chain.joints.iter().map(|joint| joint.node), tail.is_some())?;
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
        let shapes: Vec<SpringCollider> = colliders.filter(is_valid).copied().collect();
        let shape = |shape: &SpringCollider| SpringShape {
            radius: f64::from(shape.radius),
            ..SpringShape::default()
        };
        let center = match chain.center {
            SpringCenter::Node(node) if node.index() >= rig.node_count() => SpringCenter::World,
            center => center,
        };
        let springs = SpringLine {
            bones: chain.joints[..line.bones()].iter().map(bone).collect(),
            colliders: shapes.iter().map(shape).collect(),
            joints: line.joints().iter().map(|joint| joint.index() as u32).collect(),
            tail: tail.map(vector),
            points: vec![Track::default(); line.bones() + 1],
            space: (center != SpringCenter::World).then(Track::default),
            carriers: vec![Carrier::none(); line.bones()],
            still: 0,
        };
        Some(Self { line, springs, shapes, center, swings: false })
    }

    /// Reads the frame's matrices; `false` if one is not finite.
    fn read(&mut self, model: &Rows, matrices: &[Affine]) -> bool {
        let swings = self.swings;
        let mut finite = self.springs.read(matrices, swings);
        for (shape, collider) in self.shapes.iter().zip(&mut self.springs.colliders) {
            let matrix = rows(&matrices[shape.node.index()]);
            let at = [shape.offset, shape.tail].map(|end| moved(&matrix, vector(end), 1.0));
            finite &= at.as_flattened().iter().all(|value| value.is_finite());
            collider.ends.push(at, swings);
        }
        let space = match self.center {
            SpringCenter::World => return finite,
            SpringCenter::Model => *model,
            SpringCenter::Node(node) => rows(&matrices[node.index()]),
        };
        if let Some(track) = &mut self.springs.space {
            track.push(space, swings);
        }
        finite && space.as_flattened().iter().all(|value| value.is_finite())
    }
}

fn bone(joint: &SpringJoint) -> SpringBone {
    let initial = SpringJoint::new(joint.node);
    let real = |value: f32, initial: f32| f64::from(if value.is_finite() { value } else { initial });
    let direction = if joint.gravity_dir.is_finite() { joint.gravity_dir } else { initial.gravity_dir };
    let power = real(joint.gravity_power, initial.gravity_power);
    let stiffness = real(joint.stiffness, initial.stiffness).max(0.0) * STEP;
    let gravity = scaled(vector(direction), power * STEP);
    let kept = 1.0 - real(joint.drag_force, initial.drag_force).clamp(0.0, 1.0);
    SpringBone::new(stiffness, gravity, kept, real(joint.hit_radius, initial.hit_radius).max(0.0))
}
