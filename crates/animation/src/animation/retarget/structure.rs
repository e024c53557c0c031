//! Human bones by the shape of a skeleton: hips with two symmetric legs and a spine, whose upper end has two
//! symmetric arms and a neck.

use super::conventions::Convention;
use super::directions::unit;
use super::humanoid::{HumanoidMap, common, is_above};
use crate::animation::rest_pose::Rest;
use crate::base::sort_by;
use crate::model::{HumanBone, Model, NodeId};
use glam::DVec3;

/// The most nodes with a pair of limbs that are compared with each other.
const PAIRS: usize = 8;
/// The most joints of a limb.
const JOINTS: usize = 24;
/// Two limbs are symmetric if their lengths differ by at most this fraction.
const SYMMETRY: f64 = 0.2;

/// A limb: the two longest successive bones of a chain, and the joints before and after them.
#[derive(Debug, Clone)]
struct Limb {
    /// The first joint of the chain.
    root: NodeId,
    before: Option<NodeId>,
    upper: NodeId,
    lower: NodeId,
    end: NodeId,
    tip: Option<NodeId>,
    length: f64,
}

/// Two symmetric limbs of a node.
#[derive(Debug, Clone)]
struct Pair {
    node: NodeId,
    limbs: [Limb; 2],
}

impl Pair {
    fn length(&self) -> f64 {
        self.limbs[0].length + self.limbs[1].length
    }
}

/// The human bones; `None` if the skeleton is not that of an upright body.
pub(super) fn find(model: &Model, rest: &Rest) -> Option<HumanoidMap> {
    let skeleton = Skeleton::new(model, rest);
    let pairs = skeleton.pairs();
    let mut best: Option<(f64, &Pair, &Pair)> = None;
    for legs in &pairs {
        for arms in &pairs {
            let length = legs.length() + arms.length();
            if best.is_none_or(|(most, ..)| length > most) && skeleton.is_upright(legs, arms) {
                best = Some((length, legs, arms));
            }
        }
    }
    let (_, legs, arms) = best?;
    skeleton.map(legs, arms)
}

struct Skeleton<'a> {
    model: &'a Model,
    rest: &'a Rest,
    /// For each node of the skeleton, its children that are too.
    children: Vec<Vec<NodeId>>,
    /// The length of the longest chain below each node, and its first node.
    reach: Vec<(f64, Option<NodeId>)>,
}

impl<'a> Skeleton<'a> {
    fn new(model: &'a Model, rest: &'a Rest) -> Self {
        let count = model.nodes.len();
        let mut is_bone = vec![false; count];
        for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
            is_bone[joint.index()] = true;
        }
        for (i, node) in model.nodes.iter().enumerate() {
            is_bone[i] |= model.skins.is_empty()
                && node.mesh.is_none()
                && node.camera.is_none()
                && node.light.is_none();
        }
        let (mut children, mut reach) = (vec![Vec::new(); count], vec![(0.0, None); count]);
        for i in (0..count).rev() {
            let (node, id) = (&model.nodes[i], NodeId::new(i));
            let Some(parent) = node.parent.filter(|_| is_bone[i]) else { continue };
            // Ancestors of joints are of the skeleton.
            is_bone[parent.index()] = true;
            children[parent.index()].push(id);
            let length = (rest.at(id) - rest.at(parent)).length() + reach[i].0;
            if length > reach[parent.index()].0 || reach[parent.index()].1.is_none() {
                reach[parent.index()] = (length, Some(id));
            }
        }
        Self { model, rest, children, reach }
    }

    /// A node and the longest chain below it.
    fn chain(&self, node: NodeId) -> Vec<NodeId> {
        std::iter::successors(Some(node), |node| self.reach[node.index()].1).take(JOINTS).collect()
    }

    fn limb(&self, node: NodeId) -> Option<Limb> {
        let chain = self.chain(node);
        let at = |i: usize| self.rest.at(chain[i]);
        let length = |i: usize| (at(i + 1) - at(i)).length() + (at(i + 2) - at(i + 1)).length();
        let mut longest: Option<(f64, usize)> = None;
        for i in 0..chain.len().saturating_sub(2) {
            let length = length(i);
            if length > 0.0 && longest.is_none_or(|(most, _)| length > most) {
                longest = Some((length, i));
            }
        }
        let (length, i) = longest?;
        Some(Limb {
            root: node,
            before: i.checked_sub(1).map(|i| chain[i]),
            upper: chain[i],
            lower: chain[i + 1],
            end: chain[i + 2],
            tip: chain.get(i + 3).copied(),
            length,
        })
    }

    /// The nodes with two symmetric limbs, the longest limbs first.
    fn pairs(&self) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = Vec::new();
        for (i, children) in self.children.iter().enumerate().filter(|(_, children)| children.len() > 1) {
            let mut children = children.clone();
            sort_by(&mut children, |a, b| {
                self.reach_from(*b, i).total_cmp(&self.reach_from(*a, i)).then(a.cmp(b))
            });
            let limbs: Vec<Limb> =
                children.iter().take(PAIRS).filter_map(|child| self.limb(*child)).collect();
            for (k, a) in limbs.iter().enumerate() {
                let fits = |b: &&Limb| (a.length - b.length).abs() <= SYMMETRY * a.length.max(b.length);
                let found = limbs[k + 1..].iter().filter(fits);
                pairs.extend(found.map(|b| Pair { node: NodeId::new(i), limbs: [a.clone(), b.clone()] }));
            }
        }
        sort_by(&mut pairs, |a, b| b.length().total_cmp(&a.length()).then(a.node.cmp(&b.node)));
        pairs.truncate(PAIRS);
        pairs
    }

    fn reach_from(&self, child: NodeId, parent: usize) -> f64 {
        (self.rest.at(child) - self.rest.affines[parent].translation).length() + self.reach[child.index()].0
    }

    fn middle(&self, pair: &Pair, joint: fn(&Limb) -> NodeId) -> DVec3 {
        (self.rest.at(joint(&pair.limbs[0])) + self.rest.at(joint(&pair.limbs[1]))) * 0.5
    }

    fn torso(&self, legs: &Pair, arms: &Pair) -> Option<DVec3> {
        unit(self.middle(arms, |limb| limb.upper) - self.middle(legs, |limb| limb.upper))
    }

    /// `true` if the legs are near the root of the arms' node, and lead away from it.
    fn is_upright(&self, legs: &Pair, arms: &Pair) -> bool {
        let Some(hips) = common(self.model, legs.node, arms.node) else { return false };
        // A pelvis may be between the hips and the legs.
        let near = hips == legs.node || self.model.nodes[legs.node.index()].parent == Some(hips);
        if !near || arms.node == hips || is_above(self.model, legs.node, arms.node) && legs.node != hips {
            return false;
        }
        if legs.limbs.iter().any(|leg| is_above(self.model, leg.root, arms.node)) {
            return false;
        }
        let down = unit(self.middle(legs, |limb| limb.end) - self.middle(legs, |limb| limb.upper));
        match (self.torso(legs, arms), down) {
            (Some(torso), Some(down)) => torso.dot(down) < -0.5,
            _ => false,
        }
    }

    fn map(&self, legs: &Pair, arms: &Pair) -> Option<HumanoidMap> {
        use HumanBone as B;
        let mut map = HumanoidMap::empty(Convention::Structure);
        let hips = common(self.model, legs.node, arms.node)?;
        let up = self.torso(legs, arms)?;
        map.set(B::Hips, Some(hips));
        let (left_leg, told) = self.left(legs, legs, up);
        let (left_arm, arms_told) = self.left(arms, legs, up);
        if !told || !arms_told {
            map.ambiguous.extend([B::LeftUpperLeg, B::RightUpperLeg, B::LeftUpperArm, B::RightUpperArm]);
        }
        let [left, right] = [&legs.limbs[left_leg], &legs.limbs[1 - left_leg]];
        for (limb, bones) in [
            (left, [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot, B::LeftToes]),
            (right, [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot, B::RightToes]),
        ] {
            let nodes = [Some(limb.upper), Some(limb.lower), Some(limb.end), limb.tip];
            bones.into_iter().zip(nodes).for_each(|(bone, node)| map.set(bone, node));
        }
        let [left, right] = [&arms.limbs[left_arm], &arms.limbs[1 - left_arm]];
        for (limb, bones) in [
            (left, [B::LeftShoulder, B::LeftUpperArm, B::LeftLowerArm, B::LeftHand]),
            (right, [B::RightShoulder, B::RightUpperArm, B::RightLowerArm, B::RightHand]),
        ] {
            let nodes = [limb.before, Some(limb.upper), Some(limb.lower), Some(limb.end)];
            bones.into_iter().zip(nodes).for_each(|(bone, node)| map.set(bone, node));
        }
        // The neck leads on, beside the arms.
        let is_arm = |node: NodeId| arms.limbs.iter().any(|arm| node == arm.root);
        let necks = self.children[arms.node.index()].iter().copied().filter(|node| !is_arm(*node));
        let along = |node: NodeId| {
            let end = self.chain(node).last().map_or(node, |last| *last);
            (self.rest.at(end) - self.rest.at(arms.node)).dot(up)
        };
        let neck = necks.filter(|node| along(*node) > 0.0);
        let neck = neck.max_by(|a, b| along(*a).total_cmp(&along(*b)).then(b.cmp(a)));
        match neck.map(|neck| self.chain(neck)).as_deref() {
            Some([head]) => map.set(B::Head, Some(*head)),
            Some([neck, head, ..]) => {
                map.set(B::Neck, Some(*neck));
                map.set(B::Head, Some(*head));
            }
            _ => {}
        }
        Some(map)
    }

    /// The index of the left limb: by the names of its joints, or else by the direction of the toes. `false` if neither
    /// tells.
    fn left(&self, pair: &Pair, legs: &Pair, up: DVec3) -> (usize, bool) {
        let side = |limb: &Limb| {
            [limb.upper, limb.lower, limb.end]
                .into_iter()
                .find_map(|node| side_of(&self.model.nodes[node.index()].name))
        };
        match pair.limbs.each_ref().map(side) {
            [Some(Side::Left), Some(Side::Right)] => return (0, true),
            [Some(Side::Right), Some(Side::Left)] => return (1, true),
            _ => {}
        }
        let toes = legs.limbs.iter().filter_map(|leg| Some(self.rest.at(leg.tip?) - self.rest.at(leg.end)));
        let toes = toes.sum::<DVec3>();
        let forward = unit(toes - up * toes.dot(up)).filter(|_| toes.length() > 0.0);
        // Models of glTF look along +Z.
        let left = up.cross(forward.unwrap_or(if up.z.abs() < 0.6 { DVec3::Z } else { DVec3::NEG_Y }));
        let across = self.rest.at(pair.limbs[0].upper) - self.rest.at(pair.limbs[1].upper);
        (usize::from(across.dot(left) < 0.0), forward.is_some())
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
}

/// The side that a name tells, by one of its words.
fn side_of(name: &str) -> Option<Side> {
    let mut word = String::new();
    let mut before = ' ';
    for letter in name.chars().chain([' ']) {
        let begins = letter.is_uppercase() && !before.is_uppercase() || !letter.is_alphabetic();
        if begins && !word.is_empty() {
            match word.as_str() {
                "l" | "left" => return Some(Side::Left),
                "r" | "right" => return Some(Side::Right),
                _ => word.clear(),
            }
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_a_name_tells_the_side() {
        for name in
            ["arm_L", "L_arm", "LeftArm", "Skeleton_arm_joint_L__4_", "leftHand1", "Arm.L.001", "legL"]
        {
            assert_eq!(side_of(name), Some(Side::Left), "{name}");
        }
        for name in ["leg_joint_R_1", "arm.r", "RightLeg"] {
            assert_eq!(side_of(name), Some(Side::Right), "{name}");
        }
        for name in ["", "Lamp", "bone", "Roll", "Clavicle"] {
            assert_eq!(side_of(name), None, "{name}");
        }
    }
}
