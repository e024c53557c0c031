//! Tokens of text and binary files.

use super::container::Source;
use crate::error::codes;
use crate::text::quoted;

/// A piece of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    /// A name, or a number of a text file.
    Word(&'a [u8]),
    /// A string, without its quotation marks.
    Text(&'a [u8]),
    Integer(u32),
    Float(f64),
    /// In the order in which text files write it; 0 if it is malformed.
    Guid(u128),
    Open,
    Close,
    /// A comma or a semicolon.
    Separator,
    /// One of `[]()` or a dot.
    Symbol(u8),
    End,
}

/// A fault with its offset.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) at: usize,
}

/// Reads one token after the other.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    binary: bool,
    double: bool,
    pub(super) at: usize,
    /// The numbers of the current list that are left, and `true` if they are floats.
    list: (u32, bool),
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a Source<'_>, at: usize) -> Self {
        Self { bytes: &source.bytes, binary: source.binary, double: source.double, at, list: (0, false) }
    }

    /// The next token with its offset.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, usize), Fault> {
        if self.binary { self.next_binary() } else { self.next_text() }
    }

    fn next_text(&mut self) -> Result<(Token<'a>, usize), Fault> {
        self.skip_space();
        let start = self.at;
        let rest = &self.bytes[start..];
        let Some(&first) = rest.first() else { return Ok((Token::End, start)) };
        self.at += 1;
        let token = match first {
            b'{' => Token::Open,
            b'}' => Token::Close,
            b',' | b';' => Token::Separator,
            b'[' | b']' => Token::Symbol(first),
            b'"' => Token::Text(self.up_to(b'"', "string")?),
            b'<' => Token::Guid(guid(self.up_to(b'>', "GUID")?)),
            b'>' => Token::Symbol(first),
            _ => {
                let ends = |byte: &u8| is_space(*byte) || b"{},;[]\"<>".contains(byte);
                let length = rest.iter().position(ends).unwrap_or(rest.len());
                self.at = start + length;
                Token::Word(&rest[..length])
            }
        };
        Ok((token, start))
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) {
        loop {
            let rest = &self.bytes[self.at..];
            self.at += rest.iter().position(|&byte| !is_space(byte)).unwrap_or(rest.len());
            let rest = &self.bytes[self.at..];
            if !rest.starts_with(b"#") && !rest.starts_with(b"//") {
                return;
            }
            self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        }
    }

    /// The bytes before the next `end`, which is skipped.
    fn up_to(&mut self, end: u8, kind: &str) -> Result<&'a [u8], Fault> {
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.iter().position(|&byte| byte == end) else {
            let message = format!("The file ends within a {kind}");
            return Err(Fault { code: codes::X_TRUNCATED, message, at: self.at - 1 });
        };
        self.at += length + 1;
        Ok(&rest[..length])
    }

    fn next_binary(&mut self) -> Result<(Token<'a>, usize), Fault> {
        let start = self.at;
        if self.list.0 > 0 {
            self.list.0 -= 1;
            let token = match self.list.1 {
                false => Token::Integer(u32::from_le_bytes(self.array()?)),
                true if self.double => Token::Float(f64::from_le_bytes(self.array()?)),
                true => Token::Float(f64::from(f32::from_le_bytes(self.array()?))),
            };
            return Ok((token, start));
        }
        // A last odd byte is padding.
        if self.bytes.len() - start < 2 {
            return Ok((Token::End, self.bytes.len()));
        }
        let token = match u16::from_le_bytes(self.array()?) {
            1 => Token::Word(self.counted()?),
            2 => {
                let text = self.counted()?;
                // Its terminator is a separator of four bytes, but most programs write one of two.
                let rest = &self.bytes[self.at..];
                if rest.starts_with(&[20, 0, 0, 0]) || rest.starts_with(&[19, 0, 0, 0]) {
                    self.at += 4;
                }
                Token::Text(text)
            }
            3 => Token::Integer(u32::from_le_bytes(self.array()?)),
            5 => {
                let [a, b, c, d, e, f, g, h, rest @ ..]: [u8; 16] = self.array()?;
                let [i, j, k, l, m, n, o, p] = rest;
                Token::Guid(u128::from_be_bytes([d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p]))
            }
            kind @ (6 | 7) => {
                let size = if kind == 6 { 4 } else { 4 << u32::from(self.double) };
                let count = u32::from_le_bytes(self.array()?);
                if u64::from(count) * size > (self.bytes.len() - self.at) as u64 {
                    let message = format!("The file ends within a list of {count} numbers");
                    return Err(Fault { code: codes::X_TRUNCATED, message, at: start });
                }
                self.list = (count, kind == 7);
                return if count == 0 { Ok((Token::Separator, start)) } else { self.next_binary() };
            }
            10 => Token::Open,
            11 => Token::Close,
            12 => Token::Symbol(b'('),
            13 => Token::Symbol(b')'),
            14 => Token::Symbol(b'['),
            15 => Token::Symbol(b']'),
            16 => Token::Symbol(b'<'),
            17 => Token::Symbol(b'>'),
            18 => Token::Symbol(b'.'),
            19 | 20 => Token::Separator,
            31 => Token::Word(b"template"),
            40 => Token::Word(b"WORD"),
            41 => Token::Word(b"DWORD"),
            42 => Token::Word(b"FLOAT"),
            43 => Token::Word(b"DOUBLE"),
            44 => Token::Word(b"CHAR"),
            45 => Token::Word(b"UCHAR"),
            46 => Token::Word(b"SWORD"),
            47 => Token::Word(b"SDWORD"),
            48 => Token::Word(b"VOID"),
            49 => Token::Word(b"STRING"),
            50 => Token::Word(b"UNICODE"),
            51 => Token::Word(b"CSTRING"),
            52 => Token::Word(b"array"),
            other => {
                let message = format!("Binary .x files have no token {other}");
                return Err(Fault { code: codes::X_SYNTAX, message, at: start });
            }
        };
        Ok((token, start))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let Some(&array) = self.bytes[self.at..].first_chunk() else {
            let message = "The file ends within a token".to_owned();
            return Err(Fault { code: codes::X_TRUNCATED, message, at: self.at });
        };
        self.at += N;
        Ok(array)
    }

    /// Bytes after their count.
    fn counted(&mut self) -> Result<&'a [u8], Fault> {
        let start = self.at;
        let count = u32::from_le_bytes(self.array()?) as usize;
        let Some(bytes) = self.bytes[self.at..].get(..count) else {
            let message = format!("The file ends within a name or string of {count} bytes");
            return Err(Fault { code: codes::X_TRUNCATED, message, at: start });
        };
        self.at += count;
        Ok(bytes)
    }
}

/// White space, and zeros, which pad some files.
fn is_space(byte: u8) -> bool {
    byte <= b' '
}

fn guid(text: &[u8]) -> u128 {
    let digits: Vec<u8> = text.iter().copied().filter(|byte| byte.is_ascii_hexdigit()).take(33).collect();
    let text = std::str::from_utf8(&digits).unwrap_or_default();
    if digits.len() == 32 { u128::from_str_radix(text, 16).unwrap_or(0) } else { 0 }
}

impl Token<'_> {
    /// For a message.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Word(bytes) => quoted(bytes),
            Self::Text(_) => "a string".to_owned(),
            Self::Integer(_) | Self::Float(_) => "a number".to_owned(),
            Self::Guid(_) => "a GUID".to_owned(),
            Self::Open => "an opening brace".to_owned(),
            Self::Close => "a closing brace".to_owned(),
            Self::Separator => "a separator".to_owned(),
            Self::Symbol(symbol) => quoted(&[*symbol]),
            Self::End => "the end of the file".to_owned(),
        }
    }
}

/// The error of a token in a wrong place.
pub(super) fn unexpected(token: Token<'_>, at: usize, expected: &str) -> Fault {
    let found = token.describe();
    match token {
        Token::End => {
            Fault { code: codes::X_TRUNCATED, message: format!("The file ends where {expected} must be"), at }
        }
        _ => Fault { code: codes::X_SYNTAX, message: format!("Here must be {expected}, not {found}"), at },
    }
}
