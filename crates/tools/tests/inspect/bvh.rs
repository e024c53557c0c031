//! The motion of BVH files, as they are converted: figures without a mesh, at the frame rates of motion capture.

use super::file::{ARM, HAND, HIPS, JOINTS, SPINE, near};
use gambol::import::NoResolver;
use gambol_tools::inspect::{Finding, Options, inspect};
use glam::DVec3;
use std::fmt::Write as _;

/// Frames per second of BVH files: of cameras, of games, of films, of sensors.
const RATES: [f64; 5] = [120.0, 60.0, 30.0, 24.0, 12.0];

/// The right arm.
const RIGHT_ARM: usize = ARM + 3;

/// The angles about Z, X and Y, in degrees, and the place relative to OFFSET, in metres, of a joint at a time.
type Turn<'a> = &'a dyn Fn(usize, f64) -> [f64; 3];
type Place<'a> = &'a dyn Fn(usize, f64) -> DVec3;

/// A file with as many frames; those of a second, and one more, are a whole pass.
fn bvh(rate: f64, frames: usize, turn: Turn<'_>, place: Place<'_>) -> String {
    let mut text = String::from("HIERARCHY\n");
    let mut open: Vec<usize> = Vec::new();
    for (joint, (name, parent, offset)) in JOINTS.iter().enumerate() {
        while open.last().is_some_and(|last| last != parent) {
            open.pop();
            text += "}\n";
        }
        open.push(joint);
        let [x, y, z] = offset.map(|metres| 100.0 * metres);
        let kind = if joint == HIPS { "ROOT" } else { "JOINT" };
        let channels = if joint == HIPS {
            "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
        } else {
            "3 Zrotation Xrotation Yrotation"
        };
        _ = writeln!(text, "{kind} {name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS {channels}");
        if !JOINTS.iter().any(|(_, parent, _)| *parent == joint) {
            text += "End Site\n{\nOFFSET 0 0 5\n}\n";
        }
    }
    text += &"}\n".repeat(open.len());
    _ = writeln!(text, "MOTION\nFrames: {frames}\nFrame Time: {}", 1.0 / rate);
    for frame in 0..frames {
        let time = frame as f64 / rate;
        for (joint, (.., offset)) in JOINTS.iter().enumerate() {
            if joint == HIPS {
                let [x, y, z] = (100.0 * (DVec3::from_array(*offset) + place(joint, time))).to_array();
                _ = write!(text, "{x:.5} {y:.5} {z:.5} ");
            }
            let [z, x, y] = turn(joint, time);
            _ = write!(text, "{z:.5} {x:.5} {y:.5} ");
        }
        text += "\n";
    }
    text
}

fn findings(text: &str) -> Vec<Finding> {
    let converted = gambol_formats::to_glb(text.as_bytes(), "walk.bvh", &gambol_formats::Options::default());
    inspect(&converted.expect("a BVH file").glb, &mut NoResolver, &Options::default()).findings
}

/// The findings about the motion of a file.
fn motions(text: &str) -> Vec<Finding> {
    const CODES: [&str; 6] = [
        "inspect/loop-seam",
        "inspect/loop-velocity",
        "inspect/root-drift",
        "inspect/foot-slide",
        "inspect/jump",
        "inspect/rest-pose-frame",
    ];
    findings(text).into_iter().filter(|finding| CODES.contains(&finding.code)).collect()
}

/// The only finding about the motion of a file.
#[track_caller]
fn one(text: &str, code: &str) -> Finding {
    let mut found = motions(text);
    assert!(found.len() == 1 && found[0].code == code, "{code}: {found:#?}");
    found.remove(0)
}

fn wave(time: f64) -> f64 {
    (std::f64::consts::TAU * time).sin()
}

/// Arms and spine swing once a second.
fn sway(joint: usize, time: f64) -> [f64; 3] {
    match joint {
        ARM => [30.0 * wave(time), 0.0, 0.0],
        RIGHT_ARM => [-25.0 * wave(time), 0.0, 0.0],
        SPINE => [0.0, 5.0 * wave(time), 0.0],
        _ => [0.0; 3],
    }
}

fn still(_: usize, _: f64) -> DVec3 {
    DVec3::ZERO
}

/// The file with a pass of [`sway`], without some frames at its end.
fn swaying(rate: f64, missing: usize) -> String {
    bvh(rate, rate as usize + 1 - missing, &sway, &still)
}

#[test]
fn inspect_has_no_finding_about_a_good_bvh_file() {
    for rate in RATES {
        assert_eq!(motions(&swaying(rate, 0)), [], "{rate}");
    }
    // Its picture is that of its bones.
    let squat = include_str!("../../../../www/examples/squat.bvh");
    let codes: Vec<&str> = findings(squat).iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["inspect/channel-at-rest"]);
}

#[test]
fn inspect_finds_the_frames_that_a_bvh_loop_lacks() {
    for rate in RATES {
        let most = (rate as usize / 15).max(1);
        for missing in 1..=most {
            let finding = one(&swaying(rate, missing), "inspect/loop-seam");
            near(&finding, "missing", missing as f64, 0.0);
            let words = if missing == 1 { "one frame".to_owned() } else { format!("{missing} frames") };
            assert!(finding.message.contains(&format!("{words} early")), "{}", finding.message);
            // The hand is 50 cm from its shoulder; its end site 5 cm in front.
            let angle = (30.0 * wave(missing as f64 / rate)).to_radians();
            near(&finding, "distance", 2.0 * 0.5 * (angle / 2.0).sin(), 0.01);
        }
        // Half a pass: arms that are raised and lowered, which need not loop.
        assert_eq!(motions(&swaying(rate, rate as usize / 4)), [], "{rate}");
    }
}

#[test]
fn inspect_says_nothing_of_bvh_files_that_do_not_loop() {
    for rate in RATES {
        let raise =
            |joint: usize, time: f64| if joint == ARM { [60.0 * time * time, 0.0, 0.0] } else { [0.0; 3] };
        assert_eq!(motions(&bvh(rate, rate as usize + 1, &raise, &still)), [], "{rate}");
    }
}

/// [`sway`] with another angle of one joint.
fn with(joint: usize, extra: impl Fn(f64) -> f64) -> impl Fn(usize, f64) -> [f64; 3] {
    move |other, time| {
        let [z, x, y] = sway(other, time);
        if other == joint { [z + extra(time), x, y] } else { [z, x, y] }
    }
}

#[test]
fn inspect_finds_a_jump_in_a_bvh_file() {
    for rate in RATES {
        let at = (0.4 * rate).round() / rate;
        let file = |turn: Turn<'_>| bvh(rate, rate as usize + 1, turn, &still);
        // A joint that stands still otherwise, and one that moves by up to 16° in a frame.
        for joint in [HAND, ARM] {
            let finding = one(
                &file(&with(joint, |time| if (time - at).abs() < 1e-4 { 40.0 } else { 0.0 })),
                "inspect/jump",
            );
            let before = at - 1.0 / rate;
            let own = if joint == ARM { 30.0 * (wave(at) - wave(before)) } else { 0.0 };
            near(&finding, "step", 40.0 + own, 0.01);
            let time = finding.time.expect("a time");
            assert!((time - before).abs() < 1e-4 && finding.message.contains("and back"), "{finding:#?}");
        }
        // There for a quarter of a second, and back.
        let stays = with(HAND, |time| if time > at - 1e-4 && time < at + 0.25 { 40.0 } else { 0.0 });
        let found = motions(&file(&stays));
        assert!(
            found.len() == 2 && found.iter().all(|finding| finding.code == "inspect/jump"),
            "{rate}: {found:#?}"
        );
        near(&found[0], "step", 40.0, 0.01);
        assert!(found[0].message.contains("stays there"), "{}", found[0].message);
    }
    // 120° within a third of a second is a fast movement.
    for rate in RATES {
        let smooth = |time: f64| {
            let part = (time / 0.34).clamp(0.0, 1.0);
            part * part * (3.0 - 2.0 * part)
        };
        let punch = with(HAND, |time| 120.0 * (smooth(time - 0.1) - smooth(time - 0.55)));
        assert_eq!(motions(&bvh(rate, rate as usize + 1, &punch, &still)), [], "{rate}");
    }
}

#[test]
fn inspect_finds_the_change_of_velocity_at_the_seam_of_a_bvh_file() {
    for rate in RATES {
        let file = |angle: &dyn Fn(f64) -> f64| {
            let turn =
                |joint: usize, time: f64| if joint == ARM { [angle(time), 0.0, 0.0] } else { [0.0; 3] };
            bvh(rate, rate as usize + 1, &turn, &still)
        };
        let bounce = |time: f64| 40.0 * (std::f64::consts::PI * time).sin();
        let finding = one(&file(&bounce), "inspect/loop-velocity");
        // Up at first, and down as fast at the end: the hand, half a metre from the shoulder, by the sum of both.
        let first = rate * bounce(1.0 / rate).to_radians();
        near(&finding, "change", 2.0 * 0.5 * first, 0.1);
        assert_eq!(motions(&file(&|time| 20.0 * (1.0 - (std::f64::consts::TAU * time).cos()))), [], "{rate}");
    }
}

#[test]
fn inspect_finds_the_drift_and_the_sliding_feet_of_a_bvh_file() {
    for rate in RATES {
        let file = |place: &dyn Fn(f64) -> DVec3| {
            let place = |joint: usize, time: f64| if joint == HIPS { place(time) } else { DVec3::ZERO };
            bvh(rate, rate as usize + 1, &sway, &place)
        };
        // Both feet move with the hips by 9 cm to the side, and stay there.
        let aside = |time: f64| DVec3::X * 0.09 * ((time - 0.25) * 2.0).clamp(0.0, 1.0);
        let found = motions(&file(&aside));
        let of = |code: &str| found.iter().filter(|finding| finding.code == code).collect::<Vec<_>>();
        let (slides, drifts) = (of("inspect/foot-slide"), of("inspect/root-drift"));
        assert_eq!((slides.len(), drifts.len(), found.len()), (2, 1, 3), "{rate}: {found:#?}");
        slides.iter().for_each(|slide| near(slide, "distance", 0.09, 0.005));
        near(drifts[0], "distance", 0.09, 1e-4);
        // Up and down is neither.
        assert_eq!(motions(&file(&|time| DVec3::Y * 0.02 * wave(time))), [], "{rate}");
    }
}

#[test]
fn inspect_finds_the_rest_pose_in_a_bvh_file() {
    for rate in RATES {
        let hangs = |rest_frame: f64| {
            move |joint: usize, time: f64| {
                let angle = 70.0 + 5.0 * wave(time);
                match joint {
                    _ if (time - rest_frame).abs() < 1e-4 => [0.0; 3],
                    ARM => [-angle, 0.0, 0.0],
                    RIGHT_ARM => [angle, 0.0, 0.0],
                    SPINE => [0.0, 0.3 * angle, 0.0],
                    _ => [0.0; 3],
                }
            }
        };
        let file = |rest_frame: f64| bvh(rate, rate as usize + 1, &hangs(rest_frame), &still);
        for frame in [0.0, (0.5 * rate).round() / rate] {
            let found = motions(&file(frame));
            let rests: Vec<_> =
                found.iter().filter(|finding| finding.code == "inspect/rest-pose-frame").collect();
            assert_eq!(rests.len(), 1, "{rate}, {frame}: {found:#?}");
            near(rests[0], "step", 70.0, 5.1);
            let time = rests[0].time.expect("a time");
            assert!((time - frame).abs() < 1e-4, "{time}");
        }
        assert_eq!(motions(&file(-1.0)), [], "{rate}");
    }
}
