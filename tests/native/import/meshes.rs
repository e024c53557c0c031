//! Attributes, influences, morph targets, indices.

use crate::common::builder::{Builder, skinned, triangle};
use crate::common::check::check;
use gambol::animation::{Affine, Bounds, Deformed, Framing, Outline, Rig, deform};
use gambol::import::Imported;
use gambol::model::{Influences, Model, Primitive, Topology};
use serde_json::{Value, json};

const PRIMITIVE: &str = "/meshes/0/primitives/0";

fn primitive(file: &mut Builder) -> &mut Value {
    &mut file.json["meshes"][0]["primitives"][0]
}

fn first(model: &Model) -> &Primitive {
    &model.meshes[0].primitives[0]
}

/// The file with an additional attribute.
fn with(mut file: Builder, name: &str, kind: &str, values: &[f32]) -> Builder {
    let accessor = file.floats(kind, values);
    primitive(&mut file)["attributes"][name] = json!(accessor);
    file
}

fn repaired(file: &Builder) -> (Model, &'static str, String) {
    let (model, code, pointer) = file.repaired();
    (model, code, pointer.strip_prefix(PRIMITIVE).expect("it is the primitive's").to_owned())
}

#[test]
fn primitives_without_positions_draw_nothing() {
    let mut file = triangle();
    primitive(&mut file)["attributes"] = json!({});
    let (model, code, pointer) = repaired(&file);
    assert_eq!((code, pointer.as_str()), ("import/no-positions", "/attributes"));
    assert_eq!(first(&model).vertex_count(), 0);
}

#[test]
fn unknown_modes_are_refused() {
    let mut file = triangle();
    primitive(&mut file)["mode"] = json!(7);
    assert_eq!(file.error(), ("import/invalid-value", format!("{PRIMITIVE}/mode")));
    let modes = [
        Topology::Points,
        Topology::Lines,
        Topology::LineLoop,
        Topology::LineStrip,
        Topology::Triangles,
        Topology::TriangleStrip,
        Topology::TriangleFan,
    ];
    for (mode, topology) in modes.into_iter().enumerate() {
        primitive(&mut file)["mode"] = json!(mode);
        assert_eq!(first(&file.clean()).topology, topology);
    }
}

#[test]
fn positions_are_finite() {
    let mut file = triangle();
    let bad = file.floats("VEC3", &[f32::NAN, 1.0, f32::INFINITY, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    primitive(&mut file)["attributes"]["POSITION"] = json!(bad);
    let (model, code, pointer) = repaired(&file);
    assert_eq!((code, pointer.as_str()), ("import/number-replaced", "/attributes/POSITION"));
    assert_eq!(first(&model).positions[0], [0.0, 1.0, 0.0]);
}

#[test]
fn optional_attributes_that_are_broken_are_ignored() {
    for name in ["NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0"] {
        let kind = match name {
            "NORMAL" => "VEC3",
            "TEXCOORD_0" => "VEC2",
            _ => "VEC4",
        };
        let (_, code, pointer) = repaired(&with(triangle(), name, kind, &[1.0; 24]));
        assert_eq!((code, pointer), ("import/accessor-count", format!("/attributes/{name}")));
        let (_, code, pointer) = repaired(&with(triangle(), name, "SCALAR", &[1.0; 3]));
        assert_eq!((code, pointer), ("import/accessor-type", format!("/attributes/{name}")));
        let mut file = triangle();
        primitive(&mut file)["attributes"][name] = json!(99);
        let (_, code, pointer) = repaired(&file);
        assert_eq!((code, pointer), ("import/index-out-of-range", format!("/attributes/{name}")));
    }
}

#[test]
fn texture_coordinates_keep_their_numbers() {
    let file = with(triangle(), "TEXCOORD_0", "SCALAR", &[0.0; 3]);
    let file = with(file, "TEXCOORD_1", "VEC2", &[0.5; 6]);
    let (model, ..) = repaired(&file);
    assert_eq!(first(&model).tex_coords, [vec![[0.0; 2]; 3], vec![[0.5; 2]; 3]]);
}

#[test]
fn texture_coordinates_may_begin_with_another_set_than_0() {
    let set = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0];
    let rows = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    // A material finds its set by its number, and one that asks for the missing set finds the next one.
    let model = with(triangle(), "TEXCOORD_1", "VEC2", &set).clean();
    assert_eq!(first(&model).tex_coords, [rows.clone(), rows.clone()]);
    let file = with(triangle(), "TEXCOORD_0", "VEC2", &[0.5; 6]);
    let model = with(file, "TEXCOORD_3", "VEC2", &set).clean();
    assert_eq!(first(&model).tex_coords, [vec![[0.5; 2]; 3], rows.clone(), rows.clone(), rows]);
    // A set without end is not filled up.
    for name in ["TEXCOORD_16", "TEXCOORD_4294967295"] {
        let (model, code, pointer) = repaired(&with(triangle(), name, "VEC2", &set));
        assert_eq!((code, pointer), ("import/invalid-value", format!("/attributes/{name}")));
        assert!(first(&model).tex_coords.is_empty());
    }
}

#[test]
fn normals_and_tangents_are_unit() {
    let file = with(triangle(), "NORMAL", "VEC3", &[0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 3e38, 0.0, 0.0]);
    let file = with(file, "TANGENT", "VEC4", &[0.0, 2.0, 0.0, -0.9, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let model = file.clean();
    assert_eq!(first(&model).normals, [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]);
    assert_eq!(first(&model).tangents[0], [0.0, 1.0, 0.0, -1.0]);
}

#[test]
fn colors_are_clamped_and_get_alpha() {
    let model = with(triangle(), "COLOR_0", "VEC3", &[0.5; 9]).clean();
    assert_eq!(first(&model).colors, [[0.5, 0.5, 0.5, 1.0]; 3]);
    let (model, code, _) = repaired(&with(triangle(), "COLOR_0", "VEC4", &[2.0; 12]));
    assert_eq!((first(&model).colors[0], code), ([1.0; 4], "import/number-replaced"));
}

#[test]
fn indices_past_the_last_vertex_are_not_drawn() {
    let mut file = triangle();
    let indices = file.bytes("SCALAR", 1, &[0, 1, 2, 0, 1, 3, 2, 1, 0]);
    primitive(&mut file)["indices"] = json!(indices);
    let (model, code, pointer) = repaired(&file);
    assert_eq!((code, pointer.as_str()), ("import/vertex-index-out-of-range", "/indices"));
    assert_eq!(first(&model).indices.as_deref(), Some(&[0, 1, 2, 2, 1, 0][..]));
}

/// A strip of 300 vertices in a line, with these indices.
fn strip(component: u32, indices: &[u8]) -> Builder {
    let mut file = triangle();
    let positions: Vec<f32> = (0..300).flat_map(|i| [i as f32, 0.0, 0.0]).collect();
    let positions = file.floats("VEC3", &positions);
    let view = file.view(indices);
    let count = indices.len() / if component == 5121 { 1 } else { 2 };
    let accessor = json!({"bufferView": view, "componentType": component, "type": "SCALAR", "count": count});
    let accessor = file.push("accessors", accessor);
    file.json["meshes"][0]["primitives"][0] =
        json!({"attributes": {"POSITION": positions}, "indices": accessor, "mode": 5});
    file
}

#[test]
fn primitive_restart_values_warn_also_where_a_vertex_has_that_number() {
    let (model, code, pointer) = repaired(&strip(5121, &[0, 1, 2, 255, 3, 4, 255]));
    assert_eq!((code, pointer.as_str()), ("import/vertex-index-out-of-range", "/indices"));
    // Such indices are no primitive restart: vertex 255 exists.
    assert_eq!(first(&model).topology, Topology::TriangleStrip);
    assert_eq!(first(&model).indices.as_deref(), Some(&[0, 1, 2, 255, 3, 4, 255][..]));
    let message = &strip(5121, &[0, 255]).import().expect("it loads").warnings[0].message;
    assert!(message.contains("255 (1 times)"), "{message}");
    // With 16 bits, 255 is an ordinary index.
    strip(5123, &[0, 0, 1, 0, 255, 0]).clean();
    let (model, ..) = repaired(&strip(5123, &[0, 0, 1, 0, 2, 0, 255, 255]));
    assert_eq!(first(&model).indices.as_deref(), Some(&[0, 1, 2][..]));
}

#[test]
fn joints_that_no_skin_uses_are_not_warned_of() {
    let unused = |mut file: Builder| {
        file.json["nodes"][0] = json!({"mesh": 0});
        file
    };
    let uneven = with(skinned(), "WEIGHTS_0", "VEC4", &[2.0, f32::NAN, -1.0, 0.0].repeat(3));
    assert!(uneven.import().expect("it loads").warnings.len() > 1);
    assert!(first(&unused(uneven).clean()).influences.is_some());
    unused(with(skinned(), "WEIGHTS_0", "VEC4", &[0.0; 12])).clean();
    let mut file = skinned();
    primitive(&mut file)["attributes"]["JOINTS_1"] = json!(1);
    assert_eq!(repaired(&file).1, "import/influences-unpaired");
    unused(file).clean();
    // The fault does not affect the mesh.
    let mut file = unused(skinned());
    let joints = file.bytes("VEC4", 4, &[0; 16]);
    primitive(&mut file)["attributes"]["JOINTS_0"] = json!(joints);
    let (model, code, _) = repaired(&file);
    assert_eq!((code, first(&model).vertex_count()), ("import/accessor-count", 3));
}

fn influences(model: &Model) -> &Influences {
    first(model).influences.as_ref().expect("it has joints")
}

#[test]
fn joints_and_weights_come_in_pairs() {
    let mut file = skinned();
    primitive(&mut file)["attributes"]["JOINTS_1"] = primitive(&mut file)["attributes"]["JOINTS_0"].clone();
    let (model, code, pointer) = repaired(&file);
    assert_eq!((code, pointer.as_str()), ("import/influences-unpaired", "/attributes/JOINTS_1"));
    assert_eq!(influences(&model).per_vertex, 4);
}

#[test]
fn joints_of_another_count_are_refused() {
    let file = with(skinned(), "WEIGHTS_0", "VEC4", &[1.0; 8]);
    assert_eq!(file.error(), ("import/accessor-count", format!("{PRIMITIVE}/attributes/WEIGHTS_0")));
    let mut file = skinned();
    let joints = file.bytes("VEC4", 4, &[0; 16]);
    primitive(&mut file)["attributes"]["JOINTS_0"] = json!(joints);
    assert_eq!(file.error(), ("import/accessor-count", format!("{PRIMITIVE}/attributes/JOINTS_0")));
}

#[test]
fn weights_are_made_to_sum_to_1() {
    let nan = f32::NAN;
    #[rustfmt::skip]
    let rows = [
        [0.2, 0.2, 0.0, 0.0,  2.0, 6.0, 0.0, 0.0,  0.5, 0.5, 0.0, 0.0],
        [nan, 0.5, 0.0, 0.0,  0.5, 0.5, 0.0, 0.0,  0.5, 0.5, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0,  0.5, 0.5, 0.0, 0.0,  0.5, 0.5, 0.0, 0.0],
        [-1.0, 1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0,  0.5, 0.5, 0.0, 0.0],
    ];
    let weights = |row: usize| {
        let file = with(skinned(), "WEIGHTS_0", "VEC4", &rows[row]);
        let Imported { model, warnings } = file.import().expect("weights can be repaired");
        check(&model);
        let codes: Vec<_> = warnings.iter().map(|warning| warning.code).collect();
        (influences(&model).weights[..8].to_vec(), codes)
    };
    let uneven = "import/weights-normalized";
    let broken = "import/weights-repaired";
    assert_eq!(weights(0), (vec![0.5, 0.5, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0], vec![uneven]));
    assert_eq!(weights(1), (vec![0.0, 1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0], vec![broken, uneven]));
    assert_eq!(weights(2), (vec![1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0], vec![broken]));
    assert_eq!(weights(3), (vec![0.0, 1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0], vec![broken]));
}

#[test]
fn joints_that_the_skin_lacks_are_dropped() {
    let mut file = skinned();
    let joints = file.bytes("VEC4", 4, &[0, 7, 9, 9, 9, 9, 9, 9, 0, 1, 9, 9]);
    primitive(&mut file)["attributes"]["JOINTS_0"] = json!(joints);
    let Imported { model, warnings } = file.import().expect("joints can be repaired");
    check(&model);
    assert_eq!(influences(&model).joints, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    assert_eq!(influences(&model).weights, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0]);
    assert_eq!(warnings[0].code, "import/joint-out-of-range");
    assert!(warnings[0].message.contains("(3 times)"), "{}", warnings[0].message);
}

#[test]
fn joints_must_exist_in_the_smallest_skin_of_a_mesh() {
    let mut file = skinned();
    file.push("skins", json!({"joints": [1]}));
    file.push("nodes", json!({"mesh": 0, "skin": 1}));
    let imported = file.import().expect("joints can be repaired");
    check(&imported.model);
    assert_eq!(imported.warnings[0].code, "import/joint-out-of-range");
}

#[test]
fn any_number_of_influences_is_kept() {
    let mut file = skinned();
    let quarter = [0.25, 0.25, 0.0, 0.0].repeat(3);
    file = with(file, "WEIGHTS_0", "VEC4", &quarter);
    for set in 1..=2 {
        file = with(file, &format!("WEIGHTS_{set}"), "VEC4", &[0.25, 0.0, 0.0, 0.0].repeat(3));
        let joints = file.bytes("VEC4", 4, &[1, 0, 0, 0].repeat(3));
        primitive(&mut file)["attributes"][format!("JOINTS_{set}")] = json!(joints);
    }
    let model = file.clean();
    assert_eq!(influences(&model).per_vertex, 12);
    assert_eq!(influences(&model).joints[..12], [0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(influences(&model).weights[..6], [0.25, 0.25, 0.0, 0.0, 0.25, 0.0]);
}

#[test]
fn influences_beyond_the_fast_limit_are_a_warning() {
    let with_sets = |sets: usize| {
        let mut file = skinned();
        for set in 1..sets {
            file = with(file, &format!("WEIGHTS_{set}"), "VEC4", &[0.25, 0.0, 0.0, 0.0].repeat(3));
            let joints = file.bytes("VEC4", 4, &[1, 0, 0, 0].repeat(3));
            primitive(&mut file)["attributes"][format!("JOINTS_{set}")] = json!(joints);
        }
        file.import().expect("it loads").warnings
    };
    let many = |warnings: &[gambol::import::Warning]| {
        warnings.iter().filter(|warning| warning.code == "import/influences-many").count()
    };
    assert_eq!([5, 6].map(|sets| many(&with_sets(sets))), [0, 1]);
    let warnings = with_sets(7);
    let warning = warnings.iter().find(|warning| warning.code == "import/influences-many");
    let warning = warning.expect("the warning");
    assert_eq!(warning.pointer, "/meshes/0/primitives/0/attributes");
    assert!(warning.message.contains("28 influences"), "{}", warning.message);
}

#[test]
fn primitive_without_joints_follows_the_first_joint() {
    let mut file = skinned();
    let plain = json!({"attributes": {"POSITION": 0}});
    file.json["meshes"][0]["primitives"].as_array_mut().expect("an array").push(plain);
    let (model, code, pointer) = file.repaired();
    assert_eq!((code, pointer.as_str()), ("import/influences-missing", "/meshes/0/primitives/1/attributes"));
    let influences = model.meshes[0].primitives[1].influences.as_ref().expect("it got joints");
    assert_eq!((influences.joints[0], influences.weights[0]), (0, 1.0));
    // Without a skin the mesh is unchanged.
    file.json["nodes"][0] = json!({"mesh": 0});
    let model = file.clean();
    assert!(model.meshes[0].primitives[0].influences.is_some());
    assert!(model.meshes[0].primitives[1].influences.is_none());
}

/// A mesh with two morph targets.
fn morphing() -> Builder {
    let mut file = triangle();
    let delta = file.floats("VEC3", &[1.0; 9]);
    primitive(&mut file)["targets"] = json!([{"POSITION": delta}, {"NORMAL": delta, "TANGENT": delta}]);
    file
}

#[test]
fn morph_targets_are_made_equal_in_number() {
    let mut file = morphing();
    let plain = json!({"attributes": {"POSITION": 0}});
    file.json["meshes"][0]["primitives"].as_array_mut().expect("an array").push(plain);
    let (model, code, pointer) = file.repaired();
    assert_eq!((code, pointer.as_str()), ("import/morph-target-count", "/meshes/0/primitives/1/targets"));
    assert_eq!(model.meshes[0].primitives[1].targets.len(), 2);
    for key in ["meshes", "nodes"] {
        let mut file = morphing();
        file.json[key][0]["weights"] = json!([0.5, 0.25, 1.0]);
        let (model, code, pointer) = file.repaired();
        assert_eq!((code, pointer), ("import/morph-target-count", format!("/{key}/0/weights")));
        assert_eq!(model.nodes[0].weights, [0.5, 0.25]);
    }
}

#[test]
fn morph_targets_are_read() {
    let mut file = morphing();
    file.json["meshes"][0]["weights"] = json!([0.5, 0]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["smile", 3]});
    file.push("nodes", json!({"mesh": 0, "weights": [0, 1]}));
    let model = file.clean();
    let targets = &first(&model).targets;
    assert_eq!((targets[0].positions.values().len(), targets[0].normals.values().len()), (3, 0));
    let counts = [&targets[1].positions, &targets[1].normals, &targets[1].tangents];
    assert_eq!(counts.map(|list| list.values().len()), [0, 3, 3]);
    assert_eq!(model.meshes[0].target_names, ["smile", ""]);
    assert_eq!(
        (model.nodes[0].weights.as_slice(), model.nodes[1].weights.as_slice()),
        (&[0.5, 0.0][..], &[0.0, 1.0][..])
    );
}

#[test]
fn morph_deltas_that_are_broken_are_ignored() {
    let mut file = morphing();
    let short = file.floats("VEC3", &[1.0; 6]);
    primitive(&mut file)["targets"][0]["POSITION"] = json!(short);
    let (model, code, pointer) = repaired(&file);
    assert_eq!((code, pointer.as_str()), ("import/accessor-count", "/targets/0/POSITION"));
    assert!(first(&model).targets[0].positions.is_empty());
}

#[test]
fn morph_deltas_of_missing_attributes_are_ignored() {
    let mut file = triangle();
    let (uv, color) = (file.floats("VEC2", &[0.5; 6]), file.floats("VEC4", &[0.5; 12]));
    for (name, accessor) in [("TEXCOORD_0", uv), ("COLOR_0", color)] {
        primitive(&mut file)["targets"] = json!([{ name: accessor }]);
        let (model, code, pointer) = repaired(&file);
        assert_eq!((code, pointer), ("import/invalid-value", format!("/targets/0/{name}")));
        assert_eq!(first(&model).targets.len(), 1);
    }
    // Set 0 exists, set 1 does not; the colour has too few elements.
    primitive(&mut file)["attributes"]["TEXCOORD_0"] = json!(uv);
    primitive(&mut file)["targets"] = json!([{ "TEXCOORD_1": uv }]);
    assert_eq!(repaired(&file).2, "/targets/0/TEXCOORD_1");
    let short = file.floats("VEC3", &[0.5; 6]);
    primitive(&mut file)["attributes"]["COLOR_0"] = json!(color);
    primitive(&mut file)["targets"] = json!([{ "COLOR_0": short, "TEXCOORD_0": uv }]);
    let (model, code, pointer) = repaired(&file);
    assert_eq!((code, pointer.as_str()), ("import/accessor-count", "/targets/0/COLOR_0"));
    assert_eq!(first(&model).targets[0].tex_coords[0].values(), [[0.5; 2]; 3]);
}

#[test]
fn texture_coordinates_and_colours_morph() {
    let mut file = triangle();
    let (uv, color) = (file.floats("VEC2", &[0.25; 6]), file.floats("VEC3", &[0.75; 9]));
    primitive(&mut file)["attributes"]["TEXCOORD_0"] = json!(uv);
    primitive(&mut file)["attributes"]["COLOR_0"] = json!(color);
    primitive(&mut file)["targets"] = json!([{}, { "TEXCOORD_0": uv, "COLOR_0": color }]);
    file.json["nodes"][0]["weights"] = json!([1, 0.5]);
    let model = file.clean();
    let rig = Rig::new(&model);
    let (mut out, pose) = (Deformed::default(), rig.rest_pose());
    deform(first(&model), &rig.layout.drawables[0], &[Affine::identity()], &[], &pose.weights, &mut out);
    assert_eq!(out.tex_coords, [vec![[0.375; 2]; 3]]);
    assert_eq!(out.colors, [[1.0; 4]; 3], "0.75 + 0.5 · 0.75, clamped; alpha is not changed");
}

#[test]
fn sparse_morph_data_stays_sparse() {
    let mut file = triangle();
    let indices = file.view(&[2, 0]);
    let values = file.view(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes).concat());
    let sparse = json!({
        "count": 2,
        "indices": {"bufferView": indices, "componentType": 5121},
        "values": {"bufferView": values},
    });
    let mut accessor = json!({"componentType": 5126, "type": "VEC3", "count": 3, "sparse": sparse});
    let zeros = file.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": 3}));
    let over_zeros = file.push("accessors", accessor.clone());
    accessor["bufferView"] = file.json["accessors"][0]["bufferView"].clone();
    let over_base = file.push("accessors", accessor);
    primitive(&mut file)["targets"] =
        json!([{ "POSITION": over_zeros }, { "POSITION": over_base }, { "POSITION": zeros }]);
    let model = file.clean();
    let targets = &first(&model).targets;
    let positions = &targets[0].positions;
    assert_eq!(positions.vertices(), Some(&[0, 2][..]));
    assert_eq!([0, 1, 2].map(|v| positions.get(v)), [[4.0, 5.0, 6.0], [0.0; 3], [1.0, 2.0, 3.0]]);
    assert_eq!(targets[1].positions.values(), [[4.0, 5.0, 6.0], [1.0, 0.0, 0.0], [1.0, 2.0, 3.0]]);
    assert!(targets[2].positions.is_empty());

    file.bin[file.json["bufferViews"][indices]["byteOffset"].as_u64().expect("a number") as usize] = 3;
    let Imported { model, warnings } = file.import().expect("the deltas can be spared");
    check(&model);
    assert_eq!([0, 1].map(|i| warnings[i].code), ["import/sparse-index-out-of-range"; 2]);
    assert!(first(&model).targets[0].positions.is_empty());
}

#[test]
fn forty_influences_reach_the_pose() {
    let mut file = triangle();
    let joints = 40;
    for set in 0..10_u8 {
        let indices: Vec<u8> = (0..4).map(|i| 4 * set + i).collect();
        let indices = file.bytes("VEC4", 4, &indices.repeat(3));
        let weights = file.floats("VEC4", &[0.025; 12]);
        primitive(&mut file)["attributes"][format!("JOINTS_{set}")] = json!(indices);
        primitive(&mut file)["attributes"][format!("WEIGHTS_{set}")] = json!(weights);
    }
    file.json["nodes"] = json!([{"mesh": 0, "skin": 0}]);
    for i in 0..joints {
        file.push("nodes", json!({"translation": [i, 0, 0]}));
    }
    file.push("skins", json!({"joints": (1..=joints).collect::<Vec<_>>()}));
    let (model, code, _) = file.repaired();
    assert_eq!(code, "import/influences-many");
    let rig = Rig::new(&model);
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    rig.palette(&matrices, &mut palette);
    let mut out = Deformed::default();
    deform(first(&model), &rig.layout.drawables[0], &palette, &[], &[], &mut out);
    assert!((out.positions[0][0] - 19.5).abs() < 1e-4, "the mean of 0 … 39: {:?}", out.positions[0]);
}

#[test]
fn vertices_beyond_the_distance_limit_are_a_warning_and_not_in_bounds() {
    let mut file = triangle();
    let far = file.floats("VEC3", &[3.4e38, 3.4e38, 3.4e38, -3.4e38, 0.0, 0.0, 0.0, -3.4e38, 0.0]);
    file.push("meshes", json!({"primitives": [{"attributes": {"POSITION": far}}]}));
    file.push("nodes", json!({"mesh": 1}));
    file.push("nodes", json!({"mesh": 0, "scale": [1e30, 1e30, 1e30], "translation": [1e38, 0, 0]}));
    let Imported { model, warnings } = file.import().expect("it loads");
    check(&model);
    let told: Vec<_> = warnings.iter().map(|warning| (warning.code, warning.pointer.as_str())).collect();
    assert_eq!(told, [("import/too-far", "/nodes/1/mesh")], "one for all nodes");
    assert!(warnings[0].message.contains("nodes 1, 2"), "{}", warnings[0]);

    let rig = Rig::new(&model);
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    rig.palette(&matrices, &mut palette);
    let boxes = [
        Bounds::new(&model, &rig.layout).of_pose(&palette, &[], &[]),
        Outline::new(&model, &rig.layout)
            .of_clips(&model, &rig, Framing::Rest, None, false)
            .map(|reach| reach.bounds()),
    ];
    for around in boxes {
        let around = around.expect("the first triangle is there");
        assert!((around.max - glam::Vec3::new(1.0, 1.0, 0.0)).length() < 1e-5, "{around:?}");
    }
    // Up to this size there are no warnings.
    let mut file = triangle();
    file.json["nodes"][0]["scale"] = json!([1e17, 1e17, 1e17]);
    file.clean();
}
