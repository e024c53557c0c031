//! The level of detail of a crowd's meshes.

use super::mesh_levels::MeshLevels;
use super::{Crowd, CrowdError};
use crate::model::{MeshLevel, Model};
use std::ops::Range;
use std::rc::Rc;

impl Crowd {
    /// Sets levels of detail, from finer to coarser, before the first call of [`Crowd::measure`], which measures their errors.
    /// Small members are drawn with the coarsest level whose error is not visible.
    ///
    /// - `model`: that of the crowd.
    ///
    /// # Errors
    /// `Range` if an index is out of range, the primitives are not those of the model, there are more than
    /// [`MAX_MESH_LEVELS`](super::MAX_MESH_LEVELS), or a clip is measured already. Nothing changes then.
    pub fn set_mesh_levels(&mut self, model: &Model, levels: Vec<MeshLevel>) -> Result<(), CrowdError> {
        if !self.extents.is_empty() {
            return Err(CrowdError::Range);
        }
        self.levels = MeshLevels::new(model, levels)?;
        Ok(())
    }

    /// The levels of detail, from finer to coarser; empty without any.
    pub fn mesh_levels(&self) -> &Rc<[MeshLevel]> {
        &self.levels.list
    }

    /// The visible members in runs of one level: the level, 0 for the full meshes, and the range of their places in
    /// [`Crowd::visible`]. Each run but the last has a multiple of [`SIDE_BY_SIDE`](crate::model::SIDE_BY_SIDE) members.
    pub fn level_runs(&self) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        self.levels.runs().iter().cloned()
    }
}
