//! Channels, key times, values. A fault of one channel affects only that channel.

use crate::common::builder::{Builder, animated, triangle};
use crate::common::check::check;
use gambol::import::Imported;
use gambol::model::{Interpolation, Model, Path};
use serde_json::{Value, json};

/// The file with a second, valid channel, which must be kept.
fn two_channels() -> Builder {
    let mut file = animated();
    let good = json!({"sampler": 1, "target": {"node": 0, "path": "scale"}});
    let sampler = file.json["animations"][0]["samplers"][0].clone();
    file.json["animations"][0]["samplers"].as_array_mut().expect("an array").push(sampler);
    file.json["animations"][0]["channels"].as_array_mut().expect("an array").push(good);
    file
}

/// Breaks the first channel; the second must be kept. Returns code, pointer within the animation, and duration.
fn broken(change: impl FnOnce(&mut Builder)) -> (&'static str, String, f32) {
    let mut file = two_channels();
    change(&mut file);
    let (model, code, pointer) = file.repaired();
    let clip = &model.clips[0];
    assert_eq!(clip.channels.len(), 1, "{code}");
    assert_eq!(clip.channels[0].path, Path::Scale);
    (code, pointer.strip_prefix("/animations/0").expect("it is the animation's").to_owned(), clip.duration)
}

fn sampler(file: &mut Builder) -> &mut Value {
    &mut file.json["animations"][0]["samplers"][0]
}

/// Appends an entry for a second sampler or channel.
fn second<'a>(file: &'a mut Builder, key: &str) -> &'a mut Value {
    let array = file.json["animations"][0][key].as_array_mut().expect("an array");
    array.push(Value::Null);
    &mut array[1]
}

fn target(file: &mut Builder) -> &mut Value {
    &mut file.json["animations"][0]["channels"][0]["target"]
}

#[test]
fn broken_channels_do_not_affect_others() {
    let at = |code: &'static str, pointer: &str| (code, pointer.to_owned(), 2.5);
    let found = broken(|file| target(file)["node"] = json!(7));
    assert_eq!(found, at("import/index-out-of-range", "/channels/0/target/node"));
    let found = broken(|file| target(file)["path"] = json!("color"));
    assert_eq!(found, at("import/channel-ignored", "/channels/0/target"));
    let found = broken(|file| target(file)["path"] = json!("weights"));
    assert_eq!(found, at("import/channel-ignored", "/channels/0/target"));
    let found =
        broken(|file| file.json["animations"][0]["channels"][0] = json!({"sampler": 9, "target": {}}));
    assert_eq!(found, at("import/index-out-of-range", "/channels/0/sampler"));
    let found = broken(|file| *sampler(file) = json!({"input": 1}));
    assert_eq!(found, at("import/invalid-value", "/samplers/0"));
    let found = broken(|file| sampler(file)["input"] = json!("x"));
    assert_eq!(found, at("import/invalid-value", "/samplers/0/input"));
    let found = broken(|file| sampler(file)["input"] = json!(99));
    assert_eq!(found, at("import/index-out-of-range", "/samplers/0/input"));
    let found = broken(|file| sampler(file)["output"] = json!(99));
    assert_eq!(found, at("import/index-out-of-range", "/samplers/0/output"));
    let found = broken(|file| sampler(file)["output"] = json!(1));
    assert_eq!(found, at("import/accessor-type", "/samplers/0/output"));
    let found = broken(|file| sampler(file)["output"] = json!(file.floats("VEC3", &[0.0; 6])));
    assert_eq!(found, at("import/output-too-short", "/samplers/0/output"));
    let found = broken(|file| sampler(file)["interpolation"] = json!("CUBICSPLINE"));
    assert_eq!(found, at("import/output-too-short", "/samplers/0/output"));
    let values = [0.0, 0.0, 0.0, 0.0, f32::NAN, 0.0, 0.0, 0.0, 0.0];
    let found = broken(|file| sampler(file)["output"] = json!(file.floats("VEC3", &values)));
    assert_eq!(found, at("import/key-value-not-finite", "/samplers/0/output"));
    let found =
        broken(|file| sampler(file)["input"] = json!(file.floats("SCALAR", &[0.0, f32::INFINITY, 90.0])));
    assert_eq!(found, at("import/key-time-not-finite", "/samplers/0/input"));
    let found = broken(|file| sampler(file)["input"] = json!(file.floats("SCALAR", &[])));
    assert_eq!(found, at("import/no-keys", "/samplers/0/input"));
}

#[test]
fn interpolation_that_is_unknown_or_not_a_string_is_linear() {
    for wrong in [json!(0), json!(2), json!(true), json!([]), json!({}), json!("linear"), json!("")] {
        let mut file = animated();
        sampler(&mut file)["interpolation"] = wrong.clone();
        let (model, code, pointer) = file.repaired();
        assert_eq!(
            (code, &pointer[..]),
            ("import/invalid-value", "/animations/0/samplers/0/interpolation"),
            "{wrong}"
        );
        let curve = &model.clips[0].curves[0];
        assert_eq!((curve.interpolation(), curve.times().len()), (Interpolation::Linear, 3), "{wrong}");
    }
}

/// The first curve of a file, whose warnings must all have this code.
fn curve(file: &Builder, code: &str) -> (Vec<f32>, Vec<f32>, f32) {
    let Imported { model, warnings } = file.import().expect("it loads");
    check(&model);
    assert!(warnings.iter().all(|warning| warning.code == code), "{warnings:?}");
    assert_eq!(warnings.is_empty(), code.is_empty());
    let clip = &model.clips[0];
    (clip.curves[0].times().to_vec(), clip.curves[0].values().to_vec(), clip.duration)
}

#[test]
fn key_times_are_sorted() {
    //   file:  3    1    2    1    -1       sorted: -1  1(d)  2   3
    //   value: a    b    c    d     e
    let mut file = animated();
    *sampler(&mut file) = json!({
        "input": file.floats("SCALAR", &[3.0, 1.0, 2.0, 1.0, -1.0]),
        "output": file.floats("VEC3", &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0, 4.0, 4.0, 5.0, 5.0, 5.0]),
    });
    let (times, values, duration) = curve(&file, "import/key-times-unsorted");
    assert_eq!((times, duration), (vec![-1.0, 1.0, 2.0, 3.0], 3.0));
    assert_eq!(values, [5.0, 5.0, 5.0, 4.0, 4.0, 4.0, 3.0, 3.0, 3.0, 1.0, 1.0, 1.0]);
    sampler(&mut file)["input"] = json!(file.floats("SCALAR", &[-5.0, -4.0, -3.0, -2.0, -1.0]));
    assert_eq!(curve(&file, "").2, 0.0);
}

#[test]
fn excess_key_values_are_ignored() {
    let mut file = animated();
    sampler(&mut file)["output"] = json!(file.floats("VEC3", &[1.0; 12]));
    assert_eq!(curve(&file, "import/output-too-long").1, [1.0; 9]);
}

#[test]
fn rotations_are_made_unit() {
    let rotating = |values: &[f32], interpolation: &str| {
        let mut file = animated();
        target(&mut file)["path"] = json!("rotation");
        *sampler(&mut file) = json!({
            "input": file.floats("SCALAR", &[1.0]),
            "output": file.floats("VEC4", values),
            "interpolation": interpolation,
        });
        file
    };
    let half = 0.5f32.sqrt();
    assert_eq!(curve(&rotating(&[0.0, 0.0, 0.707, 0.707], "LINEAR"), "").1, [0.0, 0.0, half, half]);
    let wrong = "import/rotation-normalized";
    assert_eq!(curve(&rotating(&[0.0, 3.0, 0.0, 4.0], "STEP"), wrong).1, [0.0, 0.6, 0.0, 0.8]);
    assert_eq!(curve(&rotating(&[0.0; 4], "STEP"), wrong).1, [0.0, 0.0, 0.0, 1.0]);
    let cubic = [9.0, 8.0, 7.0, 6.0, 0.0, 3.0, 0.0, 4.0, 5.0, 4.0, 3.0, 2.0];
    let expected = [9.0, 8.0, 7.0, 6.0, 0.0, 0.6, 0.0, 0.8, 5.0, 4.0, 3.0, 2.0];
    assert_eq!(curve(&rotating(&cubic, "CUBICSPLINE"), wrong).1, expected);
    let mut integers = rotating(&[0.0; 4], "LINEAR");
    let bytes = [0i16, -32768, 0, 0].map(i16::to_le_bytes).concat();
    let view = integers.view(&bytes);
    let accessor =
        json!({"bufferView": view, "componentType": 5122, "normalized": true, "type": "VEC4", "count": 1});
    sampler(&mut integers)["output"] = json!(integers.push("accessors", accessor));
    assert_eq!(curve(&integers, "").1, [0.0, -1.0, 0.0, 0.0]);
}

#[test]
fn interpolations_are_read() {
    let mut file = animated();
    for (name, interpolation) in [("STEP", Interpolation::Step), ("LINEAR", Interpolation::Linear)] {
        sampler(&mut file)["interpolation"] = json!(name);
        assert_eq!(file.clean().clips[0].curves[0].interpolation(), interpolation);
    }
    sampler(&mut file)["interpolation"] = json!("CUBICSPLINE");
    sampler(&mut file)["output"] = json!(file.floats("VEC3", &[1.0; 27]));
    assert_eq!(file.clean().clips[0].curves[0].interpolation(), Interpolation::CubicSpline);
    sampler(&mut file)["interpolation"] = json!("BEZIER");
    let imported = file.import().expect("it loads");
    assert_eq!(imported.warnings[0].code, "import/invalid-value");
}

#[test]
fn clip_duration_includes_channels_that_are_ignored() {
    let longer = |target: Value, warned: bool| {
        let mut file = animated();
        let input = file.floats("SCALAR", &[0.0, 1.0, 7.5]);
        let output = file.json["animations"][0]["samplers"][0]["output"].clone();
        *second(&mut file, "samplers") = json!({"input": input, "output": output});
        *second(&mut file, "channels") = json!({"sampler": 1, "target": target});
        let Imported { model, warnings } = file.import().expect("it loads");
        check(&model);
        assert_eq!(warnings.len(), usize::from(warned), "{warnings:?}");
        assert_eq!(model.clips[0].duration, 7.5);
        model.clips[0].channels.len()
    };
    let pointer =
        |text: &str| json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": text}}});
    assert_eq!(longer(json!({"path": "translation"}), true), 1);
    assert_eq!(longer(json!({"node": 9, "path": "translation"}), true), 1);
    assert_eq!(longer(pointer("/materials/0/emissiveFactor"), true), 1);
    assert_eq!(longer(pointer("/nodes/0/scale"), false), 2);
    assert_eq!(longer(pointer("/nodes/0/translation"), true), 1); // a duplicate
    assert_eq!(longer(pointer("/nodes/9/scale"), true), 1);
    assert_eq!(longer(pointer("nodes"), true), 1);
    // The duration ignores samplers without a channel:
    let mut file = animated();
    let input = file.floats("SCALAR", &[99.0]);
    *second(&mut file, "samplers") = json!({"input": input, "output": 2});
    assert_eq!(file.clean().clips[0].duration, 2.5);
}

#[test]
fn duplicate_channels_use_the_last_one() {
    let mut file = animated();
    let output = file.floats("VEC3", &[9.0; 9]);
    *second(&mut file, "samplers") = json!({"input": 1, "output": output});
    *second(&mut file, "channels") = json!({"sampler": 1, "target": {"node": 0, "path": "translation"}});
    let (model, code, pointer) = file.repaired();
    assert_eq!((code, pointer.as_str()), ("import/channel-duplicate", "/animations/0/channels/1/target"));
    let clip = &model.clips[0];
    assert_eq!(clip.curves[clip.channels[0].curve].values()[0], 9.0);
}

/// A triangle with two morph targets on two nodes, and a clip of their weights.
fn morphing(target: Value) -> Model {
    let mut file = triangle();
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    file.push("nodes", json!({"mesh": 0}));
    file.push("nodes", json!({"mesh": 0, "weights": [1, 1]}));
    let input = file.floats("SCALAR", &[0.0, 1.0]);
    let output = file.floats("SCALAR", &[0.0, 0.1, 0.2, 0.3]);
    file.push(
        "animations",
        json!({
            "samplers": [{"input": input, "output": output}],
            "channels": [{"sampler": 0, "target": target}],
        }),
    );
    file.clean()
}

#[test]
fn morph_weights_are_as_wide_as_the_mesh_has_targets() {
    let clip = &morphing(json!({"node": 0, "path": "weights"})).clips[0];
    assert_eq!((clip.channels.len(), clip.curves[0].width()), (1, 2));
    assert_eq!(clip.curves[0].values(), [0.0, 0.1, 0.2, 0.3]);
    let pointer =
        |text: &str| json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": text}}});
    let clip = &morphing(pointer("/nodes/1/weights")).clips[0];
    assert_eq!(clip.channels[0].node.index(), 1);
    // The weights of a mesh apply to the nodes without their own weights.
    let clip = &morphing(pointer("/meshes/0/weights")).clips[0];
    let nodes: Vec<_> = clip.channels.iter().map(|channel| channel.node.index()).collect();
    assert_eq!((nodes, clip.curves.len()), (vec![0, 1], 1));
}

#[test]
fn empty_and_broken_animations_keep_their_index() {
    let mut file = animated();
    let good = file.json["animations"][0].take();
    file.json["animations"] = json!([{}, {"channels": 3, "samplers": "x", "name": "odd"}, good]);
    let model = file.clean();
    assert_eq!(model.clips.iter().map(|clip| clip.channels.len()).collect::<Vec<_>>(), [0, 0, 1]);
    assert_eq!((model.clips[1].name.as_str(), model.clips[2].name.as_str()), ("odd", "move"));
    assert_eq!(model.clips[0].duration, 0.0);
}

#[test]
fn markers_are_read_and_invalid_ones_skipped() {
    let mut file = animated();
    file.json["animations"][0]["extras"] = json!({"other": 1, "markers": [
        {"name": "late", "time": 2.5, "color": "red"},
        {"name": 7, "time": 1.0},
        {"name": "no time"},
        {"name": "text", "time": "1"},
        {"name": "early", "time": -0.5},
        {"name": "", "time": 0},
        null,
        {"name": "Füße", "time": 0.7},
        {"name": "beyond", "time": 1e300},
    ]});
    let Imported { model, warnings } = crate::common::check::import(&file.glb()).expect("a good file");
    let markers: Vec<_> = model.clips[0].markers.iter().map(|marker| (&*marker.name, marker.time)).collect();
    assert_eq!(markers, [("", 0.0), ("Füße", 0.7), ("late", 2.5)]);
    let words = "The marker has no name or no time within the clip; it is skipped (6 times: markers 1, 2, 3, 4, 6, 8)";
    let found: Vec<_> = warnings.iter().map(|warning| (warning.code, &warning.message[..])).collect();
    assert_eq!(found, [("import/marker-ignored", words)]);
    assert_eq!(warnings[0].pointer, "/animations/0/extras/markers/1");
}

#[test]
fn marker_at_the_end_is_kept_if_the_end_is_rounded() {
    let mut file = animated();
    // The nearest f32 is below 0.7.
    let input = file.floats("SCALAR", &[0.0, 0.1, 0.7]);
    file.json["animations"][0]["samplers"][0]["input"] = json!(input);
    file.json["animations"][0]["extras"] = json!({"markers": [{"name": "end", "time": 0.7}]});
    let Imported { model, warnings } = crate::common::check::import(&file.glb()).expect("a good file");
    assert!(warnings.is_empty());
    let clip = &model.clips[0];
    assert_eq!(clip.markers.iter().map(|marker| marker.time).collect::<Vec<_>>(), [f64::from(clip.duration)]);
}

#[test]
fn duplicate_channels_of_a_clip_have_one_warning() {
    let mut file = animated();
    let channel = file.json["animations"][0]["channels"][0].clone();
    file.json["animations"][0]["channels"] = json!(vec![channel; 88]);
    let again = file.json["animations"][0].clone();
    file.push("animations", again);
    let warnings = file.import().expect("it loads").warnings;
    let told: Vec<_> = warnings
        .iter()
        .map(|warning| (warning.code, warning.pointer.clone(), &warning.message[..]))
        .collect();
    let words = "An earlier channel animates the same property; the last one is used (87 times: channels 1, 2, 3, 4, 5, 6, 7, 8 and 79 more)";
    let of =
        |clip: usize| ("import/channel-duplicate", format!("/animations/{clip}/channels/1/target"), words);
    assert_eq!(told, [of(0), of(1)]);
}
