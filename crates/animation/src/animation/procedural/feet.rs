//! Feet on the ground: the pelvis moves up or down, and legs bend, so that feet stand on uneven ground.
//!
//! The contact of a foot is its height in the animated pose. So it needs no memory, and is right for every mixture of
//! clips. Only the ground below a foot has a memory: it rises and sinks with a limited speed. See
//! `docs/design/procedural.md#feet`.

use super::ik::{below, lead};
use super::spaces::{Rows, rows};
use super::vectors::{
    Turn, Vector, arc, difference, dot, length, mixed, moved, place, sum, turned, unit, vector, without,
};
use crate::animation::player::Player;
use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::NodeId;
use glam::Vec3;

/// A foot is in contact below the first height above its standing height, and free above the second, as fractions of
/// the leg's length.
const CONTACT: [f64; 2] = [0.02, 0.1];

/// The ground counts up to the first distance from the ground of the clip, and not beyond the second, as fractions of
/// the leg's length.
const REACH: [f64; 2] = [0.5, 0.7];

/// The largest standing height of a joint of the foot, as a fraction of the leg's length.
const STANDING: f64 = 0.25;

/// The largest speed of the ground below a foot, in lengths of the leg per second.
const RISE: f64 = 4.0;

/// The largest change of its slope per second.
const TILT: f64 = 8.0;

/// The duration of the beginning and the end, in seconds.
const FADE: f64 = 0.2;

/// A leg whose knee is off the line from hip to ankle by less than this fraction of the thigh needs a direction for
/// the knee.
const STRAIGHT: f64 = 0.05;

const UP: Vector = [0.0, 1.0, 0.0];

const STILL: Turn = [[1.0, 0.0, 0.0], UP, [0.0, 0.0, 1.0]];

/// The feet of an actor that stand on the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Feet {
    /// The legs; two for a human.
    pub legs: Vec<LegBones>,
    /// An ancestor of all legs.
    pub pelvis: NodeId,
    /// `true` if the pelvis moves so that all feet in contact reach the ground.
    pub moves_pelvis: bool,
    /// `true` for the ground of the clips, which is the plane Y = 0 of the model; `false` for that of
    /// [`Overrides::set_ground`](super::Overrides::set_ground).
    pub is_flat: bool,
    /// The blend weight from the animated pose, `0.0..=1.0`.
    pub weight: f32,
}

/// The joints of a leg. Each is a descendant of the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LegBones {
    /// The hip joint.
    pub upper: NodeId,
    /// The knee.
    pub lower: NodeId,
    /// The ankle.
    pub foot: NodeId,
    /// The ball of the foot.
    pub toes: Option<NodeId>,
}

/// A point of the ground, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundPoint {
    /// The position.
    pub at: Vec3,
    /// The direction away from the ground; its Y is positive. It need not be of unit length.
    pub normal: Vec3,
}

/// The ground below a foot: its height, and the change of the height along X and Z.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Plane {
    height: f64,
    slope: [f64; 2],
}

/// [`Feet`] with their state.
#[derive(Debug, Clone)]
pub(super) struct FeetControl {
    feet: Feet,
    legs: Vec<Leg>,
    /// The player's clock and its number of reversals at the last frame.
    clock: f64,
    reversals: u64,
    /// Seconds since the last frame; `None` if the feet are at the ground at once.
    seconds: Option<f64>,
    ends: bool,
    moves: bool,
}

/// The steps of the traversal, with the index of the leg.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FeetStep {
    Pelvis,
    Upper(usize),
    Lower(usize),
    Foot(usize),
}

/// The place of an actor that stands on its feet.
struct Body {
    origin: Vector,
    up: Vector,
    /// The length of a metre of the model.
    metre: f64,
}

#[derive(Debug, Clone)]
struct Leg {
    bones: LegBones,
    /// The length of both bones, and the heights of ankle and ball of a standing foot, in metres of the model.
    length: f64,
    ankle: f64,
    ball: f64,
    point: Option<GroundPoint>,
    /// The plane that counts now; `None` before the first frame.
    plane: Option<Plane>,
    /// The weight of the plane, which fades in and out.
    presence: f64,
    /// The animated place of the ankle in the last frame.
    at: Vector,
    /// The way up from `at` to the goal, and the normal of the sole.
    rise: f64,
    normal: Vector,
    contact: f64,
    goal: Option<Vector>,
    /// The rotation from the bent leg back to the animated one; `None` if the foot is not turned.
    back: Option<Turn>,
}

impl FeetControl {
    /// `None` if a joint is not below the one before it.
    pub(super) fn new(rig: &Rig, feet: Feet) -> Option<Self> {
        let mut matrices = Vec::new();
        rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
        let at = |node: NodeId| place(&rows(&matrices[node.index()]));
        let legs = feet.legs.iter().map(|&bones| {
            let LegBones { upper, lower, foot, toes } = bones;
            let is_line = is_above(rig, feet.pelvis, upper)?
                && is_above(rig, upper, lower)?
                && is_above(rig, lower, foot)?
                && toes.is_none_or(|toes| is_above(rig, foot, toes) == Some(true));
            let size = length(difference(at(lower), at(upper))) + length(difference(at(foot), at(lower)));
            // A rest pose that does not stand on the ground has no standing heights.
            let standing = |node: NodeId| at(node)[1].clamp(0.0, STANDING * size);
            (is_line && size > 0.0 && size.is_finite()).then(|| Leg {
                bones,
                length: size,
                ankle: standing(foot),
                ball: standing(toes.unwrap_or(foot)),
                point: None,
                plane: None,
                presence: 0.0,
                at: at(foot),
                rise: 0.0,
                normal: UP,
                contact: 0.0,
                goal: None,
                back: None,
            })
        });
        let legs: Vec<Leg> = legs.collect::<Option<_>>()?;
        let weight = feet.weight.clamp(0.0, 1.0);
        (!legs.is_empty() && !weight.is_nan()).then_some(Self {
            feet: Feet { weight, ..feet },
            legs,
            clock: 0.0,
            reversals: 0,
            seconds: None,
            ends: false,
            moves: true,
        })
    }

    /// Begins, and continues from the state of the feet before, as far as the legs are the same.
    pub(super) fn begin(&mut self, player: &Player, before: Option<&Self>) {
        (self.clock, self.reversals) = (player.clock(), player.reversals());
        for leg in &mut self.legs {
            let mut known = before.iter().flat_map(|before| &before.legs);
            if let Some(known) = known.find(|known| known.bones == leg.bones) {
                *leg = known.clone();
            }
        }
    }

    /// The steps of the traversal, with their nodes.
    pub(super) fn steps(&self) -> impl Iterator<Item = (NodeId, FeetStep)> {
        let of_leg = |(i, leg): (usize, &Leg)| {
            let LegBones { upper, lower, foot, .. } = leg.bones;
            [(upper, FeetStep::Upper(i)), (lower, FeetStep::Lower(i)), (foot, FeetStep::Foot(i))]
        };
        let pelvis = (self.feet.pelvis, FeetStep::Pelvis);
        std::iter::once(pelvis).chain(self.legs.iter().enumerate().flat_map(of_leg))
    }

    /// Begins the end: the feet return to the animated pose.
    pub(super) fn end(&mut self) {
        (self.ends, self.moves) = (true, true);
    }

    /// `true` after the end.
    pub(super) fn has_ended(&self) -> bool {
        self.ends && self.legs.iter().all(|leg| leg.presence == 0.0)
    }

    /// `true` if time alone moves a foot.
    pub(super) fn is_moving(&self) -> bool {
        self.moves
    }

    /// Sets the ground of a leg; `None` if there is none. A point that is not finite, or whose normal does not point
    /// up, counts as none.
    pub(super) fn set_ground(&mut self, leg: usize, point: Option<GroundPoint>) {
        let valid = |point: &GroundPoint| {
            point.at.is_finite() && point.normal.is_finite() && point.normal.y > 0.01 * point.normal.length()
        };
        if let Some(leg) = self.legs.get_mut(leg) {
            leg.point = point.filter(valid);
            self.moves = true;
        }
    }

    /// The animated place of each ankle in the last frame, in the world.
    pub(super) fn places(&self) -> impl ExactSizeIterator<Item = Vector> {
        self.legs.iter().map(|leg| leg.at)
    }

    /// Takes over the places of a copy.
    pub(super) fn set_places(&mut self, of: &Self) {
        for (leg, of) in self.legs.iter_mut().zip(&of.legs) {
            leg.at = of.at;
        }
    }

    /// Puts the feet on the ground at once in the next frame.
    pub(super) fn reset(&mut self) {
        self.seconds = None;
    }

    /// Reads the time since the last call.
    pub(super) fn advance(&mut self, player: &Player, cut: bool) {
        let (clock, reversals) = (player.clock(), player.reversals());
        let seconds = clock - self.clock;
        let jumps = cut || reversals != self.reversals || !player.clock_runs();
        (self.clock, self.reversals) = (clock, reversals);
        self.seconds = (!jumps && seconds >= 0.0).then_some(seconds);
    }

    /// The new world matrix of a step's node; `None` if it stays. Matrices up to the node are world matrices, the
    /// others are local.
    pub(super) fn step(
        &mut self,
        step: FeetStep,
        node: NodeId,
        rig: &Rig,
        world_from_model: &Affine,
        matrices: &[Affine],
    ) -> Option<Rows> {
        match step {
            FeetStep::Pelvis => self.plan(node, rig, world_from_model, matrices),
            FeetStep::Upper(i) => self.legs[i].lead(world_from_model, rig, matrices),
            FeetStep::Lower(i) => self.legs[i].bend(rig, matrices),
            FeetStep::Foot(i) => {
                let leg = &self.legs[i];
                let animated = turned(&leg.back?, &rows(&matrices[node.index()]));
                Some(turned(&arc(UP, leg.normal), &animated))
            }
        }
    }

    /// Computes the goals of all feet, and moves the pelvis.
    fn plan(
        &mut self,
        pelvis: NodeId,
        rig: &Rig,
        world_from_model: &Affine,
        matrices: &[Affine],
    ) -> Option<Rows> {
        let Self { feet, legs, seconds, ends, moves, .. } = self;
        let body = Body::new(world_from_model)?;
        let seconds = seconds.take();
        let weight = if *ends { 0.0 } else { f64::from(feet.weight) };
        *moves = false;
        for leg in &mut *legs {
            let LegBones { foot, toes, .. } = leg.bones;
            let ankle = below(rig, matrices, pelvis, foot)?;
            let ball = below(rig, matrices, pelvis, toes.unwrap_or(foot))?;
            *moves |= leg.find(&body, [ankle, ball], feet.is_flat, weight, seconds);
        }
        let highest = legs.iter().map(|leg| leg.rise).fold(f64::NEG_INFINITY, f64::max);
        let needed = |leg: &Leg| highest + (leg.rise - highest) * leg.contact;
        let shift = legs.iter().map(needed).fold(f64::INFINITY, f64::min);
        let shift = if feet.moves_pelvis { shift } else { 0.0 };
        for leg in legs {
            // A leg that moves with the pelvis keeps its shape, to the bit.
            leg.goal = (leg.rise != shift).then(|| sum(leg.at, [0.0, leg.rise, 0.0]));
            leg.back = (leg.goal.is_some() || leg.normal != UP).then_some(STILL);
        }
        let mut moved = rows(&matrices[pelvis.index()]);
        moved[1][3] += shift;
        (shift != 0.0).then_some(moved)
    }
}

impl Body {
    /// `None` if the model has no height.
    fn new(world_from_model: &Affine) -> Option<Self> {
        let model = rows(world_from_model);
        let up = [model[0][1], model[1][1], model[2][1]];
        Some(Self { origin: place(&model), up: unit(up)?, metre: length(up) })
    }

    /// The height of a point above the ground of the clips.
    fn above(&self, point: Vector) -> f64 {
        dot(difference(point, self.origin), self.up)
    }
}

impl Leg {
    /// Finds the foot's way to the ground; returns `true` if the ground is still on its way to where it belongs.
    fn find(
        &mut self,
        body: &Body,
        [ankle, ball]: [Vector; 2],
        is_flat: bool,
        weight: f64,
        seconds: Option<f64>,
    ) -> bool {
        (self.rise, self.normal, self.contact) = (0.0, UP, 0.0);
        let size = self.length * body.metre;
        let (height, ball) = (body.above(ankle), body.above(ball));
        if !(height + ball + size).is_finite() {
            return false;
        }
        self.at = ankle;
        // The height of the lowest point of the sole.
        let lift = (height - self.ankle * body.metre).min(ball - self.ball * body.metre);
        let contact = falling(lift / size, CONTACT);

        let flat = Plane { height: ankle[1] - height, slope: [0.0; 2] };
        let under = if is_flat { Some(flat) } else { self.point.map(|point| Plane::through(point, ankle)) };
        let near = under.map_or(0.0, |under| falling((under.height - flat.height).abs() / size, REACH));
        let plane = match (self.plane, under, seconds) {
            // The foot holds on to what it stood on.
            (Some(plane), Some(_), Some(_)) if near == 0.0 && self.presence > 0.0 => plane,
            (Some(plane), Some(under), Some(seconds)) if self.presence > 0.0 && !is_flat => {
                plane.toward(under, size, seconds)
            }
            (known, under, _) => under.or(known).unwrap_or(flat),
        };
        self.plane = Some(plane);
        let wanted = weight * near;
        self.presence = seconds.map_or(wanted, |seconds| toward(self.presence, wanted, seconds / FADE));
        let changes = self.presence != wanted || near > 0.0 && under.is_some_and(|under| under != plane);

        self.contact = contact * self.presence;
        let [slope_x, slope_z] = plane.slope;
        if self.contact > 0.0 && plane.slope != [0.0; 2] {
            let normal = unit([-slope_x, 1.0, -slope_z]).unwrap_or(UP);
            self.normal = unit(mixed(UP, normal, self.contact)).unwrap_or(UP);
        }
        let goal = plane.height + (height - contact * lift) / self.normal[1];
        self.rise = self.presence * (goal - ankle[1]);
        changes
    }

    /// The new matrix of the upper leg.
    fn lead(&mut self, world_from_model: &Affine, rig: &Rig, matrices: &[Affine]) -> Option<Rows> {
        let LegBones { upper, lower, foot, toes } = self.bones;
        let goal = self.goal?;
        let matrix = rows(&matrices[upper.index()]);
        let from = place(&matrix);
        let bent = difference(below(rig, matrices, upper, lower)?, from);
        let end = below(rig, matrices, upper, foot)?;
        let reached = difference(end, from);
        let aside = length(without(bent, unit(reached)?)) / length(bent);
        let ahead = match toes {
            Some(toes) => difference(below(rig, matrices, upper, toes)?, end),
            None => moved(&rows(world_from_model), vector(rig.front()), 0.0),
        };
        let stiffness = 1.0 - (aside / STRAIGHT).min(1.0);
        let turn = lead(bent, reached, difference(goal, from), Some(ahead), stiffness)?;
        self.turned(&turn, &matrix)
    }

    /// The new matrix of the lower leg.
    fn bend(&mut self, rig: &Rig, matrices: &[Affine]) -> Option<Rows> {
        let LegBones { lower, foot, .. } = self.bones;
        let matrix = rows(&matrices[lower.index()]);
        let from = place(&matrix);
        let now = unit(difference(below(rig, matrices, lower, foot)?, from))?;
        let wanted = unit(difference(self.goal?, from))?;
        self.turned(&arc(now, wanted), &matrix)
    }

    /// Turns a bone of the leg.
    fn turned(&mut self, turn: &Turn, matrix: &Rows) -> Option<Rows> {
        let back = self.back?;
        self.back = Some(back.map(|row| turn.map(|other| dot(row, other))));
        Some(turned(turn, matrix))
    }
}

impl Plane {
    /// The plane through a point, at the X and Z of a place.
    fn through(GroundPoint { at, normal }: GroundPoint, place: Vector) -> Self {
        let ([x, y, z], [nx, ny, nz]) = (vector(at), vector(normal));
        let slope = [-nx / ny, -nz / ny];
        Self { height: y + slope[0] * (place[0] - x) + slope[1] * (place[2] - z), slope }
    }

    /// The plane after some time on the way to another. A jump that a foot cannot step over is no way.
    fn toward(self, to: Self, size: f64, seconds: f64) -> Self {
        if (to.height - self.height).abs() > REACH[0] * size {
            return to;
        }
        let slope = |i: usize| toward(self.slope[i], to.slope[i], TILT * seconds);
        let height = toward(self.height, to.height, RISE * size * seconds);
        Self { height, slope: [slope(0), slope(1)] }
    }
}

/// A number on its way to another, by at most `step`.
fn toward(from: f64, to: f64, step: f64) -> f64 {
    if (to - from).abs() <= step { to } else { from + step.copysign(to - from) }
}

/// 1 up to the first value, 0 from the second on, smooth in between.
fn falling(value: f64, [from, to]: [f64; 2]) -> f64 {
    let share = ((value - from) / (to - from)).clamp(0.0, 1.0);
    1.0 - share * share * (3.0 - 2.0 * share)
}

/// `true` if a node is an ancestor of another; `None` if one does not exist.
fn is_above(rig: &Rig, ancestor: NodeId, node: NodeId) -> Option<bool> {
    (ancestor.index() < rig.node_count() && node.index() < rig.node_count()).then_some(())?;
    let mut up = rig.parent(node);
    while let Some(at) = up.filter(|&at| at > ancestor) {
        up = rig.parent(at);
    }
    Some(up == Some(ancestor))
}
