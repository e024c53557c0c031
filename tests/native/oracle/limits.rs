//! Any number of influences or of morph targets is supported, and unused ones have no cost.

use super::actual::Actual;
use crate::common::builder::{Builder, U8};
use gambol::animation::{Affine, Deformed, deform, deform_position};
use gambol::model::{
    Deltas, Drawable, Influences, MeshId, MorphTarget, NodeId, Path, Primitive, Property, PropertyChannel,
};
use glam::{Mat4, Vec3};
use serde_json::json;

fn drawable(slots: u32, weights: u32) -> Drawable {
    let (node, mesh) = (NodeId::new(0), MeshId::new(0));
    Drawable { node, mesh, slots: 0..slots, skinned: slots > 1, weights: 0..weights }
}

/// One vertex that follows each joint with a weight proportional to the joint's index plus one.
fn one_vertex(influences: usize) -> (Primitive, Vec<f32>) {
    let sum = (influences * (influences + 1) / 2) as f32;
    let weights: Vec<f32> = (1..=influences).map(|i| i as f32 / sum).collect();
    let joints = (0..influences as u16).collect();
    let influences = Some(Influences { per_vertex: influences, joints, weights: weights.clone() });
    let primitive = Primitive {
        positions: vec![[0.5, 0.0, 0.0]],
        normals: vec![[0.0, 1.0, 0.0]],
        influences,
        ..Primitive::default()
    };
    (primitive, weights)
}

#[test]
fn every_influence_of_many_moves_its_vertex() {
    for count in [4, 8, 12, 16, 20, 24, 100] {
        let (primitive, weights) = one_vertex(count);
        let place = drawable(count as u32, 0);
        let mut palette = vec![Affine::identity(); count];
        let mut out = Deformed::default();
        for (joint, weight) in weights.iter().enumerate() {
            palette[joint] = Affine::from(Mat4::from_translation(Vec3::Y));
            deform(&primitive, &place, &palette, &[], &[], &mut out);
            let [_, y, _] = out.positions[0];
            assert!((y - weight).abs() < 1e-6, "joint {joint} of {count}: {y} for {weight}");
            assert_eq!(
                deform_position(&primitive, 0, &place, &palette, &[], &[]).to_array(),
                out.positions[0]
            );
            palette[joint] = Affine::identity();
        }
    }
}

/// The GPU blends at most 20; beyond that the CPU skins. Up to 20 both must give the same bits.
#[test]
fn influences_of_weight_0_change_no_bit() {
    let (narrow, _) = one_vertex(20);
    let mut wide = narrow.clone();
    if let Some(influences) = &mut wide.influences {
        influences.per_vertex = 24;
        influences.joints.extend([3, 1, 0, 2]);
        influences.weights.extend([0.0; 4]);
    }
    let matrix = |i: usize| {
        Mat4::from_rotation_z(0.3 * i as f32) * Mat4::from_translation(Vec3::splat(0.1 * i as f32))
    };
    let palette: Vec<Affine> = (0..20).map(|i| Affine::from(matrix(i))).collect();
    let [mut a, mut b] = [Deformed::default(), Deformed::default()];
    deform(&narrow, &drawable(20, 0), &palette, &[], &[], &mut a);
    deform(&wide, &drawable(20, 0), &palette, &[], &[], &mut b);
    assert_eq!(a, b);
}

/// Inactive targets contain NaN, and NaN times 0 is NaN, so any access is noticed.
#[test]
fn morph_targets_of_weight_0_are_not_read() {
    const TARGETS: usize = 5000;
    let poison = || MorphTarget {
        positions: vec![[f32::NAN; 3]; 2].into(),
        normals: vec![[f32::NAN; 3]; 2].into(),
        tangents: Deltas::sparse(vec![0, 1], vec![[f32::NAN; 3]; 2]),
        tex_coords: vec![vec![[f32::NAN; 2]; 2].into()],
        colors: vec![[f32::NAN; 4]; 2].into(),
    };
    let mut targets: Vec<MorphTarget> = (0..TARGETS).map(|_| poison()).collect();
    let mut weights = vec![0.0; TARGETS];
    for (target, weight) in [(0, 1.0), (4321, -0.5), (TARGETS - 1, 2.0)] {
        targets[target] =
            MorphTarget { positions: vec![[1.0, 0.0, 0.0]; 2].into(), ..MorphTarget::default() };
        weights[target] = weight;
    }
    weights[17] = -0.0;
    let primitive = Primitive {
        positions: vec![[0.0; 3]; 2],
        normals: vec![[0.0, 1.0, 0.0]; 2],
        tangents: vec![[1.0, 0.0, 0.0, 1.0]; 2],
        tex_coords: vec![vec![[0.5; 2]; 2]],
        colors: vec![[0.5; 4]; 2],
        targets,
        ..Primitive::default()
    };
    let (place, palette) = (drawable(1, TARGETS as u32), [Affine::identity()]);
    let mut out = Deformed::default();
    deform(&primitive, &place, &palette, &[], &weights, &mut out);
    assert_eq!(out.positions, [[2.5, 0.0, 0.0]; 2]);
    assert_eq!((out.normals[0], out.tangents[1]), ([0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0]));
    assert_eq!((&out.tex_coords[0], &out.colors), (&primitive.tex_coords[0], &primitive.colors));
    assert_eq!(deform_position(&primitive, 0, &place, &palette, &[], &weights).to_array(), [2.5, 0.0, 0.0]);
}

/// A triangle on two joints with equal names, and three clips that rotate, move and scale them.
fn three_clips() -> Builder {
    let mut file = Builder::new();
    let positions = file.bounded("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let joints = file.integers("VEC4", U8, false, &[0, 1, 0, 0].repeat(3));
    let weights = file.bounded("VEC4", &[0.25, 0.75, 0.0, 0.0].repeat(3));
    let attributes = json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights });
    file.push(
        "meshes",
        json!({ "primitives": [{ "attributes": attributes, "targets": [{ "POSITION": positions }] }] }),
    );
    file.node(None, json!({ "mesh": 0, "skin": 0 }));
    file.node(None, json!({ "name": "bone" }));
    file.node(Some(1), json!({ "name": "bone" }));
    file.push("skins", json!({ "joints": [1, 2] }));
    file.push("materials", json!({}));
    for (name, start) in [("same", 0.0), ("same", 0.5), ("", 1.0)] {
        let clip = file.clip(name);
        let times = [start, start + 0.5, start + 1.0];
        let turns = [[0.0, 0.0, 0.6, 0.8], [0.0, 1.0, 0.0, 0.0], [0.6, 0.0, 0.0, 0.8]];
        file.animate(clip, (1, "rotation"), "LINEAR", &times, turns.as_flattened());
        file.animate(
            clip,
            (2, "translation"),
            "LINEAR",
            &times,
            &[1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, start],
        );
        file.animate(clip, (1, "scale"), "STEP", &times, &[1.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 1.0]);
        file.animate(clip, (0, "weights"), "LINEAR", &times, &[0.0, 1.0, start]);
        let output = file.bounded("SCALAR", &[0.0, 1.0, 0.5]);
        let input = file.bounded("SCALAR", &times);
        file.point(clip, "/materials/0/pbrMetallicRoughness/metallicFactor", "LINEAR", (input, output));
    }
    file
}

/// The bits of all animated values, at some times of a clip.
fn bits(actual: &mut Actual, clip: usize) -> Vec<u32> {
    let mut bits = Vec::new();
    for step in 0..9 {
        actual.go(Some(clip), 0.25 * f64::from(step));
        let floats = Affine::as_floats(&actual.palette)
            .iter()
            .chain(&actual.pose.weights)
            .chain(&actual.pose.properties);
        bits.extend(floats.map(|value| value.to_bits()));
    }
    bits
}

#[test]
fn broken_clips_and_channels_do_not_affect_others() {
    let mut whole = Actual::new(&three_clips().glb());
    let want: Vec<Vec<u32>> = (0..3).map(|clip| bits(&mut whole, clip)).collect();
    let nan = |file: &mut Builder| json!(file.bounded("VEC3", &[f32::NAN; 9]));
    type Break<'a> = &'a dyn Fn(&mut Builder);
    let breaks: [(&str, Break<'_>); 8] = [
        ("no channels", &|file| file.json["animations"][1]["channels"] = json!([])),
        ("no list of samplers", &|file| file.json["animations"][1]["samplers"] = json!("x")),
        ("not an animation", &|file| file.json["animations"][1] = json!({ "channels": 7 })),
        ("no sampler", &|file| file.json["animations"][1]["channels"][1]["sampler"] = json!(99)),
        ("no node", &|file| file.json["animations"][1]["channels"][1]["target"]["node"] = json!(99)),
        ("values that are none", &|file| file.json["animations"][1]["samplers"][1]["output"] = nan(file)),
        ("too few values", &|file| {
            let short = file.bounded("VEC3", &[0.0; 3]);
            file.json["animations"][1]["samplers"][1]["output"] = json!(short);
        }),
        ("times that are none", &|file| {
            let times = file.bounded("SCALAR", &[0.0, f32::NAN, 1.0]);
            file.json["animations"][1]["samplers"][1]["input"] = json!(times);
        }),
    ];
    for (what, change) in breaks {
        let mut file = three_clips();
        change(&mut file);
        let mut actual = Actual::new(&file.glb());
        assert_eq!(actual.model.clips.len(), 3, "{what}");
        for clip in [0, 2] {
            assert!(bits(&mut actual, clip) == want[clip], "{what}: clip {clip} plays otherwise");
        }
        // If one channel is broken, the other channels of its clip are kept.
        let channels = &actual.model.clips[1].channels;
        assert!(
            channels.is_empty() || channels.iter().all(|channel| channel.path != Path::Translation),
            "{what}"
        );
        if !channels.is_empty() {
            assert_eq!((channels.len(), actual.model.clips[1].properties.len()), (3, 1), "{what}");
        }
    }
}

#[test]
fn clips_of_equal_names_differ_by_index() {
    let mut actual = Actual::new(&three_clips().glb());
    let names: Vec<&str> = actual.model.clips.iter().map(|clip| &*clip.name).collect();
    assert_eq!(names, ["same", "same", ""]);
    assert_eq!(actual.model.clips.iter().map(|clip| clip.duration).collect::<Vec<_>>(), [1.0, 1.5, 2.0]);
    assert!(matches!(
        actual.model.clips[2].properties[..],
        [PropertyChannel { property: Property::Material(..), .. }]
    ));
    actual.go(Some(0), 1.0);
    let first = actual.pose.get(actual.node(2)).translation;
    actual.go(Some(1), 1.5);
    assert_eq!((first.z, actual.pose.get(actual.node(2)).translation.z), (0.0, 0.5));
    assert_eq!(actual.pose.get(actual.node(1)).translation, Vec3::ZERO, "its namesake stays");
}

#[test]
fn names_are_kept_unchanged() {
    let names = [
        "",
        " ",
        "a",
        "a",
        "A",
        "a.b",
        "a/b",
        "~1",
        "a:b[0]",
        "Ünïcode ❤ 骨",
        "👩\u{200d}🚀",
        "e\u{301}",
        "é",
        "עצם",
        "\u{202e}rtl",
        "\u{0}",
        "line\nbreak",
        "__proto__",
        "toString",
        "\u{feff}bom",
    ];
    let long = "ж".repeat(100_000);
    let mut file = three_clips();
    let clip = file.json["animations"][0].clone();
    file.json["animations"] = json!([]);
    for name in names.into_iter().chain([&*long]) {
        let mut clip = clip.clone();
        clip["name"] = json!(name);
        file.push("animations", clip);
        file.node(None, json!({ "name": name }));
        file.push("materials", json!({ "name": name }));
    }
    let model = Actual::new(&file.glb()).model;
    for (i, name) in names.into_iter().chain([&*long]).enumerate() {
        assert_eq!(model.clips[i].name, name);
        assert_eq!(model.nodes[model.node_of_source[3 + i].index()].name, name);
        assert_eq!(model.materials[1 + i].name, name);
    }
}
