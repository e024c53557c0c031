//! Valid files with random changes: import terminates, and models keep their invariants.

use crate::common::builder::{Builder, animated, skinned};
use crate::common::check::{check, import};
use crate::common::random::Random;
use serde_json::{Value, json};

/// A small file with many features.
fn everything() -> Builder {
    let mut file = skinned();
    let clip = animated().json["animations"][0].clone();
    let input = file.floats("SCALAR", &[0.0, 1.0, 2.5]);
    let moved = file.floats("VEC3", &[0.5; 9]);
    let turned = file.floats("VEC4", &[0.0, 0.6, 0.0, 0.8].repeat(9));
    let weights = file.floats("SCALAR", &[0.1, 0.2, 0.3]);
    let indices = file.bytes("SCALAR", 1, &[0, 1, 2, 2, 1, 0]);
    let binds = file.floats("MAT4", &glam::Mat4::IDENTITY.to_cols_array().repeat(2));
    let sparse_indices = file.view(&[1]);
    let sparse_values = file.view(&[0; 12]);
    file.json["accessors"][moved]["sparse"] = json!({
        "count": 1,
        "indices": {"bufferView": sparse_indices, "componentType": 5121},
        "values": {"bufferView": sparse_values},
    });
    let primitive = &mut file.json["meshes"][0]["primitives"][0];
    primitive["indices"] = json!(indices);
    primitive["material"] = json!(0);
    primitive["attributes"]["NORMAL"] = json!(0);
    primitive["attributes"]["COLOR_0"] = json!(0);
    primitive["targets"] = json!([{"POSITION": moved, "NORMAL": moved}]);
    file.json["meshes"][0]["weights"] = json!([0.5]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["smile"]});
    file.json["skins"][0]["inverseBindMatrices"] = json!(binds);
    file.json["nodes"][1]["rotation"] = json!([0, 0.6, 0, 0.8]);
    file.json["nodes"][2]["matrix"] = json!(glam::Mat4::from_rotation_x(1.0).to_cols_array());
    file.push("nodes", json!({"camera": 0, "scale": [1, 2, 3]}));
    file.push("cameras", json!({"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}));
    let texture = json!({"index": 0, "texCoord": 0});
    file.push(
        "materials",
        json!({"pbrMetallicRoughness": {"baseColorTexture": texture}, "alphaMode": "MASK"}),
    );
    file.push("textures", json!({"source": 0, "sampler": 0}));
    file.push("samplers", json!({"minFilter": 9987, "wrapS": 33071}));
    let view = file.view(b"PNG!");
    file.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    file.push("scenes", json!({"nodes": [0, 1, 3]}));
    file.json["scene"] = json!(0);
    file.push("animations", clip);
    file.json["animations"][0]["samplers"] = json!([
        {"input": input, "output": moved},
        {"input": input, "output": turned, "interpolation": "CUBICSPLINE"},
        {"input": input, "output": weights, "interpolation": "STEP"},
    ]);
    let pointer = json!({"KHR_animation_pointer": {"pointer": "/meshes/0/weights"}});
    file.json["animations"][0]["channels"] = json!([
        {"sampler": 0, "target": {"node": 2, "path": "translation"}},
        {"sampler": 1, "target": {"node": 1, "path": "rotation"}},
        {"sampler": 2, "target": {"path": "pointer", "extensions": pointer}},
    ]);
    file
}

#[test]
fn mutation_source_file_is_valid() {
    let model = everything().clean();
    assert_eq!(model.clips[0].channels.len(), 3);
}

fn survives(bytes: &[u8]) -> bool {
    match import(bytes) {
        Ok(imported) => {
            check(&imported.model);
            true
        }
        Err(error) => {
            assert!(error.code().starts_with("import/"));
            assert!(error.pointer.is_empty() || error.pointer.starts_with('/'), "{error}");
            false
        }
    }
}

#[test]
fn mutation_of_bytes_causes_no_panic() {
    let glb = everything().glb();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut loaded = 0;
    for _ in 0..2000 {
        let mut bytes = glb.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = match random.below(3) {
                0 => random.below(256) as u8,
                1 => b'0' + random.below(10) as u8,
                _ => bytes[at] ^ (1 << random.below(8)),
            };
        }
        loaded += usize::from(survives(&bytes));
    }
    assert!((200..1900).contains(&loaded), "{loaded} of 2000 loaded: the changes say little");
}

#[test]
fn mutation_of_numbers_causes_no_panic() {
    let numbers = [
        json!(-1),
        json!(0),
        json!(1),
        json!(2),
        json!(3),
        json!(4),
        json!(5),
        json!(255),
        json!(5121),
        json!(5123),
        json!(5125),
        json!(5126),
        json!(65536),
        json!(u32::MAX),
        json!(1u64 << 32),
        json!(u64::MAX),
        json!(0.5),
        json!(1e39),
        json!(-1e300),
        json!("VEC4"),
        json!([]),
        json!({}),
        json!(true),
        json!(null),
    ];
    /// Collects the JSON pointers of all values below a value.
    fn places(value: &Value, pointer: &str, found: &mut Vec<String>) {
        let mut below = |key: &str, inner| places(inner, &format!("{pointer}/{key}"), found);
        match value {
            Value::Object(map) => map.iter().for_each(|(key, inner)| below(key, inner)),
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(i, inner)| below(&i.to_string(), inner))
            }
            _ => {}
        }
        found.push(pointer.to_owned());
    }
    let original = everything();
    let mut found = Vec::new();
    places(&original.json, "", &mut found);
    let mut random = Random(42);
    let mut loaded = 0;
    for _ in 0..2000 {
        let mut file = everything();
        for _ in 0..1 + random.below(2) {
            if let Some(place) = file.json.pointer_mut(&found[random.below(found.len() - 1)]) {
                *place = numbers[random.below(numbers.len())].clone();
            }
        }
        loaded += usize::from(survives(&file.glb()));
    }
    assert!((200..1900).contains(&loaded), "{loaded} of 2000 loaded: the changes say little");
}
