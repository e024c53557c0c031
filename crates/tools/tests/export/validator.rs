//! Exported files by Khronos's validator, which `npm ci` installs.

use super::common::files;
use super::pose::snapshot;
use gambol::animation::SnapshotMeshes;
use gambol::model::ClipId;
use gambol_tools::{BakeOptions, ClipToWrite, Hidden, NewClip, bake_morphs, export_clips, export_pose};
use std::path::Path;
use std::process::Command;

#[test]
fn exported_files_are_valid() {
    let folder = std::env::temp_dir().join(format!("gambol-export-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new("node");
    command.current_dir(root).arg("xtask/src/validate.mjs");
    // Files whose source is invalid, or names a missing image, cannot become valid.
    let valid = |name: &str| {
        !["gltf/SimpleSkin.gltf", "gltf/interpolation_test/interpolation_test.gltf"].contains(&name)
    };
    for file in files().into_iter().filter(|file| valid(file.name)) {
        let options = BakeOptions { clips: vec![ClipId::new(0)], fps: 5.0, steps: false };
        let (cache, _) = bake_morphs(file.document.clone(), &file.model, &options).expect(file.name);
        let pose = snapshot(&file.model, Some(0), 0.4, SnapshotMeshes::Deformed);
        let pose = export_pose(file.document.clone(), &pose, Hidden::Keep).expect(file.name);
        let written = ClipToWrite::New(NewClip::from_model(&file.model.clips[0], &file.model));
        let clips = export_clips(file.document.clone(), &[ClipToWrite::Kept(0), written]).expect(file.name);
        for (kind, document) in [("cache", cache), ("pose", pose), ("clips", clips)] {
            let path = folder.join(format!("{}-{kind}.glb", file.name.replace(['/', '.'], "_")));
            std::fs::write(&path, document.to_glb().expect("a GLB")).expect("a file");
            command.arg(path);
        }
    }
    let output = command.output();
    let _ = std::fs::remove_dir_all(&folder);
    // Warnings may be those of the source.
    let Ok(output) = output else { return };
    let text = String::from_utf8_lossy(&output.stdout);
    let faults: Vec<&str> = text.lines().filter(|line| line.starts_with("error ")).collect();
    assert!(faults.is_empty(), "{text}");
    let missing = String::from_utf8_lossy(&output.stderr).contains("ERR_MODULE_NOT_FOUND");
    assert!(missing || text.contains(" 0 errors"), "{}", String::from_utf8_lossy(&output.stderr));
}
