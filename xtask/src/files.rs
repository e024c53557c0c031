//! Reading, writing and copying files, with the path in every error.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::paths;

/// Copies one file and makes the folders above it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Reads a file.
pub(crate) fn read(from: &Path) -> Result<Vec<u8>> {
    fs::read(from).with_context(|| format!("cannot read {}", paths::shown(from)))
}

/// Reads a file of text.
pub(crate) fn read_text(from: &Path) -> Result<String> {
    fs::read_to_string(from).with_context(|| format!("cannot read {}", paths::shown(from)))
}

/// Writes a file.
pub(crate) fn write(to: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::write(to, content).with_context(|| format!("cannot write {}", to.display()))
}

/// The paths of the entries of a folder, sorted.
pub(crate) fn of_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", paths::shown(folder)))?;
    let mut found = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    found.sort();
    Ok(found)
}

/// Copies a folder, except the files and folders for which `wanted` returns `false`.
pub(crate) fn copy_tree(from: &Path, to: &Path, wanted: impl Fn(&Path) -> bool + Copy) -> Result<()> {
    let entries = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let path = entry?.path();
        let Some(name) = path.file_name().filter(|_| wanted(&path)) else { continue };
        if path.is_dir() {
            copy_tree(&path, &to.join(name), wanted)?;
        } else {
            copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}

/// Creates an empty folder; removes an existing one first.
pub(crate) fn reset(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}
