//! Channels that say nothing, keys on lines, rates, single keys, names.

use super::file::{ARM, File, HAND, MESH, SPINE, figure, frames, good, near, quaternion, wave};
use gambol_tools::inspect::{Finding, Severity};
use glam::DVec3;
use serde_json::json;

fn of(file: &File, code: &str) -> Vec<Finding> {
    file.report().findings.into_iter().filter(|finding| finding.code == code).collect()
}

#[test]
fn inspect_counts_channels_that_say_nothing() {
    let mut file = good();
    file.turn(0, HAND, DVec3::Y, |_| 0.0);
    file.slide(0, HAND, |_| DVec3::ZERO);
    let finding = file.one("inspect/channel-at-rest");
    near(&finding, "channels", 2.0, 0.0);
    near(&finding, "of", 5.0, 0.0);
    near(&finding, "keys", 2.0 * frames().len() as f64, 0.0);
    assert_eq!(
        (finding.pointer.as_str(), finding.nodes.as_slice()),
        ("/animations/0/channels/3", &[HAND][..])
    );
    assert!(finding.fix.expect("a fix").optimize);

    let mut constant = good();
    constant.turn(0, HAND, DVec3::Y, |_| 20.0);
    near(&constant.one("inspect/channel-constant"), "keys", frames().len() as f64, 0.0);

    // The same rotation with the other sign is the rest, too.
    let mut negative = good();
    let values: Vec<f64> = (0..3).flat_map(|_| [0.0, 0.0, 0.0, -1.0]).collect();
    negative.channel(0, (HAND, "rotation"), "LINEAR", &[0.0, 0.5, 1.0], &values);
    negative.one("inspect/channel-at-rest");

    // Equal keys of a spline whose tangents move it.
    let mut spline = good();
    let row = |slope: f64| [[slope, 0.0, 0.0], [0.25, 0.0, 0.0], [slope, 0.0, 0.0]].concat();
    spline.channel(
        0,
        (HAND, "translation"),
        "CUBICSPLINE",
        &[0.0, 0.5, 1.0],
        &[row(0.2), row(-0.2), row(0.2)].concat(),
    );
    assert_eq!(of(&spline, "inspect/channel-at-rest"), []);
}

#[test]
fn inspect_counts_keys_that_lines_replace() {
    // Three straight parts with 20 keys each: four corners are needed.
    let corners = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.2], [0.1, 0.3, 0.0], [0.0, 0.0, 0.0]].map(DVec3::from_array);
    let mut file = figure();
    let clip = file.clip("Lines");
    let times: Vec<f64> = (0..=60).map(|i| f64::from(i) / 60.0).collect();
    let rest = DVec3::new(0.25, 0.0, 0.0);
    let at = |i: usize| rest + corners[i / 20].lerp(corners[(i / 20 + 1).min(3)], (i % 20) as f64 / 20.0);
    let values: Vec<f64> = (0..=60).flat_map(|i| at(i).to_array()).collect();
    file.channel(clip, (HAND, "translation"), "LINEAR", &times, &values);
    // A turn with constant speed by 150°: slerp needs its two ends. And back.
    let degrees = |i: usize| if i <= 30 { 5.0 * i as f64 } else { 5.0 * (60 - i) as f64 };
    let values: Vec<f64> = (0..=60).flat_map(|i| quaternion(DVec3::new(0.6, 0.0, 0.8), degrees(i))).collect();
    file.channel(clip, (ARM, "rotation"), "LINEAR", &times, &values);
    let found = of(&file, "inspect/keys-on-line");
    assert_eq!(found.len(), 1, "{found:#?}");
    near(&found[0], "keys", 122.0, 0.0);
    near(&found[0], "kept", 4.0 + 3.0, 0.0);
    near(&found[0], "replaced", 115.0, 0.0);

    // A wave is no line.
    assert_eq!(of(&good(), "inspect/keys-on-line"), []);
}

#[test]
fn inspect_finds_clips_of_one_key_and_late_keys() {
    let mut file = good();
    let clip = file.clip("Pose");
    file.channel(clip, (ARM, "rotation"), "LINEAR", &[0.0], &quaternion(DVec3::Z, 40.0));
    let finding = file.one("inspect/single-key");
    assert_eq!((finding.clip, finding.pointer.as_str()), (Some(1), "/animations/1"));

    let mut late = figure();
    let clip = late.clip("Late");
    let times: Vec<f64> = frames().iter().map(|time| time + 1.0 / 24.0).collect();
    let values: Vec<f64> = frames()
        .iter()
        .flat_map(|time| quaternion(DVec3::Z, 30.0 * (1.0 - (std::f64::consts::TAU * time).cos())))
        .collect();
    late.channel(clip, (ARM, "rotation"), "LINEAR", &times, &values);
    let finding = late.one("inspect/keys-start-late");
    near(&finding, "first", 1.0 / 24.0, 1e-6);
    // A channel that stands still does not count, wherever it begins.
    late.channel(clip, (SPINE, "translation"), "LINEAR", &[0.0, 1.0], &[0.0, 0.2, 0.0, 0.0, 0.2, 0.0]);
    assert_eq!(of(&late, "inspect/keys-start-late").len(), 1);
}

/// A clip with keys at a rate, that loops.
fn at_rate(file: &mut File, clip: usize, node: usize, rate: f64) {
    let times: Vec<f64> = (0..=rate as usize).map(|frame| frame as f64 / rate).collect();
    let values: Vec<f64> = times.iter().flat_map(|time| quaternion(DVec3::Z, 30.0 * wave(*time))).collect();
    file.channel(clip, (node, "rotation"), "LINEAR", &times, &values);
}

#[test]
fn inspect_compares_frame_rates_of_clips_and_channels() {
    let code = "inspect/frame-rates-differ";
    let mut clips = good();
    let clip = clips.clip("Other");
    at_rate(&mut clips, clip, ARM, 24.0);
    let finding = clips.one(code);
    near(&finding, "rate", 30.0, 0.0);
    near(&finding, "other", 24.0, 0.0);
    assert_eq!(finding.clip, Some(1));

    let mut channels = good();
    at_rate(&mut channels, 0, HAND, 25.0);
    let finding = channels.one(code);
    near(&finding, "other", 25.0, 0.0);
    assert_eq!((finding.node, finding.clip), (Some(HAND), Some(0)));

    for rate in [15.0, 30.0, 60.0] {
        let mut multiple = good();
        let clip = multiple.clip("Other");
        at_rate(&mut multiple, clip, ARM, rate);
        multiple.clean();
    }
}

#[test]
fn inspect_finds_keys_between_frames() {
    let mut file = good();
    let times = [0.0, 0.1234, 0.2861, 0.4007, 0.7351, 1.0];
    let values: Vec<f64> = times.iter().flat_map(|time| quaternion(DVec3::Y, 30.0 * wave(*time))).collect();
    file.channel(0, (HAND, "rotation"), "LINEAR", &times, &values);
    let finding = file.one("inspect/keys-uneven");
    near(&finding, "least", 0.4007 - 0.2861, 1e-6);
    near(&finding, "most", 0.7351 - 0.4007, 1e-6);
}

#[test]
fn inspect_finds_names_that_occur_twice() {
    let mut file = good();
    file.json["nodes"][HAND]["name"] = json!("Spine");
    let finding = file.one("inspect/name-twice");
    assert_eq!((finding.severity, finding.nodes.as_slice()), (Severity::Warning, &[SPINE, HAND][..]));
    assert_eq!(finding.pointer, format!("/nodes/{HAND}/name"));

    let mut clips = good();
    let again = clips.json["animations"][0].clone();
    clips.push("animations", again);
    let finding = clips.one("inspect/name-twice");
    assert_eq!((finding.clip, finding.pointer.as_str()), (Some(1), "/animations/1/name"));

    // Nodes that nothing moves are worth knowing only.
    let mut props = good();
    for _ in 0..2 {
        let node = props.push("nodes", json!({ "name": "Prop" }));
        props.json["scenes"][0]["nodes"].as_array_mut().expect("roots").push(json!(node));
    }
    assert_eq!(props.one("inspect/name-twice").severity, Severity::Info);
    let mut unnamed = good();
    for node in [HAND, MESH] {
        unnamed.json["nodes"][node].as_object_mut().expect("a node").remove("name");
    }
    unnamed.clean();
}

#[test]
fn inspect_reports_keys_before_zero() {
    let mut file = good();
    let times = [-0.5, -0.25, 0.0, 0.5, 1.0];
    let values: Vec<f64> = times.iter().flat_map(|time| quaternion(DVec3::Y, 20.0 * wave(*time))).collect();
    let channel = file.channel(0, (HAND, "rotation"), "LINEAR", &times, &values);
    let finding = of(&file, "inspect/keys-before-zero").remove(0);
    assert_eq!(
        (finding.severity, finding.clip, finding.pointer.as_str()),
        (Severity::Error, Some(0), &*format!("/animations/0/samplers/{channel}/input"))
    );
    near(&finding, "first", -0.5, 0.0);
    near(&finding, "keys", 2.0, 0.0);
    assert_eq!(finding.nodes, [HAND]);
    good().clean();
}
