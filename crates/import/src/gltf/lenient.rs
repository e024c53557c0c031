//! Values without which the model can be shown: an invalid one has a warning and is replaced.

use gambol_gltf::error::{ImportErrorKind, codes};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use gambol_gltf::place::Place;
use std::fmt;

/// A value; an invalid one is replaced by the default.
pub(super) fn repaired<T: Default>(at: &Place<'_>, log: &mut Log, read: fn(&Place<'_>) -> T) -> T {
    at.apart(read).unwrap_or_else(|error| {
        log.warn_repaired(error, "the default is used");
        T::default()
    })
}

/// The index in a member.
pub(super) fn index(at: &Place<'_>, key: &str) -> Option<usize> {
    at.value().get(key).and_then(Value::as_u32).map(|index| index as usize)
}

/// Adds a warning about an invalid value at a pointer.
pub(super) fn warn(log: &mut Log, at: impl fmt::Display, message: &str) {
    log.warn(codes::INVALID_VALUE, at, message);
}

/// Adds a warning about an index at a pointer.
pub(super) fn out_of_range(
    log: &mut Log,
    at: impl fmt::Display,
    element: &'static str,
    index: usize,
    count: usize,
) {
    log.warn_repaired(ImportErrorKind::IndexOutOfRange { element, index, count }.at(at), "it is ignored");
}

/// The number at a path for which `good` holds; `default` if it is missing or, with a warning, invalid.
pub(super) fn number(
    log: &mut Log,
    at: &Place<'_>,
    path: &str,
    default: f32,
    good: &dyn Fn(f32) -> bool,
) -> f32 {
    let Some(at) = at.path(path) else { return default };
    let number = at.value().as_f64().map(|number| number as f32);
    number.filter(|number| number.is_finite() && good(*number)).unwrap_or_else(|| {
        warn(log, at, "The value is not a number in the valid range; the default is used");
        default
    })
}

/// The numbers of an array; `default` if it is missing or, with a warning, invalid.
pub(super) fn numbers<const N: usize>(
    log: &mut Log,
    at: &Place<'_>,
    key: &str,
    default: [f32; N],
) -> [f32; N] {
    let mut out = default;
    list(log, at, key, &mut out);
    out
}

/// Replaces all of `out` by the numbers of an array, if it exists and is valid.
pub(super) fn list(log: &mut Log, at: &Place<'_>, key: &str, out: &mut [f32]) {
    let Some(at) = at.member(key) else { return };
    let list = at.value().as_array().filter(|list| list.len() == out.len()).unwrap_or_default();
    let number = |value: &Value| value.as_f64().map(|number| number as f32).filter(|n| n.is_finite());
    let numbers: Vec<f32> = list.iter().filter_map(number).collect();
    if numbers.len() == out.len() {
        out.copy_from_slice(&numbers);
    } else {
        let count = out.len();
        warn(log, at, &format!("The value is not an array of {count} finite numbers; the default is used"));
    }
}
