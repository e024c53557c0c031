//! The same file, clip and time give the same bits on every machine: the hashes are in `tests/golden/pose_hashes.json`.
//!
//! `cargo xtask test` checks `generated` with the shipped module in Node and the browsers, and `played` in the
//! browsers. `mixed`, `moved` and `retargeted` are only computed here: no page can call the
//! mixer alone. After an intended change of bits: `GAMBOL_BLESS=1 cargo test --test native pose::hash`.

use super::corpus::{FILES, Subject, file, retargeted_hash};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

fn subject(index: u32) -> Subject {
    Subject::new(&file(index)).expect("the file is right")
}

#[test]
fn pose_hashes_equal_the_recorded_ones() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/pose_hashes.json");
    let hashes: Vec<String> = (0..FILES).map(|index| hex(subject(index).hash())).collect();
    let mixed: Vec<String> = (0..FILES).map(|index| hex(subject(index).mixed_hash())).collect();
    let moved: Vec<String> = (0..FILES).map(|index| hex(subject(index).moved_hash())).collect();
    let played: Vec<String> = (0..FILES).map(|index| hex(subject(index).played_hash())).collect();
    let next = |index: u32| retargeted_hash(index, (index + 1) % FILES).expect("the files are right");
    let retargeted: Vec<String> = (0..FILES).map(|index| hex(next(index))).collect();
    let got = json!({
        "generated": hashes, "mixed": mixed, "moved": moved, "played": played, "retargeted": retargeted,
    });
    if std::env::var_os("GAMBOL_BLESS").is_some() {
        std::fs::write(&golden, format!("{got:#}\n")).expect("the golden file can be written");
    }
    let text = std::fs::read_to_string(&golden).expect("the golden file is there");
    let want: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(got, want);
}

/// Writes the files, and the times at which each clip is sampled, for programs that compute the same hashes elsewhere.
#[test]
fn pose_hash_files_are_written() {
    let Some(folder) = std::env::var_os("GAMBOL_POSES").map(PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let write = |name: String, bytes: &[u8]| {
        std::fs::write(folder.join(name), bytes).expect("the folder can be written to");
    };
    let times: Vec<_> = (0..FILES).map(|index| subject(index).times()).collect();
    (0..FILES).for_each(|index| write(format!("{index}.glb"), &file(index)));
    write("times.json".to_owned(), json!(times).to_string().as_bytes());
}

#[test]
fn pose_hashes_do_not_depend_on_the_order_of_seeks() {
    let subject = subject(1);
    let times: Vec<f64> = (0..50).map(|i| f64::from(i * 37 % 50) / 20.0).collect();
    let forwards: Vec<u64> = times.iter().map(|&time| subject.hash_at(0, time)).collect();
    for (&time, &hash) in times.iter().zip(&forwards).rev() {
        subject.hash_at(1, 2.5 - time);
        assert_eq!(subject.hash_at(0, time), hash);
    }
    let different: std::collections::HashSet<_> = forwards.iter().collect();
    assert!(different.len() > 10, "poses differ, or the hash says nothing");
}
