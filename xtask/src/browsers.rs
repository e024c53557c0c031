//! The browsers of the tests: their paths, and their installation on Debian.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process::{command, npm_tool, run, which};
use crate::{paths, setup};

/// A browser engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Browser {
    Chromium,
    Firefox,
    WebKit,
}

impl Browser {
    pub(crate) const ALL: [Self; 3] = [Self::Chromium, Self::Firefox, Self::WebKit];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
            Self::WebKit => "webkit",
        }
    }

    /// The runner's arguments for this browser; the error names the missing program.
    pub(crate) fn arguments(self) -> Result<Vec<OsString>> {
        let found = match self {
            Self::Chromium => chromium()
                .map(|program| vec![("chromium", program)])
                .context("no Chromium (Debian: chromium; or set GAMBOL_CHROMIUM)"),
            Self::Firefox => {
                let mac = "/Applications/Firefox.app/Contents/MacOS/firefox";
                program("GAMBOL_FIREFOX", &["firefox-esr", "firefox"], mac)
                    .map(|program| vec![("firefox", program)])
                    .context("no Firefox (Debian: firefox-esr; or set GAMBOL_FIREFOX)")
            }
            Self::WebKit => which("WebKitWebDriver")
                .zip(mini_browser())
                .map(|(driver, browser)| vec![("webkit-driver", driver), ("webkit", browser)])
                .context("no WebKitWebDriver with a MiniBrowser (Debian: webkit2gtk-driver)"),
        }?;
        Ok(found
            .into_iter()
            .map(|(name, path)| {
                let mut argument = OsString::from(format!("--{name}="));
                argument.push(path);
                argument
            })
            .collect())
    }

    /// The Debian packages of this browser and its display.
    fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &["chromium"],
            // Firefox loads the GL libraries itself, so its package does not depend on them.
            Self::Firefox => &[
                "firefox-esr",
                "xvfb",
                "libegl1",
                "libgl1",
                "libegl-mesa0",
                "libglx-mesa0",
                "libgl1-mesa-dri",
                "libpci3",
            ],
            Self::WebKit => &["webkit2gtk-driver", "xvfb"],
        }
    }
}

/// Installs the missing browsers, if this process may: as root on Debian. A browser that is still missing is reported
/// later.
pub(crate) fn install_missing(wanted: &[Browser]) {
    // A browser that is already installed needs no package, but its display and its libraries may.
    let packages: Vec<&str> = wanted
        .iter()
        .flat_map(|browser| {
            let there = browser.arguments().is_ok();
            let packages = browser.packages().iter().enumerate();
            packages.filter(move |(i, _)| !(there && *i == 0)).map(|(_, name)| *name)
        })
        .collect();
    setup::debian_packages(&packages);
}

/// A command for Node that runs a TypeScript script of `tests/browser/runner`, bundled by esbuild.
pub(crate) fn script(name: &str) -> Result<Command> {
    // The bundle is below the repository, so that Node finds the packages it imports.
    let script = paths::root().join(format!("tests/output/build/{name}.mjs"));
    let mut esbuild = npm_tool("esbuild");
    esbuild
        .arg(format!("tests/browser/runner/{name}.ts"))
        .args(["--bundle", "--platform=node", "--format=esm", "--target=node20", "--packages=external"])
        .args(["--sourcemap", "--log-level=warning"])
        .arg(format!("--outfile={}", script.display()));
    run(&mut esbuild)?;
    let mut node = command("node");
    node.arg("--enable-source-maps").arg(script);
    Ok(node)
}

/// Runs a runner that writes a file of this name to `tests/output`; returns the numbers of tests passed, failed and
/// skipped.
pub(crate) fn counts(runner: &mut Command, name: &str) -> Result<[u64; 3]> {
    let results = paths::root().join("tests/output").join(name);
    let _ = fs::remove_file(&results);
    let status = runner.status().context("cannot start node")?;
    let results: Value = fs::read(&results)
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok())
        .with_context(|| format!("the runner of the tests broke off ({status})"))?;
    Ok(["passed", "failed", "skipped"].map(|name| results[name].as_u64().unwrap_or(0)))
}

/// The path of Chromium.
pub(crate) fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    program("GAMBOL_CHROMIUM", &names, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
}

fn program(variable: &str, names: &[&str], elsewhere: &str) -> Option<PathBuf> {
    match std::env::var_os(variable) {
        Some(path) => Some(PathBuf::from(path)).filter(|path| path.is_file()),
        None => names
            .iter()
            .find_map(|name| which(name))
            .or_else(|| Some(PathBuf::from(elsewhere)).filter(|path| path.is_file())),
    }
}

/// WebKitGTK's small browser, which WebDriver drives: `/usr/lib/<machine>/webkit2gtk-4.x/MiniBrowser`.
fn mini_browser() -> Option<PathBuf> {
    let subfolders = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    let mut found: Vec<PathBuf> = [Path::new("/usr/lib"), Path::new("/usr/libexec")]
        .into_iter()
        .flat_map(|top| subfolders(top).into_iter().chain([top.to_path_buf()]))
        .flat_map(|folder| subfolders(&folder))
        .filter(|folder| folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("webkit")))
        .map(|folder| folder.join("MiniBrowser"))
        .filter(|file| file.is_file())
        .collect();
    found.sort();
    found.pop()
}
