//! How the stage is lit: where the light comes from, and what may be set of it.

use crate::base::Aabb;
use crate::model::Panorama;
use crate::render::{Environment, Lighting, Progress, RenderError, ShadowArea};
use crate::viewer::cast::{Asset, Cast};
use crate::viewer::context::Context;
use glam::Vec3;
use std::rc::Rc;

/// The light of a stage.
#[derive(Debug)]
pub(crate) struct Light {
    pub(crate) settings: Lighting,
    around: Surroundings,
    /// What is seen behind the models in place of that.
    sky: Option<Surroundings>,
}

/// What is all around. The panorama is kept, for the day that the context is lost.
#[derive(Debug)]
struct Surroundings {
    panorama: Option<Rc<Panorama>>,
    /// Whether the panorama is the studio's, which the context has.
    studio: bool,
    /// Whether there is a panorama that was not begun with.
    stale: bool,
    shown: Option<Rc<Environment>>,
    /// The one that is on its way.
    next: Option<Rc<Environment>>,
}

/// Where what is all around comes from.
#[derive(Debug, Clone)]
pub enum Environs {
    /// Nowhere: it is dark.
    Dark,
    /// The studio, which is computed.
    Studio,
    /// A picture.
    Panorama(Rc<Panorama>),
}

impl Light {
    pub(crate) fn new() -> Self {
        Self { settings: Lighting::default(), around: Surroundings::new(Environs::Studio), sky: None }
    }

    pub(crate) fn set_environment(&mut self, environs: Environs) {
        self.around.set(environs);
    }

    pub(crate) fn set_sky(&mut self, environs: Option<Environs>) {
        match (&mut self.sky, environs) {
            (Some(sky), Some(environs)) => sky.set(environs),
            (sky, environs) => *sky = environs.map(Surroundings::new),
        }
    }

    /// Another renderer has nothing yet.
    pub(crate) fn restore(&mut self) {
        self.around.restore();
        if let Some(sky) = &mut self.sky {
            sky.restore();
        }
    }

    pub(crate) fn has_shadows(&self) -> bool {
        self.settings.shadow_intensity > 0.0
    }

    /// What shines from all around; `None` is darkness.
    pub(crate) fn environment(&self) -> Option<&Environment> {
        self.around.shown.as_deref()
    }

    /// What is seen behind the models.
    pub(crate) fn sky(&self) -> Option<&Environment> {
        self.sky.as_ref().unwrap_or(&self.around).shown.as_deref()
    }

    /// Takes one step of giving the renderer the environment, and then the sky.
    pub(crate) fn advance(&mut self, context: &mut Context, budget: usize) -> Result<Progress, RenderError> {
        let progress = self.around.advance(context, budget)?;
        match &mut self.sky {
            Some(sky) if progress == Progress::Done => sky.advance(context, budget),
            _ => Ok(progress),
        }
    }

    /// The ground that the sky lies on, and how far it reaches: ten times as far as what is shown.
    pub(crate) fn ground(&self, bounds: Option<Aabb>, cast: &Cast) -> Option<[f32; 4]> {
        let bounds = bounds.filter(|_| self.settings.skybox && self.settings.skybox_height > 0.0)?;
        let Vec3 { x, z, .. } = bounds.center();
        let reach = 5.0 * bounds.max.distance(bounds.min);
        Some([x, area(bounds, cast).ground, z, reach.max(10.0 * self.settings.skybox_height)])
    }

    /// What casts shadows: all that is shown.
    pub(crate) fn shadow_area(&self, bounds: Option<Aabb>, cast: &Cast) -> Option<ShadowArea> {
        Some(area(bounds.filter(|_| self.has_shadows())?, cast))
    }

    /// The box around all that is shown and the ground on which its shadows fall.
    pub(crate) fn lit_bounds(&self, bounds: Option<Aabb>, cast: &Cast) -> Option<Aabb> {
        let area = self.shadow_area(bounds, cast);
        let reach = area.and_then(|area| area.reach(self.environment(), &self.settings));
        let ground = reach.map(|[min, max]: [Vec3; 2]| Aabb { min, max });
        Some(ground.map_or(bounds?, |ground| bounds.map_or(ground, |bounds| bounds.union(&ground))))
    }
}

impl Surroundings {
    fn new(environs: Environs) -> Self {
        let mut new = Self { panorama: None, studio: false, stale: true, shown: None, next: None };
        new.set(environs);
        new
    }

    fn set(&mut self, environs: Environs) {
        self.studio = matches!(environs, Environs::Studio);
        self.panorama = if let Environs::Panorama(panorama) = environs { Some(panorama) } else { None };
        self.stale = true;
    }

    fn restore(&mut self) {
        (self.shown, self.next) = (None, None);
        self.stale = true;
    }

    /// Takes one step of giving the renderer what it is.
    fn advance(&mut self, context: &mut Context, budget: usize) -> Result<Progress, RenderError> {
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
}

/// All that is shown. The ground is where the lowest model stands at rest, so that it stays while somebody jumps.
fn area(Aabb { min, max }: Aabb, cast: &Cast) -> ShadowArea {
    let standing = cast.members().iter().filter(|member| !member.is_attached());
    let lowest = standing.filter_map(|member| {
        let asset: &Asset = &member.asset;
        Some(asset.rest_box()?.transformed(&member.actor.place).min.y)
    });
    let ground = lowest.fold(cast.crowd_ground(), f32::min);
    ShadowArea { min, max, ground: if ground.is_finite() { ground } else { min.y } }
}
