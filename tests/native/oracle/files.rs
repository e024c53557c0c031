//! Small files with one feature each that public models do not cover.

use super::features;
use crate::common::builder::{Builder, I8, I16, U8, U16};
use crate::common::models::SAMPLE;
use crate::common::random::Random;
use glam::{Mat4, Quat, Vec3};
use serde_json::json;
use std::sync::OnceLock;

/// A file, and its required precision.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) glb: Vec<u8>,
    /// The largest error of a position, relative to the model's diagonal.
    pub(crate) bound: f64,
}

/// The default bound, some 16 roundings of f32; other bounds are explained.
pub(crate) const BOUND: f64 = 1e-6;

/// All files, built once.
pub(crate) fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| [build(), features::cases()].concat())
}

fn build() -> Vec<Case> {
    let case = |name, glb| Case { name, glb, bound: BOUND };
    vec![
        case("4 influences", influences(1)),
        case("8 influences", influences(2)),
        case("12 influences", influences(3)),
        case("300 joints", many_joints()),
        // Each of the 2,000 products rounds, and an error of a joint near the root rotates all joints after it. The
        // roundings accumulate like a random walk, √2000 · 6e-8 ≈ 3e-6.
        Case { name: "chain of 2,000 joints", glb: chain(2000, 0.02), bound: 5e-6 },
        // If all bones are equal, their roundings are equal too while the sum stays within one power of two. They
        // accumulate without cancelling, at most to 2000 · 6e-8 = 1.2e-4.
        Case { name: "chain of equal joints", glb: chain(2000, 0.0), bound: 3e-5 },
        case("spline of morph weights", spline_weights()),
        case("sparse accessors", sparse()),
        case("rotation keys", rotations()),
        case("steps", steps()),
        case("short and late clips", short_clips()),
        case("timelines", timelines()),
        case("mirrored joints", mirrored()),
        case("matrix nodes", matrices()),
        case("skeleton elsewhere", elsewhere()),
        case("shared joints", shared()),
        case("normalised integers", integers()),
        case("corners of boxes", corners()),
        case("sample character", SAMPLE.clone()),
    ]
}

/// The mesh of a file: a cloud of vertices with `sets` sets of four influences each.
pub(crate) struct Cloud {
    pub(crate) vertices: usize,
    pub(crate) joints: usize,
    pub(crate) sets: usize,
    pub(crate) targets: usize,
}

impl Cloud {
    pub(crate) fn new(joints: usize) -> Self {
        Self { vertices: 24, joints, sets: 1, targets: 0 }
    }

    /// Adds the mesh; vertex `i` is near `center(i)`.
    pub(crate) fn build(
        &self,
        file: &mut Builder,
        random: &mut Random,
        center: impl Fn(usize) -> [f32; 3],
    ) -> usize {
        let near = |random: &mut Random, i: usize| Vec3::from(center(i)) + Vec3::from(random.point(0.5));
        let positions: Vec<f32> = (0..self.vertices).flat_map(|i| near(random, i).to_array()).collect();
        let normals: Vec<f32> = (0..self.vertices).flat_map(|_| unit(random)).collect();
        let tangents: Vec<f32> = (0..self.vertices)
            .flat_map(|i| [unit(random).as_slice(), &[if i % 2 == 0 { 1.0 } else { -1.0 }]].concat())
            .collect();
        let mut attributes = json!({
            "POSITION": file.bounded("VEC3", &positions),
            "NORMAL": file.bounded("VEC3", &normals),
            "TANGENT": file.bounded("VEC4", &tangents),
        });
        for set in 0..self.sets {
            let joint = |i: usize| (i / 4 * self.joints / self.vertices + i % 4 + 5 * set) % self.joints;
            let joints: Vec<i32> = (0..4 * self.vertices).map(|i| joint(i) as i32).collect();
            let share = 1.0 / self.sets as f32;
            let weights: Vec<f32> = (0..4 * self.vertices).map(|_| random.float(0.05, share)).collect();
            attributes[format!("JOINTS_{set}")] = json!(file.integers("VEC4", U16, false, &joints));
            attributes[format!("WEIGHTS_{set}")] = json!(file.bounded("VEC4", &even(&weights, share)));
        }
        let mut primitive = json!({ "attributes": attributes });
        if self.targets > 0 {
            let target = |_| -> Vec<f32> { (0..self.vertices).flat_map(|_| random.point(0.4)).collect() };
            let targets: Vec<Vec<f32>> = (0..self.targets).map(target).collect();
            let target = |(i, values): (usize, &Vec<f32>)| {
                let mut target = json!({ "POSITION": file.bounded("VEC3", values) });
                // Not all targets change all attributes.
                if i % 2 == 0 {
                    target["NORMAL"] =
                        json!(file.bounded("VEC3", &values.iter().map(|x| 0.3 * x).collect::<Vec<_>>()));
                }
                if i % 3 == 0 {
                    target["TANGENT"] =
                        json!(file.bounded("VEC3", &values.iter().map(|x| 0.2 * x).collect::<Vec<_>>()));
                }
                target
            };
            primitive["targets"] = targets.iter().enumerate().map(target).collect();
        }
        file.push("meshes", json!({ "primitives": [primitive] }))
    }
}

/// A unit vector.
pub(crate) fn unit(random: &mut Random) -> [f32; 3] {
    let rotation = Quat::from_array(random.rotation(6.0)).normalize();
    (rotation * Vec3::Z).normalize().to_array()
}

/// Scales each group of four weights so that their sum is `share`.
fn even(weights: &[f32], share: f32) -> Vec<f32> {
    let scaled = |four: &[f32]| -> Vec<f32> {
        let sum: f32 = four.iter().sum();
        four.iter().map(|weight| weight / sum * share).collect()
    };
    weights.chunks(4).flat_map(scaled).collect()
}

/// A skin whose inverse bind matrices rotate and translate a little, so that omitting one is noticed.
pub(crate) fn skin(file: &mut Builder, random: &mut Random, joints: &[usize]) -> usize {
    let matrix = |_: &usize| {
        let rotation = Quat::from_array(random.rotation(0.5)).normalize();
        Mat4::from_rotation_translation(rotation, random.point(0.3).into()).to_cols_array()
    };
    let matrices: Vec<f32> = joints.iter().flat_map(matrix).collect();
    let inverse_binds = file.bounded("MAT4", &matrices);
    file.push("skins", json!({ "joints": joints, "inverseBindMatrices": inverse_binds }))
}

/// A chain of nodes, each at some distance from the previous one.
pub(crate) fn bones(file: &mut Builder, random: &mut Random, count: usize) -> Vec<usize> {
    let mut joints: Vec<usize> = Vec::new();
    for _ in 0..count {
        let node = json!({ "translation": random.point(0.5), "rotation": random.rotation(1.0) });
        joints.push(file.node(joints.last().copied(), node));
    }
    joints
}

/// Adds rotation keys for some joints, each with its own values.
pub(crate) fn turn(
    file: &mut Builder,
    random: &mut Random,
    clip: usize,
    nodes: &[usize],
    times: &[f32],
    angle: f32,
) {
    let input = file.bounded("SCALAR", times);
    for &node in nodes {
        let values: Vec<f32> = times.iter().flat_map(|_| random.rotation(angle)).collect();
        let output = file.bounded("VEC4", &values);
        file.channel(clip, (node, "rotation"), "LINEAR", (input, output));
    }
}

/// A joint chain, a skinned cloud around it, and a clip of rotations.
pub(crate) fn skinned(file: &mut Builder, random: &mut Random, joints: usize, cloud: &Cloud) -> Vec<usize> {
    let joints = bones(file, random, joints);
    let skin = skin(file, random, &joints);
    let mesh = cloud.build(file, random, |_| [0.0; 3]);
    file.node(None, json!({ "mesh": mesh, "skin": skin }));
    joints
}

pub(crate) fn influences(sets: usize) -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(1));
    let joints = skinned(&mut file, &mut random, 6, &Cloud { sets, ..Cloud::new(6) });
    let clip = file.clip("turn");
    turn(&mut file, &mut random, clip, &joints, &[0.0, 0.4, 1.1], 2.0);
    file.glb()
}

/// More joints than fit into a uniform array or an 8-bit index, all below one root.
fn many_joints() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(2));
    let root = file.node(None, json!({ "rotation": random.rotation(1.0) }));
    let joints: Vec<usize> =
        (0..300).map(|_| file.node(Some(root), json!({ "translation": random.point(3.0) }))).collect();
    let skin = skin(&mut file, &mut random, &joints);
    let mesh = Cloud { vertices: 300, ..Cloud::new(300) }.build(&mut file, &mut random, |_| [0.0; 3]);
    file.node(None, json!({ "mesh": mesh, "skin": skin }));
    let clip = file.clip("turn");
    turn(&mut file, &mut random, clip, &joints, &[0.0, 0.5, 1.0], 3.0);
    file.glb()
}

/// A chain with a small rotation at each joint; its bones differ by up to `jitter`.
pub(crate) fn chain(count: usize, jitter: f32) -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(3));
    let mut joints: Vec<usize> = Vec::new();
    for _ in 0..count {
        let bone = Vec3::new(0.0, 0.05, 0.0) + jitter * Vec3::from(random.point(1.0));
        joints.push(file.node(joints.last().copied(), json!({ "translation": bone.to_array() })));
    }
    let skin = file.push("skins", json!({ "joints": joints }));
    let mesh = Cloud { vertices: 400, ..Cloud::new(count) }.build(&mut file, &mut random, |_| [0.0; 3]);
    file.node(None, json!({ "mesh": mesh, "skin": skin }));
    let clip = file.clip("sway");
    turn(&mut file, &mut random, clip, &joints, &[0.0, 1.0], 0.05);
    file.glb()
}

/// Splines of several morph weights: in-tangent, value and out-tangent.
fn spline_weights() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(4));
    let mesh = Cloud { targets: 5, sets: 0, ..Cloud::new(1) }.build(&mut file, &mut random, |_| [0.0; 3]);
    let node = file.node(None, json!({ "mesh": mesh, "weights": [0.1, 0.0, 0.0, 0.7, 0.0] }));
    let clip = file.clip("spline");
    let values: Vec<f32> = (0..3 * 3 * 5).map(|_| random.float(-1.0, 1.0)).collect();
    file.animate(clip, (node, "weights"), "CUBICSPLINE", &[0.25, 0.75, 2.0], &values);
    file.glb()
}

/// Sparse key times, key values and inverse bind matrices, with and without a base.
fn sparse() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(5));
    let joints = bones(&mut file, &mut random, 5);
    let unit = Mat4::IDENTITY.to_cols_array();
    let moved = Mat4::from_translation(Vec3::new(0.1, -0.4, 0.2)).to_cols_array();
    let base = unit.repeat(5);
    let binds = file.sparse("MAT4", Some(&base), 5, &[(1, moved.to_vec()), (4, moved.to_vec())]);
    let all: Vec<_> = (0..5).map(|i| (i, if i % 2 == 0 { unit } else { moved }.to_vec())).collect();
    let without_base = file.sparse("MAT4", None, 5, &all);
    for binds in [binds, without_base] {
        let skin = file.push("skins", json!({ "joints": joints, "inverseBindMatrices": binds }));
        let mesh = Cloud::new(5).build(&mut file, &mut random, |_| [0.0; 3]);
        file.node(None, json!({ "mesh": mesh, "skin": skin }));
    }
    let clip = file.clip("sparse");
    let times = file.sparse("SCALAR", Some(&[0.0, 0.1, 0.2, 2.0]), 4, &[(1, vec![0.5]), (2, vec![1.5])]);
    let late = file.sparse("SCALAR", None, 3, &[(1, vec![0.75]), (2, vec![1.0])]);
    let rotations: Vec<f32> = (0..4).flat_map(|_| random.rotation(2.0)).collect();
    let rotations = file.sparse("VEC4", Some(&rotations), 4, &[(2, random.rotation(2.0).to_vec())]);
    let moves = file.sparse("VEC3", None, 3, &[(0, vec![0.5, 0.0, 0.0]), (2, vec![0.0, 0.25, 1.0])]);
    file.channel(clip, (joints[1], "rotation"), "LINEAR", (times, rotations));
    file.channel(clip, (joints[2], "translation"), "LINEAR", (late, moves));
    file.glb()
}

/// Successive rotation keys at difficult angles, of either sign, also with lengths other than 1.
fn rotations() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(6));
    let mesh = Cloud { sets: 0, ..Cloud::new(1) }.build(&mut file, &mut random, |_| [0.0; 3]);
    let clip = file.clip("turns");
    let mut add = |keys: &[[f32; 4]]| {
        let times: Vec<f32> = (0..keys.len()).map(|i| 0.5 * i as f32).collect();
        let node = file.node(None, json!({ "mesh": mesh }));
        file.animate(clip, (node, "rotation"), "LINEAR", &times, keys.as_flattened());
    };
    for degrees in [0.0, 1e-4, 0.01, 0.1, 1.0, 30.0, 90.0, 150.0, 179.0, 179.9] {
        for sign in [1.0, -1.0] {
            let a = random.rotation(3.0);
            let axis = Vec3::from(random.point(1.0)).normalize();
            let b = Quat::from_array(a).normalize() * Quat::from_axis_angle(axis, f32::to_radians(degrees));
            add(&[a, (b * sign).to_array()]);
            // With lengths other than 1, and back again.
            add(&[a, (b * (0.7 * sign)).to_array(), a.map(|component| 3.0 * component)]);
        }
    }
    // Half a turn, where both ways are equally long; the dot product is 0 in any precision.
    add(&[[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]]);
    add(&[[0.6, 0.0, 0.0, 0.8], [0.0, 0.0, 1.0, 0.0]]);
    add(&[[0.0, 0.0, 0.0, 1.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, -1.0]]);
    // Signs that change at every key.
    let (a, b) = ([0.1, 0.2, 0.3, 0.9], [-0.3, -0.1, -0.4, -0.8]);
    add(&[a, b, a, b, b.map(|component| -component), a.map(|component| -component)]);
    file.glb()
}

/// STEP on every path, with key times that are not exact in binary.
fn steps() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(7));
    let cloud = Cloud { targets: 3, ..Cloud::new(4) };
    let joints = skinned(&mut file, &mut random, 4, &cloud);
    let clip = file.clip("steps");
    let times = [0.1, 0.2, 0.3, 0.7, 1.1];
    let rotations: Vec<f32> = times.iter().flat_map(|_| random.rotation(3.0)).collect();
    file.animate(clip, (joints[0], "rotation"), "STEP", &times, &rotations);
    for (node, path, width) in [(joints[1], "translation", 3), (joints[2], "scale", 3), (4, "weights", 3)] {
        let values: Vec<f32> = (0..times.len() * width).map(|_| random.float(0.3, 1.0)).collect();
        file.animate(clip, (node, path), "STEP", &times, &values);
    }
    file.glb()
}

/// A file with a skinned morphing mesh, whose clips animate every path in every interpolation at given times.
fn all_paths(clips: &[(&str, &[f32])]) -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(8));
    let nodes: Vec<usize> = (0..3)
        .map(|_| {
            let joints = bones(&mut file, &mut random, 4);
            let skin = skin(&mut file, &mut random, &joints);
            let mesh = Cloud { targets: 2, ..Cloud::new(4) }.build(&mut file, &mut random, |_| [0.0; 3]);
            file.node(None, json!({ "mesh": mesh, "skin": skin }))
        })
        .collect();
    for (name, times) in clips {
        let clip = file.clip(name);
        for (interpolation, mesh) in ["STEP", "LINEAR", "CUBICSPLINE"].into_iter().zip(&nodes) {
            add_all_paths(&mut file, &mut random, clip, interpolation, *mesh, times);
        }
    }
    file.glb()
}

/// Adds channels for the four joints before a mesh node and for its weights.
fn add_all_paths(
    file: &mut Builder,
    random: &mut Random,
    clip: usize,
    interpolation: &str,
    mesh: usize,
    times: &[f32],
) {
    let spline = interpolation == "CUBICSPLINE";
    for (node, path) in
        [(mesh - 4, "rotation"), (mesh - 3, "translation"), (mesh - 2, "scale"), (mesh, "weights")]
    {
        let mut values = Vec::new();
        for _ in times {
            let mut part = |reach: f32| match path {
                "rotation" if reach == 1.0 => random.rotation(2.0).to_vec(),
                "rotation" => random.rotation(2.0).map(|component| reach * component).to_vec(),
                "weights" => vec![random.float(0.0, reach), random.float(0.0, reach)],
                _ => random.point(reach).to_vec(),
            };
            if spline {
                values.extend(part(0.5));
            }
            values.extend(part(1.0));
            if spline {
                values.extend(part(0.5));
            }
        }
        file.animate(clip, (node, path), interpolation, times, &values);
    }
}

/// Clips with one key, of zero duration and with a late start, and an ordinary one.
fn short_clips() -> Vec<u8> {
    let clips: [(&str, &[f32]); 5] = [
        ("no length", &[0.0]),
        ("one key", &[0.75]),
        ("usual", &[0.0, 0.4, 1.0]),
        ("late", &[1.0, 1.5, 2.0]),
        ("very short", &[0.0, 1e-6]),
    ];
    all_paths(&clips)
}

/// Channels of one clip whose keys have different times.
fn timelines() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(9));
    let joints = skinned(&mut file, &mut random, 9, &Cloud::new(9));
    let clip = file.clip("timelines");
    for (i, &node) in joints.iter().enumerate() {
        let start = 0.1 * i as f32;
        let times: Vec<f32> = (0..i + 1).map(|k| start + (0.3 + 0.05 * i as f32) * k as f32).collect();
        let rotations: Vec<f32> = times.iter().flat_map(|_| random.rotation(2.5)).collect();
        file.animate(clip, (node, "rotation"), "LINEAR", &times, &rotations);
        if i % 2 == 0 {
            let values: Vec<f32> = times.iter().flat_map(|_| random.point(0.5)).collect();
            file.animate(
                clip,
                (node, "translation"),
                if i % 4 == 0 { "STEP" } else { "LINEAR" },
                &times,
                &values,
            );
        }
        let ends = [0.5 * start, 1.0 + start];
        let values: Vec<f32> = (0..18).map(|_| random.float(0.6, 1.2)).collect();
        file.animate(clip, (node, "scale"), "CUBICSPLINE", &ends, &values);
    }
    file.glb()
}

/// Joints that stretch along one axis, mirror, and have zero scale for a moment.
fn mirrored() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(10));
    let joints = skinned(&mut file, &mut random, 5, &Cloud { sets: 2, ..Cloud::new(5) });
    let scales = [[1.0, 1.5, 0.4], [-1.0, 1.0, 1.0], [0.7, -1.2, 2.0], [-1.0, -1.0, -1.0], [1.0, 0.0, 1.0]];
    for (&joint, scale) in joints.iter().zip(scales) {
        file.json["nodes"][joint]["scale"] = json!(scale);
    }
    let clip = file.clip("mirror");
    turn(&mut file, &mut random, clip, &joints, &[0.0, 0.5, 1.0], 2.0);
    let through_zero = [1.0, 1.0, 1.0, -1.0, 1.0, 1.5];
    file.animate(clip, (joints[3], "scale"), "LINEAR", &[0.0, 1.0], &through_zero);
    file.glb()
}

/// Nodes with a matrix: rigid, mirrored, stretched and sheared, as joints and above meshes.
fn matrices() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(11));
    let rotation = Quat::from_array(random.rotation(2.0)).normalize();
    let rigid = Mat4::from_rotation_translation(rotation, Vec3::new(0.3, 0.2, -0.5));
    let mut shear = Mat4::from_scale_rotation_translation(Vec3::new(1.0, -0.8, 1.3), rotation, Vec3::X);
    shear.y_axis.x += 0.6;
    let stretch = Mat4::from_scale_rotation_translation(Vec3::new(0.5, 1.5, -1.0), rotation, Vec3::Y);
    let mut joints: Vec<usize> = Vec::new();
    for matrix in [None, Some(rigid), None, Some(shear), None, Some(stretch)] {
        let node = match matrix {
            Some(matrix) => json!({ "matrix": matrix.to_cols_array() }),
            None => json!({ "translation": random.point(0.4) }),
        };
        joints.push(file.node(joints.last().copied(), node));
    }
    let skin = skin(&mut file, &mut random, &joints);
    let mesh = Cloud::new(6).build(&mut file, &mut random, |_| [0.0; 3]);
    file.node(Some(joints[2]), json!({ "mesh": mesh, "skin": skin }));
    let rigid_mesh = Cloud { sets: 0, ..Cloud::new(1) }.build(&mut file, &mut random, |_| [0.0; 3]);
    file.node(Some(joints[3]), json!({ "mesh": rigid_mesh, "matrix": shear.to_cols_array() }));
    let clip = file.clip("turn");
    let moving = [joints[0], joints[2], joints[4]];
    turn(&mut file, &mut random, clip, &moving, &[0.0, 1.0], 2.0);
    file.glb()
}

/// A skeleton in another branch than its mesh, whose own transform has no effect, even if animated.
fn elsewhere() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(12));
    let world = file.node(None, json!({ "translation": [0.5, 0.0, -0.5], "scale": [1.5, 1.5, 1.5] }));
    let hips = file.node(Some(world), json!({ "rotation": random.rotation(1.0) }));
    let joints = [hips, file.node(Some(hips), json!({ "translation": [0.0, 1.0, 0.0] }))];
    let skin = skin(&mut file, &mut random, &joints);
    let mesh = Cloud::new(2).build(&mut file, &mut random, |_| [0.0; 3]);
    let far = file.node(None, json!({ "translation": [50.0, 3.0, 0.0], "scale": [7.0, 0.1, 2.0] }));
    let shown = file.node(Some(far), json!({ "mesh": mesh, "skin": skin, "rotation": random.rotation(3.0) }));
    // The same mesh below its own joint, and a rigid one there, which follows the joint.
    file.node(Some(joints[1]), json!({ "mesh": mesh, "skin": skin, "translation": [9.0, 9.0, 9.0] }));
    let rigid = Cloud { sets: 0, ..Cloud::new(1) }.build(&mut file, &mut random, |_| [0.0; 3]);
    file.node(Some(joints[1]), json!({ "mesh": rigid, "translation": [0.0, 0.5, 0.0] }));
    let clip = file.clip("all");
    turn(&mut file, &mut random, clip, &[joints[1], world, far, shown], &[0.0, 0.5, 1.0], 2.0);
    file.animate(clip, (shown, "translation"), "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 0.0, 9.0, 9.0, 9.0]);
    file.glb()
}

/// Two skins with the same joints in another order, with other inverse bind matrices; one mesh is used with both.
fn shared() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(13));
    let joints = bones(&mut file, &mut random, 6);
    let backwards: Vec<usize> = joints.iter().rev().copied().collect();
    let skins = [
        skin(&mut file, &mut random, &joints),
        skin(&mut file, &mut random, &backwards),
        skin(&mut file, &mut random, &joints[1..5]),
    ];
    let mesh = Cloud::new(4).build(&mut file, &mut random, |_| [0.0; 3]);
    let other = Cloud { sets: 2, ..Cloud::new(6) }.build(&mut file, &mut random, |_| [0.0; 3]);
    for skin in skins {
        file.node(None, json!({ "mesh": mesh, "skin": skin }));
    }
    file.node(None, json!({ "mesh": other, "skin": skins[1] }));
    let clip = file.clip("turn");
    turn(&mut file, &mut random, clip, &joints, &[0.0, 0.3, 1.0], 1.5);
    file.glb()
}

/// Rotation keys, morph weights and joint weights as normalised integers, including the minimum.
fn integers() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(14));
    let joints = bones(&mut file, &mut random, 4);
    let skin = skin(&mut file, &mut random, &joints);
    let mut meshes = Vec::new();
    for (component, most) in [(U8, 255), (U16, 65535)] {
        let mesh = Cloud { targets: 4, ..Cloud::new(4) }.build(&mut file, &mut random, |_| [0.0; 3]);
        let mut weights = Vec::new();
        for _ in 0..24 {
            let (a, b) = (random.below(most as usize / 2) as i32, random.below(most as usize / 2) as i32);
            weights.extend([a, b, most - a - b, 0]);
        }
        let weights = file.integers("VEC4", component, true, &weights);
        file.json["meshes"][mesh]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
        meshes.push(file.node(None, json!({ "mesh": mesh, "skin": skin })));
    }
    let clip = file.clip("integers");
    let times = file.bounded("SCALAR", &[0.0, 0.5, 1.0]);
    let turns = [(I8, 127.0, -128), (I16, 32767.0, -32768)];
    for (&joint, (component, most, least)) in joints.iter().zip(turns) {
        let mut keys: Vec<i32> =
            (0..2).flat_map(|_| random.rotation(3.0)).map(|value| (value * most).round() as i32).collect();
        // The minimum is next to the maximum: alone it would be normalised, which hides a missing clamp.
        keys.extend([0, least, -least - 1, 0]);
        let keys = file.integers("VEC4", component, true, &keys);
        file.channel(clip, (joint, "rotation"), "LINEAR", (times, keys));
    }
    let weights = [(meshes[0], U8, 256), (meshes[1], U16, 65536)];
    for (node, component, range) in weights {
        let values: Vec<i32> = (0..12).map(|_| random.below(range) as i32).collect();
        let values = file.integers("SCALAR", component, true, &values);
        file.channel(clip, (node, "weights"), "LINEAR", (times, values));
    }
    let signed = file.clip("signed");
    for (node, component, most) in [(meshes[0], I8, 127), (meshes[1], I16, 32767)] {
        let values: Vec<i32> =
            (0..12).map(|i| most - random.below(2 * most as usize) as i32 - i % 2).collect();
        let values = file.integers("SCALAR", component, true, &values);
        file.channel(signed, (node, "weights"), "STEP", (times, values));
    }
    file.glb()
}

/// Cuboids with a vertex at every corner, so that their boxes touch them at any rotation, which morph as a whole. One
/// is rigid, one follows a joint.
fn corners() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(15));
    let corner = |i: usize| -> [f32; 3] { [1, 2, 4].map(|bit| if i & bit == 0 { -1.0 } else { 1.0 }) };
    let positions: Vec<f32> =
        (0..8).flat_map(|i| (Vec3::from(corner(i)) * Vec3::new(1.0, 0.5, 3.0) + 2.0).to_array()).collect();
    let positions = file.bounded("VEC3", &positions);
    let targets =
        [[0.5, -1.0, 0.25], [-2.0, 0.0, 1.5]].map(|delta: [f32; 3]| file.bounded("VEC3", &delta.repeat(8)));
    let joint = file.node(None, json!({ "translation": [0.0, 1.0, 0.0] }));
    let skin = skin(&mut file, &mut random, &[joint]);
    let attributes = json!({
        "POSITION": positions,
        "JOINTS_0": file.integers("VEC4", U8, false, &[0; 32]),
        "WEIGHTS_0": file.integers("VEC4", U8, true, &[255, 0, 0, 0].repeat(8)),
    });
    let targets = targets.map(|positions| json!({ "POSITION": positions }));
    let mesh =
        file.push("meshes", json!({ "primitives": [{ "attributes": attributes, "targets": targets }] }));
    let rigid = file.node(None, json!({ "mesh": mesh }));
    let skinned = file.node(None, json!({ "mesh": mesh, "skin": skin }));
    let clip = file.clip("both");
    turn(&mut file, &mut random, clip, &[joint, rigid], &[0.0, 0.5, 1.0], 3.0);
    for node in [rigid, skinned] {
        let values: Vec<f32> = (0..6).map(|_| random.float(-1.0, 2.0)).collect();
        file.animate(clip, (node, "weights"), "LINEAR", &[0.0, 0.5, 1.0], &values);
    }
    // With both morphs the clip's boxes are not tight; with one of them they touch the mesh.
    for node in [rigid, skinned] {
        let clip = file.clip("one");
        turn(&mut file, &mut random, clip, &[joint, rigid], &[0.0, 1.0], 3.0);
        file.animate(clip, (node, "weights"), "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 1.0, 1.0]);
    }
    file.glb()
}
