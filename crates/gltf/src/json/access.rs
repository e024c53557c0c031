//! Ways into a value.

use super::{Map, Number, Value};
use std::mem;
use std::ops;

/// The name of a member or the index of an element, for [`Value::get`].
pub trait Key {
    /// The value below `value`; `None` if it is missing or `null`.
    fn of<'a>(&self, value: &'a Value) -> Option<&'a Value>;
    /// As [`Key::of`], to change it.
    fn of_mut<'a>(&self, value: &'a mut Value) -> Option<&'a mut Value>;
    /// The value below, which is made if it is missing.
    ///
    /// # Panics
    /// If `value` is another type than an object (or `null`) for names, or has no such element.
    fn made<'a>(&self, value: &'a mut Value) -> &'a mut Value;
}

impl Key for str {
    fn of<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        value.as_object()?.get(self)
    }

    fn of_mut<'a>(&self, value: &'a mut Value) -> Option<&'a mut Value> {
        value.as_object_mut()?.get_mut(self)
    }

    fn made<'a>(&self, value: &'a mut Value) -> &'a mut Value {
        if value.is_null() {
            *value = Value::Object(Map::new());
        }
        let Value::Object(map) = value else {
            panic!("there is no member “{self}” in what is no object")
        };
        map.entry(self).or_insert(Value::Null)
    }
}

impl Key for String {
    fn of<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        self.as_str().of(value)
    }

    fn of_mut<'a>(&self, value: &'a mut Value) -> Option<&'a mut Value> {
        self.as_str().of_mut(value)
    }

    fn made<'a>(&self, value: &'a mut Value) -> &'a mut Value {
        self.as_str().made(value)
    }
}

impl<K: Key + ?Sized> Key for &K {
    fn of<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        (**self).of(value)
    }

    fn of_mut<'a>(&self, value: &'a mut Value) -> Option<&'a mut Value> {
        (**self).of_mut(value)
    }

    fn made<'a>(&self, value: &'a mut Value) -> &'a mut Value {
        (**self).made(value)
    }
}

impl Key for usize {
    fn of<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        value.as_array()?.get(*self).filter(|value| !value.is_null())
    }

    fn of_mut<'a>(&self, value: &'a mut Value) -> Option<&'a mut Value> {
        value.as_array_mut()?.get_mut(*self).filter(|value| !value.is_null())
    }

    fn made<'a>(&self, value: &'a mut Value) -> &'a mut Value {
        match value {
            Value::Array(elements) if *self < elements.len() => &mut elements[*self],
            _ => panic!("there is no element {self}"),
        }
    }
}

/// The value of what is missing.
pub(crate) static NULL: Value = Value::Null;

/// `null` if it is missing.
impl<K: Key> ops::Index<K> for Value {
    type Output = Value;

    fn index(&self, key: K) -> &Value {
        key.of(self).unwrap_or(&NULL)
    }
}

/// A member that is missing is made, and a value that is `null` becomes an object.
impl<K: Key> ops::IndexMut<K> for Value {
    fn index_mut(&mut self, key: K) -> &mut Value {
        key.made(self)
    }
}

impl Value {
    /// A member of an object or an element of an array; `None` if it is `null`.
    pub fn get(&self, key: impl Key) -> Option<&Self> {
        key.of(self)
    }

    /// As [`Value::get`], to change it.
    pub fn get_mut(&mut self, key: impl Key) -> Option<&mut Self> {
        key.of_mut(self)
    }

    /// The value at a path of member names, separated by `/`.
    pub fn path(&self, path: &str) -> Option<&Self> {
        path.split('/').try_fold(self, |value, key| value.get(key))
    }

    /// The value at a JSON pointer (RFC 6901), such as `/nodes/3/name`; `None` if it is missing or `null`.
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        tokens(pointer)?.try_fold(self, |value, token| match value {
            Self::Array(_) => value.get(index(&token)?),
            _ => value.get(token),
        })
    }

    /// As [`Value::pointer`], to change it.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Self> {
        tokens(pointer)?.try_fold(self, |value, token| match value {
            Self::Array(_) => value.get_mut(index(&token)?),
            _ => value.get_mut(token),
        })
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&Map> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    /// As [`Value::as_object`], to change them.
    pub fn as_object_mut(&mut self) -> Option<&mut Map> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    /// The elements of an array.
    pub fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(elements) = self { Some(elements) } else { None }
    }

    /// As [`Value::as_array`], to change them.
    pub fn as_array_mut(&mut self) -> Option<&mut Vec<Self>> {
        if let Self::Array(elements) = self { Some(elements) } else { None }
    }

    /// The elements of the array in a member; empty if there is none.
    pub fn list(&self, key: &str) -> &[Self] {
        self.get(key).and_then(Self::as_array).unwrap_or_default()
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// `true` or `false`.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(flag) = self { Some(*flag) } else { None }
    }

    /// The number.
    pub fn as_f64(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(number.as_f64()) } else { None }
    }

    /// The number, if it is a non-negative integer in range; from 2⁵³ on rounded to f64.
    pub fn as_u64(&self) -> Option<u64> {
        let whole =
            |number: &f64| number.fract() == 0.0 && (0.0..=18_446_744_073_709_551_616.0).contains(number);
        self.as_f64().filter(whole).map(|number| number as u64)
    }

    /// As [`Value::as_u64`], in the range of 32 bits.
    pub fn as_u32(&self) -> Option<u32> {
        self.as_u64().and_then(|number| u32::try_from(number).ok())
    }

    /// The number, if it is an index, a count or a number of bytes: a non-negative integer below 10¹⁵.
    pub fn as_index(&self) -> Option<usize> {
        let whole = |number: &f64| number.fract() == 0.0 && (0.0..1e15).contains(number);
        self.as_f64().filter(whole).map(|number| number as usize)
    }

    /// As [`Value::as_index`], of a member.
    pub fn index_at(&self, key: &str) -> Option<usize> {
        self.get(key)?.as_index()
    }

    /// As [`Value::as_str`], of a member.
    pub fn str_at(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// `true` for `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// `true` for an object.
    pub fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// `true` for an array.
    pub fn is_array(&self) -> bool {
        matches!(self, Self::Array(_))
    }

    /// `true` for a number.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Number(_))
    }

    /// `true` for a string.
    pub fn is_string(&self) -> bool {
        matches!(self, Self::String(_))
    }

    /// The value, which is `null` afterwards.
    #[must_use]
    pub fn take(&mut self) -> Self {
        mem::take(self)
    }

    /// Shortens all numbers, see [`Number::shorten`].
    pub fn shorten_numbers(&mut self) {
        match self {
            Self::Number(number) => number.shorten(),
            Self::Array(elements) => elements.iter_mut().for_each(Self::shorten_numbers),
            Self::Object(members) => members.values_mut().for_each(Self::shorten_numbers),
            Self::Null | Self::Bool(_) | Self::String(_) => {}
        }
    }

    /// A number; `null` if it is not finite.
    pub(crate) fn number(value: f64) -> Self {
        Number::new(value).map_or(Self::Null, Self::Number)
    }
}

/// The tokens of a JSON pointer; `None` if it is not empty and does not begin with `/`.
fn tokens(pointer: &str) -> Option<impl Iterator<Item = String>> {
    let mut tokens = pointer.split('/');
    tokens.next().filter(|start| start.is_empty())?;
    Some(tokens.map(|token| token.replace("~1", "/").replace("~0", "~")))
}

/// The index of an element in a pointer, without leading zeros.
fn index(token: &str) -> Option<usize> {
    let plain = token == "0" || (!token.starts_with(['0', '+']));
    token.parse().ok().filter(|_| plain)
}
