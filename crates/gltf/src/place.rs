//! Typed reading of JSON values, with the JSON pointer (RFC 6901) of the first fault.
//!
//! ```
//! use gambol_gltf::json;
//! use gambol_gltf::place::{self, FromJson, Place};
//!
//! struct Camera {
//!     name: String,
//!     yfov: f32,
//! }
//!
//! impl FromJson for Camera {
//!     fn read(at: &Place<'_>) -> Self {
//!         let perspective = at.member("perspective");
//!         Self {
//!             name: at.or("name", String::new()),
//!             yfov: perspective.map_or(0.8, |at| at.required("yfov")),
//!         }
//!     }
//! }
//!
//! let root = json!({ "cameras": [{ "perspective": { "yfov": 0.5 } }, { "perspective": { "yfov": "wide" } }] });
//! let cameras = root.list("cameras");
//! let first: Camera = place::read(&cameras[0], "/cameras/0")?;
//! assert_eq!((first.name.as_str(), first.yfov), ("", 0.5));
//! let error = place::read::<Camera>(&cameras[1], "/cameras/1").err().expect("a string is no number");
//! assert_eq!(error.pointer, "/cameras/1/perspective/yfov");
//! assert_eq!(error.kind.to_string(), "The JSON value is invalid: expected a number");
//! # Ok::<(), gambol_gltf::error::ImportError>(())
//! ```

use crate::error::{ImportError, ImportErrorKind};
use crate::json::Value;
use gltf::json::Index;
use std::cell::Cell;
use std::fmt;

/// A value with its JSON pointer.
///
/// Faults are recorded, and reading continues with a substitute: an early return for each value would take more code.
/// Only the first fault counts.
pub struct Place<'a> {
    value: &'a Value,
    /// The parent value, and the key of this value in it.
    above: Option<(&'a Place<'a>, Key<'a>)>,
    /// The first fault.
    fault: &'a Cell<Option<Fault>>,
}

/// The key of a value in an object or an array.
#[derive(Clone, Copy)]
enum Key<'a> {
    Member(&'a str),
    Index(usize),
}

/// A fault of a value.
struct Fault {
    /// The pointer, relative to the value that is read.
    pointer: String,
    reason: String,
}

/// A type that can be read from a JSON value.
pub trait FromJson: Sized {
    /// Reads the value; if it is invalid, records the fault at its place and returns any value.
    fn read(at: &Place<'_>) -> Self;
}

/// Reads a value; `pointer` is its JSON pointer.
///
/// # Errors
/// [`ImportErrorKind::InvalidValue`] with the first fault of the value.
pub fn read<T: FromJson>(value: &Value, pointer: impl fmt::Display) -> Result<T, ImportError> {
    read_with(value, pointer, T::read)
}

/// As [`read`], with a function for types of other crates.
///
/// # Errors
/// As [`read`].
pub fn read_with<T>(
    value: &Value,
    pointer: impl fmt::Display,
    read: impl FnOnce(&Place<'_>) -> T,
) -> Result<T, ImportError> {
    let fault = Cell::new(None);
    let found = read(&Place { value, above: None, fault: &fault });
    fault.into_inner().map_or(Ok(found), |fault| Err(fault.at(&pointer)))
}

/// The elements of a list at the top of a file, such as `meshes`; empty if it is missing.
///
/// # Errors
/// [`ImportErrorKind::InvalidValue`] if it is no array.
pub fn elements<'a>(root: &'a Value, key: &str) -> Result<&'a [Value], ImportError> {
    match root.get(key) {
        None => Ok(&[]),
        Some(Value::Array(elements)) => Ok(elements),
        Some(_) => Err(Fault::new(String::new(), EXPECTED_ARRAY).at(&format_args!("/{key}"))),
    }
}

/// The typed elements of a list at the top of a file; empty if it is missing.
///
/// # Errors
/// [`ImportErrorKind::InvalidValue`] if it is no array, or an element is invalid.
pub fn read_list<T: FromJson>(root: &Value, key: &str) -> Result<Vec<T>, ImportError> {
    let mut out = Vec::new();
    for (i, value) in elements(root, key)?.iter().enumerate() {
        out.push(read(value, format_args!("/{key}/{i}"))?);
    }
    Ok(out)
}

impl Value {
    /// A typed member; `None` if it is missing or invalid. [`read`] tells the fault.
    ///
    /// ```
    /// let node = gambol_gltf::json!({ "scale": [1, 2, 1], "rotation": [0, 1] });
    /// assert_eq!(node.read("scale"), Some([1.0_f32, 2.0, 1.0]));
    /// assert_eq!(node.read::<[f32; 4]>("rotation"), None);
    /// ```
    pub fn read<T: FromJson>(&self, key: &str) -> Option<T> {
        read(self.get(key)?, "").ok()
    }
}

const EXPECTED_ARRAY: &str = "expected an array";

impl Fault {
    fn new(pointer: String, reason: &str) -> Self {
        Self { pointer, reason: reason.to_owned() }
    }

    /// The fault of a value at `pointer`.
    #[cold]
    #[inline(never)]
    fn at(self, pointer: &dyn fmt::Display) -> ImportError {
        let kind = ImportErrorKind::InvalidValue { reason: self.reason };
        kind.at(format_args!("{pointer}{}", self.pointer))
    }
}

impl<'a> Place<'a> {
    /// The JSON value.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// Records a fault here, unless there was one before. The reason is part of a sentence.
    pub fn fault(&self, reason: &str) {
        self.note(&|| reason.to_owned());
    }

    fn note(&self, reason: &dyn Fn() -> String) {
        let first = self.fault.take();
        self.fault.set(first.or_else(|| Some(Fault { pointer: self.pointer(), reason: reason() })));
    }

    /// The JSON pointer, relative to the value that is read.
    fn pointer(&self) -> String {
        match self.above {
            None => String::new(),
            Some((above, Key::Index(index))) => format!("{}/{index}", above.pointer()),
            Some((above, Key::Member(key))) => {
                format!("{}/{}", above.pointer(), key.replace('~', "~0").replace('/', "~1"))
            }
        }
    }

    fn below<'b>(&'b self, value: &'b Value, key: Key<'b>) -> Place<'b> {
        Place { value, above: Some((self, key)), fault: self.fault }
    }

    /// A member of the object, if it is there.
    pub fn member<'b>(&'b self, key: &'b str) -> Option<Place<'b>> {
        self.value.get(key).map(|value| self.below(value, Key::Member(key)))
    }

    /// The members of the object; a fault if it is no object.
    pub fn members<'b>(&'b self) -> impl Iterator<Item = (&'b str, Place<'b>)> {
        self.object();
        let members = self.value.as_object().unwrap_or_default().iter();
        let given = members.filter(|(_, value)| !value.is_null());
        given.map(|(key, value)| (&key[..], self.below(value, Key::Member(key))))
    }

    /// A member, if it is there.
    pub fn optional<T: FromJson>(&self, key: &str) -> Option<T> {
        self.member(key).map(|at| T::read(&at))
    }

    /// A member; `default` if it is missing.
    pub fn or<T: FromJson>(&self, key: &str, default: T) -> T {
        self.optional(key).unwrap_or(default)
    }

    /// A member; a fault if it is missing.
    pub fn required<T: FromJson>(&self, key: &str) -> T {
        self.optional(key).unwrap_or_else(|| {
            self.object();
            self.note(&|| format!("the property `{key}` is missing"));
            T::read(&self.below(&Value::Null, Key::Member(key)))
        })
    }

    /// Records a fault unless the value is an object; for elements without required members.
    pub fn object(&self) {
        if !self.value.is_object() {
            self.fault("expected an object");
        }
    }

    /// The text of a string; empty with a fault for other values.
    pub fn str(&self) -> &'a str {
        self.value.as_str().unwrap_or_else(|| {
            self.fault("expected a string");
            ""
        })
    }
}

impl FromJson for String {
    fn read(at: &Place<'_>) -> Self {
        at.str().to_owned()
    }
}

impl FromJson for bool {
    fn read(at: &Place<'_>) -> Self {
        at.value.as_bool().unwrap_or_else(|| {
            at.fault("expected true or false");
            false
        })
    }
}

impl FromJson for u64 {
    fn read(at: &Place<'_>) -> Self {
        at.value.as_u64().unwrap_or_else(|| {
            at.fault("expected a non-negative integer");
            0
        })
    }
}

/// An integer above the range is the largest one.
impl FromJson for u32 {
    fn read(at: &Place<'_>) -> Self {
        Self::try_from(u64::read(at)).unwrap_or(Self::MAX)
    }
}

/// An integer above the range is the largest one.
impl FromJson for usize {
    fn read(at: &Place<'_>) -> Self {
        Self::try_from(u64::read(at)).unwrap_or(Self::MAX)
    }
}

/// An integer above the range is the largest one, which is out of range of all lists.
impl<T> FromJson for Index<T> {
    fn read(at: &Place<'_>) -> Self {
        Self::new(u32::read(at))
    }
}

impl FromJson for f64 {
    fn read(at: &Place<'_>) -> Self {
        at.value.as_f64().unwrap_or_else(|| {
            at.fault("expected a number");
            0.0
        })
    }
}

/// The number may be infinite.
impl FromJson for f32 {
    fn read(at: &Place<'_>) -> Self {
        f64::read(at) as Self
    }
}

impl<T: FromJson + Copy + Default, const N: usize> FromJson for [T; N] {
    fn read(at: &Place<'_>) -> Self {
        Vec::read(at).try_into().unwrap_or_else(|_| {
            at.note(&|| format!("expected {N} numbers"));
            [T::default(); N]
        })
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn read(at: &Place<'_>) -> Self {
        let elements = at.value.as_array().unwrap_or_else(|| {
            at.fault(EXPECTED_ARRAY);
            &[]
        });
        elements.iter().enumerate().map(|(i, value)| T::read(&at.below(value, Key::Index(i)))).collect()
    }
}
