//! Inspects a file with a rule of one's own: `cargo run -p gambol-tools --example rule -- [FILE]`.

use gambol::import::FolderResolver;
use gambol_tools::inspect::{Finding, Inspected, Options, Report, Severity, Unit, inspect_with};
use std::error::Error;
use std::io::{Write, stdout};
use std::path::Path;

/// Clips of a game character should be short: long ones are cut scenes.
fn long_clips(file: Inspected<'_>, findings: &mut Vec<Finding>) {
    let Some(model) = file.model else { return };
    for (i, clip) in model.clips.iter().enumerate().filter(|(_, clip)| clip.duration > 3.0) {
        let message = format!("The clip “{}” takes {:.1} s, more than 3 s.", clip.name, clip.duration);
        let finding = Finding::new("acme/long-clip", Severity::Warning, format!("/animations/{i}"), message)
            .clip(i)
            .value("duration", clip.duration.into(), Unit::Seconds)
            .fix("Cut the clip, or move it to the file of the scene.");
        findings.push(finding);
    }
}

/// The findings of gambol and of the rule.
pub(crate) fn report(bytes: &[u8], folder: &Path, options: &Options) -> Report {
    inspect_with(bytes, &mut FolderResolver::new(folder), options, &[&long_clips])
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).filter(|path| path.ends_with(".glb") || path.ends_with(".gltf"));
    let (bytes, folder) = match &path {
        Some(path) => (std::fs::read(path)?, Path::new(path).parent().unwrap_or(Path::new("."))),
        None => (gambol_sample::glb(), Path::new(".")),
    };
    for finding in report(&bytes, folder, &Options::default()).findings {
        writeln!(stdout(), "{} {}: {}", finding.severity.name(), finding.code, finding.message)?;
    }
    Ok(())
}
