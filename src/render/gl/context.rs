//! The context, its limits, and the number of live objects.

use super::cache::{DrawRange, State};
use super::cost::{Cost, Spending, Spent};
use crate::render::error::RenderError;
use glow::HasContext;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The number of GL objects of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LiveObjects {
    /// The number of buffers.
    pub buffers: usize,
    /// The number of textures.
    pub textures: usize,
    /// The number of samplers.
    pub samplers: usize,
    /// The number of vertex array objects.
    pub vertex_arrays: usize,
    /// The number of programs.
    pub programs: usize,
    /// The number of shaders.
    pub shaders: usize,
    /// The number of framebuffers.
    pub framebuffers: usize,
    /// The number of fences.
    pub fences: usize,
}

/// The limits of the GPU.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The maximum width and height of a texture in texels.
    pub(crate) texture_size: usize,
    /// The alignment of offsets into a uniform buffer, in bytes.
    pub(crate) uniform_alignment: usize,
    /// The maximum anisotropy of texture filtering, at most 8; 1 without the extension.
    pub(crate) anisotropy: f32,
    /// `true` if the canvas is multisampled.
    pub(crate) multisampled: bool,
    /// `true` if the link status can be polled without blocking (`KHR_parallel_shader_compile`).
    pub(crate) parallel_compile: bool,
}

/// A WebGL2 context, shared by the objects that live in it.
#[derive(Debug)]
pub(crate) struct Gl {
    pub(super) raw: glow::Context,
    /// `true` after the context was lost, and all its objects with it.
    pub(super) lost: Cell<bool>,
    pub(super) state: RefCell<State>,
    live: Cell<LiveObjects>,
    spending: Spending,
    pub(super) limits: Limits,
}

impl Gl {
    /// Takes ownership of a context, which must be current at each method call, and sets the constant state.
    pub(crate) fn new(raw: glow::Context) -> Result<Rc<Self>, RenderError> {
        // SAFETY: the caller promises that the context is current; these are queries.
        let (version_2, texture_size, uniform_alignment, anisotropy, samples, parallel_compile) = unsafe {
            let version = raw.version();
            let extensions = raw.supported_extensions();
            let stretch = extensions.contains("EXT_texture_filter_anisotropic");
            (
                // WebGL2 counts as ES 3.0; on other targets, desktop GL.
                version.major >= 3 || (cfg!(target_arch = "wasm32") && version.major >= 2),
                raw.get_parameter_i32(glow::MAX_TEXTURE_SIZE),
                raw.get_parameter_i32(glow::UNIFORM_BUFFER_OFFSET_ALIGNMENT),
                if stretch { raw.get_parameter_f32(glow::MAX_TEXTURE_MAX_ANISOTROPY) } else { 1.0 },
                raw.get_parameter_i32(glow::SAMPLES),
                extensions.contains("KHR_parallel_shader_compile"),
            )
        };
        if texture_size == 0 {
            return Err(RenderError::ContextLost);
        }
        if !version_2 {
            return Err(RenderError::Unsupported);
        }
        let limits = Limits {
            texture_size: texture_size.max(0) as usize,
            uniform_alignment: uniform_alignment.max(1) as usize,
            anisotropy: anisotropy.clamp(1.0, 8.0),
            multisampled: samples > 1,
            parallel_compile,
        };
        // SAFETY: as above; the calls take any state of the context.
        unsafe {
            raw.enable(glow::DEPTH_TEST);
            raw.depth_func(glow::LEQUAL);
            raw.blend_func(glow::ONE, glow::ONE_MINUS_SRC_ALPHA);
            raw.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
        }
        let (lost, state, live, spending) = Default::default();
        Ok(Rc::new(Self { raw, lost, state, live, spending, limits }))
    }

    /// Marks the context, and all its objects, as lost. From now on no object is created or deleted.
    /// (A restored context reports an error if an object of the lost context is deleted.)
    pub(crate) fn lose(&self) {
        self.lost.set(true);
    }

    /// The limits of the GPU.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// The number of live objects.
    pub(crate) fn live(&self) -> LiveObjects {
        self.live.get()
    }

    pub(super) fn count(&self, change: impl FnOnce(&mut LiveObjects)) {
        let mut live = self.live.get();
        change(&mut live);
        self.live.set(live);
    }

    /// `true` if the context is lost. The query stalls the pipeline; not for every frame.
    pub(crate) fn is_lost(&self) -> bool {
        if self.lost.get() {
            return true;
        }
        // `glow` does not report it, but a lost context answers every query with null, which `glow` maps to 0.
        // SAFETY: see the module; a query.
        unsafe { self.raw.get_parameter_i32(glow::MAX_TEXTURE_SIZE) == 0 }
    }

    /// The first error since the last check, if any. The query stalls the pipeline; not for every frame.
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        const CONTEXT_LOST_WEBGL: u32 = 0x9242;
        let mut first = Ok(());
        // Limits the loop in case a context reports errors forever.
        for _ in 0..8 {
            // SAFETY: see the module; a query.
            let error = match unsafe { self.raw.get_error() } {
                glow::NO_ERROR => break,
                CONTEXT_LOST_WEBGL => RenderError::ContextLost,
                glow::OUT_OF_MEMORY => RenderError::OutOfMemory,
                error => RenderError::Gl { error },
            };
            first = first.and(Err(error));
        }
        if first.is_ok() && self.is_lost() { Err(RenderError::ContextLost) } else { first }
    }
}

impl Gl {
    /// Adds `amount` to a counter.
    // Has many callers; inlining it would increase the size of the module noticeably.
    #[inline(never)]
    pub(super) fn spend(&self, item: Spent, amount: usize) {
        let counter = &self.spending[item as usize];
        counter.set(counter.get().saturating_add(amount as u32));
    }

    pub(super) fn spend_draw(&self, mode: u32, range: DrawRange, instances: u32) {
        let (DrawRange::Arrays { count } | DrawRange::Elements { count, .. }) = range;
        let triangles = match mode {
            glow::TRIANGLES => count / 3,
            glow::TRIANGLE_STRIP | glow::TRIANGLE_FAN => count.saturating_sub(2),
            _ => 0,
        };
        self.spend(Spent::Draws, 1);
        self.spend(Spent::Triangles, triangles.saturating_mul(instances as usize));
    }

    /// Returns the counters since the previous call, and resets them.
    pub(crate) fn take_cost(&self) -> Cost {
        let [draws, triangles, states, programs, textures, buffers, uploaded] =
            self.spending.each_ref().map(Cell::take);
        Cost { draws, triangles, states, programs, textures, buffers, uploaded }
    }
}
