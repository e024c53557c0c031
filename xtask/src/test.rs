//! Runs every check and test; a failure does not stop the others.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::api::Age;
use crate::browsers::{self, Browser};
use crate::process::{cargo, command, npm_tool, run as run_to_end, run_quiet};
use crate::{package, packages, paths, sample, setup, site, sizes, wasm};

const PARTS: [&str; 9] =
    ["fmt", "clippy", "doc", "types", "claims", "native", "hashes", "browser", "packages"];

/// The selection of checks and tests; an empty set selects all.
#[derive(Default)]
pub(crate) struct Options {
    parts: BTreeSet<&'static str>,
    browsers: BTreeSet<&'static str>,
    pub(crate) filter: Option<String>,
    pub(crate) bless: bool,
    /// Runs every test in every browser, as for a release.
    pub(crate) all: bool,
    /// Tests the module that is built with internal checks.
    pub(crate) checked: bool,
    /// Tests the package and the site that are built already, as the jobs of CI share them.
    pub(crate) built: bool,
}

impl Options {
    /// Selects parts to run, separated by commas.
    pub(crate) fn only(&mut self, names: &str) -> Result<()> {
        choose(names, &PARTS, &mut self.parts)
    }

    /// Selects browsers, separated by commas.
    pub(crate) fn browsers(&mut self, names: &str) -> Result<()> {
        choose(names, &Browser::ALL.map(Browser::name), &mut self.browsers)
    }

    fn wants(&self, part: &'static str) -> bool {
        self.parts.is_empty() || self.parts.contains(part)
    }

    /// A check that takes long and seldom fails: with `--all`, or if its part is selected.
    fn wants_long(&self, part: &'static str) -> bool {
        if self.all { self.wants(part) } else { self.parts.contains(part) }
    }
}

fn choose(names: &str, known: &[&'static str], chosen: &mut BTreeSet<&'static str>) -> Result<()> {
    for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let Some(name) = known.iter().find(|known| **known == name) else {
            bail!("there is no `{name}`; choose from {}", known.join(", "));
        };
        chosen.insert(name);
    }
    Ok(())
}

/// Runs the selected parts; the exit code is a failure if anything failed. The web build and the native checks run in two
/// threads, because the long steps of each use one core. The native thread then tests the packages, after the web build.
/// Browsers run last, since they need the whole machine.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let started = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let (mut tally, built) = std::thread::scope(|scope| {
        let web = scope.spawn(move || {
            let mut tally = Tally::default();
            let built = web_build(options, &mut tally);
            // Sending fails only if the receiving thread has ended.
            let _ = sender.send(built);
            for_web(options, built, &mut tally);
            (tally, built)
        });
        let mut tally = Tally::default();
        for_this_machine(options, &mut tally);
        if (options.wants("packages") || options.wants("hashes")) && receiver.recv().unwrap_or(false) {
            if options.wants("hashes") {
                tally.check("pose hashes in WebAssembly", || pose_hashes(options));
            }
            if options.wants("packages") {
                tally.step("packages", |counts| in_packages(options, counts));
            }
        }
        let (other, built) = web.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        tally.add(other);
        (tally, built)
    });
    if options.wants("browser") && built {
        tally.step("browser tests", |counts| in_browsers(options, counts));
        let in_chromium = options.browsers.is_empty() || options.browsers.contains("chromium");
        if !options.checked && options.filter.is_none() && in_chromium {
            tally.check("budget", sizes::of_pages);
        }
    }
    Ok(tally.end(started.elapsed()))
}

fn for_this_machine(options: &Options, tally: &mut Tally) {
    if options.wants("fmt") {
        tally.check("formatting", || {
            setup::component("fmt", "rustfmt")?;
            run_to_end(cargo().args(["fmt", "--all", "--check"]))
        });
    }
    if options.wants("clippy") {
        tally.check("clippy", || {
            setup::component("clippy", "clippy")?;
            // The dependencies of xtask and of its program take half the time; gambol-web has the sources of gambol.
            let others = ["--exclude", "xtask", "--exclude", "xtask-bind", "--exclude", "gambol-web"];
            let targets: &[&str] = if options.wants_long("clippy") { &["--all-targets"] } else { &others };
            run_to_end(cargo().args(["clippy", "--workspace"]).args(targets).args(["--", "-D", "warnings"]))
        });
    }
    if options.wants_long("doc") {
        tally.check("rustdoc", || {
            let mut doc = cargo();
            doc.args(["doc", "--workspace", "--no-deps", "--document-private-items"]);
            run_to_end(doc.env("RUSTDOCFLAGS", "-D warnings"))?;
            // The crate without a browser, as docs/guides/crate.md recommends it.
            let mut plain = cargo();
            plain.args(["doc", "--package", "gambol", "--no-deps", "--no-default-features"]);
            run_to_end(plain.env("RUSTDOCFLAGS", "-D warnings"))
        });
    }
    if options.wants("native") {
        if options.all {
            setup::openusd();
        }
        tally.step("native tests", |counts| native(options, counts));
    }
}

/// Builds the package if a selected part needs it; `true` if there is a package to test.
fn web_build(options: &Options, tally: &mut Tally) -> bool {
    let in_node = options.wants("packages") || options.wants("hashes");
    // The sources import the generated glue, so types and pages cannot be checked before a build.
    (options.wants("types") || options.wants("claims") || options.wants("browser") || in_node)
        && tally.check("web build", || {
            if options.checked {
                wasm::choose(wasm::Kind::Checked);
            }
            if options.built {
                let parts =
                    [paths::dist().join("gambol/package.json"), paths::dist().join("site/index.html")];
                let missing = parts.iter().find(|part| !part.is_file());
                ensure!(missing.is_none(), "nothing is built: `cargo xtask build` comes before --built");
                return setup::npm_packages();
            }
            wasm::build()?;
            package::build()?;
            site::build(Age::Current)
        })
}

fn for_web(options: &Options, built: bool, tally: &mut Tally) {
    if options.wants("fmt") {
        tally.check("formatting and lint of TypeScript", || {
            setup::npm_packages()?;
            // Everything that is worth a message is an error: a warning would go unread.
            run_to_end(npm_tool("biome").args(["ci", "--error-on-warnings"]))
        });
    }
    if options.wants("types") && built {
        tally.check("types", || {
            let projects =
                ["tsconfig.json", "tsconfig.cli.json", "tsconfig.node.json", "tsconfig.consumer.json"];
            for project in projects {
                run_to_end(npm_tool("tsc").args(["--project", project]))?;
            }
            Ok(())
        });
    }
    if options.wants("claims") && built {
        tally.step("claims of the package and of the texts", |counts| claims(options, counts));
    }
    if built && !options.checked {
        // The figures of each file and the limit of the converters. The limit of pages is checked in a browser.
        if options.all {
            tally.check("sizes", sizes::report);
        }
        tally.check("sample characters", sample::validate);
    }
    if options.wants_long("clippy") {
        tally.check("clippy for wasm32", || {
            setup::component("clippy", "clippy")?;
            setup::wasm_target()?;
            let packages = ["--package", "gambol", "--package", "gambol-bench-wasm", "--lib"];
            // The profile of the web build, so that both share the compiled procedural macros.
            let target = ["--target", "wasm32-unknown-unknown", "--profile", "wasm"];
            run_to_end(cargo().arg("clippy").args(packages).args(target).args(["--", "-D", "warnings"]))
        });
    }
}

fn in_packages(options: &Options, counts: &mut Counts) -> Result<()> {
    let [passed, failed, skipped] = packages::test(options.filter.as_deref(), options.all)?;
    *counts = Counts { passed, failed, skipped };
    Ok(())
}

#[derive(Clone, Copy, Default)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

/// Results so far.
#[derive(Default)]
struct Tally {
    counts: Counts,
    failures: Vec<&'static str>,
}

impl Tally {
    /// Runs a step that passes or fails as a whole; `true` if it passed.
    fn check(&mut self, name: &'static str, work: impl FnOnce() -> Result<()>) -> bool {
        self.step(name, |counts| {
            work()?;
            counts.passed += 1;
            Ok(())
        })
    }

    /// Runs a step that counts its own tests. An error counts as one more failure.
    fn step(&mut self, name: &'static str, work: impl FnOnce(&mut Counts) -> Result<()>) -> bool {
        println!("\n── {name}");
        let started = Instant::now();
        let mut counts = Counts::default();
        if let Err(error) = work(&mut counts) {
            println!("{error:#}");
            counts.failed += 1;
        }
        let good = counts.failed == 0;
        println!("── {name}: {} after {}", if good { "good" } else { "FAILED" }, shown(started.elapsed()));
        if !good {
            self.failures.push(name);
        }
        self.add(Self { counts, failures: Vec::new() });
        good
    }

    fn add(&mut self, other: Self) {
        self.counts.passed += other.counts.passed;
        self.counts.failed += other.counts.failed;
        self.counts.skipped += other.counts.skipped;
        self.failures.extend(other.failures);
    }

    fn end(self, took: Duration) -> ExitCode {
        let Counts { passed, failed, skipped } = self.counts;
        if failed == 0 {
            println!("\nAll is well, after {}.", shown(took));
        } else {
            println!("\nNot good: {}. After {}.", self.failures.join(", "), shown(took));
        }
        // CI parses this line, so it stands alone and its form is fixed.
        println!("{passed} passed, {failed} failed, {skipped} skipped");
        if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn shown(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} min {} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}

/// xtask and its program are tested separately: together the packages would request other features of their dependencies than
/// these were built with, and all dependencies would be compiled again.
const NATIVE: [&[&str]; 3] = [
    &["--workspace", "--exclude", "xtask", "--exclude", "xtask-bind"],
    &["--package", "xtask"],
    &["--package", "xtask-bind", "--profile", "tools"],
];

fn native(options: &Options, counts: &mut Counts) -> Result<()> {
    NATIVE.iter().try_for_each(|packages| cargo_test(packages, options, counts))
}

/// Runs `cargo test`, and adds up its summaries as they are written.
fn cargo_test(packages: &[&str], options: &Options, counts: &mut Counts) -> Result<()> {
    let mut test = cargo();
    test.arg("test").args(packages).args(["--no-fail-fast", "--"]).args(&options.filter);
    // A filter limits the number of tests already.
    if options.all || options.filter.is_some() {
        test.arg("--include-ignored");
    }
    let failed_before = counts.failed;
    let mut child = test.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines() {
            let line = line.context("cannot read what cargo writes")?;
            // Lines of passed tests are hidden; failures are repeated at the end of their suite.
            if !(line.starts_with("test ") && line.ends_with(" ... ok")) {
                println!("{line}");
            }
            if let Some(summary) = line.strip_prefix("test result: ") {
                add_summary(summary, counts);
            }
        }
    }
    let status = child.wait().context("cannot wait for cargo")?;
    if !status.success() && counts.failed == failed_before {
        bail!("cargo test failed before it ran tests ({status})");
    }
    Ok(())
}

/// Parses and adds a summary such as `ok. 3 passed; 0 failed; 1 ignored; …`.
fn add_summary(summary: &str, counts: &mut Counts) {
    for part in summary.split(['.', ';']) {
        let mut words = part.split_whitespace();
        let Some(number) = words.next().and_then(|word| word.parse::<u64>().ok()) else { continue };
        match words.next() {
            Some("passed") => counts.passed += number,
            Some("failed") => counts.failed += number,
            Some("ignored") => counts.skipped += number,
            _ => {}
        }
    }
}

/// Runs `tests/package` with Node's own test runner, and parses its summary: `# pass 3`.
fn claims(options: &Options, counts: &mut Counts) -> Result<()> {
    let folder = paths::root().join("tests/package");
    let entries = fs::read_dir(&folder).context("cannot read tests/package")?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    // Some of them draw.
    browsers::install_missing(&[Browser::Chromium]);
    let mut node = command("node");
    node.args(["--test", "--test-reporter=tap"]);
    if options.all {
        node.env("GAMBOL_ALL", "1");
    }
    if let Some(filter) = &options.filter {
        node.arg(format!("--test-name-pattern={filter}"));
    }
    let output = node.args(files).output().context("cannot start node")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut ran = Counts::default();
    for line in text.lines() {
        match line.strip_prefix("# ").and_then(|line| line.split_once(' ')) {
            Some(("pass", count)) => ran.passed = count.parse().unwrap_or(0),
            Some(("fail", count)) => ran.failed = count.parse().unwrap_or(0),
            Some(("skipped", count)) => ran.skipped = count.parse().unwrap_or(0),
            _ => {}
        }
    }
    *counts = ran;
    if !output.status.success() || (ran.passed == 0 && options.filter.is_none()) {
        println!("{text}{}", String::from_utf8_lossy(&output.stderr));
        if ran.failed == 0 {
            bail!("node --test ended with {} and no failed test", output.status);
        }
    }
    Ok(())
}

/// Checks in Node that the package's module produces the poses that `tests/native/pose/hash.rs` hashes natively, bit by
/// bit.
fn pose_hashes(options: &Options) -> Result<()> {
    let poses = pose_files(options)?;
    let mut node = command("node");
    run_to_end(node.arg("tests/poses/run.mjs").arg(&poses).arg("tests/golden/pose_hashes.json"))
}

/// Has the native tests write the files whose poses are hashed, unless they are among what is built; returns the folder.
fn pose_files(options: &Options) -> Result<PathBuf> {
    let folder = paths::work().join("poses");
    if options.built && folder.is_dir() {
        return Ok(folder);
    }
    let mut test = cargo();
    test.arg("test").args(NATIVE[0]).args(["--test", "native", "pose::hash::pose_hash_files_are_written"]);
    run_quiet(test.env("GAMBOL_POSES", &folder))?;
    Ok(folder)
}

/// Runs the cases of `tests/browser` in every installed browser.
fn in_browsers(options: &Options, counts: &mut Counts) -> Result<()> {
    // Only the cases of `exact.ts` load these files, and a filter for them has to name the file.
    if options.filter.as_deref().is_none_or(|filter| filter.starts_with("exact")) {
        pose_files(options)?;
    }
    let chosen = |browser: &Browser| options.browsers.is_empty() || options.browsers.contains(browser.name());
    let wanted: Vec<Browser> = Browser::ALL.into_iter().filter(chosen).collect();
    browsers::install_missing(&wanted);

    let must_be_there = std::env::var("CI").is_ok_and(|ci| ci == "true" || ci == "1");
    let mut runner = browsers::script("main")?;
    let mut any = false;
    for browser in wanted {
        match browser.arguments() {
            Ok(arguments) => {
                runner.args(arguments);
                any = true;
            }
            Err(missing) if must_be_there => {
                println!("FAILED   {}: {missing:#}", browser.name());
                counts.failed += 1;
            }
            Err(missing) => {
                println!("skipped  {}: {missing:#}", browser.name());
                counts.skipped += 1;
            }
        }
    }
    if !any {
        return Ok(());
    }
    if let Some(filter) = &options.filter {
        runner.arg(format!("--filter={filter}"));
    }
    if options.bless {
        runner.arg("--bless");
    }
    // A filter or a choice of browsers limits the number of tests already.
    if options.all || options.filter.is_some() || !(options.browsers.is_empty() || options.built) {
        runner.arg("--all");
    }
    if options.all {
        runner.arg("--long");
    }
    let [passed, failed, skipped] = browsers::counts(&mut runner, "results.json")?;
    counts.passed += passed;
    counts.failed += failed;
    counts.skipped += skipped;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_summaries_of_cargo_are_added() {
        let mut counts = Counts::default();
        add_summary(
            "ok. 3 passed; 0 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.00s",
            &mut counts,
        );
        add_summary(
            "FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.25s",
            &mut counts,
        );
        assert_eq!((counts.passed, counts.failed, counts.skipped), (5, 1, 1));
    }

    #[test]
    fn test_parts_that_are_unknown_are_refused() {
        let mut options = Options::default();
        assert!(options.only("fmt,nothing").is_err());
        assert!(options.browsers("chromium, webkit").is_ok());
        assert!(options.browsers.contains("webkit") && !options.browsers.contains("firefox"));
    }
}
