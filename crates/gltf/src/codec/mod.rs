//! Compressed geometry: the codec of meshopt, and the interface of a Draco decoder.

mod draco;
pub mod meshopt;

pub use draco::{DracoAttribute, DracoMesh, DracoRequest};
