//! Installs the requirements that a machine with only Rust and Node lacks: the wasm32 target, rustfmt and clippy, the
//! npm packages.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result, bail};

use crate::process::{capture, cargo, command, run, run_quiet, which};
use crate::{files, paths};

/// The oldest supported version of Node.
const NODE: u32 = 20;

/// Installs everything that a build needs.
pub(crate) fn for_build() -> Result<()> {
    wasm_target()?;
    npm_packages()
}

/// Installs the wasm32 target of the toolchain in use.
pub(crate) fn wasm_target() -> Result<()> {
    let sysroot = capture(command("rustc").args(["--print", "sysroot"]))?;
    let installed = Path::new(sysroot.trim()).join("lib/rustlib/wasm32-unknown-unknown/lib").is_dir();
    if installed {
        return Ok(());
    }
    if which("rustup").is_none() {
        bail!(
            "this Rust cannot compile to WebAssembly: add its target wasm32-unknown-unknown, or use rustup"
        );
    }
    println!("Adding the Rust target wasm32-unknown-unknown");
    run(command("rustup").args(["target", "add", "wasm32-unknown-unknown"]))
}

/// Installs the toolchain `name` with the sources of std if needed; `true` if it is available. A message reports a
/// failure.
pub(crate) fn nightly(name: &str) -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    let installed = || {
        let sysroot = capture(command("rustup").args(["run", name, "rustc", "--print", "sysroot"]));
        sysroot
            .is_ok_and(|sysroot| Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/std").is_dir())
    };
    let install = || {
        println!("Installing Rust {name}, which compiles the module that ships");
        let parts = ["--profile", "minimal", "--component", "rust-src"];
        run_quiet(command("rustup").args(["toolchain", "install", name]).args(parts)).is_ok()
    };
    *FOUND.get_or_init(|| {
        let found = installed() || install();
        if !found {
            println!("Rust {name} cannot be had: the toolchain in use compiles the module, which is larger than the one that ships");
        }
        found
    })
}

/// Installs the missing ones of these packages of Debian, if this process may: as root. Never fails; packages that could
/// not be installed are printed.
pub(crate) fn debian_packages(packages: &[&str]) {
    if !cfg!(target_os = "linux") || which("apt-get").is_none() || !is_root() {
        return;
    }
    // apt-get refuses to run beside itself.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let missing: Vec<_> = packages.iter().copied().filter(|package| !is_installed(package)).collect();
    if missing.is_empty() {
        return;
    }
    println!("Installing {}", missing.join(" "));
    let mut update = command("apt-get");
    if let Err(error) = run_quiet(update.args(["update", "-qq"])) {
        println!("apt-get update did not work: {error:#}");
    }
    let install = |packages: &[&str]| {
        let mut install = command("apt-get");
        install.args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages);
        run_quiet(install.env("DEBIAN_FRONTEND", "noninteractive"))
    };
    if install(&missing).is_ok() {
        return;
    }
    // One package that cannot be installed must not prevent the others.
    for package in missing {
        if install(&[package]).is_err() {
            println!("could not install {package}");
        }
    }
}

fn is_installed(package: &str) -> bool {
    let query = ["-W", "-f=${Status}", package];
    capture(command("dpkg-query").args(query)).is_ok_and(|status| status.ends_with(" installed"))
}

fn is_root() -> bool {
    capture(command("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// Makes a Python with OpenUSD, which checks exported USDZ files, in `target/usd`. Never fails: without it, the tests that need it
/// say that they are skipped.
pub(crate) fn openusd() {
    let folder = paths::root().join("target/usd");
    let python = folder.join("bin/python");
    let script = ["-c", "import numpy, pxr.UsdValidation"];
    if python.is_file() && run_quiet(command(&python).args(script)).is_ok() {
        return;
    }
    println!("Installing usd-core, which checks USDZ files");
    let made = run_quiet(command("python3").args(["-m", "venv"]).arg(&folder)).and_then(|()| {
        let packages = ["-m", "pip", "install", "--quiet", "usd-core==26.11", "numpy>=2,<3"];
        run_quiet(command(&python).args(packages))
    });
    if let Err(error) = made {
        println!("USDZ files are not checked by OpenUSD: {error:#}");
    }
}

/// `true` if there is a clang that compiles C to WebAssembly, for the reader of FBX files. It is installed on Debian. A
/// message reports that it is missing.
///
/// # Errors
///
/// It is missing on CI, which builds what ships.
pub(crate) fn clang() -> Result<bool> {
    static FOUND: OnceLock<bool> = OnceLock::new();
    // The clang of Xcode does not know wasm32.
    let compiles = || {
        let arguments = ["--target=wasm32-unknown-unknown", "-fsyntax-only", "-x", "c", "-"];
        run_quiet(command("clang").args(arguments)).is_ok()
    };
    let found = *FOUND.get_or_init(|| {
        compiles() || {
            debian_packages(&["clang"]);
            compiles()
        }
    });
    if !found && std::env::var("CI").is_ok_and(|ci| ci == "true" || ci == "1") {
        bail!("no clang compiles to wasm32, so the converters would have no FBX: install clang");
    }
    if !found {
        println!(
            "No clang compiles to wasm32 here, so the converters are built without FBX. Install clang to have it."
        );
    }
    Ok(found)
}

/// Installs a Cargo subcommand that is a rustup component (`fmt`, `clippy`).
pub(crate) fn component(subcommand: &str, component: &str) -> Result<()> {
    if run_quiet(cargo().args([subcommand, "--version"])).is_ok() {
        return Ok(());
    }
    println!("Adding the Rust component {component}");
    run(command("rustup").args(["component", "add", component]))
        .with_context(|| format!("`cargo {subcommand}` is missing"))
}

/// Installs the npm packages of `package-lock.json`, if they are missing or the lock file has changed.
pub(crate) fn npm_packages() -> Result<()> {
    node()?;
    install(&paths::root(), &["ci"])
}

/// Installs the npm packages of the fixtures, `tests/packages`; returns the folder. `npm ci` would refuse a lock file
/// without the programs for all platforms, which not every registry has.
pub(crate) fn fixtures() -> Result<PathBuf> {
    let folder = paths::root().join("tests/packages");
    install(&folder, &["install", "--no-save"])?;
    Ok(folder)
}

/// Installs the other players of `benches/peers`, which only the benchmarks need.
pub(crate) fn peers() -> Result<()> {
    node()?;
    install(&paths::root().join("benches/peers"), &["ci"])
}

/// Installs the npm packages of a folder's lock with one of npm's commands.
fn install(folder: &Path, arguments: &[&str]) -> Result<()> {
    let lock = folder.join("package-lock.json");
    let lock = files::read(&lock)?;
    let stamp = folder.join("node_modules/.gambol-lock");
    let wanted = format!("{:016x}", hash(&lock));
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    println!(
        "Installing the npm packages of {}",
        if folder == paths::root() { "the tools".into() } else { paths::shown(folder) }
    );
    // No package here needs an install script (programs are in packages of their platforms), so install scripts are
    // disabled.
    let mut npm = command(npm());
    npm.current_dir(folder).args(arguments).args([
        "--ignore-scripts",
        "--prefer-offline",
        "--no-audit",
        "--no-fund",
    ]);
    run(npm.arg("--loglevel=error"))
        .context("the npm packages are missing; after a change of a package.json run `npm install` first")?;
    fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", paths::shown(&stamp)))
}

/// Checks that Node is installed and recent enough.
pub(crate) fn node() -> Result<()> {
    let version = capture(command("node").arg("--version"))
        .with_context(|| format!("gambol needs Node {NODE} or newer: https://nodejs.org"))?;
    let major: u32 =
        version.trim().trim_start_matches('v').split('.').next().unwrap_or("").parse().unwrap_or(0);
    if major < NODE {
        bail!("Node {} is too old, gambol needs {NODE} or newer", version.trim());
    }
    Ok(())
}

/// A short hash, stable for one version of the compiler: for stamps only, not cryptographic.
pub(crate) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The name of npm's program.
pub(crate) fn npm() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}
