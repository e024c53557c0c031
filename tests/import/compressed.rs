//! EXT_meshopt_compression and KHR_meshopt_compression in files: what the JSON says of encoded views.

use crate::support::{Builder, Random, check, import, triangle};
use gambol::import::Document;
use serde_json::{Value, json};

const KHR: &str = "KHR_meshopt_compression";
const EXT: &str = "EXT_meshopt_compression";

/// A triangle whose indices are encoded: `0 1 2 0 2 1`, each of two bytes; the other buffer does not exist.
fn encoded(name: &str) -> Builder {
    let mut file = triangle();
    let stream: Vec<u8> = [&[0xe1, 0xf0, 0xff, 0xff, 0, 4, 1][..], &[0; 16]].concat();
    let at = file.view(&stream);
    let bytes = file.json["bufferViews"][at].clone();
    let extension = json!({
        "buffer": bytes["buffer"], "byteOffset": bytes["byteOffset"], "byteLength": bytes["byteLength"],
        "mode": "TRIANGLES", "byteStride": 2, "count": 6,
    });
    file.json["bufferViews"][at] = json!({"buffer": 1, "byteLength": 12, "extensions": {name: extension}});
    let indices = file
        .push("accessors", json!({"bufferView": at, "componentType": 5123, "type": "SCALAR", "count": 6}));
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    file.json["buffers"] = json!([{"byteLength": file.bin.len()}, {"byteLength": 12}]);
    file.json["extensionsRequired"] = json!([name]);
    file.json["extensionsUsed"] = json!([name]);
    file
}

/// What the extension of the encoded view says.
fn extension<'a>(file: &'a mut Builder, name: &str) -> &'a mut Value {
    &mut file.json["bufferViews"][1]["extensions"][name]
}

#[test]
fn wrong_words_and_numbers_are_named() {
    let pointer = format!("/bufferViews/1/extensions/{KHR}");
    for (key, value, code, at) in [
        ("mode", json!("TRIANGLE"), "import/invalid-value", "/mode"),
        ("mode", json!(1), "import/invalid-value", "/mode"),
        ("mode", json!("INDICES"), "import/meshopt", ""),
        ("filter", json!("BROWN"), "import/invalid-value", "/filter"),
        ("filter", json!("COLOR"), "import/meshopt", ""),
        ("count", json!(-1), "import/invalid-value", "/count"),
        ("count", json!(5), "import/meshopt", ""),
        ("count", json!(9), "import/meshopt", ""),
        ("count", json!(3), "import/meshopt", ""),
        ("byteStride", json!(3), "import/meshopt", ""),
        ("byteStride", json!(4), "import/meshopt", ""),
        ("byteStride", json!("2"), "import/invalid-value", "/byteStride"),
        ("byteLength", json!(10), "import/meshopt", ""),
        ("byteLength", json!(1000), "import/view-out-of-range", ""),
        ("byteLength", json!(u64::MAX), "import/view-out-of-range", ""),
        ("byteOffset", json!(u64::MAX), "import/view-out-of-range", ""),
        ("buffer", json!(2), "import/index-out-of-range", "/buffer"),
    ] {
        let mut file = encoded(KHR);
        extension(&mut file, KHR)[key] = value.clone();
        assert_eq!(file.error(), (code, format!("{pointer}{at}")), "{key}: {value}");
    }
    for key in ["mode", "count", "byteStride", "byteLength", "buffer"] {
        let mut file = encoded(KHR);
        extension(&mut file, KHR).as_object_mut().expect("an object").remove(key);
        assert_eq!(file.error(), ("import/invalid-value", format!("{pointer}/{key}")));
    }
}

#[test]
fn encoded_bytes_in_a_buffer_without_bytes_are_missing() {
    let mut file = encoded(KHR);
    extension(&mut file, KHR)["buffer"] = json!(1);
    // The buffer now brings encoded bytes, so it does not stand in for any.
    assert_eq!(file.error(), ("import/buffer-missing", "/buffers/1".to_owned()));
}

#[test]
fn views_have_the_size_of_what_is_encoded() {
    for length in [11, 13] {
        let mut file = encoded(EXT);
        file.json["bufferViews"][1]["byteLength"] = json!(length);
        let (code, pointer) = file.error();
        assert_eq!((code, &*pointer), ("import/meshopt", &*format!("/bufferViews/1/extensions/{EXT}")));
    }
}

#[test]
fn a_small_stream_does_not_become_gigabytes() {
    // Zeros cost nothing in version 1: here 4 KiB say that 1 GiB follows.
    let mut file = triangle();
    let view = file.view(&[0xa1; 4096]);
    let huge = 1u64 << 30;
    file.json["bufferViews"][view]["byteLength"] = json!(huge);
    file.json["bufferViews"][view]["byteOffset"] = json!(0);
    file.json["bufferViews"][view]["buffer"] = json!(1);
    file.json["bufferViews"][view]["extensions"] = json!({KHR: {
        "buffer": 0, "byteLength": 4096, "mode": "ATTRIBUTES", "byteStride": 256, "count": huge / 256,
    }});
    file.json["buffers"] = json!([{"byteLength": file.bin.len()}, {"byteLength": huge}]);
    assert_eq!(file.error(), ("import/too-large", format!("/bufferViews/1/extensions/{KHR}")));
}

#[test]
fn a_broken_view_hurts_only_what_needs_it() {
    let mut file = encoded(EXT);
    let normals = file.json["accessors"][0].clone();
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(0);
    file.json["meshes"][0]["primitives"][0].as_object_mut().expect("an object").remove("indices");
    extension(&mut file, EXT)["count"] = json!(3);
    let normals = file.push("accessors", normals);
    file.json["accessors"][normals]["bufferView"] = json!(1);
    file.json["accessors"].as_array_mut().expect("an array").remove(1);
    file.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(1);
    let (model, code, pointer) = file.repaired();
    assert_eq!((code, &*pointer), ("import/meshopt", &*format!("/bufferViews/1/extensions/{EXT}")));
    assert!(model.meshes[0].primitives[0].normals.is_empty());
}

#[test]
fn encoded_views_are_decoded() {
    for name in [EXT, KHR] {
        let model = encoded(name).clean();
        assert_eq!(model.meshes[0].primitives[0].indices.as_deref(), Some(&[0, 1, 2, 0, 2, 1][..]));
    }
}

#[test]
fn buffers_that_stand_in_are_not_asked_for() {
    let mut file = encoded(KHR);
    file.json["buffers"][1]["uri"] = json!("huge.bin");
    file.json["buffers"][1]["extensions"] = json!({KHR: {"fallback": true}});
    file.json["buffers"][1]["byteLength"] = json!(u32::MAX);
    let glb = file.glb();
    assert_eq!(Document::parse(&glb).expect("the file is right").requests(), []);
    file.clean();
    // Something that is not encoded is in it as well.
    file.push("bufferViews", json!({"buffer": 1, "byteLength": 4}));
    let glb = file.glb();
    let requests = Document::parse(&glb).expect("the file is right").requests();
    assert_eq!(requests.iter().map(|request| request.index).collect::<Vec<_>>(), [1]);
}

#[test]
fn changed_bytes_are_survived() {
    let glb = encoded(EXT).glb();
    let mut random = Random(0xC0DEC);
    let mut loaded = 0;
    for _ in 0..2000 {
        let mut bytes = glb.clone();
        // Mostly in the stream, which is at the end.
        let start = if random.below(4) == 0 { 0 } else { glb.len() - 24 };
        let at = start + random.below(glb.len() - start);
        bytes[at] = random.below(256) as u8;
        match import(&bytes) {
            Ok(imported) => {
                check(&imported.model);
                loaded += 1;
            }
            Err(error) => assert!(error.code().starts_with("import/"), "{error}"),
        }
    }
    assert!((200..1900).contains(&loaded), "{loaded} of 2000 loaded: the changes say little");
}
