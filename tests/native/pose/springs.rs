//! Spring bones, compared with the formulas of VRMC_springBone 1.0 on quaternions.

use crate::common::allocator::allocated;
use crate::common::random::Random;
use gambol::animation::{Actor, Affine, Rig, Springs};
use gambol::model::{
    Clip, Model, Node, NodeId, SpringBones, SpringCenter, SpringChain, SpringCollider, SpringJoint, Transform,
};
use glam::{DMat4, DQuat, DVec3, EulerRot, Mat4, Quat, Vec3};
use std::rc::Rc;

/// A hip with a tail of four bones, and a node beside it: 0 ─ 1 ─ 2 ─ 3 ─ 4 ─ 5, and 6 at 0. Node 7 is below 3.
const PARENTS: [Option<usize>; 8] = [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(0), Some(3)];
const TAIL: [usize; 5] = [1, 2, 3, 4, 5];

fn turn(x: f32, y: f32, z: f32) -> Quat {
    Quat::from_euler(EulerRot::XYZ, x, y, z)
}

fn trs(t: [f32; 3], rotation: Quat) -> Transform {
    Transform { translation: t.into(), rotation, scale: Vec3::ONE }
}

fn rests() -> Vec<Transform> {
    vec![
        trs([0.0, 1.0, 0.0], turn(0.1, 0.2, 0.3)),
        trs([0.0, 0.1, -0.2], turn(0.4, 0.0, -0.2)),
        trs([0.02, 0.0, -0.3], turn(-0.2, 0.3, 0.0)),
        trs([0.0, 0.05, -0.25], turn(0.1, -0.1, 0.4)),
        trs([0.01, 0.0, -0.2], turn(0.0, 0.2, 0.0)),
        trs([0.0, 0.0, -0.15], Quat::IDENTITY),
        trs([0.3, 0.0, 0.0], Quat::IDENTITY),
        trs([0.1, 0.1, 0.0], turn(0.3, 0.0, 0.0)),
    ]
}

fn model(rests: &[Transform]) -> Model {
    let node = |(i, &rest): (usize, &Transform)| Node {
        parent: PARENTS[i].map(NodeId::new),
        rest,
        ..Node::default()
    };
    let clip = |duration| Clip { duration, ..Clip::default() }.into();
    Model {
        nodes: rests.iter().enumerate().map(node).collect(),
        clips: vec![clip(0.7), clip(5.0)],
        ..Model::default()
    }
}

fn joint(node: usize) -> SpringJoint {
    SpringJoint {
        stiffness: 0.8,
        gravity_power: 0.3,
        gravity_dir: Vec3::new(0.1, -1.0, 0.2),
        drag_force: 0.2,
        hit_radius: 0.02,
        ..SpringJoint::new(NodeId::new(node))
    }
}

fn springs(joints: &[usize], center: SpringCenter, colliders: Vec<SpringCollider>) -> SpringBones {
    let groups = vec![(0..colliders.len()).collect()];
    let joints = joints.iter().map(|&node| joint(node)).collect();
    SpringBones {
        colliders,
        groups,
        chains: vec![SpringChain { joints, groups: vec![0], center, tail: None }],
    }
}

fn tail() -> SpringBones {
    springs(&TAIL, SpringCenter::World, Vec::new())
}

fn actor(rests: &[Transform], springs: &SpringBones) -> Actor {
    let model = model(rests);
    let mut actor = Actor::new(&model, Rc::new(Rig::new(&model)));
    actor.springs = Springs::new(actor.rig(), springs);
    actor.player.play(None);
    actor.update();
    actor
}

fn frame(actor: &mut Actor, time: f64, place: Transform) {
    actor.player.advance_to(time);
    actor.place = place.into();
    actor.update();
}

fn matrices(actor: &Actor) -> Vec<DMat4> {
    actor.node_matrices()[..PARENTS.len()].iter().map(|&matrix| Mat4::from(matrix).as_dmat4()).collect()
}

fn bits(actor: &Actor) -> Vec<u32> {
    Affine::as_floats(actor.node_matrices()).iter().map(|value| value.to_bits()).collect()
}

fn at(matrix: &DMat4) -> DVec3 {
    matrix.w_axis.truncate()
}

fn ends(actor: &Actor) -> Vec<DVec3> {
    TAIL.iter().map(|&node| at(&matrices(actor)[node])).collect()
}

fn still() -> Transform {
    Transform::IDENTITY
}

/// The tail by the reference: local rotations as quaternions, one step for each call.
struct Reference {
    rests: Vec<Transform>,
    /// Tails at the last step and before it, in the centre's space.
    tails: Vec<[DVec3; 2]>,
    springs: SpringBones,
}

impl Reference {
    fn new(rests: &[Transform], springs: &SpringBones, place: DMat4) -> Self {
        let mut all = Self { rests: rests.to_vec(), tails: Vec::new(), springs: springs.clone() };
        let world = all.world(place, &[]);
        let center = all.center(place, &world).inverse();
        all.tails = TAIL[1..].iter().map(|&node| [center.transform_point3(at(&world[node])); 2]).collect();
        // It comes to rest.
        for _ in 0..20_000 {
            all.step(place, Some(1.0));
        }
        all
    }

    fn world(&self, place: DMat4, turns: &[DQuat]) -> Vec<DMat4> {
        let mut world: Vec<DMat4> = Vec::new();
        for (i, rest) in self.rests.iter().enumerate() {
            let parent = PARENTS[i].map_or(place, |parent| world[parent]);
            let swung = TAIL.iter().position(|&node| node == i).and_then(|at| turns.get(at));
            let turned = rest.rotation.as_dquat() * swung.copied().unwrap_or(DQuat::IDENTITY);
            let scale = rest.scale.as_dvec3();
            world.push(
                parent * DMat4::from_scale_rotation_translation(scale, turned, rest.translation.as_dvec3()),
            );
        }
        world
    }

    fn center(&self, place: DMat4, world: &[DMat4]) -> DMat4 {
        match self.springs.chains[0].center {
            SpringCenter::World => DMat4::IDENTITY,
            SpringCenter::Model => place,
            SpringCenter::Node(node) => world[node.index()],
        }
    }

    fn step(&mut self, place: DMat4, drag: Option<f64>) -> Vec<DMat4> {
        let dt = 1.0 / 60.0;
        let plain = self.world(place, &[]);
        let center = self.center(place, &plain);
        let mut turns: Vec<DQuat> = Vec::new();
        for bone in 0..TAIL.len() - 1 {
            let joint = self.springs.chains[0].joints[bone];
            let world = self.world(place, &turns);
            let (from, matrix) = (at(&world[TAIL[bone]]), world[TAIL[bone]]);
            let axis = self.rests[TAIL[bone + 1]].translation.as_dvec3();
            let rest = matrix.transform_vector3(axis);
            let [now, before] = self.tails[bone].map(|tail| center.transform_point3(tail));
            let drag = drag.unwrap_or(f64::from(joint.drag_force));
            let gravity = joint.gravity_dir.as_dvec3() * f64::from(joint.gravity_power);
            let mut next = now
                + (now - before) * (1.0 - drag)
                + rest.normalize() * f64::from(joint.stiffness) * dt
                + gravity * dt;
            next = from + (next - from).normalize() * rest.length();
            for collider in &self.springs.colliders {
                let node = plain[collider.node.index()];
                let [a, b] =
                    [collider.offset, collider.tail].map(|end| node.transform_point3(end.as_dvec3()));
                let along = if a == b { 0.0 } else { (next - a).dot(b - a) / (b - a).length_squared() };
                let nearest = a + (b - a) * along.clamp(0.0, 1.0);
                let radius = f64::from(collider.radius) + f64::from(joint.hit_radius);
                if (next - nearest).length() < radius {
                    next = nearest + (next - nearest).normalize() * radius;
                    next = from + (next - from).normalize() * rest.length();
                }
            }
            self.tails[bone] = [center.inverse().transform_point3(next), self.tails[bone][0]];
            let local = matrix.inverse().transform_point3(next).normalize();
            turns.push(DQuat::from_rotation_arc(axis.normalize(), local));
        }
        self.world(place, &turns)
    }
}

#[test]
fn springs_with_invalid_chains_do_nothing() {
    let plain = bits(&actor(&rests(), &SpringBones::default()));
    for joints in
        [&[][..], &[1], &[1, 1], &[1, 2, 1], &[2, 1], &[1, 6], &[4, 7], &[1, 99], &[99, 100], &[3, 5, 5]]
    {
        let mut actor = actor(&rests(), &springs(joints, SpringCenter::World, Vec::new()));
        assert!(actor.springs.is_empty(), "{joints:?}");
        frame(&mut actor, 0.1, still());
        assert_eq!(bits(&actor), plain, "{joints:?}");
    }
}

type Change<'a> = &'a dyn Fn(&mut SpringJoint);

#[test]
fn springs_with_invalid_numbers_have_the_initial_ones() {
    let initial = SpringJoint::new(NodeId::new(1));
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let shown = |change: &dyn Fn(&mut SpringJoint)| {
            let mut springs = tail();
            springs.chains[0].joints.iter_mut().for_each(change);
            let mut actor = actor(&rests(), &springs);
            for i in 1..30 {
                frame(&mut actor, f64::from(i) / 64.0, trs([i as f32 * 0.05, 0.0, 0.0], Quat::IDENTITY));
            }
            bits(&actor)
        };
        let pairs: [[Change<'_>; 2]; 5] = [
            [&|j| j.stiffness = bad, &|j| j.stiffness = initial.stiffness],
            [&|j| j.gravity_power = bad, &|j| j.gravity_power = initial.gravity_power],
            [&|j| j.gravity_dir.y = bad, &|j| j.gravity_dir = initial.gravity_dir],
            [&|j| j.drag_force = bad, &|j| j.drag_force = initial.drag_force],
            [&|j| j.hit_radius = bad, &|j| j.hit_radius = initial.hit_radius],
        ];
        for (i, [invalid, valid]) in pairs.into_iter().enumerate() {
            assert_eq!(shown(invalid), shown(valid), "{bad}, number {i}");
        }
    }
}

#[test]
fn springs_stay_finite_in_degenerate_models() {
    let sphere = SpringCollider { node: NodeId::new(6), offset: Vec3::ZERO, tail: Vec3::ZERO, radius: 0.5 };
    let colliders = vec![
        sphere,
        SpringCollider { radius: f32::NAN, ..sphere },
        SpringCollider { node: NodeId::new(77), ..sphere },
    ];
    let mut flat = rests();
    for node in [2, 4] {
        flat[node].translation = Vec3::ZERO;
    }
    let mut zero = rests();
    zero[6].scale = Vec3::ZERO;
    zero[2].scale = Vec3::ZERO;
    for rests in [flat, zero] {
        for center in
            [SpringCenter::Node(NodeId::new(6)), SpringCenter::Node(NodeId::new(99)), SpringCenter::Model]
        {
            let mut actor = actor(&rests, &springs(&TAIL, center, colliders.clone()));
            for i in 1..40 {
                let mut place = trs([0.0, 0.1 * i as f32, 0.0], turn(0.2 * i as f32, 0.0, 0.0));
                match i {
                    10..15 => place.scale = Vec3::ZERO,
                    20..25 => place.translation.x = f32::NAN,
                    30 => place.scale = Vec3::splat(1e30),
                    _ => {}
                }
                frame(&mut actor, f64::from(i) / 50.0, place);
                let finite = actor.node_matrices().iter().all(|matrix| Mat4::from(*matrix).is_finite());
                assert!(finite || (20..25).contains(&i), "frame {i}");
            }
        }
    }
}

#[test]
fn springs_follow_the_reference() {
    let sphere = SpringCollider {
        node: NodeId::new(6),
        offset: Vec3::new(-0.3, -0.2, -0.5),
        tail: Vec3::new(-0.3, -0.2, -0.5),
        radius: 0.15,
    };
    let capsule = SpringCollider { tail: Vec3::new(0.2, -0.25, -0.8), radius: 0.1, ..sphere };
    let centers = [SpringCenter::World, SpringCenter::Model, SpringCenter::Node(NodeId::new(6))];
    for center in centers {
        for colliders in [vec![], vec![sphere], vec![capsule, sphere]] {
            let touches = !colliders.is_empty();
            let springs = springs(&TAIL, center, colliders);
            let place = |i: i32| {
                let t = f64::from(i.min(60)) as f32 / 60.0;
                trs([t * 0.7, 0.2 * (t * 9.0).sin(), -t * t], turn(0.0, t * 2.0, 0.3 * (t * 5.0).sin()))
            };
            let mut actor = actor(&rests(), &springs);
            frame(&mut actor, 1e-9, place(0));
            let mut reference = Reference::new(&rests(), &springs, place(0).to_matrix().as_dmat4());
            let mut before = reference.world(DMat4::IDENTITY, &[]);
            let mut largest = 0.0_f64;
            for i in 1..140 {
                frame(&mut actor, f64::from(i) / 60.0, place(i));
                let now = reference.step(place(i).to_matrix().as_dmat4(), None);
                // A frame on a step shows the step before; the place no longer changes.
                if i > 62 {
                    for (node, (got, want)) in matrices(&actor).iter().zip(&before).enumerate() {
                        largest = largest.max((at(got) - at(want)).length());
                        assert!(
                            got.abs_diff_eq(*want, 1e-4),
                            "{center:?} {touches} {i} {node}:\n{got}\n{want}"
                        );
                    }
                }
                before = now;
            }
            assert!(largest > 0.0, "the tail swings");
        }
    }
}

#[test]
fn springs_keep_lengths_and_everything_above_them() {
    let mut actor = actor(&rests(), &tail());
    let plain = matrices(&self::actor(&rests(), &SpringBones::default()));
    let mut random = Random(3);
    for i in 1..100 {
        let to = [random.signed(), random.signed(), random.signed()];
        let place = trs(to, turn(random.signed(), random.signed(), 0.0));
        frame(&mut actor, f64::from(i) * 0.013, place);
        let now = matrices(&actor);
        for pair in TAIL.windows(2) {
            let length = |all: &[DMat4]| (at(&all[pair[0]]) - at(&all[pair[1]])).length();
            assert!((length(&now) - length(&plain)).abs() < 1e-5);
        }
        for node in [0, 6] {
            assert!(now[node].abs_diff_eq(place.to_matrix().as_dmat4() * plain[node], 1e-5));
        }
        assert!(
            (now[3].inverse() * now[7]).abs_diff_eq(plain[3].inverse() * plain[7], 1e-5),
            "node 7 follows"
        );
    }
}

#[test]
fn springs_do_not_enter_colliders() {
    let sphere = SpringCollider { node: NodeId::new(6), offset: Vec3::ZERO, tail: Vec3::ZERO, radius: 0.2 };
    let mut rests = rests();
    rests[6].translation = Vec3::new(0.0, -0.1, -0.5);
    let mut actor = actor(&rests, &springs(&TAIL, SpringCenter::World, vec![sphere]));
    for i in 0..200 {
        // Still: between two steps the tail takes the straight way, which may touch the sphere.
        frame(&mut actor, f64::from(i) / 60.0, still());
        let center = at(&matrices(&actor)[6]);
        for end in &ends(&actor)[1..] {
            assert!((*end - center).length() > 0.22 - 1e-3, "{i}: {}", (*end - center).length());
        }
    }
}

#[test]
fn springs_are_settled_at_the_start_and_stay_so() {
    let mut actor = actor(&rests(), &tail());
    let begin = matrices(&actor);
    let plain = matrices(&self::actor(&rests(), &SpringBones::default()));
    assert!((at(&begin[5]) - at(&plain[5])).length() > 0.01, "gravity bends the tail");
    for i in 1..300 {
        frame(&mut actor, f64::from(i) / 70.0, still());
    }
    for (got, want) in matrices(&actor).iter().zip(&begin) {
        assert!(got.abs_diff_eq(*want, 1e-6));
    }
    assert!(!actor.springs.is_swinging());
}

/// The tail gets a push, and swings while its actor stands still.
fn pushed(rate: f64) -> Actor {
    let mut actor = actor(&rests(), &tail());
    actor.player.set_rate(rate);
    // Before time runs, a placement is no push.
    frame(&mut actor, 1.0 / 2048.0, still());
    frame(&mut actor, 1.0 / 1024.0, trs([0.3, 0.1, 0.0], Quat::IDENTITY));
    actor
}

fn pushed_place() -> Transform {
    trs([0.3, 0.1, 0.0], Quat::IDENTITY)
}

#[test]
fn springs_of_a_standing_actor_have_the_same_bits_in_all_partitions_into_frames() {
    let mut random = Random(8);
    let shown = |ticks: &mut dyn FnMut() -> u64| {
        let (mut actor, mut tick, mut marks) = (pushed(1.0), 1, Vec::new());
        for mark in (128..=2048).step_by(128) {
            while tick < mark {
                tick = mark.min(tick + ticks());
                frame(&mut actor, tick as f64 / 1024.0, pushed_place());
            }
            marks.push(bits(&actor));
        }
        marks
    };
    let want = shown(&mut || 17);
    for _ in 0..20 {
        assert!(shown(&mut || 1 + (60.0 * random.unit()) as u64) == want);
    }
    assert!(shown(&mut || 128) == want);
    assert!(want.windows(2).all(|pair| pair[0] != pair[1]), "it swings");
}

#[test]
fn springs_take_the_amount_of_the_rate() {
    let run = |rate: f64| {
        let mut actor = pushed(rate);
        // The push is at the same time of the springs.
        (1..40)
            .map(|i| {
                frame(&mut actor, 1.0 / 1024.0 + f64::from(i) / 128.0 / rate.abs(), pushed_place());
                ends(&actor)
            })
            .collect::<Vec<_>>()
    };
    let want = run(1.0);
    let close = |got: &[Vec<DVec3>]| {
        got.iter().flatten().zip(want.iter().flatten()).all(|(a, b)| (*a - *b).length() < 0.02)
    };
    assert_eq!(run(-1.0), want, "backwards the springs swing as forwards");
    assert!(close(&run(2.0)) && close(&run(0.5)));
}

#[test]
fn springs_hold_while_time_stands_and_keep_their_shape_when_the_actor_is_moved() {
    let mut actor = pushed(1.0);
    frame(&mut actor, 0.15, pushed_place());
    let before = matrices(&actor);
    actor.player.pause();
    let mut moved = pushed_place();
    for i in 0..10 {
        moved.translation.x += 0.5;
        frame(&mut actor, 0.2 + f64::from(i), moved);
    }
    let by = DMat4::from_translation(DVec3::new(5.0, 0.0, 0.0));
    for (got, want) in matrices(&actor).iter().zip(&before) {
        assert!(got.abs_diff_eq(by * *want, 1e-5));
    }
    actor.player.play(None);
    let held = ends(&actor);
    frame(&mut actor, 9.2 + 1.0 / 64.0, moved);
    for (got, want) in ends(&actor).iter().zip(&held) {
        assert!((*got - *want).length() < 0.1, "no pop when time runs again");
    }
}

#[test]
fn springs_are_settled_after_seeks_and_jumps_of_time_but_not_after_loops() {
    let settled = {
        let mut actor = actor(&rests(), &tail());
        frame(&mut actor, 0.0, pushed_place());
        actor.springs.reset();
        actor.update();
        matrices(&actor)
    };
    let is_settled =
        |actor: &Actor| matrices(actor).iter().zip(&settled).all(|(got, want)| got.abs_diff_eq(*want, 1e-6));
    let swinging = || {
        let mut actor = pushed(1.0);
        frame(&mut actor, 0.15, pushed_place());
        assert!(!is_settled(&actor) && actor.is_moving());
        actor
    };
    let mut sought = swinging();
    sought.player.seek(0.3);
    sought.update();
    assert!(is_settled(&sought));
    let mut back = swinging();
    frame(&mut back, 0.1, pushed_place());
    assert!(is_settled(&back));
    let mut far = swinging();
    frame(&mut far, 5.0, pushed_place());
    assert!(is_settled(&far));
    let mut direct = swinging();
    direct.update_to(None, 0.0);
    assert!(is_settled(&direct));
    // The clip has 0.7 s.
    let mut looped = pushed(1.0);
    for i in 1..15 {
        frame(&mut looped, 0.05 * f64::from(i), pushed_place());
        assert!(!is_settled(&looped), "{i}");
    }
}

#[test]
fn springs_come_to_rest_after_the_last_clip() {
    let mut actor = pushed(1.0);
    actor.player.set_repetitions(1.0);
    let mut time = 0.0;
    while actor.is_moving() {
        time += 0.016;
        frame(&mut actor, time, pushed_place());
        assert!(time < 30.0, "it rests");
    }
    assert!(time > 0.8, "it swings after the clip: {time}");
}

#[test]
fn springs_of_a_scaled_actor_have_the_same_shape() {
    let shown = |scale: f32| {
        let collider = SpringCollider {
            node: NodeId::new(6),
            offset: Vec3::new(-0.3, -0.2, -0.5),
            tail: Vec3::new(-0.3, -0.2, -0.5),
            radius: 0.15,
        };
        let mut actor = actor(&rests(), &springs(&TAIL, SpringCenter::World, vec![collider]));
        for i in 1..60 {
            let mut place = trs([0.01 * i as f32 * scale, 0.0, 0.0], turn(0.0, 0.05 * i as f32, 0.0));
            place.scale = Vec3::splat(scale);
            if i == 1 {
                actor.place = place.into();
                actor.springs.reset();
                actor.update();
            }
            frame(&mut actor, f64::from(i) / 60.0, place);
        }
        ends(&actor).iter().map(|end| *end / f64::from(scale)).collect::<Vec<_>>()
    };
    for (a, b) in shown(1.0).iter().zip(shown(4.0)) {
        assert!((*a - b).length() < 1e-5);
    }
}

/// At 240 Hz a moving tail has no jumps, although it is integrated at 60 Hz. The start of the motion is one.
#[test]
fn springs_move_smoothly_between_steps() {
    let mut actor = actor(&rests(), &tail());
    let place =
        |time: f64| trs([(time * 3.0).sin() as f32 * 0.5, 0.0, 0.0], turn(0.0, (time * 2.0) as f32, 0.0));
    let mut before: Option<[DVec3; 2]> = None;
    for i in 1..700 {
        let time = f64::from(i) / 240.0;
        frame(&mut actor, time, place(time));
        let end = ends(&actor)[4];
        if let Some([one, two]) = before {
            let (velocity, last) = ((end - two) * 240.0, (two - one) * 240.0);
            assert!(i < 60 || (velocity - last).length() < 0.6, "frame {i}: {velocity} {last}");
        }
        before = Some([before.map_or(end, |[_, two]| two), end]);
    }
}

#[test]
fn springs_do_not_allocate() {
    let sphere = SpringCollider { node: NodeId::new(6), offset: Vec3::ZERO, tail: Vec3::Y, radius: 0.2 };
    let mut actor = actor(&rests(), &springs(&TAIL, SpringCenter::Model, vec![sphere]));
    frame(&mut actor, 0.01, still());
    // The player's list of events grows.
    actor.player.drain_events();
    let (used, ()) = allocated(|| {
        for i in 1..20 {
            frame(&mut actor, 0.01 + 0.03 * f64::from(i), pushed_place());
        }
    });
    assert_eq!(used.count, 0);
}
