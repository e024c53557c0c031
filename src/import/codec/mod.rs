//! Decoders of compressed vertices.

mod draco;
pub(crate) mod meshopt;

pub use draco::{ComponentType, DracoAttribute, DracoMesh, DracoRequest};
