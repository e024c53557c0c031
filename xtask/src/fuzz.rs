//! Coverage-guided fuzzing with libFuzzer, on stable Rust: `fuzz/`, a workspace of its own.
//!
//! LLVM's coverage pass is in every compiler. Only the address sanitizer would need nightly, and the fuzzed code has
//! almost no `unsafe`. Building libFuzzer needs a C++ compiler. `cargo fuzz` works in the folder too, if it is
//! installed.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::paths;
use crate::process::{capture, cargo, command, run, which};

const TARGETS: [&str; 11] =
    ["import", "accessors", "meshopt", "animation", "springs", "hdr", "player", "states", "bvh", "x", "fbx"];

/// Counters at all edges, and traces of compared values.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing";

/// The same for C: the reader of FBX files.
const C_FLAGS: &str = "-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp";

/// Runs each target, or only the named one, for `seconds`. Failing inputs are written to `fuzz/artifacts`.
pub(crate) fn fuzz(seconds: u32, only: Option<&str>) -> Result<()> {
    if let Some(name) = only.filter(|name| !TARGETS.contains(name)) {
        bail!("there is no target `{name}`; choose from {}", TARGETS.join(", "));
    }
    let folder = paths::root().join("fuzz");
    let version = capture(command("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    // Naming the target keeps the flags away from build scripts.
    let mut build = cargo();
    build.args(["build", "--release", "--bins", "--target", host]).current_dir(&folder);
    if which("clang").is_some() {
        // The variables of the target add to the flags of `.cargo/config.toml`.
        let target = host.replace('-', "_");
        build.env(format!("CC_{target}"), "clang").env(format!("CFLAGS_{target}"), C_FLAGS);
    }
    run(build.env("RUSTFLAGS", FLAGS).env("CARGO_TARGET_DIR", folder.join("target")))?;

    let corpus = |target: &str| folder.join("corpus").join(target);
    for target in TARGETS {
        fs::create_dir_all(corpus(target)).context("cannot create the corpus")?;
    }
    let mut seeds = cargo();
    seeds.args(["test", "--test", "native", "seeds_of_"]);
    run(seeds.env("GAMBOL_SEEDS", folder.join("corpus")))?;

    for target in TARGETS.into_iter().filter(|target| only.is_none_or(|only| only == *target)) {
        println!("\n── {target}");
        let artifacts = folder.join("artifacts").join(target);
        fs::create_dir_all(&artifacts).context("cannot create the folder of finds")?;
        let program = folder.join("target").join(host).join("release").join(target);
        let mut fuzzer = command(program);
        fuzzer.arg(corpus(target)).arg(format!("-artifact_prefix={}/", artifacts.display()));
        fuzzer.arg(format!("-max_total_time={seconds}"));
        fuzzer.args(["-timeout=10", "-rss_limit_mb=4096", "-print_final_stats=1"]);
        fuzzer.arg(if ["import", "x", "fbx"].contains(&target) { "-max_len=60000" } else { "-max_len=2000" });
        run(&mut fuzzer)?;
    }
    Ok(())
}
