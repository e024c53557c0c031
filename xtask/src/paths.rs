//! Paths of the repository's folders.

use std::path::{Path, PathBuf};

/// The repository's top folder.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable when it runs xtask; the fallback serves a binary that is started directly.
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    xtask.parent().map_or_else(|| xtask.clone(), Path::to_path_buf)
}

/// The output folder of `cargo xtask build`; ignored by git.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// Intermediate files of the web build; ignored by git.
pub(crate) fn work() -> PathBuf {
    root().join("target").join("web")
}

/// The npm package's folder in the repository.
pub(crate) fn package() -> PathBuf {
    root().join("www").join("gambol")
}

/// `path` for messages: relative to the repository if it lies inside.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
