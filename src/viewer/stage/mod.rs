//! The frame: who is shown, from where, and when anything has to be drawn.

mod clock;
mod crowds;
mod frame;
mod framing;
mod lighting;
mod pace;
mod picking;
mod projection;
mod skinning;
mod stats;
mod still;

use frame::FrameLists;
use framing::Framed;
pub use lighting::Environs;
use lighting::Light;
use pace::Pace;
pub use picking::{Picked, SurfacePoint};
pub use projection::Projected;
pub use stats::{Stats, Ticked};
pub use still::Still;

use crate::animation::{Actor, Event, Framing, RootMotion, RootTravel, Transport, in_place};
use crate::base::Affine;
use crate::model::{ImageId, NodeId, VariantId};
#[cfg(doc)]
use crate::render::Renderer;
use crate::render::{Cost, Lighting, Pixels, Progress, RenderError};
use crate::viewer::camera::{Camera, look_through};
use crate::viewer::cast::{ActorId, Asset, Cast, DebugScene, JointSpace};
use crate::viewer::context::Context;
use crate::viewer::error::StageError;
use crate::viewer::models::Models;
use glam::Mat4;
use std::cell::RefCell;
use std::rc::Rc;

/// The lists of this room; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 2] = [&crowds::DEFERRED, &frame::DEFERRED];

/// A canvas with actors on it, seen by a camera.
#[derive(Debug)]
pub struct Stage {
    context: Rc<RefCell<Context>>,
    models: Models,
    cast: Cast,
    camera: Camera,
    framing: Framing,
    /// The camera of an actor's file that is looked through in place of the stage's own.
    view_camera: Option<(ActorId, usize)>,
    /// State of the automatic camera; `None` once it was moved.
    framed: Option<Framed>,
    /// `true` if the automatic camera glides out for a larger clip; else it cuts.
    glides: bool,
    /// `true` if it has followed a larger clip since [`Stage::take_glided`].
    glided: bool,
    size: (u32, u32),
    pixel_ratio: f32,
    background: Option<[f32; 4]>,
    light: Light,
    /// Whether the picture is older than the state.
    stale: bool,
    /// Whether crowds were posed for the next picture.
    crowds_posed: bool,
    cpu_skinning: bool,
    /// Whether another stage draws what this one plays.
    apart: bool,
    manual: bool,
    pace: Pace,
    lists: FrameLists,
    debug: DebugScene,
    frames: u64,
    /// What the last frame cost.
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
            background: None,
            light: Light::new(),
            stale: true,
            crowds_posed: false,
            cpu_skinning: false,
            apart: false,
            manual: false,
            pace: Pace::default(),
            lists: FrameLists::default(),
            debug: DebugScene::default(),
            frames: 0,
            cost: Cost::default(),
        }
    }

    /// Begins anew after [`Context::restore`]. Actors, timeline and camera are as they were. What was on the GPU has to be
    /// brought there again: light by [`Stage::advance_light`], the models of actors by
    /// [`Stage::give_image`] and [`Stage::advance_model`]; others are to be prepared anew.
    ///
    /// # Errors
    /// Those of [`Renderer::begin_model`]; the stage must not be drawn then.
    pub fn restore(&mut self) -> Result<(), RenderError> {
        self.light.restore();
        self.debug.prepared = false;
        let Self { models, context, cast, light, .. } = self;
        models.restore(&mut context.borrow_mut(), |asset| cast.shows(asset), light.has_shadows())?;
        self.stale = true;
        Ok(())
    }

    /// Begins to bring a model to the GPU, which takes many steps; see [`Stage::advance_model`]. Nothing happens if that was
    /// done before.
    ///
    /// # Errors
    /// Those of [`Renderer::begin_model`].
    pub fn prepare(&mut self, asset: &Rc<Asset>) -> Result<(), RenderError> {
        self.models.begin(&mut self.context.borrow_mut(), asset, self.cpu_skinning, self.light.has_shadows())
    }

    /// `true` if a prepared model is on the GPU as a whole: another stage of the context may have brought it there, with its
    /// images.
    pub fn is_complete(&self, asset: &Rc<Asset>) -> bool {
        self.models.is_complete(&self.context.borrow().renderer, asset)
    }

    /// Gives a model that is prepared one of its images; see [`Renderer::give_image`].
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

    /// Takes one step of bringing a prepared model to the GPU; see [`Renderer::advance_model`].
    ///
    /// # Errors
    /// Those of [`Renderer::advance_model`]; the model is to be released then.
    pub fn advance_model(
        &mut self,
        asset: &Rc<Asset>,
        budget: usize,
        patience: bool,
    ) -> Result<Progress, RenderError> {
        // An image may come to a model that is seen.
        self.stale = true;
        self.models.advance(&mut self.context.borrow_mut().renderer, asset, budget, patience)
    }

    /// Takes a model that was prepared off the GPU, unless an actor or another stage of the context shows it.
    pub fn release(&mut self, asset: &Rc<Asset>) {
        if !self.cast.shows(asset) {
            self.models.remove(&mut self.context.borrow_mut().renderer, asset);
        }
    }

    /// Takes one step of bringing the light to the GPU; see [`Renderer::advance_environment`].
    ///
    /// # Errors
    /// Those of [`Renderer::advance_environment`]; the light before stays.
    pub fn advance_light(&mut self, budget: usize) -> Result<Progress, RenderError> {
        self.stale = true;
        self.light.advance(&mut self.context.borrow_mut(), budget)
    }

    /// Puts an actor on stage: paused, at the beginning of its first clip. A camera that was not moved frames it too. A
    /// model that is not prepared is brought to the GPU at once, without images.
    ///
    /// - `place`: `world_from_model`.
    ///
    /// # Errors
    /// Those of [`Renderer::add_model`]; nothing changes then.
    pub fn add(&mut self, asset: &Rc<Asset>, place: Affine) -> Result<ActorId, RenderError> {
        if !self.apart && self.models.get(asset).is_none() {
            self.prepare(asset)?;
            if let Err(error) = finish(|| self.advance_model(asset, usize::MAX, false)) {
                self.release(asset);
                return Err(error);
            }
            finish(|| self.advance_light(usize::MAX))?;
        }
        self.debug.prepared = false;
        let id = self.cast.add(Rc::clone(asset), place);
        self.changed_cast();
        Ok(id)
    }

    /// Takes an actor off the stage, and its model off the GPU if nobody else shows it. Those that follow the actor
    /// stay where they stand.
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

    /// Makes an actor follow a joint of another; see [`Cast::attach`].
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

    /// Makes an actor follow nobody; it stays where it stands.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn detach(&mut self, id: ActorId) -> Result<(), StageError> {
        self.cast.detach(id)?;
        self.changed_cast();
        Ok(())
    }

    /// Tells the size of the canvas in device pixels, and how many of them a CSS pixel has.
    pub fn resize(&mut self, width: u32, height: u32, pixel_ratio: f32) {
        if (width, height) != self.size || pixel_ratio != self.pixel_ratio {
            self.size = (width, height);
            self.pixel_ratio = pixel_ratio;
            self.stale = true;
            self.point_camera();
        }
    }

    /// Sets what is behind the actors: sRGB and alpha, `0.0..=1.0`; `None` is transparent.
    pub fn set_background(&mut self, background: Option<[f32; 4]>) {
        self.background = background;
        self.stale = true;
    }

    /// What is behind the actors.
    pub fn background(&self) -> Option<[f32; 4]> {
        self.background
    }

    /// Sets where the light comes from; the dark leaves the lights of the files alone. To begin with it is the studio.
    /// [`Stage::advance_light`] brings it to the GPU; until then there is the light before.
    pub fn set_environment(&mut self, environs: Environs) {
        self.light.set_environment(environs);
        self.stale = true;
    }

    /// Sets what is seen where [`Lighting::skybox`] asks for it; `None` is where the light comes from.
    pub fn set_sky(&mut self, environs: Option<Environs>) {
        self.light.set_sky(environs);
        self.stale = true;
    }

    /// How the stage is lit.
    pub fn lighting(&self) -> &Lighting {
        &self.light.settings
    }

    /// How the stage is lit, to be changed; the next tick draws.
    pub fn lighting_mut(&mut self) -> &mut Lighting {
        self.stale = true;
        &mut self.light.settings
    }

    /// Chooses a variant of materials for an actor; `None` is what its model shows without one.
    ///
    /// An index that is none of [`Model::variants`](crate::model::Model::variants) counts as `None`.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn set_variant(&mut self, id: ActorId, variant: Option<usize>) -> Result<(), StageError> {
        let count = self.cast.get(id)?.asset.model.variants.len();
        self.actor_mut(id)?.variant = variant.filter(|&index| index < count).map(VariantId::new);
        Ok(())
    }

    /// Says what becomes of the way that an actor's clips go over the ground. A journey begins anew.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn set_root_motion(&mut self, id: ActorId, motion: RootMotion) -> Result<(), StageError> {
        let asset = Rc::clone(&self.cast.get(id)?.asset);
        let (mut rig, mut journey) = (Rc::clone(&asset.rig), None);
        if motion != RootMotion::Keep {
            let (ways, staying) = in_place(&asset.model, &rig);
            rig = Rc::new(staying);
            journey = (motion == RootMotion::Accumulate).then(|| RootTravel::new(ways));
        }
        self.actor_mut(id)?.set_rig(rig, journey);
        if self.framed.is_some() {
            self.frame_by_itself();
        }
        Ok(())
    }

    /// Who is on stage.
    pub fn cast(&self) -> &Cast {
        &self.cast
    }

    /// Who is on stage, with poses, places and boxes of the present state.
    pub fn posed(&mut self) -> &Cast {
        self.cast.pose();
        &self.cast
    }

    /// An actor, to be changed; the next tick draws.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn actor_mut(&mut self, id: ActorId) -> Result<&mut Actor, StageError> {
        self.stale = true;
        self.cast.actor_mut(id)
    }

    /// The controls of what an actor plays, to be read; see [`Cast::track`].
    ///
    /// # Errors
    /// `NoActor`, `NoLayer`.
    pub fn track(&mut self, id: ActorId, layer: Option<u32>) -> Result<Transport<'_>, StageError> {
        self.cast.track(id, layer)
    }

    /// The controls of what an actor plays; the next tick draws. See [`Cast::track`].
    ///
    /// # Errors
    /// `NoActor`, `NoLayer`.
    pub fn track_mut(&mut self, id: ActorId, layer: Option<u32>) -> Result<Transport<'_>, StageError> {
        self.stale = true;
        self.cast.track_mut(id, layer)
    }

    /// Whether there are events to take; see [`Cast::drain_events`].
    pub fn has_events(&self) -> bool {
        self.cast.has_events()
    }

    /// Takes the events of all players; see [`Cast::drain_events`].
    pub fn drain_events(&mut self, tell: impl FnMut(ActorId, Event)) {
        // Changes nothing on screen, so unlike `actor_mut` this asks for no frame.
        self.cast.drain_events(tell);
    }

    /// Looks through a camera of an actor's file, an index of [`Asset::cameras`], in place of the stage's own; `None` is
    /// that again, as is an index that is none of them.
    ///
    /// Where the pose leaves the camera no view (a yfov of 0, a node scaled to nothing), the stage's own is seen.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn set_view_camera(&mut self, id: ActorId, index: Option<usize>) -> Result<(), StageError> {
        let count = self.cast.get(id)?.asset.cameras.len();
        self.view_camera = index.filter(|&index| index < count).map(|index| (id, index));
        self.stale = true;
        Ok(())
    }

    /// Whose camera is looked through, and which of [`Asset::cameras`] it is.
    pub fn view_camera(&self) -> Option<(ActorId, usize)> {
        self.view_camera
    }

    /// The stage's own camera.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// The stage's own camera, to be moved and seen through; it no longer frames by itself.
    pub fn camera_mut(&mut self) -> &mut Camera {
        self.framed = None;
        self.view_camera = None;
        self.stale = true;
        &mut self.camera
    }

    /// What the camera frames.
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// Sets what the camera frames, and frames it unless the camera was moved.
    pub fn set_framing(&mut self, framing: Framing) {
        self.framing = framing;
        if self.framed.is_some() {
            self.frame_by_itself();
        }
    }

    /// Moves the camera, without turning it, to where everybody is in view; it goes on framing when the canvas changes
    /// its shape and when actors come and go. Who follows a joint counts with [`Framing::Pose`] only.
    pub fn frame(&mut self) {
        self.view_camera = None;
        self.frame_by_itself();
    }

    /// Turns the camera back to where it looked from at first, and frames.
    pub fn reset_camera(&mut self) {
        self.camera = Camera::default();
        self.frame();
    }

    /// Draws the current state. In a context that is lost nothing is drawn, and that is no error: it will be restored.
    ///
    /// - `patience`: whether shadows and the sky may come later, since their programs are being built.
    ///
    /// Returns whether the picture is complete; else the next tick draws again.
    ///
    /// # Errors
    /// Those of [`Renderer::render`].
    pub fn draw(&mut self, patience: bool) -> Result<bool, RenderError> {
        match self.draw_frame(patience) {
            Err(RenderError::ContextLost) => Ok(true),
            result => result.inspect(|&complete| self.stale = !complete),
        }
    }

    /// `view_from_world` and `clip_from_view` of the camera that is looked through; the cast is posed.
    fn view(&self) -> (Mat4, Mat4) {
        let aspect = self.aspect();
        let through = self.view_camera.and_then(|(id, index)| {
            let member = self.cast.get(id).ok()?;
            let (asset, actor) = (&member.asset, &member.actor);
            let (node, camera) = *asset.cameras.get(index)?;
            let matrix = &actor.node_matrices()[node.index()];
            look_through(&asset.model, &asset.rig.layout.properties, actor.pose(), camera, matrix, aspect)
        });
        let own = || {
            let shown = self.light.lit_bounds(self.cast.bounds(), &self.cast);
            (self.camera.view(), self.camera.projection(aspect, shown.as_ref()))
        };
        through.unwrap_or_else(own)
    }

    fn changed_cast(&mut self) {
        self.stale = true;
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

/// Takes all steps.
fn finish(mut step: impl FnMut() -> Result<Progress, RenderError>) -> Result<(), RenderError> {
    while step()? != Progress::Done {}
    Ok(())
}
