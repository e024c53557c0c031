//! Invariants of any file at any time.

use super::actual::{Actual, double};
use super::files::{Case, cases};
use crate::common::builder::Builder;
use crate::common::random::Random;
use gambol::animation::{Affine, Bounds};
use gambol::model::{NodeId, Transform};
use glam::{DMat4, DQuat, Quat, Vec3};
use serde_json::json;

/// The bits of a palette and of the morph weights.
fn bits(actual: &Actual) -> Vec<u32> {
    let palette = Affine::as_floats(&actual.palette);
    palette.iter().chain(&actual.pose.weights).map(|value| value.to_bits()).collect()
}

/// Random times from before a clip to after it.
fn times(random: &mut Random, duration: f64, count: usize) -> Vec<f64> {
    (0..count).map(|_| (1.2 * random.unit() - 0.1) * duration.max(0.1)).collect()
}

#[test]
fn pose_depends_only_on_clip_and_time() {
    let mut random = Random(21);
    for Case { name, glb, .. } in cases() {
        let mut actual = Actual::new(glb);
        let mut seeks: Vec<(usize, f64)> = Vec::new();
        let clips: Vec<_> = actual.model.clips.iter().map(|clip| f64::from(clip.duration)).collect();
        for i in 0..200 {
            let clip = i % clips.len();
            seeks.push((clip, times(&mut random, clips[clip], 1)[0]));
        }
        seeks.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut want = Vec::new();
        for &(clip, time) in &seeks {
            actual.go(Some(clip), time);
            want.push(bits(&actual));
        }
        let mut order: Vec<usize> = (0..seeks.len()).collect();
        random.shuffle(&mut order);
        for i in order {
            let (clip, time) = seeks[i];
            actual.go(Some(clip), time);
            assert!(bits(&actual) == want[i], "{name}, clip {clip} at {time} is another pose after a seek");
        }
    }
}

#[test]
fn bounds_contain_all_vertices() {
    let mut random = Random(22);
    for Case { name, glb, .. } in cases() {
        let mut actual = Actual::new(glb);
        let bounds = Bounds::new(&actual.model, &actual.rig.layout);
        let clips: Vec<_> = actual.model.clips.iter().map(|clip| f64::from(clip.duration)).collect();
        let mut poses: Vec<(usize, f64)> = Vec::new();
        for (clip, &duration) in clips.iter().enumerate() {
            poses.extend(times(&mut random, duration, 8).into_iter().map(|time| (clip, time)));
        }
        for (i, (clip, time)) in poses.into_iter().enumerate() {
            actual.go(Some(clip), time);
            // Every second pose is not of any clip.
            if i % 2 == 1 {
                disturb(&mut random, &mut actual);
            }
            let bounds = bounds.of_pose(&actual.palette, &actual.pose.weights, &[]).expect("a finite box");
            let (least, most) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
            for (node, primitive, vertices) in actual.vertices() {
                for (vertex, position) in vertices.positions.iter().copied().map(double).enumerate() {
                    let inside = position.cmpge(least).all() && position.cmple(most).all();
                    assert!(
                        inside,
                        "{name}, clip {clip} at {time}: vertex {vertex} of primitive {primitive} of node {node} \
                         is at {position}, outside {bounds:?}"
                    );
                }
            }
        }
    }
}

/// Moves some nodes out of the clips' ranges, and sets morph weights above and below zero.
fn disturb(random: &mut Random, actual: &mut Actual) {
    for node in 0..actual.model.nodes.len() {
        if random.below(3) == 0 {
            let transform = Transform {
                translation: Vec3::from(random.point(2.0)),
                rotation: Quat::from_array(random.rotation(3.0)),
                scale: Vec3::from(random.point(1.5)),
            };
            actual.pose.set(NodeId::new(node), transform);
        }
    }
    for weight in &mut actual.pose.weights {
        *weight = random.float(-2.0, 2.0);
    }
    actual.place();
}

#[test]
fn poses_are_finite_at_any_time() {
    let times = [
        f64::NAN,
        -f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        -0.0,
        5e-324,
        1e18,
        -1e18,
        f64::from(f32::MAX),
    ];
    for Case { name, glb, .. } in cases() {
        let mut actual = Actual::new(glb);
        for clip in 0..actual.model.clips.len() {
            for time in times {
                actual.go(Some(clip), time);
                let finite = bits(&actual).into_iter().all(|bits| f32::from_bits(bits).is_finite());
                assert!(finite, "{name}, clip {clip} at {time}");
            }
        }
    }
}

/// The result of [`poses_have_the_same_bits_on_every_machine`]; it changes only with the maths of import and animation.
/// `cargo test --features glam/scalar-math` tests glam's code for another machine.
const BITS: u64 = 0x80fc_978d_ca0b_4627;

#[test]
fn poses_have_the_same_bits_on_every_machine() {
    let mut actual = Actual::new(&portable());
    // FNV-1a, by words.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for clip in 0..actual.model.clips.len() {
        for step in 0..50 {
            actual.go(Some(clip), 0.0371 * f64::from(step));
            for float in Affine::as_floats(&actual.matrices).iter().chain(&actual.pose.weights) {
                hash = (hash ^ u64::from(float.to_bits())).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    assert_eq!(hash, BITS, "{hash:#x}");
}

/// A file that is the same on every machine: computed with only sums, products and roots in double precision.
fn portable() -> Vec<u8> {
    let (mut file, mut random) = (Builder::new(), Random(23));
    let quaternion = |random: &mut Random| [(); 4].map(|()| random.float(-1.0, 1.0));
    let mut nodes: Vec<usize> = Vec::new();
    for i in 0..300 {
        let rotation = DQuat::from_array(quaternion(&mut random).map(f64::from)).normalize();
        let [scale, translation] = [random.point(2.0), random.point(1.0)].map(double);
        let matrix = DMat4::from_scale_rotation_translation(scale, rotation, translation);
        let matrix = matrix.to_cols_array().map(|value| value as f32);
        // Every third node begins a new tree: deep trees of such scales would exceed the range of f32.
        let parent = nodes.last().copied().filter(|_| i % 3 != 0);
        nodes.push(match i % 4 {
            0 => {
                file.node(parent, json!({ "rotation": quaternion(&mut random), "scale": random.point(2.0) }))
            }
            _ => file.node(parent, json!({ "matrix": matrix })),
        });
    }
    let times = [0.0, 0.3, 0.4, 1.0, 1.7];
    for interpolation in ["STEP", "LINEAR", "CUBICSPLINE"] {
        let clip = file.clip(interpolation);
        let parts = if interpolation == "CUBICSPLINE" { 3 } else { 1 };
        for &node in nodes.iter().step_by(4) {
            let values: Vec<f32> = (0..times.len() * parts).flat_map(|_| quaternion(&mut random)).collect();
            file.animate(clip, (node, "rotation"), interpolation, &times, &values);
            for path in ["translation", "scale"] {
                let values: Vec<f32> = (0..times.len() * parts).flat_map(|_| random.point(2.0)).collect();
                file.animate(clip, (node, path), interpolation, &times, &values);
            }
        }
    }
    file.glb()
}
