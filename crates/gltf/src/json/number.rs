//! Numbers that are written as they were read.

use std::fmt;

/// A finite number, with its text if the file wrote it in its own way.
#[derive(Clone)]
pub struct Number {
    value: f64,
    text: Text,
}

/// The way in which a number is written.
#[derive(Clone)]
enum Text {
    /// Without a fraction: an integer below 2⁵³.
    Integer,
    /// The shortest text that is the same number, with a fraction or an exponent.
    Fraction,
    /// As in the file.
    Source(Box<str>),
}

/// The limit of integers that f64 has without gaps.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Number {
    /// A number; `None` if it is not finite, which JSON cannot say.
    pub fn new(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self { value, text: Text::Fraction })
    }

    /// An integer of at most 53 bits; others are rounded and written with an exponent.
    pub(crate) fn integer(value: f64) -> Self {
        let exact = value.abs() < EXACT && !(value == 0.0 && value.is_sign_negative());
        Self { value, text: if exact { Text::Integer } else { Text::Fraction } }
    }

    /// A number with the text of the file, which is valid JSON.
    pub(crate) fn read(value: f64, text: &str) -> Self {
        Self { value, text: Text::Source(text.into()) }
    }

    /// `true` if it is written without a fraction and an exponent.
    pub fn is_integer(&self) -> bool {
        match &self.text {
            Text::Integer => true,
            Text::Fraction => false,
            Text::Source(text) => !text.contains(['.', 'e', 'E']),
        }
    }

    /// Writes the number in another way than the file, if that is shorter and the same number.
    pub fn shorten(&mut self) {
        let short = Self { value: self.value, text: Text::Fraction };
        if matches!(&self.text, Text::Source(text) if short.to_string().len() < text.len()) {
            *self = short;
        }
    }

    /// The number.
    pub fn as_f64(&self) -> f64 {
        self.value
    }
}

/// Equal numbers may be written in different ways.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// As in a file.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, size) = (self.value, self.value.abs());
        match &self.text {
            Text::Source(text) => f.write_str(text),
            Text::Integer => write!(f, "{value}"),
            Text::Fraction if size != 0.0 && !(1e-5..1e16).contains(&size) => write!(f, "{value:e}"),
            Text::Fraction if value.fract() == 0.0 => write!(f, "{value}.0"),
            Text::Fraction => write!(f, "{value}"),
        }
    }
}
