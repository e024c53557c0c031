//! The length of source files, which no lint limits.

use std::fs;
use std::path::Path;

/// A file has fewer lines.
const LIMIT: usize = 700;

#[test]
fn source_files_stay_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut folders, mut count, mut long) = (vec![root.join("src"), root.join("crates")], 0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let lines = fs::read_to_string(&path).expect("a source file").lines().count();
                count += 1;
                if lines >= LIMIT {
                    long.push((path, lines));
                }
            }
        }
    }
    assert!(count > 200, "the sources were not found");
    assert!(long.is_empty(), "a file has fewer than {LIMIT} lines: {long:?}");
}
