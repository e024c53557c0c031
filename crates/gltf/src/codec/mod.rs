//! Decoders of compressed geometry.

mod draco;
pub mod meshopt;

pub use draco::{ComponentType, DracoAttribute, DracoMesh, DracoRequest};
