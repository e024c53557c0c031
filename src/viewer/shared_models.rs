//! The models shared by all stages of a context.

use crate::render::{ModelHandle, RenderError, Renderer};
use crate::viewer::cast::Asset;
use std::cell::Cell;
use std::rc::{Rc, Weak};

/// The models of a context's renderer, without duplicates: all stages with a model share it.
#[derive(Debug, Default)]
pub(super) struct SharedModels {
    list: Vec<Weak<OnGpu>>,
}

/// A model that is uploaded or being uploaded; deleted with the last stage that shows it.
#[derive(Debug)]
pub(super) struct OnGpu {
    pub(super) asset: Rc<Asset>,
    /// `None` after the context was lost, until a stage begins the upload again.
    pub(super) handle: Cell<Option<ModelHandle>>,
    /// `true` with dual-quaternion skinning.
    pub(super) dual: Cell<bool>,
}

impl SharedModels {
    /// Discards all handles, since a new renderer replaces that of a lost context.
    pub(super) fn forget(&mut self) {
        for model in self.list.iter().filter_map(Weak::upgrade) {
            model.handle.set(None);
        }
    }

    /// The shared entry of a model, created if there is none; its upload may not have begun.
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
    /// Begins the upload, unless it has begun already.
    pub(super) fn begin(
        &self,
        renderer: &mut Renderer,
        on_cpu: &[(usize, usize)],
        shadows: bool,
    ) -> Result<(), RenderError> {
        if self.handle.get().is_none() {
            // Clips that were added may animate more properties than those of the file.
            let (model, layout) = (&self.asset.model, &self.asset.rig().layout);
            self.handle.set(Some(renderer.begin_model(model, layout, on_cpu, shadows)?));
            self.dual.set(false);
        }
        Ok(())
    }
}
