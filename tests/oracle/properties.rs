//! What must hold for any file and any time.

use crate::actual::{Actual, double};
use crate::files::{Case, cases};
use crate::random::Random;
use gambol::animation::{Affine, Bounds};
use gambol::model::{NodeId, Transform};
use glam::{Quat, Vec3};

/// The bits of a palette and of the morph weights.
fn bits(actual: &Actual) -> Vec<u32> {
    let palette = Affine::as_floats(&actual.palette);
    palette.iter().chain(&actual.pose.weights).map(|value| value.to_bits()).collect()
}

/// Times from before a clip to after it.
fn times(random: &mut Random, duration: f64, count: usize) -> Vec<f64> {
    (0..count).map(|_| (1.2 * random.unit() - 0.1) * duration.max(0.1)).collect()
}

#[test]
fn a_pose_depends_on_clip_and_time_alone() {
    let mut random = Random::new(21);
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
fn boxes_hold_all_vertices() {
    let mut random = Random::new(22);
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
            // Every other pose is one that no clip has.
            if i % 2 == 1 {
                disturb(&mut random, &mut actual);
            }
            let bounds = bounds.of_pose(&actual.palette, &actual.pose.weights).expect("a finite box");
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

/// Moves some nodes to where no clip moves them, and turns morph targets up and below zero.
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
