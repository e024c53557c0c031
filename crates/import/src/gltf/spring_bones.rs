//! Spring bones of VRM files. Spec: VRMC_springBone 1.0, and `secondaryAnimation` of VRM 0.x.
//!
//! An invalid collider, joint or chain is left out, with a warning.

use super::extensions::Extensions;
use super::lenient::{Read, index};
use super::vrm::Context;
use crate::base::deferred;
use crate::model::{NodeId, SpringBones, SpringCenter, SpringChain, SpringCollider, SpringJoint, branches};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
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

deferred! {
    /// The spring bones of a file; `None` without a chain.
    pub(super) fn spring_bones(
        extensions: &Extensions,
        context: &Context<'_>,
        log: &mut Log,
    ) -> Option<Box<SpringBones>> = read;
}

fn read(extensions: &Extensions, context: &Context<'_>, log: &mut Log) -> Option<Box<SpringBones>> {
    let reading = |pointer: &str, log| Reading {
        read: Read { log, pointer: pointer.to_owned() },
        context,
        swings: vec![false; context.nodes.len()],
        joints: 0,
        pairs: 0,
        springs: SpringBones::default(),
    };
    let springs = if let Some(value) = &extensions.springs {
        reading("/extensions/VRMC_springBone", log).version_1(value)
    } else {
        let value = extensions.vrm.as_ref()?.version_0()?.get("secondaryAnimation")?;
        reading("/extensions/VRM/secondaryAnimation", log).version_0(value)
    };
    (!springs.chains.is_empty()).then(|| Box::new(springs))
}

struct Reading<'a> {
    read: Read<'a>,
    context: &'a Context<'a>,
    /// `true` for nodes that a chain turns.
    swings: Vec<bool>,
    joints: usize,
    pairs: usize,
    springs: SpringBones,
}

impl Reading<'_> {
    fn version_1(mut self, value: &Value) -> SpringBones {
        let mut places = Vec::new();
        for (i, collider) in value.list("colliders").iter().enumerate() {
            places.push(self.collider(collider, &format!("colliders/{i}")));
        }
        for (i, group) in value.list("colliderGroups").iter().enumerate() {
            let mut members = Vec::new();
            for (j, member) in group.list("colliders").iter().enumerate() {
                let at = format!("colliderGroups/{i}/colliders/{j}");
                members.extend(self.element(member, &at, "collider", places.len()).and_then(|i| places[i]));
            }
            self.springs.groups.push(members);
        }
        for (i, spring) in value.list("springs").iter().enumerate() {
            let at = format!("springs/{i}");
            let joints = spring.list("joints").iter().enumerate();
            let joints: Vec<_> =
                joints.map(|(j, joint)| self.joint(joint, &format!("{at}/joints/{j}"))).collect();
            let center = self.center(spring, &at);
            let groups = self.groups(spring, &at);
            // Without one of its joints a chain has another shape.
            if let Some(joints) = joints.into_iter().collect() {
                self.add(SpringChain { joints, tail: None, groups, center }, &at);
            }
        }
        self.springs
    }

    fn version_0(mut self, value: &Value) -> SpringBones {
        for (i, group) in value.list("colliderGroups").iter().enumerate() {
            let at = format!("colliderGroups/{i}");
            let mut members = Vec::new();
            if let Some(node) = self.node(group, &at) {
                for (j, collider) in group.list("colliders").iter().enumerate() {
                    let at = format!("{at}/colliders/{j}");
                    let offset = from_unity(self.vector(collider, "offset", &at, [0.0; 3]));
                    let radius = self.number(collider, "radius", &at, 0.0);
                    members.extend(self.place(SpringCollider { node, offset, tail: offset, radius }, &at));
                }
            }
            self.springs.groups.push(members);
        }
        for (i, group) in value.list("boneGroups").iter().enumerate() {
            let at = format!("boneGroups/{i}");
            let mut joint = SpringJoint::new(NodeId::new(0));
            // The misspelling is the specification's.
            joint.stiffness = self.number(group, "stiffiness", &at, joint.stiffness);
            joint.gravity_power = self.number(group, "gravityPower", &at, joint.gravity_power);
            joint.drag_force = self.number(group, "dragForce", &at, joint.drag_force);
            joint.hit_radius = self.number(group, "hitRadius", &at, joint.hit_radius);
            joint.gravity_dir =
                from_unity(self.vector(group, "gravityDir", &at, joint.gravity_dir.to_array()));
            // There −1 stands for no node.
            let has_center = group.get("center").is_some_and(|center| center.as_f64() != Some(-1.0));
            let center = if has_center { self.center(group, &at) } else { SpringCenter::World };
            let groups = self.groups(group, &at);
            for (j, bone) in group.list("bones").iter().take(CHAINS).enumerate() {
                let at = format!("{at}/bones/{j}");
                let Some(root) = self.element(bone, &at, "node", self.context.tree.ids.len()) else {
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
    fn add(&mut self, mut chain: SpringChain, at: &str) -> bool {
        let ends = chain.bones();
        if ends == 0 {
            self.read.warn(at, "A chain needs two joints; it is left out");
            return false;
        }
        self.joints += chain.joints.len();
        if self.springs.chains.len() == CHAINS || self.joints > JOINTS {
            self.read.warn(at, "There are too many chains; this one is left out");
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
            self.read.warn(at, "A joint is no descendant of the one before; the chain is left out");
            return false;
        }
        if chain.joints[..ends].iter().any(|joint| self.swings[joint.node.index()]) {
            self.read.warn(at, "A joint is in another chain already; this one is left out");
            return false;
        }
        if let SpringCenter::Node(center) = chain.center
            && self.is_within(center, chain.joints[0].node)
        {
            self.read.warn(&format!("{at}/center"), "The centre swings with the chain; it is ignored");
            chain.center = SpringCenter::World;
        }
        let colliders: usize = chain.groups.iter().map(|&group| self.springs.groups[group].len()).sum();
        self.pairs += colliders * ends;
        if self.pairs > PAIRS {
            self.pairs -= colliders * ends;
            self.read.warn(at, "There are too many colliders; this chain passes through them");
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

    fn collider(&mut self, value: &Value, at: &str) -> Option<usize> {
        let node = self.node(value, at)?;
        for kind in ["sphere", "capsule"] {
            let Some(shape) = value.path("shape").and_then(|shape| shape.get(kind)) else { continue };
            let at = format!("{at}/shape/{kind}");
            let offset = self.vector(shape, "offset", &at, [0.0; 3]);
            let tail = if kind == "sphere" { offset } else { self.vector(shape, "tail", &at, [0.0; 3]) };
            let radius = self.number(shape, "radius", &at, 0.0);
            return self
                .place(SpringCollider { node, offset: offset.into(), tail: tail.into(), radius }, &at);
        }
        self.read.warn(at, "The shape is neither a sphere nor a capsule; the collider is left out");
        None
    }

    fn place(&mut self, collider: SpringCollider, at: &str) -> Option<usize> {
        if self.springs.colliders.len() == COLLIDERS {
            self.read.warn(at, "There are too many colliders; this one is left out");
            return None;
        }
        self.springs.colliders.push(collider);
        Some(self.springs.colliders.len() - 1)
    }

    fn joint(&mut self, value: &Value, at: &str) -> Option<SpringJoint> {
        let initial = SpringJoint::new(self.node(value, at)?);
        let gravity_dir = self.vector(value, "gravityDir", at, initial.gravity_dir.to_array());
        Some(SpringJoint {
            stiffness: self.number(value, "stiffness", at, initial.stiffness),
            gravity_power: self.number(value, "gravityPower", at, initial.gravity_power),
            gravity_dir: gravity_dir.into(),
            drag_force: self.number(value, "dragForce", at, initial.drag_force),
            hit_radius: self.number(value, "hitRadius", at, initial.hit_radius),
            ..initial
        })
    }

    fn center(&mut self, value: &Value, at: &str) -> SpringCenter {
        let Some(center) = value.get("center") else { return SpringCenter::World };
        let ids = &self.context.tree.ids;
        let node = self.element(center, &format!("{at}/center"), "node", ids.len());
        node.map_or(SpringCenter::World, |node| SpringCenter::Node(ids[node]))
    }

    fn groups(&mut self, value: &Value, at: &str) -> Vec<usize> {
        let count = self.springs.groups.len();
        let groups = value.list("colliderGroups").iter().enumerate();
        groups
            .filter_map(|(i, group)| {
                self.element(group, &format!("{at}/colliderGroups/{i}"), "collider group", count)
            })
            .collect()
    }

    /// The node of an object; `None` with a warning.
    fn node(&mut self, value: &Value, at: &str) -> Option<NodeId> {
        let ids = &self.context.tree.ids;
        let Some(node) = index(value, "node") else {
            self.read.warn(at, "This names no node; it is left out");
            return None;
        };
        let found = ids.get(node as usize).copied();
        if found.is_none() {
            self.read.out_of_range(&format!("{at}/node"), "node", node as usize, ids.len());
        }
        found
    }

    /// An index below `count`; `None` with a warning.
    fn element(&mut self, value: &Value, at: &str, element: &'static str, count: usize) -> Option<usize> {
        let index = value.as_u32().map(|index| index as usize);
        match index {
            Some(index) if index < count => return Some(index),
            Some(index) => self.read.out_of_range(at, element, index, count),
            None => self.read.warn(at, "The value is no index; it is ignored"),
        }
        None
    }

    /// A number that is 0 or more, for gravity any number.
    fn number(&mut self, value: &Value, key: &str, at: &str, default: f32) -> f32 {
        let Some(value) = value.get(key) else { return default };
        let number = value.as_f64().map(|number| number as f32);
        let valid = |number: &f32| number.is_finite() && (key == "gravityPower" || *number >= 0.0);
        number.filter(valid).unwrap_or_else(|| {
            self.read.warn(
                &format!("{at}/{key}"),
                "The value is no number in the valid range; the default is used",
            );
            default
        })
    }

    /// A vector: an array, or an object with members `x`, `y` and `z`, as in VRM 0.
    fn vector(&mut self, value: &Value, key: &str, at: &str, default: [f32; 3]) -> [f32; 3] {
        let Some(value) = value.get(key) else { return default };
        let list = value.as_array().filter(|list| list.len() == 3);
        let numbers = ["x", "y", "z"].map(|name| {
            let member = value.get(name).or_else(|| list?.get(usize::from(name.as_bytes()[0] - b'x')));
            member.and_then(Value::as_f64).map(|number| number as f32).filter(|number| number.is_finite())
        });
        if let [Some(x), Some(y), Some(z)] = numbers {
            return [x, y, z];
        }
        self.read.warn(
            &format!("{at}/{key}"),
            "The value is no vector of three finite numbers; the default is used",
        );
        default
    }
}

/// A vector of VRM 0, which is one of Unity, whose Z axis points the other way.
fn from_unity([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z)
}
