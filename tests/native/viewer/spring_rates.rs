//! Spring bones of a stage: the same motion at all frame rates, and actors that are placed, attached and teleported.

use crate::common::gl;
use crate::common::random::Random;
use gambol::animation::{Affine, Gaze, GazeJoint, Space};
use gambol::model::{
    Channel, Clip, ClipId, Curve, Interpolation, Model, Node, NodeId, Path, SpringBones, SpringChain,
    SpringJoint, Transform,
};
use gambol::render::Renderer;
use gambol::viewer::{ActorId, Asset, Context, JointSpace, Stage};
use glam::{DVec3, Mat4, Quat, Vec3};
use std::f64::consts::TAU;
use std::rc::Rc;

const RATES: [f64; 6] = [15.0, 24.0, 30.0, 60.0, 120.0, 240.0];

/// Hips with a tail of four joints, 0 ─ 1 ─ 2 ─ 3 ─ 4.
const JOINTS: usize = 5;

/// The tail, with a clip that turns and moves the hips twice a second.
fn model() -> Model {
    let node = |i: usize| Node {
        parent: i.checked_sub(1).map(NodeId::new),
        rest: Transform { translation: Vec3::new(0.0, 0.0, -0.1), ..Transform::IDENTITY },
        ..Node::default()
    };
    let (duration, keys) = (4.0, 1921);
    let times: Vec<f32> = (0..keys).map(|i| (duration * f64::from(i) / f64::from(keys - 1)) as f32).collect();
    let phase = |time: f32| (f64::from(time) * TAU * 2.0).sin();
    let turns = times.iter().flat_map(|&time| Quat::from_rotation_y(0.5 * phase(time) as f32).to_array());
    let moves = times.iter().flat_map(|&time| [0.1 * phase(time) as f32, 0.0, -0.1]);
    let curve = |width, values: Vec<f32>| {
        Curve::new(Interpolation::Linear, width, times.clone(), values).expect("it is a curve")
    };
    let curves = vec![curve(4, turns.collect()), curve(3, moves.collect())];
    let channel = |(path, curve)| Channel { node: NodeId::new(0), path, curve };
    let channels = [(Path::Rotation, 0), (Path::Translation, 1)].map(channel).to_vec();
    let joint = |i: usize| SpringJoint {
        stiffness: 0.4,
        gravity_power: 0.2,
        drag_force: 0.3,
        ..SpringJoint::new(NodeId::new(i))
    };
    let chain = SpringChain { joints: (1..JOINTS).map(joint).collect(), ..SpringChain::default() };
    Model {
        nodes: (0..JOINTS).map(node).collect(),
        clips: vec![Clip { duration: duration as f32, channels, curves, ..Clip::default() }.into()],
        springs: Some(Box::new(SpringBones { chains: vec![chain], ..SpringBones::default() })),
        ..Model::default()
    }
}

fn stage() -> Stage {
    Stage::new(Context::new(Renderer::new(gl::context()).expect("it does everything")))
}

fn add(stage: &mut Stage, model: Model) -> ActorId {
    let id = stage.add(&Rc::new(Asset::new(model)), Affine::identity()).expect("there is room");
    stage.actor_mut(id).expect("it is there").player.play(Some(ClipId::new(0)));
    id
}

fn at(stage: &mut Stage, id: ActorId, node: usize) -> DVec3 {
    let member = stage.posed().get(id).expect("it is there");
    Mat4::from(member.actor.node_matrices()[node]).w_axis.truncate().as_dvec3()
}

fn placed(by: DVec3, turn: f64, size: f64) -> Affine {
    let matrix = Mat4::from_scale_rotation_translation(
        Vec3::splat(size as f32),
        Quat::from_rotation_y(turn as f32),
        by.as_vec3(),
    );
    Affine::from(matrix)
}

/// The end of the tail at each third of a second, at a frame rate.
fn run(rate: f64, model: &Model, place: impl Fn(f64) -> Affine) -> Vec<DVec3> {
    run_with(model, place, || 1.0 / rate)
}

/// The same with frames of any duration; there is one at each third of a second.
fn run_with(model: &Model, place: impl Fn(f64) -> Affine, mut frame: impl FnMut() -> f64) -> Vec<DVec3> {
    let mut stage = stage();
    let id = add(&mut stage, model.clone());
    let mut time = 0.0;
    let mut ends = Vec::new();
    for third in 1..=30 {
        let end = f64::from(third) / 3.0;
        while time < end {
            let next = time + frame();
            // Durations do not add up exactly.
            time = if next > end - 1e-6 { end } else { next };
            stage.place(id, place(time)).expect("it is there");
            stage.set_time(time);
        }
        ends.push(at(&mut stage, id, JOINTS - 1));
    }
    ends
}

fn largest(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}

/// The bound in docs/design/procedural.md and docs/guides/springs-and-feet.md.
#[test]
fn springs_of_a_stage_move_alike_at_all_frame_rates() {
    let still = |_: f64| Affine::identity();
    let model = self::model();
    let plain = Model { springs: None, ..model.clone() };
    let want = run(960.0, &model, still);
    let swing = largest(&want, &run(960.0, &plain, still));
    assert!(swing > 0.1, "the tail swings: {swing}");
    for rate in RATES {
        let got = largest(&run(rate, &model, still), &want) / swing;
        assert!(got < 0.005, "{rate} frames per second: {got} of the swing");
    }
}

#[test]
fn springs_of_a_stage_move_alike_with_irregular_frames() {
    let still = |_: f64| Affine::identity();
    let model = self::model();
    let plain = Model { springs: None, ..model.clone() };
    let want = run(960.0, &model, still);
    let swing = largest(&want, &run(960.0, &plain, still));
    let mut random = Random(5);
    for [least, most] in [[59.0, 61.0], [50.0, 144.0], [20.0, 60.0], [10.0, 30.0]] {
        let frame = || 1.0 / f64::from(random.float(least, most));
        let got = largest(&run_with(&model, still, frame), &want) / swing;
        assert!(got < 0.005, "{least} to {most} frames per second: {got} of the swing");
    }
}

#[test]
fn springs_of_a_placed_actor_move_alike_at_all_frame_rates() {
    let model = self::model();
    // Straight ways and even turns, between which placements are interpolated exactly.
    let walk = |time: f64| placed(DVec3::new(1.5 * time, 0.0, -time), 0.0, 1.0);
    let want = run(960.0, &model, walk);
    for rate in RATES {
        // The walk begins at the first frame, so the first two seconds differ.
        let got = largest(&run(rate, &model, walk)[6..], &want[6..]);
        assert!(got < 0.005, "{rate} frames per second: {got} m");
    }
}

#[test]
fn springs_of_a_stage_reset_after_a_jump_of_time() {
    let mut stage = stage();
    let id = add(&mut stage, model());
    for frame in 1..40 {
        stage.set_time(f64::from(frame) / 60.0);
    }
    let swings = |stage: &Stage| stage.cast().get(id).expect("it is there").actor.springs.is_swinging();
    stage.posed();
    assert!(swings(&stage));
    for jump in [0.6, -0.2, 100.0] {
        let time = stage.cast().now() + jump;
        stage.set_time(time);
        let shown = at(&mut stage, id, JOINTS - 1);
        stage.actor_mut(id).expect("it is there").springs.reset();
        assert!((at(&mut stage, id, JOINTS - 1) - shown).length() < 1e-9, "{jump}");
    }
}

/// The end of the tail in the actor's own space, in each frame.
fn own(stage: &mut Stage, id: ActorId, frames: std::ops::Range<u32>) -> Vec<DVec3> {
    let frames = frames.map(|frame| {
        stage.set_time(f64::from(frame) / 30.0);
        let end = at(stage, id, JOINTS - 1);
        let place = stage.cast().get(id).expect("it is there").actor.place;
        Mat4::from(place).as_dmat4().inverse().transform_point3(end)
    });
    frames.collect()
}

#[test]
fn springs_of_a_stage_do_not_swing_by_a_scale_or_by_the_first_place() {
    let want = {
        let mut stage = stage();
        let id = add(&mut stage, model());
        own(&mut stage, id, 1..60)
    };
    for place in [
        placed(DVec3::ZERO, 0.0, 10.0),
        placed(DVec3::ZERO, 0.0, 0.1),
        placed(DVec3::new(30.0, -2.0, 9.0), 2.0, 3.0),
    ] {
        // As a page that places the model when it is loaded, with or without a frame before.
        for drawn in [false, true] {
            let mut stage = stage();
            let id = add(&mut stage, model());
            if drawn {
                stage.posed();
                stage.set_time(0.0);
            }
            stage.place(id, place).expect("it is there");
            let got = own(&mut stage, id, 1..60);
            assert!(largest(&got, &want) < 1e-4, "{drawn}: {}", largest(&got, &want));
        }
    }
}

#[test]
fn springs_of_a_teleported_actor_and_of_its_followers_keep_their_motion() {
    let run = |teleports: Option<bool>| {
        let mut stage = stage();
        let (leader, hat) = (add(&mut stage, model()), add(&mut stage, model()));
        stage.attach(hat, leader, NodeId::new(0), JointSpace::Metres, Affine::identity()).expect("a joint");
        let mut ends = own(&mut stage, hat, 1..40);
        let far = placed(DVec3::new(50.0, 0.0, 20.0), 1.5, 1.0);
        match teleports {
            Some(true) => stage.teleport(leader, far).expect("it is there"),
            Some(false) => stage.place(leader, far).expect("it is there"),
            None => {}
        }
        ends.extend(own(&mut stage, hat, 40..80));
        ends
    };
    let (want, teleported, whipped) = (run(None), run(Some(true)), run(Some(false)));
    // The first step has no motion of the hips.
    assert!(largest(&teleported, &want) < 0.02, "{}", largest(&teleported, &want));
    assert!(largest(&whipped, &want) > 0.1, "{}", largest(&whipped, &want));
    assert!(stage().teleport(ActorId::new(9), Affine::identity()).is_err());
}

#[test]
fn springs_of_an_attached_actor_do_not_swing_by_the_attachment() {
    let run = |attaches: bool| {
        let mut stage = stage();
        let far = placed(DVec3::new(7.0, 1.0, 3.0), 0.0, 1.0);
        let holder = Model { clips: Vec::new(), springs: None, ..model() };
        let leader = stage.add(&Rc::new(Asset::new(holder)), far).expect("there is room");
        let hat = add(&mut stage, model());
        let mut ends = own(&mut stage, hat, 1..40);
        if attaches {
            stage
                .attach(hat, leader, NodeId::new(2), JointSpace::Metres, Affine::identity())
                .expect("a joint");
        }
        ends.extend(own(&mut stage, hat, 40..80));
        ends
    };
    assert!(largest(&run(true), &run(false)) < 0.02);
}

#[test]
fn springs_and_gaze_of_an_actor_without_a_clip_follow_the_timeline() {
    let run = |rate: f64| {
        let mut stage = stage();
        let model = Model { clips: Vec::new(), ..model() };
        let id = stage.add(&Rc::new(Asset::new(model)), Affine::identity()).expect("there is room");
        stage.actor_mut(id).expect("it is there").player.set_rate(rate);
        stage.set_time(0.02);
        let joints = vec![GazeJoint { node: NodeId::new(0), share: 1.0, axis: None, limit: 3.0 }];
        let gaze = Gaze { joints, target: Vec3::X * 5.0, space: Space::World, speed: 1.0 };
        stage.posed();
        stage.actor_mut(id).expect("it is there").set_gaze(Some(gaze));
        stage.place(id, placed(DVec3::X, 0.0, 1.0)).expect("it is there");
        let ends: Vec<DVec3> = (1..200)
            .map(|frame| {
                stage.set_time(0.02 + f64::from(frame) / 60.0);
                let hips = at(&mut stage, id, 0);
                at(&mut stage, id, JOINTS - 1) - hips
            })
            .collect();
        (ends, stage.cast().is_moving())
    };
    let (ends, moves) = run(1.0);
    assert!((ends[0] - ends[30]).length() > 0.1 && (ends[30] - ends[60]).length() > 0.01);
    assert!((ends[150] - ends[198]).length() < 1e-3 && !moves, "it comes to rest");
    let (held, moves) = run(0.0);
    assert!((held[1] - held[198]).length() < 1e-6 && !moves);
}
