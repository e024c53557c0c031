//! Small models that have what USD has not, or has otherwise.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// A PNG of one white pixel.
pub(crate) const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";

/// A model in the making. Its buffer is a data URI.
pub(crate) struct Case {
    pub(crate) json: Value,
    bytes: Vec<u8>,
}

impl Case {
    /// A square of four vertices in mesh 0, and node 0 that shows it.
    pub(crate) fn square() -> Self {
        let mut case = Self {
            json: json!({
                "asset": { "version": "2.0" },
                "scenes": [{ "nodes": [0] }],
                "nodes": [{ "mesh": 0, "name": "Square" }],
                "accessors": [], "bufferViews": [], "materials": [{ "name": "Paint" }],
            }),
            bytes: Vec::new(),
        };
        let points = case.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 1.0, 1.0, 0.0]);
        let normals = case.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
        let coordinates = case.floats("VEC2", &[0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
        let indices = case.add("SCALAR", 5123, 6, &[0_u16, 1, 2, 2, 1, 3].map(u16::to_le_bytes).concat());
        case.json["meshes"] = json!([{ "primitives": [{
            "attributes": { "POSITION": points, "NORMAL": normals, "TEXCOORD_0": coordinates },
            "indices": indices, "material": 0,
        }] }]);
        case
    }

    /// Adds an accessor.
    pub(crate) fn add(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let views = self.json["bufferViews"].as_array_mut().expect("a list");
        views.push(json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() }));
        let view = views.len() - 1;
        self.bytes.extend_from_slice(bytes);
        let accessors = self.json["accessors"].as_array_mut().expect("a list");
        accessors
            .push(json!({ "bufferView": view, "componentType": component, "count": count, "type": kind }));
        accessors.len() - 1
    }

    pub(crate) fn floats(&mut self, kind: &str, numbers: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.add(kind, 5126, numbers.len() / width, &bytes)
    }

    /// Adds an animation with one channel.
    pub(crate) fn animate(
        &mut self,
        target: &Value,
        interpolation: &str,
        times: &[f32],
        kind: &str,
        values: &[f32],
    ) {
        let (input, output) = (self.floats("SCALAR", times), self.floats(kind, values));
        let animation = json!({
            "samplers": [{ "input": input, "output": output, "interpolation": interpolation }],
            "channels": [{ "sampler": 0, "target": target }],
        });
        match self.json["animations"].as_array_mut() {
            Some(list) => list.push(animation),
            None => self.json["animations"] = json!([animation]),
        }
    }

    /// Adds an attribute to the primitive.
    pub(crate) fn attribute(&mut self, name: &str, accessor: usize) {
        self.json["meshes"][0]["primitives"][0]["attributes"][name] = accessor.into();
    }

    /// Adds a texture with an image from a data URI; returns its index.
    pub(crate) fn texture(&mut self, media: &str, base64: &str) -> usize {
        self.json["images"] =
            json!([{ "uri": format!("data:{media};base64,{base64}"), "name": "Wall / paper" }]);
        self.json["textures"] = json!([{ "source": 0 }]);
        0
    }

    /// The bytes of the `.gltf`.
    pub(crate) fn gltf(mut self) -> Vec<u8> {
        let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&self.bytes));
        self.json["buffers"] = json!([{ "byteLength": self.bytes.len(), "uri": uri }]);
        self.json.to_string().into_bytes()
    }
}

/// A square whose node, and a second one below it, are turned and mirrored by clips of all interpolations.
fn nodes() -> Vec<(&'static str, Case)> {
    let turn = |quarters: f32| {
        let half = quarters * std::f32::consts::FRAC_PI_4;
        [0.0, half.sin(), 0.0, half.cos()]
    };
    let mut mirrored = Case::square();
    mirrored.json["nodes"] = json!([
        { "mesh": 0, "name": "a", "scale": [-2, 1, 1], "children": [1, 2] },
        { "mesh": 0, "name": "a", "translation": [3, 0, 0], "rotation": turn(1.0) },
        { "mesh": 0, "matrix": [1, 0, 0, 0, 0.7, 1, 0, 0, 0, 0, -1, 0, 5, 0, 0, 1], "name": "1 é/\"" },
    ]);
    let mut all = vec![("mirrored", mirrored)];
    for (name, interpolation) in [("step", "STEP"), ("linear", "LINEAR"), ("cubic", "CUBICSPLINE")] {
        let mut case = Case::square();
        case.json["nodes"] = json!([
            { "name": "arm", "children": [1], "scale": [0.01, 0.01, 0.01], "translation": [0, 2, 0] },
            { "mesh": 0, "name": "hand", "children": [2], "translation": [100, 0, 0], "scale": [-100, 100, 100] },
            { "mesh": 0, "name": "tip", "translation": [1, 1, 0], "scale": [0, 0, 0] },
        ]);
        let rows: Vec<f32> = [turn(0.0), turn(1.0), turn(1.7), turn(-0.5)]
            .iter()
            .flat_map(|row| if name == "cubic" { [[0.4; 4], *row, [-0.9; 4]].concat() } else { row.to_vec() })
            .collect();
        case.animate(
            &json!({ "node": 0, "path": "rotation" }),
            interpolation,
            &[0.1, 0.5, 1.7, 2.0],
            "VEC4",
            &rows,
        );
        // Added to the same clip: a scale that begins at 0.
        let input = case.floats("SCALAR", &[0.0, 1.0]);
        let output = case.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 2.0, 1.5]);
        let animation = &mut case.json["animations"][0];
        animation["samplers"]
            .as_array_mut()
            .expect("a list")
            .push(json!({ "input": input, "output": output }));
        let target = json!({ "sampler": 1, "target": { "node": 2, "path": "scale" } });
        animation["channels"].as_array_mut().expect("a list").push(target);
        all.push((name, case));
    }
    all
}

/// A skinned square whose joint matrices are mirrored, singular, or of another size.
fn skins() -> Vec<(&'static str, Case)> {
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let with = |change: &dyn Fn(&mut [f32; 16])| {
        let mut matrix = identity;
        change(&mut matrix);
        matrix
    };
    let binds = [
        ("large", with(&|m| (m[0], m[5], m[10]) = (100.0, 100.0, 100.0))),
        ("flipped", with(&|m| m[0] = -1.0)),
        ("sheared", with(&|m| (m[4], m[12]) = (0.8, 3.0))),
        ("singular", with(&|m| m[10] = 0.0)),
    ];
    let mut all = Vec::new();
    for (name, bind) in binds {
        let mut case = Case::square();
        case.json["nodes"] = json!([
            { "mesh": 0, "skin": 0, "translation": [9, 9, 9] },
            { "name": "hip", "children": [2], "scale": [0.01, 0.01, 0.02] },
            { "name": "hip", "translation": [10, 0, 0] },
        ]);
        case.json["scenes"] = json!([{ "nodes": [0, 1] }]);
        let inverse = case.floats("MAT4", &[bind, bind].concat());
        case.json["skins"] = json!([{ "joints": [2, 1], "inverseBindMatrices": inverse }]);
        let joints = case.add("VEC4", 5121, 4, &[0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1]);
        let weights = case.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(4));
        case.attribute("JOINTS_0", joints);
        case.attribute("WEIGHTS_0", weights);
        let rows = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8];
        case.animate(&json!({ "node": 2, "path": "rotation" }), "LINEAR", &[0.0, 1.0], "VEC4", &rows);
        all.push((name, case));
    }
    all
}

/// Two skins with the same joints, and a mesh at one of them. The bind matrices of the second skin have a place of their mesh, and
/// one joint has another size.
pub(crate) fn two_skins(size: f32) -> (&'static str, Case) {
    let mut case = Case::square();
    case.json["nodes"] = json!([
        { "mesh": 0, "skin": 0 },
        { "mesh": 0, "skin": 1 },
        { "name": "hip", "children": [3], "translation": [0, 1, 0] },
        { "name": "hand", "children": [4], "translation": [1, 0, 0] },
        { "name": "sword", "mesh": 1, "translation": [0, 0, 0.5] },
    ]);
    case.json["scenes"] = json!([{ "nodes": [0, 1, 2] }]);
    let mut sword = case.json["meshes"][0].clone();
    sword["name"] = "sword".into();
    case.json["meshes"].as_array_mut().expect("a list").push(sword);
    let moved = |x: f32, y: f32, size: f32| {
        [size, 0.0, 0.0, 0.0, 0.0, size, 0.0, 0.0, 0.0, 0.0, size, 0.0, x, y, 0.0, 1.0]
    };
    let first = case.floats("MAT4", &[moved(0.0, -1.0, 1.0), moved(-1.0, -1.0, 1.0)].concat());
    let second = case.floats("MAT4", &[moved(4.0, -1.0, 1.0), moved(3.0, -1.0, size)].concat());
    case.json["skins"] = json!([
        { "joints": [2, 3], "inverseBindMatrices": first },
        { "joints": [2, 3], "inverseBindMatrices": second },
    ]);
    let joints = case.add("VEC4", 5121, 4, &[0, 1, 0, 0].repeat(4));
    let weights = case.floats("VEC4", &[0.25, 0.75, 0.0, 0.0].repeat(4));
    case.attribute("JOINTS_0", joints);
    case.attribute("WEIGHTS_0", weights);
    let rows = [0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8];
    case.animate(&json!({ "node": 2, "path": "rotation" }), "LINEAR", &[0.0, 1.0], "VEC4", &rows);
    (if size == 1.0 { "two-skins" } else { "two-skeletons" }, case)
}

/// A square with a morph target, shown by two nodes with weights of their own.
fn morphs() -> Case {
    let mut case = Case::square();
    let offsets = case.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
    case.json["meshes"][0]["primitives"][0]["targets"] =
        json!([{ "POSITION": offsets }, { "POSITION": offsets, "NORMAL": offsets }]);
    case.json["meshes"][0]["extras"] = json!({ "targetNames": ["smile", "smile"] });
    case.json["nodes"] =
        json!([{ "mesh": 0, "weights": [0.25, 0] }, { "mesh": 0, "translation": [2, 0, 0] }]);
    case.json["scenes"] = json!([{ "nodes": [0, 1] }]);
    let values = [0.0, 0.0, 1.0, 0.5, 0.2, 0.0];
    case.animate(&json!({ "node": 1, "path": "weights" }), "LINEAR", &[0.0, 0.5, 1.0], "SCALAR", &values);
    case
}

/// A square that a clip hides.
pub(crate) fn hidden() -> Case {
    let mut case = Case::square();
    case.json["extensionsUsed"] = json!(["KHR_node_visibility", "KHR_animation_pointer"]);
    case.json["nodes"] = json!([
        { "mesh": 0, "name": "blinks", "extensions": { "KHR_node_visibility": { "visible": true } } },
        { "mesh": 0, "name": "never", "extensions": { "KHR_node_visibility": { "visible": false } } },
    ]);
    case.json["scenes"] = json!([{ "nodes": [0, 1] }]);
    let output = case.add("SCALAR", 5121, 3, &[1, 0, 1]);
    let input = case.floats("SCALAR", &[0.0, 0.5, 1.0]);
    let pointer =
        json!({ "KHR_animation_pointer": { "pointer": "/nodes/0/extensions/KHR_node_visibility/visible" } });
    case.json["animations"] = json!([{
        "samplers": [{ "input": input, "output": output, "interpolation": "STEP" }],
        "channels": [{ "sampler": 0, "target": { "path": "pointer", "extensions": pointer } }],
    }]);
    case
}

/// A square with one material.
pub(crate) fn painted(material: Value) -> Case {
    let mut case = Case::square();
    case.texture("image/png", PIXEL);
    case.json["materials"][0] = material;
    case
}

/// A material with a texture in each slot that USD has.
pub(crate) fn all_slots() -> Value {
    let transform =
        json!({ "KHR_texture_transform": { "offset": [0.1, 0.2], "rotation": 0.5, "scale": [2, 3] } });
    json!({
        "name": "All slots",
        "doubleSided": true,
        "alphaMode": "MASK",
        "alphaCutoff": 0.25,
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.5, 0.25, 1, 0.75],
            "baseColorTexture": { "index": 0, "extensions": transform },
            "metallicRoughnessTexture": { "index": 0 },
            "roughnessFactor": 0.5,
        },
        "normalTexture": { "index": 0, "scale": 0.5 },
        "occlusionTexture": { "index": 0, "strength": 0.25 },
        "emissiveTexture": { "index": 0 },
        "emissiveFactor": [1, 0.5, 0],
        "extensions": {
            "KHR_materials_emissive_strength": { "emissiveStrength": 4 },
            "KHR_materials_clearcoat": {
                "clearcoatFactor": 0.5, "clearcoatTexture": { "index": 0 },
                "clearcoatRoughnessFactor": 0.25, "clearcoatRoughnessTexture": { "index": 0 },
            },
        },
    })
}

/// All small models.
pub(crate) fn cases() -> Vec<(&'static str, Vec<u8>)> {
    let mut all = nodes();
    all.extend(skins());
    all.extend([1.0, 2.0].map(two_skins));
    all.push(("morphs", morphs()));
    all.push(("hidden", hidden()));
    all.push(("slots", painted(all_slots())));
    let glossy = json!({ "extensions": { "KHR_materials_pbrSpecularGlossiness": {
        "diffuseTexture": { "index": 0 }, "specularGlossinessTexture": { "index": 0 }, "glossinessFactor": 0.5,
    } } });
    all.push(("glossy", painted(glossy)));
    let blended =
        json!({ "alphaMode": "BLEND", "pbrMetallicRoughness": { "baseColorFactor": [1, 1, 1, 0.5] } });
    all.push(("blended", painted(blended)));
    all.push(("unlit", painted(json!({ "extensions": { "KHR_materials_unlit": {} } }))));
    let mut colored = Case::square();
    let colors = colored.floats("VEC4", &[0.5, 0.0, 1.0, 0.25].repeat(4));
    colored.attribute("COLOR_0", colors);
    all.push(("colors", colored));
    let mut many = Case::square();
    many.json["nodes"] =
        json!((0..5).map(|i| json!({ "mesh": 0, "translation": [i, 0, 0] })).collect::<Vec<_>>());
    many.json["scenes"] = json!([{ "nodes": [0, 1, 2, 3, 4] }]);
    all.push(("shared", many));
    for (name, mode) in [("strip", 5), ("fan", 6)] {
        let mut case = Case::square();
        case.json["meshes"][0]["primitives"][0]["mode"] = mode.into();
        all.push((name, case));
    }
    all.into_iter().map(|(name, case)| (name, case.gltf())).collect()
}
