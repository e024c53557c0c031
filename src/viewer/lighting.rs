//! How the stage is lit: where the light comes from, and what may be set of it.

use super::asset::Asset;
use super::cast::Member;
use super::studio::studio;
use crate::animation::{Aabb, Framing};
use crate::model::Panorama;
use crate::render::{Lighting, Progress, RenderError, Renderer, ShadowArea};
use glam::Vec3;
use std::rc::Rc;

/// The light of a stage. The environment is kept, for the day that the context is lost.
#[derive(Debug)]
pub(super) struct Light {
    pub(super) settings: Lighting,
    environment: Option<Rc<Panorama>>,
    /// Whether the environment is the studio, which is computed when it is needed.
    studio: bool,
    /// Whether the GPU has begun with another environment.
    stale: bool,
}

impl Light {
    pub(super) fn new() -> Self {
        Self { settings: Lighting::default(), environment: None, studio: true, stale: true }
    }

    pub(super) fn set_environment(&mut self, environment: Option<Rc<Panorama>>) {
        self.environment = environment;
        self.studio = false;
        self.stale = true;
    }

    pub(super) fn set_studio(&mut self) {
        self.set_environment(None);
        self.studio = true;
    }

    /// Another renderer has nothing yet.
    pub(super) fn restore(&mut self) {
        self.stale = true;
    }

    pub(super) fn has_shadows(&self) -> bool {
        self.settings.shadow_intensity > 0.0
    }

    /// Takes one step of giving the renderer the environment.
    pub(super) fn advance(
        &mut self,
        renderer: &mut Renderer,
        budget: usize,
        patience: bool,
    ) -> Result<Progress, RenderError> {
        if self.studio && self.environment.is_none() {
            self.environment = Some(Rc::new(studio()));
            return Ok(Progress::More);
        }
        if self.stale {
            self.stale = false;
            renderer.begin_environment(self.environment.as_deref())?;
        }
        renderer.advance_environment(self.environment.as_deref(), budget, patience)
    }

    /// What casts shadows: all that is shown. The ground is where the lowest model stands at rest, so that it stays while
    /// somebody jumps.
    pub(super) fn shadow_area(&self, bounds: Option<Aabb>, members: &[Member]) -> Option<ShadowArea> {
        let Aabb { min, max } = bounds.filter(|_| self.has_shadows())?;
        let standing = members.iter().filter(|member| !member.is_attached());
        let lowest = standing.filter_map(|member| {
            let asset: &Asset = &member.asset;
            Some(asset.framing(Framing::Rest, None)?.transformed(&member.actor.place).min.y)
        });
        let ground = lowest.fold(f32::INFINITY, f32::min);
        Some(ShadowArea { min, max, ground: if ground.is_finite() { ground } else { min.y } })
    }

    /// The box around all that is shown and the ground on which its shadows fall.
    pub(super) fn lit_bounds(
        &self,
        renderer: &Renderer,
        bounds: Option<Aabb>,
        members: &[Member],
    ) -> Option<Aabb> {
        let area = self.shadow_area(bounds, members);
        let reach = area.and_then(|area| renderer.shadow_reach(&self.settings, &area));
        let ground = reach.map(|[min, max]: [Vec3; 2]| Aabb { min, max });
        Some(ground.map_or(bounds?, |ground| bounds.map_or(ground, |bounds| bounds.union(&ground))))
    }
}
