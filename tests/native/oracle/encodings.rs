//! One file in many encodings: from a GLB of `Builder`, whose accessors have separate views.

use super::meshopt::{self, Channel};
use base64::Engine;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A file as JSON and the bytes of its views.
#[derive(Clone)]
pub(crate) struct Plain {
    pub(crate) json: Value,
    /// The bytes of each buffer view.
    pub(crate) views: Vec<Vec<u8>>,
}

impl Plain {
    pub(crate) fn new(glb: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().expect("four bytes")) as usize;
        let end = 20 + word(12);
        let json: Value = serde_json::from_slice(&glb[20..end]).expect("the JSON chunk");
        let view = |view: &Value| {
            let begin = end + 8 + number(&view["byteOffset"]);
            glb[begin..begin + number(&view["byteLength"])].to_vec()
        };
        let views = json["bufferViews"].as_array().expect("views").iter().map(view).collect();
        Self { json, views }
    }

    fn accessors(&self) -> usize {
        self.json["accessors"].as_array().map_or(0, Vec::len)
    }

    /// The bytes of an accessor.
    fn bytes(&self, accessor: usize) -> &[u8] {
        &self.views[number(&self.json["accessors"][accessor]["bufferView"])]
    }

    /// The size of an element of an accessor, in bytes.
    fn element_size(&self, accessor: usize) -> usize {
        self.bytes(accessor).len() / number(&self.json["accessors"][accessor]["count"])
    }

    /// The values of an accessor of floats.
    pub(crate) fn floats(&self, accessor: &Value) -> Vec<f32> {
        self.bytes(number(accessor)).as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
    }

    /// The values of an accessor of 16-bit integers.
    pub(crate) fn shorts(&self, accessor: &Value) -> Vec<u32> {
        let short = |&bytes: &[u8; 2]| u16::from_le_bytes(bytes).into();
        self.bytes(number(accessor)).as_chunks().0.iter().map(short).collect()
    }

    /// Adds a view; returns its index.
    fn push(&mut self, bytes: Vec<u8>) -> usize {
        self.views.push(bytes);
        self.json["bufferViews"].as_array_mut().expect("views").push(json!({ "buffer": 0 }));
        self.views.len() - 1
    }

    /// Replaces the bytes of an accessor, and sets their component type.
    pub(crate) fn replace(&mut self, accessor: &Value, component: u32, normalized: bool, bytes: Vec<u8>) {
        let view = number(&self.json["accessors"][number(accessor)]["bufferView"]);
        self.views[view] = bytes;
        let accessor = &mut self.json["accessors"][number(accessor)];
        accessor["componentType"] = json!(component);
        accessor["normalized"] = json!(normalized);
        for limit in ["min", "max"] {
            accessor.as_object_mut().expect("an object").remove(limit);
        }
    }

    /// Sets the byte stride of an accessor's view.
    pub(crate) fn stride(&mut self, accessor: &Value, stride: usize) {
        let view = number(&self.json["accessors"][number(accessor)]["bufferView"]);
        self.json["bufferViews"][view]["byteStride"] = json!(stride);
    }

    pub(crate) fn uses(&mut self, extension: &str) {
        self.json["extensionsUsed"] = json!([extension]);
        self.json["extensionsRequired"] = json!([extension]);
    }

    /// The JSON and the only buffer.
    fn packed(&self) -> (Value, Vec<u8>) {
        let (mut json, mut bin) = (self.json.clone(), Vec::new());
        for (i, bytes) in self.views.iter().enumerate() {
            bin.resize(bin.len().next_multiple_of(4), 0);
            let view = &mut json["bufferViews"][i];
            // A view with compressed data is not in this buffer itself: its extension refers to the bytes of the
            // stream.
            let place = if view["extensions"].is_object() {
                let (_, extension) =
                    view["extensions"].as_object_mut().and_then(|all| all.iter_mut().next()).expect("one");
                extension
            } else {
                view
            };
            place["byteOffset"] = json!(bin.len());
            place["byteLength"] = json!(bytes.len());
            bin.extend(bytes);
        }
        json["buffers"][0] = json!({ "byteLength": bin.len() });
        (json, bin)
    }

    pub(crate) fn glb(&self) -> Vec<u8> {
        let (json, mut bin) = self.packed();
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        bin.resize(bin.len().next_multiple_of(4), 0);
        let word = |value: usize| (value as u32).to_le_bytes();
        let header =
            [*b"glTF", word(2), word(28 + text.len() + bin.len()), word(text.len()), *b"JSON"].concat();
        [header, text, [word(bin.len()), *b"BIN\0"].concat(), bin].concat()
    }

    /// The file with its bytes in a data URI.
    pub(crate) fn embedded(&self) -> Vec<u8> {
        let (mut json, bin) = self.packed();
        let text = base64::engine::general_purpose::STANDARD.encode(bin);
        json["buffers"][0]["uri"] = json!(format!("data:application/octet-stream;base64,{text}"));
        json.to_string().into_bytes()
    }

    /// The file, and its buffer as a separate file `name`.
    pub(crate) fn external(&self, name: &str) -> (Vec<u8>, Vec<u8>) {
        let (mut json, bin) = self.packed();
        json["buffers"][0]["uri"] = json!(name);
        (json.to_string().into_bytes(), bin)
    }

    /// Makes all accessors sparse: every second without a base; in the others every third element of the base is wrong
    /// and replaced.
    pub(crate) fn sparse(&self) -> Self {
        let mut file = self.clone();
        for accessor in 0..self.accessors() {
            let stride = self.element_size(accessor);
            let elements = self.bytes(accessor).chunks(stride).enumerate();
            let on_zeros = accessor % 2 == 0;
            let some =
                elements.filter(
                    |(i, element)| if on_zeros { element.iter().any(|&byte| byte != 0) } else { i % 3 == 0 },
                );
            let some: Vec<(usize, &[u8])> = some.collect();
            if some.is_empty() {
                continue;
            }
            let indices = some.iter().flat_map(|(i, _)| (*i as u32).to_le_bytes()).collect();
            let values = some.iter().flat_map(|(_, element)| element.to_vec()).collect();
            let (count, indices, values) = (some.len(), file.push(indices), file.push(values));
            let view = number(&self.json["accessors"][accessor]["bufferView"]);
            if on_zeros {
                file.json["accessors"][accessor].as_object_mut().expect("an object").remove("bufferView");
            } else {
                file.views[view].chunks_mut(stride).step_by(3).for_each(|element| element.fill(0x3d));
            }
            file.json["accessors"][accessor]["sparse"] = json!({
                "count": count,
                "indices": { "bufferView": indices, "componentType": 5125 },
                "values": { "bufferView": values },
            });
        }
        file
    }

    /// Interleaves the attributes of each primitive in one view.
    pub(crate) fn interleaved(&self) -> Self {
        let mut file = self.clone();
        for primitive in self.primitives() {
            let attributes: Vec<usize> =
                primitive["attributes"].as_object().expect("attributes").values().map(number).collect();
            let sizes: Vec<usize> = attributes.iter().map(|&accessor| self.element_size(accessor)).collect();
            let stride: usize = sizes.iter().sum();
            let count = number(&self.json["accessors"][attributes[0]]["count"]);
            let element = |vertex: usize| {
                let parts = attributes.iter().zip(&sizes);
                parts.flat_map(move |(&accessor, &size)| {
                    self.bytes(accessor)[vertex * size..][..size].to_vec()
                })
            };
            let view = file.push((0..count).flat_map(element).collect());
            file.json["bufferViews"][view]["byteStride"] = json!(stride);
            let mut offset = 0;
            for (accessor, size) in attributes.into_iter().zip(sizes) {
                file.json["accessors"][accessor]["bufferView"] = json!(view);
                file.json["accessors"][accessor]["byteOffset"] = json!(offset);
                offset += size;
            }
        }
        file
    }

    /// The accessors of triangle indices.
    fn triangles(&self) -> Vec<usize> {
        let meshes = self.json["meshes"].as_array().expect("meshes").iter();
        let primitives = meshes.flat_map(|mesh| mesh["primitives"].as_array().expect("primitives"));
        primitives.map(|primitive| number(&primitive["indices"])).collect()
    }

    /// Compresses each view by meshopt, as the extension allows.
    pub(crate) fn meshopt(&self, extension: &str, triangles: bool) -> Self {
        let mut file = self.clone();
        let channels = [Channel::Bytes, Channel::Pairs, Channel::Xor(1), Channel::Xor(12)];
        for accessor in 0..self.accessors() {
            let (bytes, stride) = (self.bytes(accessor), self.element_size(accessor));
            let (mode, stream) = if self.triangles().contains(&accessor) {
                let indices = self.shorts(&json!(accessor));
                if triangles {
                    ("TRIANGLES", meshopt::triangles(&indices))
                } else {
                    ("INDICES", meshopt::indices(&indices))
                }
            } else if extension.starts_with("EXT") {
                ("ATTRIBUTES", meshopt::attributes_0(bytes, stride))
            } else {
                ("ATTRIBUTES", meshopt::attributes_1(bytes, stride, &channels[accessor % 4..]))
            };
            file.encoded(
                extension,
                accessor,
                json!({ "mode": mode, "byteStride": stride }),
                bytes.len(),
                stream,
            );
        }
        file.uses(extension);
        file
    }

    /// Replaces an accessor's view by one of `size` bytes that are decoded from a stream.
    fn encoded(&mut self, name: &str, accessor: usize, mut extension: Value, size: usize, stream: Vec<u8>) {
        extension["buffer"] = json!(0);
        extension["count"] = json!(size / number(&extension["byteStride"]));
        let view = number(&self.json["accessors"][accessor]["bufferView"]);
        self.views[view] = stream;
        self.json["bufferViews"][view] =
            json!({ "buffer": 1, "byteLength": size, "extensions": { name: extension } });
        let fallback = json!({ "byteLength": 1 << 20, "extensions": { name: { "fallback": true } } });
        self.json["buffers"] = json!([{}, fallback]);
    }

    /// Compresses positions, key times and key values with meshopt's filters: floats of 20 bits, quaternions and
    /// normals of 16.
    pub(crate) fn filtered(&self) -> Self {
        let name = "KHR_meshopt_compression";
        let mut file = self.clone();
        let put = |file: &mut Self, accessor: &Value, filter: &str, elements: Vec<u8>, stride: usize| {
            let (size, extension) =
                (elements.len(), json!({ "mode": "ATTRIBUTES", "byteStride": stride, "filter": filter }));
            let stream = meshopt::attributes_1(&elements, stride, &[Channel::Bytes]);
            file.encoded(name, number(accessor), extension, size, stream);
        };
        let exponential =
            |values: &[f32]| values.iter().flat_map(|&value| meshopt::exponential(value, 20)).collect();
        for primitive in self.primitives() {
            let attributes = &primitive["attributes"];
            put(
                &mut file,
                &attributes["POSITION"],
                "EXPONENTIAL",
                exponential(&self.floats(&attributes["POSITION"])),
                12,
            );
            let normals = self.floats(&attributes["NORMAL"]);
            let normals =
                normals.as_chunks().0.iter().flat_map(|&normal| meshopt::octahedral(normal, 0, 16)).collect();
            file.replace(&attributes["NORMAL"], 5122, true, Vec::new());
            put(&mut file, &attributes["NORMAL"], "OCTAHEDRAL", normals, 8);
            file.stride(&attributes["NORMAL"], 8);
        }
        for (path, output) in self.outputs() {
            let values = self.floats(&output);
            if path == "rotation" {
                let keys = values.as_chunks().0.iter().flat_map(|&key| meshopt::quaternion(key)).collect();
                file.replace(&output, 5122, true, Vec::new());
                put(&mut file, &output, "QUATERNION", keys, 8);
            } else {
                put(
                    &mut file,
                    &output,
                    "EXPONENTIAL",
                    exponential(&values),
                    self.element_size(number(&output)),
                );
            }
        }
        file.uses(name);
        file
    }

    /// All primitives of all meshes.
    pub(crate) fn primitives(&self) -> Vec<Value> {
        let meshes = self.json["meshes"].as_array().expect("meshes").iter();
        meshes.flat_map(|mesh| mesh["primitives"].as_array().expect("primitives").clone()).collect()
    }

    /// The paths and output accessors of all LINEAR and STEP channels; the tangents of splines are not unit
    /// quaternions.
    pub(crate) fn outputs(&self) -> Vec<(String, Value)> {
        let mut outputs = Vec::new();
        for clip in self.json["animations"].as_array().expect("clips") {
            for channel in clip["channels"].as_array().expect("channels") {
                let sampler = &clip["samplers"][number(&channel["sampler"])];
                if sampler["interpolation"] != "CUBICSPLINE" {
                    let path = channel["target"]["path"].as_str().expect("a path").to_owned();
                    outputs.push((path, sampler["output"].clone()));
                }
            }
        }
        outputs
    }

    /// Compresses each primitive by Draco, in the original order if `method` is 0; positions are quantised to `bits`
    /// bits, unless that is 0.
    pub(crate) fn draco(&self, method: u32, bits: u32) -> Self {
        const NAME: &str = "KHR_draco_mesh_compression";
        let mut file = self.clone();
        for m in 0..self.json["meshes"].as_array().map_or(0, Vec::len) {
            let primitive = &self.json["meshes"][m]["primitives"][0];
            let indices = self.shorts(&primitive["indices"]);
            let mut bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
            let (mut attributes, mut ids) = (Vec::new(), json!({}));
            for (name, accessor) in primitive["attributes"].as_object().expect("attributes") {
                let kind = match &name[..3] {
                    "POS" => "POSITION",
                    "NOR" => "NORMAL",
                    "TEX" => "TEX_COORD",
                    "COL" => "COLOR",
                    _ => "GENERIC",
                };
                let component = &self.json["accessors"][number(accessor)]["componentType"];
                let size = if *component == 5126 { 4 } else { 2 };
                let components = self.element_size(number(accessor)) / size;
                let bits = if kind == "POSITION" { bits } else { 0 };
                ids[name] = json!(attributes.len());
                attributes
                    .push(json!({ "kind": kind, "type": component, "components": components, "bits": bits }));
                bytes.extend(self.bytes(number(accessor)));
                for key in ["bufferView", "byteOffset"] {
                    file.json["accessors"][number(accessor)].as_object_mut().expect("an object").remove(key);
                }
            }
            let vertices = &self.json["accessors"][number(&primitive["attributes"]["POSITION"])]["count"];
            let request = json!({
                "faces": indices.len() / 3, "vertices": vertices, "method": method, "attributes": attributes,
            });
            let view = file.push(encode_draco(&request, &bytes));
            file.json["meshes"][m]["primitives"][0]["extensions"] =
                json!({ NAME: { "bufferView": view, "attributes": ids } });
        }
        file.uses(NAME);
        file
    }
}

fn number(value: &Value) -> usize {
    value.as_u64().expect("a number of the file") as usize
}

/// Runs `draco_encoder.mjs`.
fn encode_draco(request: &Value, bytes: &[u8]) -> Vec<u8> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/oracle/draco_encoder.mjs");
    let mut node = Command::new("node");
    let mut node =
        node.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Node starts");
    let text = request.to_string();
    let input = [&(text.len() as u32).to_le_bytes()[..], text.as_bytes(), bytes].concat();
    // The script reads its whole input before it writes.
    node.stdin.take().expect("a pipe").write_all(&input).expect("Node reads");
    let output = node.wait_with_output().expect("Node ends");
    assert!(output.status.success(), "the mesh cannot be encoded");
    output.stdout
}
