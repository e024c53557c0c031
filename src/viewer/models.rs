//! The models of a stage that are uploaded or being uploaded.

use super::context::Context;
use super::shared_models::OnGpu;
use crate::animation::Skinning;
use crate::base::feature;
use crate::model::ImageId;
use crate::render::{ModelHandle, Pixels, Progress, RenderError, Renderer};
use crate::viewer::cast::Asset;
use std::rc::Rc;

/// The models of a stage, without duplicates.
#[derive(Debug, Clone, Default)]
pub(super) struct Models {
    list: Vec<Shown>,
    skinning: Skinning,
}

/// A model of a stage, shared by its actors.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    model: Rc<OnGpu>,
    pub(super) handle: ModelHandle,
    /// The CPU-deformed primitives, sorted: `(drawable, primitive)`.
    pub(super) on_cpu: Vec<(usize, usize)>,
}

feature! {
    list for_skinning;
    /// See [`Models::apply_skinning`].
    pub(super) fn apply_skinning(models: &mut Models, renderer: &mut Renderer) -> Result<(), RenderError> =
        Models::apply_skinning;
}

feature! {
    list for_retargeting;
    /// See [`Models::update_clips`].
    pub(super) fn update_clips(models: &Models, renderer: &mut Renderer, asset: &Rc<Asset>) -> Result<(), RenderError> =
        Models::update_clips;
}

impl Models {
    pub(super) fn get(&self, asset: &Rc<Asset>) -> Option<&Shown> {
        self.list.iter().find(|shown| Rc::ptr_eq(&shown.model.asset, asset))
    }

    /// The handles of the models in the renderer.
    pub(super) fn handles(&self) -> impl Iterator<Item = ModelHandle> {
        self.list.iter().map(|shown| shown.handle)
    }

    /// `true` if another stage shows one of the models.
    pub(super) fn are_shared(&self) -> bool {
        self.list.iter().any(|shown| Rc::strong_count(&shown.model) > 1)
    }

    fn handle(&self, asset: &Rc<Asset>) -> Result<ModelHandle, RenderError> {
        self.get(asset).map(|shown| shown.handle).ok_or(RenderError::StaleHandle)
    }

    /// Begins the upload of a model, unless it has begun already.
    pub(super) fn begin(
        &mut self,
        context: &mut Context,
        asset: &Rc<Asset>,
        cpu_skinning: bool,
        shadows: bool,
    ) -> Result<(), RenderError> {
        if self.get(asset).is_none() {
            let on_cpu = on_cpu(asset, cpu_skinning);
            let model = context.models.of(asset);
            model.begin(&mut context.renderer, &on_cpu, shadows)?;
            let handle = model.handle.get().ok_or(RenderError::StaleHandle)?;
            self.list.push(Shown { model, handle, on_cpu });
            self.apply_chosen_skinning(&mut context.renderer)?;
        }
        Ok(())
    }

    /// `true` if the whole model is uploaded.
    pub(super) fn is_complete(&self, renderer: &Renderer, asset: &Rc<Asset>) -> bool {
        self.get(asset).is_some_and(|shown| renderer.is_complete(shown.handle))
    }

    /// Takes over the clips of a model after some were added; see [`Renderer::set_layout`].
    fn update_clips(&self, renderer: &mut Renderer, asset: &Rc<Asset>) -> Result<(), RenderError> {
        let Some(shown) = self.get(asset) else { return Ok(()) };
        match renderer.set_layout(shown.handle, &asset.model, &asset.rig().layout) {
            // The next upload begins with the layout.
            Err(RenderError::ContextLost | RenderError::StaleHandle) => Ok(()),
            done => done,
        }
    }

    pub(super) fn give_image(
        &self,
        renderer: &mut Renderer,
        asset: &Rc<Asset>,
        image: ImageId,
        pixels: Pixels,
    ) -> Result<(), RenderError> {
        renderer.give_image(self.handle(asset)?, image, pixels)
    }

    pub(super) fn advance(
        &self,
        renderer: &mut Renderer,
        asset: &Rc<Asset>,
        budget: usize,
        may_defer: bool,
    ) -> Result<Progress, RenderError> {
        renderer.advance_model(self.handle(asset)?, &asset.model, &asset.layout, budget, may_defer)
    }

    /// Releases a model; it is deleted from the GPU unless another stage shows it.
    pub(super) fn remove(&mut self, renderer: &mut Renderer, asset: &Rc<Asset>) {
        self.release(renderer, |shown| Rc::ptr_eq(&shown.model.asset, asset));
    }

    /// Releases all models.
    pub(super) fn clear(&mut self, renderer: &mut Renderer) {
        self.release(renderer, |_| true);
    }

    fn release(&mut self, renderer: &mut Renderer, matches: impl Fn(&Shown) -> bool) {
        for released in self.list.extract_if(.., |shown| matches(shown)) {
            if Rc::strong_count(&released.model) == 1
                && let Some(handle) = released.model.handle.take()
            {
                renderer.remove_model(handle);
            }
        }
    }

    /// Restarts the uploads of the `needed` models in a new renderer. Uploads that another stage has begun there are shared.
    pub(super) fn restore(
        &mut self,
        context: &mut Context,
        needed: impl Fn(&Rc<Asset>) -> bool,
        shadows: bool,
    ) -> Result<(), RenderError> {
        let renderer = &mut context.renderer;
        self.release(renderer, |shown| !needed(&shown.model.asset));
        for shown in &mut self.list {
            shown.model.begin(renderer, &shown.on_cpu, shadows)?;
            shown.handle = shown.model.handle.get().ok_or(RenderError::StaleHandle)?;
        }
        self.apply_chosen_skinning(renderer)
    }

    /// Selects the skinning method; call [`Models::apply_skinning`] before the next frame.
    pub(super) fn set_skinning(&mut self, skinning: Skinning) {
        self.skinning = skinning;
    }

    /// `true` if [`Models::apply_skinning`] must be called, as another stage may have changed shared models.
    pub(super) fn is_stale(&self) -> bool {
        self.list.iter().any(|shown| shown.model.dual.get() != self.is_dual())
    }

    fn is_dual(&self) -> bool {
        self.skinning == Skinning::DualQuaternion
    }

    /// Applies the selected skinning method to all models.
    pub(super) fn apply_skinning(&mut self, renderer: &mut Renderer) -> Result<(), RenderError> {
        let dual = self.is_dual();
        for Shown { model, handle, .. } in self.list.iter().filter(|shown| shown.model.dual.get() != dual) {
            renderer.set_skinning(*handle, dual)?;
            model.dual.set(dual);
        }
        Ok(())
    }

    /// Applies the selected skinning method to new models, which start with linear skinning.
    fn apply_chosen_skinning(&mut self, renderer: &mut Renderer) -> Result<(), RenderError> {
        if self.is_stale() { apply_skinning(self, renderer) } else { Ok(()) }
    }

    pub(super) fn set_cpu_skinning(&mut self, on: bool) {
        for shown in &mut self.list {
            shown.on_cpu = on_cpu(&shown.model.asset, on);
        }
    }
}

/// `true` if the CPU deforms primitives of the model even without a request of the page.
pub fn deforms_on_cpu(asset: &Asset) -> bool {
    !on_cpu(asset, false).is_empty()
}

/// The primitives to deform on the CPU: all if `all`, else those with more influences than vertex attributes
/// can hold.
fn on_cpu(asset: &Asset, all: bool) -> Vec<(usize, usize)> {
    let mut list = Vec::new();
    for (i, drawable) in asset.layout.drawables.iter().enumerate() {
        for (j, primitive) in asset.model.meshes[drawable.mesh.index()].primitives.iter().enumerate() {
            let influences = primitive.influences.as_ref().map_or(0, |influences| influences.per_vertex);
            if all || (drawable.skinned && influences > Renderer::INFLUENCE_LIMIT) {
                list.push((i, j));
            }
        }
    }
    list
}
