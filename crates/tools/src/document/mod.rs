//! A glTF document: its JSON, whose order is kept, and the bytes of its buffer views.
//!
//! [`Document::parse`] reads a `.glb` or `.gltf` with its buffers; encoded views (EXT_meshopt_compression,
//! KHR_meshopt_compression) can be read as if they were plain, and are written as they were. Accessors can be read, added
//! and, if nothing refers to them, [dropped](Document::prune). Everything else in the JSON belongs to the caller and is
//! written as it is.

mod accessors;
mod draco;
mod packed;
mod prune;
mod references;
mod views;

pub use accessors::{Accessor, Component, Kind, Written};
pub use views::{Stream, View};

pub(crate) use prune::{index, renumbered};
pub(crate) use references::{Index, visit};

use crate::error::ToolsError;
use gambol::import::{Document as Importing, Imported, Resolver, codes, import_document};
use gambol_gltf::file::{self, Numbers};
use gambol_gltf::json::{Map, Value};
use gambol_gltf::limits::Limits;
use gambol_gltf::log::Log;
use gambol_gltf::uri;
use std::sync::Arc;

/// A glTF document in memory.
#[derive(Debug, Clone)]
pub struct Document {
    /// The JSON. `buffers` and the positions in `bufferViews` are those of the file that was read; they are replaced when
    /// the document is written.
    pub json: Value,
    /// The buffers of the file.
    buffers: Vec<Arc<Vec<u8>>>,
    /// The buffer views, as many as in the JSON.
    views: Vec<View>,
    /// The largest allocation for decoded elements, in bytes.
    limit: u64,
}

impl Default for Document {
    /// An empty document of glTF 2.0.
    fn default() -> Self {
        let json = gambol_gltf::json!({ "asset": { "version": "2.0", "generator": "gambol" } });
        Self { json, buffers: Vec::new(), views: Vec::new(), limit: 1 << 30 }
    }
}

impl Document {
    /// Reads a `.glb` or `.gltf` file; `resolver` reads its external buffers. External images stay URIs.
    ///
    /// # Errors
    /// A code of [`codes`] if the importer refuses the container or the JSON, or if bytes of a buffer are missing.
    pub fn parse(bytes: &[u8], resolver: &mut dyn Resolver) -> Result<Self, ToolsError> {
        Self::open(bytes, resolver).map(|(document, _)| document)
    }

    /// As [`Document::parse`], with the begun import of the same file, for [`import_document`](gambol::import::import_document):
    /// the file is parsed once.
    ///
    /// # Errors
    /// As [`Document::parse`].
    pub fn open<'a>(
        bytes: &'a [u8],
        resolver: &mut dyn Resolver,
    ) -> Result<(Self, Importing<'a>), ToolsError> {
        let mut log = Log::default();
        let mut file = file::read(bytes, Numbers::Kept, &Limits::default(), &mut log)?;
        // The importer checks the types of the JSON and its limits.
        let mut importing = Importing::from_file(&file, bytes, log)?;
        let mut external: Vec<(usize, Vec<u8>)> = Vec::new();
        for request in importing.requests() {
            let fault = |reason: String| {
                ToolsError::new(
                    codes::BUFFER_MISSING,
                    &request.pointer,
                    format!("A buffer is missing: {reason}."),
                )
            };
            let data = resolver.read(&request.uri).map_err(fault)?;
            if (data.len() as u64) < request.byte_length {
                let (needed, found) = (request.byte_length, data.len());
                let message = format!("The buffer “{}” needs {needed} bytes, but has {found}.", request.uri);
                return Err(ToolsError::new(
                    codes::BUFFER_TOO_SHORT,
                    format!("/buffers/{}", request.index),
                    message,
                ));
            }
            importing.provide(request.index, data.clone())?;
            external.push((request.index, data));
        }

        if file.is_repaired {
            // Members that count as missing are not written.
            drop_nulls(&mut file.json);
        }
        let chunk = file.chunk.and_then(|range| bytes.get(range));
        let mut document = Self { json: file.json, buffers: Vec::new(), views: Vec::new(), limit: 0 };
        document.buffers = document.find_buffers(chunk, external)?;
        let total: u64 = document.buffers.iter().map(|buffer| buffer.len() as u64).sum();
        document.limit = ((total + bytes.len() as u64).saturating_mul(64)).clamp(64 << 20, 1 << 30);
        document.views = document.find_views()?;
        Ok((document, importing))
    }

    /// Imports the document as it is now, without writing it.
    ///
    /// # Errors
    /// As [`gambol::import::import`].
    pub fn import(&self, resolver: &mut dyn Resolver) -> Result<Imported, ToolsError> {
        let (json, bin) = self.packed();
        Ok(import_document(Importing::from_json(&json, bin)?, resolver)?)
    }

    /// The bytes of each buffer of the JSON; empty where it has no source.
    fn find_buffers(
        &self,
        chunk: Option<&[u8]>,
        external: Vec<(usize, Vec<u8>)>,
    ) -> Result<Vec<Arc<Vec<u8>>>, ToolsError> {
        let mut external = external.into_iter().peekable();
        let mut buffers = Vec::new();
        for (i, buffer) in self.list("buffers").iter().enumerate() {
            let provided = external.next_if(|(index, _)| *index == i).map(|(_, data)| data);
            let bytes = match (provided, buffer.get("uri").and_then(Value::as_str)) {
                (Some(data), _) => data,
                (None, Some(text)) if uri::is_data_uri(text) => {
                    uri::decode_data_uri(text).map(|data| data.bytes).map_err(|reason| {
                        let message = format!("The URI cannot be decoded: {reason}.");
                        ToolsError::new(codes::INVALID_URI, format!("/buffers/{i}/uri"), message)
                    })?
                }
                (None, None) if i == 0 => chunk.unwrap_or_default().to_vec(),
                _ => Vec::new(),
            };
            buffers.push(Arc::new(bytes));
        }
        Ok(buffers)
    }

    /// Moves images from data URIs and from external files into buffer views. Images that `resolver` cannot read stay
    /// external, and so do files that are no image.
    pub fn embed_images(&mut self, resolver: &mut dyn Resolver) {
        for index in 0..self.list("images").len() {
            let Some(text) = self.list("images")[index].get("uri").and_then(Value::as_str) else { continue };
            let bytes = if uri::is_data_uri(text) {
                uri::decode_data_uri(text).map(|data| data.bytes)
            } else {
                resolver.read(text)
            };
            let Some((media, bytes)) = bytes.ok().and_then(|bytes| Some((media_type(&bytes)?, bytes))) else {
                continue;
            };
            let view = self.add_view(bytes, None, None, None);
            let Some(image) = self.list_mut("images")[index].as_object_mut() else { continue };
            image.remove("uri");
            image.insert("mimeType".to_owned(), media.into());
            image.insert("bufferView".to_owned(), view.into());
        }
    }

    /// The elements of a list at the top of the JSON, such as `meshes`; empty if it is missing.
    pub fn list(&self, name: &str) -> &[Value] {
        self.json.get(name).and_then(Value::as_array).unwrap_or_default()
    }

    /// The elements of a list at the top of the JSON, to change them; the list is made if it is missing.
    pub fn list_mut(&mut self, name: &str) -> &mut Vec<Value> {
        if !self.json.is_object() {
            self.json = Value::Object(Map::new());
        }
        let place = &mut self.json[name];
        if !place.is_array() {
            *place = Value::Array(Vec::new());
        }
        match place {
            Value::Array(list) => list,
            _ => unreachable!("an array was just put there"),
        }
    }

    /// Removes a list at the top of the JSON if it is empty, since glTF allows no empty lists.
    pub fn drop_empty_list(&mut self, name: &str) {
        if self.json.get(name).and_then(Value::as_array).is_some_and(<[_]>::is_empty)
            && let Some(object) = self.json.as_object_mut()
        {
            object.remove(name);
        }
    }

    /// `true` if the file names an extension in `extensionsUsed`.
    pub fn uses(&self, extension: &str) -> bool {
        self.list("extensionsUsed").iter().any(|name| name == extension)
    }

    /// Adds an extension to `extensionsUsed`, and to `extensionsRequired` if readers cannot do without it.
    pub fn declare(&mut self, extension: &str, required: bool) {
        let lists: &[&str] =
            if required { &["extensionsUsed", "extensionsRequired"] } else { &["extensionsUsed"] };
        for name in lists {
            let list = self.list_mut(name);
            if !list.iter().any(|known| known == extension) {
                list.push(extension.into());
            }
        }
    }

    /// Removes an extension from `extensionsUsed` and `extensionsRequired`.
    pub fn undeclare(&mut self, extension: &str) {
        for name in ["extensionsUsed", "extensionsRequired"] {
            if self.json.get(name).is_some() {
                self.list_mut(name).retain(|known| known != extension);
                self.drop_empty_list(name);
            }
        }
    }
}

/// The depth is that of the JSON, which its parser limits.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, value| !value.is_null());
            members.values_mut().for_each(drop_nulls);
        }
        Value::Array(elements) => elements.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

/// Removes a member of an object, and the object `above` with it if it is empty then.
pub(crate) fn remove_below(parent: &mut Value, above: &str, key: &str) {
    let Some(parent) = parent.as_object_mut() else { return };
    let Some(object) = parent.get_mut(above).and_then(Value::as_object_mut) else { return };
    object.remove(key);
    if object.is_empty() {
        parent.remove(above);
    }
}

/// The media type of an image, by its first bytes.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    let avif = bytes.get(4..12) == Some(b"ftypavif");
    let begins = |start: &[u8]| bytes.starts_with(start);
    [
        (begins(b"\x89PNG"), "image/png"),
        (begins(b"\xff\xd8\xff"), "image/jpeg"),
        (begins(b"\xabKTX 20\xbb"), "image/ktx2"),
        (webp, "image/webp"),
        (avif, "image/avif"),
    ]
    .into_iter()
    .find_map(|(known, media)| known.then_some(media))
}
