//! Materials and nodes that a page has changed, in the file of their model.

use gambol_gltf::json;
use gambol_gltf::json::Value;
use gambol_tools::{Document, NewImage, NewMaterial, NewTexture, export_materials, export_nodes};

const POINTER: &str = "KHR_animation_pointer";

fn channel(pointer: &str) -> Value {
    json!({ "sampler": 0, "target": { "path": "pointer", "extensions": { POINTER: { "pointer": pointer } } } })
}

/// Two nodes and two materials, with clips that animate their visibility, roughness, and the place of a texture.
fn file() -> Document {
    let mut document = Document::default();
    document.json = json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "name": "Hat" }, { "name": "Head", "extensions": { "KHR_node_visibility": { "visible": false } } }],
        "images": [{ "uri": "a.png" }],
        "textures": [{ "source": 0 }],
        "materials": [{ "normalTexture": { "index": 0 } }, {}],
        "animations": [
            { "name": "Hide", "samplers": [{}], "channels": [channel("/nodes/0/extensions/KHR_node_visibility/visible")] },
            { "name": "All", "samplers": [{}], "channels": [
                channel("/nodes/0/extensions/KHR_node_visibility/visible"),
                channel("/nodes/1/extensions/KHR_node_visibility/visible"),
                channel("/materials/0/pbrMetallicRoughness/roughnessFactor"),
                channel("/materials/1/pbrMetallicRoughness/roughnessFactor"),
                channel("/materials/0/normalTexture/extensions/KHR_texture_transform/offset"),
            ] },
        ],
    });
    document
}

fn animated(document: &Document) -> Vec<(String, Vec<String>)> {
    let pointer = |channel: &Value| {
        channel
            .pointer(&format!("/target/extensions/{POINTER}/pointer"))
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let list = document.list("animations").iter();
    list.map(|animation| {
        let name = animation.str_at("name").unwrap_or_default().to_owned();
        (name, animation.list("channels").iter().filter_map(pointer).collect())
    })
    .collect()
}

#[test]
fn nodes_are_hidden_and_shown_in_place_of_the_file_and_its_clips() {
    assert_eq!(export_nodes(file(), &[]).unwrap().json, file().json);
    let written = export_nodes(file(), &[(0, false), (1, true)]).unwrap();
    for (node, visible) in [(0, false), (1, true)] {
        let at = format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
        assert_eq!(written.json.pointer(&at), Some(&json!(visible)));
    }
    assert_eq!(written.json["extensionsUsed"], json!(["KHR_node_visibility"]));
    assert_eq!(written.json.get("extensionsRequired"), None);
    // A clip of this visibility alone is gone; the channels of other properties stay.
    let left = animated(&written);
    assert_eq!(left.len(), 1);
    assert_eq!((&left[0].0[..], left[0].1.len()), ("All", 3));
}

#[test]
fn numbers_of_materials_replace_those_of_clips() {
    let roughness = ("pbrMetallicRoughness/roughnessFactor".to_owned(), vec![0.25]);
    let new = NewMaterial { material: 0, numbers: vec![roughness], ..NewMaterial::default() };
    let written = export_materials(file(), &[new]).unwrap();
    assert_eq!(written.json.pointer("/materials/0/pbrMetallicRoughness/roughnessFactor"), Some(&json!(0.25)));
    let left = animated(&written);
    assert_eq!(left.iter().map(|(_, pointers)| pointers.len()).collect::<Vec<_>>(), [1, 4]);
    assert!(!left[1].1.contains(&"/materials/0/pbrMetallicRoughness/roughnessFactor".to_owned()));
}

#[test]
fn numbers_of_textures_are_written_with_their_texture_only() {
    let scale = ("normalTexture/scale".to_owned(), vec![2.0]);
    let texture = |image| NewTexture {
        path: "normalTexture".to_owned(),
        image,
        tex_coord: 0,
        sampler: [9729, 9987, 10497, 10497],
        transform: [0.0, 0.0, 0.0, 1.0, 1.0],
    };
    let scale_of = |material: usize, textures: Vec<NewTexture>| {
        let new = NewMaterial { material, numbers: vec![scale.clone()], textures, ..NewMaterial::default() };
        let written = export_materials(file(), &[new]).unwrap();
        (written.json.pointer(&format!("/materials/{material}/normalTexture")).cloned(), written)
    };
    assert_eq!(scale_of(0, vec![]).0, Some(json!({ "index": 0, "scale": 2.0 })));
    assert_eq!(scale_of(0, vec![texture(NewImage::None)]).0, None);
    assert_eq!(scale_of(1, vec![]).0, None, "there is no texture that the number could belong to");
    let (made, written) = scale_of(1, vec![texture(NewImage::Image(0))]);
    assert_eq!(made, Some(json!({ "index": 1, "texCoord": 0, "scale": 2.0 })));
    // The clip moves the texture of the other material.
    assert_eq!(animated(&written)[1].1.len(), 5);
}
