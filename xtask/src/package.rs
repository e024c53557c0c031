//! TypeScript → the npm package.
//!
//! The entries are the `exports` of `www/gambol/package.json`: `./dist/NAME.js` there is bundled from
//! `www/gambol/src/NAME.ts`. What several entries share, and what `import()` loads later, becomes
//! `dist/NAME-HASH.js` beside them, so `new URL('./gambol.wasm', import.meta.url)` holds in every script.
//!
//! `www/gambol/dist` is where the repository itself finds the package (npm links it as `node_modules/gambol`);
//! `dist/gambol` is the copy that `npm publish` would send.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process::{npm_tool, run, run_quiet};
use crate::{decoders, files, paths};

/// The JavaScript that every browser with the features of `.cargo/config.toml` understands.
pub(crate) const TARGET: &str = "--target=es2022,chrome94,firefox100,safari16.4";

/// Bundles the package and assembles `dist/gambol`. Needs [`crate::wasm::build`] before.
pub(crate) fn build() -> Result<()> {
    let package = paths::package();
    let manifest = manifest()?;
    let entries = entries(&manifest);
    if entries.is_empty() {
        bail!("www/gambol/package.json exports no ./dist/*.js");
    }

    println!("Bundling the package: {}", entries.join(", "));
    let dist = package.join("dist");
    clean(&dist)?;
    let mut esbuild = npm_tool("esbuild");
    for entry in &entries {
        esbuild.arg(package.join("src").join(format!("{entry}.ts")));
    }
    esbuild
        .args([
            "--bundle",
            "--splitting",
            "--format=esm",
            "--minify",
            "--sourcemap",
            "--charset=utf8",
            TARGET,
        ])
        .args(["--chunk-names=[name]-[hash]", "--log-level=warning", "--loader:.css=text"])
        .arg(format!("--outdir={}", dist.display()))
        .arg(format!("--metafile={}", metafile().display()));
    esbuild.args(decoders::aliases()?);
    run(&mut esbuild)?;
    decoders::copy(&dist)?;

    run_quiet(npm_tool("tsc").args(["--project", "tsconfig.package.json"]))?;
    // Declarations may name types of the glue; tsc does not carry a .d.ts along by itself.
    files::copy(&package.join("src/pkg/gambol.d.ts"), &dist.join("pkg/gambol.d.ts"))?;
    assemble(&manifest)
}

/// Where esbuild says which script imports which; paths in it are relative to the repository.
pub(crate) fn metafile() -> std::path::PathBuf {
    paths::work().join("package.json")
}

/// The names of the entries: `index`, later `element` and others.
fn entries(manifest: &Value) -> Vec<String> {
    fn walk(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(path) => {
                let name = path.strip_prefix("./dist/").and_then(|path| path.strip_suffix(".js"));
                if let Some(name) = name.filter(|name| !name.contains('*')) {
                    found.push(name.to_owned());
                }
            }
            Value::Object(conditions) => conditions.values().for_each(|value| walk(value, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(&manifest["exports"], &mut found);
    found.sort();
    found.dedup();
    found
}

fn manifest() -> Result<Value> {
    let text = fs::read_to_string(paths::package().join("package.json"))
        .context("cannot read www/gambol/package.json")?;
    serde_json::from_str(&text).context("www/gambol/package.json is not JSON")
}

/// Removes what an earlier build left, so that no stale chunk ships; the module stays, it has its own stamp.
fn clean(dist: &Path) -> Result<()> {
    for entry in fs::read_dir(dist).context("www/gambol/dist is missing")? {
        let path = entry?.path();
        if path.is_dir() {
            fs::remove_dir_all(&path)?;
        } else if path.extension().is_none_or(|extension| extension != "wasm") {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Copies what ships to `dist/gambol`.
fn assemble(manifest: &Value) -> Result<()> {
    let (root, from, to) = (paths::root(), paths::package(), paths::dist().join("gambol"));
    files::reset(&to)?;
    for name in manifest["files"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let source = from.join(name);
        if source.is_dir() {
            files::copy_tree(&source, &to.join(name), |_| true)?;
        } else if source.is_file() {
            files::copy(&source, &to.join(name))?;
        }
    }
    for name in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        // The package's own text goes before the repository's.
        if let Some(source) = [from.join(name), root.join(name)].into_iter().find(|file| file.is_file()) {
            files::copy(&source, &to.join(name))?;
        }
    }
    files::copy(&from.join("package.json"), &to.join("package.json"))
}
