//! Scripts of calls to a player, made of arbitrary bytes.

use crate::model::{Kind, ModelPlayer, RATE_UNIT, TICKS};
use crate::supply::Supply;
use gambol::animation::{EventKind, LoopMode, Player};
use gambol::model::{Clip, ClipId, Curve, Interpolation};

/// A script of calls: on two players side by side, the real one and the one of the tests, with numbers that both
/// compute exactly; then on the real one alone, with numbers of any kind.
pub(crate) fn run(bytes: &[u8]) {
    let mut supply = Supply(bytes);
    if supply.byte() == 0 { wild(&mut supply) } else { side_by_side(&mut supply) }
}

/// Ticks of the clips of the tests; their frames are 1/32 s.
const LENGTHS: [i64; 4] = [2 * TICKS, TICKS / 2, 0, 3 * TICKS / 4];
const FRAME: i64 = TICKS / 32;
const MODES: [LoopMode; 3] = [LoopMode::Once, LoopMode::Repeat, LoopMode::PingPong];

fn clips() -> Vec<Clip> {
    let clip = |&length: &i64| {
        let duration = (length as f64 / TICKS as f64) as f32;
        let times = vec![0.0, 1.0 / 32.0, 2.0 / 32.0, 3.0 / 32.0];
        let curve = Curve::new(Interpolation::Step, 3, times, vec![0.0; 12]).expect("a good curve");
        Clip { duration, curves: vec![curve], ..Clip::default() }
    };
    LENGTHS.iter().map(clip).collect()
}

fn side_by_side(supply: &mut Supply<'_>) {
    let (mut player, mut model) = (Player::new(&clips()), ModelPlayer::new(&LENGTHS, FRAME));
    let seconds = |ticks: i64| ticks as f64 / TICKS as f64;
    for call in 0..200 {
        if supply.0.is_empty() {
            break;
        }
        let (kind, number) = (supply.below(12), i64::from(supply.byte()));
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
                // Long, so that passes and even events are left out.
                player.advance(seconds(number * TICKS / 4));
                model.advance(number * TICKS / 4);
            }
            _ => {
                player.advance(seconds(number * TICKS / 256));
                model.advance(number * TICKS / 256);
            }
        }
        let position = player.position();
        let got = (position.time, position.passes, position.backwards, position.finished, player.paused());
        let want = (model.time(), model.passes, model.turned, model.finished, model.paused);
        assert_eq!(got, want, "after call {call}, kind {kind} with {number}");
        assert_eq!(player.clip(), Some(ClipId::new(model.clip)));
        let kind_of = |kind| match kind {
            EventKind::Play => Kind::Play,
            EventKind::Pause => Kind::Pause,
            EventKind::Seeking => Kind::Seeking,
            EventKind::Seeked => Kind::Seeked,
            EventKind::TimeUpdate => Kind::TimeUpdate,
            EventKind::Loop { iteration } => Kind::Loop(iteration),
            EventKind::Finished => Kind::Finished,
            EventKind::ClipChange { from, to } => {
                let index = |clip: Option<ClipId>| clip.map_or(usize::MAX, ClipId::index);
                Kind::ClipChange(index(from), index(to))
            }
            EventKind::RateChange => Kind::RateChange,
        };
        let got: Vec<_> = player
            .drain_events()
            .iter()
            .map(|event| (kind_of(event.kind), event.time, event.skipped))
            .collect();
        assert_eq!(got, std::mem::take(&mut model.events), "call {call}, kind {kind} with {number}");
    }
}

fn wild(supply: &mut Supply<'_>) {
    let duration = supply.double().abs() as f32;
    let mut clips = clips();
    clips[0].duration = if duration.is_finite() { duration } else { 1e-45 };
    clips.truncate(supply.below(5));
    let mut player = Player::new(&clips);
    for _ in 0..200 {
        if supply.0.is_empty() {
            break;
        }
        let before = player.position();
        let kind = supply.below(10);
        match kind {
            0 => player.play(None),
            1 => player.pause(),
            2 => player.seek(supply.double()),
            3 => player.set_rate(supply.double()),
            4 => player.set_loop_mode(MODES[supply.below(3)]),
            5 => player.set_repetitions(supply.double()),
            6 => player.step(supply.word().cast_signed()),
            7 if !clips.is_empty() => player.choose(Some(ClipId::new(supply.below(clips.len())))),
            8 => player.stop(),
            _ => player.advance(supply.double()),
        }
        let after = player.position();
        assert!((0.0..=player.duration()).contains(&after.time), "{after:?} after call {kind}");
        if matches!(kind, 1 | 3 | 4 | 5) {
            assert_eq!(after.time, before.time, "call {kind} moves the playhead");
        }
        assert!(player.drain_events().len() <= 70);
    }
}
