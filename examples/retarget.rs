//! Retargets the clips of one file to the model of another, and prints the report and the poses of the new clips, as JSON.
//!
//! ```text
//! cargo run --release --example retarget -- CLIP_FILE MODEL_FILE [--names] [--kept] [--foot-lock] [--directions | --relative]
//! ```
//!
//! The poses have the schema of the example `pose`: node matrices and vertices of the model, for every new clip at some of
//! its times and at rest. The member `report` has the pairs of bones. The report as text goes to the standard error.

#[path = "pose/draco.rs"]
mod draco;
#[path = "pose/dump.rs"]
mod dump;

use draco::NodeResolver;
use gambol::animation::retarget::{Hips, Mode, Options, Report, Rotations, retarget};
use gambol::import::import;
use gambol::model::{Model, NodeId};
use serde_json::{Value, json};
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        match &argument[..] {
            "--names" => options.mode = Mode::Names,
            "--kept" => options.hips = Hips::Kept,
            "--foot-lock" => options.foot_lock = true,
            "--directions" => options.rotations = Rotations::Directions,
            "--relative" => options.rotations = Rotations::Relative,
            _ => files.push(argument),
        }
    }
    let [clips, model] = &files[..] else {
        let usage =
            "retarget CLIP_FILE MODEL_FILE [--names] [--kept] [--foot-lock] [--directions | --relative]";
        return Err(format!("usage: {usage}").into());
    };
    let (source, target) = (read(clips)?, read(model)?);
    let made =
        retarget(&source, None, &target, &options).map_err(|error| format!("{}: {error}", error.code()))?;
    write_report(&made.report, [&source, &target])?;
    let played = Model { clips: made.clips, ..target };
    let mut poses = dump::dump(model, &played, &dump::SAMPLES);
    poses["report"] = value(&made.report, [&source, &played]);
    writeln!(std::io::stdout(), "{poses}")?;
    Ok(())
}

fn read(file: &str) -> Result<Model, Box<dyn Error>> {
    let path = Path::new(file);
    let mut resolver = NodeResolver::new(path.parent().unwrap_or(Path::new(".")));
    let imported = import(&std::fs::read(path)?, &mut resolver)
        .map_err(|error| format!("{file}: {} at \"{}\": {error}", error.code(), error.pointer))?;
    Ok(imported.model)
}

fn name(model: &Model, node: NodeId) -> &str {
    &model.nodes[node.index()].name
}

fn value(report: &Report, [source, target]: [&Model; 2]) -> Value {
    let mapped = report.mapped.iter().map(|pair| {
        json!({"bone": pair.bone.name(), "source": name(source, pair.source), "target": name(target, pair.target)})
    });
    json!({
        "conventions": report.conventions.map(|both| both.map(|convention| convention.name())),
        "mapped": mapped.collect::<Vec<_>>(),
        "named": report.named,
        "missing": report.missing.iter().map(|bone| bone.name()).collect::<Vec<_>>(),
        "ambiguous": report.ambiguous.iter().map(|bone| bone.name()).collect::<Vec<_>>(),
        "scale": report.scale,
        "skipped": report.skipped,
        "warnings": report.warnings,
    })
}

fn write_report(report: &Report, [source, target]: [&Model; 2]) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stderr();
    match report.conventions {
        Some([from, to]) => writeln!(out, "humanoids: {from} → {to}, scale {:.4}", report.scale)?,
        None => writeln!(out, "by names")?,
    }
    for pair in &report.mapped {
        let (from, to) = (name(source, pair.source), name(target, pair.target));
        writeln!(out, "{:>24}  {from} → {to}", pair.bone.name())?;
    }
    for (what, bones) in [("missing", &report.missing), ("ambiguous", &report.ambiguous)] {
        let names: Vec<&str> = bones.iter().map(|bone| bone.name()).collect();
        writeln!(out, "{what}: {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") })?;
    }
    writeln!(out, "{} nodes by name, {} channels move nothing", report.named, report.skipped)?;
    report.warnings.iter().try_for_each(|warning| writeln!(out, "{warning}"))?;
    Ok(())
}
