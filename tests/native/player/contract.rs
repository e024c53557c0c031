//! The player compared with an independent one, which implements the rules of the time contract.

use crate::common::random::Random;

fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut random = Random(seed);
    (0..count).map(|_| random.bits() as u8).collect()
}

#[test]
fn ten_thousand_scripts_end_the_same_on_both() {
    for seed in 0..10_000 {
        let mut bytes = bytes(seed, 1 + (seed % 120) as usize * 2);
        bytes[0] |= 1; // both players
        super::script::run(&bytes);
    }
}

#[test]
fn scripts_with_any_numbers_do_no_harm() {
    for seed in 0..10_000 {
        let mut bytes = bytes(seed, 400);
        bytes[0] = 0; // the real player alone
        super::script::run(&bytes);
    }
}
