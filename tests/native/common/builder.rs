//! Small glTF files, built in memory.

use super::check::{check, import};
use gambol::import::{ImportError, Imported};
use gambol::model::Model;
use serde_json::{Value, json};

/// Component types of glTF.
pub(crate) const I8: u32 = 5120;
pub(crate) const U8: u32 = 5121;
pub(crate) const I16: u32 = 5122;
pub(crate) const U16: u32 = 5123;
pub(crate) const F32: u32 = 5126;

/// A builder of a file: JSON, and one growing buffer.
pub(crate) struct Builder {
    pub(crate) json: Value,
    pub(crate) bin: Vec<u8>,
}

/// The little-endian bytes of floats.
pub(crate) fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

impl Builder {
    /// A file with only a version.
    pub(crate) fn new() -> Self {
        Self { json: json!({"asset": {"version": "2.0"}}), bin: Vec::new() }
    }

    /// Adds an element to a top-level array; returns its index.
    pub(crate) fn push(&mut self, key: &str, element: Value) -> usize {
        let root = self.json.as_object_mut().expect("the root is an object");
        let array = root.entry(key).or_insert_with(|| json!([])).as_array_mut().expect("an array");
        array.push(element);
        array.len() - 1
    }

    /// Adds a buffer view with these bytes; returns its index.
    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
        self.bin.extend(bytes);
        self.push("bufferViews", view)
    }

    /// Adds an accessor of floats; returns its index.
    pub(crate) fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let view = self.view(&bytes_of(values));
        let count = values.len() / components(kind);
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": F32, "type": kind, "count": count}),
        )
    }

    /// Adds an accessor of floats with `min` and `max`, as positions and key times require; returns its index.
    pub(crate) fn bounded(&mut self, kind: &str, values: &[f32]) -> usize {
        let index = self.floats(kind, values);
        let accessor = &mut self.json["accessors"][index];
        for (name, pick) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
            let column = |i: usize| {
                let column = values.iter().skip(i).step_by(components(kind)).copied();
                column.reduce(pick).expect("at least one element")
            };
            accessor[name] = (0..components(kind)).map(column).collect();
        }
        index
    }

    /// Adds an accessor of bytes; returns its index.
    pub(crate) fn bytes(&mut self, kind: &str, width: usize, values: &[u8]) -> usize {
        let view = self.view(values);
        let count = values.len() / width;
        self.push("accessors", json!({"bufferView": view, "componentType": U8, "type": kind, "count": count}))
    }

    /// Adds an accessor of integers; returns its index.
    pub(crate) fn integers(&mut self, kind: &str, component: u32, normalized: bool, values: &[i32]) -> usize {
        let size = if component == I8 || component == U8 { 1 } else { 2 };
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()[..size].to_vec()).collect();
        let view = self.view(&bytes);
        let count = values.len() / components(kind);
        self.push(
            "accessors",
            json!({
                "bufferView": view, "componentType": component, "normalized": normalized,
                "type": kind, "count": count,
            }),
        )
    }

    /// Adds an accessor of integers whose elements are aligned to four bytes, as vertex attributes require; returns its
    /// index.
    pub(crate) fn aligned(&mut self, kind: &str, component: u32, normalized: bool, values: &[i32]) -> usize {
        let size = if component == I8 || component == U8 { 1 } else { 2 };
        let width = components(kind);
        let stride = (width * size).next_multiple_of(4);
        let mut bytes: Vec<u8> = Vec::new();
        for element in values.chunks(width) {
            bytes.extend(element.iter().flat_map(|value| value.to_le_bytes()[..size].to_vec()));
            bytes.resize(bytes.len().next_multiple_of(stride), 0);
        }
        let view = self.view(&bytes);
        self.json["bufferViews"][view]["byteStride"] = json!(stride);
        self.push(
            "accessors",
            json!({
                "bufferView": view, "componentType": component, "normalized": normalized,
                "type": kind, "count": values.len() / width,
            }),
        )
    }

    /// Adds a node below `parent`; returns its index.
    pub(crate) fn node(&mut self, parent: Option<usize>, node: Value) -> usize {
        let child = self.push("nodes", node);
        if let Some(parent) = parent {
            let children = &mut self.json["nodes"][parent]["children"];
            if children.is_null() {
                *children = json!([]);
            }
            children.as_array_mut().expect("a list of children").push(json!(child));
        }
        child
    }

    /// Adds an accessor of floats with sparse elements: pairs of index and replacement. Without `base` the other
    /// elements are zeros.
    pub(crate) fn sparse(
        &mut self,
        kind: &str,
        base: Option<&[f32]>,
        count: usize,
        replaced: &[(u16, Vec<f32>)],
    ) -> usize {
        let mut accessor = json!({ "componentType": F32, "type": kind, "count": count });
        if let Some(base) = base {
            assert_eq!(base.len(), count * components(kind), "a base of another length");
            accessor["bufferView"] = json!(self.view(&bytes_of(base)));
        }
        let indices: Vec<u8> = replaced.iter().flat_map(|(index, _)| index.to_le_bytes()).collect();
        let values: Vec<f32> = replaced.iter().flat_map(|(_, values)| values.clone()).collect();
        assert_eq!(values.len(), replaced.len() * components(kind), "values of another width");
        accessor["sparse"] = json!({
            "count": replaced.len(),
            "indices": { "bufferView": self.view(&indices), "componentType": U16 },
            "values": { "bufferView": self.view(&bytes_of(&values)) },
        });
        self.push("accessors", accessor)
    }

    /// Adds a clip without channels; returns its index.
    pub(crate) fn clip(&mut self, name: &str) -> usize {
        self.push("animations", json!({ "name": name, "samplers": [], "channels": [] }))
    }

    /// Adds a channel whose key times and values are accessors.
    pub(crate) fn channel(
        &mut self,
        clip: usize,
        (node, path): (usize, &str),
        interpolation: &str,
        (input, output): (usize, usize),
    ) {
        let clip = &mut self.json["animations"][clip];
        let samplers = clip["samplers"].as_array_mut().expect("samplers");
        let sampler = samplers.len();
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        let channel = json!({ "sampler": sampler, "target": { "node": node, "path": path } });
        clip["channels"].as_array_mut().expect("channels").push(channel);
    }

    /// Adds a channel that animates the target of a JSON pointer, and declares the extension.
    pub(crate) fn point(
        &mut self,
        clip: usize,
        pointer: &str,
        interpolation: &str,
        (input, output): (usize, usize),
    ) {
        self.channel(clip, (0, "pointer"), interpolation, (input, output));
        self.uses("KHR_animation_pointer");
        let channels = self.json["animations"][clip]["channels"].as_array_mut().expect("channels");
        let channel = channels.last_mut().expect("the new one");
        channel["target"] =
            json!({ "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": pointer } } });
    }

    /// Adds an extension to `extensionsUsed` and `extensionsRequired`.
    pub(crate) fn uses(&mut self, extension: &str) {
        for key in ["extensionsUsed", "extensionsRequired"] {
            if self.json[key].as_array().into_iter().flatten().all(|name| name != extension) {
                self.push(key, json!(extension));
            }
        }
    }

    /// Adds a channel with its own keys of floats.
    pub(crate) fn animate(
        &mut self,
        clip: usize,
        target: (usize, &str),
        interpolation: &str,
        times: &[f32],
        values: &[f32],
    ) {
        let kind = match target.1 {
            "rotation" => "VEC4",
            "weights" => "SCALAR",
            _ => "VEC3",
        };
        let accessors = (self.bounded("SCALAR", times), self.bounded(kind, values));
        self.channel(clip, target, interpolation, accessors);
    }

    /// The file as a GLB.
    pub(crate) fn glb(&self) -> Vec<u8> {
        let mut root = self.json.clone();
        if !self.bin.is_empty() && root.get("buffers").is_none() {
            root["buffers"] = json!([{"byteLength": self.bin.len()}]);
        }
        let mut json = root.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut chunks = vec![(*b"JSON", json)];
        if !self.bin.is_empty() {
            let mut bin = self.bin.clone();
            bin.resize(bin.len().next_multiple_of(4), 0);
            chunks.push((*b"BIN\0", bin));
        }
        glb(&chunks)
    }

    /// Imports the file.
    pub(crate) fn import(&self) -> Result<Imported, ImportError> {
        import(&self.glb())
    }

    /// Imports the file, which must be valid.
    pub(crate) fn clean(&self) -> Model {
        let Imported { model, warnings } = self.import().expect("the file is right");
        assert_eq!(warnings, []);
        check(&model);
        model
    }

    /// Imports the file, which must be refused; returns code and pointer.
    pub(crate) fn error(&self) -> (&'static str, String) {
        let error = self.import().expect_err("the file is wrong");
        assert!(!error.to_string().is_empty());
        (error.code(), error.pointer.clone())
    }

    /// Imports the file, which must need one repair; returns the model, code and pointer.
    pub(crate) fn repaired(&self) -> (Model, &'static str, String) {
        let Imported { model, mut warnings } = self.import().expect("the file can be repaired");
        check(&model);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let warning = warnings.remove(0);
        (model, warning.code, warning.pointer)
    }
}

/// A triangle on a node, with its mesh at index 0.
pub(crate) fn triangle() -> Builder {
    let mut file = Builder::new();
    let positions = file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    file.push("meshes", json!({"primitives": [{"attributes": {"POSITION": positions}}]}));
    file.push("nodes", json!({"mesh": 0}));
    file
}

/// The triangle on two joints (nodes 1 and 2), with weights of 0.5 each.
pub(crate) fn skinned() -> Builder {
    let mut file = triangle();
    let joints = file.bytes("VEC4", 4, &[0, 1, 0, 0].repeat(3));
    let weights = file.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(3));
    file.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    file.json["nodes"] = json!([{"mesh": 0, "skin": 0}, {"children": [2]}, {}]);
    file.push("skins", json!({"joints": [1, 2]}));
    file
}

/// The triangle with a clip that moves its node; its samplers and channels can be changed.
pub(crate) fn animated() -> Builder {
    let mut file = triangle();
    let input = file.floats("SCALAR", &[0.0, 1.0, 2.5]);
    let output = file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    file.push(
        "animations",
        json!({
            "name": "move",
            "samplers": [{"input": input, "output": output}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
        }),
    );
    file
}

/// A GLB with these chunks.
pub(crate) fn glb(chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let length: usize = 12 + chunks.iter().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((length as u32).to_le_bytes());
    for (kind, bytes) in chunks {
        glb.extend((bytes.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(bytes);
    }
    glb
}

fn components(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        _ => panic!("no accessor of {kind} is built here"),
    }
}
