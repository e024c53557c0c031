//! The lighting of a stage: environments and settings.

use crate::base::{Aabb, feature};
use crate::model::{KeyLight, Panorama};
use crate::render::{Environment, Lighting, Progress, RenderError, ShadowArea};
use crate::viewer::cast::{Asset, Cast};
use crate::viewer::context::Context;
use crate::viewer::light::studio_key;
use glam::Vec3;
use std::rc::Rc;

/// The lighting of a stage.
#[derive(Debug, Clone)]
pub(crate) struct Light {
    pub(crate) settings: Lighting,
    /// [`Camera::heading`](crate::viewer::Camera::heading): the environment turns with the camera, so that the key light is before
    /// the face.
    pub(super) heading: f64,
    around: EnvironmentSlot,
    /// The skybox, if it differs from the environment.
    sky: Option<EnvironmentSlot>,
}

/// An environment or a skybox. The panorama is kept to restore it after a context loss.
#[derive(Debug, Clone)]
struct EnvironmentSlot {
    panorama: Option<Rc<Panorama>>,
    /// `true` if the panorama is the studio of the context.
    studio: bool,
    /// `true` if the upload of the current panorama has not begun.
    stale: bool,
    shown: Option<Rc<Environment>>,
    /// The environment that is being prefiltered.
    next: Option<Rc<Environment>>,
}

/// The source of an environment.
#[derive(Debug, Clone)]
pub enum EnvironmentSource {
    /// No environment light.
    Dark,
    /// The procedural studio.
    Studio,
    /// A panorama.
    Panorama(Rc<Panorama>),
}

impl Light {
    pub(crate) fn new() -> Self {
        Self {
            settings: Lighting::default(),
            heading: 0.0,
            around: EnvironmentSlot::new(EnvironmentSource::Studio),
            sky: None,
        }
    }

    pub(crate) fn set_environment(&mut self, source: EnvironmentSource) {
        self.around.set(source);
    }

    pub(crate) fn set_sky(&mut self, source: Option<EnvironmentSource>) {
        match (&mut self.sky, source) {
            (Some(sky), Some(source)) => sky.set(source),
            (sky, source) => *sky = source.map(EnvironmentSlot::new),
        }
    }

    /// Discards the environments of a lost renderer, so that they are uploaded again.
    pub(crate) fn restore(&mut self) {
        self.around.restore();
        if let Some(sky) = &mut self.sky {
            sky.restore();
        }
    }

    /// The settings of a frame: those of the page, turned to the front of the cast.
    pub(super) fn turned(&self) -> Lighting {
        Lighting { rotation: self.settings.rotation + self.heading as f32, ..self.settings }
    }

    pub(crate) fn has_shadows(&self) -> bool {
        self.settings.shadow_intensity > 0.0
    }

    /// The environment light; `None` is black.
    pub(crate) fn environment(&self) -> Option<&Environment> {
        self.around.shown.as_deref()
    }

    /// The environment for the skybox.
    pub(crate) fn sky(&self) -> Option<&Environment> {
        self.sky.as_ref().unwrap_or(&self.around).shown.as_deref()
    }

    /// Takes one step of uploading the environment, and then the skybox.
    pub(crate) fn advance(&mut self, context: &mut Context, budget: usize) -> Result<Progress, RenderError> {
        let progress = self.around.advance(context, budget)?;
        match &mut self.sky {
            Some(sky) if progress == Progress::Done => sky.advance(context, budget),
            _ => Ok(progress),
        }
    }

    /// The ground of the skybox, with a radius of ten times that of the visible bounds or more.
    pub(crate) fn ground(&self, bounds: Option<Aabb>, cast: &Cast) -> Option<[f32; 4]> {
        let Lighting { skybox, skybox_height, .. } = self.settings;
        let bounds = bounds.filter(|_| skybox && skybox_height > 0.0)?;
        Some(ground_of_sky(skybox_height, bounds, cast))
    }

    /// The area that casts shadows: all visible models; `None` without shadows.
    pub(crate) fn shadow_area(&self, bounds: Option<Aabb>, cast: &Cast) -> Option<ShadowArea> {
        Some(area_of_shadows(bounds.filter(|_| self.has_shadows())?, cast))
    }

    /// The box around the ground that may receive shadows; `None` without shadows.
    pub(crate) fn shadow_reach(&self, bounds: Option<Aabb>, cast: &Cast) -> Option<Aabb> {
        reach_of_shadows(self, bounds.filter(|_| self.has_shadows())?, cast)
    }

    /// The bounding box of all visible models and of the ground that receives their shadows.
    pub(crate) fn lit_bounds(&self, bounds: Option<Aabb>, cast: &Cast) -> Option<Aabb> {
        let ground = self.shadow_reach(bounds, cast);
        Some(ground.map_or(bounds?, |ground| bounds.map_or(ground, |bounds| bounds.union(&ground))))
    }
}

// Only with a skybox or shadows, which `Lighting.set` of `web::stage::lighting` refuses until the feature runs.
feature! {
    list for_light;
    fn ground_of_sky(height: f32, bounds: Aabb, cast: &Cast) -> [f32; 4] = sky_ground;
    fn area_of_shadows(bounds: Aabb, cast: &Cast) -> ShadowArea = area;
    fn reach_of_shadows(light: &Light, bounds: Aabb, cast: &Cast) -> Option<Aabb> = reach;
}

impl EnvironmentSlot {
    fn new(source: EnvironmentSource) -> Self {
        let mut new = Self { panorama: None, studio: false, stale: true, shown: None, next: None };
        new.set(source);
        new
    }

    fn set(&mut self, source: EnvironmentSource) {
        self.studio = matches!(source, EnvironmentSource::Studio);
        self.panorama =
            if let EnvironmentSource::Panorama(panorama) = source { Some(panorama) } else { None };
        self.stale = true;
    }

    fn key(&self) -> Option<KeyLight> {
        match &self.panorama {
            Some(panorama) => panorama.key,
            None => self.studio.then(studio_key),
        }
    }

    fn restore(&mut self) {
        (self.shown, self.next) = (None, None);
        self.stale = true;
    }

    /// Takes one step of uploading the environment.
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

fn sky_ground(height: f32, bounds: Aabb, cast: &Cast) -> [f32; 4] {
    let Vec3 { x, z, .. } = bounds.center();
    let reach = 5.0 * bounds.max.distance(bounds.min);
    [x, lowest(bounds.min, cast), z, reach.max(10.0 * height)]
}

fn reach(light: &Light, bounds: Aabb, cast: &Cast) -> Option<Aabb> {
    let settings = light.turned();
    // Also before the environment is uploaded, and without a GPU.
    let key = light.around.key().map(|key| settings.key(key));
    let [min, max] = area(bounds, cast).reach(key.as_ref(), &settings)?;
    Some(Aabb { min, max })
}

/// The shadow area of all visible models.
fn area(Aabb { min, max }: Aabb, cast: &Cast) -> ShadowArea {
    let size = (max - min).max_element();
    let heights = cast.uneven_ground().and_then(|ground| ground.heights());
    let [ground, top] = match heights {
        // Ground that is far below or above the models does not matter, and would take the precision of maps.
        Some([low, high]) => [low.max(min.y - size), high.min(max.y + size)],
        None => [lowest(min, cast); 2],
    };
    ShadowArea { min, max, ground, rise: (top - ground).max(0.0) }
}

/// The height of the ground: that of the lowest model at rest, so that it stays while a character jumps.
fn lowest(min: Vec3, cast: &Cast) -> f32 {
    let standing = cast.members().iter().filter(|member| !member.is_attached());
    let lowest = standing.filter_map(|member| {
        let asset: &Asset = &member.asset;
        Some(asset.rest_box()?.transformed(&member.actor.place).min.y)
    });
    let ground = lowest.fold(cast.crowd_ground(), f32::min);
    if ground.is_finite() { ground } else { min.y }
}
