//! A file as large as those of motion libraries.

use super::document::{CUBIC, Element, Key, Value, element, key};
use super::*;

const BONES: usize = 65;
const FRAMES: usize = 1600;
/// The number of vertices along each side of the mesh.
const SIDE: usize = 110;

/// The curve of one angle of a bone, in degrees, and its slope per second.
fn angle(bone: usize, axis: usize, time: f64) -> (f64, f64) {
    let (phase, rate) = (bone as f64 + 0.7 * axis as f64, 2.0 + 0.01 * bone as f64);
    (30.0 * (phase + rate * time).sin(), 30.0 * rate * (phase + rate * time).cos())
}

/// The keys of an angle, one for each frame, 30 a second.
fn keys(bone: usize, axis: usize) -> Vec<Key> {
    let frame = |frame: usize| angle(bone, axis, frame as f64 / 30.0);
    (0..FRAMES)
        .map(|i| {
            key(i as f64 / 30.0, frame(i).0, CUBIC, [frame(i).1, frame(i + 1).1].map(|slope| slope as f32))
        })
        .collect()
}

fn attribute(kind: &str, name: &str, values: Vec<f64>) -> Element {
    let list = vec![
        element("MappingInformationType", ["ByVertice".into()], vec![]),
        element("ReferenceInformationType", ["Direct".into()], vec![]),
        element(name, [Value::Reals(values)], vec![]),
    ];
    element(kind, [0.into()], list)
}

/// A character of 65 bones and 12,100 vertices with four influences each, and a clip of 1,600 frames.
fn character() -> Document {
    let mut document = Document::metres();
    let model = document.model("Body", "Mesh", &[], 0);
    let at = |i: usize| [(i % SIDE) as f64 / SIDE as f64, (i / SIDE) as f64 / SIDE as f64];
    let vertices: Vec<[f64; 3]> =
        (0..SIDE * SIDE).map(|i| [at(i)[0], at(i)[1], 0.1 * (i as f64).sin()]).collect();
    let corners: Vec<[i32; 4]> = (0..SIDE * (SIDE - 1))
        .filter(|i| i % SIDE + 1 < SIDE)
        .map(|i| [i, i + 1, i + 1 + SIDE, i + SIDE].map(|i| i as i32))
        .collect();
    let polygons: Vec<&[i32]> = corners.iter().map(|corners| &corners[..]).collect();
    let layers = vec![
        attribute("LayerElementNormal", "Normals", [0.0, 0.6, 0.8].repeat(vertices.len())),
        attribute("LayerElementUV", "UV", (0..vertices.len()).flat_map(at).collect()),
    ];
    let mesh = document.mesh(&vertices, &polygons, layers, model);
    let mut bones = Vec::new();
    for bone in 0..BONES {
        let parent = if bone % 5 == 0 { bones.first() } else { bones.last() };
        let list = [("Lcl Translation", &[0.0, 0.05, 0.0][..]), ("PreRotation", &[0.0, 10.0, 0.0])];
        let parent = parent.copied().unwrap_or(0);
        bones.push(document.model(&format!("mixamorig:Bone{bone}"), "LimbNode", &list, parent));
    }
    let of_bone = |bone: usize| -> (Vec<i32>, Vec<f64>) {
        let vertices = (0..SIDE * SIDE).filter(|vertex| (vertex + BONES - bone) % BONES < 4);
        vertices.map(|vertex| (vertex as i32, 1.0 + (vertex % 7) as f64)).unzip()
    };
    let weights: Vec<_> = (0..BONES).map(of_bone).collect();
    let identity = DMat4::IDENTITY.to_cols_array();
    let clusters: Vec<_> =
        bones.iter().zip(&weights).map(|(&bone, (v, w))| (bone, &v[..], &w[..], identity)).collect();
    document.skin(mesh, &clusters);
    let layer = document.stack("mixamo.com", 0.0, (FRAMES - 1) as f64 / 30.0);
    for (bone, &id) in bones.iter().enumerate() {
        let curves = [0, 1, 2].map(|axis| keys(bone, axis));
        document.curves(layer, id, "Lcl Rotation", &curves.each_ref().map(|keys| Some(&keys[..])));
    }
    document
}

/// With `GAMBOL_FBX_LARGE`, the file is written to this path, to measure with.
#[test]
fn fbx_large_files_keep_their_keys() {
    let bytes = binary(&character().elements(), 7500, Some(deflate));
    if let Some(path) = std::env::var_os("GAMBOL_FBX_LARGE") {
        std::fs::write(path, &bytes).expect("a file");
    }
    let (scene, warnings) = read_bytes(&bytes).expect("a valid file");
    assert_eq!(warnings, []);
    assert_eq!(scene.meshes[0].primitives[0].positions.len(), SIDE * SIDE);
    assert_eq!((scene.skins[0].joints.len(), scene.clips[0].channels.len()), (BONES, BONES));
    for bone in [0, 31, 64] {
        let channel =
            channel(&scene, 0, &format!("mixamorig:Bone{bone}"), Path::Rotation).expect("a channel");
        assert_eq!(channel.times.len(), FRAMES);
        for i in 0..500 {
            let time = (FRAMES - 1) as f64 / 30.0 * f64::from(i) / 500.0;
            let angles = [0, 1, 2].map(|axis| angle(bone, axis, time).0);
            let expected = euler([0.0, 10.0, 0.0], 0) * euler(angles, 0);
            // Cubic curves between the keys deviate from the sine by 1e-4 degrees.
            assert!(same_rotation(&sample(channel, time), expected, 2e-5), "bone {bone}, {time} s");
        }
    }
}
