//! Spring bones: joints that swing, and shapes that they do not enter. Spec: VRMC_springBone 1.0.

use super::ids::NodeId;
use super::node::Node;
use glam::Vec3;

/// The spring bones of a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpringBones {
    /// The shapes that chains do not enter.
    pub colliders: Vec<SpringCollider>,
    /// Groups of colliders, as indices of [`SpringBones::colliders`].
    pub groups: Vec<Vec<usize>>,
    /// The chains of joints.
    pub chains: Vec<SpringChain>,
}

/// A chain of joints that swing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpringChain {
    /// The joints; each is a descendant of the one before. Without a `tail`, the last joint is the end of the last bone,
    /// and its numbers are not used.
    pub joints: Vec<SpringJoint>,
    /// The end of the last joint's bone in the space of that joint, so that it swings, too; `None` if it only is an end.
    pub tail: Option<Vec3>,
    /// The groups of colliders that the chain does not enter, as indices of [`SpringBones::groups`].
    pub groups: Vec<usize>,
    /// The space in which the chain has its inertia.
    pub center: SpringCenter,
}

/// The space in which a chain has its inertia: a motion of this space does not make the chain swing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SpringCenter {
    /// The world: the chain swings if its actor moves.
    #[default]
    World,
    /// The model: the chain swings only by the animation.
    Model,
    /// A node, which is no descendant of a joint of the chain.
    Node(NodeId),
}

/// A joint of a chain, with the names and initial values of VRMC_springBone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringJoint {
    /// The node.
    pub node: NodeId,
    /// The force towards the animated direction; 0 or more.
    pub stiffness: f32,
    /// The strength of gravity; a negative value turns its direction around.
    pub gravity_power: f32,
    /// The direction of gravity in the world.
    pub gravity_dir: Vec3,
    /// The loss of velocity in a step, `0.0..=1.0`.
    pub drag_force: f32,
    /// The radius for collisions at the end of the joint's bone, in metres of the model; 0 or more.
    pub hit_radius: f32,
}

impl SpringChain {
    /// The number of joints that swing.
    pub fn bones(&self) -> usize {
        self.joints.len().saturating_sub(usize::from(self.tail.is_none()))
    }
}

/// The chains from a node on, which begins the first one. A chain continues with the first child, and the other children
/// begin chains of their own, also those without children. Each node below is in one chain.
///
/// - `nodes`: all nodes of a model.
pub fn branches(nodes: &[Node], root: NodeId) -> Vec<Vec<NodeId>> {
    let mut chains: Vec<Vec<NodeId>> = vec![vec![root]];
    let mut chain_of = vec![None; nodes.len()];
    chain_of[root.index()] = Some(0);
    // Parents come before children.
    for (i, node) in nodes.iter().enumerate().skip(root.index() + 1) {
        let Some(parent) = node.parent else { continue };
        let Some(chain) = chain_of[parent.index()] else { continue };
        if chains[chain].last() == Some(&parent) {
            chains[chain].push(NodeId::new(i));
            chain_of[i] = Some(chain);
        } else {
            chain_of[i] = Some(chains.len());
            chains.push(vec![NodeId::new(i)]);
        }
    }
    chains
}

impl SpringJoint {
    /// A joint with the initial values of the specification.
    pub fn new(node: NodeId) -> Self {
        Self {
            node,
            stiffness: 1.0,
            gravity_power: 0.0,
            gravity_dir: Vec3::NEG_Y,
            drag_force: 0.5,
            hit_radius: 0.0,
        }
    }
}

/// A sphere or a capsule that moves with a node: a sphere if `offset` and `tail` are equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringCollider {
    /// The node.
    pub node: NodeId,
    /// The centre of the sphere or of the capsule's first end, in the node's space.
    pub offset: Vec3,
    /// The centre of the capsule's second end, in the node's space.
    pub tail: Vec3,
    /// The radius in metres of the model; 0 or more.
    pub radius: f32,
}
