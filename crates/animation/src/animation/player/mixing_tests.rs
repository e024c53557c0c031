//! Tests of transitions, layers and blend spaces.

use super::events::MAX_EVENTS;
use super::transition::LayerOptions;
use super::*;
use crate::animation::JointMask;

fn player() -> Player {
    clips(&[2.0, 0.5, 0.0])
}

const A: ClipId = ClipId::new(0);
const B: ClipId = ClipId::new(1);

/// A player at second 0 of clip A that has been displayed and plays.
fn shown() -> Player {
    let mut player = player();
    player.play(None);
    player.presented();
    player.take_transition();
    player.drain_events();
    player
}

fn mix(player: &Player) -> Mix {
    let mut mix = Mix::default();
    player.mix_at(player.now(), &mut mix);
    mix
}

/// The clip, time and weight of each contribution, per layer.
fn parts(mix: &Mix) -> Vec<Vec<(usize, f64, f32)>> {
    let part = |layer: &MixLayer| {
        let contributions = &mix.contributions[layer.contributions.clone()];
        contributions.iter().map(|part| (part.clip.index(), part.time, part.weight)).collect()
    };
    mix.layers.iter().map(part).collect()
}

#[test]
fn mix_of_one_clip_has_one_contribution_and_no_transition() {
    let mut player = shown();
    player.advance(0.75);
    let mix = mix(&player);
    assert_eq!(parts(&mix), [[(0, 0.75, 1.0)]]);
    assert!(mix.layers[0].mode == LayerMode::Override && mix.layers[0].weight == 1.0);
    assert!(player.take_transition().is_none());
}

#[test]
fn mix_without_clips_is_the_rest_pose() {
    let player = Player::new(&[], 0.0);
    assert_eq!(parts(&mix(&player)), [[]]);
}

#[test]
fn inertial_transition_has_the_old_mixes_that_follow_and_the_new_mix() {
    let mut player = shown();
    player.advance(0.5);
    player.play(Some(B));
    player.advance(0.25);
    let change = player.take_transition().expect("a change");
    assert_eq!((change.cut, change.at, change.duration), (false, 0.5, 0.3));
    assert_eq!(change.before.each_ref().map(parts), COAST.map(|time| [[(0, 0.5 + time, 1.0)]]));
    assert_eq!(parts(&change.probe), [[(0, 0.5 + PROBE, 1.0)]]);
    assert_eq!(parts(&change.after), [[(1, 0.0, 1.0)]]);
    assert_eq!(parts(&mix(&player)), [[(1, 0.25, 1.0)]]);
    assert!(player.take_transition().is_none());
}

#[test]
fn player_is_moving_until_the_transition_ends() {
    let mut player = shown();
    player.set_loop_mode(LoopMode::Once);
    player.play(Some(ClipId::new(2)));
    player.advance(0.1);
    assert!(player.paused() && player.is_moving(), "the clip is over, the transition is not");
    player.advance(0.1);
    assert!(player.is_moving());
    player.advance(0.11);
    assert!(!player.is_moving());
}

#[test]
fn transitions_of_one_frame_are_merged() {
    let mut player = shown();
    player.advance(0.5);
    player.play(Some(B));
    player.add_layer(LayerOptions::new(Source::Clip(A)));
    player.play(Some(ClipId::new(2)));
    let change = player.take_transition().expect("a change");
    assert_eq!(parts(&change.before[0]), [[(0, 0.5, 1.0)]]);
    assert_eq!(parts(&change.after), [[(2, 0.0, 1.0)], [(0, 0.0, 1.0)]]);
}

#[test]
fn seek_is_a_cut() {
    for seek in [
        |player: &mut Player| player.seek(0.25),
        |player: &mut Player| player.step(8),
        |player: &mut Player| player.stop(),
        |player: &mut Player| player.scrub(0.5),
        |player: &mut Player| player.base().set_start_time(0.5),
    ] {
        for transition in [Transition::Inertial(0.3), Transition::Crossfade(0.3), Transition::Cut] {
            let mut player = shown();
            player.set_transition(transition);
            player.advance(0.5);
            player.play(Some(B));
            player.advance(0.1);
            player.take_transition();
            seek(&mut player);
            let time = player.position().time;
            assert_eq!(parts(&mix(&player)), [[(1, time, 1.0)]]);
            let change = player.take_transition().expect("a cut");
            assert!(change.cut && change.duration == 0.0);
            assert_eq!(parts(&mix(&player)), [[(1, time, 1.0)]]);
        }
    }
}

#[test]
fn transition_after_a_seek_starts_from_the_new_time() {
    let mut player = shown();
    player.advance(0.5);
    player.seek(1.5);
    player.play(Some(B));
    let change = player.take_transition().expect("a change");
    assert!(change.cut && change.duration == 0.3);
    assert_eq!(parts(&change.before[0]), [[(0, 1.5, 1.0)]]);
}

#[test]
fn transition_while_all_is_paused_is_a_cut() {
    for transition in [Transition::Inertial(0.3), Transition::Crossfade(0.3)] {
        let mut player = shown();
        player.set_transition(transition);
        player.advance(0.5);
        player.pause();
        player.choose(Some(B));
        assert!(player.take_transition().is_some_and(|change| change.cut && change.duration == 0.0));
        assert_eq!(parts(&mix(&player)), [[(1, 0.0, 1.0)]]);
        assert!(!player.is_moving());
    }
}

#[test]
fn transition_from_a_finished_clip_is_smooth() {
    let mut player = shown();
    player.set_loop_mode(LoopMode::Once);
    player.advance(5.0);
    player.drain_events();
    player.play(Some(B));
    let change = player.take_transition().expect("a change");
    assert_eq!((change.cut, change.duration), (false, 0.3));
    assert_eq!(parts(&change.before[1]), [[(0, 2.0, 1.0)]]);
}

#[test]
fn transition_before_the_first_frame_is_a_cut() {
    let mut player = player();
    player.play(Some(B));
    assert!(player.take_transition().is_none_or(|change| change.duration == 0.0));
}

#[test]
fn crossfade_stops_while_paused() {
    let mut player = shown();
    player.set_transition(Transition::Crossfade(0.5));
    player.play(Some(B));
    player.advance(0.25);
    player.pause();
    let before = parts(&mix(&player));
    assert_eq!(before, [[(1, 0.25, 0.5), (0, 0.25, 0.5)]]);
    player.advance(7.0);
    assert_eq!(parts(&mix(&player)), before);
    player.play(None);
    player.advance(0.125);
    assert_eq!(parts(&mix(&player)), [[(1, 0.375, 0.84375), (0, 0.375, 0.15625)]]);
}

#[test]
fn crossfade_weights_stay_continuous_and_sum_to_1_when_interrupted() {
    let mut player = shown();
    player.set_transition(Transition::Crossfade(0.4));
    let mut state = 5_u64;
    let mut before = [0.0_f64; 3];
    before[0] = 1.0;
    for frame in 0..3000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if (state >> 33).is_multiple_of(9) {
            player.play(Some(ClipId::new((state >> 40) as usize % 3)));
        }
        player.advance(0.01);
        let mix = mix(&player);
        let mut shares = [0.0_f64; 3];
        for part in &mix.contributions {
            shares[part.clip.index()] += f64::from(part.weight);
        }
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-6, "frame {frame}: {shares:?}");
        assert!(mix.contributions.len() <= 17, "what gives way is bounded");
        for (share, before) in shares.iter().zip(before) {
            // The maximum slope of the curve: 1.5 in 0.4 s.
            assert!(
                (share - before).abs() <= 1.5 * 0.01 / 0.4 + 1e-2,
                "frame {frame}: {shares:?} after {before:?}"
            );
        }
        before = shares;
    }
}

#[test]
fn layer_fades_in_stays_and_fades_out() {
    let mut player = shown();
    let mut options = LayerOptions::new(Source::Clip(B));
    (options.name, options.weight) = ("wave".to_owned(), 0.5);
    options.transition = Some(Transition::Crossfade(1.0));
    let id = player.add_layer(options);
    assert_eq!(parts(&mix(&player)), [[(0, 0.0, 1.0)]], "it fades in from nothing");
    player.advance(0.5);
    let half = mix(&player);
    assert_eq!((half.layers[1].weight, parts(&half)[1][0]), (0.25, (1, 0.0, 1.0)));
    player.advance(0.75);
    assert_eq!((mix(&player).layers[1].weight, parts(&mix(&player))[1][0].1), (0.5, 0.25));
    assert_eq!(player.layers().map(|layer| (layer.id(), layer.name())).collect::<Vec<_>>(), [(id, "wave")]);
    assert!(player.remove_layer(id, Some(Transition::Crossfade(0.5))));
    assert!(player.layers().next().is_none() && player.layer(id).is_none());
    player.advance(0.25);
    assert_eq!(mix(&player).layers[1].weight, 0.25);
    player.advance(0.25);
    assert_eq!(mix(&player).layers.len(), 1);
    assert!(!player.remove_layer(id, None) && !player.set_layer_weight(id, 1.0, None));
}

#[test]
fn layer_events_have_the_id_of_their_layer() {
    let mut player = shown();
    player.set_markers(B, &[Marker { name: "clap".to_owned(), time: 0.25 }]);
    let id = player.add_layer(LayerOptions::new(Source::Clip(B)));
    player.drain_events();
    let mut layer = player.layer(id).expect("a layer");
    layer.set_repetitions(2.0);
    layer.set_rate(-2.0);
    layer.seek(0.5);
    player.advance(10.0);
    let events: Vec<_> = player.drain_events().filter(|event| event.layer == Some(id)).collect();
    let got: Vec<_> = events.iter().map(|event| (event.kind.clone(), event.time)).collect();
    let clap = EventKind::Marker { name: "clap".into() };
    let want = [
        (EventKind::RateChange, 0.0),
        (EventKind::Seeking, 0.5),
        (clap.clone(), 0.25),
        (EventKind::Loop { iteration: 1 }, 0.0),
        (clap, 0.25),
        (EventKind::Finished, 0.0),
    ];
    assert_eq!(got, want);
    assert!(player.layer(id).expect("a layer").paused() && !player.paused());
}

#[test]
fn events_of_base_and_layers_are_in_time_order() {
    let mut player = shown();
    let marker = |time: f64| Marker { name: time.to_string(), time };
    player.set_markers(A, &[0.2, 0.4, 0.6].map(marker));
    player.set_markers(B, &[0.1, 0.3, 0.45].map(marker));
    player.add_layer(LayerOptions::new(Source::Clip(B)));
    player.drain_events();
    player.advance(0.75);
    let mut got = Vec::new();
    for event in player.drain_events() {
        match event.kind {
            EventKind::Marker { name } => got.push((name.to_string(), event.layer.is_some())),
            EventKind::Loop { .. } => got.push(("loop".to_owned(), event.layer.is_some())),
            _ => {}
        }
    }
    let want = ["0.1", "0.2", "0.3", "0.4", "0.45", "loop", "0.6", "0.1"];
    assert_eq!(got.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), want);
    assert_eq!(
        got.iter().map(|(_, layer)| *layer).collect::<Vec<_>>(),
        [true, false, true, false, true, true, false, true]
    );
}

#[test]
fn events_of_several_sources_are_the_last_64_and_a_count() {
    let mut player = shown();
    player.add_layer(LayerOptions::new(Source::Clip(B)));
    player.drain_events();
    player.advance(1000.0);
    let events: Vec<_> = player.drain_events().collect();
    assert_eq!(events.len(), MAX_EVENTS + 1, "and a time update");
    // Passes of 2 s and of 0.5 s.
    assert_eq!(events[0].skipped, 500 + 2000 - MAX_EVENTS as u64);
    assert!(events[1..].iter().all(|event| event.skipped == 0));
}

#[test]
fn phase_sync_layer_keeps_the_phase_of_the_base() {
    let mut player = shown();
    let mut options = LayerOptions::new(Source::Clip(B));
    options.sync = SyncMode::Phase;
    player.add_layer(options);
    for _ in 0..50 {
        player.advance(0.13);
        let parts = parts(&mix(&player));
        assert_eq!(parts[1][0].1 / 0.5, parts[0][0].1 / 2.0);
    }
    player.pause();
    assert!(!player.is_moving());
}

#[test]
fn phase_sync_transition_starts_in_phase_and_the_outgoing_clip_keeps_it() {
    let mut player = shown();
    player.advance(1.5);
    let options =
        TransitionOptions { transition: Some(Transition::Crossfade(0.4)), sync: SyncMode::Phase, at: None };
    player.transition_to(Source::Clip(B), &options);
    assert_eq!(player.position().time, 0.375);
    player.advance(0.1);
    let parts = parts(&mix(&player));
    assert!((parts[0][0].1 / 0.5 - parts[0][1].1 / 2.0).abs() < 1e-12, "{parts:?}");
}

#[test]
fn marker_sync_aligns_markers_of_the_same_names() {
    let mut player = shown();
    let marker = |(name, time): (&str, f64)| Marker { name: name.to_owned(), time };
    player.set_markers(A, &[("left", 0.0), ("right", 0.5), ("wink", 1.0)].map(marker));
    player.set_markers(B, &[("right", 0.1), ("left", 0.4)].map(marker));
    let mut options = LayerOptions::new(Source::Clip(B));
    options.sync = SyncMode::Marker;
    player.add_layer(options);
    for (base, layer) in [(0.0, 0.4), (0.25, 0.5), (0.5, 0.1), (1.25, 0.25)] {
        player.seek(base);
        let time = parts(&mix(&player))[1][0].1;
        assert!((time - layer).abs() < 1e-12, "{base}: {time}, not {layer}");
    }
}

#[test]
fn playback_finishes_once() {
    let mut player = shown();
    player.set_loop_mode(LoopMode::Once);
    let first = player.play(None);
    player.pause();
    assert_eq!(player.play(None), first, "going on is no other playback");
    player.advance(5.0);
    let finished = |player: &mut Player| -> Vec<u64> {
        let events = player.drain_events();
        events.filter(|event| event.kind == EventKind::Finished).map(|event| event.playback).collect()
    };
    assert_eq!(finished(&mut player), [first]);
    let second = player.play(None);
    assert_ne!(second, first);
    player.advance(5.0);
    assert_eq!(finished(&mut player), [second]);
    assert_ne!(player.play(Some(B)), second);
}

#[test]
fn start_time_follows_the_timeline_in_both_directions() {
    let mut player = player();
    player.advance_to(10.0);
    player.base().set_start_time(9.25);
    assert_eq!((player.position().time, player.base().start_time()), (0.75, Some(9.25)));
    player.advance_to(12.5);
    assert_eq!((player.position().time, player.position().passes), (1.25, 1));
    player.advance_to(9.5);
    assert_eq!((player.position().time, player.position().passes), (0.25, 0), "backwards too");
    player.base().set_start_time(11.0);
    player.advance_to(10.5);
    assert_eq!((player.position().time, player.paused(), player.is_moving()), (0.0, false, true));
    player.advance_to(11.5);
    assert_eq!(player.position().time, 0.5);
}

#[test]
fn timeline_set_back_undoes_the_end() {
    let mut player = shown();
    player.set_loop_mode(LoopMode::Once);
    player.advance_to(5.0);
    assert!(player.paused() && player.position().finished);
    player.advance_to(1.5);
    assert!(!player.paused() && player.position().time == 1.5);
}

fn clips(durations: &[f32]) -> Player {
    let clip = |&duration: &f32| Arc::new(Clip { duration, ..Clip::default() });
    let clips: Vec<_> = durations.iter().map(clip).collect();
    Player::new(&clips, 0.0)
}

#[test]
fn blend_space_refuses_invalid_points() {
    let player = clips(&[1.0, 2.0]);
    let error = |points: &[(ClipId, [f32; 2])], sync| player.blend_space(points, sync).expect_err("no space");
    assert_eq!(error(&[], SyncMode::Phase), BlendSpaceError::NoPoints);
    assert_eq!(
        error(&[(ClipId::new(9), [0.0; 2])], SyncMode::Phase),
        BlendSpaceError::UnknownClip { point: 0 }
    );
    let (nan, same) = ([(A, [0.0; 2]), (B, [0.0, f32::NAN])], [(A, [1.0; 2]), (B, [1.0; 2])]);
    assert_eq!(error(&nan, SyncMode::Phase), BlendSpaceError::NotFinite { point: 1 });
    assert_eq!(error(&same, SyncMode::Phase), BlendSpaceError::SamePlace { point: 1 });
    let apart = [(A, [0.0; 2]), (B, [1.0; 2])];
    assert_eq!(error(&apart, SyncMode::Marker), BlendSpaceError::Markers);
}

#[test]
fn blend_space_refuses_markers_that_do_not_match() {
    let mut player = clips(&[1.0, 2.0]);
    let marker = |(name, time): (&str, f64)| Marker { name: name.to_owned(), time };
    let points = [(A, [0.0; 2]), (B, [1.0, 0.0])];
    for (a, b) in [
        (vec![("x", 0.1), ("y", 0.2), ("z", 0.3)], vec![("x", 0.1), ("z", 0.2), ("y", 0.3)]),
        (vec![("x", 0.1), ("x", 0.2)], vec![("x", 0.1)]),
        (vec![("x", 0.0), ("y", 1.0)], vec![("x", 0.0), ("y", 1.0)]),
        (vec![("x", 7.0)], vec![("x", 1.0)]),
    ] {
        player.set_markers(A, &a.into_iter().map(marker).collect::<Vec<_>>());
        player.set_markers(B, &b.into_iter().map(marker).collect::<Vec<_>>());
        assert!(player.blend_space(&points, SyncMode::Marker).is_err());
    }
    player.set_markers(A, &[("x", 0.1), ("only here", 0.5), ("y", 0.8)].map(marker));
    player.set_markers(B, &[("y", 0.5), ("x", 1.5)].map(marker));
    assert!(player.blend_space(&points, SyncMode::Marker).is_ok(), "the order round the loop counts");
}

/// A player of a blend space, and the weights at a position.
fn weights(player: &mut Player, at: [f32; 2]) -> Vec<f64> {
    assert!(player.set_blend_position(None, at, Transition::Cut));
    let Some(Source::Space(space)) = player.source() else { return Vec::new() };
    space.weights().map(|(_, weight)| weight).collect()
}

#[test]
fn blend_space_weights_of_a_line_are_linear_and_exact_at_its_points() {
    let mut player = clips(&[1.0, 2.0, 3.0]);
    let points = [(A, [-1.0, 0.0]), (B, [0.0, 0.0]), (ClipId::new(2), [4.0, 0.0])];
    let space = player.blend_space(&points, SyncMode::Phase).expect("a space");
    player.transition_to(Source::Space(Box::new(space)), &TransitionOptions::default());
    for (at, want) in [
        (-9.0, [1.0, 0.0, 0.0]),
        (-1.0, [1.0, 0.0, 0.0]),
        (-0.25, [0.25, 0.75, 0.0]),
        (0.0, [0.0, 1.0, 0.0]),
        (1.0, [0.0, 0.75, 0.25]),
        (4.0, [0.0, 0.0, 1.0]),
        (f32::INFINITY, [0.0, 0.0, 1.0]),
        (f32::NAN, [0.0, 0.0, 1.0]),
    ] {
        assert_eq!(weights(&mut player, [at, 0.0]), want, "at {at}");
    }
}

#[test]
fn blend_space_weights_of_a_plane_are_continuous_and_sum_to_1() {
    let mut player = clips(&[1.0; 5]);
    let places = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.0, -0.5], [0.3, -1.0]];
    let points: Vec<_> = places.iter().enumerate().map(|(i, &at)| (ClipId::new(i), at)).collect();
    let space = player.blend_space(&points, SyncMode::Phase).expect("a space");
    player.transition_to(Source::Space(Box::new(space)), &TransitionOptions::default());
    for (i, &at) in places.iter().enumerate() {
        let got = weights(&mut player, at);
        assert!(got.iter().enumerate().all(|(j, &weight)| weight == f64::from(u8::from(i == j))), "{got:?}");
    }
    for row in -20_i16..=20 {
        let mut before: Option<Vec<f64>> = None;
        for step in -400_i16..=400 {
            let got = weights(&mut player, [f32::from(step) / 200.0, f32::from(row) / 10.0]);
            assert!((got.iter().sum::<f64>() - 1.0).abs() < 1e-12 && got.iter().all(|&weight| weight >= 0.0));
            for (now, then) in got.iter().zip(before.iter().flatten()) {
                assert!((now - then).abs() < 0.04, "{now} after {then} at {step}, {row}");
            }
            before = Some(got);
        }
    }
}

#[test]
fn blend_space_keeps_its_phase_when_its_duration_changes() {
    let mut player = clips(&[1.0, 2.0]);
    let space = player.blend_space(&[(A, [0.0; 2]), (B, [1.0, 0.0])], SyncMode::Phase).expect("a space");
    player.transition_to(Source::Space(Box::new(space)), &TransitionOptions::default());
    player.advance(0.5);
    assert_eq!(
        (player.duration(), player.clip(), parts(&mix(&player))),
        (1.0, None, vec![vec![(0, 0.5, 1.0)]])
    );
    for position in [0.5, 1.0, 0.25, 0.0, 0.75] {
        player.set_blend_position(None, [position, 0.0], Transition::Cut);
        let duration = f64::from(1.0 + position);
        assert!((player.duration() - duration).abs() < 1e-12);
        assert!((player.position().time - 0.5 * duration).abs() < 1e-12);
    }
    // At 0.75 the clips of 1 s and 2 s have the length 1.75 s.
    player.advance(1.75);
    let parts = parts(&mix(&player));
    assert_eq!(player.position().passes, 1);
    assert!((parts[0][0].1 - 0.5).abs() < 1e-12 && (parts[0][1].1 - 1.0).abs() < 1e-12);
    assert_eq!((parts[0][0].2, parts[0][1].2), (0.25, 0.75));
    player.seek(99.0);
    assert_eq!(player.position().time, player.duration());
}

#[test]
fn blend_space_with_marker_sync_aligns_footsteps() {
    let mut player = clips(&[1.0, 2.0]);
    let marker = |(name, time): (&str, f64)| Marker { name: name.to_owned(), time };
    player.set_markers(A, &[("left", 0.1), ("right", 0.4)].map(marker));
    player.set_markers(B, &[("right", 0.5), ("left", 1.5)].map(marker));
    let space = player.blend_space(&[(A, [0.0; 2]), (B, [1.0, 0.0])], SyncMode::Marker).expect("a space");
    player.transition_to(Source::Space(Box::new(space)), &TransitionOptions::default());
    player.drain_events();
    player.set_blend_position(None, [0.5, 0.0], Transition::Cut);
    // Left to right takes 0.3 s and 1 s, right to left 0.7 s and 1 s.
    let steps = [(0.0, 0.1, 1.5), (0.325, 0.25, 0.0), (0.65, 0.4, 0.5), (1.075, 0.75, 1.0)];
    for (time, a, b) in steps {
        player.seek(time);
        let parts = parts(&mix(&player));
        assert!((parts[0][0].1 - a).abs() < 1e-6 && (parts[0][1].1 % 2.0 - b).abs() < 1e-6, "{parts:?}");
        let before = (parts[0][0].1, parts[0][1].1);
        player.set_blend_position(None, [0.9, 0.0], Transition::Cut);
        let parts = self::parts(&mix(&player));
        assert!((parts[0][0].1 - before.0).abs() < 1e-9 && (parts[0][1].1 - before.1).abs() < 1e-9);
        player.set_blend_position(None, [0.5, 0.0], Transition::Cut);
    }
    player.seek(0.3);
    player.drain_events();
    player.advance(1.5);
    let mut told: Vec<(String, f64)> = Vec::new();
    for event in player.drain_events() {
        if let EventKind::Marker { name } = event.kind {
            told.push((name.to_string(), event.time));
        }
    }
    assert_eq!(told.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["right", "left"]);
    assert!((told[0].1 - 0.65).abs() < 1e-6, "{told:?}");
}

#[test]
fn equal_blend_position_weight_mask_or_mode_changes_no_bit_of_the_player() {
    let mut player = clips(&[1.0, 2.0]);
    let space = player.blend_space(&[(A, [0.0, 0.0]), (B, [1.0, 0.0])], SyncMode::Phase).expect("a space");
    player.transition_to(Source::Space(Box::new(space)), &TransitionOptions::default());
    player.set_blend_position(None, [0.3, 0.0], Transition::Cut);
    let mask = Rc::new(JointMask::new(&[1.0, 0.5, 0.0]));
    let options =
        LayerOptions { weight: 0.7, mask: Some(Rc::clone(&mask)), ..LayerOptions::new(Source::Clip(B)) };
    let layer = player.add_layer(options);
    player.presented();
    // During the transition of the layer, and after it.
    for _ in 0..9 {
        player.advance(0.1);
        let before = format!("{player:?}");
        assert!(player.set_blend_position(None, [0.3, 0.0], Transition::Inertial(0.5)));
        assert!(player.set_layer_weight(layer, 0.7, Some(Transition::Inertial(0.5))));
        assert!(player.set_layer_mask(layer, Some(Rc::new((*mask).clone())), None));
        assert!(player.set_layer_mode(layer, LayerMode::Override, None));
        assert_eq!(format!("{player:?}"), before);
    }
    assert!(!player.set_blend_position(Some(layer), [0.3, 0.0], Transition::Cut), "it plays a clip");
    player.set_layer_weight(layer, 0.2, Some(Transition::Crossfade(1.0)));
    player.advance(0.5);
    let before = format!("{player:?}");
    assert!(player.set_layer_weight(layer, 0.2, Some(Transition::Cut)));
    assert!(format!("{player:?}") != before, "a weight that still fades is set");
}
