//! Benchmarks: native ones by Cargo, the shipped kind of WebAssembly in Node.
//!
//! A benchmark is one [`Value`] `{"name", "value", "unit"}`; smaller is better unless the name says otherwise.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::process::{capture, cargo, command, run};
use crate::{paths, setup, wasm};

/// Runs all benchmarks, prints them, and writes them to `to` where it is given.
pub(crate) fn run_all(to: Option<PathBuf>) -> Result<()> {
    setup::for_build()?;
    let mut results = native()?;
    results.extend(in_node()?);
    for result in &results {
        println!(
            "{:<60}{:>14.3} {}",
            result["name"].as_str().unwrap_or("?"),
            result["value"].as_f64().unwrap_or(f64::NAN),
            result["unit"].as_str().unwrap_or("")
        );
    }
    if let Some(to) = to {
        fs::write(&to, format!("{}\n", serde_json::to_string_pretty(&results)?))
            .with_context(|| format!("cannot write {}", to.display()))?;
    }
    Ok(())
}

/// The Criterion benchmarks of the crate, `benches/*.rs`: the median of each, in nanoseconds.
fn native() -> Result<Vec<Value>> {
    let any = fs::read_dir(paths::root().join("benches"))
        .is_ok_and(|files| files.flatten().any(|file| file.path().extension().is_some_and(|e| e == "rs")));
    if !any {
        return Ok(Vec::new());
    }
    let started = SystemTime::now();
    run(cargo().args(["bench", "--package", "gambol", "--benches"]))?;
    let mut results = Vec::new();
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| paths::root().join("target"), PathBuf::from);
    criterion(&target.join("criterion"), started, &mut results)?;
    Ok(results)
}

/// Collects what Criterion has written below `folder` since `started`.
fn criterion(folder: &Path, started: SystemTime, results: &mut Vec<Value>) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    let mut folders: Vec<_> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    for folder in folders {
        let estimates = folder.join("estimates.json");
        let fresh =
            fs::metadata(&estimates).and_then(|file| file.modified()).is_ok_and(|time| time >= started);
        if folder.ends_with("new") && fresh {
            let read = |path: &Path| -> Result<Value> { Ok(serde_json::from_slice(&fs::read(path)?)?) };
            let name = &read(&folder.join("benchmark.json"))?["full_id"];
            let value = &read(&estimates)?["median"]["point_estimate"];
            let name = format!("native/{}", name.as_str().unwrap_or("?"));
            results.push(json!({ "name": name, "value": value, "unit": "ns" }));
        } else {
            criterion(&folder, started, results)?;
        }
    }
    Ok(())
}

/// `benches/wasm`, built and optimised as the shipped module is, timed by `benches/wasm/run.mjs`.
///
/// The script is given the module's path and prints one JSON object a line; other lines are for people.
fn in_node() -> Result<Vec<Value>> {
    let script = paths::root().join("benches/wasm/run.mjs");
    let module = wasm::build_bench()?;
    if !script.is_file() {
        println!("benches/wasm/run.mjs is not there, so {} is built but not timed", paths::shown(&module));
        return Ok(Vec::new());
    }
    let output = capture(command("node").arg(script).arg(module))?;
    let parsed = output.lines().map(|line| (line, serde_json::from_str::<Value>(line).ok()));
    Ok(parsed
        .filter_map(|(line, value)| {
            let value = value.filter(|value| value["name"].is_string() && value["value"].is_number());
            if value.is_none() {
                println!("{line}");
            }
            value
        })
        .collect())
}
