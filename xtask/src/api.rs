//! The API reference of the npm package, which TypeDoc generates from its sources, for the site.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{command, run};
use crate::{files, paths, setup};

/// The age that the reference may have.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Age {
    /// That of the sources.
    Current,
    /// Any: for a demo, which starts quickly.
    Any,
}

/// Writes the reference to `to`.
pub(crate) fn write(to: &Path, age: Age) -> Result<()> {
    files::copy_tree(&make(age)?, to, |_| true)
}

/// Generates the reference in `target/web/api`, if it is missing there or too old; returns the folder. TypeDoc's warnings are
/// printed, and stay in `target/web/api-warnings.txt` for `tests/package/reference.test.mjs`.
pub(crate) fn make(age: Age) -> Result<PathBuf> {
    let made = paths::work().join("api");
    let (stamp, warnings) = (paths::work().join("api-stamp"), paths::work().join("api-warnings.txt"));
    let found = fs::read_to_string(&stamp).ok();
    let wanted = fingerprint()?;
    // A folder of an earlier version of the generator lacks the index.
    if !made.join("search-entries.json").is_file()
        || found.is_none()
        || (age == Age::Current && found.as_ref() != Some(&wanted))
    {
        println!("Generating the API reference");
        let _ = fs::remove_file(&stamp);
        run(command("node").arg("xtask/src/api.mjs").arg(&made).arg(&warnings))?;
        // A demo generates it before the modules that few pages need, whose types it then lacks.
        files::write(&stamp, if age == Age::Current { wanted } else { "demo".to_owned() })?;
    }
    print!("{}", files::read_text(&warnings)?);
    Ok(made)
}

/// A hash of all files that the reference is made of.
fn fingerprint() -> Result<String> {
    let (package, xtask) = (paths::package(), paths::root().join("xtask"));
    let mut inputs = BTreeMap::new();
    let others = ["reference.md", "package.json"].map(|name| package.join(name));
    let tools = ["package.json", "src/api.mjs"].map(|name| xtask.join(name));
    let looks =
        ["learn/api.css", "partials/header.html"].map(|name| paths::root().join("www/demo").join(name));
    for path in others.into_iter().chain(tools).chain(looks) {
        let content = files::read(&path)?;
        inputs.insert(path, content);
    }
    add_scripts(&package.join("src"), &mut inputs)?;
    Ok(format!("{:016x}", setup::hash(&inputs)))
}

/// Adds the TypeScript files of a folder.
fn add_scripts(folder: &Path, inputs: &mut BTreeMap<PathBuf, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", paths::shown(folder)))? {
        let path = entry?.path();
        if path.is_dir() {
            add_scripts(&path, inputs)?;
        } else if path.extension().is_some_and(|extension| extension == "ts") {
            let content = files::read(&path)?;
            inputs.insert(path, content);
        }
    }
    Ok(())
}
