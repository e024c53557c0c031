//! The player against one that is written from the rules of the time contract and shares no code with it.

#[path = "player/model.rs"]
mod model;
#[path = "player/script.rs"]
mod script;
#[path = "fuzzing/supply.rs"]
#[expect(dead_code, reason = "shared with tests that make files of bytes")]
mod supply;

/// Bytes at random, the same in every run (SplitMix64).
fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed;
    let next = |_| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed >> 40) as u8
    };
    (0..count).map(next).collect()
}

#[test]
fn ten_thousand_scripts_end_the_same_on_both() {
    for seed in 0..10_000 {
        let mut bytes = bytes(seed, 1 + (seed % 120) as usize * 2);
        bytes[0] |= 1; // side by side
        script::run(&bytes);
    }
}

#[test]
fn scripts_with_any_numbers_do_no_harm() {
    for seed in 0..10_000 {
        let mut bytes = bytes(seed, 400);
        bytes[0] = 0; // the real one alone
        script::run(&bytes);
    }
}
