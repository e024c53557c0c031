//! The pairs of bones of two bodies, and the constant parts of the formulas in the module's documentation.

use super::alignment::Alignment;
use super::body::{Body, turn_of_vrm};
use super::bone::{Anchor, Bone, relative};
use super::humanoid::HumanoidMap;
use super::options::Hips;
use super::pairing::{Pair, Pairing, Role};
use super::standing::Stance;
use crate::animation::rest_pose::Rest;
use crate::model::{HumanBone, Model, NodeId};
use glam::DQuat;

/// The constant parts of retargeting from one body to another. The source is turned to the axes of the target.
#[derive(Debug)]
pub(super) struct Plan {
    /// Parents before children, also where the body differs from the nodes.
    pub(super) bones: Vec<Bone>,
    /// The rotation from the axes of the source to those of the target.
    pub(super) turn: DQuat,
    /// The rest pose of the source, turned; and that of the target. Where it does not stand, a pose of the clips that
    /// does, if there is one.
    pub(super) source_rest: Rest,
    pub(super) target_rest: Rest,
    pub(super) source_body: Body,
    pub(super) target_body: Body,
    /// The ratio of leg lengths.
    pub(super) scale: f64,
    /// `true` if the ratio is not one of legs or of torsos.
    pub(super) unmeasured: bool,
    /// `false` if neither the rest pose nor a pose of the clips stands; `None` if the rest pose does. Of source and
    /// target.
    pub(super) stances: [Option<bool>; 2],
    /// `true` if bones turn from their rest pose as those of the source.
    pub(super) relative: bool,
    /// If moreover both are files of VRM, the nodes of the source that are bones: the only ones that move. The hips are
    /// where those of the source are, times `scale`.
    pub(super) of_vrm: Option<Vec<NodeId>>,
}

impl Plan {
    /// Pairs the bones of two models. `followers` are further nodes of both, below the hips.
    pub(super) fn new(
        [source, target]: [&Model; 2],
        [from, to]: [&HumanoidMap; 2],
        followers: &[(NodeId, NodeId)],
        hips: Hips,
        relative: bool,
    ) -> Self {
        let rests = [source, target].map(Rest::new);
        let stances = [0, 1].map(|i| match relative {
            true => Stance::Rest,
            false => Stance::new([source, target][i], [from, to][i], &rests[i]),
        });
        let [other, own] = &stances;
        let [source_rest, rest] = rests;
        let source_rest = other.pose().cloned().unwrap_or(source_rest);
        let target_rest = own.pose().cloned().unwrap_or_else(|| rest.clone());
        let target_body = Body::new(to, &target_rest);
        let of_vrm = turn_of_vrm(source, target).filter(|_| relative);
        let turn = of_vrm.unwrap_or_else(|| target_body.turn_of(&Body::new(from, &source_rest)));
        let heading = target_body.heading(&Body::new(from, &source_rest), turn);
        let source_rest = source_rest.turned(turn);
        let source_body = Body::new(from, &source_rest);
        let hinges: Vec<_> = other.hinges().iter().map(|(bone, axis)| (*bone, turn * *axis)).collect();
        let posed = other.pose().is_some() || own.pose().is_some();
        let (mut scale, mut unmeasured) = scale(&source_body, &target_body);
        if of_vrm.is_some() {
            let height =
                |map: &HumanoidMap, rest: &Rest| map.node(HumanBone::Hips).map(|hips| rest.at(hips).y);
            let heights = height(to, &target_rest).zip(height(from, &source_rest));
            if let Some(ratio) = heights.and_then(|(own, other)| ratio(own, other)) {
                (scale, unmeasured) = (ratio, false);
            }
        }
        let mut pairing = Pairing { from, to, source_rest: &source_rest, pairs: Vec::new() };
        if relative {
            pairing.pair_each();
        } else {
            pairing.pair();
        }
        let mut pairs = pairing.pairs;
        for &(node, own) in followers {
            let role = if relative { Role::Relative } else { Role::Inherited };
            pairs.push(Pair { human: None, target: own, source: (node, node, 0.0), role, parent: None });
        }
        let mut alignment = Alignment {
            bodies: [&source_body, &target_body],
            poses: [&source_rest, &target_rest],
            maps: [from, to],
            heading,
            hinges: posed.then_some([&hinges, own.hinges()]),
            model: target,
            aligned: vec![None; target.nodes.len()],
        };
        let bones = pairs.iter().map(|pair| alignment.bone(pair)).collect();
        let mut bones = in_order(bones, target);
        hang(&mut bones, target, &rest);
        let stances = stances.each_ref().map(Stance::is_found);
        let movers =
            from.bones().map(|(_, node)| node).chain(followers.iter().map(|(node, _)| *node)).collect();
        let scale = if hips == Hips::Kept { 1.0 } else { scale };
        Self {
            bones,
            turn,
            source_rest,
            target_rest,
            source_body,
            target_body,
            scale,
            unmeasured,
            stances,
            relative,
            of_vrm: of_vrm.map(|_| movers),
        }
    }
}

/// The ratio of two sizes; `None` if it is not positive and finite.
fn ratio(own: f64, other: f64) -> Option<f64> {
    Some(own / other).filter(|ratio| *ratio > 0.0 && *ratio < f64::INFINITY)
}

/// The ratio of the sizes of two bodies, and `false` if it is one of legs or torsos.
fn scale(source: &Body, target: &Body) -> (f64, bool) {
    let legs = source.leg.zip(target.leg).and_then(|(other, own)| ratio(own, other));
    match legs.or_else(|| ratio(target.torso, source.torso)) {
        Some(ratio) => (ratio, false),
        None => (1.0, true),
    }
}

/// Sorts bones so that each comes after its ancestors and after the bone that it is attached to. Where a map by hand
/// makes that impossible, the bone is not attached.
fn in_order(mut bones: Vec<Bone>, model: &Model) -> Vec<Bone> {
    let bone_of = bone_of(&bones, model);
    let above = bones_above(model, &bone_of);
    let mut order = Vec::with_capacity(bones.len());
    let (mut begun, mut done) = (vec![false; bones.len()], vec![false; bones.len()]);
    for first in 0..bones.len() {
        let mut stack = vec![first];
        while let Some(&i) = stack.last() {
            begun[i] = true;
            let attached = bones[i].detached.and_then(|node| bone_of[node.index()]);
            if attached.is_some_and(|bone| begun[bone] && !done[bone]) {
                bones[i].detached = None;
            }
            let mut needed = [above[bones[i].target.index()], attached].into_iter().flatten();
            match needed.find(|&bone| !begun[bone]) {
                Some(needed) => stack.push(needed),
                None => {
                    stack.pop();
                    if !std::mem::replace(&mut done[i], true) {
                        order.push(i);
                    }
                }
            }
        }
    }
    let mut bones: Vec<Option<Bone>> = bones.into_iter().map(Some).collect();
    order.into_iter().filter_map(|i| bones[i].take()).collect()
}

/// Finds the nodes that ordered bones hang on.
fn hang(bones: &mut [Bone], model: &Model, rest: &Rest) {
    let bone_of = bone_of(bones, model);
    let above = bones_above(model, &bone_of);
    for i in 0..bones.len() {
        let target = bones[i].target;
        // Bones that come later cannot carry this one; only maps by hand have such.
        let bone = above[target.index()].filter(|&bone| bone < i);
        bones[i].anchor = match (bone, model.nodes[target.index()].parent) {
            (Some(bone), Some(parent)) => {
                let ancestor = bones[bone].target;
                let turn = rest.rotations[ancestor.index()].conjugate() * rest.rotations[parent.index()];
                Anchor { bone: Some(bone), rotation: turn, affine: relative(rest, ancestor, parent) }
            }
            (None, Some(parent)) => {
                let (rotation, affine) = (rest.rotations[parent.index()], rest.affines[parent.index()]);
                Anchor { bone: None, rotation, affine }
            }
            _ => Anchor::default(),
        };
        bones[i].attached = bones[i].detached.and_then(|parent| {
            let bone = bone_of[parent.index()].filter(|&bone| bone < i)?;
            Some((bone, relative(rest, parent, target).translation))
        });
    }
}

/// For each node of a model, its bone.
fn bone_of(bones: &[Bone], model: &Model) -> Vec<Option<usize>> {
    let mut bone_of = vec![None; model.nodes.len()];
    bones.iter().enumerate().for_each(|(i, bone)| bone_of[bone.target.index()] = Some(i));
    bone_of
}

/// For each node of a model, the nearest bone among its ancestors.
fn bones_above(model: &Model, bone_of: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut above: Vec<Option<usize>> = Vec::with_capacity(model.nodes.len());
    for node in &model.nodes {
        let parent = node.parent;
        above.push(parent.and_then(|parent| bone_of[parent.index()].or(above[parent.index()])));
    }
    above
}
