//! The renderer: models in, frames out.

mod render;

use super::error::RenderError;
use super::frame::FRAME_FLOATS;
use super::progress::Progress;
use crate::model::{ImageId, Model, NodeId, PaletteLayout, Panorama};
use crate::render::gl::{Buffer, Cost, Gl, LiveObjects};
use crate::render::light::{Environment, Environments};
use crate::render::passes::{Backdrop, DrawList, Lines, ModelDebug, Shadows, Skies};
use crate::render::programs::{Programs, Variant};
use crate::render::resources::{
    GpuModel, INFLUENCE_LIMIT, ModelHandle, Palette, Pixels, Samplers, StandIns, Upload, palette_limit,
};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The lists of this room; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 1] = [&render::DEFERRED];

/// Shows models in a WebGL2 context, which it takes over with all of its state.
///
/// When it is dropped, nothing it made is left in the context. After a lost context is restored, drop the
/// renderer and build another from the same models.
#[derive(Debug)]
pub struct Renderer {
    models: Vec<Entry>,
    programs: Programs,
    samplers: Samplers,
    stand_ins: StandIns,
    palette: Palette,
    /// The uniform blocks of the frame.
    frame_block: Buffer,
    environments: Environments,
    skies: Skies,
    shadows: Shadows,
    list: DrawList,
    backdrop: Backdrop,
    lines: Lines,
    /// What the last frame cost, with all that was done before it.
    cost: Cost,
    gl: Rc<Gl>,
}

/// The number of uniform blocks of the frame.
const FRAME_BLOCKS: usize = 5;

/// From a block of the frame to the next, in bytes.
fn block_stride(gl: &Gl) -> usize {
    (4 * FRAME_FLOATS).next_multiple_of(gl.limits().uniform_alignment)
}

/// The generation of the next model.
static GENERATIONS: AtomicU32 = AtomicU32::new(1);

/// A place for a model. No two models have the same generation, in whichever renderer: a stage that was not told of a new renderer yet
/// has handles of the lost one, which must not mean another model.
#[derive(Debug)]
struct Entry {
    generation: u32,
    model: Option<GpuModel>,
    /// What debug views need besides, while there are any.
    debug: Option<ModelDebug>,
    /// What is not there yet of the model.
    upload: Option<Upload>,
}

impl Renderer {
    /// The most influences of a vertex that are attributes of it.
    ///
    /// Primitives with more are better deformed by the CPU, see [`ActorDraw::deformed`](crate::render::ActorDraw::deformed); otherwise the GPU reads all of a vertex's
    /// influences from a texture, and blends them linearly.
    pub const INFLUENCE_LIMIT: usize = INFLUENCE_LIMIT;

    /// A renderer for a context. Outside the web, the context must be current whenever the renderer is used
    /// or dropped.
    ///
    /// `glow` panics when it wraps a context that is lost: ask `isContextLost()` before, or use
    /// `from_webgl2`.
    ///
    /// # Errors
    /// `Unsupported` if it is not WebGL2 (or OpenGL 3), `ContextLost`, or `OutOfMemory`.
    pub fn new(gl: glow::Context) -> Result<Self, RenderError> {
        let gl = Gl::new(gl)?;
        let frame_block = Buffer::new(&gl)?;
        gl.fill_uniforms(&frame_block, &vec![0.0; FRAME_BLOCKS * block_stride(&gl) / 4], true);
        let environments = Environments::new(&gl)?;
        let renderer = Self {
            models: Vec::new(),
            programs: Programs::default(),
            samplers: Samplers::default(),
            stand_ins: StandIns::new(&gl)?,
            palette: Palette::new(&gl)?,
            frame_block,
            environments,
            skies: Skies::new(),
            shadows: Shadows::new(&gl)?,
            list: DrawList::default(),
            backdrop: Backdrop::default(),
            lines: Lines::default(),
            cost: Cost::default(),
            gl,
        };
        renderer.gl.check()?;
        Ok(renderer)
    }

    /// A renderer for a WebGL2 context as the browser gives it.
    ///
    /// # Errors
    /// As [`Renderer::new`].
    #[cfg(target_arch = "wasm32")]
    pub fn from_webgl2(context: web_sys::WebGl2RenderingContext) -> Result<Self, RenderError> {
        if context.is_context_lost() {
            return Err(RenderError::ContextLost);
        }
        Self::new(glow::Context::from_webgl2_context(context))
    }

    /// Tells that the browser took the context away: nothing is made or deleted in it any more.
    pub fn lose(&self) {
        self.gl.lose();
    }

    /// The light of a panorama, begun if there is none yet; [`Renderer::advance_environment`] prefilters it. Whoever asks
    /// for the same panorama gets the same.
    ///
    /// # Errors
    /// `OutOfMemory`, `ContextLost`.
    pub fn environment(&mut self, panorama: &Rc<Panorama>) -> Result<Rc<Environment>, RenderError> {
        self.environments.get(&self.gl, panorama)
    }

    /// Takes one step towards an environment; the budget is as with [`Renderer::advance_model`]. Before it is done for the first time,
    /// nothing is lit rightly, not even by `None`.
    ///
    /// # Errors
    /// As [`Renderer::environment`]; the environment will not be there then.
    pub fn advance_environment(
        &mut self,
        environment: Option<&Environment>,
        budget: usize,
    ) -> Result<Progress, RenderError> {
        self.environments.advance(&self.gl, environment, budget)
    }

    /// Begins to bring a model to the GPU; [`Renderer::advance_model`] goes on. Until it is there, nothing of it is drawn.
    ///
    /// - `layout`: the layout of `model` that palettes and weights will have.
    /// - `deformed`: the primitives that the CPU will deform, `(drawable, primitive)`, sorted; if others are, or a shadow is drawn
    ///   that `shadows` did not tell of, frames wait for the programs of that.
    ///
    /// # Errors
    /// `OutOfMemory`, `ContextLost`. Nothing of the model is left then.
    pub fn begin_model(
        &mut self,
        model: &Model,
        layout: &PaletteLayout,
        deformed: &[(usize, usize)],
        shadows: bool,
    ) -> Result<ModelHandle, RenderError> {
        let gpu = GpuModel::new(&self.gl, model, layout, &mut self.samplers)?;
        let upload = Upload::new(&gpu, (model, layout), deformed, shadows);
        let index = match self.models.iter().position(|entry| entry.model.is_none()) {
            Some(index) => index,
            None => {
                self.models.push(Entry { generation: 0, model: None, debug: None, upload: None });
                self.models.len() - 1
            }
        };
        let entry = &mut self.models[index];
        entry.generation = GENERATIONS.fetch_add(1, Ordering::Relaxed);
        entry.model = Some(gpu);
        entry.upload = Some(upload);
        Ok(ModelHandle { index: index as u32, generation: entry.generation })
    }

    /// Gives a model one of its images, for [`Renderer::advance_model`] to put it in place of what stands in for it.
    ///
    /// # Errors
    /// `ImageData` if there are fewer pixels than the size needs, `StaleHandle`.
    pub fn give_image(
        &mut self,
        handle: ModelHandle,
        image: ImageId,
        pixels: Pixels,
    ) -> Result<(), RenderError> {
        pixels.check()?;
        self.model_mut(handle)?;
        self.models[handle.index as usize].upload.get_or_insert_default().give_image(image, pixels);
        Ok(())
    }

    /// Takes one step of bringing a model to the GPU.
    ///
    /// - `model`, `layout`: those that it was begun with.
    /// - `budget`: how many bytes go to the GPU at most, but for one row of an image.
    /// - `patience`: whether it may be [`Progress::Busy`]; else it waits for the GPU where it must.
    ///
    /// # Errors
    /// `OutOfMemory`, `TooLarge`, `TextureTooLarge`, `ImageData` if a bitmap is closed, `Shader`, `Gl` if the GPU does not
    /// have the format of an image, `ContextLost`, `StaleHandle`; the model is to be removed then.
    pub fn advance_model(
        &mut self,
        handle: ModelHandle,
        model: &Model,
        layout: &PaletteLayout,
        budget: usize,
        patience: bool,
    ) -> Result<Progress, RenderError> {
        self.model_mut(handle)?;
        let Entry { model: gpu, upload, .. } = &mut self.models[handle.index as usize];
        let (Some(gpu), Some(going)) = (gpu, upload.as_mut()) else { return Ok(Progress::Done) };
        let progress = going.step(&self.gl, gpu, (model, layout), &mut self.programs, (budget, patience))?;
        if progress == Progress::Done {
            *upload = None;
        }
        Ok(progress)
    }

    /// `true` if the whole model is on the GPU, with the images that it was given.
    pub fn is_complete(&self, handle: ModelHandle) -> bool {
        let entry = self.models.get(handle.index as usize);
        let entry = entry.filter(|entry| entry.generation == handle.generation);
        entry.is_some_and(|entry| entry.model.is_some() && entry.upload.is_none())
    }

    /// Brings a model to the GPU in one go, without images.
    ///
    /// # Errors
    /// As [`Renderer::begin_model`] and [`Renderer::advance_model`]. Nothing of the model is left then.
    pub fn add_model(&mut self, model: &Model, layout: &PaletteLayout) -> Result<ModelHandle, RenderError> {
        let handle = self.begin_model(model, layout, &[], false)?;
        loop {
            match self.advance_model(handle, model, layout, usize::MAX, false) {
                Ok(Progress::Done) => return Ok(handle),
                Ok(_) => {}
                Err(error) => {
                    self.remove_model(handle);
                    return Err(error);
                }
            }
        }
    }

    /// Deletes what was made for a model, except some programs that are built, which the next model may need as well.
    /// A handle without a model is ignored.
    pub fn remove_model(&mut self, handle: ModelHandle) {
        if let Some(entry) = self.models.get_mut(handle.index as usize)
            && entry.generation == handle.generation
        {
            entry.model = None;
            entry.debug = None;
            entry.upload = None;
        }
        if self.models.iter().all(|entry| entry.upload.is_none()) {
            self.programs.forget_requests();
        }
        self.programs.forget_unused();
        if !self.models.iter().filter_map(|entry| entry.model.as_ref()).any(GpuModel::transmits) {
            self.backdrop = Backdrop::default();
        }
    }

    fn model_mut(&mut self, handle: ModelHandle) -> Result<&mut GpuModel, RenderError> {
        let entry = self.models.get_mut(handle.index as usize);
        let entry = entry.filter(|entry| entry.generation == handle.generation);
        entry.and_then(|entry| entry.model.as_mut()).ok_or(RenderError::StaleHandle)
    }

    /// Makes what debug views of a model need, which [`Frame::debug`](crate::render::Frame::debug) shows; to be called before the first such frame, and
    /// again for another joint. Returns `false` for a model that is not on the GPU as a whole, of which nothing is made yet.
    ///
    /// - `joint`: whose weights are shown.
    ///
    /// # Errors
    /// `StaleHandle`, and those of [`Renderer::add_model`].
    pub fn prepare_debug(
        &mut self,
        handle: ModelHandle,
        model: &Model,
        layout: &PaletteLayout,
        joint: Option<NodeId>,
    ) -> Result<bool, RenderError> {
        self.model_mut(handle)?;
        // While it is being uploaded, its parts become more.
        let Entry { model: Some(gpu), debug, upload: None, .. } = &mut self.models[handle.index as usize]
        else {
            return Ok(false);
        };
        if let Some(debug) = debug {
            debug.choose(gpu.draws.iter(), model, layout, joint);
            return Ok(true);
        }
        let made = ModelDebug::new(&self.gl, gpu, model, layout)?;
        debug.insert(made).choose(gpu.draws.iter(), model, layout, joint);
        self.gl.check()?;
        Ok(true)
    }

    /// Deletes what [`Renderer::prepare_debug`] made for a model, except programs.
    pub fn end_debug(&mut self, handle: ModelHandle) {
        if self.model_mut(handle).is_ok() {
            self.models[handle.index as usize].debug = None;
        }
        self.lines = Lines::default();
    }

    /// Has the joints of a model blended as dual quaternions, or linearly, as all are to begin with. What is drawn already is
    /// waited for. With dual quaternions the rotations of all matrices follow behind [`Frame::palette`](crate::render::Frame::palette).
    ///
    /// # Errors
    /// `StaleHandle`, `Shader`, `OutOfMemory`, `ContextLost`.
    pub fn set_skinning(&mut self, handle: ModelHandle, dual: bool) -> Result<(), RenderError> {
        self.model_mut(handle)?;
        let Self { models, programs, gl, .. } = self;
        let Entry { model: Some(gpu), debug, upload, .. } = &mut models[handle.index as usize] else {
            return Ok(());
        };
        upload.iter_mut().for_each(|upload| upload.set_skinning(dual));
        // All are begun before the first is waited for.
        for look in gpu.draws.iter().flat_map(|draw| &draw.looks) {
            programs.request(gl, look.variant.skinned(dual))?;
        }
        for look in gpu.draws.iter_mut().flat_map(|draw| &mut draw.looks) {
            let variant = look.variant.skinned(dual);
            if variant != look.variant {
                look.program = programs.get(gl, variant)?;
                look.variant = variant;
                look.shadow_programs[0] = None;
            }
        }
        *debug = None;
        Ok(())
    }

    /// Makes what crowds of a model need, and their shadows; whether all is there, which it always is without `patience`. A
    /// frame with a crowd waits for it.
    ///
    /// # Errors
    /// `StaleHandle`, `Shader`, `OutOfMemory`, `ContextLost`.
    pub fn prepare_crowd(
        &mut self,
        handle: ModelHandle,
        shadows: bool,
        patience: bool,
    ) -> Result<bool, RenderError> {
        self.model_mut(handle)?;
        let Self { models, programs, gl, .. } = self;
        let Some(gpu) = &mut models[handle.index as usize].model else { return Ok(true) };
        let wanted = |variant: Variant| {
            [Some(variant), shadows.then(|| variant.shadow())].map(|v| v.map(Variant::in_crowd))
        };
        // All are begun before the first is waited for.
        for look in gpu.draws.iter().flat_map(|draw| &draw.looks) {
            for (variant, program) in wanted(look.variant).into_iter().zip(&look.crowd_programs) {
                if let (Some(variant), None) = (variant, program) {
                    programs.request(gl, variant)?;
                }
            }
        }
        let mut complete = true;
        for look in gpu.draws.iter_mut().flat_map(|draw| &mut draw.looks) {
            for (variant, program) in wanted(look.variant).into_iter().zip(&mut look.crowd_programs) {
                if let (Some(variant), None) = (variant, &program) {
                    *program = programs.poll(gl, variant, patience)?;
                    complete &= program.is_some();
                }
            }
        }
        Ok(complete)
    }

    /// How many entries the palette may have at most.
    pub fn palette_limit(&self) -> usize {
        palette_limit(self.gl.limits().texture_size)
    }

    /// What the last frame cost, with what was uploaded since the one before.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// How many GL objects there are now. Programs stay when models go.
    pub fn live_objects(&self) -> LiveObjects {
        self.gl.live()
    }

    /// Drops the renderer and says what GL objects are left: none.
    pub fn dispose(self) -> LiveObjects {
        let gl = Rc::clone(&self.gl);
        drop(self);
        gl.live()
    }
}
