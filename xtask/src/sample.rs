//! The sample character, generated; no file of it is in the repository.

use std::path::Path;

use anyhow::{Context, Result};

use crate::paths;

/// Writes the sample character as a GLB file.
pub(crate) fn write(to: &Path) -> Result<()> {
    let Some(bytes) = bytes() else {
        println!("The sample character is not there yet, {} is left out", paths::shown(to));
        return Ok(());
    };
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    std::fs::write(to, bytes).with_context(|| format!("cannot write {}", to.display()))
}

/// Nothing until `gambol_sample::glb` lands.
fn bytes() -> Option<Vec<u8>> {
    None
}
