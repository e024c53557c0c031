//! Objects: members in the order of the text.

use super::Value;
use super::names::Name;
use std::mem;

/// The members of an object, in their order. A text may have a name twice: the last one is used, and all are written.
///
/// Objects of glTF have few members, so a member is found by comparing names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Map(Vec<(Name, Value)>);

impl Map {
    /// An object without members.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Appends a member, without a search for one of the same name.
    pub fn push(&mut self, name: String, value: Value) {
        self.0.push((name.into(), value));
    }

    pub(super) fn push_named(&mut self, name: Name, value: Value) {
        self.0.push((name, value));
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// `true` if there is no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a member; `None` if it is `null`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let found = self.0.iter().rev().find(|(own, _)| own == name);
        found.map(|(_, value)| value).filter(|value| !value.is_null())
    }

    /// As [`Map::get`], to change the value.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let found = self.0.iter_mut().rev().find(|(own, _)| own == name);
        found.map(|(_, value)| value).filter(|value| !value.is_null())
    }

    /// `true` if there is a member that is not `null`.
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Sets a member, at its place or at the end; returns the value that it had.
    pub fn insert(&mut self, name: String, value: Value) -> Option<Value> {
        match self.0.iter().rposition(|(own, _)| *own == name) {
            Some(at) => Some(mem::replace(&mut self.0[at].1, value)),
            None => {
                self.0.push((name.into(), value));
                None
            }
        }
    }

    /// Removes a member, and all others of this name; the order of the others stays.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let at = self.0.iter().rposition(|(own, _)| own == name)?;
        let (_, value) = self.0.remove(at);
        self.0.retain(|(own, _)| own != name);
        Some(value)
    }

    /// The member of a name, to be made if it is missing.
    pub fn entry(&mut self, name: impl Into<String>) -> Entry<'_> {
        Entry { map: self, name: name.into() }
    }

    /// Keeps the members for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &mut Value) -> bool) {
        self.0.retain_mut(|(name, value)| keep(name, value));
    }

    /// All members.
    pub fn iter(&self) -> Iter<'_> {
        self.0.iter().map(pair)
    }

    /// All members, to change their values.
    pub fn iter_mut(&mut self) -> IterMut<'_> {
        self.0.iter_mut().map(pair_mut)
    }

    /// The names of all members.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }

    /// The values of all members.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The values of all members, to change them.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Value> {
        self.0.iter_mut().map(|(_, value)| value)
    }
}

/// No members.
impl Default for &Map {
    fn default() -> Self {
        static NONE: Map = Map::new();
        &NONE
    }
}

/// An iterator over the members of an object.
pub type Iter<'a> = std::iter::Map<std::slice::Iter<'a, (Name, Value)>, fn(&(Name, Value)) -> (&str, &Value)>;
/// As [`Iter`], to change the values.
pub type IterMut<'a> =
    std::iter::Map<std::slice::IterMut<'a, (Name, Value)>, fn(&mut (Name, Value)) -> (&str, &mut Value)>;
/// An iterator over the members of an object that ends.
pub type IntoIter = std::iter::Map<std::vec::IntoIter<(Name, Value)>, fn((Name, Value)) -> (String, Value)>;

fn pair((name, value): &(Name, Value)) -> (&str, &Value) {
    (name, value)
}

fn pair_mut((name, value): &mut (Name, Value)) -> (&str, &mut Value) {
    (name, value)
}

fn owned((name, value): (Name, Value)) -> (String, Value) {
    (name.into_owned(), value)
}

impl<'a> IntoIterator for &'a Map {
    type Item = (&'a str, &'a Value);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Map {
    type Item = (&'a str, &'a mut Value);
    type IntoIter = IterMut<'a>;

    fn into_iter(self) -> IterMut<'a> {
        self.iter_mut()
    }
}

impl IntoIterator for Map {
    type Item = (String, Value);
    type IntoIter = IntoIter;

    fn into_iter(self) -> IntoIter {
        self.0.into_iter().map(owned)
    }
}

/// Of equal names, the last one is used.
impl FromIterator<(String, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        Self(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

/// Each member as by [`Map::insert`].
impl Extend<(String, Value)> for Map {
    fn extend<I: IntoIterator<Item = (String, Value)>>(&mut self, members: I) {
        for (name, value) in members {
            self.insert(name, value);
        }
    }
}

/// A member that may be missing, see [`Map::entry`]. A member that is `null` is missing.
#[derive(Debug)]
pub struct Entry<'a> {
    map: &'a mut Map,
    name: String,
}

impl<'a> Entry<'a> {
    /// The value; `value` if there was none.
    pub fn or_insert(self, value: Value) -> &'a mut Value {
        self.or_insert_with(|| value)
    }

    /// The value; what `make` returns if there was none.
    pub fn or_insert_with(self, make: impl FnOnce() -> Value) -> &'a mut Value {
        let Self { map: Map(members), name } = self;
        let at = members.iter().rposition(|(own, _)| *own == name).unwrap_or_else(|| {
            members.push((name.into(), Value::Null));
            members.len() - 1
        });
        let value = &mut members[at].1;
        if value.is_null() {
            *value = make();
        }
        value
    }
}
