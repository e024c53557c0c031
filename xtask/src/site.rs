//! The site, static, in `dist/site`: `www/demo` with its scripts bundled, the module, the sample characters, the examples, and the
//! API reference in `api`.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::api::Age;
use crate::process::{command, npm_tool, run};
use crate::{api, bench_page, files, package, paths, sample};

/// Builds the site. Requires [`package::build`] before: the demo imports `gambol` as any site does.
pub(crate) fn build(reference: Age) -> Result<()> {
    println!("Building the demo site");
    let root = paths::root();
    let (from, to) = (root.join("www/demo"), paths::dist().join("site"));
    files::reset(&to)?;
    files::copy_tree(&from, &to, is_static)?;
    bench_page::fill(&to)?;
    run(command("node").arg("xtask/src/front.mjs").arg(&to))?;

    let scripts = scripts(&from)?;
    if scripts.is_empty() {
        bail!("no page of www/demo loads a script that is there as TypeScript");
    }
    let mut esbuild = npm_tool("esbuild");
    for script in &scripts {
        esbuild.arg(from.join(format!("{script}.ts")));
    }
    esbuild
        .args(["--bundle", "--splitting", "--format=esm", "--minify", "--sourcemap", "--charset=utf8"])
        .args([&package::target()?, "--chunk-names=[name]-[hash]", "--log-level=warning"])
        // The entries of the package import all of its shared scripts first, so that a browser fetches them in
        // parallel. In a bundle these imports have no purpose. For `node_modules` esbuild does not report them, but npm
        // links the package of this repository.
        .arg("--log-override:ignored-bare-import=silent")
        // `tsconfig.json` maps `gambol` to its sources for editors; a site uses the package.
        .arg("--tsconfig-raw={}")
        .arg(format!("--outdir={}", to.display()));
    run(&mut esbuild)?;

    // The bundled package loads its module from the folder of the script that contains it.
    let dist = paths::package().join("dist");
    for entry in fs::read_dir(&dist).context("www/gambol/dist is missing")? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|_| has_extension(&path, &["wasm"])) {
            files::copy(&path, &to.join(name))?;
        }
    }
    // The examples need no bundler: they load the package's scripts from `../gambol/dist/`, as a copy of the package has them.
    files::copy_tree(&root.join("www/examples"), &to.join("examples"), is_static)?;
    files::copy_tree(&dist, &to.join("gambol/dist"), |path| !has_extension(path, &["ts", "map"]))?;
    api::write(&to.join("api"), reference)?;
    sample::write_all(&to)
}

/// `true` for files that are neither sources nor npm's. The folder `front` has the sources of the front page.
fn is_static(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    !has_extension(path, &["ts"])
        && !["node_modules", "package.json", "README.md", "front"].iter().any(|other| name == *other)
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    path.extension().is_some_and(|extension| wanted.iter().any(|w| extension == OsStr::new(w)))
}

/// The scripts that a page loads: `NAME` if an HTML file names `NAME.js` and `NAME.ts` is in the folder.
fn scripts(folder: &Path) -> Result<Vec<String>> {
    let (mut pages, mut sources) = (String::new(), Vec::new());
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if has_extension(&path, &["html"]) {
            pages += &files::read_text(&path)?;
        } else if has_extension(&path, &["ts"])
            && let Some(name) = path.file_stem().and_then(OsStr::to_str)
        {
            sources.push(name.to_owned());
        }
    }
    sources
        .retain(|name| ["\"", "'", "/"].iter().any(|before| pages.contains(&format!("{before}{name}.js"))));
    sources.sort();
    Ok(sources)
}
