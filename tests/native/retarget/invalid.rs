//! Bodies and clips that cannot be retargeted well: nothing panics, and every number is finite.

use super::bodies::{Body, biped, body, mixamo, unreal};
use super::world::{key_times, world};
use crate::common::random::Random;
use gambol::animation::retarget::{Hips, HumanoidMap, Mode, Options, Retargeted, Rotations, retarget};
use gambol::model::{
    Channel, Clip, ClipId, Curve, HumanBone as B, Interpolation, Model, Node, NodeId, Path, Transform,
};
use glam::{DVec3, Mat4, Quat, Vec3};
use std::sync::Arc;

fn map() -> Options {
    Options { mode: Mode::Map { source: Vec::new(), target: Vec::new() }, ..Options::default() }
}

/// Asserts the invariants of clips; see [`gambol::model::Curve`].
fn check(made: &Retargeted, target: &Model) {
    for clip in &made.clips {
        let mut seen = std::collections::HashSet::new();
        for channel in &clip.channels {
            assert!(seen.insert((channel.node, channel.path)), "one channel for a node and path");
            let width = match channel.path {
                Path::Rotation => 4,
                Path::Weights => target.nodes[channel.node.index()].weights.len(),
                _ => 3,
            };
            let curve = &clip.curves[channel.curve];
            assert_eq!(curve.width(), width);
            if channel.path == Path::Rotation && curve.interpolation() != Interpolation::CubicSpline {
                for key in curve.values().chunks_exact(4) {
                    let length: f32 = key.iter().map(|value| value * value).sum();
                    assert!((length - 1.0).abs() < 1e-5, "{key:?}");
                }
            }
        }
    }
}

#[test]
fn retarget_refuses_unknown_clips_and_names() {
    let own = body("mixamo", &mixamo()).model;
    let error = retarget(&own, Some(ClipId::new(1)), &own, &Options::default()).expect_err("one clip");
    assert_eq!(
        (error.code(), error.to_string()),
        ("clip/not-found", "There is no clip 1: the file has 1.".to_owned())
    );
    let given = vec![("tail".to_owned(), None)];
    let options = Options { mode: Mode::Map { source: given, target: Vec::new() }, ..Options::default() };
    assert_eq!(retarget(&own, None, &own, &options).expect_err("no bone").code(), "argument/invalid");
    let given = vec![("head".to_owned(), Some("Heat".to_owned()))];
    let options = Options { mode: Mode::Map { source: Vec::new(), target: given }, ..Options::default() };
    let error = retarget(&own, None, &own, &options).expect_err("no joint");
    assert_eq!(error.to_string(), "There is no joint “Heat”; did you mean “mixamorig:Head”?");
    // Neither the names nor the shapes fit.
    let crate_of = |name: &str| Model {
        nodes: vec![Node { name: name.to_owned(), ..Node::default() }],
        ..Model::default()
    };
    let error = retarget(&own, None, &crate_of("lid"), &Options::default()).expect_err("no body");
    assert_eq!(error.code(), "clip/no-match");
}

#[test]
fn retarget_survives_degenerate_rest_poses() {
    let (source, target) = (body("mixamo", &mixamo()), body("unreal", &unreal()));
    type Change = (&'static str, fn(&mut Node));
    let changes: [Change; 9] = [
        ("no length", |node| node.rest.translation = Vec3::ZERO),
        ("no scale", |node| node.rest.scale = Vec3::ZERO),
        ("flat", |node| node.rest.scale = Vec3::new(1.0, 0.0, 1.0)),
        ("mirrored", |node| node.rest.scale = Vec3::new(-1.0, 1.0, 1.0)),
        ("huge", |node| node.rest.translation *= 1e30),
        ("overflowing", |node| node.rest.scale = Vec3::splat(1e38)),
        ("tiny", |node| node.rest.translation *= 1e-30),
        ("sheared", |node| {
            node.rest_matrix = Some(Mat4::from_cols_array(&[
                1., 0., 0., 0., 0.7, 1., 0., 0., 0., 0., 1., 0., 0., 1., 0., 1.,
            ]))
        }),
        ("no quaternion", |node| node.rest.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
    ];
    for (label, change) in changes {
        for all in [false, true] {
            let spoil = |model: &Model| {
                let mut model = model.clone();
                let count = model.nodes.len();
                model.nodes.iter_mut().take(if all { count } else { 4 }).for_each(change);
                model
            };
            for (a, b) in [
                (spoil(&source.model), target.model.clone()),
                (source.model.clone(), spoil(&target.model)),
                (spoil(&source.model), spoil(&target.model)),
            ] {
                for foot_lock in [false, true] {
                    for mode in [Mode::Auto, Mode::Names, map().mode] {
                        let options = Options { mode, foot_lock, ..Options::default() };
                        if let Ok(made) = retarget(&a, None, &b, &options) {
                            check(&made, &b);
                        } else {
                            assert_ne!(label, "mirrored", "most of these have a result");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn retarget_survives_any_map() {
    let (source, target) = (body("mixamo", &mixamo()), body("biped", &biped()));
    let mut random = Random(26);
    let mut given = |model: &Model| -> Vec<(String, Option<String>)> {
        let count = random.bits() % 40;
        let mut one = || {
            let bone = B::ALL[random.bits() as usize % B::COUNT].name().to_owned();
            let node = &model.nodes[random.bits() as usize % model.nodes.len()];
            (bone, (!random.bits().is_multiple_of(4)).then(|| node.name.clone()))
        };
        (0..count).map(|_| one()).collect()
    };
    for i in 0..120 {
        let (a, b) = (given(&source.model), given(&target.model));
        let mode = Mode::Map { source: a.clone(), target: b.clone() };
        let options = Options {
            mode,
            foot_lock: i % 2 == 0,
            hips: if i % 3 == 0 { Hips::Kept } else { Hips::Scaled },
            rotations: [Rotations::Auto, Rotations::Directions, Rotations::Relative][i % 3],
        };
        match retarget(&source.model, None, &target.model, &options) {
            Ok(made) => check(&made, &target.model),
            Err(error) => assert_eq!(error.code(), "clip/no-match", "{a:?} {b:?}"),
        }
    }
}

#[test]
fn retarget_survives_bodies_with_missing_bones() {
    let (source, target) = (body("mixamo", &mixamo()), body("unreal", &unreal()));
    for bone in B::ALL {
        let without = vec![(bone.name().to_owned(), None)];
        for given in [[without.clone(), Vec::new()], [Vec::new(), without]] {
            let [a, b] = given;
            let options =
                Options { mode: Mode::Map { source: a, target: b }, foot_lock: true, ..Options::default() };
            let made = retarget(&source.model, None, &target.model, &options).expect("the rest fits");
            check(&made, &target.model);
            let missing =
                |other: B| source.nodes.contains_key(&other) && made.report.missing.contains(&other);
            if source.nodes.contains_key(&bone) {
                assert!(missing(bone), "{bone} {:?}", made.report.missing);
            }
        }
    }
}

#[test]
fn retarget_of_a_clip_with_a_key_for_each_of_very_many_nodes_is_bounded() {
    // A chain of 30,000 nodes between two bones, each with a time of its own.
    let mut source = body("mixamo", &mixamo()).model;
    let elbow = source.nodes.iter().position(|node| node.name.ends_with("LeftForeArm")).expect("there");
    let parent = source.nodes[elbow].parent;
    let count = 30_000;
    let first = source.nodes.len();
    let mut clip = Clip { name: "many".to_owned(), duration: 1.0, ..Clip::default() };
    let mut nodes = source.nodes.split_off(elbow);
    // Parents stay before children: the chain is inserted before the elbow.
    for i in 0..count {
        let parent = if i == 0 { parent } else { Some(NodeId::new(elbow + i - 1)) };
        source.nodes.push(Node { name: format!("link{i}"), parent, ..Node::default() });
        let time = 1.0 + i as f32 / 1024.0;
        let curve = Curve::new(Interpolation::Linear, 4, vec![0.0, time], [0.0, 0.0, 0.0, 1.0].repeat(2));
        clip.channels.push(Channel { node: NodeId::new(elbow + i), path: Path::Rotation, curve: i });
        clip.curves.push(curve.expect("two keys"));
    }
    for node in &mut nodes {
        let moved = |id: NodeId| if id.index() >= elbow { NodeId::new(id.index() + count) } else { id };
        node.parent = node.parent.map(moved);
    }
    nodes[0].parent = Some(NodeId::new(elbow + count - 1));
    source.nodes.append(&mut nodes);
    assert_eq!(source.nodes.len(), first + count);
    source.skins.clear();
    source.clips = vec![clip.into()];
    let target = body("biped", &biped()).model;
    let error = retarget(&source, None, &target, &map()).expect_err("the only clip is left out");
    assert_eq!(error.code(), "clip/no-match");
}

/// A copy of the first clip with another interpolation of some channels.
fn with_interpolation(body: &Body, interpolation: Interpolation, every: usize) -> Model {
    let mut model = body.model.clone();
    for (i, curve) in
        Arc::make_mut(&mut model.clips[0]).curves.iter_mut().enumerate().filter(|(i, _)| i % every == 0)
    {
        let width = curve.width();
        let mut values = Vec::new();
        for row in curve.values().chunks_exact(width) {
            let tangent: Vec<f32> = (0..width).map(|j| 0.2 * ((i + j) as f32).sin()).collect();
            let spline = interpolation == Interpolation::CubicSpline;
            values.extend(tangent.iter().filter(|_| spline));
            values.extend(row);
            values.extend(tangent.iter().filter(|_| spline));
        }
        *curve = Curve::new(interpolation, width, curve.times().to_vec(), values).expect("the same keys");
    }
    model
}

#[test]
fn retarget_keeps_steps_and_samples_splines_where_lines_need_it() {
    let (source, target) = (body("mixamo", &mixamo()), body("biped", &biped()));
    let angle = |a: DVec3, b: DVec3| a.cross(b).length().atan2(a.dot(b)).to_degrees();
    let arm = |body: &Body, model: &Model, clip: &Clip, time: f64| {
        let world = world(model, Some(clip), time);
        let at = |bone: B| world[body.nodes[&bone].index()].translation;
        body.axes.transpose() * (at(B::LeftHand) - at(B::LeftLowerArm)).normalize()
    };
    for (interpolation, every, most) in [
        (Interpolation::Step, 1, 1e-3),
        (Interpolation::Step, 3, 1e-3),
        (Interpolation::CubicSpline, 1, 0.05),
        (Interpolation::CubicSpline, 2, 0.05),
    ] {
        let model = with_interpolation(&source, interpolation, every);
        let made = retarget(&model, None, &target.model, &map()).expect("humanoids");
        check(&made, &target.model);
        let clip = &made.clips[0];
        let steps = clip.curves.iter().filter(|curve| curve.interpolation() == Interpolation::Step).count();
        if interpolation == Interpolation::Step && every == 1 {
            assert!(
                clip.curves
                    .iter()
                    .all(|curve| curve.times().len() == 1 || curve.interpolation() == Interpolation::Step)
            );
            assert_eq!(key_times(clip), key_times(&model.clips[0]), "steps need no further keys");
        } else if interpolation == Interpolation::CubicSpline {
            assert_eq!(steps, 0);
        }
        let duration = f64::from(clip.duration);
        for i in 0..200 {
            let time = duration * (f64::from(i) + 0.37) / 200.0;
            let (a, b) =
                (arm(&source, &model, &model.clips[0], time), arm(&target, &target.model, clip, time));
            assert!(angle(a, b) < most, "{interpolation:?} {every} at {time}: {}", angle(a, b));
        }
    }
}

#[test]
fn retarget_makes_keys_where_the_source_has_them() {
    let (mut source, target) = (body("mixamo", &mixamo()), body("unreal", &unreal()));
    // Only an arm moves, and the hand at other times.
    let clip = Arc::make_mut(&mut source.model.clips[0]);
    let node = |bone: B| source.nodes[&bone];
    let turn = |x: f32| Quat::from_rotation_x(x).to_array();
    let put = |clip: &mut Clip, node: NodeId, times: &[f32]| {
        let values = times.iter().flat_map(|time| turn(0.3 * time)).collect();
        let curve = Curve::new(Interpolation::Linear, 4, times.to_vec(), values).expect("keys");
        clip.channels.push(Channel { node, path: Path::Rotation, curve: clip.curves.len() });
        clip.curves.push(curve);
    };
    *clip = Clip { duration: 2.0, ..Clip::default() };
    put(clip, node(B::LeftUpperArm), &[0.0, 0.5, 2.0]);
    put(clip, node(B::LeftHand), &[0.25, 1.0]);
    let made = retarget(&source.model, None, &target.model, &map()).expect("humanoids");
    let keys = |bone: B| {
        let channel = made.clips[0].channels.iter().find(|channel| channel.node == target.nodes[&bone]);
        channel.map(|channel| made.clips[0].curves[channel.curve].times().to_vec())
    };
    assert_eq!(keys(B::LeftUpperArm), Some(vec![0.0, 0.5, 2.0]));
    assert_eq!(keys(B::LeftHand), Some(vec![0.25, 1.0]));
    let constant = keys(B::RightUpperArm).expect("the rest poses differ");
    assert_eq!(constant.len(), 1, "a constant has one key");
    assert_eq!(keys(B::RightHand), None, "a constant that is the rest pose has none");
}

#[test]
fn retarget_scales_or_keeps_the_way_of_the_hips() {
    let (source, target) = (body("mixamo", &mixamo()), body("biped", &biped()));
    let way = |hips: Hips| {
        let options = Options { hips, ..map() };
        let made = retarget(&source.model, None, &target.model, &options).expect("humanoids");
        let at = |time: f64| {
            let world = world(&target.model, Some(&made.clips[0]), time);
            let at = |bone: B| world[target.nodes[&bone].index()].translation;
            (at(B::LeftUpperLeg) + at(B::RightUpperLeg)) / 2.0
        };
        ((at(2.0) - at(0.0)).length(), made.report.scale)
    };
    let (scaled, kept) = (way(Hips::Scaled), way(Hips::Kept));
    assert!((scaled.1 - 0.39 / 0.86).abs() < 1e-5 && kept.1 == 1.0);
    assert!((scaled.0 / kept.0 - scaled.1).abs() < 1e-3, "{scaled:?} {kept:?}");
}

#[test]
fn retarget_of_motion_capture_whose_hips_rest_in_the_origin_stands_on_the_ground() {
    // BVH files: the hips have no offset, and the clip has absolute positions.
    let (mut source, target) = (body("mixamo", &mixamo()), body("unreal", &unreal()));
    let hips = source.nodes[&B::Hips].index();
    source.model.nodes[hips].rest.translation = Vec3::ZERO;
    let made = retarget(&source.model, None, &target.model, &map()).expect("humanoids");
    let lowest = |body: &Body, clip: &Clip| {
        let height = |time: f64| {
            let world = world(&body.model, Some(clip), time);
            let at = |bone: B| world[body.nodes[&bone].index()].translation.dot(body.axes.y_axis);
            at(B::LeftFoot).min(at(B::RightFoot))
        };
        (0..40).map(|i| height(f64::from(i) / 20.0)).fold(f64::INFINITY, f64::min)
    };
    let (other, own) = (lowest(&source, &source.model.clips[0]), lowest(&target, &made.clips[0]));
    assert!((other - 0.09).abs() < 0.01 && (own - 0.1).abs() < 0.015, "{other} {own}");
}

#[test]
fn retarget_moves_nodes_of_the_same_names_along() {
    // Both have a tail, which is no human bone.
    let tail = |body: &mut Body| {
        let parent = Some(body.nodes[&B::Hips]);
        let id = NodeId::new(body.model.nodes.len());
        let rest = Transform { translation: Vec3::new(0.0, 0.0, -0.1), ..Transform::IDENTITY };
        body.model.nodes.push(Node { name: "Tail".to_owned(), parent, rest, ..Node::default() });
        id
    };
    let (mut source, mut target) = (body("mixamo", &mixamo()), body("biped", &biped()));
    let (node, own) = (tail(&mut source), tail(&mut target));
    let values =
        [Quat::IDENTITY, Quat::from_rotation_y(0.8)].iter().flat_map(|turn| turn.to_array()).collect();
    let curve = Curve::new(Interpolation::Linear, 4, vec![0.0, 2.0], values).expect("two keys");
    let clip = Arc::make_mut(&mut source.model.clips[0]);
    clip.channels.push(Channel { node, path: Path::Rotation, curve: clip.curves.len() });
    clip.curves.push(curve);
    let made = retarget(&source.model, None, &target.model, &map()).expect("humanoids");
    assert_eq!(made.report.named, 1);
    // It turns relative to the hips as in the source, in the axes of the body.
    let turned = |body: &Body, clip: &Clip, tail: NodeId| {
        let (rest, now) = (world(&body.model, None, 0.0), world(&body.model, Some(clip), 2.0));
        let delta = |node: NodeId| now[node.index()].matrix3 * rest[node.index()].matrix3.inverse();
        body.axes.transpose() * (delta(body.nodes[&B::Hips]).inverse() * delta(tail)) * body.axes
    };
    let a = turned(&source, &source.model.clips[0], node);
    let b = turned(&target, &made.clips[0], own);
    assert!(a.abs_diff_eq(b, 1e-4), "{a} {b}");
}

#[test]
fn retarget_is_deterministic_and_finds_the_same_map_again() {
    let (source, target) = (body("mixamo", &mixamo()), body("unreal", &unreal()));
    let once = || {
        let made = retarget(&source.model, None, &target.model, &map()).expect("humanoids");
        (made.clips[0].channels.clone(), made.clips[0].curves.clone(), made.report)
    };
    assert_eq!(once(), once());
    assert_eq!(HumanoidMap::find(&target.model), HumanoidMap::find(&target.model));
    let report = once().2;
    assert!(
        report.warnings.iter().any(|text| text.contains("The spine has 5 joints")),
        "{:?}",
        report.warnings
    );
    assert_eq!(report.mapped.len(), source.nodes.len() + 3, "all human bones, and three of the spine");
    assert_eq!(report.skipped, 0);
}
