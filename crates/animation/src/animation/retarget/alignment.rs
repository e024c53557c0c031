//! The comparison of the poses of two bodies: `A` of the formulas in the module's documentation.

use super::body::Body;
use super::bone::{Anchor, Bone, End, relative};
use super::directions::{arc_about, unit};
use super::humanoid::{HumanoidMap, is_above};
use super::pairing::{Pair, Role};
use super::posture::{ARMS, LEGS};
use crate::animation::rest_pose::{Rest, unit_of};
use crate::model::{HumanBone, Model, NodeId};
use glam::{DQuat, DVec3};

/// Leg bones that the rest poses turn by more than this cosine of half an angle (60°) do not stand.
const STANDS: f64 = 0.866_025_403_784_438_6;
/// Feet whose direction has less than this part along the ground point down at rest.
const FLAT: f64 = 0.25;

/// The hinge of a limb may differ by 25° from that of the other body: the cosine, and sine and cosine of half the
/// angle.
const SLACK_COS: f64 = 0.906_307_787_036_65;
const SLACK_HALF: [f64; 2] = [0.216_439_613_938_102_9, 0.976_296_007_119_933_4];

/// Compares the poses of pairs, parents first: rest poses, or standing ones.
pub(super) struct Alignment<'a> {
    /// Of source and target.
    pub(super) bodies: [&'a Body; 2],
    pub(super) poses: [&'a Rest; 2],
    pub(super) maps: [&'a HumanoidMap; 2],
    pub(super) heading: DQuat,
    /// The hinges of limbs in those poses that are of clips; the twist of limbs is taken from them. `None` for two rest
    /// poses.
    pub(super) hinges: Option<[&'a [(HumanBone, DVec3)]; 2]>,
    /// The target.
    pub(super) model: &'a Model,
    /// `A` of the bones so far.
    pub(super) aligned: Vec<Option<DQuat>>,
}

impl Alignment<'_> {
    /// The `A` of a node, or of its nearest ancestor that has one.
    fn inherited(&self, node: Option<NodeId>) -> DQuat {
        let up = std::iter::successors(node, |node| self.model.nodes[node.index()].parent);
        let mut found = up.filter_map(|node| self.aligned[node.index()]);
        found.next().unwrap_or(self.heading)
    }

    pub(super) fn bone(&mut self, pair: &Pair) -> Bone {
        let Self { bodies: [other, own], poses: [source_rest, rest], heading, .. } = *self;
        let (first, second, blend) = pair.source;
        // Opposite directions: arms turn in the plane of the chest, all else in that of a step.
        let axis = if is_of_arm(pair.human) { own.forward() } else { own.left() };
        let align_from = |base: DQuat, from: DVec3, to: DVec3| match (unit(base * from), unit(to)) {
            (Some(from), Some(to)) => arc_about(from, to, base * axis) * base,
            _ => base,
        };
        let align = |from: DVec3, to: DVec3| align_from(heading, from, to);
        let between = |a: NodeId, b: NodeId| source_rest.at(b) - source_rest.at(a);
        let own_between = |a: NodeId, b: NodeId| rest.at(b) - rest.at(a);
        let parent = pair.parent.or(self.model.nodes[pair.target.index()].parent);
        let mut to = None;
        let aligned = match &pair.role {
            Role::Directed(a, b) => {
                to = Some((*a, *b));
                let (there, here) = (between(first, *a), own_between(pair.target, *b));
                // In a pose of a clip, limbs are bent.
                let follows = self.hinges.is_some() && follows_limb(pair.human);
                let base = if follows { self.inherited(pair.parent) } else { heading };
                self.twisted(pair.human, align_from(base, here, there), [there, here])
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
            Role::Relative => DQuat::IDENTITY,
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

impl Alignment<'_> {
    /// `A` of a bone of a limb, turned about the direction of the bone so that hinges agree within the slack, and palms
    /// agree.
    ///
    /// - `ways`: the directions of the bone in source and target.
    fn twisted(&self, human: Option<HumanBone>, aligned: DQuat, ways: [DVec3; 2]) -> DQuat {
        let (Some(bone), Some(hinges)) = (human, self.hinges) else { return aligned };
        let ([Some(way), Some(own_way)], mut has_slack) = (ways.map(unit), true) else { return aligned };
        let found =
            [0, 1].map(|i| hinges[i].iter().find(|(other, _)| *other == bone).map(|(_, hinge)| *hinge));
        let mut axes = None;
        if let [Some(_), _] | [_, Some(_)] = found {
            let usual = [0, 1].map(|i| usual_hinge(bone, [way, own_way][i], self.bodies[i]));
            axes = found[0].or(usual[0]).zip(found[1].or(usual[1]));
        }
        if let Some(fingers) = knuckles(bone) {
            let line = |i: usize| {
                let [index, little] = fingers.map(|finger| self.maps[i].node(finger));
                Some(self.poses[i].at(index?) - self.poses[i].at(little?))
            };
            (axes, has_slack) = (line(0).zip(line(1)), false);
        }
        let across = |axis: DVec3| unit(axis - way * axis.dot(way));
        let Some((from, to)) = axes.and_then(|(to, from)| across(aligned * from).zip(across(to))) else {
            return aligned;
        };
        let whole = arc_about(from, to, way);
        if !has_slack {
            return whole * aligned;
        }
        if from.dot(to) > SLACK_COS {
            return aligned;
        }
        let back = way * if from.cross(to).dot(way) < 0.0 { SLACK_HALF[0] } else { -SLACK_HALF[0] };
        DQuat::from_xyzw(back.x, back.y, back.z, SLACK_HALF[1]) * whole * aligned
    }
}

/// The hinge at the lower end of a bone of a body whose limbs are not twisted: to the left for knees; for elbows of a
/// T-pose down on the left and up on the right.
fn usual_hinge(bone: HumanBone, way: DVec3, body: &Body) -> Option<DVec3> {
    let has = |limb: &[HumanBone; 3]| limb[..2].contains(&bone);
    if LEGS.iter().any(has) {
        return Some(body.left());
    }
    let side = ARMS.iter().position(has)?;
    let sign = if side == 0 { 1.0 } else { -1.0 };
    let raise = arc_about(body.left() * sign, way, body.forward());
    Some(raise * (body.exact_up() * -sign))
}

/// The fingers across the palm of a hand.
fn knuckles(bone: HumanBone) -> Option<[HumanBone; 2]> {
    use HumanBone as B;
    match bone {
        B::LeftHand => Some([B::LeftIndexProximal, B::LeftLittleProximal]),
        B::RightHand => Some([B::RightIndexProximal, B::RightLittleProximal]),
        _ => None,
    }
}

fn is_of_arm(bone: Option<HumanBone>) -> bool {
    bone.is_some_and(|bone| bone >= HumanBone::LeftShoulder)
}

/// `true` for the bones of arms, hands and legs that are attached to another bone of the limb, without feet.
fn follows_limb(bone: Option<HumanBone>) -> bool {
    use HumanBone as B;
    let is_first =
        |bone: B| matches!(bone, B::LeftShoulder | B::LeftUpperArm | B::RightShoulder | B::RightUpperArm);
    bone.is_some_and(|bone| match bone {
        B::LeftLowerLeg | B::RightLowerLeg => true,
        bone => is_of_arm(Some(bone)) && !is_first(bone),
    })
}

fn is_foot(bone: Option<HumanBone>) -> bool {
    matches!(bone, Some(HumanBone::LeftFoot | HumanBone::RightFoot))
}
