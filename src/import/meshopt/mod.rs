//! Decodes what EXT_meshopt_compression and KHR_meshopt_compression encode: pure Rust, so that it works
//! everywhere, and without trust: every length is checked before it is used or allocated.
//!
//! Specs: KHR_meshopt_compression, appendix A (bitstream) and B (filters). EXT_meshopt_compression is the
//! same without version 1 of the attribute codec and without the colour filter.

mod attributes;
mod filters;
mod indices;

use std::fmt;

/// How a stream is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Elements of any kind.
    Attributes,
    /// The indices of a list of triangles.
    Triangles,
    /// Other indices.
    Indices,
}

/// What is done to decoded attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filter {
    /// Nothing.
    None,
    /// Unit vectors on an octahedron.
    Octahedral,
    /// Unit quaternions without their largest component.
    Quaternion,
    /// Floats of an exponent and an integer mantissa.
    Exponential,
    /// Colours as luma and chroma.
    Color,
}

/// What a stream decodes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// How it is encoded.
    pub(crate) mode: Mode,
    /// What is done afterwards.
    pub(crate) filter: Filter,
    /// How many elements there are.
    pub(crate) count: usize,
    /// How many bytes an element has.
    pub(crate) stride: usize,
}

/// Why a stream cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Mode, filter, count and stride do not go together.
    Layout(&'static str),
    /// The first byte does not announce such a stream.
    Header { found: u8 },
    /// The stream ends before its elements do.
    Truncated,
    /// There are bytes left between the elements and the tail.
    LeftOver { bytes: usize },
    /// The tail has a mode or a table that does not exist.
    Tail,
    /// A triangle refers to an edge or vertex that has not been there.
    Reference { triangle: usize },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(rule) => write!(f, "{rule}"),
            Self::Header { found } => write!(f, "0x{found:02x} is not the first byte of such a stream"),
            Self::Truncated => write!(f, "the stream is cut off"),
            Self::LeftOver { bytes } => write!(f, "{bytes} bytes of the stream are left over"),
            Self::Tail => write!(f, "the tail of the stream is invalid"),
            Self::Reference { triangle } => {
                write!(f, "triangle {triangle} refers to something before the first one")
            }
        }
    }
}

impl Layout {
    /// How many bytes the stream decodes to.
    pub(crate) fn decoded_bytes(self) -> u64 {
        (self.count as u64).saturating_mul(self.stride as u64)
    }

    /// Checks the rules of the extension for the JSON.
    pub(crate) fn check(self) -> Result<(), Fault> {
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

/// Decodes a stream to `layout.decoded_bytes()` bytes, which the caller has found affordable.
pub(crate) fn decode(layout: Layout, stream: &[u8]) -> Result<Vec<u8>, Fault> {
    layout.check()?;
    let Layout { mode, filter, count, stride } = layout;
    match mode {
        Mode::Attributes => {
            let mut bytes = attributes::decode(stream, count, stride)?;
            filters::apply(filter, stride, &mut bytes);
            Ok(bytes)
        }
        Mode::Triangles => indices::triangles(stream, count, stride),
        Mode::Indices => indices::indices(stream, count, stride),
    }
}

/// The part of a stream that has not been read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Fault::Truncated)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        let (&byte, rest) = self.0.split_first().ok_or(Fault::Truncated)?;
        self.0 = rest;
        Ok(byte)
    }

    /// Checks that nothing is left.
    fn end(self) -> Result<(), Fault> {
        if self.0.is_empty() { Ok(()) } else { Err(Fault::LeftOver { bytes: self.0.len() }) }
    }
}

/// The stream without its first byte and its last `tail` bytes; the first byte; the tail.
fn split(stream: &[u8], tail: impl Fn(u8) -> Result<usize, Fault>) -> Result<(Rest<'_>, u8, &[u8]), Fault> {
    let (&header, rest) = stream.split_first().ok_or(Fault::Truncated)?;
    let middle = rest.len().checked_sub(tail(header)?).ok_or(Fault::Truncated)?;
    let (data, tail) = rest.split_at(middle);
    Ok((Rest(data), header, tail))
}

#[cfg(test)]
mod tests;
