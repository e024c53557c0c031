//! Poses of a model at times of its clips.

use super::sampling::Track;
use crate::animation::rest_pose::{Rest, local_affine, transform, unit_quat};
use crate::model::{Clip, Model, Path};
use glam::DVec3;

/// Some nodes of a model, and all above, at ascending times of a clip.
pub(super) struct Poser<'a> {
    model: &'a Model,
    /// Parents before children.
    nodes: Vec<Posed<'a>>,
    /// World transforms; of the other nodes those at rest.
    pub(super) pose: Rest,
    first: f32,
    last: f32,
}

/// A node and its curves.
struct Posed<'a> {
    node: usize,
    /// Rotation, translation and scale.
    tracks: [Option<Track<'a>>; 3],
}

impl<'a> Poser<'a> {
    /// - `used`: `true` for each node whose ancestors are so, too.
    pub(super) fn new(model: &'a Model, clip: &'a Clip, used: &[bool], rest: &Rest) -> Self {
        let mut tracks: Vec<[Option<Track<'a>>; 3]> = vec![const { [None, None, None] }; model.nodes.len()];
        let (mut first, mut last) = (f32::INFINITY, f32::NEG_INFINITY);
        for channel in clip.channels.iter().filter(|channel| used[channel.node.index()]) {
            let at = match channel.path {
                Path::Rotation => 0,
                Path::Translation => 1,
                Path::Scale => 2,
                Path::Weights => continue,
            };
            let curve = &clip.curves[channel.curve];
            if let (Some(&begin), Some(&end)) = (curve.times().first(), curve.times().last()) {
                (first, last) = (first.min(begin), last.max(end));
            }
            tracks[channel.node.index()][at] = Some(Track::new(curve));
        }
        let nodes = tracks.into_iter().enumerate().filter(|(node, _)| used[*node]);
        let nodes = nodes.map(|(node, tracks)| Posed { node, tracks }).collect();
        Self { model, nodes, pose: rest.clone(), first, last }
    }

    /// Times at equal distances from the first to the last key; none if no node moves.
    pub(super) fn times(&self, count: usize) -> Vec<f32> {
        if self.first > self.last {
            return Vec::new();
        }
        let (begin, length) = (f64::from(self.first), f64::from(self.last) - f64::from(self.first));
        let count = if length > 0.0 { count.max(2) } else { 1 };
        let time = |i: usize| (begin + length * i as f64 / (count - 1).max(1) as f64) as f32;
        (0..count).map(time).collect()
    }

    /// Poses the nodes. Times ascend.
    pub(super) fn seek(&mut self, time: f32) {
        for Posed { node, tracks } in &mut self.nodes {
            let own = &self.model.nodes[*node];
            let moves = tracks.iter().any(Option::is_some);
            let [turn, way, size] = tracks;
            let rotation = turn.as_mut().map_or(unit_quat(own.rest.rotation), |track| track.rotation(time));
            let vector = |track: &mut Option<Track<'_>>, rest: DVec3| {
                track.as_mut().map_or(rest, |track| track.vector(time))
            };
            let translation = vector(way, own.rest.translation.as_dvec3());
            let scale = vector(size, own.rest.scale.as_dvec3());
            let local = if moves { transform(rotation, translation, scale) } else { local_affine(own) };
            let parent = own.parent.map(|parent| parent.index());
            self.pose.rotations[*node] =
                parent.map_or(rotation, |parent| self.pose.rotations[parent] * rotation);
            self.pose.affines[*node] = parent.map_or(local, |parent| self.pose.affines[parent] * local);
        }
    }
}
