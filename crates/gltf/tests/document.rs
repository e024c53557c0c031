//! Documents without the importer: faults with their places, external buffers, what is written.

use gambol_gltf::document::{Document, Written};
use gambol_gltf::element::{ComponentType, Kind};
use gambol_gltf::error::codes;
use gambol_gltf::json;
use gambol_gltf::json::Value;
use gambol_gltf::resolver::NoResolver;
use std::collections::HashMap;

/// A file with a buffer of 16 bytes in a data URI, one view of it and one accessor, with changes.
fn file(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut json = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 16, "uri": "data:;base64,AAAAAAAAAAAAAAAAAAAAAA==" }],
        "bufferViews": [{ "buffer": 0, "byteLength": 16 }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "type": "VEC2", "count": 2 }],
    });
    change(&mut json);
    json.to_string().into_bytes()
}

/// A change, and the code and the place of the fault that it makes.
type Case = (fn(&mut Value), &'static str, &'static str);

#[test]
fn document_faults_have_codes_and_places() {
    let parse = |change: fn(&mut Value)| Document::parse(&file(change), &mut NoResolver);
    let read: [Case; 5] = [
        (|json| json["bufferViews"][0]["byteLength"] = 17.into(), codes::VIEW_OUT_OF_RANGE, "/bufferViews/0"),
        (
            |json| json["bufferViews"][0]["buffer"] = 1.into(),
            codes::INDEX_OUT_OF_RANGE,
            "/bufferViews/0/buffer",
        ),
        (
            |json| _ = json["bufferViews"][0]["buffer"].take(),
            codes::INDEX_OUT_OF_RANGE,
            "/bufferViews/0/buffer",
        ),
        (|json| json["buffers"][0]["uri"] = "data:".into(), codes::INVALID_URI, "/buffers/0/uri"),
        (|json| json["buffers"][0]["uri"] = "a.bin".into(), codes::BUFFER_MISSING, "/buffers/0/uri"),
    ];
    for (change, code, pointer) in read {
        let error = parse(change).expect_err(pointer);
        assert_eq!((error.code(), &error.pointer[..]), (code, pointer));
    }
    let accessors: [Case; 7] = [
        (|json| json["accessors"] = json!([]), codes::INDEX_OUT_OF_RANGE, "/accessors"),
        (
            |json| json["accessors"][0]["componentType"] = 5124.into(),
            codes::INVALID_VALUE,
            "/accessors/0/componentType",
        ),
        (|json| json["accessors"][0]["type"] = "VEC5".into(), codes::INVALID_VALUE, "/accessors/0/type"),
        (|json| json["accessors"][0]["count"] = (-1).into(), codes::INVALID_VALUE, "/accessors/0/count"),
        (|json| json["accessors"][0]["count"] = 3.into(), codes::ACCESSOR_OUT_OF_RANGE, "/accessors/0"),
        (
            |json| json["accessors"][0]["bufferView"] = 1.into(),
            codes::INDEX_OUT_OF_RANGE,
            "/accessors/0/bufferView",
        ),
        (
            |json| json["bufferViews"][0]["byteStride"] = 4.into(),
            codes::STRIDE_TOO_SHORT,
            "/bufferViews/0/byteStride",
        ),
    ];
    for (change, code, pointer) in accessors {
        let error = parse(change).expect("the document is valid").floats(0).expect_err(pointer);
        assert_eq!((error.code(), &error.pointer[..]), (code, pointer));
    }
    let floats = parse(|_| ()).expect("the document is valid");
    let error = floats.integers(0).expect_err("floats");
    assert_eq!((error.code(), &error.pointer[..]), (codes::ACCESSOR_TYPE, "/accessors/0/componentType"));
    let huge =
        parse(|json| json["accessors"] = json!([{ "componentType": 5126, "type": "MAT4", "count": 9e14 }]));
    let error = huge.expect("the document is valid").floats(0).expect_err("no file justifies it");
    assert_eq!((error.code(), &error.pointer[..]), (codes::TOO_LARGE, "/accessors/0"));
}

#[test]
fn document_reads_external_buffers_that_a_view_needs() {
    let names = |json: &mut Value| {
        json["buffers"] =
            json!([{ "byteLength": 4, "uri": "a%20b.bin" }, { "byteLength": 4, "uri": "unused.bin" }]);
        json["bufferViews"] = json!([{ "buffer": 0, "byteLength": 4 }]);
    };
    let mut files = HashMap::from([("a b.bin".to_owned(), vec![1, 2, 3])]);
    let error = Document::parse(&file(names), &mut files).expect_err("a byte is missing");
    assert_eq!((error.code(), &error.pointer[..]), (codes::BUFFER_TOO_SHORT, "/buffers/0"));
    files.insert("a b.bin".to_owned(), vec![1, 2, 3, 4]);
    let document = Document::parse(&file(names), &mut files).expect("the other buffer is not needed");
    assert_eq!(document.view_bytes(0), [1, 2, 3, 4]);
}

#[test]
fn document_that_is_built_is_read_again() {
    let mut document = Document::default();
    let numbers = [0.5f32, -1.0, 2.0, 3.0];
    let bytes = || numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let first = document.add_elements(bytes(), Some(34962), ComponentType::F32, Kind::Vec2);
    let view = document.add_view(vec![255, 0, 128, 1], None, None, None);
    let second = Written::new(view, ComponentType::U8, Kind::Scalar, 4);
    let second = document.add_accessor(&Written { normalized: true, ..second });
    let read = Document::parse(&document.to_glb().expect("it fits"), &mut NoResolver).expect("it is valid");
    assert_eq!(read.floats(first).as_deref(), Ok(&numbers[..]));
    assert_eq!(read.accessor(first).map(|accessor| accessor.count), Ok(2));
    assert_eq!(read.floats(second).as_deref(), Ok(&[1.0, 0.0, 128.0 / 255.0, 1.0 / 255.0][..]));
    assert_eq!(read.integers(second).as_deref(), Ok(&[255, 0, 128, 1][..]));
}

#[test]
fn document_accessors_leave_out_the_bytes_that_align_columns() {
    // Two matrices of 3 × 3 bytes: each column ends with a byte of padding.
    let document = Document::parse(
        &file(|json| {
            json["buffers"] =
                json!([{ "byteLength": 24, "uri": "data:;base64,AQID/wQFBv8HCAn/CgsM/w0OD/8QERL/" }]);
            json["bufferViews"][0]["byteLength"] = 24.into();
            json["accessors"][0]["componentType"] = 5121.into();
            json["accessors"][0]["type"] = "MAT3".into();
        }),
        &mut NoResolver,
    )
    .expect("the document is valid");
    assert_eq!(document.number_bytes(0), Ok((1..=18).collect()));
    assert_eq!(document.integers(0), Ok((1..=18).collect()));
    assert_eq!(document.floats(0), Ok((1..=18u8).map(f32::from).collect()));
}
