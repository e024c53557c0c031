//! Writes the sample characters, or those that the arguments name, into a folder.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let Some(folder) = args.next() else {
        eprintln!("usage: gambol-sample FOLDER [NAME …]");
        return ExitCode::FAILURE;
    };
    let characters = gambol_sample::characters();
    let wanted: Vec<_> = args.collect();
    let known = characters.each_ref().map(|character| character.name);
    if let Some(other) = wanted.iter().find(|one| !known.iter().any(|name| one.eq_ignore_ascii_case(name))) {
        eprintln!("there is no character {}; the characters are {}", other.display(), known.join(", "));
        return ExitCode::FAILURE;
    }
    let chosen = |name: &str| wanted.is_empty() || wanted.iter().any(|one| one.eq_ignore_ascii_case(name));
    for character in characters.iter().filter(|character| chosen(character.name)) {
        let path = Path::new(&folder).join(character.file);
        if let Err(e) = std::fs::write(&path, character.glb()) {
            eprintln!("cannot write {}: {e}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
