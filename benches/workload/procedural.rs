//! Procedural animation after the pose is known.

use gambol::animation::{
    Actor, Affine, ChainGoals, ChainIk, ChainSolver, Feet, GroundPoint, LegBones, Overrides, Rig, Space,
    Springs,
};
use gambol::model::{Model, Node, NodeId, SpringBones, SpringChain, SpringJoint, Transform};
use glam::Vec3;

/// The number of bones of the chains.
const BONES: usize = 10;

/// A chain of joints, with spring bones or inverse kinematics.
pub(crate) struct Procedural {
    actor: Actor,
    chains: ChainGoals,
    rest: Vec<Affine>,
    matrices: Vec<Affine>,
    time: f64,
    feet: Standing,
}

/// A pelvis with two legs on uneven ground.
struct Standing {
    rig: Rig,
    overrides: Overrides,
    matrices: Vec<Affine>,
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
        let mut actor = Actor::new(&model, rig.into());
        actor.player.play(None);
        actor.springs = springs;
        Self { actor, chains, matrices: rest.clone(), rest, time: 0.0, feet: Standing::new() }
    }

    /// A frame of two feet: the matrices of nine nodes, with the pelvis and both legs moved to the ground.
    pub(crate) fn feet(&mut self) -> f32 {
        let Standing { rig, overrides, matrices } = &mut self.feet;
        let place = Affine::identity();
        overrides.node_matrices(rig, rig.rest_pose(), &place, matrices);
        Affine::as_floats(matrices)[3]
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

    /// The same frame without springs: the player and the matrices.
    pub(crate) fn without_springs(&mut self) -> f32 {
        self.time += 1.0 / 60.0;
        self.actor.player.advance_to(self.time);
        self.matrices.copy_from_slice(&self.rest);
        Affine::as_floats(&self.matrices)[3]
    }

    /// A frame of a chain with inverse kinematics.
    pub(crate) fn chain(&mut self) -> f32 {
        self.matrices.copy_from_slice(&self.rest);
        self.chains.apply(&Affine::identity(), &mut self.matrices);
        Affine::as_floats(&self.matrices)[3]
    }
}

impl Standing {
    fn new() -> Self {
        let node = |parent: Option<usize>, at: [f32; 3]| Node {
            parent: parent.map(NodeId::new),
            rest: Transform { translation: at.into(), ..Transform::IDENTITY },
            ..Node::default()
        };
        let mut nodes = vec![node(None, [0.0, 1.0, 0.0])];
        let mut legs = Vec::new();
        for x in [0.1, -0.1] {
            let first = nodes.len();
            nodes.extend([
                node(Some(0), [x, -0.1, 0.0]),
                node(Some(first), [0.0, -0.4, 0.08]),
                node(Some(first + 1), [0.0, -0.4, -0.08]),
                node(Some(first + 2), [0.0, -0.07, 0.15]),
            ]);
            let joint = |i: usize| NodeId::new(first + i);
            legs.push(LegBones { upper: joint(0), lower: joint(1), foot: joint(2), toes: Some(joint(3)) });
        }
        let model = Model { nodes, ..Model::default() };
        let mut actor = Actor::new(&model, Rig::new(&model).into());
        let pelvis = NodeId::new(0);
        actor.set_feet(Some(Feet { legs, pelvis, moves_pelvis: true, is_flat: false, weight: 1.0 }));
        for (leg, y) in [0.1, 0.05].into_iter().enumerate() {
            let point = GroundPoint { at: Vec3::Y * y, normal: Vec3::new(0.1, 1.0, 0.2) };
            actor.overrides.set_ground(leg, Some(point));
        }
        Self { rig: Rig::new(&model), overrides: actor.overrides, matrices: Vec::new() }
    }
}
