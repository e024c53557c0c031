//! The published package: packed by npm, installed in the projects of `tests/packages`, built by their bundlers and
//! opened in Chromium by `tests/browser/runner/packages.ts`.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::api::Age;
use crate::browsers::{self, Browser};
use crate::process::{capture, command};
use crate::{files, package, paths, setup, site, wasm};

/// Builds everything that is published.
pub(crate) fn build() -> Result<()> {
    wasm::build()?;
    package::build()?;
    site::build(Age::Current)
}

/// Packs the package and installs it beside the bundlers and frameworks; returns the folder.
pub(crate) fn install() -> Result<PathBuf> {
    let folder = setup::fixtures()?;
    let tarball = pack()?;
    // npm would do the same for a package without dependencies, and this way no lock file needs its hash.
    let to = folder.join("node_modules/gambol");
    files::reset(&to)?;
    let mut tar = command("tar");
    tar.arg("-xzf").arg(&tarball).arg("-C").arg(&to).arg("--strip-components=1");
    capture(&mut tar)?;
    Ok(folder)
}

/// Runs `npm pack`; returns the path of the tarball.
fn pack() -> Result<PathBuf> {
    let to = paths::work().join("packed");
    files::reset(&to)?;
    let mut npm = command(setup::npm());
    npm.arg("pack").arg(paths::dist().join("gambol")).arg("--pack-destination").arg(&to);
    let answer = capture(npm.args(["--json", "--loglevel=error"]))?;
    let answer: Value = serde_json::from_str(&answer).context("npm pack does not answer with JSON")?;
    let packed = &answer[0];
    let has = |name: &str| {
        packed["files"].as_array().is_some_and(|files| files.iter().any(|file| file["path"] == name))
    };
    let others = [
        "README.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "dist/THIRD-PARTY.txt",
        "dist/cli.js",
        "dist/cli-render.js",
    ];
    let exported = package::exported()?;
    for name in exported.iter().map(String::as_str).chain(others) {
        if !has(name) {
            bail!("npm pack leaves out {name}");
        }
    }
    let name = packed["filename"].as_str().context("npm pack names no file")?;
    let size = |key: &str| packed[key].as_f64().unwrap_or(0.0) / 1e6;
    println!("{name}: {:.2} MB, unpacked {:.2} MB", size("size"), size("unpackedSize"));
    Ok(to.join(name))
}

/// Builds and opens the projects, with `all` those of every bundler and framework. Returns the numbers of tests passed,
/// failed and skipped.
pub(crate) fn test(filter: Option<&str>, all: bool) -> Result<[u64; 3]> {
    install()?;
    browsers::install_missing(&[Browser::Chromium]);
    let arguments = match Browser::Chromium.arguments() {
        Ok(arguments) => arguments,
        Err(missing) if std::env::var("CI").is_ok_and(|ci| ci == "true" || ci == "1") => return Err(missing),
        Err(missing) => {
            println!("skipped  chromium: {missing:#}");
            return Ok([0, 0, 1]);
        }
    };
    let mut runner = browsers::script("packages")?;
    runner.args(arguments);
    if all {
        runner.arg("--all");
    }
    if let Some(filter) = filter {
        runner.arg(format!("--filter={filter}"));
    }
    browsers::counts(&mut runner, "packages.json")
}
