//! Programs that draw no mesh: they fill a target, or a rectangle.

use super::source;
use super::units::{BRDF_UNIT, ENVIRONMENT_UNIT, FRAME_BLOCK, SHADOW_DEPTH_UNIT, SHADOW_UNIT, SOURCE_UNIT};
use crate::render::error::RenderError;
use crate::render::gl::{DrawRange, Gl, Program, Shader, Stage, UniformLocation, VertexArray};
use std::rc::Rc;

/// A program with some numbers of its own, `u_parameters`.
#[derive(Debug)]
pub(crate) struct Effect {
    program: Program,
    parameters: Option<UniformLocation>,
    /// Vertices have nothing but their number.
    empty: VertexArray,
}

/// An effect whose program is being built.
#[derive(Debug)]
pub(crate) struct EffectRequest {
    program: Program,
    shaders: [Shader; 2],
}

impl EffectRequest {
    /// Begins to build a program of two sources, whose textures have the units that their names say.
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

    /// Whether it would not be waited for.
    pub(crate) fn is_built(&self, gl: &Gl) -> bool {
        gl.is_linked(&self.program)
    }

    /// Waits for it.
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
            if let Some(location) = gl.uniform(&program, name) {
                gl.set_int(Some(&location), SOURCE_UNIT as i32);
            }
        }
        let parameters = gl.uniform(&program, "u_parameters");
        Ok(Effect { program, parameters, empty: VertexArray::new(gl)? })
    }
}

/// An effect that is built when it is needed for the first time.
#[derive(Debug)]
pub(crate) struct LazyEffect {
    sources: [&'static str; 3],
    request: Option<EffectRequest>,
    effect: Option<Effect>,
}

impl LazyEffect {
    /// Nothing yet; the sources are those of [`EffectRequest::new`].
    pub(crate) fn new(vertex: &'static str, fragment: &'static str, defines: &'static str) -> Self {
        Self { sources: [vertex, fragment, defines], request: None, effect: None }
    }

    /// The effect, if it was waited for.
    pub(crate) fn built(&self) -> Option<&Effect> {
        self.effect.as_ref()
    }

    /// Begins to build it, unless that was done before.
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

    /// The effect; with `patience` only if it need not be waited for.
    ///
    /// # Errors
    /// As [`EffectRequest::new`].
    pub(crate) fn get(&mut self, gl: &Rc<Gl>, patience: bool) -> Result<Option<&Effect>, RenderError> {
        self.request(gl)?;
        if let Some(request) = self.request.take_if(|request| !patience || request.is_built(gl)) {
            self.effect = Some(request.finish(gl)?);
        }
        Ok(self.effect.as_ref())
    }
}

impl Effect {
    /// Fills what is drawn into.
    pub(crate) fn fill(&self, gl: &Gl, parameters: &[[f32; 4]]) {
        self.draw(gl, parameters, glow::TRIANGLES, 3);
    }

    /// Draws a rectangle.
    pub(crate) fn rectangle(&self, gl: &Gl, parameters: &[[f32; 4]]) {
        self.draw(gl, parameters, glow::TRIANGLE_STRIP, 4);
    }

    /// Draws so many vertices.
    pub(crate) fn draw(&self, gl: &Gl, parameters: &[[f32; 4]], mode: u32, count: usize) {
        gl.use_program(&self.program);
        gl.bind_vertex_array(&self.empty);
        if !parameters.is_empty() {
            gl.set_vec4s(self.parameters.as_ref(), parameters);
        }
        gl.draw(mode, DrawRange::Arrays { count });
    }
}

/// Tells a program in use which units have the textures that the light needs.
pub(crate) fn set_light_units(gl: &Gl, program: &Program) {
    for (name, unit) in [
        ("u_environment_map", ENVIRONMENT_UNIT),
        ("u_environment_brdf", BRDF_UNIT),
        ("u_shadow_map", SHADOW_UNIT),
        ("u_shadow_depth", SHADOW_DEPTH_UNIT),
    ] {
        if let Some(location) = gl.uniform(program, name) {
            gl.set_int(Some(&location), unit as i32);
        }
    }
}
