//! The text form of USD layers (`.usda`).
//!
//! Numbers have the shortest text that reads as the same number.

use std::fmt::{self, Write};

/// The largest layer, in bytes. The memory of a WebAssembly module is 16 times as large, and the archive has a copy.
const MOST_BYTES: usize = 1 << 28;

/// A value in the text form.
pub(super) trait Put {
    /// Appends the value.
    fn put(&self, out: &mut String);
}

macro_rules! put_floats {
    ($($float:ty)*) => {$(
        impl Put for $float {
            fn put(&self, out: &mut String) {
                // The model has finite numbers only, but products of them may overflow.
                let size = self.abs();
                // Writing to a string does not fail.
                let _ = if *self == 0.0 || !self.is_finite() {
                    out.push('0');
                    Ok(())
                } else if (1e-5..1e16).contains(&size) {
                    write!(out, "{self}")
                } else {
                    write!(out, "{self:e}")
                };
            }
        }
    )*};
}
put_floats! { f32 f64 }

macro_rules! put_integers {
    ($($integer:ty)*) => {$(
        impl Put for $integer {
            fn put(&self, out: &mut String) {
                let _ = write!(out, "{self}");
            }
        }
    )*};
}
put_integers! { u32 usize }

impl<T: Put, const N: usize> Put for [T; N] {
    fn put(&self, out: &mut String) {
        joined(self, ['(', ')'], out);
    }
}

impl<T: Put> Put for Vec<T> {
    fn put(&self, out: &mut String) {
        joined(self, ['[', ']'], out);
    }
}

/// A quoted string.
impl Put for String {
    fn put(&self, out: &mut String) {
        out.push('"');
        for c in self.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                c if c.is_control() => out.push(' '),
                c => out.push(c),
            }
        }
        out.push('"');
    }
}

/// A reference to another prim or property.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PathTo(pub(super) String);

impl Put for PathTo {
    fn put(&self, out: &mut String) {
        let _ = write!(out, "<{}>", self.0);
    }
}

/// A file of the archive.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AssetPath(pub(super) String);

impl Put for AssetPath {
    fn put(&self, out: &mut String) {
        let _ = write!(out, "@{}@", self.0);
    }
}

fn joined<T: Put>(values: &[T], [begin, end]: [char; 2], out: &mut String) {
    out.push(begin);
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        value.put(out);
    }
    out.push(end);
}

/// Writes a layer line by line.
#[derive(Debug, Default)]
pub(super) struct Layer {
    text: String,
    depth: usize,
    is_full: bool,
}

impl Layer {
    /// The text; `None` if it would be too large.
    pub(super) fn finish(self) -> Option<String> {
        (!self.is_full).then_some(self.text)
    }

    /// Writes a line.
    pub(super) fn line(&mut self, line: impl fmt::Display) {
        self.begin();
        let _ = writeln!(self.text, "{line}");
    }

    fn begin(&mut self) {
        if self.text.len() > MOST_BYTES {
            // The text so far is of no use.
            self.is_full = true;
            self.text.clear();
        }
        self.text.extend(std::iter::repeat_n("    ", self.depth));
    }

    /// Opens a prim, such as `def Mesh` with the name `Body`.
    ///
    /// - `metadata`: lines such as `kind = "component"`.
    pub(super) fn open(&mut self, kind: &str, name: &str, metadata: &[String]) {
        let end = if metadata.is_empty() { "" } else { " (" };
        self.line(format_args!("{kind} \"{name}\"{end}"));
        if !metadata.is_empty() {
            self.depth += 1;
            metadata.iter().for_each(|line| self.line(line));
            self.depth -= 1;
            self.line(")");
        }
        self.line("{");
        self.depth += 1;
    }

    /// Closes the prim that was opened last.
    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// Writes a property, such as `point3f[] points`.
    pub(super) fn set(&mut self, declared: &str, value: &impl Put) {
        self.begin();
        let _ = write!(self.text, "{declared} = ");
        value.put(&mut self.text);
        self.text.push('\n');
    }

    /// Writes a property with metadata, such as `interpolation = "vertex"`.
    pub(super) fn set_with(&mut self, declared: &str, value: &impl Put, metadata: &[&str]) {
        self.set(declared, value);
        self.text.pop();
        self.text.push_str(" (\n");
        self.depth += 1;
        metadata.iter().for_each(|line| self.line(line));
        self.depth -= 1;
        self.line(")");
    }

    /// Writes a property whose value changes: one value for each of `times`, in time codes. Equal values are written once.
    pub(super) fn animate<T: Put + PartialEq>(&mut self, declared: &str, times: &[f64], values: &[T]) {
        let Some(first) = values.first() else { return };
        if values.iter().all(|value| value == first) {
            return self.set(declared, first);
        }
        self.line(format_args!("{declared}.timeSamples = {{"));
        self.depth += 1;
        for (time, value) in times.iter().zip(values) {
            self.begin();
            time.put(&mut self.text);
            self.text.push_str(": ");
            value.put(&mut self.text);
            self.text.push_str(",\n");
        }
        self.depth -= 1;
        self.line("}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &impl Put) -> String {
        let mut out = String::new();
        value.put(&mut out);
        out
    }

    #[test]
    fn usd_numbers_read_as_the_same_number() {
        let odd = [0.1_f32, -1.0 / 3.0, 1e-5, 9.9e-6, f32::MIN_POSITIVE, 1e-45, f32::MAX, 16_777_217.0, 1e16];
        for number in odd {
            assert_eq!(text(&number).parse(), Ok(number));
            let double = std::f64::consts::PI * f64::from(number);
            assert_eq!(text(&double).parse(), Ok(double));
        }
        assert_eq!(text(&vec![[-0.0_f32, f32::NAN], [f32::INFINITY, 2.0]]), "[(0, 0), (0, 2)]");
    }

    #[test]
    fn usd_strings_are_quoted() {
        assert_eq!(text(&"a \"b\"\\\n@".to_owned()), r#""a \"b\"\\ @""#);
    }

    #[test]
    fn usd_constant_values_have_no_time_samples() {
        let mut layer = Layer::default();
        layer.animate("float a", &[0.0, 1.0], &[2.0_f32, 2.0]);
        layer.animate("float b", &[0.0, 1.5], &[2.0_f32, 3.0]);
        let want = "float a = 2\nfloat b.timeSamples = {\n    0: 2,\n    1.5: 3,\n}\n";
        assert_eq!(layer.finish().as_deref(), Some(want));
    }
}
