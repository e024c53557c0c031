//! Errors and warnings of the converters. Codes are public API: their meaning never changes.

use std::fmt;

/// The reason why a file cannot be converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// A stable code, such as `bvh/syntax`.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// The place of the fault in the file.
    pub place: Place,
}

/// A part of a file that was repaired or skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// A stable code, such as `x/unknown-template`.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// The place of the fault in the file.
    pub place: Place,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A text file: line and column, both from 1; the column counts bytes.
    Text {
        /// The line, from 1.
        line: u32,
        /// The column, from 1, in bytes.
        column: u32,
    },
    /// A binary file: an offset from its start, in bytes, and the path of the enclosing objects (`Frame Root/Mesh Body`).
    Binary {
        /// The offset from the start of the file, in bytes.
        offset: u64,
        /// The names of the enclosing objects, separated by `/`; may be empty.
        path: String,
    },
    /// An object of the file, where the position of its bytes is not known: the path of its names.
    Object {
        /// The names of the enclosing objects, separated by `/`.
        path: String,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { line, column } => write!(f, "line {line}, column {column}"),
            Self::Binary { offset, path } if path.is_empty() => write!(f, "byte {offset}"),
            Self::Binary { offset, path } => write!(f, "byte {offset}, {path}"),
            Self::Object { path } => f.write_str(path),
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.place)
    }
}

impl std::error::Error for FormatError {}
