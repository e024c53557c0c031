//! Invalid files: an error or warnings, never a panic, and no memory for numbers that a file only claims.

#[path = "../../../../../tests/native/common/random.rs"]
#[expect(dead_code, reason = "other crates use the other methods")]
mod random;

use super::character::character;
use super::document::{Element, Key, LINEAR, NOTHING, Value, WEIGHTED, element, key, text_of_version};
use super::*;
use crate::error::Place;
use crate::to_glb;
use random::Random;

fn error(bytes: &[u8]) -> FormatError {
    to_glb(bytes, "a.fbx", &Options::default()).expect_err("an invalid file")
}

#[test]
fn fbx_files_of_other_formats_are_told() {
    for bytes in [&b""[..], b"x", b"glTF\x02\0\0\0", b"Kaydara", b"\0\0FBX", b"v 1 2 3\nf 1 2 3\n"] {
        assert_eq!(error(bytes).code, "fbx/format");
    }
}

#[test]
fn fbx_files_that_are_cut_off_never_panic() {
    for (bytes, is_text) in forms(&character()).iter().zip([true, false, false]) {
        for end in (0..bytes.len()).step_by(7) {
            if let Err(error) = read_bytes(&bytes[..end]) {
                assert!(error.code.starts_with("fbx/"), "{}", error.code);
                match error.place {
                    Place::Text { .. } => assert!(is_text || end < 10),
                    Place::Binary { offset, .. } => assert!(!is_text && offset <= end as u64),
                    Place::Object { .. } => panic!("no place"),
                }
            }
        }
        let error = error(&bytes[..bytes.len() / 2]);
        assert!(["fbx/truncated", "fbx/syntax"].contains(&error.code), "{error}");
    }
}

#[test]
fn fbx_text_errors_have_a_line() {
    let models = "\tModel: 1, \"Model::A\", \"Null\" {\n\t}\n".repeat(100);
    let text = ["; FBX 7.4.0 project file\nObjects: {\n", &models, "\t= 7\n", &models, "}\n"].concat();
    let error = error(text.as_bytes());
    assert_eq!(error.code, "fbx/syntax");
    assert!(matches!(error.place, Place::Text { line: 203..=209, .. }), "{error}");
}

#[test]
fn fbx_files_with_changed_bytes_never_panic() {
    let mut random = Random(1);
    for bytes in forms(&character()) {
        for _ in 0..if cfg!(debug_assertions) { 1500 } else { 20_000 } {
            let mut changed = bytes.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(changed.len());
                let values = [0, 1, 0x7f, 0x80, 0xff, random.bits() as u8, changed[at].wrapping_add(1)];
                changed[at] = values[random.below(values.len())];
            }
            match read_bytes(&changed) {
                Ok((scene, _)) => assert_sound(&scene),
                Err(error) => assert!(error.code.starts_with("fbx/") || error.code == "convert/too-large"),
            }
        }
    }
}

/// Numbers of a text file that are replaced by extreme ones.
#[test]
fn fbx_files_with_changed_numbers_never_panic() {
    let text = String::from_utf8(forms(&character())[0].clone()).expect("text");
    let numbers: Vec<_> = text
        .char_indices()
        .filter(|&(at, c)| {
            let before = text[..at].chars().next_back().unwrap_or(' ');
            c.is_ascii_digit() && !before.is_ascii_alphanumeric() && before != '.'
        })
        .map(|(at, _)| at)
        .collect();
    for &at in numbers.iter().step_by(if cfg!(debug_assertions) { 5 } else { 1 }) {
        let end = at + text[at..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(0);
        for number in
            ["nan", "inf", "1e308", "-1e-308", "9223372036854775807", "-1", "4294967295", "0", "999999999"]
        {
            let changed = [&text[..at], number, &text[end..]].concat();
            match read_bytes(changed.as_bytes()) {
                Ok((scene, _)) => assert_sound(&scene),
                Err(error) => {
                    assert!(error.code.starts_with("fbx/") || error.code == "convert/too-large", "{error}")
                }
            }
        }
    }
}

/// The rules of the scene's types.
fn assert_sound(scene: &Scene) {
    let finite = |values: &[f32]| values.iter().all(|x| x.is_finite());
    for (index, node) in scene.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent < index));
        assert!(finite(&node.translation) && finite(&node.scale) && finite(&node.rotation));
        assert!((node.rotation.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(node.mesh.is_none_or(|mesh| mesh < scene.meshes.len()));
        assert!(node.skin.is_none_or(|skin| skin < scene.skins.len()));
    }
    for skin in &scene.skins {
        assert_eq!(skin.joints.len(), skin.inverse_bind_matrices.len());
        assert!(skin.joints.iter().all(|&joint| joint < scene.nodes.len()));
        assert!(skin.inverse_bind_matrices.iter().all(|m| finite(m)));
    }
    for mesh in &scene.meshes {
        assert_eq!(mesh.weights.len(), mesh.target_names.len());
        for primitive in &mesh.primitives {
            let count = primitive.positions.len();
            assert!(primitive.indices.iter().all(|&index| (index as usize) < count));
            assert!(primitive.indices.len().is_multiple_of(3));
            assert!(finite(primitive.positions.as_flattened()) && finite(primitive.normals.as_flattened()));
            assert!(primitive.normals.len() == count || primitive.normals.is_empty());
            assert!(primitive.texcoords.iter().all(|set| set.len() == count && finite(set.as_flattened())));
            assert!(primitive.material.is_none_or(|material| material < scene.materials.len()));
            assert_eq!(primitive.targets.len(), mesh.target_names.len());
            for target in &primitive.targets {
                assert!(target.positions.len() == count && finite(target.positions.as_flattened()));
            }
            for (joints, weights) in &primitive.influences {
                assert!(joints.len() == count && weights.len() == count && finite(weights.as_flattened()));
            }
        }
    }
    for clip in &scene.clips {
        for channel in &clip.channels {
            assert!(channel.node < scene.nodes.len());
            assert!(
                channel.times.is_sorted_by(|a, b| a < b) && finite(&channel.times) && finite(&channel.values)
            );
            assert!(channel.times.first().is_some_and(|&time| time >= 0.0));
            let width = match channel.path {
                Path::Rotation => 4,
                Path::Weights => {
                    let mesh = scene.nodes[channel.node].mesh.expect("a mesh with targets");
                    scene.meshes[mesh].weights.len()
                }
                _ => 3,
            };
            let parts = if channel.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
            assert_eq!(channel.values.len(), channel.times.len() * width * parts);
        }
    }
}

#[test]
fn fbx_arrays_that_claim_to_be_long_fail() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    document.mesh(&[[0.5; 3]; 100], &[&[0, 1, 2]], vec![], model);
    for pack in [None, Some(deflate as super::document::Deflate)] {
        let bytes = binary(&document.elements(), 7400, pack);
        let name = b"Vertices";
        let at = bytes.windows(name.len()).position(|word| word == name).expect("the array") + name.len() + 1;
        for claim in [301_u32, 1 << 20, 1 << 28, u32::MAX] {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&claim.to_le_bytes());
            let error = error(&bytes);
            assert!(["fbx/syntax", "fbx/truncated", "convert/too-large"].contains(&error.code), "{error}");
        }
    }
}

#[test]
fn fbx_compressed_bombs_are_limited() {
    // 160 MB of zeros in 160 kB.
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    document.mesh(&vec![[0.0; 3]; 20_000_000 / 3], &[&[0, 1, 2]], vec![], model);
    let bytes = binary(&document.elements(), 7400, Some(deflate));
    assert!(bytes.len() < 1 << 20);
    let error = error(&bytes);
    assert_eq!((error.code, matches!(error.place, Place::Binary { .. })), ("convert/too-large", true));
}

#[test]
fn fbx_scenes_that_grow_beyond_the_limit_fail() {
    // Each node has its own material, so each has its own copy of the mesh.
    let mut document = Document::metres();
    let first = document.model("A", "Mesh", &[], 0);
    let corners: Vec<i32> = (0..30_000).map(|i| i % 3).collect();
    let polygons: Vec<_> = corners.chunks(3).collect();
    let mesh = document.mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &polygons, vec![], first);
    for i in 0..100 {
        let model = document.model(&format!("B{i}"), "Mesh", &[], 0);
        document.connect(mesh, model);
        document.object("Material", &format!("M{i}"), "Material", "", vec![], model);
    }
    let bytes = binary(&document.elements(), 7400, Some(deflate));
    assert_eq!(error(&bytes).code, "convert/too-large");
}

#[test]
fn fbx_stacks_that_share_a_layer_are_limited() {
    let mut document = Document::metres();
    let model = document.model("A", "Null", &[], 0);
    let layer = document.stack("Take", 0.0, 1000.0);
    let keys: Vec<Key> =
        (0..20_000).map(|i| key(f64::from(i) / 20.0, f64::from(i % 2), LINEAR, [0.0; 2])).collect();
    document.curves(layer, model, "Lcl Translation", &[Some(&keys), None, None]);
    for i in 0..1000 {
        document.stack(&format!("Take {i}"), 0.0, 1000.0);
        let stack = document.last() - 1;
        document.connect(layer, stack);
    }
    let bytes = binary(&document.elements(), 7400, Some(deflate));
    assert_eq!(error(&bytes).code, "convert/too-large");
}

#[test]
fn fbx_curves_that_turn_too_often_are_coarse() {
    let mut document = Document::metres();
    let layer = document.stack("Spin", 0.0, 1000.0);
    let keys: Vec<Key> =
        (0..1000).map(|i| key(f64::from(i), f64::from(i % 2) * 1e9, LINEAR, [0.0; 2])).collect();
    for i in 0..3 {
        let model = document.model(&format!("A{i}"), "Null", &[], 0);
        document.curves(layer, model, "Lcl Rotation", &[Some(&keys), None, None]);
    }
    let (scene, warnings) = read_bytes(&forms(&document)[1]).expect("a valid file");
    assert_sound(&scene);
    assert_eq!(warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["fbx/coarse"]);
}

#[test]
fn fbx_nodes_nested_deeply_are_read() {
    let mut document = Document::metres();
    let mut parent = 0;
    for i in 0..10_000 {
        parent = document.model(&format!("N{i}"), "Null", &[("Lcl Translation", &[0.0, 0.001, 0.0])], parent);
    }
    let (scene, _) = read_bytes(&forms(&document)[1]).expect("a valid file");
    assert_eq!(scene.nodes.len(), 10_000);
    assert_sound(&scene);
}

#[test]
fn fbx_records_nested_deeply_fail() {
    const DEPTH: usize = 10_000;
    // The writer of documents would recurse.
    let text = ["; FBX 7.4.0 project file\n", &"A: {\n".repeat(DEPTH), &"}\n".repeat(DEPTH)].concat();
    assert_eq!(error(text.as_bytes()).code, "fbx/syntax");
    let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    bytes.extend(7400_u32.to_le_bytes());
    for level in 0..DEPTH {
        // Records of 14 bytes, all but the last with a null record of 13 bytes at the end of their list.
        let end = bytes.len() + 14 * (DEPTH - level) + 13 * (DEPTH - 1 - level);
        bytes.extend((end as u32).to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(b"\x01A");
    }
    bytes.resize(bytes.len() + 13 * DEPTH, 0);
    assert_eq!(error(&bytes).code, "fbx/syntax");
}

#[test]
fn fbx_nodes_in_a_circle_fail_or_are_cut() {
    let mut document = Document::metres();
    let a = document.model("A", "Null", &[], NOTHING);
    let b = document.model("B", "Null", &[], a);
    document.connect(b, a);
    document.connect(a, b);
    for bytes in forms(&document) {
        match read_bytes(&bytes) {
            Ok((scene, _)) => assert_sound(&scene),
            Err(error) => assert_eq!(error.code, "fbx/syntax"),
        }
    }
}

#[test]
fn fbx_polygons_of_vertices_that_do_not_exist_fail() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    document.mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[&[0, 1, 7]], vec![], model);
    for bytes in forms(&document) {
        assert_eq!(error(&bytes).code, "fbx/syntax");
    }
}

#[test]
fn fbx_indices_of_attributes_out_of_range_are_repaired() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    let uv = vec![
        element("MappingInformationType", ["ByPolygonVertex".into()], vec![]),
        element("ReferenceInformationType", ["IndexToDirect".into()], vec![]),
        element("UV", [Value::Reals(vec![0.0, 0.5])], vec![]),
        element("UVIndex", [Value::Ints(vec![0, 9, -7])], vec![]),
    ];
    let uv = vec![element("LayerElementUV", [0.into()], uv)];
    document.mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[&[0, 1, 2]], uv, model);
    let (scene, warnings) = read_with_warnings(&document);
    assert_sound(&scene);
    assert_eq!(warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["fbx/repaired"]);
}

#[test]
fn fbx_positions_that_are_not_finite_are_repaired() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    document.mesh(&[[f64::NAN, 0.0, 0.0], [1.0, 1e300, 0.0], [0.0, 1.0, 0.0]], &[&[0, 1, 2]], vec![], model);
    let (scene, warnings) = read_bytes(&forms(&document)[1]).expect("a valid file");
    assert_sound(&scene);
    assert_eq!(warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["fbx/repaired"]);
}

#[test]
fn fbx_files_without_any_content_are_empty_scenes() {
    let elements: Vec<Element> =
        vec![element("FBXHeaderExtension", [], vec![element("FBXVersion", [Value::Int(7400)], vec![])])];
    for bytes in [text(&elements), binary(&elements, 7400, None)] {
        let (scene, _) = read_bytes(&bytes).expect("a valid file");
        assert!(scene.nodes.is_empty());
    }
}

#[test]
fn fbx_versions_from_7_1_to_7_7_are_read() {
    let mut documents = Vec::new();
    for version in [7100, 7200, 7300, 7400, 7500, 7700] {
        let mut elements = character().elements();
        elements[0].list[1].values[0] = i64::from(version).into();
        let files = [
            text_of_version(&elements, version),
            binary(&elements, version, None),
            binary(&elements, version, Some(deflate)),
        ];
        documents.extend(files.map(|bytes| {
            let (scene, warnings) = read_bytes(&bytes).unwrap_or_else(|error| panic!("{version}: {error}"));
            assert_eq!(warnings, [], "{version}");
            glb::write(&scene).expect("a small file")
        }));
    }
    assert!(documents.iter().all(|bytes| *bytes == documents[0]));
}

#[test]
fn fbx_versions_that_are_not_known_are_told() {
    let elements = character().elements();
    let mut bytes = binary(&elements, 7400, None);
    // A number of the root's list in the old form, which no later version has.
    bytes[23..27].copy_from_slice(&9900_u32.to_le_bytes());
    assert_eq!(error(&bytes).code, "fbx/version");
}

#[test]
fn fbx_polygons_with_very_many_corners_are_fans() {
    for (count, warned) in [(6_000, false), (20_000, true)] {
        let mut document = Document::metres();
        let model = document.model("A", "Mesh", &[], 0);
        // A comb, of which few corners can be cut off at a time.
        let vertices: Vec<[f64; 3]> = (0..count)
            .map(|i| [f64::from(i), if i % 2 == 0 { 0.0 } else { 1e-3 * f64::from(i) }, 0.0])
            .collect();
        let corners: Vec<i32> = (0..count).collect();
        document.mesh(&vertices, &[&corners], vec![], model);
        let (scene, warnings) = read_bytes(&forms(&document)[1]).expect("a valid file");
        assert_sound(&scene);
        assert_eq!(scene.meshes[0].primitives[0].indices.len(), 3 * (count as usize - 2));
        assert_eq!(warnings.iter().any(|warning| warning.code == "fbx/coarse"), warned);
    }
}

#[test]
fn fbx_weights_of_very_many_shapes_are_coarse() {
    // Each split of the curve samples all shapes.
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    let mesh = document.mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[&[0, 1, 2]], vec![], model);
    let layer = document.stack("Talk", 0.0, 1.0);
    let mut keys = [key(0.0, 0.0, WEIGHTED, [900.0, -900.0]), key(1.0, 100.0, LINEAR, [0.0; 2])];
    keys[0].weights = [0.95, 0.95];
    for i in 0..5000 {
        let channel = document.blend(mesh, &format!("S{i}"), 0.0, &[(100.0, &[0], &[[0.0, 1.0, 0.0]])]);
        if i < 20 {
            document.curves(layer, channel, "DeformPercent", &[Some(&keys)]);
        }
    }
    let (scene, warnings) = read_bytes(&forms(&document)[1]).expect("a valid file");
    assert_sound(&scene);
    assert_eq!(warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["fbx/coarse"]);
}

#[test]
fn fbx_nodes_that_share_a_curve_are_limited() {
    let mut document = Document::metres();
    let first = document.model("A", "Null", &[], 0);
    let layer = document.stack("Take", 0.0, 1000.0);
    let keys: Vec<Key> =
        (0..20_000).map(|i| key(f64::from(i) / 20.0, f64::from(i % 2), LINEAR, [0.0; 2])).collect();
    document.curves(layer, first, "Lcl Translation", &[Some(&keys), None, None]);
    // The values of the property come right before its only curve.
    let values = document.last() - 1;
    for i in 0..1000 {
        let model = document.model(&format!("B{i}"), "Null", &[], 0);
        document.connect_property(values, model, "Lcl Translation");
    }
    let bytes = binary(&document.elements(), 7400, Some(deflate));
    assert_eq!(error(&bytes).code, "convert/too-large");
}

#[test]
fn fbx_stacks_of_many_nodes_are_limited() {
    let mut document = Document::metres();
    let model = document.model("A", "Null", &[], 0);
    let layer = document.stack("Take", 0.0, 1.0);
    let keys = [key(0.0, 0.0, LINEAR, [0.0; 2]), key(1.0, 1.0, LINEAR, [0.0; 2])];
    document.curves(layer, model, "Lcl Translation", &[Some(&keys), None, None]);
    for i in 0..3000 {
        document.model(&format!("B{i}"), "Null", &[], 0);
        document.stack(&format!("Take {i}"), 0.0, 1.0);
        let stack = document.last() - 1;
        document.connect(layer, stack);
    }
    let bytes = binary(&document.elements(), 7400, Some(deflate));
    assert_eq!(error(&bytes).code, "convert/too-large");
}
