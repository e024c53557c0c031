//! The result of an import.

use super::error::Warning;
use crate::model::Model;

/// A model, and what had to be done to it.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The model; it keeps all that [`crate::model`] promises.
    pub model: Model,
    /// Repairs and omissions, in the order of discovery.
    pub warnings: Vec<Warning>,
}
