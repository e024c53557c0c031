//! Programs without meshes: they fill a render target or draw a rectangle.

use super::source;
use super::units::{BRDF_UNIT, ENVIRONMENT_UNIT, FRAME_BLOCK, SHADOW_DEPTH_UNIT, SHADOW_UNIT, SOURCE_UNIT};
use crate::render::error::RenderError;
use crate::render::gl::{DrawRange, Gl, Program, Shader, Stage, UniformLocation, VertexArray};
use std::rc::Rc;

/// A program with the uniform array `u_parameters`.
#[derive(Debug)]
pub(crate) struct Effect {
    program: Program,
    parameters: Option<UniformLocation>,
    /// Without attributes; the shader uses only `gl_VertexID`.
    empty: VertexArray,
}

/// An effect whose program is still being built.
#[derive(Debug)]
pub(crate) struct EffectRequest {
    program: Program,
    shaders: [Shader; 2],
}

impl EffectRequest {
    /// Starts building a program of two sources; `finish` assigns texture units by the names of the samplers.
    ///
    /// # Errors
    /// `Shader`, `ContextLost`, `OutOfMemory`.
    pub(crate) fn new(gl: &Rc<Gl>, vertex: &str, fragment: &str, defines: &str) -> Result<Self, RenderError> {
        let shaders = [
            gl.compile(Stage::Vertex, &source::compose(vertex, defines)?)?,
            gl.compile(Stage::Fragment, &source::compose(fragment, defines)?)?,
        ];
        Ok(Self { program: gl.link([&shaders[0], &shaders[1]])?, shaders })
    }

    /// `true` if [`EffectRequest::finish`] would not block.
    pub(crate) fn is_built(&self, gl: &Gl) -> bool {
        gl.is_linked(&self.program)
    }

    /// Waits until the program is built.
    ///
    /// # Errors
    /// As [`EffectRequest::new`].
    pub(crate) fn finish(self, gl: &Rc<Gl>) -> Result<Effect, RenderError> {
        let Self { program, shaders } = self;
        gl.link_result(&program, [&shaders[0], &shaders[1]]).map_err(source::explained)?;
        gl.set_block(&program, "Frame", FRAME_BLOCK);
        gl.use_program(&program);
        set_light_units(gl, &program);
        for name in ["u_panorama", "u_source", "u_contact_map"] {
            gl.set_unit(&program, name, SOURCE_UNIT);
        }
        let parameters = gl.uniform(&program, "u_parameters");
        Ok(Effect { program, parameters, empty: VertexArray::new(gl)? })
    }
}

/// An effect that is built on first use.
#[derive(Debug)]
pub(crate) struct LazyEffect {
    sources: [&'static str; 3],
    request: Option<EffectRequest>,
    effect: Option<Effect>,
}

impl LazyEffect {
    /// Creates the effect without building it; the sources are those of [`EffectRequest::new`].
    pub(crate) fn new(vertex: &'static str, fragment: &'static str, defines: &'static str) -> Self {
        Self { sources: [vertex, fragment, defines], request: None, effect: None }
    }

    /// The effect, if it is built.
    pub(crate) fn built(&self) -> Option<&Effect> {
        self.effect.as_ref()
    }

    /// Starts building the effect, unless it is built or in progress.
    ///
    /// # Errors
    /// As [`EffectRequest::new`].
    pub(crate) fn request(&mut self, gl: &Rc<Gl>) -> Result<(), RenderError> {
        if self.effect.is_none() && self.request.is_none() {
            let [vertex, fragment, defines] = self.sources;
            self.request = Some(EffectRequest::new(gl, vertex, fragment, defines)?);
        }
        Ok(())
    }

    /// The effect; with `may_defer`, `None` while it is being built.
    ///
    /// # Errors
    /// As [`EffectRequest::new`].
    pub(crate) fn get(&mut self, gl: &Rc<Gl>, may_defer: bool) -> Result<Option<&Effect>, RenderError> {
        self.request(gl)?;
        if let Some(request) = self.request.take_if(|request| !may_defer || request.is_built(gl)) {
            self.effect = Some(request.finish(gl)?);
        }
        Ok(self.effect.as_ref())
    }
}

impl Effect {
    /// Fills the render target.
    pub(crate) fn fill(&self, gl: &Gl, parameters: &[[f32; 4]]) {
        self.draw(gl, parameters, glow::TRIANGLES, 3);
    }

    /// Draws a rectangle.
    pub(crate) fn rectangle(&self, gl: &Gl, parameters: &[[f32; 4]]) {
        self.draw(gl, parameters, glow::TRIANGLE_STRIP, 4);
    }

    /// Draws `count` vertices.
    pub(crate) fn draw(&self, gl: &Gl, parameters: &[[f32; 4]], mode: u32, count: usize) {
        gl.use_program(&self.program);
        gl.bind_vertex_array(&self.empty);
        if !parameters.is_empty() {
            gl.set_vec4s(self.parameters.as_ref(), parameters);
        }
        gl.draw(mode, DrawRange::Arrays { count });
    }
}

/// Sets the sampler uniforms of lighting in the current program.
pub(crate) fn set_light_units(gl: &Gl, program: &Program) {
    for (name, unit) in [
        ("u_environment_map", ENVIRONMENT_UNIT),
        ("u_environment_brdf", BRDF_UNIT),
        ("u_shadow_map", SHADOW_UNIT),
        ("u_shadow_depth", SHADOW_DEPTH_UNIT),
    ] {
        gl.set_unit(program, name, unit);
    }
}
