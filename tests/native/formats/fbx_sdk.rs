//! Converted files against Autodesk's FBX SDK, in the program FBX2glTF (`npm install fbx2gltf`).
//!
//! `GAMBOL_FBX2GLTF` is the program, `GAMBOL_FBX` a folder of FBX files, or several with `:` between them. Debian's package
//! `assimp-testmodels` has some in `/usr/share/assimp/models/FBX`.
//!
//! ```text
//! npm install fbx2gltf; apt-get install assimp-testmodels; pip install bpy     # outside of the project
//! python -c "import bpy; bpy.ops.wm.read_factory_settings(use_empty=True); bpy.ops.import_scene.gltf(filepath='Fox.glb'); \
//!   bpy.ops.export_scene.fbx(filepath='files/Fox.fbx', bake_anim_use_nla_strips=False, add_leaf_bones=False)"
//! GAMBOL_FBX2GLTF=node_modules/fbx2gltf/bin/Linux/FBX2glTF GAMBOL_FBX=files:/usr/share/assimp/models/FBX \
//!   cargo test --test native fbx_sdk -- --nocapture
//! ```

#![expect(clippy::print_stdout, reason = "the errors of each file are worth seeing with --nocapture")]

use super::Moment;
use crate::oracle::skipped;
use gambol::animation::Rig;
use gambol::import::{NoResolver, import};
use gambol::model::{Influences, Model};
use gambol_formats::{Options, to_glb};
use glam::DVec3;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The rate at which FBX2glTF samples clips, per second. Between these times, it interpolates.
const RATE: f64 = 60.0;

const TIMES: usize = 20;

/// The largest distance of vertices, as a share of the model's diagonal.
const TOLERANCE: f64 = 1e-4;

fn files() -> Vec<PathBuf> {
    let folders = std::env::var_os("GAMBOL_FBX").unwrap_or_default();
    let entries =
        std::env::split_paths(&folders).filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("fbx"))).collect();
    files.sort();
    files
}

/// The file as FBX2glTF converts it; `None` if it cannot.
fn reference(program: &Path, file: &Path) -> Option<Model> {
    let glb = std::env::temp_dir().join(format!("gambol-fbx2gltf-{}.glb", std::process::id()));
    let mut command = Command::new(program);
    command.arg("--binary").arg("--input").arg(file).arg("--output").arg(glb.with_extension(""));
    let output = command.args(["--anim-framerate", "bake60"]).output();
    let bytes = std::fs::read(&glb);
    let _ = std::fs::remove_file(&glb);
    if !output.is_ok_and(|output| output.status.success()) {
        return None;
    }
    Some(import(&bytes.ok()?, &mut NoResolver).ok()?.model)
}

/// Keeps the four largest influences of each vertex, which FBX2glTF writes.
fn keep_four(model: &mut Model) {
    let primitives = model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
    for influences in primitives.filter_map(|primitive| primitive.influences.as_mut()) {
        let width = influences.per_vertex;
        if width <= 4 {
            continue;
        }
        let mut kept = Influences { per_vertex: 4, ..Influences::default() };
        for (joints, weights) in influences.joints.chunks(width).zip(influences.weights.chunks(width)) {
            let sum: f32 = weights[..4].iter().sum();
            kept.joints.extend(&joints[..4]);
            kept.weights.extend(weights[..4].iter().map(|weight| weight / sum));
        }
        *influences = kept;
    }
}

/// The largest distance from a point of `a` to the nearest point of `b`, which must be below `reach`.
fn distance(a: &[DVec3], b: &[DVec3], reach: f64) -> f64 {
    let cell = |point: DVec3| (point / reach).floor().to_array().map(|x| x as i64);
    let mut cells: HashMap<[i64; 3], Vec<DVec3>> = HashMap::new();
    b.iter().for_each(|&point| cells.entry(cell(point)).or_default().push(point));
    let nearest = |&point: &DVec3| {
        let [x, y, z] = cell(point);
        let around = (0..27).map(|i| [x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1]);
        let near = around.filter_map(|cell| cells.get(&cell)).flatten();
        near.map(|other| other.distance(point)).fold(f64::INFINITY, f64::min)
    };
    a.iter().map(nearest).fold(0.0, f64::max)
}

/// The largest distance of two models at a time of clips of the same name, as a share of the diagonal.
fn compare(models: [&Model; 2], rigs: [&Rig; 2], clips: [usize; 2], time: f64) -> f64 {
    let [a, b] = [0, 1].map(|i| {
        let triangles = Moment::new(models[i], rigs[i], clips[i], time).triangles();
        triangles.into_iter().flatten().collect::<Vec<_>>()
    });
    let least = a.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let diagonal = least.distance(a.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max));
    let reach = 100.0 * TOLERANCE * diagonal;
    distance(&a, &b, reach).max(distance(&b, &a, reach)) / diagonal
}

#[test]
fn fbx_vertices_are_those_of_the_fbx_sdk() {
    let files = files();
    let Some(program) = std::env::var_os("GAMBOL_FBX2GLTF").filter(|_| !files.is_empty()) else {
        skipped("FBX files against the FBX SDK: GAMBOL_FBX2GLTF and GAMBOL_FBX are not set");
        return;
    };
    let mut compared = 0;
    for file in files {
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        let Some(reference) = reference(Path::new(&program), &file) else {
            println!("{name}: FBX2glTF cannot read it");
            continue;
        };
        let converted = to_glb(&std::fs::read(&file).expect("a file"), &name, &Options::default());
        let glb = converted.unwrap_or_else(|error| panic!("{name}: {error}")).glb;
        let mut model = import(&glb, &mut NoResolver).unwrap_or_else(|error| panic!("{name}: {error}")).model;
        keep_four(&mut model);
        let rigs = [&model, &reference].map(Rig::new);
        let rigs = [&rigs[0], &rigs[1]];
        for (own, clip) in model.clips.iter().enumerate() {
            let Some(other) = reference.clips.iter().position(|other| other.name == clip.name) else {
                continue;
            };
            let frames = f64::from(clip.duration.min(reference.clips[other].duration)) * RATE;
            let worst = (0..TIMES)
                .map(|i| (frames.floor() * i as f64 / (TIMES - 1) as f64).round() / RATE)
                .map(|time| compare([&model, &reference], rigs, [own, other], time))
                .fold(0.0, f64::max);
            println!("{name}: {}: all vertices within {worst:.1e} diagonals", clip.name);
            assert!(worst <= TOLERANCE, "{name}: {}: {worst}", clip.name);
            compared += 1;
        }
    }
    assert!(compared > 0, "there are clips");
}
