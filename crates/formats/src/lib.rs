//! Converts files of other formats to GLB, which gambol's importer reads.
//!
//! The importer is the only place that checks a model, so a converter checks only the syntax of its own format: bounds,
//! counts, references. Everything else (limits, budgets, finite numbers in the model) is left to the importer.
//!
//! Conventions of the result are those of glTF: right-handed, +Y up, metres, seconds.

mod error;
mod glb;
mod scene;

pub use error::{FormatError, Place, Warning};

/// A format that [`to_glb`] reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Biovision hierarchy: motion capture.
    Bvh,
    /// DirectX .x, text or binary, plain or compressed.
    X,
    /// Autodesk FBX, binary or text.
    Fbx,
}

/// A converted file.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted {
    /// The bytes of a GLB file. Textures that the file only names are images with a relative URI.
    pub glb: Vec<u8>,
    /// Parts that were repaired or skipped.
    pub warnings: Vec<Warning>,
}
