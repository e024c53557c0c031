//! Streams of bytes, and what may be wrong with them.

use std::fmt;

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

/// The part of a stream that has not been read.
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

    /// Checks that nothing is left.
    pub(super) fn end(self) -> Result<(), Fault> {
        if self.0.is_empty() { Ok(()) } else { Err(Fault::LeftOver { bytes: self.0.len() }) }
    }
}

/// The stream without its first byte and its last `tail` bytes; the first byte; the tail.
pub(super) fn split(
    stream: &[u8],
    tail: impl Fn(u8) -> Result<usize, Fault>,
) -> Result<(Rest<'_>, u8, &[u8]), Fault> {
    let (&header, rest) = stream.split_first().ok_or(Fault::Truncated)?;
    let middle = rest.len().checked_sub(tail(header)?).ok_or(Fault::Truncated)?;
    let (data, tail) = rest.split_at(middle);
    Ok((Rest(data), header, tail))
}
