//! The two steps of an import, between which external buffers are fetched.

use super::json::File;
use super::{build, glb, json};
use crate::import::error::{ImportError, ImportErrorKind, Log, codes};
use crate::import::{Imported, Limits, uri};
use std::borrow::Cow;
use std::ops::Range;

/// A file whose JSON has been read, and whose external buffers may still be on their way.
#[derive(Debug)]
pub struct Document<'a> {
    /// The bytes of a GLB; empty for a `.gltf`, whose JSON is not needed any more.
    bytes: Cow<'a, [u8]>,
    file: File,
    buffers: Vec<Bytes>,
    limits: Limits,
    log: Log,
}

/// The bytes of a buffer.
#[derive(Debug)]
enum Bytes {
    /// The binary chunk of the GLB.
    Chunk(Range<usize>),
    /// From a data URI, or fetched.
    Owned(Vec<u8>),
    /// At a URI, not yet there.
    External(String),
    /// The file does not say where.
    Nowhere,
}

impl Bytes {
    /// The bytes, if they are there; `glb` is the whole file.
    fn slice<'b>(&'b self, glb: &'b [u8]) -> Option<&'b [u8]> {
        match self {
            Self::Chunk(range) => glb.get(range.clone()),
            Self::Owned(bytes) => Some(bytes),
            Self::External(_) | Self::Nowhere => None,
        }
    }
}

/// An external buffer that a [`Document`] needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The index of the buffer, for [`Document::provide`].
    pub index: usize,
    /// Where it is: relative to the file, percent-encoded as in the file.
    pub uri: String,
    /// The JSON pointer of the URI.
    pub pointer: String,
    /// How many bytes are needed at least.
    pub byte_length: u64,
}

impl<'a> Document<'a> {
    /// Reads the JSON of a `.glb` or `.gltf` file, which is recognised by its first bytes.
    ///
    /// # Errors
    /// If the container or the JSON is broken, or asks for what gambol does not have.
    pub fn parse(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Self, ImportError> {
        Self::parse_with_limits(bytes, Limits::default())
    }

    /// The same with other limits.
    ///
    /// # Errors
    /// As [`Document::parse`].
    pub fn parse_with_limits(bytes: impl Into<Cow<'a, [u8]>>, limits: Limits) -> Result<Self, ImportError> {
        let mut bytes = bytes.into();
        let mut log = Log::default();
        let (file, chunk) = if glb::is_glb(&bytes) {
            let chunks = glb::split(&bytes, &mut log)?;
            (json::parse(&bytes[chunks.json], &limits, &mut log)?, chunks.bin)
        } else if looks_like_json(&bytes) {
            let file = json::parse(&bytes, &limits, &mut log)?;
            bytes = Cow::Borrowed(&[]);
            (file, None)
        } else {
            return Err(ImportErrorKind::UnknownFormat.at(""));
        };
        let mut document = Self { bytes, file, buffers: Vec::new(), limits, log };
        document.find_buffers(chunk)?;
        Ok(document)
    }

    fn find_buffers(&mut self, mut chunk: Option<Range<usize>>) -> Result<(), ImportError> {
        for (i, buffer) in self.file.buffers.iter_mut().enumerate() {
            let pointer = format!("/buffers/{i}");
            let bytes = match buffer.uri.take() {
                Some(text) if uri::is_data_uri(&text) => {
                    let invalid =
                        |reason| ImportErrorKind::InvalidUri { reason }.at(format!("{pointer}/uri"));
                    Bytes::Owned(uri::decode_data_uri(&text).map_err(invalid)?.bytes)
                }
                Some(uri) => Bytes::External(uri),
                // Only the first buffer means the binary chunk.
                None => match chunk.take().filter(|_| i == 0) {
                    Some(chunk) => Bytes::Chunk(chunk),
                    None => {
                        let message = "the buffer has neither a URI nor a binary chunk; nothing can use it";
                        self.log.warn(codes::BUFFER_MISSING, &pointer, message);
                        Bytes::Nowhere
                    }
                },
            };
            let available = match &bytes {
                Bytes::Chunk(chunk) => chunk.len(),
                Bytes::Owned(bytes) => bytes.len(),
                Bytes::External(_) | Bytes::Nowhere => usize::MAX,
            };
            check_length(buffer.byte_length.0, available, &pointer)?;
            self.buffers.push(bytes);
        }
        Ok(())
    }

    /// The external buffers that are not there yet, in file order.
    ///
    /// External images are not among them: they stay in the model as URIs.
    pub fn requests(&self) -> Vec<Request> {
        let request = |(index, bytes): (usize, &Bytes)| match bytes {
            Bytes::External(uri) => Some(Request {
                index,
                uri: uri.clone(),
                pointer: format!("/buffers/{index}/uri"),
                byte_length: self.file.buffers[index].byte_length.0,
            }),
            _ => None,
        };
        self.buffers.iter().enumerate().filter_map(request).collect()
    }

    /// Brings the bytes of the external buffer `index`, a [`Request::index`].
    ///
    /// # Errors
    /// If there are fewer bytes than the file says, or if no such buffer was asked for.
    pub fn provide(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), ImportError> {
        let count = self.buffers.len();
        let Some(buffer @ Bytes::External(_)) = self.buffers.get_mut(index) else {
            return Err(
                ImportErrorKind::IndexOutOfRange { what: "requested buffer", index, count }.at("/buffers")
            );
        };
        check_length(self.file.buffers[index].byte_length.0, bytes.len(), &format!("/buffers/{index}"))?;
        *buffer = Bytes::Owned(bytes);
        Ok(())
    }

    /// Makes the model.
    ///
    /// # Errors
    /// If no sensible picture can be made of the file, or if a requested buffer was not provided.
    pub fn finish(mut self) -> Result<Imported, ImportError> {
        if let Some(Request { uri, pointer, .. }) = self.requests().into_iter().next() {
            return Err(
                ImportErrorKind::BufferMissing { reason: format!("“{uri}” was not loaded") }.at(pointer)
            );
        }
        let chunk: &[u8] = &self.bytes;
        let buffers: Vec<Option<&[u8]>> = self.buffers.iter().map(|bytes| bytes.slice(chunk)).collect();
        let brought = self.bytes.len() + buffers.iter().flatten().map(|bytes| bytes.len()).sum::<usize>();
        let limit = self.limits.of(brought);
        let model = build::model(&mut self.file, &buffers, limit, &self.limits, &mut self.log)?;
        Ok(Imported { model, warnings: self.log.into_warnings() })
    }
}

fn check_length(needed: u64, available: usize, pointer: &str) -> Result<(), ImportError> {
    let available = available as u64;
    if needed > available && available != usize::MAX as u64 {
        return Err(ImportErrorKind::BufferTooShort { needed, available }.at(pointer));
    }
    Ok(())
}

/// Whether the first character may begin a JSON text.
fn looks_like_json(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    text.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|byte| b"{[".contains(byte))
}
