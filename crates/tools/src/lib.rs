#![doc = include_str!("../README.md")]

mod bake;
mod document;
mod encode;
mod error;
mod export;
pub mod inspect;
mod measure;
mod optimize;
mod retarget;

pub use bake::{BakeOptions, BakeReport, bake_morphs, bake_palette, bake_vertices, find_clips};
pub use document::{Accessor, Component, Document, Kind, Stream, View, Written};
pub use error::{ToolsError, codes};
pub use export::{
    ClipToWrite, Hidden, NewChannel, NewClip, ObjNames, export_clips, export_mtl, export_obj, export_pose,
    recorded_clip,
};
pub use measure::{ClipDifference, Comparison, Difference, Place, diff};
pub use optimize::{Compression, Optimized, Optimizer, Options, Report, Sizes, optimize};
pub use retarget::{ClipSource, RetargetedClips, read_skeleton, retarget_clips};
