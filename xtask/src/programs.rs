//! Programs of this workspace that `cargo xtask` runs. They are no part of it, and are compiled when a command needs them: so
//! `cargo xtask` itself compiles in seconds.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};

use crate::process::{built, cargo};

/// The paths of the programs.
#[derive(Clone)]
pub(crate) struct Programs {
    /// `xtask/bind`.
    pub(crate) bind: PathBuf,
    /// `sample`.
    pub(crate) sample: PathBuf,
}

/// Compiles the programs, if this run has not done so.
pub(crate) fn build() -> Result<Programs> {
    static BUILT: Mutex<Option<Programs>> = Mutex::new(None);
    let mut programs = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(programs) = &*programs {
        return Ok(programs.clone());
    }
    // A profile of its own has a folder of its own, so that Cargo does not wait for tests that are compiled beside it.
    let mut build = cargo();
    build.args([
        "build",
        "--quiet",
        "--profile",
        "tools",
        "--package",
        "xtask-bind",
        "--package",
        "gambol-sample",
    ]);
    let files = built(&mut build)?;
    let find = |name: &str| {
        let named = |file: &&PathBuf| {
            let found = file.file_stem() == Some(name.as_ref());
            found && file.extension().is_none_or(|extension| extension == "exe")
        };
        files.iter().find(named).cloned().with_context(|| format!("cargo built no program {name}"))
    };
    Ok(programs.insert(Programs { bind: find("xtask-bind")?, sample: find("gambol-sample")? }).clone())
}

/// The time of the last change of a file.
pub(crate) fn modified(file: &Path) -> Option<std::time::SystemTime> {
    std::fs::metadata(file).and_then(|file| file.modified()).ok()
}
