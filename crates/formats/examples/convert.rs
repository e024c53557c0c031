//! Converts a BVH, DirectX .x or FBX file to GLB, and prints its warnings.
//!
//! ```text
//! cargo run --release -p gambol-formats --features fbx --example convert -- IN OUT.glb [--metres-per-unit 0.01] [--up z]
//! ```

use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use gambol_formats::{Options, Up, to_glb};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--metres-per-unit" {
            options.metres_per_unit =
                Some(arguments.next().ok_or("--metres-per-unit needs a number")?.parse()?);
        } else if argument == "--up" {
            options.up = match arguments.next().as_deref() {
                Some("y") => Some(Up::Y),
                Some("z") => Some(Up::Z),
                _ => return Err("--up needs y or z".into()),
            };
        } else {
            files.push(argument);
        }
    }
    let [from, to] = &files[..] else {
        return Err("usage: convert IN OUT.glb [--metres-per-unit 0.01] [--up z]".into());
    };
    let converted = to_glb(&std::fs::read(from)?, from, &options)
        .map_err(|error| format!("{from}: {}: {error}", error.code))?;
    for warning in &converted.warnings {
        writeln!(stderr(), "{}: {} ({})", warning.code, warning.message, warning.place)?;
    }
    std::fs::write(to, &converted.glb)?;
    writeln!(stdout(), "{to}: {} bytes", converted.glb.len())?;
    Ok(())
}
