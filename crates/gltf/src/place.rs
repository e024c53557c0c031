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
use crate::json::{NULL, Value};
use gltf::json::Index;
use std::cell::Cell;
use std::fmt;

/// A value with its JSON pointer.
///
/// Faults are recorded, and reading continues with a substitute: an early return for each value would take more code.
/// Only the first fault counts.
pub struct Place<'a> {
    value: &'a Value,
    key: Key<'a>,
    /// The first fault.
    faults: &'a Faults,
}

/// The parent of a value, and the key of this value in it.
#[derive(Clone, Copy)]
enum Key<'a> {
    /// The pointer of a value without a parent.
    Root(&'a dyn fmt::Display),
    Member(&'a Place<'a>, &'a str),
    Index(&'a Place<'a>, usize),
    /// Names of members with slashes between them.
    Path(&'a Place<'a>, &'a str),
}

/// The first fault of a value.
#[derive(Default)]
pub struct Faults(Cell<Option<ImportError>>);

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
    Place::new(value, &pointer, &Faults::default()).apart(read)
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

/// The value of a list that is missing.
static NO_ELEMENTS: Value = Value::Array(Vec::new());

#[cold]
#[inline(never)]
fn invalid(reason: String, pointer: &dyn fmt::Display) -> ImportError {
    ImportErrorKind::InvalidValue { reason }.at(pointer)
}

/// The JSON pointer of the value.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key {
            Key::Root(pointer) => pointer.fmt(f),
            Key::Member(above, key) => write!(f, "{above}/{}", key.replace('~', "~0").replace('/', "~1")),
            Key::Index(above, index) => write!(f, "{above}/{index}"),
            Key::Path(above, path) => write!(f, "{above}/{path}"),
        }
    }
}

impl<'a> Place<'a> {
    /// A value whose JSON pointer is `pointer`. [`read`] is enough unless faults have another meaning than errors.
    pub fn new(value: &'a Value, pointer: &'a dyn fmt::Display, faults: &'a Faults) -> Self {
        Self { value, key: Key::Root(pointer), faults }
    }

    /// The JSON value.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// Records a fault here, unless there was one before. The reason is part of a sentence.
    pub fn fault(&self, reason: &str) {
        self.note(&|| reason.to_owned());
    }

    /// Records a fault of a member, which may be missing.
    pub fn fault_at(&self, key: &str, reason: &str) {
        self.below(&Value::Null, Key::Member(self, key)).fault(reason);
    }

    fn note(&self, reason: &dyn Fn() -> String) {
        let first = self.faults.0.take();
        self.faults.0.set(first.or_else(|| Some(invalid(reason(), self))));
    }

    /// Reads the value with faults of its own.
    ///
    /// # Errors
    /// Its first fault, which is not recorded.
    pub fn apart<T>(&self, read: impl FnOnce(&Place<'_>) -> T) -> Result<T, ImportError> {
        let faults = Faults::default();
        let found = read(&Place { value: self.value, key: self.key, faults: &faults });
        faults.0.into_inner().map_or(Ok(found), Err)
    }

    fn below<'b>(&'b self, value: &'b Value, key: Key<'b>) -> Place<'b> {
        Place { value, key, faults: self.faults }
    }

    /// A member of the object, if it is there.
    pub fn member<'b>(&'b self, key: &'b str) -> Option<Place<'b>> {
        self.value.get(key).map(|value| self.below(value, Key::Member(self, key)))
    }

    /// The value at a path of member names, separated by `/`, if it is there.
    pub fn path<'b>(&'b self, path: &'b str) -> Option<Place<'b>> {
        self.value.path(path).map(|value| self.below(value, Key::Path(self, path)))
    }

    /// As [`Place::path`]; `null` if it is not there.
    pub fn path_or_null<'b>(&'b self, path: &'b str) -> Place<'b> {
        self.path(path).unwrap_or_else(|| self.below(&NULL, Key::Path(self, path)))
    }

    /// The elements of the array; none if it is no array.
    pub fn elements<'b>(&'b self) -> impl Iterator<Item = Place<'b>> {
        let elements = self.value.as_array().unwrap_or_default().iter().enumerate();
        elements.map(|(i, value)| self.below(value, Key::Index(self, i)))
    }

    /// The members of the object, also those that are `null`; a fault if it is no object.
    pub fn members<'b>(&'b self) -> impl Iterator<Item = (&'b str, Place<'b>)> {
        self.object();
        let members = self.value.as_object().unwrap_or_default().iter();
        members.map(|(key, value)| (key, self.below(value, Key::Member(self, key))))
    }

    /// A member, if it is there.
    pub fn optional<T: FromJson>(&self, key: &str) -> Option<T> {
        self.member(key).map(|at| T::read(&at))
    }

    /// A member; `default` if it is missing.
    pub fn or<T: FromJson>(&self, key: &str, default: T) -> T {
        self.optional(key).unwrap_or(default)
    }

    /// A member; a fault of the object if it is missing.
    pub fn required<T: FromJson>(&self, key: &str) -> T {
        T::read(&self.needed(key, false))
    }

    /// As [`Place::required`], but the fault has the pointer of the missing member.
    pub fn required_at<T: FromJson>(&self, key: &str) -> T {
        T::read(&self.needed(key, true))
    }

    /// A member; if it is missing, `null` with a fault of the object, or `there`, at the member.
    fn needed<'b>(&'b self, key: &'b str, there: bool) -> Place<'b> {
        self.member(key).unwrap_or_else(|| {
            let missing = self.below(&NULL, Key::Member(self, key));
            if !there {
                self.object();
            }
            let faulty = if there { &missing } else { self };
            faulty.note(&|| format!("the property `{key}` is missing"));
            missing
        })
    }

    /// An index in a member, if it is there.
    pub fn index<T>(&self, key: &str) -> Option<Index<T>> {
        self.optional(key).map(Index::new)
    }

    /// The elements of the array in a member; none if it is missing.
    pub fn list<T: FromJson>(&self, key: &str) -> Vec<T> {
        self.list_with(key, T::read)
    }

    /// As [`Place::list`], with a function that reads an element.
    pub fn list_with<T>(&self, key: &str, mut read: impl FnMut(&Place<'_>) -> T) -> Vec<T> {
        self.list_at(key).elements().map(|at| read(&at)).collect()
    }

    /// The array in a member; an empty one if it is missing, or with a fault if it is something else.
    fn list_at<'b>(&'b self, key: &'b str) -> Place<'b> {
        let at = self.member(key).unwrap_or_else(|| self.below(&NO_ELEMENTS, Key::Member(self, key)));
        at.array();
        at
    }

    /// Records a fault unless the value is an array.
    fn array(&self) {
        if !self.value.is_array() {
            self.fault("expected an array");
        }
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
        let mut numbers = [T::default(); N];
        at.fill(&mut numbers);
        numbers
    }
}

impl Place<'_> {
    /// Reads the elements of the array, as many as `out` has.
    fn fill<T: FromJson>(&self, out: &mut [T]) {
        self.array();
        let mut count = 0;
        for at in self.elements() {
            let element = T::read(&at);
            if let Some(out) = out.get_mut(count) {
                *out = element;
            }
            count += 1;
        }
        if count != out.len() {
            self.note(&|| format!("expected {} numbers", out.len()));
        }
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn read(at: &Place<'_>) -> Self {
        at.array();
        at.elements().map(|at| T::read(&at)).collect()
    }
}
