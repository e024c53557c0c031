//! Writes the sample character to the file named by the first argument.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: gambol-sample FILE.glb");
        return ExitCode::FAILURE;
    };
    match std::fs::write(&path, gambol_sample::glb()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("cannot write {}: {e}", path.display());
            ExitCode::FAILURE
        }
    }
}
