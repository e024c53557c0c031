//! EXT_meshopt_compression and KHR_meshopt_compression in files: the JSON of compressed views.

use crate::common::builder::{Builder, triangle};
use crate::common::check::{check, import};
use crate::common::random::Random;
use crate::oracle::meshopt;
use gambol::import::Document;
use gambol::model::Interpolation;
use serde_json::{Value, json};

const KHR: &str = "KHR_meshopt_compression";
const EXT: &str = "EXT_meshopt_compression";

/// A triangle with compressed indices: `0 1 2 0 2 1`, of two bytes each; the other buffer does not exist.
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

/// The extension's object of the compressed view.
fn extension<'a>(file: &'a mut Builder, name: &str) -> &'a mut Value {
    &mut file.json["bufferViews"][1]["extensions"][name]
}

#[test]
fn compressed_view_faults_have_the_pointer_of_the_property() {
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
fn compressed_view_in_a_buffer_without_bytes_is_missing() {
    let mut file = encoded(KHR);
    extension(&mut file, KHR)["buffer"] = json!(1);
    // The buffer now contains compressed bytes, so it cannot be a fallback.
    assert_eq!(file.error(), ("import/buffer-missing", "/buffers/1".to_owned()));
}

#[test]
fn compressed_view_must_have_the_decoded_size() {
    for length in [11, 13] {
        let mut file = encoded(EXT);
        file.json["bufferViews"][1]["byteLength"] = json!(length);
        let (code, pointer) = file.error();
        assert_eq!((code, &*pointer), ("import/meshopt", &*format!("/bufferViews/1/extensions/{EXT}")));
    }
}

/// Keys of two rotations in a view with a filter, and a clip that plays them.
fn turning(interpolation: &str, filter: &str, rows: &[[f32; 4]]) -> Builder {
    let mut file = triangle();
    let elements: Vec<u8> = match filter {
        "QUATERNION" => rows.iter().flat_map(|&row| meshopt::quaternion(row)).collect(),
        _ => rows.iter().flatten().flat_map(|&value| meshopt::exponential(value, 20)).collect(),
    };
    let stride = if filter == "QUATERNION" { 8 } else { 16 };
    let view = file.view(&meshopt::attributes_0(&elements, stride));
    let stored = file.json["bufferViews"][view].clone();
    let extension = json!({
        "buffer": 0, "byteOffset": stored["byteOffset"], "byteLength": stored["byteLength"],
        "mode": "ATTRIBUTES", "filter": filter, "byteStride": stride, "count": rows.len(),
    });
    let length = rows.len() * stride;
    file.json["bufferViews"][view] =
        json!({"buffer": 1, "byteLength": length, "extensions": {EXT: extension}});
    let (component, normalized) = if stride == 8 { (5122, true) } else { (5126, false) };
    let output = json!({"bufferView": view, "componentType": component, "normalized": normalized, "type": "VEC4", "count": rows.len()});
    let output = file.push("accessors", output);
    let input = file.bounded("SCALAR", &[0.0, 1.0]);
    let clip = file.clip("Turn");
    file.channel(clip, (0, "rotation"), interpolation, (input, output));
    file.uses(EXT);
    file.json["buffers"] = json!([{"byteLength": file.bin.len()}, {"byteLength": length}]);
    file
}

#[test]
fn rotations_whose_tangents_a_filter_has_destroyed_are_linear_with_a_warning() {
    let (half, one) = (std::f32::consts::FRAC_1_SQRT_2, [0.0, 0.0, 0.0, 1.0]);
    let turned = [0.0, half, 0.0, half];
    // Tangents of an arc of 90°, which is slow at both ends.
    let rest = [0.0; 4];
    let spline = [rest, one, rest, rest, turned, rest];
    let (model, code, pointer) = turning("CUBICSPLINE", "QUATERNION", &spline).repaired();
    assert_eq!((code, &*pointer), ("import/tangents-lost", "/animations/0/samplers/0/output"));
    let curve = &model.clips[0].curves[0];
    assert_eq!(curve.interpolation(), Interpolation::Linear);
    let wanted = [one, turned].into_iter().flatten();
    assert!(curve.values().iter().zip(wanted).all(|(got, want)| (got - want).abs() < 1e-4), "{curve:?}");
    // Other filters and interpolations keep their values.
    let model = turning("CUBICSPLINE", "EXPONENTIAL", &spline).clean();
    assert_eq!(model.clips[0].curves[0].interpolation(), Interpolation::CubicSpline);
    for interpolation in ["LINEAR", "STEP"] {
        turning(interpolation, "QUATERNION", &[one, turned]).clean();
    }
}

#[test]
fn compressed_view_size_is_limited() {
    // In version 1 zeros take no space: here 4 KiB declare 1 GiB.
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
fn compressed_view_that_is_broken_affects_only_its_users() {
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
fn compressed_views_are_decoded() {
    for name in [EXT, KHR] {
        let model = encoded(name).clean();
        assert_eq!(model.meshes[0].primitives[0].indices.as_deref(), Some(&[0, 1, 2, 0, 2, 1][..]));
    }
}

#[test]
fn fallback_buffers_are_not_requested() {
    let mut file = encoded(KHR);
    file.json["buffers"][1]["uri"] = json!("huge.bin");
    file.json["buffers"][1]["extensions"] = json!({KHR: {"fallback": true}});
    file.json["buffers"][1]["byteLength"] = json!(u32::MAX);
    let glb = file.glb();
    assert_eq!(Document::parse(&glb).expect("the file is right").requests(), []);
    file.clean();
    // The buffer also contains uncompressed data.
    file.push("bufferViews", json!({"buffer": 1, "byteLength": 4}));
    let glb = file.glb();
    let requests = Document::parse(&glb).expect("the file is right").requests();
    assert_eq!(requests.iter().map(|request| request.index).collect::<Vec<_>>(), [1]);
}

/// The compressed triangle as a file that does not require the extension, with a broken stream and a fallback buffer of
/// uncompressed indices: 0 2 1 0 2 1, in 12 bytes.
fn with_plain(buffer: Value) -> Builder {
    let mut file = encoded(EXT);
    file.json["extensionsRequired"] = json!([]);
    file.json["buffers"][1] = buffer;
    let at = file.json["bufferViews"][1]["extensions"][EXT]["byteOffset"].as_u64().expect("a number");
    file.bin[at as usize] = 0xff;
    file
}

const PLAIN: [u8; 12] = [0, 0, 2, 0, 1, 0, 0, 0, 2, 0, 1, 0];

#[test]
fn fallback_buffers_are_used_if_the_compressed_view_is_broken() {
    let pointer = format!("/bufferViews/1/extensions/{EXT}");
    let indices = Some(&[0, 2, 1, 0, 2, 1][..]);
    // The fallback is in the file.
    let uri = "data:application/octet-stream;base64,AAACAAEAAAACAAEA";
    let (model, code, at) = with_plain(json!({"uri": uri, "byteLength": 12})).repaired();
    assert_eq!((code, &at), ("import/meshopt", &pointer));
    assert_eq!(model.meshes[0].primitives[0].indices.as_deref(), indices);

    // The fallback is external: it is requested only after the fault, and may be missing.
    let file = with_plain(json!({"uri": "plain.bin", "byteLength": 12}));
    let glb = file.glb();
    let mut document = Document::parse(&glb).expect("the file is right so far");
    assert_eq!(document.requests().iter().map(|request| request.index).collect::<Vec<_>>(), [1]);
    assert_eq!(file.error(), ("import/meshopt", pointer.clone()));
    let short = document.provide(1, PLAIN[..10].to_vec()).expect_err("it is too short");
    assert_eq!((short.code(), &*short.pointer), ("import/buffer-too-short", "/buffers/1"));
    document.provide(1, PLAIN.to_vec()).expect("it was asked for");
    assert!(document.requests().is_empty());
    let imported = document.finish().expect("the file can be repaired");
    assert_eq!(imported.model.meshes[0].primitives[0].indices.as_deref(), indices);
    assert_eq!((imported.warnings[0].code, &imported.warnings[0].pointer), ("import/meshopt", &pointer));
    let mut files = std::collections::HashMap::from([("plain.bin".to_owned(), PLAIN.to_vec())]);
    let imported = gambol::import::import(&glb, &mut files).expect("the file can be repaired");
    assert_eq!(imported.model.meshes[0].primitives[0].indices.as_deref(), indices);

    // The compressed bytes are external as well: the fallback is requested after them.
    let mut file = with_plain(json!({"uri": "plain.bin", "byteLength": 12}));
    let bin = std::mem::take(&mut file.bin);
    file.json["buffers"][0]["uri"] = json!("encoded.bin");
    let glb = file.glb();
    let mut document = Document::parse(&glb).expect("the file is right so far");
    assert_eq!(document.requests()[0].uri, "encoded.bin");
    document.provide(0, bin).expect("it was asked for");
    assert_eq!(document.requests()[0].uri, "plain.bin");

    // The first buffer of a GLB may be the fallback.
    let mut file = with_plain(json!({"byteLength": 12}));
    let swap = |value: &mut Value| *value = json!(1 - value.as_u64().expect("an index"));
    swap(&mut file.json["bufferViews"][0]["buffer"]);
    swap(&mut file.json["bufferViews"][1]["buffer"]);
    swap(&mut file.json["bufferViews"][1]["extensions"][EXT]["buffer"]);
    file.json["buffers"].as_array_mut().expect("an array").swap(0, 1);
    file.json["buffers"][1]["uri"] = json!("encoded.bin");
    let bin = std::mem::replace(&mut file.bin, PLAIN.to_vec());
    let glb = file.glb();
    let mut document = Document::parse(&glb).expect("the file is right so far");
    document.provide(1, bin).expect("it was asked for");
    let model = document.finish().expect("the file can be repaired").model;
    assert_eq!(model.meshes[0].primitives[0].indices.as_deref(), indices);
}

#[test]
fn fallback_buffers_that_are_missing_change_nothing() {
    let broken = ("import/meshopt", format!("/bufferViews/1/extensions/{EXT}"));
    // Invalid base64, and too few bytes.
    for uri in ["data:;base64,%%", "data:;base64,AAAA"] {
        assert_eq!(with_plain(json!({"uri": uri, "byteLength": 12})).error(), broken);
    }
    assert_eq!(with_plain(json!({"byteLength": 12})).error(), broken);
    // A file that requires the extension has no fallback.
    let mut file = with_plain(json!({"uri": "data:;base64,AAACAAEAAAACAAEA", "byteLength": 12}));
    file.json["extensionsRequired"] = json!([EXT]);
    assert_eq!(file.error(), broken);
    // The fallback exists, but the view exceeds it.
    let mut file = with_plain(json!({"uri": "data:;base64,AAACAAEAAAACAAEA", "byteLength": 12}));
    file.json["bufferViews"][1]["byteOffset"] = json!(2);
    assert_eq!(file.error(), ("import/view-out-of-range", "/bufferViews/1".to_owned()));
}

#[test]
fn buffer_views_cannot_refer_to_decoded_bytes() {
    let mut file = encoded(KHR);
    // The file has two buffers; the decoded bytes would be the third.
    file.push("bufferViews", json!({"buffer": 2, "byteLength": 4}));
    assert_eq!(file.error(), ("import/index-out-of-range", "/bufferViews/2/buffer".to_owned()));
}

#[test]
fn compressed_views_with_changed_bytes_cause_no_panic() {
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
