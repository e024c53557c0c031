//! Converted files by Khronos's validator, which `npm ci` installs.

use super::fbx::{forms, walker};
use super::samples::{arm::arm, figure, motion};
use crate::oracle::skipped;
use gambol_formats::{Options, to_glb};
use std::path::Path;
use std::process::Command;

#[test]
fn converted_files_are_valid() {
    // The texture would be a file of its own.
    let textured = arm();
    let (before, rest) = textured.split_once("TextureFilename").expect("a texture");
    let (_, after) = rest.split_once('}').expect("its end");
    let files = [
        ("arm.x", format!("{before}{after}")),
        ("figure.bvh", figure(&motion(40))),
        ("still.bvh", figure(&[])),
        ("walker.fbx", String::from_utf8(forms(&walker())[0].1.clone()).expect("text")),
        ("empty.x", "xof 0303txt 0032 Frame a { Mesh { 0; 0; } } AnimationSet s { }".to_owned()),
    ];
    let folder = std::env::temp_dir().join(format!("gambol-validator-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut command = Command::new("node");
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR"))).arg("xtask/src/validate.mjs");
    for (name, file) in files {
        let converted = to_glb(file.as_bytes(), name, &Options::default()).expect("a valid file");
        let path = folder.join(format!("{name}.glb"));
        std::fs::write(&path, converted.glb).expect("a file");
        command.arg(path);
    }
    let output = command.output();
    let _ = std::fs::remove_dir_all(&folder);
    match output {
        Ok(output) if output.status.success() => {}
        Ok(output) if String::from_utf8_lossy(&output.stderr).contains("ERR_MODULE_NOT_FOUND") => {
            skipped("converted files by the validator: `npm ci` has not installed it");
        }
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stdout)),
        Err(_) => skipped("converted files by the validator: there is no Node"),
    }
}
