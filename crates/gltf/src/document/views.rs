//! Buffer views: plain bytes, and streams of meshopt.

use super::Document;
use crate::codec::meshopt::{self, EXTENSIONS, Filter, Layout, Stream, extension};
use crate::error::{ImportError, ImportErrorKind};
use crate::json::{Map, Value};
use crate::place;
use std::ops::Range;

/// A buffer view.
#[derive(Debug, Clone)]
pub struct View {
    /// The plain bytes.
    bytes: Bytes,
    /// The encoded bytes, which are written in place of the plain ones.
    pub(super) stream: Option<Stream>,
    /// `true` if it was not in the file.
    added: bool,
}

#[derive(Debug, Clone)]
enum Bytes {
    /// A range of a buffer of the file.
    Read { buffer: usize, range: Range<usize> },
    /// Decoded or added.
    Made(Vec<u8>),
}

impl Document {
    /// The views of the JSON. A stream that the file requires is kept; the others are plain already.
    pub(super) fn find_views(&self) -> Result<Vec<View>, ImportError> {
        let required = self.list("extensionsRequired");
        let mut made = 0u64;
        let mut views = Vec::new();
        for (i, json) in self.list("bufferViews").iter().enumerate() {
            let extension = extension(json);
            let needed = extension.filter(|(name, _)| required.iter().any(|known| known == name));
            let plain = self.range(i, json, "");
            let view = match (needed.or(extension.filter(|_| plain.is_err())), plain) {
                (Some((name, extension)), _) => {
                    let pointer = format!("/bufferViews/{i}/extensions/{name}");
                    let stream = self.stream(i, name, extension)?;
                    made = made.saturating_add(stream.layout.decoded_bytes());
                    if made > self.limit {
                        let kind = ImportErrorKind::TooLarge { needed: made, limit: self.limit };
                        return Err(kind.at(pointer));
                    }
                    let decoded = meshopt::decode(stream.layout, &stream.bytes).map_err(|fault| {
                        ImportErrorKind::Meshopt { reason: fault.to_string() }.at(&pointer)
                    })?;
                    if json.index_at("byteLength") != Some(decoded.len()) {
                        let reason = "the decoded size differs from that of the buffer view".to_owned();
                        return Err(ImportErrorKind::Meshopt { reason }.at(pointer));
                    }
                    View { bytes: Bytes::Made(decoded), stream: Some(stream), added: false }
                }
                (None, Ok(bytes)) => View { bytes, stream: None, added: false },
                (None, Err(error)) => return Err(error),
            };
            views.push(view);
        }
        Ok(views)
    }

    /// The range of a buffer that `json`, a view or its extension, names.
    fn range(&self, view: usize, json: &Value, below: &str) -> Result<Bytes, ImportError> {
        let pointer = format!("/bufferViews/{view}{below}");
        // An index that is missing is out of range.
        let buffer = json.index_at("buffer").unwrap_or(u32::MAX as usize);
        let Some(bytes) = self.buffers.get(buffer) else {
            let (element, index, count) = ("buffer", buffer, self.buffers.len());
            let kind = ImportErrorKind::IndexOutOfRange { element, index, count };
            return Err(kind.at(format_args!("{pointer}/buffer")));
        };
        let start = json.index_at("byteOffset").unwrap_or(0);
        let end = start.saturating_add(json.index_at("byteLength").unwrap_or(usize::MAX));
        if end > bytes.len() {
            let (needed, available) = (end as u64, bytes.len() as u64);
            return Err(ImportErrorKind::ViewOutOfRange { needed, available }.at(pointer));
        }
        Ok(Bytes::Read { buffer, range: start..end })
    }

    fn stream(&self, view: usize, name: &'static str, json: &Value) -> Result<Stream, ImportError> {
        let below = format!("/extensions/{name}");
        let layout: Layout = place::read(json, format_args!("/bufferViews/{view}{below}"))?;
        let bytes = match self.range(view, json, &below)? {
            Bytes::Read { buffer, range } => self.buffers[buffer][range].to_vec(),
            Bytes::Made(bytes) => bytes,
        };
        Ok(Stream { bytes, layout, khronos: name == EXTENSIONS[0] })
    }

    /// The number of buffer views.
    pub fn view_count(&self) -> usize {
        self.views.len()
    }

    /// The decoded bytes of a buffer view; empty if there is no such view.
    pub fn view_bytes(&self, view: usize) -> &[u8] {
        match self.views.get(view).map(|view| &view.bytes) {
            Some(Bytes::Read { buffer, range }) => &self.buffers[*buffer][range.clone()],
            Some(Bytes::Made(bytes)) => bytes,
            None => &[],
        }
    }

    /// The size that a buffer view has in the file: of its stream if it is encoded.
    pub fn stored_bytes(&self, view: usize) -> usize {
        let stream = self.views.get(view).and_then(|view| view.stream.as_ref());
        stream.map_or_else(|| self.view_bytes(view).len(), |stream| stream.bytes.len())
    }

    /// Adds a buffer view; returns its index.
    ///
    /// - `stride`: the distance of the vertices, in bytes; only for views of vertex attributes.
    /// - `target`: 34962 for vertex attributes, 34963 for vertex indices.
    /// - `stream`: the same bytes, encoded.
    pub fn add_view(
        &mut self,
        bytes: Vec<u8>,
        stride: Option<usize>,
        target: Option<u32>,
        stream: Option<Stream>,
    ) -> usize {
        let mut json = Map::new();
        json.insert("buffer".to_owned(), 0.into());
        json.insert("byteLength".to_owned(), bytes.len().into());
        if let Some(stride) = stride {
            json.insert("byteStride".to_owned(), stride.into());
        }
        if let Some(target) = target {
            json.insert("target".to_owned(), target.into());
        }
        self.list_mut("bufferViews").push(Value::Object(json));
        self.views.push(View { bytes: Bytes::Made(bytes), stream, added: true });
        self.views.len() - 1
    }

    /// Keeps the views for which `keep` is `true`; their JSON must be dropped by the caller.
    pub(super) fn retain_views(&mut self, keep: &[bool]) {
        let mut keep = keep.iter();
        self.views.retain(|_| keep.next().copied().unwrap_or(true));
    }

    /// `true` if a view was not in the file that was read.
    pub fn is_added(&self, view: usize) -> bool {
        self.views.get(view).is_some_and(|view| view.added)
    }

    /// Makes added views count as those of the file.
    pub fn settle(&mut self) {
        self.views.iter_mut().for_each(|view| view.added = false);
    }

    /// `true` if the meshopt filter QUATERNION has made unit quaternions of all elements of an accessor.
    pub fn is_filtered_to_quaternions(&self, accessor: usize) -> bool {
        let view = self.list("accessors").get(accessor).and_then(|accessor| accessor.index_at("bufferView"));
        let stream = view.and_then(|view| self.stream_of(view));
        stream.is_some_and(|stream| stream.layout.filter == Filter::Quaternion)
    }

    /// The encoded bytes of a view.
    pub fn stream_of(&self, view: usize) -> Option<&Stream> {
        self.views.get(view)?.stream.as_ref()
    }

    /// Makes a view plain: it is written as its decoded bytes.
    pub fn drop_stream(&mut self, view: usize) {
        let Some(found) = self.views.get_mut(view) else { return };
        found.stream = None;
        let json = &mut self.json["bufferViews"][view];
        let Some(object) = json.as_object_mut() else { return };
        let Some(extensions) = object.get_mut("extensions").and_then(Value::as_object_mut) else { return };
        EXTENSIONS.iter().for_each(|name| _ = extensions.remove(name));
        if extensions.is_empty() {
            object.remove("extensions");
        }
    }
}
