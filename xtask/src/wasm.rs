//! Rust → WebAssembly as it ships: Cargo (profile `wasm`) → wasm-bindgen → wasm-opt.
//!
//! ```text
//! target/web/<name>/            wasm-bindgen's output and wasm-opt's, per module
//! www/gambol/src/pkg/gambol.js  the glue that the TypeScript sources import, and its gambol.d.ts
//! www/gambol/dist/gambol.wasm   the module, beside the scripts that load it
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, anyhow, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::paths;
use crate::process::{cargo, npm_tool, run_quiet};
use crate::setup::hash;

/// How wasm-opt is called: the features of `.cargo/config.toml`, and no merging of the kernels.
const WASM_OPT: &[&str] = &[
    "-Os",
    // By default a function with one caller is inlined into it whatever its size. That merges the animation
    // kernels into one huge function, for which V8 allocates registers badly: up to 35 % slower.
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

/// The flags of `.cargo/config.toml` but for SIMD.
const WITHOUT_SIMD: &str = "-C target-feature=+bulk-memory,+nontrapping-fptoint,+sign-ext,+mutable-globals,\
                            +reference-types,+multivalue";

/// Builds the module that ships, with its glue. Repeated calls without a change are quick.
pub(crate) fn build() -> Result<()> {
    let module = compile("gambol", None)?;
    let out = paths::work().join("gambol");
    let bytes = fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    let dist = paths::package().join("dist");
    let pkg = paths::package().join("src/pkg");
    let wasm = dist.join("gambol.wasm");
    let stamp = out.join("stamp");
    let wanted = fingerprint(&bytes)?;
    let outputs = [wasm.clone(), pkg.join("gambol.js"), pkg.join("gambol.d.ts")];
    if outputs.iter().all(|file| file.is_file()) && fs::read_to_string(&stamp).is_ok_and(|s| s == wanted) {
        return Ok(());
    }

    let _ = fs::remove_dir_all(&out);
    for folder in [&out, &dist, &pkg] {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    Bindgen::new()
        .input_bytes("gambol", bytes)
        .web(true)?
        .typescript(true)
        // The package says itself where the module lies; a second default path would confuse bundlers.
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&out)
        .context("wasm-bindgen failed")?;
    optimise(&out.join("gambol_bg.wasm"), &wasm)?;
    for file in ["gambol.js", "gambol.d.ts"] {
        fs::copy(out.join(file), pkg.join(file)).with_context(|| format!("cannot copy {file}"))?;
    }
    fs::write(&stamp, wanted).context("cannot write the build stamp")
}

/// Builds the benchmark module in the same way, without glue; returns where it lies.
pub(crate) fn build_bench() -> Result<PathBuf> {
    let module = compile("gambol-bench-wasm", None)?;
    let out = paths::work().join("bench");
    fs::create_dir_all(&out).with_context(|| format!("cannot create {}", out.display()))?;
    let wasm = out.join("gambol_bench.wasm");
    optimise(&module, &wasm)?;
    Ok(wasm)
}

/// Builds `tests/pose_hash` in the same way, once with SIMD and once without; returns where the two lie.
pub(crate) fn build_pose_hash() -> Result<[PathBuf; 2]> {
    let out = paths::work().join("pose-hash");
    fs::create_dir_all(&out).with_context(|| format!("cannot create {}", out.display()))?;
    let build = |name: &str, flags: Option<&str>| -> Result<PathBuf> {
        let module = compile("gambol-pose-hash", flags)?;
        let wasm = out.join(name);
        optimise(&module, &wasm)?;
        Ok(wasm)
    };
    Ok([build("simd.wasm", None)?, build("scalar.wasm", Some(WITHOUT_SIMD))?])
}

/// Compiles one cdylib of the workspace for wasm32; returns the module Cargo wrote. `flags` take the place of those
/// in `.cargo/config.toml`.
fn compile(package: &str, flags: Option<&str>) -> Result<PathBuf> {
    println!("Compiling {package} to WebAssembly{}", if flags.is_some() { " without SIMD" } else { "" });
    let mut build = cargo();
    build
        .args(["build", "--package", package, "--lib", "--profile", "wasm"])
        .args(["--target", "wasm32-unknown-unknown", "--message-format", "json-render-diagnostics"])
        // These would replace the flags of `.cargo/config.toml`, and with them SIMD.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    if let Some(flags) = flags {
        build.env("RUSTFLAGS", flags);
    }
    let output = build.output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("{package} does not compile to WebAssembly");
    }
    let name = package.replace('-', "_");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact" && message["target"]["name"] == name)
        .filter_map(|message| message["filenames"].as_array().cloned())
        .flatten()
        .filter_map(|file| file.as_str().map(PathBuf::from))
        .find(|file| file.extension().is_some_and(|extension| extension == "wasm"))
        .ok_or_else(|| anyhow!("cargo built {package} but names no .wasm file"))
}

fn optimise(from: &Path, to: &Path) -> Result<()> {
    println!("Optimising {}", paths::shown(to));
    run_quiet(npm_tool("wasm-opt").args(WASM_OPT).arg(from).arg("-o").arg(to))
}

/// Changes when the module, this program or one of the tools does.
fn fingerprint(module: &[u8]) -> Result<String> {
    let lock = fs::read(paths::root().join("package-lock.json")).context("cannot read package-lock.json")?;
    let this = std::env::current_exe().and_then(fs::metadata).and_then(|file| file.modified()).ok();
    Ok(format!("{:016x}", hash(&(module, lock, WASM_OPT, this))))
}
