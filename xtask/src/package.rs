//! TypeScript → the npm package.
//!
//! The entries are the `exports` of `www/gambol/package.json`: `./dist/NAME.js` there is bundled from
//! `www/gambol/src/NAME.ts`. Code that several entries share, and code that `import()` loads later, becomes
//! `dist/NAME-HASH.js` beside them, regardless of the folder of its source. Thus `new URL('./gambol.wasm',
//! import.meta.url)` holds in every script. `dist/worker.js` is the script of `new Worker()`, `dist/wasm-inline.js`
//! contains the bytes of the module, and `dist/cdn/gambol-viewer.min.js` is the whole package in one file.
//! `dist/pip.glb` is a model to try. `dist/cli.js` is the command `gambol`, and `dist/cli-render.js` the script of its page; both import the entries by the
//! name of the package.
//!
//! The repository itself resolves the package to `www/gambol/dist` (npm links it as `node_modules/gambol`);
//! `dist/gambol` is the copy that `npm publish` would upload.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::process::{command, npm_tool, run, run_quiet};
use crate::{decoders, files, formats, notices, paths, sample};

/// The worker that renders: exported, so that bundlers find its address, and bundled separately.
const WORKER: &str = "worker";

/// The oldest browsers that scripts and styles are written for, in esbuild's words. `browserslist` in
/// `www/gambol/package.json` names them, and `tests/package/browsers.test.mjs` checks the code against them.
fn targets() -> Result<Vec<String>> {
    let manifest = manifest()?;
    let oldest = manifest["browserslist"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let engine = |query: &str| {
        let (name, version) = query
            .split_once(" >= ")
            .with_context(|| format!("`{query}` of browserslist has not the form `browser >= version`"))?;
        Ok(format!("{}{version}", if name == "ios_saf" { "ios" } else { name }))
    };
    std::iter::once(Ok("es2022".to_owned())).chain(oldest.map(engine)).collect()
}

/// [`targets`] as an option of esbuild's command.
pub(crate) fn target() -> Result<String> {
    Ok(format!("--target={}", targets()?.join(",")))
}

/// Bundles the package and assembles `dist/gambol`. Requires [`crate::wasm::build`] before.
pub(crate) fn build() -> Result<()> {
    let (dist, manifest) = (paths::package().join("dist"), manifest()?);
    // The scripts import its glue.
    formats::build()?;
    let entries = bundle(&manifest, false)?;
    sample::write_small(&dist)?;
    notices::write(&dist)?;

    declarations(&dist, &entries)?;
    if entries.iter().any(|entry| entry == "element") {
        describe_element(&dist)?;
    }
    assemble(&manifest)
}

/// Bundles only the files that pages load from the package: enough for the demo. Its pages import the glue of the modules of
/// [`formats`] when they need it.
pub(crate) fn build_scripts() -> Result<()> {
    bundle(&manifest()?, true).map(drop)
}

/// Bundles the scripts of the package, its workers and its decoders, see `bundle.mjs`; unless it is for the demo, also the
/// single file for pages without a bundler. Returns the names of its entries.
fn bundle(manifest: &Value, demo: bool) -> Result<Vec<String>> {
    let package = paths::package();
    let entries = entries(manifest);
    if entries.is_empty() {
        bail!("www/gambol/package.json exports no ./dist/*.js");
    }

    println!("Bundling the package: {}", entries.join(", "));
    let dist = package.join("dist");
    clean(&dist, manifest)?;
    let options = json!({
        "dist": dist, "work": paths::work(), "target": targets()?, "entries": entries, "alias": decoders::aliases()?,
        "one": !demo, "later": if demo { formats::glue_files().to_vec() } else { Vec::new() },
    });
    run(command("node").arg("xtask/src/bundle.mjs").arg(options.to_string()))?;
    files::copy(&package.join("src/pkg/inline.js"), &dist.join("wasm-inline.js"))?;
    files::copy(&package.join("schema/states.schema.json"), &dist.join("states.schema.json"))?;
    decoders::copy(&dist)?;
    for map in with_extension(&dist, "map")? {
        let text = files::read_text(&map)?;
        files::write(&map, without_others(&text).with_context(|| paths::shown(&map))?)?;
    }
    Ok(entries)
}

/// A source map without the text of sources that are not the package's own: npm packages and the glue of decoders. Their
/// names stay, in the list of sources that debuggers step over.
fn without_others(map: &str) -> Result<String> {
    let mut map: Value = serde_json::from_str(map).context("a source map is no JSON")?;
    let sources = map["sources"].as_array().into_iter().flatten().enumerate();
    let is_other = |source: &Value| {
        source.as_str().is_some_and(|path| path.contains("node_modules/") || path.contains("target/web/"))
    };
    let others: Vec<usize> = sources.filter(|(_, source)| is_other(source)).map(|(index, _)| index).collect();
    for &index in &others {
        map["sourcesContent"][index] = Value::Null;
    }
    if !others.is_empty() {
        map["ignoreList"] = others.into();
    }
    Ok(map.to_string())
}

/// Writes the declarations of the entries' exports, and removes those of internal modules.
fn declarations(dist: &Path, entries: &[String]) -> Result<()> {
    run_quiet(npm_tool("tsc").args(["--project", "tsconfig.package.json"]))?;
    let mut prune = command("node");
    prune.arg("xtask/src/declarations.mjs").arg(dist);
    run(prune.args(entries.iter().map(|entry| format!("{entry}.d.ts"))))
}

/// Writes data of the elements for editors and frameworks: the manifest, custom data of VS Code, and types for markup.
fn describe_element(dist: &Path) -> Result<()> {
    let mut manifest = command("node");
    run(manifest.arg("xtask/src/manifest.mjs").arg(dist).arg("docs/element.md"))?;
    let types = dist.join("types");
    files::copy_tree(&paths::package().join("types"), &types, |_| true)?;
    // `import 'gambol/react'` has only types, so an empty script runs.
    files::write(&types.join("none.js"), "export {};\n")
}

/// The files directly in a folder with an extension.
fn with_extension(folder: &Path, wanted: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    Ok(paths
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == wanted))
        .collect())
}

/// The path of esbuild's metafile of a script of the command line.
pub(crate) fn command_line_metafile(name: &str) -> PathBuf {
    paths::work().join(name).with_extension("json")
}

/// The path of esbuild's metafile, which lists the imports of each script; its paths are relative to the repository.
pub(crate) fn metafile() -> std::path::PathBuf {
    paths::work().join("package.json")
}

/// The names of the entries, such as `index` and `element`.
fn entries(manifest: &Value) -> Vec<String> {
    let targets = targets_of(&manifest["exports"]).into_iter();
    let names = targets.filter_map(|path| path.strip_prefix("./dist/")?.strip_suffix(".js"));
    let names: BTreeSet<_> = names.filter(|name| !name.contains(['*', '/']) && *name != WORKER).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// The files that `exports` of the manifest names, relative to the package.
pub(crate) fn exported() -> Result<Vec<String>> {
    let manifest = manifest()?;
    let targets = targets_of(&manifest["exports"]).into_iter();
    Ok(targets.map(|path| path.trim_start_matches("./").to_owned()).collect())
}

/// The paths in `exports`, under all conditions.
fn targets_of(exports: &Value) -> Vec<&str> {
    match exports {
        Value::String(path) => vec![path],
        Value::Object(conditions) => conditions.values().flat_map(targets_of).collect(),
        _ => Vec::new(),
    }
}

fn manifest() -> Result<Value> {
    let text = files::read_text(&paths::package().join("package.json"))?;
    serde_json::from_str(&text).context("www/gambol/package.json is not JSON")
}

/// Removes the output of an earlier build, so that no stale file ships. The modules that the package exports stay; they have
/// stamps of their own.
fn clean(dist: &Path, manifest: &Value) -> Result<()> {
    let targets = targets_of(&manifest["exports"]);
    let modules: BTreeSet<_> = targets
        .iter()
        .filter(|path| path.ends_with(".wasm"))
        .filter_map(|path| Path::new(path).file_name())
        .collect();
    for entry in fs::read_dir(dist).context("www/gambol/dist is missing")? {
        let path = entry?.path();
        if path.is_dir() {
            fs::remove_dir_all(&path)?;
        } else if path.file_name().is_none_or(|name| !modules.contains(name)) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Copies the published files to `dist/gambol`.
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
        // The package's own file takes precedence over the repository's.
        if let Some(source) = [from.join(name), root.join(name)].into_iter().find(|file| file.is_file()) {
            files::copy(&source, &to.join(name))?;
        }
    }
    files::copy(&from.join("package.json"), &to.join("package.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_source_maps_have_the_text_of_own_sources_alone() -> Result<()> {
        let map = r#"{"version":3,"sources":["../src/a.ts","../../../node_modules/fflate/b.js","../../target/web/draco.mjs"],
            "sourcesContent":["a","b","c"],"mappings":"AAAA"}"#;
        let made: Value = serde_json::from_str(&without_others(map)?)?;
        assert_eq!(made["sourcesContent"], serde_json::json!(["a", null, null]));
        assert_eq!((&made["ignoreList"], &made["mappings"]), (&serde_json::json!([1, 2]), &"AAAA".into()));
        let own = r#"{"sources":["../src/a.ts"],"sourcesContent":["a"]}"#;
        assert_eq!(
            serde_json::from_str::<Value>(&without_others(own)?)?,
            serde_json::from_str::<Value>(own)?
        );
        assert!(without_others("no JSON").is_err());
        Ok(())
    }
}
