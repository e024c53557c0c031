//! Repairs a text that is nearly JSON, as some exporters write it, so that any parser of JSON reads it.
//!
//! | fault | repair |
//! |---|---|
//! | a string that is not UTF-8 | its bytes are read as Latin-1, so different names stay different |
//! | a number that JSON does not have: `NaN`, `inf`, `-Infinity`, `1.#QNAN` | `null`: the value counts as missing |
//! | such a number in an array | the array is `null` |
//! | half of a surrogate pair, `\ud83d` | U+FFFD |
//! | zero bytes at the end | they are dropped |
//!
//! All other bytes stay, so a text with another fault stays invalid.

use std::borrow::Cow;

/// The text as JSON, with the repairs of this module's table; the same bytes if none is needed.
///
/// The result is at most twice as long, and may still be invalid. Parse the text itself first: most need no repair.
#[must_use]
pub fn repair_json(text: &[u8]) -> Cow<'_, [u8]> {
    match repair(text) {
        (_, repairs) if repairs == Repairs::default() => Cow::Borrowed(text),
        (repaired, _) => Cow::Owned(repaired),
    }
}

/// The counts of repairs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Strings that are read as Latin-1.
    pub latin_1: usize,
    /// Numbers that JSON does not have.
    pub not_numbers: usize,
    /// Halves of surrogate pairs.
    pub surrogates: usize,
    /// Zero bytes at the end.
    pub padding: usize,
}

/// Repairs a text; see the table of this module.
pub fn repair(text: &[u8]) -> (Vec<u8>, Repairs) {
    let end = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let repairs = Repairs { padding: text.len() - end, ..Repairs::default() };
    let out = Vec::with_capacity(text.len());
    let mut repairer = Repairer { text: &text[..end], at: 0, out, arrays: Vec::new(), repairs };
    while let Some(&byte) = repairer.text.get(repairer.at) {
        repairer.step(byte);
    }
    (repairer.out, repairer.repairs)
}

struct Repairer<'a> {
    text: &'a [u8],
    at: usize,
    out: Vec<u8>,
    /// For each open array or object, the start of the array in `out`; `None` for an object.
    arrays: Vec<Option<usize>>,
    repairs: Repairs,
}

impl Repairer<'_> {
    fn step(&mut self, byte: u8) {
        match byte {
            b'"' => return self.string(),
            b'[' => self.arrays.push(Some(self.out.len())),
            b'{' => self.arrays.push(None),
            b']' | b'}' => _ = self.arrays.pop(),
            _ if in_word(byte) => return self.word(),
            _ => {}
        }
        self.out.push(byte);
        self.at += 1;
    }

    /// A number, or `true`, `false` or `null`.
    fn word(&mut self) {
        let rest = &self.text[self.at..];
        let word = &rest[..rest.iter().position(|&byte| !in_word(byte)).unwrap_or(rest.len())];
        self.at += word.len();
        if !is_no_number(word) {
            self.out.extend_from_slice(word);
            return;
        }
        self.repairs.not_numbers += 1;
        // The parts of a vector have no default of their own.
        if let Some(&Some(start)) = self.arrays.last() {
            self.arrays.pop();
            self.out.truncate(start);
            self.skip_array();
        }
        self.out.extend_from_slice(b"null");
    }

    /// Skips the rest of an array.
    fn skip_array(&mut self) {
        let mut depth = 1;
        while let Some(&byte) = self.text.get(self.at) {
            self.at = if byte == b'"' { self.end_of_string() } else { self.at + 1 };
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// The end of the string at `at`, after its second quote.
    fn end_of_string(&self) -> usize {
        let begin = self.at + 1;
        let mut at = begin;
        while let Some(&byte) = self.text.get(at) {
            at += 1;
            let next = self.text.get(at).copied();
            match byte {
                b'"' => break,
                b'\\' if next.is_some_and(is_escape) && !self.is_half_character(begin, at - 1) => at += 1,
                _ => {}
            }
        }
        at
    }

    /// `true` if the backslash at `at` is the second byte of a character in Shift-JIS or GBK, after which the string ends.
    fn is_half_character(&self, begin: usize, at: usize) -> bool {
        let (before, after) = (&self.text[begin..at], &self.text[at + 1..]);
        let [b'"', after @ ..] = after else { return false };
        let ends =
            after.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|byte| b",:]}".contains(byte));
        ends && before.last().is_some_and(|byte| !byte.is_ascii()) && std::str::from_utf8(before).is_err()
    }

    fn string(&mut self) {
        let end = self.end_of_string();
        let string = &self.text[self.at..end];
        self.at = end;
        let is_utf_8 = std::str::from_utf8(string).is_ok();
        self.repairs.latin_1 += usize::from(!is_utf_8);
        let mut rest = string;
        while let [byte, after @ ..] = rest {
            rest = after;
            match (*byte, after) {
                (b'\\', [b'u', digits @ ..]) if unit(digits).is_some() => rest = self.code(digits),
                // The last byte of the string is its quote.
                (b'\\', [escape, after @ ..]) if is_escape(*escape) && (is_utf_8 || !after.is_empty()) => {
                    self.out.extend_from_slice(&[b'\\', *escape]);
                    rest = after;
                }
                // The second byte of a character.
                (b'\\', _) if !is_utf_8 => self.out.extend_from_slice(b"\\\\"),
                (byte, _) if !is_utf_8 => {
                    self.out.extend_from_slice(char::from(byte).encode_utf8(&mut [0; 2]).as_bytes());
                }
                (byte, _) => self.out.push(byte),
            }
        }
    }

    /// Copies an escape sequence, whose four digits begin `from`, and the other half of its pair; returns the rest.
    fn code<'b>(&mut self, from: &'b [u8]) -> &'b [u8] {
        let rest = from.get(4..).unwrap_or_default();
        let (first, second) = (unit(from), rest.strip_prefix(b"\\u").and_then(unit));
        let is_high = first.is_some_and(|unit| (0xD800..0xDC00).contains(&unit));
        let is_low = |half: Option<u32>| half.is_some_and(|unit| (0xDC00..0xE000).contains(&unit));
        let is_pair = is_high && is_low(second);
        if is_low(first) || is_high && !is_pair {
            self.repairs.surrogates += 1;
            self.out.extend_from_slice(b"\\ufffd");
            return rest;
        }
        let (copied, rest) = from.split_at(if is_pair { 10 } else { 4 });
        self.out.extend_from_slice(b"\\u");
        self.out.extend_from_slice(copied);
        rest
    }
}

/// The number of four hexadecimal digits.
fn unit(text: &[u8]) -> Option<u32> {
    let mut digits = text.first_chunk::<4>()?.iter().map(|&digit| char::from(digit).to_digit(16));
    digits.try_fold(0, |number, digit| Some(number << 4 | digit?))
}

/// `true` for the characters of numbers and words; `1.#IND` and `-nan(ind)` are written by Windows.
fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.#()".contains(&byte)
}

fn is_escape(byte: u8) -> bool {
    b"\"\\/bfnrtu".contains(&byte)
}

/// `true` for infinity and NaN, as libraries of C, Python and JavaScript write them.
fn is_no_number(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
    let begins = |start: &[u8]| word.get(..start.len()).is_some_and(|word| word.eq_ignore_ascii_case(start));
    let is = |name: &[u8]| word.eq_ignore_ascii_case(name);
    is(b"inf") || is(b"infinity") || is(b"nan") || begins(b"nan(") || begins(b"1.#")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(text: impl AsRef<[u8]>) -> String {
        let text = repair_json(text.as_ref()).into_owned();
        String::from_utf8(text).expect("UTF-8")
    }

    #[test]
    fn json_repair_leaves_other_faults_and_valid_texts() {
        let texts = [
            "",
            "[",
            "]",
            "\"",
            "\"\\",
            "\"\\u",
            "\"\\u00",
            "{\"a\":nul}",
            "[1,,2]",
            "[+1]",
            "{\"NaN\": \"inf\", \"a\": [\"NaN\"]}",
            "[\"\\ud83d\\ude00 \\\\ \\\" \u{e4}\"]",
            "[0, 1e3, -0.5]",
        ];
        for text in texts {
            assert_eq!(repair(text.as_bytes()).1, Repairs::default(), "{text}");
            assert_eq!(repaired(text), text);
        }
    }

    #[test]
    fn json_repair_drops_zeros_at_the_end_only() {
        assert_eq!(repaired("{} \0\0"), "{} ");
        assert_eq!(repaired("{\0}"), "{\0}");
        assert_eq!(repaired("\0\0"), "");
    }

    #[test]
    fn json_repair_makes_numbers_that_json_does_not_have_null() {
        for word in
            ["NaN", "nan", "-nan", "inf", "+Inf", "-Infinity", "1.#INF", "-1.#IND", "1.#QNAN0", "-nan(ind)"]
        {
            assert_eq!(repaired(format!("{{\"a\": {word}}}")), "{\"a\": null}", "{word}");
        }
        assert_eq!(repaired("{\"a\": [0, NaN, [1, \"]\", {}]], \"b\": [2]}"), "{\"a\": null, \"b\": [2]}");
        assert_eq!(repaired("[[1], [2, inf], {\"a\": [inf, inf]}]"), "[[1], null, {\"a\": null}]");
        assert_eq!(repaired("[1, NaN"), "null");
        assert_eq!(repaired("{\"a\": infinite}"), "{\"a\": infinite}");
    }

    #[test]
    fn json_repair_reads_strings_of_other_encodings_as_latin_1() {
        assert_eq!(repaired(b"{\"K\xf6rper\": \"\xc3\xa4\"}"), "{\"K\u{f6}rper\": \"\u{e4}\"}");
        assert_eq!(repaired(b"[\"\xe9\\n\\\"x\"]"), "[\"\u{e9}\\n\\\"x\"]");
        // Shift-JIS, in which the second byte of some characters is a backslash: as it is, and escaped as a byte.
        assert_eq!(repaired(b"[\"\x95\\\x8f\xee\"]"), "[\"\u{95}\\\\\u{8f}\u{ee}\"]");
        assert_eq!(
            repaired(b"{\"\x94\\\": \"\x8b@\x94\\\", \"a\": 1}"),
            "{\"\u{94}\\\\\": \"\u{8b}@\u{94}\\\\\", \"a\": 1}"
        );
        assert_eq!(repaired(b"[\"\x94\\\\\"]"), "[\"\u{94}\\\\\"]");
    }

    #[test]
    fn json_repair_replaces_halves_of_surrogate_pairs() {
        assert_eq!(
            repaired(r#"["\ud83d", "\ude00x", "\ud83d\u0041"]"#),
            r#"["\ufffd", "\ufffdx", "\ufffd\u0041"]"#
        );
    }

    #[test]
    fn json_repair_of_any_bytes_ends_and_is_at_most_twice_as_long() {
        let mut state = 7_u64;
        let letters = b"[]{}\",:\\u\x00\x80\xffnNaIif-1.#0dD8 ";
        for length in (0..60).cycle().take(40_000) {
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                letters[(state >> 33) as usize % letters.len()]
            };
            let text: Vec<u8> = (0..length).map(|_| next()).collect();
            let (repaired, _) = repair(&text);
            assert!(repaired.len() <= 2 * text.len() + 4, "{text:?}");
            // A second repair finds nothing.
            assert_eq!(
                repair(&repaired).1,
                Repairs { padding: repair(&repaired).1.padding, ..Repairs::default() },
                "{text:?}"
            );
        }
    }
}
