//! Readers of streams, and their errors.

use crate::element::Word;
use std::fmt;

/// A filter for decoded attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// No filter.
    None,
    /// Unit vectors on an octahedron.
    Octahedral,
    /// Unit quaternions without the largest component.
    Quaternion,
    /// Floats with an exponent and an integer mantissa.
    Exponential,
    /// Colours as luma and chroma.
    Color,
}

impl Word for Filter {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("NONE", Self::None),
        ("OCTAHEDRAL", Self::Octahedral),
        ("QUATERNION", Self::Quaternion),
        ("EXPONENTIAL", Self::Exponential),
        ("COLOR", Self::Color),
    ];
}

/// The reason why a stream cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Mode, filter, count and stride are incompatible.
    Layout(&'static str),
    /// The first byte is not that of this encoding.
    Header {
        /// The byte.
        found: u8,
    },
    /// The stream ends before its elements do.
    Truncated,
    /// There are unread bytes between the elements and the tail.
    LeftOver {
        /// Their number.
        bytes: usize,
    },
    /// The tail has an invalid mode or table.
    Tail,
    /// A triangle refers to an edge or vertex before the first one.
    Reference {
        /// The index of the triangle.
        triangle: usize,
    },
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(rule) => write!(f, "{rule}"),
            Self::Header { found } => write!(f, "the header byte 0x{found:02x} of the stream is invalid"),
            Self::Truncated => write!(f, "the stream is truncated"),
            Self::LeftOver { bytes } => write!(f, "the stream has {bytes} excess bytes"),
            Self::Tail => write!(f, "the tail of the stream is invalid"),
            Self::Reference { triangle } => {
                write!(f, "triangle {triangle} refers to an edge or vertex before the first one")
            }
        }
    }
}

/// The unread part of a stream.
pub(super) struct Rest<'a>(pub(super) &'a [u8]);

impl<'a> Rest<'a> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Fault::Truncated)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Fault> {
        let (&byte, rest) = self.0.split_first().ok_or(Fault::Truncated)?;
        self.0 = rest;
        Ok(byte)
    }

    /// Checks that all bytes are read.
    pub(super) fn end(self) -> Result<(), Fault> {
        if self.0.is_empty() { Ok(()) } else { Err(Fault::LeftOver { bytes: self.0.len() }) }
    }
}

/// Splits a stream into data, first byte and tail, whose length is `tail` of the first byte.
pub(super) fn split(
    stream: &[u8],
    tail: impl Fn(u8) -> Result<usize, Fault>,
) -> Result<(Rest<'_>, u8, &[u8]), Fault> {
    let (&header, rest) = stream.split_first().ok_or(Fault::Truncated)?;
    let middle = rest.len().checked_sub(tail(header)?).ok_or(Fault::Truncated)?;
    let (data, tail) = rest.split_at(middle);
    Ok((Rest(data), header, tail))
}
