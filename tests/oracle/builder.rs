//! Builds small glTF files in memory.

use serde_json::{Value, json};

/// Component types of glTF.
pub(crate) const I8: u32 = 5120;
pub(crate) const U8: u32 = 5121;
pub(crate) const I16: u32 = 5122;
pub(crate) const U16: u32 = 5123;
pub(crate) const F32: u32 = 5126;

/// A glTF file that grows.
pub(crate) struct Builder {
    pub(crate) json: Value,
    bytes: Vec<u8>,
}

/// The little-endian bytes of floats.
pub(crate) fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

impl Builder {
    /// A file without content.
    pub(crate) fn new() -> Self {
        Self { json: json!({ "asset": { "version": "2.0" } }), bytes: Vec::new() }
    }

    /// Adds an element to a top-level list and returns its index.
    pub(crate) fn push(&mut self, list: &str, element: Value) -> usize {
        let list = &mut self.json[list];
        if list.is_null() {
            *list = json!([]);
        }
        let list = list.as_array_mut().expect("a top-level list");
        list.push(element);
        list.len() - 1
    }

    /// Adds a node below `parent`.
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

    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.push("bufferViews", json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }))
    }

    /// An accessor of integers, which are normalised if `normalized`.
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

    /// An accessor of integers whose elements begin at multiples of four bytes, as those of vertices must.
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

    /// An accessor of floats.
    pub(crate) fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let view = self.view(&bytes_of(values));
        let count = values.len() / components(kind);
        let mut accessor = json!({ "bufferView": view, "componentType": F32, "type": kind, "count": count });
        // Only positions and key times must have them, but they harm nobody.
        for (name, pick) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
            let column = |i: usize| {
                let column = values.iter().skip(i).step_by(components(kind)).copied();
                column.reduce(pick).expect("at least one element")
            };
            accessor[name] = (0..components(kind)).map(column).collect();
        }
        self.push("accessors", accessor)
    }

    /// An accessor of floats in which some elements, named by their indices, are replaced; without `base`,
    /// the others are zeros.
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

    /// A clip without channels.
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

    /// Adds a channel that animates what a JSON pointer names, and says that the file does so.
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

    /// Says that the file uses an extension, and needs it.
    pub(crate) fn uses(&mut self, extension: &str) {
        for key in ["extensionsUsed", "extensionsRequired"] {
            if self.json[key].as_array().into_iter().flatten().all(|name| name != extension) {
                self.push(key, json!(extension));
            }
        }
    }

    /// Adds a channel with float keys of its own.
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
        let accessors = (self.floats("SCALAR", times), self.floats(kind, values));
        self.channel(clip, target, interpolation, accessors);
    }

    /// The file as GLB.
    pub(crate) fn glb(mut self) -> Vec<u8> {
        self.json["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        let mut text = self.json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let word = |value: usize| u32::try_from(value).expect("a small file").to_le_bytes();
        let length = 12 + 8 + text.len() + 8 + self.bytes.len();
        let header = [*b"glTF", word(2), word(length), word(text.len()), *b"JSON"].concat();
        [header, text, [word(self.bytes.len()), *b"BIN\0"].concat(), self.bytes].concat()
    }
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
