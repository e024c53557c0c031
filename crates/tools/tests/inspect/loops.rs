//! Seams of loops, velocities there, and drift.

use super::file::{
    ARM, FOREARM, HAND, HIPS, RATE, SECONDS, figure, frames, good, near, place, quaternion, vertex, wave,
};
use gambol_tools::inspect::Severity;
use glam::{DQuat, DVec3};

const SEAM: &str = "inspect/loop-seam";
const VELOCITY: &str = "inspect/loop-velocity";
const DRIFT: &str = "inspect/root-drift";

/// The points that the left arm moves: joints and vertices below it.
fn arm_points() -> Vec<DVec3> {
    [FOREARM, HAND].iter().map(|joint| place(*joint)).chain([ARM, FOREARM, HAND].map(vertex)).collect()
}

/// The largest distance of a point of the arm between two angles about Z.
fn distance(a: f64, b: f64) -> f64 {
    let at = |point: DVec3, degrees: f64| {
        DQuat::from_axis_angle(DVec3::Z, degrees.to_radians()) * (point - place(ARM))
    };
    arm_points().into_iter().map(|point| at(point, a).distance(at(point, b))).fold(0.0, f64::max)
}

#[test]
fn inspect_has_no_finding_for_a_good_file() {
    good().clean();
}

#[test]
fn inspect_measures_the_gap_of_a_loop_on_the_mesh() {
    let mut file = figure();
    let clip = file.clip("Wave");
    // The last key is 4° off.
    file.turn(clip, ARM, DVec3::Z, |time| 40.0 * wave(time) + if time > SECONDS - 0.01 { 4.0 } else { 0.0 });
    let finding = file.one(SEAM);
    near(&finding, "distance", distance(0.0, 4.0), 1e-5);
    assert_eq!((finding.severity, finding.clip, finding.time), (Severity::Warning, Some(0), Some(SECONDS)));
    assert_eq!((finding.pointer.as_str(), finding.node), ("/animations/0", Some(HAND)));
    let plot = finding.plot.expect("a curve");
    assert_eq!(plot.times.len(), plot.values.len());
    let at_seam: Vec<f64> = plot
        .times
        .iter()
        .zip(&plot.values)
        .filter(|(time, _)| **time == 0.0)
        .map(|(_, value)| *value)
        .collect();
    assert_eq!(at_seam.len(), 2, "the end and the start");
    assert!((at_seam[0] - at_seam[1] - distance(0.0, 4.0)).abs() < 1e-5, "{at_seam:?}");
}

#[test]
fn inspect_recognises_a_loop_that_lacks_its_last_frame() {
    let mut file = figure();
    let clip = file.clip("Wave");
    let times: Vec<f64> = frames().into_iter().filter(|time| *time < SECONDS - 0.01).collect();
    let values: Vec<f64> = times.iter().flat_map(|time| quaternion(DVec3::Z, 40.0 * wave(*time))).collect();
    file.channel(clip, (ARM, "rotation"), "LINEAR", &times, &values);
    let finding = file.one(SEAM);
    let step = 40.0 * wave(SECONDS - 1.0 / RATE);
    near(&finding, "distance", distance(0.0, step), 1e-5);
    assert!(finding.message.contains("one frame early"), "{}", finding.message);
}

#[test]
fn inspect_says_nothing_of_clips_that_do_not_loop() {
    let mut file = figure();
    let clip = file.clip("Raise");
    file.turn(clip, ARM, DVec3::Z, |time| 60.0 * (time / SECONDS).powi(2));
    file.clean();
}

#[test]
fn inspect_measures_the_change_of_velocity_at_a_seam() {
    let mut file = figure();
    let clip = file.clip("Bounce");
    let angle = |time: f64| 40.0 * (std::f64::consts::PI * time / SECONDS).sin();
    file.turn(clip, ARM, DVec3::Z, angle);
    let finding = file.one(VELOCITY);
    // Up in the first frame, and down as fast in the last: the hand changes its velocity by the sum of both.
    let hand =
        |time: f64| DQuat::from_axis_angle(DVec3::Z, angle(time).to_radians()) * (place(HAND) - place(ARM));
    let change = (hand(1.0 / RATE) - hand(0.0)) * RATE - (hand(SECONDS) - hand(SECONDS - 1.0 / RATE)) * RATE;
    near(&finding, "change", change.length(), 1e-3);
    assert_eq!(finding.node, Some(HAND));

    let mut smooth = figure();
    let clip = smooth.clip("Rise");
    smooth.turn(clip, ARM, DVec3::Z, |time| 20.0 * (1.0 - (std::f64::consts::TAU * time / SECONDS).cos()));
    smooth.clean();
}

#[test]
fn inspect_measures_the_drift_of_a_loop() {
    for (net, severity) in [(0.03, Severity::Warning), (1.5, Severity::Info)] {
        let mut file = good();
        file.slide(0, HIPS, |time| DVec3::new(0.6 * net * time, 0.01 * wave(time), 0.8 * net * time));
        let report = file.report();
        let finding = report.findings.iter().find(|finding| finding.code == DRIFT).expect("it drifts");
        near(finding, "distance", net, 1e-5);
        near(finding, "speed", net / SECONDS, 1e-5);
        assert_eq!((finding.severity, finding.node), (severity, Some(HIPS)));
        assert!(
            report.findings.iter().all(|finding| finding.code != SEAM),
            "the drift is no gap: {report:#?}"
        );
    }
    let mut still = good();
    still.slide(0, HIPS, |time| DVec3::new(0.05 * wave(time), 0.0, 0.02 * wave(2.0 * time)));
    assert!(still.report().findings.iter().all(|finding| finding.code != DRIFT));
}
