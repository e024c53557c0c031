//! Bytes of a file or of a buffer, in memory or outside of it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Bytes outside of the memory of this program, such as those of an array of JavaScript. They must not change.
pub trait Outside: fmt::Debug {
    /// The number of bytes.
    fn length(&self) -> usize;

    /// Copies the bytes from `start` on to `out`; all of them exist.
    fn copy(&self, start: usize, out: &mut [u8]);
}

/// The bytes of a file or of a buffer, with their owner.
#[derive(Debug)]
pub enum Source<'a> {
    /// Bytes in memory.
    Memory(Cow<'a, [u8]>),
    /// Bytes that are read range by range.
    Outside(Box<dyn Outside + 'a>),
}

impl Source<'_> {
    /// The bytes.
    pub fn bytes(&self) -> Bytes<'_> {
        match self {
            Self::Memory(bytes) => Bytes::Memory(bytes),
            Self::Outside(source) => Bytes::Outside { source: &**source, range: (0, source.length()) },
        }
    }
}

impl<'a, T: Into<Cow<'a, [u8]>>> From<T> for Source<'a> {
    fn from(bytes: T) -> Self {
        Self::Memory(bytes.into())
    }
}

/// A range of bytes in memory or outside of it.
#[derive(Debug, Clone, Copy)]
pub enum Bytes<'a> {
    /// Bytes in memory.
    Memory(&'a [u8]),
    /// Bytes that are read range by range.
    Outside {
        /// The owner of the bytes.
        source: &'a dyn Outside,
        /// The first byte in `source`, and the byte after the last one.
        range: (usize, usize),
    },
}

impl<'a> From<&'a [u8]> for Bytes<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Memory(bytes)
    }
}

impl<'a> Bytes<'a> {
    /// The number of bytes.
    pub fn len(self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::Outside { range: (start, end), .. } => end - start,
        }
    }

    /// `true` if there are no bytes.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// A part of the bytes; `None` if they do not have the range.
    pub fn get(self, range: Range<usize>) -> Option<Self> {
        let exists = range.start <= range.end && range.end <= self.len();
        exists.then(|| match self {
            Self::Memory(bytes) => Self::Memory(&bytes[range]),
            Self::Outside { source, range: (start, _) } => {
                Self::Outside { source, range: (start + range.start, start + range.end) }
            }
        })
    }

    /// The first `count` bytes, or all of them.
    #[must_use]
    pub fn first(self, count: usize) -> Self {
        self.get(0..count).unwrap_or(self)
    }

    /// The bytes from `start` on, or none.
    #[must_use]
    pub fn after(self, start: usize) -> Self {
        self.get(start..self.len()).unwrap_or(Self::Memory(&[]))
    }

    /// The bytes in memory; those outside are copied to `buffer`, whose contents are replaced.
    pub fn read<'b>(self, buffer: &'b mut Vec<u8>) -> &'b [u8]
    where
        'a: 'b,
    {
        match self {
            Self::Memory(bytes) => bytes,
            Self::Outside { source, range: (start, end) } => {
                buffer.resize(end - start, 0);
                source.copy(start, buffer);
                buffer
            }
        }
    }

    /// The bytes in memory; those outside are copied.
    pub fn to_memory(self) -> Cow<'a, [u8]> {
        match self {
            Self::Memory(bytes) => Cow::Borrowed(bytes),
            Self::Outside { .. } => {
                let mut bytes = Vec::new();
                self.read(&mut bytes);
                Cow::Owned(bytes)
            }
        }
    }
}
