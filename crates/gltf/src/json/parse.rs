//! Parses JSON to a tree of values.

use super::names::{LONGEST, Name, frequent};
use super::{Map, Number, Value};
use std::fmt;

/// The reason why a text is not valid JSON, with the location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The byte within the line, from 1.
    pub column: usize,
    /// The reason, as part of a sentence.
    pub reason: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason)
    }
}

/// The maximum nesting depth of arrays and objects.
pub(super) const DEPTH: usize = 128;

impl Value {
    /// Parses a text of exactly one value, to be read: numbers lose the way in which they are written.
    ///
    /// # Errors
    /// If it is not valid JSON or not UTF-8, has a number beyond f64, or is nested deeper than 128 levels.
    pub fn parse(text: &[u8]) -> Result<Self, Fault> {
        Self::parsed(text, false)
    }

    /// As [`Value::parse`], to be written again: numbers keep their text.
    ///
    /// # Errors
    /// As [`Value::parse`].
    pub fn parse_exact(text: &[u8]) -> Result<Self, Fault> {
        Self::parsed(text, true)
    }

    fn parsed(text: &[u8], exact: bool) -> Result<Self, Fault> {
        let mut parser = Parser { text, at: 0, exact };
        if let Err(error) = std::str::from_utf8(text) {
            parser.at = error.valid_up_to();
            return Err(parser.fault("this is not UTF-8"));
        }
        let value = parser.value(0).and_then(|value| match parser.peek() {
            None => Ok(value),
            Some(_) => Err("trailing characters"),
        });
        value.map_err(|reason| parser.fault(reason))
    }
}

struct Parser<'a> {
    /// Valid UTF-8.
    text: &'a [u8],
    at: usize,
    /// `true` if numbers keep their text.
    exact: bool,
}

type Result<T, E = &'static str> = std::result::Result<T, E>;

impl Parser<'_> {
    fn fault(&self, reason: &'static str) -> Fault {
        let before = &self.text[..self.at.min(self.text.len())];
        let line_begin = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        Fault { line, column: before.len() - line_begin + 1, reason }
    }

    /// The next byte after white space, which is skipped.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    /// Skips white space and the expected byte.
    fn expect(&mut self, byte: u8, otherwise: &'static str) -> Result<()> {
        if self.peek() != Some(byte) {
            return Err(otherwise);
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        if depth > DEPTH {
            return Err("nested too deep");
        }
        match self.peek() {
            Some(b'{') => self.object(depth).map(Value::Object),
            Some(b'[') => self.array(depth).map(Value::Array),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number().map(Value::Number),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            _ => Err("expected value"),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value> {
        if !self.text[self.at..].starts_with(word.as_bytes()) {
            return Err("expected value");
        }
        self.at += word.len();
        Ok(value)
    }

    fn object(&mut self, depth: usize) -> Result<Map> {
        self.at += 1;
        let mut members = Map::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(members);
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err("expected a name in quotes");
            }
            let name = self.name()?;
            self.expect(b':', "expected `:`")?;
            members.push_named(name, self.value(depth + 1)?);
            if self.peek() == Some(b'}') {
                self.at += 1;
                return Ok(members);
            }
            self.expect(b',', "expected `,` or `}`")?;
        }
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Value>> {
        self.at += 1;
        let mut elements = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(elements);
        }
        loop {
            elements.push(self.value(depth + 1)?);
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(elements);
            }
            self.expect(b',', "expected `,` or `]`")?;
        }
    }

    fn number(&mut self) -> Result<Number> {
        let begin = self.at;
        self.at += usize::from(self.text[begin] == b'-');
        let whole = self.digits();
        if whole == 0 || whole > 1 && self.text[self.at - whole] == b'0' {
            return Err("invalid number");
        }
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return Err("invalid number");
            }
        }
        if let Some(b'e' | b'E') = self.text.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.text.get(self.at) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err("invalid number");
            }
        }
        let text = std::str::from_utf8(&self.text[begin..self.at]).map_err(|_| "invalid number")?;
        if let Some(whole) = integer(text) {
            return Ok(Number::integer(whole));
        }
        let number = parsed(text).ok_or("invalid number")?;
        let kept = if self.exact { Some(Number::read(number, text)) } else { Number::new(number) };
        kept.filter(|_| number.is_finite()).ok_or("number out of range")
    }

    /// Skips digits; returns their count.
    fn digits(&mut self) -> usize {
        let begin = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        self.at - begin
    }

    /// The name of a member, at its first quote.
    fn name(&mut self) -> Result<Name> {
        let text = &self.text[self.at + 1..];
        // A frequent name has no escape sequence, so that it ends at the next quote.
        let end = text.iter().take(LONGEST).position(|&byte| byte == b'"');
        match end.and_then(|end| Some((end, frequent(&text[..end])?))) {
            Some((end, name)) => {
                self.at += end + 2;
                Ok(name)
            }
            None => self.string().map(Name::Owned),
        }
    }

    fn string(&mut self) -> Result<String> {
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.iter().position(|&byte| byte < b' ' || byte == b'"' || byte == b'\\');
            let plain = plain.unwrap_or(rest.len());
            bytes.extend_from_slice(&rest[..plain]);
            self.at += plain;
            match self.text.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    // Split only at ASCII characters, and the whole text is UTF-8.
                    return String::from_utf8(bytes).map_err(|_| "this is not UTF-8");
                }
                Some(b'\\') => {
                    self.at += 1;
                    let mut letter = [0; 4];
                    bytes.extend_from_slice(self.escape()?.encode_utf8(&mut letter).as_bytes());
                }
                Some(_) => return Err("control character in a string"),
                None => return Err("unexpected end in a string"),
            }
        }
    }

    /// The character of an escape sequence after `\`.
    fn escape(&mut self) -> Result<char> {
        let letter = *self.text.get(self.at).ok_or("unexpected end in a string")?;
        self.at += 1;
        Ok(match letter {
            b'"' | b'\\' | b'/' => letter.into(),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.hex()?;
                let second = self.text[self.at..].starts_with(b"\\u") && (0xD800..0xDC00).contains(&first);
                if second {
                    let before = self.at;
                    self.at += 2;
                    let low = self.hex()?;
                    if (0xDC00..0xE000).contains(&low) {
                        let code = 0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00);
                        return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                    self.at = before;
                }
                char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err("invalid escape"),
        })
    }

    fn hex(&mut self) -> Result<u32> {
        let digits = self.text.get(self.at..self.at + 4).ok_or("unexpected end in a string")?;
        let mut code = 0;
        for &digit in digits {
            code = code << 4 | char::from(digit).to_digit(16).ok_or("invalid escape")?;
        }
        self.at += 4;
        Ok(code)
    }
}

/// An integer of up to 15 digits, which is exact in f64, by a simple loop: integers are most frequent. Not -0, which as an
/// integer would be written as 0.
fn integer(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.len() > 15 || text == "-0" || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let whole = digits.bytes().fold(0, |sum: u64, digit| 10 * sum + u64::from(digit - b'0')) as f64;
    Some(if digits.len() < text.len() { -whole } else { whole })
}

/// The f64 nearest to any number. Uses the browser's parser: that of std has tables of 10 kB that do not compress (11.8 kB of brotli). Both round correctly.
#[cfg(all(target_arch = "wasm32", feature = "web"))]
fn parsed(text: &str) -> Option<f64> {
    Some(js_sys::Number::parse_float(text))
}

#[cfg(not(all(target_arch = "wasm32", feature = "web")))]
fn parsed(text: &str) -> Option<f64> {
    text.parse().ok()
}
