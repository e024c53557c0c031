//! Morph weights of other models: expressions of VRM, and morph targets with the same names.

use super::sampling::{Times, Track, expression_weights};
use crate::base::{order, sort_by};
use crate::model::{Channel, Clip, Curve, Expression, Interpolation, Model, MorphBind, NodeId, Path};

/// The most channels of a clip whose morph targets are compared with those of other nodes.
const COMPARED: usize = 32;

/// A morph weight and the curve that drives it.
#[derive(Clone, Copy)]
struct Bind<'a> {
    bind: MorphBind,
    curve: &'a Curve,
}

fn expressions(model: &Model) -> &[Expression] {
    model.humanoid.as_ref().map_or(&[], |humanoid| &humanoid.expressions)
}

fn put(made: &mut Clip, node: NodeId, curve: Curve) {
    made.channels.push(Channel { node, path: Path::Weights, curve: made.curves.len() });
    made.curves.push(curve);
}

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
        let channels: Vec<&Channel> =
            clip.channels.iter().filter(|channel| channel.path == Path::Weights).collect();
        if channels.is_empty() && expressions(self.source).is_empty() {
            return 0;
        }
        let mut moved = vec![false; self.target.nodes.len()];
        let mut used = vec![false; channels.len()];
        let mut copies: Vec<Option<usize>> = vec![None; clip.curves.len()];
        // A node with the name of the channel's node and the same targets.
        for (channel, used) in channels.iter().zip(&mut used) {
            let fits = |node: &NodeId| {
                self.target.nodes[node.index()].weights.len() == clip.curves[channel.curve].width()
                    && self.same_names(channel.node, *node)
                    && !moved[node.index()]
            };
            let Some(node) = pairs[channel.node.index()].filter(fits) else { continue };
            let curve = *copies[channel.curve].get_or_insert_with(|| {
                made.curves.push(clip.curves[channel.curve].clone());
                made.curves.len() - 1
            });
            made.channels.push(Channel { node, path: Path::Weights, curve });
            moved[node.index()] = true;
            *used = true;
        }
        self.express(clip, made, &mut moved);
        // Any other node with targets of these names.
        let names: Vec<Vec<(&str, usize)>> =
            channels.iter().take(COMPARED).map(|channel| self.names_of(channel.node)).collect();
        let named = names.iter().any(|names| !names.is_empty());
        for &node in self.nodes.iter().filter(|node| named && !moved[node.index()]) {
            let mut best: Option<(usize, usize, Vec<Option<usize>>)> = None;
            for (i, names) in names.iter().enumerate() {
                let map = self.matches(names, node);
                let count = map.iter().flatten().count();
                if count > best.as_ref().map_or(0, |(most, ..)| *most) {
                    best = Some((count, i, map));
                }
            }
            let Some((_, i, map)) = best else { continue };
            if let Some(curve) = self.renamed(&clip.curves[channels[i].curve], node, &map) {
                put(made, node, curve);
                used[i] = true;
            }
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

    /// The named morph targets of a node of the source and their indices, sorted.
    fn names_of(&self, source: NodeId) -> Vec<(&'a str, usize)> {
        let names = Self::names(self.source, source).iter().enumerate();
        let mut names: Vec<(&str, usize)> =
            names.filter(|(_, name)| !name.is_empty()).map(|(i, name)| (&name[..], i)).collect();
        sort_by(&mut names, Ord::cmp);
        names
    }

    /// For each morph target of a node, the index of that with its name in the source.
    fn matches(&self, names: &[(&str, usize)], target: NodeId) -> Vec<Option<usize>> {
        let find = |name: &String| {
            let at = names.partition_point(|(known, _)| *known < name.as_str());
            names.get(at).filter(|(known, _)| known == name).map(|(_, i)| *i)
        };
        Self::names(self.target, target).iter().map(find).collect()
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
    fn express(&self, clip: &Clip, made: &mut Clip, moved: &mut [bool]) {
        let (driving, own) = (expressions(self.source), expressions(self.target));
        if driving.is_empty() {
            return;
        }
        let order = order(own.len(), &|a, b| own[a].name.cmp(&own[b].name));
        let moving = clip.channels.iter().filter(|channel| channel.path == Path::Translation);
        let mut drives: Vec<(NodeId, usize)> = moving.map(|channel| (channel.node, channel.curve)).collect();
        sort_by(&mut drives, Ord::cmp);
        let mut driven = Vec::new();
        for Expression { name, driver, .. } in driving {
            let at = drives.partition_point(|(node, _)| Some(*node) < *driver);
            let curve = drives.get(at).filter(|(node, _)| Some(*node) == *driver).map(|(_, curve)| *curve);
            let at = order.partition_point(|&i| own[i].name < *name);
            let own = order.get(at).map(|&i| &own[i]).filter(|own| own.name == *name);
            let (Some(curve), Some(own)) = (curve, own) else { continue };
            if let Some(curve) = expression_weights(&clip.curves[curve], own.is_binary) {
                driven.push((own, curve));
            }
        }
        let binds =
            driven.iter().flat_map(|(own, curve)| own.binds.iter().map(move |&bind| Bind { bind, curve }));
        let mut binds: Vec<Bind<'_>> = binds.collect();
        sort_by(&mut binds, |a, b| a.bind.node.cmp(&b.bind.node));
        for binds in binds.chunk_by(|a, b| a.bind.node == b.bind.node) {
            let node = binds[0].bind.node;
            if moved[node.index()] {
                continue;
            }
            if let Some(curve) = self.expression(node, binds) {
                put(made, node, curve);
                moved[node.index()] = true;
            }
        }
    }

    /// The weights of a node: those at rest, and those of its expressions.
    fn expression(&self, node: NodeId, binds: &[Bind<'_>]) -> Option<Curve> {
        let rest = &self.target.nodes[node.index()].weights;
        let mut times = Times::default();
        let mut tracks = Vec::with_capacity(binds.len());
        let mut sets = Vec::with_capacity(binds.len());
        for &Bind { bind, curve } in binds {
            sets.push(times.add(curve));
            tracks.push((bind.target, bind.weight, Track::new(curve)));
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
