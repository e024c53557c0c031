//! The models that all stages of a context share.

use crate::render::{ModelHandle, RenderError, Renderer};
use crate::viewer::cast::Asset;
use std::cell::Cell;
use std::rc::{Rc, Weak};

/// The models in the renderer of a context, each once: all stages that show a model share it.
#[derive(Debug, Default)]
pub(super) struct SharedModels {
    list: Vec<Weak<OnGpu>>,
}

/// A model on the GPU, or on its way there; it leaves with the last stage that shows it.
#[derive(Debug)]
pub(super) struct OnGpu {
    pub(super) asset: Rc<Asset>,
    /// `None` after the context was lost, until the first stage begins it anew.
    pub(super) handle: Cell<Option<ModelHandle>>,
    /// `true` if its joints are blended as dual quaternions.
    pub(super) dual: Cell<bool>,
}

impl SharedModels {
    /// Says that all is gone, since another renderer takes the place of one whose context was lost.
    pub(super) fn forget(&mut self) {
        for model in self.list.iter().filter_map(Weak::upgrade) {
            model.handle.set(None);
        }
    }

    /// The model on the GPU, or one that is not begun.
    pub(super) fn of(&mut self, asset: &Rc<Asset>) -> Rc<OnGpu> {
        self.list.retain(|model| model.strong_count() > 0);
        let known = self.list.iter().filter_map(Weak::upgrade).find(|model| Rc::ptr_eq(&model.asset, asset));
        known.unwrap_or_else(|| {
            let asset = Rc::clone(asset);
            let model = Rc::new(OnGpu { asset, handle: Cell::new(None), dual: Cell::new(false) });
            self.list.push(Rc::downgrade(&model));
            model
        })
    }
}

impl OnGpu {
    /// Begins to bring it to the GPU, unless that was done before.
    pub(super) fn begin(
        &self,
        renderer: &mut Renderer,
        on_cpu: &[(usize, usize)],
        shadows: bool,
    ) -> Result<(), RenderError> {
        if self.handle.get().is_none() {
            let Asset { model, rig, .. } = &*self.asset;
            self.handle.set(Some(renderer.begin_model(model, &rig.layout, on_cpu, shadows)?));
            self.dual.set(false);
        }
        Ok(())
    }
}
