//! Files of `../shared/assets`, if this folder exists, and random numbers.

#[path = "../../../../tests/native/common/random.rs"]
#[expect(dead_code, reason = "other crates use the other methods")]
pub(crate) mod random;

use gambol::import::FolderResolver;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The folder of the assets: `$GAMBOL_SHARED/assets` or `../shared/assets`. Without it, the test says that it is skipped.
pub(crate) fn assets() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("GAMBOL_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    let assets = shared.join("assets");
    if assets.is_dir() {
        return Some(assets);
    }
    skipped(&format!("there is no {}; set GAMBOL_SHARED", assets.display()));
    None
}

/// Reports a skipped test or a skipped part of one, once. It writes to the standard error itself, since `println!` of
/// passed tests is hidden.
pub(crate) fn skipped(what: &str) {
    // Each test has a thread of its own.
    thread_local!(static SAID: RefCell<HashSet<String>> = RefCell::default());
    if SAID.with_borrow_mut(|said| said.insert(what.to_owned())) {
        let thread = std::thread::current();
        let _ = writeln!(std::io::stderr(), "SKIPPED: {}: {what}", thread.name().unwrap_or("a test"));
    }
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "glb" || extension == "gltf") {
            out.push(path);
        }
    }
}

/// The glTF files in some folders of the assets.
pub(crate) fn files(folders: &[&str]) -> Vec<(PathBuf, Vec<u8>)> {
    let Some(assets) = assets() else { return Vec::new() };
    let mut paths = Vec::new();
    folders.iter().for_each(|folder| collect(&assets.join(folder), &mut paths));
    assert!(!paths.is_empty(), "the assets have no files in {folders:?}");
    paths.into_iter().map(|path| (path.clone(), fs::read(path).expect("the file can be read"))).collect()
}

/// Reads the files beside `path`.
pub(crate) fn resolver(path: &Path) -> FolderResolver {
    FolderResolver::new(path.parent().unwrap_or(Path::new(".")))
}
