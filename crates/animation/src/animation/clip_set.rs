//! The clips that a model plays: those of its file, and others that were added later.

use super::rig::Rig;
use crate::model::{Clip, ClipId, Model};
use std::rc::Rc;
use std::sync::Arc;

/// The clips of a model, as keys and compiled. A change makes a new set, which shares all unchanged clips.
#[derive(Debug, Clone)]
pub struct ClipSet {
    /// By [`ClipId`]. A removed clip has no channels, so it plays the rest pose.
    pub clips: Vec<Arc<Clip>>,
    /// The compiled clips.
    pub rig: Rc<Rig>,
    /// By [`ClipId`]: `true` for a clip that was removed.
    removed: Vec<bool>,
    /// The clips that were replaced, each time they were, in order.
    replaced: Vec<ClipId>,
}

impl ClipSet {
    /// The clips of a file.
    pub fn new(model: &Model, rig: Rc<Rig>) -> Self {
        let removed = vec![false; model.clips.len()];
        Self { clips: model.clips.clone(), rig, removed, replaced: Vec::new() }
    }

    /// The ids of all clips that were not removed, ascending.
    pub fn ids(&self) -> impl Iterator<Item = ClipId> + '_ {
        (0..self.clips.len()).map(ClipId::new).filter(|clip| self.has(*clip))
    }

    /// The clip with which an actor begins, see [`Clip::opening`].
    pub fn opening(&self) -> Option<ClipId> {
        Clip::opening(self.ids().map(|id| (id, &*self.clips[id.index()])))
    }

    /// `true` if the set has the clip.
    pub fn has(&self, clip: ClipId) -> bool {
        self.removed.get(clip.index()) == Some(&false)
    }

    /// `true` if it has exactly the clips of the file.
    pub fn is_of_file(&self, model: &Model) -> bool {
        self.clips.len() == model.clips.len() && !self.removed.contains(&true) && self.replaced.is_empty()
    }

    /// The clips that were replaced, each time they were, in order. A later set of the model has more of them.
    pub fn replaced(&self) -> &[ClipId] {
        &self.replaced
    }

    /// Adds clips of `model`, at the end. Ids are never reused.
    pub fn add(&mut self, model: &Model, clips: Vec<Arc<Clip>>) {
        let mut rig = (*self.rig).clone();
        for clip in clips {
            rig.widen(model, &clip);
            rig.push(&clip);
            self.clips.push(clip);
            self.removed.push(false);
        }
        self.rig = Rc::new(rig);
    }

    /// Removes a clip. Actors that play it show the rest pose.
    ///
    /// # Panics
    /// If there is no clip with this id.
    pub fn remove(&mut self, clip: ClipId) {
        let mut rig = (*self.rig).clone();
        rig.clear(clip);
        self.rig = Rc::new(rig);
        self.clips[clip.index()] = Arc::default();
        self.removed[clip.index()] = true;
    }
    /// Replaces a clip by another one of `model`, under the same id. Playheads stay at their times, as far as the new clip lasts.
    ///
    /// # Panics
    /// If there is no clip with this id.
    pub fn replace(&mut self, model: &Model, id: ClipId, clip: Arc<Clip>) {
        let mut rig = (*self.rig).clone();
        rig.widen(model, &clip);
        rig.replace(id, &clip);
        self.rig = Rc::new(rig);
        self.clips[id.index()] = clip;
        self.replaced.push(id);
    }
}
