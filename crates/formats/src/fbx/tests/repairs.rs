//! Files of programs that break rules in ways of their own.

use super::document::{
    CUBIC, Element, Key, LINEAR, NOTHING, STEP, Value, element, key, properties, property,
};
use super::*;

/// The document with the program that wrote it.
fn forms_by(document: &Document, creator: &str) -> [Vec<u8>; 3] {
    let mut elements = document.elements();
    elements[0].list.push(element("Creator", [creator.into()], vec![]));
    [text(&elements), binary(&elements, 7400, None), binary(&elements, 7500, Some(deflate))]
}

fn codes(warnings: &[Warning]) -> Vec<&str> {
    warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn fbx_names_that_are_not_utf8_stay_different() {
    let mut document = Document::metres();
    let hips = document.model("QQQQ", "LimbNode", &[], 0);
    let spine = document.model("ZZZZ", "LimbNode", &[], hips);
    document.model("Größe", "LimbNode", &[], spine);
    // 骨盆 and 脊柱 in GBK.
    let names: [(&[u8], &[u8]); 2] = [(b"QQQQ", b"\xb9\xc7\xc5\xe8"), (b"ZZZZ", b"\xbc\xb9\xd6\xf9")];
    for mut bytes in forms(&document) {
        for (name, other) in names {
            for at in 0..bytes.len() - 3 {
                if bytes[at..].starts_with(name) {
                    bytes[at..at + 4].copy_from_slice(other);
                }
            }
        }
        let (scene, warnings) = read_bytes(&bytes).unwrap_or_else(|error| panic!("{}: {error}", error.code));
        let found: Vec<_> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(found, ["¹ÇÅè", "¼¹Öù", "Größe"]);
        assert_eq!(codes(&warnings), ["fbx/repaired"]);
        // A file that is cut off stays an error, not a panic.
        for end in (0..bytes.len()).step_by(7) {
            let _ = read_bytes(&bytes[..end]);
        }
    }
}

#[test]
fn fbx_clips_of_mixamo_have_the_name_of_the_file() {
    for (stacks, expected) in [
        (&["mixamo.com"][..], &["walk"][..]),
        (&["Take 001", "mixamo.com"], &["Take 001", "walk"]),
        (&["Armature|mixamo.com|Layer0"], &["walk"]),
        (&[""], &["walk"]),
        (&["mixamo.com", "mixamo.com"], &["mixamo.com", "mixamo.com"]),
        (&["mixamo.community"], &["mixamo.community"]),
    ] {
        let mut document = Document::metres();
        let model = document.model("A", "Null", &[], 0);
        for stack in stacks {
            let layer = document.stack(stack, 0.0, 1.0);
            let keys = [key(0.0, 0.0, LINEAR, [0.0; 2]), key(1.0, 1.0, LINEAR, [0.0; 2])];
            document.curves(layer, model, "Lcl Translation", &[Some(&keys), None, None]);
        }
        let names: Vec<_> = read(&document).clips.into_iter().map(|clip| clip.name).collect();
        assert_eq!(names, expected);
    }
}

const ASSIMP: &str = "Open Asset Import Library (Assimp) 5.2.0";

/// Keys in ticks, in a stack whose span is in seconds.
fn late(factor: f64, flags: i32) -> Document {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    document.mesh(&[[0.0; 3], [0.6, 0.0, 0.0], [0.0, 0.8, 0.0]], &[&[0, 1, 2]], vec![], model);
    let layer = document.stack("Walk", 0.0, 2.0);
    let slope = |slope: f64| (slope / factor) as f32;
    let keys: [Key; 3] = [
        key(0.0, 0.0, flags, [slope(2.0), slope(-1.0)]),
        key(0.5 * factor, 1.0, flags, [slope(1.5), slope(0.5)]),
        key(2.0 * factor, -1.0, flags, [0.0; 2]),
    ];
    document.curves(layer, model, "Lcl Translation", &[Some(&keys), None, None]);
    document
}

#[test]
fn fbx_keys_of_assimp_are_moved_into_the_span_of_their_clip() {
    for flags in [LINEAR, CUBIC, STEP] {
        let expected = read(&late(1.0, flags));
        for factor in [1000.0, 24.0, 4800.0] {
            for bytes in forms_by(&late(factor, flags), ASSIMP) {
                let (scene, warnings) = read_bytes(&bytes).expect("a valid file");
                assert_eq!(codes(&warnings), ["fbx/repaired"]);
                let [a, b] =
                    [&scene, &expected].map(|scene| channel(scene, 0, "A", Path::Translation).expect("keys"));
                assert_eq!((a.interpolation, a.times.len()), (b.interpolation, b.times.len()));
                for i in 0..=40 {
                    let time = 2.0 * f64::from(i) / 40.0 + 1e-3;
                    assert_near(&sample(a, time), &sample(b, time), 1e-5);
                }
            }
        }
    }
}

#[test]
fn fbx_keys_outside_of_a_clip_are_cut_in_files_of_other_programs() {
    let cut = |creator: &str, factor: f64| {
        let (scene, warnings) =
            read_bytes(&forms_by(&late(factor, LINEAR), creator)[1]).expect("a valid file");
        assert_eq!(warnings, []);
        channel(&scene, 0, "A", Path::Translation).expect("keys").clone()
    };
    let keys = cut("FBX SDK/FBX Plugins version 2020.2", 1000.0);
    assert_near(&sample(&keys, 2.0), &[2.0 / 500.0, 0.0, 0.0], 1e-6);
    // A clip that is a part of a longer take.
    let keys = cut(ASSIMP, 1.5);
    assert_near(&sample(&keys, 0.75), &[1.0, 0.0, 0.0], 1e-6);
}

/// A bind pose: nodes with the scale of their world matrix.
fn bind_pose(document: &mut Document, nodes: &[(i64, f64)]) {
    let mut list = vec![
        element("Type", ["BindPose".into()], vec![]),
        element("NbPoseNodes", [(nodes.len() as i64).into()], vec![]),
    ];
    list.extend(nodes.iter().map(|&(node, scale)| {
        let matrix = DMat4::from_scale(DVec3::splat(scale)).to_cols_array().to_vec();
        let parts: Vec<Element> =
            vec![element("Node", [node.into()], vec![]), element("Matrix", [Value::Reals(matrix)], vec![])];
        element("PoseNode", [], parts)
    }));
    document.object("Pose", "Bind", "Pose", "BindPose", list, NOTHING);
}

/// A scaled group, a joint, and a joint below it: their types of inheritance, and the scales in the world.
fn scales(types: [f64; 2], of_joint: f64, bound: Option<[f64; 3]>) -> ([f64; 3], Vec<Warning>) {
    let mut document = Document::metres();
    let group = document.model("Group", "Null", &[("Lcl Scaling", &[100.0; 3])], 0);
    let list = |kind: f64, scale: f64| [("InheritType", vec![kind]), ("Lcl Scaling", vec![scale; 3])];
    let mut parents = vec![group];
    for (name, kind, scale) in [("A", types[0], of_joint), ("B", types[1], 1.0)] {
        let list = list(kind, scale);
        let list: Vec<(&str, &[f64])> =
            list.iter().map(|(name, values)| (*name, values.as_slice())).collect();
        let model = document.model(name, "LimbNode", &list, *parents.last().expect("a parent"));
        parents.push(model);
    }
    if let Some(bound) = bound {
        let nodes: Vec<_> = parents.iter().copied().zip(bound).collect();
        bind_pose(&mut document, &nodes);
    }
    let (scene, warnings) = read_with_warnings(&document);
    (["Group", "A", "B"].map(|name| world(&scene, name).x_axis.length()), warnings)
}

#[test]
fn fbx_scale_below_a_scaled_group_is_that_of_the_bind_pose() {
    for (types, of_joint, bound, expected, warned) in [
        // By the formulas of the FBX SDK.
        ([2.0, 2.0], 1.0, None, [100.0, 1.0, 1.0], false),
        ([1.0, 2.0], 1.0, None, [100.0, 100.0, 100.0], false),
        ([2.0, 2.0], 1.0, Some([100.0, 1.0, 1.0]), [100.0, 1.0, 1.0], false),
        // Joints inherit the scale of the group.
        ([2.0, 2.0], 1.0, Some([100.0, 100.0, 100.0]), [100.0, 100.0, 100.0], true),
        ([2.0, 1.0], 1.0, Some([100.0, 100.0, 100.0]), [100.0, 100.0, 100.0], true),
        // They do, but not that of a joint.
        ([2.0, 2.0], 2.0, Some([100.0, 200.0, 100.0]), [100.0, 200.0, 100.0], true),
        // The second joint inherits no scale at all.
        ([1.0, 2.0], 1.0, Some([100.0, 100.0, 1.0]), [100.0, 100.0, 1.0], true),
        // A bind pose that agrees with no meaning, and one of another scale, say nothing.
        ([2.0, 2.0], 1.0, Some([100.0, 37.0, 37.0]), [100.0, 1.0, 1.0], false),
        ([1.0, 2.0], 1.0, Some([1.0, 1.0, 1.0]), [100.0, 100.0, 100.0], false),
    ] {
        let (found, warnings) = scales(types, of_joint, bound);
        assert_near(&found, &expected, 1e-3);
        let codes = codes(&warnings);
        assert_eq!(codes, if warned { vec!["fbx/repaired"] } else { vec![] }, "{types:?} {bound:?}");
    }
}

#[test]
fn fbx_scale_of_the_bind_pose_is_also_that_of_clips() {
    let mut document = Document::metres();
    let group = document.model("Group", "Null", &[("Lcl Scaling", &[100.0; 3])], 0);
    let joint = document.model("A", "LimbNode", &[("InheritType", &[2.0])], group);
    bind_pose(&mut document, &[(group, 100.0), (joint, 100.0)]);
    let layer = document.stack("Grow", 0.0, 1.0);
    let keys = [key(0.0, 1.0, LINEAR, [0.0; 2]), key(1.0, 3.0, LINEAR, [0.0; 2])];
    document.curves(layer, joint, "Lcl Scaling", &[Some(&keys), Some(&keys), Some(&keys)]);
    let (scene, _) = read_with_warnings(&document);
    assert_near(&scene.nodes[find(&scene, "A")].scale.map(f64::from), &[1.0; 3], 1e-5);
    let channel = channel(&scene, 0, "A", Path::Scale).expect("keys");
    assert_near(&sample(channel, 0.5), &[2.0; 3], 1e-4);
}

#[test]
fn fbx_textures_of_a_mesh_without_coordinates_are_left_out() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    document.mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[&[0, 1, 2]], vec![], model);
    let color = property("DiffuseColor", "Color", &[0.5, 0.25, 0.75]);
    let parts = vec![element("ShadingModel", ["lambert".into()], vec![]), properties(vec![color])];
    let material = document.object("Material", "Skin", "Material", "", parts, model);
    let file = vec![
        element("FileName", ["skin.png".into()], vec![]),
        element("RelativeFilename", ["skin.png".into()], vec![]),
    ];
    let texture = document.object("Texture", "T", "Texture", "", file, NOTHING);
    document.connect_property(texture, material, "DiffuseColor");
    for bytes in forms(&document) {
        let converted = crate::to_glb(&bytes, "a.fbx", &Options::default()).expect("a valid file");
        let codes: Vec<_> = converted.warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(codes, ["convert/no-texcoords"]);
        let length = u32::from_le_bytes(converted.glb[12..16].try_into().expect("4 bytes")) as usize;
        let json: serde_json::Value = serde_json::from_slice(&converted.glb[20..20 + length]).expect("JSON");
        let pbr = &json["materials"][0]["pbrMetallicRoughness"];
        assert!(json.get("textures").is_none() && json.get("images").is_none(), "{json}");
        assert_eq!(pbr["baseColorFactor"], serde_json::json!([0.5, 0.25, 0.75, 1.0]));
    }
}
