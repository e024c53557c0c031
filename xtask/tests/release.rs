//! `cargo xtask release` in a clone of the repository, and the contents of the crates that it publishes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A version above every version of gambol.
const VERSION: &str = "99.1.0";

/// The files that a release changes.
const CHANGED: [&str; 6] = [
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "fuzz/Cargo.lock",
    "package-lock.json",
    "www/gambol/package.json",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// A clone of the repository on the branch `main`, with a clean tree.
struct Clone(PathBuf);

impl Clone {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        let clone = Self(folder);
        let source = root();
        let mut git = Command::new("git");
        git.args(["clone", "--quiet", "--depth=1", "--no-tags", "--no-local"]).arg(&source).arg(&clone.0);
        clone.output(&mut git);
        clone.git(&["checkout", "--quiet", "-B", "main"]);
        // Changes that are not committed are tested too.
        let mut git = Command::new("git");
        git.args(["ls-files", "--modified", "--deleted", "--others", "--exclude-standard"])
            .current_dir(&source);
        for file in clone.output(&mut git).lines() {
            if !source.join(file).exists() {
                let _ = fs::remove_file(clone.0.join(file));
            } else if let Some(folder) = clone.0.join(file).parent() {
                fs::create_dir_all(folder).expect("a folder");
                fs::copy(source.join(file), clone.0.join(file)).expect("a file of the repository");
            }
        }
        // After a release there are no entries.
        let changelog = clone.0.join("CHANGELOG.md");
        let text = fs::read_to_string(&changelog).expect("the changelog");
        let text =
            text.replacen("## Unreleased\n", "## Unreleased\n\n### Added\n\n- An entry of the test.\n", 1);
        fs::write(&changelog, text).expect("the changelog");
        clone.git(&["add", "--all"]);
        clone.git(&["commit", "--quiet", "--allow-empty", "--message", "now"]);
        clone
    }

    /// Runs a command, which has to succeed, in the clone; returns its standard output.
    fn output(&self, command: &mut Command) -> String {
        let Output { status, stdout, stderr } = ready(command).output().expect("a program");
        assert!(status.success(), "{command:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("UTF-8")
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.output(Command::new("git").args(arguments).current_dir(&self.0))
    }

    /// Runs `cargo xtask release` with the clone as its repository; returns its success and its output.
    fn release(&self, arguments: &[&str]) -> (bool, String) {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        xtask.arg("release").args(arguments).env("CARGO_MANIFEST_DIR", self.0.join("xtask"));
        let Output { status, stdout, stderr } = ready(&mut xtask).output().expect("xtask");
        (status.success(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
    }

    /// The tags, the last commit, and the changes that are not committed.
    fn state(&self) -> [String; 3] {
        [&["tag"][..], &["rev-parse", "HEAD"], &["status", "--porcelain"]]
            .map(|arguments| self.git(arguments))
    }
}

/// Adds a name for commits, and turns signatures off.
fn ready(command: &mut Command) -> &mut Command {
    let settings = [
        ("user.name", "Test"),
        ("user.email", "test@example.com"),
        ("commit.gpgSign", "false"),
        ("tag.gpgSign", "false"),
    ];
    command.env("GIT_CONFIG_COUNT", settings.len().to_string());
    for (number, (key, value)) in settings.into_iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{number}"), key).env(format!("GIT_CONFIG_VALUE_{number}"), value);
    }
    command
}

#[test]
fn release_is_refused_off_main_and_with_changes_and_changes_nothing_in_a_dry_run() {
    let clone = Clone::new("refused");
    let before = clone.state();
    for (arguments, message) in [
        (&[][..], "needs a version"),
        (&["0.0.1"], "is not above"),
        (&["next"], "is not a version"),
        (&[VERSION, "--force"], "--force"),
        (&[VERSION, "--notes"], "not 99.1.0"),
    ] {
        let (good, output) = clone.release(arguments);
        assert!(!good && output.contains(message), "{arguments:?}: {output}");
    }

    let (good, output) = clone.release(&[VERSION, "--dry-run"]);
    assert!(good, "{output}");
    for part in ["version = \"99.1.0\"", "## 99.1.0 - 2", "cargo xtask test --all", "git tag", "git push"]
        .into_iter()
        .chain(CHANGED)
    {
        assert!(output.contains(part), "{part} is not in {output}");
    }
    assert!(!output.contains("not possible"), "{output}");
    assert_eq!(clone.state(), before);

    clone.git(&["checkout", "--quiet", "-b", "other"]);
    fs::write(clone.0.join("new"), "").expect("a file");
    let before = clone.state();
    let (good, output) = clone.release(&[VERSION, "--no-test"]);
    assert!(!good && output.contains("the branch is `other`"), "{output}");
    let (good, output) = clone.release(&[VERSION, "--dry-run"]);
    assert!(good && output.matches("not possible").count() == 2, "{output}");
    clone.git(&["checkout", "--quiet", "main"]);
    let (good, output) = clone.release(&[VERSION, "--no-test"]);
    assert!(!good && output.contains("changes that are not committed"), "{output}");
    clone.git(&["checkout", "--quiet", "other"]);
    assert_eq!(clone.state(), before);
}

#[test]
fn release_sets_every_version_and_tags_the_commit() {
    let clone = Clone::new("released");
    let present = clone.git(&["show", "HEAD:Cargo.toml"]);
    let present =
        present.split("version = \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a version");
    let (good, output) = clone.release(&[VERSION, "--no-test"]);
    assert!(good && output.contains("git push --atomic origin main v99.1.0"), "{output}");

    let [tags, head, status] = clone.state();
    assert_eq!((tags.trim(), status.as_str()), ("v99.1.0", ""));
    assert_eq!(clone.git(&["rev-parse", "v99.1.0^{commit}"]), head);
    assert_eq!(clone.git(&["cat-file", "-t", "v99.1.0"]).trim(), "tag");
    assert_eq!(clone.git(&["log", "-1", "--format=%s"]).trim(), "v99.1.0");
    assert_eq!(clone.git(&["diff", "--name-only", "HEAD~1"]).lines().collect::<Vec<_>>(), CHANGED);

    // Each changed line has the old version before and the new one after; the changelog gets one heading.
    let diff = clone.git(&["diff", "--unified=0", "HEAD~1", "--", ".", ":!CHANGELOG.md"]);
    let lines = |sign: &str, header: &str| -> Vec<String> {
        diff.lines()
            .filter(|line| line.starts_with(sign) && !line.starts_with(header))
            .map(|line| line[1..].to_owned())
            .collect()
    };
    let (old, new) = (lines("-", "---"), lines("+", "+++"));
    assert!(old.len() >= 11, "{diff}");
    assert_eq!(old.iter().map(|line| line.replace(present, VERSION)).collect::<Vec<_>>(), new);
    let numbers = clone.git(&["diff", "--numstat", "HEAD~1", "--", "CHANGELOG.md"]);
    assert_eq!(numbers.split_whitespace().collect::<Vec<_>>(), ["2", "0", "CHANGELOG.md"]);

    // Cargo finds nothing to change in its lock file, and each crate has the version.
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--format-version=1"]).current_dir(&clone.0);
    let metadata = json(&clone.output(&mut cargo));
    let members = metadata["workspace_members"].as_array().expect("members");
    let packages = metadata["packages"].as_array().expect("packages");
    let own: Vec<_> = packages.iter().filter(|package| members.contains(&package["id"])).collect();
    assert_eq!(own.len(), 16);
    assert!(own.iter().all(|package| package["version"] == VERSION), "{own:?}");
    let used = |package: &Value| {
        package["dependencies"]
            .as_array()
            .expect("dependencies")
            .iter()
            .find(|one| one["name"] == "gambol-kernels")
            .map(|one| one["req"].clone())
    };
    assert_eq!(own.iter().find_map(|package| used(package)), Some(format!("={VERSION}").into()));
    let fuzz = fs::read_to_string(clone.0.join("fuzz/Cargo.lock")).expect("a lock file");
    let own = fuzz
        .split("[[package]]")
        .filter(|package| package.contains("name = \"gambol") && !package.contains("gambol-fuzz"));
    assert_eq!(own.filter(|package| package.contains(VERSION)).count(), 6);
    let read = |file: &str| json(&fs::read_to_string(clone.0.join(file)).expect("a JSON file"));
    assert_eq!(read("www/gambol/package.json")["version"], VERSION);
    assert_eq!(read("package-lock.json")["packages"]["www/gambol"]["version"], VERSION);

    let (good, notes) = clone.release(&[VERSION, "--notes"]);
    assert!(good && notes.starts_with("### ") && !notes.contains("\n## "), "{notes}");
    let (good, output) = clone.release(&[VERSION, "--no-test"]);
    assert!(!good && output.contains("is not above 99.1.0"), "{output}");
}

#[test]
fn release_crates_contain_only_their_sources_and_licences() {
    let listed = |package: &str| -> Vec<String> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["package", "--list", "--allow-dirty", "--offline", "--package", package])
            .current_dir(root());
        let output = cargo.output().expect("cargo");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut files: Vec<_> =
            String::from_utf8_lossy(&output.stdout).lines().map(|line| line.replace('\\', "/")).collect();
        // Cargo adds these.
        files.retain(|file| {
            ![".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig"].contains(&file.as_str())
        });
        files
    };
    for (package, folders, others) in [
        (
            "gambol",
            &["src/", "shaders/"][..],
            &["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "docs/guides/crate.md"][..],
        ),
        ("gambol-animation", &["src/"], &["LICENSE-APACHE", "LICENSE-MIT", "README.md"]),
        ("gambol-formats", &["src/"], &["LICENSE-APACHE", "LICENSE-MIT", "README.md"]),
        ("gambol-gltf", &["src/"], &["LICENSE-APACHE", "LICENSE-MIT", "README.md"]),
        ("gambol-import", &["src/"], &["LICENSE-APACHE", "LICENSE-MIT", "README.md"]),
        ("gambol-kernels", &["src/"], &["LICENSE-APACHE", "LICENSE-MIT", "README.md"]),
        ("gambol-tools", &["src/"], &["LICENSE-APACHE", "LICENSE-MIT", "README.md"]),
    ] {
        let (sources, rest): (Vec<_>, Vec<_>) = listed(package)
            .into_iter()
            .partition(|file| folders.iter().any(|folder| file.starts_with(folder)));
        assert_eq!(rest, others, "{package}");
        assert!(
            sources.len() > 5
                && sources
                    .iter()
                    .all(|file| [".rs", ".glsl", ".vert", ".frag"].iter().any(|end| file.ends_with(end))),
            "{package}: {sources:?}"
        );
    }
}
