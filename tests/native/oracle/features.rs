//! Further small files with one feature each: extensions, encodings, and large numbers of everything.

use super::files::{BOUND, Case, Cloud, bones, chain, influences, skin, skinned, turn, unit};
use crate::common::builder::{Builder, I8, I16, U8, U16};
use crate::common::random::Random;
use glam::{Mat4, Quat, Vec3};
use serde_json::json;

pub(crate) fn cases() -> Vec<Case> {
    let case = |name, glb| Case { name, glb, bound: BOUND };
    vec![
        case("16 influences", influences(4)),
        case("24 influences", influences(6)),
        case("40 influences", influences(10)),
        // As for the shorter chain: √10000 · 6e-8 = 6e-6.
        Case { name: "chain of 10,000 joints", glb: chain(10_000, 0.02), bound: 1e-5 },
        case("pointers", pointers()),
        case("weights by pointers", weight_pointers()),
        case("visibility", visibility()),
        case("instances", instances()),
        case("quantised", quantized(false)),
        case("quantised and skinned", quantized(true)),
        case("many morph targets", morphs()),
        case("vanishing nodes", vanishing()),
    ]
}

/// The properties of materials, lights and cameras that pointers can animate, and their numbers of components.
const POINTERS: [(&str, usize); 38] = [
    ("/materials/0/pbrMetallicRoughness/baseColorFactor", 4),
    ("/materials/0/pbrMetallicRoughness/metallicFactor", 1),
    ("/materials/0/pbrMetallicRoughness/roughnessFactor", 1),
    ("/materials/0/emissiveFactor", 3),
    ("/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength", 1),
    ("/materials/0/alphaCutoff", 1),
    ("/materials/0/normalTexture/scale", 1),
    ("/materials/0/occlusionTexture/strength", 1),
    ("/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset", 2),
    ("/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/rotation", 1),
    ("/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/scale", 2),
    ("/materials/0/pbrMetallicRoughness/metallicRoughnessTexture/extensions/KHR_texture_transform/offset", 2),
    (
        "/materials/0/pbrMetallicRoughness/metallicRoughnessTexture/extensions/KHR_texture_transform/rotation",
        1,
    ),
    ("/materials/0/pbrMetallicRoughness/metallicRoughnessTexture/extensions/KHR_texture_transform/scale", 2),
    ("/materials/0/normalTexture/extensions/KHR_texture_transform/offset", 2),
    ("/materials/0/normalTexture/extensions/KHR_texture_transform/rotation", 1),
    ("/materials/0/normalTexture/extensions/KHR_texture_transform/scale", 2),
    ("/materials/0/occlusionTexture/extensions/KHR_texture_transform/offset", 2),
    ("/materials/0/occlusionTexture/extensions/KHR_texture_transform/rotation", 1),
    ("/materials/0/occlusionTexture/extensions/KHR_texture_transform/scale", 2),
    ("/materials/0/emissiveTexture/extensions/KHR_texture_transform/offset", 2),
    ("/materials/0/emissiveTexture/extensions/KHR_texture_transform/rotation", 1),
    ("/materials/0/emissiveTexture/extensions/KHR_texture_transform/scale", 2),
    // Most properties of this material are neither animated nor in the file.
    ("/materials/1/pbrMetallicRoughness/roughnessFactor", 1),
    ("/extensions/KHR_lights_punctual/lights/0/color", 3),
    ("/extensions/KHR_lights_punctual/lights/0/intensity", 1),
    ("/extensions/KHR_lights_punctual/lights/0/range", 1),
    ("/extensions/KHR_lights_punctual/lights/0/spot/innerConeAngle", 1),
    ("/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle", 1),
    ("/extensions/KHR_lights_punctual/lights/1/intensity", 1),
    ("/cameras/0/perspective/yfov", 1),
    ("/cameras/0/perspective/aspectRatio", 1),
    ("/cameras/0/perspective/znear", 1),
    ("/cameras/0/perspective/zfar", 1),
    ("/cameras/1/orthographic/xmag", 1),
    ("/cameras/1/orthographic/ymag", 1),
    ("/cameras/1/orthographic/znear", 1),
    ("/cameras/1/orthographic/zfar", 1),
];

/// The type of an accessor with `width` components.
fn kind(width: usize) -> &'static str {
    ["", "SCALAR", "VEC2", "VEC3", "VEC4"][width]
}

/// All targets of pointers except weights and visibility: in each interpolation, as integers, with one key, starting
/// late. Half of them are in clips that also move nodes, by paths and by pointers.
fn pointers() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(41));
    let joints = skinned(&mut file, &mut random, 4, &Cloud::new(4));
    let texture =
        |i: usize| json!({ "index": 0, "extensions": { "KHR_texture_transform": { "rotation": i } } });
    file.push("textures", json!({}));
    file.push(
        "materials",
        json!({
            "alphaMode": "MASK", "emissiveFactor": [0.5, 0.25, 1.0],
            "pbrMetallicRoughness": { "baseColorTexture": texture(0), "metallicRoughnessTexture": texture(1) },
            "normalTexture": texture(2), "occlusionTexture": texture(3), "emissiveTexture": { "index": 0 },
        }),
    );
    file.push("materials", json!({ "pbrMetallicRoughness": { "roughnessFactor": 0.125 } }));
    let lights =
        json!([{ "type": "spot", "range": 7.5 }, { "type": "directional", "color": [0.5, 0.5, 1.0] }]);
    file.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": lights } });
    let near = json!({ "yfov": 0.5, "aspectRatio": 1.5, "znear": 0.1, "zfar": 30.0 });
    file.push("cameras", json!({ "type": "perspective", "perspective": near }));
    let parallel = json!({ "xmag": 1.0, "ymag": 2.0, "znear": 0.0, "zfar": 9.0 });
    file.push("cameras", json!({ "type": "orthographic", "orthographic": parallel }));
    for extension in ["KHR_texture_transform", "KHR_lights_punctual", "KHR_materials_emissive_strength"] {
        file.uses(extension);
    }
    let clips: [(&str, &str, &[f32], usize); 6] = [
        ("STEP", "steps", &[0.0, 0.1, 0.7], 1),
        ("LINEAR", "lines", &[0.0, 0.3, 1.1], 1),
        ("CUBICSPLINE", "splines", &[0.25, 0.5, 2.0], 1),
        ("LINEAR", "one key", &[0.75], 1),
        ("CUBICSPLINE", "late", &[3.0, 3.5], 1),
        ("LINEAR", "every other", &[0.0, 1.0], 2),
    ];
    for (interpolation, name, times, every) in clips {
        let clip = file.clip(name);
        let input = file.bounded("SCALAR", times);
        let parts = if interpolation == "CUBICSPLINE" { 3 } else { 1 };
        for (pointer, width) in POINTERS.into_iter().step_by(every) {
            let values: Vec<f32> =
                (0..times.len() * parts * width).map(|_| random.float(0.05, 1.0)).collect();
            let output = file.bounded(kind(width), &values);
            file.point(clip, pointer, interpolation, (input, output));
        }
        for (i, &joint) in joints.iter().enumerate() {
            let values: Vec<f32> = (0..times.len() * parts).flat_map(|_| random.rotation(2.0)).collect();
            let output = file.bounded("VEC4", &values);
            let moves: Vec<f32> = (0..times.len() * parts).flat_map(|_| random.point(0.5)).collect();
            let moves = file.bounded("VEC3", &moves);
            if i % 2 == 0 {
                file.channel(clip, (joint, "rotation"), interpolation, (input, output));
                file.point(clip, &format!("/nodes/{joint}/translation"), interpolation, (input, moves));
            } else {
                file.point(clip, &format!("/nodes/{joint}/rotation"), interpolation, (input, output));
                file.point(clip, &format!("/nodes/{joint}/scale"), interpolation, (input, moves));
            }
        }
    }
    let clip = file.clip("integers");
    let input = file.bounded("SCALAR", &[0.0, 0.5, 1.0]);
    for (i, (pointer, width)) in POINTERS.into_iter().take(24).enumerate() {
        let (component, range) = if i % 2 == 0 { (U8, 256) } else { (U16, 65536) };
        let values: Vec<i32> = (0..3 * width).map(|_| random.below(range) as i32).collect();
        let output = file.integers(kind(width), component, true, &values);
        file.point(clip, pointer, "LINEAR", (input, output));
    }
    file.glb()
}

/// All weights of a node or of a mesh, and single ones, for nodes with and without their own weights.
fn weight_pointers() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(42));
    let mesh = Cloud { targets: 4, sets: 0, ..Cloud::new(1) }.build(&mut file, &mut random, |_| [0.0; 3]);
    file.json["meshes"][mesh]["weights"] = json!([0.25, 0.0, 0.5, 0.0]);
    file.node(None, json!({ "mesh": mesh, "translation": [2.0, 0.0, 0.0] }));
    file.node(None, json!({ "mesh": mesh, "weights": [0.0, 1.0, 0.0, 0.125] }));
    file.node(None, json!({ "mesh": mesh, "translation": [0.0, 2.0, 0.0] }));
    let clips: [&[(&str, usize)]; 4] = [
        &[("/nodes/1/weights", 4), ("/nodes/0/weights/3", 1)],
        &[("/meshes/0/weights", 4), ("/nodes/1/weights/0", 1), ("/nodes/1/weights/2", 1)],
        &[("/meshes/0/weights/1", 1), ("/meshes/0/weights/2", 1)],
        &[("/nodes/2/weights/0", 1), ("/nodes/2/weights/1", 1), ("/nodes/2/weights/2", 1)],
    ];
    for (pointers, interpolation) in
        clips.iter().flat_map(|clip| ["STEP", "LINEAR", "CUBICSPLINE"].map(|i| (clip, i)))
    {
        let clip = file.clip(interpolation);
        let times = [0.1, 0.4, 1.3];
        let input = file.bounded("SCALAR", &times);
        let parts = if interpolation == "CUBICSPLINE" { 3 } else { 1 };
        for (pointer, width) in *pointers {
            let values: Vec<f32> =
                (0..times.len() * parts * width).map(|_| random.float(-0.5, 1.5)).collect();
            let output = file.bounded("SCALAR", &values);
            file.point(clip, pointer, interpolation, (input, output));
        }
    }
    file.glb()
}

/// Nodes that hide their subtree, at rest and animated: above joints, above a skinned mesh, above each other.
fn visibility() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(43));
    let hidden = json!({ "KHR_node_visibility": { "visible": false } });
    let shown = json!({ "KHR_node_visibility": { "visible": true } });
    let top = file.node(None, json!({ "extensions": shown }));
    let mut joints = vec![file.node(Some(top), json!({ "extensions": hidden }))];
    for _ in 0..3 {
        joints.push(file.node(joints.last().copied(), json!({ "translation": random.point(0.5) })));
    }
    let skin = skin(&mut file, &mut random, &joints);
    let mesh = Cloud::new(4).build(&mut file, &mut random, |_| [0.0; 3]);
    let above = file.node(None, json!({}));
    let worn = file.node(Some(above), json!({ "mesh": mesh, "skin": skin }));
    let under = file.node(Some(joints[2]), json!({ "mesh": mesh }));
    file.uses("KHR_node_visibility");
    let clips: [&[(usize, &[i32])]; 3] = [
        &[(top, &[1, 0, 0, 1]), (joints[0], &[0, 1, 0, 1])],
        &[(above, &[0, 1, 1, 0]), (under, &[1, 0, 1, 0]), (joints[0], &[1, 1, 1, 1])],
        &[(worn, &[0, 0, 1, 1]), (joints[1], &[1, 1, 0, 0])],
    ];
    for nodes in clips {
        let clip = file.clip("hide and seek");
        let input = file.bounded("SCALAR", &[0.1, 0.2, 0.7, 1.1]);
        for (node, values) in nodes {
            let output = file.integers("SCALAR", U8, false, values);
            let pointer = format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
            file.point(clip, &pointer, "STEP", (input, output));
        }
        turn(&mut file, &mut random, clip, &joints, &[0.0, 1.0], 2.0);
    }
    file.glb()
}

/// A mesh with many instances: by floats and by integers, mirrored, flat, with a single attribute; it has morph
/// targets.
fn instances() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(44));
    let mesh = Cloud { targets: 3, sets: 0, ..Cloud::new(1) }.build(&mut file, &mut random, |_| [0.0; 3]);
    let moves: Vec<f32> = (0..5).flat_map(|_| random.point(4.0)).collect();
    let turns: Vec<f32> = (0..5).flat_map(|_| random.rotation(3.0)).collect();
    let scales =
        [[1.0, 2.0, 0.5], [-1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [-0.5, -0.5, -2.0], [3.0, 3.0, 3.0]].concat();
    let short: Vec<i32> = turns.iter().map(|value| (value * 32767.0).round() as i32).collect();
    let byte: Vec<i32> = turns.iter().map(|value| (value * 127.0).round() as i32).collect();
    let attributes = [
        json!({
            "TRANSLATION": file.bounded("VEC3", &moves), "ROTATION": file.bounded("VEC4", &turns),
            "SCALE": file.bounded("VEC3", &scales),
        }),
        json!({ "ROTATION": file.integers("VEC4", I16, true, &short), "SCALE": file.bounded("VEC3", &scales) }),
        json!({ "ROTATION": file.integers("VEC4", I8, true, &byte), "TRANSLATION": file.bounded("VEC3", &moves) }),
        json!({ "TRANSLATION": file.bounded("VEC3", &moves), "_ID": file.bounded("SCALAR", &[0.0; 5]) }),
    ];
    let clip = file.clip("all");
    let mut parent = None;
    for attributes in attributes {
        let extension = json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } });
        let node = json!({ "mesh": mesh, "extensions": extension, "translation": random.point(1.0) });
        // Nested nodes: the children of an instanced node are not instanced.
        let node = file.node(parent, node);
        turn(&mut file, &mut random, clip, &[node], &[0.0, 0.5, 1.0], 2.0);
        let values: Vec<f32> = (0..9).map(|_| random.float(-0.5, 1.0)).collect();
        file.animate(clip, (node, "weights"), "LINEAR", &[0.0, 0.5, 1.0], &values);
        parent = Some(node);
    }
    file.uses("EXT_mesh_gpu_instancing");
    file.glb()
}

/// A component type of integers: type, normalised, minimum, maximum.
type Integers = (u32, bool, i32, i32);

const BYTES: [Integers; 4] =
    [(I8, false, -128, 127), (I8, true, -128, 127), (U8, false, 0, 255), (U8, true, 0, 255)];
const SHORTS: [Integers; 4] =
    [(I16, false, -32768, 32767), (I16, true, -32768, 32767), (U16, false, 0, 65535), (U16, true, 0, 65535)];

/// Vertices of all types that KHR_mesh_quantization allows, each with morph targets of all types that it allows. The
/// node, or the inverse bind matrices, scale them back.
fn quantized(skinned: bool) -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(45));
    let joints = bones(&mut file, &mut random, 3);
    let clip = file.clip("all");
    turn(&mut file, &mut random, clip, &joints, &[0.0, 0.5, 1.0], 2.0);
    let vertices = 16;
    let signed = [BYTES[0], BYTES[1], SHORTS[0], SHORTS[1]];
    for (i, kind) in BYTES.into_iter().chain(SHORTS).enumerate() {
        // Integers of a type that are at most `reach` when decoded, but at least one step.
        let mut put = |file: &mut Builder, width: usize, of: Integers, reach: f32| {
            let (component, normalized, least, most) = of;
            let step = if normalized { 1.0 / most as f32 } else { 1.0 };
            let end = ((reach / step).round() as i32).clamp(1, most);
            let begin = if end == most { least } else { -end.min(-least) };
            let value = |_| begin + random.below((end - begin + 1) as usize) as i32;
            let values: Vec<i32> = (0..width * vertices).map(value).collect();
            file.aligned(self::kind(width), component, normalized, &values)
        };
        let size_of = |of: Integers| if of.1 { 1.0 } else { of.3 as f32 };
        let size = size_of(kind);
        let other = signed[i % 4];
        let unit_of = if i % 2 == 0 { BYTES[1] } else { SHORTS[1] };
        let mut other_random = Random(i as u64);
        let directions: Vec<[f32; 3]> = (0..2 * vertices).map(|_| unit(&mut other_random)).collect();
        let rounded = |directions: &[[f32; 3]], sign: &[i32]| -> Vec<i32> {
            let of = |direction: &[f32; 3]| {
                let direction = direction.map(|value| (value * unit_of.3 as f32).round() as i32);
                [&direction[..], sign].concat()
            };
            directions.iter().flat_map(of).collect()
        };
        let (normals, tangents) = directions.split_at(vertices);
        let mut attributes = json!({
            "POSITION": put(&mut file, 3, kind, size),
            "NORMAL": file.aligned("VEC3", unit_of.0, true, &rounded(normals, &[])),
            "TANGENT": file.aligned("VEC4", unit_of.0, true, &rounded(tangents, &[-unit_of.3])),
            "TEXCOORD_0": put(&mut file, 2, kind, size),
            "TEXCOORD_1": put(&mut file, 2, other, size_of(other)),
            "COLOR_0": put(&mut file, if i % 2 == 0 { 3 } else { 4 }, if i < 4 { BYTES[3] } else { SHORTS[3] }, 1.0),
        });
        let targets: Vec<_> = signed
            .into_iter()
            .map(|of| {
                let normalized = (of.0, true, of.2, of.3);
                json!({
                    "POSITION": put(&mut file, 3, of, 0.25 * size),
                    "NORMAL": put(&mut file, 3, normalized, 0.25),
                    "TANGENT": put(&mut file, 3, normalized, 0.25),
                    "TEXCOORD_0": put(&mut file, 2, of, 0.5 * size),
                    "COLOR_0": put(&mut file, if i % 2 == 0 { 3 } else { 4 }, normalized, 0.5),
                })
            })
            .collect();
        let center = if kind.2 == 0 { 0.5 * size } else { 0.0 };
        let back = Mat4::from_scale(Vec3::splat(1.0 / size)) * Mat4::from_translation(Vec3::splat(-center));
        let (scale, _, translation) = back.to_scale_rotation_translation();
        let mut node = json!({ "translation": translation.to_array(), "scale": scale.to_array() });
        if skinned {
            let binds: Vec<f32> = joints.iter().flat_map(|_| back.to_cols_array()).collect();
            let binds = file.bounded("MAT4", &binds);
            let indices: Vec<i32> = (0..4 * vertices).map(|i| (i % 3) as i32).collect();
            let (of, most) = if i % 2 == 0 { (U8, 255) } else { (U16, 65535) };
            let weights = [most - 3 * (most / 5), most / 5, most / 5, most / 5].repeat(vertices);
            attributes["JOINTS_0"] = json!(file.aligned("VEC4", of, false, &indices));
            attributes["WEIGHTS_0"] = json!(file.aligned("VEC4", of, true, &weights));
            node = json!({ "skin": file.push("skins", json!({ "joints": joints, "inverseBindMatrices": binds })) });
        }
        let mesh = json!({ "primitives": [{ "attributes": attributes, "targets": targets }] });
        node["mesh"] = json!(file.push("meshes", mesh));
        let node = file.node((!skinned).then_some(joints[i % 3]), node);
        let weights: Vec<f32> = (0..12).map(|_| random.float(-0.5, 1.0)).collect();
        file.animate(clip, (node, "weights"), "LINEAR", &[0.0, 0.5, 1.0], &weights);
    }
    file.uses("KHR_mesh_quantization");
    file.glb()
}

/// 300 sparse targets that change all attributes, each of a few vertices; only a few have weights at a time.
fn morphs() -> Vec<u8> {
    const TARGETS: usize = 300;
    let (mut file, mut random) = (Builder::new(), Random(46));
    let cloud = Cloud { vertices: 60, ..Cloud::new(4) };
    let joints = skinned(&mut file, &mut random, 4, &cloud);
    let mut numbers = |count: usize| -> Vec<f32> { (0..count).map(|_| random.float(0.0, 1.0)).collect() };
    let extras = [("TEXCOORD_0", 2), ("TEXCOORD_1", 2), ("COLOR_0", 4)];
    for (name, width) in extras {
        let values = file.bounded(kind(width), &numbers(width * cloud.vertices));
        file.json["meshes"][0]["primitives"][0]["attributes"][name] = json!(values);
    }
    let base = numbers(3 * cloud.vertices);
    let mut targets = Vec::new();
    for t in 0..TARGETS {
        let mut target = json!({});
        let parts = [("POSITION", 3), ("NORMAL", 3), ("TANGENT", 3)].into_iter().chain(extras);
        for (p, (name, width)) in parts.enumerate() {
            if (t + p) % 3 == 0 && name != "POSITION" {
                continue;
            }
            let first = (7 * t + p) % 50;
            let some: Vec<_> = (0..5).map(|i| ((first + 2 * i) as u16, numbers(width))).collect();
            // Some are sparse with a base.
            let all = Some(&base[..]).filter(|_| width == 3 && t % 10 == 0);
            target[name] = json!(file.sparse(kind(width), all, cloud.vertices, &some));
        }
        targets.push(target);
    }
    file.json["meshes"][0]["primitives"][0]["targets"] = json!(targets);
    let node = file.json["nodes"].as_array().expect("nodes").len() - 1;
    let clip = file.clip("all");
    turn(&mut file, &mut random, clip, &joints, &[0.0, 0.5, 1.0], 2.0);
    let on = |key: usize, t: usize| t % 40 == key || t == TARGETS - 1;
    let weights: Vec<f32> = (0..3 * TARGETS)
        .map(|i| if on(i / TARGETS, i % TARGETS) { random.float(-0.3, 0.3) } else { 0.0 })
        .collect();
    file.animate(clip, (node, "weights"), "LINEAR", &[0.0, 0.5, 1.0], &weights);
    file.glb()
}

/// Rigid meshes below nodes that are mirrored, flat, or scaled to zero, permanently and for a moment.
fn vanishing() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(47));
    let mesh = Cloud { sets: 0, ..Cloud::new(1) }.build(&mut file, &mut random, |_| [0.0; 3]);
    let clip = file.clip("through zero");
    let scales =
        [[0.0; 3], [1.0, 0.0, 1.0], [0.0, -1.0, 0.0], [-1.0, 1.0, 1.0], [-2.0, -1.0, -0.5], [1e-3, 1.0, 1e3]];
    for (i, scale) in scales.into_iter().enumerate() {
        let rotation = Quat::from_array(random.rotation(2.0)).normalize().to_array();
        let outer =
            file.node(None, json!({ "scale": scale, "rotation": rotation, "translation": [i, 0, 0] }));
        let inner = file.node(Some(outer), json!({ "mesh": mesh, "rotation": rotation }));
        file.node(Some(inner), json!({ "mesh": mesh, "scale": [-1.0, 1.0, 1.0] }));
        let negative = scale.map(|value| -value);
        let keys = [scale, negative, [0.0; 3], scale].concat();
        let interpolation = ["LINEAR", "STEP"][i % 2];
        file.animate(clip, (outer, "scale"), interpolation, &[0.0, 0.4, 0.6, 1.0], &keys);
    }
    file.glb()
}
