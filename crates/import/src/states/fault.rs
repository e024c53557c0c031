//! Errors of state machines, and their codes.

use std::fmt;

/// The codes of errors and warnings of reading. Their meaning never changes.
pub(super) mod codes {
    /// The JSON cannot be parsed.
    pub(in super::super) const INVALID_JSON: &str = "states/invalid-json";
    /// The member `format` is not `gambol-states`.
    pub(in super::super) const FORMAT: &str = "states/format";
    /// The version is not supported.
    pub(in super::super) const VERSION: &str = "states/version";
    /// A value has the wrong type or is out of range, or a required one is missing.
    pub(in super::super) const INVALID_VALUE: &str = "states/invalid-value";
    /// A name is used twice in one object.
    pub(in super::super) const DUPLICATE_NAME: &str = "states/duplicate-name";
    /// There is more of something than the limit.
    pub(in super::super) const TOO_MANY: &str = "states/too-many";
    /// Warning: a member is unknown and ignored.
    pub(in super::super) const UNKNOWN_FIELD: &str = "states/unknown-field";
    /// Warning: a member has no effect here.
    pub(in super::super) const UNUSED_FIELD: &str = "states/unused-field";
    /// Warning: a state does not exist in this machine.
    pub(in super::super) const UNKNOWN_STATE: &str = "states/unknown-state";
    /// Warning: an input does not exist.
    pub(in super::super) const UNKNOWN_INPUT: &str = "states/unknown-input";
}

/// The reason why a text is not a state machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatesError {
    /// The stable code.
    pub code: &'static str,
    /// The JSON pointer (RFC 6901) of the fault; empty for the whole text.
    pub pointer: String,
    /// One sentence with the fault.
    pub message: String,
}

#[cold]
#[inline(never)]
pub(super) fn fault(code: &'static str, pointer: &str, message: String) -> StatesError {
    StatesError { code, pointer: pointer.to_owned(), message }
}

/// A name in quotes, shortened if it is long.
pub(super) fn quoted(name: &str) -> String {
    let short: String = name.chars().take(64).collect();
    let more = if short.len() < name.len() { "…" } else { "" };
    format!("\"{short}{more}\"")
}

impl fmt::Display for StatesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => write!(f, "{}.", self.message),
            pointer => write!(f, "{} (at {pointer}).", self.message),
        }
    }
}

impl std::error::Error for StatesError {}
