use super::events::MAX_EVENTS;
use super::transition::LayerOptions;
use super::*;

fn player() -> Player {
    let clip = |duration| Arc::new(Clip { duration, ..Clip::default() });
    Player::new(&[clip(2.0), clip(0.5), clip(0.0)], 0.0)
}

fn kinds(player: &mut Player) -> Vec<EventKind> {
    player.drain_events().map(|event| event.kind).collect()
}

#[test]
fn player_without_clips_does_nothing() {
    let mut player = Player::new(&[], 0.0);
    player.play(None);
    player.advance(1.0);
    player.step(1);
    player.seek(3.0);
    assert_eq!((player.position().time, player.paused()), (0.0, true));
}

#[test]
fn player_ignores_nan_and_infinite_numbers() {
    let mut player = player();
    player.play(None);
    player.seek(f64::NAN);
    player.set_rate(f64::INFINITY);
    player.set_repetitions(f64::NAN);
    player.advance(f64::NAN);
    player.advance(-1.0);
    assert_eq!((player.position().time, player.rate()), (0.0, 1.0));
    player.set_repetitions(-7.0);
    assert_eq!(player.repetitions(), 1.0);
}

#[test]
fn seek_shows_the_end_at_any_rate_before_and_after_playing() {
    for rate in [1.0, 0.5, 0.0, -1.0] {
        for mode in [LoopMode::Once, LoopMode::Repeat, LoopMode::PingPong] {
            let mut player = player();
            player.set_rate(rate);
            player.set_loop_mode(mode);
            player.seek(2.0);
            assert_eq!(player.position().time, 2.0, "before play");
            player.play(None);
            player.advance(7.3);
            player.seek(99.0);
            assert_eq!(player.position().time, 2.0, "{rate} {mode:?}");
        }
    }
}

#[test]
fn play_in_mode_once_finishes_once_and_plays_again_from_the_start() {
    let mut player = player();
    player.set_loop_mode(LoopMode::Once);
    for _ in 0..1000 {
        player.play(None);
        player.advance(1.5);
        player.advance(1.5);
        player.advance(1.5);
        assert_eq!((player.position().time, player.paused()), (2.0, true));
        let finished = kinds(&mut player).iter().filter(|kind| **kind == EventKind::Finished).count();
        assert_eq!(finished, 1);
    }
    player.seek(1.0);
    assert_eq!(player.position().time, 1.0, "a finished clip can be scrubbed");
}

#[test]
fn play_at_the_end_starts_from_the_beginning() {
    for (rate, end, beginning) in [(1.0, 2.0, 0.0), (-1.0, 0.0, 2.0)] {
        let mut player = player();
        player.set_loop_mode(LoopMode::Once);
        player.set_rate(rate);
        player.seek(end);
        player.play(None);
        assert_eq!(player.position().time, beginning);
        player.advance(0.5);
        assert!(!player.paused() && (player.position().time - beginning).abs() == 0.5);
    }
}

#[test]
fn player_calls_in_one_task_act_in_call_order() {
    let mut player = player();
    player.choose(Some(ClipId::new(1)));
    player.seek(0.25);
    player.set_repetitions(1.0);
    player.play(None);
    assert_eq!(player.position().time, 0.25);
    let change = EventKind::ClipChange { from: Some(ClipId::new(0)), to: Some(ClipId::new(1)) };
    assert_eq!(kinds(&mut player), [change, EventKind::Seeking, EventKind::Play]);
    player.advance(0.25);
    assert_eq!(kinds(&mut player), [EventKind::Finished, EventKind::TimeUpdate]);
}

#[test]
fn events_of_a_long_step_are_the_last_64_and_a_count() {
    let mut player = player();
    player.play(None);
    player.drain_events();
    player.advance(61.0);
    let events: Vec<_> = player.drain_events().collect();
    let loops: Vec<_> = events.iter().filter(|event| matches!(event.kind, EventKind::Loop { .. })).collect();
    assert_eq!(loops.len(), 30);
    assert!(loops.iter().all(|event| event.time == 2.0 && event.skipped == 0));
    player.set_rate(1e6);
    player.drain_events();
    player.advance(1.0);
    let events: Vec<_> = player.drain_events().collect();
    assert_eq!(events.len(), MAX_EVENTS + 1, "and a time update");
    assert_eq!(events[0].skipped, 500_000 - MAX_EVENTS as u64);
}

#[test]
fn rate_change_does_not_move_the_playhead() {
    let mut player = player();
    player.play(None);
    for (i, rate) in [3.0, -1.0, 0.0, -2.5, 0.1].into_iter().enumerate() {
        player.advance(0.3);
        let before = player.position().time;
        player.set_rate(rate);
        assert_eq!(player.position().time, before, "change {i}");
    }
}

#[test]
fn pause_stops_the_playhead_and_play_continues_from_there() {
    let mut player = player();
    player.play(None);
    player.advance(0.75);
    player.pause();
    player.advance(5.0);
    assert_eq!(player.position().time, 0.75);
    player.play(None);
    player.advance(0.25);
    assert_eq!(player.position().time, 1.0);
}

#[test]
fn step_moves_by_whole_frames_within_the_clip() {
    let mut player = player();
    player.play(None);
    player.advance(0.51);
    player.step(1);
    assert!(player.paused());
    let frame = 1.0 / Clip::default().frames_per_second();
    let at = player.position().time / frame;
    assert!((at - at.round()).abs() < 1e-9 && player.position().time > 0.51);
    player.step(-1000);
    assert_eq!(player.position().time, 0.0);
    player.step(100_000);
    assert_eq!(player.position().time, 2.0);
}

#[test]
fn repetition_change_plays_the_current_pass_to_its_end() {
    for fewer in [
        |player: &mut Player| player.set_loop_mode(LoopMode::Once),
        |player: &mut Player| {
            player.set_repetitions(1.0);
        },
    ] {
        let mut player = player();
        player.play(None);
        player.advance(6.5);
        fewer(&mut player);
        assert_eq!((player.position().time, player.position().finished), (0.5, false));
        player.advance(1.0);
        assert!(!player.paused());
        player.drain_events();
        player.advance(1.0);
        assert_eq!((player.position().time, player.paused()), (2.0, true));
        assert_eq!(kinds(&mut player), [EventKind::Finished, EventKind::TimeUpdate]);
    }
}

#[test]
fn repetition_increase_after_the_end_plays_all_added_passes() {
    let mut player = player();
    player.set_repetitions(1.0);
    player.play(None);
    player.advance(9.0);
    player.set_repetitions(3.0);
    player.drain_events();
    player.play(None);
    player.advance(4.5);
    let (one, two) = (EventKind::Loop { iteration: 1 }, EventKind::Loop { iteration: 2 });
    assert_eq!(player.position().time, 2.0, "two passes more, not one");
    assert_eq!(kinds(&mut player), [EventKind::Play, one, two, EventKind::Finished, EventKind::TimeUpdate]);
}

#[test]
fn player_accepts_numbers_beyond_the_range_of_integers() {
    let mut player = player();
    player.choose(Some(ClipId::new(2)));
    player.set_repetitions(1e300);
    player.play(None);
    player.advance(1.0);
    assert!(!player.position().finished, "more passes than can be counted are endless");
    player.choose(Some(ClipId::new(0)));
    player.set_rate(f64::MAX);
    for _ in 0..4 {
        player.advance(f64::MAX);
        player.advance(f64::INFINITY);
        let position = player.position();
        assert!((0.0..=2.0).contains(&position.time) && !position.finished);
    }
}

#[test]
fn seeked_event_follows_the_frame() {
    let mut player = player();
    player.seek(1.0);
    player.seek(1.5);
    player.presented();
    player.presented();
    assert_eq!(kinds(&mut player), [EventKind::Seeking, EventKind::Seeking, EventKind::Seeked]);
}

#[test]
fn set_clock_does_not_move_playheads() {
    for (segment, paused) in [(None, false), (Some(0.25..1.0), false), (None, true)] {
        let mut player = player();
        player.set_segment(segment);
        player.play(None);
        player.add_layer(LayerOptions::new(Source::Clip(ClipId::new(1))));
        player.advance(5.3);
        if paused {
            player.pause();
        }
        player.drain_events();
        let mut same = player.clone();
        for now in [f64::NAN, -7.0, 1e9, 0.0] {
            player.set_clock(now);
            assert_eq!(player.position(), same.position());
            assert_eq!(player.now(), if now.is_nan() { 5.3 } else { now });
        }
        for _ in 0..9 {
            player.advance(0.25);
            same.advance(0.25);
            let (got, want) = (player.position(), same.position());
            assert!((got.time - want.time).abs() < 1e-9 && got.passes == want.passes, "{got:?} {want:?}");
        }
        assert_eq!(kinds(&mut player), kinds(&mut same));
    }
}

#[test]
fn set_clock_keeps_the_delay_of_a_later_start() {
    let mut player = player();
    player.advance(1.0);
    player.base().set_start_time(1.5);
    player.set_clock(100.0);
    player.advance(0.25);
    assert_eq!((player.position().time, player.base().start_time()), (0.0, Some(100.5)));
    player.advance(0.5);
    assert_eq!(player.position().time, 0.25);
}

/// A change that begins a case.
type Change = fn(&mut Player);

/// Sets a property to the value that it has.
const EQUAL: [(&str, Change); 4] = [
    ("rate", |player| player.set_rate(player.rate())),
    ("loop mode", |player| player.set_loop_mode(player.loop_mode())),
    ("repetitions", |player| player.set_repetitions(player.repetitions())),
    ("segment", |player| player.set_segment(Some(player.segment()))),
];

#[test]
fn setter_of_an_equal_value_changes_no_bit_of_the_player() {
    // The last one ends in a pass that was completed after the number of passes was reduced.
    let cases: [Change; 5] = [
        |_| {},
        |player| player.set_rate(-0.7),
        |player| {
            player.set_loop_mode(LoopMode::PingPong);
            player.set_repetitions(3.0);
        },
        |player| {
            player.set_segment(Some(0.3..1.7));
            player.set_loop_mode(LoopMode::Once);
        },
        |player| {
            player.advance(4.5);
            player.set_repetitions(2.0);
        },
    ];
    for (case, prepare) in cases.iter().enumerate() {
        let mut player = player();
        player.play(None);
        prepare(&mut player);
        for step in 0..60 {
            // No binary fraction, so that a playhead that is computed anew would be rounded.
            player.advance(0.1);
            if step == 20 || step == 40 {
                player.pause();
            } else if step == 23 {
                player.base().play();
            }
            for (name, set) in EQUAL {
                let before = format!("{player:?}");
                set(&mut player);
                assert_eq!(format!("{player:?}"), before, "{name}, case {case}, step {step}");
            }
        }
    }
}

#[test]
fn setter_reports_a_change_and_only_a_change() {
    let mut player = player();
    player.play(None);
    player.advance(0.1);
    let mut base = player.base();
    assert!(base.set_rate(2.0) && !base.set_rate(2.0) && !base.set_rate(f64::NAN));
    assert!(base.set_loop_mode(LoopMode::Once) && !base.set_loop_mode(LoopMode::Once));
    assert!(base.set_repetitions(2.5) && !base.set_repetitions(3.0), "numbers are rounded up");
    assert!(base.set_repetitions(f64::INFINITY) && !base.set_repetitions(f64::NAN), "endless");
    assert!(base.set_segment(Some(0.5..1.0)) && !base.set_segment(Some(1.0..0.5)), "in order");
    assert!(base.set_segment(None) && !base.set_segment(Some(-1.0..9.0)), "clamped");
}
