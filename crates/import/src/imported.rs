//! The result of an import.

use gambol_animation::model::Model;
use gambol_gltf::log::Warning;

/// A model with the warnings of its import.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The model; it satisfies the invariants of [`gambol_animation::model`].
    pub model: Model,
    /// The repairs and omissions, in the order of discovery.
    pub warnings: Vec<Warning>,
}
