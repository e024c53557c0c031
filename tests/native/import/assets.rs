//! The files of the shared folder, if it exists: real models, unusual ones, broken ones.

use crate::common::check::{check, check_words};
use crate::oracle::skipped;
use gambol::import::{FolderResolver, ImportError, Imported, import};
use std::fs;
use std::path::{Path, PathBuf};

/// The shared folder: `GAMBOL_SHARED`, or the default beside the repository.
fn assets() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let shared = std::env::var_os("GAMBOL_SHARED").map_or_else(beside, PathBuf::from);
    let assets = shared.join("assets");
    if !assets.is_dir() {
        skipped(&format!("there is no {}; set GAMBOL_SHARED", assets.display()));
        return None;
    }
    Some(assets)
}

/// All glTF files in a folder and its subfolders, sorted.
fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(models(&path));
        } else if path.extension().is_some_and(|extension| extension == "glb" || extension == "gltf") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn load(path: &Path) -> Result<Imported, ImportError> {
    let bytes = fs::read(path).expect("the file can be read");
    let imported = import(&bytes, &mut FolderResolver::new(path.parent().expect("a file is in a folder")));
    match &imported {
        Ok(imported) => imported.warnings.iter().for_each(|warning| check_words(&warning.message)),
        Err(error) => check_words(&error.to_string()),
    }
    imported
}

#[test]
fn public_models_load() {
    let Some(assets) = assets() else { return };
    for path in ["gltf", "synthetic", "variants"].iter().flat_map(|folder| models(&assets.join(folder))) {
        let name = path.strip_prefix(&assets).expect("it is below").display().to_string();
        match load(&path) {
            Ok(Imported { model, warnings }) => {
                check(&model);
                assert!(model.meshes.iter().any(|mesh| !mesh.primitives.is_empty()), "{name}");
                for warning in warnings {
                    eprintln!("{name}: {} {}: {}", warning.code, warning.pointer, warning.message);
                }
            }
            Err(error) => {
                eprintln!("{name}: {error}");
                assert!(
                    name.contains("draco") && error.code() == "import/draco-unavailable",
                    "{name}: {error}"
                );
            }
        }
    }
}

/// Reads an index of broken files: name, and the rest of the line.
fn index(folder: &Path) -> Vec<(PathBuf, String)> {
    let text = fs::read_to_string(folder.join("INDEX.tsv")).expect("the index can be read");
    let line = |line: &str| {
        let (name, rest) = line.split_once('\t').expect("two columns");
        (folder.join(name), rest.to_owned())
    };
    text.lines().filter(|line| !line.starts_with('#')).map(line).collect()
}

#[test]
fn corrupted_models_give_the_recorded_results() {
    let Some(assets) = assets() else { return };
    let index = index(&assets.join("malformed/generated"));
    assert_eq!(index.len(), 28);
    for (path, row) in index {
        let result = load(&path);
        let name = path.file_stem().expect("a name").to_string_lossy();
        match (&result, row.split('\t').next().expect("what is wanted")) {
            (Err(error), "error" | "survive") => eprintln!("{name}: {} {error}", error.code()),
            (Ok(imported), "show" | "survive") => {
                check(&imported.model);
                for warning in &imported.warnings {
                    eprintln!("{name}: {} {}: {}", warning.code, warning.pointer, warning.message);
                }
                // These files are valid, or their faults concern only the browser.
                let harmless = ["scale_zero_negative", "deep_hierarchy", "image_bomb"];
                assert_eq!(imported.warnings.is_empty(), harmless.contains(&&*name), "{name}");
            }
            (result, wanted) => panic!("{name}: {wanted} wanted, but {:?}", result.as_ref().err()),
        }
    }
}

#[test]
fn validator_files_with_errors_are_handled() {
    let Some(assets) = assets() else { return };
    let index = index(&assets.join("malformed/validator"));
    assert_eq!(index.len(), 79);
    for (path, codes) in index {
        let name = path.strip_prefix(assets.join("malformed/validator")).expect("it is below");
        let name = name.display().to_string();
        match load(&path) {
            Err(error) => {
                eprintln!("{name} ({codes}): {} {error}", error.code());
                let whole =
                    name.starts_with("glb/") || name.starts_with("json/") || name.starts_with("root/");
                assert!(
                    whole || !error.pointer.is_empty() || error.code() == "import/invalid-json",
                    "{name}"
                );
            }
            Ok(Imported { model, warnings }) => {
                check(&model);
                assert!(!warnings.is_empty(), "{name}");
                for warning in warnings {
                    eprintln!(
                        "{name} ({codes}): warning {} {}: {}",
                        warning.code, warning.pointer, warning.message
                    );
                }
            }
        }
    }
}

#[test]
fn gltf_1_is_refused_with_its_version() {
    let Some(assets) = assets() else { return };
    let files = models(&assets.join("malformed/gltf1"));
    assert_eq!(files.len(), 3);
    for path in files {
        let error = load(&path).expect_err("glTF 1");
        assert_eq!(error.code(), "import/unsupported-version");
        assert!(error.to_string().contains("glTF 1"), "{error}");
    }
}
