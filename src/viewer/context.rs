//! What stages share that draw in one WebGL2 context.

use super::shared_models::SharedModels;
use crate::model::Panorama;
use crate::render::Renderer;
use crate::viewer::light::studio;
use std::cell::RefCell;
use std::rc::Rc;

/// A WebGL2 context, with the programs, the models and the light that its stages share. Stages draw one after the other; who draws has
/// the lower left part of the canvas until the picture is copied.
#[derive(Debug)]
pub struct Context {
    pub(super) renderer: Renderer,
    pub(super) models: SharedModels,
    studio: Option<Rc<Panorama>>,
}

impl Context {
    /// A context whose renderer is this.
    pub fn new(renderer: Renderer) -> Rc<RefCell<Self>> {
        Rc::new(RefCell::new(Self { renderer, models: SharedModels::default(), studio: None }))
    }

    /// Tells that the browser took the context away, before it is [restored](Context::restore) or freed: its objects went with it.
    pub fn lose(&self) {
        self.renderer.lose();
    }

    /// Takes another renderer in place of one whose context was lost. Before anything else is done with them, all stages
    /// of the context are to be [restored](crate::viewer::stage::Stage::restore), since their models are in the lost one.
    pub fn restore(&mut self, renderer: Renderer) {
        self.lose();
        self.renderer = renderer;
        self.models.forget();
    }

    /// Whether the light of the studio was computed.
    pub(super) fn has_studio(&self) -> bool {
        self.studio.is_some()
    }

    /// The light of the studio, which is computed when it is needed for the first time.
    pub(super) fn studio(&mut self) -> Rc<Panorama> {
        Rc::clone(self.studio.get_or_insert_with(|| Rc::new(studio())))
    }
}
