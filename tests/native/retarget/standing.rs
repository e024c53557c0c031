//! Rest poses that do not stand: all bones lie along one axis, as in motion capture. The twist of limbs is compared
//! with that of the same rigs whose rest pose is a T-pose or an A-pose.

use super::bodies::{Body, LIMBS, Roll, Spec, biped, body, mixamo, unreal};
use super::world::{key_times, rotation, world};
use gambol::animation::retarget::{Mode, Options, Retargeted, retarget};
use gambol::model::{Channel, Clip, Curve, HumanBone as B, Interpolation, Model, NodeId, Path};
use glam::{DAffine3, DQuat, DVec3, Quat};
use std::sync::Arc;

/// Bones whose twist is measured beside that of limbs, and the bones that they lead to.
const HANDS: [(B, B); 4] = [
    (B::LeftHand, B::LeftMiddleProximal),
    (B::RightHand, B::RightMiddleProximal),
    (B::LeftIndexProximal, B::LeftIndexIntermediate),
    (B::RightLittleProximal, B::RightLittleIntermediate),
];
const TRUNK: [B; 6] = [B::Hips, B::Head, B::Neck, B::LeftFoot, B::RightFoot, B::LeftShoulder];

/// The rigs: six orientations of joints in three bodies.
fn rigs() -> Vec<Body> {
    let of = |label: &str, spec: Spec, roll: Roll| body(label, &Spec { roll, ..spec });
    vec![
        of("mixamo, along Y", mixamo(), Roll::Along),
        of("mixamo, along X", mixamo(), Roll::Mirrored),
        of("unreal, along Y", unreal(), Roll::Along),
        of("unreal, along X", unreal(), Roll::Mirrored),
        of("biped, along Y", biped(), Roll::Along),
        of("biped, along X", biped(), Roll::Mirrored),
    ]
}

fn joints(model: &Model) -> impl Iterator<Item = usize> + use<> {
    let skin = model.skins[0].joints.clone();
    skin.into_iter().map(|node| node.index())
}

/// Sets all rotations of the joints to 0 at rest, so that bones lie along their own axes.
fn collapsed(model: &Model) -> Model {
    let mut model = model.clone();
    for joint in joints(&model) {
        model.nodes[joint].rest.rotation = Quat::IDENTITY;
    }
    model
}

fn onto(source: &Model, target: &Model) -> Retargeted {
    let mode = Mode::Map { source: Vec::new(), target: Vec::new() };
    retarget(source, None, target, &Options { mode, ..Options::default() }).expect("both are humanoids")
}

fn angle(a: DQuat, b: DQuat) -> f64 {
    let turn = a.inverse() * b;
    2.0 * DVec3::new(turn.x, turn.y, turn.z).length().atan2(turn.w.abs()).to_degrees()
}

/// The largest differences of two clips of a body: of limbs, of the trunk, and of directions; in degrees. They face the
/// same way up to a quarter turn, because a rest pose that does not stand has no front.
fn differences(
    bodies: [&Body; 2],
    models: [&Model; 2],
    clips: [&Clip; 2],
    times: &[f64],
) -> ([f64; 3], String) {
    let body = bodies[1];
    let quarters =
        (0..4).map(|i| DQuat::from_axis_angle(body.axes.y_axis, f64::from(i) * std::f64::consts::FRAC_PI_2));
    let all = quarters.map(|turn| turned_differences(bodies, models, clips, times, turn));
    all.min_by(|a, b| a.0[2].total_cmp(&b.0[2])).expect("four")
}

fn turned_differences(
    [source, body]: [&Body; 2],
    models: [&Model; 2],
    clips: [&Clip; 2],
    times: &[f64],
    quarter: DQuat,
) -> ([f64; 3], String) {
    let mut most = [0.0_f64; 3];
    let mut place = String::new();
    for &time in times {
        let [a, b] = [0, 1].map(|i| world(models[i], Some(clips[i]), time));
        let turn = |bone: B| {
            let node = body.nodes.get(&bone)?.index();
            Some(angle(quarter * rotation(&a[node]), rotation(&b[node])))
        };
        for (bone, child) in LIMBS.into_iter().chain(HANDS) {
            // Fingers that the source does not have rest.
            let Some(node) = body.nodes.get(&bone).filter(|_| source.nodes.contains_key(&bone)) else {
                continue;
            };
            if let Some(turn) = turn(bone).filter(|turn| *turn > most[0]) {
                (most[0], place) = (turn, format!("{bone} at {time}"));
            }
            if let Some(child) = body.nodes.get(&child).filter(|_| source.nodes.contains_key(&child)) {
                let way =
                    |world: &[DAffine3]| world[child.index()].translation - world[node.index()].translation;
                most[2] = most[2].max((quarter * way(&a)).angle_between(way(&b)).to_degrees());
            }
        }
        most[1] = TRUNK.into_iter().filter_map(turn).fold(most[1], f64::max);
    }
    (most, place)
}

/// A clip with the rest pose of the model for one second.
fn still(model: &Model) -> Clip {
    let mut clip = Clip { name: "still".to_owned(), duration: 1.0, ..Clip::default() };
    for node in joints(model) {
        let rest = model.nodes[node].rest;
        let keys: Vec<f32> = [0; 3].iter().flat_map(|_| rest.rotation.to_array()).collect();
        let curve = Curve::new(Interpolation::Linear, 4, vec![0.0, 0.5, 1.0], keys).expect("good keys");
        clip.channels.push(Channel {
            node: NodeId::new(node),
            path: Path::Rotation,
            curve: clip.curves.len(),
        });
        clip.curves.push(curve);
    }
    clip
}

/// Turns the whole body of a clip about the middle of its way, and moves the hips.
fn turned(body: &Body, clip: &Clip, turn: DQuat, place: impl Fn(DVec3) -> DVec3) -> Clip {
    let mut clip = clip.clone();
    let hips = body.nodes[&B::Hips];
    let above = world(&body.model, None, 0.0)[body.model.nodes[hips.index()].parent.expect("a root").index()];
    let up = rotation(&above);
    let axes = DQuat::from_mat3(&body.axes);
    for channel in clip.channels.clone().iter().filter(|channel| channel.node == hips) {
        let curve = &clip.curves[channel.curve];
        let values = match channel.path {
            Path::Rotation => {
                let turned = |q: &[f32; 4]| {
                    let q = DQuat::from_array(q.map(f64::from));
                    (up.inverse() * axes * turn * axes.inverse() * up * q).normalize().as_quat().to_array()
                };
                curve.values().as_chunks::<4>().0.iter().flat_map(turned).collect()
            }
            _ => {
                let moved = |v: &[f32; 3]| {
                    let at = above.transform_point3(DVec3::from_array(v.map(f64::from)));
                    let at = body.axes * place(body.axes.transpose() * at);
                    above.inverse().transform_point3(at).as_vec3().to_array()
                };
                curve.values().as_chunks::<3>().0.iter().flat_map(moved).collect()
            }
        };
        let made = Curve::new(curve.interpolation(), curve.width(), curve.times().to_vec(), values);
        clip.curves[channel.curve] = made.expect("good keys");
    }
    clip
}

const FOUND: &str = "is no standing body; one was found in its clips";

#[test]
fn retarget_of_a_t_pose_from_bones_along_an_axis_is_the_t_pose() {
    let mut table = String::new();
    for source in rigs() {
        let mut lying = collapsed(&source.model);
        lying.clips = vec![still(&source.model).into()];
        let mut standing = source.model.clone();
        standing.clips = lying.clips.clone();
        for target in rigs() {
            let made = onto(&lying, &target.model);
            let wanted = onto(&standing, &target.model);
            assert!(
                made.report.warnings.iter().any(|warning| warning.contains(FOUND)),
                "{:?}",
                made.report.warnings
            );
            let (most, at) = differences(
                [&source, &target],
                [&target.model; 2],
                [&made.clips[0], &wanted.clips[0]],
                &[0.0, 0.5],
            );
            table += &format!("{:>16} → {:<16} {most:.2?} {at}\n", source.label, target.label);
            assert!(most.iter().all(|most| *most < 1.0), "{table}");
        }
    }
    eprintln!("{table}");
}

#[test]
fn retarget_of_a_walk_from_bones_along_an_axis_does_not_twist_limbs() {
    let mut table = String::new();
    let mut worst = [0.0_f64; 3];
    for source in rigs() {
        let lying = collapsed(&source.model);
        for target in rigs() {
            let wanted = onto(&source.model, &target.model);
            let made = onto(&lying, &target.model);
            let times = key_times(&lying.clips[0]);
            let (most, at) = differences(
                [&source, &target],
                [&target.model; 2],
                [&made.clips[0], &wanted.clips[0]],
                &times,
            );
            table += &format!("{:>16} → {:<16} {most:.2?} {at}\n", source.label, target.label);
            worst = [0, 1, 2].map(|i| worst[i].max(most[i]));
        }
    }
    eprintln!("{table}worst {worst:.2?}");
    assert!(worst[0] < 30.0 && worst[1] < 15.0 && worst[2] < 1.0, "{table}");
}

#[test]
fn retarget_onto_bones_along_an_axis_does_not_twist_limbs() {
    let mut table = String::new();
    let mut worst = [0.0_f64; 3];
    for source in rigs() {
        for target in rigs() {
            let wanted = onto(&source.model, &target.model);
            let lying = collapsed(&target.model);
            let made = onto(&source.model, &lying);
            assert!(made.report.warnings.iter().any(|warning| warning.contains(FOUND)));
            let times = key_times(&source.model.clips[0]);
            let (most, at) = differences(
                [&source, &target],
                [&lying, &target.model],
                [&made.clips[0], &wanted.clips[0]],
                &times,
            );
            table += &format!("{:>16} → {:<16} {most:.2?} {at}\n", source.label, target.label);
            worst = [0, 1, 2].map(|i| worst[i].max(most[i]));
        }
    }
    eprintln!("{table}worst {worst:.2?}");
    assert!(worst[0] < 30.0 && worst[1] < 15.0 && worst[2] < 1.0, "{table}");
}

/// A body that lies on its back in the whole clip: the axes come from the torso, the ground from the axis Y.
#[test]
fn retarget_keeps_a_lying_body_lying_and_its_limbs_untwisted() {
    let mut table = String::new();
    for source in rigs().into_iter().filter(|body| !body.label.starts_with("unreal")) {
        // On the back with the head to the back, or on the front with the head to the front.
        let turn = DQuat::from_rotation_x(if source.label.contains("Y") { -1.5 } else { 1.5 });
        let clip = turned(&source, &source.model.clips[0], turn, |at| DVec3::new(0.1, 0.4 * at.y, 0.2));
        let mut standing = source.model.clone();
        standing.clips = vec![Arc::new(clip)];
        let lying = collapsed(&standing);
        for target in rigs() {
            let [made, wanted] = [&lying, &standing].map(|source| onto(source, &target.model));
            let times = key_times(&standing.clips[0]);
            let (most, at) = differences(
                [&source, &target],
                [&target.model; 2],
                [&made.clips[0], &wanted.clips[0]],
                &times,
            );
            table += &format!("{:>16} → {:<16} {most:.2?} {at}\n", source.label, target.label);
            assert!(most[0] < 30.0 && most[2] < 1.0, "{table}");
        }
    }
    eprintln!("{table}");
}

#[test]
fn retarget_warns_if_neither_the_rest_pose_nor_a_clip_stands() {
    let (source, target) = (body("mixamo", &mixamo()), body("biped", &Spec { roll: Roll::Along, ..biped() }));
    let mut lying = collapsed(&target.model);
    lying.clips.clear();
    let made = onto(&source.model, &lying);
    let warned = |text: &str| made.report.warnings.iter().any(|warning| warning.contains(text));
    assert!(warned("The rest pose of the model is no standing body, and no pose of its clips is"));
    assert!(!warned("clips' skeleton"));
    for rotation in made.clips[0].curves.iter().flat_map(|curve| curve.values()) {
        assert!(rotation.is_finite());
    }
    // Those that stand have no warning, also on four legs.
    for character in gambol_sample::characters() {
        let model = gambol::import::import(&character.glb(), &mut gambol::import::NoResolver)
            .expect("a character")
            .model;
        for (from, to) in [(&source.model, &model), (&model, &source.model)] {
            let warnings = onto(from, to).report.warnings;
            assert!(
                !warnings.iter().any(|warning| warning.contains("standing")),
                "{}: {warnings:?}",
                character.name
            );
        }
    }
    for source in rigs() {
        assert_eq!(
            onto(&source.model, &body("", &mixamo()).model)
                .report
                .warnings
                .iter()
                .filter(|warning| warning.contains("standing"))
                .count(),
            0
        );
    }
}

/// The height of the target's hip joints above its ankles' ground, and the way over the ground, per leg.
fn places(target: &Body, clip: &Clip, time: f64) -> (f64, DVec3) {
    let at_rest = target.measure();
    let middle = target.middle(&world(&target.model, Some(clip), time));
    let way = target.axes.transpose() * (middle - at_rest.middle) / at_rest.leg;
    ((middle.dot(target.up()) - at_rest.ankles) / at_rest.leg, DVec3::new(way.x, 0.0, way.z))
}

#[test]
fn retarget_height_is_that_above_the_ground_of_the_clip() {
    let source = body("mixamo", &mixamo());
    let target = body("biped", &biped());
    let clip = &source.model.clips[0];
    let hips = source.nodes[&B::Hips].index();
    let leg = 0.86;
    let ankle = 0.09;
    let put = |clip: Clip, rest: DVec3| {
        let mut model = source.model.clone();
        let above = world(&model, None, 0.0)[0];
        model.nodes[hips].rest.translation = above.inverse().transform_point3(rest).as_vec3();
        model.clips = vec![clip.into()];
        let made = onto(&model, &target.model);
        places(&target, &made.clips[0], 1.0)
    };
    let walk = places(&target, &onto(&source.model, &target.model).clips[0], 1.0);
    // Motion capture: the hips are in the origin at rest, and the clip is on the ground. It walks, or it lies.
    let (height, way) = put(clip.as_ref().clone(), DVec3::ZERO);
    assert!((height - walk.0).abs() < 0.02 && way.distance(walk.1) < 1e-5, "{height} {way}");
    let lying = turned(&source, clip, DQuat::from_rotation_x(-1.5), |at| DVec3::new(at.x, 0.12, at.z));
    for rest in [DVec3::ZERO, DVec3::new(0.0, 1.0, 0.0)] {
        let (height, _) = put(lying.clone(), rest);
        assert!((height - (0.12 - ankle) / leg).abs() < 0.08, "{height} of a leg, at rest {rest}");
    }
    // It sits, with the legs in the ground.
    let sitting = turned(&source, clip, DQuat::IDENTITY, |at| DVec3::new(at.x, 0.2 + 0.01 * at.y, at.z));
    let (height, _) = put(sitting, DVec3::ZERO);
    assert!((height - (0.2 - ankle) / leg).abs() < 0.08, "{height} of a leg");
    // All is relative to hips in the origin: the figure stands.
    let around = turned(&source, clip, DQuat::IDENTITY, |at| at - DVec3::Y * 1.0);
    let (height, _) = put(around, DVec3::ZERO);
    assert!((height - walk.0).abs() < 0.02, "{height}");
    // The same for a body that stays low: its feet are below the origin by the length of a leg.
    let low = turned(&source, clip, DQuat::IDENTITY, |at| DVec3::new(at.x, -0.1, at.z));
    let (height, _) = put(low, DVec3::ZERO);
    assert!((height - (1.0 - 0.05 / leg)).abs() < 0.08, "{height}");
}

#[test]
fn retarget_place_of_a_rest_pose_far_from_its_clip_does_not_count() {
    let source = body("mixamo", &mixamo());
    let target = body("biped", &biped());
    let hips = source.nodes[&B::Hips].index();
    let wanted = places(&target, &onto(&source.model, &target.model).clips[0], 1.0);
    let mut model = source.model.clone();
    let above = world(&model, None, 0.0)[0];
    let far = above.inverse().transform_vector3(DVec3::new(0.3, 0.0, -4.0)).as_vec3();
    model.nodes[hips].rest.translation += far;
    let (height, way) = places(&target, &onto(&model, &target.model).clips[0], 1.0);
    assert!((height - wanted.0).abs() < 1e-5 && way.distance(wanted.1) < 1e-5, "{height} {way}");
    // A figure that is animated where it is stays there.
    let clip = Arc::make_mut(&mut model.clips[0]);
    let channel = clip
        .channels
        .iter()
        .find(|channel| channel.node.index() == hips && channel.path == Path::Translation);
    let curve = channel.expect("the way of the hips").curve;
    let old = &clip.curves[curve];
    let values =
        old.values().as_chunks::<3>().0.iter().flat_map(|v| [v[0] + far.x, v[1] + far.y, v[2] + far.z]);
    clip.curves[curve] =
        Curve::new(Interpolation::Linear, 3, old.times().to_vec(), values.collect()).expect("good keys");
    let (_, way) = places(&target, &onto(&model, &target.model).clips[0], 1.0);
    assert!(way.distance(wanted.1) < 1e-5, "{way}");
}
