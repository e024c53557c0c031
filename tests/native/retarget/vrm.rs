//! Human bones and expressions of VRM files: faults first, then maps and clips.

use super::bodies::{body, mixamo};
use super::world::sample;
use crate::common::builder::{Builder, skinned, triangle};
use gambol::animation::retarget::{Convention, HumanoidMap, Options, retarget};
use gambol::model::{
    Channel, Curve, Expression, HumanBone, Humanoid, Interpolation, Model, MorphBind, Node, NodeId, Path,
    VrmVersion,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// The humanoid of a file with this extension, and its warnings.
fn read(extension: &str, value: Value) -> (Humanoid, Vec<(&'static str, String)>) {
    let mut file = faces();
    file.json["extensionsUsed"] = json!([extension]);
    file.json["extensions"] = json!({extension: value});
    let imported = file.import().expect("a fault of the extension is no error");
    let humanoid = imported.model.humanoid.expect("the file has the extension");
    let warnings = imported.warnings.into_iter().map(|warning| (warning.code, warning.pointer));
    // The other parts of an avatar are not used.
    (*humanoid, warnings.filter(|(code, _)| *code != "import/extension-ignored").collect())
}

/// Three nodes: a mesh with two morph targets, and two joints.
fn faces() -> Builder {
    let mut file = skinned();
    let deltas = file.floats("VEC3", &[0.1; 9]);
    let primitive = &mut file.json["meshes"][0]["primitives"][0];
    primitive["targets"] = json!([{"POSITION": deltas}, {"POSITION": deltas}]);
    file
}

fn warned(extension: &str, value: Value, want: &[(&str, &str)]) {
    let text = value.to_string();
    let (_, warnings) = read(extension, value);
    let got: Vec<(&str, &str)> = warnings.iter().map(|(code, pointer)| (*code, &pointer[..])).collect();
    let want: Vec<(&str, String)> =
        want.iter().map(|(code, at)| (*code, format!("/extensions/{extension}/{at}"))).collect();
    let want: Vec<(&str, &str)> = want.iter().map(|(code, at)| (*code, &at[..])).collect();
    assert_eq!(got, want, "{text}");
}

const VALUE: &str = "import/invalid-value";
const INDEX: &str = "import/index-out-of-range";

#[test]
fn vrm_faults_are_warnings_with_pointers() {
    for value in [json!({}), json!(7), json!({"humanoid": []}), json!({"humanoid": {"humanBones": 1}})] {
        for name in ["VRM", "VRMC_vrm", "VRMC_vrm_animation"] {
            warned(name, value.clone(), &[(VALUE, "humanoid/humanBones")]);
        }
    }
    let bones = |bones: Value| json!({"humanoid": {"humanBones": bones}});
    warned("VRMC_vrm", bones(json!({"tail": {"node": 1}})), &[(VALUE, "humanoid/humanBones/tail")]);
    warned("VRMC_vrm", bones(json!({"a/b~": {"node": 1}})), &[(VALUE, "humanoid/humanBones/a~1b~0")]);
    warned("VRMC_vrm", bones(json!({"hips": {"node": 9}})), &[(INDEX, "humanoid/humanBones/hips/node")]);
    for node in [json!({}), json!({"node": -1}), json!({"node": "1"}), json!(3), json!({"node": 1.5})] {
        warned("VRMC_vrm_animation", bones(json!({"hips": node})), &[(VALUE, "humanoid/humanBones/hips")]);
    }
    let twice = json!({"hips": {"node": 1}, "spine": {"node": 1}});
    warned("VRMC_vrm", bones(twice), &[(VALUE, "humanoid/humanBones/spine")]);
    let list = json!([{"bone": "hips", "node": 1}, {"bone": "hips", "node": 2}, {"node": 2}]);
    let at = ["humanoid/humanBones/1", "humanoid/humanBones/2"];
    warned("VRM", bones(list), &at.map(|at| (VALUE, at)));
    let (humanoid, _) = read("VRM", bones(json!([{"bone": "hips", "node": 1}, {"bone": "hips", "node": 2}])));
    assert_eq!(humanoid.bones, [(HumanBone::Hips, NodeId::new(1))], "the first one counts");
}

#[test]
fn vrm_faults_of_expressions_are_warnings_with_pointers() {
    let with = |key: &str, value: Value| json!({"humanoid": {"humanBones": {}}, key: value});
    let bind = |bind: Value| with("expressions", json!({"preset": {"happy": {"morphTargetBinds": [bind]}}}));
    let at = "expressions/preset/happy/morphTargetBinds/0";
    warned("VRMC_vrm", bind(json!({})), &[(VALUE, at)]);
    warned("VRMC_vrm", bind(json!({"node": 8, "index": 0})), &[(INDEX, &format!("{at}/node"))]);
    warned("VRMC_vrm", bind(json!({"node": 0})), &[(VALUE, at)]);
    warned("VRMC_vrm", bind(json!({"node": 0, "index": 2})), &[(INDEX, &format!("{at}/index"))]);
    warned("VRMC_vrm", bind(json!({"node": 1, "index": 0})), &[(INDEX, &format!("{at}/index"))]);
    let weight = format!("{at}/weight");
    warned("VRMC_vrm", bind(json!({"node": 0, "index": 0, "weight": "1"})), &[(VALUE, &weight)]);
    let driver = |value: Value| with("expressions", json!({"custom": {"x": value}}));
    warned("VRMC_vrm_animation", driver(json!({})), &[(VALUE, "expressions/custom/x")]);
    warned("VRMC_vrm_animation", driver(json!({"node": 3})), &[(INDEX, "expressions/custom/x/node")]);
    let group = |value: Value| json!({"humanoid": {"humanBones": []}, "blendShapeMaster": {"blendShapeGroups": [{"binds": [value]}]}});
    let at = "blendShapeMaster/blendShapeGroups/0/binds/0";
    warned("VRM", group(json!({"index": 0})), &[(VALUE, at)]);
    warned("VRM", group(json!({"mesh": 4, "index": 0})), &[(VALUE, at)]);
    warned("VRM", group(json!({"mesh": 0, "index": 5})), &[(INDEX, &format!("{at}/index"))]);
    warned("VRM", group(json!({"mesh": 0, "index": 0, "weight": "1"})), &[(VALUE, &format!("{at}/weight"))]);
}

#[test]
fn vrm_bones_and_expressions_of_each_version() {
    let (vrm, warnings) = read(
        "VRM",
        json!({
            "humanoid": {"humanBones": [{"bone": "leftThumbProximal", "node": 2}, {"bone": "hips", "node": 1}]},
            "blendShapeMaster": {"blendShapeGroups": [
                {"name": "Joy", "presetName": "joy", "binds": [{"mesh": 0, "index": 1, "weight": 50}]},
                {"name": "Own", "presetName": "unknown", "binds": []},
            ]},
        }),
    );
    assert!(warnings.is_empty());
    assert_eq!(vrm.version, VrmVersion::Vrm0);
    let bones = [(HumanBone::Hips, NodeId::new(1)), (HumanBone::LeftThumbMetacarpal, NodeId::new(2))];
    assert_eq!(vrm.bones, bones, "the thumb of VRM 0 begins with VRM 1's metacarpal");
    let names: Vec<&str> = vrm.expressions.iter().map(|expression| &expression.name[..]).collect();
    assert_eq!(names, ["happy", "Own"]);
    let bind = vrm.expressions[0].binds[0];
    assert_eq!((bind.node.index(), bind.target, bind.weight), (0, 1, 0.5));

    let expressions = json!({"preset": {"blink": {"morphTargetBinds": [{"node": 0, "index": 1, "weight": 0.75}]}}, "custom": {"wow": {}}});
    let humanoid = json!({"humanBones": {"hips": {"node": 1}, "leftThumbProximal": {"node": 2}}});
    let (vrm, warnings) = read("VRMC_vrm", json!({"humanoid": humanoid, "expressions": expressions}));
    assert!(warnings.is_empty());
    assert_eq!((vrm.version, vrm.bones[1].0), (VrmVersion::Vrm1, HumanBone::LeftThumbProximal));
    assert_eq!(vrm.expressions[0].binds[0].weight, 0.75);
    assert_eq!((&vrm.expressions[1].name[..], vrm.expressions[1].binds.len()), ("wow", 0));

    let expressions = json!({"preset": {"happy": {"node": 2}}});
    let (vrm, warnings) =
        read("VRMC_vrm_animation", json!({"humanoid": humanoid, "expressions": expressions}));
    assert!(warnings.is_empty());
    assert_eq!(vrm.version, VrmVersion::Animation);
    assert_eq!(vrm.expressions[0].driver, Some(NodeId::new(2)));
    // A file without the extensions has no humanoid.
    assert!(triangle().import().expect("a file").model.humanoid.is_none());
}

/// A body whose bones only a VRM extension names.
fn anonymous(version: VrmVersion) -> Model {
    let body = body("vrm", &mixamo());
    let mut model = body.model;
    for (i, node) in model.nodes.iter_mut().enumerate() {
        node.name = format!("n{i}");
    }
    let bones = body.nodes.into_iter().chain([(HumanBone::Spine, NodeId::new(2))]).collect();
    model.humanoid = Some(Box::new(Humanoid { version, bones, expressions: Vec::new() }));
    model
}

#[test]
fn retarget_map_of_vrm_files() {
    for (version, convention) in [
        (VrmVersion::Vrm0, Convention::Vrm0),
        (VrmVersion::Vrm1, Convention::Vrm1),
        (VrmVersion::Animation, Convention::VrmAnimation),
    ] {
        let map = HumanoidMap::find(&anonymous(version)).expect("a humanoid");
        assert_eq!(map.convention, convention);
        assert!(map.is_complete());
        assert_eq!(map.spine(), [NodeId::new(2)], "as the extension says");
    }
    // Incomplete extensions are not enough; the shape is.
    let mut model = anonymous(VrmVersion::Vrm1);
    model.humanoid.as_mut().expect("set").bones.truncate(3);
    assert_eq!(HumanoidMap::find(&model).map(|map| map.convention), Some(Convention::Structure));
}

/// Adds a node with X translations to the first clip.
fn driver(source: &mut Model, interpolation: Interpolation, values: &[f32], times: &[f32]) -> NodeId {
    let node = NodeId::new(source.nodes.len());
    source.nodes.push(Node { name: "x".to_owned(), ..Node::default() });
    let rows = values.iter().flat_map(|value| [*value, 0.0, 0.0]).collect();
    let curve = Curve::new(interpolation, 3, times.to_vec(), rows).expect("good keys");
    let clip = Arc::make_mut(&mut source.clips[0]);
    clip.channels.push(Channel { node, path: Path::Translation, curve: clip.curves.len() });
    clip.curves.push(curve);
    node
}

#[test]
fn retarget_expressions_of_a_vrm_clip_become_morph_tracks() {
    let mut source = anonymous(VrmVersion::Animation);
    let mut target = anonymous(VrmVersion::Vrm1);
    let face = NodeId::new(target.nodes.len());
    target.nodes.push(Node { weights: vec![0.0, 0.25, 0.0], ..Node::default() });
    let happy = driver(&mut source, Interpolation::Linear, &[0.0, 1.0, 0.5], &[0.0, 0.5, 1.0]);
    let blink = driver(&mut source, Interpolation::Linear, &[0.0, 0.0, 1.0], &[0.0, 0.25, 0.5]);
    let of = |name: &str, driver: Option<NodeId>, binds: &[(usize, f32)]| Expression {
        name: name.to_owned(),
        driver,
        binds: binds.iter().map(|&(target, weight)| MorphBind { node: face, target, weight }).collect(),
        ..Expression::default()
    };
    let expressions =
        vec![of("happy", Some(happy), &[]), of("blink", Some(blink), &[]), of("sad", None, &[])];
    source.humanoid.as_mut().expect("set").expressions = expressions;
    target.humanoid.as_mut().expect("set").expressions =
        vec![of("blink", None, &[(1, 0.5), (2, 1.0)]), of("happy", None, &[(0, 0.8)])];
    let made = retarget(&source, None, &target, &Options::default()).expect("both are humanoids");
    let clip = &made.clips[0];
    let channel = clip.channels.iter().find(|channel| channel.path == Path::Weights).expect("a morph track");
    assert_eq!(channel.node, face);
    let curve = &clip.curves[channel.curve];
    assert_eq!(curve.times(), [0.0, 0.25, 0.5, 1.0], "the keys of both");
    let want = [0.0, 0.25, 0.0, 0.4, 0.25, 0.0, 0.8, 0.75, 1.0, 0.4, 0.75, 1.0];
    assert!(
        curve.values().iter().zip(want).all(|(got, want): (&f32, f32)| (got - want).abs() < 1e-6),
        "{curve:?}"
    );
}

/// The weight of a morph target that one expression drives, at some times.
fn driven(interpolation: Interpolation, values: &[f32], times: &[f32], is_binary: bool) -> (Curve, Vec<f64>) {
    let (mut source, mut target) = (anonymous(VrmVersion::Animation), anonymous(VrmVersion::Vrm1));
    let node = NodeId::new(target.nodes.len());
    target.nodes.push(Node { weights: vec![0.0], ..Node::default() });
    let driver = driver(&mut source, interpolation, values, times);
    let of = |driver, binds, is_binary| Expression {
        name: "happy".to_owned(),
        driver,
        binds,
        is_binary,
        ..Expression::default()
    };
    source.humanoid.as_mut().expect("set").expressions = vec![of(Some(driver), Vec::new(), false)];
    let bind = MorphBind { node, target: 0, weight: 0.5 };
    target.humanoid.as_mut().expect("set").expressions = vec![of(None, vec![bind], is_binary)];
    let made = retarget(&source, None, &target, &Options::default()).expect("both are humanoids");
    let clip = &made.clips[0];
    let channel = clip.channels.iter().find(|channel| channel.path == Path::Weights).expect("a morph track");
    let curve = clip.curves[channel.curve].clone();
    let weights = (0..=200).map(|i| sample(&curve, f64::from(i) * 0.01, false)[0]).collect();
    (curve, weights)
}

#[test]
fn retarget_weights_of_vrm_clips_stay_between_0_and_1() {
    use Interpolation::{CubicSpline, Linear, Step};
    let at = |i: usize| i as f64 * 0.01;
    let (curve, weights) = driven(Linear, &[0.0, 2.0], &[0.0, 2.0], false);
    assert_eq!((curve.times(), curve.values()), (&[0.0, 1.0, 2.0][..], &[0.0, 0.5, 0.5][..]));
    for (i, weight) in weights.iter().enumerate() {
        assert!((weight - 0.5 * at(i).min(1.0)).abs() < 1e-6, "{i}: {weight}");
    }
    // Through both limits in one segment, and back.
    let (_, weights) = driven(Linear, &[-1.0, 3.0, -1.0], &[0.0, 1.0, 2.0], false);
    for (i, weight) in weights.iter().enumerate() {
        let wanted = 0.5 * (3.0 - 4.0 * (at(i) - 1.0).abs()).clamp(0.0, 1.0);
        assert!((weight - wanted).abs() < 1e-6, "{i}: {weight}, not {wanted}");
    }
    let (curve, _) = driven(Step, &[-1.0, 0.25, 7.0], &[0.0, 1.0, 2.0], false);
    assert_eq!((curve.interpolation(), curve.values()), (Step, &[0.0, 0.125, 0.5][..]));
    // Values and tangents: the spline leaves the range between its keys.
    let spline = [0.0, 0.0, 6.0, 0.0, 1.0, 0.0];
    let (_, weights) = driven(CubicSpline, &spline, &[0.0, 2.0], false);
    let plain = |t: f64| {
        let u = t / 2.0;
        (u * u * u - 2.0 * u * u + u) * 12.0 + (3.0 * u * u - 2.0 * u * u * u)
    };
    assert!(plain(0.8) > 1.5);
    for (i, weight) in weights.iter().enumerate() {
        let wanted = 0.5 * plain(at(i)).clamp(0.0, 1.0);
        assert!((weight - wanted).abs() < 4e-3, "{i}: {weight}, not {wanted}");
    }
}

#[test]
fn retarget_weights_of_binary_expressions_are_0_or_1() {
    use Interpolation::{Linear, Step};
    let (curve, weights) = driven(Linear, &[0.0, 2.0, 0.0], &[0.0, 1.0, 2.0], true);
    assert_eq!(curve.interpolation(), Step);
    for (i, weight) in weights.iter().enumerate() {
        let plain = 2.0 - 2.0 * (i as f64 * 0.01 - 1.0).abs();
        if (plain - 0.5).abs() > 1e-6 {
            assert_eq!(*weight, if plain > 0.5 { 0.5 } else { 0.0 }, "{i}");
        }
    }
    // A half is off; what rises from it is on.
    let (_, weights) = driven(Linear, &[0.5, 0.5, 0.75], &[0.0, 1.0, 2.0], true);
    assert_eq!([weights[50], weights[100], weights[101], weights[200]], [0.0, 0.0, 0.5, 0.5]);
    let (_, weights) = driven(Step, &[0.75, 0.25], &[0.0, 1.0], true);
    assert_eq!([weights[0], weights[99], weights[100]], [0.5, 0.5, 0.0]);
}
