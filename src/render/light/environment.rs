//! Environment lighting on the GPU, prefiltered for each roughness.

use super::brdf_table;
use super::lighting::Lighting;
use super::panorama_texture::Picture;
use super::prefilter::{Prefilter, Step};
use crate::base::sin_cos;
use crate::model::{KeyLight, Panorama};
use crate::render::error::RenderError;
use crate::render::gl::{CubeMap, Gl, Texture};
use crate::render::programs::{BRDF_UNIT, ENVIRONMENT_UNIT};
use crate::render::progress::Progress;
use std::cell::{OnceCell, RefCell};
use std::rc::{Rc, Weak};

/// The light of a panorama, prefiltered for each roughness, or in progress. Stages with the same panorama
/// share it. It must be used with the renderer that created it.
#[derive(Debug)]
pub struct Environment {
    pub(crate) panorama: Rc<Panorama>,
    pub(crate) light: OnceCell<Filtered>,
    /// The cube map and the state of prefiltering; `None` when it is complete or has failed.
    filtering: RefCell<Option<(CubeMap, Prefilter)>>,
    pub(crate) picture: RefCell<Option<Picture>>,
}

#[derive(Debug)]
pub(crate) struct Filtered {
    pub(crate) map: CubeMap,
    /// The index of the roughest level.
    pub(crate) last_level: usize,
}

impl Environment {
    /// `true` if prefiltering is complete; until then the environment is black.
    pub fn is_ready(&self) -> bool {
        self.light.get().is_some()
    }

    /// The key light, which has its own highlight and shadow, in world space.
    pub(crate) fn key(&self, lighting: &Lighting) -> Option<KeyLight> {
        Some(lighting.key(self.light.get().and(self.panorama.key)?))
    }

    /// The values of `u_irradiance` and `u_environment`.
    pub(crate) fn block(&self, lighting: &Lighting) -> [[f32; 4]; 10] {
        let mut out = [[0.0; 4]; 10];
        let Some(light) = self.light.get() else { return out };
        for (out, [r, g, b]) in out.iter_mut().zip(self.panorama.irradiance) {
            *out = [r * lighting.intensity, g * lighting.intensity, b * lighting.intensity, 0.0];
        }
        let (sin, cos) = sin_cos(lighting.rotation);
        out[9] = [cos, sin, lighting.intensity, light.last_level as f32];
        out
    }

    /// Prefilters and uploads until the cost exceeds `budget` bytes, or all is done.
    fn advance(&self, gl: &Gl, mut budget: usize) -> Result<Progress, RenderError> {
        let mut filtering = self.filtering.borrow_mut();
        let Some((map, prefilter)) = filtering.as_mut() else { return Ok(Progress::Done) };
        loop {
            let cost = 16 * prefilter.cost();
            match prefilter.step() {
                Step::Face(face) => gl.write_cube(map, face.level, face.face, face.size, face.texels),
                Step::Part => {}
                Step::Done => break,
            }
            if budget <= cost {
                return Ok(Progress::More);
            }
            budget -= cost;
        }
        if let Some((map, prefilter)) = filtering.take() {
            gl.check()?;
            let _ = self.light.set(Filtered { map, last_level: prefilter.last_level() });
        }
        Ok(Progress::Done)
    }

    /// `true` if prefiltering is complete or in progress, `false` if it failed.
    fn is_sound(&self) -> bool {
        self.is_ready() || self.filtering.borrow().is_some()
    }
}

/// Resources shared by all environments of a context.
#[derive(Debug)]
pub(crate) struct Environments {
    known: Vec<Weak<Environment>>,
    /// A black environment, for frames without light.
    dark: CubeMap,
    /// The BRDF table.
    table: Texture,
    has_table: bool,
}

impl Environments {
    /// Creates the shared resources, without any environment.
    ///
    /// # Errors
    /// Those of creating textures.
    pub(crate) fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        let table = Texture::new(gl)?;
        let dark = CubeMap::new(gl)?;
        gl.allocate_cube(&dark, 1, 1);
        Ok(Self { known: Vec::new(), dark, table, has_table: false })
    }

    /// The environment of a panorama; starts prefiltering unless an existing environment can be shared.
    ///
    /// # Errors
    /// Those of creating textures.
    pub(crate) fn get(
        &mut self,
        gl: &Rc<Gl>,
        panorama: &Rc<Panorama>,
    ) -> Result<Rc<Environment>, RenderError> {
        self.known.retain(|environment| environment.strong_count() > 0);
        let same = |environment: &Rc<Environment>| {
            Rc::ptr_eq(&environment.panorama, panorama) && environment.is_sound()
        };
        if let Some(known) = self.known.iter().filter_map(Weak::upgrade).find(same) {
            return Ok(known);
        }
        let prefilter = Prefilter::new(Rc::clone(panorama));
        let map = CubeMap::new(gl)?;
        gl.allocate_cube(&map, prefilter.size, prefilter.last_level() + 1);
        let environment = Rc::new(Environment {
            panorama: Rc::clone(panorama),
            light: OnceCell::new(),
            filtering: RefCell::new(Some((map, prefilter))),
            picture: RefCell::new(None),
        });
        self.known.push(Rc::downgrade(&environment));
        Ok(environment)
    }

    /// Takes one step: fills the BRDF table, or else advances `environment`, if there is one.
    ///
    /// # Errors
    /// As [`Environments::get`]; the environment never becomes ready then.
    pub(crate) fn advance(
        &mut self,
        gl: &Gl,
        environment: Option<&Environment>,
        budget: usize,
    ) -> Result<Progress, RenderError> {
        if !self.has_table {
            gl.fill_table(&self.table, brdf_table::SIZE, &brdf_table::brdf_table());
            self.has_table = true;
            return Ok(Progress::More);
        }
        environment.map_or(Ok(Progress::Done), |environment| environment.advance(gl, budget))
    }

    /// Binds the textures for environment lighting.
    pub(crate) fn bind(&self, gl: &Gl, environment: Option<&Environment>) {
        let light = environment.and_then(|environment| environment.light.get());
        gl.bind_cube(ENVIRONMENT_UNIT, light.map_or(&self.dark, |light| &light.map));
        gl.bind_texture(BRDF_UNIT, &self.table, None);
    }
}
