//! Files: GLB and JSON with a buffer. Spec: glTF 2.0 §4.4.

use super::Document;
use crate::codec::meshopt::{Filter, Stream};
use crate::container::{self, TooLarge};
use crate::element::Word;
use crate::json::{Map, Value};
use crate::{json, uri};

/// Appends zeros up to a multiple of four.
fn align(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(4), 0);
}

/// The names of meshopt's extensions, in the order of their uncompressed buffers.
const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

impl Document {
    /// The JSON as it is written, and the bytes of its buffer 0. Buffer views follow each other in their order, each at a
    /// multiple of four bytes.
    pub fn packed(&self) -> (Value, Vec<u8>) {
        let mut json = self.json.clone();
        let mut bin = Vec::new();
        // The sizes of the buffers that only say how large the encoded views are when decoded.
        let mut fallback = [0usize; 2];
        let which = |stream: &Stream| usize::from(stream.khronos);
        let streams = |i: usize| self.views.iter().flat_map(|view| &view.stream).any(|s| which(s) == i);
        let buffer_of = [1, 1 + usize::from(streams(0))];
        for (i, view) in self.views.iter().enumerate() {
            let Some(object) = json["bufferViews"][i].as_object_mut() else { continue };
            let bytes = self.view_bytes(i);
            let decoded = bytes.len();
            let Some(stream) = &view.stream else {
                object.insert("buffer".to_owned(), 0.into());
                place(object, bin.len());
                object.insert("byteLength".to_owned(), decoded.into());
                bin.extend_from_slice(bytes);
                align(&mut bin);
                continue;
            };
            let kind = which(stream);
            object.insert("buffer".to_owned(), buffer_of[kind].into());
            place(object, fallback[kind]);
            object.insert("byteLength".to_owned(), decoded.into());
            fallback[kind] = (fallback[kind] + decoded).next_multiple_of(4);
            let name = MESHOPT[kind];
            let mut extension = json!({ "buffer": 0 });
            if let Some(extension) = extension.as_object_mut() {
                place(extension, bin.len());
                extension.insert("byteLength".to_owned(), stream.bytes.len().into());
                extension.insert("byteStride".to_owned(), stream.layout.stride.into());
                extension.insert("count".to_owned(), stream.layout.count.into());
                extension.insert("mode".to_owned(), stream.layout.mode.word().into());
                if stream.layout.filter != Filter::None {
                    extension.insert("filter".to_owned(), stream.layout.filter.word().into());
                }
            }
            object.entry("extensions").or_insert_with(|| json!({}))[name] = extension;
            bin.extend_from_slice(&stream.bytes);
            align(&mut bin);
        }
        let mut buffers = Vec::new();
        if !bin.is_empty() || !self.views.is_empty() {
            let mut first =
                self.list("buffers").first().and_then(Value::as_object).cloned().unwrap_or_default();
            first.remove("uri");
            if let Some(extensions) = first.get_mut("extensions").and_then(Value::as_object_mut) {
                MESHOPT.iter().for_each(|name| _ = extensions.remove(name));
                if extensions.is_empty() {
                    first.remove("extensions");
                }
            }
            first.insert("byteLength".to_owned(), bin.len().into());
            buffers.push(Value::Object(first));
        }
        for (i, name) in MESHOPT.iter().enumerate().filter(|(i, _)| streams(*i)) {
            buffers.push(json!({ "byteLength": fallback[i], "extensions": { *name: { "fallback": true } } }));
        }
        if let Some(object) = json.as_object_mut() {
            if buffers.is_empty() {
                object.remove("buffers");
            } else {
                object.insert("buffers".to_owned(), Value::Array(buffers));
            }
        }
        (json, bin)
    }

    /// The document as a GLB file.
    ///
    /// # Errors
    /// [`TooLarge`] above 4 GiB.
    pub fn to_glb(&self) -> Result<Vec<u8>, TooLarge> {
        let (json, bin) = self.packed();
        container::glb(&json.to_string(), &bin)
    }

    /// The document as JSON text and the bytes of its only buffer.
    ///
    /// - `buffer`: the URI of the buffer, percent-encoded; `None` for a data URI in the JSON.
    pub fn to_gltf(&self, buffer: Option<&str>) -> (String, Vec<u8>) {
        let (mut json, bin) = self.packed();
        if let Some(first) = json.get_mut("buffers").and_then(|buffers| buffers.get_mut(0)) {
            let text = buffer.map_or_else(|| uri::encode_data_uri(&bin), str::to_owned);
            first["uri"] = text.into();
        }
        (json.to_string(), bin)
    }
}

/// Sets a byte offset; 0 is the default and is left out.
fn place(object: &mut Map, offset: usize) {
    if offset > 0 {
        object.insert("byteOffset".to_owned(), offset.into());
    } else {
        object.remove("byteOffset");
    }
}
