//! Shaders and programs.

use super::context::Gl;
use super::object::{Program, Shader};
use crate::render::error::RenderError;
use glow::HasContext;
use std::rc::Rc;

pub(crate) use glow::UniformLocation;

/// The stage of a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Vertex,
    Fragment,
}

impl Gl {
    /// Starts compiling a shader. Errors are reported when its program is linked.
    pub(crate) fn compile(self: &Rc<Self>, stage: Stage, source: &str) -> Result<Shader, RenderError> {
        let kind = match stage {
            Stage::Vertex => glow::VERTEX_SHADER,
            Stage::Fragment => glow::FRAGMENT_SHADER,
        };
        let shader = Shader::new(self, kind)?;
        // SAFETY: see the module `gl`; the shader is alive.
        unsafe {
            self.raw.shader_source(shader.raw, source);
            self.raw.compile_shader(shader.raw);
        }
        Ok(shader)
    }

    /// Starts linking a program; [`Gl::link_result`] waits for it.
    pub(crate) fn link(self: &Rc<Self>, shaders: [&Shader; 2]) -> Result<Program, RenderError> {
        let program = Program::new(self)?;
        // SAFETY: see the module `gl`; the program and the shaders are alive.
        unsafe {
            for shader in shaders {
                self.raw.attach_shader(program.raw, shader.raw);
            }
            self.raw.link_program(program.raw);
        }
        Ok(program)
    }

    /// `true` if linking has finished, with or without success. Always `true` without `KHR_parallel_shader_compile`.
    pub(crate) fn is_linked(&self, program: &Program) -> bool {
        // SAFETY: see the module `gl`; the program is alive, and the extension is supported.
        !self.limits.parallel_compile || unsafe { self.raw.get_program_completion_status(program.raw) }
    }

    /// Waits until `program` is linked from `shaders`.
    ///
    /// # Errors
    /// `Shader` with the logs if it does not build, `ContextLost` if the context is lost.
    pub(crate) fn link_result(&self, program: &Program, shaders: [&Shader; 2]) -> Result<(), RenderError> {
        // SAFETY: see the module `gl`; the program and the shaders are alive.
        unsafe {
            if self.raw.get_program_link_status(program.raw) {
                return Ok(());
            }
            // In a lost context every program fails, with an empty log.
            if self.is_lost() {
                return Err(RenderError::ContextLost);
            }
            let mut log = String::new();
            for shader in shaders {
                if !self.raw.get_shader_compile_status(shader.raw) {
                    log += &self.raw.get_shader_info_log(shader.raw);
                }
            }
            if log.is_empty() {
                log = self.raw.get_program_info_log(program.raw);
            }
            Err(RenderError::Shader { log })
        }
    }

    /// Binds a uniform block of a linked program to a binding point; does nothing if the program lacks the block.
    pub(crate) fn set_block(&self, program: &Program, name: &str, point: usize) {
        // SAFETY: see the module `gl`; the program is alive and linked.
        unsafe {
            if let Some(index) = self.raw.get_uniform_block_index(program.raw, name) {
                self.raw.uniform_block_binding(program.raw, index, point as u32);
            }
        }
    }

    /// The location of a uniform of a linked program; `None` if it has no uniform of that name.
    pub(crate) fn uniform(&self, program: &Program, name: &str) -> Option<UniformLocation> {
        // SAFETY: see the module `gl`; the program is alive and linked.
        unsafe { self.raw.get_uniform_location(program.raw, name) }
    }

    /// Sets a sampler uniform of the current program to a texture unit, if the program has the uniform.
    pub(crate) fn set_unit(&self, program: &Program, name: &str, unit: usize) {
        if let Some(location) = self.uniform(program, name) {
            self.set_int(Some(&location), unit as i32);
        }
    }

    /// Sets an `int` uniform of the current program.
    pub(crate) fn set_int(&self, location: Option<&UniformLocation>, value: i32) {
        // SAFETY: see the module `gl`; WebGL ignores a missing location and rejects one of another program.
        unsafe { self.raw.uniform_1_i32(location, value) };
    }

    /// Sets a `vec4` array uniform of the current program.
    pub(crate) fn set_vec4s(&self, location: Option<&UniformLocation>, values: &[[f32; 4]]) {
        // SAFETY: see the module `gl`; WebGL ignores a missing location and rejects one of another program.
        unsafe { self.raw.uniform_4_f32_slice(location, values.as_flattened()) };
    }

    /// Sets an `ivec4` uniform of the current program.
    pub(crate) fn set_ivec4(&self, location: Option<&UniformLocation>, v: [i32; 4]) {
        // SAFETY: see the module `gl`; WebGL ignores a missing location and rejects one of another program.
        unsafe { self.raw.uniform_4_i32(location, v[0], v[1], v[2], v[3]) };
    }
}
