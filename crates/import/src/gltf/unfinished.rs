//! The slow steps of import after the file has been read.

use super::super::imported::Imported;
use super::accessor::Budget;
use super::build;
use super::tangents::{Making, Missing};
use gambol_animation::base::feature;
use gambol_animation::model::Model;
use gambol_gltf::error::{ImportError, ImportErrorKind};
use gambol_gltf::log::Warning;
use std::collections::VecDeque;

/// A model whose file has been read. Missing tangents may still have to be generated, which takes time.
#[derive(Debug)]
pub struct Unfinished {
    pub(super) model: Model,
    pub(super) warnings: Vec<Warning>,
    pub(super) missing: VecDeque<Missing>,
    /// The generation in progress, for the first of `missing`.
    pub(super) making: Option<Making>,
    pub(super) budget: Budget,
    /// See [`Limits::vertices`](gambol_gltf::limits::Limits).
    pub(super) vertex_limit: u64,
}

feature! {
    list for_decoding;
    fn make(model: &mut Unfinished) -> Result<bool, ImportError> = Unfinished::make;
}

impl Unfinished {
    /// `true` if nothing is missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// Takes one of several steps per primitive; returns `false` if nothing was missing.
    ///
    /// # Errors
    /// If a limit is exceeded.
    pub fn advance(&mut self) -> Result<bool, ImportError> {
        if self.is_complete() { Ok(false) } else { make(self) }
    }

    /// Takes one step.
    fn make(&mut self) -> Result<bool, ImportError> {
        let Some(&Missing { mesh, primitive, set }) = self.missing.front() else { return Ok(false) };
        let at = |kind: ImportErrorKind| kind.at(format_args!("/meshes/{mesh}/primitives/{primitive}"));
        let Model { meshes, nodes, .. } = &mut self.model;
        let found = meshes.get_mut(mesh).and_then(|mesh| mesh.primitives.get_mut(primitive));
        let done = match (found, &mut self.making) {
            (Some(primitive), Some(making)) => making.step(primitive, &self.budget).map_err(at)?,
            (Some(primitive), None) => {
                self.making = Some(Making::new(primitive, set, &self.budget).map_err(at)?);
                false
            }
            (None, _) => true,
        };
        if done {
            self.making = None;
            self.missing.pop_front();
            build::check_vertices(meshes, nodes, self.vertex_limit)?;
        }
        Ok(true)
    }

    /// Takes all remaining steps.
    ///
    /// # Errors
    /// Those of [`Unfinished::advance`].
    pub fn finish(mut self) -> Result<Imported, ImportError> {
        while self.advance()? {}
        Ok(Imported { model: self.model, warnings: self.warnings })
    }
}
