//! Writes a [`Scene`] as GLB.
//!
//! Meshes without triangles, skins without joints and clips without channels are left out, since glTF forbids empty
//! lists. All other rules (finite values, indices in range, unit quaternions) are those of the converters.

use std::collections::HashMap;

use gambol_gltf::container::TooLarge;
use gambol_gltf::document::Document;
use gambol_gltf::element::{ComponentType, Kind};
use gambol_gltf::json;
use gambol_gltf::json::{Map, Value};

use crate::error::{FormatError, Place, codes};
use crate::scene::{Alpha, Channel, Clip, ImageData, Interpolation, Material, Mesh, Node, Path, Primitive};
use crate::scene::{Scene, Skin, Texture};

const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// The bytes of a GLB file.
///
/// # Errors
///
/// [`codes::TOO_LARGE`] above 4 GiB, which is the limit of GLB.
pub(crate) fn write(scene: &Scene) -> Result<Vec<u8>, FormatError> {
    let mut writer = Writer::default();
    let (meshes, mesh_index) = kept(&scene.meshes, |mesh| writer.mesh(mesh));
    let (skins, skin_index) = kept(&scene.skins, |skin| writer.skin(skin));
    let (animations, _) = kept(&scene.clips, |clip| writer.animation(clip));
    let images: Vec<_> = scene.images.iter().map(|image| writer.image(&image.name, &image.data)).collect();
    // A texture for each image: all have the default sampler, which repeats.
    let textures: Vec<_> = (0..images.len()).map(|source| json!({ "source": source })).collect();

    let mut children = vec![Vec::new(); scene.nodes.len()];
    let mut roots = Vec::new();
    for (index, node) in scene.nodes.iter().enumerate() {
        node.parent.map_or(&mut roots, |parent| &mut children[parent]).push(index);
    }
    let mut nodes: Vec<_> = scene
        .nodes
        .iter()
        .zip(children)
        .map(|(node, children)| {
            let mesh = node.mesh.and_then(|mesh| mesh_index[mesh]);
            let skin = node.skin.and_then(|skin| skin_index[skin]).filter(|_| mesh.is_some());
            self::node(node, children, mesh, skin)
        })
        .collect();
    let mut scenes = vec![json!({})];
    if !roots.is_empty() {
        scenes[0]["nodes"] = json!(roots);
    }
    for (node, key, value) in &scene.data {
        let owner = node.map_or(&mut scenes[0], |node| &mut nodes[node]);
        let list = &mut owner["extras"][key.as_str()];
        match list {
            Value::Array(list) => list.push(value.clone()),
            _ => *list = json!([value]),
        }
    }

    let Writer { mut document, .. } = writer;
    document.json["asset"]["generator"] = concat!("gambol-formats ", env!("CARGO_PKG_VERSION")).into();
    if scenes[0] != json!({}) {
        document.json["scene"] = 0.into();
        document.json["scenes"] = scenes.into();
    }
    for (key, list) in [
        ("nodes", nodes),
        ("meshes", meshes),
        ("skins", skins),
        ("materials", scene.materials.iter().map(material).collect()),
        ("textures", textures),
        ("images", images),
        ("animations", animations),
    ] {
        if !list.is_empty() {
            document.json[key] = list.into();
        }
    }
    document.to_glb().map_err(|TooLarge| FormatError {
        code: codes::TOO_LARGE,
        message: "The converted file is larger than 4 GiB, the limit of GLB".to_owned(),
        place: Place::Object { path: String::new() },
    })
}

/// The JSON of the items that can be written, and the new index of each item.
fn kept<T>(items: &[T], mut write: impl FnMut(&T) -> Option<Value>) -> (Vec<Value>, Vec<Option<usize>>) {
    let mut list = Vec::new();
    let index = items
        .iter()
        .map(|item| {
            list.push(write(item)?);
            Some(list.len() - 1)
        })
        .collect();
    (list, index)
}

/// An object with a name, if it has one.
fn named(name: &str) -> Map {
    let mut object = Map::new();
    if !name.is_empty() {
        object.insert("name".to_owned(), json!(name));
    }
    object
}

/// JSON has no infinity and no NaN: they become 0.
fn numbers(values: &[f32]) -> Value {
    values.iter().map(|&value| if value.is_finite() { value } else { 0.0 }).collect()
}

fn node(node: &Node, children: Vec<usize>, mesh: Option<usize>, skin: Option<usize>) -> Value {
    let mut object = named(&node.name);
    let mut insert = |key: &str, value| object.insert(key.to_owned(), value);
    if !children.is_empty() {
        insert("children", json!(children));
    }
    if node.translation != [0.0; 3] {
        insert("translation", numbers(&node.translation));
    }
    if node.rotation != [0.0, 0.0, 0.0, 1.0] {
        insert("rotation", numbers(&node.rotation));
    }
    if node.scale != [1.0; 3] {
        insert("scale", numbers(&node.scale));
    }
    if let Some(mesh) = mesh {
        insert("mesh", json!(mesh));
    }
    if let Some(skin) = skin {
        insert("skin", json!(skin));
    }
    Value::Object(object)
}

fn texture(texture: Texture) -> Value {
    json!({ "index": texture.image, "texCoord": texture.texcoord })
}

fn material(material: &Material) -> Value {
    let mut pbr = json!({
        "baseColorFactor": numbers(&material.base_color),
        "metallicFactor": material.metallic,
        "roughnessFactor": material.roughness,
    });
    if let Some(base_color) = material.base_color_texture {
        pbr["baseColorTexture"] = texture(base_color);
    }
    let mut object = named(&material.name);
    let mut insert = |key: &str, value| object.insert(key.to_owned(), value);
    insert("pbrMetallicRoughness", pbr);
    if let Some(normal) = material.normal_texture {
        insert("normalTexture", texture(normal));
    }
    if material.emissive != [0.0; 3] {
        insert("emissiveFactor", numbers(&material.emissive));
    }
    if let Some(emissive) = material.emissive_texture {
        insert("emissiveTexture", texture(emissive));
    }
    match material.alpha {
        Alpha::Opaque => {}
        Alpha::Mask { cutoff } => {
            insert("alphaMode", json!("MASK"));
            insert("alphaCutoff", json!(cutoff));
        }
        Alpha::Blend => {
            insert("alphaMode", json!("BLEND"));
        }
    }
    if material.double_sided {
        insert("doubleSided", json!(true));
    }
    Value::Object(object)
}

#[derive(Default)]
struct Writer {
    document: Document,
    /// The accessors of key times by their bytes: most channels of a clip share them.
    times: HashMap<Vec<u8>, usize>,
}

impl Writer {
    /// Floats that are not vertices: key times and values, matrices.
    fn floats(&mut self, values: &[f32], kind: Kind) -> usize {
        self.document.add_elements(bytes(values), None, ComponentType::F32, kind)
    }

    /// A vertex attribute of `N` floats.
    fn attribute<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let kind = [Kind::Scalar, Kind::Vec2, Kind::Vec3, Kind::Vec4][N - 1];
        let bytes = bytes(rows.as_flattened());
        self.document.add_elements(bytes, Some(ARRAY_BUFFER), ComponentType::F32, kind)
    }

    /// A vertex attribute with the minimum and maximum of each component, which glTF requires of positions.
    fn positions(&mut self, rows: &[[f32; 3]]) -> usize {
        let accessor = self.attribute(rows);
        self.bounds(accessor, rows);
        accessor
    }

    fn bounds<const N: usize>(&mut self, accessor: usize, rows: &[[f32; N]]) {
        let (mut min, mut max) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
        for row in rows {
            for i in 0..N {
                min[i] = min[i].min(row[i]);
                max[i] = max[i].max(row[i]);
            }
        }
        let accessor = &mut self.document.list_mut("accessors")[accessor];
        accessor["min"] = numbers(&min);
        accessor["max"] = numbers(&max);
    }

    fn image(&mut self, name: &str, data: &ImageData) -> Value {
        let mut object = named(name);
        match data {
            ImageData::Embedded { bytes, mime_type } => {
                let view = self.document.add_view(bytes.clone(), None, None, None);
                object.insert("bufferView".to_owned(), json!(view));
                object.insert("mimeType".to_owned(), json!(*mime_type));
            }
            ImageData::External(uri) => {
                object.insert("uri".to_owned(), json!(uri));
            }
        }
        Value::Object(object)
    }

    fn mesh(&mut self, mesh: &Mesh) -> Option<Value> {
        let drawn = |primitive: &&Primitive| !primitive.positions.is_empty() && !primitive.indices.is_empty();
        let primitives: Vec<_> =
            mesh.primitives.iter().filter(drawn).map(|primitive| self.primitive(primitive)).collect();
        if primitives.is_empty() {
            return None;
        }
        let mut object = named(&mesh.name);
        object.insert("primitives".to_owned(), Value::Array(primitives));
        if !mesh.weights.is_empty() {
            object.insert("weights".to_owned(), numbers(&mesh.weights));
        }
        if !mesh.target_names.is_empty() {
            object.insert("extras".to_owned(), json!({ "targetNames": &mesh.target_names }));
        }
        Some(Value::Object(object))
    }

    fn primitive(&mut self, primitive: &Primitive) -> Value {
        let mut attributes = Map::new();
        let mut insert = |key: &str, accessor: usize| attributes.insert(key.to_owned(), json!(accessor));
        insert("POSITION", self.positions(&primitive.positions));
        if !primitive.normals.is_empty() {
            insert("NORMAL", self.attribute(&primitive.normals));
        }
        for (set, texcoords) in primitive.texcoords.iter().enumerate() {
            insert(&format!("TEXCOORD_{set}"), self.attribute(texcoords));
        }
        if !primitive.colors.is_empty() {
            insert("COLOR_0", self.attribute(&primitive.colors));
        }
        for (set, (joints, weights)) in primitive.influences.iter().enumerate() {
            insert(&format!("JOINTS_{set}"), self.joints(joints, weights));
            insert(&format!("WEIGHTS_{set}"), self.attribute(weights));
        }
        let indices = self.indices(&primitive.indices);
        let mut object = json!({ "attributes": attributes, "indices": indices });
        if let Some(material) = primitive.material {
            object["material"] = json!(material);
        }
        if !primitive.targets.is_empty() {
            let targets = primitive.targets.iter().map(|target| {
                let mut attributes = json!({ "POSITION": self.positions(&target.positions) });
                if !target.normals.is_empty() {
                    attributes["NORMAL"] = json!(self.attribute(&target.normals));
                }
                attributes
            });
            object["targets"] = targets.collect();
        }
        object
    }

    /// Joints as bytes if all fit. The joint of an influence without weight is 0, as glTF asks.
    fn joints(&mut self, joints: &[[u16; 4]], weights: &[[f32; 4]]) -> usize {
        let used: Vec<u16> = joints
            .as_flattened()
            .iter()
            .zip(weights.as_flattened())
            .map(|(&joint, &weight)| if weight == 0.0 { 0 } else { joint })
            .collect();
        let bytes: Result<Vec<u8>, _> = used.iter().map(|&joint| u8::try_from(joint)).collect();
        let (bytes, component) = match bytes {
            Ok(bytes) => (bytes, ComponentType::U8),
            Err(_) => (used.iter().flat_map(|joint| joint.to_le_bytes()).collect(), ComponentType::U16),
        };
        self.document.add_elements(bytes, Some(ARRAY_BUFFER), component, Kind::Vec4)
    }

    /// Indices of 16 bits if all are below 65,535, the value of primitive restart.
    fn indices(&mut self, indices: &[u32]) -> usize {
        let (bytes, component) = if indices.iter().all(|&index| index < u32::from(u16::MAX)) {
            (indices.iter().flat_map(|&index| (index as u16).to_le_bytes()).collect(), ComponentType::U16)
        } else {
            (indices.iter().flat_map(|index| index.to_le_bytes()).collect(), ComponentType::U32)
        };
        self.document.add_elements(bytes, Some(ELEMENT_ARRAY_BUFFER), component, Kind::Scalar)
    }

    fn skin(&mut self, skin: &Skin) -> Option<Value> {
        if skin.joints.is_empty() {
            return None;
        }
        let mut object = named(&skin.name);
        object.insert("joints".to_owned(), json!(&skin.joints));
        if !skin.inverse_bind_matrices.is_empty() {
            let accessor = self.floats(skin.inverse_bind_matrices.as_flattened(), Kind::Mat4);
            object.insert("inverseBindMatrices".to_owned(), json!(accessor));
        }
        Some(Value::Object(object))
    }

    fn animation(&mut self, clip: &Clip) -> Option<Value> {
        let with_keys: Vec<_> = clip.channels.iter().filter(|channel| !channel.times.is_empty()).collect();
        if with_keys.is_empty() {
            return None;
        }
        let samplers: Vec<_> = with_keys.iter().map(|channel| self.sampler(channel)).collect();
        let channels = with_keys.iter().enumerate().map(|(sampler, channel)| {
            let path = match channel.path {
                Path::Translation => "translation",
                Path::Rotation => "rotation",
                Path::Scale => "scale",
                Path::Weights => "weights",
            };
            json!({ "sampler": sampler, "target": { "node": channel.node, "path": path } })
        });
        let mut object = named(&clip.name);
        object.insert("channels".to_owned(), channels.collect());
        object.insert("samplers".to_owned(), Value::Array(samplers));
        Some(Value::Object(object))
    }

    fn sampler(&mut self, channel: &Channel) -> Value {
        let input = self.key_times(&channel.times);
        let kind = match channel.path {
            Path::Translation | Path::Scale => Kind::Vec3,
            Path::Rotation => Kind::Vec4,
            Path::Weights => Kind::Scalar,
        };
        let output = self.floats(&channel.values, kind);
        let interpolation = match channel.interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        json!({ "input": input, "output": output, "interpolation": interpolation })
    }

    fn key_times(&mut self, times: &[f32]) -> usize {
        let bytes = bytes(times);
        if let Some(&accessor) = self.times.get(&bytes) {
            return accessor;
        }
        let accessor = self.floats(times, Kind::Scalar);
        self.bounds(accessor, times.as_chunks::<1>().0);
        self.times.insert(bytes, accessor);
        accessor
    }
}

fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Image, Target};
    use serde_json::{Value, json};

    fn parts(glb: &[u8]) -> (Value, &[u8]) {
        let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().expect("four bytes")) as usize;
        assert_eq!((&glb[..4], word(4), word(8)), (&b"glTF"[..], 2, glb.len()));
        let json = &glb[20..20 + word(12)];
        let bin = glb.get(28 + word(12)..).unwrap_or_default();
        (serde_json::from_slice(json).expect("JSON"), bin)
    }

    fn bone(name: &str, parent: Option<usize>) -> Node {
        Node {
            name: name.to_owned(),
            parent,
            translation: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: [1.0; 3],
            mesh: None,
            skin: None,
        }
    }

    #[test]
    fn glb_of_an_empty_scene_has_no_empty_lists() {
        let glb = write(&Scene::default()).expect("small");
        let (json, bin) = parts(&glb);
        assert_eq!(json.as_object().expect("an object").keys().collect::<Vec<_>>(), ["asset"]);
        assert!(bin.is_empty());
    }

    #[test]
    fn glb_leaves_out_empty_parts_and_keeps_references() {
        let triangle = Primitive {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, f32::NAN, -2.0]],
            indices: vec![0, 1, 2],
            ..Primitive::default()
        };
        let full = Mesh { name: "full".to_owned(), primitives: vec![triangle], ..Mesh::default() };
        let scene = Scene {
            nodes: vec![
                Node { mesh: Some(0), skin: Some(0), ..bone("empty", None) },
                Node { mesh: Some(1), skin: Some(1), ..bone("", Some(0)) },
            ],
            meshes: vec![Mesh::default(), full],
            skins: vec![Skin::default(), Skin { joints: vec![0], ..Skin::default() }],
            clips: vec![Clip::default()],
            ..Scene::default()
        };
        let glb = write(&scene).expect("small");
        let (json, _) = parts(&glb);
        assert_eq!(json["nodes"], json!([{ "name": "empty", "children": [1] }, { "mesh": 0, "skin": 0 }]));
        assert_eq!(json["scenes"], json!([{ "nodes": [0] }]));
        assert_eq!(json["meshes"][0]["name"], "full");
        assert_eq!(json["accessors"][0]["min"], json!([0.0, 0.0, -2.0]));
        assert_eq!(json["accessors"][0]["max"], json!([1.0, 0.0, 0.0]));
        assert!(json.get("animations").is_none());
    }

    #[test]
    fn glb_keeps_other_data_as_extras() {
        let data = |node, key: &str, value| (node, key.to_owned(), gambol_gltf::json!(value));
        let scene = Scene {
            nodes: vec![bone("a", None)],
            data: vec![data(Some(0), "Tag", 1), data(None, "Tag", 2), data(Some(0), "Tag", 3)],
            ..Scene::default()
        };
        let glb = write(&scene).expect("small");
        let (json, _) = parts(&glb);
        assert_eq!(json["nodes"][0]["extras"], json!({ "Tag": [1, 3] }));
        assert_eq!(json["scenes"], json!([{ "nodes": [0], "extras": { "Tag": [2] } }]));
    }

    #[test]
    fn glb_has_the_smallest_joints_and_indices() {
        for (joint, joint_type) in [(255, 5121), (256, 5123)] {
            for (index, index_type) in [(65_534, 5123), (65_535, 5125)] {
                let primitive = Primitive {
                    positions: vec![[0.0; 3]; index as usize + 1],
                    influences: vec![(vec![[joint, 9, 0, 0]], vec![[1.0, 0.0, 0.0, 0.0]])],
                    indices: vec![0, 1, index],
                    ..Primitive::default()
                };
                let mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
                let glb = write(&Scene { meshes: vec![mesh], ..Scene::default() }).expect("small");
                let (json, bin) = parts(&glb);
                let kinds: Vec<_> = (0..4).map(|i| json["accessors"][i]["componentType"].as_u64()).collect();
                assert_eq!(kinds, [Some(5126), Some(joint_type), Some(5126), Some(index_type)]);
                let at = json["bufferViews"][1]["byteOffset"].as_u64().expect("an offset") as usize;
                let size = if joint_type == 5121 { 1 } else { 2 };
                assert_eq!(bin[at + size..at + 4 * size], vec![0; 3 * size], "without weight: joint 0");
            }
        }
    }

    #[test]
    fn glb_shares_key_times_and_aligns_views() {
        let channel = |path, width: usize| Channel {
            node: 0,
            path,
            interpolation: Interpolation::Step,
            times: vec![0.5, 1.5],
            values: vec![0.0; 2 * width],
        };
        let scene = Scene {
            nodes: vec![bone("a", None)],
            images: vec![Image {
                name: String::new(),
                data: ImageData::Embedded { bytes: vec![1, 2, 3], mime_type: "image/png" },
            }],
            meshes: vec![Mesh {
                target_names: vec!["smile".to_owned()],
                weights: vec![0.25],
                primitives: vec![Primitive {
                    positions: vec![[1.0; 3]; 3],
                    indices: vec![0, 1, 2],
                    targets: vec![Target { positions: vec![[0.5; 3]; 3], normals: vec![] }],
                    ..Primitive::default()
                }],
                ..Mesh::default()
            }],
            clips: vec![Clip {
                name: "walk".to_owned(),
                channels: vec![channel(Path::Translation, 3), channel(Path::Weights, 1)],
            }],
            ..Scene::default()
        };
        let glb = write(&scene).expect("small");
        let (json, bin) = parts(&glb);
        let samplers = &json["animations"][0]["samplers"];
        assert_eq!(samplers[0]["input"], samplers[1]["input"]);
        let times = &json["accessors"][samplers[0]["input"].as_u64().expect("an index") as usize];
        assert_eq!((&times["min"], &times["max"]), (&json!([0.5]), &json!([1.5])));
        for view in json["bufferViews"].as_array().expect("views") {
            assert_eq!(view["byteOffset"].as_u64().unwrap_or(0) % 4, 0);
        }
        assert_eq!(json["meshes"][0]["extras"], json!({ "targetNames": ["smile"] }));
        assert_eq!(json["images"][0]["mimeType"], "image/png");
        assert_eq!(bin.len() % 4, 0);
    }
}
