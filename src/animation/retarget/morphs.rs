//! Morph weights of other models: expressions of VRM, and morph targets with the same names.

use super::sampling::{Times, Track};
use crate::model::{Channel, Clip, Curve, Expression, Interpolation, Model, NodeId, Path};
use std::collections::{HashMap, HashSet};

/// The morph targets of two models.
pub(super) struct Morphs<'a> {
    source: &'a Model,
    target: &'a Model,
    /// The nodes of the target with morph targets.
    nodes: Vec<NodeId>,
}

impl<'a> Morphs<'a> {
    pub(super) fn new(source: &'a Model, target: &'a Model) -> Self {
        let nodes = target.nodes.iter().enumerate().filter(|(_, node)| !node.weights.is_empty());
        Self { source, target, nodes: nodes.map(|(i, _)| NodeId::new(i)).collect() }
    }

    /// Adds the channels of morph weights of a clip; returns the number of channels that move nothing.
    ///
    /// - `pairs`: for each node of the source, that of the target.
    pub(super) fn add(&self, clip: &Clip, pairs: &[Option<NodeId>], made: &mut Clip) -> usize {
        let mut moved = HashSet::new();
        let channels: Vec<&Channel> =
            clip.channels.iter().filter(|channel| channel.path == Path::Weights).collect();
        let mut used = vec![false; channels.len()];
        let mut copies: HashMap<usize, usize> = HashMap::new();
        let put = |made: &mut Clip, node: NodeId, curve: usize| {
            made.channels.push(Channel { node, path: Path::Weights, curve });
        };
        // A node with the name of the channel's node and the same targets.
        for (channel, used) in channels.iter().zip(&mut used) {
            let fits = |node: &NodeId| {
                self.target.nodes[node.index()].weights.len() == clip.curves[channel.curve].width()
                    && self.same_names(channel.node, *node)
            };
            let Some(node) = pairs[channel.node.index()].filter(fits) else { continue };
            if moved.insert(node) {
                let curve = *copies.entry(channel.curve).or_insert_with(|| {
                    made.curves.push(clip.curves[channel.curve].clone());
                    made.curves.len() - 1
                });
                put(made, node, curve);
                *used = true;
            }
        }
        self.express(clip, made, &mut moved);
        // Any other node with targets of these names.
        for &node in &self.nodes {
            if moved.contains(&node) || channels.is_empty() {
                continue;
            }
            let mut best: Option<(usize, usize, Vec<Option<usize>>)> = None;
            for (i, channel) in channels.iter().enumerate() {
                let map = self.matches(channel.node, node);
                let count = map.iter().flatten().count();
                if count > best.as_ref().map_or(0, |(most, ..)| *most) {
                    best = Some((count, i, map));
                }
            }
            let Some((_, i, map)) = best else { continue };
            let Some(curve) = self.renamed(&clip.curves[channels[i].curve], node, &map) else { continue };
            made.curves.push(curve);
            put(made, node, made.curves.len() - 1);
            moved.insert(node);
            used[i] = true;
        }
        used.iter().filter(|used| !**used).count()
    }

    fn names(model: &'a Model, node: NodeId) -> &'a [String] {
        let mesh = model.nodes[node.index()].mesh;
        mesh.map_or(&[], |mesh| &model.meshes[mesh.index()].target_names[..])
    }

    /// `false` if both nodes have names of morph targets and these differ.
    fn same_names(&self, source: NodeId, target: NodeId) -> bool {
        let (other, own) = (Self::names(self.source, source), Self::names(self.target, target));
        let named = |names: &[String]| names.iter().any(|name| !name.is_empty());
        !named(other) || !named(own) || other == own
    }

    /// For each morph target of a node, the index of that with its name in the source.
    fn matches(&self, source: NodeId, target: NodeId) -> Vec<Option<usize>> {
        let names = Self::names(self.source, source);
        let mut at: HashMap<&str, usize> = HashMap::with_capacity(names.len());
        for (i, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            at.entry(name).or_insert(i);
        }
        Self::names(self.target, target).iter().map(|name| at.get(&name[..]).copied()).collect()
    }

    /// A curve of a node's weights from one with other targets; the others stay at rest.
    fn renamed(&self, curve: &Curve, node: NodeId, map: &[Option<usize>]) -> Option<Curve> {
        let (rest, width) = (&self.target.nodes[node.index()].weights, curve.width());
        let is_spline = curve.interpolation() == Interpolation::CubicSpline;
        let row = |(i, row): (usize, &[f32])| -> Vec<f32> {
            let is_value = !is_spline || i % 3 == 1;
            let value = |(from, rest): (&Option<usize>, &f32)| match from {
                Some(from) => row.get(*from).copied().unwrap_or_default(),
                None if is_value => *rest,
                None => 0.0,
            };
            map.iter().zip(rest).map(value).collect()
        };
        let values = curve.values().chunks_exact(width.max(1)).enumerate().flat_map(row).collect();
        Curve::new(curve.interpolation(), rest.len(), curve.times().to_vec(), values).ok()
    }

    /// Adds the expressions that nodes of a VRM clip drive.
    fn express(&self, clip: &Clip, made: &mut Clip, moved: &mut HashSet<NodeId>) {
        let list =
            |model: &'a Model| model.humanoid.as_ref().map_or(&[][..], |humanoid| &humanoid.expressions[..]);
        let own: HashMap<&str, &Expression> =
            list(self.target).iter().rev().map(|expression| (&expression.name[..], expression)).collect();
        let mut drives: HashMap<NodeId, &Curve> = HashMap::new();
        for channel in clip.channels.iter().filter(|channel| channel.path == Path::Translation) {
            drives.insert(channel.node, &clip.curves[channel.curve]);
        }
        // For each node: the target, the weight, and the curve that drives it.
        let mut binds: HashMap<NodeId, Vec<(usize, f32, &Curve)>> = HashMap::new();
        for expression in list(self.source) {
            let curve = expression.driver.and_then(|driver| drives.get(&driver));
            let (Some(curve), Some(own)) = (curve, own.get(&expression.name[..])) else { continue };
            for bind in &own.binds {
                binds.entry(bind.node).or_default().push((bind.target, bind.weight, curve));
            }
        }
        for &node in &self.nodes {
            let Some(binds) = binds.get(&node).filter(|_| !moved.contains(&node)) else { continue };
            if let Some(curve) = self.expression(node, binds) {
                made.curves.push(curve);
                made.channels.push(Channel { node, path: Path::Weights, curve: made.curves.len() - 1 });
                moved.insert(node);
            }
        }
    }

    /// The weights of a node: those at rest, and those of its expressions.
    fn expression(&self, node: NodeId, binds: &[(usize, f32, &Curve)]) -> Option<Curve> {
        let rest = &self.target.nodes[node.index()].weights;
        let mut times = Times::default();
        let mut tracks = Vec::with_capacity(binds.len());
        let mut sets = Vec::with_capacity(binds.len());
        for &(target, weight, curve) in binds {
            sets.push(times.add(curve));
            tracks.push((target, weight, Track::new(curve)));
        }
        times.merge();
        let (interpolation, needed) = times.needed(&sets);
        let mut kept = Vec::with_capacity(times.all.len());
        let mut values = Vec::with_capacity(times.all.len() * rest.len());
        for (&time, _) in times.all.iter().zip(needed).filter(|(_, needed)| *needed) {
            let begin = values.len();
            values.extend(rest);
            for (target, weight, track) in &mut tracks {
                values[begin + *target] += *weight * track.number(time, 0);
            }
            kept.push(time);
        }
        Curve::new(interpolation, rest.len(), kept, values).ok()
    }
}
