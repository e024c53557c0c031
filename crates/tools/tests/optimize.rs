//! The optimiser: faults, the bound, a second run, unknown data.

use crate::common;
use crate::oracle::{File, largest_distance};
use gambol::import::{NoResolver, import};
use gambol_gltf::document::Written;
use gambol_gltf::element::{ComponentType, Kind};
use gambol_gltf::json;
use gambol_gltf::json::Value;
use gambol_tools::{BakeOptions, Compression, Document, Optimized, Options, bake_morphs, diff, optimize};

/// The sample with two of its clips, so that the tests are quick.
fn sample() -> Vec<u8> {
    let mut document = Document::parse(&gambol_sample::glb(), &mut NoResolver).expect("the sample is valid");
    document.list_mut("animations").truncate(2);
    document.prune();
    document.to_glb().expect("it fits")
}

fn optimized(bytes: &[u8], options: &Options) -> Optimized {
    optimize(bytes, &mut NoResolver, options).expect("the file is valid")
}

#[test]
fn optimize_refuses_invalid_errors() {
    for error in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let options = Options { error: Some(error), ..Options::default() };
        let refused = optimize(&sample(), &mut NoResolver, &options).expect_err("the error is invalid");
        assert_eq!(refused.code, "tools/option");
    }
}

#[test]
fn optimize_refuses_malformed_files_without_a_panic() {
    for (path, bytes) in common::files(&["malformed"]) {
        let mut resolver = common::resolver(&path);
        match optimize(&bytes, &mut resolver, &Options::default()) {
            Err(error) => assert!(error.code.contains('/') && !error.message.is_empty(), "{error:?}"),
            Ok(made) => {
                let again = import(&made.bytes, &mut resolver);
                assert!(again.is_ok(), "{}: {:?}", path.display(), again.err());
            }
        }
    }
}

#[test]
fn optimize_refuses_mutations_without_a_panic() {
    let glb = sample();
    let mut random = common::random::Random(23);
    let mut made = 0;
    for _ in 0..30 {
        let mut bytes = glb.clone();
        for _ in 0..1 + random.below(4) {
            let end = if random.below(2) == 0 { bytes.len() } else { bytes.len().min(9000) };
            let at = 20 + random.below(end - 20);
            bytes[at] =
                if random.below(2) == 0 { b"0123456789"[random.below(10)] } else { random.below(256) as u8 };
        }
        made += usize::from(optimize(&bytes, &mut NoResolver, &Options::default()).is_ok());
    }
    assert!(made > 0, "some mutations are valid files");
}

/// Files whose vertices the oracle cannot read.
fn is_encoded_by_draco(path: &std::path::Path) -> bool {
    path.to_string_lossy().contains("draco")
}

#[test]
fn optimize_keeps_every_vertex_within_the_bound_and_a_second_run_changes_nothing() {
    check_bound(&["synthetic"]);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn optimize_keeps_every_vertex_of_large_files_within_the_bound() {
    check_bound(&["gltf", "variants"]);
}

/// Optimises all files of some folders, and measures the results by the oracle.
fn check_bound(folders: &[&str]) {
    for (path, bytes) in common::files(folders) {
        if is_encoded_by_draco(&path) {
            continue;
        }
        let shown = path.display();
        let mut resolver = common::resolver(&path);
        let before = File::at(&path, &bytes);
        let options = Options::default();
        let made =
            optimize(&bytes, &mut resolver, &options).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let bound = f64::from(made.report.bound);
        let distance = largest_distance(&before, &File::glb(&made.bytes), bound);
        assert!(distance <= bound, "{shown}: {distance:e} of {bound:e}");
        assert!(made.report.after.total <= made.report.before.total, "{shown}");
        assert_eq!(made.report.after.total, made.bytes.len(), "{shown}");
        let again = optimize(&made.bytes, &mut resolver, &options).expect("the result is valid");
        assert!(again.bytes == made.bytes, "{shown}: the second run changes the file");
    }
}

#[test]
fn optimize_without_compression_makes_a_file_for_every_player() {
    let options = Options { compression: Compression::None, error: Some(1e-4) };
    let made = optimized(&sample(), &options);
    let document = Document::parse(&made.bytes, &mut NoResolver).expect("the result is valid");
    assert!(!document.uses("EXT_meshopt_compression") && !document.uses("KHR_meshopt_compression"));
    assert!(!made.report.unchanged);
    let distance = largest_distance(&File::glb(&sample()), &File::glb(&made.bytes), 1e-4);
    assert!(distance <= 1e-4, "{distance:e}");
}

#[test]
fn optimize_with_a_larger_bound_makes_a_smaller_file() {
    let file = sample();
    let sizes = [1e-5, 1e-4, 1e-3, 1e-2].map(|error| {
        let options = Options { error: Some(error), ..Options::default() };
        let made = optimized(&file, &options);
        let bound = f64::from(error);
        let distance = largest_distance(&File::glb(&file), &File::glb(&made.bytes), bound);
        assert!(distance <= bound, "{distance:e} of {bound:e}");
        made.bytes.len()
    });
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    let khronos = Options { compression: Compression::KhronosMeshopt, error: Some(1e-4) };
    assert!(optimized(&sample(), &khronos).bytes.len() < sizes[1]);
}

/// The sample with extras and an unknown extension in many places.
fn with_unknown_data() -> Document {
    let mut document = Document::parse(&sample(), &mut NoResolver).expect("the sample is valid");
    let bytes: Vec<u8> = (0..57).collect();
    let view = document.add_view(bytes, None, None, None);
    document.declare("ACME_sound", false);
    document.json["extensions"] = json!({ "ACME_sound": { "clips": [{ "bufferView": view, "gain": 0.3 }] } });
    document.json["extras"] = json!({ "z": [1.5, null], "a": "text" });
    for list in ["nodes", "meshes", "animations", "materials", "skins"] {
        if let Some(first) = document.list_mut(list).first_mut() {
            first["extras"] = json!({ "list": list, "number": 0.1 });
            first["extensions"]["ACME_sound"] = json!({ "clip": 0 });
        }
    }
    document
}

#[test]
fn optimize_keeps_extras_and_unknown_extensions() {
    let before = with_unknown_data();
    let made = optimized(&before.to_glb().expect("it fits"), &Options::default());
    assert!(!made.report.unchanged);
    let after = Document::parse(&made.bytes, &mut NoResolver).expect("the result is valid");
    assert_eq!(after.json["extras"].to_string(), before.json["extras"].to_string());
    let sound = &after.json["extensions"]["ACME_sound"]["clips"][0];
    let view = sound["bufferView"].as_u64().expect("an index") as usize;
    assert_eq!(after.view_bytes(view), (0..57).collect::<Vec<u8>>());
    assert_eq!(sound["gain"], 0.3);
    for list in ["nodes", "meshes", "animations", "materials", "skins"] {
        let both =
            [&before, &after].map(|document| document.list(list).first().cloned().unwrap_or(Value::Null));
        assert_eq!(both[0]["extras"], both[1]["extras"], "{list}");
        assert_eq!(both[0]["extensions"], both[1]["extensions"], "{list}");
    }
    let materials = |document: &Document| json!(document.list("materials")).to_string();
    assert_eq!(materials(&before), materials(&after));
    assert_eq!(before.list("nodes").len(), after.list("nodes").len());
}

#[test]
fn optimize_keeps_layers_of_materials_and_their_textures() {
    let mut before = Document::parse(&sample(), &mut NoResolver).expect("the sample is valid");
    let image = before.list("images").len();
    let texture = before.list("textures").len();
    let view = before.add_view(vec![137, 80, 78, 71], None, None, None);
    before.list_mut("images").push(json!({ "bufferView": view, "mimeType": "image/png" }));
    before.list_mut("textures").push(json!({ "source": image }));
    let layer = json!({
        "diffuseTransmissionFactor": 0.25,
        "diffuseTransmissionTexture": { "index": texture },
        "diffuseTransmissionColorTexture": { "index": texture, "texCoord": 1 },
    });
    before.list_mut("materials")[0]["extensions"] = json!({ "KHR_materials_diffuse_transmission": layer });
    before.declare("KHR_materials_diffuse_transmission", false);
    let made = optimized(&before.to_glb().expect("it fits"), &Options::default());
    assert!(!made.report.unchanged);
    let after = Document::parse(&made.bytes, &mut NoResolver).expect("the result is valid");
    assert_eq!(after.list("materials")[0]["extensions"], before.list("materials")[0]["extensions"]);
    assert_eq!(after.list("textures")[texture], before.list("textures")[texture]);
    let view = after.list("images")[image]["bufferView"].as_u64().expect("an index") as usize;
    assert_eq!(after.view_bytes(view), [137, 80, 78, 71]);
    assert!(after.uses("KHR_materials_diffuse_transmission"));
}

#[test]
fn optimize_drops_channels_that_say_nothing_and_keeps_the_duration() {
    let mut document = Document::parse(&sample(), &mut NoResolver).expect("the sample is valid");
    // One more clip of 3 s, whose only channel keeps a node where it is.
    let times: Vec<u8> = [0.0f32, 1.0, 3.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let rest = document.json["nodes"][0].get("translation").cloned().unwrap_or(json!([0.0, 0.0, 0.0]));
    let rest: Vec<f32> =
        rest.as_array().expect("a list").iter().map(|v| v.as_f64().expect("a number") as f32).collect();
    let values: Vec<u8> = (0..3).flat_map(|_| rest.iter().flat_map(|v| v.to_le_bytes())).collect();
    let mut accessor = |bytes: Vec<u8>, kind, range| {
        let view = document.add_view(bytes, None, None, None);
        document.add_accessor(&Written { range, ..Written::new(view, ComponentType::F32, kind, 3) })
    };
    let input = accessor(times, Kind::Scalar, Some((vec![0.0], vec![3.0])));
    let output = accessor(values, Kind::Vec3, None);
    document.list_mut("animations").push(json!({
        "name": "still",
        "channels": [
            { "sampler": 0, "target": { "node": 0, "path": "translation" } },
        ],
        "samplers": [{ "input": input, "output": output }],
    }));
    let made = optimized(&document.to_glb().expect("it fits"), &Options::default());
    let model = import(&made.bytes, &mut NoResolver).expect("the result is valid").model;
    let clip = model.clips.last().expect("the clip is there");
    assert_eq!((clip.name.as_str(), clip.duration), ("still", 3.0));
    assert_eq!(clip.curves.iter().map(|curve| curve.times().len()).max(), Some(2));
}

#[test]
fn diff_finds_the_place_of_the_largest_distance() {
    let before = import(&sample(), &mut NoResolver).expect("the sample is valid").model;
    assert_eq!(diff(&before, &before).expect("it has vertices").largest().0.distance, 0.0);
    let mut after = before.clone();
    let mesh = after.meshes.iter().position(|mesh| !mesh.primitives.is_empty()).expect("it has a mesh");
    let position = &mut after.meshes[mesh].primitives[0].positions[3];
    position[1] += 0.25;
    let found = diff(&before, &after).expect("it has vertices");
    let (place, _) = found.largest();
    assert_eq!((place.mesh, place.primitive, place.vertex), (mesh, 0, 3));
    // The clips stretch joints by at most 6.8 % (the spine in "Run"), and the vertex with them.
    assert!(place.distance >= 0.25 && place.distance <= 0.25 * 1.068, "{place:?}");
    assert_eq!(found.clips.len(), before.clips.len());
    assert!(found.unmatched.is_empty());
}

#[test]
fn diff_matches_vertices_in_another_order() {
    let before = import(&sample(), &mut NoResolver).expect("the sample is valid").model;
    let mut after = before.clone();
    for primitive in after.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.positions.reverse();
        primitive.targets.clear();
        if let Some(influences) = &mut primitive.influences {
            let rows = |width: usize, len: usize| {
                (0..len / width).rev().flat_map(move |row| row * width..(row + 1) * width)
            };
            let order: Vec<usize> = rows(influences.per_vertex, influences.joints.len()).collect();
            influences.joints = order.iter().map(|&i| influences.joints[i]).collect();
            influences.weights = order.iter().map(|&i| influences.weights[i]).collect();
        }
    }
    let mut plain = before.clone();
    plain
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives)
        .for_each(|primitive| primitive.targets.clear());
    let found = diff(&plain, &after).expect("it has vertices").largest().0;
    assert!(found.distance < 1e-6, "{found:?}");
}

#[test]
#[ignore = "takes half a minute: cargo xtask test --all"]
fn diff_of_an_optimised_file_is_within_the_bound_also_if_its_vertices_are_in_another_order() {
    // Some vertices of the whole sample are at one place in most of its clips.
    let source = gambol_sample::glb();
    let made = optimized(&source, &Options { error: Some(0.002), ..Options::default() });
    let model = |bytes: &[u8]| import(bytes, &mut NoResolver).expect("it is valid").model;
    let found = diff(&model(&source), &model(&made.bytes)).expect("it has vertices");
    let (place, clip) = found.largest();
    assert!(place.distance <= 0.002, "{place:?} in {clip:?}");
}

#[test]
fn diff_compares_the_clips_of_a_baked_file_by_index_though_it_has_another_pose_at_rest() {
    let source = import(&sample(), &mut NoResolver).expect("the sample is valid").model;
    let clip = source.clips.iter().position(|clip| clip.name == "Walk").expect("it walks");
    let options = BakeOptions { clips: vec![gambol::model::ClipId::new(clip)], fps: 60.0, steps: false };
    let document = Document::parse(&sample(), &mut NoResolver).expect("the sample is valid");
    let (baked, report) = bake_morphs(document, &source, &options).expect("it bakes");
    let baked = import(&baked.to_glb().expect("it fits"), &mut NoResolver).expect("it is valid").model;
    let found = diff(&source, &baked).expect("it has vertices");
    let walk = found.clips.iter().find(|clip| clip.name == "Walk").expect("both have it");
    let limit = 2.0 * report.error.expect("frames are interpolated");
    assert!(f64::from(walk.place.distance) <= limit, "{:?}, limit {limit} m", walk.place);
}

#[test]
fn diff_refuses_files_without_vertices() {
    let model = import(&sample(), &mut NoResolver).expect("the sample is valid").model;
    let empty = import(br#"{"asset":{"version":"2.0"}}"#, &mut NoResolver).expect("it is valid").model;
    let refused = diff(&model, &empty).expect_err("there is nothing to compare");
    assert_eq!(refused.code, "tools/nothing-to-compare");
}
