//! KHR_draco_mesh_compression: the requests to a decoder, and the validation of its results.

use crate::common::builder::{Builder, triangle};
use crate::common::check::check;
use crate::common::outside::Pieces;
use gambol::import::{
    ComponentType, Document, DracoAttribute, DracoMesh, DracoRequest, ImportError, Limits, Resolver, import,
};
use gambol::model::Topology;
use serde_json::json;

const NAME: &str = "KHR_draco_mesh_compression";
const POINTER: &str = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";

/// A quad with the compressed bytes `[1, 2, 3]`, with positions and texture coordinates.
fn encoded() -> Builder {
    let mut file = Builder::new();
    let view = file.view(&[1, 2, 3]);
    file.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": 4}));
    file.push("accessors", json!({"componentType": 5123, "type": "VEC2", "count": 4, "normalized": true}));
    file.push("accessors", json!({"componentType": 5123, "type": "SCALAR", "count": 6}));
    file.push(
        "meshes",
        json!({"primitives": [{
            "attributes": {"POSITION": 0, "TEXCOORD_0": 1},
            "indices": 2,
            "extensions": {NAME: {"bufferView": view, "attributes": {"POSITION": 7, "TEXCOORD_0": 9}}},
        }]}),
    );
    file.push("nodes", json!({"mesh": 0}));
    file.json["extensionsUsed"] = json!([NAME]);
    file.json["extensionsRequired"] = json!([NAME]);
    file
}

/// The decoded quad.
fn quad() -> DracoMesh {
    let positions = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    let coordinates = [0u16, 0, 65535, 0, 65535, 65535, 0, 65535];
    DracoMesh {
        vertices: 4,
        attributes: vec![
            positions.iter().flat_map(|value| value.to_le_bytes()).collect(),
            coordinates.iter().flat_map(|value| value.to_le_bytes()).collect(),
        ],
        indices: vec![0, 1, 2, 0, 2, 3],
    }
}

/// `count` primitives with the same compressed bytes, one MiB, and a memory limit of at least `floor`.
fn large(count: usize, floor: u64) -> Document<'static> {
    let mut file = encoded();
    let view = file.view(&vec![0; 1 << 20]);
    let part = &mut file.json["meshes"][0]["primitives"][0];
    part["extensions"][NAME]["bufferView"] = json!(view);
    let part = part.clone();
    file.json["meshes"][0]["primitives"] = json!(vec![part; count]);
    let limits = Limits { floor, expansion: 0, ..Limits::DEFAULT };
    Document::parse_with_limits(file.glb(), limits).expect("the file is right so far")
}

#[test]
fn draco_input_and_output_share_a_limit() {
    assert!(large(3, 3 << 20).draco_requests().is_ok());
    let error = large(4, 3 << 20).draco_requests().expect_err("4 MiB to decode");
    let last = POINTER.replace("primitives/0", "primitives/3");
    assert_eq!((error.code(), error.pointer.clone()), ("import/too-large", last));

    let vertices = 1 << 17;
    let mesh = || DracoMesh {
        vertices,
        attributes: vec![vec![0; 12 * vertices], vec![0; 4 * vertices]],
        indices: vec![],
    };
    let mut document = large(2, 3 << 20);
    document.draco_requests().expect("the file is right so far");
    document.provide_draco(0, mesh()).expect("2 MiB");
    let error = document.provide_draco(1, mesh()).expect_err("4 MiB together");
    assert_eq!(
        (error.code(), error.pointer.clone()),
        ("import/too-large", POINTER.replace("primitives/0", "primitives/1"))
    );
}

/// A resolver with a fixed result for all meshes.
struct Decoder(Result<DracoMesh, String>);

impl Resolver for Decoder {
    fn read(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        Err(uri.to_owned())
    }

    fn decode_draco(&mut self, request: &DracoRequest, bytes: &[u8]) -> Option<Result<DracoMesh, String>> {
        assert_eq!((&*request.pointer, bytes), (POINTER, &[1, 2, 3][..]));
        Some(self.0.clone())
    }
}

fn fault(error: ImportError) -> (&'static str, String) {
    (error.code(), error.pointer.clone())
}

#[test]
fn draco_without_a_decoder_is_an_error() {
    assert_eq!(encoded().error(), ("import/draco-unavailable", POINTER.to_owned()));
    // The extension is not required, but there is nothing else to show.
    let mut file = encoded();
    file.json.as_object_mut().expect("an object").remove("extensionsRequired");
    assert_eq!(file.error(), ("import/draco-unavailable", POINTER.to_owned()));
}

#[test]
fn draco_extension_faults_have_the_pointer_of_the_property() {
    for (key, value, code, at) in [
        ("bufferView", json!("x"), "import/invalid-value", "/bufferView"),
        ("bufferView", json!(5), "import/index-out-of-range", "/bufferView"),
        ("attributes", json!(5), "import/invalid-value", "/attributes"),
        ("attributes", json!({"POSITION": -1}), "import/invalid-value", "/attributes/POSITION"),
    ] {
        let mut file = encoded();
        file.json["meshes"][0]["primitives"][0]["extensions"][NAME][key] = value.clone();
        let error = import(&file.glb(), &mut Decoder(Ok(quad()))).expect_err("the extension is wrong");
        assert_eq!(fault(error), (code, format!("{POINTER}{at}")), "{key}: {value}");
    }
    let mut file = encoded();
    file.json["meshes"][0]["primitives"][0]["mode"] = json!(1);
    assert_eq!(file.error(), ("import/invalid-value", "/meshes/0/primitives/0/mode".to_owned()));
    let mut file = encoded();
    file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(10);
    let at = "/meshes/0/primitives/0/attributes/POSITION".to_owned();
    assert_eq!(file.error(), ("import/index-out-of-range", at));
}

#[test]
fn draco_decoder_results_that_do_not_match_are_refused() {
    let wrong = |change: fn(&mut DracoMesh)| {
        let mut mesh = quad();
        change(&mut mesh);
        fault(import(&encoded().glb(), &mut Decoder(Ok(mesh))).expect_err("the answer is wrong"))
    };
    let expected = ("import/draco", POINTER.to_owned());
    assert_eq!(wrong(|mesh| _ = mesh.attributes.pop()), expected);
    assert_eq!(wrong(|mesh| _ = mesh.attributes[0].pop()), expected);
    assert_eq!(wrong(|mesh| mesh.vertices = usize::MAX), expected);
    assert_eq!(wrong(|mesh| _ = mesh.indices.pop()), expected);
    let error = import(&encoded().glb(), &mut Decoder(Err("it is rotten".to_owned())));
    let error = error.expect_err("the decoder refuses");
    assert!(error.to_string().contains("it is rotten"));
    assert_eq!(fault(error), expected);
    let mut document = Document::parse(encoded().glb()).expect("the file is right");
    assert_eq!(
        document.provide_draco(0, quad()).map_err(fault),
        Err(("import/index-out-of-range", "/meshes".to_owned()))
    );
}

#[test]
fn draco_decoder_indices_are_checked() {
    let mut mesh = quad();
    mesh.indices[4] = 4;
    let imported = import(&encoded().glb(), &mut Decoder(Ok(mesh))).expect("it can be repaired");
    check(&imported.model);
    assert_eq!(imported.warnings[0].code, "import/vertex-index-out-of-range");
    assert_eq!(imported.warnings[0].pointer, "/meshes/0/primitives/0/indices");
}

#[test]
fn draco_requests_list_the_attributes() {
    let mut document = Document::parse(encoded().glb()).expect("the file is right");
    let requests = document.draco_requests().expect("the file is right");
    let attribute = |id, component, components| DracoAttribute { id, component, components };
    let wanted = vec![attribute(7, ComponentType::F32, 3), attribute(9, ComponentType::U16, 2)];
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].attributes, wanted);
    assert_eq!(*document.draco_bytes(0).expect("the bytes"), [1, 2, 3]);
    let mut outside = Document::parse(Pieces::new(&encoded().glb()).source()).expect("the file is right");
    assert_eq!(outside.draco_requests().expect("the file is right"), requests);
    assert_eq!(*outside.draco_bytes(0).expect("the bytes"), [1, 2, 3]);
    document.provide_draco(0, quad()).expect("the answer is right");
    assert_eq!(document.draco_requests().expect("the file is right"), []);
    assert!(document.finish().is_ok());
}

#[test]
fn draco_decoded_meshes_are_used() {
    for mode in [4, 5] {
        let mut file = encoded();
        file.json["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        let imported = import(&file.glb(), &mut Decoder(Ok(quad()))).expect("the file is right");
        assert_eq!(imported.warnings, []);
        check(&imported.model);
        let primitive = &imported.model.meshes[0].primitives[0];
        assert_eq!(primitive.topology, Topology::Triangles);
        assert_eq!(primitive.indices.as_deref(), Some(&[0, 1, 2, 0, 2, 3][..]));
        assert_eq!(primitive.positions[2], [1.0, 1.0, 0.0]);
        assert_eq!(primitive.tex_coords[0][2], [1.0, 1.0]);
    }
}

#[test]
fn draco_decoder_determines_the_vertex_count() {
    let mut file = encoded();
    file.json["accessors"][0]["count"] = json!(9);
    let imported = import(&file.glb(), &mut Decoder(Ok(quad()))).expect("it can be repaired");
    assert_eq!(imported.model.meshes[0].primitives[0].positions.len(), 4);
    assert_eq!(imported.warnings.len(), 1);
    assert_eq!(imported.warnings[0].pointer, "/accessors/0/count");
}

#[test]
fn draco_meshes_with_uncompressed_accessors_need_no_decoder() {
    let mut file = triangle();
    let view = file.view(&[1, 2, 3]);
    file.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({NAME: {"bufferView": view, "attributes": {"POSITION": 0}}});
    file.json["extensionsUsed"] = json!([NAME]);
    file.clean();
    file.json["extensionsRequired"] = json!([NAME]);
    assert_eq!(file.error(), ("import/draco-unavailable", POINTER.to_owned()));
}
