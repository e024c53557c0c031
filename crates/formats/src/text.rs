//! Names and positions in text files.

use crate::error::Place;

/// The place of an offset in a text file.
pub(crate) fn place(bytes: &[u8], offset: usize) -> Place {
    let before = &bytes[..offset.min(bytes.len())];
    // A carriage return alone ended lines on old Macs, but none of the formats is that old.
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let column = before.len() - start + 1;
    Place::Text { line: saturated(line), column: saturated(column) }
}

fn saturated(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// A name as UTF-8. Bytes of another encoding are read as Latin-1, so different names stay different.
pub(crate) fn name(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

/// A piece of the file for a message: at most 40 characters.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let short: String = text.chars().take(40).filter(|letter| !letter.is_control()).collect();
    format!("\"{short}\"")
}

/// `true` for a word that stands for a number, even if it has none, such as `nan` or `-1.#IND`.
pub(crate) fn is_number(word: &[u8]) -> bool {
    let begins = |first: &u8| first.is_ascii_digit() || b"+-.".contains(first);
    word.first().is_some_and(begins)
        || [&b"nan"[..], b"inf", b"infinity"].iter().any(|special| word.eq_ignore_ascii_case(special))
}

/// A number as C's `printf` writes it. NaN for a word that is none, such as Microsoft's `-1.#IND`.
pub(crate) fn number(word: &[u8]) -> f64 {
    std::str::from_utf8(word).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_counts_lines_and_bytes_from_one() {
        let text = b"ab\r\n\ncd";
        let at = |offset| match place(text, offset) {
            Place::Text { line, column } => (line, column),
            other => panic!("{other:?}"),
        };
        assert_eq!([0, 1, 4, 5, 6, 7, 99].map(at), [(1, 1), (1, 2), (2, 1), (3, 1), (3, 2), (3, 3), (3, 3)]);
    }

    #[test]
    fn names_in_other_encodings_stay_different() {
        assert_eq!(name("Hüfte".as_bytes()), "Hüfte");
        assert_eq!(name(b"H\xfcfte"), "Hüfte");
        assert_ne!(name(b"\x82\xa0"), name(b"\x82\xa1"));
    }

    #[test]
    fn numbers_are_those_of_printf() {
        for (word, value) in [("1", 1.0), ("-.5", -0.5), ("+2.", 2.0), ("1e-3", 1e-3), ("-1.5E+02", -150.0)] {
            assert_eq!(number(word.as_bytes()), value, "{word}");
        }
        for word in ["", "-", "1.#QNAN", "-1.#IND00", "1,5", "nan", "-nan(ind)", "0x10", "\u{661}"] {
            assert!(number(word.as_bytes()).is_nan(), "{word}");
        }
    }

    #[test]
    fn quoted_pieces_are_short_and_plain() {
        assert_eq!(quoted(b"a\tb\xff"), "\"ab\u{fffd}\"");
        assert_eq!(quoted(&[b'x'; 9999]).len(), 42);
    }
}
