//! Writes JSON without spaces.

use super::{Map, Value};
use std::fmt::{self, Write};

/// As in a file: without spaces. All characters stand as they are, except those that JSON wants to be escaped.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(flag) => f.write_str(if *flag { "true" } else { "false" }),
            Self::Number(number) => fmt::Display::fmt(number, f),
            Self::String(text) => string(text, f),
            Self::Array(elements) => {
                f.write_char('[')?;
                for (i, element) in elements.iter().enumerate() {
                    if i > 0 {
                        f.write_char(',')?;
                    }
                    fmt::Display::fmt(element, f)?;
                }
                f.write_char(']')
            }
            Self::Object(members) => fmt::Display::fmt(members, f),
        }
    }
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('{')?;
        for (i, (name, value)) in self.iter().enumerate() {
            if i > 0 {
                f.write_char(',')?;
            }
            string(name, f)?;
            f.write_char(':')?;
            fmt::Display::fmt(value, f)?;
        }
        f.write_char('}')
    }
}

/// Runs of characters that need no escape are written at once.
fn string(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| letter < ' ' || letter == '"' || letter == '\\') {
        f.write_str(&rest[..at])?;
        match rest.as_bytes()[at] {
            b'"' => f.write_str("\\\"")?,
            b'\\' => f.write_str("\\\\")?,
            b'\n' => f.write_str("\\n")?,
            b'\r' => f.write_str("\\r")?,
            b'\t' => f.write_str("\\t")?,
            8 => f.write_str("\\b")?,
            12 => f.write_str("\\f")?,
            other => write!(f, "\\u{other:04x}")?,
        }
        // The character is of one byte.
        rest = &rest[at + 1..];
    }
    f.write_str(rest)?;
    f.write_char('"')
}
