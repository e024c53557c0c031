//! The nodes of the source that move bones, and their state at a time.

use super::plan::Plan;
use super::poser::Poser;
use super::sampling::{Times, Track, vector};
use crate::animation::rest_pose::{Rest, local_affine, transform, unit_quat};
use crate::model::{Channel, Clip, Curve, HumanBone, Interpolation, Model, Node, NodeId, Path};
use glam::{DAffine3, DQuat, DVec3};

/// Lengths that differ by less than this fraction are the same bone.
const STILL: f64 = 1e-4;
/// Scales of the three axes that differ by less than this fraction are uniform.
const UNIFORM: f64 = 1e-3;

/// A node of the source that bones depend on.
pub(super) struct Joint<'a> {
    pub(super) node: NodeId,
    pub(super) parent: Option<usize>,
    rotation: Option<Track<'a>>,
    translation: Option<Track<'a>>,
    scale: Option<Track<'a>>,
    /// Local rotation, translation and scale at rest.
    rest: (DQuat, DVec3, DVec3),
    /// The local matrix of a node that is never animated.
    fixed: DAffine3,
    /// `true` if the position matters.
    placed: bool,
    /// `true` if it or an ancestor moves.
    live: bool,
}

/// The state of the source at a time, in the axes of the target.
pub(super) struct Source<'a> {
    pub(super) joints: Vec<Joint<'a>>,
    turn: DQuat,
    pub(super) rotations: Vec<DQuat>,
    affines: Vec<DAffine3>,
}

impl Source<'_> {
    pub(super) fn seek(&mut self, time: f32, all: bool) {
        for (i, joint) in self.joints.iter_mut().enumerate() {
            if !joint.live && !all {
                continue;
            }
            let (rest_rotation, rest_translation, rest_scale) = joint.rest;
            let local = joint.rotation.as_mut().map_or(rest_rotation, |track| track.rotation(time));
            self.rotations[i] = joint.parent.map_or(self.turn, |parent| self.rotations[parent]) * local;
            if !joint.placed {
                continue;
            }
            let moves = joint.rotation.is_some() || joint.translation.is_some() || joint.scale.is_some();
            let matrix = if moves {
                let translation =
                    joint.translation.as_mut().map_or(rest_translation, |track| track.vector(time));
                let scale = joint.scale.as_mut().map_or(rest_scale, |track| track.vector(time));
                transform(local, translation, scale)
            } else {
                joint.fixed
            };
            let above = joint.parent.map_or(DAffine3::from_quat(self.turn), |parent| self.affines[parent]);
            self.affines[i] = above * matrix;
        }
    }

    pub(super) fn at(&self, joint: usize) -> DVec3 {
        self.affines[joint].translation
    }
}

/// The nodes of the source that bones depend on, for all clips.
pub(super) struct Skeleton<'a> {
    model: &'a Model,
    /// Parents before children.
    nodes: Vec<NodeId>,
    parents: Vec<Option<usize>>,
    /// For each node of the source, its joint.
    joint_of: Vec<Option<usize>>,
    /// The local matrices at rest.
    fixed: Vec<DAffine3>,
    /// For each joint, `true` if clips move it.
    moved: Vec<bool>,
    /// `true` if scales at rest change directions, in the source or in the target.
    bent: bool,
}

impl<'a> Skeleton<'a> {
    pub(super) fn new(model: &'a Model, plan: &Plan) -> Self {
        let count = model.nodes.len();
        let mut used = vec![false; count];
        for bone in &plan.bones {
            let children = bone.to.iter().map(|to| to.child);
            let drivers = bone.drivers.iter().map(|(node, _)| *node);
            drivers.chain(children).for_each(|node| used[node.index()] = true);
        }
        for i in (0..count).rev() {
            if let Some(parent) = model.nodes[i].parent.filter(|_| used[i]) {
                used[parent.index()] = true;
            }
        }
        // Nodes that any clip animates have no sheared matrix, as in `Rig`.
        let mut animated = vec![false; count];
        for channel in model.clips.iter().flat_map(|clip| &clip.channels) {
            animated[channel.node.index()] |= channel.path != Path::Weights;
        }
        let nodes: Vec<NodeId> = (0..count).filter(|&i| used[i]).map(NodeId::new).collect();
        let mut joint_of = vec![None; count];
        nodes.iter().enumerate().for_each(|(i, node)| joint_of[node.index()] = Some(i));
        let parent =
            |node: &NodeId| model.nodes[node.index()].parent.and_then(|parent| joint_of[parent.index()]);
        let fixed = |id: &NodeId| {
            let node = &model.nodes[id.index()];
            let (rotation, translation, scale) = rest_of(node);
            if animated[id.index()] { transform(rotation, translation, scale) } else { local_affine(node) }
        };
        let uneven = |id: &NodeId| {
            let node = &model.nodes[id.index()];
            node.rest_matrix.is_some() || !is_uniform(node.rest.scale.as_dvec3())
        };
        let bent = !is_straight(plan) || nodes.iter().any(uneven);
        let (parents, fixed) = (nodes.iter().map(parent).collect(), nodes.iter().map(fixed).collect());
        let moves = |node: &NodeId| plan.of_vrm.as_ref().is_none_or(|movers| movers.contains(node));
        let moved = nodes.iter().map(moves).collect();
        Self { model, parents, fixed, joint_of, moved, bent, nodes }
    }

    /// The number of joints.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Poses of the joints in a clip.
    pub(super) fn poser(&self, clip: &'a Clip) -> Poser<'a> {
        let used: Vec<bool> = self.joint_of.iter().map(Option::is_some).collect();
        Poser::new(self.model, clip, &used, &Rest::new(self.model))
    }

    /// The joint of a node.
    pub(super) fn joint(&self, node: NodeId) -> Option<usize> {
        self.joint_of[node.index()]
    }

    /// `true` if a channel moves a joint.
    pub(super) fn moves(&self, channel: &Channel) -> bool {
        channel.path != Path::Weights && self.joint(channel.node).is_some_and(|joint| self.moved[joint])
    }

    fn is_above(&self, above: usize, joint: usize) -> bool {
        let up = std::iter::successors(Some(joint), |joint| self.parents[*joint]);
        up.take_while(|joint| *joint >= above).any(|joint| joint == above)
    }

    /// The joints with the curves of a clip. `None` if it moves none of them.
    pub(super) fn joints(&self, clip: &'a Clip, plan: &Plan, foot_lock: bool) -> Option<Joints<'a>> {
        if !clip.channels.iter().any(|channel| self.moves(channel)) {
            return None;
        }
        let count = self.nodes.len();
        let mut curves: Vec<[Option<&'a Curve>; 3]> = vec![[None; 3]; count];
        for channel in clip.channels.iter().filter(|channel| self.moves(channel)) {
            if let (Some(joint), Some(at)) = (self.joint(channel.node), place_of(channel.path)) {
                curves[joint][at] = Some(&clip.curves[channel.curve]);
            }
        }
        let rest = |joint: usize| rest_of(&self.model.nodes[self.nodes[joint].index()]);
        let mut placed = vec![false; count];
        let middle = [HumanBone::Hips, HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg];
        let feet = [HumanBone::LeftFoot, HumanBone::RightFoot];
        for bone in &plan.bones {
            let is = |list: &[HumanBone]| bone.human.is_some_and(|human| list.contains(&human));
            for joint in bone.drivers.iter().filter_map(|(node, _)| self.joint(*node)) {
                placed[joint] |= is(&middle) || foot_lock && is(&feet);
            }
        }
        // A direction that is not fixed in its bone is taken from the positions of the joints.
        let uneven =
            |[_, _, scale]: &[Option<&Curve>; 3]| scale.is_some_and(|curve| !has_uniform_keys(curve));
        let bent = self.bent || curves.iter().any(uneven);
        let mut aims = vec![false; plan.bones.len()];
        for (bone, aims) in plan.bones.iter().zip(&mut aims) {
            let child = bone.to.and_then(|to| self.joint(to.child));
            let driver = bone.drivers.first().and_then(|(node, _)| self.joint(*node));
            let (Some(child), Some(driver)) = (child, driver) else { continue };
            let up = std::iter::successors(Some(child), |joint| self.parents[*joint]);
            let mut between = up.take_while(|joint| *joint > driver);
            let changes = |joint: usize| {
                let [rotation, translation, scale] = curves[joint];
                let moves = translation.is_some_and(|curve| !is_still(curve, rest(joint).1));
                moves || joint != child && (rotation.is_some() || scale.is_some())
            };
            *aims = self.is_above(driver, child) && (bent || between.any(changes));
            placed[child] |= *aims;
            placed[driver] |= *aims;
        }
        for i in (0..count).rev() {
            if let Some(parent) = self.parents[i].filter(|_| placed[i]) {
                placed[parent] = true;
            }
        }
        let mut times = Times::default();
        let (mut joints, mut sets): (Vec<Joint<'a>>, Vec<[Vec<usize>; 2]>) = (Vec::new(), Vec::new());
        for i in 0..count {
            let [rotation, translation, scale] = curves[i];
            let [translation, scale] = [translation, scale].map(|curve| curve.filter(|_| placed[i]));
            let mut add = |curve: &'a Curve| times.add(curve);
            let turns = rotation.into_iter().map(&mut add).collect();
            let moves = [translation, scale].into_iter().flatten().map(&mut add).collect();
            sets.push([turns, moves]);
            let parent = self.parents[i];
            let moved = [rotation, translation, scale].iter().any(Option::is_some);
            joints.push(Joint {
                node: self.nodes[i],
                parent,
                rotation: rotation.map(Track::new),
                translation: translation.map(Track::new),
                scale: scale.map(Track::new),
                rest: rest(i),
                fixed: self.fixed[i],
                placed: placed[i],
                live: moved || parent.is_some_and(|parent: usize| joints[parent].live),
            });
        }
        times.merge();
        if times.all.is_empty() {
            return None;
        }
        let (rotations, affines) = (vec![plan.turn; count], vec![DAffine3::IDENTITY; count]);
        Some(Joints { source: Source { joints, turn: plan.turn, rotations, affines }, times, sets, aims })
    }
}

/// The joints of a clip, and the times of their keys.
pub(super) struct Joints<'a> {
    pub(super) source: Source<'a>,
    pub(super) times: Times<'a>,
    /// For each joint, the sets of times of its rotation, and of its translation and scale.
    pub(super) sets: Vec<[Vec<usize>; 2]>,
    /// For each bone, `true` if its direction is that between joints of the source.
    pub(super) aims: Vec<bool>,
}

fn rest_of(node: &Node) -> (DQuat, DVec3, DVec3) {
    let rest = node.rest;
    (unit_quat(rest.rotation), rest.translation.as_dvec3(), rest.scale.as_dvec3())
}

/// The index of a path among the curves of a joint.
fn place_of(path: Path) -> Option<usize> {
    match path {
        Path::Rotation => Some(0),
        Path::Translation => Some(1),
        Path::Scale => Some(2),
        Path::Weights => None,
    }
}

/// `true` if the scales of the target do not change directions.
fn is_straight(plan: &Plan) -> bool {
    plan.bones.iter().all(|bone| {
        let matrix = plan.target_rest.affines[bone.target.index()].matrix3;
        let lengths = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec3::length);
        let right = |a: DVec3, b: DVec3| a.dot(b).abs() <= UNIFORM * a.length() * b.length();
        is_uniform(DVec3::from_array(lengths))
            && matrix.determinant() > 0.0
            && right(matrix.x_axis, matrix.y_axis)
            && right(matrix.y_axis, matrix.z_axis)
            && right(matrix.z_axis, matrix.x_axis)
    })
}

/// `true` if all keys are the value at rest.
fn is_still(curve: &Curve, rest: DVec3) -> bool {
    let near = STILL * rest.length();
    curve.interpolation() != Interpolation::CubicSpline
        && curve.values().as_chunks::<3>().0.iter().all(|value| (vector(*value) - rest).length() <= near)
}

fn has_uniform_keys(curve: &Curve) -> bool {
    curve.interpolation() != Interpolation::CubicSpline
        && curve.values().as_chunks::<3>().0.iter().all(|scale| is_uniform(vector(*scale)))
}

fn is_uniform(scale: DVec3) -> bool {
    let least = scale.min_element();
    least > 0.0 && scale.max_element() <= least * (1.0 + UNIFORM)
}
