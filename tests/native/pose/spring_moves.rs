//! Spring bones of actors that are moved without physics: a change of size, a placement before time runs, a teleport.

use gambol::animation::{Actor, Affine, Rig, Springs};
use gambol::model::{
    Clip, Model, Node, NodeId, SpringBones, SpringCenter, SpringChain, SpringCollider, SpringJoint, Transform,
};
use glam::{DMat4, DQuat, DVec3, EulerRot, Mat4, Quat, Vec3};
use std::rc::Rc;

/// A hip with a tail of four joints: 0 ─ 1 ─ 2 ─ 3 ─ 4, and a branch at 2: 5 ─ 6.
const PARENTS: [Option<usize>; 7] = [None, Some(0), Some(1), Some(2), Some(3), Some(2), Some(5)];
const CHAINS: [&[usize]; 2] = [&[1, 2, 3, 4], &[5, 6]];
const FRAMES: i32 = 60;

fn model() -> Model {
    let node = |(i, parent): (usize, Option<usize>)| Node {
        parent: parent.map(NodeId::new),
        rest: Transform {
            translation: Vec3::new(0.05 * i as f32, 0.1, -0.2),
            rotation: Quat::from_euler(EulerRot::XYZ, 0.2, 0.1 * i as f32, -0.1),
            scale: Vec3::ONE,
        },
        ..Node::default()
    };
    Model {
        nodes: PARENTS.into_iter().enumerate().map(node).collect(),
        clips: vec![Clip { duration: 5.0, ..Clip::default() }.into()],
        ..Model::default()
    }
}

fn springs(center: SpringCenter, gravity: f32) -> SpringBones {
    let joint = |&node: &usize| SpringJoint {
        stiffness: 0.6,
        gravity_power: gravity,
        drag_force: 0.2,
        hit_radius: 0.02,
        ..SpringJoint::new(NodeId::new(node))
    };
    let chain = |nodes: &&[usize]| SpringChain {
        joints: nodes.iter().map(joint).collect(),
        groups: vec![0],
        center,
        // The end of a last bone that is no node.
        tail: (nodes.len() == 2).then_some(Vec3::new(0.0, 0.02, -0.06)),
    };
    let offset = Vec3::new(0.05, -0.15, -0.45);
    let sphere = SpringCollider { node: NodeId::new(0), offset, tail: offset, radius: 0.1 };
    SpringBones { colliders: vec![sphere], groups: vec![vec![0]], chains: CHAINS.iter().map(chain).collect() }
}

fn actor(springs: &SpringBones) -> Actor {
    let model = model();
    let mut actor = Actor::new(&model, Rc::new(Rig::new(&model)));
    actor.springs = Springs::new(actor.rig(), springs);
    actor.player.play(None);
    actor.update();
    actor
}

fn frame(actor: &mut Actor, i: i32, place: DMat4) {
    actor.player.advance_to(f64::from(i) / 60.0);
    actor.place = Affine::from(place.as_mat4());
    actor.update();
}

fn matrices(actor: &Actor) -> Vec<DMat4> {
    actor.node_matrices()[..PARENTS.len()].iter().map(|&matrix| Mat4::from(matrix).as_dmat4()).collect()
}

/// The walk of an actor, which makes the tail swing.
fn walk(i: i32) -> DMat4 {
    let t = f64::from(i) / 60.0;
    let turn = DQuat::from_euler(EulerRot::YXZ, 0.9 * (7.0 * t).sin(), 0.2 * t, 0.0);
    DMat4::from_rotation_translation(turn, DVec3::new(t * t, 0.1 * (9.0 * t).sin(), 0.5 * t))
}

/// The nodes of an actor in its own space, in each frame.
fn run(
    springs: &SpringBones,
    place: impl Fn(i32) -> DMat4,
    teleports: impl Fn(i32) -> bool,
) -> Vec<Vec<DMat4>> {
    let mut actor = actor(springs);
    let frames = (1..FRAMES).map(|i| {
        if teleports(i) {
            actor.teleport();
        }
        frame(&mut actor, i, place(i));
        let back = place(i).inverse();
        matrices(&actor).iter().map(|matrix| back * *matrix).collect()
    });
    frames.collect()
}

fn difference(a: &[Vec<DMat4>], b: &[Vec<DMat4>]) -> f64 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| (a.w_axis - b.w_axis).length()).fold(0.0, f64::max)
}

const CENTERS: [SpringCenter; 3] =
    [SpringCenter::World, SpringCenter::Model, SpringCenter::Node(NodeId::new(0))];

#[test]
fn springs_do_not_swing_by_a_change_of_size() {
    let sizes: [fn(i32) -> f64; 4] = [
        |_| 10.0,
        |i| if i < 20 { 1.0 } else { 0.1 },
        |i| if (20..40).contains(&i) { 7.0 } else { 1.0 },
        |i| 1.0 + 0.05 * f64::from(i),
    ];
    // On the spot, so that the size changes nothing else.
    let spot = |i: i32| DMat4::from_rotation_y(0.9 * (f64::from(i) / 8.0).sin());
    for center in CENTERS {
        let springs = springs(center, 0.3);
        let want = run(&springs, spot, |_| false);
        assert!(
            difference(&want, &vec![want[0].clone(); want.len()]) > 0.02 || center != SpringCenter::World
        );
        for (at, size) in sizes.into_iter().enumerate() {
            let got = run(&springs, |i| spot(i) * DMat4::from_scale(DVec3::splat(size(i))), |_| false);
            assert!(difference(&got, &want) < 1e-5, "{center:?} {at}: {}", difference(&got, &want));
        }
        // A walk of an actor that is larger from the start.
        let large = DMat4::from_scale(DVec3::splat(10.0));
        let got = run(&springs, |i| large * walk(i), |_| false);
        let want = run(&springs, walk, |_| false);
        assert!(difference(&got, &want) < 1e-5, "{center:?}: {}", difference(&got, &want));
    }
}

#[test]
fn springs_do_not_swing_by_a_change_of_proportions() {
    let springs = springs(SpringCenter::World, 0.0);
    let settled = run(&springs, |_| DMat4::IDENTITY, |_| false);
    let stretch = |i: i32| DMat4::from_scale(if i < 20 { DVec3::ONE } else { DVec3::new(4.0, 1.0, 0.5) });
    assert!(difference(&run(&springs, stretch, |_| false), &settled) < 1e-5);
}

#[test]
fn springs_settle_where_the_actor_is_placed_before_time_runs() {
    let springs = springs(SpringCenter::World, 0.5);
    // Upside down, so that gravity bends the tail the other way.
    let tilted = DMat4::from_scale_rotation_translation(
        DVec3::splat(2.0),
        DQuat::from_euler(EulerRot::XYZ, 3.0, 0.4, 0.2),
        DVec3::new(5.0, -3.0, 40.0),
    );
    let settled = {
        let mut actor = actor(&springs);
        actor.place = Affine::from(tilted.as_mat4());
        actor.springs.reset();
        actor.update();
        matrices(&actor)
    };
    let mut placed = actor(&springs);
    for i in 1..30 {
        frame(&mut placed, i, tilted);
        for (got, want) in matrices(&placed).iter().zip(&settled) {
            assert!(got.abs_diff_eq(*want, 2e-5), "frame {i}:\n{got}\n{want}");
        }
    }
    // Later, it swings.
    let later = run(&springs, |i| if i < 10 { DMat4::IDENTITY } else { tilted }, |_| false);
    assert!(difference(&later[9..], &vec![later[FRAMES as usize - 2].clone(); later.len() - 9]) > 0.1);
}

#[test]
fn springs_move_with_a_teleported_actor() {
    for center in CENTERS {
        let springs = springs(center, 0.3);
        let jump =
            DMat4::from_rotation_translation(DQuat::from_rotation_y(2.0), DVec3::new(100.0, 3.0, -50.0));
        let place = |i: i32| if i < 25 { walk(i) } else { jump * walk(i) };
        let got = run(&springs, place, |i| i == 25);
        // Frame 25 takes its step of the walk without physics, too.
        let steps = run(&springs, walk, |i| i == 25);
        assert!(difference(&got, &steps) < 1e-4, "{center:?}: {}", difference(&got, &steps));
        if center == SpringCenter::World {
            let physical = run(&springs, place, |_| false);
            assert!(difference(&physical, &steps) > 0.3, "without it the tail whips");
        }
    }
}

#[test]
fn springs_of_invalid_places_do_not_stay_invalid() {
    let springs = springs(SpringCenter::World, 0.3);
    for bad in [DMat4::ZERO, DMat4::NAN, DMat4::from_scale(DVec3::new(1.0, 0.0, 1.0))] {
        for teleports in [false, true] {
            let place = |i: i32| if (10..13).contains(&i) { bad } else { walk(i) };
            let got = run(&springs, place, |_| teleports);
            assert!(got[12..].iter().flatten().all(DMat4::is_finite));
        }
    }
}
