//! The light of the environment on the GPU: prefiltered for every roughness, and shown as the sky.

use super::RenderError;
use super::brdf_table;
use super::effect::LazyEffect;
use super::frame::Frame;
use super::gl::{CubeMap, Gl, Texture};
use super::lighting::Lighting;
use super::prefilter::{Prefilter, Step};
use super::programs::{BRDF_UNIT, ENVIRONMENT_UNIT, SOURCE_UNIT};
use super::upload::Progress;
use crate::model::{Harmonics, KeyLight, Panorama, Within, sin_cos};
use std::cell::{OnceCell, RefCell};
use std::rc::{Rc, Weak};

/// The light of a panorama, prefiltered for every roughness, or on its way to be. Stages that are lit by the same panorama
/// share it; the renderer that made it must be the one that shows it.
#[derive(Debug)]
pub struct Environment {
    /// Which panorama it is of; as long as this is held no other has its address.
    of: Weak<Panorama>,
    light: OnceCell<Prefiltered>,
    upload: RefCell<Option<Upload>>,
}

#[derive(Debug)]
struct Prefiltered {
    map: CubeMap,
    /// The index of its roughest level.
    last_level: usize,
    /// As it came, for a sharp sky.
    panorama: Texture,
    irradiance: Harmonics,
    key: Option<KeyLight>,
}

impl Environment {
    /// Whether it is there; until then it is darkness.
    pub fn is_ready(&self) -> bool {
        self.light.get().is_some()
    }

    /// The light that has a highlight and a shadow of its own, as the world has it.
    pub(crate) fn key(&self, lighting: &Lighting) -> Option<KeyLight> {
        let KeyLight { direction: [x, y, z], color } = self.light.get()?.key?;
        let (sin, cos) = sin_cos(lighting.rotation);
        let direction = [cos * x + sin * z, y, cos * z - sin * x];
        Some(KeyLight { direction, color: color.map(|value| value * lighting.intensity) })
    }

    /// What `u_irradiance` and `u_environment` are.
    pub(crate) fn block(&self, lighting: &Lighting) -> [[f32; 4]; 10] {
        let mut out = [[0.0; 4]; 10];
        let Some(light) = self.light.get() else { return out };
        for (out, [r, g, b]) in out.iter_mut().zip(light.irradiance) {
            *out = [r * lighting.intensity, g * lighting.intensity, b * lighting.intensity, 0.0];
        }
        let (sin, cos) = sin_cos(lighting.rotation);
        out[9] = [cos, sin, lighting.intensity, light.last_level as f32];
        out
    }

    /// Takes some steps of the upload.
    fn advance(&self, gl: &Gl, budget: usize) -> Result<Progress, RenderError> {
        let mut upload = self.upload.borrow_mut();
        let Some(going) = upload.as_mut() else { return Ok(Progress::Done) };
        let progress = going.step(gl, budget);
        if matches!(progress, Ok(Progress::More)) {
            return progress;
        }
        if let Some(Upload { map, texture, panorama, prefilter, .. }) = upload.take()
            && progress? == Progress::Done
        {
            let (irradiance, key) = (panorama.irradiance, panorama.key);
            let last_level = prefilter.last_level();
            let _ = self.light.set(Prefiltered { map, last_level, panorama: texture, irradiance, key });
        }
        Ok(Progress::Done)
    }

    /// Whether the upload did not fail.
    fn is_sound(&self) -> bool {
        self.is_ready() || self.upload.borrow().is_some()
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
    sky: LazyEffect,
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
        let sky = LazyEffect::new("screen.vert", "sky.frag", "");
        Ok(Self { known: Vec::new(), dark, table, has_table: false, sky })
    }

    /// The environment of a panorama, which is begun if nobody has it.
    ///
    /// # Errors
    /// Those of making textures, and `TextureTooLarge`.
    pub(crate) fn get(
        &mut self,
        gl: &Rc<Gl>,
        panorama: &Rc<Panorama>,
    ) -> Result<Rc<Environment>, RenderError> {
        self.known.retain(|environment| environment.strong_count() > 0);
        let same = |environment: &Rc<Environment>| {
            std::ptr::eq(environment.of.as_ptr(), Rc::as_ptr(panorama)) && environment.is_sound()
        };
        if let Some(known) = self.known.iter().filter_map(Weak::upgrade).find(same) {
            return Ok(known);
        }
        let environment = Rc::new(Environment {
            of: Rc::downgrade(panorama),
            light: OnceCell::new(),
            upload: RefCell::new(Some(Upload::new(gl, panorama)?)),
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

    /// Makes what drawing the sky needs; whether it is there, which it always is without `patience`.
    pub(crate) fn prepare_sky(&mut self, gl: &Rc<Gl>, patience: bool) -> Result<bool, RenderError> {
        Ok(self.sky.get(gl, patience)?.is_some())
    }

    /// Draws the sky behind everything.
    pub(crate) fn draw_sky(&self, gl: &Gl, frame: &Frame<'_>) {
        let light = frame.environment.and_then(|environment| environment.light.get());
        let (Some(sky), Some(light)) = (self.sky.built(), light) else { return };
        gl.bind_texture(SOURCE_UNIT, &light.panorama, None);
        let world_from_clip = (frame.projection * frame.view).inverse().to_cols_array_2d();
        let Lighting { skybox_blur, intensity, .. } = frame.lighting;
        let [x, y, z, w] = world_from_clip;
        gl.set_blend(false);
        gl.set_depth_write(false);
        gl.set_cull(super::gl::Cull::None);
        sky.fill(gl, &[x, y, z, w, [skybox_blur, intensity, 0.0, 0.0]]);
        gl.set_depth_write(true);
    }
}

/// The state in which targets are filled.
pub(crate) fn filling(gl: &Gl) {
    gl.set_blend(false);
    gl.set_depth_test(false);
    gl.set_cull(super::gl::Cull::None);
}

/// The light of a panorama on its way to the GPU.
#[derive(Debug)]
struct Upload {
    /// The panorama on the GPU.
    texture: Texture,
    /// The rows of it that are there.
    rows: u32,
    map: CubeMap,
    prefilter: Prefilter,
    panorama: Rc<Panorama>,
}

impl Upload {
    fn new(gl: &Rc<Gl>, panorama: &Rc<Panorama>) -> Result<Self, RenderError> {
        let texture = Texture::new(gl)?;
        gl.allocate_panorama(&texture, panorama.width, panorama.height)?;
        let prefilter = Prefilter::new(Rc::clone(panorama));
        let map = CubeMap::new(gl)?;
        gl.allocate_cube(&map, prefilter.size, prefilter.last_level() + 1);
        Ok(Self { texture, rows: 0, map, prefilter, panorama: Rc::clone(panorama) })
    }

    /// Takes steps that are worth writing so many bytes together.
    fn step(&mut self, gl: &Gl, mut budget: usize) -> Result<Progress, RenderError> {
        let from = &*self.panorama;
        if self.rows < from.height {
            let width = from.width as usize;
            let rows = (budget / (4 * width)).within(1, (from.height - self.rows) as usize);
            let begin = self.rows as usize * width;
            let texels = from.texels.get(begin..begin + rows * width).unwrap_or_default();
            gl.write_panorama(&self.texture, from.width, self.rows, texels);
            self.rows += rows as u32;
            return Ok(Progress::More);
        }
        loop {
            let cost = 16 * self.prefilter.cost();
            match self.prefilter.step() {
                Step::Row(row) => gl.write_cube(&self.map, row.level, row.face, row.y, row.texels),
                Step::Other => {}
                Step::Done => return gl.check().map(|()| Progress::Done),
            }
            if budget <= cost {
                return Ok(Progress::More);
            }
            budget -= cost;
        }
    }
}
