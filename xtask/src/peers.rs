//! Measures many characters in gambol, three.js, Babylon.js and PlayCanvas, in one run of Chromium
//! (`benches/peers/many.ts`).

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::process::{capture, command};
use crate::{bench, bench_page, browsers, files, paths, setup};

/// The options besides the file for results.
#[derive(Default)]
pub(crate) struct Options {
    /// A model, or a model and a count; empty for all.
    pub(crate) only: String,
    /// `true` if the page of the site is rewritten.
    pub(crate) publish: bool,
}

/// Builds the package, installs the other players, measures, and prints the results.
pub(crate) fn run(to: Option<PathBuf>, options: &Options) -> Result<()> {
    if options.publish && !options.only.is_empty() {
        bail!("a part of the figures is not to be published");
    }
    crate::build()?;
    setup::peers()?;
    let results = bench::peers("many", &[&format!("--only={}", options.only)])?;
    print(&results);
    bench::write(to, &results)?;
    if options.publish {
        publish(&results)?;
    }
    Ok(())
}

/// Prints a table for each model and count; the values of other players are followed by their ratio to gambol's.
fn print(results: &[Value]) {
    let figures = bench_page::Figures::new(results);
    for (model, count) in figures.cases() {
        print!("\n{:<18}", format!("{model} × {count}"));
        for player in &bench_page::PLAYERS {
            print!("{:>1$}", player.key, if player.key == "gambol" { 12 } else { 22 });
        }
        println!();
        for what in &bench_page::MEASURES {
            print!("{:<18}", what.short);
            for player in &bench_page::PLAYERS {
                let shown = figures.cell(player.key, model, count, what);
                print!("{:>1$}", shown.to_string(), if player.key == "gambol" { 12 } else { 22 });
            }
            println!();
        }
    }
    println!();
}

/// Writes `www/demo/bench.json`: the results, with the machine and the versions of the measurement. Appends its main
/// figures to `bench-history.json`.
fn publish(results: &[Value]) -> Result<()> {
    let results: Vec<Value> = results.iter().map(rounded).collect();
    let mut about = about()?;
    let modules = |folder: &str| paths::root().join(folder).join("node_modules");
    about["versions"] = json!({
        "gambol": version_of(&paths::package())?,
        "three": version_of(&modules("").join("three"))?,
        "babylon": version_of(&modules("benches/peers").join("@babylonjs/core"))?,
        "playcanvas": version_of(&modules("benches/peers").join("playcanvas"))?,
    });
    let history = paths::root().join("www/demo/bench-history.json");
    let mut entries: Vec<Value> = serde_json::from_str(&files::read_text(&history)?)?;
    entries.push(entry(&about, &results)?);
    files::write(&history, format!("{}\n", serde_json::to_string_pretty(&entries)?))?;
    let published = json!({ "about": about, "results": results });
    let file = paths::root().join("www/demo").join(bench_page::FILE);
    files::write(&file, format!("{}\n", serde_json::to_string_pretty(&published)?))?;
    println!("{}", paths::shown(&file));
    Ok(())
}

/// Writes `www/demo/start.json`: the results of the start of pages, with the machine of the measurement.
pub(crate) fn publish_start(results: &[Value]) -> Result<()> {
    if results.is_empty() {
        bail!("there are no figures to publish");
    }
    let results: Vec<Value> = results.iter().map(rounded).collect();
    let file = paths::root().join("www/demo/start.json");
    let published = json!({ "about": about()?, "results": results });
    files::write(&file, format!("{}\n", serde_json::to_string_pretty(&published)?))?;
    println!("{}", paths::shown(&file));
    Ok(())
}

/// The entry of the history: the time to pose 1,000 characters in each player. An error if one is missing: the page and the
/// README name these figures, and their model is in `../shared`, which a benchmark runs without.
fn entry(about: &Value, results: &[Value]) -> Result<Value> {
    let time = |player: &str| {
        let name = format!("peers.{player}.cesium_man.1000.update_us");
        let result = results.iter().find(|result| result["name"] == name.as_str());
        Ok((player.to_owned(), result.with_context(|| format!("{name} was not measured"))?["value"].clone()))
    };
    let times = ["gambol", "three", "babylon", "playcanvas"].map(time).into_iter().collect::<Result<_>>()?;
    Ok(json!({
        "date": about["date"],
        "three": about["versions"]["three"],
        "update_us": Value::Object(times),
    }))
}

/// Rounds to four significant digits; more are noise.
fn rounded(result: &Value) -> Value {
    let mut result = result.clone();
    if let Some(value) = result["value"].as_f64().filter(|value| value.fract() != 0.0) {
        let digits = 10_f64.powi(3 - value.abs().log10().floor() as i32);
        result["value"] = ((value * digits).round() / digits).into();
    }
    result
}

/// The machine, the browser and the date.
fn about() -> Result<Value> {
    let script = "const cpus = os.cpus(); console.log(JSON.stringify({ \
        machine: `${cpus[0]?.model.trim()}, ${cpus.length} cores, ${os.type()}`, \
        date: new Date().toISOString().slice(0, 10) }))";
    let mut about: Value = serde_json::from_str(&capture(command("node").args(["-e", script]))?)?;
    let browser = browsers::chromium().context("no Chromium")?;
    let version = capture(command(browser).arg("--version"))?;
    about["browser"] = version.split_whitespace().take(2).collect::<Vec<_>>().join(" ").into();
    about["graphics"] = "SwiftShader, which is no GPU".into();
    Ok(about)
}

/// The version of an npm package.
fn version_of(folder: &Path) -> Result<Value> {
    let file = folder.join("package.json");
    let text = files::read(&file)?;
    Ok(serde_json::from_slice::<Value>(&text)?["version"].take())
}

#[cfg(test)]
mod tests {
    use super::{entry, rounded};
    use serde_json::json;

    #[test]
    fn peers_history_has_the_time_of_each_player_or_names_the_one_that_is_missing() {
        let result = |player: &str, value: f64| {
            let name = format!("peers.{player}.cesium_man.1000.update_us");
            json!({ "name": name, "value": value })
        };
        let mut results =
            vec![result("gambol", 450.0), result("three", 28_420.0), result("babylon", 60_550.0)];
        results.push(json!({ "name": "peers.three.cesium_man.1000.heap_mb", "value": 9.0 }));
        let about = json!({ "date": "2026-11-26", "versions": { "three": "0.187.0" } });
        let error = entry(&about, &results).unwrap_err().to_string();
        assert_eq!(error, "peers.playcanvas.cesium_man.1000.update_us was not measured");
        results.push(result("playcanvas", 57_170.0));
        let times =
            json!({ "gambol": 450.0, "three": 28_420.0, "babylon": 60_550.0, "playcanvas": 57_170.0 });
        assert_eq!(
            entry(&about, &results).unwrap(),
            json!({ "date": "2026-11-26", "three": "0.187.0", "update_us": times })
        );
    }

    #[test]
    fn peers_figures_have_four_digits() {
        for (value, short) in
            [(1234.56, 1235.0), (0.012_345_6, 0.01235), (1e6, 1e6), (123_456.0, 123_456.0), (0.0, 0.0)]
        {
            assert_eq!(rounded(&json!({ "value": value }))["value"].as_f64(), Some(short));
        }
        assert!(rounded(&json!({ "value": null }))["value"].is_null());
    }
}
