//! JSON as files have it: parsed to a tree that can be changed, and written again with its order and its numbers.
//!
//! Differences from `serde_json`, as files need them:
//!
//! - Members keep the order of the text; of equal names the last one is used.
//! - `3.0` is an integer, and a member with the value `null` counts as missing.
//! - A number that nobody changes is written as it was in the text.
//! - An unpaired surrogate becomes U+FFFD.
//! - A fault has a line and a column. Depth is limited.
//!
//! Spec: RFC 8259.

mod access;
mod convert;
mod map;
mod names;
mod number;
mod parse;
mod repair;
mod write;

pub use access::Key;
pub(crate) use access::NULL;
pub use map::{Entry, IntoIter, Iter, IterMut, Map};
pub use number::Number;
pub use parse::Fault;
pub use repair::{Repairs, repair, repair_json};

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A finite number.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object.
    Object(Map),
}

/// A [`Value`](crate::json::Value) in the notation of JSON; values of Rust stand in place of values, and expressions in square brackets or variables in
/// place of names.
///
/// ```
/// use gambol_gltf::json;
///
/// let index = 3;
/// let value = json!({ "mesh": index, "extras": { "tags": ["a", null, true, -1.5] } });
/// assert_eq!(value.to_string(), r#"{"mesh":3,"extras":{"tags":["a",null,true,-1.5]}}"#);
/// ```
#[macro_export]
macro_rules! json {
    (null) => { $crate::json::Value::Null };
    ([ $($element:tt)* ]) => { $crate::json::Value::Array($crate::__elements!([] $($element)*)) };
    ({ $($member:tt)* }) => {{
        #[allow(unused_mut, clippy::allow_attributes)]
        let mut map = $crate::json::Map::new();
        $crate::__members!(map $($member)*);
        $crate::json::Value::Object(map)
    }};
    ($other:expr) => { $crate::json::Value::from($other) };
}

/// The elements of an array in [`json!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __elements {
    ([$($done:expr),*]) => { vec![$($done),*] };
    ([$($done:expr),*] null $(, $($rest:tt)*)?) => { $crate::__elements!([$($done,)* $crate::json!(null)] $($($rest)*)?) };
    ([$($done:expr),*] [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::__elements!([$($done,)* $crate::json!([$($inner)*])] $($($rest)*)?)
    };
    ([$($done:expr),*] {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::__elements!([$($done,)* $crate::json!({$($inner)*})] $($($rest)*)?)
    };
    ([$($done:expr),*] $next:expr $(, $($rest:tt)*)?) => { $crate::__elements!([$($done,)* $crate::json!($next)] $($($rest)*)?) };
}

/// The members of an object in [`json!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __members {
    ($map:ident) => {};
    ($map:ident $name:tt : null $(, $($rest:tt)*)?) => {
        $map.push($crate::__name!($name), $crate::json!(null)); $crate::__members!($map $($($rest)*)?);
    };
    ($map:ident $name:tt : [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $map.push($crate::__name!($name), $crate::json!([$($inner)*])); $crate::__members!($map $($($rest)*)?);
    };
    ($map:ident $name:tt : {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $map.push($crate::__name!($name), $crate::json!({$($inner)*})); $crate::__members!($map $($($rest)*)?);
    };
    ($map:ident $name:tt : $value:expr $(, $($rest:tt)*)?) => {
        $map.push($crate::__name!($name), $crate::json!($value)); $crate::__members!($map $($($rest)*)?);
    };
    ($map:ident *$name:ident : $($rest:tt)*) => { $crate::__members!($map (*$name) : $($rest)*) };
}

/// The name of a member in [`json!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __name {
    ([$name:expr]) => {
        ::std::string::String::from($name)
    };
    ($name:expr) => {
        ::std::string::String::from($name)
    };
}

#[cfg(test)]
mod tests;
