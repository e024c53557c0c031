//! A short run of the fuzz targets (`fuzz/`) on stable Rust: bytes at random, the same in every run.

#[path = "fuzzing/files.rs"]
mod files;
#[path = "fuzzing/supply.rs"]
#[expect(dead_code, reason = "shared with the scripts of a player")]
mod supply;
#[path = "import/support.rs"]
#[expect(dead_code, reason = "shared with the tests of import, which need more of it")]
mod support;

use support::{Random, animated, skinned};

/// Bytes of which most are small, as in files, so that counts and choices are sensible.
fn bytes(random: &mut Random) -> Vec<u8> {
    let small = 1 + random.below(255);
    let count = random.below(600);
    let byte = |_| {
        let end = if random.below(8) == 0 { 256 } else { small };
        random.below(end) as u8
    };
    (0..count).map(byte).collect()
}

#[test]
fn accessors_at_random() {
    let mut random = Random(7);
    (0..1500).for_each(|_| files::accessors(&bytes(&mut random)));
}

#[test]
fn animations_at_random() {
    let mut random = Random(8);
    (0..1500).for_each(|_| files::animation(&bytes(&mut random)));
}

/// Whole files with bytes changed, mostly behind the JSON, so that they load and play.
#[test]
fn changed_keys_and_vertices_are_played() {
    let mut random = Random(9);
    for seed in [skinned(), animated()].map(|file| file.glb()) {
        for _ in 0..500 {
            let mut bytes = seed.clone();
            for _ in 0..1 + random.below(8) {
                let back = 1 + random.below(bytes.len().min(150));
                let at = bytes.len() - back;
                bytes[at] = random.below(256) as u8;
            }
            files::import(&bytes);
        }
    }
}
