//! The cached state of the context.

/// The number of texture units, WebGL2's minimum; the last one is for uploads.
pub(super) const UNITS: usize = 32;

/// The number of binding points for uniform blocks.
const BLOCKS: usize = 2;

/// The faces that are culled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cull {
    None,
    Back,
    Front,
}

/// The mapping from alpha to the coverage of a pixel's samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coverage {
    /// No alpha to coverage; alpha is written to each sample.
    Whole,
    /// Alpha to coverage: alpha determines the number of samples written; the target's alpha stays.
    Samples,
    /// Only alpha is written, into samples whose depth equals that of the draw.
    AlphaOfDrawn,
}

/// The range of vertices or indices that a draw reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DrawRange {
    /// Vertices `0..count`.
    Arrays { count: usize },
    /// All indices, of two bytes, or of four if `wide`.
    Elements { count: usize, wide: bool },
}

/// The state last set; `None` if unknown.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) program: Option<glow::Program>,
    pub(super) vertex_array: Option<glow::VertexArray>,
    pub(super) unit: Option<usize>,
    pub(super) textures: [Option<glow::Texture>; UNITS],
    pub(super) samplers: [Option<glow::Sampler>; UNITS],
    pub(super) blocks: [Option<(glow::Buffer, usize)>; BLOCKS],
    pub(super) cull: Option<Cull>,
    pub(super) mirrored: Option<bool>,
    pub(super) blend: Option<bool>,
    pub(super) depth_write: Option<bool>,
    pub(super) coverage: Option<Coverage>,
    pub(super) no_depth_test: Option<bool>,
    pub(super) framebuffer: Option<Option<glow::Framebuffer>>,
    pub(super) viewport: Option<(u32, u32)>,
    pub(super) clear_color: Option<[f32; 4]>,
}

fn forget<T: PartialEq>(slot: &mut Option<T>, value: T) {
    if *slot == Some(value) {
        *slot = None;
    }
}

impl State {
    pub(super) fn forget_buffer(&mut self, buffer: glow::Buffer) {
        for slot in &mut self.blocks {
            if slot.is_some_and(|(bound, _)| bound == buffer) {
                *slot = None;
            }
        }
    }

    pub(super) fn forget_texture(&mut self, texture: glow::Texture) {
        self.textures.iter_mut().for_each(|slot| forget(slot, texture));
    }

    pub(super) fn forget_sampler(&mut self, sampler: glow::Sampler) {
        self.samplers.iter_mut().for_each(|slot| forget(slot, sampler));
    }

    pub(super) fn forget_framebuffer(&mut self, framebuffer: glow::Framebuffer) {
        forget(&mut self.framebuffer, Some(framebuffer));
    }

    pub(super) fn forget_vertex_array(&mut self, vertex_array: glow::VertexArray) {
        forget(&mut self.vertex_array, vertex_array);
    }

    pub(super) fn forget_program(&mut self, program: glow::Program) {
        forget(&mut self.program, program);
    }

    #[expect(clippy::unused_self, reason = "all GL objects have this method, but shaders are never bound")]
    pub(super) fn forget_shader(&mut self, _shader: glow::Shader) {}
}
