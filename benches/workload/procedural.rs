//! Procedural animation after the pose is known.

use gambol::animation::{Affine, ChainGoals, ChainIk, ChainSolver, Rig, Space, Springs};
use gambol::model::{Model, Node, NodeId, SpringBones, SpringChain, SpringJoint, Transform};
use glam::Vec3;

/// The number of bones of the chains.
const BONES: usize = 10;

/// A chain of joints, with spring bones or inverse kinematics.
pub(crate) struct Procedural {
    actor: gambol::animation::Actor,
    chains: ChainGoals,
    rest: Vec<Affine>,
    matrices: Vec<Affine>,
    time: f64,
}

impl Procedural {
    pub(crate) fn new() -> Self {
        let node = |i: usize| Node {
            parent: i.checked_sub(1).map(NodeId::new),
            rest: Transform { translation: Vec3::new(0.01, -0.1, 0.0), ..Transform::IDENTITY },
            ..Node::default()
        };
        let clip = gambol::model::Clip { duration: 1.0, ..Default::default() };
        let nodes = (0..=BONES).map(node).collect();
        let model = Model { nodes, clips: vec![clip.into()], ..Model::default() };
        let rig = Rig::new(&model);
        let joints: Vec<NodeId> = (0..=BONES).map(NodeId::new).collect();
        let swinging =
            |&node: &NodeId| SpringJoint { gravity_power: 0.2, drag_force: 0.1, ..SpringJoint::new(node) };
        let chain = SpringChain { joints: joints.iter().map(swinging).collect(), ..SpringChain::default() };
        let springs = Springs::new(&rig, &SpringBones { chains: vec![chain], ..SpringBones::default() });
        let mut chains = ChainGoals::default();
        let target = Vec3::new(0.4, -0.3, 0.2);
        let ik = ChainIk { target, space: Space::World, solver: ChainSolver::Fabrik, weight: 1.0 };
        chains.set(&rig, &joints, &[], ik);
        let mut rest = Vec::new();
        rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut rest);
        let mut actor = gambol::animation::Actor::new(&model, rig.into());
        actor.player.play(None);
        actor.springs = springs;
        Self { actor, chains, matrices: rest.clone(), rest, time: 0.0 }
    }

    /// A frame of a chain of spring bones: a step of the springs and a pose.
    pub(crate) fn springs(&mut self) -> f32 {
        self.time += 1.0 / 60.0;
        self.actor.player.advance_to(self.time);
        self.matrices.copy_from_slice(&self.rest);
        self.actor.springs.advance(&self.actor.player, false);
        self.actor.springs.apply(&Affine::identity(), &mut self.matrices);
        Affine::as_floats(&self.matrices)[3]
    }

    /// A frame of a chain with inverse kinematics.
    pub(crate) fn chain(&mut self) -> f32 {
        self.matrices.copy_from_slice(&self.rest);
        self.chains.apply(&Affine::identity(), &mut self.matrices);
        Affine::as_floats(&self.matrices)[3]
    }
}
