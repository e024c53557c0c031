//! Feet on the ground.

use crate::common::allocator::allocated;
use gambol::animation::{Actor, Affine, Feet, GroundPoint, LegBones, Override, Rig, Space};
use gambol::model::{Clip, Model, Node, NodeId, Transform};
use glam::{DVec3, Mat4, Quat, Vec3};
use std::rc::Rc;

const PELVIS: usize = 1;
const CHEST: usize = 2;
/// The joints of the left leg: hip, knee, ankle, ball. Those of the right leg follow.
const LEFT: usize = 3;
const RIGHT: usize = 7;
/// The length of a leg from hip to ankle; hip, knee and ankle are not quite in line.
const LEG: f64 = 0.8;

/// A root, a pelvis with a chest, and two legs, standing on Y = 0 and facing +Z.
fn model() -> Model {
    let node = |parent: usize, at: [f32; 3]| Node {
        parent: parent.checked_sub(1).map(NodeId::new),
        rest: Transform { translation: at.into(), ..Transform::IDENTITY },
        ..Node::default()
    };
    let leg = |first: usize, x: f32| {
        [
            node(PELVIS + 1, [x, -0.1, 0.0]),
            node(first + 1, [0.0, -0.4, 0.08]),
            node(first + 2, [0.0, -0.4, -0.08]),
            node(first + 3, [0.0, -0.07, 0.15]),
        ]
    };
    let mut nodes = vec![node(0, [0.0; 3]), node(1, [0.0, 1.0, 0.0]), node(PELVIS + 1, [0.0, 0.4, 0.0])];
    nodes.extend(leg(LEFT, 0.1));
    nodes.extend(leg(RIGHT, -0.1));
    let clip = Clip { duration: 1.0, ..Clip::default() };
    Model { nodes, clips: vec![clip.into()], ..Model::default() }
}

fn actor() -> Actor {
    let model = model();
    let mut actor = Actor::new(&model, Rc::new(Rig::new(&model)));
    actor.player.play(None);
    actor.update();
    actor
}

fn leg(first: usize) -> LegBones {
    let at = |i: usize| NodeId::new(first + i);
    LegBones { upper: at(0), lower: at(1), foot: at(2), toes: Some(at(3)) }
}

fn feet() -> Feet {
    Feet {
        legs: vec![leg(LEFT), leg(RIGHT)],
        pelvis: NodeId::new(PELVIS),
        moves_pelvis: true,
        is_flat: false,
        weight: 1.0,
    }
}

fn flat() -> Feet {
    Feet { is_flat: true, ..feet() }
}

fn frame(actor: &mut Actor, time: f64) {
    actor.player.advance_to(time);
    actor.update();
}

/// Sets the ground below both feet, from its height at a place and its slopes along X and Z.
fn ground(actor: &mut Actor, height: impl Fn(f64, f64) -> (f64, [f64; 2])) {
    let places: Vec<Vec3> = actor.overrides.foot_places().collect();
    for (i, place) in places.into_iter().enumerate() {
        let (y, [x, z]) = height(place.x.into(), place.z.into());
        let at = Vec3::new(place.x, y as f32, place.z);
        let normal = DVec3::new(-x, 1.0, -z).as_vec3();
        actor.overrides.set_ground(i, Some(GroundPoint { at, normal }));
    }
}

/// An actor whose feet have arrived on the ground.
fn standing(feet: Feet, height: impl Fn(f64, f64) -> (f64, [f64; 2])) -> Actor {
    let mut actor = actor();
    actor.set_feet(Some(feet));
    settle(&mut actor, height);
    actor
}

fn settle(actor: &mut Actor, height: impl Fn(f64, f64) -> (f64, [f64; 2])) {
    ground(actor, height);
    let now = actor.player.now();
    (1..=30).for_each(|i| frame(actor, now + f64::from(i) / 60.0));
}

fn at(actor: &Actor, node: usize) -> DVec3 {
    Mat4::from(actor.node_matrices()[node]).as_dmat4().w_axis.truncate()
}

fn floats(actor: &Actor) -> Vec<u32> {
    Affine::as_floats(actor.node_matrices()).iter().map(|value| value.to_bits()).collect()
}

fn lift(actor: &mut Actor, node: usize, to: Vec3) {
    let to = Override { translation: Some(to), space: Space::Local, ..Override::default() };
    actor.overrides.set(NodeId::new(node), to);
}

fn turn(actor: &mut Actor, node: usize, rotation: Quat) {
    let to = Override { rotation: Some(rotation), space: Space::Local, ..Override::default() };
    actor.overrides.set(NodeId::new(node), to);
}

#[test]
fn feet_with_invalid_input_do_nothing() {
    let other = |change: &dyn Fn(&mut Feet)| {
        let mut feet = feet();
        change(&mut feet);
        feet
    };
    for invalid in [
        other(&|feet| feet.legs.clear()),
        other(&|feet| feet.legs[1].foot = NodeId::new(99)),
        other(&|feet| feet.legs[0].toes = Some(NodeId::new(RIGHT + 3))),
        other(&|feet| feet.legs[0].lower = feet.legs[0].upper),
        other(&|feet| feet.pelvis = NodeId::new(CHEST)),
        other(&|feet| feet.weight = f32::NAN),
    ] {
        let mut actor = actor();
        let before = floats(&actor);
        actor.set_feet(Some(invalid));
        assert!(!actor.overrides.has_feet());
        frame(&mut actor, 0.1);
        assert_eq!(floats(&actor), before);
    }
    let mut actor = standing(feet(), |_, _| (0.0, [0.0; 2]));
    let before = floats(&actor);
    let level = GroundPoint { at: Vec3::ZERO, normal: Vec3::Y };
    for point in [
        GroundPoint { at: Vec3::new(0.0, f32::NAN, 0.0), ..level },
        GroundPoint { normal: Vec3::X, ..level },
        GroundPoint { normal: Vec3::NEG_Y, ..level },
        GroundPoint { normal: Vec3::ZERO, ..level },
        GroundPoint { normal: Vec3::splat(f32::INFINITY), ..level },
    ] {
        (0..3).for_each(|leg| actor.overrides.set_ground(leg, Some(point)));
        let now = actor.player.now();
        frame(&mut actor, now + 1.0);
        assert_eq!(floats(&actor), before, "{point:?} is no ground");
    }
    // A matrix that is not finite stays.
    actor.place = Affine::from(Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0)));
    actor.update();
    actor.place = Affine::from(Mat4::from_translation(Vec3::splat(f32::NAN)));
    actor.update();
    actor.place = Affine::identity();
    actor.update();
    assert_eq!(floats(&actor), before);
}

#[test]
fn feet_that_stand_on_flat_ground_keep_the_bits_of_the_pose() {
    let before = floats(&actor());
    assert_eq!(floats(&standing(flat(), |_, _| (0.0, [0.0; 2]))), before);
    assert_eq!(floats(&standing(feet(), |_, _| (0.0, [0.0; 2]))), before);
    let half = Feet { weight: 0.5, ..feet() };
    assert_eq!(floats(&standing(half, |_, _| (0.0, [0.0; 2]))), before);
}

#[test]
fn feet_near_the_ground_of_the_clip_touch_it() {
    for moves_pelvis in [true, false] {
        for by in [0.01, -0.03] {
            let mut actor = actor();
            // A bent leg can reach down.
            lift(&mut actor, PELVIS, Vec3::new(0.0, 1.0 + by, 0.0));
            actor.set_feet(Some(Feet { moves_pelvis, ..flat() }));
            settle(&mut actor, |_, _| (0.0, [0.0; 2]));
            for first in [LEFT, RIGHT] {
                let (ankle, ball) = (at(&actor, first + 2), at(&actor, first + 3));
                assert!((ankle.y - 0.1).abs() < 1e-6, "{ankle}");
                assert!((ball.y - 0.03).abs() < 1e-6, "{ball}");
            }
            let lowered = at(&actor, PELVIS).y - 1.0;
            assert!((lowered - if moves_pelvis { 0.0 } else { f64::from(by) }).abs() < 1e-6);
        }
    }
}

#[test]
fn feet_in_the_air_keep_the_pose() {
    let mut actor = actor();
    lift(&mut actor, PELVIS, Vec3::new(0.0, 1.5, 0.0));
    actor.update();
    let before = floats(&actor);
    actor.set_feet(Some(flat()));
    settle(&mut actor, |_, _| (0.0, [0.0; 2]));
    assert_eq!(floats(&actor), before);
    // In between, a higher foot of the clip is never a lower one of the picture.
    let mut last = 0.0;
    for i in 0..100 {
        lift(&mut actor, PELVIS, Vec3::new(0.0, 1.0 + 0.001 * i as f32, 0.0));
        actor.update();
        let y = at(&actor, LEFT + 2).y;
        assert!((-1e-6..2e-3).contains(&(y - last)) || i == 0, "{i}: {y} after {last}");
        last = y;
    }
    assert!((last - 0.1 - 0.099).abs() < 1e-4);
}

#[test]
fn feet_on_a_slope_are_parallel_to_it() {
    for (slope, turned, size) in [
        ([0.0, 0.4], 0.0_f32, 1.0_f32),
        ([0.3, 0.0], 0.0, 1.0),
        ([-0.2, 0.25], 1.3, 1.0),
        ([0.3, -0.3], 2.5, 2.5),
    ] {
        let mut actor = actor();
        let place = Vec3::new(3.0, 0.5, -2.0);
        actor.place = Affine::from(Mat4::from_scale_rotation_translation(
            Vec3::splat(size),
            Quat::from_rotation_y(turned),
            place,
        ));
        actor.update();
        let height = |x: f64, z: f64| (0.5 + slope[0] * (x - 3.0) + slope[1] * (z + 2.0), slope);
        actor.set_feet(Some(feet()));
        frame(&mut actor, 0.01);
        settle(&mut actor, height);
        let normal = DVec3::new(-slope[0], 1.0, -slope[1]).normalize();
        for first in [LEFT, RIGHT] {
            for (node, standing) in [(first + 2, 0.1), (first + 3, 0.03)] {
                let point = at(&actor, node);
                let below = DVec3::new(point.x, height(point.x, point.z).0, point.z);
                let distance = (point - below).dot(normal);
                assert!((distance - standing * f64::from(size)).abs() < 2e-5, "{slope:?}: {distance}");
            }
        }
    }
}

#[test]
fn feet_at_different_heights_lower_the_pelvis_to_the_lower_one() {
    let step = |x: f64, _: f64| (if x > 0.0 { 0.15 } else { -0.05 }, [0.0; 2]);
    let actor = standing(feet(), step);
    assert!((at(&actor, PELVIS).y - 0.95).abs() < 1e-6);
    assert!((at(&actor, CHEST).y - 1.35).abs() < 1e-6, "the chest follows");
    assert!((at(&actor, LEFT + 2).y - 0.25).abs() < 1e-6);
    assert!((at(&actor, RIGHT + 2).y - 0.05).abs() < 1e-6);
    let knee = at(&actor, LEFT + 1) - at(&actor, LEFT);
    assert!(knee.z > 0.2 && knee.x.abs() < 1e-6, "the knee bends to the front: {knee}");
    for first in [LEFT, RIGHT] {
        for i in 0..3 {
            let rest = model().nodes[first + i + 1].rest.translation.as_dvec3().length();
            let bone = (at(&actor, first + i + 1) - at(&actor, first + i)).length();
            assert!((bone - rest).abs() < 1e-6, "bones keep their lengths");
        }
    }
    // Without the pelvis, the leg points down to ground that it does not reach.
    let deep =
        standing(Feet { moves_pelvis: false, ..feet() }, |x, _| (if x > 0.0 { 0.1 } else { -0.2 }, [0.0; 2]));
    assert_eq!(at(&deep, PELVIS), DVec3::Y);
    assert!((at(&deep, LEFT + 2).y - 0.2).abs() < 1e-6);
    let straight = 2.0 * 0.4_f64.hypot(0.08);
    assert!((at(&deep, RIGHT).y - at(&deep, RIGHT + 2).y - straight).abs() < 1e-5);
}

#[test]
fn feet_on_higher_and_lower_ground_move_the_whole_actor() {
    let before = actor();
    for height in [0.3, -0.3_f64] {
        let actor = standing(feet(), |_, _| (height, [0.0; 2]));
        for node in PELVIS..RIGHT + 4 {
            let moved = at(&actor, node) - at(&before, node);
            assert!((moved - DVec3::Y * height).length() < 1e-6, "{node} moved by {moved}");
        }
    }
}

#[test]
fn ground_out_of_reach_does_not_count() {
    let before = floats(&actor());
    for height in [0.71 * LEG + 0.02, -0.71 * LEG - 0.02, 100.0] {
        assert_eq!(floats(&standing(feet(), |_, _| (height, [0.0; 2]))), before);
    }
    let mut actor = actor();
    actor.set_feet(Some(feet()));
    frame(&mut actor, 1.0);
    assert_eq!(floats(&actor), before, "nothing is known about the ground");
}

#[test]
fn foot_in_the_air_does_not_lower_the_pelvis() {
    let mut actor = actor();
    // The left leg is lifted over ground that is lower.
    turn(&mut actor, LEFT, Quat::from_rotation_x(-1.0));
    turn(&mut actor, LEFT + 1, Quat::from_rotation_x(1.4));
    actor.update();
    let lifted = at(&actor, LEFT + 2).y;
    assert!(lifted > 0.25);
    actor.set_feet(Some(feet()));
    frame(&mut actor, 0.01);
    settle(&mut actor, |x, _| (if x > 0.0 { -0.1 } else { 0.0 }, [0.0, 0.3]));
    // The ankle above the slope is higher by the inverse cosine.
    let standing = 0.1 * (1.0_f64 + 0.3 * 0.3).sqrt();
    assert!((at(&actor, PELVIS).y - (0.9 + standing)).abs() < 1e-5, "{}", at(&actor, PELVIS));
    // It is as high above its own ground as in the clip, and not turned.
    assert!((at(&actor, LEFT + 2).y - (lifted - 0.1)).abs() < 1e-5);
    let sole = at(&actor, LEFT + 3) - at(&actor, LEFT + 2);
    let animated = Quat::from_rotation_x(0.4) * Vec3::new(0.0, -0.07, 0.15);
    assert!(sole.as_vec3().angle_between(animated) < 0.2, "{sole}");
}

#[test]
fn ground_below_a_foot_moves_with_a_limited_speed_and_jumps_with_a_seek() {
    let mut actor = standing(feet(), |_, _| (0.0, [0.0; 2]));
    let level = |x: f64, _: f64| (if x > 0.0 { 0.2 } else { 0.0 }, [0.0; 2]);
    ground(&mut actor, level);
    let mut now = actor.player.now();
    let mut last = at(&actor, LEFT + 2).y;
    let mut frames = 0;
    while at(&actor, LEFT + 2).y < 0.3 - 1e-6 {
        assert!(actor.is_moving());
        now += 1.0 / 60.0;
        frame(&mut actor, now);
        let y = at(&actor, LEFT + 2).y;
        assert!(y - last < 4.0 * 0.82 / 60.0 + 1e-6 && y > last);
        last = y;
        frames += 1;
    }
    assert_eq!(frames, 4);
    // The same after a seek, in one frame.
    ground(&mut actor, |_, _| (0.1, [0.0; 2]));
    actor.player.seek(0.5);
    frame(&mut actor, now + 0.001);
    assert!((at(&actor, LEFT + 2).y - 0.2).abs() < 1e-6);
    assert!((at(&actor, RIGHT + 2).y - 0.2).abs() < 1e-6);
    // Paused time would never arrive.
    actor.player.pause();
    ground(&mut actor, |_, _| (0.0, [0.0; 2]));
    actor.update();
    assert!((at(&actor, LEFT + 2).y - 0.1).abs() < 1e-6);
}

#[test]
fn feet_fade_in_and_out() {
    let mut actor = actor();
    let before = floats(&actor);
    actor.set_feet(Some(feet()));
    frame(&mut actor, 0.001);
    ground(&mut actor, |_, _| (0.2, [0.0; 2]));
    let mut last = 1.0;
    for i in 1..=13 {
        frame(&mut actor, 0.001 + f64::from(i) / 60.0);
        let y = at(&actor, PELVIS).y;
        assert!((y > last || i > 12) && y - last < 0.02, "{i}: {y} after {last}");
        last = y;
    }
    assert!((last - 1.2).abs() < 1e-6);
    actor.set_feet(None);
    assert!(actor.is_moving());
    for i in 1..=13 {
        frame(&mut actor, 0.001 + f64::from(13 + i) / 60.0);
        let y = at(&actor, PELVIS).y;
        assert!(y < last || i > 12, "{i}");
        last = y;
    }
    frame(&mut actor, 1.0);
    assert_eq!(floats(&actor), before);
    assert!(!actor.overrides.has_feet() && actor.overrides.is_empty());
}

#[test]
fn feet_that_are_set_again_continue() {
    let mut actor = standing(feet(), |_, _| (0.2, [0.0; 2]));
    let before = floats(&actor);
    actor.set_feet(Some(feet()));
    let now = actor.player.now();
    frame(&mut actor, now + 0.01);
    assert_eq!(floats(&actor), before);
    // An end that is taken back.
    actor.set_feet(None);
    frame(&mut actor, now + 0.05);
    actor.set_feet(Some(feet()));
    (1..=30).for_each(|i| frame(&mut actor, now + 0.05 + f64::from(i) / 60.0));
    assert_eq!(floats(&actor), before);
}

#[test]
fn feet_in_a_still_are_on_the_ground() {
    let settled = floats(&standing(feet(), |_, _| (0.2, [0.0; 2])));
    let mut actor = actor();
    actor.set_feet(Some(feet()));
    ground(&mut actor, |_, _| (0.2, [0.0; 2]));
    actor.update_to(None, 0.0);
    assert_eq!(floats(&actor), settled);
}

#[test]
fn straight_leg_bends_to_the_front() {
    let mut model = model();
    for first in [LEFT, RIGHT] {
        model.nodes[first + 1].rest.translation.z = 0.0;
        model.nodes[first + 2].rest.translation.z = 0.0;
    }
    let mut actor = Actor::new(&model, Rc::new(Rig::new(&model)));
    actor.player.play(None);
    actor.set_feet(Some(feet()));
    frame(&mut actor, 0.01);
    settle(&mut actor, |x, _| (if x > 0.0 { 0.1 } else { 0.0 }, [0.0; 2]));
    let knee = at(&actor, LEFT + 1) - at(&actor, LEFT);
    assert!(knee.z > 0.1 && knee.x.abs() < 1e-6, "{knee}");
}

#[test]
fn feet_of_two_actors_with_the_same_frames_have_the_same_bits() {
    let run = || {
        let mut actor = actor();
        actor.set_feet(Some(feet()));
        let mut all = Vec::new();
        for i in 0..200 {
            let time = f64::from(i) / 47.0;
            actor.place = Affine::from(Mat4::from_translation(Vec3::new(0.0, 0.0, 0.01 * i as f32)));
            turn(&mut actor, LEFT, Quat::from_rotation_x((0.1 * i as f32).sin()));
            ground(&mut actor, |x, z| ((3.0 * x + z).sin() * 0.2, [0.1, 0.2 * z.cos()]));
            frame(&mut actor, time);
            all.extend(floats(&actor));
        }
        all
    };
    assert_eq!(run(), run());
}

#[test]
fn feet_do_not_allocate() {
    let mut actor = standing(feet(), |_, _| (0.0, [0.0; 2]));
    frame(&mut actor, 1.0);
    actor.player.drain_events();
    let (used, ()) = allocated(|| {
        for i in 1..20 {
            let point = GroundPoint { at: Vec3::Y * 0.01 * i as f32, normal: Vec3::new(0.1, 1.0, 0.0) };
            actor.overrides.set_ground(i % 2, Some(point));
            frame(&mut actor, 1.0 + 0.02 * i as f64);
        }
    });
    assert_eq!(used.count, 0);
}
