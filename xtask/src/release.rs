//! `cargo xtask release`: sets the version in all files, moves the entries of the changelog, tests, commits and tags.
//!
//! It pushes nothing. When the tag is pushed, `.github/workflows/release.yml` publishes.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use semver::Version;

use crate::process::{capture, command, run, shown};
use crate::{files, paths, test};

/// The files with the version, and the text before each copy of it.
const COPIES: [(&str, &[&str]); 5] = [
    (
        "Cargo.toml",
        &[
            WORKSPACE,
            "gambol = { path = \".\", version = \"=",
            "gambol-animation = { path = \"crates/animation\", version = \"=",
            "gambol-gltf = { path = \"crates/gltf\", version = \"=",
            "gambol-import = { path = \"crates/import\", version = \"=",
            "gambol-kernels = { path = \"crates/kernels\", version = \"=",
        ],
    ),
    (
        "Cargo.lock",
        &[
            "name = \"gambol\"\nversion = \"",
            "name = \"gambol-animation\"\nversion = \"",
            "name = \"gambol-bench\"\nversion = \"",
            "name = \"gambol-bench-wasm\"\nversion = \"",
            "name = \"gambol-exr-web\"\nversion = \"",
            "name = \"gambol-formats\"\nversion = \"",
            "name = \"gambol-formats-web\"\nversion = \"",
            "name = \"gambol-gltf\"\nversion = \"",
            "name = \"gambol-import\"\nversion = \"",
            "name = \"gambol-kernels\"\nversion = \"",
            "name = \"gambol-sample\"\nversion = \"",
            "name = \"gambol-tools\"\nversion = \"",
            "name = \"gambol-tools-web\"\nversion = \"",
            "name = \"gambol-web\"\nversion = \"",
            "name = \"xtask\"\nversion = \"",
            "name = \"xtask-bind\"\nversion = \"",
        ],
    ),
    (
        "fuzz/Cargo.lock",
        &[
            "name = \"gambol\"\nversion = \"",
            "name = \"gambol-animation\"\nversion = \"",
            "name = \"gambol-formats\"\nversion = \"",
            "name = \"gambol-gltf\"\nversion = \"",
            "name = \"gambol-import\"\nversion = \"",
            "name = \"gambol-kernels\"\nversion = \"",
        ],
    ),
    ("package-lock.json", &["\"www/gambol\": {\n      \"version\": \""]),
    ("www/gambol/package.json", &["\"name\": \"gambol\",\n  \"version\": \""]),
];

/// The text before the version in `Cargo.toml`, which all crates inherit.
const WORKSPACE: &str = "[workspace.package]\nversion = \"";

const CHANGELOG: &str = "CHANGELOG.md";
const UNRELEASED: &str = "## Unreleased\n";

#[derive(Default)]
pub(crate) struct Options {
    /// Print the changes and the steps, and change nothing.
    pub(crate) dry_run: bool,
    /// Skip the tests.
    pub(crate) no_test: bool,
}

/// Sets the version, tests, commits and tags.
pub(crate) fn release(version: &str, options: &Options) -> Result<()> {
    let present = present()?;
    let changelog = read(CHANGELOG)?;
    let version = next(version, &present, &changelog)?;
    let tag = format!("v{version}");
    // std knows no dates. Node is there in any case.
    let today = capture(command("node").args(["--print", "new Date().toISOString().slice(0, 10)"]))?;
    let mut changed = vec![(CHANGELOG, with_heading(&changelog, &version, today.trim())?)];
    for (file, places) in COPIES {
        let text = places.iter().try_fold(read(file)?, |text, before| {
            with_version(&text, before, &present, &version).with_context(|| file.to_owned())
        })?;
        changed.push((file, text));
    }

    let mut commit = git(&["commit", "--quiet", "--message", &tag, "--"]);
    commit.args(changed.iter().map(|(file, _)| file));
    let mut steps = [commit, git(&["tag", "--annotate", "--message", &tag, &tag])];
    let push = shown(&git(&["push", "--atomic", "origin", "main", &tag]));
    let obstacles = obstacles(&tag)?;

    if options.dry_run {
        for (file, text) in &changed[1..] {
            for (line, (_, new)) in
                read(file)?.lines().zip(text.lines()).enumerate().filter(|(_, (a, b))| a != b)
            {
                println!("{file}:{}: {}", line + 1, new.trim());
            }
        }
        println!("{CHANGELOG}:\n\n{}", section(&changed[0].1, &version)?);
        println!("cargo xtask test --all");
        steps.iter().for_each(|step| println!("{}", shown(step)));
        println!("\nThen, by hand: {push}");
        obstacles.iter().for_each(|obstacle| println!("A release is not possible yet: {obstacle}."));
        println!("This was a dry run. Nothing has changed.");
        return Ok(());
    }
    if let Some(obstacle) = obstacles.first() {
        bail!("{obstacle}");
    }
    for (file, text) in &changed {
        files::write(&paths::root().join(file), text)?;
    }
    if !options.no_test {
        let mut tests = test::Options::default();
        tests.all = true;
        ensure!(
            test::run(&tests)? == ExitCode::SUCCESS,
            "there is no release, because tests failed; `git restore .` undoes the changes"
        );
    }
    steps.iter_mut().try_for_each(run)?;
    println!("{tag} is committed and tagged. To publish it: {push}");
    Ok(())
}

/// Prints the changes of the present version, which has to be `version`: for the release on GitHub.
pub(crate) fn notes(version: &str) -> Result<()> {
    let present = present()?;
    ensure!(version == present.to_string(), "the version of Cargo.toml is {present}, not {version}");
    print!("{}", body(&read(CHANGELOG)?, &present)?);
    Ok(())
}

fn read(file: &str) -> Result<String> {
    files::read_text(&paths::root().join(file))
}

fn git(arguments: &[&str]) -> Command {
    let mut git = command("git");
    git.args(arguments);
    git
}

/// The version of the workspace.
fn present() -> Result<Version> {
    let manifest = read("Cargo.toml")?;
    let version = manifest.split_once(WORKSPACE).and_then(|(_, rest)| rest.split('"').next());
    Version::parse(version.unwrap_or_default()).context("Cargo.toml has no version of the workspace")
}

/// The reasons why git cannot make the release now.
fn obstacles(tag: &str) -> Result<Vec<String>> {
    let branch = capture(&mut git(&["branch", "--show-current"]))?;
    let changes = capture(&mut git(&["status", "--porcelain"]))?;
    let tags = capture(&mut git(&["tag", "--list", tag]))?;
    let all = [
        (branch.trim() != "main", format!("the branch is `{}` and not `main`", branch.trim())),
        (!changes.is_empty(), "the working tree has changes that are not committed".to_owned()),
        (!tags.is_empty(), format!("the tag {tag} exists")),
    ];
    Ok(all.into_iter().filter_map(|(is, reason)| is.then_some(reason)).collect())
}

/// Parses the version of the next release. It is above the present one, or equal to it if that is not released.
fn next(version: &str, present: &Version, changelog: &str) -> Result<Version> {
    let wanted =
        Version::parse(version).with_context(|| format!("`{version}` is not a version such as 1.2.3"))?;
    // A pre-release would need a tag of its own on npm.
    ensure!(
        wanted.pre.is_empty() && wanted.build.is_empty(),
        "`{version}` is not only three numbers, such as 1.2.3"
    );
    let released = changelog.contains(&format!("\n{}", heading(present)));
    if wanted < *present || (wanted == *present && released) {
        bail!("{wanted} is not above {present}, the present version");
    }
    Ok(wanted)
}

/// Replaces the version that follows `before`, which has to be there once.
fn with_version(text: &str, before: &str, old: &Version, new: &Version) -> Result<String> {
    let [old, new] = [old, new].map(|version| format!("{before}{version}\""));
    let count = text.matches(&old).count();
    ensure!(count == 1, "`{old}` is there {count} times and not once");
    Ok(text.replace(&old, &new))
}

/// The start of the heading of a version.
fn heading(version: &Version) -> String {
    format!("## {version} - ")
}

/// Moves the unreleased entries of the changelog below a heading with version and date.
fn with_heading(changelog: &str, version: &Version, date: &str) -> Result<String> {
    let heading = heading(version) + date;
    let text = changelog.replacen(UNRELEASED, &format!("{UNRELEASED}\n{heading}\n"), 1);
    ensure!(text != changelog, "{CHANGELOG} has no heading `{}`", UNRELEASED.trim());
    ensure!(body(&text, version)?.contains("\n- "), "{CHANGELOG} has no unreleased entries");
    Ok(text)
}

/// The section of a version in the changelog: its heading and its entries.
fn section<'a>(changelog: &'a str, version: &Version) -> Result<&'a str> {
    let start = changelog.find(&heading(version)).with_context(|| format!("{CHANGELOG} has no {version}"))?;
    let rest = &changelog[start..];
    Ok(rest.find("\n## ").map_or(rest, |end| &rest[..end]))
}

/// The entries of a version in the changelog.
fn body<'a>(changelog: &'a str, version: &Version) -> Result<&'a str> {
    let section = section(changelog, version)?;
    Ok(section.split_once("\n\n").map_or("", |(_, body)| body))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGES: &str = "# Changelog

## Unreleased

### Added

- A flag.

## 0.1.0 - 2026-01-02

### Added

- A pole.
";

    fn version(major: u64, minor: u64, patch: u64) -> Version {
        Version::new(major, minor, patch)
    }

    #[test]
    fn release_versions_that_are_invalid_or_too_low_are_refused() {
        for wrong in ["", "v0.2.0", "0.2", "0.2.0.1", "00.2.0", "0.2.0-rc.1", "0.2.0+build", "0.1.0", "0.0.9"]
        {
            assert!(next(wrong, &version(0, 1, 0), CHANGES).is_err(), "{wrong}");
        }
    }

    #[test]
    fn release_versions_that_are_higher_or_unreleased_are_accepted() {
        let next = |wanted, present: &Version| next(wanted, present, CHANGES).expect("a version");
        assert_eq!(next("0.1.1", &version(0, 1, 0)), version(0, 1, 1));
        assert_eq!(next("0.10.0", &version(0, 9, 0)), version(0, 10, 0));
        // Only 0.1.0 is in the changelog.
        assert_eq!(next("0.2.0", &version(0, 2, 0)), version(0, 2, 0));
    }

    #[test]
    fn release_replaces_a_version_only_where_it_is_expected_once() {
        let set = |text| with_version(text, "version = \"", &version(0, 1, 0), &version(0, 2, 0));
        assert!(set("").is_err());
        assert!(set("version = \"0.1.1\"").is_err());
        assert!(set("version = \"0.1.0\" version = \"0.1.0\"").is_err());
        let text = set("version = \"0.1.0\" other = \"0.1.0\"").expect("one version");
        assert_eq!(text, "version = \"0.2.0\" other = \"0.1.0\"");
    }

    #[test]
    fn changelog_without_unreleased_entries_is_refused() {
        let move_to = |text: &str| with_heading(text, &version(0, 2, 0), "2026-03-04");
        assert!(move_to("# Changelog\n").is_err());
        assert!(move_to("# Changelog\n\n## Unreleased\n").is_err());
        assert!(move_to(&CHANGES.replace("### Added\n\n- A flag.\n\n", "")).is_err());
    }

    #[test]
    fn changelog_entries_move_below_the_new_heading() {
        let text = with_heading(CHANGES, &version(0, 2, 0), "2026-03-04").expect("a changelog");
        assert_eq!(text, CHANGES.replace("Unreleased\n", "Unreleased\n\n## 0.2.0 - 2026-03-04\n"));
        assert_eq!(body(&text, &version(0, 2, 0)).expect("a section"), "### Added\n\n- A flag.\n");
        assert_eq!(body(&text, &version(0, 1, 0)).expect("a section"), "### Added\n\n- A pole.\n");
        assert!(body(&text, &version(0, 3, 0)).is_err());
    }
}
