//! Benchmarks: native ones by Cargo, and WebAssembly built as it ships, in Node and in Chromium.
//!
//! A result is one [`Value`] `{"name", "value", "unit"}`; smaller is better unless the name says otherwise. Names begin
//! with the place of the measurement: `native.` or `chromium.`. Names without such a prefix are from Node, and `frame.`
//! is always from Chromium.
//!
//! - `benches/*.rs`: Criterion benchmarks, reported by their median. A name such as `palette.100x20` holds a `forward`
//!   and a `seek` of 100 characters of 20 joints, and possibly features of mixing. It is converted to the figures that
//!   the suite for wasm reports. `skin.positions.10000` deforms 10,000 vertices. `pick.100k.64` finds the nearest of
//!   100,000 triangles on each of 64 rays.
//! - `benches/wasm/run.mjs` is run by Node with the module's path, and prints one JSON result per line.
//! - `benches/wasm/suite.mjs` is for any engine: `export async function run(module)` takes a `WebAssembly.Module`
//!   and returns a list of results. Chromium runs it; `run.mjs` may import it.
//! - `benches/memory.mjs`: the memory of the module after loads in Node, and the speed of a load; it names its results.
//! - `benches/materials.mjs`: changes of materials in Chromium, of the package, model-viewer and three.js; it names its results.
//! - `benches/peers/frame.ts`: whole frames of the package, and of three.js beside it. `frame.three_ratio.100` is the
//!   time of three.js divided by the time of gambol; more is better.
//! - `benches/peers/start/`: pages of the package, three.js, model-viewer and babylon-viewer, measured until a
//!   character is visible.
//!   The names are `start.NETWORK.PLAYER.WHAT`. The measures are the longest task, the time since navigation, and the
//!   requests and bytes as a server sends them with brotli.
//! - `benches/peers/many.ts`: 1, 100 and 1,000 copies of a character in the package, three.js, Babylon.js and
//!   PlayCanvas, on request only (`peers.rs`). The names are `peers.PLAYER.MODEL.COUNT.WHAT`; the page documents the
//!   measures. The ratios `peers.PLAYER.MODEL.update_ratio.COUNT` and `submit_ratio` divide another player's time by
//!   gambol's; more is better. `gambol` computes the pose of each crowd member in each frame; `gambol_auto` is a crowd
//!   with its default options. Results without a model in the name are of CesiumMan, or, without `../shared`, of the
//!   generated character.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::browsers::Browser;
use crate::process::{capture, cargo, command, run};
use crate::{browsers, paths, peers, setup, wasm};

/// Runs all benchmarks, prints the results, and writes them to `to` if it is set.
pub(crate) fn run_all(to: Option<PathBuf>) -> Result<()> {
    setup::for_build()?;
    let mut results = native()?;
    results.extend(in_wasm()?);
    results.extend(frames()?);
    results.extend(memory()?);
    results.extend(start()?);
    print(&results);
    write(to, &results)
}

/// Runs only the kernels in WebAssembly.
pub(crate) fn run_wasm(to: Option<PathBuf>) -> Result<()> {
    setup::for_build()?;
    let results = in_wasm()?;
    print(&results);
    write(to, &results)
}

/// Measures only loads in Node, with the package as it is now.
pub(crate) fn run_memory(to: Option<PathBuf>) -> Result<()> {
    crate::build()?;
    let results = memory()?;
    print(&results);
    write(to, &results)
}

/// Measures loads in Node, with the package that is already built.
fn memory() -> Result<Vec<Value>> {
    lines("Node", "", command("node").arg(paths::root().join("benches/memory.mjs")))
}

/// Measures only changes of materials, with the package as it is now, beside other players.
pub(crate) fn run_materials(to: Option<PathBuf>) -> Result<()> {
    crate::build()?;
    setup::fixtures()?;
    let script = paths::root().join("benches/materials.mjs");
    let browser = browsers::chromium().context("no Chromium")?;
    let results = lines("Chromium", "", command("node").arg(script).arg(browser))?;
    print(&results);
    write(to, &results)
}

/// Measures only the start until a character is visible: of the package as it is now, and of other players in the same
/// run. With `publish`, the site shows the figures.
pub(crate) fn run_start(to: Option<PathBuf>, publish: bool) -> Result<()> {
    crate::build()?;
    let results = start()?;
    print_start(&results);
    if publish {
        peers::publish_start(&results)?;
    }
    write(to, &results)
}

/// Prints one line per page, with the ratio of its time to that of three.js; the networks are side by side.
fn print_start(results: &[Value]) {
    let value = |name: String| {
        let result = results.iter().find(|result| result["name"] == name.as_str());
        result.and_then(|result| result["value"].as_f64()).unwrap_or(f64::NAN)
    };
    let networks = [
        ("local", "no limit"),
        ("10mbit", "10 Mbit/s, 40 ms"),
        ("slow", "1.6 Mbit/s, 150 ms, CPU 4 × slower"),
    ];
    print!("\n{:<28}", "");
    println!("{}", networks.map(|(_, title)| format!("{title:^34}")).concat());
    print!("{:<16}{:>8}{:>4}", "page", "kB", "req");
    println!("{0}{0}{0}", format_args!("{:>13}{:>9}{:>12}", "first frame", "× three", "longest"));
    for page in ["element", "gambol", "three", "model-viewer", "babylon-viewer"] {
        let bytes = value(format!("start.local.{page}.bytes"));
        if bytes.is_nan() {
            continue;
        }
        print!("{page:<16}{:>8.1}{:>4}", bytes / 1e3, value(format!("start.local.{page}.requests")));
        for (network, _) in networks {
            let first = |page: &str| value(format!("start.{network}.{page}.first_frame"));
            let longest = value(format!("start.{network}.{page}.longest_task"));
            print!("{:>10.0} ms{:>9.2}{longest:>9.0} ms", first(page), first(page) / first("three"));
        }
        println!();
    }
    println!();
}

/// Writes results to a file, if one is named.
pub(crate) fn write(to: Option<PathBuf>, results: &[Value]) -> Result<()> {
    let Some(to) = to else { return Ok(()) };
    fs::write(&to, format!("{}\n", serde_json::to_string_pretty(results)?))
        .with_context(|| format!("cannot write {}", to.display()))
}

/// Prints one line per result.
pub(crate) fn print(results: &[Value]) {
    for result in results {
        println!(
            "{:<60}{:>14.3} {}",
            result["name"].as_str().unwrap_or("?"),
            result["value"].as_f64().unwrap_or(f64::NAN),
            result["unit"].as_str().unwrap_or("")
        );
    }
}

/// Results of a page of `benches/peers` in Chromium, with the package as built; empty without Chromium.
pub(crate) fn peers(page: &str, options: &[&str]) -> Result<Vec<Value>> {
    in_chromium("peers", &[&[format!("--page={page}").as_str()], options].concat())
}

/// Results of a script of `tests/browser/runner` in Chromium; empty without Chromium.
pub(crate) fn in_chromium(script: &str, options: &[&str]) -> Result<Vec<Value>> {
    match Browser::Chromium.arguments() {
        Ok(arguments) => lines("Chromium", "", browsers::script(script)?.args(arguments).args(options)),
        Err(missing) => {
            println!("skipped chromium: {missing:#}");
            Ok(Vec::new())
        }
    }
}

/// Measures the start until a character is visible: of the package, which is already built, and of other players.
fn start() -> Result<Vec<Value>> {
    setup::fixtures()?;
    setup::peers()?;
    in_chromium("start", &[])
}

/// Measures frames of the package; builds it first.
fn frames() -> Result<Vec<Value>> {
    crate::build()?;
    peers("frame", &[])
}

/// The Criterion benchmarks of the crate, `benches/*.rs`: the median of each, in nanoseconds.
fn native() -> Result<Vec<Value>> {
    let any = fs::read_dir(paths::root().join("benches"))
        .is_ok_and(|files| files.flatten().any(|file| file.path().extension().is_some_and(|e| e == "rs")));
    if !any {
        return Ok(Vec::new());
    }
    let started = SystemTime::now();
    run(cargo().args(["bench", "--package", "gambol-bench"]))?;
    let mut results = Vec::new();
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| paths::root().join("target"), PathBuf::from);
    criterion(&target.join("criterion"), started, &mut results)?;
    Ok(per_joint(&results))
}

/// Converts nanoseconds per frame to the figures of `benches/wasm/suite.mjs`.
fn per_joint(frames: &[Value]) -> Vec<Value> {
    let nanoseconds = |name: &str| {
        frames.iter().find(|frame| frame["name"] == name).and_then(|frame| frame["value"].as_f64())
    };
    let (mut results, mut mixing) = (Vec::new(), Vec::new());
    for frame in frames {
        let Some(name) = frame["name"].as_str() else { continue };
        let skin = name.strip_prefix("skin.").and_then(|name| name.split_once('.'));
        if let (Some((what, vertices)), Some(time)) = (skin, frame["value"].as_f64()) {
            let vertices: f64 = vertices.parse().unwrap_or(f64::NAN);
            let name = format!("native.skin.{what}.ns_per_vertex");
            results.push(json!({ "name": name, "value": time / vertices, "unit": "ns" }));
        }
        if let (Some(rays), Some(time)) = (name.strip_prefix("pick.100k."), frame["value"].as_f64()) {
            let rays: f64 = rays.parse().unwrap_or(f64::NAN);
            results.push(json!({ "name": "native.pick.100k.us", "value": time / rays / 1e3, "unit": "µs" }));
        }
        let crowd = name.strip_suffix(".forward").and_then(|name| Some((name, name.rsplit_once('.')?)));
        let size = crowd.and_then(|(_, (_, size))| {
            let (characters, joints) = size.split_once('x')?;
            Some((characters.parse::<f64>().ok()?, joints.parse::<f64>().ok()?))
        });
        let (Some((name, (group, _))), Some((characters, joints)), Some(forward)) =
            (crowd, size, frame["value"].as_f64())
        else {
            continue;
        };
        let mut add = |what: &str, value: f64, unit: &str| {
            let name = format!("native.{group}.{characters}.{what}");
            results.push(json!({ "name": name, "value": value, "unit": unit }));
        };
        add("us", forward / 1e3, "µs");
        add("ns_per_joint", forward / (characters * joints), "ns");
        if let Some(seek) = nanoseconds(&format!("{name}.seek")) {
            add("seek_over_forward", seek / forward, "×");
        }
        for frame in frames {
            let feature =
                frame["name"].as_str().and_then(|frame| frame.strip_prefix(name)?.strip_prefix('.'));
            let (Some(feature), Some(time)) = (feature, frame["value"].as_f64()) else { continue };
            if feature == "forward" || feature == "seek" {
                continue;
            }
            let per_joint = characters * joints;
            add(&format!("{feature}.ns_per_joint"), time / per_joint, "ns");
            if feature.starts_with("crowd") || feature == "floor" {
                continue;
            }
            let mut extra = |what: &str, value: f64, unit: &str| {
                mixing.push(json!({ "name": format!("native.mix.{what}"), "value": value, "unit": unit }));
            };
            extra(&format!("{feature}.ns_per_joint"), (time - forward) / per_joint, "ns");
            if feature == "blend2_additive" {
                extra("blend2_additive_over_single", time / forward, "×");
            }
        }
    }
    results.extend(mixing);
    results
}

/// Collects the results that Criterion has written below `folder` since `started`.
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
            let name = name.as_str().unwrap_or("?").to_owned();
            results.push(json!({ "name": name, "value": value, "unit": "ns" }));
        } else {
            criterion(&folder, started, results)?;
        }
    }
    Ok(())
}

/// Builds `benches/wasm` and optimises it as the shipped module is, then times it with each script that exists.
fn in_wasm() -> Result<Vec<Value>> {
    let module = wasm::build_bench()?;
    let folder = paths::root().join("benches/wasm");
    let (run, suite) = (folder.join("run.mjs"), folder.join("suite.mjs"));
    let mut results = Vec::new();
    if run.is_file() {
        results.extend(lines("Node", "", command("node").arg(run).arg(&module))?);
    } else {
        println!("benches/wasm/run.mjs is not there, so {} is built but not timed", paths::shown(&module));
    }
    if suite.is_file() {
        match Browser::Chromium.arguments() {
            Ok(arguments) => {
                let mut script = browsers::script("bench")?;
                script.args(arguments).arg("--suite").arg(suite).arg("--module").arg(module);
                results.extend(lines("Chromium", "chromium.", &mut script)?);
            }
            Err(missing) => println!("skipped chromium: {missing:#}"),
        }
    }
    Ok(results)
}

/// Collects the results among the lines that a program prints, and prints the other lines.
fn lines(place: &str, prefix: &str, program: &mut Command) -> Result<Vec<Value>> {
    println!("Measuring in {place}");
    let output = capture(program)?;
    let mut results = Vec::new();
    for line in output.lines() {
        match serde_json::from_str::<Value>(line) {
            Ok(mut result) if result["value"].is_number() => {
                if let Some(name) = result["name"].as_str() {
                    result["name"] = format!("{prefix}{name}").into();
                    results.push(result);
                }
            }
            _ => println!("{line}"),
        }
    }
    Ok(results)
}
