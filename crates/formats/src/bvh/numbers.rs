//! Numbers as programs write them: `-7.5`, with a decimal comma (`-7,5`), with commas between them, or, where a column
//! was too narrow, without a space before the sign (`0.0-7.5`).

use crate::conversion::Conversion;
use crate::error::codes;
use crate::text::{number, place, quoted};

/// The spelling of the numbers in a part of the file.
#[derive(Debug, Default)]
pub(super) struct Spelling {
    /// Commas stand between numbers, not within them.
    separated: bool,
    /// A number with a comma, and two numbers in one word, with their offsets.
    comma: Option<(Vec<u8>, usize)>,
    joined: Option<(Vec<u8>, usize)>,
}

impl Spelling {
    /// The spelling of many numbers. Commas are those of decimals if no number has a point, and each comma is between
    /// two digits of a number without another comma.
    pub(super) fn of(text: &[u8]) -> Self {
        let mut words = text.split(u8::is_ascii_whitespace);
        let separated =
            text.contains(&b',') && words.any(|word| word.contains(&b'.') || pieces(word).any(separates));
        Self { separated, ..Self::default() }
    }

    /// Calls `add` for each number of a word at an offset in the file; NaN for a word without a number.
    pub(super) fn read(&mut self, word: &[u8], at: usize, mut add: impl FnMut(f64)) {
        let whole = number(word);
        if !whole.is_nan() {
            return add(whole);
        }
        let has_comma = word.contains(&b',');
        let of_lists = self.separated || pieces(word).any(separates);
        let parts = || {
            let list = word.split(move |&byte| of_lists && byte == b',').filter(|part| !part.is_empty());
            list.flat_map(pieces)
        };
        if parts().any(|part| value(part).is_nan()) {
            return add(f64::NAN);
        }
        if has_comma {
            self.separated |= of_lists;
            self.comma.get_or_insert_with(|| (word.to_vec(), at));
        }
        if parts().count() > 1 && !of_lists {
            self.joined.get_or_insert_with(|| (word.to_vec(), at));
        }
        parts().for_each(|part| add(value(part)));
    }

    pub(super) fn warn(&self, bytes: &[u8], conversion: &Conversion<'_>) {
        let commas = if self.separated { "commas between them" } else { "decimal commas" };
        for (found, spelling) in [(&self.comma, commas), (&self.joined, "no space before their signs")] {
            if let Some((word, at)) = found {
                let message = format!("Numbers have {spelling}, such as {}", quoted(word));
                conversion.warn(codes::BVH_NUMBER_SPELLING, message, || place(bytes, *at));
            }
        }
    }
}

/// A number, which may have a decimal comma. NaN for a word that is none.
pub(super) fn value(word: &[u8]) -> f64 {
    if word.contains(&b'.') || separates(word) {
        return number(word);
    }
    let with_point: Vec<u8> = word.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect();
    number(&with_point)
}

/// `true` if a comma of a piece is not that of a decimal.
fn separates(piece: &[u8]) -> bool {
    let mut parts = piece.split(|&byte| byte == b',');
    let (whole, decimals) = (parts.next().unwrap_or_default(), parts.next());
    let is_decimal = |decimals: &[u8]| {
        whole.last().is_some_and(u8::is_ascii_digit) && decimals.first().is_some_and(u8::is_ascii_digit)
    };
    decimals.is_some_and(|decimals| !is_decimal(decimals)) || parts.next().is_some()
}

/// The parts of a word, divided before each sign that follows a digit or a point.
fn pieces(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let begins =
            |pair: &[u8]| b"+-".contains(&pair[1]) && (pair[0].is_ascii_digit() || b".,".contains(&pair[0]));
        let length = rest.windows(2).position(begins).map_or(rest.len(), |before| before + 1);
        let (piece, after) = rest.split_at(length);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<f64> {
        let mut spelling = Spelling::of(text.as_bytes());
        let mut values = Vec::new();
        for word in text.split_ascii_whitespace() {
            spelling.read(word.as_bytes(), 0, |value| values.push(value));
        }
        values
    }

    #[test]
    fn bvh_numbers_have_points_commas_or_no_spaces() {
        for (text, values) in [
            ("0.0-7.5 1", &[0.0, -7.5, 1.0][..]),
            ("-123.4567-100.0000+3", &[-123.4567, -100.0, 3.0]),
            ("1e-5-2.5E+01-.5", &[1e-5, -25.0, -0.5]),
            ("1.-2.", &[1.0, -2.0]),
            ("0,5 -95,25 7", &[0.5, -95.25, 7.0]),
            ("0,5-7,5 1,5e-3", &[0.5, -7.5, 1.5e-3]),
            ("1, 2, 3,", &[1.0, 2.0, 3.0]),
            ("1,2,3", &[1.0, 2.0, 3.0]),
            ("1.5,2 3,4", &[1.5, 2.0, 3.0, 4.0]),
            ("1.5,-2,-3", &[1.5, -2.0, -3.0]),
            ("1,-2 3,4", &[1.0, -2.0, 3.0, 4.0]),
        ] {
            assert_eq!(all(text), values, "{text}");
        }
    }

    #[test]
    fn bvh_words_without_a_number_are_one_nan() {
        for word in ["-1.#IND", "1.#QNAN-1.#IND", "-nan(ind)", "1-", "--1", "x-5", "1.2.3", "0x1-2", "1-2-x"]
        {
            let values = all(word);
            assert!(values.len() == 1 && values[0].is_nan(), "{word}: {values:?}");
        }
    }
}
