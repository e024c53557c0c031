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

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process::{capture, command, npm_tool, run, run_quiet};
use crate::{decoders, files, formats, notices, paths, sample};

/// The worker that renders: exported, so that bundlers find its address, and bundled separately.
const WORKER: &str = "worker";

/// The oldest browsers that scripts and styles are written for, as esbuild's `--target`. `browserslist` in
/// `www/gambol/package.json` names them, and `tests/package/browsers.test.mjs` checks the code against them.
pub(crate) fn target() -> Result<String> {
    let manifest = manifest()?;
    let oldest = manifest["browserslist"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let engines: Vec<_> = oldest
        .map(|query| {
            let (name, version) = query.split_once(" >= ").with_context(|| {
                format!("`{query}` of browserslist has not the form `browser >= version`")
            })?;
            Ok(format!("{}{version}", if name == "ios_saf" { "ios" } else { name }))
        })
        .collect::<Result<_>>()?;
    Ok(format!("--target=es2022,{}", engines.join(",")))
}

/// Bundles the package and assembles `dist/gambol`. Requires [`crate::wasm::build`] before.
pub(crate) fn build() -> Result<()> {
    let (dist, manifest) = (paths::package().join("dist"), manifest()?);
    let entries = bundle(&manifest)?;
    sample::write_small(&dist)?;
    notices::write(&dist)?;
    one_file(&dist)?;

    declarations(&dist, &entries)?;
    if entries.iter().any(|entry| entry == "element") {
        describe_element(&dist)?;
    }
    assemble(&manifest)
}

/// Bundles only the files that pages load from the package: enough for the demo.
pub(crate) fn build_scripts() -> Result<()> {
    bundle(&manifest()?).map(drop)
}

/// Bundles the scripts of the package, its workers and its decoders; returns the names of its entries.
fn bundle(manifest: &Value) -> Result<Vec<String>> {
    let package = paths::package();
    let entries = entries(manifest);
    if entries.is_empty() {
        bail!("www/gambol/package.json exports no ./dist/*.js");
    }

    // The scripts import its glue.
    formats::build()?;
    println!("Bundling the package: {}", entries.join(", "));
    let dist = package.join("dist");
    clean(&dist)?;
    let mut esbuild = esbuild(&metafile())?;
    for entry in &entries {
        esbuild.arg(package.join("src").join(format!("{entry}.ts")));
    }
    esbuild.args(["--splitting", "--format=esm", "--sourcemap", "--chunk-names=[name]-[hash]"]);
    esbuild.args(["--define:ONE_FILE=false", "--external:./www/gambol/src/pkg/inline.js"]);
    run(esbuild.arg(format!("--outdir={}", dist.display())))?;
    files::copy(&package.join("src/pkg/inline.js"), &dist.join("wasm-inline.js"))?;
    if !relink(&scripts(&dist)?, "inline.js", "./wasm-inline.js")? {
        bail!("no script of the package names the bytes of the module");
    }
    files::copy(&package.join("schema/states.schema.json"), &dist.join("states.schema.json"))?;
    minify_styles(&scripts(&dist)?)?;
    decoders::copy(&dist)?;
    worker(&dist)?;
    command_line(&dist)?;
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

/// Bundles the command `gambol` for Node, and the script of the page that draws for it.
fn command_line(dist: &Path) -> Result<()> {
    let folder = paths::package().join("src/cli");
    for (source, name, platform) in
        [("cli.ts", "cli", "--platform=node"), ("browser/page.ts", "cli-render", "--platform=browser")]
    {
        let mut esbuild = npm_tool("esbuild");
        esbuild
            .arg(folder.join(source))
            .args([
                "--bundle",
                "--minify",
                "--charset=utf8",
                "--log-level=warning",
                "--format=esm",
                "--sourcemap",
            ])
            .args([platform, "--external:gambol/*", "--external:gambol"])
            .arg(target()?)
            .arg(format!("--metafile={}", command_line_metafile(name).display()))
            .arg(format!("--outfile={}", dist.join(name).with_extension("js").display()));
        run(&mut esbuild)?;
    }
    Ok(())
}

/// An esbuild command with the options that all bundles of the package share.
fn esbuild(metafile: &Path) -> Result<Command> {
    let mut esbuild = npm_tool("esbuild");
    esbuild
        .args(["--bundle", "--minify", "--charset=utf8", "--log-level=warning", "--loader:.css=text"])
        .arg(target()?)
        .arg(format!("--metafile={}", metafile.display()))
        // The decoders check for Node's `process`, for which some bundlers would add a polyfill.
        .arg("--define:process=undefined")
        .args(decoders::aliases()?);
    Ok(esbuild)
}

/// Bundles the worker that renders: a script without imports and `import.meta`, since some bundlers copy it as it is, and some
/// emit worker scripts that cannot have any.
fn worker(dist: &Path) -> Result<()> {
    let mut esbuild = esbuild(&paths::work().join("worker.json"))?;
    esbuild.arg(paths::package().join("src/worker/worker.ts")).args(["--format=esm", "--sourcemap"]);
    esbuild.arg("--define:import.meta.url=location.href");
    run(esbuild.arg(format!("--outfile={}", dist.join("worker.js").display())))
}

/// Bundles the package into one classic script, also for pages that are opened as files. Only decoders, converters and encoders stay outside: in
/// a package they are one folder up, with the other scripts and modules.
fn one_file(dist: &Path) -> Result<()> {
    let to = dist.join("cdn/gambol-viewer.min.js");
    let metafile = paths::work().join("cdn.json");
    let mut esbuild = esbuild(&metafile)?;
    esbuild
        .arg(paths::package().join("src/cdn.ts"))
        .args(["--format=iife", "--define:ONE_FILE=true", "--define:import.meta.url=gambolFolder"])
        // A module has no `currentScript`, and a classic script must not contain `import.meta`.
        .arg(
            "--banner:js=var gambolFolder=new URL('../',(document.currentScript\
             ||document.querySelector('script[src*=\"gambol-viewer\"]')||{}).src||document.baseURI).href;",
        )
        .arg(format!("--outfile={}", to.display()));
    let scripts = [
        ("draco", "load/draco.ts"),
        ("ktx2", "load/ktx2.ts"),
        ("convert", "formats/convert.ts"),
        ("crowd-levels", "api/crowd-levels.ts"),
        ("archive", "record/archive.ts"),
        ("gif", "record/gif.ts"),
        ("video", "record/video.ts"),
    ];
    for (_, source) in scripts {
        esbuild.arg(format!("--external:./www/gambol/src/{source}"));
    }
    run(&mut esbuild)?;
    minify_styles(std::slice::from_ref(&to))?;
    for (name, source) in scripts {
        if !relink(std::slice::from_ref(&to), source, &format!("../{}", chunk(dist, name)?))? {
            bail!("the one file does not name {source}");
        }
    }
    Ok(())
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

/// The file name of the script `NAME-HASH.js`.
fn chunk(dist: &Path, name: &str) -> Result<String> {
    let names = scripts(dist)?.into_iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let prefix = format!("{name}-");
    names
        .into_iter()
        .find(|file| file.starts_with(&prefix))
        .with_context(|| format!("the package has no chunk {name}"))
}

/// The scripts directly in a folder.
fn scripts(folder: &Path) -> Result<Vec<PathBuf>> {
    with_extension(folder, "js")
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

/// Redirects `import("…/NAME")` to `to`: esbuild has left the import as it was, since that script is outside of the
/// bundle. Returns `true` if any script has the import.
fn relink(scripts: &[PathBuf], name: &str, to: &str) -> Result<bool> {
    let mut found = false;
    for script in scripts {
        let text = files::read_text(script)?;
        let end = format!("/{name}\")");
        let Some(at) = text.find(&end) else { continue };
        let begin = text[..at].rfind("import(\"").context("esbuild writes imports in another way now")?;
        let text = [&text[..begin], "import(\"", to, "\")", &text[at + end.len()..]].concat();
        if text.contains(&end) {
            bail!("{} imports {name} in two places", paths::shown(script));
        }
        files::write(script, text)?;
        found = true;
    }
    Ok(found)
}

/// Minifies the style sheets that esbuild has put into scripts unchanged. Line numbers are preserved for source maps.
fn minify_styles(scripts: &[PathBuf]) -> Result<()> {
    let target = target()?;
    for name in ["base/style.css", "bar/controls.css"] {
        let sheet = paths::package().join("src/element").join(name);
        let text = files::read_text(&sheet)?;
        let short =
            capture(npm_tool("esbuild").args(["--minify", "--log-level=warning", &target]).arg(&sheet))?;
        let short = short.trim_end().to_owned() + &"\n".repeat(text.matches('\n').count());
        let mut found = false;
        for script in scripts {
            let old = files::read_text(script)?;
            if old.contains(&text) {
                files::write(script, old.replace(&text, &short))?;
                found = true;
            }
        }
        if !found || short.contains(['`', '\\', '$']) {
            bail!("{name} is not in the package as it is");
        }
    }
    Ok(())
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
    fn walk(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(path) => {
                let name = path.strip_prefix("./dist/").and_then(|path| path.strip_suffix(".js"));
                if let Some(name) = name.filter(|name| !name.contains(['*', '/']) && *name != WORKER) {
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
    let text = files::read_text(&paths::package().join("package.json"))?;
    serde_json::from_str(&text).context("www/gambol/package.json is not JSON")
}

/// Removes the output of an earlier build, so that no stale chunk ships. The module stays; it has its own stamp.
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
