//! Writes the sample characters, or those that the arguments name, into a folder.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let Some(folder) = args.next() else {
        eprintln!("usage: gambol-sample FOLDER [NAME …]");
        return ExitCode::FAILURE;
    };
    let names: Vec<_> = args.collect();
    for character in gambol_sample::characters() {
        if !names.is_empty() && !names.iter().any(|name| name.eq_ignore_ascii_case(character.name)) {
            continue;
        }
        let path = Path::new(&folder).join(character.file);
        if let Err(e) = std::fs::write(&path, character.glb()) {
            eprintln!("cannot write {}: {e}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
