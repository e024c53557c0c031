//! The rules of state machines, one by one, and the comparison with the plain implementation.

use super::script::{Call, apply, calls, events, model, pair, run, start};
use crate::common::allocator::allocated;
use crate::common::random::Random;
use crate::fuzzing::supply::Supply;
use gambol::animation::{Mix, Player, States};
use gambol::model::InputValue;
use std::ops::Range;

fn bytes(seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    (0..700).map(|_| random.bits() as u8).collect()
}

#[test]
fn states_plain_implementation_agrees_on_a_thousand_scripts() {
    plain_implementation_agrees(0..1000);
}

#[test]
#[ignore = "takes seconds: cargo xtask test --all"]
fn states_plain_implementation_agrees_on_ten_thousand_scripts() {
    plain_implementation_agrees(1000..10_000);
}

fn plain_implementation_agrees(seeds: Range<u64>) {
    for seed in seeds {
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

/// Runs a machine of one layer; each call sets an input, fires a trigger or advances.
struct Bench {
    player: Player,
    states: States,
}

fn bench(layer: &str) -> Bench {
    let text = format!(
        r#"{{"format":"gambol-states","version":1,
        "inputs":{{"speed":{{"type":"number"}},"ground":{{"type":"boolean"}},"jump":{{"type":"trigger"}}}},
        "layers":[{{{layer}}}]}}"#
    );
    let model = model();
    let mut player = Player::new(&model.clips, 0.0);
    let states = start(&text, &model, &mut player);
    let mut bench = Bench { player, states };
    bench.told();
    bench
}

impl Bench {
    fn step(&mut self, dt: f64) -> String {
        self.states.advance(&mut self.player, dt);
        self.path()
    }

    fn path(&self) -> String {
        self.states.machine().path(self.states.path(0).last().expect("a state"))
    }

    fn number(&mut self, number: f64) {
        assert!(self.states.set_input(0, InputValue::Number(number)));
    }

    /// The events since the last call, such as `+A 0.5`.
    fn told(&mut self) -> Vec<String> {
        let told = events(&mut self.states).into_iter();
        told.map(|(entered, _, path, time)| format!("{}{path} {time}", if entered { '+' } else { '-' }))
            .collect()
    }
}

const THREE: &str = r#""states":{"A":{"clip":"Idle"},"B":{"clip":"Hop"},"C":{"clip":"Walk"},"D":{}}"#;

fn three(transitions: &str) -> Bench {
    bench(&format!(r#"{THREE},"transitions":[{transitions}]"#))
}

#[test]
fn states_exit_time_is_exact_within_a_step() {
    let mut bench = three(
        r#"{"from":"A","to":"B","exitTime":0.75,"mode":"cut"},{"from":"B","to":"C","exitSeconds":0.25,"mode":"cut"}"#,
    );
    assert_eq!(bench.step(1.5), "C");
    assert_eq!(bench.told(), ["-A 0.75", "+B 0.75", "-B 1", "+C 1"]);
    assert_eq!(bench.player.position().time, 0.5);
}

#[test]
fn states_exit_time_comes_again_in_each_pass_and_stays_after_the_end() {
    let mut bench = three(r#"{"from":"A","to":"B","exitTime":0.5,"when":[{"input":"jump"}]}"#);
    bench.step(0.75);
    assert!(bench.states.fire(2));
    bench.step(2.0);
    assert_eq!(bench.told(), ["-A 1.5", "+B 1.5"]);
    let once = r#""states":{"A":{"clip":"Idle","loop":"once"},"B":{"clip":"Hop"}}"#;
    let when = r#""transitions":[{"from":"A","to":"B","exitTime":1,"when":[{"input":"jump"}]}]"#;
    let mut bench = self::bench(&format!("{once},{when}"));
    bench.step(2.25);
    assert!(bench.states.fire(2));
    bench.step(0.5);
    assert_eq!(bench.told(), ["-A 2.25", "+B 2.25"]);
}

#[test]
fn states_trigger_is_used_by_the_first_transition_and_waits_for_it() {
    let mut bench = three(
        r#"{"from":"A","to":"B","when":[{"input":"jump"}]},{"from":"B","to":"C","when":[{"input":"jump"}],"mode":"cut"}"#,
    );
    bench.states.fire(2);
    assert_eq!(bench.step(2.0), "B", "the trigger is used once");
    assert_eq!(bench.states.input(2), Some(InputValue::Trigger(false)));
    let mut bench = three(r#"{"from":"A","to":"B","when":[{"input":"jump"},{"input":"ground"}]}"#);
    bench.states.fire(2);
    assert_eq!(bench.step(1.0), "A");
    bench.states.set_input(1, InputValue::Boolean(true));
    assert_eq!(bench.step(0.125), "B", "the trigger waits");
}

#[test]
fn states_interruption_follows_its_rule() {
    let cases = [
        ("none", "-A 0 +B 0 -B 0.5 +C 0.5"),
        ("source", "-A 0 +B 0 -B 0.25 +D 0.25"),
        ("target", "-A 0 +B 0 -B 0.25 +C 0.25"),
        ("source-then-target", "-A 0 +B 0 -B 0.25 +D 0.25"),
        ("target-then-source", "-A 0 +B 0 -B 0.25 +C 0.25"),
    ];
    for (rule, told) in cases {
        let low = r#""when":[{"input":"speed","op":"<","value":0}],"mode":"cut""#;
        let mut bench = three(&format!(
            r#"{{"from":"A","to":"B","when":[{{"input":"jump"}}],"duration":0.5,"interruption":"{rule}"}},
            {{"from":"A","to":"D",{low}}},{{"from":"B","to":"C",{low}}}"#
        ));
        bench.states.fire(2);
        bench.step(0.25);
        bench.number(-1.0);
        bench.step(0.0);
        bench.number(if rule == "none" { -1.0 } else { 0.0 });
        bench.step(1.0);
        assert_eq!(bench.told().join(" "), told, "{rule}");
    }
}

#[test]
fn states_any_state_leads_from_all_others_first() {
    let mut bench = three(
        r#"{"from":"A","to":"B","exitTime":1,"mode":"cut"},
        {"from":"*","to":"C","when":[{"input":"ground"}],"mode":"cut"}"#,
    );
    bench.states.set_input(1, InputValue::Boolean(true));
    assert_eq!(bench.step(3.0), "C");
    assert_eq!(bench.told(), ["-A 0", "+C 0"], "it does not lead from its own target");
}

#[test]
fn states_nested_machine_is_left_and_entered_as_a_whole() {
    let mut bench = bench(
        r#""states":{"A":{"clip":"Idle"},"M":{"machine":{"initial":"Y","states":{"X":{"clip":"Hop"},"Y":{"clip":"Walk"}},
        "transitions":[{"from":"Y","to":"X","exitSeconds":0.5,"mode":"cut"}]}}},
        "transitions":[{"from":"A","to":"M","exitTime":1,"mode":"cut"},{"from":"M","to":"A","exitTime":1,"mode":"cut"}]"#,
    );
    assert_eq!(bench.step(1.25), "M/Y");
    assert_eq!(bench.step(0.5), "M/X");
    assert_eq!(bench.step(0.5), "A");
    let told = ["-A 1", "+M 1", "+M/Y 1", "-M/Y 1.5", "+M/X 1.5", "-M/X 2", "-M 2", "+A 2"];
    assert_eq!(bench.told(), told);
}

#[test]
fn states_loop_stops_after_32_transitions_with_one_warning() {
    let mut bench = three(
        r#"{"from":"A","to":"B","exitTime":0,"mode":"cut"},{"from":"B","to":"A","exitTime":0,"mode":"cut"}"#,
    );
    assert_eq!(bench.step(0.5), "A");
    assert_eq!(bench.told().len(), 64);
    let warning = bench.states.take_loop_warning().expect("a warning");
    assert_eq!((warning.code, warning.place.as_str()), ("states/loop", "0: A"));
    assert_eq!((bench.states.time(), bench.player.now()), (0.5, 0.5), "time goes on");
    bench.step(0.5);
    assert!(bench.states.take_loop_warning().is_none());
}

#[test]
fn states_pause_stops_the_machine_and_play_continues_it() {
    let mut bench = three(r#"{"from":"A","to":"B","exitTime":0.5,"mode":"cut"}"#);
    bench.step(0.25);
    bench.player.pause();
    assert_eq!(bench.step(5.0), "A");
    assert_eq!(bench.states.time(), 0.25);
    bench.player.play(None);
    assert_eq!(bench.step(0.25), "B");
    assert_eq!(bench.told(), ["-A 0.5", "+B 0.5"]);
}

#[test]
fn states_speed_scales_exit_times_and_playheads() {
    let mut bench = three(r#"{"from":"A","to":"C","exitTime":1,"mode":"cut"}"#);
    bench.step(0.25);
    bench.states.set_speed(&mut bench.player, 2.0);
    assert_eq!(bench.player.position().time, 0.25);
    bench.step(1.0);
    assert_eq!(bench.told(), ["-A 0.625", "+C 0.625"]);
    assert_eq!((bench.player.position().time, bench.player.rate()), (1.25, 2.0));
}

#[test]
fn states_seek_moves_the_state_and_changes_none() {
    let mut bench = three(r#"{"from":"A","to":"B","exitTime":0.5,"mode":"cut"}"#);
    bench.states.seek(&mut bench.player, 0.75);
    assert_eq!((bench.path().as_str(), bench.player.position().time), ("A", 0.75));
    assert_eq!(bench.step(0.5), "A", "its exit time comes with the next pass");
    bench.states.seek(&mut bench.player, 0.25);
    assert_eq!(bench.step(0.25), "B");
    assert_eq!(bench.told(), ["-A 0.75", "+B 0.75"]);
    // The timeline set back moves the playhead alone.
    bench.states.advance_to(&mut bench.player, 0.0);
    assert_eq!((bench.path().as_str(), bench.states.time()), ("B", 0.75));
}

#[test]
fn states_inputs_of_another_kind_and_numbers_that_are_not_finite_are_refused() {
    let mut bench = three("");
    for (input, value) in [
        (0, InputValue::Boolean(true)),
        (0, InputValue::Number(f64::NAN)),
        (1, InputValue::Number(1.0)),
        (2, InputValue::Boolean(true)),
        (3, InputValue::Trigger(true)),
    ] {
        assert!(!bench.states.set_input(input, value), "{input} {value:?}");
    }
    assert_eq!(bench.states.path(1).count(), 0);
}

#[test]
fn states_update_without_a_transition_does_not_allocate() {
    let blend = r#""blend":{"by":"speed","clips":[["Idle",0],["Walk",1]]}"#;
    let mut bench = bench(&format!(
        r#""states":{{"A":{{{blend}}},"B":{{"clip":"Hop"}}}},
        "transitions":[{{"from":"A","to":"B","when":[{{"input":"jump"}}]}},{{"from":"B","to":"A","exitTime":2}}]"#
    ));
    // The lists of events grow once.
    bench.step(3.1);
    bench.player.drain_events();
    let (allocated, ()) = allocated(|| {
        for i in 0..100 {
            bench.number(f64::from(i) / 100.0);
            bench.states.advance(&mut bench.player, 1.0 / 60.0);
            bench.player.drain_events();
        }
    });
    assert_eq!((allocated.count, allocated.bytes), (0, 0));
}

#[test]
fn states_cut_between_clips_does_not_allocate() {
    let mut bench = three(
        r#"{"from":"A","to":"B","exitTime":1,"mode":"cut"},{"from":"B","to":"A","exitTime":1,"mode":"cut"}"#,
    );
    let mut told = 0;
    let mut run = |bench: &mut Bench| {
        for _ in 0..200 {
            bench.states.advance(&mut bench.player, 1.0 / 60.0);
            bench.player.take_transition();
            bench.player.drain_events();
            told += bench.states.drain_events().count();
        }
    };
    run(&mut bench);
    let (allocated, ()) = allocated(|| run(&mut bench));
    assert_eq!(allocated.count, 0);
    assert!(told > 10);
}
