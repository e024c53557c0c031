//! The warnings of an import.

use super::error::{Fault, ImportError, codes};
use std::fmt::{self, Write};

/// A fault of a file that was repaired, or whose part was skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// One of [`codes`].
    pub code: &'static str,
    /// The JSON pointer of the fault; empty for the whole file.
    pub pointer: String,
    /// One sentence with the fault and the repair.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => write!(f, "{}", self.message),
            pointer => write!(f, "{} (at {pointer})", self.message),
        }
    }
}

/// The warnings of an import so far.
///
/// Warnings with equal code and message are merged, with a count and the indices of their elements. A file may have
/// a fault in each keyframe or matrix. Warnings of different animations, skins and accessors are not merged.
#[derive(Debug, Default)]
pub struct Log {
    warnings: Vec<Repeated>,
    /// The indices of `warnings`, sorted by their keys: code, pointer with wildcards for indices, message.
    /// A sorted list takes less code than a map of std.
    found: Vec<(String, usize)>,
    omitted: usize,
    /// Reusable buffers for the pointer and the key of a new warning, as repeated warnings must not allocate.
    scratch: (String, String),
}

/// A warning, with the number and locations of equal ones.
#[derive(Debug)]
struct Repeated {
    warning: Warning,
    count: usize,
    /// The pointers of the first ones, up to the last index that may differ.
    places: Vec<String>,
}

impl Log {
    /// The maximum number of warnings; a file may have a fault every few bytes.
    const MAX_WARNINGS: usize = 1000;
    /// The maximum number of locations listed per warning.
    const MAX_PLACES: usize = 8;

    /// Adds a warning.
    pub fn warn(&mut self, code: &'static str, pointer: impl fmt::Display, message: impl fmt::Display) {
        self.add(code, &pointer, &message);
    }

    /// Formats here rather than in each of the many callers.
    #[cold]
    #[inline(never)]
    fn add(&mut self, code: &'static str, pointer: &dyn fmt::Display, message: &dyn fmt::Display) {
        let (text, key) = &mut self.scratch;
        text.clear();
        key.clear();
        // Writing to a string does not fail.
        let _ = write!(text, "{pointer}");
        key.push_str(code);
        let place = generalize(text, key);
        let _ = write!(key, " {message}");
        let known = self.found.binary_search_by(|(known, _)| known.as_str().cmp(key.as_str()));
        if let Ok(at) = known {
            let repeated = &mut self.warnings[self.found[at].1];
            repeated.count += 1;
            if repeated.places.len() < Self::MAX_PLACES {
                repeated.places.push(place.to_owned());
            }
        } else if self.warnings.len() < Self::MAX_WARNINGS {
            let at = known.unwrap_or_else(|place| place);
            self.found.insert(at, (key.clone(), self.warnings.len()));
            let (pointer, message) = (text.clone(), message.to_string());
            let places = vec![place.to_owned()];
            self.warnings.push(Repeated { warning: Warning { code, pointer, message }, count: 1, places });
        } else {
            self.omitted += 1;
        }
    }

    /// Adds a warning for an error that was repaired, with the repair.
    pub fn warn_repaired(&mut self, error: ImportError, repair: impl fmt::Display) {
        self.add_repaired(error, &repair);
    }

    #[cold]
    #[inline(never)]
    fn add_repaired(&mut self, error: ImportError, repair: &dyn fmt::Display) {
        let code = error.code();
        let Fault { kind, pointer } = &*error;
        self.add(code, pointer, &format_args!("{kind}; {repair}"));
    }

    /// All warnings, in the order of their first occurrence.
    pub fn into_warnings(self) -> Vec<Warning> {
        let mut warnings: Vec<_> = self.warnings.into_iter().map(Repeated::into_warning).collect();
        if self.omitted > 0 {
            let message = format!("There are {} more warnings, which are omitted", self.omitted);
            let pointer = String::new();
            warnings.push(Warning { code: codes::WARNINGS_OMITTED, pointer, message });
        }
        warnings
    }
}

impl Repeated {
    /// The warning; if it was repeated, with the count and the locations.
    fn into_warning(self) -> Warning {
        let Self { mut warning, count, places } = self;
        if count > 1 {
            warning.message = format!("{} ({count} times{})", warning.message, listed(&places, count));
        }
        warning
    }
}

/// Collections whose elements keep separate warnings.
const APART: [&str; 3] = ["animations", "skins", "accessors"];

/// Appends a pointer to `pattern`, with `*` in place of the indices in which merged warnings may differ. Returns the
/// pointer up to the last such index.
fn generalize<'a>(pointer: &'a str, pattern: &mut String) -> &'a str {
    let (mut end, mut at) = (0, 0);
    let mut apart = false;
    for (depth, token) in pointer.split('/').enumerate() {
        at += token.len() + usize::from(depth > 0);
        if depth > 0 {
            pattern.push('/');
        }
        let index = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
        if index && !(apart && depth == 2) {
            pattern.push('*');
            end = at;
        } else {
            pattern.push_str(token);
        }
        apart |= depth == 1 && APART.contains(&token);
    }
    &pointer[..end]
}

/// Formats the locations, such as `: channels 1, 4 and 5 more`; empty if all are equal.
fn listed(places: &[String], count: usize) -> String {
    let Some((first, others)) = places.split_first() else { return String::new() };
    if others.iter().all(|place| place == first) {
        return String::new();
    }
    // Locations that differ only in the last index are listed by this index.
    let above = |place: &str| place.rfind('/').unwrap_or(0);
    let parent = &first[..above(first)];
    let siblings = others.iter().all(|place| &place[..above(place)] == parent);
    let mut list = String::new();
    for place in places {
        let separator = if list.is_empty() { "" } else { ", " };
        list.push_str(separator);
        list.push_str(if siblings { &place[above(place) + 1..] } else { place });
    }
    let name = if siblings { parent.rsplit('/').next().unwrap_or_default() } else { "at" };
    let more = count - places.len();
    if more > 0 { format!(": {name} {list} and {more} more") } else { format!(": {name} {list}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(pointers: &[&str]) -> Vec<(String, String)> {
        let mut log = Log::default();
        for pointer in pointers {
            log.warn(codes::CHANNEL_IGNORED, pointer, "Skipped");
        }
        log.into_warnings().into_iter().map(|warning| (warning.pointer, warning.message)).collect()
    }

    fn one(pointer: &str, message: &str) -> (String, String) {
        (pointer.to_owned(), message.to_owned())
    }

    #[test]
    fn warnings_with_equal_messages_are_merged_with_count_and_locations() {
        assert_eq!(messages(&["/scene"]), [one("/scene", "Skipped")]);
        assert_eq!(messages(&["/scene", "/scene"]), [one("/scene", "Skipped (2 times)")]);
        assert_eq!(
            messages(&["/nodes/3/mesh", "/nodes/12/mesh", "/nodes/4/skin"]),
            [one("/nodes/3/mesh", "Skipped (2 times: nodes 3, 12)"), one("/nodes/4/skin", "Skipped")]
        );
        let primitives = ["/meshes/0/primitives/1/mode", "/meshes/2/primitives/0/mode"];
        let words = "Skipped (2 times: at /meshes/0/primitives/1, /meshes/2/primitives/0)";
        assert_eq!(messages(&primitives), [one(primitives[0], words)]);
        let many: Vec<_> = (0..20).map(|i| format!("/animations/1/channels/{i}/target")).collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();
        let words = "Skipped (20 times: channels 0, 1, 2, 3, 4, 5, 6, 7 and 12 more)";
        assert_eq!(messages(&many), [one("/animations/1/channels/0/target", words)]);
    }

    #[test]
    fn warnings_of_different_clips_skins_and_accessors_are_not_merged() {
        for collection in APART {
            let pointers = [0, 1].map(|i| format!("/{collection}/{i}"));
            let pointers = pointers.each_ref().map(String::as_str);
            assert_eq!(messages(&pointers), pointers.map(|pointer| one(pointer, "Skipped")));
        }
    }
}
