//! Decoders of compressed geometry.

mod draco;
pub(crate) mod meshopt;

pub use draco::{ComponentType, DracoAttribute, DracoMesh, DracoRequest};
