//! The nodes of the source that move bones, and their state at a time.

use super::plan::Plan;
use super::rest::{local_affine, transform, unit_quat};
use super::sampling::{Times, Track, vector};
use crate::model::{Clip, Curve, HumanBone, Interpolation, Model, NodeId, Path};
use glam::{DAffine3, DQuat, DVec3};
use std::collections::HashMap;

/// Lengths that differ by less than this fraction are the same bone.
const STILL: f64 = 1e-4;
/// Scales of the three axes that differ by less than this fraction are uniform.
const UNIFORM: f64 = 1e-3;

/// A clip takes too much memory, or moves no bone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nothing {
    Still,
    TooLong,
}

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
    pub(super) fn rewind(&mut self) {
        for joint in &mut self.joints {
            let tracks = [&mut joint.rotation, &mut joint.translation, &mut joint.scale];
            tracks.into_iter().flatten().for_each(Track::rewind);
        }
    }

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

/// The nodes of the source that bones depend on, and the times of their keys.
pub(super) struct Joints<'a> {
    pub(super) source: Source<'a>,
    pub(super) times: Times<'a>,
    pub(super) sets: Vec<[Vec<usize>; 2]>,
    /// For each node of the source, its joint.
    pub(super) joint_of: Vec<Option<usize>>,
    /// For each bone, `true` if its direction is that between joints of the source.
    pub(super) aims: Vec<bool>,
}

pub(super) fn joints<'a>(
    source: &'a Model,
    animated: &[bool],
    clip: &'a Clip,
    plan: &Plan,
    foot_lock: bool,
) -> Result<Joints<'a>, Nothing> {
    let count = source.nodes.len();
    let (mut used, mut placed) = (vec![false; count], vec![false; count]);
    let legs = [HumanBone::Hips, HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg];
    let feet = [HumanBone::LeftFoot, HumanBone::RightFoot];
    for bone in &plan.bones {
        let is = |list: &[HumanBone]| bone.human.is_some_and(|human| list.contains(&human));
        for (node, _) in &bone.drivers {
            used[node.index()] = true;
            placed[node.index()] |= is(&legs) || foot_lock && is(&feet);
        }
        if let Some((child, _)) = bone.to {
            used[child.index()] = true;
        }
    }
    let mut curves: HashMap<(NodeId, Path), &Curve> = HashMap::new();
    for channel in &clip.channels {
        curves.insert((channel.node, channel.path), &clip.curves[channel.curve]);
    }
    let curve = |node: usize, path: Path| curves.get(&(NodeId::new(node), path)).copied();
    for i in (0..count).rev() {
        if let Some(parent) = source.nodes[i].parent.filter(|_| used[i]) {
            used[parent.index()] = true;
        }
    }
    // Where a direction is not fixed in its bone, it is taken from the positions of the joints.
    let uneven = |i: usize| {
        let scale = curve(i, Path::Scale).is_some_and(|curve| !has_uniform_keys(curve));
        scale || source.nodes[i].rest_matrix.is_some() || !is_uniform(source.nodes[i].rest.scale.as_dvec3())
    };
    let bent = !is_straight(plan) || (0..count).any(|i| used[i] && uneven(i));
    let turns = |i: usize| curve(i, Path::Rotation).is_some() || curve(i, Path::Scale).is_some();
    let moves = |i: usize| {
        let rest = source.nodes[i].rest.translation.as_dvec3();
        curve(i, Path::Translation).is_some_and(|curve| !is_still(curve, rest))
    };
    let mut aims = vec![false; plan.bones.len()];
    for (bone, aims) in plan.bones.iter().zip(&mut aims) {
        let (Some((child, _)), Some(&(node, _))) = (bone.to, bone.drivers.first()) else { continue };
        let up = std::iter::successors(Some(child), |node| source.nodes[node.index()].parent);
        let between = || up.clone().take_while(|other| *other > node);
        let is_below = up.clone().find(|other| *other <= node) == Some(node);
        let changes = |other: NodeId| moves(other.index()) || other != child && turns(other.index());
        *aims = is_below && (bent || between().any(changes));
        if *aims {
            placed[child.index()] = true;
            placed[node.index()] = true;
        }
    }
    for i in (0..count).rev() {
        if let Some(parent) = source.nodes[i].parent.filter(|_| placed[i]) {
            placed[parent.index()] = true;
        }
    }
    let mut times = Times::default();
    let mut joint_of = vec![None; count];
    let (mut joints, mut sets): (Vec<Joint<'a>>, Vec<[Vec<usize>; 2]>) = (Vec::new(), Vec::new());
    for i in (0..count).filter(|&i| used[i]) {
        let node = &source.nodes[i];
        let rotation = curve(i, Path::Rotation);
        let [translation, scale] =
            [Path::Translation, Path::Scale].map(|path| curve(i, path).filter(|_| placed[i]));
        let own = [rotation, translation, scale];
        let parent = node.parent.and_then(|parent| joint_of[parent.index()]);
        let add = |curve: &'a Curve, times: &mut Times<'a>| times.add(curve);
        let turns: Vec<usize> = rotation.into_iter().map(|curve| add(curve, &mut times)).collect();
        let moves: Vec<usize> =
            [translation, scale].into_iter().flatten().map(|curve| add(curve, &mut times)).collect();
        sets.push([turns, moves]);
        let rest = node.rest;
        let is_animated = animated[i];
        joint_of[i] = Some(joints.len());
        joints.push(Joint {
            node: NodeId::new(i),
            parent,
            rotation: rotation.map(Track::new),
            translation: translation.map(Track::new),
            scale: scale.map(Track::new),
            rest: (unit_quat(rest.rotation), rest.translation.as_dvec3(), rest.scale.as_dvec3()),
            fixed: if is_animated {
                transform(unit_quat(rest.rotation), rest.translation.as_dvec3(), rest.scale.as_dvec3())
            } else {
                local_affine(node)
            },
            placed: placed[i],
            live: own.iter().any(Option::is_some) || parent.is_some_and(|parent: usize| joints[parent].live),
        });
    }
    times.merge();
    if times.all.is_empty() {
        return Err(Nothing::Still);
    }
    let (rotations, affines) = (vec![plan.turn; joints.len()], vec![DAffine3::IDENTITY; joints.len()]);
    Ok(Joints { source: Source { joints, turn: plan.turn, rotations, affines }, times, sets, joint_of, aims })
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
