//! The hierarchy, rest transforms, skins, scenes.

use crate::common::builder::{Builder, skinned, triangle};
use gambol::import::{Document, Imported, Limits};
use glam::{Mat4, Quat, Vec3};
use serde_json::{Value, json};

fn nodes(nodes: Value) -> Builder {
    let mut file = Builder::new();
    file.json["nodes"] = nodes;
    file
}

#[test]
fn cycles_are_refused() {
    for (children, pointer) in [
        (json!([{"children": [0]}]), "/nodes/0"),
        (json!([{"children": [1]}, {"children": [0]}]), "/nodes/0"),
        (json!([{}, {"children": [2]}, {"children": [3]}, {"children": [1]}]), "/nodes/1"),
    ] {
        let (code, found) = nodes(children).error();
        assert_eq!(code, "import/node-cycle");
        assert!(found.starts_with("/nodes/"), "{found} for {pointer}");
    }
}

#[test]
fn second_parents_are_refused() {
    let file = nodes(json!([{"children": [2]}, {"children": [2]}, {}]));
    assert_eq!(file.error(), ("import/node-cycle", "/nodes/1/children/0".to_owned()));
    let (model, code, pointer) = nodes(json!([{"children": [1, 1]}, {}])).repaired();
    assert_eq!((code, pointer.as_str()), ("import/scene-root", "/nodes/0/children/1"));
    assert_eq!(model.nodes.len(), 2);
}

#[test]
fn unresolved_nodes_meshes_and_skins_are_refused() {
    let error = |mut file: Builder, key: &str, value: Value| {
        file.json["nodes"][0][key] = value;
        file.error()
    };
    let at = |pointer: &str| ("import/index-out-of-range", pointer.to_owned());
    assert_eq!(error(triangle(), "children", json!([4])), at("/nodes/0/children/0"));
    assert_eq!(error(triangle(), "mesh", json!(1)), at("/nodes/0/mesh"));
    assert_eq!(error(triangle(), "skin", json!(0)), at("/nodes/0/skin"));
    let mut file = triangle();
    file.push("skins", json!({"joints": [0, 9]}));
    assert_eq!(file.error(), at("/skins/0/joints/1"));
    let mut file = triangle();
    file.push("skins", json!({"joints": [0], "inverseBindMatrices": 9}));
    assert_eq!(file.error(), at("/skins/0/inverseBindMatrices"));
    let mut file = triangle();
    file.push("scenes", json!({"nodes": [0, 1]}));
    assert_eq!(file.error(), at("/scenes/0/nodes/1"));
}

#[test]
fn nodes_with_broken_optional_parts_are_repaired() {
    let repaired = |mut file: Builder, change: &dyn Fn(&mut Value)| {
        change(&mut file.json);
        let (_, code, pointer) = file.repaired();
        (code, pointer)
    };
    let at = |code: &'static str, pointer: &str| (code, pointer.to_owned());
    let found = repaired(triangle(), &|json| json["nodes"][0]["camera"] = json!(3));
    assert_eq!(found, at("import/index-out-of-range", "/nodes/0/camera"));
    let found = repaired(triangle(), &|json| json["scene"] = json!(3));
    assert_eq!(found, at("import/index-out-of-range", "/scene"));
    let found = repaired(skinned(), &|json| json["skins"][0]["skeleton"] = json!(30));
    assert_eq!(found, at("import/index-out-of-range", "/skins/0/skeleton"));
    let found = repaired(skinned(), &|json| json["scenes"] = json!([{"nodes": [0, 2]}]));
    assert_eq!(found, at("import/scene-root", "/scenes/0/nodes/1"));
    let found = repaired(skinned(), &|json| json["scenes"] = json!([{"nodes": [0, 0]}]));
    assert_eq!(found, at("import/scene-root", "/scenes/0/nodes/1"));
}

#[test]
fn nodes_may_have_thirty_thousand_levels() {
    let count = 30_000;
    // Children before parents, the worst order:
    let chain = (0..count).map(|i| if i == 0 { json!({}) } else { json!({"children": [i - 1]}) });
    let model = nodes(chain.collect()).clean();
    assert_eq!(model.nodes.len(), count);
    assert_eq!(model.nodes[0].source as usize, count - 1);
    assert_eq!(model.shown_nodes(), vec![true; count]);
}

#[test]
fn nodes_are_sorted_parents_first_and_keep_their_names() {
    let file = nodes(json!([
        {"name": "Hüfte.L/1 🦊"}, {"children": [0, 3], "name": ""}, {"children": [1]}, {"name": "Hüfte.L/1 🦊"},
    ]));
    let model = file.clean();
    let sources: Vec<u32> = model.nodes.iter().map(|node| node.source).collect();
    assert_eq!(sources, [2, 1, 0, 3]);
    assert_eq!(model.nodes[2].name, "Hüfte.L/1 🦊");
    assert_eq!(model.nodes[3].name, "Hüfte.L/1 🦊");
    assert_eq!(model.nodes[3].parent.map(|parent| parent.index()), Some(1));
}

#[test]
fn node_transforms_are_made_finite_with_unit_rotations() {
    let repaired = |node: Value| {
        let (model, code, pointer) = nodes(json!([node])).repaired();
        (model.nodes[0].rest, code, pointer)
    };
    let (rest, code, pointer) = repaired(json!({"rotation": [0, 0, 0, 0]}));
    assert_eq!(
        (rest.rotation, code, pointer.as_str()),
        (Quat::IDENTITY, "import/rotation-normalized", "/nodes/0/rotation")
    );
    let (rest, code, _) = repaired(json!({"rotation": [0, 3, 0, 4]}));
    assert_eq!((rest.rotation, code), (Quat::from_xyzw(0.0, 0.6, 0.0, 0.8), "import/rotation-normalized"));
    let (rest, ..) = repaired(json!({"rotation": [3e38, 0, 0, 0]}));
    assert_eq!(rest.rotation, Quat::from_xyzw(1.0, 0.0, 0.0, 0.0));
    let (rest, code, pointer) = repaired(json!({"scale": [1e39, 1, 1], "translation": [1, 2, 3]}));
    assert_eq!((rest.scale, rest.translation), (Vec3::ONE, Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!((code, pointer.as_str()), ("import/number-replaced", "/nodes/0/scale"));
    // 0.707 is the usual rounding:
    let rest = nodes(json!([{"rotation": [0, 0, 0.707, 0.707], "scale": [0, -1, 1]}])).clean().nodes[0].rest;
    assert_eq!(rest.rotation.to_array(), [0.0, 0.0, 0.5f32.sqrt(), 0.5f32.sqrt()]);
    assert_eq!(rest.scale, Vec3::new(0.0, -1.0, 1.0));
}

#[test]
fn node_matrices_become_transforms_if_that_is_exact() {
    let matrix = |matrix: Mat4| {
        let model = nodes(json!([{"matrix": matrix.to_cols_array()}])).clean();
        (model.nodes[0].rest, model.nodes[0].rest_matrix)
    };
    let exact = Mat4::from_scale_rotation_translation(
        Vec3::new(-1.0, 2.0, 0.5),
        Quat::from_rotation_y(0.3),
        Vec3::new(4.0, 5.0, 6.0),
    );
    let (rest, none) = matrix(exact);
    assert_eq!(none, None);
    assert!(rest.to_matrix().abs_diff_eq(exact, 1e-6));
    let sheared = exact * Mat4::from_rotation_z(0.5) * Mat4::from_scale(Vec3::new(1.0, 3.0, 1.0));
    let (_, kept) = matrix(sheared);
    assert_eq!(kept, Some(sheared));
    let (rest, none) = matrix(Mat4::from_cols_array(&{
        let mut zero = [0.0; 16];
        zero[15] = 1.0;
        zero
    }));
    assert_eq!((rest.scale, none), (Vec3::ZERO, None));
}

#[test]
fn node_matrices_that_are_not_affine_are_repaired() {
    let repaired = |mut node: Value| {
        let mut matrix = Mat4::from_translation(Vec3::ONE).to_cols_array().to_vec();
        if let Some(last) = node.get_mut("last").map(Value::take) {
            matrix[3] = last.as_f64().expect("a number") as f32;
        }
        node["matrix"] = json!(matrix);
        let (model, code, pointer) = nodes(json!([node])).repaired();
        (model.nodes[0].rest.translation, code, pointer)
    };
    let at = |code: &'static str| (Vec3::ONE, code, "/nodes/0/matrix".to_owned());
    assert_eq!(repaired(json!({"translation": [5, 5, 5]})), at("import/matrix-and-trs"));
    assert_eq!(repaired(json!({"last": 0.5})), at("import/matrix-not-affine"));
    let mut file = nodes(json!([{}]));
    let mut matrix = vec![json!(0); 16];
    matrix[0] = json!(1e39);
    file.json["nodes"][0]["matrix"] = json!(matrix);
    assert_eq!(file.repaired().1, "import/number-replaced");
}

#[test]
fn inverse_bind_matrices_that_are_missing_are_identities() {
    let with_binds = |count: usize| {
        let mut file = skinned();
        let moved = Mat4::from_translation(Vec3::Y).to_cols_array();
        let binds = file.floats("MAT4", &moved.repeat(count));
        file.json["skins"][0]["inverseBindMatrices"] = json!(binds);
        file
    };
    assert_eq!(with_binds(2).clean().skins[0].inverse_bind[1].w_axis.y, 1.0);
    for count in [1, 3] {
        let (model, code, pointer) = with_binds(count).repaired();
        assert_eq!((code, pointer.as_str()), ("import/inverse-bind-count", "/skins/0/inverseBindMatrices"));
        assert_eq!(model.skins[0].inverse_bind[1] == Mat4::IDENTITY, count == 1);
    }
    assert_eq!(skinned().clean().skins[0].inverse_bind, [Mat4::IDENTITY; 2]);
}

#[test]
fn skins_without_joints_leave_the_mesh_rigid() {
    let mut file = triangle();
    file.push("skins", json!({"joints": [0]}));
    file.json["nodes"][0]["skin"] = json!(0);
    let (model, code, pointer) = file.repaired();
    assert_eq!((code, pointer.as_str()), ("import/skin-ignored", "/nodes/0/skin"));
    assert_eq!(model.nodes[0].skin, None);
    let mut file = skinned();
    file.json["skins"][0]["joints"] = json!([]);
    let imported = file.import().expect("it loads");
    crate::common::check::check(&imported.model);
    assert_eq!(imported.model.nodes[0].skin, None);
    assert!(imported.warnings.iter().all(|warning| warning.code == "import/skin-ignored"));
}

#[test]
fn limits_point_to_the_element_that_exceeds_them() {
    let file = skinned();
    let codes_of = |limits: Limits| {
        let error = Document::parse_with_limits(file.glb(), limits).expect("the JSON is right").finish();
        error.map_err(|error| (error.code(), error.pointer.clone())).err()
    };
    let at = |pointer: &str| Some(("import/too-many", pointer.to_owned()));
    assert_eq!(codes_of(Limits { nodes: 2, ..Limits::default() }), at("/nodes"));
    assert_eq!(codes_of(Limits { depth: 1, ..Limits::default() }), at("/nodes/2"));
    assert_eq!(codes_of(Limits { vertices: 2, ..Limits::default() }), at("/meshes/0"));
    assert_eq!(codes_of(Limits { nodes: 3, depth: 2, vertices: 3, ..Limits::default() }), None);
}

/// A skin with these inverse bind matrices, and one joint for each.
fn bound(matrices: &[[f32; 16]]) -> Builder {
    let mut file = skinned();
    let binds = file.floats("MAT4", matrices.as_flattened());
    let joints: Vec<_> = matrices.iter().map(|_| file.push("nodes", json!({}))).collect();
    file.json["skins"][0] = json!({"joints": joints, "inverseBindMatrices": binds});
    file
}

#[test]
fn the_last_row_of_a_matrix_has_room_for_rounding() {
    let mut rounded = Mat4::IDENTITY.to_cols_array();
    (rounded[15], rounded[3]) = (0.999_999_94, -9e-6);
    let model = bound(&[rounded; 325]).clean();
    assert_eq!(model.skins[0].inverse_bind, [Mat4::IDENTITY; 325]);
    assert_eq!(
        nodes(json!([{ "matrix": rounded }])).clean().nodes[0].rest,
        gambol::model::Transform::IDENTITY
    );
}

#[test]
fn matrices_of_an_accessor_have_one_warning_with_their_count_and_indices() {
    let (good, mut off) = (Mat4::IDENTITY.to_cols_array(), Mat4::IDENTITY.to_cols_array());
    off[15] = 0.5;
    let mut more = off;
    more[3] = 0.75;
    let mut matrices = vec![off; 325];
    (matrices[0], matrices[1], matrices[2][0]) = (good, more, f32::NAN);
    let file = bound(&matrices);
    let warnings = file.import().expect("it loads").warnings;
    let told: Vec<_> = warnings.iter().map(|warning| (warning.code, warning.message.as_str())).collect();
    let lasts =
        "The last row of 323 matrices (1, 3, 4, 5, 6, 7, 8, 9 and 315 more) is not 0 0 0 1; it is replaced";
    let numbers = "Numbers of matrix 2 are not finite; the identity is used";
    assert_eq!(told, [("import/number-replaced", numbers), ("import/matrix-not-affine", lasts)]);
    assert!(warnings.iter().all(|warning| warning.pointer == "/skins/0/inverseBindMatrices"));
}

/// The triangle: `nodes` nodes show its mesh, which repeats its primitive `primitives` times.
fn repeated(nodes: usize, primitives: usize) -> Builder {
    let mut file = triangle();
    let primitive = file.json["meshes"][0]["primitives"][0].clone();
    file.json["meshes"][0]["primitives"] = json!(vec![primitive; primitives]);
    file.json["nodes"] = json!(vec![json!({"mesh": 0}); nodes]);
    file
}

#[test]
fn limits_count_the_draws_of_a_frame() {
    assert_eq!(
        repeated(300, 300).error(),
        ("import/too-many", "/nodes/218".to_owned()),
        "218 · 300 < 65,536"
    );
    assert!(repeated(200, 300).import().is_ok());
}

#[test]
fn limits_count_instances_before_they_are_read() {
    let mut file = triangle();
    // Zeros without a buffer view.
    let count = Limits::DEFAULT.instances / 2 + 1;
    let places = file.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": count}));
    let shown = json!({"mesh": 0, "extensions":
        {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places}}}});
    file.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    file.json["nodes"] = json!([shown, shown]);
    assert_eq!(file.error(), ("import/too-many", "/nodes/1".to_owned()));
    file.json["nodes"] = json!([shown]);
    let imported = file.import().expect("half of them are not too many");
    assert_eq!(imported.model.nodes[0].instances.len() as u64, count);
    // Each instance of a blended primitive is its own draw call.
    file.json["materials"] = json!([{"alphaMode": "BLEND"}]);
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    assert_eq!(file.error(), ("import/too-many", "/nodes/0".to_owned()));
}

#[test]
fn limits_count_the_joints_of_skins_in_use() {
    let mut file = skinned();
    let wearer = file.json["nodes"][0].clone();
    for _ in 0..3 {
        file.push("nodes", wearer.clone());
    }
    let import = |joints: u64| {
        let limits = Limits { joints, ..Limits::default() };
        Document::parse_with_limits(file.glb(), limits).expect("the JSON is right").finish()
    };
    assert!(import(8).is_ok(), "four nodes wear two joints each");
    assert_eq!(import(7).expect_err("too many").code(), "import/too-many");
}

#[test]
fn vertices_are_limited_with_those_of_instances() {
    let mut file = triangle();
    let places = file.floats("VEC3", &[1.0; 3 * 10]);
    let attributes = json!({"attributes": {"TRANSLATION": places}});
    file.json["nodes"][0]["extensions"] = json!({ "EXT_mesh_gpu_instancing": attributes });
    file.push("nodes", json!({"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": attributes}}));
    let code_of = |vertices| {
        let limits = Limits { vertices, ..Limits::default() };
        let finished = Document::parse_with_limits(file.glb(), limits).expect("good JSON").finish();
        finished.err().map(|error| (error.code(), error.pointer.clone(), error.kind.to_string()))
    };
    assert_eq!(code_of(60), None);
    let words = "There are 60 vertices (with those of instances), more than the limit of 59";
    assert_eq!(code_of(59), Some(("import/too-many", "/meshes/0".to_owned(), words.to_owned())));
}

#[test]
fn scene_that_is_chosen_replaces_the_default_one_before_the_file_is_checked() {
    let mut file = triangle();
    file.json["nodes"] = json!([{ "mesh": 0 }, { "name": "empty" }]);
    file.json["scenes"] = json!([{ "name": "day", "nodes": [0] }, { "nodes": [1] }]);
    file.json["scene"] = json!(0);
    let glb = file.glb();
    let read = |scene: Option<usize>| {
        let mut document = Document::parse(&glb[..]).expect("it is valid");
        assert_eq!(document.scenes().collect::<Vec<_>>(), ["day", ""]);
        if let Some(scene) = scene {
            document.choose_scene(scene);
        }
        let Imported { model, warnings } = document.finish().expect("it is valid");
        let codes: Vec<_> = warnings.iter().map(|warning| warning.code).collect();
        (model.default_scene, model.shown_nodes(), codes)
    };
    assert_eq!(read(None), (Some(0), vec![true, false], vec![]));
    assert_eq!(read(Some(0)), read(None));
    // The warning is that of the chosen scene.
    assert_eq!(read(Some(1)), (Some(1), vec![false, true], vec!["import/nothing-to-show"]));
    assert_eq!(read(Some(7)).2, ["import/index-out-of-range"]);
}
