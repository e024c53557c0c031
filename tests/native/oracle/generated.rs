//! The library compared with the evaluator, on generated files.

use super::actual::{Actual, double};
use super::evaluator::{Channel, Direction, Evaluator, State, slerp};
use super::files::{Case, cases};
use crate::common::builder::Builder;
use crate::common::random::Random;
use glam::{DMat4, DQuat, DVec3, Quat, Vec3};
use serde_json::json;

/// The maximum number of visited keys of a clip: the evaluator is slow.
const MOST_KEYS: usize = 40;

/// The number of vertices from which a model is only sampled.
const MANY_VERTICES: usize = 1000;

/// The largest errors of a file, each with its place.
#[derive(Default)]
struct Worst {
    vertex: (f64, String),
    node: (f64, String),
    /// The absolute error of normals and tangents, which are unit vectors.
    direction: (f64, String),
    /// The error of morph weights, properties, texture coordinates and colours, relative to the largest in the list, or
    /// to 1.
    number: (f64, String),
}

impl Worst {
    fn note(worst: &mut (f64, String), error: f64, place: impl Fn() -> String) {
        // The negated comparison also notes NaN.
        if !(error <= worst.0) {
            *worst = (error, place());
        }
    }
}

#[test]
fn poses_and_vertices_agree_with_the_specification() {
    let mut failures = Vec::new();
    for Case { name, glb, bound } in cases() {
        let worst = compare(glb);
        let Worst { vertex, node, direction, number } = worst;
        println!(
            "{name:24} vertices {:.1e}  nodes {:.1e}  directions {:.1e}  numbers {:.1e}",
            vertex.0, node.0, direction.0, number.0
        );
        for (error, place) in [vertex, node, direction, number] {
            if !(error <= *bound) {
                failures.push(format!("{name}: {error:.2e} at {place}, above {bound:e}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn poses_on_keys_have_the_bits_of_the_keys() {
    for Case { name, glb, .. } in cases() {
        let oracle = Evaluator::new(glb);
        let mut actual = Actual::new(glb);
        for (clip, channels) in oracle.clips.iter().enumerate() {
            for channel in channels.iter().filter(|channel| !channel.is_rotation()) {
                for time in times_on_keys(channel) {
                    actual.go(Some(clip), time);
                    let got: Vec<u32> =
                        actual.pointed(&channel.pointer).iter().map(|value| value.to_bits()).collect();
                    let want =
                        channel.key(channel.key_at(time)).iter().map(|&value| (value as f32).to_bits());
                    let want: Vec<u32> = want.collect();
                    assert_eq!(got, want, "{name}, clip {clip}, {} at {time}", channel.pointer);
                }
            }
        }
    }
}

#[test]
fn clip_duration_is_the_time_of_the_last_key() {
    for Case { name, glb, .. } in cases() {
        let oracle = Evaluator::new(glb);
        let durations: Vec<f64> =
            Actual::new(glb).model.clips.iter().map(|clip| f64::from(clip.duration)).collect();
        let want: Vec<f64> = (0..oracle.clips.len()).map(|clip| oracle.duration(clip)).collect();
        assert_eq!(durations, want, "{name}");
    }
}

/// The times at which a channel has exactly the value of a key: on keys, outside, and for STEP always.
fn times_on_keys(channel: &Channel) -> Vec<f64> {
    let (first, last) = (channel.times[0], channel.times[channel.times.len() - 1]);
    let mut times =
        vec![f64::NEG_INFINITY, first - 1.0, first.next_down(), last.next_up(), last + 1.0, 1e300];
    times.extend(&channel.times);
    if channel.interpolation == "STEP" {
        times.extend(channel.times.iter().flat_map(|time| [time.next_down(), time.next_up()]));
    }
    times
}

fn compare(glb: &[u8]) -> Worst {
    let oracle = Evaluator::new(glb);
    let mut actual = Actual::new(glb);
    let rest = oracle.state(None, 0.0);
    let diagonal = diagonal(&oracle, &rest);
    let vertices: usize =
        actual.model.meshes.iter().flat_map(|mesh| &mesh.primitives).map(|p| p.vertex_count()).sum();
    let step = 1 + vertices / MANY_VERTICES;
    let mut worst = Worst::default();
    actual.go(None, 0.0);
    compare_state(&oracle, &rest, &actual, (diagonal, step), "at rest", &mut worst);
    for clip in 0..oracle.clips.len() {
        for time in times(&oracle.clips[clip]) {
            actual.go(Some(clip), time);
            let place = format!("{time} of clip {clip}");
            let state = oracle.state(Some(clip), time);
            compare_state(&oracle, &state, &actual, (diagonal, step), &place, &mut worst);
        }
    }
    worst
}

fn diagonal(oracle: &Evaluator, rest: &State) -> f64 {
    let vertices = oracle.vertices(rest, 1);
    let points = || vertices.iter().flat_map(|vertices| vertices.positions.iter().copied());
    let (least, most) = (points().reduce(DVec3::min), points().reduce(DVec3::max));
    least.zip(most).map(|(least, most)| (most - least).length()).expect("a file with vertices")
}

/// Before the first key, on each key and one bit of either precision beside it, half-way to the next, after the last.
fn times(channels: &[Channel]) -> Vec<f64> {
    let mut keys: Vec<f64> = channels.iter().flat_map(|channel| channel.times.iter().copied()).collect();
    keys.sort_by(f64::total_cmp);
    keys.dedup();
    let (first, last) = (keys[0], keys[keys.len() - 1]);
    let mut times = vec![first - 1.0, -1e9, last + 1.0, 1e9];
    let thin = keys.len().div_ceil(MOST_KEYS);
    let narrow = |key: f64, next: fn(f32) -> f32| f64::from(next(key as f32));
    for pair in keys.windows(2).step_by(thin) {
        times.extend([narrow(pair[0], f32::next_down), narrow(pair[0], f32::next_up)]);
        times.extend([pair[0].next_down(), pair[0], pair[0].next_up(), 0.5 * (pair[0] + pair[1])]);
        times.push(pair[0] + 0.2 * (pair[1] - pair[0]));
    }
    times.extend([last.next_down(), last, last.next_up()]);
    times
}

fn compare_state(
    oracle: &Evaluator,
    state: &State,
    actual: &Actual,
    (diagonal, step): (f64, usize),
    place: &str,
    worst: &mut Worst,
) {
    for (node, want) in state.nodes.iter().enumerate() {
        let error = matrix_error(want, &actual.matrix(node), diagonal);
        Worst::note(&mut worst.node, error, || format!("node {node}, {place}"));
    }
    assert_eq!(actual.visible(), state.visible, "what is visible, {place}");
    let mut numbers = |got: &[f32], want: &[f64], at: &dyn Fn() -> String| {
        assert_eq!(got.len(), want.len(), "how many numbers there are in {}", at());
        let largest = want.iter().fold(1.0, |largest: f64, want| largest.max(want.abs()));
        for (got, want) in got.iter().zip(want) {
            let error = (f64::from(*got) - want).abs() / largest;
            Worst::note(&mut worst.number, error, || format!("{}, {place}", at()));
        }
    };
    for (node, want) in state.weights.iter().enumerate() {
        numbers(actual.weights(node), want, &|| format!("the weights of node {node}"));
    }
    for (pointer, want) in &state.others {
        numbers(&actual.pointed(pointer), want, &|| pointer.clone());
    }
    let (got, want) = (actual.vertices(), oracle.vertices(state, step));
    for ((node, _, got), want) in got.iter().zip(&want) {
        assert_eq!(got.tex_coords.len(), want.tex_coords.len(), "how many sets morph");
        for (set, (got, want)) in got.tex_coords.iter().zip(&want.tex_coords).enumerate() {
            let got: Vec<f32> = got.iter().step_by(step).flatten().copied().collect();
            numbers(&got, want, &|| format!("TEXCOORD_{set} of node {node}"));
        }
        let got: Vec<f32> = got.colors.iter().step_by(step).flatten().copied().collect();
        numbers(&got, &want.colors, &|| format!("COLOR_0 of node {node}"));
    }
    assert_eq!(got.len(), want.len(), "how many primitives are shown");
    for ((node, primitive, got), want) in got.iter().zip(&want) {
        assert_eq!((*node, *primitive), (want.node, want.primitive));
        let at = |what: &str, index: usize| format!("{what} {} of node {node}, {place}", index * step);
        let positions: Vec<_> = got.positions.iter().step_by(step).copied().map(double).collect();
        assert_eq!(positions.len(), want.positions.len(), "how many vertices there are");
        for (i, (got, want)) in positions.iter().zip(&want.positions).enumerate() {
            Worst::note(&mut worst.vertex, (*got - want).length() / diagonal, || at("vertex", i));
        }
        let normals: Vec<_> = got.normals.iter().step_by(step).copied().map(double).collect();
        assert_eq!(normals.len(), want.normals.len(), "how many normals there are");
        for (i, (got, want)) in normals.iter().zip(&want.normals).enumerate() {
            Worst::note(&mut worst.direction, direction_error(want, *got), || at("normal", i));
        }
        let tangents: Vec<_> =
            got.tangents.iter().step_by(step).map(|&[x, y, z, _]| double([x, y, z])).collect();
        assert_eq!(tangents.len(), want.tangents.len(), "how many tangents there are");
        for (i, (got, want)) in tangents.iter().zip(&want.tangents).enumerate() {
            Worst::note(&mut worst.direction, direction_error(want, *got), || at("tangent", i));
        }
    }
}

/// The difference of two directions, beyond the effect of rounding. If the direction is nearly undetermined, any finite
/// vector is accepted.
fn direction_error(want: &Direction, got: DVec3) -> f64 {
    let other = if want.sided { f64::INFINITY } else { (want.unit + got).length() };
    let error = (want.unit - got).length().min(other);
    if want.certainty < 1e-4 && error.is_finite() { 0.0 } else { error * want.certainty }
}

/// The larger of two errors. The translation's is relative to the diagonal, or to the node's distance from the origin
/// if that is larger. That of the other entries is relative to the largest of them.
fn matrix_error(want: &DMat4, got: &DMat4, diagonal: f64) -> f64 {
    let translation = (want.w_axis - got.w_axis).length() / diagonal.max(want.w_axis.length());
    let axes = [want.x_axis, want.y_axis, want.z_axis].map(|axis| axis.abs().max_element());
    let largest = axes.into_iter().fold(1e-6, f64::max);
    let errors = [want.x_axis - got.x_axis, want.y_axis - got.y_axis, want.z_axis - got.z_axis];
    errors.map(|error| error.abs().max_element() / largest).into_iter().fold(translation, f64::max)
}

/// For half a turn both ways are equally long except for the last bits of the keys. The choice must not depend on the
/// order in which a machine adds four products.
#[test]
fn half_turns_rotate_in_the_same_direction_on_every_machine() {
    let mut random = Random(31);
    let mut file = Builder::new();
    let clip = file.clip("half turns");
    for _ in 0..300 {
        let a = Quat::from_array(random.rotation(3.0)).normalize();
        let axis = Vec3::from(random.point(1.0)).normalize();
        let b = a * Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
        let node = file.node(None, json!({}));
        file.animate(clip, (node, "rotation"), "LINEAR", &[0.0, 1.0], &[a.to_array(), b.to_array()].concat());
    }
    let mut actual = Actual::new(&file.glb());
    actual.go(Some(0), 0.5);
    let clip = &actual.model.clips[0];
    for channel in &clip.channels {
        // The keys of the model: products of two floats are exact in double precision.
        let values: Vec<f64> = clip.curves[channel.curve].values().iter().copied().map(f64::from).collect();
        let (from, to) = values.split_at(4);
        let want = DQuat::from_slice(&slerp(from, to, 0.5));
        let got = actual.pose.get(channel.node).rotation.as_dquat();
        let error = (got - want).length().min((got + want).length());
        assert!(error < 1e-6, "{from:?} to {to:?}: {error:.1e}");
    }
}
