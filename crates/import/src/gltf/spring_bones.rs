//! Spring bones of VRM files. Spec: VRMC_springBone 1.0, and `secondaryAnimation` of VRM 0.x.
//!
//! An invalid collider, joint or chain is left out, with a warning.

use super::extensions::Extensions;
use super::lenient::{out_of_range, warn};
use super::vrm::Context;
use gambol_animation::base::feature;
use gambol_animation::model::{
    NodeId, SpringBones, SpringCenter, SpringChain, SpringCollider, SpringJoint, branches,
};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use gambol_gltf::place::{Faults, Place};
use glam::{DVec3, Vec3};

/// The most chains, joints and colliders of a file, and the most pairs of a joint and a collider, so that a small file
/// cannot take all time.
const CHAINS: usize = 1024;
const JOINTS: usize = 1 << 13;
const COLLIDERS: usize = 1024;
const PAIRS: usize = 1 << 16;

/// The length in metres of the last bone of a chain of VRM 0, whose end is no node. Spec: VRMC_springBone 1.0, section
/// About spring configuration; UniVRM, `VRMSpringBone` and `AddTail7cm`.
const TAIL: f64 = 0.07;

feature! {
    list for_body;
    /// The spring bones of a file; `None` without a chain.
    pub(super) fn spring_bones(
        extensions: &Extensions,
        context: &Context<'_>,
        log: &mut Log,
    ) -> Option<Box<SpringBones>> = read;
}

/// `true` if the file may have spring bones.
pub(super) fn exist(extensions: &Extensions) -> bool {
    extensions.springs.is_some() || swings_of_version_0(extensions).is_some()
}

fn swings_of_version_0(extensions: &Extensions) -> Option<&Value> {
    extensions.vrm.as_ref()?.version_0()?.get("secondaryAnimation")
}

fn read(extensions: &Extensions, context: &Context<'_>, log: &mut Log) -> Option<Box<SpringBones>> {
    let faults = Faults::default();
    let reading = Reading {
        log,
        context,
        swings: vec![false; context.nodes.len()],
        joints: 0,
        pairs: 0,
        springs: SpringBones::default(),
    };
    let springs = if let Some(value) = &extensions.springs {
        reading.version_1(&Place::new(value, &"/extensions/VRMC_springBone", &faults))
    } else {
        reading.version_0(&Place::new(
            swings_of_version_0(extensions)?,
            &"/extensions/VRM/secondaryAnimation",
            &faults,
        ))
    };
    (!springs.chains.is_empty()).then(|| Box::new(springs))
}

struct Reading<'a> {
    log: &'a mut Log,
    context: &'a Context<'a>,
    /// `true` for nodes that a chain turns.
    swings: Vec<bool>,
    joints: usize,
    pairs: usize,
    springs: SpringBones,
}

impl Reading<'_> {
    fn version_1(mut self, at: &Place<'_>) -> SpringBones {
        let mut places = Vec::new();
        for at in at.member("colliders").iter().flat_map(Place::elements) {
            places.push(self.collider(&at));
        }
        for group in at.member("colliderGroups").iter().flat_map(Place::elements) {
            let mut members = Vec::new();
            for at in group.member("colliders").iter().flat_map(Place::elements) {
                members.extend(self.element(&at, "collider", places.len()).and_then(|i| places[i]));
            }
            self.springs.groups.push(members);
        }
        for at in at.member("springs").iter().flat_map(Place::elements) {
            let joints = at.member("joints");
            let joints = joints.iter().flat_map(Place::elements).map(|at| self.joint(&at));
            let joints: Vec<_> = joints.collect();
            let center = self.center(&at);
            let groups = self.groups(&at);
            // Without one of its joints a chain has another shape.
            if let Some(joints) = joints.into_iter().collect() {
                self.add(SpringChain { joints, tail: None, groups, center }, &at);
            }
        }
        self.springs
    }

    fn version_0(mut self, at: &Place<'_>) -> SpringBones {
        for at in at.member("colliderGroups").iter().flat_map(Place::elements) {
            let mut members = Vec::new();
            if let Some(node) = self.context.node(&at, self.log) {
                for at in at.member("colliders").iter().flat_map(Place::elements) {
                    let offset = from_unity(self.vector(&at, "offset", [0.0; 3]));
                    let radius = self.number(&at, "radius", 0.0);
                    members.extend(self.place(SpringCollider { node, offset, tail: offset, radius }, &at));
                }
            }
            self.springs.groups.push(members);
        }
        for group in at.member("boneGroups").iter().flat_map(Place::elements) {
            let at = &group;
            let mut joint = SpringJoint::new(NodeId::new(0));
            // The misspelling is the specification's.
            joint.stiffness = self.number(at, "stiffiness", joint.stiffness);
            joint.gravity_power = self.number(at, "gravityPower", joint.gravity_power);
            joint.drag_force = self.number(at, "dragForce", joint.drag_force);
            joint.hit_radius = self.number(at, "hitRadius", joint.hit_radius);
            joint.gravity_dir = from_unity(self.vector(at, "gravityDir", joint.gravity_dir.to_array()));
            // There −1 stands for no node.
            let has_center = at.value().get("center").is_some_and(|center| center.as_f64() != Some(-1.0));
            let center = if has_center { self.center(at) } else { SpringCenter::World };
            let groups = self.groups(at);
            for at in group.member("bones").iter().flat_map(Place::elements).take(CHAINS) {
                let Some(root) = self.element(&at, "node", self.context.tree.ids.len()) else {
                    continue;
                };
                for nodes in branches(self.context.nodes, self.context.tree.ids[root]) {
                    let chain = SpringChain { groups: groups.clone(), center, ..self.ended(&nodes, joint) };
                    if !self.add(chain, &at) {
                        break;
                    }
                }
            }
        }
        self.springs
    }

    /// A chain of VRM 0: each node swings, also the last one. A joint that swings already is the end of the chain.
    fn ended(&self, nodes: &[NodeId], joint: SpringJoint) -> SpringChain {
        let swings = |node: &NodeId| self.swings[node.index()];
        let end = nodes.iter().position(swings).filter(|&end| end > 0);
        let nodes = &nodes[..end.map_or(nodes.len(), |end| end + 1)];
        let tail = nodes.last().filter(|_| end.is_none()).map(|node| {
            let rest = &self.context.nodes[node.index()].rest;
            let way: DVec3 = rest.rotation.as_dquat().conjugate() * rest.translation.as_dvec3();
            (way.normalize_or_zero() * TAIL).as_vec3()
        });
        let joints = nodes.iter().map(|&node| SpringJoint { node, ..joint }).collect();
        SpringChain { joints, tail, ..SpringChain::default() }
    }

    /// Adds a chain; `false` with a warning if it is invalid.
    fn add(&mut self, mut chain: SpringChain, at: &Place<'_>) -> bool {
        let ends = chain.bones();
        if ends == 0 {
            warn(self.log, at, "A chain needs two joints; it is left out");
            return false;
        }
        self.joints += chain.joints.len();
        if self.springs.chains.len() == CHAINS || self.joints > JOINTS {
            warn(self.log, at, "There are too many chains; this one is left out");
            return false;
        }
        let follows = |pair: &[SpringJoint]| {
            let mut up = self.context.nodes[pair[1].node.index()].parent;
            while let Some(node) = up.filter(|&node| node > pair[0].node) {
                up = self.context.nodes[node.index()].parent;
            }
            up == Some(pair[0].node)
        };
        if !chain.joints.windows(2).all(follows) {
            warn(self.log, at, "A joint is no descendant of the one before; the chain is left out");
            return false;
        }
        if chain.joints[..ends].iter().any(|joint| self.swings[joint.node.index()]) {
            warn(self.log, at, "A joint is in another chain already; this one is left out");
            return false;
        }
        if let SpringCenter::Node(center) = chain.center
            && self.is_within(center, chain.joints[0].node)
        {
            warn(self.log, format_args!("{at}/center"), "The centre swings with the chain; it is ignored");
            chain.center = SpringCenter::World;
        }
        let colliders: usize = chain.groups.iter().map(|&group| self.springs.groups[group].len()).sum();
        self.pairs += colliders * ends;
        if self.pairs > PAIRS {
            self.pairs -= colliders * ends;
            warn(self.log, at, "There are too many colliders; this chain passes through them");
            chain.groups.clear();
        }
        chain.joints[..ends].iter().for_each(|joint| self.swings[joint.node.index()] = true);
        self.springs.chains.push(chain);
        true
    }

    /// `true` if a node is `top` or below it.
    fn is_within(&self, node: NodeId, top: NodeId) -> bool {
        let mut up = Some(node);
        while let Some(at) = up.filter(|&at| at > top) {
            up = self.context.nodes[at.index()].parent;
        }
        up == Some(top)
    }

    fn collider(&mut self, at: &Place<'_>) -> Option<usize> {
        let node = self.context.node(at, self.log)?;
        for path in ["shape/sphere", "shape/capsule"] {
            let Some(at) = at.path(path) else { continue };
            let offset = self.vector(&at, "offset", [0.0; 3]);
            let tail = if path == "shape/sphere" { offset } else { self.vector(&at, "tail", [0.0; 3]) };
            let radius = self.number(&at, "radius", 0.0);
            return self
                .place(SpringCollider { node, offset: offset.into(), tail: tail.into(), radius }, &at);
        }
        warn(self.log, at, "The shape is neither a sphere nor a capsule; the collider is left out");
        None
    }

    fn place(&mut self, collider: SpringCollider, at: &Place<'_>) -> Option<usize> {
        if self.springs.colliders.len() == COLLIDERS {
            warn(self.log, at, "There are too many colliders; this one is left out");
            return None;
        }
        self.springs.colliders.push(collider);
        Some(self.springs.colliders.len() - 1)
    }

    fn joint(&mut self, at: &Place<'_>) -> Option<SpringJoint> {
        let initial = SpringJoint::new(self.context.node(at, self.log)?);
        let gravity_dir = self.vector(at, "gravityDir", initial.gravity_dir.to_array());
        Some(SpringJoint {
            stiffness: self.number(at, "stiffness", initial.stiffness),
            gravity_power: self.number(at, "gravityPower", initial.gravity_power),
            gravity_dir: gravity_dir.into(),
            drag_force: self.number(at, "dragForce", initial.drag_force),
            hit_radius: self.number(at, "hitRadius", initial.hit_radius),
            ..initial
        })
    }

    fn center(&mut self, at: &Place<'_>) -> SpringCenter {
        let Some(center) = at.member("center") else { return SpringCenter::World };
        let ids = &self.context.tree.ids;
        let node = self.element(&center, "node", ids.len());
        node.map_or(SpringCenter::World, |node| SpringCenter::Node(ids[node]))
    }

    fn groups(&mut self, at: &Place<'_>) -> Vec<usize> {
        let count = self.springs.groups.len();
        let groups = at.member("colliderGroups");
        let groups = groups.iter().flat_map(Place::elements);
        groups.filter_map(|at| self.element(&at, "collider group", count)).collect()
    }

    /// An index below `count`; `None` with a warning.
    fn element(&mut self, at: &Place<'_>, element: &'static str, count: usize) -> Option<usize> {
        match at.value().as_u32().map(|index| index as usize) {
            Some(index) if index < count => return Some(index),
            Some(index) => out_of_range(self.log, at, element, index, count),
            None => warn(self.log, at, "The value is no index; it is ignored"),
        }
        None
    }

    /// A number that is 0 or more, for gravity any number.
    fn number(&mut self, at: &Place<'_>, key: &str, default: f32) -> f32 {
        let Some(at) = at.member(key) else { return default };
        let number = at.value().as_f64().map(|number| number as f32);
        let valid = |number: &f32| number.is_finite() && (key == "gravityPower" || *number >= 0.0);
        number.filter(valid).unwrap_or_else(|| {
            warn(self.log, at, "The value is no number in the valid range; the default is used");
            default
        })
    }

    /// A vector: an array, or an object with members `x`, `y` and `z`, as in VRM 0.
    fn vector(&mut self, at: &Place<'_>, key: &str, default: [f32; 3]) -> [f32; 3] {
        let Some(at) = at.member(key) else { return default };
        let list = at.value().as_array().filter(|list| list.len() == 3);
        let numbers = ["x", "y", "z"].map(|name| {
            let element = || list?.get(usize::from(name.as_bytes()[0] - b'x'));
            let number = at.value().get(name).or_else(element).and_then(Value::as_f64);
            number.map(|number| number as f32).filter(|number| number.is_finite())
        });
        if let [Some(x), Some(y), Some(z)] = numbers {
            return [x, y, z];
        }
        warn(self.log, at, "The value is no vector of three finite numbers; the default is used");
        default
    }
}

/// A vector of VRM 0, which is one of Unity, whose Z axis points the other way.
fn from_unity([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z)
}
