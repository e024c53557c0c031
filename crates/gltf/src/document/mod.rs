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

pub use accessors::{Accessor, Written};
pub use prune::renumbered;
pub use references::{Index, visit};
pub use views::View;

use crate::codec::meshopt;
use crate::error::{ImportError, ImportErrorKind};
use crate::file::{self, File, Numbers};
use crate::json::{Map, Value};
use crate::limits::Limits;
use crate::log::Log;
use crate::resolver::Resolver;
use crate::uri;
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
        let json = crate::json!({ "asset": { "version": "2.0", "generator": "gambol" } });
        Self { json, buffers: Vec::new(), views: Vec::new(), limit: 1 << 30 }
    }
}

impl Document {
    /// Reads a `.glb` or `.gltf` file; `resolver` reads its external buffers. External images stay URIs.
    ///
    /// Only what the document itself needs is checked: the container, the JSON, buffers and buffer views. Accessors are
    /// checked when they are read.
    ///
    /// # Errors
    /// If the container, the JSON or a buffer view is invalid, or if bytes of a buffer are missing.
    pub fn parse(bytes: &[u8], resolver: &mut dyn Resolver) -> Result<Self, ImportError> {
        Self::read(bytes, resolver, &mut Log::default())
    }

    /// As [`Document::parse`], with the warnings about the container and the JSON.
    ///
    /// # Errors
    /// As [`Document::parse`].
    pub fn read(bytes: &[u8], resolver: &mut dyn Resolver, log: &mut Log) -> Result<Self, ImportError> {
        let file = file::read(bytes.into(), Numbers::Kept, &Limits::default(), log)?;
        let mut external = Vec::new();
        for (index, buffer) in file.json.list("buffers").iter().enumerate() {
            let uri = buffer.str_at("uri").filter(|uri| !uri::is_data_uri(uri));
            let Some(uri) = uri.filter(|_| is_read(&file.json, index)) else { continue };
            let missing =
                |reason| ImportErrorKind::BufferMissing { reason }.at(format_args!("/buffers/{index}/uri"));
            external.push((index, resolver.read(uri).map_err(missing)?));
        }
        Self::from_file(file, bytes, external)
    }

    /// As [`Document::parse`], of a file that was taken apart.
    ///
    /// - `bytes`: the file.
    /// - `external`: the bytes of external buffers with their indices, in increasing order.
    ///
    /// # Errors
    /// If an external buffer is too short, or a data URI or a buffer view is invalid.
    pub fn from_file(
        mut file: File,
        bytes: &[u8],
        external: Vec<(usize, Vec<u8>)>,
    ) -> Result<Self, ImportError> {
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
        Ok(document)
    }

    /// The bytes of each buffer of the JSON; empty where it has no source.
    fn find_buffers(
        &self,
        chunk: Option<&[u8]>,
        external: Vec<(usize, Vec<u8>)>,
    ) -> Result<Vec<Arc<Vec<u8>>>, ImportError> {
        let mut external = external.into_iter().peekable();
        let mut buffers = Vec::new();
        for (i, buffer) in self.list("buffers").iter().enumerate() {
            let provided = external.next_if(|(index, _)| *index == i).map(|(_, data)| data);
            let bytes = match (provided, buffer.str_at("uri")) {
                (Some(data), uri) => {
                    let (needed, available) = (buffer.index_at("byteLength").unwrap_or(0), data.len());
                    if available < needed {
                        let name = format!(" “{}”", uri.unwrap_or_default());
                        let (needed, available) = (needed as u64, available as u64);
                        let kind = ImportErrorKind::BufferTooShort { name, needed, available };
                        return Err(kind.at(format_args!("/buffers/{i}")));
                    }
                    data
                }
                (None, Some(text)) if uri::is_data_uri(text) => {
                    uri::decode_data_uri(text).map(|data| data.bytes).map_err(|reason| {
                        ImportErrorKind::InvalidUri { reason }.at(format_args!("/buffers/{i}/uri"))
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
            let Some(text) = self.list("images")[index].str_at("uri") else { continue };
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
        self.json.list(name)
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

    /// Adds an element to a list at the top of the JSON; returns its index.
    pub fn push(&mut self, name: &str, element: Value) -> usize {
        let list = self.list_mut(name);
        list.push(element);
        list.len() - 1
    }

    /// Removes a list at the top of the JSON if it is empty, since glTF allows no empty lists.
    pub fn drop_empty_list(&mut self, name: &str) {
        if self.json.get(name).and_then(Value::as_array).is_some_and(<[_]>::is_empty)
            && let Some(object) = self.json.as_object_mut()
        {
            object.remove(name);
        }
    }

    /// `true` if the file names an extension in `extensionsUsed` or in `extensionsRequired`.
    pub fn uses(&self, extension: &str) -> bool {
        let lists = ["extensionsUsed", "extensionsRequired"];
        lists.iter().flat_map(|list| self.list(list)).any(|name| name == extension)
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

/// `true` if the plain bytes of a buffer are read: by a view that is not encoded, or by an encoded one.
fn is_read(json: &Value, buffer: usize) -> bool {
    json.list("bufferViews").iter().any(|view| {
        let encoded = meshopt::extension(view).map_or(view, |(_, extension)| extension);
        encoded.index_at("buffer") == Some(buffer)
    })
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
pub fn remove_below(parent: &mut Value, above: &str, key: &str) {
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
