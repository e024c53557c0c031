//! Bodies of many files: they stand where they stood, whatever the file calls up and its positions are relative to.

use glam::{DQuat, DVec3};

use super::figures::{
    ACTIVITIES, Activity, Bone, FRAMES, Form, Frame, KINDS, Kind, OFFSETS, Offset, Rest, bones, perform,
    places, write,
};
use super::{codes, translations};
use crate::Options;
use crate::conversion::{Conversion, Up};
use crate::error::Warning;
use crate::scene::{Path, Scene};

fn read(text: &str, up: Option<Up>) -> (Scene, Vec<Warning>) {
    let options = Options { up, ..Options::default() };
    let conversion = Conversion::new(&options, "walk.bvh", text.len());
    let scene = crate::bvh::read(text.as_bytes(), &conversion).expect("a valid file");
    (scene, conversion.into_warnings())
}

/// The places of all nodes at a frame, by the keys of the scene.
fn places_in(scene: &Scene, frame: usize) -> Vec<DVec3> {
    let row = |node: usize, path: Path, width: usize| {
        let channel =
            scene.clips[0].channels.iter().find(|channel| channel.node == node && channel.path == path)?;
        let last = channel.times.len() - 1;
        let at = if last == FRAMES - 1 { frame } else { 0 };
        Some(channel.values[at * width..(at + 1) * width].iter().map(|&x| f64::from(x)).collect::<Vec<_>>())
    };
    let mut worlds: Vec<(DVec3, DQuat)> = Vec::new();
    for (index, node) in scene.nodes.iter().enumerate() {
        let rest = node.translation.map(f64::from).to_vec();
        let translation = DVec3::from_slice(&row(index, Path::Translation, 3).unwrap_or(rest));
        let rotation = row(index, Path::Rotation, 4).map_or(DQuat::IDENTITY, |row| DQuat::from_slice(&row));
        worlds.push(match node.parent {
            Some(parent) => (worlds[parent].0 + worlds[parent].1 * translation, worlds[parent].1 * rotation),
            None => (translation, rotation),
        });
    }
    worlds.into_iter().map(|(place, _)| place).collect()
}

/// The largest distance of a joint from its true place, in metres.
fn deviation(scene: &Scene, bones: &[Bone], frames: &[Frame], form: Form) -> f64 {
    let mut largest = 0.0_f64;
    for (index, frame) in frames.iter().enumerate() {
        let found = places_in(scene, index);
        let expected = places(bones, &frame.turns, frame.hips);
        for (found, expected) in found[usize::from(form.reference)..].iter().zip(expected) {
            largest = largest.max(found.distance(expected * 0.01));
        }
    }
    largest
}

fn check(kind: Kind, activity: Activity, facing: f64, place: DVec3, form: Form) {
    let bones = bones(kind);
    let frames = perform(&bones, activity, facing, place);
    let text = write(&bones, &frames, form);
    let (scene, warnings) = read(&text, None);
    let deviation = deviation(&scene, &bones, &frames, form);
    assert!(
        deviation < 1e-3,
        "{kind:?} {activity:?} {facing}° {place} {form:?}: {deviation} m, {warnings:?}"
    );
    let mut expected = Vec::new();
    if form.up == Up::Z {
        expected.push("bvh/up-guessed");
    }
    if form.offset == Offset::Relative {
        expected.push("bvh/offset-added");
    }
    let found: Vec<_> = codes(&warnings).into_iter().filter(|&code| code != "bvh/unit-guessed").collect();
    assert_eq!(found, expected, "{kind:?} {activity:?} {facing}° {place} {form:?}");
}

const PLACES: [DVec3; 2] = [DVec3::ZERO, DVec3::new(320.0, 0.0, -210.0)];

#[test]
fn bvh_bodies_of_many_activities_are_where_they_were() {
    let mut count = 0;
    for kind in KINDS {
        let of_kind = |activity: &Activity| match kind {
            Kind::Dog => [Activity::Walk, Activity::Jump, Activity::Climb, Activity::Side].contains(activity),
            Kind::Crab => [Activity::Walk, Activity::Jump, Activity::Climb].contains(activity),
            _ => true,
        };
        for activity in ACTIVITIES.into_iter().filter(of_kind) {
            for facing in [0.0, 37.0, 90.0, 180.0, 270.0] {
                let forms = [(PLACES[0], Up::Y), (PLACES[1], Up::Y), (PLACES[0], Up::Z), (PLACES[1], Up::Z)];
                // Nothing tells the axes of a crab.
                for (place, up) in forms.into_iter().filter(|&(_, up)| kind != Kind::Crab || up == Up::Y) {
                    for offset in OFFSETS {
                        let all = count % 2 == 1;
                        let reference = count % 3 == 1;
                        check(
                            kind,
                            activity,
                            facing,
                            place,
                            Form { up, rest: Rest::Stands, offset, all, reference },
                        );
                        count += 1;
                    }
                }
            }
        }
    }
    assert_eq!(count, 3550);
}

/// The clip says the axis that points up, if the rest pose cannot.
#[test]
fn bvh_bodies_whose_rest_pose_does_not_stand_are_where_they_were() {
    for kind in [Kind::Human, Kind::Split, Kind::Biped] {
        for activity in ACTIVITIES.into_iter().filter(|activity| activity.is_upright()) {
            for facing in [0.0, 37.0, 90.0, 180.0, 270.0] {
                for (rest, up) in [(Rest::Along, Up::Y), (Rest::Along, Up::Z), (Rest::Turned, Up::Y)] {
                    for offset in [Offset::Standing, Offset::Zero, Offset::First, Offset::Away] {
                        for place in PLACES {
                            let form = Form { up, rest, offset, all: false, reference: false };
                            check(kind, activity, facing, place, form);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn bvh_up_may_be_given() {
    let bones = bones(Kind::Human);
    let frames = perform(&bones, Activity::Walk, 0.0, DVec3::ZERO);
    let form = |up| Form { up, rest: Rest::Stands, offset: Offset::Standing, all: false, reference: false };
    for (file, given, right) in
        [(Up::Y, Up::Y, true), (Up::Z, Up::Z, true), (Up::Y, Up::Z, false), (Up::Z, Up::Y, false)]
    {
        let (scene, warnings) = read(&write(&bones, &frames, form(file)), Some(given));
        assert!(!codes(&warnings).contains(&"bvh/up-guessed"), "{file:?} {given:?}");
        assert_eq!(deviation(&scene, &bones, &frames, form(file)) < 1e-3, right, "{file:?} {given:?}");
    }
}

/// Without frames, the rest pose alone says the axis.
#[test]
fn bvh_up_is_that_of_the_rest_pose_without_motion() {
    let bones = bones(Kind::Human);
    let frames = perform(&bones, Activity::Walk, 0.0, DVec3::ZERO);
    for up in [Up::Y, Up::Z] {
        let form = Form { up, rest: Rest::Stands, offset: Offset::Standing, all: false, reference: false };
        let text = write(&bones, &frames, form);
        let (scene, warnings) = read(text.split("MOTION").next().expect("the hierarchy"), None);
        assert_eq!(codes(&warnings).contains(&"bvh/up-guessed"), up == Up::Z);
        assert!(scene.nodes[0].translation[1] > 0.8, "{:?}", scene.nodes[0].translation);
    }
}

/// Legs that do not bend would be below the ground.
#[test]
fn bvh_positions_of_low_hips_replace_the_offset() {
    let bones = bones(Kind::Human);
    let standing = perform(&bones, Activity::Walk, 0.0, DVec3::ZERO)[0].hips.y;
    for (y, expected) in [
        (standing, standing),
        (46.0, 46.0),
        (20.0, 20.0),
        (12.0, 12.0),
        (0.0, standing),
        (-60.0, standing - 60.0),
    ] {
        let frames: Vec<Frame> = (0..FRAMES)
            .map(|_| Frame { hips: DVec3::Y * y, turns: vec![DQuat::IDENTITY; bones.len()] })
            .collect();
        let form =
            Form { up: Up::Y, rest: Rest::Stands, offset: Offset::Standing, all: false, reference: false };
        let (scene, _) = read(&write(&bones, &frames, form), None);
        let found = f64::from(translations(&scene, "Hips")[0][1]);
        assert!((found - expected * 0.01).abs() < 1e-5, "{y}: {found}");
    }
}

/// Joints of the body vote: a sword that is thrown does not decide.
#[test]
fn bvh_positions_of_other_joints_have_one_meaning() {
    let file = |values: &str| {
        format!(
            "HIERARCHY ROOT Hips {{ OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition\n\
            JOINT Spine {{ OFFSET 0 50 0 CHANNELS 3 Xposition Yposition Zposition\n\
            JOINT Head {{ OFFSET 0 30 0 CHANNELS 3 Xposition Yposition Zposition }}\n\
            JOINT Sword {{ OFFSET 20 0 0 CHANNELS 3 Xposition Yposition Zposition }} }} }}\n\
            MOTION\nFrames: 2\nFrame Time: 1\n{values}"
        )
    };
    let (scene, warnings) =
        super::read(file("0 90 0 0 50 0 0 30 0 -9 0 0\n0 90 0 0 50.1 0 0 30 0 -400 1 1\n"));
    assert_eq!(translations(&scene, "Sword")[1], [-400.0, 1.0, 1.0]);
    assert!(!codes(&warnings).contains(&"bvh/offset-added"));
    let (scene, warnings) = super::read(file("0 90 0 0 0 0 0 0 0 9 0 0\n0 90 0 0 0.1 0 0 0 0 400 1 1\n"));
    assert_eq!(translations(&scene, "Sword")[1], [420.0, 1.0, 1.0]);
    assert_eq!(translations(&scene, "Head")[1], [0.0, 30.0, 0.0]);
    let added = warnings.iter().find(|warning| warning.code == "bvh/offset-added").expect("a warning");
    assert_eq!(
        added.message,
        "The positions of \"Spine\" and of 2 other joints are relative to OFFSET; they are added to it"
    );
}

#[test]
fn bvh_numbers_of_other_dialects_are_the_same_clip() {
    let bones = bones(Kind::Human);
    let frames = perform(&bones, Activity::Walk, 20.0, DVec3::new(-3.5, 0.0, 2.25));
    let form = Form { up: Up::Y, rest: Rest::Stands, offset: Offset::Standing, all: false, reference: false };
    let plain = write(&bones, &frames, form);
    let (expected, warnings) = read(&plain, None);
    assert_eq!(warnings, []);
    let (head, data) = plain.split_once("0.04\n").expect("the frame time");
    for (text, count) in [
        // Narrow columns.
        (plain.replace(" -", "-").replace("OFFSET-", "OFFSET -"), 2),
        (plain.replace('.', ","), 2),
        (format!("{head}0.04\n{}", data.replace('.', ",").replace(" -", "-")), 2),
        (format!("{head}0.04\n{}", data.replace(' ', ", ")), 1),
    ] {
        let (scene, warnings) = read(&text, None);
        assert_eq!(codes(&warnings), vec!["bvh/number-spelling"; count]);
        for frame in 0..FRAMES {
            assert_eq!(places_in(&scene, frame), places_in(&expected, frame));
        }
    }
}
