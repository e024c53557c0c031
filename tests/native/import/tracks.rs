//! Clips from lists of numbers: invalid lists first, then lists compared with files that have the same numbers.

use crate::common::builder::{Builder, triangle};
use crate::common::models::models;
use crate::common::random::Random;
use gambol::animation::{Actor, ClipSet, LayerOptions, Rig, Source};
use gambol::import::{Track, TrackError, TrackTarget, clip_from_tracks};
use gambol::model::{Clip, ClipId, Interpolation, Marker, Model, NodeId, Path, Property};
use serde_json::json;
use std::rc::Rc;

/// A file with a node of two morph targets, one without, a material, a camera and a light.
fn file() -> Builder {
    let mut file = triangle();
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    file.json["nodes"] = json!([
        {"mesh": 0, "children": [1, 2]},
        {"mesh": 0, "weights": [0.5, 0.75]},
        {"camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}},
        {"mesh": 0},
    ]);
    file.json["scenes"] = json!([{ "nodes": [0, 3] }]);
    file.push("materials", json!({ "pbrMetallicRoughness": { "roughnessFactor": 0.25 } }));
    file.push("cameras", json!({"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}}));
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"type": "point", "intensity": 3}]}});
    file
}

fn model() -> Model {
    file().import().expect("it loads").model
}

fn track(target: TrackTarget, interpolation: &str, times: &[f32], values: &[f32]) -> Track {
    Track { target, interpolation: interpolation.to_owned(), times: times.to_vec(), values: values.to_vec() }
}

fn node(node: usize, path: &str) -> TrackTarget {
    TrackTarget::Node { node, path: path.to_owned() }
}

fn pointer(text: &str) -> TrackTarget {
    TrackTarget::Pointer(text.to_owned())
}

#[test]
fn clip_from_tracks_reports_the_place_of_each_fault() {
    let good = || track(node(0, "translation"), "LINEAR", &[0.0, 1.0], &[0.0; 6]);
    let times = |times: &[f32]| track(node(0, "translation"), "LINEAR", times, &vec![0.0; 3 * times.len()]);
    let linear = |target, values: &[f32]| track(target, "LINEAR", &[0.0, 1.0], values);
    let unit = [0.0, 0.0, 0.0, 1.0];
    let turned = |value: [f32; 4]| [unit, value].concat();
    let spline = [[0.0; 4], unit, [9.0; 4], [0.0; 4], [0.0, 0.5, 0.0, 0.0], [0.0; 4]].concat();
    let visible = "/nodes/1/extensions/KHR_node_visibility/visible";
    let cases = [
        (times(&[]), "import/no-keys", "tracks[1].times"),
        (times(&[0.0, f32::NAN]), "import/key-time-not-finite", "tracks[1].times[1]"),
        (times(&[f32::INFINITY, 0.0]), "import/key-time-not-finite", "tracks[1].times[0]"),
        (times(&[0.0, 1.0, 1.0]), "import/key-times-unsorted", "tracks[1].times[2]"),
        (times(&[0.0, 2.0, 1.0, 3.0]), "import/key-times-unsorted", "tracks[1].times[2]"),
        (linear(node(1, "scale"), &[1.0; 5]), "import/output-too-short", "tracks[1].values"),
        (linear(node(1, "scale"), &[1.0; 7]), "import/output-too-long", "tracks[1].values"),
        (linear(node(1, "scale"), &[]), "import/output-too-short", "tracks[1].values"),
        (
            track(node(1, "scale"), "CUBICSPLINE", &[0.0, 1.0], &[1.0; 6]),
            "import/output-too-short",
            "tracks[1].values",
        ),
        (
            linear(node(1, "scale"), &[1.0, 1.0, 1.0, 1.0, f32::NAN, 1.0]),
            "import/key-value-not-finite",
            "tracks[1].values[4]",
        ),
        (
            linear(node(1, "rotation"), &turned([0.0, f32::INFINITY, 0.0, 0.0])),
            "import/key-value-not-finite",
            "tracks[1].values[5]",
        ),
        (
            linear(node(1, "rotation"), &turned([1.0, 0.0, 0.0, 1.0])),
            "import/rotation-normalized",
            "tracks[1].values[4]",
        ),
        (linear(node(1, "rotation"), &turned([0.0; 4])), "import/rotation-normalized", "tracks[1].values[4]"),
        (
            track(node(1, "rotation"), "CUBICSPLINE", &[0.0, 1.0], &spline),
            "import/rotation-normalized",
            "tracks[1].values[16]",
        ),
        (linear(node(9, "scale"), &[1.0; 6]), "import/index-out-of-range", "tracks[1].node"),
        (linear(node(usize::MAX, "scale"), &[1.0; 6]), "import/index-out-of-range", "tracks[1].node"),
        (linear(node(1, "matrix"), &[1.0; 6]), "import/channel-ignored", "tracks[1].path"),
        (linear(node(2, "weights"), &[1.0; 4]), "import/channel-ignored", "tracks[1].path"),
        (linear(node(1, "weights"), &[1.0; 2]), "import/output-too-short", "tracks[1].values"),
        (
            linear(pointer("/materials/7/emissiveFactor"), &[1.0; 6]),
            "import/channel-ignored",
            "tracks[1].pointer",
        ),
        (linear(pointer(""), &[1.0; 2]), "import/channel-ignored", "tracks[1].pointer"),
        (
            linear(pointer("/materials/0/pbrMetallicRoughness/roughnessFactor"), &[1.0]),
            "import/output-too-short",
            "tracks[1].values",
        ),
        (linear(pointer(visible), &[1.0, 0.0]), "import/invalid-value", "tracks[1].interpolation"),
        (linear(node(0, "translation"), &[1.0; 6]), "import/channel-duplicate", "tracks[1]"),
        (
            track(node(1, "scale"), "Linear", &[0.0, 1.0], &[1.0; 6]),
            "import/invalid-value",
            "tracks[1].interpolation",
        ),
    ];
    let model = model();
    for (bad, code, place) in cases {
        let error = clip_from_tracks(&model, "Bad", &[good(), bad], &[]).expect_err(place);
        let TrackError { message, .. } = &error;
        assert_eq!((error.code, error.place.as_str()), (code, place), "{message}");
        // The repair that a file would get is not made.
        assert!(!message.contains("; ") && !message.ends_with('.'), "{message}");
        assert_eq!(error.to_string(), format!("{message} (at {place})."));
    }
    let single = TrackTarget::Weights(vec![(NodeId::new(1), 0)]);
    let both = [linear(node(1, "weights"), &[1.0; 4]), linear(single, &[1.0; 2])];
    let error = clip_from_tracks(&model, "Bad", &both, &[]).expect_err("the weight is animated twice");
    assert_eq!((error.code, error.place.as_str()), ("import/channel-duplicate", ""));
    for (time, ok) in [(0.0, true), (1.0, true), (1.5, false), (-0.1, false), (f64::NAN, false)] {
        let marker = Marker { name: "step".to_owned(), time };
        let made = clip_from_tracks(&model, "Marked", &[good()], &[marker.clone(), marker]);
        match made {
            Ok(clip) => assert!(ok && clip.markers.len() == 2 && clip.markers[0].time == time),
            Err(error) => {
                assert_eq!(
                    (error.code, error.place.as_str(), ok),
                    ("import/marker-ignored", "markers[0]", false)
                );
            }
        }
    }
}

/// The tracks of a clip, as a page reads them.
fn tracks_of(clip: &Clip, model: &Model) -> Vec<Track> {
    let made = |target, curve: usize| {
        let curve = &clip.curves[curve];
        let interpolation = match curve.interpolation() {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        track(target, interpolation, curve.times(), curve.values())
    };
    let nodes = clip.channels.iter().map(|channel| {
        let path = match channel.path {
            Path::Translation => "translation",
            Path::Rotation => "rotation",
            Path::Scale => "scale",
            Path::Weights => "weights",
        };
        made(node(model.nodes[channel.node.index()].source as usize, path), channel.curve)
    });
    let properties =
        clip.properties.iter().map(|channel| made(pointer(&channel.property.pointer(model)), channel.curve));
    nodes.chain(properties).collect()
}

fn bits(curves: &[gambol::model::Curve]) -> Vec<Vec<u32>> {
    let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
    curves.iter().map(|curve| [bits(curve.times()), bits(curve.values())].concat()).collect()
}

#[test]
fn clip_from_tracks_has_the_bits_of_the_clip_that_the_tracks_were_read_from() {
    for (name, model) in models(&["CesiumMan.glb", "MorphStressTest.glb", "InterpolationTest.glb"]) {
        for clip in &model.clips {
            let tracks = tracks_of(clip, &model);
            let again = clip_from_tracks(&model, &clip.name, &tracks, &clip.markers)
                .unwrap_or_else(|error| panic!("{name}, {}: {error}", clip.name));
            assert_eq!((&again.name, &again.markers), (&clip.name, &clip.markers));
            assert_eq!(again.duration.to_bits(), clip.duration.to_bits(), "{name}, {}", clip.name);
            let curves = |clip: &Clip| {
                let channels = clip.channels.iter().map(|channel| channel.curve);
                let all = channels.chain(clip.properties.iter().map(|channel| channel.curve));
                bits(&all.map(|curve| clip.curves[curve].clone()).collect::<Vec<_>>())
            };
            assert_eq!(curves(&again), curves(clip), "{name}, {}", clip.name);
        }
    }
}

#[test]
fn clip_from_tracks_normalizes_other_rotations_as_a_file() {
    let values = [0.0, 0.0, 0.0, 0.995, 0.6, 0.0, 0.0, 0.8, 0.1, 0.2, 0.3, 0.92736185];
    let times = [0.0, 0.5, 1.0];
    let mut with = file();
    let clip = with.clip("Turn");
    let accessors = (with.floats("SCALAR", &times), with.floats("VEC4", &values));
    with.channel(clip, (1, "rotation"), "LINEAR", accessors);
    let of_file = with.import().expect("it loads").model;
    let made =
        clip_from_tracks(&model(), "Turn", &[track(node(1, "rotation"), "LINEAR", &times, &values)], &[]);
    let (made, of_file) = (made.expect("unit within 1 %"), &of_file.clips[0]);
    for (made, of_file) in made.curves[0].values().iter().zip(of_file.curves[0].values()) {
        assert!((made - of_file).abs() <= f32::EPSILON, "{made} {of_file}");
    }
    assert_eq!(made.curves[0].values()[3], 1.0);
}

/// A clip of every kind of target and interpolation, as tracks; also as a file, in the clip `Everything`.
fn everything() -> (Vec<Track>, Model) {
    let times = [0.0, 0.75, 2.0];
    let turn = [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5];
    let mut spline: Vec<f32> = (0..36).map(|i| (i as f32 * 0.7).sin()).collect();
    for (row, unit) in spline.chunks_exact_mut(12).zip(turn.chunks_exact(4)) {
        row[4..8].copy_from_slice(unit);
    }
    let wave = |count: usize| -> Vec<f32> { (0..count).map(|i| (i as f32).cos()).collect() };
    let list = [
        (Some((0, "translation")), "", "LINEAR", "VEC3", wave(9)),
        (Some((0, "rotation")), "", "CUBICSPLINE", "VEC4", spline),
        (Some((1, "rotation")), "", "LINEAR", "VEC4", turn.to_vec()),
        (Some((1, "scale")), "", "STEP", "VEC3", wave(9)),
        (Some((2, "translation")), "", "CUBICSPLINE", "VEC3", wave(27)),
        (Some((1, "weights")), "", "LINEAR", "SCALAR", wave(6)),
        (None, "/meshes/0/weights", "CUBICSPLINE", "SCALAR", wave(18)),
        (None, "/materials/0/pbrMetallicRoughness/baseColorFactor", "LINEAR", "VEC4", wave(12)),
        (None, "/materials/0/pbrMetallicRoughness/metallicFactor", "STEP", "SCALAR", wave(3)),
        (None, "/cameras/0/perspective/yfov", "LINEAR", "SCALAR", wave(3)),
        (None, "/extensions/KHR_lights_punctual/lights/0/color", "LINEAR", "VEC3", wave(9)),
        (None, "/nodes/2/extensions/KHR_node_visibility/visible", "STEP", "SCALAR", vec![1.0, 0.0, 1.0]),
    ];
    let mut file = file();
    let clip = file.clip("Everything");
    let input = file.floats("SCALAR", &times);
    let mut tracks = Vec::new();
    for (target, at, interpolation, kind, values) in list {
        let output = file.floats(kind, &values);
        match target {
            Some((index, path)) => {
                file.channel(clip, (index, path), interpolation, (input, output));
                tracks.push(track(node(index, path), interpolation, &times, &values));
            }
            None => {
                file.point(clip, at, interpolation, (input, output));
                tracks.push(track(pointer(at), interpolation, &times, &values));
            }
        }
    }
    (tracks, file.import().expect("it loads").model)
}

#[test]
fn clip_from_tracks_plays_as_the_file_with_the_same_numbers_also_properties_that_no_clip_had() {
    let (tracks, of_file) = everything();
    let model = model();
    assert!(model.clips.is_empty());
    let made = clip_from_tracks(&model, "Everything", &tracks, &[]).expect("it is valid");
    assert_eq!(made.duration, 2.0);
    let mut set = ClipSet::new(&model, Rc::new(Rig::new(&model)));
    assert!(set.rig.rest_pose().properties.is_empty());
    set.add(&model, vec![made.into()]);
    let reference = Rig::new(&of_file);
    let (mut want, mut got) = (reference.rest_pose().clone(), set.rig.rest_pose().clone());
    assert_eq!(got.properties.len(), want.properties.len());
    let properties: Vec<Property> =
        of_file.clips[0].properties.iter().map(|channel| channel.property).collect();
    assert_eq!(properties.len(), 5);
    for i in -4..44 {
        let time = f64::from(i) * 0.05;
        reference.sample(ClipId::new(0), time, &mut want);
        set.rig.sample(ClipId::new(0), time, &mut got);
        for node in 0..model.nodes.len() {
            assert_eq!(got.get(NodeId::new(node)), want.get(NodeId::new(node)), "node {node} at {time}");
        }
        assert_eq!(got.weights, want.weights, "at {time}");
        for &property in &properties {
            let range = |rig: &Rig| rig.layout.properties.range(property).expect("it is animated");
            let (got, want) = (&got.properties[range(&set.rig)], &want.properties[range(&reference)]);
            assert_eq!(got, want, "{property:?} at {time}");
        }
        let (mut shown, mut wanted) = (Vec::new(), Vec::new());
        set.rig.visibility(&got, &mut shown);
        reference.visibility(&want, &mut wanted);
        assert_eq!(shown, wanted, "at {time}");
    }
}

#[test]
fn actors_gain_properties_while_they_mix_and_change_clips() {
    let (tracks, of_file) = everything();
    let plain = model();
    let first = clip_from_tracks(&plain, "Slide", &tracks[..1], &[]).expect("it is valid");
    let rest = Rc::new(Rig::new(&plain));
    let mut set = ClipSet::new(&plain, Rc::clone(&rest));
    set.add(&plain, vec![first.clone().into(), first.into()]);
    let mut actor = Actor::new(&plain, rest);
    actor.update_clips(&plain, &set);
    let [slide, other] = [0, 1].map(ClipId::new);
    actor.player.play(Some(slide));
    actor.player.add_layer(LayerOptions { weight: 0.5, ..LayerOptions::new(Source::Clip(other)) });
    actor.player.advance(0.1);
    actor.update();
    actor.player.presented();
    // An inertial transition has poses from before the change.
    actor.player.play(Some(other));
    actor.player.advance(0.05);
    actor.update();
    let more = clip_from_tracks(&plain, "Everything", &tracks[1..], &[]).expect("it is valid");
    set.add(&plain, vec![more.into()]);
    actor.update_clips(&plain, &set);
    actor.player.advance(0.05);
    actor.update();
    assert_eq!(actor.pose().properties.len(), Rig::new(&of_file).rest_pose().properties.len());
    let everything = ClipId::new(2);
    actor.player.play(Some(everything));
    for _ in 0..20 {
        actor.player.advance(0.05);
        actor.update();
        actor.player.presented();
    }
    let color = of_file.clips[0].properties[0].property;
    let at = set.rig.layout.properties.range(color).expect("it is animated").start;
    let rest = set.rig.rest_pose().properties[at];
    assert_ne!(actor.pose().properties[at], rest, "the colour is animated");
    actor.update_to(Some(slide), 0.5);
    assert_eq!(actor.pose().properties[at], rest, "the other clips leave it as it is");
}

#[test]
fn clip_from_random_tracks_is_an_error_or_a_valid_clip() {
    let model = model();
    let mut random = Random(0x7ac5);
    let (mut made, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let tracks: Vec<Track> = (0..random.below(3))
            .map(|_| {
                let keys = random.below(4);
                let mut number = || match random.below(24) {
                    0 => f32::NAN,
                    1 => f32::MAX,
                    2 => f32::MIN_POSITIVE,
                    n => n as f32 * 0.25,
                };
                let mut times: Vec<f32> = (0..keys).map(|_| number()).collect();
                let values: Vec<f32> = (0..keys * 12).map(|_| number()).collect();
                if random.below(4) > 0 {
                    times.sort_by(f32::total_cmp);
                }
                let path = ["translation", "rotation", "scale", "weights", "skew"][random.below(5)];
                let target = match random.below(5) {
                    0 => {
                        pointer(["/materials/0/emissiveFactor", "/nodes/0/weights/1", "/x"][random.below(3)])
                    }
                    1 => TrackTarget::Weights(vec![(NodeId::new(0), 1)]),
                    _ => node(random.below(5), path),
                };
                let width = [1, 2, 3, 4, 6, 9, 12][random.below(7)];
                let values = &values[..(keys * width).min(values.len())];
                let interpolation = ["STEP", "LINEAR", "CUBICSPLINE", ""][random.below(4)];
                track(target, interpolation, &times, values)
            })
            .collect();
        match clip_from_tracks(&model, "Random", &tracks, &[]) {
            Ok(clip) => {
                made += 1;
                let mut set = ClipSet::new(&model, Rc::new(Rig::new(&model)));
                set.add(&model, vec![clip.into()]);
                let mut pose = set.rig.rest_pose().clone();
                set.rig.sample(ClipId::new(0), 0.3, &mut pose);
            }
            Err(error) => {
                refused += 1;
                assert!(error.place.is_empty() || error.place.starts_with("tracks["), "{error}");
            }
        }
    }
    assert!(made > 500 && refused > 5000, "{made} {refused}");
}
