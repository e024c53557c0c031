//! Accessors: component types, normalisation, strides, sparse elements, limits.

use crate::common::builder::{Builder, skinned, triangle};
use gambol::import::{Document, Limits};
use serde_json::{Value, json};

const POSITION: &str = "/meshes/0/primitives/0/attributes/POSITION";

/// A file whose positions are this accessor over these bytes.
fn positions(bytes: &[u8], accessor: Value) -> Builder {
    let mut file = Builder::new();
    file.view(bytes);
    file.push("accessors", accessor);
    file.push("meshes", json!({"primitives": [{"attributes": {"POSITION": 0}}]}));
    file.push("nodes", json!({"mesh": 0}));
    file
}

fn read(file: &Builder) -> Vec<[f32; 3]> {
    file.clean().meshes[0].primitives[0].positions.clone()
}

fn error_of(file: &Builder, code: &str, pointer: &str) {
    assert_eq!(file.error(), (codes(code), pointer.to_owned()));
}

/// The static string of a code.
fn codes(code: &str) -> &'static str {
    let found = gambol::import::codes::ALL.iter().find(|(known, _)| *known == code);
    found.map(|(known, _)| *known).expect("a code that exists")
}

#[test]
fn accessors_beyond_their_view_are_refused() {
    let vec3 = |count: u64, offset: u64| {
        let accessor = json!({"bufferView": 0, "byteOffset": offset, "componentType": 5126, "type": "VEC3", "count": count});
        positions(&[0; 36], accessor)
    };
    assert_eq!(read(&vec3(3, 0)).len(), 3);
    assert_eq!(read(&vec3(2, 12)).len(), 2);
    for (count, offset) in
        [(4, 0), (3, 1), (1, 25), (1, u64::MAX), (u64::MAX, 0), (1 << 62, 0), (2_147_483_647, 0)]
    {
        error_of(&vec3(count, offset), "import/accessor-out-of-range", "/accessors/0");
    }
    let mut file = vec3(2, 0);
    file.json["bufferViews"][0]["byteStride"] = json!(28);
    error_of(&file, "import/accessor-out-of-range", "/accessors/0");
    file.json["bufferViews"][0]["byteStride"] = json!(24);
    assert_eq!(read(&file).len(), 2);
    file.json["bufferViews"][0]["byteStride"] = json!(8);
    error_of(&file, "import/stride-too-short", "/bufferViews/0/byteStride");
}

#[test]
fn unresolved_references_have_the_pointer_of_the_index() {
    let mut file = triangle();
    file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(7);
    error_of(&file, "import/index-out-of-range", POSITION);
    let mut file = triangle();
    file.json["accessors"][0]["bufferView"] = json!(7);
    error_of(&file, "import/index-out-of-range", "/accessors/0/bufferView");
}

#[test]
fn wrong_types_are_refused() {
    let mut file = triangle();
    file.json["accessors"][0]["type"] = json!("VEC2");
    error_of(&file, "import/accessor-type", POSITION);
    file.json["accessors"][0]["type"] = json!("VEC5");
    error_of(&file, "import/invalid-value", "/accessors/0/type");
    let mut file = triangle();
    file.json["accessors"][0]["componentType"] = json!(5124);
    error_of(&file, "import/invalid-value", "/accessors/0/componentType");
    let mut file = triangle();
    let floats = file.floats("SCALAR", &[0.0, 1.0, 2.0]);
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(floats);
    error_of(&file, "import/accessor-type", "/meshes/0/primitives/0/indices");
}

#[test]
fn accessors_without_bytes_are_zeros_within_a_limit() {
    let zeros = |count: u64| positions(&[0], json!({"componentType": 5126, "type": "VEC3", "count": count}));
    assert_eq!(read(&zeros(5)), [[0.0; 3]; 5]);
    for count in [1_300_000_000, u64::MAX] {
        error_of(&zeros(count), "import/too-large", "/accessors/0");
    }
    let limits = Limits { decoded_bytes: 24_000, ..Limits::default() };
    let finish = |count| Document::parse_with_limits(zeros(count).glb(), limits)?.finish();
    assert!(finish(2000).is_ok());
    assert_eq!(finish(2001).expect_err("12 bytes too much").code(), "import/too-large");
}

#[test]
fn accessors_that_share_bytes_have_a_limit() {
    let mut file = positions(
        &[0; 12_000],
        json!({"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 1000}),
    );
    file.json["meshes"][0]["primitives"] = json!(vec![json!({"attributes": {"POSITION": 0}}); 10_000]);
    error_of(&file, "import/too-large", "/accessors/0");
    // The product of nodes and morph targets is limited:
    let mut file = triangle();
    file.json["meshes"][0]["primitives"][0]["targets"] = json!(vec![json!({}); 20_000]);
    file.json["nodes"] = json!(vec![json!({"mesh": 0}); 20_000]);
    assert_eq!(file.error().0, "import/too-large");
}

#[test]
fn empty_elements_have_a_limit() {
    let mut file = Builder::new();
    file.json["nodes"] = json!(vec![json!({}); 60_000]);
    error_of(&file, "import/too-large", "");
    file.json["nodes"] = json!(vec![json!({}); 50_000]);
    assert_eq!(file.clean().nodes.len(), 50_000);
}

#[test]
fn warnings_have_a_limit() {
    // Warnings with different messages, and one that nothing is visible:
    let mut file = Builder::new();
    let children: Vec<usize> = (1..=2000).flat_map(|child| [child, child]).collect();
    file.json["nodes"] = json!(vec![json!({}); 2001]);
    file.json["nodes"][0]["children"] = json!(children);
    let warnings = file.import().expect("it loads").warnings;
    assert_eq!(warnings.len(), 1001);
    assert_eq!(
        (warnings[1000].code, warnings[1000].message.as_str()),
        ("import/warnings-omitted", "There are 1001 more warnings, which are omitted")
    );
    // Warnings with the same message are merged.
    let mut file = Builder::new();
    file.push("scenes", json!({"nodes": vec![0; 5000]}));
    file.push("nodes", json!({}));
    let warnings = file.import().expect("it loads").warnings;
    let words = "The scene lists the node twice; the duplicate is ignored (4999 times: nodes 1, 2, 3, 4, 5, 6, 7, 8 and 4991 more)";
    assert_eq!((warnings.len(), warnings[0].message.as_str()), (1, words));
}

#[test]
fn every_component_type_is_read() {
    let case = |component: u32, normalized: bool, bytes: &[u8], expected: [f32; 3]| {
        let accessor = json!({
            "bufferView": 0, "componentType": component, "normalized": normalized, "type": "VEC3", "count": 1,
        });
        assert_eq!(read(&positions(bytes, accessor)), [expected], "{component} {normalized}");
    };
    let i16s = [-32768i16, -32767, 16384].map(i16::to_le_bytes).concat();
    let u16s = [0u16, 65535, 13107].map(u16::to_le_bytes).concat();
    let u32s = [0u32, 3, 1 << 31].map(u32::to_le_bytes).concat();
    let f32s = [-1.5f32, 0.0, 1e10].map(f32::to_le_bytes).concat();
    case(5120, false, &[128, 129, 64], [-128.0, -127.0, 64.0]);
    case(5120, true, &[128, 129, 64], [-1.0, -1.0, 64.0 / 127.0]);
    case(5121, false, &[0, 255, 51], [0.0, 255.0, 51.0]);
    case(5121, true, &[0, 255, 51], [0.0, 1.0, 0.2]);
    case(5122, false, &i16s, [-32768.0, -32767.0, 16384.0]);
    case(5122, true, &i16s, [-1.0, -1.0, 16384.0 / 32767.0]);
    case(5123, false, &u16s, [0.0, 65535.0, 13107.0]);
    case(5123, true, &u16s, [0.0, 1.0, 0.2]);
    case(5125, false, &u32s, [0.0, 3.0, 2147483648.0]);
    case(5125, true, &u32s, [0.0, 3.0 / 4294967296.0, 0.5]);
    case(5126, false, &f32s, [-1.5, 0.0, 1e10]);
    case(5126, true, &f32s, [-1.5, 0.0, 1e10]);
}

#[test]
fn strides_and_offsets_are_kept() {
    // Two bytes before, then x y z and a padding byte:
    let bytes = [9, 9, 1, 2, 3, 99, 4, 5, 6, 99, 7, 8, 9];
    let accessor =
        json!({"bufferView": 0, "byteOffset": 2, "componentType": 5121, "type": "VEC3", "count": 3});
    let mut file = positions(&bytes, accessor);
    file.json["bufferViews"][0]["byteStride"] = json!(4);
    assert_eq!(read(&file), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
}

/// Positions 0 … 8 as bytes; `indices` are replaced by values from 100.
fn sparse(indices: &[u8], component: u32, base: bool) -> Builder {
    let mut file =
        positions(&[0, 1, 2, 3, 4, 5, 6, 7, 8], json!({"componentType": 5121, "type": "VEC3", "count": 3}));
    if base {
        file.json["accessors"][0]["bufferView"] = json!(0);
    }
    let index_view = file.view(indices);
    let value_view = file.view(&[100, 101, 102, 103, 104, 105]);
    file.json["accessors"][0]["sparse"] = json!({
        "count": 2,
        "indices": {"bufferView": index_view, "componentType": component},
        "values": {"bufferView": value_view},
    });
    file
}

#[test]
fn sparse_elements_replace_others() {
    let (a, b) = ([100.0, 101.0, 102.0], [103.0, 104.0, 105.0]);
    assert_eq!(read(&sparse(&[0, 2], 5121, true)), [a, [3.0, 4.0, 5.0], b]);
    assert_eq!(read(&sparse(&[0, 2], 5121, false)), [a, [0.0; 3], b]);
    assert_eq!(read(&sparse(&[1, 0, 2, 0], 5123, true)), [[0.0, 1.0, 2.0], a, b]);
    assert_eq!(read(&sparse(&[0, 0, 0, 0, 1, 0, 0, 0], 5125, false)), [a, b, [0.0; 3]]);
}

#[test]
fn broken_sparse_elements_are_refused() {
    error_of(&sparse(&[0, 3], 5121, true), "import/sparse-index-out-of-range", "/accessors/0");
    error_of(&sparse(&[0], 5121, true), "import/accessor-out-of-range", "/accessors/0/sparse/indices");
    error_of(
        &sparse(&[0, 1], 5126, true),
        "import/invalid-value",
        "/accessors/0/sparse/indices/componentType",
    );
    let mut file = sparse(&[0, 1, 2, 0], 5121, true);
    file.json["accessors"][0]["sparse"]["count"] = json!(3);
    error_of(&file, "import/accessor-out-of-range", "/accessors/0/sparse/values");
    file.json["accessors"][0]["sparse"]["count"] = json!(4);
    error_of(&file, "import/invalid-value", "/accessors/0/sparse/count");
    file.json["accessors"][0]["sparse"]["count"] = json!(2);
    file.json["accessors"][0]["sparse"]["values"]["bufferView"] = json!(9);
    error_of(&file, "import/index-out-of-range", "/accessors/0/sparse/values/bufferView");
}

#[test]
fn inverse_binds_may_be_sparse_or_zeros() {
    let mut file = skinned();
    let identity = glam::Mat4::IDENTITY.to_cols_array();
    let indices = file.view(&[1]);
    let mut moved = identity;
    moved[12] = 7.0;
    let bytes: Vec<u8> = moved.iter().flat_map(|value| value.to_le_bytes()).collect();
    let values = file.view(&bytes);
    let base = file.floats("MAT4", &[identity, identity].concat());
    file.json["accessors"][base]["sparse"] = json!({
        "count": 1,
        "indices": {"bufferView": indices, "componentType": 5121},
        "values": {"bufferView": values},
    });
    file.json["skins"][0]["inverseBindMatrices"] = json!(base);
    let binds = &file.clean().skins[0].inverse_bind;
    assert_eq!(binds[0], glam::Mat4::IDENTITY);
    assert_eq!(binds[1], glam::Mat4::from_translation(glam::Vec3::new(7.0, 0.0, 0.0)));
}

#[test]
fn broken_accessors_that_are_unused_are_a_warning() {
    let mut file = triangle();
    file.push("accessors", json!({"bufferView": 0, "componentType": 5126, "type": "MAT3", "count": 2}));
    let (_, code, pointer) = file.repaired();
    assert_eq!((code, pointer.as_str()), ("import/accessor-out-of-range", "/accessors/1"));
}
