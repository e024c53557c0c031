//! Prints what a file's animation does, as JSON: node matrices and world positions of vertices, for every clip at
//! some of its times and at rest.
//!
//! ```text
//! cargo run --release --example pose -- FILE [--samples 0,0.13,0.5,0.777,1]
//! ```
//!
//! Samples are fractions of a clip's duration. Nodes and vertices are in the file's order, matrices column-major. For meshes
//! that Draco encodes, it needs Node and a built npm package (`cargo xtask build`).

mod draco;
mod dump;

use draco::NodeResolver;
use gambol::import::import;
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
    let mut samples = dump::SAMPLES.to_vec();
    let mut file = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--samples" {
            let list = arguments.next().ok_or("--samples needs a list of fractions")?;
            samples = list.split(',').map(str::parse).collect::<Result<_, _>>()?;
        } else {
            file = Some(argument);
        }
    }
    let file = file.ok_or("usage: pose FILE [--samples 0,0.13,0.5,0.777,1]")?;
    let path = Path::new(&file);
    let mut resolver = NodeResolver::new(path.parent().unwrap_or(Path::new(".")));
    let imported = import(&std::fs::read(path)?, &mut resolver)
        .map_err(|error| format!("{file}: {} at \"{}\": {error}", error.code(), error.pointer))?;
    for warning in &imported.warnings {
        writeln!(std::io::stderr(), "{} at \"{}\": {}", warning.code, warning.pointer, warning.message)?;
    }
    writeln!(std::io::stdout(), "{}", dump::dump(&file, &imported.model, &samples))?;
    Ok(())
}
