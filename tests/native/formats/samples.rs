//! Generated files.

#[path = "../../../crates/formats/src/x/tests/arm.rs"]
pub(super) mod arm;
#[path = "../../../crates/formats/src/fbx/tests/character.rs"]
pub(super) mod character;
#[path = "../../../crates/formats/src/fbx/tests/document.rs"]
#[expect(dead_code, reason = "shared with the tests of the crate, which need more of it")]
pub(super) mod document;
#[path = "../../../crates/formats/src/x/tests/encode.rs"]
pub(super) mod encode;

use crate::common::random::Random;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::fmt::Write as _;
use std::io::Write as _;

/// The arm in all forms of .x files, with their names.
pub(super) fn arms() -> Vec<(&'static str, Vec<u8>)> {
    let text = arm::arm();
    let (single, double) = (encode::binary(&text, false), encode::binary(&text, true));
    let compressed = |file: &[u8]| {
        encode::compressed(file, |block| {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(block).expect("memory");
            encoder.finish().expect("memory")
        })
    };
    vec![
        ("text.x", text.clone().into_bytes()),
        ("binary.x", single.clone()),
        ("double.x", double.clone()),
        ("compressed-text.x", compressed(text.as_bytes())),
        ("compressed-binary.x", compressed(&double)),
    ]
}

/// A joint of a figure: name, parent, offset, order of rotations (`ZXY`).
pub(super) type Joint = (&'static str, Option<usize>, [f64; 3], &'static str);

/// The joints of a figure, in centimetres. The root has positions, too. Empty orders are end sites.
pub(super) const FIGURE: &[Joint] = &[
    ("Hips", None, [0.0, 0.0, 0.0], "ZXY"),
    ("Spine", Some(0), [0.0, 12.0, 1.0], "ZXY"),
    ("Head", Some(1), [0.0, 45.0, 0.0], "XYZ"),
    ("Head_End", Some(2), [0.0, 20.0, 3.0], ""),
    ("LeftArm", Some(1), [18.0, 38.0, -1.0], "YXZ"),
    ("LeftHand", Some(4), [28.0, 0.0, 0.0], "ZYX"),
    ("LeftHand_End", Some(5), [25.0, 0.0, 2.0], ""),
    ("LeftLeg", Some(0), [9.0, -4.0, 0.0], "YZX"),
    ("LeftFoot", Some(7), [0.0, -45.0, 2.0], "XZY"),
    ("LeftFoot_End", Some(8), [0.0, -42.0, 5.0], ""),
];

/// The values of a file: positions of the root in centimetres, then angles of each joint in degrees, for each frame.
pub(super) fn motion(frames: usize) -> Vec<Vec<f64>> {
    let mut random = Random(26);
    let channels = 3 + 3 * FIGURE.iter().filter(|joint| !joint.3.is_empty()).count();
    let waves: Vec<_> = (0..channels)
        .map(|_| [f64::from(random.float(5.0, 60.0)), random.unit(), f64::from(random.float(0.5, 2.0))])
        .collect();
    (0..frames)
        .map(|frame| {
            let time = frame as f64 / 30.0;
            let wave = |[size, phase, speed]: &[f64; 3]| {
                let value = size * (std::f64::consts::TAU * (phase + speed * time)).sin();
                (value * 1e4).round() / 1e4
            };
            waves.iter().map(wave).collect()
        })
        .collect()
}

/// The file of a figure with its motion, 30 frames a second.
pub(super) fn figure(motion: &[Vec<f64>]) -> String {
    let mut text = "HIERARCHY\n".to_owned();
    let mut open: Vec<usize> = Vec::new();
    for (index, (name, parent, [x, y, z], order)) in FIGURE.iter().enumerate() {
        while open.last() != parent.as_ref() {
            open.pop();
            text.push_str("}\n");
        }
        open.push(index);
        let _ = match (parent, order.is_empty()) {
            (None, _) => writeln!(text, "ROOT {name}\n{{"),
            (_, true) => writeln!(text, "End Site\n{{"),
            _ => writeln!(text, "JOINT {name}\n{{"),
        };
        let _ = writeln!(text, "OFFSET {x} {y} {z}");
        let positions: &[&str] =
            if parent.is_none() { &["Xposition", "Yposition", "Zposition"] } else { &[] };
        let rotations = order.chars().map(|axis| format!("{axis}rotation"));
        let channels: Vec<_> = positions.iter().map(|&name| name.to_owned()).chain(rotations).collect();
        if !channels.is_empty() {
            let _ = writeln!(text, "CHANNELS {} {}", channels.len(), channels.join(" "));
        }
    }
    text.push_str(&"}\n".repeat(open.len()));
    let _ = writeln!(text, "MOTION\nFrames: {}\nFrame Time: 0.03333333", motion.len());
    for frame in motion {
        let values: Vec<_> = frame.iter().map(f64::to_string).collect();
        let _ = writeln!(text, "{}", values.join(" "));
    }
    text
}
