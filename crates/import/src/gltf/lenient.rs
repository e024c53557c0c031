//! Values without which the model can be shown: an invalid one has a warning and is replaced.

use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use gambol_gltf::place::{self, Place};

/// The elements of a list at the top of the file; invalid ones are replaced by `default`.
pub(super) fn repaired_list<T>(
    root: &Value,
    key: &str,
    log: &mut Log,
    read: impl Fn(&Place<'_>) -> T,
    default: impl Fn() -> T,
) -> Result<Vec<T>, ImportError> {
    let mut out = Vec::new();
    for (i, value) in place::elements(root, key)?.iter().enumerate() {
        out.push(place::read_with(value, format_args!("/{key}/{i}"), &read).unwrap_or_else(|error| {
            log.warn_repaired(error, "the default is used");
            default()
        }));
    }
    Ok(out)
}

/// An extension of an element.
pub(super) fn extension<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    value.get("extensions")?.get(name)
}

/// The index in a member.
pub(super) fn index(value: &Value, key: &str) -> Option<u32> {
    value.get(key).and_then(Value::as_u32)
}

/// Reads values below a pointer, with a warning for each invalid one.
pub(super) struct Read<'a> {
    pub(super) log: &'a mut Log,
    pub(super) pointer: String,
}

impl Read<'_> {
    pub(super) fn warn(&mut self, key: &str, message: &str) {
        self.log.warn(codes::INVALID_VALUE, format_args!("{}/{key}", self.pointer), message);
    }

    pub(super) fn out_of_range(&mut self, key: &str, element: &'static str, index: usize, count: usize) {
        let error = ImportErrorKind::IndexOutOfRange { element, index, count }
            .at(format_args!("{}/{key}", self.pointer));
        self.log.warn_repaired(error, "it is ignored");
    }

    /// The number at a path for which `good` holds; `default` if it is missing or invalid.
    pub(super) fn number(
        &mut self,
        value: &Value,
        key: &str,
        default: f32,
        good: impl Fn(f32) -> bool,
    ) -> f32 {
        let Some(value) = value.path(key) else { return default };
        match value.as_f64().map(|number| number as f32).filter(|number| number.is_finite() && good(*number))
        {
            Some(number) => number,
            None => {
                self.warn(key, "The value is not a number in the valid range; the default is used");
                default
            }
        }
    }

    pub(super) fn numbers<const N: usize>(
        &mut self,
        value: &Value,
        key: &str,
        default: [f32; N],
    ) -> [f32; N] {
        let mut out = default;
        self.list(value, key, &mut out);
        out
    }

    /// Replaces all of `out` by the numbers of an array, if it exists and is valid.
    pub(super) fn list(&mut self, value: &Value, key: &str, out: &mut [f32]) {
        let Some(value) = value.get(key) else { return };
        let list = value.as_array().filter(|list| list.len() == out.len()).unwrap_or_default();
        let number = |value: &Value| value.as_f64().map(|number| number as f32).filter(|n| n.is_finite());
        let numbers: Vec<f32> = list.iter().filter_map(number).collect();
        if numbers.len() == out.len() {
            out.copy_from_slice(&numbers);
        } else {
            let count = out.len();
            self.warn(
                key,
                &format!("The value is not an array of {count} finite numbers; the default is used"),
            );
        }
    }
}
