//! The pairs of bones of two humanoids.

use super::humanoid::HumanoidMap;
use crate::animation::rest_pose::Rest;
use crate::model::{HumanBone, NodeId};
use glam::DVec3;

/// A pair of bones before its rest poses are compared.
pub(super) struct Pair {
    pub(super) human: Option<HumanBone>,
    pub(super) target: NodeId,
    /// One node, or two with the fraction of the way from the first to the second.
    pub(super) source: (NodeId, NodeId, f64),
    pub(super) role: Role,
    /// The bone in the target that it is attached to.
    pub(super) parent: Option<NodeId>,
}

/// The comparison of the rest poses of a pair.
pub(super) enum Role {
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
    /// The rest poses are the same posture.
    Relative,
}

/// Collects the pairs of two maps.
pub(super) struct Pairing<'a> {
    pub(super) from: &'a HumanoidMap,
    pub(super) to: &'a HumanoidMap,
    pub(super) source_rest: &'a Rest,
    pub(super) pairs: Vec<Pair>,
}

impl Pairing<'_> {
    /// The nodes of a bone in source and target, if both have it.
    fn both(&self, bone: HumanBone) -> Option<(NodeId, NodeId)> {
        Some((self.from.node(bone)?, self.to.node(bone)?))
    }

    pub(super) fn pair(&mut self) {
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

    /// Pairs the bones that both maps have.
    pub(super) fn pair_each(&mut self) {
        for bone in HumanBone::ALL {
            if let Some((source, target)) = self.both(bone) {
                // The spine is a chain.
                let is_limb = !matches!(bone, HumanBone::Spine | HumanBone::Chest | HumanBone::UpperChest);
                let parent = self.parent(bone).filter(|_| is_limb);
                self.add(Some(bone), target, (source, source, 0.0), Role::Relative, parent);
            }
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
