//! The GLB container, read and written. Spec: glTF 2.0 §4.4.

use crate::bytes::Bytes;
use crate::error::{ImportError, ImportErrorKind, codes};
use crate::log::Log;
use std::ops::Range;

const MAGIC: &[u8] = b"glTF";
/// The maximum version that a glTF container may plausibly have.
const MAX_VERSION: u32 = 99;
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The ranges of the chunks of a GLB.
#[derive(Debug, PartialEq, Eq)]
pub struct Chunks {
    /// The JSON.
    pub json: Range<usize>,
    /// The binary chunk.
    pub bin: Option<Range<usize>>,
}

/// `true` if the bytes start with the magic number of GLB.
pub fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

/// Finds the chunks of a GLB.
///
/// The lengths of chunks must be correct. An incorrect length in the header is a warning, since such files exist
/// and nothing depends on it. Other chunks are ignored, as required by the specification.
pub fn split(bytes: Bytes<'_>, log: &mut Log) -> Result<Chunks, ImportError> {
    let available = bytes.len() as u64;
    let truncated = |needed: u64| ImportErrorKind::GlbTruncated { needed, available }.at("");
    let header = bytes.first(12).to_memory();
    let (Some(version), Some(length)) = (u32_at(&header, 4), u32_at(&header, 8)) else {
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
        let header = bytes.after(at).first(8).to_memory();
        let (size, kind) = (u32_at(&header, 0), u32_at(&header, 4));
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

/// A file that is larger than 4 GiB, the limit of GLB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("The file is larger than 4 GiB, the limit of GLB.")
    }
}

impl std::error::Error for TooLarge {}

/// A GLB of JSON and the bytes of its buffer 0, which has no chunk if it is empty.
///
/// # Errors
/// [`TooLarge`].
pub fn glb(json: &str, bin: &[u8]) -> Result<Vec<u8>, TooLarge> {
    let chunks = [(JSON, json.as_bytes(), b' '), (BIN, bin, 0)];
    let used = || chunks.iter().filter(|(kind, bytes, _)| *kind == JSON || !bytes.is_empty());
    let length = used().fold(12, |sum: u64, (_, bytes, _)| sum + 8 + bytes.len().next_multiple_of(4) as u64);
    let length = u32::try_from(length).map_err(|_| TooLarge)?;
    let mut glb = Vec::with_capacity(length as usize);
    glb.extend_from_slice(MAGIC);
    glb.extend_from_slice(&2u32.to_le_bytes());
    glb.extend_from_slice(&length.to_le_bytes());
    for (kind, bytes, padding) in used() {
        // The parts are smaller than the whole.
        glb.extend_from_slice(&(bytes.len().next_multiple_of(4) as u32).to_le_bytes());
        glb.extend_from_slice(&kind.to_le_bytes());
        glb.extend_from_slice(bytes);
        glb.resize(glb.len().next_multiple_of(4), *padding);
    }
    Ok(glb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glb_that_is_written_is_read_without_a_warning() {
        for (json, bin) in [("{}", &[][..]), ("{\"a\":1}", &[1, 2, 3]), ("{  }", &[0; 8]), ("[]", &[9])] {
            let file = glb(json, bin).expect("a small file");
            assert_eq!(file.len() % 4, 0);
            let mut log = Log::default();
            let chunks = split(file[..].into(), &mut log).expect("a good file");
            assert_eq!(std::str::from_utf8(&file[chunks.json]).map(str::trim_end), Ok(json));
            let read = chunks.bin.map_or(&[][..], |range| &file[range]);
            assert_eq!(&read[..bin.len()], bin);
            assert!(read[bin.len()..].iter().all(|&byte| byte == 0) && read.len() < bin.len() + 4);
            assert_eq!(log.into_warnings(), []);
        }
    }
}
