//! The state cache, which skips redundant state changes, and the draw calls.

use super::cache::{Coverage, Cull, DrawRange, State, UNITS};
use super::context::Gl;
use super::cost::Spent;
use super::object::{Buffer, CubeMap, Framebuffer, Program, Sampler, Texture, VertexArray};
use glow::HasContext;

/// The texture unit for uploads, so that they do not unbind textures of draws.
const UPLOAD_UNIT: usize = UNITS - 1;

impl Gl {
    /// Calls `set` and stores `value` in `slot`, unless `slot` already has this value.
    fn cached<T: PartialEq + Copy>(
        &self,
        slot: fn(&mut State) -> &mut Option<T>,
        value: T,
        set: impl FnOnce(),
    ) {
        let mut state = self.state.borrow_mut();
        let slot = slot(&mut state);
        if *slot != Some(value) {
            *slot = Some(value);
            self.spend(Spent::States, 1);
            set();
        }
    }

    /// Makes `program` the current program.
    pub(crate) fn use_program(&self, program: &Program) {
        let raw = program.raw;
        self.cached(
            |state| &mut state.program,
            raw,
            || {
                self.spend(Spent::Programs, 1);
                // SAFETY: see the module `gl`; the program is alive, and it is linked, as draws require.
                unsafe { self.raw.use_program(Some(raw)) };
            },
        );
    }

    /// Binds a vertex array, for draws and for setting attributes and indices.
    pub(crate) fn bind_vertex_array(&self, vertex_array: &VertexArray) {
        let raw = vertex_array.raw;
        self.cached(
            |state| &mut state.vertex_array,
            raw,
            || {
                self.spend(Spent::Buffers, 1);
                // SAFETY: see the module `gl`; the vertex array is alive.
                unsafe { self.raw.bind_vertex_array(Some(raw)) };
            },
        );
    }

    /// Binds `size` bytes of `buffer` from `offset` on as the uniform block at `point`.
    pub(crate) fn bind_block(&self, point: usize, buffer: &Buffer, offset: usize, size: usize) {
        let mut state = self.state.borrow_mut();
        let range = Some((buffer.raw, offset));
        if state.blocks[point] != range {
            state.blocks[point] = range;
            self.spend(Spent::States, 1);
            self.spend(Spent::Buffers, 1);
            // SAFETY: see the module `gl`; the buffer is alive.
            unsafe {
                self.raw.bind_buffer_range(
                    glow::UNIFORM_BUFFER,
                    point as u32,
                    Some(buffer.raw),
                    offset as i32,
                    size as i32,
                );
            }
        }
    }

    /// Binds a texture to a unit, with a sampler or with the texture's own parameters.
    pub(crate) fn bind_texture(&self, unit: usize, texture: &Texture, sampler: Option<&Sampler>) {
        self.select_texture(unit, glow::TEXTURE_2D, texture.raw);
        self.bind_sampler(unit, sampler);
    }

    /// Binds a cube map to a unit that is reserved for cube maps.
    pub(crate) fn bind_cube(&self, unit: usize, cube: &CubeMap) {
        self.select_texture(unit, glow::TEXTURE_CUBE_MAP, cube.raw);
        self.bind_sampler(unit, None);
    }

    fn bind_sampler(&self, unit: usize, sampler: Option<&Sampler>) {
        let sampler = sampler.map(|sampler| sampler.raw);
        let mut state = self.state.borrow_mut();
        if state.samplers[unit] != sampler {
            state.samplers[unit] = sampler;
            self.spend(Spent::States, 1);
            // SAFETY: see the module `gl`; the sampler is alive.
            unsafe { self.raw.bind_sampler(unit as u32, sampler) };
        }
    }

    /// Binds a texture for uploads.
    pub(super) fn select_for_upload(&self, texture: &Texture) {
        self.select_upload(glow::TEXTURE_2D, texture.raw);
    }

    /// Binds a cube map for uploads.
    pub(super) fn select_cube_for_upload(&self, cube: &CubeMap) {
        self.select_upload(glow::TEXTURE_CUBE_MAP, cube.raw);
    }

    fn select_upload(&self, target: u32, texture: glow::Texture) {
        self.select_texture(UPLOAD_UNIT, target, texture);
        let mut state = self.state.borrow_mut();
        // The texture may be bound to this unit already, while another unit is active.
        if state.unit != Some(UPLOAD_UNIT) {
            state.unit = Some(UPLOAD_UNIT);
            // SAFETY: see the module `gl`; WebGL2 guarantees 32 units.
            unsafe { self.raw.active_texture(glow::TEXTURE0 + UPLOAD_UNIT as u32) };
        }
    }

    fn select_texture(&self, unit: usize, target: u32, texture: glow::Texture) {
        let mut state = self.state.borrow_mut();
        if state.textures[unit] == Some(texture) {
            return;
        }
        state.textures[unit] = Some(texture);
        self.spend(Spent::States, 1);
        self.spend(Spent::Textures, 1);
        // SAFETY: see the module `gl`; the texture is alive and WebGL2 guarantees 32 units.
        unsafe {
            if state.unit != Some(unit) {
                state.unit = Some(unit);
                self.raw.active_texture(glow::TEXTURE0 + unit as u32);
            }
            self.raw.bind_texture(target, Some(texture));
        }
    }

    /// Sets the faces that are culled.
    pub(crate) fn set_cull(&self, cull: Cull) {
        // SAFETY: see the module `gl`; constants of GL.
        self.cached(
            |state| &mut state.cull,
            cull,
            || unsafe {
                match cull {
                    Cull::None => self.raw.disable(glow::CULL_FACE),
                    Cull::Back | Cull::Front => {
                        self.raw.enable(glow::CULL_FACE);
                        self.raw.cull_face(if cull == Cull::Back { glow::BACK } else { glow::FRONT });
                    }
                }
            },
        );
    }

    /// Sets the winding of front faces: clockwise for `mirrored` draws.
    pub(crate) fn set_mirrored(&self, mirrored: bool) {
        let front = if mirrored { glow::CW } else { glow::CCW };
        // SAFETY: see the module `gl`; constants of GL.
        self.cached(|state| &mut state.mirrored, mirrored, || unsafe { self.raw.front_face(front) });
    }

    /// Enables or disables blending of premultiplied colours. Depth writes get the opposite value.
    pub(crate) fn set_blend(&self, blend: bool) {
        // SAFETY: see the module `gl`; constants of GL.
        self.cached(
            |state| &mut state.blend,
            blend,
            || unsafe { if blend { self.raw.enable(glow::BLEND) } else { self.raw.disable(glow::BLEND) } },
        );
        self.set_depth_write(!blend);
    }

    /// Enables or disables depth writes; [`Gl::set_blend`] changes them too.
    pub(crate) fn set_depth_write(&self, write: bool) {
        // SAFETY: see the module `gl`.
        self.cached(|state| &mut state.depth_write, write, || unsafe { self.raw.depth_mask(write) });
    }

    /// Sets the mapping from alpha to coverage.
    pub(crate) fn set_coverage(&self, coverage: Coverage) {
        // SAFETY: see the module `gl`; constants of GL.
        self.cached(
            |state| &mut state.coverage,
            coverage,
            || unsafe {
                if coverage == Coverage::Samples {
                    self.raw.enable(glow::SAMPLE_ALPHA_TO_COVERAGE);
                } else {
                    self.raw.disable(glow::SAMPLE_ALPHA_TO_COVERAGE);
                }
                let (color, alpha) = (coverage != Coverage::AlphaOfDrawn, coverage != Coverage::Samples);
                self.raw.color_mask(color, color, color, alpha);
                self.raw.depth_func(if color { glow::LEQUAL } else { glow::EQUAL });
            },
        );
    }

    /// Enables or disables the depth test.
    pub(crate) fn set_depth_test(&self, test: bool) {
        // SAFETY: see the module `gl`; constants of GL.
        self.cached(
            |state| &mut state.no_depth_test,
            !test,
            || unsafe {
                if test { self.raw.enable(glow::DEPTH_TEST) } else { self.raw.disable(glow::DEPTH_TEST) }
            },
        );
    }

    pub(super) fn bind_framebuffer(&self, framebuffer: Option<&Framebuffer>) {
        let raw = framebuffer.map(|framebuffer| framebuffer.raw);
        // SAFETY: see the module `gl`; the framebuffer is alive.
        self.cached(
            |state| &mut state.framebuffer,
            raw,
            || unsafe { self.raw.bind_framebuffer(glow::FRAMEBUFFER, raw) },
        );
    }

    /// Sets the render target, the canvas if there is no framebuffer, and its size in pixels.
    pub(crate) fn set_target(&self, framebuffer: Option<&Framebuffer>, width: u32, height: u32) {
        self.bind_framebuffer(framebuffer);
        // SAFETY: see the module `gl`.
        self.cached(
            |state| &mut state.viewport,
            (width, height),
            || unsafe {
                self.raw.viewport(0, 0, width as i32, height as i32);
            },
        );
    }

    /// Clears colour (premultiplied for the canvas) and depth of the render target.
    pub(crate) fn clear(&self, color: [f32; 4]) {
        self.set_depth_write(true);
        // SAFETY: see the module `gl`.
        self.cached(
            |state| &mut state.clear_color,
            color,
            || unsafe {
                self.raw.clear_color(color[0], color[1], color[2], color[3]);
            },
        );
        // SAFETY: see the module `gl`.
        unsafe { self.raw.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT) };
    }

    /// Draws instances, with the current state.
    pub(crate) fn draw_many(&self, mode: u32, range: DrawRange, instances: u32) {
        self.spend_draw(mode, range, instances);
        // SAFETY: as in `draw`.
        unsafe {
            let instances = instances as i32;
            match range {
                DrawRange::Arrays { count } => {
                    self.raw.draw_arrays_instanced(mode, 0, count as i32, instances);
                }
                DrawRange::Elements { count, wide } => {
                    let element = if wide { glow::UNSIGNED_INT } else { glow::UNSIGNED_SHORT };
                    self.raw.draw_elements_instanced(mode, count as i32, element, 0, instances);
                }
            }
        }
    }

    /// Draws with the current state; `mode` is a GL primitive mode.
    pub(crate) fn draw(&self, mode: u32, range: DrawRange) {
        self.spend_draw(mode, range, 1);
        // SAFETY: see the module `gl`; the bound vertex array has `count` indices or vertices. WebGL checks that its
        // buffers are large enough for the draw.
        unsafe {
            match range {
                DrawRange::Arrays { count } => self.raw.draw_arrays(mode, 0, count as i32),
                DrawRange::Elements { count, wide } => {
                    let element = if wide { glow::UNSIGNED_INT } else { glow::UNSIGNED_SHORT };
                    self.raw.draw_elements(mode, count as i32, element, 0);
                }
            }
        }
    }
}
