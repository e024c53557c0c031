//! The modules beside gambol's own, each with glue of its own: the converters (`gambol-formats`), which a page loads when it
//! opens a file of another format than glTF, the reader of OpenEXR (`exr`), and the tools (`gambol-tools`).
//!
//! ```text
//! target/web/NAME/                  the output of `xtask/bind`
//! www/gambol/src/pkg/NAME-glue.js   the glue as a function that creates an instance
//! www/gambol/dist/gambol.NAME.wasm  the module
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{cargo, command, run};
use crate::wasm::Kind;
use crate::{files, paths, programs, setup, wasm};

/// A module beside gambol's own.
struct Module {
    /// The name in paths.
    name: &'static str,
    /// The crate.
    package: &'static str,
    /// The contents, for messages.
    label: &'static str,
}

const FORMATS: Module = Module { name: "formats", package: "gambol-formats-web", label: "the converters" };
const EXR: Module = Module { name: "exr", package: "gambol-exr-web", label: "the reader of OpenEXR" };
const TOOLS: Module = Module { name: "tools", package: "gambol-tools-web", label: "the tools" };

/// The names of the scripts of the glue.
pub(crate) fn glue_files() -> [String; 3] {
    [FORMATS, EXR, TOOLS].map(|module| format!("{}-glue.js", module.name))
}

/// The names of the files that a page of the demo loads when it needs them.
pub(crate) fn demo_files() -> Vec<String> {
    let modules = [FORMATS, EXR, TOOLS].map(|module| format!("gambol.{}.wasm", module.name));
    glue_files().into_iter().chain(modules).collect()
}

/// Builds the modules and copies them into folders of the demo.
pub(crate) fn build_for_demo(folders: &[PathBuf]) -> Result<()> {
    build()?;
    let [pkg, dist] = ["src/pkg", "dist"].map(|folder| paths::package().join(folder));
    for name in demo_files() {
        let from = if name.ends_with(".js") { &pkg } else { &dist };
        folders.iter().try_for_each(|to| files::copy(&from.join(&name), &to.join(&name)))?;
    }
    Ok(())
}

/// Builds the modules and their glue; the converters without FBX if there is no clang. Repeated calls without a change
/// are quick.
pub(crate) fn build() -> Result<()> {
    ship(&FORMATS, setup::clang()?)?;
    ship(&EXR, false)?;
    ship(&TOOLS, false)
}

fn ship(module: &Module, fbx: bool) -> Result<()> {
    let name = module.name;
    let pkg = paths::package().join("src/pkg");
    let shipped = paths::package().join(format!("dist/gambol.{name}.wasm"));
    let [script, types, declarations] =
        ["glue.js", "glue.d.ts", "module.d.ts"].map(|end| pkg.join(format!("{name}-{end}")));
    let outputs = [&script, &types, &declarations, &shipped];
    bind(module, name, fbx, &outputs, |out, bound| {
        if wasm::kind() == Kind::Shipped {
            wasm::optimise(bound, &shipped)?;
        } else {
            files::copy(bound, &shipped)?;
        }
        files::copy(&out.join("glue.js"), &script)?;
        files::write(&types, glue_types(name))?;
        files::copy(&out.join("module.d.ts"), &declarations)
    })
}

/// The declarations of the glue, before those of wasm-bindgen.
fn glue_types(name: &str) -> String {
    format!(
        "import type * as exported from './{name}-module.d.ts';\n\n\
         export default function instantiate(module: WebAssembly.Module): Promise<typeof exported>;\n"
    )
}

/// Builds the converters without FBX, only to know their size; returns the path of the module.
pub(crate) fn build_without_fbx() -> Result<PathBuf> {
    let module = paths::work().join("formats-without-fbx.wasm");
    bind(&FORMATS, "formats-without-fbx", false, &[&module], |_, bound| wasm::optimise(bound, &module))?;
    Ok(module)
}

/// Compiles the crate and prepares the module in `target/web/FOLDER`; `finish` then creates the outputs from this folder and
/// the module in it. Does nothing if the outputs exist and nothing has changed.
fn bind(
    module: &Module,
    folder: &str,
    fbx: bool,
    outputs: &[&PathBuf],
    finish: impl FnOnce(&Path, &Path) -> Result<()>,
) -> Result<()> {
    let (compiled, programs) = (compile(module, fbx)?, programs::build()?);
    let out = paths::work().join(folder);
    let (stamp, wanted) = (out.join("stamp"), wasm::fingerprint(&files::read(&compiled)?, &programs)?);
    let exist = outputs.iter().all(|file| file.is_file());
    if exist && fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    for folder in outputs.iter().filter_map(|file| file.parent()) {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    files::reset(&out)?;
    run(command(programs.bind).args(["beside", module.name]).args([&compiled, &out]))?;
    finish(&out, &out.join(format!("{}_bg.wasm", module.name)))?;
    files::write(&stamp, wanted)
}

/// Compiles the crate; returns the module that Cargo wrote.
fn compile(module: &Module, fbx: bool) -> Result<PathBuf> {
    let without = if fbx || module.name != FORMATS.name { "" } else { " without FBX" };
    println!("Compiling {} to WebAssembly{without}", module.label);
    let mut build = cargo();
    build.args(["build", "--package", module.package, "--profile", wasm::kind().profile()]);
    if fbx {
        build.args(["--features", "gambol-formats/fbx"]).env("CC_wasm32_unknown_unknown", "clang");
    }
    wasm::artifact(&mut build, module.package)
}
