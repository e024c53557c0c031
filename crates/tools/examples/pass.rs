//! Makes a file smaller after a pass of one's own, which keeps some clips only:
//! `cargo run -p gambol-tools --example pass -- [FILE CLIP…]`.

use gambol::import::FolderResolver;
use gambol_tools::{Document, Optimized, Options, ToolsError, open, optimize_document};
use std::error::Error;
use std::io::{Write, stdout};
use std::path::Path;

/// Drops the clips with other names, and their keys.
fn keep_clips(document: &mut Document, names: &[&str]) {
    document.list_mut("animations").retain(|clip| names.iter().any(|name| clip["name"] == *name));
    document.drop_empty_list("animations");
    document.prune();
}

/// A smaller file with some clips only.
pub(crate) fn optimized(bytes: &[u8], folder: &Path, clips: &[&str]) -> Result<Optimized, ToolsError> {
    let mut resolver = FolderResolver::new(folder);
    let (mut document, _) = open(bytes, &mut resolver)?;
    keep_clips(&mut document, clips);
    optimize_document(document, &mut resolver, &Options::default())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (bytes, folder, clips) = match arguments.split_first() {
        Some((path, clips)) if path.ends_with(".glb") || path.ends_with(".gltf") => {
            let folder = Path::new(path).parent().unwrap_or(Path::new("."));
            (std::fs::read(path)?, folder, clips.iter().map(String::as_str).collect())
        }
        _ => (gambol_sample::glb(), Path::new("."), vec!["Walk"]),
    };
    let made = optimized(&bytes, folder, &clips)?;
    let report = &made.report;
    writeln!(stdout(), "{} → {} bytes, {} m", bytes.len(), made.bytes.len(), report.error())?;
    Ok(())
}
