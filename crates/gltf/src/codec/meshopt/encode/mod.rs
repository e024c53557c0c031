//! The encoder for EXT_meshopt_compression and KHR_meshopt_compression.
//!
//! The same input gives the same bytes on every machine.
//!
//! Specs: KHR_meshopt_compression, appendix A (bitstream) and B (filters).

mod attributes;
mod filters;
mod indices;

pub use filters::{exponential, octahedral, quaternion};

use super::{Filter, Layout, Mode, Stream};

/// Encodes elements of `stride` bytes, a multiple of 4 up to 256, whose values were made for `filter`.
///
/// - `khronos`: for KHR_meshopt_compression, whose second version of the codec takes fewer bytes.
pub fn attributes(bytes: &[u8], stride: usize, filter: Filter, khronos: bool) -> Stream {
    let layout = Layout { mode: Mode::Attributes, filter, count: bytes.len() / stride.max(1), stride };
    let encoded =
        if khronos { attributes::version_1(bytes, stride) } else { attributes::version_0(bytes, stride) };
    Stream { bytes: encoded, layout, khronos }
}

/// The bytes of [`attributes`] without those of the header and the tail, which do not depend on the elements; not for
/// `khronos`.
pub fn attributes_size(bytes: &[u8], stride: usize) -> usize {
    attributes::version_0_size(bytes, stride)
}

/// Encodes the indices of a triangle list: a multiple of three. The decoder may begin a triangle with another of its
/// vertices; their order around the triangle is kept.
///
/// - `stride`: 2 or 4 bytes per index after decoding.
pub fn triangles(list: &[u32], stride: usize, khronos: bool) -> Stream {
    let layout = Layout { mode: Mode::Triangles, filter: Filter::None, count: list.len(), stride };
    Stream { bytes: indices::triangles(list), layout, khronos }
}

/// Encodes indices of any topology; the decoder gives the same ones.
///
/// - `stride`: 2 or 4 bytes per index after decoding.
pub fn sequence(list: &[u32], stride: usize, khronos: bool) -> Stream {
    let layout = Layout { mode: Mode::Indices, filter: Filter::None, count: list.len(), stride };
    Stream { bytes: indices::sequence(list), layout, khronos }
}

#[cfg(test)]
mod tests;
