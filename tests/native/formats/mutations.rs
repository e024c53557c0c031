//! Valid files with random changes: errors or warnings, but no panic, and each result is imported and played.

use super::samples::{arms, figure, motion};
use crate::common::random::Random;
use crate::fuzzing::formats::convert;

/// Small valid files for fuzzing: target, name, bytes.
pub(crate) fn seeds() -> Vec<(&'static str, String, Vec<u8>)> {
    let mut seeds: Vec<_> = arms().into_iter().map(|(name, file)| ("x", name.to_owned(), file)).collect();
    seeds.extend(
        PIECES.iter().enumerate().map(|(i, piece)| {
            ("x", format!("piece-{i}.x"), [b"xof 0303txt 0032\n", piece.as_bytes()].concat())
        }),
    );
    seeds.push(("bvh", "figure.bvh".to_owned(), figure(&motion(3)).into_bytes()));
    let fbx = super::fbx::forms(&super::samples::character::character());
    seeds.extend(fbx.into_iter().map(|(name, file)| ("fbx", name.to_owned(), file)));
    seeds.push(("bvh", "joint.bvh".to_owned(), JOINT.as_bytes().to_vec()));
    seeds
}

const JOINT: &str = "HIERARCHY ROOT a { OFFSET 0 1 0 CHANNELS 3 Xposition Yposition Zrotation End Site { OFFSET 1 0 0 } }\n\
    MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3\n4 5 6\n";

/// Files of few objects, so that most changes hit one that matters.
const PIECES: [&str; 4] = [
    "Frame a { { b } } Frame b { <11111111-2222-3333-4444-555566667777> { m } } Mesh m { 3; 0;0;0; 1;0;0; 0;1;0; 1; 3;0,1,2; }",
    "Frame a { Mesh { 3; 0;0;0; 1;0;0; 0;1;0; 1; 3;0,1,2; VertexDuplicationIndices { 3; 2; 0,1,1; } \
    SkinWeights { \"a\"; 1; 1; 1; 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1; } \
    FVFData { 336; 18; 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0; } DeclData { 1; 2;0;3;0; 9; 0,0,0,0,0,0,0,0,0; } } }",
    "template T { DWORD n; array Vector v[n]; STRING s; } T { 1; 1;2;3; \"x\"; } Frame a { T { 0; \"\"; } }",
    "Frame a { } AnimationSet s { Animation { { a } AnimationKey { 4; 1; 0;16; 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;; } \
    AnimationKey { 0; 2; 0;4;1,0,0,0; 1;4;0,1,0,0; } } }",
];

/// Bytes that matter in text files.
const WORDS: [&[u8]; 14] = [
    b"{",
    b"}",
    b";",
    b"\"",
    b"<",
    b" 4000000000 ",
    b" -1 ",
    b" nan ",
    b" 1e300 ",
    b"\n",
    b"0",
    b"9",
    b" Frame ",
    b"\0",
];

fn mutated(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len().max(1));
        let end = (at + 1 + random.below(40)).min(bytes.len());
        match random.below(7) {
            0 if !bytes.is_empty() => bytes[at] = random.below(256) as u8,
            1 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            2 if random.below(4) == 0 => bytes.truncate(at),
            3 => drop(bytes.drain(at.min(end)..end)),
            4 => {
                let copy = bytes[at.min(end)..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            _ => {
                let word = WORDS[random.below(WORDS.len())];
                bytes.splice(at..at, word.iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn changed_files_of_other_formats_are_refused_or_played() {
    let mut random = Random(26);
    for (target, name, seed) in seeds() {
        assert!(convert(&seed, &name), "{name} is valid");
        let runs = if seed.len() > 5000 { 200 } else { 1000 };
        let valid =
            (0..runs).filter(|_| convert(&mutated(&seed, &mut random), &format!("a.{target}"))).count();
        let is_compressed = name.starts_with("compressed");
        assert!((1..runs).contains(&valid) || is_compressed, "{valid} of {runs} of {name} were read");
    }
}
