//! Runs other programs, with error messages that name the command and its output.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::paths;

/// A command that runs in the repository's top folder.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(paths::root());
    command
}

/// The Cargo that runs xtask, or the one on the path.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A command for a tool in `node_modules/.bin`.
pub(crate) fn npm_tool(name: &str) -> Command {
    let file = if cfg!(windows) { format!("{name}.cmd") } else { name.to_owned() };
    command(paths::root().join("node_modules").join(".bin").join(file))
}

/// Runs to the end with inherited output; an exit status other than 0 is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| cannot_start(command))?;
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Runs silently; on failure the error contains the command's output.
pub(crate) fn run_quiet(command: &mut Command) -> Result<()> {
    capture(command).map(drop)
}

/// Runs silently and returns the standard output.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let Output { status, stdout, stderr } =
        command.stdin(Stdio::null()).output().with_context(|| cannot_start(command))?;
    let stdout = String::from_utf8_lossy(&stdout).into_owned();
    if !status.success() {
        bail!("`{}` failed ({status})\n{stdout}{}", shown(command), String::from_utf8_lossy(&stderr));
    }
    Ok(stdout)
}

/// Runs a `cargo build`; returns the files that it made or found to be current.
pub(crate) fn built(build: &mut Command) -> Result<Vec<PathBuf>> {
    build.args(["--message-format", "json-render-diagnostics"]).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = build.output().with_context(|| cannot_start(build))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", shown(build), output.status);
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let artifacts = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact");
    let files = artifacts.filter_map(|message| message["filenames"].as_array().cloned()).flatten();
    Ok(files.filter_map(|file| file.as_str().map(PathBuf::from)).collect())
}

/// Runs both at once, and waits for both even if one fails.
pub(crate) fn both<A: Send, B>(
    a: impl FnOnce() -> Result<A> + Send,
    b: impl FnOnce() -> Result<B>,
) -> Result<(A, B)> {
    std::thread::scope(|scope| {
        let a = scope.spawn(a);
        let b = b();
        let a = a.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((a?, b?))
    })
}

/// Finds a program on the path.
pub(crate) fn which(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start `{}`", command.get_program().to_string_lossy())
}

/// The command for messages, without the folder of its program.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args()).map(|word| word.to_string_lossy());
    words.collect::<Vec<_>>().join(" ")
}
