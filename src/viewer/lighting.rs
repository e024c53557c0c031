//! How the stage is lit: where the light comes from, and what may be set of it.

use super::asset::Asset;
use super::cast::Member;
use super::studio::studio;
use crate::animation::{Aabb, Framing};
use crate::model::Panorama;
use crate::render::{Lighting, RenderError, Renderer, ShadowArea};
use glam::Vec3;
use std::rc::Rc;

/// The light of a stage. The environment is kept, for the day that the context is lost.
#[derive(Debug)]
pub(super) struct Light {
    pub(super) settings: Lighting,
    environment: Option<Rc<Panorama>>,
    /// Whether the GPU has another environment.
    stale: bool,
}

impl Light {
    pub(super) fn new() -> Self {
        Self { settings: Lighting::default(), environment: Some(Rc::new(studio())), stale: true }
    }

    pub(super) fn set_environment(&mut self, environment: Option<Rc<Panorama>>) {
        self.environment = environment;
        self.stale = true;
    }

    pub(super) fn set_studio(&mut self) {
        self.set_environment(Some(Rc::new(studio())));
    }

    /// Another renderer has nothing yet.
    pub(super) fn restore(&mut self) {
        self.stale = true;
    }

    /// Gives the renderer the environment, if it has another.
    pub(super) fn update(&mut self, renderer: &mut Renderer) -> Result<(), RenderError> {
        if self.stale {
            renderer.set_environment(self.environment.as_deref())?;
            self.stale = false;
        }
        Ok(())
    }

    /// What casts shadows: all that is shown. The ground is where the lowest model stands at rest, so that it stays while
    /// somebody jumps.
    pub(super) fn shadow_area(&self, bounds: Option<Aabb>, members: &[Member]) -> Option<ShadowArea> {
        let Aabb { min, max } = bounds.filter(|_| self.settings.shadow_intensity > 0.0)?;
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
