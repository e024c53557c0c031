//! Spring bones of VRM files: faults first, then chains.

use crate::common::builder::{Builder, triangle};
use gambol::animation::{Actor, Rig};
use gambol::model::{Model, NodeId, SpringBones, SpringCenter};
use glam::Vec3;
use serde_json::{Value, json};
use std::rc::Rc;

/// A triangle at node 0; a tail with the nodes 1 to 4, each the child of the one before; node 5 beside node 3.
fn tailed() -> Builder {
    let mut file = triangle();
    let mut parent = 0;
    for _ in 0..4 {
        parent = file.node(Some(parent), json!({"translation": [0, 0.1, 0]}));
    }
    file.node(Some(2), json!({"translation": [0.1, 0, 0]}));
    file
}

/// The spring bones of a file with this extension, and the codes and pointers of its warnings.
fn read(extension: &str, value: Value) -> (Option<SpringBones>, Vec<(&'static str, String)>) {
    let mut file = tailed();
    file.json["extensionsUsed"] = json!([extension]);
    file.json["extensions"] = json!({extension: value});
    let imported = file.import().expect("a fault of the extension is no error");
    let warnings = imported.warnings.into_iter().map(|warning| (warning.code, warning.pointer));
    // The other parts of an avatar are not used.
    let warnings = warnings.filter(|(code, _)| *code != "import/extension-ignored");
    (imported.model.springs.map(|springs| *springs), warnings.collect())
}

const VALUE: &str = "import/invalid-value";
const INDEX: &str = "import/index-out-of-range";

fn warned(value: Value, want: &[(&str, &str)]) -> Option<SpringBones> {
    let (springs, warnings) = read("VRMC_springBone", value);
    let got: Vec<(&str, &str)> = warnings.iter().map(|(code, pointer)| (*code, &pointer[..])).collect();
    let want: Vec<(&str, String)> =
        want.iter().map(|(code, at)| (*code, format!("/extensions/VRMC_springBone/{at}"))).collect();
    let want: Vec<(&str, &str)> = want.iter().map(|(code, at)| (*code, &at[..])).collect();
    assert_eq!(got, want);
    springs
}

fn joints(nodes: &[usize]) -> Value {
    nodes.iter().map(|node| json!({"node": node})).collect()
}

fn nodes_of(springs: &SpringBones) -> Vec<Vec<usize>> {
    let chains = springs.chains.iter();
    chains.map(|chain| chain.joints.iter().map(|joint| joint.node.index()).collect()).collect()
}

#[test]
fn spring_faults_are_warnings_with_pointers() {
    for value in [json!({}), json!(7), json!([]), json!({"springs": 1, "colliders": {}})] {
        assert_eq!(warned(value, &[]), None);
    }
    let spring = |spring: Value| json!({"springs": [spring]});
    for (value, code, at) in [
        (json!({"joints": []}), VALUE, "springs/0"),
        (json!({"joints": joints(&[1])}), VALUE, "springs/0"),
        (json!({"joints": joints(&[2, 1])}), VALUE, "springs/0"),
        (json!({"joints": joints(&[1, 1])}), VALUE, "springs/0"),
        (json!({"joints": joints(&[3, 5])}), VALUE, "springs/0"),
        (json!({"joints": joints(&[1, 77])}), INDEX, "springs/0/joints/1/node"),
        (json!({"joints": [{"node": 1}, {}]}), VALUE, "springs/0/joints/1"),
        (json!({"joints": [{"node": 1}, 2]}), VALUE, "springs/0/joints/1"),
    ] {
        assert_eq!(warned(spring(value), &[(code, at)]), None);
    }
    // The chain stays, with a default.
    for (key, value) in [
        ("stiffness", json!(-1)),
        ("stiffness", json!("1")),
        ("hitRadius", json!(1e40)),
        ("dragForce", json!(true)),
        ("gravityPower", json!([])),
        ("gravityDir", json!([0, 1])),
        ("gravityDir", json!([0, 1, "x"])),
        ("gravityDir", json!(3)),
    ] {
        let joints = json!([{"node": 1, key: value}, {"node": 2}]);
        let at = format!("springs/0/joints/0/{key}");
        let springs = warned(spring(json!({"joints": joints})), &[(VALUE, &at)]);
        assert_eq!(springs, warned(spring(json!({"joints": self::joints(&[1, 2])})), &[]), "{key}");
    }
    let chain = |key: &str, value: Value| {
        let mut spring = json!({"joints": joints(&[1, 2])});
        spring[key] = value;
        json!({"springs": [spring]})
    };
    for (value, code, at) in [
        (chain("center", json!(70)), INDEX, "springs/0/center"),
        (chain("center", json!("a")), VALUE, "springs/0/center"),
        (chain("center", json!(2)), VALUE, "springs/0/center"),
        (chain("colliderGroups", json!([0])), INDEX, "springs/0/colliderGroups/0"),
        (chain("colliderGroups", json!([-1])), VALUE, "springs/0/colliderGroups/0"),
    ] {
        let springs = warned(value, &[(code, at)]).expect("the chain stays");
        assert_eq!((springs.chains[0].center, springs.chains[0].groups.len()), (SpringCenter::World, 0));
    }
    let twice = json!({"springs": [{"joints": joints(&[1, 2, 3])}, {"joints": joints(&[2, 5])}]});
    let springs = warned(twice, &[(VALUE, "springs/1")]).expect("the first chain stays");
    assert_eq!(nodes_of(&springs), [[1, 2, 3]]);
}

#[test]
fn spring_faults_of_colliders_are_warnings_with_pointers() {
    let with = |collider: Value| {
        json!({
            "colliders": [collider, {"node": 0, "shape": {"sphere": {"radius": 2}}}],
            "colliderGroups": [{"colliders": [0, 1]}],
            "springs": [{"joints": joints(&[1, 2]), "colliderGroups": [0]}],
        })
    };
    for (value, code, at) in [
        (json!({}), VALUE, "colliders/0"),
        (json!({"node": 9, "shape": {"sphere": {}}}), INDEX, "colliders/0/node"),
        (json!({"node": 0}), VALUE, "colliders/0"),
        (json!({"node": 0, "shape": {"cube": {}}}), VALUE, "colliders/0"),
    ] {
        let springs = warned(with(value), &[(code, at)]).expect("the chain stays");
        assert_eq!(springs.groups, [[0]]);
        assert_eq!(springs.colliders.len(), 1);
    }
    let springs = warned(
        with(json!({"node": 0, "shape": {"capsule": {"radius": -1, "offset": [1], "tail": {}}}})),
        &[
            (VALUE, "colliders/0/shape/capsule/offset"),
            (VALUE, "colliders/0/shape/capsule/tail"),
            (VALUE, "colliders/0/shape/capsule/radius"),
        ],
    );
    assert_eq!(springs.expect("the chain stays").groups, [[0, 1]]);
    let groups = json!({
        "colliderGroups": [{"colliders": [3, "x"]}, {}],
        "springs": [{"joints": joints(&[1, 2]), "colliderGroups": [0, 1]}],
    });
    warned(groups, &[(INDEX, "colliderGroups/0/colliders/0"), (VALUE, "colliderGroups/0/colliders/1")]);
}

#[test]
fn springs_have_limits() {
    let sphere = json!({"node": 0, "shape": {"sphere": {"radius": 1}}});
    let value = json!({
        "colliders": vec![sphere; 1025],
        "colliderGroups": [{"colliders": vec![0; 60_000]}],
        "springs": [{"joints": joints(&[1, 2, 3]), "colliderGroups": [0]}],
    });
    let springs = warned(value, &[(VALUE, "colliders/1024/shape/sphere"), (VALUE, "springs/0")])
        .expect("the chain stays");
    assert_eq!((springs.colliders.len(), springs.chains[0].groups.len()), (1024, 0));
    let mut file = triangle();
    let chains: Vec<Value> = (0..1100)
        .map(|_| {
            let first = file.node(Some(0), json!({}));
            let second = file.node(Some(first), json!({}));
            json!({"joints": joints(&[first, second])})
        })
        .collect();
    file.uses("VRMC_springBone");
    file.json["extensions"] = json!({"VRMC_springBone": {"springs": chains}});
    let imported = file.import().expect("the file is valid");
    assert_eq!(imported.model.springs.expect("it has springs").chains.len(), 1024);
    assert!(imported.warnings.iter().any(|warning| warning.pointer.contains("springs/1024")));
}

#[test]
fn springs_of_vrm_1_are_read() {
    let value = json!({
        "specVersion": "1.0",
        "colliders": [
            {"node": 0, "shape": {"sphere": {"offset": [0, 1, 2], "radius": 0.5}}},
            {"node": 1, "shape": {"capsule": {"offset": [1, 0, 0], "tail": [2, 0, 0], "radius": 0.25}}},
        ],
        "colliderGroups": [{"name": "a", "colliders": [1]}, {"colliders": [0, 1]}],
        "springs": [{
            "name": "tail",
            "joints": [
                {"node": 1, "hitRadius": 0.02, "stiffness": 2, "gravityPower": -0.5, "gravityDir": [1, 0, 0], "dragForce": 0.25},
                {"node": 3},
                {"node": 4},
            ],
            "colliderGroups": [1],
            "center": 0,
        }],
    });
    let springs = warned(value, &[]).expect("it has springs");
    assert_eq!(springs.groups, [vec![1], vec![0, 1]]);
    let [sphere, capsule] = springs.colliders[..] else { panic!("two colliders") };
    assert_eq!((sphere.offset, sphere.tail, sphere.radius), (Vec3::new(0.0, 1.0, 2.0), sphere.offset, 0.5));
    assert_eq!((capsule.node, capsule.tail, capsule.radius), (NodeId::new(1), Vec3::X * 2.0, 0.25));
    let chain = &springs.chains[0];
    assert_eq!((chain.center, &chain.groups[..]), (SpringCenter::Node(NodeId::new(0)), &[1][..]));
    let joint = chain.joints[0];
    let numbers = [joint.hit_radius, joint.stiffness, joint.gravity_power, joint.drag_force];
    assert_eq!((numbers, joint.gravity_dir), ([0.02, 2.0, -0.5, 0.25], Vec3::X));
    let initial = chain.joints[1];
    assert_eq!((initial.stiffness, initial.drag_force, initial.gravity_dir), (1.0, 0.5, Vec3::NEG_Y));
    assert_eq!(nodes_of(&springs), [[1, 3, 4]]);
}

#[test]
fn springs_of_vrm_0_are_read_branch_by_branch() {
    let value = json!({
        "humanoid": {"humanBones": []},
        "secondaryAnimation": {
            "boneGroups": [{
                "stiffiness": 0.5, "gravityPower": 0.1, "gravityDir": {"x": 0, "y": -1, "z": 0}, "dragForce": 0.4,
                "center": -1, "hitRadius": 0.02, "bones": [1, 40, "x"], "colliderGroups": [0],
            }],
            "colliderGroups": [{"node": 0, "colliders": [{"offset": {"x": 1, "y": 2, "z": 3}, "radius": 0.1}]}],
        },
    });
    let (springs, warnings) = read("VRM", value);
    let springs = springs.expect("it has springs");
    let at = "/extensions/VRM/secondaryAnimation/boneGroups/0/bones";
    assert_eq!(warnings, [(INDEX, format!("{at}/1")), (VALUE, format!("{at}/2"))]);
    assert_eq!(nodes_of(&springs)[0].first(), Some(&1));
    // The nodes of the model are not in the order of the file.
    assert_eq!(springs.chains.iter().map(|chain| chain.joints.len()).collect::<Vec<_>>(), [4]);
    assert_eq!(springs.colliders[0].offset, Vec3::new(1.0, 2.0, -3.0));
    let joint = springs.chains[0].joints[1];
    assert_eq!((joint.stiffness, joint.gravity_power, joint.hit_radius), (0.5, 0.1, 0.02));
    assert_eq!(springs.chains[0].center, SpringCenter::World);
}

#[test]
fn springs_of_a_file_swing() {
    let mut file = tailed();
    file.uses("VRMC_springBone");
    let chain: Value = [1, 2, 3, 4]
        .map(|node| json!({"node": node, "stiffness": 0, "gravityPower": 1, "gravityDir": [1, 0, 0]}))
        .into();
    file.json["extensions"] = json!({"VRMC_springBone": {"springs": [{"joints": chain}]}});
    let model: Model = file.clean();
    let actor = Actor::new(&model, Rc::new(Rig::new(&model)));
    assert!(!actor.springs.is_empty());
    let end = actor.node_matrices()[model.node_of_source[4].index()].rows[0].to_array()[3];
    assert!((end - 0.3).abs() < 1e-5, "the tail hangs along X: {end}");
}
