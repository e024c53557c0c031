//! The keys of clips compared with the accessors of the file, read by the evaluator's reader.

use super::files::{Case, cases};
use super::source::{Source, index};
use gambol::import::{Imported, NoResolver, import};
use gambol::model::{Curve, Interpolation, Model, Path};
use serde_json::Value;

/// The largest difference of a value: the roundings of a normalised quaternion, or of a normalised integer.
const ROUNDING: f64 = 2e-7;

fn path_of(word: &Value) -> Path {
    match word.as_str() {
        Some("translation") => Path::Translation,
        Some("rotation") => Path::Rotation,
        Some("scale") => Path::Scale,
        Some("weights") => Path::Weights,
        other => panic!("channels of {other:?} are not compared here"),
    }
}

fn interpolation_of(sampler: &Value) -> Interpolation {
    match sampler["interpolation"].as_str() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::CubicSpline,
        other => panic!("unknown interpolation {other:?}"),
    }
}

fn curve_of(model: &Model, clip: usize, node: usize, path: Path) -> &Curve {
    let (clip, id) = (&model.clips[clip], model.node_of_source[node]);
    let channel = clip.channels.iter().find(|channel| channel.node == id && channel.path == path);
    &clip.curves[channel.expect("the channel is in the clip").curve]
}

/// The values of a sampler as the specification has them played: unit quaternions, tangents as in the file.
fn expected(source: &Source, sampler: &Value, path: Path) -> Vec<f64> {
    let mut values = source.numbers(&sampler["output"]);
    if path == Path::Rotation {
        let spline = interpolation_of(sampler) == Interpolation::CubicSpline;
        let (row, value) = if spline { (12, 4) } else { (4, 0) };
        for row in values.chunks_mut(row) {
            let quaternion = &mut row[value..value + 4];
            let length = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
            quaternion.iter_mut().for_each(|part| *part /= length);
        }
    }
    values
}

/// Compares all channels of nodes of a file without repairs; returns their number.
fn compare(name: &str, glb: &[u8]) -> usize {
    let source = Source::new(glb);
    let Imported { model, .. } = import(glb, &mut NoResolver).expect("it loads");
    let mut compared = 0;
    for (a, animation) in source.list("animations").iter().enumerate() {
        for channel in animation["channels"].as_array().into_iter().flatten() {
            if channel["target"]["node"].is_null() {
                continue; // KHR_animation_pointer: see the tests of pointers
            }
            let sampler = &animation["samplers"][index(&channel["sampler"])];
            let path = path_of(&channel["target"]["path"]);
            let curve = curve_of(&model, a, index(&channel["target"]["node"]), path);
            let place = format!("{name}, animation {a}, {channel}");
            assert_eq!(curve.interpolation(), interpolation_of(sampler), "{place}");
            let times: Vec<f64> = curve.times().iter().copied().map(f64::from).collect();
            assert_eq!(times, source.numbers(&sampler["input"]), "{place}");
            let want = expected(&source, sampler, path);
            assert_eq!(curve.values().len(), want.len(), "{place}");
            for (key, (got, want)) in curve.values().iter().zip(want).enumerate() {
                let error = (f64::from(*got) - want).abs();
                assert!(error <= ROUNDING * want.abs().max(1.0), "{place}: {got} for {want} at {key}");
            }
            compared += 1;
        }
    }
    compared
}

#[test]
fn keys_of_clips_are_those_of_the_file() {
    let compared: usize = cases().iter().map(|Case { name, glb, .. }| compare(name, glb)).sum();
    assert!(compared > 100, "only {compared} channels");
}
