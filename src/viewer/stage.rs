//! The frame: who is shown, from where, and when anything has to be drawn.

use super::camera::Camera;
use super::lens::{cameras, look_through};
use super::lights::lights;
use crate::animation::{
    Aabb, Actor, Affine, Bounds, Deformed, Event, Framing, MAX_STEP, Rig, around_clips, deform,
};
use crate::model::{CameraId, ClipId, ImageId, Model, NodeId, VariantId};
use crate::render::{
    ActorDraw, CompressedImage, DeformedPrimitive, Frame, LiveObjects, ModelHandle, PunctualLight,
    RenderError, Renderer,
};
use std::rc::Rc;

/// A model, and all that is computed from it once.
#[derive(Debug)]
pub struct Asset {
    /// The model.
    pub model: Model,
    /// What its animation compiles to.
    pub rig: Rc<Rig>,
    /// The boxes that follow its joints.
    pub bounds: Bounds,
    /// The box to point a camera at; see [`Camera::frame`].
    pub framing: Option<Aabb>,
    /// The cameras of the shown scene with their nodes, in the order of the nodes in the file.
    pub cameras: Vec<(NodeId, CameraId)>,
}

impl Asset {
    /// Compiles a model for the stage.
    pub fn new(model: Model) -> Self {
        let rig = Rc::new(Rig::new(&model));
        let bounds = Bounds::new(&model, &rig.layout);
        let first = (!model.clips.is_empty()).then(|| ClipId::new(0));
        let framing = around_clips(&model, &rig, Framing::Clip, first);
        let cameras = cameras(&model);
        Self { model, rig, bounds, framing, cameras }
    }
}

/// A canvas with one character on it, seen by a camera.
#[derive(Debug)]
pub struct Stage {
    renderer: Renderer,
    camera: Camera,
    /// Whether the camera still frames the character by itself.
    framed: bool,
    size: (u32, u32),
    pixel_ratio: f32,
    background: Option<[f32; 4]>,
    shown: Option<Shown>,
    /// Whether the picture is older than the state.
    stale: bool,
    cpu_skinning: bool,
    last_tick: Option<f64>,
}

#[derive(Debug)]
struct Shown {
    asset: Rc<Asset>,
    handle: ModelHandle,
    actor: Actor,
    /// Primitives that the CPU deforms: `(drawable, primitive)`.
    on_cpu: Vec<(usize, usize)>,
    deformed: Vec<Deformed>,
    lights: Vec<PunctualLight>,
    /// Which of the asset's cameras is looked through in place of the stage's.
    view_camera: Option<usize>,
}

impl Stage {
    /// An empty stage for a renderer.
    pub fn new(renderer: Renderer) -> Self {
        Self {
            renderer,
            camera: Camera::default(),
            framed: true,
            size: (0, 0),
            pixel_ratio: 1.0,
            background: None,
            shown: None,
            stale: true,
            cpu_skinning: false,
            last_tick: None,
        }
    }

    /// Shows a model in place of the one before, framed and paused; or nothing.
    ///
    /// # Errors
    /// Those of [`Renderer::add_model`]; the stage is empty then.
    pub fn set_asset(&mut self, asset: Option<Rc<Asset>>) -> Result<(), RenderError> {
        // The old one goes first: memory may be tight.
        if let Some(shown) = self.shown.take() {
            self.renderer.remove_model(shown.handle);
        }
        self.stale = true;
        let Some(asset) = asset else { return Ok(()) };
        let handle = self.renderer.add_model(&asset.model, &asset.rig.layout)?;
        let actor = Actor::new(&asset.model, Rc::clone(&asset.rig));
        let (on_cpu, deformed, lights) = (Vec::new(), Vec::new(), Vec::new());
        self.shown = Some(Shown { asset, handle, actor, on_cpu, deformed, lights, view_camera: None });
        self.choose_cpu_primitives();
        self.frame();
        Ok(())
    }

    /// Gives the model one of its images, decoded.
    ///
    /// # Errors
    /// Those of [`Renderer::set_image`].
    #[cfg(target_arch = "wasm32")]
    pub fn set_image(&mut self, image: ImageId, bitmap: &web_sys::ImageBitmap) -> Result<(), RenderError> {
        let shown = self.shown.as_ref().ok_or(RenderError::StaleHandle)?;
        self.stale = true;
        self.renderer.set_image(shown.handle, image, bitmap)
    }

    /// Gives the model one of its images: `rgba` has four bytes a pixel, the top row first.
    ///
    /// # Errors
    /// Those of [`Renderer::set_image_rgba`].
    pub fn set_image_rgba(
        &mut self,
        image: ImageId,
        width: u32,
        height: u32,
        rgba: &[u8],
    ) -> Result<(), RenderError> {
        let shown = self.shown.as_ref().ok_or(RenderError::StaleHandle)?;
        self.stale = true;
        self.renderer.set_image_rgba(shown.handle, image, width, height, rgba)
    }

    /// Gives the model one of its images, packed as this GPU has it.
    ///
    /// # Errors
    /// Those of [`Renderer::set_image_compressed`].
    pub fn set_image_compressed<L: AsRef<[u8]>>(
        &mut self,
        image: ImageId,
        packed: &CompressedImage<L>,
    ) -> Result<(), RenderError> {
        let shown = self.shown.as_ref().ok_or(RenderError::StaleHandle)?;
        self.stale = true;
        self.renderer.set_image_compressed(shown.handle, image, packed)
    }

    /// Tells the size of the canvas in device pixels, and how many of them a CSS pixel has.
    pub fn resize(&mut self, width: u32, height: u32, pixel_ratio: f32) {
        if (width, height) != self.size || pixel_ratio != self.pixel_ratio {
            self.size = (width, height);
            self.pixel_ratio = pixel_ratio;
            self.stale = true;
            if self.framed {
                self.frame();
            }
        }
    }

    /// Sets what is behind the character: sRGB and alpha, `0.0..=1.0`; `None` is transparent.
    pub fn set_background(&mut self, background: Option<[f32; 4]>) {
        self.background = background;
        self.stale = true;
    }

    /// Whether meshes are deformed by the CPU in place of the GPU. The picture is the same.
    pub fn set_cpu_skinning(&mut self, on: bool) {
        self.cpu_skinning = on;
        self.choose_cpu_primitives();
        self.stale = true;
    }

    /// Chooses a variant of materials of the model; `None` is what it shows without one.
    ///
    /// An index that is none of [`Model::variants`] counts as `None`.
    pub fn set_variant(&mut self, variant: Option<usize>) {
        if let Some(shown) = &mut self.shown {
            let known = variant.filter(|&index| index < shown.asset.model.variants.len());
            shown.actor.variant = known.map(VariantId::new);
            self.stale = true;
        }
    }

    /// The character on stage.
    pub fn actor(&self) -> Option<&Actor> {
        self.shown.as_ref().map(|shown| &shown.actor)
    }

    /// The character on stage, to be changed; the next tick draws.
    pub fn actor_mut(&mut self) -> Option<&mut Actor> {
        self.stale = true;
        self.shown.as_mut().map(|shown| &mut shown.actor)
    }

    /// Takes the events of the character's player, oldest first.
    pub fn drain_events(&mut self) -> Vec<Event> {
        // Changes nothing on screen, so unlike `actor_mut` this asks for no frame.
        self.shown.as_mut().map_or_else(Vec::new, |shown| shown.actor.player.drain_events())
    }

    /// Looks through one of [`Asset::cameras`], as its node and clips move it; `None` is the stage's own camera.
    ///
    /// An index that is none of them counts as `None`. Where the pose leaves the camera no view (a yfov of 0, a
    /// node scaled to nothing), the stage's own is seen.
    pub fn set_view_camera(&mut self, index: Option<usize>) {
        if let Some(shown) = &mut self.shown {
            shown.view_camera = index.filter(|&index| index < shown.asset.cameras.len());
            self.stale = true;
        }
    }

    /// Which of [`Asset::cameras`] is looked through.
    pub fn view_camera(&self) -> Option<usize> {
        self.shown.as_ref()?.view_camera
    }

    /// The stage's own camera.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// The stage's own camera, to be moved and seen through; it no longer frames by itself.
    pub fn camera_mut(&mut self) -> &mut Camera {
        self.framed = false;
        self.set_view_camera(None);
        self.stale = true;
        &mut self.camera
    }

    /// Frames the character, and goes on doing so when the canvas changes its shape.
    pub fn reset_camera(&mut self) {
        self.set_view_camera(None);
        self.frame();
    }

    fn frame(&mut self) {
        self.camera = Camera::default();
        if let Some(framing) = self.shown.as_ref().and_then(|shown| shown.asset.framing) {
            self.camera.frame(&framing, self.aspect());
        }
        self.framed = true;
        self.stale = true;
    }

    /// Forgets the time of the last tick: the next one advances by 0. For pages that were hidden.
    pub fn reset_clock(&mut self) {
        self.last_tick = None;
    }

    /// Advances the timeline to `now` seconds of the page's clock and draws if anything changed.
    ///
    /// A step is 100 ms at most. Returns whether there will be something to draw next time.
    ///
    /// # Errors
    /// Those of [`Renderer::render`].
    pub fn tick(&mut self, now: f64) -> Result<bool, RenderError> {
        let dt = self.last_tick.map_or(0.0, |last| (now - last).clamp(0.0, MAX_STEP));
        let moving = match &mut self.shown {
            Some(shown) => {
                let moving = shown.actor.player.is_moving();
                shown.actor.player.advance(dt);
                moving
            }
            None => false,
        };
        if moving || self.stale {
            self.draw()?;
        }
        let moves_on = self.actor().is_some_and(|actor| actor.player.is_moving());
        // Without a frame in flight the next one starts from nothing, not from when the last one was.
        self.last_tick = moves_on.then_some(now);
        Ok(moves_on)
    }

    /// Draws the current state.
    ///
    /// # Errors
    /// Those of [`Renderer::render`].
    pub fn draw(&mut self) -> Result<(), RenderError> {
        self.stale = false;
        let ((width, height), aspect) = (self.size, self.aspect());
        let mut frame = Frame {
            width,
            height,
            pixel_ratio: self.pixel_ratio,
            view: self.camera.view(),
            projection: self.camera.projection(aspect, None),
            background: self.background,
            palette: &[],
            actors: &[],
            lights: &[],
        };
        let Some(shown) = &mut self.shown else { return self.renderer.render(&frame) };
        let Shown { asset, handle, actor, on_cpu, deformed, lights: around, view_camera } = shown;
        actor.update();
        let weights = &actor.pose().weights[..];
        let mut on_screen = Vec::with_capacity(on_cpu.len());
        for (&(drawable, primitive), out) in on_cpu.iter().zip(deformed.iter_mut()) {
            let place = &asset.rig.layout.drawables[drawable];
            let source = &asset.model.meshes[place.mesh.index()].primitives[primitive];
            deform(source, place, actor.palette(), weights, out);
            let Deformed { positions, normals, tangents, tex_coords, colors } = out;
            on_screen.push(DeformedPrimitive {
                drawable,
                primitive,
                positions,
                normals,
                tangents,
                tex_coords,
                colors,
            });
        }
        let bounds = actor.bounds(&asset.bounds);
        let through = view_camera.and_then(|index| {
            let (node, camera) = *asset.cameras.get(index)?;
            let matrix = &actor.node_matrices()[node.index()];
            look_through(&asset.model, &asset.rig.layout.properties, actor.pose(), camera, matrix, aspect)
        });
        let own = || (self.camera.view(), self.camera.projection(aspect, bounds.as_ref()));
        (frame.view, frame.projection) = through.unwrap_or_else(own);
        frame.palette = Affine::as_floats(actor.palette());
        let target = bounds.map_or(self.camera.target, |bounds| bounds.center());
        let (pose, visible) = (actor.pose(), actor.visible());
        lights(&asset.model, &asset.rig.layout, pose, actor.node_matrices(), visible, target, around);
        let draw = ActorDraw {
            model: *handle,
            palette_base: 0,
            weights,
            properties: &pose.properties,
            visible,
            variant: actor.variant,
            deformed: &on_screen,
        };
        self.renderer.render(&Frame { actors: &[draw], lights: around, ..frame })?;
        actor.player.presented();
        Ok(())
    }

    /// How many GL objects there are now.
    pub fn live_objects(&self) -> LiveObjects {
        self.renderer.live_objects()
    }

    fn aspect(&self) -> f32 {
        self.size.0.max(1) as f32 / self.size.1.max(1) as f32
    }

    /// All primitives if the page asks for it, else those with more influences than the GPU blends.
    fn choose_cpu_primitives(&mut self) {
        let Some(shown) = &mut self.shown else { return };
        shown.on_cpu.clear();
        for (i, drawable) in shown.asset.rig.layout.drawables.iter().enumerate() {
            for (j, primitive) in
                shown.asset.model.meshes[drawable.mesh.index()].primitives.iter().enumerate()
            {
                let influences = primitive.influences.as_ref().map_or(0, |influences| influences.per_vertex);
                let too_many = drawable.skinned && influences > Renderer::INFLUENCE_LIMIT;
                if self.cpu_skinning || too_many {
                    shown.on_cpu.push((i, j));
                }
            }
        }
        shown.deformed.resize_with(shown.on_cpu.len(), Deformed::default);
    }
}
