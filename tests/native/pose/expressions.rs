//! Expressions: those that are found in a model, and their morph weights, blinks and glances.

use crate::common::builder::Builder;
use crate::common::models::sample;
use crate::common::random::Random;
use gambol::animation::{Actor, Blinks, EyeJoint, Glances, MorphOverride, Rig};
use gambol::import::{NoResolver, import};
use gambol::model::{
    ExpressionKind, ExpressionOverride, FaceExpression, Model, Morph, NodeId, PaletteLayout,
};
use gambol::viewer::Asset;
use glam::{DMat3, DQuat, DVec3, Quat};
use serde_json::{Value, json};
use std::rc::Rc;
use std::sync::LazyLock;

/// A file with a triangle that has morph targets of these names, and an extension.
fn file(names: &[&str], extension: Option<(&str, Value)>) -> Builder {
    let mut file = Builder::new();
    let positions = file.bounded("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let targets = vec![json!({ "POSITION": positions }); names.len()];
    let primitive = json!({ "attributes": { "POSITION": positions }, "targets": targets });
    file.push("meshes", json!({ "primitives": [primitive], "extras": { "targetNames": names } }));
    file.node(None, json!({ "mesh": 0 }));
    if let Some((name, value)) = extension {
        file.json["extensionsUsed"] = json!([name]);
        file.json["extensions"] = json!({ name: value });
    }
    file
}

fn expressions(model: &Model) -> Vec<FaceExpression> {
    let layout = PaletteLayout::new(model);
    FaceExpression::list(model, &layout, &Morph::list(model, &layout))
}

fn model(names: &[&str], extension: Option<(&str, Value)>) -> Model {
    file(names, extension).import().expect("expressions are optional").model
}

fn vrm(expressions: Value) -> Option<(&'static str, Value)> {
    Some(("VRMC_vrm", json!({ "humanoid": { "humanBones": {} }, "expressions": expressions })))
}

/// The sample character with shapes of ARKit.
fn fen() -> Model {
    static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| gambol_sample::characters()[2].glb());
    import(&FILE, &mut NoResolver).expect("Fen").model
}

fn actor(model: &Model) -> (Actor, Rc<[FaceExpression]>) {
    let asset = Asset::new(model.clone());
    (Actor::new(model, Rc::new(Rig::new(model))), asset.expressions())
}

fn at(faces: &[FaceExpression], name: &str) -> usize {
    faces.iter().position(|face| face.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn set(actor: &mut Actor, faces: &Rc<[FaceExpression]>, name: &str, amount: f32) {
    let to = Some(MorphOverride { value: amount, weight: 1.0 });
    let now = actor.player.elapsed();
    actor.expressions.set(Rc::clone(faces), at(faces, name), to, 0.0, now);
}

fn weights(actor: &mut Actor) -> Vec<f32> {
    actor.update();
    actor.pose().weights.clone()
}

#[test]
fn expressions_of_models_without_morphs_are_none() {
    assert_eq!(expressions(&Model::default()), []);
    assert_eq!(expressions(&model(&["", "unrelated"], None)), []);
}

#[test]
fn faults_of_expressions_are_warnings_and_the_rest_works() {
    let good = json!([{ "node": 0, "index": 0, "weight": 0.5 }]);
    let cases = [
        (json!({ "isBinary": 1 }), "isBinary"),
        (json!({ "overrideBlink": "all" }), "overrideBlink"),
        (json!({ "overrideLookAt": true }), "overrideLookAt"),
        (json!({ "overrideMouth": {} }), "overrideMouth"),
    ];
    for (mut value, key) in cases {
        value["morphTargetBinds"] = good.clone();
        let file = file(&["a"], vrm(json!({ "preset": { "happy": value } })));
        let imported = file.import().expect("a fault is no error");
        let pointer = format!("/extensions/VRMC_vrm/expressions/preset/happy/{key}");
        let warned = |warning: &gambol::import::Warning| {
            warning.code == "import/invalid-value" && warning.pointer == pointer
        };
        assert!(imported.warnings.iter().any(warned), "{key}: {:?}", imported.warnings);
        let found = expressions(&imported.model);
        let want = FaceExpression {
            name: "happy".to_owned(),
            kind: ExpressionKind::Emotion,
            weights: vec![(0, 0.5)],
            ..FaceExpression::default()
        };
        assert_eq!(found, [want], "{key}");
    }
}

#[test]
fn expressions_of_the_file_come_first_with_unique_names() {
    let bind = |index: usize, weight: f64| json!([{ "node": 0, "index": index, "weight": weight }]);
    let value = json!({
        "preset": {
            "blink": { "morphTargetBinds": bind(1, 1.0), "isBinary": true },
            "angry": { "morphTargetBinds": bind(0, 0.75), "overrideMouth": "blend", "overrideBlink": "block" },
        },
        "custom": { "blink": { "morphTargetBinds": bind(0, 1.0) }, "": {}, "smirk": { "morphTargetBinds": [
            { "node": 0, "index": 0, "weight": 0.25 }, { "node": 0, "index": 0, "weight": 0.5 },
        ] } },
    });
    let found = expressions(&model(&["jawOpen", "eyes"], vrm(value)));
    let names: Vec<&str> = found.iter().map(|face| &face.name[..]).collect();
    assert_eq!(names[..5], ["blink", "angry", "blink~2", "#3", "smirk"], "in the order of the file");
    assert_eq!((found[0].kind, found[0].is_binary), (ExpressionKind::Blink, true));
    use ExpressionOverride as O;
    assert_eq!(found[1].overrides, [O::Block, O::None, O::Blend]);
    assert_eq!((found[3].kind, found[4].kind), (ExpressionKind::Custom, ExpressionKind::Custom));
    assert_eq!(found[4].weights, [(0, 0.75)], "the weights of one target add up");
    assert!(names.contains(&"jawOpen") && names.contains(&"aa"), "{names:?}");
}

#[test]
fn groups_of_vrm_0_are_expressions() {
    let groups = json!([
        { "name": "A", "presetName": "a", "binds": [{ "mesh": 0, "index": 1, "weight": 100 }] },
        { "name": "Wow", "presetName": "unknown", "isBinary": true, "binds": [{ "mesh": 0, "index": 0, "weight": 50 }] },
    ]);
    let value =
        json!({ "humanoid": { "humanBones": [] }, "blendShapeMaster": { "blendShapeGroups": groups } });
    let found = expressions(&model(&["x", "y"], Some(("VRM", value))));
    assert_eq!(
        (&found[0].name[..], found[0].kind, &found[0].weights[..]),
        ("aa", ExpressionKind::Viseme, &[(1, 1.0)][..])
    );
    assert_eq!(
        (&found[1].name[..], found[1].is_binary, &found[1].weights[..]),
        ("Wow", true, &[(0, 0.5)][..])
    );
    // Consonants are mixes of the vowels.
    assert_eq!(found[at(&found, "TH")].weights, [(1, 0.2)]);
}

#[test]
fn visemes_of_oculus_are_found_by_their_names() {
    let names =
        ["viseme_sil", "viseme_PP", "viseme_kk", "viseme_aa", "viseme_E", "viseme_I", "viseme_O", "viseme_U"];
    let found = expressions(&model(&names, None));
    let want = ["sil", "PP", "kk", "aa", "ee", "ih", "oh", "ou"];
    for (i, name) in want.into_iter().enumerate() {
        assert_eq!(found[at(&found, name)].weights, [(i, 1.0)], "{name}");
    }
}

#[test]
fn groups_of_vrm_0_without_a_preset_have_that_of_their_name() {
    let group = |name: &str, preset: &str, binds: Value| json!({ "name": name, "presetName": preset, "binds": binds });
    let bind = |index: usize| json!([{ "mesh": 0, "index": index, "weight": 100 }]);
    let names = |groups: Value| -> Vec<(String, Vec<(usize, f32)>)> {
        let value =
            json!({ "humanoid": { "humanBones": [] }, "blendShapeMaster": { "blendShapeGroups": groups } });
        let found = expressions(&model(&["x", "y"], Some(("VRM", value))));
        found.into_iter().take(3).map(|face| (face.name, face.weights)).collect()
    };
    let named = |name: &str, weights: &[(usize, f32)]| (name.to_owned(), weights.to_vec());
    let alone = names(json!([
        group("Joy", "unknown", bind(0)),
        group("BLINK_L", "Unknown", bind(1)),
        group("Surprised", "unknown", bind(1)),
    ]));
    let want = [("happy", 0), ("blinkLeft", 1), ("surprised", 1)].map(|(name, at)| named(name, &[(at, 1.0)]));
    assert_eq!(alone, want);
    // An empty group of the preset gives way; one with morphs does not.
    let empty =
        [group("Joy", "joy", json!([])), group("Joy", "unknown", bind(1)), group("Own", "unknown", bind(0))];
    assert_eq!(names(json!(empty))[..2], [named("happy", &[(1, 1.0)]), named("Own", &[(0, 1.0)])]);
    let both = names(json!([group("Joy", "unknown", bind(1)), group("A face", "JOY", bind(0))]));
    assert_eq!(both[..2], [named("Joy", &[(1, 1.0)]), named("happy", &[(0, 1.0)])]);
    let blush = json!([{ "materialName": "Face", "propertyName": "_Color", "targetValue": [1, 0, 0, 1] }]);
    let colours = json!({ "name": "Joy", "presetName": "joy", "binds": [], "materialValues": blush });
    let both = names(json!([colours, group("joy", "unknown", bind(0))]));
    assert_eq!(both[..2], [named("happy", &[]), named("joy", &[(0, 1.0)])]);
}

#[test]
fn empty_expressions_of_a_file_do_not_hide_the_shapes() {
    let shapes = ["eyeBlinkLeft", "eyeBlinkRight", "jawOpen"];
    let plain = expressions(&model(&shapes, None));
    let blush =
        json!({ "materialColorBinds": [{ "material": 0, "type": "color", "targetValue": [1, 0, 0, 1] }] });
    let value = json!({ "preset": { "blink": { "isBinary": true }, "happy": {}, "aa": {}, "oh": blush },
        "custom": { "jawOpen": {}, "wow": {} } });
    let mut file = file(&shapes, vrm(value));
    file.push("materials", json!({}));
    let found = expressions(&file.import().expect("expressions are optional").model);
    for name in ["blink", "aa", "jawOpen", "blinkLeft", "TH"] {
        assert_eq!(found[at(&found, name)].weights, plain[at(&plain, name)].weights, "{name}");
    }
    assert!(found[at(&found, "blink")].is_binary, "as the file says");
    for name in ["happy", "oh", "wow"] {
        assert_eq!(found[at(&found, name)].weights, [], "{name}");
    }
    let names: Vec<&String> = found.iter().map(|face| &face.name).collect();
    assert!((1..names.len()).all(|i| !names[..i].contains(&names[i])), "{names:?}");
    let (mut actor, faces) = actor(&model(&shapes, vrm(json!({ "preset": { "blink": {} } }))));
    assert!(actor.expressions.set_blinks(faces, Some(Blinks { seed: 1, interval: 1.0 })));
    let closed = (0..100).any(|i| {
        actor.player.advance_to(f64::from(i) * 0.02);
        weights(&mut actor)[..2].iter().all(|weight| *weight > 0.5)
    });
    assert!(closed);
}

/// The sample character has 25 shapes of ARKit, and no look of the eyes.
#[test]
fn fen_has_shapes_visemes_and_emotions() {
    let model = fen();
    let morphs = Morph::list(&model, &PaletteLayout::new(&model));
    let found = expressions(&model);
    let count = |kind| found.iter().filter(|face| face.kind == kind).count();
    assert_eq!(count(ExpressionKind::Shape), 25);
    assert_eq!((count(ExpressionKind::Viseme), count(ExpressionKind::Emotion)), (14, 5));
    assert_eq!((count(ExpressionKind::Blink), count(ExpressionKind::Look)), (3, 0));
    let weights = |name: &str| {
        let morph = morphs.iter().find(|morph| morph.name == name).expect("a target of Fen");
        morph.weights.clone()
    };
    let blink = &found[at(&found, "blink")].weights;
    let lids = [weights("eyeBlinkLeft"), weights("eyeBlinkRight")].concat();
    assert_eq!(blink.iter().map(|(at, _)| *at).collect::<Vec<_>>(), lids);
    assert!(blink.iter().all(|(_, weight)| *weight == 1.0));
}

#[test]
fn amounts_follow_the_formula() {
    let model = sample();
    let (mut own, _) = actor(&model);
    let mut plain = own.clone();
    let face = |name: &str, weights: &[(usize, f32)]| FaceExpression {
        name: name.to_owned(),
        weights: weights.to_vec(),
        ..FaceExpression::default()
    };
    let faces: Rc<[FaceExpression]> =
        [face("a", &[(0, 0.5), (1, 1.0)]), face("b", &[(1, 0.25), (2, 2.0)]), face("c", &[(9_999_999, 1.0)])]
            .into();
    let mut random = Random(3);
    let mut given = [(0.0, 0.0); 3];
    let mut now = 0.0;
    for actor in [&mut own, &mut plain] {
        actor.player.play(None);
    }
    for step in 0..300 {
        now += 0.05 * random.unit();
        let which = random.below(3);
        if random.chance(0.3) {
            let to = random
                .chance(0.8)
                .then(|| MorphOverride { value: random.around(0.5, 1.0), weight: random.unit() as f32 });
            given[which] = to.map_or((0.0, 0.0), |to| (f64::from(to.value), f64::from(to.weight)));
            own.expressions.set(Rc::clone(&faces), which, to, 0.0, own.player.elapsed());
        }
        own.expressions.set(Rc::clone(&faces), 7, Some(MorphOverride { value: 1.0, weight: 1.0 }), 0.0, 0.0);
        for actor in [&mut own, &mut plain] {
            actor.player.advance_to(now);
            actor.update();
        }
        let [(a, wa), (b, wb), _] = given;
        let animated = |at: usize| f64::from(plain.pose().weights[at]);
        let want = [
            animated(0) * (1.0 - wa) + 0.5 * a * wa,
            animated(1) * (1.0 - wa) * (1.0 - wb) + a * wa + 0.25 * b * wb,
            animated(2) * (1.0 - wb) + 2.0 * b * wb,
        ];
        for (at, want) in want.into_iter().enumerate() {
            let got = f64::from(own.pose().weights[at]);
            assert!((got - want).abs() < 1e-6, "{step} {at}: {got} {want}");
        }
        assert_eq!(own.palette(), plain.palette());
    }
}

#[test]
fn fades_of_expressions_begin_at_the_shown_amount() {
    let model = model(&["smile"], None);
    let (mut actor, faces) = actor(&model);
    let happy = at(&faces, "happy");
    let to = |value| Some(MorphOverride { value, weight: 1.0 });
    actor.expressions.set(Rc::clone(&faces), happy, to(1.0), 2.0, 0.0);
    assert!(actor.is_moving());
    actor.player.advance_to(1.0);
    assert_eq!(weights(&mut actor), [0.5]);
    assert_eq!(actor.expressions.amount(happy, 1.0), 0.5);
    actor.expressions.set(Rc::clone(&faces), happy, None, 1.0, actor.player.elapsed());
    assert_eq!(weights(&mut actor), [0.5]);
    actor.player.advance_to(2.0);
    assert_eq!((weights(&mut actor), actor.is_moving()), (vec![0.0], false));
}

#[test]
fn rules_of_vrm_reduce_blinks_and_visemes() {
    let bind = |index: usize| json!([{ "node": 0, "index": index, "weight": 1.0 }]);
    let value = json!({ "preset": {
        "blink": { "morphTargetBinds": bind(0) },
        "aa": { "morphTargetBinds": bind(1), "isBinary": true },
        "oh": { "morphTargetBinds": bind(2), "overrideMouth": "block" },
        "happy": { "morphTargetBinds": bind(3), "overrideBlink": "blend" },
        "sad": { "morphTargetBinds": bind(4), "overrideBlink": "block", "isBinary": true },
        "relaxed": { "morphTargetBinds": bind(5), "overrideMouth": "blend" },
    } });
    let model = model(&["a", "b", "c", "d", "e", "f"], vrm(value));
    let shown = |amounts: &[(&str, f32)]| {
        let (mut actor, faces) = actor(&model);
        for (name, amount) in amounts {
            set(&mut actor, &faces, name, *amount);
        }
        weights(&mut actor)
    };
    assert_eq!(shown(&[("blink", 1.0), ("happy", 0.25)]), [0.75, 0.0, 0.0, 0.25, 0.0, 0.0]);
    assert_eq!(shown(&[("blink", 0.5), ("sad", 0.75)]), [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(shown(&[("blink", 0.5), ("sad", 0.5)]), [0.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(shown(&[("blink", 1.0), ("happy", 1.0), ("sad", 1.0)])[0], 0.0);
    assert_eq!(shown(&[("aa", 0.75), ("oh", 0.0)])[1..3], [1.0, 0.0]);
    assert_eq!(shown(&[("aa", 0.75), ("oh", 0.5)])[1..3], [1.0, 0.5], "a rule for the own kind is invalid");
    assert_eq!(shown(&[("aa", 0.75), ("relaxed", 0.25)])[1], 0.0, "a reduced binary expression is off");
    assert_eq!(shown(&[("oh", 0.5), ("relaxed", 0.5)])[2], 0.25);
}

#[test]
fn rules_of_vrm_for_the_own_kind_are_invalid() {
    let bind = |index: usize| json!([{ "node": 0, "index": index, "weight": 1.0 }]);
    let value = json!({ "preset": {
        "blinkLeft": { "morphTargetBinds": bind(0), "overrideBlink": "block", "overrideMouth": "block" },
        "blink": { "morphTargetBinds": bind(1) },
        "blinkRight": { "morphTargetBinds": bind(2) },
        "aa": { "morphTargetBinds": bind(3), "overrideMouth": "blend" },
        "oh": { "morphTargetBinds": bind(4) },
    } });
    let model = model(&["a", "b", "c", "d", "e"], vrm(value));
    let (mut actor, faces) = actor(&model);
    for name in ["blink", "blinkRight", "aa", "oh"] {
        set(&mut actor, &faces, name, 0.5);
    }
    assert_eq!(weights(&mut actor), [0.0, 0.5, 0.5, 0.5, 0.5]);
    set(&mut actor, &faces, "blinkLeft", 1.0);
    assert_eq!(weights(&mut actor), [1.0, 0.5, 0.5, 0.0, 0.0]);
}

#[test]
fn blinks_depend_on_time_and_seed_only() {
    let model = fen();
    let (mut fen, faces) = actor(&model);
    let lid = faces[at(&faces, "blink")].weights[0].0;
    assert!(fen.expressions.set_blinks(Rc::clone(&faces), Some(Blinks { seed: 4, interval: 3.0 })));
    assert!(!fen.expressions.set_glances(
        Rc::clone(&faces),
        None,
        Some(Glances { seed: 4, interval: 3.0, amount: 1.0 })
    ));
    assert!(fen.is_moving());
    let mut at_time = |time: f64| {
        fen.player.advance_to(time);
        fen.update();
        fen.pose().weights[lid]
    };
    let times: Vec<f64> = (0..3000).map(|i| f64::from(i) * 0.02).collect();
    let forwards: Vec<f32> = times.iter().map(|&time| at_time(time)).collect();
    let backwards: Vec<f32> = times.iter().rev().map(|&time| at_time(time)).collect();
    assert!(forwards.iter().eq(backwards.iter().rev()));
    assert!(forwards.iter().all(|amount| (0.0..=1.0).contains(amount)));
    // One blink in each interval.
    for cell in forwards.chunks(150) {
        let closed = cell.iter().filter(|amount| **amount > 0.9).count();
        assert!((1..=8).contains(&closed), "{closed}");
    }
    let other = Blinks { seed: 5, interval: 3.0 };
    assert!(times.iter().zip(&forwards).any(|(&time, &amount)| other.amount(time) as f32 != amount));
    assert!(!fen.expressions.set_blinks(faces, None));
    fen.update();
    assert!(!fen.is_moving());
}

#[test]
fn glances_stay_in_range_and_rest() {
    let model = model(&["lookUp", "lookDown", "lookLeft", "lookRight"], None);
    let (mut actor, faces) = actor(&model);
    let glances = Glances { seed: 1, interval: 1.0, amount: 0.5 };
    assert!(actor.expressions.set_glances(Rc::clone(&faces), None, Some(glances)));
    assert!(!actor.expressions.set_blinks(faces, Some(Blinks { seed: 1, interval: 1.0 })));
    let (mut moved, mut still, mut straight) = (0, 0, 0);
    let mut before = glances.direction(0.0);
    for i in 1..5000 {
        let time = f64::from(i) * 0.01;
        let now = glances.direction(time);
        assert!(now[0].abs() <= 0.5 && now[1].abs() <= 0.25);
        straight += usize::from(now == [0.0, 0.0]);
        *(if now == before { &mut still } else { &mut moved }) += 1;
        before = now;
        actor.player.advance_to(time);
        let [up, down, left, right] = weights(&mut actor)[..] else { panic!("four targets") };
        assert_eq!([f64::from(right - left) as f32, up - down], now.map(|amount| amount as f32));
    }
    assert!(moved > 100 && still > 4000 && straight > 500, "{moved} {still} {straight}");
}

/// The eyes' angles to the character's right and upwards, in degrees. The character looks along +Z at rest.
fn angles(actor: &Actor, eye: NodeId, rest: DQuat) -> [f64; 2] {
    let [x, y, z] = [0, 1, 2].map(|i| actor.node_matrices()[eye.index()].rows[i].to_array());
    let column = |i: usize| DVec3::new(x[i].into(), y[i].into(), z[i].into()).normalize();
    let now = DQuat::from_mat3(&DMat3::from_cols(column(0), column(1), column(2)));
    let forward = now * rest.inverse() * DVec3::Z;
    [f64::atan2(-forward.x, forward.z), forward.y.asin()].map(f64::to_degrees)
}

#[test]
fn glances_turn_joints_of_eyes_by_up_to_25_degrees() {
    for character in gambol_sample::characters() {
        let mut model = import(&character.glb(), &mut NoResolver).expect("a character").model;
        model.clips.clear();
        // Axes that differ from those of the head.
        let eyes = ["EyeL", "EyeR"].map(|name| {
            let at = model.nodes.iter().position(|node| node.name == name).expect("an eye");
            model.nodes[at].rest.rotation = Quat::from_xyzw(0.5, 0.5, -0.1, 0.7).normalize();
            NodeId::new(at)
        });
        let (mut actor, faces) = actor(&model);
        let joints = EyeJoint::pair(&model, eyes).expect("eyes beside each other");
        let glances = Glances { seed: 3, interval: 0.5, amount: 1.0 };
        let rest = eyes.map(|eye| {
            let mut rotation = DQuat::IDENTITY;
            let mut node = Some(eye);
            while let Some(at) = node {
                rotation = model.nodes[at.index()].rest.rotation.as_dquat() * rotation;
                node = model.nodes[at.index()].parent;
            }
            rotation
        });
        assert!(actor.expressions.set_glances(Rc::clone(&faces), Some(joints), Some(glances)));
        assert!(actor.is_moving());
        let mut largest = [0.0_f64; 2];
        for i in 0..400 {
            let time = f64::from(i) * 0.033;
            actor.player.advance_to(time);
            actor.update();
            let wanted = glances.direction(time).map(|amount| amount * 25.0);
            for (eye, rest) in eyes.into_iter().zip(rest) {
                let got = angles(&actor, eye, rest);
                for axis in [0, 1] {
                    assert!(
                        (got[axis] - wanted[axis]).abs() < 0.03,
                        "{}: {got:?} {wanted:?}",
                        character.file
                    );
                    largest[axis] = largest[axis].max(got[axis].abs());
                }
            }
        }
        assert!(largest[0] > 20.0 && largest[1] > 8.0, "{largest:?}");
        // The animated directions return.
        assert!(!actor.expressions.set_glances(faces, Some(joints), None));
        actor.update();
        for (eye, rest) in eyes.into_iter().zip(rest) {
            assert!(angles(&actor, eye, rest).iter().all(|angle| angle.abs() < 1e-3));
        }
        // Eyes at one place.
        assert!(EyeJoint::pair(&model, [eyes[0], eyes[0]]).is_none());
    }
}

#[test]
fn expressions_block_glances_of_joints() {
    let preset = json!({ "happy": { "morphTargetBinds": [{ "node": 0, "index": 0, "weight": 1.0 }],
        "overrideLookAt": "block" }, "lookLeft": {} });
    let mut file = file(&["smile"], vrm(json!({ "preset": preset })));
    let left = file.node(None, json!({ "translation": [0.1, 1.0, 0.0] }));
    let right = file.node(None, json!({ "translation": [-0.1, 1.0, 0.0] }));
    let model = file.import().expect("expressions").model;
    let (mut actor, faces) = actor(&model);
    let joints = EyeJoint::pair(&model, [left, right].map(NodeId::new));
    let glances = Glances { seed: 3, interval: 0.5, amount: 1.0 };
    // The preset without morphs does not count.
    assert!(actor.expressions.set_glances(Rc::clone(&faces), joints, Some(glances)));
    let turned = |actor: &mut Actor| {
        (0..50).any(|i| {
            actor.player.advance_to(f64::from(i) * 0.1);
            actor.update();
            actor.pose().get(NodeId::new(left)).rotation != Quat::IDENTITY
        })
    };
    assert!(turned(&mut actor));
    set(&mut actor, &faces, "happy", 0.5);
    assert!(!turned(&mut actor));
}

#[test]
fn invalid_numbers_of_blinks_and_glances_are_harmless() {
    for interval in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-300, 1e300] {
        for time in [0.0, -1e300, 1e300, 5.5, f64::MAX] {
            let amount = Blinks { seed: u32::MAX, interval }.amount(time);
            assert!((0.0..=1.0).contains(&amount), "{interval} {time}: {amount}");
            for amount in [f64::NAN, 9.0, -9.0] {
                let [x, y] = Glances { seed: 0, interval, amount }.direction(time);
                assert!(x.abs() <= 1.0 && y.abs() <= 1.0, "{interval} {time}: {x} {y}");
            }
        }
    }
}

#[test]
fn expressions_of_the_page_keep_the_places_of_the_others() {
    let asset = Asset::new(model(&["smile", "jawOpen"], None));
    let before = asset.expressions();
    let mut smirk = FaceExpression { name: "smirk".to_owned(), ..FaceExpression::default() };
    smirk.add(&[0], 0.25);
    smirk.add(&[1], f32::NAN);
    asset.set_expression(smirk.clone());
    let added = asset.expressions();
    assert_eq!((&added[..before.len()], &added[before.len()]), (&before[..], &smirk));
    assert_eq!(smirk.weights, [(0, 0.25)]);
    asset.set_expression(FaceExpression { name: "happy".to_owned(), ..FaceExpression::default() });
    let after = asset.expressions();
    assert_eq!(after.len(), added.len());
    assert_eq!(after[at(&before, "happy")].weights, []);
}
