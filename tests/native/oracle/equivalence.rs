//! One character in many encodings: lossless ones give the same bits, the others stay within their quantisation step.

use super::actual::{Actual, double};
use super::encodings::Plain;
use super::expected::skipped;
use super::files::{Cloud, bones, skin, turn};
use crate::common::builder::{Builder, U16};
use crate::common::draco::NodeResolver;
use crate::common::random::Random;
use gambol::animation::{Affine, Deformed};
use gambol::import::{Imported, NoResolver, Resolver, import};
use glam::{DVec3, Mat4};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// A character with everything that encodings treat separately: two sets of influences, morph targets, colours, a mesh
/// below a joint, all interpolations. All its numbers are floats except joints and indices.
fn character() -> Plain {
    let (mut file, mut random) = (Builder::new(), Random(51));
    let joints = bones(&mut file, &mut random, 6);
    let skin = skin(&mut file, &mut random, &joints);
    let cloud = Cloud { vertices: 120, joints: 6, sets: 2, targets: 3 };
    let mesh = cloud.build(&mut file, &mut random, |i| [0.0, 0.02 * i as f32, 0.0]);
    let rigid = Cloud { sets: 0, ..cloud }.build(&mut file, &mut random, |_| [0.0; 3]);
    for mesh in [mesh, rigid] {
        let mut numbers =
            |width: usize| -> Vec<f32> { (0..width * 120).map(|_| random.float(0.0, 1.0)).collect() };
        let extras = [
            ("TEXCOORD_0", file.bounded("VEC2", &numbers(2))),
            ("COLOR_0", file.bounded("VEC4", &numbers(4))),
        ];
        let triangles: Vec<i32> = (0..118).flat_map(|i| [i, i + 1 + i % 2, i + 2 - i % 2]).collect();
        let primitive = &mut file.json["meshes"][mesh]["primitives"][0];
        for (name, accessor) in extras {
            primitive["attributes"][name] = json!(accessor);
        }
        let indices = file.integers("SCALAR", U16, false, &triangles);
        file.json["meshes"][mesh]["primitives"][0]["indices"] = json!(indices);
    }
    let worn = file.node(None, json!({ "mesh": mesh, "skin": skin, "translation": [5.0, 0.0, 0.0] }));
    file.node(Some(joints[4]), json!({ "mesh": rigid, "scale": [0.5, 0.75, 0.5] }));
    let times = [0.1, 0.35, 0.8, 1.3];
    let clip = file.clip("lines and steps");
    turn(&mut file, &mut random, clip, &joints, &times, 2.0);
    for (interpolation, path, joint) in [("LINEAR", "translation", joints[1]), ("STEP", "scale", joints[2])] {
        let values: Vec<f32> = (0..12).map(|_| random.float(0.7, 1.2)).collect();
        file.animate(clip, (joint, path), interpolation, &times, &values);
    }
    let values: Vec<f32> = (0..12).map(|_| random.float(-0.3, 1.0)).collect();
    file.animate(clip, (worn, "weights"), "LINEAR", &times, &values);
    let clip = file.clip("splines");
    let values: Vec<f32> = (0..12).flat_map(|_| random.rotation(2.0)).collect();
    file.animate(clip, (joints[0], "rotation"), "CUBICSPLINE", &times, &values);
    let values: Vec<f32> = (0..36).map(|_| random.float(-0.5, 0.5)).collect();
    file.animate(clip, (worn, "weights"), "CUBICSPLINE", &times, &values);
    Plain::new(&file.glb())
}

/// The state at one time.
#[derive(PartialEq)]
struct Frame {
    nodes: Vec<Affine>,
    weights: Vec<f32>,
    palette: Vec<Affine>,
    vertices: Vec<(usize, usize, Deformed)>,
}

/// Imports the file; returns its states at rest and at times of every clip: on keys, between them, outside.
fn frames(bytes: &[u8], resolver: &mut dyn Resolver) -> (Actual, Vec<Frame>) {
    let Imported { model, warnings } = import(bytes, resolver).expect("the file is right");
    assert_eq!(warnings, []);
    let mut actual = Actual::of(model);
    let mut frames = Vec::new();
    let clips = actual.model.clips.len();
    let times = [-1.0, 0.1, 0.2, 0.35, 0.5, 0.7999, 0.8, 1.0, 1.25, 1.3, 2.0];
    let moments = (0..clips).flat_map(|clip| times.map(|time| (Some(clip), time)));
    for (clip, time) in std::iter::once((None, 0.0)).chain(moments) {
        actual.go(clip, time);
        let vertices = actual.vertices();
        let (nodes, weights) = (actual.matrices.clone(), actual.pose.weights.clone());
        frames.push(Frame { nodes, weights, palette: actual.palette.clone(), vertices });
    }
    (actual, frames)
}

/// The largest differences between two lists of frames: of node matrices, positions and normals.
#[derive(Debug, Default)]
struct Difference {
    nodes: f64,
    positions: f64,
    normals: f64,
}

fn difference(plain: &[Frame], other: &[Frame]) -> Difference {
    let mut worst = Difference::default();
    assert_eq!(plain.len(), other.len());
    for (plain, other) in plain.iter().zip(other) {
        let floats = Affine::as_floats(&plain.nodes).iter().zip(Affine::as_floats(&other.nodes));
        worst.nodes = floats.map(|(a, b)| f64::from(a - b).abs()).fold(worst.nodes, f64::max);
        for ((_, _, plain), (_, _, other)) in plain.vertices.iter().zip(&other.vertices) {
            let far = |a: &[[f32; 3]], b: &[[f32; 3]]| -> f64 {
                assert_eq!(a.len(), b.len(), "how many vertices there are");
                a.iter().zip(b).map(|(a, b)| (double(*a) - double(*b)).length()).fold(0.0, f64::max)
            };
            worst.positions = worst.positions.max(far(&plain.positions, &other.positions));
            worst.normals = worst.normals.max(far(&plain.normals, &other.normals));
        }
    }
    worst
}

/// The diagonal of the box of all positions at rest.
fn diagonal(frames: &[Frame]) -> f64 {
    let points = || {
        frames[0].vertices.iter().flat_map(|(_, _, vertices)| vertices.positions.iter().copied().map(double))
    };
    let (least, most) = (points().reduce(DVec3::min), points().reduce(DVec3::max));
    least.zip(most).map_or(0.0, |(least, most)| (most - least).length())
}

/// The largest stretch of the palette, by the Frobenius norm.
fn stretch(frames: &[Frame]) -> f64 {
    let matrices = frames.iter().flat_map(|frame| &frame.palette);
    let norm =
        |matrix: &Affine| matrix.rows().map(|row| row.truncate().length_squared()).iter().sum::<f32>().sqrt();
    matrices.map(norm).fold(0.0, f32::max).into()
}

fn plain() -> (Plain, Actual, Vec<Frame>) {
    let plain = character();
    let (actual, frames) = frames(&plain.glb(), &mut NoResolver);
    assert!(difference(&frames[..1], &frames[5..6]).positions > 0.1, "it moves, or the tests say nothing");
    (plain, actual, frames)
}

#[test]
fn lossless_encodings_give_the_same_bits() {
    let (plain, actual, want) = plain();
    let (external, bytes) = plain.external("a%20b.bin");
    let mut beside = HashMap::from([("a b.bin".to_owned(), bytes)]);
    let cases: [(&str, Vec<u8>, &mut dyn Resolver); 9] = [
        ("embedded", plain.embedded(), &mut NoResolver),
        ("external", external, &mut beside),
        ("sparse", plain.sparse().glb(), &mut NoResolver),
        ("sparse and embedded", plain.sparse().embedded(), &mut NoResolver),
        ("EXT meshopt", plain.meshopt("EXT_meshopt_compression", true).glb(), &mut NoResolver),
        ("KHR meshopt", plain.meshopt("KHR_meshopt_compression", true).glb(), &mut NoResolver),
        ("EXT meshopt, indices", plain.meshopt("EXT_meshopt_compression", false).glb(), &mut NoResolver),
        ("KHR meshopt, indices", plain.meshopt("KHR_meshopt_compression", false).embedded(), &mut NoResolver),
        ("interleaved", plain.interleaved().glb(), &mut NoResolver),
    ];
    for (name, bytes, resolver) in cases {
        same(name, &actual, &want, &bytes, resolver);
    }
}

fn same(name: &str, actual: &Actual, want: &[Frame], bytes: &[u8], resolver: &mut dyn Resolver) {
    let (other, got) = frames(bytes, resolver);
    assert!(got == want, "{name}: {:?}", difference(want, &got));
    for (other, mesh) in other.model.meshes.iter().zip(&actual.model.meshes) {
        let (other, primitive) = (&other.primitives[0], &mesh.primitives[0]);
        assert_eq!(other.indices, primitive.indices, "{name}");
        assert_eq!(other.tex_coords, primitive.tex_coords, "{name}");
        assert_eq!(other.colors, primitive.colors, "{name}");
    }
}

#[test]
fn quantised_meshes_are_within_one_quantisation_step() {
    let (plain, _, want) = plain();
    let (file, step) = quantized_mesh(&plain);
    let (_, got) = frames(&file.glb(), &mut NoResolver);
    let difference = difference(&want, &got);
    println!("quantised mesh: {difference:?}, step {step:.1e}");
    // Half a step along each axis, plus roundings of f32.
    let bound = 0.5 * 3f64.sqrt() * step * stretch(&want) + 1e-6 * diagonal(&want);
    assert!(difference.positions <= bound, "{difference:?}, above {bound:.1e}");
    assert!(
        difference.positions > 0.01 * bound,
        "the mesh is quantised, or the test says nothing: {difference:?}"
    );
    // A tilt of half a step of 16 bits, which stretched joints amplify.
    assert!(difference.normals <= 10.0 / 32767.0, "{difference:?}");
}

/// Quantises the mesh: positions of 16 bits, which the inverse bind matrices and the rigid mesh's node scale back;
/// signed normals of 16 bits, texture coordinates of 16 bits. Also returns the step of positions.
fn quantized_mesh(plain: &Plain) -> (Plain, f64) {
    let mut file = plain.clone();
    let mut worst = 0.0;
    for (m, primitive) in plain.primitives().iter().enumerate() {
        let attributes = &primitive["attributes"];
        let positions = plain.floats(&attributes["POSITION"]);
        let axis = |axis: usize, pick: fn(f32, f32) -> f32| {
            positions.iter().skip(axis).step_by(3).copied().reduce(pick)
        };
        let least = [0, 1, 2].map(|i| axis(i, f32::min).unwrap_or(0.0));
        let size =
            [0, 1, 2].map(|i| axis(i, f32::max).unwrap_or(0.0) - least[i]).into_iter().fold(0.0, f32::max);
        worst = f64::max(worst, f64::from(size) / 65535.0);
        let quantized = positions.iter().enumerate().flat_map(|(i, value)| {
            let value = ((value - least[i % 3]) / size * 65535.0).round() as u16;
            [value.to_le_bytes().to_vec(), if i % 3 == 2 { vec![0; 2] } else { Vec::new() }].concat()
        });
        file.replace(&attributes["POSITION"], 5123, true, quantized.collect());
        file.stride(&attributes["POSITION"], 8);
        let normals = plain.floats(&attributes["NORMAL"]);
        let normals = normals.iter().enumerate().flat_map(|(i, value)| {
            let value = (value * 32767.0).round() as i16;
            [value.to_le_bytes().to_vec(), if i % 3 == 2 { vec![0; 2] } else { Vec::new() }].concat()
        });
        file.replace(&attributes["NORMAL"], 5122, true, normals.collect());
        file.stride(&attributes["NORMAL"], 8);
        let coordinates = plain.floats(&attributes["TEXCOORD_0"]).into_iter();
        let coordinates = coordinates.flat_map(|value| ((value * 65535.0).round() as u16).to_le_bytes());
        file.replace(&attributes["TEXCOORD_0"], 5123, true, coordinates.collect());
        // The deltas of morph targets are in the units of the mesh, and stay floats.
        for target in primitive["targets"].as_array().expect("targets") {
            let deltas =
                plain.floats(&target["POSITION"]).into_iter().flat_map(|value| (value / size).to_le_bytes());
            file.replace(&target["POSITION"], 5126, false, deltas.collect());
        }
        let back = Mat4::from_translation(least.into()) * Mat4::from_scale([size; 3].into());
        if m == 0 {
            let binds = &plain.json["skins"][0]["inverseBindMatrices"];
            let matrices = plain.floats(binds);
            let matrices = matrices.as_chunks().0.iter().map(|m: &[f32; 16]| Mat4::from_cols_array(m) * back);
            let bytes = matrices.flat_map(|matrix| matrix.to_cols_array()).flat_map(f32::to_le_bytes);
            file.replace(binds, 5126, false, bytes.collect());
        } else {
            let node =
                file.json["nodes"].as_array_mut().and_then(|nodes| nodes.last_mut()).expect("the rigid mesh");
            let scale = Mat4::from_scale([0.5, 0.75, 0.5].into());
            node.as_object_mut().expect("an object").remove("scale");
            node["matrix"] = json!((scale * back).to_cols_array());
        }
    }
    file.uses("KHR_mesh_quantization");
    (file, worst)
}

#[test]
fn quantised_keys_and_weights_are_within_one_quantisation_step() {
    let (plain, _, want) = plain();
    let mut file = plain.clone();
    for (path, output) in plain.outputs() {
        if path == "rotation" {
            let keys = plain.floats(&output).into_iter();
            let keys = keys.flat_map(|value| ((value * 32767.0).round() as i16).to_le_bytes());
            file.replace(&output, 5122, true, keys.collect());
        }
    }
    for set in ["WEIGHTS_0", "WEIGHTS_1"] {
        let weights = &plain.primitives()[0]["attributes"][set];
        let bytes = plain.floats(weights).into_iter();
        let bytes = bytes.flat_map(|value| ((value * 65535.0).round() as u16).to_le_bytes());
        file.replace(weights, 5123, true, bytes.collect());
    }
    let (_, got) = frames(&file.glb(), &mut NoResolver);
    let difference = difference(&want, &got);
    println!("quantised keys: {difference:?}, diagonal {:.2}", diagonal(&want));
    // Half a step in each of four components is an angle of 2/32767 at each of six joints in a row. The error of eight
    // weights is half a step of 65535 each.
    let bound = diagonal(&want) * (6.0 * 2.0 / 32767.0 + 8.0 * 0.5 / 65535.0);
    assert!(
        difference.positions <= bound && difference.positions > 0.01 * bound,
        "{difference:?}, bound {bound:.1e}"
    );
}

#[test]
fn meshopt_filters_are_within_one_quantisation_step() {
    let (plain, _, want) = plain();
    let (_, got) = frames(&plain.filtered().glb(), &mut NoResolver);
    let difference = difference(&want, &got);
    println!("meshopt filters: {difference:?}");
    // As for rotation keys of 16 bits, but the largest component is reconstructed from the others, at most twice as
    // inexact. Floats keep 19 bits.
    let bound = diagonal(&want) * (2.0 * 6.0 * 2.0 / 32767.0 + 8.0 / f64::from(1 << 19));
    assert!(
        difference.positions <= bound && difference.positions > 0.01 * bound,
        "{difference:?}, bound {bound:.1e}"
    );
    assert!(difference.normals <= 20.0 / 32767.0, "{difference:?}");
}

#[test]
fn draco_gives_the_same_vertices() {
    let missing = NodeResolver::missing();
    let encoder = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules/draco3dgltf/draco_encoder.wasm");
    if let Some(reason) = missing.or((!encoder.exists()).then_some("node_modules/draco3dgltf is not there")) {
        skipped(&format!("Draco against the plain file: {reason}"));
        return;
    }
    let (plain, actual, want) = plain();
    let decoder = || NodeResolver::new(Path::new("."));
    same("Draco, all numbers kept", &actual, &want, &plain.draco(0, 0).glb(), &mut decoder());

    // In the original order, with positions of 14 bits.
    let step = |accessor: &Value| {
        let [least, most] = ["min", "max"].map(|key| {
            let list = plain.json["accessors"][accessor.as_u64().unwrap_or(0) as usize][key]
                .as_array()
                .expect("limits");
            list.iter().map(|value| value.as_f64().unwrap_or(0.0)).collect::<Vec<_>>()
        });
        most.iter().zip(least).map(|(most, least)| most - least).fold(0.0, f64::max)
            / f64::from((1 << 14) - 1)
    };
    let steps = plain.primitives().iter().map(|p| step(&p["attributes"]["POSITION"])).fold(0.0, f64::max);
    let bound = 0.5 * 3f64.sqrt() * steps * stretch(&want) + 1e-6 * diagonal(&want);
    let (_, got) = frames(&plain.draco(0, 14).glb(), &mut decoder());
    let worst = difference(&want, &got);
    println!("Draco of 14 bits: {worst:?}, bound {bound:.1e}");
    assert!(worst.positions <= bound && worst.positions > 0.01 * bound, "{worst:?}, bound {bound:.1e}");
    assert_eq!(worst.nodes, 0.0);

    // In Draco's own order, without morph targets, which depend on the file's order: each vertex has a counterpart.
    let mut bare = plain.clone();
    for mesh in bare.json["meshes"].as_array_mut().expect("meshes") {
        mesh["primitives"][0].as_object_mut().expect("an object").remove("targets");
    }
    for clip in bare.json["animations"].as_array_mut().expect("clips") {
        let channels = clip["channels"].as_array_mut().expect("channels");
        channels.retain(|channel| channel["target"]["path"] != "weights");
    }
    let (_, want) = frames(&bare.glb(), &mut NoResolver);
    let (_, got) = frames(&bare.draco(1, 14).glb(), &mut decoder());
    for (want, got) in want.iter().zip(&got) {
        assert!(want.nodes == got.nodes);
        for ((_, _, want), (_, _, got)) in want.vertices.iter().zip(&got.vertices) {
            assert_eq!(want.positions.len(), got.positions.len());
            for (from, to) in [(want, got), (got, want)] {
                for &position in &from.positions {
                    let far = |other: &[f32; 3]| (double(position) - double(*other)).length();
                    let nearest = to.positions.iter().map(far).fold(f64::INFINITY, f64::min);
                    assert!(nearest <= bound, "{nearest:.1e}, above {bound:.1e}");
                }
            }
        }
    }
}
