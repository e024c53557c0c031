mod bodies;
mod figures;

use glam::{EulerRot, Quat, Vec3};

use crate::conversion::Conversion;
use crate::error::{FormatError, Place, Warning};
use crate::scene::{Channel, Path, Scene};
use crate::{Options, to_glb};

fn read(text: impl AsRef<[u8]>) -> (Scene, Vec<Warning>) {
    let options = Options { metres_per_unit: Some(1.0), ..Options::default() };
    let bytes = text.as_ref();
    let conversion = Conversion::new(&options, "walk.bvh", bytes.len());
    let scene =
        crate::bvh::read(bytes, &conversion).unwrap_or_else(|error| panic!("{}: {error}", error.code));
    (scene, conversion.into_warnings())
}

fn quiet(text: impl AsRef<[u8]>) -> Scene {
    let (scene, warnings) = read(text);
    assert_eq!(warnings, []);
    scene
}

fn error(text: impl AsRef<[u8]>) -> FormatError {
    to_glb(text.as_ref(), "walk.bvh", &Options::default()).expect_err("an invalid file")
}

fn codes(warnings: &[Warning]) -> Vec<&str> {
    warnings.iter().map(|warning| warning.code).collect()
}

fn at(line: u32, column: u32) -> Place {
    Place::Text { line, column }
}

fn channel<'a>(scene: &'a Scene, name: &str, path: Path) -> &'a Channel {
    let node = scene.nodes.iter().position(|node| node.name == name).expect("the node");
    let found = scene.clips[0].channels.iter().find(|channel| channel.node == node && channel.path == path);
    found.unwrap_or_else(|| panic!("{name} has no {path:?}"))
}

fn rotations(scene: &Scene, name: &str) -> Vec<Quat> {
    let values = &channel(scene, name, Path::Rotation).values;
    values.chunks_exact(4).map(Quat::from_slice).collect()
}

fn translations(scene: &Scene, name: &str) -> Vec<[f32; 3]> {
    channel(scene, name, Path::Translation).values.as_chunks::<3>().0.to_vec()
}

/// A file with one joint.
fn single(channels: &str, motion: &str) -> String {
    format!("HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS {channels}\n}}\n{motion}")
}

#[test]
fn bvh_without_a_hierarchy_is_refused() {
    for (text, code, place) in [
        ("", "bvh/truncated", at(1, 1)),
        ("\n MOTION", "bvh/syntax", at(2, 2)),
        ("HIERARCHY", "bvh/truncated", at(1, 10)),
        ("HIERARCHY\nMOTION\nFrames: 0\n", "bvh/syntax", at(2, 1)),
        ("HIERARCHY\nROOT", "bvh/truncated", at(2, 5)),
        ("HIERARCHY\nROOT Hips", "bvh/truncated", at(2, 10)),
        ("HIERARCHY\nROOT Hips\nOFFSET 0 0 0", "bvh/syntax", at(3, 1)),
        ("HIERARCHY\nROOT a {\n", "bvh/truncated", at(3, 1)),
        ("HIERARCHY\nROOT a {\nOFFSET 0 1", "bvh/truncated", at(3, 11)),
        ("HIERARCHY\nROOT a {\nOFFSET 0 1 CHANNELS", "bvh/syntax", at(3, 12)),
        ("HIERARCHY\nROOT a {\nOFFSET 0 1 2 3", "bvh/syntax", at(3, 14)),
        ("HIERARCHY\nROOT a {\nCHANNELS x", "bvh/syntax", at(3, 10)),
        ("HIERARCHY\nROOT a {\nCHANNELS 3 Xrotation", "bvh/truncated", at(3, 21)),
        ("HIERARCHY\nROOT a {\nBONE b {", "bvh/syntax", at(3, 1)),
        ("HIERARCHY\nROOT a {}\nOFFSET 0 0 0", "bvh/syntax", at(3, 1)),
        ("HIERARCHY\nROOT a {}\nCHANNELS 0", "bvh/syntax", at(3, 1)),
        ("HIERARCHY\nEnd Site {", "bvh/syntax", at(2, 1)),
        ("HIERARCHY\nROOT a {}\n\0", "bvh/syntax", at(3, 1)),
    ] {
        let error = error(text);
        assert_eq!((error.code, error.place), (code, place), "{text:?}: {}", error.message);
    }
}

#[test]
fn bvh_cut_anywhere_is_an_error_or_loses_frames_at_the_end() {
    let text = single("3 Zrotation Xrotation Yrotation", "MOTION\nFrames: 2\nFrame Time: 0.5\n1 2 3\n4 5 6");
    let hierarchy = text.find("\n}").expect("the brace") + 2;
    for end in 0..text.len() {
        let in_motion = (hierarchy + 2..hierarchy + 7).contains(&end);
        let result = to_glb(&text.as_bytes()[..end], "walk.bvh", &Options::default());
        assert_eq!(result.is_err(), end < hierarchy || in_motion, "{:?}", &text[..end]);
    }
}

#[test]
fn bvh_nested_very_deeply_needs_no_stack() {
    let depth = 10_000;
    let mut text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n".to_owned();
    text += &"JOINT a\n{\nOFFSET 0 0.001 0\nCHANNELS 1 Xrotation\n".repeat(depth);
    text += &"}\n".repeat(depth + 1);
    text += &format!("MOTION\nFrames: 1\nFrame Time: 1\n{}\n", "1 ".repeat(depth + 1));
    let (scene, warnings) = read(text);
    assert_eq!(scene.nodes.len(), depth + 1);
    assert_eq!(scene.nodes[depth].parent, Some(depth - 1));
    assert_eq!(scene.nodes[depth].name, format!("a_{}", depth + 1));
    assert_eq!(scene.clips[0].channels.len(), depth + 1);
    assert_eq!(warnings.len(), 101, "warnings are limited");
}

#[test]
fn bvh_with_lying_counts_uses_what_is_there() {
    let motion = |frames: &str| format!("MOTION\nFrames: {frames}\nFrame Time: 0.5\n1\n2\n");
    for frames in ["4000000000", "1", "0", "-1", "1e300", "nan"] {
        let (scene, warnings) = read(single("1 Xrotation", &motion(frames)));
        assert_eq!(codes(&warnings), ["bvh/frame-count"], "{frames}");
        assert_eq!(warnings[0].place, at(8, 9));
        assert_eq!(channel(&scene, "Hips", Path::Rotation).times, [0.0, 0.5]);
    }
    for channels in ["4000000000 Xrotation", "0 Xrotation", "-1 Xrotation", "nan Xrotation"] {
        let (scene, warnings) = read(single(channels, &motion("2")));
        assert_eq!(codes(&warnings), ["bvh/channel-count"], "{channels}");
        assert_eq!(warnings[0].place, at(5, 10));
        assert_eq!(rotations(&scene, "Hips").len(), 2);
    }
}

#[test]
fn bvh_lines_of_wrong_length_are_skipped_or_cut() {
    let motion = "MOTION\nFrames: 4\nFrame Time: 0.5\n1 2\n3\n\n5 6 7 8\n9 0\n";
    let (scene, warnings) = read(single("2 Xrotation Yposition", motion));
    assert_eq!(codes(&warnings), ["bvh/frame-length"; 2]);
    assert_eq!((&warnings[0].place, &warnings[1].place), (&at(11, 1), &at(13, 1)));
    assert!(warnings[0].message.starts_with("Frames have fewer values than the 2 channels (1 of them)"));
    assert_eq!(channel(&scene, "Hips", Path::Rotation).times, [0.0, 1.0, 1.5], "a gap for the frame skipped");
    assert_eq!(translations(&scene, "Hips"), [[0.0, 2.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, 0.0]]);
}

#[test]
fn bvh_frames_may_be_wrapped() {
    let motion = "MOTION\nFrames: 2\nFrame Time: 0.5\n1 2\n3 4 5\n6\n";
    let scene = quiet(single("3 Xposition Yposition Zposition", motion));
    assert_eq!(translations(&scene, "Hips"), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
}

#[test]
fn bvh_numbers_that_are_not_finite_are_replaced() {
    let motion = "MOTION\nFrames: 3\nFrame Time: 0.5\n1 -1.#IND 3\n4 5 x\nnan 1e300 9\n";
    let text = single("3 Xposition Yposition Zposition", motion).replace("OFFSET 0 0 0", "OFFSET inf 2 1e99");
    let (scene, warnings) = read(text);
    assert_eq!(codes(&warnings), ["bvh/number-replaced"; 3]);
    assert_eq!(scene.nodes[0].translation, [0.0, 2.0, 0.0]);
    assert_eq!(translations(&scene, "Hips"), [[1.0, 0.0, 3.0], [4.0, 5.0, 3.0], [4.0, 5.0, 9.0]]);
    assert_eq!(
        warnings[2].message,
        "Values are not finite numbers, such as \"-1.#IND\" (4 of them); those of the frame before are used"
    );
    assert_eq!(warnings[2].place, at(10, 1));
}

#[test]
fn bvh_without_motion_has_a_skeleton() {
    for (channels, motion) in [
        ("1 Xrotation", ""),
        ("1 Xrotation", "MOTION"),
        ("1 Xrotation", "MOTION\nFrames: 0\nFrame Time: 0.1\n"),
        ("1 Xrotation", "Frames:"),
        ("0", "MOTION\nFrames: 1\nFrame Time: 0.1\n\n"),
        ("0", "MOTION\nFrames: 1\nFrame Time: 0.1\n7 7\n"),
    ] {
        let (scene, warnings) = read(single(channels, motion));
        assert_eq!(codes(&warnings), ["bvh/no-motion"], "{motion:?}");
        assert_eq!((scene.nodes.len(), scene.clips.len()), (1, 0));
    }
}

#[test]
fn bvh_frame_time_has_variants() {
    for header in [
        "MOTION\nFrames: 2\nFrame Time: 0.25",
        "motion\r\nFrames:\t2\r\nFrame Time:\t.25",
        "MOTION Frames:2 FrameTime:2.5e-1",
        "MOTION\nFrames 2\nframe time 0.25",
        "MOTION\nFrame Time: 0.25\nFrames: 2",
        "Frames: 2\nFrame Time :0.25",
    ] {
        let scene = quiet(single("1 Xrotation", &format!("{header}\n1\n2\n")));
        assert_eq!(channel(&scene, "Hips", Path::Rotation).times, [0.0, 0.25], "{header}");
    }
    for time in ["Frame Time: 0", "Frame Time: -1", "Frame Time: nan", "Frame Time: 1e-9", "Frame Time:", ""]
    {
        let (scene, warnings) = read(single("1 Xrotation", &format!("MOTION\nFrames: 2\n{time}\nx\n2\n")));
        assert!(codes(&warnings).contains(&"bvh/frame-time"), "{time}");
        let times = &channel(&scene, "Hips", Path::Rotation).times;
        assert!(
            times.len() <= 2 && times.last().is_some_and(|&last| last <= 1.0 / 30.0),
            "{time}: {times:?}"
        );
    }
}

#[test]
fn bvh_braces_may_be_missing_or_superfluous() {
    let motion = "MOTION\nFrames: 1\nFrame Time: 1\n1 2\n";
    let joint = |name: &str| format!("{name} {{ OFFSET 0 0 0 CHANNELS 1 Xrotation\n");
    let open = format!("HIERARCHY {}{}{motion}", joint("ROOT a"), joint("JOINT b"));
    let (scene, warnings) = read(open);
    assert_eq!((codes(&warnings), scene.nodes.len()), (vec!["bvh/braces"], 2));
    assert_eq!(warnings[0].message, "The hierarchy lacks 2 closing braces");
    let closed = format!("HIERARCHY {}}} }}\n{}}}\n{motion}", joint("ROOT a"), joint("ROOT b"));
    let (scene, warnings) = read(closed);
    assert_eq!((codes(&warnings), scene.nodes.len()), (vec!["bvh/braces"], 2));
    assert_eq!(warnings[0].place, at(2, 3));
}

#[test]
fn bvh_unknown_channels_are_skipped() {
    let motion = "MOTION\nFrames: 1\nFrame Time: 1\n10 20 30\n";
    let (scene, warnings) = read(single("3 Xposition Yscale Zposition", motion));
    assert_eq!(codes(&warnings), ["bvh/unknown-channel"]);
    assert_eq!(warnings[0].place, at(5, 22));
    assert_eq!(translations(&scene, "Hips"), [[10.0, 0.0, 30.0]]);
}

#[test]
fn bvh_names_are_made_unique() {
    let text =
        "HIERARCHY\nROOT a { JOINT a_2 { End Site { } } JOINT a { End Site { } End Site { } } }\nMOTION";
    let (scene, warnings) = read(text);
    let names: Vec<_> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["a", "a_2", "a_2_End", "a_3", "a_End", "a_End_2"]);
    assert_eq!(codes(&warnings), ["bvh/duplicate-name", "bvh/duplicate-name", "bvh/no-motion"]);
}

/// Tabs, carriage returns, no newline at the end, names with colons and spaces, exponents.
#[test]
fn bvh_dialects_are_read() {
    let text = "\u{feff}HIERARCHY\r\nROOT mixamorig:Hips\r\n{\r\n\tOFFSET\t1.0e+00 2.5E-1 -.5\r\n\
        \tCHANNELS\t6\tXposition\tYposition Zposition Zrotation Yrotation Xrotation\r\n\
        \tJOINT Left Arm {\r\n\t\tOFFSET 0 1 0\r\n\t\tCHANNELS 3 zrotation XROTATION Yrotation\r\n\
        \t\tEnd Site\r\n\t\t{\r\n\t\t\tOFFSET 0 2 0\r\n\t\t}\r\n\t}\r\n\
        \tJOINT\r\n\tTail\r\n\t{ end site Tip { OFFSET 0 0 1 } }\r\n}\r\n\
        MOTION\r\nFrames:\t1\r\nFrame Time:\t0.0083333\r\n1 2 -3\t10 20 30  40 50 60";
    let scene = quiet(text);
    let nodes: Vec<_> = scene.nodes.iter().map(|node| (node.name.as_str(), node.parent)).collect();
    assert_eq!(
        nodes,
        [
            ("mixamorig:Hips", None),
            ("Left Arm", Some(0)),
            ("Left Arm_End", Some(1)),
            ("Tail", Some(0)),
            ("Tip", Some(3)),
        ]
    );
    assert_eq!(scene.nodes[0].translation, [1.0, 0.25, -0.5]);
    assert_eq!(scene.nodes[2].translation, [0.0, 2.0, 0.0]);
    assert_eq!(scene.clips[0].name, "walk");
    assert_eq!(scene.clips[0].channels.len(), 3);
    assert_eq!(translations(&scene, "mixamorig:Hips"), [[1.0, 2.0, -3.0]]);
    let euler = |order, a: f32, b: f32, c: f32| {
        Quat::from_euler(order, a.to_radians(), b.to_radians(), c.to_radians())
    };
    let near = |name, expected: Quat| {
        let found = rotations(&scene, name)[0];
        assert!(found.dot(expected).abs() > 1.0 - 1e-6, "{name}: {found} instead of {expected}");
    };
    near("mixamorig:Hips", euler(EulerRot::ZYX, 10.0, 20.0, 30.0));
    near("Left Arm", euler(EulerRot::ZXY, 40.0, 50.0, 60.0));
}

/// The values of roots and joints are in the order of the hierarchy.
#[test]
fn bvh_may_have_several_roots() {
    let root = |name: &str| format!("ROOT {name}\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\n}}\n");
    let scene =
        quiet(format!("HIERARCHY\n{}{}MOTION\nFrames: 1\nFrame Time: 1\n5 7\n", root("a"), root("b")));
    assert_eq!(translations(&scene, "a"), [[5.0, 0.0, 0.0]]);
    assert_eq!(translations(&scene, "b"), [[7.0, 0.0, 0.0]]);
    assert_eq!(scene.nodes[1].parent, None);
}

#[test]
fn bvh_rotations_take_the_short_way() {
    let frames: String = (0..=36).map(|i| format!("{}\n", 40 * i)).collect();
    let scene = quiet(single("1 Zrotation", &format!("MOTION\nFrames: 37\nFrame Time: 0.1\n{frames}")));
    let keys = rotations(&scene, "Hips");
    assert_eq!(keys.len(), 37);
    assert!(keys.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.9), "40° at most between keys");
    assert!((keys[9] * Vec3::X - Vec3::X).length() < 1e-5, "a full turn");
}

#[test]
fn bvh_rotations_about_any_number_of_axes_multiply() {
    let motion = "MOTION\nFrames: 1\nFrame Time: 1\n90 90 -90\n";
    let scene = quiet(single("3 Xrotation Yrotation Xrotation", motion));
    let expected = Quat::from_rotation_x(90_f32.to_radians())
        * Quat::from_rotation_y(90_f32.to_radians())
        * Quat::from_rotation_x(-90_f32.to_radians());
    assert!(rotations(&scene, "Hips")[0].dot(expected).abs() > 1.0 - 1e-6);
}

#[test]
fn bvh_channels_that_stay_keep_two_keys() {
    let frames = "MOTION\nFrames: 3\nFrame Time: 1\n5 1\n5 2\n5 3\n";
    let scene = quiet(single("2 Xrotation Yposition", frames));
    assert_eq!(channel(&scene, "Hips", Path::Rotation).times, [0.0, 2.0]);
    assert_eq!(rotations(&scene, "Hips").len(), 2);
    assert_eq!(channel(&scene, "Hips", Path::Translation).times, [0.0, 1.0, 2.0]);
}

#[test]
fn bvh_positions_replace_the_offset_unless_they_are_near_zero() {
    let file = |offset: &str, values: &str| {
        let motion = format!("MOTION\nFrames: 2\nFrame Time: 1\n{values}");
        single("3 Xposition Yposition Zposition", &motion).replace("OFFSET 0 0 0", offset)
    };
    let scene = quiet(file("OFFSET 0 95 0", "300 94 0\n400 60 9\n"));
    assert_eq!(translations(&scene, "Hips"), [[300.0, 94.0, 0.0], [400.0, 60.0, 9.0]]);
    let (scene, warnings) = read(file("OFFSET 0 95 0", "300 -1 0\n400 -35 9\n"));
    assert_eq!(codes(&warnings), ["bvh/offset-added"]);
    assert_eq!(translations(&scene, "Hips"), [[300.0, 94.0, 0.0], [400.0, 60.0, 9.0]]);
}

#[test]
fn bvh_axes_without_a_position_keep_the_offset() {
    let motion = "MOTION\nFrames: 1\nFrame Time: 1\n7\n";
    let scene = quiet(single("1 Yposition", motion).replace("OFFSET 0 0 0", "OFFSET 1 6 3"));
    assert_eq!(translations(&scene, "Hips"), [[1.0, 7.0, 3.0]]);
}

/// A figure of a given height: legs of 0.53, a spine of 0.3, arms of 0.57 heights.
fn figure(height: f64) -> String {
    let bone = |name: &str, y: f64, inside: &str| {
        format!("JOINT {name} {{ OFFSET 0 {} 0\n CHANNELS 1 Xrotation\n {inside} }}\n", y * height)
    };
    let arm = bone("Arm", 0.3, &bone("Hand", 0.57, ""));
    let leg = bone("Leg", -0.53, "");
    format!(
        "HIERARCHY ROOT Hips {{ OFFSET 0 0 0 CHANNELS 1 Yposition {leg}{arm} }}\n\
        MOTION\nFrames: 1\nFrame Time: 1\n{} 0 0 0\n",
        0.53 * height
    )
}

#[test]
fn bvh_unit_is_guessed_from_the_height() {
    for (height, metres, guessed) in [
        (1.7, 1.7, true),
        (30.0, 1.69, true),
        (68.0, 1.73, true),
        (175.0, 1.75, false),
        (120.0, 1.2, false),
        (1750.0, 1.75, true),
    ] {
        let text = figure(height);
        let options = Options::default();
        let conversion = Conversion::new(&options, "", text.len());
        let scene = crate::bvh::read(text.as_bytes(), &conversion).expect("a valid file");
        let hips = translations(&scene, "Hips")[0][1];
        assert!((f64::from(hips) - 0.53 * metres).abs() < 0.01, "{height}: {hips}");
        let leg = scene.nodes[1].translation[1];
        assert!((leg + hips).abs() < 1e-6, "offsets and positions have the same unit");
        let expected: &[&str] = if guessed { &["bvh/unit-guessed"] } else { &[] };
        assert_eq!(codes(&conversion.into_warnings()), expected, "{height}");
    }
}

#[test]
fn bvh_unit_may_be_given() {
    for (given, unit) in [(Some(0.5), 0.5), (Some(f32::NAN), 0.01), (Some(-1.0), 0.01), (None, 0.01)] {
        let options = Options { metres_per_unit: given, ..Options::default() };
        let text = figure(175.0);
        let conversion = Conversion::new(&options, "", text.len());
        let scene = crate::bvh::read(text.as_bytes(), &conversion).expect("a valid file");
        let leg = scene.nodes[1].translation[1];
        assert!((leg + 0.53 * 175.0 * unit).abs() < 1e-5, "{given:?}: {leg}");
    }
}

#[test]
fn bvh_larger_than_the_limit_is_refused() {
    let text = format!("HIERARCHY {}", "ROOT a {}".repeat(1000));
    let options = Options { decoded_bytes: 10_000, ..Options::default() };
    let error = to_glb(text.as_bytes(), "a.bvh", &options).expect_err("too large");
    assert_eq!(error.code, "convert/too-large");
}
