mod file;
mod motion;

use crate::mesher::edges;
use crate::model::Symmetry;
use crate::paint::UNTINTED;
use file::{File, number};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A character's file, and the facts that tests compare it with.
struct Expected {
    file: &'static str,
    clips: &'static [&'static str],
    /// Clips that begin and end in the idle pose; all others loop.
    once: &'static [&'static str],
    /// The left and right feet, with points of their soles: joint, and position in model space at rest.
    soles: &'static [(&'static str, [f64; 3])],
    least_joints: usize,
    least_targets: usize,
}

const EXPECTED: [Expected; 3] = [
    Expected {
        file: "sample.glb",
        clips: &[
            "Idle",
            "Walk",
            "Run",
            "Jump",
            "Wave",
            "Dance",
            "Greet",
            "Petted",
            "Sneeze",
            "Surprise",
            "Sit",
            "Sleep",
            "TurnLeft",
            "TurnRight",
        ],
        once: &[
            "Jump",
            "Wave",
            "Greet",
            "Petted",
            "Sneeze",
            "Surprise",
            "Sit",
            "Sleep",
            "TurnLeft",
            "TurnRight",
        ],
        soles: &[
            ("FootL", [0.092, 0.0, -0.05]),
            ("ToeL", [0.096, 0.0, 0.062]),
            ("FootR", [-0.092, 0.0, -0.05]),
            ("ToeR", [-0.096, 0.0, 0.062]),
        ],
        least_joints: 40,
        least_targets: 3,
    },
    Expected {
        file: "lumi.glb",
        clips: &["Idle", "Walk", "Trot", "Run", "Sit", "Sleep", "Shake", "Play"],
        once: &["Sit", "Sleep", "Shake", "Play"],
        soles: &[
            ("FingersL", [0.095, 0.0, 0.118]),
            ("FingersR", [-0.095, 0.0, 0.118]),
            ("ToeL", [0.096, 0.0, -0.205]),
            ("ToeR", [-0.096, 0.0, -0.205]),
        ],
        least_joints: 36,
        least_targets: 4,
    },
    Expected {
        file: "fen.glb",
        clips: &["Idle", "Walk", "Run", "Wave", "Bow", "Talk", "Dance", "Count"],
        once: &["Wave", "Bow", "Count"],
        soles: &[
            ("FootL", [0.08, 0.0, -0.058]),
            ("ToeL", [0.086, 0.0, 0.075]),
            ("FootR", [-0.08, 0.0, -0.058]),
            ("ToeR", [-0.086, 0.0, 0.075]),
        ],
        least_joints: 54,
        least_targets: 20,
    },
];

static FILES: LazyLock<Vec<(File, &Expected)>> = LazyLock::new(|| {
    let files = crate::characters().into_iter().zip(&EXPECTED);
    files.map(|(character, expected)| (File::new(character.glb()), expected)).collect()
});

#[test]
fn same_bytes_every_time_and_small() {
    for (character, (file, expected)) in crate::characters().iter().zip(FILES.iter()) {
        assert_eq!(character.file, expected.file);
        assert!(character.generated() == file.bytes, "{} differs", character.file);
        assert!(file.bytes.len() < 500_000, "{} has {} bytes", character.file, file.bytes.len());
    }
}

#[test]
fn joints_have_distinct_names_and_eyes() {
    for (file, expected) in FILES.iter() {
        let joints = file.root["skins"][0]["joints"].as_array().expect("a skin");
        let names: BTreeSet<_> =
            joints.iter().map(|j| file.node_name(j.as_u64().unwrap_or(0) as usize)).collect();
        assert_eq!(names.len(), joints.len());
        assert!(names.len() >= expected.least_joints, "{}: {}", expected.file, names.len());
        for eye in ["EyeL", "EyeR"] {
            let line = file.line(file.node(eye));
            assert_eq!(file.node_name(line[1]), "Head");
        }
    }
}

#[test]
fn eyes_turn_the_iris_and_not_the_rim() {
    for (file, expected) in FILES.iter() {
        let primitives = file.root["meshes"][0]["primitives"].as_array().expect("primitives");
        for eye in ["EyeL", "EyeR"] {
            let joint = file.node(eye) as f64;
            let mut follows = 0;
            for primitive in primitives {
                let joints = file.accessor(&primitive["attributes"]["JOINTS_0"]);
                let weights = file.accessor(&primitive["attributes"]["WEIGHTS_0"]);
                for (j, w) in joints.iter().zip(&weights) {
                    follows += usize::from((0..4).any(|i| j[i] == joint && w[i] > 0.9));
                }
            }
            assert!(follows > 20, "{} {eye}: {follows}", expected.file);
        }
    }
}

#[test]
fn weights_sum_to_one() {
    for (file, expected) in FILES.iter() {
        let count = file.root["skins"][0]["joints"].as_array().map_or(0, Vec::len);
        for primitive in file.root["meshes"][0]["primitives"].as_array().expect("primitives") {
            let weights = file.accessor(&primitive["attributes"]["WEIGHTS_0"]);
            let joints = file.accessor(&primitive["attributes"]["JOINTS_0"]);
            for (w, j) in weights.iter().zip(&joints) {
                assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{}", expected.file);
                assert!(j.iter().zip(w).all(|(&j, &w)| j < count as f64 && (w > 0.0 || j == 0.0)));
            }
        }
    }
}

#[test]
fn morph_targets_have_names_and_move_vertices() {
    for (file, expected) in FILES.iter() {
        let mesh = &file.root["meshes"][0];
        let names = mesh["extras"]["targetNames"].as_array().expect("names");
        assert!(names.len() >= expected.least_targets);
        for (t, name) in names.iter().enumerate() {
            let moved: usize = mesh["primitives"]
                .as_array()
                .expect("primitives")
                .iter()
                .map(|primitive| file.counts(&primitive["targets"][t]["POSITION"]).1)
                .sum();
            assert!(moved > 20, "{} {name}: {moved}", expected.file);
        }
    }
    assert_eq!(
        FILES[0].0.root["meshes"][0]["extras"]["targetNames"],
        serde_json::json!(["blink", "smile", "surprise"])
    );
}

/// The names by which software for face tracking and lip synchronisation finds targets.
#[test]
fn fen_has_targets_of_arkit() {
    let names = &FILES[2].0.root["meshes"][0]["extras"]["targetNames"];
    let names: BTreeSet<&str> =
        names.as_array().expect("names").iter().filter_map(serde_json::Value::as_str).collect();
    for name in [
        "eyeBlinkLeft",
        "eyeBlinkRight",
        "eyeWideLeft",
        "eyeWideRight",
        "jawOpen",
        "mouthFunnel",
        "mouthPucker",
        "mouthSmileLeft",
        "mouthSmileRight",
        "mouthFrownLeft",
        "mouthFrownRight",
        "browInnerUp",
        "browDownLeft",
        "browDownRight",
        "cheekPuff",
    ] {
        assert!(names.contains(name), "{name}");
    }
}

#[test]
fn fen_has_five_fingers_with_three_joints() {
    let (file, _) = &FILES[2];
    for side in ["L", "R"] {
        for finger in ["Thumb", "Index", "Middle", "Ring", "Little"] {
            let line = file.line(file.node(&format!("{finger}{side}3")));
            let names: Vec<&str> = line[..4].iter().map(|&node| file.node_name(node)).collect();
            let expected = [3, 2, 1].map(|bone| format!("{finger}{side}{bone}"));
            assert_eq!(names[..3], expected);
            assert_eq!(names[3], format!("Hand{side}"));
        }
    }
}

/// The alpha of the base colour is the mask of a crowd's tint, which begins above a half: eyes, mouth and nose take none of it.
#[test]
fn tint_leaves_the_face() {
    for (file, expected) in FILES.iter() {
        let view = &file.root["bufferViews"][number(&file.root["images"][0]["bufferView"])];
        let start = file.binary() + number(&view["byteOffset"]);
        let image = &file.bytes[start..start + number(&view["byteLength"])];
        let texels = decoded(image);
        let alpha = |x: usize, y: usize| texels[4 * (y * crate::atlas::SIZE + x) + 3];
        for [x, y, w, h] in [crate::paint::EYE, crate::paint::MOUTH, crate::paint::NOSE] {
            let untinted = (x..x + w).all(|x| (y..y + h).all(|y| alpha(x, y) == UNTINTED));
            assert!(untinted, "{}", expected.file);
        }
        let tinted = texels.chunks_exact(4).filter(|texel| texel[3] == 255).count();
        assert!(tinted > texels.len() / 4 / 5, "{}: {tinted}", expected.file);
    }
}

/// Parts without tint, such as the scarf, are so in each texel, also where a tinted colour is nearer.
#[test]
fn palette_keeps_texels_without_tint() {
    let image: Vec<[u8; 4]> = (0..crate::atlas::SIZE * crate::atlas::SIZE)
        .map(|i| {
            let [r, g, b] = [i, i >> 6, i >> 11].map(|v| (v * 37 % 256) as u8);
            [r, g, b, UNTINTED + (i % 5 * 32) as u8]
        })
        .collect();
    let texels = decoded(&crate::palette::png(&image));
    for (drawn, wanted) in texels.chunks_exact(4).zip(&image) {
        assert!(wanted[3] > UNTINTED || drawn[3] == UNTINTED, "{drawn:?} for {wanted:?}");
    }
}

/// The RGBA texels of a PNG file.
fn decoded(image: &[u8]) -> Vec<u8> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(image));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().expect("a PNG file");
    let mut texels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut texels).expect("an image");
    texels
}

#[test]
fn surfaces_have_no_cracks() {
    for part in crate::pip::parts().into_iter().chain(crate::lumi::parts()).chain(crate::fen::parts()) {
        let mesh = part.mesh();
        for ((a, b), tris) in edges(&mesh) {
            let border =
                part.symmetry == Symmetry::Halves && [a, b].iter().all(|&v| mesh.pos[v as usize].x == 0.0);
            let at = mesh.pos[a as usize];
            assert!(tris.len() == 2 || tris.len() == 1 && border, "{} triangles at {at}", tris.len());
        }
    }
}
