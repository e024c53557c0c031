//! The GLB container. Spec: glTF 2.0 §4.4.

use crate::import::error::{ImportError, ImportErrorKind, codes};
use crate::import::log::Log;
use std::ops::Range;

const MAGIC: &[u8] = b"glTF";
/// The maximum version that a glTF container may plausibly have.
const MAX_VERSION: u32 = 99;
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The ranges of the chunks of a GLB.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chunks {
    pub(super) json: Range<usize>,
    pub(super) bin: Option<Range<usize>>,
}

/// `true` if the bytes start with the magic number of GLB.
pub(super) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

/// Finds the chunks of a GLB.
///
/// The lengths of chunks must be correct. An incorrect length in the header is a warning, since such files exist
/// and nothing depends on it. Other chunks are ignored, as required by the specification.
pub(super) fn split(bytes: &[u8], log: &mut Log) -> Result<Chunks, ImportError> {
    let available = bytes.len() as u64;
    let truncated = |needed: u64| ImportErrorKind::GlbTruncated { needed, available }.at("");
    let (Some(version), Some(length)) = (u32_at(bytes, 4), u32_at(bytes, 8)) else {
        return Err(truncated(12));
    };
    // No glTF has such a version, so the file has another format with the same magic number.
    if version > MAX_VERSION {
        return Err(ImportErrorKind::UnknownFormat { found: None }.at(""));
    }
    if version != 2 {
        return Err(ImportErrorKind::UnsupportedVersion { version: format!("{version} (binary)") }.at(""));
    }
    if u64::from(length) != available {
        let message = format_args!(
            "The header states {length} bytes, but the file has {available}; the size of the file is used"
        );
        log.warn(codes::GLB_LENGTH, "", message);
    }

    let (mut json, mut bin) = (None, None);
    let mut at = 12;
    let mut chunk = 0;
    while at < bytes.len() {
        let (size, kind) = (u32_at(bytes, at), u32_at(bytes, at + 4));
        let end = at as u64 + 8 + u64::from(size.unwrap_or(0));
        let (Some(kind), true) = (kind, end <= available) else {
            // Any bytes may follow after the length stated in the header.
            if json.is_some() && u64::from(length) <= at as u64 {
                log.warn(codes::GLB_CHUNK, "", "Bytes after the last chunk are ignored");
                break;
            }
            return Err(truncated(end));
        };
        // The end is within the file, so it fits in usize.
        let range = at + 8..end as usize;
        match (kind, chunk) {
            (JSON, 0) => json = Some(range),
            (_, 0) => return Err(ImportErrorKind::GlbNoJson.at("")),
            (BIN, _) if bin.is_none() => {
                if chunk != 1 {
                    log.warn(
                        codes::GLB_CHUNK,
                        "",
                        format_args!("The binary chunk is chunk {chunk} instead of chunk 1; it is used"),
                    );
                }
                bin = Some(range);
            }
            _ => log.warn(
                codes::GLB_CHUNK,
                "",
                format!("Chunk {chunk} is unknown or a duplicate; it is ignored"),
            ),
        }
        at = end as usize;
        chunk += 1;
    }
    match json {
        Some(json) => Ok(Chunks { json, bin }),
        None => Err(truncated(20)),
    }
}
