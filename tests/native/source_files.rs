//! The length of source files and the lists of features, which no lint checks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file has fewer lines.
const LIMIT: usize = 700;

/// The table of the lists.
const TABLE: &str = "src/web/features.rs";

/// The path of each source file below the repository's top folder, and its text.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut folders, mut files) = (vec![root.join("src"), root.join("crates")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                files.push((path.strip_prefix(root).expect("a path below the top folder").to_owned(), text));
            }
        }
    }
    assert!(files.len() > 200, "the sources were not found");
    files
}

#[test]
fn source_files_stay_short() {
    let mut files = sources();
    files.retain(|(_, text)| text.lines().count() >= LIMIT);
    let long: Vec<_> = files.iter().map(|(path, text)| (path, text.lines().count())).collect();
    assert!(long.is_empty(), "a file has fewer than {LIMIT} lines: {long:?}");
}

/// The path of a file's module in `crates/web`, which compiles the sources of three crates as one.
fn module(path: &Path) -> String {
    let path = path.with_extension("");
    let parts: Vec<_> = path.iter().map(|part| part.to_str().expect("a name in ASCII")).collect();
    let parts = match &parts[..] {
        ["crates", "animation", "src", parts @ ..] | ["src", parts @ ..] => parts.to_vec(),
        ["crates", "import", "src", parts @ ..] => [&["import"], parts].concat(),
        other => panic!("a list outside of the module for pages: {other:?}"),
    };
    parts.strip_suffix(&["mod"]).unwrap_or(&parts).join("::")
}

/// A list that no table starts is never there: the first call of one of its functions stops the page's viewer.
#[test]
fn the_table_has_each_list_of_a_feature_once_and_in_its_feature() {
    let files = sources();
    // `list NAME;` or `list NAME: FEATURE;`, and the module with it.
    let mut declared = BTreeMap::new();
    for (path, text) in files.iter().filter(|(path, _)| !path.ends_with("base/feature.rs")) {
        for line in text.lines().filter_map(|line| line.strip_prefix("    list ")) {
            let line = line.strip_suffix(';').expect("`list NAME;`");
            let (name, feature) = line.split_once(": ").map_or((line, None), |(n, f)| (n, Some(f)));
            let again = declared.insert(format!("{}::{name}", module(path)), feature);
            assert!(again.is_none(), "{} has {name} twice", path.display());
        }
    }
    assert!(declared.len() > 60, "the lists were not found");

    let (_, table) = files.iter().find(|(path, _)| path == Path::new(TABLE)).expect(TABLE);
    let (_, table) = table.split_once("    features! {\n").expect("the table");
    let (table, _) = table.split_once("\n    }\n").expect("the end of the table");
    let (mut feature, mut listed, mut feature_of) = ("", BTreeSet::new(), BTreeMap::new());
    for line in table.lines().map(str::trim) {
        if let Some(next) = line.strip_suffix(": [") {
            feature = next;
        } else if let Some(list) = line.strip_suffix(',').filter(|_| line != "],") {
            assert!(listed.insert(list), "{list} is in the table twice");
            let tag = declared.get(list).unwrap_or_else(|| panic!("no file has the list {list}"));
            assert!(tag.is_none_or(|tag| tag == feature), "{list} is of {tag:?}, not of {feature}");
            let (_, name) = list.rsplit_once("::").expect("a path");
            let known = *feature_of.entry(name).or_insert(feature);
            assert_eq!(known, feature, "{name} is a name of lists of two features");
        }
    }
    let missing: Vec<_> = declared.keys().filter(|list| !listed.contains(list.as_str())).collect();
    assert!(missing.is_empty(), "the table lacks {missing:?}");
}
