//! Retargeting by the names of nodes.
//!
//! Each channel moves the node with the name of its own node. With `K = W_t⁻¹ · W_s` of the world rotations of a
//! pair at rest (the axes of the source's node, seen from the target's), and `K_p` of their parents:
//!
//! ```text
//! rotation     q_t(t) = K_p · q_s(t) · K⁻¹
//! translation  v_t(t) = v_t(rest) + K_p · (v_s(t) − v_s(rest)) · |v_t(rest)| / |v_s(rest)|
//! scale        s_t(t) = s_s(t)
//! ```
//!
//! These are linear in the values, so keys and tangents are mapped one by one, and interpolation is that of the source.
//! If the children of a node are in the same directions in the axes of both, the axes are the same whatever the pose at
//! rest is: then `K = 1`. Where nothing differs, the curve is copied.

use super::morphs::Morphs;
use super::sampling::vector;
use crate::animation::joint_names::essence;
use crate::animation::rest_pose::{Rest, unit_of, unit_quat};
use crate::base::{Transform, order};
use crate::model::{Channel, Clip, Curve, Interpolation, Model, Node, NodeId, Path};
use glam::{DQuat, DVec3};

/// Directions that differ by less than this cosine (1°) are the same.
const SAME_DIRECTION: f64 = 0.999_847_695_156_391_3;
/// The cosine of half an angle of 1°.
const SAME_ROTATION: f64 = 0.999_961_923_064_171_3;
/// Lengths that differ by less than this fraction are the same.
const SAME_LENGTH: f64 = 0.01;

/// The nodes of two models with the same names, and the differences of their rest poses.
pub(super) struct NamePairs<'a> {
    source: &'a Model,
    target: &'a Model,
    /// For each node of the source, that of the target.
    pub(super) pairs: Vec<Option<NodeId>>,
    /// For each node of the source with a pair, `K`; `None` for the identity.
    axes: Vec<Option<DQuat>>,
    rests: [Rest; 2],
    /// `true` if the lengths of all pairs agree.
    same_size: bool,
}

impl<'a> NamePairs<'a> {
    pub(super) fn new(source: &'a Model, target: &'a Model) -> Self {
        let joints = Joints::new(target);
        let mut pairs: Vec<Option<NodeId>> = Vec::with_capacity(source.nodes.len());
        for node in &source.nodes {
            let parent = node.parent.and_then(|parent| pairs[parent.index()]);
            pairs.push(joints.find(&node.name, parent));
        }
        let rests = [Rest::new(source), Rest::new(target)];
        let mut this = Self { source, target, pairs, axes: Vec::new(), rests, same_size: true };
        this.compare();
        this
    }

    /// The local transforms of a pair at rest.
    fn locals(&self, node: usize) -> Option<(Transform, Transform)> {
        Some((self.source.nodes[node].rest, self.target.nodes[self.pairs[node]?.index()].rest))
    }

    /// The pair of the parent, if the parents of a pair are one.
    fn parent(&self, node: usize) -> Option<usize> {
        let target = &self.target.nodes[self.pairs[node]?.index()];
        let parent = self.source.nodes[node].parent?;
        (self.pairs[parent.index()].is_some() && self.pairs[parent.index()] == target.parent)
            .then(|| parent.index())
    }

    /// Finds the axes of each pair.
    fn compare(&mut self) {
        let count = self.source.nodes.len();
        // `Some(true)` if all children are in the same directions.
        let mut same: Vec<Option<bool>> = vec![None; count];
        for i in 0..count {
            let (Some((other, own)), Some(parent)) = (self.locals(i), self.parent(i)) else { continue };
            let (there, here) = (other.translation.as_dvec3(), own.translation.as_dvec3());
            let lengths = there.length() * here.length();
            if lengths > 0.0 {
                let agrees = there.dot(here) >= SAME_DIRECTION * lengths;
                same[parent] = Some(same[parent].unwrap_or(true) && agrees);
                let longest = there.length().max(here.length());
                self.same_size &= (there.length() - here.length()).abs() <= SAME_LENGTH * longest;
            }
        }
        let told = same.iter().flatten().count();
        let alike = told > 0 && 10 * same.iter().flatten().filter(|same| **same).count() >= 9 * told;
        self.axes =
            (0..count).map(|i| (!same[i].unwrap_or(alike)).then(|| self.difference(i)).flatten()).collect();
    }

    /// `K` of a pair by its rest pose; `None` for the identity.
    fn difference(&self, node: usize) -> Option<DQuat> {
        let target = self.pairs[node]?;
        let turn = self.rests[1].rotations[target.index()].conjugate() * self.rests[0].rotations[node];
        (turn.w.abs() < SAME_ROTATION).then(|| unit_of(turn))
    }

    /// `K` of the parents of a pair.
    fn parent_axes(&self, node: usize) -> Option<DQuat> {
        if let Some(parent) = self.parent(node) {
            return self.axes[parent];
        }
        let world = |rest: &Rest, parent: Option<NodeId>| {
            parent.map_or(DQuat::IDENTITY, |parent| rest.rotations[parent.index()])
        };
        let target = self.target.nodes[self.pairs[node]?.index()].parent;
        let turn =
            world(&self.rests[1], target).conjugate() * world(&self.rests[0], self.source.nodes[node].parent);
        (turn.w.abs() < SAME_ROTATION).then(|| unit_of(turn))
    }

    /// `true` if at least half of some nodes have pairs, and the rest poses of these agree.
    pub(super) fn agree(&self, nodes: &[NodeId]) -> bool {
        let mut found = 0;
        for node in nodes {
            let Some((other, own)) = self.locals(node.index()) else { continue };
            found += 1;
            let turned = unit_quat(other.rotation).dot(unit_quat(own.rotation)).abs() < SAME_ROTATION;
            let (there, here) = (other.translation.as_dvec3(), own.translation.as_dvec3());
            if turned || (there - here).length() > SAME_LENGTH * there.length().max(here.length()) {
                return false;
            }
        }
        found > 0 && 2 * found >= nodes.len()
    }

    /// The channels of a clip, converted; and the number of those that move nothing.
    pub(super) fn clip(&self, clip: &Clip, morphs: &Morphs<'_>) -> (Clip, usize) {
        let mut made = Clip {
            name: clip.name.clone(),
            duration: clip.duration,
            markers: clip.markers.clone(),
            ..Clip::default()
        };
        let mut copies: Vec<Option<usize>> = vec![None; clip.curves.len()];
        let mut skipped = clip.properties.len();
        let targets = self.targets(clip);
        for (&Channel { node, path, curve }, target) in clip.channels.iter().zip(targets) {
            if path == Path::Weights {
                continue;
            }
            let Some(target) = target else {
                skipped += 1;
                continue;
            };
            let changed = match path {
                Path::Rotation => self.rotation(node.index(), &clip.curves[curve]),
                Path::Translation => self.translation(node.index(), &clip.curves[curve]),
                _ => None,
            };
            let mut put = |curve: Curve| {
                made.curves.push(curve);
                made.curves.len() - 1
            };
            let at = match changed {
                Some(changed) => put(changed),
                // Channels may share a curve.
                None => *copies[curve].get_or_insert_with(|| put(clip.curves[curve].clone())),
            };
            made.channels.push(Channel { node: target, path, curve: at });
        }
        skipped += morphs.add(clip, &self.pairs, &mut made);
        (made, skipped)
    }

    /// The node in the target of each channel of a clip; `None` for all but the first that move the same.
    fn targets(&self, clip: &Clip) -> Vec<Option<NodeId>> {
        let channels = &clip.channels;
        let mut targets: Vec<Option<NodeId>> =
            channels.iter().map(|channel| self.pairs[channel.node.index()]).collect();
        let order =
            order(targets.len(), &|a, b| (targets[a], channels[a].path).cmp(&(targets[b], channels[b].path)));
        let mut last = None;
        for i in order {
            let moves = (targets[i], channels[i].path);
            if last.replace(moves) == Some(moves) {
                targets[i] = None;
            }
        }
        targets
    }

    /// The curve of a rotation; `None` for the same curve.
    fn rotation(&self, node: usize, curve: &Curve) -> Option<Curve> {
        let (above, own) = (self.parent_axes(node), self.axes[node]);
        if above.is_none() && own.is_none() {
            return None;
        }
        let (left, right) = (above.unwrap_or_default(), own.unwrap_or_default().conjugate());
        let is_spline = curve.interpolation() == Interpolation::CubicSpline;
        let turned = |(i, value): (usize, &[f32; 4])| {
            let [x, y, z, w] = value.map(f64::from);
            let turned = left * DQuat::from_xyzw(x, y, z, w) * right;
            // Tangents have any length.
            if is_spline && i % 3 != 1 { turned } else { unit_of(turned) }.as_quat().to_array()
        };
        let rows = curve.values().as_chunks::<4>().0.iter().enumerate();
        let values = rows.flat_map(turned).collect();
        Curve::new(curve.interpolation(), 4, curve.times().to_vec(), values).ok()
    }

    /// The curve of a translation; `None` for the same curve.
    fn translation(&self, node: usize, curve: &Curve) -> Option<Curve> {
        let (other, own) = self.locals(node)?;
        let (there, here) = (other.translation.as_dvec3(), own.translation.as_dvec3());
        let above = self.parent_axes(node);
        let is_same = |length: f64| (there - here).length() <= SAME_LENGTH * length;
        // The topmost node of the same skeleton may rest at another place.
        let is_top = self.parent(node).is_none() && self.same_size;
        if above.is_none() && (is_top || is_same(there.length().max(here.length()))) {
            return None;
        }
        let ratio = here.length() / there.length();
        let ratio = if ratio > 0.0 && ratio < f64::INFINITY { ratio } else { 1.0 };
        let turn = above.unwrap_or_default();
        let is_spline = curve.interpolation() == Interpolation::CubicSpline;
        let moved = |(i, value): (usize, &[f32; 3])| {
            let is_value = !is_spline || i % 3 == 1;
            let (from, to) = if is_value { (there, here) } else { (DVec3::ZERO, DVec3::ZERO) };
            (to + turn * (vector(*value) - from) * ratio).as_vec3().to_array()
        };
        let rows = curve.values().as_chunks::<3>().0.iter().enumerate();
        let values = rows.flat_map(moved).collect();
        Curve::new(curve.interpolation(), 3, curve.times().to_vec(), values).ok()
    }
}

/// The nodes sorted by name, for the search of [`find_joint`](crate::animation::find_joint) in files with very
/// many nodes.
struct Joints<'a> {
    nodes: &'a [Node],
    similar: Vec<String>,
    /// Equal names are in the order of the file.
    by_name: Vec<usize>,
    by_similar: Vec<usize>,
    /// By parent, then by name.
    by_parent: Vec<usize>,
}

impl<'a> Joints<'a> {
    fn new(model: &'a Model) -> Self {
        let nodes = &model.nodes[..];
        let similar: Vec<String> = nodes.iter().map(|node| similar(&node.name)).collect();
        let by_name = order(nodes.len(), &|a, b| {
            (&nodes[a].name, nodes[a].source).cmp(&(&nodes[b].name, nodes[b].source))
        });
        let by_similar =
            order(nodes.len(), &|a, b| (&similar[a], nodes[a].source).cmp(&(&similar[b], nodes[b].source)));
        let by_parent = order(nodes.len(), &|a, b| {
            let of = |i: usize| (nodes[i].parent, &nodes[i].name, nodes[i].source);
            of(a).cmp(&of(b))
        });
        Self { nodes, similar, by_name, by_similar, by_parent }
    }

    /// The node with a name, preferably a child of `parent`.
    fn find(&self, name: &str, parent: Option<NodeId>) -> Option<NodeId> {
        let name_of = |i: usize| &self.nodes[i].name[..];
        let child = parent.and_then(|parent| {
            let of = |i: usize| (self.nodes[i].parent, name_of(i));
            let at = self.by_parent.partition_point(|&i| of(i) < (Some(parent), name));
            self.by_parent.get(at).copied().filter(|&i| of(i) == (Some(parent), name))
        });
        let named = || {
            let at = self.by_name.partition_point(|&i| name_of(i) < name);
            self.by_name.get(at).copied().filter(|&i| name_of(i) == name)
        };
        let alike = || {
            let name = similar(name);
            let at = self.by_similar.partition_point(|&i| self.similar[i] < name);
            self.by_similar.get(at).copied().filter(|&i| self.similar[i] == name && !name.is_empty())
        };
        let found = if name.is_empty() { None } else { child.or_else(named).or_else(alike) };
        found.map(NodeId::new)
    }
}

fn similar(name: &str) -> String {
    essence(name).collect()
}
