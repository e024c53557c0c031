//! The movement of a clip that walks on the spot, from its planted feet.
//!
//! A foot that is planted in the world moves backwards in such a clip. So the movement of the actor is the opposite of
//! that of the feet that touch the ground.

use super::super::feet::LegBones;
use super::ground::{GroundContacts, position};
use super::nodes::at_rest;
use crate::animation::player::{PositionTrack, RootPath};
use crate::animation::rig::Rig;
use crate::model::{ClipId, Interpolation, NodeId};
use glam::DVec3;

/// The contact from which an interval counts. Others, such as the flight of a run, have the velocity between their
/// neighbours.
const PLANTED: f64 = 0.25;

/// The least part of the clip with planted feet.
const SEEN: f64 = 0.2;

/// The least speed of a walk, in lengths of the leg per second.
const SLOWEST: f64 = 0.15;

/// The least part of the way that leads in the direction of the whole: feet of a dance move to and fro.
const STRAIGHT: f64 = 0.7;

/// The path of a clip whose feet walk on the spot; `None` if they do not.
pub(super) fn path_by_contact(rig: &Rig, clip: usize, duration: f64, legs: &[LegBones]) -> Option<RootPath> {
    let length = legs.iter().map(|leg| length_of(rig, leg)).fold(f64::INFINITY, f64::min);
    let nodes: Vec<NodeId> = legs.iter().flat_map(|leg| std::iter::once(leg.foot).chain(leg.toes)).collect();
    let ground = GroundContacts::measure(rig, ClipId::new(clip), duration, &nodes, length)?;
    let count = ground.times.len() - 1;
    let mut moves: Vec<Option<DVec3>> = (0..count).map(|i| movement(&ground, i)).collect();
    let seen: Vec<DVec3> = moves.iter().flatten().copied().collect();
    let (net, way) = (seen.iter().sum::<DVec3>(), seen.iter().map(|one| one.length()).sum::<f64>());
    let speed = net.length() / (duration * seen.len() as f64 / count as f64);
    let walks = seen.len() as f64 >= SEEN * count as f64 && net.length() >= STRAIGHT * way;
    if !(walks && speed >= SLOWEST * length) {
        return None;
    }
    fill(&mut moves);
    let mut values = vec![DVec3::ZERO];
    let mut at = DVec3::ZERO;
    for step in moves {
        at += step.unwrap_or_default();
        values.push(at);
    }
    let positions = PositionTrack { interpolation: Interpolation::Linear, times: ground.times, values };
    Some(RootPath { positions, rotations: Vec::new(), rotations_step: false })
}

fn length_of(rig: &Rig, leg: &LegBones) -> f64 {
    let matrices = at_rest(rig);
    let [upper, lower, foot] = [leg.upper, leg.lower, leg.foot].map(|node| position(&matrices, node));
    (lower - upper).length() + (foot - lower).length()
}

/// The movement from one sample to the next; `None` if no foot is planted.
fn movement(ground: &GroundContacts, i: usize) -> Option<DVec3> {
    let (mut sum, mut weight, mut most) = (DVec3::ZERO, 0.0, 0.0_f64);
    for (point, place) in ground.points.iter().enumerate() {
        let moved = place.positions[i] - place.positions[i + 1];
        let contact = ground.planted(point, i);
        // Full contact counts most.
        let share = contact * contact;
        sum += DVec3::new(moved.x, 0.0, moved.z) * share;
        weight += share;
        most = most.max(contact);
    }
    (most >= PLANTED).then(|| sum / weight)
}

/// Fills gaps with the values between their neighbours, round the loop. There is at least one value.
fn fill(moves: &mut [Option<DVec3>]) {
    let count = moves.len();
    let known: Vec<usize> = (0..count).filter(|&i| moves[i].is_some()).collect();
    for (k, &from) in known.iter().enumerate() {
        let to = known.get(k + 1).copied().unwrap_or(known[0] + count);
        let (a, b) = (moves[from].unwrap_or_default(), moves[to % count].unwrap_or_default());
        for i in from + 1..to {
            let s = (i - from) as f64 / (to - from) as f64;
            moves[i % count] = Some(a + (b - a) * s);
        }
    }
}
