//! What a frame costs: counted where it happens.

use super::{DrawRange, Gl};
use std::cell::Cell;

/// What GL was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Draw calls.
    pub draws: u32,
    /// Triangles, before anything is left out of the picture.
    pub triangles: u32,
    /// Changes of state of all kinds, among them the three below. What is set already is not set again.
    pub states: u32,
    /// Changes of the program.
    pub programs: u32,
    /// Changes of textures.
    pub textures: u32,
    /// Changes of where vertices come from, and of uniform blocks.
    pub buffers: u32,
    /// Bytes of vertices, indices, uniforms and texels that were handed over.
    pub uploaded: u32,
}

/// One of the counters, in their order there.
#[derive(Clone, Copy)]
pub(super) enum Spent {
    Draws,
    Triangles,
    States,
    Programs,
    Textures,
    Buffers,
    Uploaded,
}

/// The running counters.
pub(super) type Spending = [Cell<u32>; 7];

impl Gl {
    /// Counts something.
    // Called from everywhere: inlined, it would be a good part of the module.
    #[inline(never)]
    pub(super) fn spend(&self, what: Spent, amount: usize) {
        let counter = &self.spending[what as usize];
        counter.set(counter.get().saturating_add(amount as u32));
    }

    pub(super) fn spend_draw(&self, mode: u32, range: DrawRange, instances: u32) {
        let (DrawRange::Arrays { count } | DrawRange::Elements { count, .. }) = range;
        let triangles = match mode {
            glow::TRIANGLES => count / 3,
            glow::TRIANGLE_STRIP | glow::TRIANGLE_FAN => count.saturating_sub(2),
            _ => 0,
        };
        self.spend(Spent::Draws, 1);
        self.spend(Spent::Triangles, triangles.saturating_mul(instances as usize));
    }

    /// What was counted since the last time.
    pub(crate) fn take_cost(&self) -> Cost {
        let [draws, triangles, states, programs, textures, buffers, uploaded] =
            self.spending.each_ref().map(Cell::take);
        Cost { draws, triangles, states, programs, textures, buffers, uploaded }
    }
}
