//! FBX files, played by gambol and compared with Assimp.

use super::assimp::{assimp, compare_nodes, compare_vertices};
use super::converted;
use super::samples::{character::character, document};
use document::{Document, Key, LINEAR, key};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use gambol::animation::Rig;
use std::io::Write as _;

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// A document in all forms of files, with their names.
pub(super) fn forms(document: &Document) -> [(&'static str, Vec<u8>); 3] {
    let elements = document.elements();
    [
        ("text.fbx", document::text(&elements)),
        ("binary.fbx", document::binary(&elements, 7400, None)),
        ("compressed.fbx", document::binary(&elements, 7500, Some(deflate))),
    ]
}

/// The number of frames of [`walker`], 30 a second.
const FRAMES: usize = 58;

/// A tube of four bones with a key for each frame, in metres. It has nothing that simple readers lack.
pub(super) fn walker() -> Document {
    const RINGS: usize = 9;
    let mut document = Document::metres();
    let body = document.model("Body", "Mesh", &[], 0);
    let rings = 0..RINGS as i32;
    let vertices: Vec<[f64; 3]> = rings
        .clone()
        .flat_map(|ring| (0..6).map(move |corner| (f64::from(ring), f64::from(corner).to_radians() * 60.0)))
        .map(|(ring, angle)| [0.1 * angle.cos(), 0.2 * ring, 0.1 * angle.sin()])
        .collect();
    let triangles: Vec<[i32; 3]> = (0..RINGS as i32 - 1)
        .flat_map(|ring| (0..6).map(move |corner| (6 * ring + corner, 6 * ring + (corner + 1) % 6)))
        .flat_map(|(a, b)| [[a, a + 6, b], [b, a + 6, b + 6]])
        .collect();
    let polygons: Vec<&[i32]> = triangles.iter().map(|triangle| &triangle[..]).collect();
    let mesh = document.mesh(&vertices, &polygons, vec![], body);
    let mut bones = Vec::new();
    for (bone, angles) in
        [[0.0, 20.0, 0.0], [10.0, 0.0, 30.0], [0.0, -40.0, 5.0], [0.0; 3]].iter().enumerate()
    {
        let parent = bones.last().copied().unwrap_or(0);
        let height = if bone == 0 { 0.0 } else { 0.4 };
        let list = [("Lcl Translation", &[0.0, height, 0.0][..]), ("Lcl Rotation", angles)];
        bones.push(document.model(&format!("Bone{bone}"), "LimbNode", &list, parent));
    }
    let weights: Vec<(Vec<i32>, Vec<f64>)> = (0..4)
        .map(|bone| {
            let near = |ring: i32| 1.0 - (f64::from(ring) / 2.0 - f64::from(bone)).abs();
            let last = |ring: i32| if bone == 3 && ring > 6 { 1.0 } else { near(ring) };
            let of_rings = rings.clone().filter(|&ring| last(ring) > 0.0);
            of_rings.flat_map(|ring| (0..6).map(move |corner| (6 * ring + corner, last(ring)))).unzip()
        })
        .collect();
    let bind = |bone: usize| {
        let mut bind = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        bind[13] = 0.4 * bone as f64;
        bind
    };
    let clusters: Vec<_> =
        weights.iter().enumerate().map(|(bone, (v, w))| (bones[bone], &v[..], &w[..], bind(bone))).collect();
    document.skin(mesh, &clusters);
    let layer = document.stack("Walk", 0.0, (FRAMES - 1) as f64 / 30.0);
    let wave = |phase: f64, size: f64, rest: f64| -> Vec<Key> {
        let value = |time: f64| rest + size * (phase + 3.0 * time).sin();
        (0..FRAMES)
            .map(|frame| frame as f64 / 30.0)
            .map(|time| key(time, value(time), LINEAR, [0.0; 2]))
            .collect()
    };
    for (bone, &id) in bones.iter().enumerate() {
        let phase = bone as f64;
        let curves = [wave(phase, 30.0, 0.0), wave(1.7 * phase, 50.0, 10.0), wave(0.3 + phase, 20.0, 0.0)];
        document.curves(layer, id, "Lcl Rotation", &curves.each_ref().map(|curve| Some(&curve[..])));
    }
    let (x, y, z) = (wave(0.0, 0.5, 0.0), wave(0.0, 0.1, 0.2), wave(2.0, 0.3, 1.0));
    document.curves(layer, bones[0], "Lcl Translation", &[Some(&x), Some(&y), Some(&z)]);
    document
}

/// Each of the 20 times is that of a key: between keys, Assimp does not follow the curves. It reads only the text.
#[test]
fn fbx_vertices_are_those_of_assimp() {
    let [(name, file), ..] = forms(&walker());
    let Some(reference) = assimp(name, &file) else { return };
    let model = converted(&file, name, None);
    compare_vertices(name, &model, &reference, &[]);
    let bones = ["Bone0", "Bone1", "Bone2", "Bone3"].map(|bone| (bone, bone));
    compare_nodes(name, &model, &reference, &bones, 2.0);
}

#[test]
fn fbx_characters_are_played() {
    for (name, file) in forms(&character()) {
        let model = converted(&file, name, None);
        assert_eq!((model.skins.len(), model.meshes.len(), model.clips.len()), (1, 1, 1), "{name}");
        assert_eq!(model.clips[0].name, "Walk");
        assert_eq!(model.meshes[0].weights.len(), 2);
        assert_eq!(Rig::new(&model).layout.drawables.len(), 1);
    }
}
