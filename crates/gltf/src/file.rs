//! A file as a whole: its container and its JSON.

use crate::bytes::Bytes;
use crate::container;
use crate::error::{ImportError, ImportErrorKind, codes};
use crate::json::{Fault, Repairs, Value, repair};
use crate::limits::Limits;
use crate::log::Log;
use crate::other_formats::other_format;
use std::ops::Range;

/// A file that was taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// The JSON: an object.
    pub json: Value,
    /// `true` for a GLB.
    pub is_glb: bool,
    /// `true` if the text was no JSON before repairs, which write `null` for values that JSON does not have.
    pub is_repaired: bool,
    /// The place of the binary chunk in the file.
    pub chunk: Option<Range<usize>>,
}

/// The use of the numbers of the JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// They are read only, which is faster.
    Read,
    /// They are written again as they were.
    Kept,
}

/// The first line of a Git LFS pointer, which a server without LFS sends instead of the file.
pub const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Takes a `.glb` or `.gltf` file apart; the first bytes determine the format.
///
/// # Errors
/// If the container or the JSON is invalid.
pub fn read(bytes: Bytes<'_>, numbers: Numbers, limits: &Limits, log: &mut Log) -> Result<File, ImportError> {
    let is_glb = container::is_glb(&bytes.first(4).to_memory());
    let (text, chunk) = if is_glb {
        let chunks = container::split(bytes, log)?;
        (bytes.get(chunks.json).unwrap_or(bytes).to_memory(), chunks.bin)
    } else {
        let text = bytes.to_memory();
        check_text(&text)?;
        (text, None)
    };
    let (json, is_repaired) = parse(&text, numbers, limits, log)?;
    Ok(File { json, is_glb, is_repaired, chunk })
}

/// Returns an error for a file that is no GLB, and does not look like JSON either.
fn check_text(bytes: &[u8]) -> Result<(), ImportError> {
    if looks_like_json(bytes) {
        return Ok(());
    }
    if bytes.starts_with(LFS_POINTER) {
        return Err(ImportErrorKind::LfsPointer.at(""));
    }
    // In pages, `load()` has named the format before, so the module has no table of them.
    let format = if cfg!(target_arch = "wasm32") { None } else { other_format(bytes, "") };
    let found = format.map(|format| (format.name, format.way));
    Err(ImportErrorKind::UnknownFormat { found }.at(""))
}

/// `true` if the first character can start a JSON object or array.
fn looks_like_json(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    text.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|byte| b"{[".contains(byte))
}

/// The JSON, and `true` if it was repaired.
fn parse(
    mut text: &[u8],
    numbers: Numbers,
    limits: &Limits,
    log: &mut Log,
) -> Result<(Value, bool), ImportError> {
    if let Some(rest) = text.strip_prefix(b"\xEF\xBB\xBF") {
        log.warn(codes::BYTE_ORDER_MARK, "", "The JSON begins with a byte order mark; it is skipped");
        text = rest;
    }
    let (needed, limit) = (estimate(text), limits.of(text.len()));
    if needed > limit {
        return Err(ImportErrorKind::TooLarge { needed, limit }.at(""));
    }
    let value = |text: &[u8]| match numbers {
        Numbers::Read => Value::parse(text),
        Numbers::Kept => Value::parse_exact(text),
    };
    let (root, is_repaired) = match value(text) {
        Ok(root) => (root, false),
        Err(fault) => (repaired(text, fault, value, log)?, true),
    };
    if root.as_object().is_none() {
        let reason = "the root is not an object".to_owned();
        return Err(ImportErrorKind::InvalidValue { reason }.at(""));
    }
    Ok((root, is_repaired))
}

/// Parses a text that is not JSON because of `fault`, after repairs.
#[cold]
fn repaired(
    text: &[u8],
    fault: Fault,
    value: impl Fn(&[u8]) -> Result<Value, Fault>,
    log: &mut Log,
) -> Result<Value, ImportError> {
    let (repaired, repairs) = repair(text);
    let root = if repairs == Repairs::default() { Err(fault) } else { value(&repaired) };
    let root = root.map_err(|Fault { line, column, reason }| {
        ImportErrorKind::InvalidJson { line, column, reason: reason.to_owned() }.at("")
    })?;
    let Repairs { latin_1, not_numbers, padding, .. } = repairs;
    if latin_1 > 0 {
        let message =
            format_args!("Strings of the JSON are not UTF-8 ({latin_1} times); they are read as Latin-1");
        log.warn(codes::NOT_UTF_8, "", message);
    }
    if not_numbers > 0 {
        let message = format_args!(
            "The JSON has numbers that are infinite or NaN ({not_numbers} times); the values count as missing"
        );
        log.warn(codes::NUMBER_REPLACED, "", message);
    }
    if padding > 0 {
        let message = format_args!("Zero bytes follow the JSON ({padding} times); they are ignored");
        log.warn(codes::JSON_PADDING, "", message);
    }
    Ok(root)
}

/// Estimates the memory for the JSON tree and the model. `{},` is three bytes of text, but takes hundreds of times as
/// much as a node. Counted before parsing.
fn estimate(text: &[u8]) -> u64 {
    const OBJECT: u64 = 1200;
    const ITEM: u64 = 48;
    let mut bytes = 0;
    let mut rest = text.iter();
    while let Some(byte) = rest.next() {
        match byte {
            b'{' => bytes += OBJECT,
            b',' => bytes += ITEM,
            b'"' => {
                // Data URIs are long strings.
                while let Some(byte) = rest.next() {
                    match byte {
                        b'"' => break,
                        b'\\' => _ = rest.next(),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    bytes
}
