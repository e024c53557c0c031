//! The rules of state machines, one by one, and the comparison with the plain implementation.

use super::script::{Call, apply, calls, events, model, pair, run, start};
use crate::common::random::Random;
use crate::fuzzing::supply::Supply;
use gambol::animation::{Mix, Player};

fn bytes(seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    (0..700).map(|_| random.bits() as u8).collect()
}

#[test]
fn states_plain_implementation_agrees_on_ten_thousand_scripts() {
    for seed in 0..10_000 {
        let mut bytes = bytes(seed);
        bytes[0] |= 1; // both implementations
        run(&bytes);
    }
}

#[test]
fn states_same_script_gives_the_same_bits() {
    for seed in 0..300 {
        let bytes = bytes(seed);
        let once = || {
            let mut supply = Supply(&bytes);
            let text = pair(&mut supply).text;
            let model = model();
            let mut player = Player::new(&model.clips, 0.0);
            let mut states = start(&text, &model, &mut player);
            let mut log = Vec::new();
            for call in calls(&mut supply) {
                // Steps that are no sums of powers of two.
                let call = if let Call::Step(dt) = call { Call::Step(dt / 3.0) } else { call };
                apply(&mut states, &mut player, call);
                let mut mix = Mix::default();
                player.mix_at(player.now(), &mut mix);
                let parts = mix.contributions.iter().map(|part| (part.time.to_bits(), part.weight.to_bits()));
                let told = events(&mut states).into_iter().map(|event| (event.2, event.3.to_bits()));
                log.push((
                    told.collect::<Vec<_>>(),
                    parts.collect::<Vec<_>>(),
                    player.position().time.to_bits(),
                ));
            }
            log
        };
        assert_eq!(once(), once());
    }
}

#[test]
fn states_do_not_depend_on_the_frame_rate() {
    for seed in 0..1000 {
        let bytes = bytes(seed);
        let at = |parts: u32| {
            let mut supply = Supply(&bytes);
            let text = pair(&mut supply).text;
            let model = model();
            let mut player = Player::new(&model.clips, 0.0);
            let mut states = start(&text, &model, &mut player);
            let (mut log, mut looped) = (Vec::new(), false);
            for call in calls(&mut supply) {
                match call {
                    Call::Step(dt) => {
                        for _ in 0..parts {
                            states.advance(&mut player, dt / f64::from(parts));
                            log.extend(events(&mut states));
                            looped |= states.take_loop_warning().is_some();
                        }
                    }
                    call => apply(&mut states, &mut player, call),
                }
            }
            (log, player.position().time, looped)
        };
        let (one, four) = (at(1), at(4));
        // A step that stops at the limit of transitions takes fewer of them.
        if !one.2 && !four.2 {
            let whole: Vec<_> = one.0.iter().filter(|event| four.0.contains(event)).collect();
            assert!(one.0.len() > 60 || one.0 == four.0, "seed {seed}: {:?} {:?}", one.0, four.0);
            assert_eq!(whole.len(), one.0.len(), "seed {seed}");
            assert!((one.1 - four.1).abs() < 1e-9, "seed {seed}");
        }
    }
}
