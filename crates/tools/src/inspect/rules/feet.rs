//! Feet that slide over the ground while they touch it.

use super::super::body::{Body, origin};
use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, Severity, Unit, digits};
use super::super::motion::Motion;
use gambol::animation::GroundContacts;
use gambol::animation::retarget::HumanoidMap;
use gambol::model::{ClipId, HumanBone, NodeId};
use glam::DVec3;

/// The contact from which a foot is planted.
const PLANTED: f64 = 0.6;
/// The least duration of a contact, in seconds.
const LASTS: f64 = 0.1;
/// The least sliding distance that is seen, in lengths of the leg.
const SEEN: f64 = 0.04;
/// A foot that is faster is in the air, although it is low: in lengths of the leg per second. Feet that never leave the
/// ground may have any speed.
const SWING: f64 = 1.5;
/// A foot never leaves the ground if it rises less, in lengths of the leg.
const LIFT: f64 = 0.05;
/// Planted feet that move by less of their way into one direction do not walk on the spot.
const STRAIGHT: f64 = 0.7;
/// The least speed of a walk on the spot, in lengths of the leg per second.
const WALK: f64 = 0.15;
/// The largest number of feet, and of places in a trail.
const FEET: usize = 16;
const TRAIL: usize = 32;

/// A leg: the joint that stands on the ground, and the one at its end if there is one.
pub(super) struct Leg {
    pub(super) foot: NodeId,
    pub(super) toes: Option<NodeId>,
    /// In metres.
    pub(super) length: f64,
}

/// The legs of a model: those of a human, or else limbs that end at the ground.
pub(super) fn legs(body: &Body<'_>) -> Vec<Leg> {
    let rest = body.matrices(body.rig.rest_pose());
    let at = |node: NodeId| origin(&rest, node);
    let mut legs = Vec::new();
    if let Some(map) = HumanoidMap::find(body.model) {
        use HumanBone as B;
        for [upper, lower, foot, toes] in [
            [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot, B::LeftToes],
            [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot, B::RightToes],
        ] {
            let [Some(upper), Some(lower), Some(foot)] = [upper, lower, foot].map(|bone| map.node(bone))
            else {
                continue;
            };
            let length = at(lower).distance(at(upper)) + at(foot).distance(at(lower));
            legs.push(Leg { foot, toes: map.node(toes), length });
        }
    } else if body.tracked.len() < body.model.nodes.len() {
        legs = limbs(body, &at);
    }
    legs.retain(|leg| leg.length > 0.0 && leg.length.is_finite());
    legs.truncate(FEET);
    legs
}

/// Joints at the ends of chains that are at the ground, below joints that are well above it.
fn limbs(body: &Body<'_>, at: &dyn Fn(NodeId) -> DVec3) -> Vec<Leg> {
    let ground = body.tracked.iter().map(|node| at(*node).y).fold(f64::INFINITY, f64::min);
    let mut has_child = vec![false; body.model.nodes.len()];
    for node in &body.tracked {
        if let Some(parent) = body.parent(*node) {
            has_child[parent.index()] = true;
        }
    }
    let leg = |end: NodeId| {
        let foot = body.parent(end)?;
        let knee = body.parent(foot)?;
        let hip = body.parent(knee)?;
        let is_joint = [foot, knee, hip].iter().all(|node| body.tracked.binary_search(node).is_ok());
        let is_low = at(end).y - ground < 0.05 * body.size;
        let is_leg =
            at(hip).y - ground > 0.15 * body.size && at(knee).y > at(foot).y && at(foot).y >= at(end).y;
        let length = at(hip).distance(at(knee)) + at(knee).distance(at(foot)) + at(foot).distance(at(end));
        (is_joint && is_low && is_leg).then_some(Leg { foot: end, toes: None, length })
    };
    let ends = body.tracked.iter().filter(|node| !has_child[node.index()]);
    let legs: Vec<Leg> = ends.filter_map(|end| leg(*end)).collect();
    if legs.len() < 2 { Vec::new() } else { legs }
}

/// An interval between samples in which a foot stays planted.
struct Phase {
    leg: usize,
    from: usize,
    to: usize,
}

/// The movement of the ground below the clip, in metres per second: backwards for a walk on the spot.
struct Ground {
    velocity: DVec3,
}

pub(super) fn check(
    context: &Context<'_>,
    clip: usize,
    body: &Body<'_>,
    legs: &[Leg],
    motion: &Motion,
    out: &mut Vec<Finding>,
) {
    let length = legs.iter().map(|leg| leg.length).fold(f64::INFINITY, f64::min);
    let nodes: Vec<NodeId> = legs.iter().flat_map(|leg| std::iter::once(leg.foot).chain(leg.toes)).collect();
    if nodes.is_empty() {
        return;
    }
    let duration = motion.duration();
    let Some(contacts) = GroundContacts::measure(&body.rig, ClipId::new(clip), duration, &nodes, length)
    else {
        return;
    };
    let feet = Feet::new(&contacts, legs, length);
    let phases = feet.phases();
    let ground = feet.ground(&phases, duration);
    let slides: Vec<(f64, &Phase)> = phases.iter().map(|phase| (feet.slide(phase, &ground), phase)).collect();
    for (i, leg) in legs.iter().enumerate() {
        let of_leg = slides.iter().filter(|(_, phase)| phase.leg == i);
        let Some((distance, phase)) = of_leg.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
        if *distance > SEEN * leg.length {
            out.push(finding(context, clip, body, &feet, phase, &ground, *distance));
        }
    }
}

fn finding(
    context: &Context<'_>,
    clip: usize,
    body: &Body<'_>,
    feet: &Feet<'_>,
    phase: &Phase,
    ground: &Ground,
    distance: f64,
) -> Finding {
    let times = &feet.contacts.times;
    let node = body.source(feet.legs[phase.leg].foot);
    let seconds = times[phase.to] - times[phase.from];
    let speed = ground.velocity.length();
    let walk = if speed > 0.0 {
        format!(" measured against the ground of a character that walks at {} m/s,", digits(speed))
    } else {
        String::new()
    };
    let message = format!(
        "{} slides: {} moves by {} m over the ground while it stands on it for {} s,{walk} so the foot skates instead of \
         carrying the weight.",
        context.clip_words(clip),
        context.node_words(node),
        digits(distance),
        digits(seconds)
    );
    let samples = phase.to - phase.from;
    let trail = (phase.from..=phase.to).step_by(samples.div_ceil(TRAIL).max(1));
    let point = feet.point(phase.leg);
    Finding::new(codes::FOOT_SLIDE, Severity::Warning, format!("/animations/{clip}"), message)
        .clip(clip)
        .node(node)
        .time(times[phase.from])
        .value("distance", distance, Unit::Metres)
        .value("duration", seconds, Unit::Seconds)
        .value("groundSpeed", speed, Unit::MetresPerSecond)
        .fix(
            "Pin the foot while it is on the ground (Blender: an IK constraint with a keyed target; Maya: an IK handle or \
             HumanIK floor contact), then bake again.",
        )
        .trail(trail.map(|sample| {
            let moved = ground.velocity * (times[sample] - times[phase.from]);
            (feet.contacts.points[point].positions[sample] - moved).to_array()
        }))
}

/// The sampled points of legs.
struct Feet<'a> {
    contacts: &'a GroundContacts,
    legs: &'a [Leg],
    length: f64,
}

impl<'a> Feet<'a> {
    fn new(contacts: &'a GroundContacts, legs: &'a [Leg], length: f64) -> Self {
        Self { contacts, legs, length }
    }

    /// The index of the first point of a leg.
    fn point(&self, leg: usize) -> usize {
        self.legs[..leg].iter().map(|leg| 1 + usize::from(leg.toes.is_some())).sum()
    }

    /// The indices of the points of a leg.
    fn points(&self, leg: usize) -> std::ops::Range<usize> {
        let first = self.point(leg);
        first..first + 1 + usize::from(self.legs[leg].toes.is_some())
    }

    /// The movement of the foot over the ground between two samples: that of the point which moves least, since a foot may
    /// turn about its heel or its ball.
    fn moved(&self, leg: usize, from: usize, to: usize) -> DVec3 {
        let flat = |point: usize| {
            let positions = &self.contacts.points[point].positions;
            let moved = positions[to] - positions[from];
            DVec3::new(moved.x, 0.0, moved.z)
        };
        let moves = self.points(leg).map(flat);
        moves.min_by(|a, b| a.length().total_cmp(&b.length())).unwrap_or_default()
    }

    /// The intervals in which feet are planted, with all their points.
    fn phases(&self) -> Vec<Phase> {
        let times = &self.contacts.times;
        let mut phases = Vec::new();
        for leg in 0..self.legs.len() {
            let lifts = self.points(leg).any(|point| {
                let heights = self.contacts.points[point].positions.iter().map(|place| place.y);
                let (low, high) =
                    heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
                high - low > LIFT * self.length
            });
            let planted = |sample: usize| {
                let seconds = times[sample + 1] - times[sample];
                let slow = self.moved(leg, sample, sample + 1).length() <= SWING * self.length * seconds;
                (slow || !lifts)
                    && self.points(leg).all(|point| self.contacts.planted(point, sample) >= PLANTED)
            };
            let mut from = None;
            for sample in 0..times.len() {
                let is_planted = sample + 1 < times.len() && planted(sample);
                match (from, is_planted) {
                    (None, true) => from = Some(sample),
                    (Some(begin), false) => {
                        if times[sample] - times[begin] >= LASTS {
                            phases.push(Phase { leg, from: begin, to: sample });
                        }
                        from = None;
                    }
                    _ => {}
                }
            }
        }
        phases
    }

    /// The velocity of the ground: the median of planted feet, if they move in one direction as those of a walk on the spot.
    /// A mean would follow the feet that slide.
    fn ground(&self, phases: &[Phase], duration: f64) -> Ground {
        let times = &self.contacts.times;
        let samples = phases.iter().flat_map(|phase| (phase.from..phase.to).map(|i| (phase.leg, i)));
        let steps: Vec<DVec3> = samples.map(|(leg, i)| self.moved(leg, i, i + 1)).collect();
        let (net, way) = (steps.iter().sum::<DVec3>(), steps.iter().map(|step| step.length()).sum::<f64>());
        let median = |axis: fn(&DVec3) -> f64| {
            let mut numbers: Vec<f64> = steps.iter().map(axis).collect();
            numbers.sort_unstable_by(f64::total_cmp);
            numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
        };
        let velocity = DVec3::new(median(|step| step.x), 0.0, median(|step| step.z)) / (times[1] - times[0]);
        // Feet that all stay on the ground all the time carry nothing: the figure is pushed.
        let stays = phases.iter().all(|phase| times[phase.to] - times[phase.from] > 0.95 * duration);
        let walks = !stays && net.length() >= STRAIGHT * way && velocity.length() >= WALK * self.length;
        Ground { velocity: if walks { velocity } else { DVec3::ZERO } }
    }

    /// The largest distance of a planted foot from its place at the beginning of the phase.
    fn slide(&self, phase: &Phase, ground: &Ground) -> f64 {
        let times = &self.contacts.times;
        let samples = phase.from + 1..=phase.to;
        let distances = samples.map(|sample| {
            let carried = ground.velocity * (times[sample] - times[phase.from]);
            let from = |point: usize| {
                let positions = &self.contacts.points[point].positions;
                let moved = positions[sample] - positions[phase.from] - carried;
                DVec3::new(moved.x, 0.0, moved.z).length()
            };
            self.points(phase.leg).map(from).fold(f64::INFINITY, f64::min)
        });
        distances.fold(0.0, f64::max)
    }
}
