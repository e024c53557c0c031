//! Flip-books: textures that are animated by cells.

use super::player::{LoopMode, Player};
use crate::base::feature;
use crate::model::{MaterialId, TextureCell};
use std::rc::Rc;

/// The fraction of a cell's duration by which it begins early. So a time such as 29 / 100 s selects cell 29, although the
/// product with 100 is rounded to less.
const EARLY: f64 = 1e-6;

/// An animation by the cells of a texture. The cell is a pure function of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flipbook {
    /// The number of columns of the textures.
    pub columns: u32,
    /// The number of rows of the textures.
    pub rows: u32,
    /// The index of the first cell, from the upper left by rows.
    pub first: u32,
    /// The number of cells.
    pub frames: u32,
    /// Cells per second; negative plays backwards, from the last cell.
    pub fps: f64,
    /// The behaviour at the end.
    pub loop_mode: LoopMode,
    /// The clock.
    pub clock: FlipbookClock,
}

/// The clock of a [`Flipbook`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlipbookClock {
    /// The timeline, from the time at which the flip-book was set.
    #[default]
    Timeline,
    /// The playhead of the actor's base, in seconds of the clip.
    Clip,
}

impl Flipbook {
    /// `true` if it has cells, all of them are in the textures, and its rate is finite.
    pub fn is_valid(&self) -> bool {
        let cells = u64::from(self.columns) * u64::from(self.rows);
        let end = u64::from(self.first) + u64::from(self.frames);
        self.frames > 0 && end <= cells && cells <= u64::from(u32::MAX) && self.fps.is_finite()
    }

    /// The index of the cell at a time in seconds, also before 0; see [`TextureCell::index`].
    pub fn cell(&self, time: f64) -> u32 {
        let frames = f64::from(self.frames.max(1));
        let passed = (time * self.fps.abs() + EARLY).floor();
        let frame = match self.loop_mode {
            LoopMode::Once => passed,
            LoopMode::Repeat => passed.rem_euclid(frames),
            LoopMode::PingPong => {
                // The first and the last cell are shown once in each turn.
                let turn = (2.0 * frames - 2.0).max(1.0);
                let at = passed.rem_euclid(turn);
                if at < frames { at } else { turn - at }
            }
        };
        // A time that is not finite has the first cell.
        let frame = if frame > 0.0 { frame.min(frames - 1.0) } else { 0.0 };
        let frame = if self.fps < 0.0 { frames - 1.0 - frame } else { frame };
        self.first + frame as u32
    }

    /// `true` if a later time has another cell.
    fn moves(&self, time: f64) -> bool {
        let ends = self.loop_mode == LoopMode::Once && time * self.fps.abs() >= f64::from(self.frames) - 1.0;
        self.frames > 1 && self.fps != 0.0 && !ends
    }
}

/// The flip-books of an actor.
///
/// They are behind a counted pointer, so that few bytes of the first WebAssembly module copy and drop them. See
/// docs/design/size.md.
#[derive(Debug, Clone, Default)]
pub struct Flipbooks(Option<Rc<Pages>>);

#[derive(Debug, Clone, Default)]
pub(crate) struct Pages {
    list: Vec<Placed>,
    /// The cells at the last update.
    cells: Vec<TextureCell>,
    /// The time of a still, in place of that of the clocks.
    still: Option<f64>,
}

/// A flip-book of a material.
#[derive(Debug, Clone, Copy)]
struct Placed {
    material: MaterialId,
    flipbook: Flipbook,
    /// The time of the timeline at which it begins.
    begin: f64,
}

feature! {
    list for_sprites;
    fn turn_pages(pages: &mut Rc<Pages>, player: &mut Player) = |pages, player| Rc::make_mut(pages).update(player);
    fn pages_move(pages: &Pages, player: &Player) -> bool = Pages::moves;
}

impl Flipbooks {
    /// Sets the flip-book of a material, which begins at `now` of the timeline; `None` ends it. A flip-book that is not
    /// [valid](Flipbook::is_valid) only ends the one before.
    pub fn set(&mut self, material: MaterialId, flipbook: Option<Flipbook>, now: f64) {
        let pages = Rc::make_mut(self.0.get_or_insert_default());
        pages.list.retain(|placed| placed.material != material);
        if let Some(flipbook) = flipbook.filter(Flipbook::is_valid) {
            pages.list.push(Placed { material, flipbook, begin: now });
        }
        pages.cells.clear();
        if pages.list.is_empty() {
            self.0 = None;
        }
    }

    /// `true` without flip-books.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The cells at the last update.
    pub fn cells(&self) -> &[TextureCell] {
        self.0.as_ref().map_or(&[], |pages| &pages.cells)
    }

    /// Shows the cells at a time in seconds from their beginning, whatever the clocks are.
    pub fn show_at(&mut self, time: f64) {
        if let Some(pages) = &mut self.0 {
            Rc::make_mut(pages).still = Some(time);
        }
    }

    /// Follows the timeline, which was rebased to a time `seconds` later.
    pub fn shift(&mut self, seconds: f64) {
        if let Some(pages) = &mut self.0 {
            let pages = Rc::make_mut(pages);
            pages.list.iter_mut().for_each(|placed| placed.begin += seconds);
        }
    }

    /// Computes the cells at the player's time.
    pub(crate) fn update(&mut self, player: &mut Player) {
        if let Some(pages) = &mut self.0 {
            turn_pages(pages, player);
        }
    }

    /// `true` if time alone changes a cell.
    pub(crate) fn move_at(&self, player: &Player) -> bool {
        self.0.as_ref().is_some_and(|pages| pages_move(pages, player))
    }
}

impl Pages {
    fn update(&mut self, player: &mut Player) {
        let (now, playhead) = (player.now(), player.base().position().time);
        self.cells.clear();
        self.cells.extend(self.list.iter().map(|&Placed { material, flipbook, begin }| {
            let time = self.still.unwrap_or(match flipbook.clock {
                FlipbookClock::Timeline => now - begin,
                FlipbookClock::Clip => playhead,
            });
            let Flipbook { columns, rows, .. } = flipbook;
            TextureCell { material, columns, rows, index: flipbook.cell(time) }
        }));
    }

    fn moves(&self, player: &Player) -> bool {
        let own = |placed: &&Placed| placed.flipbook.clock == FlipbookClock::Timeline;
        self.list.iter().filter(own).any(|placed| placed.flipbook.moves(player.now() - placed.begin))
    }
}
