//! The posture of a body in a pose.

use super::directions::unit;
use super::humanoid::HumanoidMap;
use crate::animation::rest_pose::Rest;
use crate::model::HumanBone as B;
use glam::{DMat3, DVec3};

/// The bones of both sides, left first.
pub(super) type Sides = [[B; 3]; 2];
pub(super) const ARMS: Sides =
    [[B::LeftUpperArm, B::LeftLowerArm, B::LeftHand], [B::RightUpperArm, B::RightLowerArm, B::RightHand]];
pub(super) const LEGS: Sides =
    [[B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot], [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot]];

/// A pose of a body, by the directions of its bones.
pub(super) struct Posture {
    /// The directions of the torso and of the line from the right to the left hip joint.
    pub(super) torso: DVec3,
    pub(super) left: DVec3,
    /// `true` for a standing body: legs down, arms beside the body or below the shoulders, head above; or on four legs.
    pub(super) stands: bool,
    /// The likeness to a T-pose; arms beside the body are next to it.
    pub(super) score: f64,
}

impl Posture {
    /// `None` if the torso or the hips have no direction.
    pub(super) fn new(map: &HumanoidMap, pose: &Rest) -> Option<Self> {
        let at = |bone| map.node(bone).map(|node| pose.at(node));
        let way = |from, to| unit(at(to)? - at(from)?);
        let left =
            way(B::RightUpperLeg, B::LeftUpperLeg).or_else(|| way(B::RightUpperArm, B::LeftUpperArm))?;
        let middle = (at(B::LeftUpperLeg)? + at(B::RightUpperLeg)?) * 0.5;
        let tops = [B::Head, B::Neck, B::UpperChest, B::Chest, B::Spine];
        let torso = tops.into_iter().find_map(at).and_then(|top| unit(top - middle))?;
        // The part of the left line along the torso is lateral bend.
        let side = unit(left - torso * left.dot(torso))?;
        let forward = side.cross(torso);
        let mut stands = left.dot(torso).abs() < 0.7;
        let mut limbs = Vec::new();
        let mut score = -left.dot(torso).abs();
        for [upper, lower, foot] in LEGS {
            for way in [way(upper, lower), way(lower, foot)].into_iter().flatten() {
                limbs.push(way);
                stands &= way.dot(torso) < -0.3;
                score -= 0.5 * way.dot(torso);
            }
        }
        let mut spread = 1.0_f64;
        for ([upper, lower, hand], outwards) in ARMS.into_iter().zip([side, -side]) {
            let parts = [way(upper, lower), way(lower, hand)];
            for way in parts.into_iter().flatten() {
                limbs.push(way);
                stands &= way.dot(torso) < 0.7 && way.dot(outwards) > -0.6;
                score -= 0.25 * way.dot(torso).max(0.0) + 0.25 * (-way.dot(outwards)).max(0.0);
                spread = spread.min(way.dot(outwards).max(0.0));
            }
            if let [Some(upper), Some(lower)] = parts {
                score += 0.25 * upper.dot(lower);
            }
        }
        for (foot, toes) in [(B::LeftFoot, B::LeftToes), (B::RightFoot, B::RightToes)] {
            score += 0.25 * way(foot, toes).map_or(0.0, |way| way.dot(forward));
        }
        if let Some(neck) = way(B::Neck, B::Head) {
            stands &= neck.dot(torso) > 0.3;
            score += 0.5 * neck.dot(torso);
        }
        score += spread;
        stands |= is_on_fours(&limbs, torso, left);
        Some(Self { torso, left, stands, score })
    }

    /// Left, up and forward: upright if the body nearly is, otherwise along the torso.
    pub(super) fn frame(&self, up: DVec3) -> DMat3 {
        let up = if self.torso.dot(up) > 0.8 { up } else { self.torso };
        let left = unit(self.left - up * self.left.dot(up)).unwrap_or_else(|| up.any_orthonormal_vector());
        DMat3::from_cols(left, up, left.cross(up))
    }
}

/// `true` if all limbs lead down across the torso.
fn is_on_fours(limbs: &[DVec3], torso: DVec3, left: DVec3) -> bool {
    let Some(down) = unit(limbs.iter().sum()) else { return false };
    let is_across = down.dot(torso).abs() < 0.6 && down.dot(left).abs() < 0.5;
    is_across && down.y.min(down.z) < -0.7 && limbs.iter().all(|way| way.dot(down) > 0.3)
}
