//! A standing pose for a model whose rest pose is none, such as motion capture whose bones all lie along one axis at
//! rest.
//!
//! The pose is the mean of those poses of the clips that are most like a T-pose, in the axes of the body. The hinges of
//! elbows and knees are found in all poses: a bent limb lies in the plane across its hinge.

use super::directions::unit;
use super::humanoid::HumanoidMap;
use super::poser::Poser;
use super::posture::{ARMS, LEGS, Posture};
use crate::animation::rest_pose::{Rest, local_affine, transform, unit_of, unit_quat};
use crate::model::{Clip, HumanBone as B, Model};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use std::sync::Arc;

/// The most clips that are searched, and the poses of all.
const CLIPS: usize = 16;
const POSES: usize = 384;
/// Poses whose score is less than the best by at most this are taken together.
const ALIKE: f64 = 0.1;
/// The least mean sine of the angle by which a limb is bent, and the least agreement of its hinges in the upper and
/// lower bone. A lower arm also turns about itself.
const BENT: f64 = 0.1;
const AGREES: [f64; 2] = [0.7, 0.9];
/// Limits for the direction of the torso in clips, and for the lowest joint above the ground in lengths of a leg.
const LIES: f64 = 0.4;
const UPRIGHT: f64 = 0.7;
const GROUND: f64 = 0.3;
/// The least length of the mean of unit vectors that agree.
const AGREED: f64 = 0.8;

/// A standing pose.
pub(super) struct Standing {
    pub(super) pose: Rest,
    /// The axes of the hinges at the lower ends of bones, in that pose: unit vectors. A knee turns about the left at
    /// rest.
    pub(super) hinges: Vec<(B, DVec3)>,
}

/// The rest pose of a body, if that stands; otherwise a pose of its clips.
pub(super) enum Stance {
    Rest,
    Clips(Standing),
    /// Neither stands.
    None,
}

impl Stance {
    pub(super) fn new(model: &Model, map: &HumanoidMap, rest: &Rest) -> Self {
        let Some(posture) = Posture::new(map, rest).filter(|_| map.is_complete()) else { return Self::Rest };
        if posture.stands {
            return Self::Rest;
        }
        match Search::new(model, map, rest).find() {
            Some((score, standing)) if score > posture.score => Self::Clips(standing),
            _ => Self::None,
        }
    }

    /// The pose that stands, if that is one of the clips.
    pub(super) fn pose(&self) -> Option<&Rest> {
        match self {
            Self::Clips(standing) => Some(&standing.pose),
            _ => None,
        }
    }

    /// The hinges in that pose.
    pub(super) fn hinges(&self) -> &[(B, DVec3)] {
        match self {
            Self::Clips(standing) => &standing.hinges,
            _ => &[],
        }
    }

    /// `None` for the rest pose; `false` if no pose stands.
    pub(super) fn is_found(&self) -> Option<bool> {
        match self {
            Self::Rest => None,
            Self::Clips(_) => Some(true),
            Self::None => Some(false),
        }
    }
}

/// The sums of a hinge in the spaces of the upper and the lower bone.
#[derive(Clone, Copy, Default)]
struct Hinge {
    sums: [DVec3; 2],
    bends: f64,
}

struct Search<'a> {
    model: &'a Model,
    map: &'a HumanoidMap,
    rest: &'a Rest,
    clips: Vec<&'a Clip>,
    /// The nodes of bones and all above.
    used: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(model: &'a Model, map: &'a HumanoidMap, rest: &'a Rest) -> Self {
        let mut used = vec![false; model.nodes.len()];
        let nodes = map.bones().map(|(_, node)| node).chain(map.spine().iter().copied());
        nodes.for_each(|node| used[node.index()] = true);
        for i in (0..used.len()).rev() {
            if let Some(parent) = model.nodes[i].parent.filter(|_| used[i]) {
                used[parent.index()] = true;
            }
        }
        let count = model.clips.len();
        let chosen = (0..count.min(CLIPS)).map(|i| &model.clips[i * count / count.min(CLIPS)]);
        Self { model, map, rest, clips: chosen.map(Arc::as_ref).collect(), used }
    }

    /// Calls a function with poses of the clips.
    fn each(&self, mut visit: impl FnMut(usize, &Rest)) {
        let mut number = 0;
        for clip in &self.clips {
            let mut poser = Poser::new(self.model, clip, &self.used, self.rest);
            for time in poser.times(POSES / self.clips.len()) {
                poser.seek(time);
                visit(number, &poser.pose);
                number += 1;
            }
        }
    }

    fn find(&self) -> Option<(f64, Standing)> {
        let limbs = || ARMS.into_iter().chain(LEGS);
        let mut scores: Vec<Option<f64>> = Vec::new();
        let mut hinges = [Hinge::default(); 4];
        let (mut torso, mut lowest) = (DVec3::ZERO, DVec3::INFINITY);
        self.each(|_, pose| {
            let posture = Posture::new(self.map, pose);
            scores.push(posture.as_ref().map(|posture| posture.score).filter(|score| score.is_finite()));
            torso += posture.map_or(DVec3::ZERO, |posture| posture.torso);
            self.map.bones().for_each(|(_, node)| lowest = lowest.min(pose.at(node)));
            limbs().zip(&mut hinges).for_each(|(limb, hinge)| self.bend(limb, pose, hinge));
        });
        let best = scores.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let count = scores.iter().flatten().count();
        if count == 0 {
            return None;
        }
        let up = self.up(torso / count as f64, lowest);
        let is_alike = |i: usize| scores[i].is_some_and(|score| score >= best - ALIKE);
        let pose = self.mean(up, is_alike)?;
        let turned = |bone: B, axis: DVec3| {
            let rotation = pose.rotations[self.map.node(bone)?.index()];
            Some((bone, unit(rotation * axis)?))
        };
        let mut found = Vec::new();
        for ([upper, lower, _], hinge) in limbs().zip(hinges) {
            for ((bone, sum), agrees) in [upper, lower].into_iter().zip(hinge.sums).zip(AGREES) {
                if hinge.bends > BENT * scores.len() as f64 && sum.length() > agrees * hinge.bends {
                    found.extend(turned(bone, sum));
                }
            }
        }
        Some((best, Standing { pose, hinges: found }))
    }

    /// Adds the hinge of a limb in a pose.
    fn bend(&self, limb: [B; 3], pose: &Rest, hinge: &mut Hinge) {
        let [Some(upper), Some(lower), Some(end)] = limb.map(|bone| self.map.node(bone)) else { return };
        let ways = unit(pose.at(lower) - pose.at(upper)).zip(unit(pose.at(end) - pose.at(lower)));
        let Some((first, second)) = ways else { return };
        let axis = first.cross(second);
        for (node, sum) in [upper, lower].into_iter().zip(&mut hinge.sums) {
            *sum += pose.rotations[node.index()].conjugate() * axis;
        }
        hinge.bends += axis.length();
    }

    /// The axis of the model that is up in the clips: Y, or Z if the torso is along it and the body does not lie on the
    /// ground.
    fn up(&self, torso: DVec3, lowest: DVec3) -> DVec3 {
        let length = |limb: [B; 3]| {
            let [upper, lower, end] = limb.map(|bone| self.map.node(bone).map(|node| self.rest.at(node)));
            Some((lower? - upper?).length() + (end? - lower?).length())
        };
        let near = GROUND * LEGS.into_iter().find_map(length).unwrap_or(0.0);
        let lies = lowest.y.abs() < near && lowest.z.abs() > near;
        if torso.z > UPRIGHT && torso.y < LIES && !lies { DVec3::Z } else { DVec3::Y }
    }

    /// The mean of some poses in the axes of the body, with the hips where they are at rest.
    fn mean(&self, up: DVec3, is_alike: impl Fn(usize) -> bool) -> Option<Rest> {
        let nodes = &self.model.nodes;
        let mut turns = vec![DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0); nodes.len()];
        let mut places = vec![DVec3::ZERO; nodes.len()];
        let (mut count, mut facing) = (0, DVec3::ZERO);
        self.each(|i, pose| {
            let Some(posture) = Posture::new(self.map, pose).filter(|_| is_alike(i)) else { return };
            let frame = posture.frame(up);
            (count, facing) = (count + 1, facing + frame.x_axis);
            let back = DQuat::from_mat3(&frame).conjugate();
            for node in (0..nodes.len()).filter(|node| self.used[*node]) {
                let turn = back * pose.rotations[node];
                turns[node] = turns[node] + if turns[node].dot(turn) < 0.0 { -turn } else { turn };
                let above = nodes[node].parent.map(|parent| pose.affines[parent.index()].inverse());
                places[node] += (above.unwrap_or(DAffine3::IDENTITY) * pose.affines[node]).translation;
            }
        });
        if count == 0 {
            return None;
        }
        // Bodies that turn have no front; it is the usual one for the axis that is up.
        let left =
            if facing.length() > AGREED * f64::from(count) { nearest_axis(facing, up) } else { DVec3::X };
        let axes = DQuat::from_mat3(&DMat3::from_cols(left, up, left.cross(up)));
        let mut pose = self.rest.clone();
        for (i, node) in nodes.iter().enumerate() {
            let parent = node.parent.map(|parent| parent.index());
            let above = parent.map_or(DQuat::IDENTITY, |parent| pose.rotations[parent]);
            let local = if self.used[i] {
                pose.rotations[i] = unit_of(axes * turns[i]);
                let scale = node.rest.scale.as_dvec3();
                transform(unit_of(above.conjugate() * pose.rotations[i]), places[i] / f64::from(count), scale)
            } else {
                pose.rotations[i] = above * unit_quat(node.rest.rotation);
                local_affine(node)
            };
            pose.affines[i] = parent.map_or(local, |parent| pose.affines[parent] * local);
        }
        let hips = self.map.node(B::Hips)?;
        let way = self.rest.at(hips) - pose.at(hips);
        pose.affines.iter_mut().for_each(|matrix| matrix.translation += way);
        Some(pose)
    }
}

/// The axis across `up` that is nearest to a direction.
fn nearest_axis(direction: DVec3, up: DVec3) -> DVec3 {
    let axes = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z, DVec3::Y, DVec3::NEG_Y];
    let mut best = (f64::NEG_INFINITY, DVec3::X);
    for axis in axes.into_iter().filter(|axis| axis.dot(up) == 0.0) {
        if axis.dot(direction) > best.0 {
            best = (axis.dot(direction), axis);
        }
    }
    best.1
}
