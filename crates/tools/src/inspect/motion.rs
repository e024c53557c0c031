//! A clip as a motion: the places of joints at the times of its frames.

use super::body::{Body, degrees_between, origin};
use super::raw::{Clip, Interpolation, Path};
use gambol::animation::Affine;
use gambol::model::{ClipId, NodeId};
use glam::{DQuat, DVec3};

/// The largest number of frames of a clip, and of frames × nodes.
const FRAMES: usize = 4000;
const WORK: usize = 1 << 21;
/// The frame rate of clips with few keys, and the interval from which keys are few unless they are baked.
const RATE: f64 = 30.0;
const SPARSE: f64 = 1.0 / 15.0;

/// The frames of a clip.
pub(super) struct Motion {
    /// In seconds, from 0 to the end; at least three.
    pub(super) times: Vec<f64>,
    /// For each frame the places of the tracked nodes, in metres.
    places: Vec<DVec3>,
    tracked: usize,
    /// The movement over the ground, which is linear between the first and the last key of its node.
    pub(super) travel: Option<Travel>,
    /// For each frame, the largest angle of an animated joint to its rotation at rest, when bound, and in the frame before;
    /// in degrees. Empty without animated joints.
    pub(super) turns: Vec<Turns>,
    /// The number of joints with rotation keys.
    pub(super) turning: usize,
}

/// Angles of one frame, in degrees.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Turns {
    pub(super) rest: f64,
    /// `None` if fewer than three joints have a pose when bound.
    pub(super) bind: Option<f64>,
    pub(super) step: f64,
}

/// The net movement of a clip over the ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct Travel {
    /// The node: the first in the tree that is a joint or an ancestor of one, and that has keys of its translation.
    pub(super) node: NodeId,
    /// In metres; Y is 0.
    pub(super) net: DVec3,
    begin: f64,
    end: f64,
}

impl Travel {
    /// The movement until a time, if it were uniform.
    pub(super) fn at(&self, time: f64) -> DVec3 {
        self.net * ((time - self.begin) / (self.end - self.begin)).clamp(0.0, 1.0)
    }
}

impl Motion {
    /// The motion of a clip; `None` if it has no duration.
    pub(super) fn new(body: &Body<'_>, index: usize, clip: &Clip) -> Option<Self> {
        let times = frames(clip, body.model.nodes.len())?;
        let id = ClipId::new(index);
        let (mut pose, mut matrices) = (body.rig.rest_pose().clone(), Vec::new());
        let turning = turning(body, clip);
        let bound = turning.iter().filter(|node| body.bind[node.index()].is_some()).count();
        let rest: Vec<DQuat> = turning.iter().map(|node| pose.get(*node).rotation.as_dquat()).collect();
        let mut last = rest.clone();
        let mut places = Vec::with_capacity(times.len() * body.tracked.len());
        let mut turns = Vec::with_capacity(times.len());
        for (frame, &time) in times.iter().enumerate() {
            body.rig.sample(id, time, &mut pose);
            body.rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
            places.extend(body.tracked.iter().map(|node| origin(&matrices, *node)));
            let mut most = Least::default();
            for ((node, rest), last) in turning.iter().zip(&rest).zip(&mut last) {
                let now = pose.get(*node).rotation.as_dquat();
                most.rest = most.rest.min(now.dot(*rest).abs());
                if let Some(bind) = body.bind[node.index()] {
                    most.bind = most.bind.min(now.dot(bind).abs());
                }
                most.step = most.step.min(now.dot(*last).abs());
                *last = now;
            }
            let angle = |cosine: f64| 2.0 * cosine.min(1.0).acos().to_degrees();
            turns.push(Turns {
                rest: angle(most.rest),
                bind: (bound >= 3).then(|| angle(most.bind)),
                step: if frame == 0 { 0.0 } else { angle(most.step) },
            });
        }
        let travel = travel(body, clip, index);
        if turning.is_empty() {
            turns.clear();
        }
        let (tracked, turning) = (body.tracked.len(), turning.len());
        let finite = places.iter().all(|place| place.is_finite());
        finite.then_some(Self { times, places, tracked, travel, turns, turning })
    }

    /// The place of a tracked node in a frame.
    pub(super) fn place(&self, frame: usize, point: usize) -> DVec3 {
        self.places[frame * self.tracked + point]
    }

    /// The same, without the movement over the ground.
    pub(super) fn in_place(&self, frame: usize, point: usize) -> DVec3 {
        self.place(frame, point) - self.travelled(self.times[frame])
    }

    /// The movement over the ground until a time.
    pub(super) fn travelled(&self, time: f64) -> DVec3 {
        self.travel.map_or(DVec3::ZERO, |travel| travel.at(time))
    }

    /// The number of tracked nodes.
    pub(super) fn points(&self) -> usize {
        self.tracked
    }

    /// The largest distance of a node from its place in the first frame, without the movement over the ground.
    pub(super) fn extent(&self) -> f64 {
        let frames = 0..self.times.len();
        let of = |point: usize| {
            let first = self.in_place(0, point);
            frames
                .clone()
                .map(|frame| self.in_place(frame, point).distance_squared(first))
                .fold(0.0, f64::max)
        };
        (0..self.tracked).map(of).fold(0.0, f64::max).sqrt()
    }

    /// The duration, in seconds.
    pub(super) fn duration(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }
}

/// Cosines of half the largest angles.
struct Least {
    rest: f64,
    bind: f64,
    step: f64,
}

impl Default for Least {
    fn default() -> Self {
        Self { rest: 1.0, bind: 1.0, step: 1.0 }
    }
}

/// The tracked nodes with keys of their rotation.
fn turning(body: &Body<'_>, clip: &Clip) -> Vec<NodeId> {
    let channels =
        clip.channels.iter().filter(|channel| channel.path == Path::Rotation && channel.times.len() > 1);
    let nodes = channels.filter_map(|channel| body.model.node_of_source.get(channel.node).copied());
    let mut nodes: Vec<NodeId> = nodes.filter(|node| body.tracked.binary_search(node).is_ok()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The times of the frames: those of the channel with the most keys, or 30 a second if its keys are few and by hand. `None`
/// if the clip has no duration.
fn frames(clip: &Clip, nodes: usize) -> Option<Vec<f64>> {
    let end = clip.end;
    if !(end > 0.0) {
        return None;
    }
    let most = (WORK / nodes.max(1)).clamp(16, FRAMES);
    let dense = clip.channels.iter().filter(|channel| channel.interpolation != Interpolation::Step);
    let dense = dense.max_by_key(|channel| channel.times.len());
    let mut times: Vec<f64> = Vec::new();
    if let Some(channel) = dense.filter(|channel| channel.times.len() + 2 <= most) {
        times.extend(channel.times.iter().map(|&time| f64::from(time)));
        let [first, last] = [times.first().copied()?, times.last().copied()?];
        let is_sparse = (last - first) / ((times.len() - 1).max(1) as f64) > SPARSE;
        if is_sparse && channel.frame().is_none() {
            times.clear();
        }
    }
    if times.is_empty() {
        let count = ((end * RATE).ceil()).clamp(2.0, most as f64) as usize;
        times.extend((0..=count).map(|i| end * i as f64 / count as f64));
    }
    // Negative key times belong to no frame.
    times.retain(|&time| time >= 0.0 && time <= end);
    if times.first().is_none_or(|&first| first > 0.0) {
        times.insert(0, 0.0);
    }
    if times.last().is_none_or(|&last| last < end) {
        times.push(end);
    }
    (times.len() >= 3).then_some(times)
}

fn travel(body: &Body<'_>, clip: &Clip, index: usize) -> Option<Travel> {
    let skinned = body.model.skins.iter().any(|skin| !skin.joints.is_empty());
    let carries = |node: NodeId| !skinned || body.tracked.iter().any(|joint| body.is_above(node, *joint));
    let moving =
        clip.channels.iter().filter(|channel| channel.path == Path::Translation && channel.times.len() > 1);
    let mut candidates: Vec<(NodeId, f64, f64)> = moving
        .filter_map(|channel| {
            let node = body.model.node_of_source.get(channel.node).copied()?;
            let [begin, end] = [channel.times.first()?, channel.times.last()?].map(|&time| f64::from(time));
            Some((node, begin, end))
        })
        .collect();
    candidates.sort_unstable_by_key(|(node, ..)| *node);
    let poses = [0.0, clip.end].map(|time| {
        let mut pose = body.rig.rest_pose().clone();
        body.rig.sample(ClipId::new(index), time, &mut pose);
        body.matrices(&pose)
    });
    for (node, begin, end) in candidates {
        let net = origin(&poses[1], node) - origin(&poses[0], node);
        let net = DVec3::new(net.x, 0.0, net.z);
        // A node whose parents move it does not move by itself, but then the parent was found before.
        if net.length() > 1e-4 * body.size && net.is_finite() && carries(node) {
            return Some(Travel { node, net, begin, end });
        }
    }
    None
}

/// The largest angle between the local rotation of a node and another, in degrees.
pub(super) fn angle(a: [f64; 4], b: [f64; 4]) -> f64 {
    degrees_between(DQuat::from_array(a), DQuat::from_array(b))
}
