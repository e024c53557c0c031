//! The generated sample character; the repository contains no file of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::process::{command, run};
use crate::{files, paths};

/// Writes the sample character as a GLB file.
pub(crate) fn write(to: &Path) -> Result<()> {
    files::copy(&generated()?, to)
}

/// Validates the site's character with Khronos's validator; a warning is a failure too.
pub(crate) fn validate() -> Result<()> {
    run(command("node").args(["xtask/src/validate.mjs", "dist/site/sample.glb"]))
}

/// The generated file in the working folder. The generator is part of this program and takes seconds, so a file that is
/// newer than this program is reused.
fn generated() -> Result<PathBuf> {
    let modified = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let file = paths::work().join("sample.glb");
    let program: Option<SystemTime> = std::env::current_exe().ok().and_then(|program| modified(&program));
    if program.is_some() && modified(&file) > program {
        return Ok(file);
    }
    println!("Generating the sample character");
    fs::create_dir_all(paths::work()).context("cannot create target/web")?;
    fs::write(&file, gambol_sample::glb())
        .with_context(|| format!("cannot write {}", paths::shown(&file)))?;
    Ok(file)
}
