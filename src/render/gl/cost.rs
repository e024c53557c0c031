//! What a frame costs: counted where it happens.

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
