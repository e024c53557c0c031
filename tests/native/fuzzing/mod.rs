//! A short run of the fuzz targets (`fuzz/`) on stable Rust, with pseudorandom bytes.

mod files;
pub(crate) mod formats;
mod hdr;
mod meshopt;
pub(crate) mod supply;

use crate::common::builder::{animated, skinned};
use crate::common::random::Random;
use std::collections::BTreeSet;
use std::path::Path;

/// Mostly small bytes, as in files, so that counts and choices are plausible.
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
fn fuzz_accessors() {
    let mut random = Random(7);
    (0..1500).for_each(|_| files::accessors(&bytes(&mut random)));
}

#[test]
fn fuzz_animations() {
    let mut random = Random(8);
    (0..500).for_each(|_| files::animation(&bytes(&mut random)));
}

#[test]
fn fuzz_spring_bones() {
    let mut random = Random(12);
    (0..1500).for_each(|_| files::springs(&bytes(&mut random)));
}

/// Modified seeds of all kinds of streams; streams of each kind are decoded, and a share of all is refused.
#[test]
fn fuzz_encoded_views() {
    let mut random = Random(10);
    // A regression from the fuzzer: a first byte of another version, whose tail has another length.
    meshopt::meshopt(&[1, 16, 0, 0, 0, 255, 196, 217, 161]);
    let seeds = meshopt::seeds();
    let mut kinds = BTreeSet::new();
    let mut decoded = 0;
    let runs = 4000;
    for i in 0..runs {
        let seed = &seeds[i % seeds.len()];
        let mut bytes = [&seed[..], &bytes(&mut random)[..]].concat();
        // The first bytes select the kind of the stream; sometimes they are changed as well.
        for _ in 0..random.below(4) {
            let at = if random.below(8) == 0 { random.below(seed.len()) } else { random.below(bytes.len()) };
            bytes[at] = random.below(256) as u8;
        }
        if let Some(kind) = meshopt::meshopt(&bytes) {
            decoded += 1;
            kinds.insert(kind);
        }
    }
    // Two versions of attributes with five filters, and two modes of indices.
    assert_eq!(kinds.len(), 12, "{kinds:?}");
    assert!(
        (runs / 3..runs * 9 / 10).contains(&decoded),
        "{decoded} of {runs} decoded: the streams say little"
    );
}

/// Small images of each kind, with changes.
#[test]
fn fuzz_hdr_images() {
    let mut random = Random(11);
    let header = |width: usize, height: usize| format!("#?RADIANCE\n\n-Y {height} +X {width}\n").into_bytes();
    let mut read = 0;
    let runs = 4000;
    for i in 0..runs {
        let (width, height) = (1 + random.below(40), 1 + random.below(6));
        let mut bytes = header(width, height);
        for _ in 0..height {
            match i % 3 {
                0 if width >= 8 => {
                    bytes.extend([2, 2, 0, width as u8]);
                    (0..4).for_each(|_| bytes.extend([128 + width as u8, random.below(256) as u8]));
                }
                1 if width > 1 => {
                    bytes.extend([9, random.below(256) as u8, 9, random.below(256) as u8]);
                    bytes.extend([1, 1, 1, width as u8 - 1]);
                }
                _ => (0..4 * width).for_each(|_| bytes.push(2 + random.below(254) as u8)),
            }
        }
        for _ in 0..random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        read += usize::from(hdr::hdr(&bytes));
    }
    assert!(
        (runs / 3..runs * 19 / 20).contains(&read),
        "{read} of {runs} were read: the pictures say little"
    );
}

/// Writes seeds for the fuzzer; `cargo xtask fuzz` sets the folder.
#[test]
fn seeds_of_fuzzing_are_written() {
    let Some(folder) = std::env::var_os("GAMBOL_SEEDS") else { return };
    for (i, seed) in meshopt::seeds().iter().enumerate() {
        let path = Path::new(&folder).join("meshopt").join(format!("kind-{i}"));
        std::fs::write(path, seed).expect("the folder is there");
    }
    for (target, name, seed) in crate::formats::mutations::seeds() {
        std::fs::write(Path::new(&folder).join(target).join(name), seed).expect("the folder is there");
    }
}

/// Whole files with changed bytes, mostly after the JSON, so that they load and play.
#[test]
fn fuzz_playback_of_changed_keys_and_vertices() {
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
