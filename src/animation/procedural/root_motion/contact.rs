//! The movement of a clip that walks on the spot, from its planted feet.
//!
//! A foot that is planted in the world moves backwards in such a clip. So the movement of the actor is the opposite of
//! that of the feet that touch the ground.

use super::super::feet::LegBones;
use super::nodes::at_rest;
use crate::animation::player::{PositionTrack, RootPath};
use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::{ClipId, Interpolation, NodeId};
use glam::DVec3;

/// Samples per second of the clip, and the largest number of samples.
const RATE: f64 = 60.0;
const MOST: f64 = 3600.0;

/// A point of a foot is planted below the first height above its lowest position, and free above the second, as fractions
/// of the leg's length.
const CONTACT: [f64; 2] = [0.02, 0.1];

/// The vertical speeds between which a planted point becomes a free one, in lengths of the leg per second: a foot that is
/// lifted or put down is near the ground, too.
const RISE: [f64; 2] = [0.1, 0.5];

/// The contact from which an interval counts. Others, such as the flight of a run, have the velocity between their
/// neighbours.
const PLANTED: f64 = 0.25;

/// The least part of the clip with planted feet.
const SEEN: f64 = 0.2;

/// The least speed of a walk, in lengths of the leg per second.
const SLOWEST: f64 = 0.15;

/// The least part of the way that leads in the direction of the whole: feet of a dance move to and fro.
const STRAIGHT: f64 = 0.7;

/// A point of a foot at all times.
struct Point {
    positions: Vec<DVec3>,
    contacts: Vec<f64>,
}

/// The path of a clip whose feet walk on the spot; `None` if they do not.
pub(super) fn path_by_contact(rig: &Rig, clip: usize, duration: f64, legs: &[LegBones]) -> Option<RootPath> {
    if !(duration > 0.0) {
        return None;
    }
    let count = (duration * RATE).ceil().clamp(2.0, MOST) as usize;
    let time = |i: usize| duration * i as f64 / count as f64;
    let length = legs.iter().map(|leg| length_of(rig, leg)).fold(f64::INFINITY, f64::min);
    let nodes: Vec<NodeId> = legs.iter().flat_map(|leg| std::iter::once(leg.foot).chain(leg.toes)).collect();
    let mut points: Vec<Point> =
        nodes.iter().map(|_| Point { positions: Vec::new(), contacts: Vec::new() }).collect();
    let (mut pose, mut matrices) = (rig.rest_pose().clone(), Vec::new());
    for i in 0..=count {
        rig.sample(ClipId::new(clip), time(i), &mut pose);
        rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
        for (point, node) in points.iter_mut().zip(&nodes) {
            point.positions.push(position(&matrices, *node));
        }
    }
    for point in &mut points {
        let lowest = point.positions.iter().map(|at| at.y).fold(f64::INFINITY, f64::min);
        let [low, high] = CONTACT.map(|fraction| fraction * length);
        point.contacts =
            point.positions.iter().map(|at| 1.0 - smooth((at.y - lowest - low) / (high - low))).collect();
    }
    let mut moves: Vec<Option<DVec3>> =
        (0..count).map(|i| movement(&points, i, length * duration / count as f64)).collect();
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
    let times = (0..=count).map(time).collect();
    let positions = PositionTrack { interpolation: Interpolation::Linear, times, values };
    Some(RootPath { positions, rotations: Vec::new(), rotations_step: false })
}

fn position(matrices: &[Affine], node: NodeId) -> DVec3 {
    let rows = matrices[node.index()].rows;
    DVec3::from_array(rows.map(|row| f64::from(row.to_array()[3])))
}

fn length_of(rig: &Rig, leg: &LegBones) -> f64 {
    let matrices = at_rest(rig);
    let [upper, lower, foot] = [leg.upper, leg.lower, leg.foot].map(|node| position(&matrices, node));
    (lower - upper).length() + (foot - lower).length()
}

fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// The movement from one sample to the next; `None` if no foot is planted. `unit` is the leg's length times the seconds
/// between samples.
fn movement(points: &[Point], i: usize, unit: f64) -> Option<DVec3> {
    let (mut sum, mut weight, mut most) = (DVec3::ZERO, 0.0, 0.0_f64);
    for Point { positions, contacts } in points {
        let moved = positions[i] - positions[i + 1];
        let [low, high] = RISE;
        let rises = smooth((moved.y.abs() / unit - low) / (high - low));
        let contact = contacts[i].min(contacts[i + 1]) * (1.0 - rises);
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
