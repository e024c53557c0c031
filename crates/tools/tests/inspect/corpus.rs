//! Files of others: those that their makers hold up as good, malformed ones, and damaged ones.

use super::file::{File, HAND, MESH, figure, good, quaternion};
use crate::common;
use gambol::import::{FolderResolver, NoResolver};
use gambol_tools::inspect::{Options, Report, Severity, inspect};
use glam::DVec3;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files of folders of `../shared/assets` and below; none if it does not exist.
fn files(folders: &[&str]) -> Vec<PathBuf> {
    common::files(folders).into_iter().map(|(path, _)| path).collect()
}

fn report(path: &Path) -> Report {
    let bytes = std::fs::read(path).expect("it was listed");
    let folder = path.parent().expect("it is in a folder");
    inspect(&bytes, &mut FolderResolver::new(folder), &Options::default())
}

/// The invariants of every report.
fn check(report: &Report, name: &str) {
    let known: BTreeSet<&str> = gambol_tools::inspect::codes::ALL.iter().map(|(code, _)| *code).collect();
    for finding in &report.findings {
        assert!(
            known.contains(finding.code) || finding.code.starts_with("import/"),
            "{name}: {}",
            finding.code
        );
        assert!(finding.pointer.is_empty() || finding.pointer.starts_with('/'), "{name}: {finding:?}");
        assert!(finding.values.iter().all(|measure| measure.value.is_finite()), "{name}: {finding:?}");
        assert!(
            finding.time.is_none_or(f64::is_finite) && !finding.message.is_empty(),
            "{name}: {finding:?}"
        );
        let mut words = finding.message.split(|c: char| !c.is_alphanumeric());
        let is_of_a_machine =
            words.any(|word| ["inf", "NaN", "nan", "Infinity", "undefined"].contains(&word));
        assert!(!is_of_a_machine, "{name}: {}", finding.message);
    }
    let order: Vec<Severity> = report.findings.iter().map(|finding| finding.severity).collect();
    assert!(order.is_sorted(), "{name}: {order:?}");
    let counts = [report.summary.errors, report.summary.warnings, report.summary.infos];
    assert_eq!(counts.iter().sum::<usize>(), report.findings.len(), "{name}");
}

#[test]
fn inspect_has_no_errors_in_files_that_their_makers_hold_up_as_good() {
    for path in files(&["gltf", "variants"]) {
        // The file before its maker's own repairs: joint weights of up to 1.76 in sum, 752 errors by Khronos's validator.
        let known = path.ends_with("RobotExpressive_original.glb");
        let report = report(&path);
        check(&report, &path.display().to_string());
        let errors: Vec<_> =
            report.findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
        assert!(known || errors.is_empty(), "{}: {errors:#?}", path.display());
    }
}

#[test]
fn inspect_has_no_errors_in_the_sample_characters() {
    for character in gambol_sample::characters() {
        let report = inspect(&character.glb(), &mut NoResolver, &Options::default());
        check(&report, character.name);
        let found: Vec<_> =
            report.findings.iter().filter(|finding| finding.severity < Severity::Info).collect();
        assert!(found.is_empty(), "{}: {found:#?}", character.name);
    }
}

#[test]
fn inspect_reports_malformed_files_without_a_panic() {
    for path in files(&["malformed", "synthetic"]) {
        check(&report(&path), &path.display().to_string());
    }
    for bytes in [&b""[..], b"glTF", b"{}", b"{\"asset\":{\"version\":\"2.0\"}}", b"PK\x03\x04"] {
        check(&inspect(bytes, &mut NoResolver, &Options::default()), "tiny");
    }
    let refused = inspect(b"PK\x03\x04", &mut NoResolver, &Options::default());
    assert_eq!(
        (refused.findings[0].code, refused.findings[0].severity),
        ("import/unknown-format", Severity::Error)
    );
}

#[test]
fn inspect_reports_damaged_files_without_a_panic() {
    let glb = good().glb();
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..600 {
        let mut bytes = glb.clone();
        for _ in 0..1 + random(8) {
            let at = random(bytes.len());
            bytes[at] = if random(2) == 0 { b"0123456789-,\"[]{}"[random(17)] } else { random(256) as u8 };
        }
        check(&inspect(&bytes, &mut NoResolver, &Options::default()), "damaged");
    }
}

#[test]
fn inspect_says_numbers_that_are_not_finite_or_huge_in_words() {
    let file = good();
    let numbers = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 3e38, -3e38, 1e-45];
    // Each accessor of floats, with one or all of its numbers replaced.
    for (i, accessor) in file.json["accessors"].as_array().expect("accessors").iter().enumerate() {
        if accessor["componentType"] != 5126 {
            continue;
        }
        let view = &file.json["bufferViews"][accessor["bufferView"].as_u64().expect("a view") as usize];
        let place = |key: &str| view[key].as_u64().expect("a number") as usize;
        let range = place("byteOffset")..place("byteOffset") + place("byteLength");
        for number in numbers {
            for whole in [false, true] {
                let mut changed = file.clone();
                let step = if whole { 4 } else { range.len() };
                for at in range.clone().step_by(step) {
                    changed.bin[at..at + 4].copy_from_slice(&number.to_le_bytes());
                }
                check(&changed.report(), &format!("accessor {i} with {number}"));
            }
        }
    }
    for number in [1e38, 1e300, -1e300, 1e-300] {
        for key in ["translation", "rotation", "scale"] {
            for node in [HAND, MESH] {
                let mut changed = file.clone();
                let rest: &[f64] =
                    if key == "rotation" { &[number, 0.0, 0.0, 1.0] } else { &[number, 1.0, 1.0] };
                changed.json["nodes"][node][key] = json!(rest);
                check(&changed.report(), &format!("{key} {number}"));
            }
        }
    }
}

/// The good file as a VRM 1.0 model, with a tail that swings.
fn vrm() -> File {
    let mut file = good();
    let bones = [
        ("hips", 0),
        ("spine", 1),
        ("neck", 2),
        ("head", 3),
        ("leftUpperArm", 4),
        ("leftLowerArm", 5),
        ("leftHand", 6),
        ("rightUpperArm", 7),
        ("rightLowerArm", 8),
        ("rightHand", 9),
        ("leftUpperLeg", 10),
        ("leftLowerLeg", 11),
        ("leftFoot", 12),
        ("leftToes", 13),
        ("rightUpperLeg", 14),
        ("rightLowerLeg", 15),
        ("rightFoot", 16),
        ("rightToes", 17),
    ];
    let bones: serde_json::Map<String, serde_json::Value> =
        bones.iter().map(|(bone, node)| ((*bone).to_owned(), json!({ "node": node }))).collect();
    let tip = file.push("nodes", json!({ "name": "TailTip", "translation": [0.0, 0.0, -0.2] }));
    let tail =
        file.push("nodes", json!({ "name": "Tail", "translation": [0.0, 0.0, -0.1], "children": [tip] }));
    file.json["nodes"][0]["children"].as_array_mut().expect("children").push(json!(tail));
    file.json["skins"][0]["joints"].as_array_mut().expect("joints").extend([json!(tail), json!(tip)]);
    let rest = |joint: usize| super::file::place(joint);
    let mut places: Vec<DVec3> = (0..18).map(rest).collect();
    places.extend([rest(0) - DVec3::Z * 0.1, rest(0) - DVec3::Z * 0.3]);
    let inverses: Vec<f64> =
        places.iter().flat_map(|at| glam::DMat4::from_translation(-*at).to_cols_array()).collect();
    file.json["skins"][0]["inverseBindMatrices"] = json!(file.floats("MAT4", &inverses));
    file.json["extensionsUsed"] = json!(["VRMC_vrm", "VRMC_springBone"]);
    let meta =
        json!({ "name": "Test", "authors": ["gambol"], "licenseUrl": "https://vrm.dev/licenses/1.0/" });
    file.json["extensions"] = json!({
        "VRMC_vrm": { "specVersion": "1.0", "meta": meta, "humanoid": { "humanBones": bones } },
        "VRMC_springBone": { "specVersion": "1.0", "springs": [{ "joints": [{ "node": tail }, { "node": tip }] }] },
    });
    file
}

#[test]
fn inspect_knows_the_nodes_that_a_vrm_file_uses() {
    vrm().clean();
    let mut plain = vrm();
    plain.json["extensions"] = json!({});
    plain.json.as_object_mut().expect("an object").remove("extensionsUsed");
    let finding = plain.one("inspect/joint-moves-nothing");
    assert_eq!(finding.number("joints"), Some(2.0));
}

#[test]
fn inspect_leaves_out_ignored_codes() {
    let mut file = figure();
    let clip = file.clip("Still");
    file.turn(clip, 4, DVec3::Z, |_| 0.0);
    let ignore = vec!["inspect/channel-at-rest".to_owned()];
    let report = inspect(&file.glb(), &mut NoResolver, &Options { ignore });
    assert_eq!((report.findings.len(), report.summary.infos), (0, 0));
    assert_eq!((report.summary.clips, report.summary.channels, report.summary.joints), (1, 1, 18));
}

#[test]
fn inspect_inspects_clips_of_meshes_without_a_decoder() {
    let found = files(&["variants"]).into_iter().filter(|path| path.to_string_lossy().contains("_draco"));
    for path in found {
        let report = report(&path);
        assert!(report.findings.iter().any(|finding| finding.code == "inspect/compressed"), "{report:#?}");
        assert!(report.summary.clips > 0 && report.summary.errors == 0);
    }
}

/// A figure of 65 joints with 1,000 rotation keys each.
fn large() -> File {
    let mut file = figure();
    let mut nodes: Vec<usize> = (0..18).collect();
    for i in 18..65 {
        nodes.push(file.push("nodes", json!({ "name": format!("Finger {i}") })));
    }
    file.json["nodes"][HAND]["children"] = json!(nodes[18..]);
    file.json["skins"][0] = json!({ "joints": nodes });
    let clip = file.clip("Long");
    let times: Vec<f64> = (0..1000).map(|i| f64::from(i) / 30.0).collect();
    for &node in &nodes {
        let rate = 1.0 + 0.01 * node as f64;
        let values: Vec<f64> =
            times.iter().flat_map(|time| quaternion(DVec3::Z, 30.0 * (time * rate).sin())).collect();
        file.channel(clip, (node, "rotation"), "LINEAR", &times, &values);
    }
    file
}

/// Prints the time for 65 joints with 1,000 keys: `cargo test --release -p gambol-tools --test tools -- --ignored --nocapture`.
#[test]
#[ignore = "prints a time"]
fn inspect_speed() {
    let glb = large().glb();
    let seconds = (0..20)
        .map(|_| {
            let begin = std::time::Instant::now();
            let report = inspect(&glb, &mut NoResolver, &Options::default());
            let seconds = begin.elapsed().as_secs_f64();
            assert_eq!((report.summary.channels, report.summary.keys), (65, 65_000));
            seconds
        })
        .fold(f64::INFINITY, f64::min);
    eprintln!("65 joints with 1,000 keys: {:.2} ms", 1000.0 * seconds);
}

#[test]
fn inspect_codes_are_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings.md");
    let text = std::fs::read_to_string(path).expect("docs/findings.md");
    for (code, meaning) in gambol_tools::inspect::codes::ALL {
        let rows = text.lines().filter(|line| line.starts_with(&format!("| `{code}` |"))).count();
        assert!(rows >= 1, "{code} is not in docs/findings.md");
        assert!(meaning.trim().ends_with('.'), "{code}: {meaning}");
    }
    let codes: Vec<&str> = gambol_tools::inspect::codes::ALL.iter().map(|(code, _)| *code).collect();
    assert!(
        text.match_indices("`inspect/")
            .all(|(at, _)| codes.iter().any(|code| text[at + 1..].starts_with(code)))
    );
}
