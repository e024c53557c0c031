//! Sliding feet, jumps, frames of the pose at rest.

use super::file::{ARM, File, HAND, LEFT_FOOT, RATE, RIGHT_FOOT, SECONDS, SPINE, figure, good, near, wave};
use gambol_tools::inspect::{Finding, Severity};
use glam::DVec3;

const SLIDE: &str = "inspect/foot-slide";
const JUMP: &str = "inspect/jump";
const REST: &str = "inspect/rest-pose-frame";

fn of(file: &File, code: &str) -> Vec<Finding> {
    file.report().findings.into_iter().filter(|finding| finding.code == code).collect()
}

/// The foot of a walk on the spot: on the ground in the first 60 % of a pass, where it moves back by `stride`, and then in
/// the air. `extra` is added while it is on the ground.
fn step(phase: f64, stride: f64, extra: impl Fn(f64) -> f64) -> DVec3 {
    let phase = phase.rem_euclid(1.0);
    let down = 0.6;
    if phase < down {
        let part = phase / down;
        return DVec3::new(0.0, 0.0, stride * (0.5 - part) + extra(part));
    }
    let part = (phase - down) / (1.0 - down);
    let smooth = part * part * (3.0 - 2.0 * part);
    DVec3::new(
        0.0,
        0.25 * (std::f64::consts::PI * part).sin(),
        stride * (smooth - 0.5) + extra(1.0) * (1.0 - smooth),
    )
}

fn walk(extra: impl Fn(f64) -> f64 + Copy) -> File {
    let mut file = figure();
    let clip = file.clip("Walk");
    file.slide(clip, LEFT_FOOT, |time| step(time / SECONDS, 0.6, extra));
    file.slide(clip, RIGHT_FOOT, |time| step(time / SECONDS + 0.5, 0.6, |_| 0.0));
    file
}

#[test]
fn inspect_measures_a_foot_that_slides_while_it_stands() {
    let mut file = figure();
    let clip = file.clip("Idle");
    // 9 cm to the side, between a quarter and three quarters of the clip, and back in no time between passes.
    file.slide(clip, LEFT_FOOT, |time| {
        DVec3::new(0.09 * ((time / SECONDS - 0.25) * 2.0).clamp(0.0, 1.0), 0.0, 0.0)
    });
    file.turn(clip, SPINE, DVec3::X, |time| 5.0 * wave(time));
    let found = of(&file, SLIDE);
    assert_eq!(found.len(), 1, "{found:#?}");
    near(&found[0], "distance", 0.09, 1e-5);
    near(&found[0], "groundSpeed", 0.0, 0.0);
    assert_eq!((found[0].node, found[0].severity), (Some(LEFT_FOOT), Severity::Warning));
    let (first, last) = (found[0].trail.first().expect("a trail"), found[0].trail.last().expect("a trail"));
    assert!((last[0] - first[0] - 0.09).abs() < 0.01, "{first:?} {last:?}");
}

#[test]
fn inspect_measures_sliding_of_a_walk_against_the_speed_of_its_ground() {
    assert_eq!(of(&walk(|_| 0.0), SLIDE), []);
    // In the second half of its contact, the left foot moves 12 cm less than the ground.
    let found = of(&walk(|part| 0.12 * (2.0 * part - 1.0).clamp(0.0, 1.0)), SLIDE);
    assert_eq!(found.len(), 1, "{found:#?}");
    near(&found[0], "groundSpeed", 0.6 / (0.6 * SECONDS), 0.02);
    // The first and the last moments of the contact do not count as planted.
    near(&found[0], "distance", 0.12, 0.025);
    assert_eq!(found[0].node, Some(LEFT_FOOT));
}

#[test]
fn inspect_finds_a_jump_of_one_frame_and_a_jump_that_stays() {
    let frame = 12.0 / RATE;
    let is_frame = |time: f64| (time - frame).abs() < 1e-6;
    let mut out_and_back = good();
    out_and_back.turn(0, HAND, DVec3::Y, |time| 10.0 * wave(time) + if is_frame(time) { 60.0 } else { 0.0 });
    let finding = out_and_back.one(JUMP);
    let step = 60.0 + 10.0 * (wave(frame) - wave(frame - 1.0 / RATE));
    near(&finding, "step", step, 1e-3);
    assert_eq!((finding.node, finding.pointer.as_str()), (Some(HAND), "/animations/0/channels/3"));
    let time = finding.time.expect("a time");
    assert!((time - (frame - 1.0 / RATE)).abs() < 1e-6, "{time}");
    assert!(finding.message.contains("and back"), "{}", finding.message);

    let mut stays = good();
    stays.slide(0, HAND, |time| {
        DVec3::Y * if time > frame - 1e-6 && time < SECONDS - 0.2 { 0.3 } else { 0.0 }
    });
    let found = of(&stays, JUMP);
    assert_eq!(found.len(), 2, "there, and back later: {found:#?}");
    near(&found[0], "step", 0.3, 1e-5);
    assert!(found[0].message.contains("stays there"), "{}", found[0].message);
}

#[test]
fn inspect_allows_fast_movements_and_steps() {
    let mut punch = good();
    // 120° in a fifth of a second, with smooth ends.
    punch.turn(0, HAND, DVec3::Y, |time| {
        let s = ((time - 0.3) / 0.2).clamp(0.0, 1.0) - ((time - 0.6) / 0.2).clamp(0.0, 1.0);
        120.0 * s * s * (3.0 - 2.0 * s)
    });
    assert_eq!(of(&punch, JUMP), []);
    let mut steps = good();
    let times: Vec<f64> = (0..=10).map(|i| f64::from(i) / 10.0).collect();
    let values: Vec<f64> =
        (0..=10).flat_map(|i| super::file::quaternion(DVec3::Y, if i == 5 { 90.0 } else { 0.0 })).collect();
    steps.channel(0, (HAND, "rotation"), "STEP", &times, &values);
    assert_eq!(of(&steps, JUMP), []);
}

#[test]
fn inspect_finds_frames_of_the_pose_at_rest() {
    // Arms hang: 70° from the T-pose, in all frames but one.
    let clip = |rest_frame: f64| {
        let mut file = figure();
        let clip = file.clip("Hang");
        for (joint, sign) in [(ARM, -1.0), (ARM + 3, 1.0), (SPINE, 0.3)] {
            file.turn(clip, joint, DVec3::Z, |time| {
                if (time - rest_frame).abs() < 1e-6 { 0.0 } else { sign * (70.0 + 5.0 * wave(time)) }
            });
        }
        file
    };
    for (frame, words) in [(0.0, "first"), (10.0 / RATE, "frame at"), (SECONDS, "last")] {
        let found = of(&clip(frame), REST);
        assert_eq!(found.len(), 1, "{frame}: {found:#?}");
        let time = found[0].time.expect("a time");
        assert!((time - frame).abs() < 1e-6 && found[0].message.contains(words), "{found:#?}");
        near(&found[0], "distance", 0.0, 0.1);
        near(&found[0], "step", 70.0, 5.1);
        assert_eq!(of(&clip(frame), JUMP), [], "said once");
    }
    assert_eq!(of(&clip(-1.0), REST), []);
    // A clip that begins with the T-pose, and leaves it smoothly.
    let mut leaves = figure();
    let clip = leaves.clip("Leave");
    for joint in [ARM, ARM + 3, SPINE] {
        leaves.turn(clip, joint, DVec3::Z, |time| 70.0 * (2.0 * time / SECONDS).min(1.0));
    }
    assert_eq!(of(&leaves, REST), []);
}
