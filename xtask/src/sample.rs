//! The generated sample characters; the repository contains no file of them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::process::{command, run};
use crate::programs::{self, modified};
use crate::{files, paths};

/// The file of the first character, Pip.
const PIP: &str = "sample.glb";

/// Writes a character as a GLB file: the first one, or that of a name.
pub(crate) fn write(name: &str, to: &Path) -> Result<()> {
    let folder = paths::work().join("character");
    files::reset(&folder)?;
    run(command(programs::build()?.sample).arg(&folder).arg(name))?;
    let [file] = &files::of_folder(&folder)?[..] else { bail!("{name} is not one character") };
    files::copy(file, to)
}

/// Writes all characters into a folder, each with the name of its file.
pub(crate) fn write_all(folder: &Path) -> Result<()> {
    for file in generated()? {
        files::copy(&file, &folder.join(file.file_name().context("a file without a name")?))?;
    }
    Ok(())
}

/// Writes Pip into the package, made small by its command, which is built already.
pub(crate) fn write_small(dist: &Path) -> Result<()> {
    generated()?;
    let (from, to) = (folder().join(PIP), paths::work().join("pip.glb"));
    let made = modified(&to);
    if made.is_none() || made < modified(&from) || made < modified(&dist.join("gambol.tools.wasm")) {
        println!("Optimising the character of the package");
        let mut optimize = command("node");
        optimize.arg(dist.join("cli.js")).arg("optimize").arg(&from).arg(&to);
        run(optimize.args(["--error", "0.5mm", "--force"]))?;
    }
    files::copy(&to, &dist.join("pip.glb"))
}

/// Validates the site's characters with Khronos's validator; a warning is a failure too.
pub(crate) fn validate() -> Result<()> {
    let mut characters = files::of_folder(&paths::dist().join("site"))?;
    characters.retain(|file| file.extension().is_some_and(|extension| extension == "glb"));
    ensure!(!characters.is_empty(), "the site has no characters");
    run(command("node").arg("xtask/src/validate.mjs").args(characters))
}

/// The generated files, in a folder of their own. Their generator takes seconds, so they stay until it changes.
fn generated() -> Result<Vec<PathBuf>> {
    let (folder, program) = (folder(), programs::build()?.sample);
    let current = |file: &PathBuf| modified(file) > modified(&program);
    if folder.is_dir() {
        let found = files::of_folder(&folder)?;
        if found.iter().any(|file| file.ends_with(PIP)) && found.iter().all(current) {
            return Ok(found);
        }
    }
    println!("Generating the characters");
    files::reset(&folder)?;
    run(command(program).arg(&folder))?;
    files::of_folder(&folder)
}

fn folder() -> PathBuf {
    paths::work().join("characters")
}
