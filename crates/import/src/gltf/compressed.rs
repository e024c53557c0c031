//! Encoded buffer views: EXT_meshopt_compression and KHR_meshopt_compression.

use super::elements::View;
use super::schema::requires;
use ::gltf::json::Index;
use gambol_gltf::bytes::Bytes;
use gambol_gltf::codec::meshopt;
use gambol_gltf::codec::meshopt::{Filter, Layout};
use gambol_gltf::error::{ImportError, ImportErrorKind};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use gambol_gltf::place::{self, FromJson, Place};

/// An encoded buffer view.
#[derive(Debug)]
pub(super) struct Compressed {
    /// The index of the view.
    view: usize,
    name: &'static str,
    extension: Value,
    /// `true` if the file requires the extension, so that it has no uncompressed bytes.
    required: bool,
}

/// The location and layout of the encoded bytes.
struct Source {
    buffer: usize,
    byte_offset: u64,
    byte_length: u64,
    layout: Layout,
}

impl FromJson for Source {
    fn read(at: &Place<'_>) -> Self {
        Self {
            layout: Layout::read(at),
            buffer: at.required_at("buffer"),
            byte_offset: at.or("byteOffset", 0),
            byte_length: at.required_at("byteLength"),
        }
    }
}

/// The decoded buffers.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    /// Appended to the buffers of the file.
    pub(super) buffers: Vec<Vec<u8>>,
    /// Their total size.
    pub(super) bytes: u64,
    /// The views that could not be decoded, in the order of the file.
    pub(super) broken: Vec<(usize, Broken)>,
    /// The views whose elements are unit quaternions, because of their filter.
    pub(super) quaternions: Vec<usize>,
}

impl Decoded {
    /// Drops the broken views with uncompressed bytes in `buffers`.
    pub(super) fn use_plain(&mut self, buffers: &[Option<Bytes<'_>>], log: &mut Log) {
        self.broken.retain(|(_, broken)| {
            let there = broken.plain.is_some_and(|index| buffers.get(index).is_some_and(Option::is_some));
            if there {
                log.warn_repaired(broken.error.clone(), "the uncompressed bytes of the file are used");
            }
            !there
        });
    }
}

/// The reason why a view could not be decoded.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) error: ImportError,
    /// The buffer that may have the uncompressed bytes.
    pub(super) plain: Option<usize>,
}

/// The encoded buffer views of a file.
pub(super) fn views(root: &Value) -> Vec<Compressed> {
    let mut compressed = Vec::new();
    for (view, value) in root.list("bufferViews").iter().enumerate() {
        if let Some((name, extension)) = meshopt::extension(value) {
            let required = requires(root, name);
            compressed.push(Compressed { view, name, extension: extension.clone(), required });
        }
    }
    compressed
}

fn source(extension: &Value, pointer: &str) -> Result<Source, ImportError> {
    let source: Source = place::read(extension, pointer)?;
    let checked = source.layout.check();
    checked.map_err(|fault| ImportErrorKind::Meshopt { reason: fault.to_string() }.at(pointer))?;
    Ok(source)
}

/// For each buffer, `true` if only encoded views refer to it, so that its bytes may be missing.
pub(super) fn fallback_buffers(views: &[View], compressed: &[Compressed], buffers: usize) -> Vec<bool> {
    let (mut encoded, mut other) = (vec![false; buffers], vec![false; buffers]);
    let mark = |marks: &mut Vec<bool>, index: usize| {
        if let Some(mark) = marks.get_mut(index) {
            *mark = true;
        }
    };
    let mut is_compressed = vec![false; views.len()];
    for compressed in compressed {
        mark(&mut is_compressed, compressed.view);
        if let Some(buffer) = compressed.extension.index_at("buffer") {
            mark(&mut other, buffer);
        }
    }
    for (view, compressed) in views.iter().zip(is_compressed) {
        mark(if compressed { &mut encoded } else { &mut other }, view.buffer.value());
    }
    encoded.iter().zip(other).map(|(&encoded, other)| encoded && !other).collect()
}

/// Decodes the encoded views of `views` to new buffers, up to `limit` bytes, and redirects the views to them.
///
/// A view that cannot be decoded is unchanged, and affects only the parts that need it.
///
/// # Errors
/// `TooLarge`
pub(super) fn decode(
    views: &mut [View],
    compressed: Vec<Compressed>,
    buffers: &[Option<Bytes<'_>>],
    limit: u64,
) -> Result<Decoded, ImportError> {
    let mut decoded = Decoded::default();
    for Compressed { view, name, extension, required } in compressed {
        let pointer = format!("/bufferViews/{view}/extensions/{name}");
        let source = source(&extension, &pointer);
        let filter = source.as_ref().map_or(Filter::None, |source| source.layout.filter);
        let bytes = source.and_then(|source| {
            let encoded = encoded(&source, &pointer, buffers)?;
            let needed = decoded.bytes.saturating_add(source.layout.decoded_bytes());
            if needed > limit {
                return Err(ImportErrorKind::TooLarge { needed, limit }.at(&pointer));
            }
            let broken = |reason| ImportErrorKind::Meshopt { reason }.at(&pointer);
            let length = views.get(view).map_or(0, |view| view.byte_length);
            if source.layout.decoded_bytes() != length {
                let made = source.layout.decoded_bytes();
                return Err(broken(format!(
                    "the decoded size is {made} bytes, but the buffer view has {length}"
                )));
            }
            decoded.bytes = needed;
            meshopt::decode(source.layout, &encoded.to_memory()).map_err(|fault| broken(fault.to_string()))
        });
        let Some(place) = views.get_mut(view) else { continue };
        match bytes {
            Ok(bytes) => {
                place.buffer = Index::new((buffers.len() + decoded.buffers.len()) as u32);
                place.byte_offset = 0;
                decoded.buffers.push(bytes);
                if filter == Filter::Quaternion {
                    decoded.quaternions.push(view);
                }
            }
            Err(error) if matches!(error.kind, ImportErrorKind::TooLarge { .. }) => return Err(error),
            Err(error) => {
                let plain = (!required).then_some(place.buffer.value());
                decoded.broken.push((view, Broken { error, plain }));
            }
        }
    }
    Ok(decoded)
}

/// The encoded bytes of a view.
fn encoded<'a>(
    source: &Source,
    pointer: &str,
    buffers: &[Option<Bytes<'a>>],
) -> Result<Bytes<'a>, ImportError> {
    let Some(buffer) = buffers.get(source.buffer) else {
        let (index, count) = (source.buffer, buffers.len());
        let kind = ImportErrorKind::IndexOutOfRange { element: "buffer", index, count };
        return Err(kind.at(format_args!("{pointer}/buffer")));
    };
    let Some(buffer) = buffer else {
        let reason = "no file, data URI or binary chunk provides them".to_owned();
        return Err(ImportErrorKind::BufferMissing { reason }.at(format_args!("/buffers/{}", source.buffer)));
    };
    let needed = source.byte_offset.saturating_add(source.byte_length);
    let range = usize::try_from(source.byte_offset).ok().zip(usize::try_from(needed).ok());
    let bytes = range.and_then(|(start, end)| buffer.get(start..end));
    bytes
        .ok_or_else(|| ImportErrorKind::ViewOutOfRange { needed, available: buffer.len() as u64 }.at(pointer))
}
