//! Exported files by OpenUSD, if there is a Python with PyPI's `usd-core` and `numpy`: `$GAMBOL_USD_PYTHON`, or the one that
//! `cargo xtask test --all` makes in `target/usd`.

use super::cases::cases;
use super::common::{expect, usdz};
use crate::common::{files, resolver, skipped};
use crate::export::common::Figure;
use gambol::import::import;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python to use; without one, the test says that it is skipped.
fn python() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = std::env::var_os("GAMBOL_USD_PYTHON")
        .map_or_else(|| root.join("target/usd/bin/python"), PathBuf::from);
    if own.is_file() {
        return Some(own);
    }
    skipped("there is no Python with usd-core; `cargo xtask test --all` makes one, or set GAMBOL_USD_PYTHON");
    None
}

/// The output of `check.py` for a folder of files.
fn checked(python: &Path, folder: &Path) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/usdz/check.py");
    let output = Command::new(python).arg(script).arg(folder).output().expect("Python runs");
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gambol-usdz-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn usdz_of_all_models_is_valid_and_its_skinned_points_are_those_of_gambol() {
    let Some(python) = python() else { return };
    let folder = folder("models");
    let mut count = 0;
    let small = cases().into_iter().map(|(name, bytes)| (PathBuf::from(name), bytes));
    let samples =
        gambol_sample::characters().map(|character| (PathBuf::from(character.name), character.glb()));
    let shared = files(&["gltf", "variants", "synthetic", "vrm"]);
    for (path, bytes) in samples.into_iter().chain(small).chain(shared) {
        let mut near = resolver(&path);
        let Ok(imported) = import(&bytes, &mut near) else { continue };
        let model = Figure::new(imported.model);
        let clips = model.clips.len();
        // One with the rest pose, one with a clip. More clips of a file differ in their numbers only.
        for clip in [None].into_iter().chain(clips.checked_sub(1).map(Some)) {
            let name = path.to_string_lossy().replace(['/', '.'], "_");
            let short = name.chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect::<String>();
            let to = folder
                .join(format!("{short}-{}.usdz", clip.map_or("rest".to_owned(), |clip| clip.to_string())));
            std::fs::write(&to, usdz(&bytes, &mut near, clip).bytes).expect("a file");
            // A mesh that is never shown is left out, and a matrix without an inverse is not written.
            if !["hidden", "singular"].contains(&&*name) {
                expect(&model, clip, if clip.is_some() { 20 } else { 1 }, &to);
            }
            count += 1;
        }
    }
    let text = checked(&python, &folder);
    assert!(text.contains(&format!("{count} files, 0 faults")), "{text}");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn usdz_checks_by_openusd_can_fail() {
    let Some(python) = python() else { return };
    let folder = folder("faults");
    let bytes = cases().swap_remove(0).1;
    let model = Figure::new(import(&bytes, &mut gambol::import::NoResolver).expect("a model").model);
    let good = usdz(&bytes, &mut gambol::import::NoResolver, None).bytes;
    let replaced = |from: &str, to: &str| {
        let at = good.windows(from.len()).position(|bytes| bytes == from.as_bytes()).expect(from);
        let mut out = good.clone();
        out[at..at + from.len()].copy_from_slice(to.as_bytes());
        out
    };
    for (name, bytes) in [
        ("up", replaced("upAxis = \"Y\"", "upAxis = \"Q\"")),
        ("prim", replaced("defaultPrim = \"Model\"", "defaultPrim = \"Medal\"")),
        ("output", replaced("Surface.outputs:surface>", "Surface.outputs:surfbce>")),
        ("points", replaced("point3f[] points = [(0, 0, 0)", "point3f[] points = [(0, 0, 1)")),
        ("unaligned", good[..40].iter().chain(&good[41..]).copied().collect()),
    ] {
        let to = folder.join(format!("{name}.usdz"));
        std::fs::write(&to, bytes).expect("a file");
        expect(&model, None, 1, &to);
    }
    let text = checked(&python, &folder);
    for name in ["up", "prim", "output", "points", "unaligned"] {
        assert!(text.contains(&format!("FAULT {name}: ")), "{name}: {text}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}
