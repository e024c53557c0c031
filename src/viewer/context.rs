//! Resources shared by all stages of a WebGL2 context.

use super::shared_models::SharedModels;
use crate::model::Panorama;
use crate::render::Renderer;
use crate::viewer::light::studio;
use std::cell::RefCell;
use std::rc::Rc;

/// A WebGL2 context, with the programs, models and lighting that its stages share. Stages draw one after the other.
/// Each uses the lower left part of the canvas until its picture is copied.
#[derive(Debug)]
pub struct Context {
    pub(super) renderer: Renderer,
    pub(super) models: SharedModels,
    studio: Option<Rc<Panorama>>,
}

impl Context {
    /// A context with this renderer.
    pub fn new(renderer: Renderer) -> Rc<RefCell<Self>> {
        Rc::new(RefCell::new(Self { renderer, models: SharedModels::default(), studio: None }))
    }

    /// Marks the context as lost, before it is [restored](Context::restore) or freed. Its objects are lost too.
    pub fn lose(&self) {
        self.renderer.lose();
    }

    /// Replaces the renderer of a lost context. Then [restore](crate::viewer::stage::Stage::restore) all stages
    /// of the context before any other call, since their models are in the lost renderer.
    pub fn restore(&mut self, renderer: Renderer) {
        self.lose();
        self.renderer = renderer;
        self.models.forget();
    }

    /// `true` if the studio environment has been computed.
    pub(super) fn has_studio(&self) -> bool {
        self.studio.is_some()
    }

    /// The studio environment, computed on first use.
    pub(super) fn studio(&mut self) -> Rc<Panorama> {
        Rc::clone(self.studio.get_or_insert_with(|| Rc::new(studio())))
    }
}
