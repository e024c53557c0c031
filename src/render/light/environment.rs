//! The light of the environment on the GPU: prefiltered for every roughness.

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

/// The light of a panorama, prefiltered for every roughness, or on its way to be. Stages that are lit by the same panorama
/// share it; the renderer that made it must be the one that shows it.
#[derive(Debug)]
pub struct Environment {
    pub(crate) panorama: Rc<Panorama>,
    pub(crate) light: OnceCell<Filtered>,
    /// What the light comes from, until it is there; nothing then or after an error.
    filtering: RefCell<Option<(CubeMap, Prefilter)>>,
    pub(crate) picture: RefCell<Option<Picture>>,
}

#[derive(Debug)]
pub(crate) struct Filtered {
    pub(crate) map: CubeMap,
    /// The index of its roughest level.
    pub(crate) last_level: usize,
}

impl Environment {
    /// Whether it is there; until then it is darkness.
    pub fn is_ready(&self) -> bool {
        self.light.get().is_some()
    }

    /// The light that has a highlight and a shadow of its own, as the world has it.
    pub(crate) fn key(&self, lighting: &Lighting) -> Option<KeyLight> {
        let KeyLight { direction: [x, y, z], color } = self.light.get().and(self.panorama.key)?;
        let (sin, cos) = sin_cos(lighting.rotation);
        let direction = [cos * x + sin * z, y, cos * z - sin * x];
        Some(KeyLight { direction, color: color.map(|value| value * lighting.intensity) })
    }

    /// What `u_irradiance` and `u_environment` are.
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

    /// Takes steps that are worth writing so many bytes together.
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

    /// Whether the way to the GPU did not fail.
    fn is_sound(&self) -> bool {
        self.is_ready() || self.filtering.borrow().is_some()
    }
}

/// What all environments of a context need.
#[derive(Debug)]
pub(crate) struct Environments {
    known: Vec<Weak<Environment>>,
    /// What is mirrored where there is no light.
    dark: CubeMap,
    /// How much is mirrored.
    table: Texture,
    has_table: bool,
}

impl Environments {
    /// None yet.
    ///
    /// # Errors
    /// Those of making textures and programs.
    pub(crate) fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        let table = Texture::new(gl)?;
        let dark = CubeMap::new(gl)?;
        gl.allocate_cube(&dark, 1, 1);
        Ok(Self { known: Vec::new(), dark, table, has_table: false })
    }

    /// The environment of a panorama, which is begun if nobody has it.
    ///
    /// # Errors
    /// Those of making textures.
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

    /// Takes one step of what light needs: of the environment, if there is one, and of what all share.
    ///
    /// # Errors
    /// As [`Environments::get`]; the environment will not be there then.
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

    /// Binds what the shaders of a frame look light up in.
    pub(crate) fn bind(&self, gl: &Gl, environment: Option<&Environment>) {
        let light = environment.and_then(|environment| environment.light.get());
        gl.bind_cube(ENVIRONMENT_UNIT, light.map_or(&self.dark, |light| &light.map));
        gl.bind_texture(BRDF_UNIT, &self.table, None);
    }
}
