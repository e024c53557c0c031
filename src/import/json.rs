//! Parses JSON to a tree of values.
//!
//! Differences from `serde_json`, as files need them:
//!
//! - Members keep the order of the text; of equal names the last one is used.
//! - `3.0` is an integer, and a member with the value `null` counts as missing.
//! - An unpaired surrogate becomes U+FFFD.
//! - A fault has a line and a column. Depth is limited.
//!
//! `gltf/elements.rs` reads the values and adds a JSON pointer to each fault.
//!
//! Spec: RFC 8259.

use std::fmt;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object, with its members in the order of the text.
    Object(Vec<(String, Value)>),
}

/// The reason why a text is not valid JSON, with the location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The byte within the line, from 1.
    pub(crate) column: usize,
    pub(crate) reason: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason)
    }
}

/// The maximum nesting depth of arrays and objects.
const DEPTH: usize = 128;

impl Value {
    /// Parses a text of exactly one value.
    ///
    /// # Errors
    /// If it is not valid JSON or not UTF-8, has a number beyond f64, or is nested deeper than 128 levels.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, Fault> {
        let mut parser = Parser { text, at: 0 };
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

    /// A member of an object; `None` if it is `null`.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let member = self.as_object()?.iter().rev().find(|(name, _)| name == key);
        member.map(|(_, value)| value).filter(|value| **value != Self::Null)
    }

    /// The value at a path of member names, separated by `/`.
    pub(crate) fn path(&self, path: &str) -> Option<&Self> {
        path.split('/').try_fold(self, |value, key| value.get(key))
    }

    /// The members of an object.
    pub(crate) fn as_object(&self) -> Option<&[(String, Self)]> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    /// The elements of an array.
    pub(crate) fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(elements) = self { Some(elements) } else { None }
    }

    /// The elements of the array in a member; empty if there is none.
    pub(crate) fn list(&self, key: &str) -> &[Self] {
        self.get(key).and_then(Self::as_array).unwrap_or_default()
    }

    /// The text of a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The number.
    pub(crate) fn as_f64(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// The number, if it is a non-negative integer in range; from 2⁵³ on rounded to f64.
    pub(crate) fn as_u64(&self) -> Option<u64> {
        let whole =
            |number: &f64| number.fract() == 0.0 && (0.0..=18_446_744_073_709_551_616.0).contains(number);
        self.as_f64().filter(whole).map(|number| number as u64)
    }

    /// As [`Value::as_u64`], in the range of 32 bits.
    pub(crate) fn as_u32(&self) -> Option<u32> {
        self.as_u64().and_then(|number| u32::try_from(number).ok())
    }
}

struct Parser<'a> {
    /// Valid UTF-8.
    text: &'a [u8],
    at: usize,
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

    fn object(&mut self, depth: usize) -> Result<Vec<(String, Value)>> {
        self.at += 1;
        let mut members = Vec::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(members);
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err("expected a name in quotes");
            }
            let name = self.string()?;
            self.expect(b':', "expected `:`")?;
            members.push((name, self.value(depth + 1)?));
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

    fn number(&mut self) -> Result<f64> {
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
        let number = nearest(text).ok_or("invalid number")?;
        if number.is_finite() { Ok(number) } else { Err("number out of range") }
    }

    /// Skips digits; returns their count.
    fn digits(&mut self) -> usize {
        let begin = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        self.at - begin
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

/// The f64 nearest to a JSON number. Integers, which are most frequent, are parsed by a simple loop.
fn nearest(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    // An integer of up to 15 digits is exact in f64.
    if digits.len() <= 15 && digits.bytes().all(|digit| digit.is_ascii_digit()) {
        let whole = digits.bytes().fold(0, |sum: u64, digit| 10 * sum + u64::from(digit - b'0')) as f64;
        return Some(if digits.len() < text.len() { -whole } else { whole });
    }
    parsed(text)
}

/// Uses the browser's parser: that of std has tables of 10 kB that do not compress (11.8 kB of brotli). Both round correctly.
#[cfg(all(target_arch = "wasm32", feature = "web"))]
fn parsed(text: &str) -> Option<f64> {
    Some(js_sys::Number::parse_float(text))
}

#[cfg(not(all(target_arch = "wasm32", feature = "web")))]
fn parsed(text: &str) -> Option<f64> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts a value of `serde_json`.
    fn other(value: &serde_json::Value) -> Value {
        match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(flag) => Value::Bool(*flag),
            serde_json::Value::Number(number) => Value::Number(number.as_f64().expect("any number is one")),
            serde_json::Value::String(text) => Value::String(text.clone()),
            serde_json::Value::Array(elements) => Value::Array(elements.iter().map(other).collect()),
            serde_json::Value::Object(members) => {
                Value::Object(members.iter().map(|(name, value)| (name.clone(), other(value))).collect())
            }
        }
    }

    /// Sorts the members of all objects; of equal names only the last one is kept.
    fn sorted(value: Value) -> Value {
        match value {
            Value::Array(elements) => Value::Array(elements.into_iter().map(sorted).collect()),
            Value::Object(members) => {
                let members: std::collections::BTreeMap<_, _> = members.into_iter().collect();
                Value::Object(members.into_iter().map(|(name, value)| (name, sorted(value))).collect())
            }
            value => value,
        }
    }

    /// `true` if two values are equal up to the double rounding of `serde_json`.
    fn same(a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => (a - b).abs() <= 4.0 * f64::EPSILON * a.abs(),
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
            }
            (Value::Object(a), Value::Object(b)) => {
                let mut members = a.iter().zip(b);
                a.len() == b.len() && members.all(|(a, b)| a.0 == b.0 && same(&a.1, &b.1))
            }
            (a, b) => a == b,
        }
    }

    /// Checks that both parsers agree on a text.
    fn agree(text: &[u8]) {
        let ours = Value::parse(text);
        let shown = String::from_utf8_lossy(text);
        match serde_json::from_slice::<serde_json::Value>(text) {
            Ok(theirs) => {
                let ours = ours.map(sorted).unwrap_or_else(|fault| panic!("{shown}: {fault}"));
                assert!(same(&ours, &sorted(other(&theirs))), "{shown}: {ours:?}");
            }
            Err(error) => {
                let reason = error.to_string();
                let lenient = reason.contains("surrogate") || reason.contains("unexpected end of hex escape");
                assert!(ours.is_err() || lenient, "{shown}: {reason}");
            }
        }
    }

    #[test]
    fn json_parser_agrees_with_serde_on_texts_and_their_mutations() {
        let texts: [&str; 6] = [
            r#"{"a":[1,-2.5e-3,0,-0.0,1E+2,123456789012345678],"b":{"c":null,"d":true,"e":false},"a":"twice"}"#,
            "\r\n\t [ ] ",
            r#"["\u00e4\ud83d\ude00\"\\\/\b\f\n\r\t", "ä😀", "", {}, [[[]]]]"#,
            "0.1",
            "1e308",
            r#"{"nodes":[{"name":"hips","rotation":[0,0.70710678,0,0.70710678]}]}"#,
        ];
        for text in texts {
            agree(text.as_bytes());
            let bytes = text.as_bytes();
            for at in 0..=bytes.len() {
                agree(&bytes[..at]);
                for with in *b"\"\\{}[]:,0-.eE+tnu \n\x01\x80\xFF" {
                    let mut changed = bytes.to_vec();
                    changed.insert(at, with);
                    agree(&changed);
                    if at < bytes.len() {
                        changed.remove(at + 1);
                        agree(&changed);
                    }
                }
            }
        }
    }

    #[test]
    fn json_numbers_are_rounded_once() {
        for (text, bits) in [
            ("0.1", 0x3FB9_9999_9999_999A),
            ("-0", 0x8000_0000_0000_0000),
            ("5e-324", 1),
            ("1e-400", 0),
            ("2.2250738585072011e-308", 0x000F_FFFF_FFFF_FFFF),
            ("1.7976931348623157E+308", 0x7FEF_FFFF_FFFF_FFFF),
            ("9007199254740993", 0x4340_0000_0000_0000),
            ("9007199254740993.00000000000000000001", 0x4340_0000_0000_0001),
        ] {
            let number = Value::parse(text.as_bytes()).map(|value| value.as_f64().map(f64::to_bits));
            assert_eq!(number, Ok(Some(bits)), "{text}");
        }
        assert_eq!(Value::parse(b"1e309").map_err(|fault| fault.reason), Err("number out of range"));
        for text in ["01", "-", "1.", ".5", "1e", "+1", "0x1", "1e+", "--1", "NaN", "Infinity"] {
            assert!(Value::parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn json_integers_may_be_written_as_fractions() {
        let whole = |text: &str| Value::parse(text.as_bytes()).expect("a number").as_u64();
        assert_eq!(
            [whole("3"), whole("3.0"), whole("30e-1"), whole("-0")],
            [Some(3), Some(3), Some(3), Some(0)]
        );
        assert_eq!([whole("3.5"), whole("-1"), whole("1e300"), whole("\"3\"")], [None; 4]);
    }

    #[test]
    fn json_lone_surrogates_are_replaced() {
        for (text, want) in [
            (r#""\ud83d""#, "\u{FFFD}"),
            (r#""\ude00x""#, "\u{FFFD}x"),
            (r#""\ud83d\u0041""#, "\u{FFFD}A"),
            (r#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
        ] {
            assert_eq!(Value::parse(text.as_bytes()), Ok(Value::String(want.to_owned())), "{text}");
        }
    }

    #[test]
    fn json_faults_have_line_and_column() {
        let at = |text: &[u8]| Value::parse(text).map_err(|fault| (fault.line, fault.column));
        assert_eq!(at(b""), Err((1, 1)));
        assert_eq!(at(b"{\n  \"a\": x}"), Err((2, 8)));
        assert_eq!(at(b"[1,\n2]\n]"), Err((3, 1)));
        assert_eq!(at(b"[\"\xFF\"]"), Err((1, 3)));
    }

    #[test]
    fn json_nesting_is_limited() {
        let nested = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
        assert!(Value::parse(&nested(DEPTH)).is_ok());
        assert_eq!(Value::parse(&nested(100_000)).map_err(|fault| fault.reason), Err("nested too deep"));
    }

    #[test]
    fn json_members_are_found_and_null_counts_as_missing() {
        let value = Value::parse(br#"{"a": {"b": [1]}, "n": null, "x": 1, "x": 2}"#).expect("good JSON");
        assert_eq!(value.path("a/b"), Some(&Value::Array(vec![Value::Number(1.0)])));
        assert_eq!((value.get("n"), value.path("a/c"), value.path("z/y")), (None, None, None));
        assert_eq!(value.get("x").and_then(Value::as_u64), Some(2));
        assert_eq!(value.get("a").map(|a| a.list("b").len()), Some(1));
        assert!(value.list("a").is_empty());
    }
}
