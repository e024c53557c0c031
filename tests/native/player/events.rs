//! Events do not depend on the steps in which time advances: none is lost, and none occurs twice.

use crate::common::random::Random;
use gambol::animation::{EventKind, LayerOptions, LoopMode, Player, Source};
use gambol::model::{Clip, ClipId, Marker};
use std::sync::Arc;

/// An event, except `TimeUpdate`, which depends on the steps.
type Told = (EventKind, f64, Option<u32>);

fn told(player: &mut Player) -> (Vec<Told>, u64) {
    let mut skipped = 0;
    let mut list = Vec::new();
    for event in player.drain_events() {
        skipped += event.skipped;
        if event.kind != EventKind::TimeUpdate {
            list.push((event.kind, event.time, event.layer));
        }
    }
    (list, skipped)
}

/// A number whose sums are always rounded.
fn fraction(random: &mut Random) -> f64 {
    random.below(100_000) as f64 / 99_991.0
}

fn player(random: &mut Random, layers: bool) -> Player {
    let clip = |random: &mut Random| {
        let duration = (0.05 + 2.0 * fraction(random)) as f32;
        let marker = |i: usize, random: &mut Random| {
            let place = [0.0, 1.0, fraction(random)][random.below(3)];
            Marker { name: i.to_string(), time: place * f64::from(duration) }
        };
        let markers = (0..random.below(5)).map(|i| marker(i, random)).collect();
        Clip { duration, markers, ..Clip::default() }
    };
    let clips = [clip(random), clip(random)].map(Arc::new);
    let mut player = Player::new(&clips, fraction(random));
    if layers {
        player.add_layer(LayerOptions::new(Source::Clip(ClipId::new(1))));
    }
    let mut transports = vec![None];
    transports.extend(layers.then_some(Some(1)));
    for layer in transports {
        let mode = [LoopMode::Once, LoopMode::Repeat, LoopMode::PingPong][random.below(3)];
        let (rate, from) = (6.0 * fraction(random) - 3.0, 2.0 * fraction(random));
        let mut transport = match layer {
            None => player.base(),
            Some(id) => player.layer(id).expect("a layer"),
        };
        if random.below(2) == 0 {
            transport.set_segment(Some(fraction(random)..2.0 * fraction(random)));
        }
        transport.set_loop_mode(mode);
        transport.set_rate(rate);
        transport.seek(from);
        if random.below(2) == 0 {
            transport.set_repetitions(1.0 + random.below(4) as f64);
        }
        transport.play();
    }
    player.drain_events();
    player
}

#[test]
fn events_of_small_steps_equal_those_of_one_large_step() {
    let mut random = Random(11);
    for case in 0..3000 {
        let layers = case % 2 == 1;
        let mut small = player(&mut random, layers);
        let mut big = small.clone();
        let end = small.now() + 0.1 + 9.0 * fraction(&mut random);
        let mut steps = Vec::new();
        let mut left_out = 0;
        while small.now() < end {
            let step = (0.5 * fraction(&mut random)).max(1e-3);
            small.advance_to((small.now() + step).min(end));
            let (list, skipped) = told(&mut small);
            left_out += skipped;
            steps.extend(list);
        }
        big.advance_to(end);
        let (list, skipped) = told(&mut big);
        let total = steps.len() as u64 + left_out;
        assert_eq!((list.len() as u64 + skipped, list.len() as u64), (total, total.min(64)), "{case}");
        // A segment may be so short that one small step has too many events.
        if left_out > 0 {
            continue;
        }
        // Events of several sources at the same time have no order.
        for layer in [None, Some(1)] {
            let of = |list: &[Told]| list.iter().filter(|told| told.2 == layer).cloned().collect::<Vec<_>>();
            let (list, steps) = (of(&list), of(&steps));
            assert_eq!(list, steps[steps.len() - list.len()..], "case {case}");
        }
    }
}

#[test]
fn events_of_one_advance_are_in_time_order() {
    let mut random = Random(12);
    for _ in 0..500 {
        let mut player = player(&mut random, true);
        let begin = player.now();
        let mut fine = player.clone();
        player.advance_to(begin + 1.0);
        let (list, _) = told(&mut player);
        // The step of 1/512 s in which each event occurs.
        let mut order: Vec<(Told, usize)> = Vec::new();
        for step in 1..=512_u16 {
            fine.advance_to(begin + f64::from(step) / 512.0);
            order.extend(told(&mut fine).0.into_iter().map(|told| (told, usize::from(step))));
        }
        let mut steps = Vec::new();
        // From the end, since the first ones may be dropped.
        for told in list.iter().rev() {
            let i = order.iter().rposition(|(other, _)| other == told).expect("the same events");
            steps.push(order.remove(i).1);
        }
        assert!(steps.is_sorted_by(|a, b| a >= b), "{list:?}");
    }
}
