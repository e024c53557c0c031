//! Bakes clips: the morph targets, matrices or vertices of each frame, computed ahead.

mod binary;
mod frames;
mod morphs;

pub use binary::{bake_palette, bake_vertices};
pub use morphs::{bake_morphs, find_clips};

use gambol::model::ClipId;

/// The clips to bake, and the frame rate.
#[derive(Debug, Clone, PartialEq)]
pub struct BakeOptions {
    /// The clips, at least one.
    pub clips: Vec<ClipId>,
    /// Frames per second, above 0 and at most 1000. The end of a clip is a frame, too.
    pub fps: f64,
    /// `true` to show each frame until the next one; `false` to interpolate. Only for morph targets.
    pub steps: bool,
}

/// The result of [`bake_morphs`] in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct BakeReport {
    /// The number of frames of all clips.
    pub frames: usize,
    /// The number of morph targets of each mesh.
    pub targets: usize,
    /// The number of vertices of all meshes.
    pub vertices: usize,
    /// The largest distance, in metres, between the interpolated and the skinned vertex in the middle between two frames;
    /// `None` without interpolation.
    pub error: Option<f64>,
}
