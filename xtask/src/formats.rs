//! The module of the converters, `gambol-formats`, with glue of its own. A page loads it when it opens a file of another
//! format than glTF.
//!
//! ```text
//! target/web/formats/                  wasm-bindgen's output
//! www/gambol/src/pkg/formats-glue.js   the glue as a function that creates an instance
//! www/gambol/dist/gambol.formats.wasm  the module
//! ```
//!
//! The module that ships is compiled without SIMD, so that one serves all browsers.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::process::cargo;
use crate::wasm::{Kind, WITHOUT_SIMD};
use crate::{files, glue, paths, setup, wasm};

const PACKAGE: &str = "gambol-formats-web";

/// The declarations of the glue, before those of wasm-bindgen.
const GLUE_TYPES: &str = "import type * as converters from './formats-module.d.ts';

export default function instantiate(module: WebAssembly.Module): Promise<typeof converters>;
";

/// Builds the module and its glue; without FBX if there is no clang. Repeated calls without a change are quick.
pub(crate) fn build() -> Result<()> {
    let pkg = paths::package().join("src/pkg");
    let module = paths::package().join("dist/gambol.formats.wasm");
    let [script, types, declarations] =
        ["formats-glue.js", "formats-glue.d.ts", "formats-module.d.ts"].map(|name| pkg.join(name));
    let outputs = [&script, &types, &declarations, &module];
    bind("formats", setup::clang()?, &outputs, |out, bound| {
        if wasm::kind() == Kind::Shipped {
            wasm::optimise_without_simd(bound, &module)?;
        } else {
            files::copy(bound, &module)?;
        }
        let read = |name| files::read_text(&out.join(name));
        files::write(&script, glue::plain_factory(&read("formats.js")?)?)?;
        files::write(&types, GLUE_TYPES)?;
        files::write(&declarations, glue::declarations(&read("formats.d.ts")?)?)
    })
}

/// Builds the same module without FBX, only to know its size; returns its path.
pub(crate) fn build_without_fbx() -> Result<PathBuf> {
    let module = paths::work().join("formats-without-fbx.wasm");
    bind("formats-without-fbx", false, &[&module], |_, bound| wasm::optimise_without_simd(bound, &module))?;
    Ok(module)
}

/// Compiles the crate and runs wasm-bindgen in `target/web/NAME`; `finish` then creates the outputs from this folder and
/// the module in it. Does nothing if the outputs exist and nothing has changed.
fn bind(
    name: &str,
    fbx: bool,
    outputs: &[&PathBuf],
    finish: impl FnOnce(&Path, &Path) -> Result<()>,
) -> Result<()> {
    let bytes = files::read(&compile(fbx)?)?;
    let out = paths::work().join(name);
    let (stamp, wanted) = (out.join("stamp"), wasm::fingerprint(&bytes)?);
    let exist = outputs.iter().all(|file| file.is_file());
    if exist && fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    for folder in outputs.iter().filter_map(|file| file.parent()) {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    files::reset(&out)?;
    Bindgen::new()
        .input_bytes("formats", bytes)
        .web(true)?
        .omit_default_module_path(true)
        .typescript(true)
        .remove_producers_section(true)
        .generate_output()
        .context("wasm-bindgen failed")?
        .emit(&out)
        .context("cannot write what wasm-bindgen made")?;
    finish(&out, &out.join("formats_bg.wasm"))?;
    files::write(&stamp, wanted)
}

/// Compiles the crate; returns the module that Cargo wrote.
fn compile(fbx: bool) -> Result<PathBuf> {
    println!("Compiling the converters to WebAssembly{}", if fbx { "" } else { " without FBX" });
    let mut build = cargo();
    build.args(["build", "--package", PACKAGE, "--profile", wasm::kind().profile()]);
    if wasm::kind() == Kind::Shipped {
        build.args(["--config", &wasm::rustflags([WITHOUT_SIMD])]);
    }
    if fbx {
        build.args(["--features", "gambol-formats/fbx"]).env("CC_wasm32_unknown_unknown", "clang");
    }
    wasm::artifact(&mut build, PACKAGE)
}
