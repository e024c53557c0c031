//! Flip-books: the cell of a time against rational arithmetic.

use crate::common::random::Random;
use gambol::animation::{Actor, Flipbook, FlipbookClock, LoopMode, Rig};
use gambol::model::{Clip, ClipId, MaterialId, Model, Node, TextureCell};
use std::rc::Rc;

const BOOK: Flipbook = Flipbook {
    columns: 4,
    rows: 2,
    first: 1,
    frames: 6,
    fps: 10.0,
    loop_mode: LoopMode::Repeat,
    clock: FlipbookClock::Timeline,
};

/// The cell at `numerator / 1000` seconds with `rate / 7` cells per second, by walking through the cells.
fn walked(book: &Flipbook, numerator: i128, rate: i128) -> u32 {
    let passed = (numerator * rate.abs()).div_euclid(7 * 1000);
    let ahead = 0..i128::from(book.frames);
    let turn: Vec<i128> = match book.loop_mode {
        LoopMode::PingPong => ahead.clone().chain((1..i128::from(book.frames) - 1).rev()).collect(),
        _ => ahead.clone().collect(),
    };
    let at = match book.loop_mode {
        LoopMode::Once => passed.clamp(0, turn.len() as i128 - 1),
        _ => passed.rem_euclid(turn.len() as i128),
    };
    let frame = turn[at as usize];
    let frame = if rate < 0 { i128::from(book.frames) - 1 - frame } else { frame };
    book.first + frame as u32
}

#[test]
fn flipbook_cell_equals_rational_arithmetic() {
    let mut random = Random(12);
    for loop_mode in [LoopMode::Once, LoopMode::Repeat, LoopMode::PingPong] {
        for round in 0..20_000 {
            let frames = 1 + random.below(6) as u32;
            // Every third time is exactly at the beginning of a cell.
            let rate = [30 * 7, -24 * 7, 100 * 7, 1, -5, 60 * 7, 0][random.below(7)];
            let cell = i128::from(random.below(4000) as u32) - 2000;
            let numerator = match (round % 3, rate) {
                (0, _) if rate != 0 && (cell * 7000) % rate == 0 => cell * 7000 / i128::abs(rate),
                _ => i128::from(random.below(200_000) as u32) - 100_000,
            };
            let book = Flipbook { frames, loop_mode, fps: rate as f64 / 7.0, ..BOOK };
            assert_eq!(
                book.cell(numerator as f64 / 1000.0),
                walked(&book, numerator, rate),
                "{book:?} at {numerator} ms"
            );
        }
    }
    // Times that f64 rounds down: 0.29 · 100 is 28.999….
    let many = Flipbook { columns: 50, rows: 2, first: 0, frames: 100, fps: 100.0, ..BOOK };
    for cell in 0..100 {
        assert_eq!(many.cell(f64::from(cell) / 100.0), cell);
    }
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!((1..7).contains(&BOOK.cell(odd)));
    }
}

#[test]
fn flipbook_with_invalid_numbers_is_not_valid() {
    assert!(BOOK.is_valid());
    for invalid in [
        Flipbook { columns: 0, ..BOOK },
        Flipbook { rows: 0, ..BOOK },
        Flipbook { frames: 0, ..BOOK },
        Flipbook { frames: 8, ..BOOK },
        Flipbook { first: 8, frames: 1, ..BOOK },
        Flipbook { first: u32::MAX, frames: u32::MAX, ..BOOK },
        Flipbook { columns: u32::MAX, rows: u32::MAX, ..BOOK },
        Flipbook { fps: f64::NAN, ..BOOK },
        Flipbook { fps: f64::INFINITY, ..BOOK },
    ] {
        assert!(!invalid.is_valid(), "{invalid:?}");
        let mut actor = actor();
        actor.flipbooks.set(MaterialId::new(0), Some(invalid), 0.0);
        assert!(actor.flipbooks.is_empty());
    }
}

#[test]
fn flipbook_cell_is_a_part_of_the_texture() {
    let cell = TextureCell { material: MaterialId::new(0), columns: 4, rows: 2, index: 6 };
    // A transform that swaps U and V, and moves by half an image.
    let [u, v] = cell.of_rows([[0.0, 1.0, 0.5], [1.0, 0.0, 0.0]]);
    assert_eq!((u, v), ([0.0, 0.25, 0.625], [0.5, 0.0, 0.5]));
}

fn actor() -> Actor {
    let clip = Clip { duration: 2.0, ..Clip::default() };
    let model = Model { nodes: vec![Node::default()], clips: vec![clip.into()], ..Model::default() };
    Actor::new(&model, Rc::new(Rig::new(&model)))
}

fn index(actor: &mut Actor) -> u32 {
    actor.update();
    actor.flipbooks.cells()[0].index
}

#[test]
fn flipbook_follows_the_timeline_from_its_beginning() {
    let mut actor = actor();
    actor.player.advance_to(5.0);
    actor.flipbooks.set(MaterialId::new(0), Some(BOOK), 5.0);
    assert_eq!(index(&mut actor), 1);
    assert!(actor.is_moving(), "also while the clip is paused");
    for (time, cell) in [(5.25, 3), (5.55, 6), (5.65, 1), (4.95, 6), (5.05, 1)] {
        actor.player.advance_to(time);
        assert_eq!(index(&mut actor), cell, "at {time}");
    }
    // The timeline is rebased, and nothing moves.
    actor.player.set_clock(100.0);
    actor.flipbooks.shift(100.0 - 5.05);
    assert_eq!(index(&mut actor), 1);
    actor.player.advance_to(100.2);
    assert_eq!(index(&mut actor), 3);
    actor.flipbooks.show_at(0.4);
    assert_eq!(index(&mut actor), 5, "a still has its own time");
}

#[test]
fn flipbook_follows_the_playhead() {
    let mut actor = actor();
    let book = Flipbook { clock: FlipbookClock::Clip, ..BOOK };
    actor.flipbooks.set(MaterialId::new(0), Some(book), 0.0);
    assert!(!actor.is_moving(), "the clip is paused");
    actor.player.play(Some(ClipId::new(0)));
    actor.player.advance_to(0.25);
    assert_eq!(index(&mut actor), 3);
    actor.player.base().set_rate(-1.0);
    actor.player.advance_to(0.4);
    assert_eq!(index(&mut actor), 2, "backwards");
    actor.player.base().seek(0.51);
    assert_eq!(index(&mut actor), 6);
    actor.player.pause();
    actor.player.advance_to(9.0);
    assert_eq!(index(&mut actor), 6, "paused");
}

#[test]
fn flipbook_that_has_ended_does_not_move() {
    let mut actor = actor();
    let once = Flipbook { loop_mode: LoopMode::Once, ..BOOK };
    actor.flipbooks.set(MaterialId::new(0), Some(once), 0.0);
    actor.player.advance_to(0.45);
    assert!(actor.is_moving());
    actor.player.advance_to(0.55);
    assert_eq!((index(&mut actor), actor.is_moving()), (6, false));
    for still in [Flipbook { fps: 0.0, ..BOOK }, Flipbook { frames: 1, ..BOOK }] {
        actor.flipbooks.set(MaterialId::new(0), Some(still), 0.0);
        assert_eq!((index(&mut actor), actor.is_moving()), (1, false));
    }
    actor.flipbooks.set(MaterialId::new(0), None, 0.0);
    actor.update();
    assert!(actor.flipbooks.is_empty() && actor.flipbooks.cells().is_empty());
}
