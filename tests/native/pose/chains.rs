//! Inverse kinematics of long chains: properties of every result, and poses that are known.

use crate::common::allocator::allocated;
use crate::common::random::Random;
use gambol::animation::{Affine, ChainGoals, ChainIk, ChainSolver, JointLimit, Rig, Space};
use gambol::model::{Model, Node, NodeId, Transform};
use glam::{DMat4, DQuat, DVec3, EulerRot, Mat4, Quat, Vec3};
use std::f64::consts::PI;

const SOLVERS: [ChainSolver; 2] = [ChainSolver::Fabrik, ChainSolver::Ccd];

/// A root, then a chain. Below every second joint is another node, and the chain's last joint has a child.
struct Body {
    rig: Rig,
    parents: Vec<Option<usize>>,
    joints: Vec<usize>,
    plain: Vec<DMat4>,
}

impl Body {
    fn new(bones: &[Transform]) -> Self {
        let root = Transform { translation: Vec3::new(0.3, 1.0, -0.2), ..Transform::IDENTITY };
        let (mut rests, mut parents, mut joints) = (vec![root], vec![None], Vec::new());
        let mut above = 0;
        for (i, &bone) in bones.iter().enumerate() {
            if i % 2 == 1 {
                parents.push(Some(above));
                rests.push(Transform { translation: Vec3::Y * 0.1, ..Transform::IDENTITY });
            }
            parents.push(Some(above));
            rests.push(bone);
            above = rests.len() - 1;
            joints.push(above);
        }
        parents.push(Some(above));
        rests.push(Transform::IDENTITY);
        let node = |(&rest, parent): (&Transform, &Option<usize>)| Node {
            parent: parent.map(NodeId::new),
            rest,
            ..Node::default()
        };
        let nodes = rests.iter().zip(&parents).map(node).collect();
        let rig = Rig::new(&Model { nodes, ..Model::default() });
        let mut all = Self { rig, parents, joints, plain: Vec::new() };
        all.plain = all.solved(&[], ChainIk { weight: 0.0, ..reach(DVec3::ZERO, ChainSolver::Fabrik) });
        all
    }

    fn random(random: &mut Random, bones: usize) -> Self {
        let mut bone = |i: usize| Transform {
            translation: if i == 0 {
                Vec3::ZERO
            } else {
                Vec3::new(0.3 * random.signed(), random.float(0.1, 0.6), 0.3 * random.signed())
            },
            rotation: Quat::from_euler(EulerRot::XYZ, random.signed(), random.signed(), random.signed()),
            scale: Vec3::ONE,
        };
        Self::new(&(0..=bones).map(&mut bone).collect::<Vec<_>>())
    }

    /// A chain that points up.
    fn straight(lengths: &[f32]) -> Self {
        let bone = |&length: &f32| Transform { translation: Vec3::Y * length, ..Transform::IDENTITY };
        Self::new(&std::iter::once(&0.0).chain(lengths).map(bone).collect::<Vec<_>>())
    }

    fn ids(&self) -> Vec<NodeId> {
        self.joints.iter().map(|&node| NodeId::new(node)).collect()
    }

    fn solved(&self, limits: &[JointLimit], ik: ChainIk) -> Vec<DMat4> {
        let mut goals = ChainGoals::default();
        goals.set(&self.rig, &self.ids(), limits, ik);
        let mut matrices = Vec::new();
        self.rig.node_matrices(self.rig.rest_pose(), &Affine::identity(), &mut matrices);
        goals.apply(&Affine::identity(), &mut matrices);
        matrices[..self.parents.len()].iter().map(|&matrix| Mat4::from(matrix).as_dmat4()).collect()
    }

    fn points(&self, matrices: &[DMat4]) -> Vec<DVec3> {
        self.joints.iter().map(|&node| matrices[node].w_axis.truncate()).collect()
    }

    fn lengths(&self) -> Vec<f64> {
        self.points(&self.plain).windows(2).map(|pair| pair[0].distance(pair[1])).collect()
    }

    /// Lengths and rigid followers; all nodes outside of the chain stay.
    #[track_caller]
    fn assert_is_bent(&self, matrices: &[DMat4]) {
        for (pair, want) in self.points(matrices).windows(2).zip(self.lengths()) {
            assert!((pair[0].distance(pair[1]) - want).abs() < 2e-6);
        }
        for (i, parent) in self.parents.iter().enumerate() {
            let local = |all: &[DMat4]| parent.map_or(all[i], |parent| all[parent].inverse() * all[i]);
            let (now, plain) = (local(matrices), local(&self.plain));
            if self.joints[..self.joints.len() - 1].contains(&i) {
                assert!((now.w_axis - plain.w_axis).length() < 1e-5, "joint {i}: only rotates");
                assert!((now.determinant() - 1.0).abs() < 1e-5, "joint {i}");
            } else {
                assert!(now.abs_diff_eq(plain, 1e-5), "node {i}: follows");
            }
        }
    }
}

fn reach(target: DVec3, solver: ChainSolver) -> ChainIk {
    ChainIk { target: target.as_vec3(), space: Space::World, solver, weight: 1.0 }
}

fn direction(random: &mut Random) -> DVec3 {
    DVec3::new(random.signed().into(), random.signed().into(), random.signed().into()).normalize_or(DVec3::X)
}

#[test]
fn chains_with_invalid_input_do_nothing() {
    let mut random = Random(1);
    let body = Body::random(&mut random, 4);
    let there = DVec3::new(0.5, 1.5, 0.0);
    for solver in SOLVERS {
        for ik in [
            ChainIk { target: Vec3::NAN, ..reach(there, solver) },
            ChainIk { target: Vec3::INFINITY, ..reach(there, solver) },
            ChainIk { weight: 0.0, ..reach(there, solver) },
            ChainIk { weight: f32::NAN, ..reach(there, solver) },
        ] {
            assert_eq!(body.solved(&[], ik), body.plain);
        }
        let ids = body.ids();
        for joints in [
            &[][..],
            &ids[..1],
            &[ids[0], ids[0]],
            &[ids[1], ids[0]],
            &[ids[0], ids[2], ids[0]],
            &[ids[0], NodeId::new(99)],
        ] {
            let mut goals = ChainGoals::default();
            goals.set(&body.rig, joints, &[], reach(there, solver));
            assert!(goals.is_empty(), "{joints:?}");
        }
        let invalid = [
            JointLimit::Cone(f32::NAN),
            JointLimit::Hinge { axis: Vec3::ZERO, min: 0.0, max: 0.0 },
            JointLimit::Hinge { axis: Vec3::NAN, min: 0.0, max: 0.0 },
            JointLimit::Hinge { axis: Vec3::X, min: f32::NAN, max: 0.0 },
        ];
        assert_eq!(body.solved(&invalid, reach(there, solver)), body.solved(&[], reach(there, solver)));
    }
}

#[test]
fn chains_reach_every_target_that_can_be_reached() {
    let mut random = Random(2);
    for round in 0..600 {
        let bones = 1 + round % 9;
        let body = Body::random(&mut random, bones);
        let lengths = body.lengths();
        let total: f64 = lengths.iter().sum();
        let least = (2.0 * lengths.iter().copied().fold(0.0, f64::max) - total).max(0.0);
        let root = body.points(&body.plain)[0];
        let far = least + (total - least) * random.unit();
        let target = root + far * direction(&mut random);
        for solver in SOLVERS {
            let bent = body.solved(&[], reach(target, solver));
            body.assert_is_bent(&bent);
            let end = body.points(&bent)[bones];
            assert!(
                end.distance(target) < 1e-4 * total,
                "{round} {solver:?}: {} of {total}",
                end.distance(target)
            );
        }
    }
}

#[test]
fn chains_are_straight_to_targets_too_far_and_folded_to_targets_too_near() {
    let mut random = Random(3);
    for round in 0..100 {
        let bones = 2 + round % 5;
        let body = Body::random(&mut random, bones);
        let (root, total) = (body.points(&body.plain)[0], body.lengths().iter().sum::<f64>());
        let way = direction(&mut random);
        for solver in SOLVERS {
            for far in [1.0, 1.5, 1e3, 1e9] {
                let bent = body.solved(&[], reach(root + way * total * (far + 1e-6), solver));
                body.assert_is_bent(&bent);
                let mut along = 0.0;
                for (point, length) in body.points(&bent)[1..].iter().zip(body.lengths()) {
                    along += length;
                    assert!(point.distance(root + way * along) < 1e-5);
                }
            }
        }
    }
    let body = Body::straight(&[0.2, 1.0, 0.3]);
    let root = body.points(&body.plain)[0];
    for solver in SOLVERS {
        for near in [0.0, 0.1, 0.49] {
            let bent = body.solved(&[], reach(root + DVec3::X * near, solver));
            body.assert_is_bent(&bent);
            assert!((body.points(&bent)[3].distance(root) - 0.5).abs() < 1e-5);
        }
    }
}

#[test]
fn chains_in_degenerate_poses_bend() {
    for solver in SOLVERS {
        // In line with the target, folded, with a bone without length, and with a target at the root.
        let cases: [(&[f32], DVec3); 5] = [
            (&[0.5, 0.5, 0.5], DVec3::Y * 1.2),
            (&[0.5, 0.5, 0.5], DVec3::Y * -1.2),
            (&[0.5, -0.5, 0.5, -0.5], DVec3::Y),
            (&[0.5, 0.0, 0.5, 0.0], DVec3::new(0.3, 0.2, 0.1)),
            (&[0.5, 0.5, 0.5], DVec3::ZERO),
        ];
        for (lengths, target) in cases {
            let body = Body::straight(lengths);
            let root = body.points(&body.plain)[0];
            let bent = body.solved(&[], reach(root + target, solver));
            body.assert_is_bent(&bent);
            let end = body.points(&bent)[lengths.len()];
            let total: f64 = body.lengths().iter().sum();
            assert!(end.distance(root + target) < 1e-4 * total, "{solver:?} {lengths:?}: {end} {target}");
        }
        let body = Body::straight(&[0.0, 0.0]);
        assert_eq!(body.solved(&[], reach(DVec3::ONE, solver)), body.plain);
    }
}

#[test]
fn chains_keep_the_animated_pose_if_the_end_is_at_the_target() {
    let mut random = Random(4);
    for _ in 0..50 {
        let body = Body::random(&mut random, 5);
        let end = body.points(&body.plain)[5];
        for solver in SOLVERS {
            for (got, want) in body.solved(&[], reach(end, solver)).iter().zip(&body.plain) {
                assert!(got.abs_diff_eq(*want, 1e-5));
            }
        }
    }
}

#[test]
fn chains_go_a_part_of_the_way_by_weight() {
    let mut random = Random(5);
    let body = Body::random(&mut random, 5);
    let (root, end) = (body.points(&body.plain)[0], body.points(&body.plain)[5]);
    let target = root + DVec3::new(0.4, 0.3, 0.5);
    for solver in SOLVERS {
        for weight in [0.001_f32, 0.25, 0.5, 1.0] {
            let bent = body.solved(&[], ChainIk { weight, ..reach(target, solver) });
            let want = end.lerp(target, weight.into());
            assert!(body.points(&bent)[5].distance(want) < 1e-4);
        }
    }
}

#[test]
fn chains_do_not_pop_where_the_target_leaves_their_reach() {
    let mut random = Random(6);
    for _ in 0..40 {
        let body = Body::random(&mut random, 4);
        let (root, total) = (body.points(&body.plain)[0], body.lengths().iter().sum::<f64>());
        let way = direction(&mut random);
        for solver in SOLVERS {
            let at = |far: f64| body.points(&body.solved(&[], reach(root + way * total * far, solver)));
            for (inside, outside) in at(1.0 - 1e-6).iter().zip(at(1.0 + 1e-6)) {
                assert!(inside.distance(outside) < 5e-3 * total, "{solver:?}: {}", inside.distance(outside));
            }
        }
    }
}

/// The rotation of each joint but the last, from its animated pose.
fn turns(body: &Body, bent: &[DMat4]) -> Vec<DQuat> {
    let local = |all: &[DMat4], node: usize| all[body.parents[node].expect("a parent")].inverse() * all[node];
    let turn = |&node: &usize| {
        DQuat::from_mat4(&(local(&body.plain, node).inverse() * local(bent, node))).normalize()
    };
    body.joints[..body.joints.len() - 1].iter().map(turn).collect()
}

#[test]
fn chains_respect_limits_and_never_end_farther_away_than_the_animation() {
    let mut random = Random(7);
    for round in 0..200 {
        let bones = 2 + round % 5;
        let body = Body::random(&mut random, bones);
        let root = body.points(&body.plain)[0];
        let total: f64 = body.lengths().iter().sum();
        let target = root + direction(&mut random) * total * 1.2 * random.unit();
        let axis = direction(&mut random);
        let hinge = JointLimit::Hinge { axis: axis.as_vec3(), min: -0.5, max: 1.1 };
        for solver in SOLVERS {
            let before = body.points(&body.plain)[bones].distance(target);
            let cones = vec![JointLimit::Cone(0.4); bones];
            let bent = body.solved(&cones, reach(target, solver));
            body.assert_is_bent(&bent);
            assert!(body.points(&bent)[bones].distance(target) <= before + 1e-5);
            let offset = |i: usize| {
                let [joint, next] = [body.joints[i], body.joints[i + 1]];
                (body.plain[joint].inverse() * body.plain[next]).w_axis.truncate().normalize()
            };
            for (i, turn) in turns(&body, &bent).iter().enumerate() {
                let way = offset(i);
                assert!(way.angle_between(*turn * way) < 0.4 + 1e-3, "{round} {i}");
            }

            let bent = body.solved(&vec![hinge; bones], reach(target, solver));
            body.assert_is_bent(&bent);
            assert!(body.points(&bent)[bones].distance(target) <= before + 1e-5);
            for (i, turn) in turns(&body, &bent).iter().enumerate() {
                // The part of the bone along the axis stays, and the rest turns within the limits.
                let (way, to) = (offset(i), *turn * offset(i));
                assert!((way.dot(axis) - to.dot(axis)).abs() < 1e-4, "{round} {i}");
                let flat = |v: DVec3| v - axis * v.dot(axis);
                let angle = flat(way).cross(flat(to)).dot(axis).atan2(flat(way).dot(flat(to)));
                assert!(
                    flat(way).length() < 0.05 || (-0.5 - 1e-3..1.1 + 1e-3).contains(&angle),
                    "{round} {i}: {angle}"
                );
            }
        }
    }
}

/// Limits that allow everything change nothing about reaching.
#[test]
fn chains_with_wide_limits_reach_their_targets() {
    let mut random = Random(8);
    for _ in 0..100 {
        let body = Body::random(&mut random, 5);
        let (root, total) = (body.points(&body.plain)[0], body.lengths().iter().sum::<f64>());
        let target = root + direction(&mut random) * total * (0.3 + 0.5 * random.unit());
        for solver in SOLVERS {
            let bent = body.solved(&[JointLimit::Cone(0.999 * PI as f32); 5], reach(target, solver));
            body.assert_is_bent(&bent);
            let off = body.points(&bent)[5].distance(target);
            assert!(off < 1e-3 * total, "{solver:?}: {off} of {total}");
        }
    }
}

#[test]
fn chains_do_not_allocate() {
    let mut random = Random(9);
    let body = Body::random(&mut random, 6);
    let mut goals = ChainGoals::default();
    let mut matrices = Vec::new();
    body.rig.node_matrices(body.rig.rest_pose(), &Affine::identity(), &mut matrices);
    for solver in SOLVERS {
        goals.set(&body.rig, &body.ids(), &[JointLimit::Cone(1.0)], reach(DVec3::ONE, solver));
        let (used, ()) = allocated(|| goals.apply(&Affine::identity(), &mut matrices));
        assert_eq!(used.count, 0);
    }
}
