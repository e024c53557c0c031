//! The player compared with an independent one, which implements the rules of the time contract.

use crate::common::random::Random;

fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut random = Random(seed);
    (0..count).map(|_| random.bits() as u8).collect()
}

#[test]
fn time_contract_model_and_player_agree_on_ten_thousand_scripts() {
    for seed in 0..10_000 {
        let mut bytes = bytes(seed, 1 + (seed % 120) as usize * 2);
        bytes[0] |= 1; // both players
        super::script::run(&bytes);
    }
}

#[test]
fn time_contract_holds_for_any_numbers() {
    for seed in 0..10_000 {
        let mut bytes = bytes(seed, 400);
        bytes[0] = 0; // the real player alone
        super::script::run(&bytes);
    }
}
