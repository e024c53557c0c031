//! The steps of spring bones. Spec: VRMC_springBone 1.0.

use crate::affine::Affine;
use crate::motion::{Carrier, Motion, then, turn_back, turn_by, turned_to};
use crate::vectors::{
    Rows, Turn, Vector, across, arc_between, difference, dot, inverse, length, moved, product, rows, scaled,
    sum, unit,
};

/// A step that changes no direction by more than this counts as rest.
const REST: f64 = 1e-6;

/// A chain of spring bones.
#[derive(Debug, Clone, Default)]
pub struct SpringLine {
    /// The bones.
    pub bones: Vec<SpringBone>,
    /// The shapes that the bones do not enter.
    pub colliders: Vec<SpringShape>,
    /// The nodes of the joints: one more than bones, or as many with a `tail`.
    pub joints: Vec<u32>,
    /// The end of the last joint's bone, in the space of that joint; `None` if the last joint is only an end point.
    pub tail: Option<Vector>,
    /// The places of the joints in the animation, and of the end of the last bone: one more than bones.
    pub points: Vec<Track<Vector>>,
    /// The space of the inertia; `None` for the world.
    pub space: Option<Track<Rows>>,
    /// The motion of each joint but the last, after [`SpringLine::show`].
    pub carriers: Vec<Carrier>,
    /// The number of steps since the last visible change.
    pub still: u8,
}

/// A sphere or a capsule, in the world.
#[derive(Debug, Clone, Copy, Default)]
pub struct SpringShape {
    /// The centres of its ends.
    pub ends: Track<[Vector; 2]>,
    /// The radius in metres of the model.
    pub radius: f64,
}

/// A spring bone with its state.
#[derive(Debug, Clone, Copy, Default)]
pub struct SpringBone {
    /// In metres for each step.
    stiffness: f64,
    /// In metres for each step.
    gravity: Vector,
    /// The velocity that is left after a step.
    kept: f64,
    /// The radius at its end, in metres of the model.
    radius: f64,
    /// The bone's end after the last two steps, in the centre's space.
    tail: Vector,
    tail_before: Vector,
    /// The difference between the bone's direction and its animated one, with the upper bones undeflected.
    deflection: Vector,
    deflection_before: Vector,
}

/// A value at this frame and at the one before.
#[derive(Debug, Clone, Copy, Default)]
pub struct Track<T> {
    /// At the frame before.
    pub before: T,
    /// At this frame.
    pub now: T,
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
    pub fn push(&mut self, now: T, swings: bool) {
        *self = Self { before: if swings { self.now } else { now }, now };
    }
}

impl SpringBone {
    /// A bone without a state.
    ///
    /// - `stiffness`, `gravity`: in metres for each step.
    /// - `kept`: the velocity that is left after a step.
    /// - `radius`: at the bone's end, in metres of the model.
    pub fn new(stiffness: f64, gravity: Vector, kept: f64, radius: f64) -> Self {
        Self { stiffness, gravity, kept, radius, ..Self::default() }
    }
}

impl SpringLine {
    /// Reads the places of the joints in a frame; `false` if one is not finite.
    ///
    /// - `swings`: `false` if nothing is known about the last frame.
    ///
    /// # Panics
    /// If the matrices are of another model.
    #[inline(never)]
    pub fn read(&mut self, matrices: &[Affine], swings: bool) -> bool {
        let mut finite = 0.0;
        for (point, &joint) in self.points.iter_mut().zip(&self.joints) {
            let [x, y, z] = matrices[joint as usize].rows.map(|row| f64::from(row.to_array()[3]));
            // The product with infinity or NaN is NaN.
            finite += x * 0.0 + y * 0.0 + z * 0.0;
            point.push([x, y, z], swings);
        }
        if let (Some(tail), Some(point), Some(&joint)) =
            (self.tail, self.points.last_mut(), self.joints.last())
        {
            let [x, y, z] = moved(&rows(&matrices[joint as usize]), tail, 1.0);
            finite += x * 0.0 + y * 0.0 + z * 0.0;
            point.push([x, y, z], swings);
        }
        finite == 0.0
    }

    /// Moves the state of the last frame by a matrix of the world, as if the chain had been there then.
    pub fn move_by(&mut self, by: &Rows) {
        let Self { bones, colliders, points, space, .. } = self;
        // A chain with a singular space has its inertia in the world.
        let in_world = space.is_none_or(|space| inverse(&space.now).is_none());
        for (bone, ends) in bones.iter_mut().zip(points.windows(2)) {
            let straight = difference(ends[1].now, ends[0].now);
            let size = length(straight);
            let turned = |deflection: Vector| {
                let ways = [straight, sum(straight, scaled(deflection, size))];
                match ways.map(|way| unit(moved(by, way, 0.0))) {
                    [Some(straight), Some(way)] => difference(way, straight),
                    _ => deflection,
                }
            };
            (bone.deflection, bone.deflection_before) =
                (turned(bone.deflection), turned(bone.deflection_before));
            if in_world {
                (bone.tail, bone.tail_before) = (moved(by, bone.tail, 1.0), moved(by, bone.tail_before, 1.0));
            }
        }
        points.iter_mut().for_each(|point| point.now = moved(by, point.now, 1.0));
        for collider in colliders {
            collider.ends.now = collider.ends.now.map(|end| moved(by, end, 1.0));
        }
        if let Some(space) = space {
            space.now = product(by, &space.now);
        }
    }

    /// `true` if gravity has the same direction after a motion of the chain, so that it settles in the same shape.
    pub fn settles_alike(&self, by: &Rows) -> bool {
        self.bones.iter().all(|bone| {
            let ways = [bone.gravity, moved(by, bone.gravity, 0.0)].map(unit);
            matches!(ways, [Some(before), Some(after)] if dot(before, after) > 1.0 - 1e-9)
                || bone.gravity == [0.0; 3]
        })
    }

    /// Moves the state with the animated joints while time stands still, so that the chain keeps its shape.
    pub fn carry(&mut self) {
        let space = self.space.and_then(|space| Some((space.before, inverse(&space.now)?)));
        for (bone, Track { before, now }) in self.bones.iter_mut().zip(&self.points[1..]) {
            let moved_on = |tail: Vector| {
                let by = difference(*now, *before);
                match &space {
                    Some((before, back)) => moved(back, sum(moved(before, tail, 1.0), by), 1.0),
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
    #[inline(never)]
    pub fn step(&mut self, share: Option<f64>, metre: f64) {
        let Self { bones, colliders, points, space, still, .. } = self;
        let at_share = share.unwrap_or(1.0);
        let at = |point: &Track<Vector>| points_between(point.before, point.now, at_share);
        // A singular space has no inverse; the chain then has its inertia in the world.
        let space = space.as_ref().and_then(|Track { before, now }| {
            let space: Rows =
                std::array::from_fn(|i| std::array::from_fn(|j| between(before[i][j], now[i][j], at_share)));
            inverse(&space).map(|back| (space, back))
        });
        // The rotation of the bone by the deflections of the upper ones.
        let mut turn = Motion::NONE.turn;
        let mut change = 0.0_f64;
        let mut from = at(&points[0]);
        // The place of the joint, with the upper bones deflected.
        let mut origin = from;
        for (bone, next) in bones.iter_mut().zip(&points[1..]) {
            let to = at(next);
            let rest = difference(to, std::mem::replace(&mut from, to));
            let Some((straight, size)) = direction(rest) else {
                // A bone without length has no direction.
                let tail = space.map_or(origin, |(_, back)| moved(&back, origin, 1.0));
                (bone.tail_before, bone.tail) = (bone.tail, tail);
                continue;
            };
            let gravity = scaled(bone.gravity, metre);
            let free = if share.is_some() {
                let [now, before] = [bone.tail, bone.tail_before]
                    .map(|tail| space.map_or(tail, |(space, _)| moved(&space, tail, 1.0)));
                let inertia = scaled(difference(now, before), bone.kept);
                difference(sum(sum(now, inertia), gravity), origin)
            } else {
                gravity
            };
            // Directions are in the animated space of the joint, where the upper bones are not deflected.
            let way = sum(turn_back(&turn, free), scaled(straight, bone.stiffness * metre));
            let (mut way, mut bend) = bend_to(straight, way).unwrap_or((straight, Motion::NONE.turn));
            let end = |way| sum(origin, turn_by(&turn, scaled(way, size)));
            let mut tip = end(way);
            for collider in colliders.iter() {
                let [a, b] = collider.ends.before;
                let [to_a, to_b] = collider.ends.now;
                let ends = [points_between(a, to_a, at_share), points_between(b, to_b, at_share)];
                let radius = (collider.radius + bone.radius) * metre;
                if let Some(outside) = pushed(tip, ends, radius) {
                    let out = turn_back(&turn, difference(outside, origin));
                    (way, bend) = bend_to(straight, out).unwrap_or((way, bend));
                    tip = end(way);
                }
            }
            let tail = space.map_or(tip, |(_, back)| moved(&back, tip, 1.0));
            let deflection = difference(way, straight);
            if share.is_some() {
                (bone.tail_before, bone.deflection_before) = (bone.tail, bone.deflection);
            } else {
                (bone.tail_before, bone.deflection_before) = (tail, deflection);
            }
            (bone.tail, bone.deflection) = (tail, deflection);
            let changed = difference(bone.deflection, bone.deflection_before);
            let changed = dot(changed, changed);
            // Not `f64::max`, which is a call in WebAssembly.
            change = if changed > change { changed } else { change };
            turn = then(&bend, &turn);
            origin = tip;
        }
        *still = if share.is_none() || change > REST * REST { 0 } else { still.saturating_add(1) };
    }

    /// Computes the motions of the joints for this frame, between the last two steps.
    #[inline(never)]
    pub fn show(&mut self, share: f64) {
        // As in a skeleton: first relative to the joint before, then in the world.
        let mut place = self.points[0].now;
        for ((bone, ends), carrier) in self.bones.iter().zip(self.points.windows(2)).zip(&mut self.carriers) {
            let (from, straight) = (ends[0].now, difference(ends[1].now, ends[0].now));
            let deflection = points_between(bone.deflection_before, bone.deflection, share);
            let way = sum(straight, scaled(deflection, length(straight)));
            let lengths = (dot(straight, straight) * dot(way, way)).sqrt();
            let turn = if is_size(lengths) { arc_between(straight, way, lengths) } else { Motion::NONE.turn };
            *carrier = Carrier { from: from.map(|value| value as f32), to: turned_to(&turn, place) };
            place = straight;
        }
        let mut to = Affine::identity();
        for carrier in &mut self.carriers {
            to = to.mul(&carrier.to);
            carrier.to = to;
        }
    }
}

/// The unit vector of `to`, and the shortest rotation from a unit vector to it; `None` if its length is zero or not finite.
#[inline(always)]
fn bend_to(from: Vector, to: Vector) -> Option<(Vector, Turn)> {
    let (way, length) = direction(to)?;
    Some((way, arc_between(from, to, length)))
}

/// The unit vector of a direction, and its length; `None` if the length is zero or not finite.
fn direction(a: Vector) -> Option<(Vector, f64)> {
    let length = length(a);
    is_size(length).then(|| (scaled(a, 1.0 / length), length))
}

/// `true` if directions can be divided by this length.
fn is_size(length: f64) -> bool {
    length > 1e-100 && length < f64::INFINITY
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
    let out = direction(out).map_or_else(|| across(axis), |(out, _)| out);
    Some(sum(nearest, scaled(out, radius)))
}
