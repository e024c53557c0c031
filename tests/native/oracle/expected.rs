//! The public models compared with `shared/oracle/expected`, if that folder exists.
//!
//! The comparison is that of `compare.py` there, applied to the output of `examples/pose`.

use crate::common::draco::NodeResolver;
use crate::common::dump::{SAMPLES, dump};
use flate2::read::GzDecoder;
use gambol::import::import;
use gambol::model::Model;
use serde_json::Value;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The largest error relative to a model's diagonal, from rounding to f32. README states it.
const STRICT: f64 = 1e-6;

/// The limit for the chain of 300 joints, along which rounding accumulates: √300 · 6e-8 = 1e-6 on average. README
/// states it.
const LONG_CHAIN: f64 = 2e-6;

/// The comparison of a file of the oracle with gambol's result.
struct Comparison {
    diagonal: f64,
    position: f64,
    bounds: f64,
    node: f64,
    problems: Vec<String>,
}

fn shared() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    std::env::var_os("GAMBOL_SHARED").map_or_else(beside, PathBuf::from)
}

/// Reports a skipped test. It writes to the standard error itself, since `println!` of passed tests is hidden.
pub(crate) fn skipped(what: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}");
}

/// A file of the oracle, and gambol's result for its model.
struct Public {
    name: String,
    expected: Value,
    actual: Value,
}

/// All public models; none if the folder does not exist.
fn public_models() -> impl Iterator<Item = Public> {
    let shared = shared();
    let folder = shared.join("oracle/expected");
    let mut files: Vec<PathBuf> = match fs::read_dir(&folder) {
        Ok(entries) => entries.map(|entry| entry.expect("an entry of the folder").path()).collect(),
        Err(_) => {
            skipped(&format!(
                "{} is not there; set GAMBOL_SHARED to the folder with oracle/",
                folder.display()
            ));
            Vec::new()
        }
    };
    files.sort();
    assert!(!folder.exists() || !files.is_empty(), "{} is empty", folder.display());
    let no_draco = NodeResolver::missing();
    files.into_iter().filter_map(move |file| {
        let expected = read(&file);
        let name = expected["file"].as_str().expect("the file's name").to_owned();
        if let Some(reason) = no_draco.filter(|_| name.contains("draco")) {
            skipped(&format!("{name} against the oracle: {reason}"));
            return None;
        }
        let actual = dump(&name, &load(&shared.join("assets").join(&name)), &SAMPLES);
        Some(Public { name, expected, actual })
    })
}

#[test]
fn public_models_agree_with_expected_poses() {
    let mut failures = Vec::new();
    for Public { name, expected, actual } in public_models() {
        let Comparison { position, bounds, node, problems, .. } = compare(&expected, &actual);
        println!("{name:50} positions {position:.1e}  boxes {bounds:.1e}  nodes {node:.1e}");
        failures.extend(problems.iter().map(|problem| format!("{name}: {problem}")));
        let bound = if name == "synthetic/chain300.glb" { LONG_CHAIN } else { STRICT };
        for (what, error) in [("position", position), ("box", bounds), ("node", node)] {
            if !(error <= bound) {
                failures.push(format!("{name}: {what} error {error:.3e}, above {bound:e}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The allowed effect of an encoding, relative to the diagonal: none for lossless ones. Half a step of positions of 14
/// bits along three axes is 5e-5. Half a step of rotations of 16 bits at ten joints in a row adds as much again.
/// Weights of 8 bits and the exponents of meshopt's filters are added.
fn allowance(variant: &str) -> f64 {
    match variant {
        _ if variant.contains("filter") || variant.contains("meshopt_khr") => 2e-4,
        _ if ["draco", "meshopt", "quantized", "int16", "resampled"]
            .iter()
            .any(|name| variant.contains(name)) =>
        {
            1e-4
        }
        _ => STRICT,
    }
}

/// Encoders may reorder vertices and move nodes, so only the bounding boxes can be compared.
#[test]
fn encoded_variants_have_the_poses_of_the_plain_file() {
    let mut originals: Vec<(String, Value)> = Vec::new();
    let mut failures = Vec::new();
    for Public { name, mut expected, actual } in public_models() {
        let Some(variant) = name.strip_prefix("variants/") else {
            if let Some(stem) = Path::new(&name).file_stem().filter(|_| name.starts_with("gltf/")) {
                expected["unordered"] = true.into();
                originals.push((stem.to_string_lossy().into_owned(), expected));
            }
            continue;
        };
        let of = |(stem, _): &&(String, Value)| {
            variant.strip_prefix(&**stem).is_some_and(|rest| rest.starts_with('_'))
        };
        let (_, original) = originals.iter().find(of).expect("gltf/ comes before variants/");
        let Comparison { bounds, problems, .. } = compare(original, &actual);
        println!("{variant:50} boxes {bounds:.1e}");
        failures.extend(problems.iter().map(|problem| format!("{variant}: {problem}")));
        let bound = allowance(variant);
        if !(bounds <= bound) {
            failures.push(format!("{variant}: box error {bounds:.3e}, above {bound:e}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

fn read(file: &Path) -> Value {
    let file = File::open(file).expect("a file of the oracle");
    serde_json::from_reader(std::io::BufReader::new(GzDecoder::new(file))).expect("gzipped JSON")
}

fn load(path: &Path) -> Model {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut resolver = NodeResolver::new(path.parent().expect("a folder"));
    import(&bytes, &mut resolver).unwrap_or_else(|error| panic!("{}: {error}", path.display())).model
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The distance of two points; infinite if either is invalid.
fn distance(a: &[Value], b: &[Value]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (number(a) - number(b)).powi(2));
    let distance = squares.sum::<f64>().sqrt();
    if a.len() == b.len() && distance.is_finite() { distance } else { f64::INFINITY }
}

fn compare(expected: &Value, actual: &Value) -> Comparison {
    let diagonal = number(&expected["diagonal"]);
    let mut comparison = Comparison { diagonal, position: 0.0, bounds: 0.0, node: 0.0, problems: Vec::new() };
    for clip in list(&expected["clips"]) {
        let duration = number(&clip["duration"]);
        let place = format!("clip {}", clip["index"]);
        let Some(got) = list(&actual["clips"]).iter().find(|got| got["index"] == clip["index"]) else {
            comparison.problems.push(format!("{place} is missing"));
            continue;
        };
        let error = (number(&got["duration"]) - duration).abs();
        if !(error <= 1e-4 * duration.max(1.0)) {
            comparison.problems.push(format!("{place} lasts {}, expected {duration}", got["duration"]));
        }
        for sample in list(&clip["samples"]) {
            let place = format!("{place} at {}", sample["t"]);
            let far = |got: &Value| (number(&got["t"]) - number(&sample["t"])).abs();
            let nearest = list(&got["samples"]).iter().min_by(|a, b| far(a).total_cmp(&far(b)));
            match nearest.filter(|got| far(got) <= 1e-5 * duration.max(1.0)) {
                Some(got) => comparison.sample(sample, got, expected["unordered"] == true, &place),
                None => comparison.problems.push(format!("{place}: no sample")),
            }
        }
    }
    comparison
}

impl Comparison {
    fn sample(&mut self, expected: &Value, got: &Value, unordered: bool, place: &str) {
        for primitive in list(&expected["primitives"]) {
            let place = format!("{place}, node {}, primitive {}", primitive["node"], primitive["primitive"]);
            let same = |got: &&Value| ["node", "primitive"].iter().all(|key| got[key] == primitive[key]);
            match list(&got["primitives"]).iter().find(same) {
                Some(got) => self.primitive(primitive, got, unordered, &place),
                None => self.problems.push(format!("{place}: missing")),
            }
        }
        let (want, got) = (list(&expected["nodes"]), list(&got["nodes"]));
        if want.len() != got.len() {
            self.problems.push(format!("{place}: {} nodes, expected {}", got.len(), want.len()));
        }
        for (want, got) in want.iter().zip(got) {
            self.matrix(list(want), list(got));
        }
    }

    /// If the decoder determines the vertex order, only the box is compared.
    fn primitive(&mut self, expected: &Value, got: &Value, unordered: bool, place: &str) {
        if !unordered {
            let (want, positions) = (list(&expected["positions"]), list(&got["positions"]));
            if expected["count"] != got["count"] || want.len() != positions.len() {
                let (count, wanted) = (&got["count"], &expected["count"]);
                self.problems.push(format!("{place}: {count} vertices, expected {wanted}"));
            }
            for (want, got) in want.iter().zip(positions) {
                self.position = self.position.max(distance(list(want), list(got)) / self.diagonal);
            }
        }
        let (want, got) = (list(&expected["aabb"]), list(&got["aabb"]));
        if let (Some((want_least, want_most)), Some((least, most))) =
            (want.split_at_checked(3), got.split_at_checked(3))
        {
            let error = distance(want_least, least).max(distance(want_most, most));
            self.bounds = self.bounds.max(error / self.diagonal);
        } else if !want.is_empty() {
            self.problems.push(format!("{place}: no box"));
        }
    }

    /// Compares the translation relative to the diagonal or, if that is larger, to the distance; the rest relative to
    /// its largest entry.
    fn matrix(&mut self, want: &[Value], got: &[Value]) {
        let linear = (0..12).filter(|i| i % 4 != 3);
        let largest = linear.clone().map(|i| number(&want[i]).abs()).fold(1e-6, f64::max);
        let error = linear.map(|i| distance(&want[i..i + 1], &got[i..i + 1]) / largest);
        let far = want[12..15].iter().map(|value| number(value).powi(2)).sum::<f64>().sqrt();
        let translation = distance(&want[12..15], &got[12..15]) / self.diagonal.max(far);
        self.node = error.fold(self.node.max(translation), f64::max);
    }
}
