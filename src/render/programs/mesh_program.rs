//! Mesh programs, built once per variant.

use super::effect::set_light_units;
use super::source;
use super::units::{
    BACKDROP_UNIT, FRAME_BLOCK, INFLUENCE_UNIT, MATERIAL_BLOCK, MATERIAL_UNIT, MORPH_UNIT, PALETTE_UNIT,
    PALETTE_WIDTH,
};
use super::variant::{Variant, uniform, used_slots};
use crate::render::error::RenderError;
use crate::render::gl::{Gl, Program, Shader, Stage, UniformLocation};
use std::cell::OnceCell;
use std::rc::Rc;

/// A program that draws meshes.
#[derive(Debug)]
pub(crate) struct MeshProgram {
    pub(crate) program: Program,
    /// The shaders, until the program is known to be linked.
    shaders: Option<[Shader; 2]>,
    uniforms: OnceCell<Uniforms>,
    /// A distinct small number per program, for sorting.
    pub(crate) order: usize,
}

/// The uniforms that change between draws.
#[derive(Debug, Default)]
struct Uniforms {
    palette_base: Option<UniformLocation>,
    morph: Option<UniformLocation>,
    influences: Option<UniformLocation>,
    /// The uniform of debug views or of crowds; no program has both.
    special: Option<UniformLocation>,
}

impl MeshProgram {
    /// Sets the uniforms of a draw; the program must be current.
    pub(crate) fn set(&self, gl: &Gl, palette_base: u32, morph: [i32; 4]) {
        if let Some(uniforms) = self.uniforms.get() {
            if uniforms.palette_base.is_some() {
                gl.set_int(uniforms.palette_base.as_ref(), palette_base as i32);
            }
            if uniforms.morph.is_some() {
                gl.set_ivec4(uniforms.morph.as_ref(), morph);
            }
        }
    }

    /// Sets the layout of the influence texture, if used: texels per vertex and texels per row. The program must be current.
    pub(crate) fn set_influences(&self, gl: &Gl, shape: [usize; 2]) {
        let location = self.uniforms.get().and_then(|uniforms| uniforms.influences.as_ref());
        if location.is_some() {
            gl.set_ivec4(location, [shape[0] as i32, shape[1] as i32, 0, 0]);
        }
    }

    /// Sets the uniform of debug views or of crowds (`shaders/debug.glsl`, `shaders/crowd.glsl`).
    /// The program must be current.
    pub(crate) fn set_special(&self, gl: &Gl, numbers: [i32; 4]) {
        gl.set_ivec4(self.uniforms.get().and_then(|uniforms| uniforms.special.as_ref()), numbers);
    }

    fn build(gl: &Rc<Gl>, variant: &Variant, order: usize) -> Result<Self, RenderError> {
        let defines = variant.defines(PALETTE_WIDTH);
        let shaders = [
            gl.compile(Stage::Vertex, &source::compose("mesh.vert", &defines)?)?,
            gl.compile(Stage::Fragment, &source::compose(variant.fragment_source(), &defines)?)?,
        ];
        let program = gl.link([&shaders[0], &shaders[1]])?;
        Ok(Self { program, shaders: Some(shaders), uniforms: OnceCell::new(), order })
    }

    fn finish(&mut self, gl: &Gl, variant: &Variant) -> Result<(), RenderError> {
        let Some(shaders) = &self.shaders else { return Ok(()) };
        gl.link_result(&self.program, [&shaders[0], &shaders[1]]).map_err(source::explained)?;
        self.shaders = None;
        let program = &self.program;
        gl.set_block(program, "Frame", FRAME_BLOCK);
        gl.set_block(program, "Material", MATERIAL_BLOCK);
        gl.use_program(program);
        for (name, unit) in [
            ("u_palette", PALETTE_UNIT),
            ("u_morph_deltas", MORPH_UNIT),
            ("u_influences", INFLUENCE_UNIT),
            ("u_backdrop", BACKDROP_UNIT),
        ] {
            gl.set_unit(program, name, unit);
        }
        for (slot, unit) in used_slots(variant).zip(MATERIAL_UNIT..) {
            gl.set_unit(program, &uniform(slot), unit);
        }
        set_light_units(gl, program);
        let _ = self.uniforms.set(Uniforms {
            palette_base: gl.uniform(program, "u_palette_base"),
            morph: gl.uniform(program, "u_morph"),
            influences: gl.uniform(program, "u_influence_shape"),
            special: gl.uniform(program, if variant.crowd { "u_crowd" } else { "u_debug" }),
        });
        Ok(())
    }
}

/// The maximum number of unused programs that are kept, as the next model may need them.
const SPARE: usize = 8;

/// The cache of mesh programs.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    /// In the order in which they were built.
    ready: Vec<(Variant, Rc<MeshProgram>)>,
    pending: Vec<(Variant, MeshProgram)>,
    /// The number of programs requested so far.
    begun: usize,
}

impl Programs {
    /// Starts building the program of `variant`, unless it is built or in progress.
    ///
    /// Request all programs of a model before waiting for the first one, so that the browser may build
    /// them in parallel.
    pub(crate) fn request(&mut self, gl: &Rc<Gl>, variant: Variant) -> Result<(), RenderError> {
        if self.ready(variant).is_none() && !self.pending.iter().any(|(known, _)| *known == variant) {
            self.pending.push((variant, MeshProgram::build(gl, &variant, self.begun)?));
            self.begun += 1;
        }
        Ok(())
    }

    /// `true` if all requested programs are linked, so that waiting for them would not block.
    pub(crate) fn built(&self, gl: &Gl) -> bool {
        self.pending.iter().all(|(_, program)| gl.is_linked(&program.program))
    }

    /// The program of `variant`; with `may_defer`, `None` while it is being built.
    ///
    /// # Errors
    /// As [`Programs::finish_one`].
    pub(crate) fn poll(
        &mut self,
        gl: &Rc<Gl>,
        variant: Variant,
        may_defer: bool,
    ) -> Result<Option<Rc<MeshProgram>>, RenderError> {
        self.request(gl, variant)?;
        let pending = self.pending.iter().position(|(known, _)| *known == variant);
        if let Some(at) = pending.filter(|&at| !may_defer || gl.is_linked(&self.pending[at].1.program)) {
            let last = self.pending.len() - 1;
            self.pending.swap(at, last);
            self.finish_one(gl)?;
        }
        Ok(self.ready(variant).cloned())
    }

    /// Waits for the last requested program; returns `false` if there is none.
    ///
    /// # Errors
    /// If it does not build; all pending requests are dropped then.
    pub(crate) fn finish_one(&mut self, gl: &Gl) -> Result<bool, RenderError> {
        let Some((variant, mut program)) = self.pending.pop() else { return Ok(false) };
        if let Err(error) = program.finish(gl, &variant) {
            self.forget_requests();
            return Err(error);
        }
        self.ready.push((variant, Rc::new(program)));
        Ok(true)
    }

    /// Waits for all requested programs.
    ///
    /// # Errors
    /// As [`Programs::finish_one`].
    pub(crate) fn finish(&mut self, gl: &Gl) -> Result<(), RenderError> {
        while self.finish_one(gl)? {}
        Ok(())
    }

    /// Drops all pending requests.
    pub(crate) fn forget_requests(&mut self) {
        self.pending.clear();
    }

    /// Drops unused programs, the oldest first, until [`SPARE`] of them are left.
    pub(crate) fn forget_unused(&mut self) {
        let is_unused = |(_, program): &(Variant, Rc<MeshProgram>)| Rc::strong_count(program) == 1;
        let unused = self.ready.iter().filter(|entry| is_unused(entry)).count();
        let mut too_many = unused.saturating_sub(SPARE);
        self.ready.retain(|entry| {
            let goes = too_many > 0 && is_unused(entry);
            too_many -= usize::from(goes);
            !goes
        });
    }

    /// The program of `variant`, built synchronously if it was not requested before.
    pub(crate) fn get(&mut self, gl: &Rc<Gl>, variant: Variant) -> Result<Rc<MeshProgram>, RenderError> {
        if self.ready(variant).is_none() {
            self.request(gl, variant)?;
            self.finish(gl)?;
        }
        self.ready(variant).cloned().ok_or_else(|| RenderError::Shader { log: String::new() })
    }

    fn ready(&self, variant: Variant) -> Option<&Rc<MeshProgram>> {
        self.ready.iter().find(|(known, _)| *known == variant).map(|(_, program)| program)
    }
}
