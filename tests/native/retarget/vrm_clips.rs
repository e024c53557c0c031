//! Clips of VRMC_vrm_animation on avatars, beside the formula of the specification in f64.

use super::bodies::{Body, Spec, biped, body, mixamo, unreal};
use super::world::{key_times, rotation, world};
use crate::common::random::Random;
use gambol::animation::retarget::{Hips, Mode, Options, Retargeted, Rotations, retarget};
use gambol::model::{
    Channel, Clip, Curve, HumanBone as B, Humanoid, Interpolation, Model, NodeId, Path, VrmVersion,
};
use glam::{DQuat, DVec3, Quat, Vec3};
use std::sync::Arc;

/// A file of VRM with the bones of a body, except for some.
fn vrm(body: Body, version: VrmVersion, without: &[B]) -> Model {
    let mut model = body.model;
    let spine = model.nodes.iter().enumerate().filter(|(_, node)| node.name.to_lowercase().contains("spine"));
    let spine: Vec<NodeId> = spine.map(|(i, _)| NodeId::new(i)).collect();
    let n = spine.len();
    let spine = match n {
        2 => vec![(B::Spine, spine[0]), (B::Chest, spine[1])],
        _ => vec![(B::Spine, spine[0]), (B::Chest, spine[n / 2]), (B::UpperChest, spine[n - 1])],
    };
    let mut bones: Vec<(B, NodeId)> = body.nodes.into_iter().chain(spine).collect();
    bones.retain(|(bone, _)| !without.contains(bone));
    bones.sort_by_key(|(bone, _)| *bone);
    model.humanoid = Some(Box::new(Humanoid { version, bones, expressions: Vec::new() }));
    model
}

/// Bends the shins and the feet of the rest pose, so that the directions of bones at rest differ from those of an
/// avatar.
fn bend(model: &mut Model) {
    let bones = model.humanoid.as_ref().expect("set").bones.clone();
    for (bone, node) in bones {
        let turn = match bone {
            B::LeftLowerLeg | B::RightLowerLeg => 0.4,
            B::LeftFoot | B::RightFoot => -0.7,
            _ => continue,
        };
        let rest = &mut model.nodes[node.index()].rest;
        rest.rotation =
            (rest.rotation * Quat::from_rotation_z(turn) * Quat::from_rotation_x(0.5 * turn)).normalize();
    }
}

/// A second clip: random rotations of all bones and a way of the hips.
fn random_clip(model: &mut Model, interpolation: Interpolation) {
    let mut random = Random(17);
    let times: Vec<f32> = (0..7).map(|i| i as f32 * 0.25).collect();
    let mut clip = Clip { name: "random".to_owned(), duration: 1.5, ..Clip::default() };
    let mut put = |node: NodeId, path: Path, width: usize, values: Vec<f32>| {
        clip.curves.push(Curve::new(interpolation, width, times.clone(), values).expect("good keys"));
        clip.channels.push(Channel { node, path, curve: clip.curves.len() - 1 });
    };
    for (bone, node) in model.humanoid.as_ref().expect("set").bones.clone() {
        let mut turn = || {
            let axis = [0; 3].map(|_| random.around(0.0, 1.0) as f64);
            DQuat::from_scaled_axis(DVec3::from_array(axis))
        };
        let rest = model.nodes[node.index()].rest;
        let keys = times.iter().flat_map(|_| (turn() * rest.rotation.as_dquat()).as_quat().to_array());
        put(node, Path::Rotation, 4, keys.collect());
        if bone == B::Hips {
            let place =
                |i: usize| rest.translation * (1.0 + 0.1 * i as f32) + Vec3::new(0.2, -0.1, 0.1) * i as f32;
            put(node, Path::Translation, 3, (0..times.len()).flat_map(|i| place(i).to_array()).collect());
        }
    }
    model.clips.push(clip.into());
}

fn bone_of(model: &Model, bone: B) -> Option<usize> {
    let bones = &model.humanoid.as_ref().expect("set").bones;
    bones.iter().find(|(other, _)| *other == bone).map(|(_, node)| node.index())
}

/// The local rotation of each bone of the avatar, and the position of its hips, from the local rotations of the clip.
/// Spec: VRMC_vrm_animation 1.0, how_to_transform_human_pose.
fn by_the_formula(source: &Model, clip: &Clip, target: &Model, time: f64) -> (Vec<(usize, DQuat)>, DVec3) {
    let (rest, own_rest) = (world(source, None, 0.0), world(target, None, 0.0));
    let posed = world(source, Some(clip), time);
    let is_old = target.humanoid.as_ref().expect("set").version == VrmVersion::Vrm0;
    let flip = |v: DVec3| if is_old { DVec3::new(-v.x, v.y, -v.z) } else { v };
    let normalized = |node: usize| {
        let parent = source.nodes[node].parent.map(|parent| parent.index());
        // The local rotation of the pose.
        let local = parent.map_or(DQuat::IDENTITY, |parent| rotation(&posed[parent])).inverse()
            * rotation(&posed[node]);
        let (w, l) = (rotation(&rest[node]), source.nodes[node].rest.rotation.as_dquat());
        let n = w * l.inverse() * local * w.inverse();
        let v = flip(DVec3::new(n.x, n.y, n.z));
        DQuat::from_xyzw(v.x, v.y, v.z, n.w)
    };
    let mut locals = Vec::new();
    for (bone, node) in &target.humanoid.as_ref().expect("set").bones {
        let Some(from) = bone_of(source, *bone) else { continue };
        let mut n = normalized(from);
        // A bone that the avatar does not have turns the bones that are attached to it.
        let mut above = bone.parent();
        while let Some(other) = above.filter(|other| bone_of(target, *other).is_none()) {
            n = bone_of(source, other).map_or(DQuat::IDENTITY, normalized) * n;
            above = other.parent();
        }
        let (w, l) = (rotation(&own_rest[node.index()]), target.nodes[node.index()].rest.rotation.as_dquat());
        locals.push((node.index(), l * w.inverse() * n * w));
    }
    let (hips, own) = (bone_of(source, B::Hips).expect("hips"), bone_of(target, B::Hips).expect("hips"));
    let scale = own_rest[own].translation.y / rest[hips].translation.y;
    (locals, flip(posed[hips].translation) * scale)
}

/// The largest angle from the formula, in degrees, and the largest distance of the hips.
fn deviation(source: &Model, clip: usize, target: &Model, made: &Clip, times: &[f64]) -> (f64, f64) {
    let hips = bone_of(target, B::Hips).expect("hips");
    let (mut worst, mut away) = (0.0_f64, 0.0_f64);
    for &time in times {
        let (locals, place) = by_the_formula(source, &source.clips[clip], target, time);
        let posed = world(target, Some(made), time);
        for (node, wanted) in locals {
            let parent = target.nodes[node].parent.map(|parent| rotation(&posed[parent.index()]));
            let local = parent.unwrap_or_default().inverse() * rotation(&posed[node]);
            let angle = 2.0 * local.normalize().dot(wanted.normalize()).abs().min(1.0).acos().to_degrees();
            worst = worst.max(angle);
        }
        away = away.max(posed[hips].translation.distance(place));
    }
    (worst, away)
}

fn onto(source: &Model, target: &Model, options: &Options) -> Retargeted {
    retarget(source, None, target, options).unwrap_or_else(|error| panic!("{error}"))
}

/// Avatars whose rest poses are T-poses, with other axes of the joints and other proportions.
fn avatars() -> Vec<(&'static str, Model)> {
    let upright = |spec: Spec| Spec { down: 0.0, spread: 0.0, unit: 1.0, ..spec };
    let ahead = |spec: Spec| Spec { axes: mixamo().axes, ..upright(spec) };
    let fewer = [B::UpperChest, B::LeftShoulder, B::RightShoulder, B::LeftToes, B::RightToes, B::Neck];
    vec![
        ("VRM 1", vrm(body("", &ahead(unreal())), VrmVersion::Vrm1, &[])),
        ("VRM 1 with fewer bones", vrm(body("", &ahead(biped())), VrmVersion::Vrm1, &fewer)),
        ("VRM 0", vrm(body("", &upright(biped())), VrmVersion::Vrm0, &[])),
        ("VRM 0 with fewer bones", vrm(body("", &upright(biped())), VrmVersion::Vrm0, &fewer)),
    ]
}

fn clips_file(without: &[B]) -> Model {
    let mut source = vrm(body("", &mixamo()), VrmVersion::Animation, without);
    bend(&mut source);
    random_clip(&mut source, Interpolation::Linear);
    random_clip(&mut source, Interpolation::Step);
    source
}

#[test]
fn retarget_vrm_clips_follow_the_formula_of_the_specification() {
    for without in [&[][..], &[B::UpperChest, B::LeftShoulder]] {
        let source = clips_file(without);
        for (label, target) in avatars() {
            let made = onto(&source, &target, &Options::default());
            assert_eq!(made.clips.len(), 3);
            let ratio = [&target, &source]
                .map(|model| world(model, None, 0.0)[bone_of(model, B::Hips).expect("hips")].translation.y);
            assert!((made.report.scale - ratio[0] / ratio[1]).abs() < 1e-9);
            for (i, clip) in made.clips.iter().enumerate() {
                let times = key_times(&source.clips[i]);
                let (worst, away) = deviation(&source, i, &target, clip, &times);
                assert!(worst < 1e-3 && away < 1e-5, "{label} {}: {worst}° {away} m", clip.name);
            }
        }
    }
}

/// If the avatar has all bones of the clip, each track is that of one bone, so that linear interpolation is the same
/// between the keys.
#[test]
fn retarget_vrm_clips_follow_the_formula_between_keys() {
    let source = clips_file(&[B::UpperChest]);
    let (label, target) = &avatars()[2];
    let made = onto(&source, target, &Options::default());
    let times: Vec<f64> = (0..150).map(|i| f64::from(i) * 0.01).collect();
    let (worst, away) = deviation(&source, 1, target, &made.clips[1], &times);
    assert!(worst < 0.1 && away < 1e-5, "{label}: {worst}° {away} m");
}

#[test]
fn retarget_rotations_by_directions_remain_an_option_and_the_default_of_other_files() {
    let source = clips_file(&[]);
    let (_, target) = &avatars()[0];
    let directions = Options { rotations: Rotations::Directions, ..Options::default() };
    let by_directions = onto(&source, target, &directions);
    let times = key_times(&source.clips[0]);
    let (worst, _) = deviation(&source, 0, target, &by_directions.clips[0], &times);
    assert!(worst > 20.0, "{worst}: the shins of the rest poses differ by 23°");
    // The same bodies without the extensions.
    let plain = |model: &Model| Model { humanoid: None, ..model.clone() };
    let map = Mode::Map { source: Vec::new(), target: Vec::new() };
    let bodies = [plain(&source), plain(target)];
    let made = onto(&bodies[0], &bodies[1], &Options { mode: map.clone(), ..Options::default() });
    let other = onto(&bodies[0], &bodies[1], &Options { mode: map.clone(), ..directions });
    assert_eq!(format!("{:?}", made.clips), format!("{:?}", other.clips));
    // On request the formula holds for them, too, except for the place of the hips.
    let relative = Options { mode: map, rotations: Rotations::Relative, ..Options::default() };
    let made = onto(&bodies[0], &bodies[1], &relative);
    let (worst, _) = deviation(&source, 0, target, &made.clips[0], &times);
    assert!(worst < 1e-3, "{worst}");
}

#[test]
fn retarget_vrm_clips_with_kept_hips_have_their_metres() {
    let source = clips_file(&[]);
    let (_, target) = &avatars()[0];
    let made = onto(&source, target, &Options { hips: Hips::Kept, ..Options::default() });
    let at = |model: &Model, clip: &Clip| {
        world(model, Some(clip), 0.5)[bone_of(model, B::Hips).expect("hips")].translation
    };
    assert!(at(target, &made.clips[1]).distance(at(&source, &source.clips[1])) < 1e-5);
    assert_eq!(made.report.scale, 1.0);
}

/// A nod of joints in the middle of the body, whose rest poses are equal although the files face opposite ways.
#[test]
fn retarget_nods_forwards_between_files_that_face_opposite_ways() {
    let spec = |axes| Spec { axes, roll: super::bodies::Roll::None, ..mixamo() };
    let make = |axes, version| {
        let mut model = vrm(body("", &spec(axes)), version, &[]);
        model.clips.clear();
        model
    };
    let (ahead, back) = (mixamo().axes, biped().axes);
    let mut source = make(ahead, VrmVersion::Animation);
    let head = NodeId::new(bone_of(&source, B::Head).expect("a head"));
    let nod = Quat::from_rotation_x(0.5).to_array();
    let curve = Curve::new(Interpolation::Linear, 4, vec![0.0], nod.to_vec()).expect("a key");
    let channels = vec![Channel { node: head, path: Path::Rotation, curve: 0 }];
    source.clips = vec![Arc::new(Clip { channels, curves: vec![curve], ..Clip::default() })];
    let mut plain = source.clone();
    plain.humanoid = None;
    for (version, is_old) in [(VrmVersion::Vrm0, true), (VrmVersion::Vrm1, false)] {
        let target = make(if is_old { back } else { ahead }, version);
        let mut other = target.clone();
        other.humanoid = None;
        for (from, to) in [(&source, &target), (&plain, &other), (&plain, &target)] {
            let made = onto(from, to, &Options::default());
            let node = bone_of(&target, B::Head).expect("a head");
            let turned = world(to, Some(&made.clips[0]), 0.0)[node].matrix3 * DVec3::Y;
            // The crown goes to the front.
            let forward = if is_old { -turned.z } else { turned.z };
            assert!((forward - 0.5_f64.sin()).abs() < 1e-6, "{version:?}: {turned}");
        }
    }
}

/// Files with a few bones are not valid, but their bones are named.
#[test]
fn retarget_vrm_clips_with_few_bones_move_these() {
    let all = vrm(body("", &mixamo()), VrmVersion::Animation, &[]);
    let bones: Vec<B> = all.humanoid.as_ref().expect("set").bones.iter().map(|(bone, _)| *bone).collect();
    let without: Vec<B> =
        bones.into_iter().filter(|bone| ![B::Hips, B::Spine, B::Head].contains(bone)).collect();
    let mut source = clips_file(&without);
    for (i, node) in source.nodes.iter_mut().enumerate() {
        node.name = format!("n{i}");
    }
    let (_, target) = &avatars()[2];
    let made = onto(&source, target, &Options::default());
    assert_eq!(made.report.mapped.len(), 3);
    let (worst, away) = deviation(&source, 1, target, &made.clips[1], &[0.25, 1.0]);
    assert!(worst < 1e-3 && away < 1e-5, "{worst}° {away} m");
}
