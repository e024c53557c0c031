//! `cargo xtask demo`: builds only the parts that the demo needs, without optimising for size, and serves it.
//!
//! The first build compiles for minutes, later ones take seconds. The modules that few pages need are compiled while it is served.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::api::Age;
use crate::process::both;
use crate::programs::modified;
use crate::{api, files, formats, package, paths, serve, setup, site, wasm};

/// Builds the demo and serves it until the process ends.
pub(crate) fn run(port: u16) -> Result<()> {
    let steps = ["compiling gambol", "bundling its scripts", "building the site"];
    let say = |step: usize| println!("\n── Demo, step {} of {}: {}", step + 1, steps.len(), steps[step]);
    say(0);
    wasm::choose(wasm::Kind::Quick);
    wasm::build()?;
    let (site, stamp) = (paths::dist().join("site"), paths::work().join("demo-stamp"));
    if fs::read_to_string(&stamp).is_ok_and(|stamp| fingerprint().is_ok_and(|now| now == stamp)) {
        println!("Nothing has changed since the last demo.");
    } else {
        say(1);
        both(|| api::make(Age::Any), package::build_scripts)?;
        say(2);
        site::build(Age::Any)?;
        files::write(&stamp, fingerprint()?)?;
    }
    let folders = [site.clone(), site.join("gambol/dist")];
    serve::serve(&site, port, &formats::demo_files(), || formats::build_for_demo(&folders))
}

/// A hash of the times and sizes of all files of the repository, and of some that each build writes.
fn fingerprint() -> Result<String> {
    let (root, mut seen) = (paths::root(), BTreeMap::new());
    add(&root, &mut seen)?;
    let written =
        ["target/web/gambol/stamp", "www/gambol/dist/index.js", "dist/site/index.html", "dist/site/sw.js"];
    let written = written.map(|name| modified(&root.join(name)));
    Ok(format!("{:016x}", setup::hash(&(seen, written))))
}

/// Adds the files of a folder, except those that a build writes.
fn add(folder: &Path, seen: &mut BTreeMap<PathBuf, (Option<SystemTime>, u64)>) -> Result<()> {
    const OUTPUT: [&str; 7] = ["target", "dist", "pkg", "node_modules", "output", ".git", ".next"];
    for path in files::of_folder(folder)? {
        let meta =
            fs::symlink_metadata(&path).with_context(|| format!("cannot read {}", paths::shown(&path)))?;
        if meta.is_dir() {
            if !OUTPUT.iter().any(|name| path.ends_with(name)) {
                add(&path, seen)?;
            }
        } else {
            seen.insert(path, (meta.modified().ok(), meta.len()));
        }
    }
    Ok(())
}
