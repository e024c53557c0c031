//! Scripts of calls to a player, from arbitrary bytes.

use super::model::{Kind, ModelPlayer, RATE_UNIT, TICKS};
use crate::fuzzing::supply::Supply;
use gambol::animation::{
    EventKind, LayerOptions, LoopMode, Mix, Player, Source, SyncMode, Transition, TransitionOptions,
};
use gambol::model::{Clip, ClipId, Curve, Interpolation, Marker};
use std::sync::Arc;

/// Runs a script of calls on the real player and the independent one, with numbers that both compute exactly. Some
/// scripts run on the real one alone, with arbitrary numbers.
pub(crate) fn run(bytes: &[u8]) {
    let mut supply = Supply(bytes);
    if supply.byte() == 0 { wild(&mut supply) } else { side_by_side(&mut supply) }
}

/// The lengths of the clips in ticks; their frames are 1/32 s.
const LENGTHS: [i64; 4] = [2 * TICKS, TICKS / 2, 0, 3 * TICKS / 4];
/// The times of their markers in ticks: at the ends, twice at one time, after the end, none.
const MARKERS: [&[i64]; 4] = [&[0, TICKS / 2, TICKS / 2, 2 * TICKS], &[TICKS / 8], &[0, TICKS], &[]];
const FRAME: i64 = TICKS / 32;
const MODES: [LoopMode; 3] = [LoopMode::Once, LoopMode::Repeat, LoopMode::PingPong];

fn clips() -> Vec<Arc<Clip>> {
    let clip = |(&length, ticks): (&i64, &&[i64])| {
        let duration = (length as f64 / TICKS as f64) as f32;
        let times = vec![0.0, 1.0 / 32.0, 2.0 / 32.0, 3.0 / 32.0];
        let curve = Curve::new(Interpolation::Step, 3, times, vec![0.0; 12]).expect("a good curve");
        let marker = |(i, ticks): (usize, &i64)| Marker { name: i.to_string(), time: seconds(*ticks) };
        let markers = ticks.iter().enumerate().map(marker).collect();
        Arc::new(Clip { duration, curves: vec![curve], markers, ..Clip::default() })
    };
    LENGTHS.iter().zip(&MARKERS).map(clip).collect()
}

fn seconds(ticks: i64) -> f64 {
    ticks as f64 / TICKS as f64
}

fn side_by_side(supply: &mut Supply<'_>) {
    let mut player = Player::new(&clips(), 0.0);
    let mut model = ModelPlayer::new(&LENGTHS, &MARKERS.map(<[i64]>::to_vec), FRAME);
    for call in 0..200 {
        if supply.0.is_empty() {
            break;
        }
        let (kind, number) = (supply.below(16), i64::from(supply.byte()));
        match kind {
            0 => {
                let clip = (number % 3 == 0).then_some(number as usize % 4);
                player.play(clip.map(ClipId::new));
                model.play(clip);
            }
            1 => {
                player.pause();
                model.pause();
            }
            2 => {
                let ticks = (number - 16) * TICKS / 64;
                player.seek(seconds(ticks));
                model.seek(ticks);
            }
            3 => {
                let quarters = number % 33 - 16;
                player.set_rate(quarters as f64 * RATE_UNIT);
                model.set_rate(quarters);
            }
            4 => {
                let mode = MODES[number as usize % 3];
                player.set_loop_mode(mode);
                model.set_passes(mode, model.repetitions());
            }
            5 => {
                let repetitions = (number % 8 != 0).then_some(number as u64 % 8);
                player.set_repetitions(repetitions.map_or(f64::INFINITY, |n| n as f64));
                model.set_passes(model.mode(), repetitions);
            }
            6 => {
                player.step((number - 128) as i32 / 16);
                model.step((number - 128) / 16);
            }
            7 if number < 32 => {
                player.stop();
                model.stop();
            }
            7 => {
                player.choose(Some(ClipId::new(number as usize % 4)));
                model.choose(number as usize % 4);
            }
            8 => {
                player.presented();
                model.presented();
            }
            9 => {
                // A long step, in which passes and even events are dropped.
                player.advance(seconds(number * TICKS / 4));
                model.advance_to(model.clock + number * TICKS / 4);
            }
            10 => {
                // Sets the clock to any time, mostly an earlier one.
                let ticks = model.clock + (number - 192) * TICKS / 32;
                player.advance_to(seconds(ticks));
                model.advance_to(ticks);
            }
            11 if number < 64 => {
                let ticks = model.clock + (number - 48) * TICKS / 16;
                player.base().set_start_time(seconds(ticks));
                model.set_start_time(ticks);
            }
            11 => {
                player.scrub((number - 96) as f64 / 64.0);
                model.scrub(number - 96);
            }
            12 => {
                let (begin, end) = (number % 16 * TICKS / 8 - TICKS / 8, number / 16 * TICKS / 8);
                player.set_segment(Some(seconds(begin)..seconds(end)));
                model.set_segment(begin, end);
            }
            _ => {
                player.advance(seconds(number * TICKS / 256));
                model.advance_to(model.clock + number * TICKS / 256);
            }
        }
        let position = player.position();
        let got = (position.time, position.passes, position.backwards, position.finished, player.paused());
        let place = model.place;
        let want = (model.time(), place.passes, place.turned, place.finished, model.paused());
        assert_eq!(got, want, "after call {call}, kind {kind} with {number}");
        assert_eq!(player.clip(), Some(ClipId::new(model.clip)));
        assert_eq!(player.base().playback(), model.playback, "after call {call}, kind {kind}");
        // Division by powers of two does not round.
        if player.rate().abs().log2().fract() == 0.0 {
            assert_eq!(player.base().start_time(), model.start_time(), "after call {call}, kind {kind}");
        }
        let kind_of = |kind: &EventKind| match *kind {
            EventKind::Play => Kind::Play,
            EventKind::Pause => Kind::Pause,
            EventKind::Seeking => Kind::Seeking,
            EventKind::Seeked => Kind::Seeked,
            EventKind::TimeUpdate => Kind::TimeUpdate,
            EventKind::Marker { ref name } => Kind::Marker(name.parse().expect("a number")),
            EventKind::Loop { iteration } => Kind::Loop(iteration),
            EventKind::Finished => Kind::Finished,
            EventKind::ClipChange { from, to } => {
                let index = |clip: Option<ClipId>| clip.map_or(usize::MAX, ClipId::index);
                Kind::ClipChange(index(from), index(to))
            }
            EventKind::RateChange => Kind::RateChange,
            EventKind::State { .. } => unreachable!("the player has no state machine"),
        };
        let got: Vec<_> = player
            .drain_events()
            .map(|event| (kind_of(&event.kind), event.time, event.skipped, event.playback))
            .collect();
        assert_eq!(got, std::mem::take(&mut model.events), "call {call}, kind {kind} with {number}");
    }
}

fn wild(supply: &mut Supply<'_>) {
    let duration = supply.double().abs() as f32;
    let mut clips = clips();
    Arc::make_mut(&mut clips[0]).duration = if duration.is_finite() { duration } else { 1e-45 };
    clips.truncate(supply.below(5));
    let mut player = Player::new(&clips, supply.double());
    for _ in 0..200 {
        if supply.0.is_empty() {
            break;
        }
        let before = player.position();
        let kind = supply.below(20);
        match kind {
            0 => _ = player.play(None),
            1 => player.pause(),
            2 => player.seek(supply.double()),
            3 => player.set_rate(supply.double()),
            4 => player.set_loop_mode(MODES[supply.below(3)]),
            5 => player.set_repetitions(supply.double()),
            6 => player.step(supply.word().cast_signed()),
            7 if !clips.is_empty() => player.choose(Some(ClipId::new(supply.below(clips.len())))),
            8 => player.stop(),
            9 => player.advance_to(supply.double()),
            10 => player.scrub(supply.double()),
            11 => player.base().set_start_time(supply.double()),
            12 => player.set_segment(Some(supply.double()..supply.double())),
            13 => player.set_transition(transition(supply)),
            14 if !clips.is_empty() => add_layer(&mut player, clips.len(), supply),
            15 => _ = player.remove_layer(supply.below(4) as u32, Some(transition(supply))),
            16 => _ = player.set_layer_weight(supply.below(4) as u32, supply.float(), None),
            17 if !clips.is_empty() => {
                let at = Some(supply.double()).filter(|_| supply.below(2) == 0);
                let (transition, sync) = (Some(transition(supply)), SYNCS[supply.below(3)]);
                let source = source(&player, clips.len(), supply);
                player.transition_to(source, &TransitionOptions { transition, sync, at });
            }
            18 => {
                let layer = Some(supply.below(4) as u32).filter(|&id| id > 0);
                let transition = transition(supply);
                player.set_blend_position(layer, [supply.float(), supply.float()], transition);
            }
            _ => player.advance(supply.double()),
        }
        let after = player.position();
        assert!((0.0..=player.duration()).contains(&after.time), "{after:?} after call {kind}");
        if matches!(kind, 1 | 3 | 4 | 5 | 12) {
            assert_eq!(after.time, before.time, "call {kind} moves the playhead");
        }
        // Seeks and layers add a few events to those of an advance.
        assert!(player.drain_events().len() <= 70);
        if supply.below(4) == 0 {
            player.presented();
        }
        check_mixes(&mut player, &clips, supply);
    }
}

const SYNCS: [SyncMode; 3] = [SyncMode::None, SyncMode::Phase, SyncMode::Marker];

fn transition(supply: &mut Supply<'_>) -> Transition {
    match supply.below(4) {
        0 => Transition::Cut,
        1 => Transition::Crossfade(supply.double()),
        2 => Transition::Inertial(supply.double()),
        _ => Transition::Inertial(0.25),
    }
}

/// A clip, or a blend space of several.
fn source(player: &Player, clips: usize, supply: &mut Supply<'_>) -> Source {
    let clip = ClipId::new(supply.below(clips));
    if supply.below(2) == 0 {
        return Source::Clip(clip);
    }
    let points: Vec<_> = (0..supply.below(4))
        .map(|_| (ClipId::new(supply.below(clips)), [supply.float(), supply.float()]))
        .collect();
    let space = player.blend_space(&points, SYNCS[supply.below(3)]);
    space.map_or(Source::Clip(clip), |space| Source::Space(Box::new(space)))
}

fn add_layer(player: &mut Player, clips: usize, supply: &mut Supply<'_>) {
    if player.layers().count() < 3 {
        let mut options = LayerOptions::new(source(player, clips, supply));
        (options.weight, options.sync) = (supply.float(), SYNCS[supply.below(3)]);
        options.transition = Some(transition(supply));
        player.add_layer(options);
    }
}

/// Checks that times are within the clips, and the weights of a layer sum to 1: now, and in all mixes of a transition.
fn check_mixes(player: &mut Player, clips: &[Arc<Clip>], supply: &mut Supply<'_>) {
    let mut mix = Mix::default();
    player.mix_at(player.now(), &mut mix);
    let mut mixes = vec![mix];
    if supply.below(3) == 0
        && let Some(change) = player.take_transition()
    {
        assert!(change.cut || change.duration > 0.0, "{change:?}");
        if change.duration > 0.0 {
            mixes.extend(change.before);
            mixes.extend([change.probe, change.after]);
        }
    }
    for mix in mixes {
        for layer in &mix.layers {
            let parts = &mix.contributions[layer.contributions.clone()];
            assert!(layer.weight.is_finite() && layer.weight != 0.0, "{layer:?}");
            for part in parts {
                let end = f64::from(clips[part.clip.index()].duration);
                assert!((0.0..=end).contains(&part.time), "{part:?} in a clip of {end} s");
            }
            let sum: f32 = parts.iter().map(|part| part.weight).sum();
            assert!(clips.is_empty() || (sum - 1.0).abs() < 1e-5, "{parts:?}");
        }
    }
}
