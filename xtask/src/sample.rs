//! The generated sample characters; the repository contains no file of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use gambol_sample::Character;

use crate::process::{command, run};
use crate::{files, paths};

/// Writes a character as a GLB file: the first one, or that of a name.
pub(crate) fn write(name: Option<&str>, to: &Path) -> Result<()> {
    let characters = gambol_sample::characters();
    let found =
        characters.iter().find(|character| name.is_none_or(|name| name.eq_ignore_ascii_case(character.name)));
    let Some(character) = found else {
        let names: Vec<&str> = characters.iter().map(|character| character.name).collect();
        bail!("there is no such character; the characters are {}", names.join(", "));
    };
    files::copy(&generated(character)?, to)
}

/// Writes all characters into a folder, each with the name of its file.
pub(crate) fn write_all(folder: &Path) -> Result<()> {
    for character in gambol_sample::characters() {
        files::copy(&generated(&character)?, &folder.join(character.file))?;
    }
    Ok(())
}

/// Writes Pip into the package, made small by its command, which is built already.
pub(crate) fn write_small(dist: &Path) -> Result<()> {
    let [pip, ..] = gambol_sample::characters();
    let (from, to) = (generated(&pip)?, paths::work().join("pip.glb"));
    let modified = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
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
    let files = gambol_sample::characters().map(|character| format!("dist/site/{}", character.file));
    run(command("node").arg("xtask/src/validate.mjs").args(files))
}

/// The generated file in the working folder. The generator is part of this program and takes seconds, so a file that is
/// newer than this program is reused.
fn generated(character: &Character) -> Result<PathBuf> {
    let modified = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let file = paths::work().join(character.file);
    let program: Option<SystemTime> = std::env::current_exe().ok().and_then(|program| modified(&program));
    if program.is_some() && modified(&file) > program {
        return Ok(file);
    }
    println!("Generating the character {}", character.name);
    fs::create_dir_all(paths::work()).context("cannot create target/web")?;
    fs::write(&file, character.glb()).with_context(|| format!("cannot write {}", paths::shown(&file)))?;
    Ok(file)
}
