//! Weights, joints, poses of binding, bone lengths, morph targets.

use super::file::{ARM, FOREARM, File, HAND, JOINTS, MESH, SPINE, figure, good, near, place};
use gambol_tools::inspect::{Finding, Severity};
use glam::{DMat4, DVec3};
use serde_json::json;

fn of(file: &File, code: &str) -> Vec<Finding> {
    file.report().findings.into_iter().filter(|finding| finding.code == code).collect()
}

/// The good file with other weights: for each vertex those of four joints.
fn weighted(weights: impl Fn(usize) -> [f64; 4]) -> File {
    let mut file = good();
    let all: Vec<f64> = (0..JOINTS.len()).flat_map(weights).collect();
    let accessor = file.floats("VEC4", &all);
    file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(accessor);
    file
}

#[test]
fn inspect_measures_sums_of_weights() {
    let code = "inspect/weights-sum";
    let file =
        weighted(
            |vertex| {
                if vertex < 3 { [0.5 + 0.1 * vertex as f64, 0.0, 0.0, 0.0] } else { [1.0, 0.0, 0.0, 0.0] }
            },
        );
    let finding = file.one(code);
    near(&finding, "vertices", 3.0, 0.0);
    near(&finding, "of", JOINTS.len() as f64, 0.0);
    near(&finding, "worst", 0.5, 1e-6);
    assert_eq!((finding.severity, finding.node), (Severity::Error, Some(MESH)));
    assert_eq!(finding.pointer, "/meshes/0/primitives/0/attributes/WEIGHTS_0");
    assert_eq!(weighted(|_| [0.98, 0.0, 0.0, 0.0]).one(code).severity, Severity::Warning);
    // Rounded to 8 bits.
    weighted(|_| [254.0 / 255.0, 0.0, 0.0, 0.0]).clean();
}

#[test]
fn inspect_measures_influences_beyond_four() {
    let code = "inspect/influences-many";
    let add = |second: [f64; 4]| {
        let rest: f64 = second.iter().sum();
        let mut file =
            weighted(|vertex| if vertex == 5 { [(1.0 - rest) / 4.0; 4] } else { [1.0, 0.0, 0.0, 0.0] });
        let joints =
            file.joints(&(0..JOINTS.len() as u16).flat_map(|joint| [joint, 1, 2, 3]).collect::<Vec<_>>());
        let more = file.joints(&[6, 7, 8, 9].repeat(JOINTS.len()));
        let weights: Vec<f64> =
            (0..JOINTS.len()).flat_map(|vertex| if vertex == 5 { second } else { [0.0; 4] }).collect();
        let weights = file.floats("VEC4", &weights);
        let attributes = &mut file.json["meshes"][0]["primitives"][0]["attributes"];
        attributes["JOINTS_0"] = json!(joints);
        attributes["JOINTS_1"] = json!(more);
        attributes["WEIGHTS_1"] = json!(weights);
        file
    };
    let finding = add([0.1, 0.05, 0.0, 0.0]).one(code);
    near(&finding, "vertices", 1.0, 0.0);
    near(&finding, "influences", 6.0, 0.0);
    near(&finding, "lost", 0.15, 1e-6);
    add([0.0; 4]).clean();
}

#[test]
fn inspect_lists_joints_that_move_nothing() {
    let code = "inspect/joint-moves-nothing";
    let mut file = good();
    // The vertex of the left hand follows the forearm: the hand moves nothing.
    let joints: Vec<u16> = (0..JOINTS.len() as u16)
        .flat_map(|joint| [if usize::from(joint) == HAND { FOREARM as u16 } else { joint }, 0, 0, 0])
        .collect();
    let joints = file.joints(&joints);
    file.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    let finding = file.one(code);
    assert_eq!((finding.nodes.as_slice(), finding.severity), (&[HAND][..], Severity::Info));
    near(&finding, "of", JOINTS.len() as f64, 0.0);
    // A hand that carries a sword moves it.
    let sword = file.push("nodes", json!({ "name": "Sword", "camera": 0 }));
    file.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 1.0, "znear": 0.1 } }));
    file.json["nodes"][HAND]["children"] = json!([sword]);
    file.clean();
}

#[test]
fn inspect_counts_joints_and_morph_targets() {
    let mut file = good();
    let mut joints: Vec<usize> = (0..JOINTS.len()).collect();
    let mut inverses: Vec<f64> =
        joints.iter().flat_map(|joint| DMat4::from_translation(-place(*joint)).to_cols_array()).collect();
    for i in 0..250 {
        let node = file.push("nodes", json!({ "name": format!("Bead {i}") }));
        joints.push(node);
        inverses.extend(DMat4::IDENTITY.to_cols_array());
    }
    let beads: Vec<usize> = joints[JOINTS.len()..].to_vec();
    file.json["scenes"][0]["nodes"]
        .as_array_mut()
        .expect("roots")
        .extend(beads.iter().map(|bead| json!(bead)));
    file.json["skins"][0] =
        json!({ "joints": joints, "inverseBindMatrices": file.floats("MAT4", &inverses) });
    let found = of(&file, "inspect/joints-many");
    assert_eq!(found.len(), 1);
    near(&found[0], "joints", 268.0, 0.0);

    for (count, expected) in [(256, 0), (257, 1)] {
        let mut file = good();
        let target = json!({ "POSITION": file.floats("VEC3", &vec![0.01; 3 * JOINTS.len()]) });
        file.json["meshes"][0]["primitives"][0]["targets"] = json!(vec![target; count]);
        let found = of(&file, "inspect/morphs-many");
        assert_eq!(found.len(), expected);
        found.iter().for_each(|finding| near(finding, "targets", count as f64, 0.0));
    }
}

#[test]
fn inspect_finds_transforms_of_skinned_meshes() {
    let code = "inspect/skinned-mesh-transform";
    let mut own = good();
    own.json["nodes"][MESH]["translation"] = json!([0.0, 1.0, 0.0]);
    let finding = own.one(code);
    assert_eq!((finding.severity, finding.node), (Severity::Warning, Some(MESH)));
    let mut above = good();
    let parent =
        above.push("nodes", json!({ "name": "Armature", "scale": [0.01, 0.01, 0.01], "children": [MESH] }));
    above.json["scenes"][0]["nodes"] = json!([0, parent]);
    assert_eq!(above.one(code).severity, Severity::Info);
    let mut identity = good();
    identity.json["nodes"][MESH]["rotation"] = json!([0.0, 0.0, 0.0, -1.0]);
    identity.json["nodes"][MESH]["scale"] = json!([1.0, 1.0, 1.0]);
    identity.clean();
}

#[test]
fn inspect_compares_the_rest_pose_with_that_of_binding() {
    let code = "inspect/bind-pose-differs";
    let mut file = figure();
    file.json["nodes"][ARM]["rotation"] = json!(super::file::quaternion(DVec3::Z, 30.0));
    let finding = file.one(code);
    near(&finding, "joints", 3.0, 0.0);
    near(&finding, "turn", 30.0, 1e-4);
    // The hand is half a metre from the shoulder.
    near(&finding, "distance", 2.0 * 0.5 * 15.0_f64.to_radians().sin(), 1e-5);
    assert_eq!((finding.severity, finding.nodes.as_slice()), (Severity::Info, &[ARM, FOREARM, HAND][..]));
    // An armature that is turned and scaled as a whole is in the pose of binding.
    let mut whole = figure();
    let root = whole.push("nodes", json!({ "rotation": super::file::quaternion(DVec3::X, -90.0), "scale": [2.0, 2.0, 2.0], "children": [0] }));
    whole.json["scenes"][0]["nodes"] = json!([root, MESH]);
    whole.clean();
}

#[test]
fn inspect_compares_skins_of_the_same_joints() {
    let mut file = figure();
    let inverses: Vec<f64> = (0..JOINTS.len())
        .flat_map(|joint| {
            let turn = if joint == HAND { 45.0_f64.to_radians() } else { 0.0 };
            (DMat4::from_translation(place(joint)) * DMat4::from_rotation_y(turn)).inverse().to_cols_array()
        })
        .collect();
    let inverses = file.floats("MAT4", &inverses);
    file.push(
        "skins",
        json!({ "joints": (0..JOINTS.len()).collect::<Vec<_>>(), "inverseBindMatrices": inverses }),
    );
    let node = file.push("nodes", json!({ "name": "Coat", "mesh": 0, "skin": 1 }));
    file.json["scenes"][0]["nodes"].as_array_mut().expect("roots").push(json!(node));
    let found = of(&file, "inspect/skins-differ");
    assert_eq!((found.len(), found[0].nodes.as_slice()), (1, &[HAND][..]));
    near(&found[0], "turn", 45.0, 1e-4);
    near(&found[0], "distance", 0.0, 1e-6);
    // The same skin twice.
    let mut twice = figure();
    let skin = twice.json["skins"][0].clone();
    twice.push("skins", skin);
    twice.clean();
}

#[test]
fn inspect_compares_bone_lengths_of_clips() {
    let code = "inspect/bone-lengths-differ";
    let with = |factor: f64| {
        let mut file = good();
        for (name, factor) in [("A", 1.0), ("B", factor), ("C", 1.0)] {
            let clip = file.clip(name);
            for joint in [SPINE, ARM, FOREARM, HAND] {
                let offset = DVec3::from_array(JOINTS[joint].2) * factor;
                file.channel(
                    clip,
                    (joint, "translation"),
                    "LINEAR",
                    &[0.0, 1.0],
                    &[offset.to_array(); 2].concat(),
                );
            }
        }
        file
    };
    let found = of(&with(1.2), code);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].clip, found[0].severity), (Some(2), Severity::Warning));
    near(&found[0], "bones", 4.0, 0.0);
    // The arm's offset is the longest.
    let longest = DVec3::from_array(JOINTS[ARM].2).length();
    near(&found[0], "usual", longest, 1e-6);
    near(&found[0], "length", 1.2 * longest, 1e-6);
    assert_eq!(of(&with(1.01), code), []);
    // The same of motion alone.
    let alone = |factor: f64| {
        let mut file = with(factor);
        for list in ["meshes", "skins"] {
            file.json.as_object_mut().expect("an object").remove(list);
        }
        let body = file.json["nodes"][MESH].as_object_mut().expect("a node");
        body.remove("mesh");
        body.remove("skin");
        of(&file, code)
    };
    assert_eq!((alone(1.2).len(), alone(1.01).len()), (1, 0));
    near(&alone(1.2)[0], "bones", 4.0, 0.0);
}
