//! Counters of GL calls per frame.

use std::cell::Cell;

/// Counts of GL calls and uploaded bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Draw calls.
    pub draws: u32,
    /// Triangles submitted, before the GPU clips or culls any.
    pub triangles: u32,
    /// State changes of all kinds, including the three below. Setting a value that is already set is not counted.
    pub states: u32,
    /// Changes of program.
    pub programs: u32,
    /// Changes of textures.
    pub textures: u32,
    /// Changes of vertex arrays and uniform blocks.
    pub buffers: u32,
    /// Uploaded bytes of vertices, indices, uniforms and texels.
    pub uploaded: u32,
}

/// A counter; the order is that of the fields of [`Cost`].
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

/// The current counters.
pub(super) type Spending = [Cell<u32>; 7];
