//! The pairs of bones of two bodies, and the constant parts of the formulas in the module's documentation.

use super::body::Body;
use super::directions::{arc, unit};
use super::humanoid::{HumanoidMap, is_above};
use super::options::Hips;
use crate::animation::rest_pose::{Rest, unit_of};
use crate::model::{HumanBone, Model, NodeId};
use glam::{DAffine3, DQuat, DVec3};

/// Leg bones that the rest poses turn by more than this cosine of half an angle (60°) do not stand.
const STANDS: f64 = 0.866_025_403_784_438_6;
/// Feet whose direction has less than this part along the ground point down at rest.
const FLAT: f64 = 0.25;

/// A bone of the target and its drivers in the source.
#[derive(Debug, Clone)]
pub(super) struct Bone {
    pub(super) human: Option<HumanBone>,
    pub(super) target: NodeId,
    /// The nodes of the source, each with `R_s(rest)⁻¹ · A · R_t(rest)`; their results are blended by `blend`.
    pub(super) drivers: Vec<(NodeId, DQuat)>,
    pub(super) blend: f64,
    /// The end of the bone's direction, if that is from joint to joint.
    pub(super) to: Option<End>,
    /// The bone that the target's bone is attached to, if that is none of its ancestors.
    detached: Option<NodeId>,
    /// The index of that bone, and the position in its space.
    pub(super) attached: Option<(usize, DVec3)>,
    pub(super) anchor: Anchor,
}

/// The end of a bone's direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// The child in the source.
    pub(super) child: NodeId,
    /// The position of the child in the space of the target's bone; `None` if the child is no descendant.
    pub(super) offset: Option<DVec3>,
}

/// The node above a bone in the target: by the nearest bone among its ancestors and the rest pose of the nodes between,
/// or by the rest pose of all nodes above.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Anchor {
    /// An index of a bone.
    pub(super) bone: Option<usize>,
    pub(super) rotation: DQuat,
    pub(super) affine: DAffine3,
}

/// The constant parts of retargeting from one body to another. The source is turned to the axes of the target.
#[derive(Debug)]
pub(super) struct Plan {
    /// Parents before children, also where the body differs from the nodes.
    pub(super) bones: Vec<Bone>,
    /// The rotation from the axes of the source to those of the target.
    pub(super) turn: DQuat,
    /// The rest pose of the source, turned.
    pub(super) source_rest: Rest,
    pub(super) target_rest: Rest,
    pub(super) source_body: Body,
    pub(super) target_body: Body,
    /// The ratio of leg lengths.
    pub(super) scale: f64,
    /// `true` if the ratio is not one of legs or of torsos.
    pub(super) unmeasured: bool,
}

/// A pair of bones before its rest poses are compared.
struct Pair {
    human: Option<HumanBone>,
    target: NodeId,
    /// One node, or two with the fraction of the way from the first to the second.
    source: (NodeId, NodeId, f64),
    role: Role,
    /// The bone in the target that it is attached to.
    parent: Option<NodeId>,
}

/// The comparison of the rest poses of a pair.
enum Role {
    /// The directions to the child in source and target are made equal.
    Directed(NodeId, NodeId),
    /// The directions at rest are made equal; those in the source are that of the first and second driver.
    Blended([DVec3; 2], NodeId),
    /// As `Directed`, but along the ground.
    Sole(NodeId, NodeId),
    /// The lines between the legs are made equal.
    Hips,
    /// The orientation of the whole body.
    Heading,
    /// That of the parent.
    Inherited,
}

impl Plan {
    /// Pairs the bones of two models. `followers` are further nodes of both, below the hips.
    pub(super) fn new(
        [source, target]: [&Model; 2],
        [from, to]: [&HumanoidMap; 2],
        followers: &[(NodeId, NodeId)],
        hips: Hips,
    ) -> Self {
        let (source_rest, target_rest) = (Rest::new(source), Rest::new(target));
        let target_body = Body::new(to, &target_rest);
        let turn = target_body.turn_of(&Body::new(from, &source_rest));
        let heading = target_body.heading(&Body::new(from, &source_rest), turn);
        let source_rest = source_rest.turned(turn);
        let source_body = Body::new(from, &source_rest);
        let (scale, unmeasured) = scale(&source_body, &target_body);
        let mut pairing = Pairing { from, to, source_rest: &source_rest, pairs: Vec::new() };
        pairing.pair();
        let mut pairs = pairing.pairs;
        for &(node, own) in followers {
            let parent = None;
            pairs.push(Pair {
                human: None,
                target: own,
                source: (node, node, 0.0),
                role: Role::Inherited,
                parent,
            });
        }
        let mut made = Made {
            bodies: [&source_body, &target_body],
            rests: [&source_rest, &target_rest],
            heading,
            model: target,
            aligned: vec![None; target.nodes.len()],
        };
        let bones = pairs.iter().map(|pair| made.bone(pair)).collect();
        let mut bones = in_order(bones, target);
        hang(&mut bones, target, &target_rest);
        let scale = if hips == Hips::Kept { 1.0 } else { scale };
        Self { bones, turn, source_rest, target_rest, source_body, target_body, scale, unmeasured }
    }
}

/// The ratio of the sizes of two bodies, and `false` if it is one of legs or torsos.
fn scale(source: &Body, target: &Body) -> (f64, bool) {
    let ratio =
        |own: f64, other: f64| Some(own / other).filter(|ratio| *ratio > 0.0 && *ratio < f64::INFINITY);
    let legs = source.leg.zip(target.leg).and_then(|(other, own)| ratio(own, other));
    match legs.or_else(|| ratio(target.torso, source.torso)) {
        Some(ratio) => (ratio, false),
        None => (1.0, true),
    }
}

/// Collects the pairs of two maps.
struct Pairing<'a> {
    from: &'a HumanoidMap,
    to: &'a HumanoidMap,
    source_rest: &'a Rest,
    pairs: Vec<Pair>,
}

impl Pairing<'_> {
    /// The nodes of a bone in source and target, if both have it.
    fn both(&self, bone: HumanBone) -> Option<(NodeId, NodeId)> {
        Some((self.from.node(bone)?, self.to.node(bone)?))
    }

    fn pair(&mut self) {
        use HumanBone as B;
        if let Some((source, target)) = self.both(B::Hips) {
            self.add(Some(B::Hips), target, (source, source, 0.0), Role::Hips, None);
        }
        self.spine();
        for bone in HumanBone::ALL {
            if matches!(bone, B::Hips | B::Spine | B::Chest | B::UpperChest) {
                continue;
            }
            let Some((source, target)) = self.both(bone) else { continue };
            let child = children(bone).iter().find_map(|child| self.both(*child));
            let role = match (bone, child) {
                (B::LeftFoot | B::RightFoot, Some((a, b))) => Role::Sole(a, b),
                (
                    B::LeftFoot | B::RightFoot | B::Head | B::Neck | B::LeftEye | B::RightEye | B::Jaw,
                    None,
                ) => Role::Heading,
                (_, Some((a, b))) => Role::Directed(a, b),
                (_, None) => Role::Inherited,
            };
            self.add(Some(bone), target, (source, source, 0.0), role, self.parent(bone));
        }
    }

    /// The node in the target that a bone is attached to.
    fn parent(&self, bone: HumanBone) -> Option<NodeId> {
        let mut up = bone.parent();
        while let Some(bone) = up {
            let is_spine = matches!(bone, HumanBone::Spine | HumanBone::Chest | HumanBone::UpperChest);
            if is_spine && let Some(top) = self.to.spine().last() {
                return Some(*top);
            }
            if let Some((_, target)) = self.both(bone) {
                return Some(target);
            }
            up = bone.parent();
        }
        None
    }

    /// Pairs the nodes of the spines: one with one if they are as many. Otherwise each node of the target takes the
    /// rotation at its fraction of the spine, so that the chests agree.
    fn spine(&mut self) {
        use HumanBone as B;
        let (from, to) = (self.from.spine(), self.to.spine());
        let Some((hips, own_hips)) = self.both(B::Hips) else { return };
        let neck = self.both(B::Neck).or_else(|| self.both(B::Head));
        for (i, &target) in to.iter().enumerate() {
            let human = [B::Spine, B::Chest, B::UpperChest]
                .into_iter()
                .find(|bone| self.to.node(*bone) == Some(target));
            let parent = if i == 0 { own_hips } else { to[i - 1] };
            let next = to.get(i + 1).copied().or(neck.map(|(_, neck)| neck));
            let (source, role) = if from.len() == to.len() {
                let after = from.get(i + 1).copied().or(neck.map(|(neck, _)| neck));
                let role = after.zip(next).map_or(Role::Heading, |(a, b)| Role::Directed(a, b));
                ((from[i], from[i], 0.0), role)
            } else {
                // Index −1 is the hips.
                let place = (i + 1) as f64 / to.len() as f64 * from.len() as f64;
                let lower = (place.floor() as usize).min(from.len());
                let upper = (lower + 1).min(from.len());
                let joint = |at: usize| at.checked_sub(1).map_or(hips, |at| from[at]);
                let direction = |at: usize| {
                    let end = from.get(at).copied().or(neck.map(|(neck, _)| neck));
                    end.map_or(DVec3::ZERO, |end| self.source_rest.at(end) - self.source_rest.at(joint(at)))
                };
                let role = match next {
                    Some(next) if !from.is_empty() => {
                        Role::Blended([direction(lower), direction(upper)], next)
                    }
                    _ => Role::Heading,
                };
                ((joint(lower), joint(upper), place - lower as f64), role)
            };
            self.add(human, target, source, role, Some(parent));
        }
    }

    fn add(
        &mut self,
        human: Option<HumanBone>,
        target: NodeId,
        source: (NodeId, NodeId, f64),
        role: Role,
        parent: Option<NodeId>,
    ) {
        // A map by hand may have a bone of a limb within the spine.
        if self.pairs.iter().all(|pair| pair.target != target) {
            self.pairs.push(Pair { human, target, source, role, parent });
        }
    }
}

/// The bones that the direction of a bone leads to, in order of preference.
fn children(bone: HumanBone) -> &'static [HumanBone] {
    use HumanBone as B;
    match bone {
        B::Neck => &[B::Head],
        B::LeftUpperLeg => &[B::LeftLowerLeg, B::LeftFoot],
        B::LeftLowerLeg => &[B::LeftFoot],
        B::LeftFoot => &[B::LeftToes],
        B::RightUpperLeg => &[B::RightLowerLeg, B::RightFoot],
        B::RightLowerLeg => &[B::RightFoot],
        B::RightFoot => &[B::RightToes],
        B::LeftShoulder => &[B::LeftUpperArm],
        B::LeftUpperArm => &[B::LeftLowerArm, B::LeftHand],
        B::LeftLowerArm => &[B::LeftHand],
        B::LeftHand => &[B::LeftMiddleProximal, B::LeftIndexProximal, B::LeftRingProximal],
        B::RightShoulder => &[B::RightUpperArm],
        B::RightUpperArm => &[B::RightLowerArm, B::RightHand],
        B::RightLowerArm => &[B::RightHand],
        B::RightHand => &[B::RightMiddleProximal, B::RightIndexProximal, B::RightRingProximal],
        B::LeftThumbMetacarpal => &[B::LeftThumbProximal],
        B::LeftThumbProximal => &[B::LeftThumbDistal],
        B::LeftIndexProximal => &[B::LeftIndexIntermediate],
        B::LeftIndexIntermediate => &[B::LeftIndexDistal],
        B::LeftMiddleProximal => &[B::LeftMiddleIntermediate],
        B::LeftMiddleIntermediate => &[B::LeftMiddleDistal],
        B::LeftRingProximal => &[B::LeftRingIntermediate],
        B::LeftRingIntermediate => &[B::LeftRingDistal],
        B::LeftLittleProximal => &[B::LeftLittleIntermediate],
        B::LeftLittleIntermediate => &[B::LeftLittleDistal],
        B::RightThumbMetacarpal => &[B::RightThumbProximal],
        B::RightThumbProximal => &[B::RightThumbDistal],
        B::RightIndexProximal => &[B::RightIndexIntermediate],
        B::RightIndexIntermediate => &[B::RightIndexDistal],
        B::RightMiddleProximal => &[B::RightMiddleIntermediate],
        B::RightMiddleIntermediate => &[B::RightMiddleDistal],
        B::RightRingProximal => &[B::RightRingIntermediate],
        B::RightRingIntermediate => &[B::RightRingDistal],
        B::RightLittleProximal => &[B::RightLittleIntermediate],
        B::RightLittleIntermediate => &[B::RightLittleDistal],
        _ => &[],
    }
}

/// Compares the rest poses of pairs, parents first.
struct Made<'a> {
    /// Of source and target.
    bodies: [&'a Body; 2],
    rests: [&'a Rest; 2],
    heading: DQuat,
    /// The target.
    model: &'a Model,
    /// `A` of the bones so far.
    aligned: Vec<Option<DQuat>>,
}

impl Made<'_> {
    /// The `A` of a node, or of its nearest ancestor that has one.
    fn inherited(&self, node: Option<NodeId>) -> DQuat {
        let up = std::iter::successors(node, |node| self.model.nodes[node.index()].parent);
        let mut found = up.filter_map(|node| self.aligned[node.index()]);
        found.next().unwrap_or(self.heading)
    }

    fn bone(&mut self, pair: &Pair) -> Bone {
        let Self { bodies: [other, own], rests: [source_rest, rest], heading, .. } = *self;
        let (first, second, blend) = pair.source;
        let align = |from: DVec3, to: DVec3| match (unit(heading * from), unit(to)) {
            (Some(from), Some(to)) => arc(from, to) * heading,
            _ => heading,
        };
        let between = |a: NodeId, b: NodeId| source_rest.at(b) - source_rest.at(a);
        let own_between = |a: NodeId, b: NodeId| rest.at(b) - rest.at(a);
        let parent = pair.parent.or(self.model.nodes[pair.target.index()].parent);
        let mut to = None;
        let aligned = match &pair.role {
            Role::Directed(a, b) => {
                to = Some((*a, *b));
                align(own_between(pair.target, *b), between(first, *a))
            }
            Role::Blended([a, b], next) => {
                let mixed =
                    unit(*a).unwrap_or_default() * (1.0 - blend) + unit(*b).unwrap_or_default() * blend;
                align(own_between(pair.target, *next), mixed)
            }
            Role::Sole(a, b) => {
                let (there, here) = (between(first, *a), own_between(pair.target, *b));
                let flat = |v: DVec3| v - own.up() * v.dot(own.up());
                let is_flat = |v: DVec3| flat(v).length() > FLAT * v.length();
                if is_flat(there) && is_flat(heading * here) {
                    align(heading.conjugate() * flat(heading * here), flat(there))
                } else {
                    align(here, there)
                }
            }
            Role::Hips => align(own.left(), other.left()),
            Role::Heading => {
                // Legs that do not stand at rest carry their feet along.
                let inherited = self.inherited(pair.parent);
                let turned = (inherited * heading.conjugate()).w.abs() < STANDS;
                if is_foot(pair.human) && turned { inherited } else { heading }
            }
            Role::Inherited => self.inherited(parent),
        };
        self.aligned[pair.target.index()] = Some(aligned);
        let constant = |node: NodeId| {
            let turn = source_rest.rotations[node.index()].conjugate() * aligned;
            (node, unit_of(turn * rest.rotations[pair.target.index()]))
        };
        let drivers = if blend > 0.0 && first != second {
            vec![constant(first), constant(second)]
        } else {
            vec![constant(first)]
        };
        let is_attached = |parent: &NodeId| is_above(self.model, *parent, pair.target);
        let detached = pair.parent.filter(|parent| !is_attached(parent));
        let to = to.map(|(child, own)| End {
            child,
            offset: is_above(self.model, pair.target, own)
                .then(|| relative(rest, pair.target, own).translation),
        });
        let (human, target, anchor) = (pair.human, pair.target, Anchor::default());
        Bone { human, target, drivers, blend, to, detached, attached: None, anchor }
    }
}

fn is_foot(bone: Option<HumanBone>) -> bool {
    matches!(bone, Some(HumanBone::LeftFoot | HumanBone::RightFoot))
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

/// `model_from_node` of a node relative to another, at rest.
fn relative(rest: &Rest, ancestor: NodeId, node: NodeId) -> DAffine3 {
    rest.affines[ancestor.index()].inverse() * rest.affines[node.index()]
}
