//! The names of members.

use std::borrow::Cow;

/// The name of a member. A large file has some names ten thousand times: those take no memory of their own.
pub(super) type Name = Cow<'static, str>;

/// The names of which glTF has most, in ascending order.
const FREQUENT: [&str; 36] = [
    "JOINTS_0",
    "NORMAL",
    "POSITION",
    "TEXCOORD_0",
    "WEIGHTS_0",
    "attributes",
    "buffer",
    "bufferView",
    "byteLength",
    "byteOffset",
    "byteStride",
    "channels",
    "children",
    "componentType",
    "count",
    "extensions",
    "extras",
    "index",
    "indices",
    "input",
    "interpolation",
    "joints",
    "material",
    "max",
    "mesh",
    "min",
    "name",
    "node",
    "output",
    "path",
    "primitives",
    "rotation",
    "sampler",
    "scale",
    "target",
    "translation",
];

/// The length of the longest frequent name with the quote after it.
pub(super) const LONGEST: usize = "componentType".len() + 1;

/// The name that equals a text without escape sequences, if it is a frequent one.
pub(super) fn frequent(text: &[u8]) -> Option<Name> {
    let found = FREQUENT.binary_search_by(|name| name.as_bytes().cmp(text));
    found.ok().map(|at| Cow::Borrowed(FREQUENT[at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_names_that_are_frequent_are_found() {
        for name in FREQUENT {
            assert!(name.len() < LONGEST, "{name}");
            assert!(
                matches!(frequent(name.as_bytes()), Some(Cow::Borrowed(found)) if found == name),
                "{name}"
            );
        }
        assert_eq!(
            [frequent(b""), frequent(b"coun"), frequent(b"counts"), frequent(b"\xff")],
            [const { None }; 4]
        );
    }
}
