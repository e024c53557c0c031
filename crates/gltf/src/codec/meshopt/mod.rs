//! The codec of EXT_meshopt_compression and KHR_meshopt_compression, in pure Rust for all platforms. Input of the
//! decoder is untrusted: every length is checked before use or allocation. [`encode`] is the encoder.
//!
//! Specs: KHR_meshopt_compression, appendix A (bitstream) and B (filters). EXT_meshopt_compression is the
//! same without version 1 of the attribute codec and without the colour filter.

mod attributes;
pub mod encode;
mod filters;
mod indices;
mod stream;

pub use filters::exponential;
pub use stream::{Fault, Filter};

use crate::element::Word;
use crate::json::Value;
use crate::place::{FromJson, Place};

/// The extensions, in the order in which an importer prefers them.
pub const EXTENSIONS: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/// The extension of an encoded buffer view, with its name.
pub fn extension(view: &Value) -> Option<(&'static str, &Value)> {
    EXTENSIONS.iter().find_map(|name| Some((*name, view.get("extensions")?.get(name)?)))
}

/// The encoding of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Elements of any kind.
    Attributes,
    /// Indices of a triangle list.
    Triangles,
    /// Other indices.
    Indices,
}

impl Word for Mode {
    const WORDS: &'static [(&'static str, Self)] =
        &[("ATTRIBUTES", Self::Attributes), ("TRIANGLES", Self::Triangles), ("INDICES", Self::Indices)];
}

/// The properties of the decoded data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The encoding.
    pub mode: Mode,
    /// The filter, applied after decoding.
    pub filter: Filter,
    /// The number of elements.
    pub count: usize,
    /// The size of an element in bytes.
    pub stride: usize,
}

impl FromJson for Layout {
    /// Reads the extension of a buffer view.
    fn read(at: &Place<'_>) -> Self {
        let word = |key: &str| at.value().str_at(key);
        let mode = word("mode").and_then(Mode::of).unwrap_or_else(|| {
            at.fault_at("mode", "unknown mode");
            Mode::Attributes
        });
        let filter = at.member("filter").map(|filter| {
            word("filter").and_then(Filter::of).unwrap_or_else(|| {
                filter.fault("unknown filter");
                Filter::None
            })
        });
        let filter = filter.unwrap_or(Filter::None);
        Self { mode, filter, count: at.required_at("count"), stride: at.required_at("byteStride") }
    }
}

impl Layout {
    /// The size of the decoded data in bytes.
    pub fn decoded_bytes(self) -> u64 {
        (self.count as u64).saturating_mul(self.stride as u64)
    }

    /// Checks the rules of the extension for these values.
    ///
    /// # Errors
    /// The rule that they break.
    pub fn check(self) -> Result<(), Fault> {
        let Self { mode, filter, count, stride } = self;
        let rule = match mode {
            Mode::Attributes if !(4..=256).contains(&stride) || !stride.is_multiple_of(4) => {
                "the stride of attributes must be a multiple of 4 up to 256"
            }
            Mode::Triangles | Mode::Indices if stride != 2 && stride != 4 => {
                "the stride of indices must be 2 or 4"
            }
            Mode::Triangles | Mode::Indices if filter != Filter::None => "indices must have no filter",
            Mode::Triangles if !count.is_multiple_of(3) => "the count of triangles must be a multiple of 3",
            _ => match filter {
                Filter::Octahedral | Filter::Color if stride != 4 && stride != 8 => {
                    "the stride must be 4 or 8 with this filter"
                }
                Filter::Quaternion if stride != 8 => "the stride must be 8 with this filter",
                _ => return Ok(()),
            },
        };
        Err(Fault::Layout(rule))
    }
}

/// The encoded bytes of a buffer view.
#[derive(Debug, Clone)]
pub struct Stream {
    /// The encoded bytes.
    pub bytes: Vec<u8>,
    /// The encoding and the size of the elements.
    pub layout: Layout,
    /// `true` for KHR_meshopt_compression, `false` for EXT_meshopt_compression.
    pub khronos: bool,
}

/// Makes values of elements, of `stride` bytes each, that were made for a filter.
pub fn unfilter(filter: Filter, stride: usize, elements: &mut [u8]) {
    filters::apply(filter, stride, elements);
}

/// Decodes a stream to `layout.decoded_bytes()` bytes; the caller must have checked this size against its limits.
///
/// # Errors
/// If the layout breaks a rule of the extension, or the stream is not one of this layout.
pub fn decode(layout: Layout, stream: &[u8]) -> Result<Vec<u8>, Fault> {
    layout.check()?;
    let Layout { mode, filter, count, stride } = layout;
    match mode {
        Mode::Attributes => {
            let mut bytes = attributes::decode(stream, count, stride)?;
            unfilter(filter, stride, &mut bytes);
            Ok(bytes)
        }
        Mode::Triangles => indices::triangles(stream, count, stride),
        Mode::Indices => indices::indices(stream, count, stride),
    }
}

#[cfg(test)]
mod tests;
