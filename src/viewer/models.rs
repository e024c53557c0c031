//! The models that are on the GPU or on their way there.

use super::asset::Asset;
use crate::animation::Skinning;
use crate::model::ImageId;
use crate::rare::rare;
use crate::render::{ModelHandle, Pixels, Progress, RenderError, Renderer};
use std::rc::Rc;

/// The models of a stage, each once.
#[derive(Debug, Default)]
pub(super) struct Models {
    list: Vec<Shown>,
    skinning: Skinning,
    /// Whether models on the GPU are skinned otherwise.
    stale: bool,
}

/// A model on the GPU, shared by the actors that show it.
#[derive(Debug)]
pub(super) struct Shown {
    asset: Rc<Asset>,
    pub(super) handle: ModelHandle,
    /// Primitives that the CPU deforms: `(drawable, primitive)`.
    pub(super) on_cpu: Vec<(usize, usize)>,
}

impl Models {
    pub(super) fn get(&self, asset: &Rc<Asset>) -> Option<&Shown> {
        self.list.iter().find(|shown| Rc::ptr_eq(&shown.asset, asset))
    }

    /// The models in the renderer.
    pub(super) fn handles(&self) -> impl Iterator<Item = ModelHandle> {
        self.list.iter().map(|shown| shown.handle)
    }

    fn handle(&self, asset: &Rc<Asset>) -> Result<ModelHandle, RenderError> {
        self.get(asset).map(|shown| shown.handle).ok_or(RenderError::StaleHandle)
    }

    /// Begins to bring a model to the GPU, unless that was done before.
    pub(super) fn begin(
        &mut self,
        renderer: &mut Renderer,
        asset: &Rc<Asset>,
        cpu_skinning: bool,
        shadows: bool,
    ) -> Result<(), RenderError> {
        if self.get(asset).is_none() {
            let on_cpu = on_cpu(asset, cpu_skinning);
            let handle = renderer.begin_model(&asset.model, &asset.rig.layout, &on_cpu, shadows)?;
            self.list.push(Shown { asset: Rc::clone(asset), handle, on_cpu });
            self.put_chosen(renderer)?;
        }
        Ok(())
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
        patience: bool,
    ) -> Result<Progress, RenderError> {
        renderer.advance_model(self.handle(asset)?, &asset.model, &asset.rig.layout, budget, patience)
    }

    /// Takes a model off the GPU.
    pub(super) fn remove(&mut self, renderer: &mut Renderer, asset: &Rc<Asset>) {
        for gone in self.list.extract_if(.., |shown| Rc::ptr_eq(&shown.asset, asset)) {
            renderer.remove_model(gone.handle);
        }
    }

    /// Begins anew in another renderer with those that are `needed`.
    pub(super) fn restore(
        &mut self,
        renderer: &mut Renderer,
        needed: impl Fn(&Rc<Asset>) -> bool,
        shadows: bool,
    ) -> Result<(), RenderError> {
        self.list.retain(|shown| needed(&shown.asset));
        for shown in &mut self.list {
            let Asset { model, rig, .. } = &*shown.asset;
            shown.handle = renderer.begin_model(model, &rig.layout, &shown.on_cpu, shadows)?;
        }
        self.put_chosen(renderer)
    }

    /// Chooses how models are skinned; [`Models::put_skinning`] comes before the next frame.
    pub(super) fn set_skinning(&mut self, skinning: Skinning) {
        self.skinning = skinning;
        self.stale = true;
    }

    /// Whether [`Models::put_skinning`] is to be called.
    pub(super) fn is_stale(&self) -> bool {
        self.stale
    }

    /// Has all models skinned as was chosen.
    pub(super) fn put_skinning(&mut self, renderer: &mut Renderer) -> Result<(), RenderError> {
        for handle in self.handles() {
            renderer.set_skinning(handle, self.skinning == Skinning::DualQuaternion)?;
        }
        self.stale = false;
        Ok(())
    }

    /// The same for models that begin, which are skinned linearly.
    fn put_chosen(&mut self, renderer: &mut Renderer) -> Result<(), RenderError> {
        match self.skinning {
            Skinning::Linear => Ok(()),
            Skinning::DualQuaternion => rare(|| self.put_skinning(renderer)),
        }
    }

    pub(super) fn set_cpu_skinning(&mut self, on: bool) {
        for shown in &mut self.list {
            shown.on_cpu = on_cpu(&shown.asset, on);
        }
    }
}

/// The primitives that the CPU deforms: all if the page asks for it, else those with more influences than the GPU
/// blends.
fn on_cpu(asset: &Asset, all: bool) -> Vec<(usize, usize)> {
    let mut list = Vec::new();
    for (i, drawable) in asset.rig.layout.drawables.iter().enumerate() {
        for (j, primitive) in asset.model.meshes[drawable.mesh.index()].primitives.iter().enumerate() {
            let influences = primitive.influences.as_ref().map_or(0, |influences| influences.per_vertex);
            if all || (drawable.skinned && influences > Renderer::INFLUENCE_LIMIT) {
                list.push((i, j));
            }
        }
    }
    list
}
