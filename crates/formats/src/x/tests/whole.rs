//! Valid files.

use gambol_gltf::json;
use glam::{Mat4, Quat, Vec3};

use super::*;
use crate::scene::{Alpha, ImageData};

fn near(found: &[f32], expected: &[f32]) {
    let close =
        found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(close, "{found:?} instead of {expected:?}");
}

#[test]
fn x_forms_of_a_file_give_the_same_scene() {
    let text = arm::arm();
    let deflate = |block: &[u8]| miniz_oxide::deflate::compress_to_vec(block, 6);
    let single = encode::binary(&text, false);
    let double = encode::binary(&text, true);
    let scene = |bytes: &[u8]| {
        let (scene, warnings) = read_bytes(bytes);
        assert_eq!(warnings, []);
        format!("{scene:?}")
    };
    let expected = scene(text.as_bytes());
    assert!(expected == scene(&double), "floats of 64 bits");
    assert!(expected == scene(&encode::compressed(text.as_bytes(), deflate)), "compressed text");
    assert!(expected == scene(&encode::compressed(&double, deflate)), "compressed binary");
    assert!(scene(&single) == scene(&encode::compressed(&single, deflate)), "floats of 32 bits");
    let (one, other) = (read_bytes(text.as_bytes()).0, read_bytes(&single).0);
    for (a, b) in one.clips[0].channels.iter().zip(&other.clips[0].channels) {
        near(&a.values, &b.values);
    }
}

#[test]
fn x_becomes_right_handed() {
    let scene = quiet(
        "Frame a { FrameTransformMatrix { 0,0,-1,0, 0,1,0,0, 1,0,0,0, 1,2,3,1;; } \
        Mesh { 3; 0;0;0;, 1;0;0;, 0;0;1;; 1; 3;0,1,2;; MeshNormals { 1; 0;3;4; 1; 3;0,0,0;; } } }",
    );
    let (_, frame) = node(&scene, "a");
    near(&frame.translation, &[1.0, 2.0, -3.0]);
    // A turn by 90 degrees about Y, from +X to -Z, is one from +X to +Z in a mirror.
    near(&(Quat::from_array(frame.rotation) * Vec3::X).to_array(), &[0.0, 0.0, 1.0]);
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.indices, [0, 2, 1]);
    assert_eq!(primitive.positions[2], [0.0, 0.0, -1.0]);
    near(&primitive.normals[0], &[0.0, 0.6, -0.8]);
}

#[test]
fn x_unit_scales_all_lengths() {
    let text = arm::arm();
    let options = Options { metres_per_unit: Some(0.5), ..Options::default() };
    let conversion = Conversion::new(&options, "", text.len());
    let scaled = super::super::read(text.as_bytes(), &conversion).expect("a valid file");
    let (scene, _) = read_bytes(text.as_bytes());
    let half = |values: &[f32]| values.iter().map(|value| value * 0.5).collect::<Vec<_>>();
    for (a, b) in scene.nodes.iter().zip(&scaled.nodes) {
        near(&half(&a.translation), &b.translation);
        near(&a.scale, &b.scale);
    }
    let translations = |scene: &Scene| channel(scene, "Lower", Path::Translation).values.clone();
    near(&half(&translations(&scene)), &translations(&scaled));
    let primitive = |scene: &Scene| scene.meshes[0].primitives[0].positions.as_flattened().to_vec();
    near(&half(&primitive(&scene)), &primitive(&scaled));
    let bind = |scene: &Scene| scene.skins[0].inverse_bind_matrices[1];
    near(&half(&bind(&scene)[12..15]), &bind(&scaled)[12..15]);
    near(&bind(&scene)[..12], &bind(&scaled)[..12]);
}

#[test]
fn x_names_may_have_spaces_quotes_and_other_encodings() {
    let body = b"xof 0303txt 0032\nframe Bip01 L Thigh { Frame \"a b\" { } Frame H\xfcfte{ } Frame 01-a.b:c { } Frame{ } }";
    let (scene, warnings) = read_bytes(body);
    let names: Vec<_> = scene.nodes.iter().map(|node| (node.name.as_str(), node.parent)).collect();
    let children = ["a b", "H\u{fc}fte", "01-a.b:c", ""].map(|name| (name, Some(0)));
    assert_eq!(names, [&[("Bip01 L Thigh", None)][..], &children].concat());
    assert_eq!(warnings, []);
}

#[test]
fn x_separators_and_comments_do_not_matter() {
    let scene = quiet("Mesh { 3 0 0 0 1,0,0;;;; 0;1;0 // three\n 1 3 0 1 2 # one\n }");
    assert_eq!(scene.meshes[0].primitives[0].indices, [0, 2, 1]);
}

/// By name and by GUID; before and after the object.
#[test]
fn x_references_lead_to_objects() {
    let guid = "<11111111-2222-3333-4444-555566667777>";
    let other = "<11111111-2222-3333-4444-AAAABBBBCCCC>";
    let material = "1;1;1;1;; 0; 0;0;0;; 0;0;0;;";
    let scene = quiet(&format!(
        "Frame a {{ {{ b }} {{ {guid} }} {{ M }} }} Frame b {{ }} Frame c {{ {guid} }}\n\
        Material Red {{ {other} {material} }}\n\
        {} Mesh N {{ 1; 0;0;0; 0; }} Frame d {{ {{ M }} {{ N }} }}",
        triangle(&format!("MeshMaterialList {{ 1; 1; 0; {{ ignored {other} }} }}"))
    ));
    let names: Vec<_> = scene.nodes.iter().map(|node| (node.name.as_str(), node.parent, node.mesh)).collect();
    assert_eq!(
        names,
        [
            ("a", None, None),
            ("b", Some(0), None),
            ("c", Some(0), None),
            ("d", None, None),
            ("M", Some(0), Some(0)),
            ("M", Some(3), Some(0)),
            ("N", Some(3), Some(1)),
        ]
    );
    assert_eq!((scene.materials.len(), scene.meshes[0].primitives[0].material), (1, Some(0)));
    assert_eq!(scene.materials[0].name, "Red");
}

#[test]
fn x_polygons_become_fans() {
    let scene = quiet("Mesh { 5; 0;0;0; 1;0;0; 2;1;0; 1;2;0; 0;1;0; 2; 5;0,1,2,3,4; 3;0,2,4; }");
    assert_eq!(scene.meshes[0].primitives[0].indices, [0, 2, 1, 0, 3, 2, 0, 4, 3, 0, 4, 2]);
}

/// A vertex with two normals is split; one with the same normal in two faces is not.
#[test]
fn x_vertices_are_split_where_normals_differ() {
    let scene = quiet(
        "Mesh { 4; 0;0;0; 1;0;0; 0;1;0; 1;1;0; 2; 3;0,1,2; 3;2,1,3; \
        MeshNormals { 2; 0;0;1; 0;1;0; 2; 3;0,0,0; 3;0,1,1; } MeshTextureCoords { 4; 0;0; 1;0; 0;1; 1;1; } }",
    );
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.positions.len(), 5);
    assert_eq!(primitive.indices, [0, 2, 1, 2, 4, 3]);
    assert_eq!(primitive.texcoords, [[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]]);
    assert_eq!(primitive.normals[3], [0.0, 1.0, 0.0]);
}

#[test]
fn x_material_lists_have_short_forms() {
    let mesh = |list: &str| {
        quiet(&format!(
            "Mesh {{ 3; 0;0;0; 1;0;0; 0;1;0; 3; 3;0,1,2; 3;0,1,2; 3;0,1,2; MeshMaterialList {{ {list} \
            Material A {{ 1;1;1;1; 0; 0;0;0; 0;0;0; }} Material B {{ 1;1;1;1; 0; 0;0;0; 0;0;0; }} }} }}"
        ))
    };
    for (list, expected) in [
        ("2; 3; 0,1,0;", vec![(Some(0), 6), (Some(1), 3)]),
        ("2; 1; 1;", vec![(Some(1), 9)]),
        ("2; 2; 0, 1;", vec![(Some(0), 3), (Some(1), 6)]),
        ("2; 0;", vec![(Some(0), 9)]),
        ("1; 3; 1,1,0;;", vec![(Some(1), 6), (Some(0), 3)]),
    ] {
        let scene = mesh(list);
        let primitives = &scene.meshes[0].primitives;
        let found: Vec<_> = primitives.iter().map(|one| (one.material, one.indices.len())).collect();
        assert_eq!(found, expected, "{list}");
    }
}

#[test]
fn x_materials_become_metallic_roughness() {
    let material = |values: &str| {
        let part = format!("MeshMaterialList {{ 1; 1; 0; Material M {{ {values} }} }}");
        quiet(&triangle(&part)).materials[0].clone()
    };
    let plain = material("0.5;0.5;1.0;0.25;; 30; 1;1;1;; 1;0;0;;");
    near(&plain.base_color, &[0.214_041, 0.214_041, 1.0, 0.25]);
    assert_eq!((plain.alpha, plain.metallic), (Alpha::Blend, 0.0));
    near(&[plain.roughness], &[0.5]);
    near(&plain.emissive, &[1.0, 0.0, 0.0]);
    let dull = material("1;1;1;1;; 30; 0;0;0;; 0;0;0;;");
    assert_eq!((dull.alpha, dull.roughness, dull.name.as_str()), (Alpha::Opaque, 1.0, "M"));
}

#[test]
fn x_textures_become_relative_images() {
    let material = |texture: &str| format!("Material {{ 1;1;1;1;; 0; 0;0;0;; 0;0;0;; {texture} }}");
    let list = [
        material("TextureFilename { \"C:\\\\art\\\\skin 1.png\"; }"),
        material("TextureFileName { \"skin 1.png\"; } NormalmapFilename { \"n.png\"; }"),
        material("TextureFilename { \" \"; }"),
        material("{ tex }"),
    ]
    .concat();
    let body = format!(
        "TextureFilename tex {{ \"tex/a.png\"; }} {}",
        triangle(&format!("MeshMaterialList {{ 4; 1; 0; {list} }}"))
    );
    let scene = quiet(&body);
    let uris: Vec<_> = scene
        .images
        .iter()
        .map(|image| match &image.data {
            ImageData::External(uri) => uri.as_str(),
            ImageData::Embedded { .. } => panic!("an embedded image"),
        })
        .collect();
    assert_eq!(uris, ["skin%201.png", "n.png", "tex/a.png"]);
    let textures: Vec<_> =
        scene.materials.iter().map(|one| one.base_color_texture.map(|one| one.image)).collect();
    assert_eq!(textures, [Some(0), Some(0), None, Some(2)]);
    assert_eq!(scene.materials[1].normal_texture.map(|one| one.image), Some(1));
    assert_eq!(scene.meshes[0].primitives[0].texcoords, [[[0.0; 2]; 3]], "glTF requires texture coordinates");
}

#[test]
fn x_vertex_colors_are_by_index_and_white_otherwise() {
    let scene = quiet(&triangle("MeshVertexColors { 2; 2;1;0;0.5;0.5;, 77;0;0;0;0;; }"));
    let colors = &scene.meshes[0].primitives[0].colors;
    assert_eq!((colors[0], colors[1]), ([1.0; 4], [1.0; 4]));
    near(&colors[2], &[1.0, 0.0, 0.214_041, 0.5]);
}

/// A normal, texture coordinates, an unknown element and a colour.
#[test]
fn x_packed_attributes_are_read() {
    let words =
        |floats: &[f32]| floats.iter().map(|value| value.to_bits().to_string()).collect::<Vec<_>>().join(",");
    let vertex = format!("{},{},7,{}", words(&[0.0, 0.0, 2.0]), words(&[0.25, 0.5]), 0x80FF_0000_u32);
    let vertices = [vertex.as_str(); 3].join(",");
    for part in [
        format!("DeclData {{ 4; 2;0;3;0;, 1;0;5;0;, 5;0;2;0;, 4;0;10;0;; 21; {vertices}; }}"),
        format!("FVFData {{ {}; 21; {}; }}", 0x0100 | 0x0010 | 0x0020 | 0x0040, {
            let vertex = format!("{},7,{},{}", words(&[0.0, 0.0, 2.0]), 0x80FF_0000_u32, words(&[0.25, 0.5]));
            [vertex.as_str(); 3].join(",")
        }),
    ] {
        let scene = quiet(&triangle(&part));
        let primitive = &scene.meshes[0].primitives[0];
        assert_eq!(primitive.normals, [[0.0, 0.0, -1.0]; 3]);
        assert_eq!(primitive.texcoords, [[[0.25, 0.5]; 3]]);
        near(&primitive.colors[1], &[1.0, 0.0, 0.0, 128.0 / 255.0]);
    }
}

const IDENTITY: &str = "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;;";

#[test]
fn x_skins_have_joints_and_normalized_weights() {
    let parts = format!(
        "XSkinMeshHeader {{ 2; 2; 2; }} SkinWeights {{ \"b\"; 2; 1,2; 3,1; 1,0,0,0, 0,1,0,0, 0,0,1,0, 5,6,7,1;; }}\n\
        SkinWeights {{ \"c\"; 2; 0,1; 0.5,1; {IDENTITY} }}"
    );
    let scene = quiet(&format!("Frame b {{ }} Frame c {{ }} Frame a {{ {} }}", triangle(&parts)));
    let skin = &scene.skins[0];
    let (mesh_index, mesh) = node(&scene, "M");
    assert_eq!((mesh.parent, mesh.skin, mesh.mesh), (None, Some(0), Some(0)));
    assert_eq!(skin.joints, [node(&scene, "b").0, node(&scene, "c").0]);
    assert_eq!(scene.nodes[0].name, "", "a common root");
    assert!(skin.joints.iter().all(|&joint| scene.nodes[joint].parent == Some(0)) && mesh_index > 0);
    near(&skin.inverse_bind_matrices[0][12..], &[5.0, 6.0, -7.0, 1.0]);
    let (joints, weights) = &scene.meshes[0].primitives[0].influences[0];
    assert_eq!((joints[0], weights[0]), ([1, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
    assert_eq!((joints[1], weights[1]), ([0, 1, 0, 0], [0.75, 0.25, 0.0, 0.0]));
    assert_eq!((joints[2], weights[2]), ([0, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
}

#[test]
fn x_bones_that_are_missing_follow_the_nearest() {
    let bone = |name: &str, x: f32| {
        format!("SkinWeights {{ \"{name}\"; 3; 0,1,2; 1,1,1; 1,0,0,0, 0,1,0,0, 0,0,1,0, {},0,0,1;; }}\n", -x)
    };
    let bones = [bone("a", 0.0), bone("lost", 3.0), bone("b", 4.0), bone("gone", 1.0)].concat();
    let (scene, warnings) = read(&format!("Frame a {{ Frame b {{ {} }} }}", triangle(&bones)));
    assert_eq!(codes(&warnings), ["x/bone-missing"; 2]);
    assert!(warnings[0].message.ends_with("its vertices follow \"b\""), "{}", warnings[0].message);
    assert!(warnings[1].message.ends_with("its vertices follow \"a\""), "{}", warnings[1].message);
    assert_eq!(scene.skins[0].joints.len(), 2);
    let (joints, weights) = &scene.meshes[0].primitives[0].influences[0];
    assert_eq!((joints[0], weights[0]), ([0, 1, 0, 0], [0.5, 0.5, 0.0, 0.0]));
    // Without any bone, the mesh stays where its frame is.
    let (scene, warnings) = read(&format!("Frame a {{ {} }}", triangle(&bone("lost", 3.0))));
    assert!(warnings[0].message.ends_with("its vertices follow the mesh"));
    let joint = scene.skins[0].joints[0];
    assert_eq!(scene.nodes[joint].parent, Some(0));
    assert_eq!(scene.skins[0].inverse_bind_matrices[0], Mat4::IDENTITY.to_cols_array());
}

#[test]
fn x_duplicates_of_vertices_share_weights() {
    let mesh = |indices: &str| {
        quiet(&format!(
            "Frame a {{ Mesh {{ 4; 0;0;0; 1;0;0; 0;1;0; 1;0;0; 1; 4;0,1,2,3; VertexDuplicationIndices {{ 4; 3; {indices}; }} \
            SkinWeights {{ \"a\"; 3; 0,1,2; 1,1,1; {IDENTITY} }} }} }}"
        ))
    };
    assert_eq!(mesh("0,1,2,1").skins[0].joints.len(), 1);
    // The position of the original is another, so the indices mean something else.
    assert_eq!(mesh("0,1,2,0").skins[0].joints.len(), 2);
    assert_eq!(mesh("0,1,2,99").skins[0].joints.len(), 2);
}

fn animated(ticks: &str, keys: &str) -> (Scene, Vec<Warning>) {
    read(&format!("{ticks} Frame a {{ }} AnimationSet Walk {{ Animation {{ {{ a }} {keys} }} }}"))
}

#[test]
fn x_keys_of_all_kinds_become_channels() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let (scene, warnings) = animated(
        "AnimTicksPerSecond { 10; }",
        &format!(
            "AnimationKey {{ 0; 3; 0;4;-1,0,0,0;, 5;4;{half},0,{half},0;, 10;4;-{half},0,-{half},0;; }}\n\
            AnimationKey {{ 1; 1; 5;3;1,2,3;; }} AnimationKey {{ 2; 2; 0;3;1,2,3;, 20;3;4,5,6;; }}"
        ),
    );
    assert_eq!(warnings, []);
    assert_eq!(scene.clips[0].name, "Walk");
    let rotation = channel(&scene, "a", Path::Rotation);
    assert_eq!(rotation.times, [0.0, 0.5, 1.0]);
    // The conjugate, in a mirror, in the hemisphere of the key before: (w, x, y, z) is (x, y, -z, w).
    near(&rotation.values, &[0.0, 0.0, 0.0, 1.0, 0.0, half, 0.0, half, 0.0, half, 0.0, half]);
    assert_eq!(channel(&scene, "a", Path::Scale).values, [1.0, 2.0, 3.0]);
    let translation = channel(&scene, "a", Path::Translation);
    assert_eq!(
        (&translation.times[..], &translation.values[..]),
        (&[0.0, 2.0][..], &[1.0, 2.0, -3.0, 4.0, 5.0, -6.0][..])
    );
}

#[test]
fn x_keys_of_matrices_are_decomposed() {
    for kind in [3, 4] {
        let (scene, warnings) = animated(
            "AnimTicksPerSecond { 1; }",
            &format!(
                "AnimationKey {{ {kind}; 2; 0;16;{IDENTITY}, 1;16;0,0,-1,0, 0,1,0,0, 1,0,0,0, 1,2,3,1;;; }}"
            ),
        );
        assert_eq!((warnings, scene.clips[0].channels.len()), (vec![], 2), "no scale");
        near(&channel(&scene, "a", Path::Translation).values, &[0.0, 0.0, 0.0, 1.0, 2.0, -3.0]);
        let key = Quat::from_slice(&channel(&scene, "a", Path::Rotation).values[4..]);
        near(&(key * Vec3::X).to_array(), &[0.0, 0.0, 1.0]);
    }
    let (scene, warnings) = animated(
        "AnimTicksPerSecond { 1; }",
        "AnimationKey { 4; 1; 0;16;2,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1;;; }",
    );
    assert_eq!((codes(&warnings), scene.clips[0].channels.len()), (vec!["x/matrix-repaired"], 3));
}

#[test]
fn x_ticks_are_those_of_the_file_or_guessed() {
    for (ticks, times, expected, guessed) in [
        ("AnimTicksPerSecond { 24; }", [0, 12], 0.5, false),
        ("AnimTicksPerSecond { 4800; }", [0, 1], 1.0 / 4800.0, false),
        ("", [0, 4800], 1.0, false),
        ("", [160, 4800], 1.0, false),
        ("", [0, 12], 0.5, true),
        ("", [0, 400], 400.0 / 24.0, true),
        ("AnimTicksPerSecond { 0; }", [0, 4800], 1.0, true),
        ("AnimTicksPerSecond { }", [0, 4800], 1.0, false),
    ] {
        let keys = format!("AnimationKey {{ 2; 2; {};3;0,0,0;, {};3;1,1,1;; }}", times[0], times[1]);
        let (scene, warnings) = animated(ticks, &keys);
        assert!(
            (channel(&scene, "a", Path::Translation).times[1] - expected).abs() < 1e-6,
            "{ticks} {times:?}"
        );
        assert_eq!(codes(&warnings).contains(&"x/ticks-guessed"), guessed, "{ticks} {times:?}");
    }
}

#[test]
fn x_animations_outside_of_sets_become_a_clip() {
    let key = "AnimationKey { 2; 1; 0;3;1,2,3;; }";
    let scene = quiet(&format!(
        "AnimTicksPerSecond {{ 30; }} Frame a {{ }} Frame b {{ }}\n\
        Animation one {{ {{ a }} {key} }} Animation two {{ {{ b }} {key} }} AnimationSet {{ {{ one }} }} AnimationSet Run {{ }}"
    ));
    let clips: Vec<_> = scene.clips.iter().map(|clip| (clip.name.as_str(), clip.channels.len())).collect();
    assert_eq!(clips, [("walk", 1), ("Run", 0), ("walk", 1)], "clips without a name have that of the file");
    assert_eq!(scene.clips[2].channels[0].node, node(&scene, "b").0);
}

#[test]
fn x_objects_of_own_templates_are_kept_as_data() {
    let (scene, _) = read_bytes(arm::arm().as_bytes());
    let (root, _) = node(&scene, "Root");
    let value = json!({
        "count": 2, "sizes": [1.5, 2.5], "text": "hello; {world}", "place": { "x": 1.0, "y": 2.0, "z": 3.0 },
    });
    assert_eq!(scene.data, [(Some(root), "Tag".to_owned(), value)]);
    let scene = quiet(
        "template T { array DWORD a[2][n]; DWORD n; array DWORD b[2][n]; } T { 3; 1,2,3,4,5,6; } Frame a { }",
    );
    assert_eq!(scene.data, [(None, "T".to_owned(), json!({ "a": [], "n": 3, "b": [1, 2, 3, 4, 5, 6] }))]);
}
