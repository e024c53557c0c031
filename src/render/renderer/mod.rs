//! The renderer: manages models and renders frames.

mod materials;
pub(crate) mod render;

use super::error::RenderError;
use super::frame::FRAME_FLOATS;
use super::progress::Progress;
use crate::model::{ImageId, MeshLevel, Model, NodeId, PaletteLayout, Panorama, TextureCell};
use crate::render::gl::{Buffer, Cost, Gl, LiveObjects};
use crate::render::light::{Environment, Environments};
use crate::render::passes::{Backdrop, DrawList, Lines, ModelDebug, Shadows, Skies};
use crate::render::programs::{Programs, Variant};
use crate::render::resources::{
    GpuModel, INFLUENCE_LIMIT, Look, ModelHandle, Palette, Pixels, Placeholders, Samplers, Upload,
    palette_limit,
};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Renders models in a WebGL2 context. It owns the context and all of its state.
///
/// Dropping it deletes all its objects in the context. After a lost context is restored, drop the
/// renderer and build a new one from the same models.
#[derive(Debug)]
pub struct Renderer {
    models: Vec<Entry>,
    programs: Programs,
    samplers: Samplers,
    placeholders: Placeholders,
    palette: Palette,
    /// The uniform blocks of the frame.
    frame_block: Buffer,
    environments: Environments,
    skies: Skies,
    shadows: Shadows,
    list: DrawList,
    backdrop: Backdrop,
    lines: Lines,
    /// The cost of the last frame, including uploads before it.
    cost: Cost,
    gl: Rc<Gl>,
}

/// The number of uniform blocks of the frame.
const FRAME_BLOCKS: usize = 5;

/// The distance between uniform blocks of the frame in bytes.
fn block_stride(gl: &Gl) -> usize {
    (4 * FRAME_FLOATS).next_multiple_of(gl.limits().uniform_alignment)
}

/// The generation of the next model.
static GENERATIONS: AtomicU32 = AtomicU32::new(1);

/// A slot for a model. Generations are unique across all renderers: after a context loss, a stage may still
/// hold handles of the lost renderer. They must not refer to other models.
#[derive(Debug)]
struct Entry {
    generation: u32,
    model: Option<GpuModel>,
    /// The resources of debug views, while in use.
    debug: Option<ModelDebug>,
    /// The unfinished part of the model's upload.
    upload: Option<Upload>,
}

impl Renderer {
    /// The maximum number of influences per vertex as attributes.
    ///
    /// Primitives with more influences should be deformed on the CPU, see
    /// [`ActorDraw::deformed`](crate::render::ActorDraw::deformed). Otherwise the GPU reads all influences of their
    /// vertices from a texture, with linear skinning.
    pub const INFLUENCE_LIMIT: usize = INFLUENCE_LIMIT;

    /// Creates a renderer for a context. Outside the web, the context must be current whenever the renderer is used
    /// or dropped.
    ///
    /// `glow` panics when it wraps a lost context: check `isContextLost()` first, or use
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
            placeholders: Placeholders::new(&gl)?,
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

    /// Creates a renderer for a WebGL2 context of the browser.
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

    /// Marks the context as lost: from now on no object is created or deleted.
    pub fn lose(&self) {
        self.gl.lose();
    }

    /// The environment of a panorama; starts prefiltering if there is none yet.
    /// [`Renderer::advance_environment`] continues it. Calls with the same panorama share one environment.
    ///
    /// # Errors
    /// `OutOfMemory`, `ContextLost`.
    pub fn environment(&mut self, panorama: &Rc<Panorama>) -> Result<Rc<Environment>, RenderError> {
        self.environments.get(&self.gl, panorama)
    }

    /// Takes one step of prefiltering an environment, with a budget as in [`Renderer::advance_model`]. Lighting is
    /// incorrect, even with `None`, until this has returned `Done` once.
    ///
    /// # Errors
    /// As [`Renderer::environment`]; the environment never becomes ready then.
    pub fn advance_environment(
        &mut self,
        environment: Option<&Environment>,
        budget: usize,
    ) -> Result<Progress, RenderError> {
        self.environments.advance(&self.gl, environment, budget)
    }

    /// Begins the upload of a model; [`Renderer::advance_model`] continues it. Parts are not drawn before they are uploaded.
    ///
    /// - `layout`: the layout of `model` for its palettes and weights.
    /// - `deformed`: the primitives that will be deformed on the CPU, `(drawable, primitive)`, sorted.
    /// - `shadows`: `true` if shadows will be drawn.
    ///
    /// For other deformed primitives, or for unexpected shadows, programs are built on first use.
    ///
    /// # Errors
    /// `OutOfMemory`, `ContextLost`. All objects of the model are deleted then.
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

    /// Passes an image of a model, which [`Renderer::advance_model`] uploads in place of the placeholder.
    ///
    /// # Errors
    /// `ImageData` if there are fewer pixels than the size requires, `StaleHandle`.
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

    /// Takes one step of a model's upload.
    ///
    /// - `model`, `layout`: the arguments of [`Renderer::begin_model`].
    /// - `budget`: the maximum number of bytes to upload, except that one row of an image is always uploaded.
    /// - `may_defer`: `true` to return [`Progress::Busy`] instead of waiting for the GPU.
    ///
    /// # Errors
    /// `OutOfMemory`, `TooLarge`, `TextureTooLarge`, `ImageData` if a bitmap is closed, `Shader`, `Gl` if the GPU does not
    /// support the format of an image, `ContextLost`, `StaleHandle`. Remove the model then.
    pub fn advance_model(
        &mut self,
        handle: ModelHandle,
        model: &Model,
        layout: &PaletteLayout,
        budget: usize,
        may_defer: bool,
    ) -> Result<Progress, RenderError> {
        self.model_mut(handle)?;
        let Entry { model: gpu, upload, .. } = &mut self.models[handle.index as usize];
        let (Some(gpu), Some(going)) = (gpu, upload.as_mut()) else { return Ok(Progress::Done) };
        let progress = going.step(&self.gl, gpu, (model, layout), &mut self.programs, (budget, may_defer))?;
        if progress == Progress::Done {
            *upload = None;
        }
        Ok(progress)
    }

    /// Takes over the layout of a model after a clip was added that animates more properties. Materials that need other
    /// programs get them at once.
    ///
    /// # Errors
    /// `Shader`, `OutOfMemory`, `ContextLost`, `StaleHandle`.
    pub fn set_layout(
        &mut self,
        handle: ModelHandle,
        model: &Model,
        layout: &PaletteLayout,
    ) -> Result<(), RenderError> {
        self.model_mut(handle)?;
        let Entry { model: Some(gpu), .. } = &mut self.models[handle.index as usize] else { return Ok(()) };
        gpu.animate(&self.gl, (model, layout), &mut self.programs)
    }

    /// `true` if the whole model is uploaded, with the images passed so far.
    pub fn is_complete(&self, handle: ModelHandle) -> bool {
        let entry = self.models.get(handle.index as usize);
        let entry = entry.filter(|entry| entry.generation == handle.generation);
        entry.is_some_and(|entry| entry.model.is_some() && entry.upload.is_none())
    }

    /// Uploads a model synchronously, without images.
    ///
    /// # Errors
    /// As [`Renderer::begin_model`] and [`Renderer::advance_model`]. All objects of the model are deleted then.
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

    /// Deletes the objects of a model, except some programs, which the next model may need.
    /// A stale handle is ignored.
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

    /// Creates the resources of a model for debug views, see [`Frame::debug`](crate::render::Frame::debug).
    /// Call it before the first frame with a debug view, and again for another joint.
    /// Returns `false`, and does nothing, while the model is still being uploaded.
    ///
    /// - `joint`: the joint whose weights are shown.
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
        // During an upload the number of parts still grows.
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

    /// Deletes the debug resources of a model, except programs.
    pub fn end_debug(&mut self, handle: ModelHandle) {
        if self.model_mut(handle).is_ok() {
            self.models[handle.index as usize].debug = None;
        }
        self.lines = Lines::default();
    }

    /// Selects dual-quaternion or linear skinning for a model; linear is the default. Waits for the programs of draws
    /// that exist already.
    /// Dual quaternions need the rotations behind the matrices in [`Frame::palette`](crate::render::Frame::palette).
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
        // Requests all programs before waiting for the first one, so that they compile in parallel.
        for look in gpu.draws.iter().flat_map(|draw| &draw.looks) {
            programs.request(gl, look.variant.skinned(dual))?;
        }
        for look in gpu.draws.iter_mut().flat_map(|draw| &mut draw.looks) {
            let variant = look.variant.skinned(dual);
            if variant != look.variant {
                look.program = Some(programs.get(gl, variant)?);
                look.variant = variant;
                look.shadow_programs[0] = None;
            }
        }
        *debug = None;
        Ok(())
    }

    /// Builds the programs for crowds of a model, and for their shadows. Returns `true` if all are built, which is
    /// certain without `may_defer`. A frame with a crowd waits for them.
    ///
    /// # Errors
    /// `StaleHandle`, `Shader`, `OutOfMemory`, `ContextLost`.
    pub fn prepare_crowd(
        &mut self,
        handle: ModelHandle,
        shadows: bool,
        may_defer: bool,
    ) -> Result<bool, RenderError> {
        self.model_mut(handle)?;
        let Self { models, programs, gl, .. } = self;
        let Some(gpu) = &mut models[handle.index as usize].model else { return Ok(true) };
        let wanted = |variant: Variant| {
            [Some(variant), shadows.then(|| variant.shadow())].map(|v| v.map(Variant::in_crowd))
        };
        // Requests all programs before waiting for the first one, so that they compile in parallel.
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
                    *program = programs.poll(gl, variant, may_defer)?;
                    complete &= program.is_some();
                }
            }
        }
        Ok(complete)
    }

    /// Uploads levels of detail of a model's meshes for crowds; see [`ActorDraw::level`](crate::render::ActorDraw::level). Call it
    /// before each frame with a crowd; it does nothing if they are uploaded.
    ///
    /// - `levels`: from finer to coarser.
    /// - `at`: the index in [`MeshLevel::indices`] of a primitive of a drawable, by the indices of both.
    ///
    /// # Errors
    /// `StaleHandle`, `TooLarge`, `OutOfMemory`, `ContextLost`. The full meshes are drawn then.
    pub fn set_mesh_levels(
        &mut self,
        handle: ModelHandle,
        levels: &[MeshLevel],
        at: impl Fn(usize, usize) -> usize,
    ) -> Result<(), RenderError> {
        self.model_mut(handle)?;
        let Self { models, gl, .. } = self;
        let Some(gpu) = &mut models[handle.index as usize].model else { return Ok(()) };
        for draw in &gpu.draws {
            let geometry = &mut gpu.parts[draw.part].geometry;
            for level in &levels[geometry.level_count().min(levels.len())..] {
                let indices = level.indices.get(at(draw.source.0, draw.source.1));
                geometry.add_level(gl, indices.and_then(|indices| indices.as_deref()))?;
            }
        }
        Ok(())
    }

    /// Prepares materials of a model for cells of their textures, see [`ActorDraw::cells`](crate::render::ActorDraw::cells).
    /// Waits for the programs of draws that exist already. Call it before each frame with cells; it does nothing if
    /// everything is prepared. Returns `true` if anything was not.
    ///
    /// # Errors
    /// `StaleHandle`, `Shader`, `OutOfMemory`, `ContextLost`.
    pub fn prepare_cells(&mut self, handle: ModelHandle, cells: &[TextureCell]) -> Result<bool, RenderError> {
        self.model_mut(handle)?;
        let Self { models, programs, gl, .. } = self;
        let Entry { model: Some(gpu), debug, .. } = &mut models[handle.index as usize] else {
            return Ok(false);
        };
        for cell in cells {
            if let Some(material) = gpu.materials.list.get_mut(cell.material.index()) {
                material.divide();
            }
        }
        let divided = |look: &Look| {
            let transforms = look.variant.textures.map(|texture| texture.is_some());
            let is_missing = transforms != look.variant.transforms
                && cells.iter().any(|cell| cell.material.index() == look.material);
            is_missing.then_some(Variant { transforms, ..look.variant })
        };
        // Requests all programs before waiting for the first one, so that they compile in parallel.
        for variant in gpu.draws.iter().flat_map(|draw| &draw.looks).filter_map(divided) {
            programs.request(gl, variant)?;
        }
        let mut changed = false;
        for look in gpu.draws.iter_mut().flat_map(|draw| &mut draw.looks) {
            if let Some(variant) = divided(look) {
                look.program = Some(programs.get(gl, variant)?);
                look.variant = variant;
                look.deformed_program = None;
                (look.shadow_programs, look.crowd_programs) = Default::default();
                changed = true;
            }
        }
        if changed {
            *debug = None;
        }
        Ok(changed)
    }

    /// The maximum number of palette entries.
    pub fn palette_limit(&self) -> usize {
        palette_limit(self.gl.limits().texture_size)
    }

    /// The cost of the last frame, including uploads since the previous frame.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// The number of live GL objects. Some programs outlive their models.
    pub fn live_objects(&self) -> LiveObjects {
        self.gl.live()
    }

    /// Drops the renderer and returns the remaining GL objects, which should be none.
    pub fn dispose(self) -> LiveObjects {
        let gl = Rc::clone(&self.gl);
        drop(self);
        gl.live()
    }
}
