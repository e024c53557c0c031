//! Documents: reading, round trips, faults.

mod common;

use gambol::import::{NoResolver, import};
use gambol_tools::{Component, Document, Kind, Written};
use serde_json::json;

fn parse(bytes: &[u8]) -> Document {
    Document::parse(bytes, &mut NoResolver).expect("the file is valid")
}

#[test]
fn document_refuses_malformed_files_without_a_panic() {
    for (path, bytes) in common::files(&["malformed"]) {
        let mut resolver = common::resolver(&path);
        if let Ok(mut document) = Document::parse(&bytes, &mut resolver) {
            for index in 0..document.list("accessors").len() {
                let _ = (document.floats(index), document.integers(index));
            }
            document.prune();
            document.to_glb().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}

#[test]
fn document_refuses_mutations_without_a_panic() {
    let glb = gambol_sample::glb();
    let mut random = common::Random(11);
    for _ in 0..400 {
        let mut bytes = glb.clone();
        for _ in 0..1 + random.below(6) {
            // Mostly the JSON, which comes first.
            let end = if random.below(4) == 0 { bytes.len() } else { bytes.len().min(6000) };
            let at = random.below(end);
            bytes[at] = if random.below(2) == 0 {
                b"0123456789-,\"[]{}"[random.below(17)]
            } else {
                random.below(256) as u8
            };
        }
        if let Ok(mut document) = Document::parse(&bytes, &mut NoResolver) {
            for index in 0..document.list("accessors").len() {
                let _ = document.floats(index);
            }
            document.prune();
            let _ = document.to_glb();
        }
    }
}

#[test]
fn document_round_trips_keep_the_model() {
    for (path, bytes) in common::files(&["gltf", "variants", "synthetic"]) {
        let shown = path.display();
        let mut resolver = common::resolver(&path);
        let document =
            Document::parse(&bytes, &mut resolver).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let glb = document.to_glb().expect("it fits");
        let again = parse(&glb);
        assert_eq!(again.to_glb().expect("it fits"), glb, "{shown}");
        let (text, _) = document.to_gltf(None);
        assert_eq!(parse(text.as_bytes()).to_glb().expect("it fits"), glb, "{shown}");
        for index in 0..document.list("accessors").len() {
            assert_eq!(document.element_bytes(index), again.element_bytes(index), "{shown} {index}");
        }
        if shown.to_string().contains("draco") {
            continue;
        }
        let (first, second) = (import(&bytes, &mut resolver), import(&glb, &mut NoResolver));
        let (first, second) = (first.expect("the file is valid"), second.expect("the copy is valid"));
        assert_eq!(format!("{:?}", first.model), format!("{:?}", second.model), "{shown}");
    }
}

#[test]
fn document_keeps_unknown_data_when_it_drops_accessors() {
    let mut document = parse(&gambol_sample::glb());
    let view = document.add_view(vec![1, 2, 3, 4], None, None, None);
    let accessor = |document: &mut Document| {
        let component = Component::U8;
        let written = Written {
            view,
            offset: 0,
            component,
            kind: Kind::Scalar,
            count: 4,
            normalized: false,
            range: None,
        };
        document.add_accessor(&written)
    };
    let (unused, used) = (accessor(&mut document), accessor(&mut document));
    let other = document.add_view(vec![9; 5], None, None, None);
    document.json["extensions"] =
        json!({ "ACME_things": { "bufferView": other, "deep": [{ "accessor": used, "size": 3.25 }] } });
    document.json["extras"] = json!({ "accessor": 12_345, "z": 1, "a": [null, 1e-7, "ü"] });
    document.declare("ACME_things", false);
    document.prune();
    let again = parse(&document.to_glb().expect("it fits"));
    let things = &again.json["extensions"]["ACME_things"];
    assert!(again.list("accessors").len() <= unused + 1);
    let index = |value: &serde_json::Value| value.as_u64().expect("an index") as usize;
    assert_eq!(again.integers(index(&things["deep"][0]["accessor"])), Ok(vec![1, 2, 3, 4]));
    assert_eq!(again.view_bytes(index(&things["bufferView"])), [9; 5]);
    assert_eq!(things["deep"][0]["size"].to_string(), "3.25");
    assert_eq!(again.json["extras"].to_string(), r#"{"accessor":12345,"z":1,"a":[null,1e-7,"ü"]}"#);
}
