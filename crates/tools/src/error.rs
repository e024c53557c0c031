//! The error of all tools: a code, a message and the place of the fault.

use gambol::import::ImportError;
use gambol_gltf::container::TooLarge;
use std::fmt;

/// The codes of errors that only the tools report. Faults of the file have the codes of [`gambol::import::codes`].
pub mod codes {
    /// The baked clips need too much memory.
    pub const BAKE_TOO_LARGE: &str = "bake/too-large";
    /// The file has no such clip.
    pub const CLIP_NOT_FOUND: &str = "clip/not-found";
    /// The keys of a clip cannot be written.
    pub const EXPORT_KEYS: &str = "export/keys";
    /// The pose or the clip is of another model than the file.
    pub const EXPORT_OTHER_FILE: &str = "export/other-file";
    /// An option is out of its range.
    pub const OPTION: &str = "tools/option";
    /// The two files have no mesh in common, so there is nothing to compare.
    pub const NOTHING_TO_COMPARE: &str = "tools/nothing-to-compare";
    /// The file would be larger than 4 GiB, the limit of GLB.
    pub const TOO_LARGE: &str = "tools/too-large";
}

/// The reason why a tool cannot do its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolsError {
    /// One of [`codes`] or of [`gambol::import::codes`].
    pub code: &'static str,
    /// One or more sentences for the user.
    pub message: String,
    /// The JSON pointer (RFC 6901) of the fault; empty for the whole file.
    pub pointer: String,
}

impl ToolsError {
    /// An error at a place of the file.
    pub fn new(code: &'static str, pointer: impl fmt::Display, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), pointer: pointer.to_string() }
    }
}

impl From<ImportError> for ToolsError {
    fn from(error: ImportError) -> Self {
        Self { code: error.code(), message: error.to_string(), pointer: error.pointer.clone() }
    }
}

impl From<TooLarge> for ToolsError {
    fn from(error: TooLarge) -> Self {
        Self::new(codes::TOO_LARGE, "", error.to_string())
    }
}

impl fmt::Display for ToolsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ToolsError {}
