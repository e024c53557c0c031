//! Stages: cast, camera, lighting, and when to draw.

mod clock;
pub(crate) mod crowds;
mod film;
pub(crate) mod frame;
mod framing;
pub(crate) mod lighting;
pub(crate) mod materials;
mod pace;
pub(crate) mod picking;
mod preview;
mod projection;
mod skinning;
mod stats;
mod still;
mod views;

use frame::{FrameLists, face_camera};
use framing::Framed;
pub use lighting::EnvironmentSource;
use lighting::Light;
use materials::OwnMaterials;
use pace::Pace;
pub use picking::{Picked, SurfacePoint};
use preview::Before;
pub use projection::Projected;
pub use stats::{Stats, TickResult};
pub use still::Still;
use views::ShownView;
pub use views::View;

use crate::animation::{
    Actor, Billboards, Event, Flipbooks, Framing, Player, RootMotion, RootOptions, States, StatesWarning,
    Transport,
};
use crate::base::{Aabb, Affine};
use crate::model::{ImageId, NodeId, StateMachine, VariantId};
#[cfg(doc)]
use crate::render::Renderer;
use crate::render::{Cost, Lighting, Pixels, Progress, RenderError, UnevenGround};
use crate::viewer::camera::{Camera, look_through};
use crate::viewer::cast::{ActorId, Asset, Cast, DebugScene, JointSpace};
use crate::viewer::context::Context;
use crate::viewer::error::StageError;
use crate::viewer::models::{Models, update_clips};
use glam::Mat4;
use std::cell::RefCell;
use std::rc::Rc;

/// A canvas with a cast and a camera.
#[derive(Debug)]
pub struct Stage {
    context: Rc<RefCell<Context>>,
    models: Models,
    cast: Cast,
    camera: Camera,
    framing: Framing,
    /// The active camera of an actor's file, in place of the stage's own.
    view_camera: Option<(ActorId, usize)>,
    /// The state of the automatic camera; `None` after the camera was moved.
    framed: Option<Framed>,
    /// `true` if the automatic camera glides to a larger clip; `false` if it cuts.
    glides: bool,
    /// `true` if the automatic camera has moved for a larger clip since [`Stage::take_glided`].
    glided: bool,
    size: (u32, u32),
    pixel_ratio: f32,
    /// The covered parts of the picture: see [`Stage::set_padding`].
    padding: [f32; 4],
    background: Option<[f32; 4]>,
    light: Light,
    /// `true` if the picture is out of date.
    stale: bool,
    /// `true` if crowds are already posed for the next picture.
    crowds_posed: bool,
    cpu_skinning: bool,
    /// `true` if another stage draws for this one.
    drawn_elsewhere: bool,
    manual: bool,
    pace: Pace,
    /// The state before the first preview; `None` unless there are previews.
    before: Option<Box<Before>>,
    lists: FrameLists,
    debug: DebugScene,
    /// The materials of actors; `None` until the page first changes one.
    own: Option<Box<OwnMaterials>>,
    /// The view that is being drawn in place of the camera's.
    through: Option<Box<ShownView>>,
    frames: u64,
    /// The cost of the last frame.
    cost: Cost,
}

impl Stage {
    /// An empty stage that draws in a context.
    pub fn new(context: Rc<RefCell<Context>>) -> Self {
        Self {
            context,
            models: Models::default(),
            cast: Cast::default(),
            camera: Camera::default(),
            framing: Framing::Clip,
            view_camera: None,
            framed: Some(Framed::default()),
            glides: true,
            glided: false,
            size: (0, 0),
            pixel_ratio: 1.0,
            padding: [0.0; 4],
            background: None,
            light: Light::new(),
            stale: true,
            crowds_posed: false,
            cpu_skinning: false,
            drawn_elsewhere: false,
            manual: false,
            pace: Pace::default(),
            before: None,
            lists: FrameLists::default(),
            debug: DebugScene::default(),
            own: None,
            through: None,
            frames: 0,
            cost: Cost::default(),
        }
    }

    /// Restarts uploads after [`Context::restore`]. Actors, timeline and camera keep their state. The caller
    /// uploads again: lighting with [`Stage::advance_light`], models of actors with
    /// [`Stage::give_image`] and [`Stage::advance_model`]. Prepare other models again.
    ///
    /// # Errors
    /// Those of [`Renderer::begin_model`]; the stage must not be drawn then.
    pub fn restore(&mut self) -> Result<(), RenderError> {
        self.light.restore();
        self.debug.prepared = false;
        self.restore_materials();
        let Self { models, context, cast, light, .. } = self;
        models.restore(&mut context.borrow_mut(), |asset| cast.shows(asset), light.has_shadows())?;
        self.stale = true;
        Ok(())
    }

    /// Begins the upload of a model, which takes many steps; see [`Stage::advance_model`]. Does nothing if it has begun
    /// already.
    ///
    /// # Errors
    /// Those of [`Renderer::begin_model`].
    pub fn prepare(&mut self, asset: &Rc<Asset>) -> Result<(), RenderError> {
        self.models.begin(&mut self.context.borrow_mut(), asset, self.cpu_skinning, self.light.has_shadows())
    }

    /// `true` if a prepared model is completely uploaded. Another stage of the context may have done this, including
    /// the images.
    pub fn is_complete(&self, asset: &Rc<Asset>) -> bool {
        self.models.is_complete(&self.context.borrow().renderer, asset)
    }

    /// Passes an image of a prepared model; see [`Renderer::give_image`].
    ///
    /// # Errors
    /// Those of [`Renderer::give_image`].
    pub fn give_image(
        &mut self,
        asset: &Rc<Asset>,
        image: ImageId,
        pixels: Pixels,
    ) -> Result<(), RenderError> {
        self.models.give_image(&mut self.context.borrow_mut().renderer, asset, image, pixels)
    }

    /// Takes one step of a prepared model's upload; see [`Renderer::advance_model`].
    ///
    /// # Errors
    /// Those of [`Renderer::advance_model`]; release the model then.
    pub fn advance_model(
        &mut self,
        asset: &Rc<Asset>,
        budget: usize,
        may_defer: bool,
    ) -> Result<Progress, RenderError> {
        // The model may be visible and get an image.
        self.stale = true;
        self.models.advance(&mut self.context.borrow_mut().renderer, asset, budget, may_defer)
    }

    /// Removes a prepared model from the GPU, unless an actor or another stage of the context shows it.
    pub fn release(&mut self, asset: &Rc<Asset>) {
        if !self.cast.shows(asset) {
            self.models.remove(&mut self.context.borrow_mut().renderer, asset);
        }
    }

    /// Takes one step of uploading the lighting; see [`Renderer::advance_environment`].
    ///
    /// # Errors
    /// Those of [`Renderer::advance_environment`]; the previous environment stays.
    pub fn advance_light(&mut self, budget: usize) -> Result<Progress, RenderError> {
        self.stale = true;
        self.light.advance(&mut self.context.borrow_mut(), budget)
    }

    /// Adds an actor, paused at the start of its first clip that lasts. The automatic camera frames it too. A model that is not
    /// prepared is uploaded synchronously, without images.
    ///
    /// - `place`: `world_from_model`.
    ///
    /// # Errors
    /// Those of [`Renderer::add_model`]; nothing changes then.
    pub fn add(&mut self, asset: &Rc<Asset>, place: Affine) -> Result<ActorId, RenderError> {
        if !self.drawn_elsewhere && self.models.get(asset).is_none() {
            self.prepare(asset)?;
            if let Err(error) = finish(|| self.advance_model(asset, usize::MAX, false)) {
                self.release(asset);
                return Err(error);
            }
            finish(|| self.advance_light(usize::MAX))?;
        }
        self.debug.prepared = false;
        if asset.has_other_clips() {
            // Some may have been added since the upload began.
            update_clips(&self.models, &mut self.context.borrow_mut().renderer, asset)?;
        }
        let id = self.cast.add(Rc::clone(asset), place);
        self.changed_cast();
        Ok(id)
    }

    /// Removes an actor, and releases its model. Actors attached to it stay in place.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn remove(&mut self, id: ActorId) -> Result<(), StageError> {
        let asset = self.cast.remove(id)?;
        self.view_camera = self.view_camera.filter(|(actor, _)| *actor != id);
        self.release(&asset);
        self.changed_cast();
        Ok(())
    }

    /// Places an actor; see [`Cast::place`].
    ///
    /// # Errors
    /// `NoActor`.
    pub fn place(&mut self, id: ActorId, place: Affine) -> Result<(), StageError> {
        self.stale = true;
        self.cast.place(id, place)
    }

    /// Places an actor without physics; see [`Cast::teleport`].
    ///
    /// # Errors
    /// `NoActor`.
    pub fn teleport(&mut self, id: ActorId, place: Affine) -> Result<(), StageError> {
        self.stale = true;
        self.cast.teleport(id, place)
    }

    /// Attaches an actor to a joint of another one; see [`Cast::attach`].
    ///
    /// # Errors
    /// `NoActor`, `NoJoint`, `Cycle`.
    pub fn attach(
        &mut self,
        id: ActorId,
        leader: ActorId,
        node: NodeId,
        space: JointSpace,
        offset: Affine,
    ) -> Result<(), StageError> {
        self.cast.attach(id, leader, node, space, offset)?;
        self.changed_cast();
        Ok(())
    }

    /// Detaches an actor from its joint; it stays in place.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn detach(&mut self, id: ActorId) -> Result<(), StageError> {
        self.cast.detach(id)?;
        self.changed_cast();
        Ok(())
    }

    /// Sets the size of the canvas in device pixels, and the number of device pixels per CSS pixel.
    pub fn resize(&mut self, width: u32, height: u32, pixel_ratio: f32) {
        if (width, height) != self.size || pixel_ratio != self.pixel_ratio {
            self.size = (width, height);
            self.pixel_ratio = pixel_ratio;
            self.pad_camera();
        }
    }

    /// Sets the parts of the picture at its left, top, right and bottom that something covers, in CSS pixels.
    pub fn set_padding(&mut self, padding: [f32; 4]) {
        self.padding = padding;
        self.pad_camera();
    }

    /// Updates the camera's padding. At least a tenth of the picture stays free.
    fn pad_camera(&mut self) {
        let fraction = |css: f32, pixels: u32| css.max(0.0) * self.pixel_ratio / pixels.max(1) as f32;
        let fit = |one: f32, other: f32| {
            let shrink = (0.9 / (one + other)).min(1.0);
            (one * shrink, other * shrink)
        };
        let [left, top, right, bottom] = self.padding;
        let (left, right) = fit(fraction(left, self.size.0), fraction(right, self.size.0));
        let (top, bottom) = fit(fraction(top, self.size.1), fraction(bottom, self.size.1));
        self.camera.padding = [left, top, right, bottom];
        self.stale = true;
        self.point_camera();
    }

    /// Sets the background colour: sRGB and alpha, `0.0..=1.0`; `None` is transparent.
    pub fn set_background(&mut self, background: Option<[f32; 4]>) {
        self.background = background;
        self.stale = true;
    }

    /// The background colour.
    pub fn background(&self) -> Option<[f32; 4]> {
        self.background
    }

    /// Sets the environment; the studio is the default. With [`EnvironmentSource::Dark`], only the lights of files remain.
    /// [`Stage::advance_light`] uploads it; until then the previous environment stays.
    pub fn set_environment(&mut self, source: EnvironmentSource) {
        self.light.set_environment(source);
        self.stale = true;
    }

    /// Sets the environment for the skybox, shown if [`Lighting::skybox`] is set; `None` uses that of the lighting.
    pub fn set_sky(&mut self, source: Option<EnvironmentSource>) {
        self.light.set_sky(source);
        self.stale = true;
    }

    /// The lighting settings.
    pub fn lighting(&self) -> &Lighting {
        &self.light.settings
    }

    /// The lighting settings, for changes; the next tick draws.
    pub fn lighting_mut(&mut self) -> &mut Lighting {
        self.stale = true;
        &mut self.light.settings
    }

    /// Selects a variant of materials for an actor; `None` selects the default materials.
    ///
    /// An index outside [`Model::variants`](crate::model::Model::variants) counts as `None`.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn set_variant(&mut self, id: ActorId, variant: Option<usize>) -> Result<(), StageError> {
        let count = self.cast.get(id)?.asset.model.variants.len();
        self.actor_mut(id)?.variant = variant.filter(|&index| index < count).map(VariantId::new);
        Ok(())
    }

    /// Sets the handling of root motion for an actor. Accumulated motion restarts.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn set_root_motion(
        &mut self,
        id: ActorId,
        motion: RootMotion,
        options: RootOptions,
    ) -> Result<(), StageError> {
        let asset = Rc::clone(&self.cast.get(id)?.asset);
        self.actor_mut(id)?.set_root_motion(&asset.model, &asset.clips(), motion, options);
        if self.framed.is_some() {
            self.frame_by_itself();
        }
        Ok(())
    }

    /// Takes over the clips of a model after some were added, removed or replaced.
    ///
    /// # Errors
    /// Those of [`Renderer::set_layout`](crate::render::Renderer::set_layout).
    pub fn update_clips(&mut self, asset: &Rc<Asset>) -> Result<(), RenderError> {
        self.cast.update_clips(asset);
        self.stale = true;
        if self.framed.is_some() {
            self.frame_by_itself();
        }
        update_clips(&self.models, &mut self.context.borrow_mut().renderer, asset)
    }

    /// The cast of the stage.
    pub fn cast(&self) -> &Cast {
        &self.cast
    }

    /// The cast, with up-to-date poses, placements and boxes.
    pub fn posed(&mut self) -> &Cast {
        self.pose();
        &self.cast
    }

    /// Updates poses, placements and boxes, and turns billboards to the camera.
    fn pose(&mut self) {
        self.cast.pose();
        if self.cast.has_sprites() {
            face_camera(self);
        }
    }

    /// An actor, for changes; the next tick draws.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn actor_mut(&mut self, id: ActorId) -> Result<&mut Actor, StageError> {
        self.stale = true;
        self.cast.actor_mut(id)
    }

    /// Sets the ground of an actor's feet; see [`Cast::set_uneven_ground`].
    ///
    /// # Errors
    /// `NoActor`.
    pub fn set_uneven_ground(&mut self, id: ActorId, ground: Option<UnevenGround>) -> Result<(), StageError> {
        self.stale = true;
        self.cast.set_uneven_ground(id, ground.map(Rc::new))
    }

    /// The box around the ground that may receive shadows, and the lowest and the highest point of what casts them; `None`
    /// without shadows.
    pub fn shadow_reach(&mut self) -> Option<(Aabb, [f32; 2])> {
        let bounds = self.posed().bounds();
        Some((self.light.shadow_reach(bounds, &self.cast)?, bounds.map(|Aabb { min, max }| [min.y, max.y])?))
    }

    /// The flip-books and billboards of an actor, for changes; the next tick draws.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn sprites_mut(&mut self, id: ActorId) -> Result<(&mut Flipbooks, &mut Billboards), StageError> {
        self.stale = true;
        self.cast.sprites_mut(id)
    }

    /// Starts or ends the state machine of an actor; the next tick draws. See [`Cast::set_states`].
    ///
    /// # Errors
    /// `NoActor`.
    pub fn set_states(
        &mut self,
        id: ActorId,
        machine: Option<StateMachine>,
    ) -> Result<Vec<StatesWarning>, StageError> {
        self.stale = true;
        self.cast.set_states(id, machine)
    }

    /// The state machine of an actor and its player, for changes; see [`Cast::states_mut`]. Changes take effect when the
    /// timeline moves.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn states_mut(&mut self, id: ActorId) -> Result<Option<(&mut States, &mut Player)>, StageError> {
        self.cast.states_mut(id)
    }

    /// An actor, for reading; see [`Cast::actor_silently`].
    ///
    /// # Errors
    /// `NoActor`.
    pub fn actor_silently(&mut self, id: ActorId) -> Result<&mut Actor, StageError> {
        self.cast.actor_silently(id)
    }

    /// The playback controls of an actor, for reading; see [`Cast::track`].
    ///
    /// # Errors
    /// `NoActor`, `NoLayer`.
    pub fn track(&mut self, id: ActorId, layer: Option<u32>) -> Result<Transport<'_>, StageError> {
        self.cast.track(id, layer)
    }

    /// The playback controls of an actor, for changes; the next tick draws. See [`Cast::track`].
    ///
    /// # Errors
    /// `NoActor`, `NoLayer`.
    pub fn track_mut(&mut self, id: ActorId, layer: Option<u32>) -> Result<Transport<'_>, StageError> {
        self.stale = true;
        self.cast.track_mut(id, layer)
    }

    /// Sets a property of an actor's playback by a setter of [`Transport`]; if that returns `true`, the property has changed,
    /// and the next tick draws. See [`Cast::track`].
    ///
    /// # Errors
    /// `NoActor`, `NoLayer`.
    pub fn set_track(
        &mut self,
        id: ActorId,
        layer: Option<u32>,
        set: impl FnOnce(&mut Transport<'_>) -> bool,
    ) -> Result<(), StageError> {
        if set(&mut self.cast.track(id, layer)?) {
            self.track_mut(id, layer)?;
        }
        Ok(())
    }

    /// `true` if there are pending events; see [`Cast::drain_events`].
    pub fn has_events(&self) -> bool {
        self.cast.has_events()
    }

    /// Takes the pending events of all players; see [`Cast::drain_events`].
    pub fn drain_events(&mut self, receive: impl FnMut(ActorId, Event)) {
        // Events change nothing on screen, so unlike `actor_mut` this requests no frame.
        self.cast.drain_events(receive);
    }

    /// Selects a camera of an actor's file, by its index in [`Asset::cameras`], in place of the stage's own. `None` and
    /// an invalid index select the stage's own camera.
    ///
    /// The stage's own camera is also used while the pose gives no valid view: a yfov of 0, or a node scaled to 0.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn set_view_camera(&mut self, id: ActorId, index: Option<usize>) -> Result<(), StageError> {
        let count = self.cast.get(id)?.asset.cameras.len();
        self.view_camera = index.filter(|&index| index < count).map(|index| (id, index));
        self.stale = true;
        Ok(())
    }

    /// The active camera of a file: its actor, and the index in [`Asset::cameras`].
    pub fn view_camera(&self) -> Option<(ActorId, usize)> {
        self.view_camera
    }

    /// The stage's own camera.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// The stage's own camera, for changes. It becomes active, and the automatic camera ends.
    pub fn camera_mut(&mut self) -> &mut Camera {
        self.framed = None;
        self.view_camera = None;
        self.stale = true;
        &mut self.camera
    }

    /// The extent that the automatic camera frames.
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// Sets the extent that the automatic camera frames.
    pub fn set_framing(&mut self, framing: Framing) {
        self.framing = framing;
        if self.framed.is_some() {
            self.frame_by_itself();
        }
    }

    /// Starts the automatic camera: frames the whole cast without changing the direction, also when the canvas is resized
    /// and when actors are added or removed. Attached actors are included only with [`Framing::Pose`].
    pub fn frame(&mut self) {
        self.view_camera = None;
        self.frame_by_itself();
    }

    /// Resets the camera to its initial direction, and frames the cast.
    pub fn reset_camera(&mut self) {
        let Camera { padding, heading, .. } = self.camera;
        self.camera = Camera::default();
        (self.camera.padding, self.camera.heading) = (padding, heading);
        self.frame();
    }

    /// Draws the current state. In a lost context nothing is drawn, without an error, because the context will be restored.
    ///
    /// - `may_defer`: `true` if shadows and the skybox may be missing while their programs are being built.
    ///
    /// Returns `true` if the picture is complete; otherwise the next tick draws again.
    ///
    /// # Errors
    /// Those of [`Renderer::render`].
    pub fn draw(&mut self, may_defer: bool) -> Result<bool, RenderError> {
        match self.draw_frame(may_defer) {
            Err(RenderError::ContextLost) => Ok(true),
            result => result.inspect(|&complete| self.stale = !complete),
        }
    }

    /// `view_from_world` and `clip_from_view` of the active camera; the cast must be posed.
    fn view(&self) -> (Mat4, Mat4) {
        if let Some(through) = &self.through {
            return (through.view.view, through.view.projection);
        }
        let aspect = self.aspect();
        let through = self.view_camera.and_then(|(id, index)| {
            let member = self.cast.get(id).ok()?;
            let (asset, actor) = (&member.asset, &member.actor);
            let (node, camera) = *asset.cameras.get(index)?;
            let matrix = &actor.node_matrices()[node.index()];
            look_through(&asset.model, &actor.rig().layout.properties, actor.pose(), camera, matrix, aspect)
        });
        let own = || {
            let shown = self.light.lit_bounds(self.cast.bounds(), &self.cast);
            (self.camera.view(), self.camera.projection(aspect, shown.as_ref()))
        };
        through.unwrap_or_else(own)
    }

    fn changed_cast(&mut self) {
        self.stale = true;
        self.camera.face(self.cast.front());
        self.light.heading = self.camera.heading;
        if self.framed.is_some() {
            self.frame_by_itself();
        }
    }

    fn aspect(&self) -> f32 {
        self.size.0.max(1) as f32 / self.size.1.max(1) as f32
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.models.clear(&mut self.context.borrow_mut().renderer);
    }
}

/// Calls `step` until it is done.
fn finish(mut step: impl FnMut() -> Result<Progress, RenderError>) -> Result<(), RenderError> {
    while step()? != Progress::Done {}
    Ok(())
}
