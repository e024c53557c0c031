#![doc = include_str!("../README.md")]

mod document;
mod encode;
mod error;
mod measure;
mod optimize;

pub use document::{Accessor, Component, Document, Kind, Stream, View, Written};
pub use error::{ToolsError, codes};
pub use measure::{ClipDifference, Comparison, Difference, Place, diff};
pub use optimize::{Compression, Optimized, Optimizer, Options, Report, Sizes, optimize};
