//! Files that are read range by range, as in pages: `common::check::import` compares every file of these tests.

use crate::common::builder::{Builder, F32, bytes_of, skinned, triangle};
use crate::common::check::import;
use crate::common::outside::Pieces;
use gambol::import::Document;
use gambol::model::{ImageData, Model};
use serde_json::json;
use std::ops::Range;

/// The most bytes that are read at once of elements.
const AT_ONCE: usize = 1 << 16;

/// Imports a GLB range by range; returns the ranges that were read, too.
fn read(glb: &[u8]) -> (Model, Vec<Range<usize>>) {
    let pieces = Pieces::new(glb);
    let document = Document::parse(pieces.source()).expect("the JSON is right");
    let model = document.finish().expect("the file is right").model;
    (model, pieces.reads.take())
}

/// Numbers that differ, `count` of them.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| i as f32 * 0.25).collect()
}

#[test]
fn outside_images_are_ranges_that_are_not_read() {
    let mut file = triangle();
    let picture: Vec<u8> = (0..300_000u32).map(|i| (i * 7) as u8).collect();
    let view = file.view(&picture);
    let image = file.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    file.push("textures", json!({"source": image}));
    file.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let glb = file.glb();
    import(&glb).expect("the file is right");
    let (model, reads) = read(&glb);
    let ImageData::Outside { buffer: 0, range } = &model.images[0].data else {
        panic!("{:?}", model.images[0].data)
    };
    assert!(glb[range.clone()] == picture, "another range");
    assert!(
        reads.iter().all(|read| read.end <= range.start || read.start >= range.end),
        "the image was read"
    );
    assert!(!reads.is_empty());
}

#[test]
fn outside_elements_are_read_in_pieces() {
    const COUNT: usize = 20_000;
    let mut file = Builder::new();
    // Positions and normals take turns.
    let rows: Vec<f32> = (0..COUNT).flat_map(|i| [i as f32, 1.0, 2.0, 0.0, 1.0, 0.0]).collect();
    let view = file.view(&bytes_of(&rows));
    file.json["bufferViews"][view]["byteStride"] = json!(24);
    for offset in [0, 12] {
        let accessor = json!({
            "bufferView": view, "byteOffset": offset, "componentType": F32, "type": "VEC3", "count": COUNT,
        });
        file.push("accessors", accessor);
    }
    // Replaced elements need several pieces, too.
    let replaced: Vec<_> = (0..COUNT as u16).map(|i| (i, vec![f32::from(i), 0.5, 0.0])).collect();
    let alone = file.sparse("VEC3", None, COUNT, &replaced);
    let above = file.sparse("VEC3", Some(&numbers(3 * COUNT)), COUNT, &replaced[1..COUNT - 1]);
    file.push(
        "meshes",
        json!({"primitives": [{
            "attributes": {"POSITION": 0, "NORMAL": 1},
            "targets": [{"POSITION": alone}, {"POSITION": above}],
        }]}),
    );
    file.push("nodes", json!({"mesh": 0}));
    let glb = file.glb();
    let start = glb.len() - file.bin.len();
    import(&glb).expect("the file is right");
    let (model, reads) = read(&glb);
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.positions[COUNT - 1], [(COUNT - 1) as f32, 1.0, 2.0]);
    let of_buffer = || reads.iter().filter(|read| read.start >= start);
    assert!(of_buffer().count() > 2 * 24 * COUNT / AT_ONCE, "{reads:?}");
    assert!(of_buffer().all(|read| read.len() <= AT_ONCE), "{reads:?}");
}

#[test]
fn outside_elements_far_apart_are_read_one_by_one() {
    let stride = 3 * AT_ONCE;
    let mut bytes = vec![0; 2 * stride];
    for (i, x) in [1.0f32, 2.0, 3.0].into_iter().enumerate() {
        bytes.resize(i * stride, 0);
        bytes.extend(bytes_of(&[x, 0.0, 0.0]));
    }
    let mut file = Builder::new();
    let view = file.view(&bytes);
    file.json["bufferViews"][view]["byteStride"] = json!(stride);
    file.push("accessors", json!({"bufferView": view, "componentType": F32, "type": "VEC3", "count": 3}));
    file.push("meshes", json!({"primitives": [{"attributes": {"POSITION": 0}}]}));
    file.push("nodes", json!({"mesh": 0}));
    let glb = file.glb();
    import(&glb).expect("the file is right");
    let (model, reads) = read(&glb);
    assert_eq!(
        model.meshes[0].primitives[0].positions.iter().map(|p| p[0]).collect::<Vec<_>>(),
        [1.0, 2.0, 3.0]
    );
    let start = glb.len() - file.bin.len();
    assert!(reads.iter().filter(|read| read.start >= start).all(|read| read.len() <= 12), "{reads:?}");
}

#[test]
fn outside_buffers_are_provided() {
    let mut file = skinned();
    let view = file.view(b"PNG");
    file.push("images", json!({"bufferView": view}));
    file.json["buffers"] = json!([{"byteLength": file.bin.len(), "uri": "a.bin"}]);
    let text = file.json.to_string();
    // The image is not the first part of the buffer.
    let place = &file.json["bufferViews"][view];
    let offset = place["byteOffset"].as_u64().expect("an offset") as usize;
    assert!(offset > 0);

    let mut document = Document::parse(Pieces::new(text.as_bytes()).source()).expect("the JSON is right");
    document.provide(0, Pieces::new(&file.bin).source()).expect("enough bytes");
    let imported = document.finish().expect("all is there");
    assert_eq!(imported.warnings, []);
    let ImageData::Outside { buffer: 0, range } = &imported.model.images[0].data else {
        panic!("{:?}", imported.model.images[0].data)
    };
    assert_eq!(*range, offset..offset + 3);
    let mut in_memory = Document::parse(text.as_bytes()).expect("the JSON is right");
    in_memory.provide(0, file.bin.clone()).expect("enough bytes");
    let model = in_memory.finish().expect("all is there").model;
    assert_eq!(format!("{:?}", imported.model.meshes), format!("{:?}", model.meshes));
    assert_eq!(format!("{:?}", imported.model.skins), format!("{:?}", model.skins));

    let short = |bytes: &[u8]| {
        let mut document = Document::parse(text.as_bytes()).expect("the JSON is right");
        document.provide(0, Pieces::new(bytes).source()).expect("a warning");
        document.finish().expect_err("nothing is there").code()
    };
    assert_eq!(short(&[]), "import/buffer-too-short");
    let mut pointer = b"version https://git-lfs.github.com/spec/v1\n".to_vec();
    pointer.resize(file.bin.len(), b' ');
    assert_eq!(short(&pointer), "import/buffer-missing");
}
