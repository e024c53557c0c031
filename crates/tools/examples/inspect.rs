//! Prints the findings of glTF files: `cargo run -p gambol-tools --example inspect -- FILES`.

use gambol::import::FolderResolver;
use gambol_tools::inspect::{Options, inspect};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        let folder = Path::new(&path).parent().unwrap_or(Path::new("."));
        let begin = Instant::now();
        let report = inspect(&bytes, &mut FolderResolver::new(folder), &Options::default());
        let seconds = begin.elapsed().as_secs_f64();
        writeln!(out, "{path}: {:?}, {:.1} ms", report.summary, 1000.0 * seconds)?;
        for finding in report.findings {
            let (severity, code, pointer) = (finding.severity.name(), finding.code, finding.pointer);
            writeln!(out, "  {severity} {code} at {pointer}: {}", finding.message)?;
            for measure in finding.values {
                write!(out, "    {} {} {}", measure.name, measure.value, measure.unit.symbol())?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
