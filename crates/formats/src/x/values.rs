//! The values of an object: numbers and strings, one after the other.
//!
//! Separators between them are skipped: the counts among the values say which belong together, and programs differ in
//! the number of semicolons.

use super::lexer::{Fault, Lexer, Token, unexpected};
use super::objects::File;
use crate::error::{FormatError, codes};
use crate::text;

/// Reads the values of an object.
pub(super) struct Values<'f, 'a> {
    file: &'f File<'a>,
    pub(super) object: usize,
    lexer: Lexer<'a>,
    /// The number of values that were read.
    pub(super) read: usize,
    /// The number of floats that are not finite, and the offset of the first.
    replaced: (usize, usize),
}

impl<'f, 'a> Values<'f, 'a> {
    pub(super) fn new(file: &'f File<'a>, object: usize) -> Self {
        Self { file, object, lexer: file.values(object), read: 0, replaced: (0, 0) }
    }

    /// The offset of the next value.
    pub(super) fn at(&self) -> usize {
        self.lexer.at
    }

    /// The next value, with its offset.
    fn next(&mut self) -> Result<(Token<'a>, usize), Fault> {
        loop {
            let before = self.lexer;
            let (token, at) = self.lexer.next()?;
            match token {
                // The GUID of the object is before its values.
                Token::Separator | Token::Guid(_) => {}
                Token::Integer(_) | Token::Float(_) | Token::Text(_) => break Ok((token, at)),
                Token::Word(word) if text::is_number(word) => {
                    break Ok((Token::Float(text::number(word)), at));
                }
                _ => {
                    self.lexer = before;
                    let message = "The object has fewer values than it must have".to_owned();
                    break Err(Fault { code: codes::X_TOO_FEW_VALUES, message, at });
                }
            }
        }
        .inspect(|_| self.read += 1)
    }

    /// The next value as an unsigned integer; the largest for any other number, which is then out of every range.
    pub(super) fn integer(&mut self) -> Result<u32, Fault> {
        match self.next()? {
            (Token::Integer(value), _) => Ok(value),
            (Token::Float(value), _) if value.fract() == 0.0 && value >= 0.0 => Ok(value as u32),
            (Token::Float(_), _) => Ok(u32::MAX),
            (token, at) => Err(unexpected(token, at, "a number")),
        }
    }

    /// The next value as a float, finite as f32.
    pub(super) fn double(&mut self) -> Result<f64, Fault> {
        let (value, at) = match self.next()? {
            (Token::Integer(value), at) => (f64::from(value), at),
            (Token::Float(value), at) => (value, at),
            (token, at) => return Err(unexpected(token, at, "a number")),
        };
        if (value as f32).is_finite() {
            return Ok(value);
        }
        if self.replaced.0 == 0 {
            self.replaced.1 = at;
        }
        self.replaced.0 += 1;
        Ok(0.0)
    }

    pub(super) fn float(&mut self) -> Result<f32, Fault> {
        Ok(self.double()? as f32)
    }

    pub(super) fn floats<const N: usize>(&mut self) -> Result<[f32; N], Fault> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = self.float()?;
        }
        Ok(floats)
    }

    pub(super) fn doubles<const N: usize>(&mut self) -> Result<[f64; N], Fault> {
        let mut doubles = [0.0; N];
        for double in &mut doubles {
            *double = self.double()?;
        }
        Ok(doubles)
    }

    pub(super) fn string(&mut self) -> Result<String, Fault> {
        match self.next()? {
            (Token::Text(bytes), _) => Ok(text::name(bytes)),
            (token, at) => Err(unexpected(token, at, "a string")),
        }
    }

    /// As many elements as the next value says. Memory grows with the values that are there, not with the count.
    pub(super) fn list<T>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let count = self.integer()?;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(element(self)?);
        }
        Ok(list)
    }

    /// The error of a fault in the values.
    pub(super) fn error(&self, fault: Fault) -> FormatError {
        self.file.error(fault, Some(self.object))
    }

    /// Warns that a matrix is not a product of translation, rotation and scale.
    pub(super) fn warn_of_shear(&self) {
        let message = "Matrices have shear, which is removed";
        self.file.warn(codes::X_MATRIX_REPAIRED, message, self.object);
    }

    /// Warns of a fault in the values, for which a part is skipped.
    pub(super) fn warn(&self, fault: Fault, effect: &str) {
        let message = format!("{}; {effect}", fault.message);
        self.file.warn_at(fault.code, message, fault.at, self.object);
    }
}

impl Drop for Values<'_, '_> {
    fn drop(&mut self) {
        let (count, at) = self.replaced;
        if count > 0 {
            let message = format!("Values are not finite numbers ({count} of them); they are replaced by 0");
            self.file.warn_at(codes::X_NUMBER_REPLACED, message, at, self.object);
        }
    }
}
