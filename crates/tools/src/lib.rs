#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod bake;
mod document;
mod error;
mod export;
pub mod inspect;
mod measure;
mod optimize;
mod retarget;
mod usdz;

pub use bake::{BakeOptions, BakeReport, bake_morphs, bake_palette, bake_vertices, find_clips};
pub use document::open;
pub use error::{ToolsError, codes};
pub use export::{
    ClipToWrite, Hidden, NewChannel, NewClip, NewImage, NewMaterial, NewTexture, ObjNames, export_clips,
    export_materials, export_mtl, export_nodes, export_obj, export_placed, export_pose, recorded_clip,
};
pub use gambol_gltf::document::Document;
pub use measure::{ClipDifference, Comparison, Difference, Place, diff};
pub use optimize::{Compression, Optimized, Optimizer, Options, Report, Sizes, optimize, optimize_document};
pub use retarget::{ClipSource, RetargetedClips, read_clips, read_skeleton, retarget_clips};
pub use usdz::{Usdz, UsdzExporter, UsdzOptions, codes as usdz_codes};
