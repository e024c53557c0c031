//! The header of a file, and its compressed forms.

use std::borrow::Cow;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use crate::conversion::Conversion;
use crate::error::{FormatError, Place, codes};

/// The content of a file.
pub(super) struct Source<'a> {
    /// The header and the content, which is decompressed.
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) binary: bool,
    /// Floats of binary files have 64 bits.
    pub(super) double: bool,
}

/// The length of the header in bytes: `xof `, version, form, size of floats.
pub(super) const HEADER: usize = 16;
/// The size of a block of MSZIP when decompressed, in bytes. Blocks may refer to that many bytes before them.
const BLOCK: usize = 1 << 15;

fn error(code: &'static str, message: impl Into<String>, offset: usize) -> FormatError {
    FormatError {
        code,
        message: message.into(),
        place: Place::Binary { offset: offset as u64, path: String::new() },
    }
}

/// Reads the header, and decompresses the rest.
pub(super) fn open<'a>(bytes: &'a [u8], conversion: &Conversion<'_>) -> Result<Source<'a>, FormatError> {
    if !bytes.starts_with(b"xof ") {
        return Err(error(codes::X_HEADER, "The file does not begin with \"xof \"", 0));
    }
    let Some(header) = bytes.get(..HEADER) else {
        return Err(error(codes::X_TRUNCATED, "The file ends within its header", bytes.len()));
    };
    let double = match &header[12..] {
        b"0032" => false,
        b"0064" => true,
        _ => return Err(error(codes::X_HEADER, "The size of floats is neither 0032 nor 0064", 12)),
    };
    let (binary, compressed) = match &header[8..12] {
        b"txt " => (false, false),
        b"bin " => (true, false),
        b"tzip" => (false, true),
        b"bzip" => (true, true),
        _ => return Err(error(codes::X_HEADER, "The form is neither txt, bin, tzip nor bzip", 8)),
    };
    let bytes = if compressed { Cow::Owned(inflate(bytes, conversion)?) } else { Cow::Borrowed(bytes) };
    Ok(Source { bytes, binary, double })
}

/// The header and the decompressed blocks, as in the file before its compression.
///
/// After the header is the size of the decompressed file. A block is its size decompressed, its size compressed, `CK`,
/// and a deflate stream.
fn inflate(bytes: &[u8], conversion: &Conversion<'_>) -> Result<Vec<u8>, FormatError> {
    let word =
        |at: usize| bytes.get(at..at + 2).map(|word| usize::from(u16::from_le_bytes([word[0], word[1]])));
    let truncated = || error(codes::X_TRUNCATED, "The file ends within its compressed blocks", bytes.len());
    let size = bytes.get(HEADER..HEADER + 4).ok_or_else(truncated)?;
    let size = u32::from_le_bytes([size[0], size[1], size[2], size[3]]) as usize;
    let mut output = bytes[..HEADER].to_vec();
    let mut decompressor = Box::<DecompressorOxide>::default();
    let mut at = HEADER + 4;
    // Bytes after the last block are ignored, but not if content is missing.
    while at < bytes.len() || output.len() < size {
        let length = word(at + 2).ok_or_else(truncated)?;
        let magic = bytes.get(at + 4..at + 6).ok_or_else(truncated)?;
        if magic != b"CK" {
            if output.len() >= size {
                break;
            }
            return Err(error(codes::X_COMPRESSION, "A block does not begin with \"CK\"", at + 4));
        }
        let block = bytes.get(at + 6..at + 4 + length.max(2)).ok_or_else(truncated)?;
        conversion.spend(BLOCK, || Place::Binary { offset: at as u64, path: String::new() })?;
        let start = output.len();
        output.resize(start + BLOCK, 0);
        decompressor.init();
        // The buffer holds all blocks, so a block reaches back into those before it.
        let (status, _, written) = decompress(
            &mut decompressor,
            block,
            &mut output,
            start,
            TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
        );
        if status != TINFLStatus::Done {
            return Err(error(codes::X_COMPRESSION, "A compressed block is damaged", at + 6));
        }
        output.truncate(start + written);
        at += 4 + length.max(2);
    }
    Ok(output)
}
