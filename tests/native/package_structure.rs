//! The structure of the package's TypeScript sources: folders import in one direction, and files have no cyclic
//! imports. Imports of types and `import()` count like any other import.

use crate::source_files::{files_below, loops};
use std::collections::BTreeMap;

/// The folders of `www/gambol/src`, the lowest first: files import from their own folder and from those before it. The
/// last one is the top folder, which contains the entries of the package.
const FOLDERS: [&str; 22] = [
    "base",
    "values",
    "wasm",
    "formats",
    "load",
    "camera",
    "stage",
    "worker",
    "tools",
    "api",
    "record",
    "lips",
    "element/base",
    "element/children",
    "element/bar",
    "element/features",
    "element",
    "cli/base",
    "cli/browser",
    "cli/commands",
    "cli",
    "",
];

/// The folder that the build generates. It is not in the repository, so its files are skipped.
const GENERATED: &str = "pkg";
/// The only folders that import from it.
const GENERATED_FOR: [&str; 3] = ["wasm", "formats", "tools"];

/// An import: the line, and the imported file relative to `www/gambol/src`.
type Import = (usize, String);

#[test]
fn package_folders_import_in_one_direction() {
    let sources = sources();
    let mut violations = Vec::new();
    for (path, imports) in &sources {
        let Some(level) = level_of(path) else {
            violations.push(format!("{path}:1: the folder has no place in FOLDERS"));
            continue;
        };
        for (line, target) in imports {
            let generated = folder_of(target) == GENERATED;
            if generated && !GENERATED_FOR.contains(&folder_of(path)) {
                violations.push(format!(
                    "{path}:{line}: a folder other than {GENERATED_FOR:?} imports from {GENERATED}/"
                ));
            }
            if generated || target.ends_with(".css") {
                continue;
            }
            match level_of(target) {
                _ if !sources.contains_key(target) => {
                    violations.push(format!("{path}:{line}: {target} is not there"));
                }
                Some(imported) if imported > level => {
                    violations.push(format!("{path}:{line}: imports {target}, which is in a higher folder"));
                }
                _ => {}
            }
        }
    }
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn package_files_import_without_cycles() {
    let sources = sources();
    let names: Vec<&str> = sources.keys().map(String::as_str).collect();
    let place = |(_, target): &Import| names.binary_search(&target.as_str()).ok();
    let edges: Vec<Vec<usize>> =
        sources.values().map(|imports| imports.iter().filter_map(place).collect()).collect();
    let named = |way: Vec<usize>| way.into_iter().map(|i| names[i]).collect::<Vec<_>>().join(" → ");
    let cycles: Vec<String> = loops(&edges, true).into_iter().map(named).collect();
    assert!(cycles.is_empty(), "{cycles:#?}");
}

#[test]
fn package_import_reader_finds_all_kinds_of_imports() {
    let code = "
        // import { a } from './comment.ts';
        /** See `import('./comment.ts')`. */
        import type { B } from '../b.ts';
        import {
          c,
        } from './c.ts';
        import { d } from 'library';
        export type { E } from '../e/e.ts';
        import css from './f.css';
        const { g } = await lazily('g', () => import('./g.ts'));
        interface H { 'h': import('../h.ts').H; i: import('../i.ts').I }
    ";
    let found: Vec<String> = imports("one/two.ts", code).into_iter().map(|(_, target)| target).collect();
    assert_eq!(found, ["b.ts", "one/c.ts", "e/e.ts", "one/f.css", "one/g.ts", "h.ts", "i.ts"]);
    assert_eq!(imports("a/b.ts", "\nimport '../c.ts';"), [(2, "c.ts".to_owned())]);
}

/// The TypeScript files below `www/gambol/src` by their paths relative to it, with their relative imports.
fn sources() -> BTreeMap<String, Vec<Import>> {
    let files = files_below("www/gambol/src", "ts", &[GENERATED]).into_iter();
    files.map(|(name, code)| (name.clone(), imports(&name, &code))).collect()
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The index of a file's folder in [`FOLDERS`].
fn level_of(path: &str) -> Option<usize> {
    FOLDERS.iter().position(|&folder| folder == folder_of(path))
}

/// The relative imports of a file, in the order of the code. Comment lines are skipped.
fn imports(path: &str, code: &str) -> Vec<Import> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(code.lines()) {
        if ["//", "/*", "*"].iter().any(|comment| text.trim_start().starts_with(comment)) {
            continue;
        }
        for (at, _) in text.match_indices("'.") {
            let imported = ["from ", "import(", "import "].iter().any(|before| text[..at].ends_with(before));
            if let Some((target, _)) = text[at + 1..].split_once('\'').filter(|_| imported) {
                found.push((line, resolved(path, target)));
            }
        }
    }
    found
}

/// Resolves a relative import: `../b.ts` in `one/two.ts` is `b.ts`.
fn resolved(path: &str, target: &str) -> String {
    let mut parts: Vec<&str> = folder_of(path).split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}
