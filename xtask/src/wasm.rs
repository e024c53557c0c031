//! Rust → WebAssembly as it ships: Cargo (profile `wasm`) → wasm-bindgen → wasm-opt.
//!
//! ```text
//! target/web/<name>/                the output of `xtask/bind`, per module
//! www/gambol/src/pkg/glue.js        the glue that the TypeScript sources import, of `xtask/bind`
//! www/gambol/src/pkg/module.d.ts    its declarations
//! www/gambol/src/pkg/inline.js      the bytes of all modules as text, for bundles that lose the files beside scripts
//! www/gambol/dist/gambol.wasm       the module, beside the scripts that load it
//! www/gambol/dist/gambol.NAME.wasm  the module of each feature, and `humanoid`, which some of them share, see `FEATURES`
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result, bail};

use crate::process::{both, built, cargo, command, npm_tool, run, run_quiet};
use crate::programs::{Programs, modified};
use crate::setup::hash;
use crate::{files, paths, programs, setup};

/// The crate of the module.
const PACKAGE: &str = "gambol-web";

/// The options of wasm-opt: the features of `.cargo/config.toml`, and limited inlining, which keeps the kernels apart.
const WASM_OPT: &[&str] = &[
    "-Os",
    // By default a function with a single caller is inlined, regardless of its size. That merges the animation kernels
    // into one huge function, for which V8 allocates registers badly: up to 35 % slower.
    "--one-caller-inline-max-function-size=16",
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

/// The toolchain that compiles the shipped module, with a std that is optimised for size. Nothing else needs it.
const NIGHTLY: &str = "nightly-2026-05-20";

/// The compiler flags of the shipped module: a panic traps immediately, without a message.
const ABORT: &[&str] =
    &["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none", "-Zfmt-debug=none"];

/// The linker flag for modules that are split: the linker keeps relocations, the addresses of functions and data.
const RELOCATIONS: &str = "-Clink-arg=--emit-relocs";

/// The TypeScript declarations of the glue.
const GLUE_TYPES: &str = "import type * as module from './module.d.ts';

export type Exports = typeof module;
export default function instantiate(
  module: WebAssembly.Module, watched: (exports: WebAssembly.Exports) => WebAssembly.Exports, registry: unknown,
  notUsed: (feature: module.Feature) => unknown,
): Promise<Exports & { featureImports: WebAssembly.Imports }>;
";

/// The declarations of `inline.js`.
const INLINE_TYPES: &str = "declare const text: string;
export default text;
export declare const features: Record<string, string>;
";

/// The features, in the words of `src/web/features.rs`. Each has a module.
const FEATURES: [&str; 10] = [
    "body",
    "crowds",
    "decoding",
    "extras",
    "faces",
    "light",
    "materials",
    "picking",
    "retargeting",
    "states",
];

/// The module that some features share. It starts before them.
const HUMANOID: &str = "humanoid";

/// The kinds of module that [`build`] makes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The module that ships.
    Shipped,
    /// A module with internal checks: much larger and slower, in one part.
    Checked,
    /// A module that compiles quickly, for the demo: in one part, not optimised for size.
    Quick,
}

impl Kind {
    /// The Cargo profile.
    pub(crate) fn profile(self) -> &'static str {
        match self {
            Self::Shipped => "wasm",
            Self::Checked => "checked",
            Self::Quick => "demo",
        }
    }
}

/// The kind that this run builds; [`Kind::Shipped`] unless set.
static KIND: OnceLock<Kind> = OnceLock::new();

/// An empty module, which takes the place of a feature's module if the first one contains all code.
const EMPTY: &[u8] = b"\0asm\x01\0\0\0";

/// Sets the kind of module that [`build`] builds; only the first call of a run counts.
pub(crate) fn choose(kind: Kind) {
    let _ = KIND.set(kind);
}

/// The kind that this run builds.
pub(crate) fn kind() -> Kind {
    KIND.get().copied().unwrap_or(Kind::Shipped)
}

/// Builds the module and its glue. Repeated calls without a change are quick.
pub(crate) fn build() -> Result<()> {
    let pkg = paths::package().join("src/pkg");
    let wasm = paths::package().join("dist/gambol.wasm");
    let scripts = ["glue.js", "module.d.ts", "inline.js"].map(|name| pkg.join(name));
    let others = others().map(|name| (name, wasm.with_extension(format!("{name}.wasm"))));
    let outputs = scripts.into_iter().chain([wasm.clone()]).chain(others.iter().map(|(_, to)| to.clone()));
    bind(&Vec::from_iter(outputs), |out| {
        fs::create_dir_all(&pkg).with_context(|| format!("cannot create {}", pkg.display()))?;
        if kind() != Kind::Shipped {
            files::write(&wasm, files::read(&out.join("gambol_bg.wasm"))?)?;
            others.iter().try_for_each(|(_, to)| files::write(to, EMPTY))?;
        } else {
            let other = others.iter().map(|(name, to)| (out.join(format!("{name}.wasm")), to.clone()));
            optimise_all([(out.join("gambol_bg.wasm"), wasm.clone())].into_iter().chain(other))?;
        }
        files::copy(&out.join("glue.js"), &pkg.join("glue.js"))?;
        files::write(&pkg.join("inline.js"), inline(&wasm, &others)?)?;
        files::copy(&out.join("module.d.ts"), &pkg.join("module.d.ts"))?;
        files::write(&pkg.join("glue.d.ts"), GLUE_TYPES)?;
        files::write(&pkg.join("inline.d.ts"), INLINE_TYPES)
    })
}

/// The names of the modules beside `gambol.wasm`.
fn others() -> [&'static str; FEATURES.len() + 1] {
    std::array::from_fn(|at| FEATURES.get(at).copied().unwrap_or(HUMANOID))
}

/// Installs and compiles what is missing, and prepares the module in `target/web/gambol`; `finish` then creates the outputs from the files
/// there. Does nothing if the outputs exist and nothing has changed.
fn bind(outputs: &[PathBuf], finish: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    same_versions(&files::read_text(&paths::root().join("Cargo.lock"))?)?;
    setup::wasm_target()?;
    let (module, programs) = both(
        || compile(PACKAGE),
        || {
            setup::npm_packages()?;
            programs::build()
        },
    )?;
    let out = paths::work().join("gambol");
    let stamp = out.join("stamp");
    let wanted = fingerprint(&files::read(&module)?, &programs)?;
    if outputs.iter().all(|file| file.is_file()) && fs::read_to_string(&stamp).is_ok_and(|s| s == wanted) {
        return Ok(());
    }
    for folder in [&out, &paths::package().join("dist")] {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    files::reset(&out)?;
    let form = if kind() == Kind::Shipped { "split" } else { "one" };
    run(command(programs.bind).args([form, "gambol"]).args([&module, &out]).args(FEATURES))?;
    finish(&out)?;
    fs::write(&stamp, wanted).context("cannot write the build stamp")
}

/// Checks that the lock file has the crate of wasm-bindgen and its tool in one version: only the same version of the
/// tool is sure to read the data that the crate writes into the module.
fn same_versions(lock: &str) -> Result<()> {
    let version = |name: &str| -> Result<&str> {
        let package = lock.split(&format!("name = \"{name}\"\nversion = \"")).nth(1);
        let version = package.and_then(|rest| rest.split('"').next());
        version.with_context(|| format!("Cargo.lock has no {name}"))
    };
    let [library, tool] = [version("wasm-bindgen")?, version("wasm-bindgen-cli-support")?];
    if library != tool {
        bail!(
            "wasm-bindgen is {library} and wasm-bindgen-cli-support is {tool}, but they have to be of one version: run \
             `cargo update wasm-bindgen --precise {tool}` or `cargo update wasm-bindgen-cli-support --precise {library}`"
        );
    }
    Ok(())
}

/// Optimises modules, two at a time: each from one path to another.
fn optimise_all(modules: impl Iterator<Item = (PathBuf, PathBuf)> + Send) -> Result<()> {
    let waiting = Mutex::new(modules);
    let work = || -> Result<()> {
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((from, to)) = next else { return Ok(()) };
            optimise(&from, &to)?;
        }
    };
    both(work, work).map(drop)
}

/// Encodes modules as a script. With compression this text is hardly larger than the bytes, unlike base64, since each
/// byte is one character. The character's code is the byte plus 32, which avoids most characters that scripts must
/// escape.
fn inline(wasm: &Path, others: &[(&str, PathBuf)]) -> Result<String> {
    let text = |path: &Path| -> Result<String> {
        let bytes = files::read(path)?;
        let mut text = String::with_capacity(2 * bytes.len());
        for byte in bytes {
            let character = char::from_u32(u32::from(byte) + 32).unwrap_or_default();
            if character == '"' || character == '\\' {
                text.push('\\');
            }
            text.push(character);
        }
        Ok(text)
    };
    let mut script = format!(
        "// The bytes of gambol.wasm and of the modules of features, each a character that is 32 higher.
export default \"{}\";
export const features = {{
",
        text(wasm)?
    );
    for (name, path) in others {
        script += &format!("  {name}: \"{}\",\n", text(path)?);
    }
    Ok(script + "};\n")
}

/// Builds the benchmark module in the same way, without glue; returns its path.
pub(crate) fn build_bench() -> Result<PathBuf> {
    let module = compile("gambol-bench-wasm")?;
    let out = paths::work().join("bench");
    fs::create_dir_all(&out).with_context(|| format!("cannot create {}", out.display()))?;
    let wasm = out.join("gambol_bench.wasm");
    optimise(&module, &wasm)?;
    Ok(wasm)
}

/// `true` if modules are compiled as for shipping, with a std that is optimised for size.
pub(crate) fn small() -> bool {
    kind() == Kind::Shipped && setup::nightly(NIGHTLY)
}

/// Compiles one cdylib of the workspace for wasm32; returns the module Cargo wrote.
fn compile(package: &str) -> Result<PathBuf> {
    println!("Compiling {package} to WebAssembly");
    let small = small();
    let mut build = if small { command("cargo") } else { cargo() };
    if small {
        build.arg(format!("+{NIGHTLY}")).env_remove("RUSTC").env_remove("RUSTUP_TOOLCHAIN");
    }
    build.args(["build", "--package", package, "--profile", kind().profile()]);
    if small {
        // In code that is optimised for size, std's own sorts and formatting were a tenth of the size.
        build.args(["-Z", "build-std=std,panic_abort", "-Z", "build-std-features=optimize_for_size"]);
        build.arg("--target-dir").arg(paths::work().join("nightly"));
    }
    let split = package == PACKAGE && kind() == Kind::Shipped;
    if split {
        build.args(["--features", "split"]);
    }
    let flags = small.then_some(ABORT).into_iter().flatten().copied();
    let flags = flags.chain(split.then_some(RELOCATIONS));
    artifact(build.args(["--config", &rustflags(flags)]), package)
}

/// The option of Cargo that appends these flags to those of `.cargo/config.toml`.
pub(crate) fn rustflags<'a>(flags: impl IntoIterator<Item = &'a str>) -> String {
    format!("target.wasm32-unknown-unknown.rustflags={:?}", Vec::from_iter(flags))
}

/// Runs a `cargo build` for wasm32; returns the module of the package that Cargo wrote.
pub(crate) fn artifact(build: &mut Command, package: &str) -> Result<PathBuf> {
    build
        .args(["--target", "wasm32-unknown-unknown"])
        // These would replace the flags of `.cargo/config.toml`.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    let name = format!("{}.wasm", package.replace('-', "_"));
    let files = built(build).with_context(|| format!("{package} does not compile to WebAssembly"))?;
    files
        .into_iter()
        .find(|file| file.file_name() == Some(name.as_ref()))
        .with_context(|| format!("cargo built {package} but names no {name}"))
}

/// Optimises a module with wasm-opt.
pub(crate) fn optimise(from: &Path, to: &Path) -> Result<()> {
    println!("Optimising {}", paths::shown(to));
    run_quiet(npm_tool("wasm-opt").args(WASM_OPT).arg(from).arg("-o").arg(to))
}

/// A hash of the module, the programs that prepare it, the lock file of the tools and the options of wasm-opt.
pub(crate) fn fingerprint(module: &[u8], programs: &Programs) -> Result<String> {
    let lock = files::read(&paths::root().join("package-lock.json"))?;
    let this = std::env::current_exe().ok().and_then(|file| modified(&file));
    Ok(format!("{:016x}", hash(&(module, lock, WASM_OPT, this, modified(&programs.bind)))))
}

#[cfg(test)]
mod tests {
    use super::same_versions;

    #[test]
    fn wasm_bindgen_versions_must_be_equal() {
        let lock = |tool: &str| {
            format!(
                "[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n\n\
                 [[package]]\nname = \"wasm-bindgen-cli-support\"\nversion = \"{tool}\"\n"
            )
        };
        assert!(same_versions(&lock("0.2.130")).is_ok());
        let error = same_versions(&lock("0.2.131")).expect_err("they differ").to_string();
        assert!(error.contains("0.2.130") && error.contains("0.2.131"), "{error}");
        assert!(same_versions("").is_err());
    }
}
