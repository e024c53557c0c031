//! How the stage is lit: where the light comes from, and what may be set of it.

use super::asset::Asset;
use super::cast::Member;
use super::context::Context;
use crate::animation::{Aabb, Framing};
use crate::model::Panorama;
use crate::render::{Environment, Lighting, Progress, RenderError, ShadowArea};
use glam::Vec3;
use std::rc::Rc;

/// The light of a stage. The panorama is kept, for the day that the context is lost.
#[derive(Debug)]
pub(super) struct Light {
    pub(super) settings: Lighting,
    panorama: Option<Rc<Panorama>>,
    /// Whether the panorama is the studio's, which the context has.
    studio: bool,
    /// Whether there is a panorama that was not begun with.
    stale: bool,
    shown: Option<Rc<Environment>>,
    /// The one that is on its way.
    next: Option<Rc<Environment>>,
}

impl Light {
    pub(super) fn new() -> Self {
        let settings = Lighting::default();
        Self { settings, panorama: None, studio: true, stale: true, shown: None, next: None }
    }

    pub(super) fn set_environment(&mut self, panorama: Option<Rc<Panorama>>) {
        self.panorama = panorama;
        self.studio = false;
        self.stale = true;
    }

    pub(super) fn set_studio(&mut self) {
        self.set_environment(None);
        self.studio = true;
    }

    /// Another renderer has nothing yet.
    pub(super) fn restore(&mut self) {
        (self.shown, self.next) = (None, None);
        self.stale = true;
    }

    pub(super) fn has_shadows(&self) -> bool {
        self.settings.shadow_intensity > 0.0
    }

    /// What shines from all around; `None` is darkness.
    pub(super) fn environment(&self) -> Option<&Environment> {
        self.shown.as_deref()
    }

    /// Takes one step of giving the renderer the environment.
    pub(super) fn advance(&mut self, context: &mut Context, budget: usize) -> Result<Progress, RenderError> {
        if self.studio && self.panorama.is_none() {
            let computed = context.has_studio();
            self.panorama = Some(context.studio());
            if !computed {
                return Ok(Progress::More);
            }
        }
        let renderer = &mut context.renderer;
        if self.stale {
            self.stale = false;
            self.next = match &self.panorama {
                Some(panorama) => Some(renderer.environment(panorama)?),
                None => {
                    self.shown = None;
                    None
                }
            };
        }
        let progress = renderer.advance_environment(self.next.as_deref(), budget)?;
        if let Some(next) = self.next.take_if(|next| next.is_ready()) {
            self.shown = Some(next);
        }
        Ok(progress)
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
    pub(super) fn lit_bounds(&self, bounds: Option<Aabb>, members: &[Member]) -> Option<Aabb> {
        let area = self.shadow_area(bounds, members);
        let reach = area.and_then(|area| area.reach(self.environment(), &self.settings));
        let ground = reach.map(|[min, max]: [Vec3; 2]| Aabb { min, max });
        Some(ground.map_or(bounds?, |ground| bounds.map_or(ground, |bounds| bounds.union(&ground))))
    }
}
