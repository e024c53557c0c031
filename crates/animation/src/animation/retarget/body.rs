//! The frame and the measures of a body at rest.

use super::directions::unit;
use super::humanoid::HumanoidMap;
use crate::animation::rest_pose::Rest;
use crate::model::{HumanBone, Model};
use glam::{DMat3, DQuat, DVec3};

/// The cosine of half an angle: rotations by less than 30° are differences of posture.
const POSTURE: f64 = 0.965_925_826_289_068_3;

/// The orientation and the size of a body at rest.
#[derive(Debug, Clone)]
pub(super) struct Body {
    /// The axes of the model that are the body's left, up and forward: signed unit vectors.
    pub(super) axes: DMat3,
    /// The body's own left, up and forward: orthonormal.
    exact: DMat3,
    /// The middle of the hip joints.
    pub(super) middle: DVec3,
    /// The length of a leg, from hip joint to ankle along the bones; the mean of both.
    pub(super) leg: Option<f64>,
    /// The middle of the ankles.
    pub(super) ankles: Option<DVec3>,
    /// The distance from the middle of the hip joints to the head, or to the topmost bone of the body.
    pub(super) torso: f64,
}

impl Body {
    pub(super) fn new(map: &HumanoidMap, rest: &Rest) -> Self {
        use HumanBone as B;
        let at = |bone| map.node(bone).map(|node| rest.at(node));
        let middle_of = |a, b| match (at(a), at(b)) {
            (Some(a), Some(b)) => Some((a + b) * 0.5),
            (a, b) => a.or(b),
        };
        let between = |a, b| unit(at(a)? - at(b)?);
        let hips = at(B::Hips);
        let middle = middle_of(B::LeftUpperLeg, B::RightUpperLeg).or(hips).unwrap_or_default();
        let ankles = middle_of(B::LeftFoot, B::RightFoot);
        let top = [B::Head, B::Neck, B::UpperChest, B::Chest, B::Spine].into_iter().find_map(at);
        let top = top.or_else(|| middle_of(B::LeftUpperArm, B::RightUpperArm)).or(hips);
        let up = top.and_then(|top| unit(top - middle)).or_else(|| unit(middle - ankles?));
        let left = between(B::LeftUpperLeg, B::RightUpperLeg)
            .or_else(|| between(B::LeftUpperArm, B::RightUpperArm))
            .or_else(|| between(B::LeftHand, B::RightHand));
        let (up, left) = match (up, left) {
            (Some(up), Some(left)) => (up, left),
            (Some(up), None) => (up, if up.x.abs() < 0.6 { DVec3::X } else { DVec3::Z }),
            (None, left) => {
                let left = left.unwrap_or(DVec3::X);
                (if left.y.abs() < 0.6 { DVec3::Y } else { DVec3::Z }, left)
            }
        };
        let length = |[upper, lower, foot]: [B; 3]| {
            let (upper, lower, foot) = (at(upper)?, at(lower)?, at(foot)?);
            Some((lower - upper).length() + (foot - lower).length())
        };
        let legs = [
            [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot],
            [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot],
        ];
        let leg = match legs.map(length) {
            [Some(left), Some(right)] => Some((left + right) * 0.5),
            [left, right] => left.or(right),
        };
        Self {
            axes: right_angled(up, left),
            exact: orthonormal(up, left),
            middle,
            leg: leg.filter(|leg| *leg > 0.0),
            ankles,
            torso: top.map_or(0.0, |top| (top - middle).length()),
        }
    }

    pub(super) fn up(&self) -> DVec3 {
        self.axes.y_axis
    }

    /// The right-angled rotation from the axes of another body to those of this one.
    pub(super) fn turn_of(&self, other: &Self) -> DQuat {
        DQuat::from_mat3(&(self.axes * other.axes.transpose()))
    }

    /// The rotation of this body's rest pose to that of `other`, whose pose is already in the axes of this one.
    /// The identity if they differ by posture only.
    pub(super) fn heading(&self, other: &Self, from_other: DQuat) -> DQuat {
        let turn = DQuat::from_mat3(&(DMat3::from_quat(from_other) * other.exact * self.exact.transpose()));
        if turn.w.abs() > POSTURE { DQuat::IDENTITY } else { turn }
    }

    /// The body's own left.
    pub(super) fn left(&self) -> DVec3 {
        self.exact.x_axis
    }

    /// The body's own up.
    pub(super) fn exact_up(&self) -> DVec3 {
        self.exact.y_axis
    }

    /// The body's own front.
    pub(super) fn forward(&self) -> DVec3 {
        self.exact.z_axis
    }
}

/// The rotation that carries the front of a VRM file to that of another; `None` if one of them is no VRM file.
pub(super) fn turn_of_vrm(source: &Model, target: &Model) -> Option<DQuat> {
    if source.humanoid.is_none() || target.humanoid.is_none() {
        return None;
    }
    // Both are upright. Half a turn about Y negates X and Z.
    let opposite = source.front() != target.front();
    Some(if opposite { DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0) } else { DQuat::IDENTITY })
}

/// `true` if the bodies of two models have the same axes at rest.
pub(super) fn have_same_axes([source, target]: [&Model; 2], [from, to]: [&HumanoidMap; 2]) -> bool {
    let [other, own] = [(source, from), (target, to)].map(|(model, map)| Body::new(map, &Rest::new(model)));
    other.axes == own.axes
}

/// Left, up and forward of the right-angled frame that is nearest to `up` and `left`.
fn right_angled(up: DVec3, left: DVec3) -> DMat3 {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    let mut best = (f64::NEG_INFINITY, DMat3::IDENTITY);
    for u in [axes[1], axes[2], axes[0], axes[4], axes[5], axes[3]] {
        for l in axes.into_iter().filter(|l| l.dot(u) == 0.0) {
            let score = u.dot(up) + l.dot(left);
            if score > best.0 {
                best = (score, DMat3::from_cols(l, u, l.cross(u)));
            }
        }
    }
    best.1
}

fn orthonormal(up: DVec3, left: DVec3) -> DMat3 {
    let up = unit(up - left * up.dot(left)).unwrap_or_else(|| left.any_orthonormal_vector());
    DMat3::from_cols(left, up, left.cross(up))
}
