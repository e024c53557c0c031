//! The site, static, in `dist/site`: `www/demo` with its scripts bundled, the module, the sample characters, the examples, and the
//! API reference in `api`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::api::Age;
use crate::process::{command, npm_tool, run};
use crate::{api, bench_page, files, formats, optimize_table, package, paths, sample, wasm};

/// Folders of `www/demo` with the sources of pages.
const SOURCES: [&str; 6] = ["alive", "compare", "front", "inspect", "learn", "partials"];

/// Builds the site. Requires [`package::build`] before: the demo imports `gambol` as any site does.
pub(crate) fn build(reference: Age) -> Result<()> {
    println!("Building the demo site");
    let root = paths::root();
    let (from, to) = (root.join("www/demo"), paths::dist().join("site"));
    files::reset(&to)?;
    files::copy_tree(&from, &to, is_static)?;
    bench_page::fill(&to)?;
    optimize_table::fill(&to)?;
    run(command("node").arg("xtask/src/front.mjs").arg(&to))?;

    let metafile = paths::work().join("site-meta.json");
    let mut esbuild = npm_tool("esbuild");
    for entry in entries(&from)? {
        esbuild.arg(entry);
    }
    esbuild
        .args(["--bundle", "--splitting", "--format=esm", "--minify", "--sourcemap", "--charset=utf8"])
        .args([&package::target()?, "--chunk-names=[name]-[hash]", "--log-level=warning"])
        // The entries of the package import all of its shared scripts first, so that a browser fetches them in
        // parallel. In a bundle these imports have no purpose. For `node_modules` esbuild does not report them, but npm
        // links the package of this repository.
        .arg("--log-override:ignored-bare-import=silent")
        .args(["--jsx=automatic", "--jsx-import-source=preact"])
        // glTF Transform imports them in Node alone.
        .arg("--external:node:*")
        // `tsconfig.json` maps `gambol` to its sources for editors; a site uses the package.
        .arg("--tsconfig-raw={}")
        .arg(format!("--metafile={}", metafile.display()))
        .arg(format!("--outdir={}", to.display()));
    run(&mut esbuild)?;
    run(command("node").arg("xtask/src/licences.mjs").arg(&to).arg(&metafile))?;

    // The bundled package loads its module and its worker from the folder of the script that contains it.
    let dist = paths::package().join("dist");
    // Files that `cargo xtask demo` makes later.
    let later = if wasm::kind() == wasm::Kind::Quick { formats::demo_files() } else { Vec::new() };
    let is_later = |path: &Path| later.iter().any(|name| path.ends_with(name));
    for path in files::of_folder(&dist)?.into_iter().filter(|path| !is_later(path)) {
        if let Some(name) =
            path.file_name().filter(|&name| has_extension(&path, &["wasm"]) || name == "worker.js")
        {
            files::copy(&path, &to.join(name))?;
        }
    }
    // The examples need no bundler: they load the package's scripts from `../gambol/dist/`, as a copy of the package has them.
    files::copy_tree(&root.join("www/examples"), &to.join("examples"), is_static)?;
    files::copy_tree(&dist, &to.join("gambol/dist"), |path| {
        !has_extension(path, &["ts", "map"]) && !is_later(path)
    })?;
    api::write(&to.join("api"), reference)?;
    sample::write_all(&to)?;
    for script in ["learn", "compare-page", "partials", "offline"] {
        run(command("node").arg(format!("xtask/src/{script}.mjs")).arg(&to).arg(&metafile))?;
    }
    Ok(())
}

/// `true` for files that are neither sources nor npm's.
fn is_static(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    !has_extension(path, &["ts", "tsx"])
        && !["node_modules", "package.json", "README.md"].iter().any(|other| name == *other)
        && !SOURCES.iter().any(|other| name == *other)
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    path.extension().is_some_and(|extension| wanted.iter().any(|w| extension == OsStr::new(w)))
}

/// The scripts that pages load: the TypeScript files of the folder itself. Those of its folders are parts of them.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if has_extension(&path, &["ts"]) {
            entries.push(path);
        }
    }
    entries.sort();
    Ok(entries)
}
