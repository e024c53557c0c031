//! Documents: reading, round trips, faults.

use crate::common;
use gambol::import::{DracoMesh, DracoRequest, NoResolver, Resolver, codes, import};
use gambol_gltf::document::Written;
use gambol_gltf::element::{ComponentType, Kind};
use gambol_gltf::json;
use gambol_tools::{Document, open};

fn parse(bytes: &[u8]) -> Document {
    Document::parse(bytes, &mut NoResolver).expect("the file is valid")
}

#[test]
fn document_refuses_malformed_files_without_a_panic() {
    for (path, bytes) in common::files(&["malformed"]) {
        let mut resolver = common::resolver(&path);
        let _ = open(&bytes, &mut resolver);
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
    let mut random = common::random::Random(11);
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
    let written = Written::new(view, ComponentType::U8, Kind::Scalar, 4);
    let accessor = |document: &mut Document| document.add_accessor(&written);
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
    let index = |value: &gambol_gltf::json::Value| value.as_u64().expect("an index") as usize;
    assert_eq!(again.integers(index(&things["deep"][0]["accessor"])), Ok(vec![1, 2, 3, 4]));
    assert_eq!(again.view_bytes(index(&things["bufferView"])), [9; 5]);
    assert_eq!(things["deep"][0]["size"].to_string(), "3.25");
    assert_eq!(again.json["extras"].to_string(), r#"{"accessor":12345,"z":1,"a":[null,1e-7,"ü"]}"#);
}

#[test]
fn document_writes_members_that_are_null_unless_a_repair_made_them() {
    let file = |value: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"extras":{{"note":null,"size":{value},"deep":[{{"a":null}}]}}}}"#
        )
    };
    let (text, _) = parse(file("1.50").as_bytes()).to_gltf(None);
    assert_eq!(text, file("1.50"));
    let (text, _) = parse(file("NaN").as_bytes()).to_gltf(None);
    assert_eq!(text, r#"{"asset":{"version":"2.0"},"extras":{"deep":[{}]}}"#);
}

/// The sample whose first primitive seems to be compressed: its accessors have no data, which [`Fake`] has instead.
fn compressed() -> (Document, Fake) {
    let mut document = parse(&gambol_sample::glb());
    let primitive = document.list("meshes")[0]["primitives"][0].clone();
    let attributes = primitive["attributes"].as_object().expect("attributes").clone();
    let mut fake = Fake::default();
    let mut ids = gambol_gltf::json::Map::new();
    for (id, (name, accessor)) in attributes.iter().enumerate() {
        let accessor = accessor.as_u64().expect("an index") as usize;
        fake.mesh.vertices = document.accessor(accessor).expect("an accessor").count;
        fake.mesh.attributes.push(document.element_bytes(accessor).expect("bytes"));
        document.list_mut("accessors")[accessor].as_object_mut().expect("an object").remove("bufferView");
        ids.insert(name.to_owned(), id.into());
    }
    let indices = primitive["indices"].as_u64().expect("indices") as usize;
    fake.mesh.indices = document.integers(indices).expect("integers");
    document.list_mut("accessors")[indices].as_object_mut().expect("an object").remove("bufferView");
    let view = document.add_view(b"DRACO".to_vec(), None, None, None);
    document.list_mut("meshes")[0]["primitives"][0]["extensions"] =
        json!({ "KHR_draco_mesh_compression": { "bufferView": view, "attributes": ids } });
    document.declare("KHR_draco_mesh_compression", true);
    (document, fake)
}

/// A decoder that knows one mesh, in the order of its ids.
#[derive(Default)]
struct Fake {
    mesh: DracoMesh,
    fails: bool,
}

impl Resolver for Fake {
    fn read(&mut self, _: &str) -> Result<Vec<u8>, String> {
        Err("there are no files".to_owned())
    }

    fn decode_draco(&mut self, request: &DracoRequest, bytes: &[u8]) -> Option<Result<DracoMesh, String>> {
        assert_eq!(bytes, b"DRACO");
        let attributes = request.attributes.iter().map(|each| self.mesh.attributes[each.id as usize].clone());
        let mesh = DracoMesh { attributes: attributes.collect(), ..self.mesh.clone() };
        Some(if self.fails { Err("its header is wrong".to_owned()) } else { Ok(mesh) })
    }
}

#[test]
fn document_with_draco_is_refused_without_a_decoder_and_with_a_wrong_mesh() {
    let pointer = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
    let (mut document, mut fake) = compressed();
    let error = document.clone().decode_draco(&mut NoResolver).expect_err("there is no decoder");
    assert_eq!((error.code(), &error.pointer[..]), (codes::DRACO_UNAVAILABLE, pointer));
    fake.fails = true;
    let error = document.clone().decode_draco(&mut fake).expect_err("the decoder fails");
    assert_eq!((error.code(), &error.pointer[..]), (codes::DRACO, pointer));
    assert!(error.to_string().contains("its header is wrong"), "{error}");
    fake.fails = false;
    fake.mesh.attributes[0].pop();
    let error = document.decode_draco(&mut fake).expect_err("a byte is missing");
    assert_eq!((error.code(), &error.pointer[..]), (codes::DRACO, pointer));
}

#[test]
fn document_with_draco_becomes_the_plain_one() {
    let plain = import(&gambol_sample::glb(), &mut NoResolver).expect("the sample is valid").model;
    let (mut document, mut fake) = compressed();
    let primitive = |document: &Document| document.json["meshes"][0]["primitives"][0].clone();
    let described = primitive(&document);
    let made = document.decode_draco(&mut fake).expect("the decoder works");
    let written = primitive(&document);
    let indices = (described["indices"].as_index(), written["indices"].as_index());
    assert_eq!(made.last().map(|&(named, made)| (Some(named), Some(made))), Some(indices));
    let attributes = described["attributes"].as_object().expect("attributes");
    assert_eq!(made.len(), attributes.len() + 1);
    for (name, named) in attributes {
        let pair = (named.as_index(), written["attributes"][name].as_index());
        assert!(made.iter().any(|&(named, made)| pair == (Some(named), Some(made))), "{name}");
    }
    assert!(!document.uses("KHR_draco_mesh_compression"));
    document.prune();
    let decoded = import(&document.to_glb().expect("it fits"), &mut NoResolver).expect("it is valid").model;
    let [before, after] = [&plain, &decoded].map(|model| &model.meshes[0].primitives[0]);
    assert_eq!(before.positions, after.positions);
    assert_eq!(before.indices, after.indices);
    let influences = |primitive: &gambol::model::Primitive| {
        primitive.influences.as_ref().map(|each| (each.joints.clone(), each.weights.clone()))
    };
    assert!(influences(before) == influences(after));
    assert_eq!(document.decode_draco(&mut NoResolver).expect("nothing is left"), []);
}

#[test]
fn document_reads_a_text_that_is_nearly_json_as_the_importer_does() {
    for (text, name) in [
        (&b"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"K\xf6rper\"}]}"[..], "K\u{f6}rper"),
        (b"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"\\ud83d!\"}]}", "\u{fffd}!"),
        (b"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"A\",\"scale\":[1,NaN,1]}]}\0\0", "A"),
    ] {
        let document = Document::parse(text, &mut NoResolver).expect("it is repaired");
        let node = &document.list("nodes")[0];
        assert_eq!(node["name"], name);
        assert!(node.get("scale").is_none(), "{node}");
        // The written text is JSON.
        let again = Document::parse(&document.to_glb().expect("it fits"), &mut NoResolver).expect("a GLB");
        assert_eq!(again.list("nodes")[0]["name"], name);
    }
}
