//! Meshes of avatars that only the wearer sees: faults first, then both versions of VRM.

use crate::common::builder::{Builder, triangle};
use gambol::animation::{Framing, Outline, Rig};
use gambol::import::{NoResolver, import};
use gambol::model::Model;
use serde_json::{Value, json};

/// A triangle at the nodes 0 and 2, and another mesh at node 1.
fn two() -> Builder {
    let mut file = triangle();
    let primitives = file.json["meshes"][0]["primitives"].clone();
    file.push("meshes", json!({"primitives": primitives}));
    file.node(None, json!({"mesh": 1, "translation": [9, 0, 0]}));
    file.node(Some(1), json!({"mesh": 0, "translation": [0, 20, 0]}));
    file
}

/// The nodes whose meshes are drawn, and the codes and pointers of the warnings.
fn shown(
    mut file: Builder,
    extension: &str,
    annotations: Value,
) -> (Vec<usize>, Vec<(&'static str, String)>, Model) {
    file.json["extensionsUsed"] = json!([extension]);
    file.json["extensions"] =
        json!({extension: {"humanoid": {"humanBones": {}}, "firstPerson": {"meshAnnotations": annotations}}});
    let imported = file.import().expect("a fault of the extension is no error");
    let at = format!("/extensions/{extension}/firstPerson/");
    let warnings = imported.warnings.into_iter().filter(|warning| warning.pointer.starts_with(&at));
    let warnings = warnings.map(|warning| (warning.code, warning.pointer.replace(&at, ""))).collect();
    let drawables = Rig::new(&imported.model).layout.drawables.clone();
    let sources =
        drawables.iter().map(|drawable| imported.model.nodes[drawable.node.index()].source as usize);
    (sources.collect(), warnings, imported.model)
}

const VALUE: &str = "import/invalid-value";

#[test]
fn first_person_faults_are_warnings_and_draw_the_mesh() {
    for (extension, annotations, want) in [
        ("VRMC_vrm", json!(3), vec![]),
        ("VRMC_vrm", json!([{}]), vec![(VALUE, "meshAnnotations/0")]),
        ("VRMC_vrm", json!([{"node": 1, "type": "never"}]), vec![(VALUE, "meshAnnotations/0")]),
        ("VRMC_vrm", json!([{"node": 1, "type": 3}]), vec![(VALUE, "meshAnnotations/0")]),
        ("VRMC_vrm", json!([{"type": "firstPersonOnly"}]), vec![(VALUE, "meshAnnotations/0")]),
        (
            "VRMC_vrm",
            json!([{"node": 7, "type": "firstPersonOnly"}]),
            vec![("import/index-out-of-range", "meshAnnotations/0/node")],
        ),
        (
            "VRM",
            json!([{"mesh": "1", "firstPersonFlag": "FirstPersonOnly"}]),
            vec![(VALUE, "meshAnnotations/0")],
        ),
        ("VRM", json!([{"mesh": 1, "type": "firstPersonOnly"}]), vec![(VALUE, "meshAnnotations/0")]),
        // No node has such a mesh.
        ("VRM", json!([{"mesh": 44, "firstPersonFlag": "FirstPersonOnly"}]), vec![]),
    ] {
        let (nodes, warnings, _) = shown(two(), extension, annotations.clone());
        let got: Vec<(&str, &str)> = warnings.iter().map(|(code, at)| (*code, &at[..])).collect();
        assert_eq!((nodes, got), (vec![0, 1, 2], want), "{annotations}");
    }
}

#[test]
fn first_person_only_meshes_are_not_drawn() {
    let one = |word: &str, key: &str, index: usize| json!([{key: index, if key == "node" { "type" } else { "firstPersonFlag" }: word}]);
    for word in ["auto", "both", "thirdPersonOnly"] {
        assert_eq!(shown(two(), "VRMC_vrm", one(word, "node", 1)).0, [0, 1, 2]);
    }
    for word in ["Auto", "Both", "ThirdPersonOnly"] {
        assert_eq!(shown(two(), "VRM", one(word, "mesh", 1)).0, [0, 1, 2]);
    }
    // The nodes below are drawn.
    assert_eq!(shown(two(), "VRMC_vrm", one("firstPersonOnly", "node", 1)).0, [0, 2]);
    assert_eq!(shown(two(), "VRM", one("FirstPersonOnly", "mesh", 1)).0, [0, 2]);
    // VRM 0 names a mesh, at all its nodes.
    let (nodes, warnings, model) = shown(two(), "VRM", one("FirstPersonOnly", "mesh", 0));
    assert_eq!((nodes, warnings), (vec![1], vec![]));
    let rig = Rig::new(&model);
    let outline = Outline::new(&model, &rig.layout);
    let around = outline.of_clips(&model, &rig, Framing::Clip, None, false).expect("one mesh");
    assert!(around.bounds().max.y < 2.0 && around.bounds().min.x > 8.0, "{:?}", around.bounds());
    // If nothing else is left, there is nothing to show.
    let mut file = triangle();
    file.json["extensionsUsed"] = json!(["VRMC_vrm"]);
    file.json["extensions"] =
        json!({"VRMC_vrm": {"firstPerson": {"meshAnnotations": one("firstPersonOnly", "node", 0)}}});
    let imported = import(&file.glb(), &mut NoResolver).expect("it loads");
    assert!(imported.warnings.iter().any(|warning| warning.code == "import/nothing-to-show"));
}
