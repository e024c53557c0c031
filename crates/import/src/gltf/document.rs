//! The two steps of an import, between which the caller loads external buffers.

use super::super::imported::Imported;
use super::accessor::Reader;
use super::compressed::{self, Decoded};
use super::draco_primitives::PendingMesh;
use super::schema::File;
use super::unfinished::Unfinished;
use super::{build, draco_primitives, schema};
use gambol_animation::base::feature;
use gambol_gltf::bytes::{Bytes, Source};
use gambol_gltf::codec::{DracoMesh, DracoRequest};
use gambol_gltf::error::{ImportError, ImportErrorKind};
use gambol_gltf::file::{self, LFS_POINTER, Numbers};
use gambol_gltf::json::Value;
use gambol_gltf::limits::Limits;
use gambol_gltf::log::Log;
use gambol_gltf::uri;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A file whose JSON has been read, and whose external buffers may still be loading.
#[derive(Debug)]
pub struct Document<'a> {
    /// The bytes of a GLB; empty for a `.gltf`, whose JSON has been read.
    bytes: Source<'a>,
    file: File,
    buffers: Vec<Buffer<'a>>,
    /// The contents of the encoded buffer views, after all required buffers have been provided.
    decoded: Option<Decoded>,
    /// The primitives to decode; `None` before the first query.
    waiting: Option<Vec<PendingMesh>>,
    /// The total size of the Draco meshes decoded so far, in bytes.
    draco_bytes: u64,
    limits: Limits,
    log: Log,
    /// The first fault because of which bytes of a buffer are missing.
    first_missing: Option<ImportError>,
}

/// The bytes of a buffer.
#[derive(Debug)]
enum Buffer<'a> {
    /// The binary chunk of the GLB.
    Chunk(Range<usize>),
    /// From a data URI, or provided.
    Owned(Source<'a>),
    /// At a URI, not provided yet.
    External(String),
    /// Without a source, or failed to load.
    Missing,
    /// Not needed, because encoded buffer views have the same contents.
    Fallback(FallbackSource),
    /// At a URI, requested because an encoded buffer view is broken. If it is not provided, the view stays broken.
    Optional(String),
}

/// The source of the uncompressed bytes of encoded buffer views.
#[derive(Debug)]
enum FallbackSource {
    Chunk(Range<usize>),
    Uri(String),
    Missing,
}

impl Buffer<'_> {
    /// The bytes, if available; `glb` is the whole file.
    fn bytes<'b>(&'b self, glb: &'b Source<'_>) -> Option<Bytes<'b>> {
        match self {
            Self::Chunk(range) => glb.bytes().get(range.clone()),
            Self::Owned(source) => Some(source.bytes()),
            Self::External(_) | Self::Missing | Self::Fallback(_) | Self::Optional(_) => None,
        }
    }
}

/// An external buffer that a [`Document`] needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The index of the buffer, for [`Document::provide`].
    pub index: usize,
    /// The URI: relative to the file, percent-encoded as in the file.
    pub uri: String,
    /// The JSON pointer of the URI.
    pub pointer: String,
    /// The required number of bytes.
    pub byte_length: u64,
}

feature! {
    list for_decoding;
    fn decode_some(document: &mut Document<'_>) -> Result<(), ImportError> =
        |document| document.decode_some();
    fn some_draco(document: &mut Document<'_>) -> Result<Vec<PendingMesh>, ImportError> =
        |document| document.some_draco();
}

impl<'a> Document<'a> {
    /// Reads the JSON of a `.glb` or `.gltf` file; the first bytes determine the format.
    ///
    /// # Errors
    /// If the container or the JSON is invalid, or requires unsupported features.
    pub fn parse(bytes: impl Into<Source<'a>>) -> Result<Self, ImportError> {
        Self::parse_with_limits(bytes, Limits::default())
    }

    /// As [`Document::parse`], with other limits.
    ///
    /// # Errors
    /// As [`Document::parse`].
    pub fn parse_with_limits(bytes: impl Into<Source<'a>>, limits: Limits) -> Result<Self, ImportError> {
        let mut document = Self::open(bytes, limits)?;
        document.decode_views()?;
        Ok(document)
    }

    /// The names of the scenes, empty without a name.
    pub fn scenes(&self) -> impl Iterator<Item = &str> {
        self.file.scenes.iter().map(|scene| scene.name.as_str())
    }

    /// Chooses the scene to show in place of the default one.
    pub fn choose_scene(&mut self, index: usize) {
        self.file.scene = Some(index);
    }

    /// As [`Document::parse_with_limits`], without decoding.
    /// Call [`Document::decode_views`] next, which may need the feature for decoding.
    ///
    /// # Errors
    /// As [`Document::parse`].
    pub fn open(bytes: impl Into<Source<'a>>, limits: Limits) -> Result<Self, ImportError> {
        let (bytes, mut log) = (bytes.into(), Log::default());
        let file = file::read(bytes.bytes(), Numbers::Read, &limits, &mut log)?;
        // The bytes of a `.gltf` have been read.
        let bytes = if file.is_glb { bytes } else { Source::from(&[]) };
        Self::of(&file.json, bytes, file.chunk, limits, log)
    }

    /// A file of which only the JSON and the bytes of its buffers are left, which may have been changed.
    ///
    /// - `bin`: the bytes of buffer 0, if that has no URI.
    /// - `log`: the warnings of reading the JSON.
    ///
    /// # Errors
    /// As [`Document::parse`].
    pub fn from_json(json: &Value, bin: impl Into<Source<'a>>, log: Log) -> Result<Self, ImportError> {
        let bin = bin.into();
        let chunk = Some(0..bin.bytes().len());
        let mut document = Self::of(json, bin, chunk, Limits::default(), log)?;
        document.decode_views()?;
        Ok(document)
    }

    /// As [`Document::parse`], of a file that was taken apart; `bytes` is the file.
    ///
    /// # Errors
    /// As [`Document::parse`].
    pub fn from_file(file: &file::File, bytes: &'a [u8], log: Log) -> Result<Self, ImportError> {
        let bytes = if file.is_glb { bytes } else { &[] };
        let mut document = Self::of(&file.json, bytes.into(), file.chunk.clone(), Limits::default(), log)?;
        document.decode_views()?;
        Ok(document)
    }

    /// - `chunk`: the place of buffer 0 in `bytes`.
    fn of(
        json: &Value,
        bytes: Source<'a>,
        chunk: Option<Range<usize>>,
        limits: Limits,
        mut log: Log,
    ) -> Result<Self, ImportError> {
        let file = schema::read(json, &mut log)?;
        let (buffers, decoded, waiting) = (Vec::new(), None, None);
        let first_missing = None;
        let mut document =
            Self { bytes, file, buffers, decoded, waiting, draco_bytes: 0, limits, log, first_missing };
        document.find_buffers(chunk)?;
        Ok(document)
    }

    /// `true` if the file needs importers that are in the feature for decoding: those of extensions and of rare attributes.
    #[cfg(all(target_arch = "wasm32", feature = "web"))]
    pub fn needs_decoding(&self) -> bool {
        use super::elements;
        let File { compressed_views, draco, extensions, animations, meshes, .. } = &self.file;
        let mut channels = animations.iter().flat_map(|animation| &animation.channels);
        let mut targets =
            meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(|primitive| &primitive.targets);
        !compressed_views.is_empty()
            || !draco.is_empty()
            || extensions.vrm.is_some()
            || extensions.nodes.iter().flatten().any(|node| node.instancing.is_some())
            || channels.any(|channel| matches!(channel.target, elements::Target::Pointer(_)))
            || targets.any(elements::MorphTarget::is_extended)
    }

    /// `true` if the file may have spring bones, which the feature for bodies reads and moves.
    #[cfg(all(target_arch = "wasm32", feature = "web"))]
    pub fn has_springs(&self) -> bool {
        super::spring_bones::exist(&self.file.extensions)
    }

    /// `true` if the file may have image-based lights, which the feature for light reads.
    #[cfg(all(target_arch = "wasm32", feature = "web"))]
    pub fn has_image_lights(&self) -> bool {
        self.file.extensions.image_lights.is_some()
    }

    fn find_buffers(&mut self, mut chunk: Option<Range<usize>>) -> Result<(), ImportError> {
        let fallback_buffers = compressed::fallback_buffers(
            &self.file.buffer_views,
            &self.file.compressed_views,
            self.file.buffers.len(),
        );
        for (i, buffer) in self.file.buffers.iter_mut().enumerate() {
            let pointer = format_args!("/buffers/{i}");
            let bytes = match buffer.uri.take() {
                Some(text) if fallback_buffers[i] => Buffer::Fallback(FallbackSource::Uri(text)),
                None if fallback_buffers[i] => {
                    let chunk = chunk.take().filter(|_| i == 0);
                    Buffer::Fallback(chunk.map_or(FallbackSource::Missing, FallbackSource::Chunk))
                }
                Some(text) if uri::is_data_uri(&text) => {
                    let invalid =
                        |reason| ImportErrorKind::InvalidUri { reason }.at(format_args!("{pointer}/uri"));
                    Buffer::Owned(uri::decode_data_uri(&text).map_err(invalid)?.bytes.into())
                }
                Some(uri) => Buffer::External(uri),
                // Only the first buffer can refer to the binary chunk.
                None => match chunk.take().filter(|_| i == 0) {
                    Some(chunk) => Buffer::Chunk(chunk),
                    None => {
                        let reason = "the buffer has neither a URI nor a binary chunk".to_owned();
                        let error = ImportErrorKind::BufferMissing { reason }.at(pointer);
                        warn_missing(error, &mut self.first_missing, &mut self.log);
                        Buffer::Missing
                    }
                },
            };
            let available = match &bytes {
                Buffer::Chunk(chunk) => chunk.len(),
                Buffer::Owned(source) => source.bytes().len(),
                Buffer::External(_) | Buffer::Missing | Buffer::Fallback(_) | Buffer::Optional(_) => {
                    usize::MAX
                }
            };
            check_length(buffer.byte_length, available, pointer)?;
            self.buffers.push(bytes);
        }
        // Checked before the buffers of decoded views are appended.
        let count = self.buffers.len();
        for (i, view) in self.file.buffer_views.iter().enumerate() {
            let index = view.buffer.value();
            if index >= count {
                let kind = ImportErrorKind::IndexOutOfRange { element: "buffer", index, count };
                return Err(kind.at(format_args!("/bufferViews/{i}/buffer")));
            }
        }
        Ok(())
    }

    /// Decodes the encoded buffer views, if all required buffers have been provided. For broken views, buffers with their
    /// uncompressed bytes are then requested.
    pub fn decode_views(&mut self) -> Result<(), ImportError> {
        if self.decoded.is_some() || self.buffers.iter().any(|bytes| matches!(bytes, Buffer::External(_))) {
            return Ok(());
        }
        if self.file.compressed_views.is_empty() {
            self.decoded = Some(Decoded::default());
            return Ok(());
        }
        decode_some(self)
    }

    fn decode_some(&mut self) -> Result<(), ImportError> {
        let limit = self.limit();
        let buffers: Vec<_> = self.buffers.iter().map(|buffer| buffer.bytes(&self.bytes)).collect();
        let decoded = compressed::decode(
            &mut self.file.buffer_views,
            std::mem::take(&mut self.file.compressed_views),
            &buffers,
            limit,
        )?;
        for index in decoded.broken.iter().filter_map(|(_, broken)| broken.plain) {
            let Some(bytes @ Buffer::Fallback(_)) = self.buffers.get_mut(index) else { continue };
            let Buffer::Fallback(plain) = std::mem::replace(bytes, Buffer::Missing) else { continue };
            let enough = |length: usize| length as u64 >= self.file.buffers[index].byte_length;
            *bytes = match plain {
                FallbackSource::Chunk(chunk) if enough(chunk.len()) => Buffer::Chunk(chunk),
                FallbackSource::Uri(uri) if !uri::is_data_uri(&uri) => Buffer::Optional(uri),
                FallbackSource::Uri(text) => match uri::decode_data_uri(&text) {
                    Ok(data) if enough(data.bytes.len()) => Buffer::Owned(data.bytes.into()),
                    _ => Buffer::Missing,
                },
                FallbackSource::Chunk(_) | FallbackSource::Missing => Buffer::Missing,
            };
        }
        self.decoded = Some(decoded);
        Ok(())
    }

    /// The external buffers that are not provided yet, in the order of the file.
    ///
    /// Query again after providing them. A stream of EXT_meshopt_compression or KHR_meshopt_compression may be
    /// broken while an external buffer has the same bytes uncompressed. That buffer is requested then, but it is
    /// optional.
    ///
    /// External images are not included: they stay in the model as URIs.
    pub fn requests(&self) -> Vec<Request> {
        let mut requests = Vec::new();
        for (index, buffer) in self.buffers.iter().enumerate() {
            if let Buffer::External(uri) | Buffer::Optional(uri) = buffer {
                let pointer = format!("/buffers/{index}/uri");
                let byte_length = self.file.buffers[index].byte_length;
                requests.push(Request { index, uri: uri.clone(), pointer, byte_length });
            }
        }
        requests
    }

    /// Provides the bytes of the external buffer `index`, a [`Request::index`].
    ///
    /// If there are fewer bytes than declared, the parts that need the missing bytes are skipped with a warning.
    ///
    /// # Errors
    /// If the buffer is not requested, if its encoded views exceed the limit, or if it is too short and optional.
    pub fn provide(&mut self, index: usize, bytes: impl Into<Source<'a>>) -> Result<(), ImportError> {
        let source = bytes.into();
        let (uri, optional) = self.requested(index)?;
        let needed = self.file.buffers[index].byte_length;
        if is_lfs_pointer(&source) || needed > source.bytes().len() as u64 {
            return self.provide_some(index, &uri, optional, source);
        }
        self.buffers[index] = Buffer::Owned(source);
        self.decode_views()
    }

    /// Handles a buffer that is too short or is a Git LFS pointer.
    fn provide_some(
        &mut self,
        index: usize,
        uri: &str,
        optional: bool,
        source: Source<'a>,
    ) -> Result<(), ImportError> {
        if is_lfs_pointer(&source) {
            return self.skip(index, &format!("“{uri}” is a Git LFS pointer; run `git lfs pull`"));
        }
        let (needed, available) = (self.file.buffers[index].byte_length, source.bytes().len() as u64);
        let kind = ImportErrorKind::BufferTooShort { name: format!(" “{uri}”"), needed, available };
        let error = kind.at(format_args!("/buffers/{index}"));
        if optional {
            return Err(error);
        }
        warn_missing(error, &mut self.first_missing, &mut self.log);
        self.buffers[index] = Buffer::Owned(source);
        self.decode_views()
    }

    /// Marks the external buffer `index`, a [`Request::index`], as unavailable, with a short reason for the user.
    /// Parts that need it are skipped with a warning; [`Document::finish`] returns an error if nothing is left to show.
    ///
    /// # Errors
    /// If the buffer is not requested, or if encoded views of other buffers exceed the limit.
    pub fn skip(&mut self, index: usize, reason: &str) -> Result<(), ImportError> {
        let (_, optional) = self.requested(index)?;
        if !optional {
            let kind = ImportErrorKind::BufferMissing { reason: reason.to_owned() };
            warn_missing(
                kind.at(format_args!("/buffers/{index}/uri")),
                &mut self.first_missing,
                &mut self.log,
            );
        }
        self.buffers[index] = Buffer::Missing;
        self.decode_views()
    }

    /// The URI of a requested buffer, and `true` if the buffer is optional.
    fn requested(&self, index: usize) -> Result<(String, bool), ImportError> {
        match self.buffers.get(index) {
            Some(Buffer::External(uri)) => Ok((uri.clone(), false)),
            Some(Buffer::Optional(uri)) => Ok((uri.clone(), true)),
            _ => {
                let count = self.buffers.len();
                let kind = ImportErrorKind::IndexOutOfRange { element: "requested buffer", index, count };
                Err(kind.at("/buffers"))
            }
        }
    }

    /// The maximum number of decoded bytes, based on the size of the input.
    fn limit(&self) -> u64 {
        let buffers = self.buffers.iter().filter_map(|buffer| buffer.bytes(&self.bytes));
        self.limits.of(self.bytes.bytes().len() + buffers.map(Bytes::len).sum::<usize>())
    }

    fn some_draco(&mut self) -> Result<Vec<PendingMesh>, ImportError> {
        let (required, limit) = (self.file.draco_required, self.limit());
        let buffers = available(&self.buffers, &self.bytes, self.decoded.as_ref());
        let encoded = std::mem::take(&mut self.file.draco);
        let File { accessors, buffer_views, meshes, .. } = &self.file;
        let (waiting, missing) =
            draco_primitives::waiting(encoded, (accessors, buffer_views, meshes), required, limit, |view| {
                Reader::view_of(buffer_views, &buffers, view, format_args!("")).map(|_| ())
            })?;
        self.file.draco_missing = missing;
        Ok(waiting)
    }

    fn find_draco(&mut self) -> Result<(), ImportError> {
        if self.waiting.is_none() {
            let none = self.file.draco.is_empty();
            self.waiting = Some(if none { Vec::new() } else { some_draco(self)? });
        }
        Ok(())
    }

    /// The meshes that need a Draco decoder and are not decoded yet, in the order of the file.
    ///
    /// Meshes with uncompressed data in the file are not included. Call this after all buffers have been
    /// provided.
    ///
    /// # Errors
    /// If the extension is used incorrectly, or the encoded bytes exceed the limit.
    pub fn draco_requests(&mut self) -> Result<Vec<DracoRequest>, ImportError> {
        self.find_draco()?;
        let waiting = self.waiting.iter().flatten().filter(|waiting| waiting.is_missing());
        Ok(waiting.map(|waiting| waiting.request.clone()).collect())
    }

    /// The encoded bytes of the Draco mesh `index`, a [`DracoRequest::index`].
    ///
    /// # Errors
    /// If the bytes are missing, or the mesh is not requested.
    pub fn draco_bytes(&self, index: usize) -> Result<Cow<'_, [u8]>, ImportError> {
        let list = self.waiting.as_deref().unwrap_or_default();
        let waiting = list.get(index).ok_or_else(|| no_draco(index, list.len()))?;
        let buffers = available(&self.buffers, &self.bytes, self.decoded.as_ref());
        let place = format_args!("{}/bufferView", waiting.request.pointer);
        Reader::view_of(&self.file.buffer_views, &buffers, waiting.view, place).map(Bytes::to_memory)
    }

    /// Provides the decoded Draco mesh `index`.
    ///
    /// # Errors
    /// If the mesh does not match the request, is not requested, or all meshes together exceed the limit.
    pub fn provide_draco(&mut self, index: usize, mesh: DracoMesh) -> Result<(), ImportError> {
        let list = self.waiting.as_deref_mut().unwrap_or_default();
        let count = list.len();
        let waiting = list.get_mut(index).ok_or_else(|| no_draco(index, count))?;
        waiting.provide(mesh, &mut self.draco_bytes)
    }

    /// Builds the model.
    ///
    /// # Errors
    /// If the file has nothing to show, for example because requested buffers were not provided.
    pub fn finish(self) -> Result<Imported, ImportError> {
        self.read()?.finish()
    }

    /// Builds the model except for slow steps, which [`Unfinished`] does incrementally without blocking the page.
    ///
    /// # Errors
    /// As [`Document::finish`].
    pub fn read(mut self) -> Result<Unfinished, ImportError> {
        for index in 0..self.buffers.len() {
            if let Buffer::External(uri) = &self.buffers[index] {
                let reason = format!("“{uri}” was not loaded");
                self.skip(index, &reason)?;
            }
        }
        let limit = self.limit();
        self.find_draco()?;
        let mut waiting = self.waiting.take().unwrap_or_default();
        let mut decoded = self.decoded.take().unwrap_or_default();
        let of_file = self.buffers.iter().map(|buffer| buffer.bytes(&self.bytes));
        let mut buffers: Vec<_> = of_file.collect();
        decoded.use_plain(&buffers, &mut self.log);
        let made = std::mem::take(&mut decoded.buffers);
        buffers.extend(made.iter().map(|bytes| Some(Bytes::from(&bytes[..]))));
        let (file, limits, log) = (&mut self.file, &self.limits, &mut self.log);
        let first_missing = self.first_missing.take();
        let (model, missing, budget) =
            build::model(file, &buffers, decoded, &mut waiting, first_missing, limit, limits, log)?;
        let (missing, vertex_limit) = (missing.into(), self.limits.vertices);
        let warnings = self.log.into_warnings();
        Ok(Unfinished { model, warnings, missing, making: None, budget, vertex_limit })
    }
}

fn no_draco(index: usize, count: usize) -> ImportError {
    ImportErrorKind::IndexOutOfRange { element: "requested Draco mesh", index, count }.at("/meshes")
}

fn is_lfs_pointer(source: &Source<'_>) -> bool {
    *source.bytes().first(LFS_POINTER.len()).to_memory() == *LFS_POINTER
}

/// Returns an error if a buffer within the file is shorter than declared.
fn check_length(needed: u64, available: usize, pointer: fmt::Arguments<'_>) -> Result<(), ImportError> {
    let available = available as u64;
    if needed > available && available != usize::MAX as u64 {
        let name = String::new();
        return Err(ImportErrorKind::BufferTooShort { name, needed, available }.at(pointer));
    }
    Ok(())
}

/// Records that bytes of an external buffer are missing; an error at the end if nothing is left to show.
fn warn_missing(error: ImportError, first_missing: &mut Option<ImportError>, log: &mut Log) {
    log.warn_repaired(error.clone(), "the parts that need them are skipped");
    first_missing.get_or_insert(error);
}

/// The available bytes of all buffers: those of the file, then those of decoded views.
fn available<'b>(
    buffers: &'b [Buffer<'_>],
    glb: &'b Source<'_>,
    decoded: Option<&'b Decoded>,
) -> Vec<Option<Bytes<'b>>> {
    let mut available: Vec<_> = buffers.iter().map(|buffer| buffer.bytes(glb)).collect();
    if let Some(decoded) = decoded {
        available.extend(decoded.buffers.iter().map(|bytes| Some(Bytes::from(&bytes[..]))));
    }
    available
}
