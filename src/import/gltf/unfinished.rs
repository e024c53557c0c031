//! What of a model is made after all of its file has been read.

use super::accessor::Budget;
use super::{build, tangents};
use crate::import::Imported;
use crate::import::error::{ImportError, Warning};
use crate::model::Model;
use std::collections::VecDeque;

/// A model whose file has been read. Tangents that the file left out may be missing; making them takes a while.
#[derive(Debug)]
pub struct Unfinished {
    pub(super) model: Model,
    pub(super) warnings: Vec<Warning>,
    pub(super) missing: VecDeque<Missing>,
    pub(super) budget: Budget,
    /// The most vertices of all primitives together.
    pub(super) vertex_limit: u64,
}

/// Tangents that a primitive needs and the file does not have.
#[derive(Debug)]
pub(super) struct Missing {
    pub(super) mesh: usize,
    pub(super) primitive: usize,
    /// The set of texture coordinates that they follow.
    pub(super) set: u32,
}

impl Unfinished {
    /// Makes the tangents of one primitive; whether that was something to do.
    ///
    /// # Errors
    /// If there is too much of it.
    pub fn advance(&mut self) -> Result<bool, ImportError> {
        let Some(Missing { mesh, primitive, set }) = self.missing.pop_front() else { return Ok(false) };
        let pointer = || format!("/meshes/{mesh}/primitives/{primitive}");
        let meshes = &mut self.model.meshes;
        if let Some(primitive) = meshes.get_mut(mesh).and_then(|mesh| mesh.primitives.get_mut(primitive)) {
            tangents::add(primitive, set, &self.budget).map_err(|kind| kind.at(pointer()))?;
        }
        build::check_vertices(meshes, self.vertex_limit)?;
        Ok(true)
    }

    /// Makes whatever is missing.
    ///
    /// # Errors
    /// Those of [`Unfinished::advance`].
    pub fn finish(mut self) -> Result<Imported, ImportError> {
        while self.advance()? {}
        Ok(Imported { model: self.model, warnings: self.warnings })
    }
}
