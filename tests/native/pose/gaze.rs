//! Look-at through several joints.

use crate::common::allocator::allocated;
use gambol::animation::{Actor, Gaze, GazeJoint, Rig, Space};
use gambol::model::{Clip, Model, Node, NodeId, Transform};
use glam::{DVec3, Mat4, Vec3};
use std::f32::consts::PI;
use std::rc::Rc;

/// Spine, head and eye, one above the other; all face +Z.
const JOINTS: [usize; 3] = [1, 2, 3];

fn actor() -> Actor {
    let node = |i: usize| Node {
        parent: i.checked_sub(1).map(NodeId::new),
        rest: Transform { translation: Vec3::Y * 0.4, ..Transform::IDENTITY },
        ..Node::default()
    };
    let clip = Clip { duration: 1.0, ..Clip::default() };
    let model = Model { nodes: (0..4).map(node).collect(), clips: vec![clip.into()], ..Model::default() };
    let mut actor = Actor::new(&model, Rc::new(Rig::new(&model)));
    actor.player.play(None);
    actor.update();
    actor
}

fn gaze(target: Vec3, speed: f32) -> Gaze {
    let joint =
        |(node, share): (usize, f32)| GazeJoint { node: NodeId::new(node), share, axis: None, limit: PI };
    let joints = JOINTS.into_iter().zip([0.25, 0.5, 1.0]).map(joint).collect();
    Gaze { joints, target, space: Space::World, speed }
}

fn frame(actor: &mut Actor, time: f64) {
    actor.player.advance_to(time);
    actor.update();
}

/// The directions of spine, head and eye.
fn ways(actor: &Actor) -> [DVec3; 3] {
    JOINTS.map(|node| Mat4::from(actor.node_matrices()[node]).as_dmat4().z_axis.truncate().normalize())
}

fn to_target(actor: &Actor, target: Vec3) -> f64 {
    let eye = Mat4::from(actor.node_matrices()[3]).as_dmat4().w_axis.truncate();
    ways(actor)[2].angle_between(target.as_dvec3() - eye)
}

#[test]
fn gaze_with_invalid_input_does_nothing() {
    for invalid in [
        Gaze { target: Vec3::NAN, ..gaze(Vec3::X, 1.0) },
        Gaze { joints: Vec::new(), ..gaze(Vec3::X, 1.0) },
        Gaze {
            joints: vec![GazeJoint { node: NodeId::new(77), share: 1.0, axis: None, limit: 1.0 }],
            ..gaze(Vec3::X, 1.0)
        },
        Gaze {
            joints: vec![GazeJoint { node: NodeId::new(1), share: f32::NAN, axis: None, limit: 1.0 }],
            ..gaze(Vec3::X, 1.0)
        },
    ] {
        let mut actor = actor();
        let before = ways(&actor);
        actor.set_gaze(Some(invalid));
        frame(&mut actor, 0.1);
        assert_eq!(ways(&actor), before);
        assert!(actor.overrides.is_empty());
    }
}

#[test]
fn gaze_is_shared_by_its_joints() {
    let mut actor = actor();
    let target = Vec3::new(1000.0, 1.6, 1000.0);
    for speed in [f32::INFINITY, f32::NAN] {
        actor.set_gaze(Some(gaze(target, speed)));
        actor.update();
        assert!(to_target(&actor, target) < 1e-3, "the eye looks at the target");
        // Interpolated directions are not exactly angles.
        let [spine, head, _] = ways(&actor).map(|way| way.x.atan2(way.z));
        assert!((0.15..0.25).contains(&spine) && (0.4..0.6).contains(&head), "{spine} {head}");
        actor.player.pause();
        actor.set_gaze(None);
        actor.update();
        assert!(actor.overrides.is_empty() && ways(&actor)[2].distance(DVec3::Z) < 1e-6);
    }
}

#[test]
fn gaze_begins_late_without_a_jump_and_fades_at_its_end() {
    let mut actor = actor();
    let target = Vec3::new(3.0, 1.6, 3.0);
    frame(&mut actor, 20.0);
    actor.set_gaze(Some(gaze(target, 2.0)));
    let mut last = ways(&actor)[2];
    let mut time = 20.0;
    let turned = |actor: &mut Actor, time: &mut f64, last: &mut DVec3| {
        *time += 1.0 / 64.0;
        frame(actor, *time);
        let way = ways(actor)[2];
        let angle = way.angle_between(*last);
        *last = way;
        angle
    };
    for i in 0..64 {
        let angle = turned(&mut actor, &mut time, &mut last);
        assert!(angle < 0.035, "{i}: {angle}");
    }
    assert!(to_target(&actor, target) < 1e-3);
    actor.set_gaze(None);
    assert!(actor.is_moving());
    for i in 0..10 {
        let angle = turned(&mut actor, &mut time, &mut last);
        assert!(angle > 0.01 && angle < 0.15, "{i}: {angle}");
    }
    // It begins again from there.
    actor.set_gaze(Some(gaze(target, 2.0)));
    for i in 0..20 {
        let angle = turned(&mut actor, &mut time, &mut last);
        assert!(angle < 0.15, "{i}: {angle}");
    }
    assert!(to_target(&actor, target) < 1e-3);
    actor.set_gaze(None);
    (0..22).for_each(|_| _ = turned(&mut actor, &mut time, &mut last));
    assert!(actor.overrides.is_empty() && last == DVec3::Z);
}

#[test]
fn gaze_turns_at_its_speed_in_any_frames() {
    for step in [1.0 / 64.0, 1.0 / 16.0] {
        let mut actor = actor();
        let target = Vec3::new(1e4, 1.6, 0.0);
        actor.set_gaze(Some(gaze(target, 1.0)));
        let mut time = 0.0;
        // A quarter of a turn.
        while time < 1.5 {
            time += step;
            frame(&mut actor, time);
            let angle = ways(&actor)[2].angle_between(DVec3::Z);
            assert!((angle - time).abs() < 1e-2, "{time}: {angle}");
            assert!(actor.is_moving());
        }
        actor.player.pause();
        let held = ways(&actor);
        frame(&mut actor, time + 5.0);
        assert_eq!(ways(&actor), held, "it holds with the time");
        actor.player.seek(0.5);
        actor.update();
        assert!(to_target(&actor, target) < 1e-3, "a seek shows the target");
    }
}

#[test]
fn gaze_goes_on_to_a_new_target_without_a_jump() {
    let mut actor = actor();
    actor.set_gaze(Some(gaze(Vec3::new(1e4, 1.6, 0.0), 2.0)));
    let mut before = ways(&actor)[2];
    for i in 1..100 {
        if i == 20 {
            actor.set_gaze(Some(gaze(Vec3::new(-1e4, 1.6, 1.0), 2.0)));
        }
        frame(&mut actor, f64::from(i) / 60.0);
        let now = ways(&actor)[2];
        assert!(now.angle_between(before) < 2.0 / 60.0 + 2e-3, "{i}");
        before = now;
    }
}

#[test]
fn gaze_does_not_allocate() {
    let mut actor = actor();
    actor.set_gaze(Some(gaze(Vec3::X * 10.0, 1.0)));
    frame(&mut actor, 0.01);
    actor.player.drain_events();
    let (used, ()) = allocated(|| (1..10).for_each(|i| frame(&mut actor, 0.01 + 0.02 * f64::from(i))));
    assert_eq!(used.count, 0);
}
