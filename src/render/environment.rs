//! The light of the environment on the GPU: prefiltered for every roughness, and shown as the sky.

use super::RenderError;
use super::effect::{Effect, EffectRequest};
use super::frame::Frame;
use super::gl::{CubeMap, Fence, Framebuffer, Gl, TargetFormat, Texture};
use super::lighting::Lighting;
use super::programs::{BRDF_UNIT, ENVIRONMENT_UNIT, SOURCE_UNIT};
use super::upload::Progress;
use crate::model::{Harmonics, KeyLight, Panorama};
use std::rc::Rc;

/// The texels of the table of how much is mirrored, each way; as `shaders/environment.glsl` says.
const TABLE_SIZE: u32 = 64;
/// The texels of a face of the roughest level, each way.
const LAST_SIZE: u32 = 8;
/// The greatest light where targets have bytes.
const MOST_LIGHT: f32 = 16.0;

/// The light from all around.
#[derive(Debug)]
pub(crate) struct Environment {
    map: CubeMap,
    /// The index of its roughest level.
    last_level: u32,
    /// As it came, for a sharp sky.
    panorama: Option<Texture>,
    irradiance: Harmonics,
    key: Option<KeyLight>,
    table: Texture,
    /// What fills the table, until it has.
    table_effect: Option<EffectRequest>,
    sky: Option<Effect>,
    /// The environment that is on its way.
    next: Option<Prefilter>,
}

impl Environment {
    /// Darkness.
    ///
    /// # Errors
    /// Those of making textures and programs.
    pub(crate) fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        let table = Texture::new(gl)?;
        gl.allocate_target(&table, TargetFormat::Light, TABLE_SIZE);
        let table_effect = Some(EffectRequest::new(gl, "screen.vert", "brdf_table.frag", "")?);
        let map = CubeMap::new(gl)?;
        gl.allocate_cube(&map, 1, 1);
        let irradiance = Harmonics::default();
        let (panorama, key, sky, next) = (None, None, None, None);
        Ok(Self { map, last_level: 0, panorama, irradiance, key, table, table_effect, sky, next })
    }

    /// Begins to take another environment, which [`Environment::advance`] prefilters; `None` is darkness. Until then
    /// there is the one before.
    ///
    /// # Errors
    /// Those of making textures and programs, and `TextureTooLarge`; the environment before stays.
    pub(crate) fn begin(&mut self, gl: &Rc<Gl>, panorama: Option<&Panorama>) -> Result<(), RenderError> {
        self.next = None;
        match panorama {
            Some(panorama) => self.next = Some(Prefilter::new(gl, panorama)?),
            None => {
                self.panorama = None;
                self.irradiance = Harmonics::default();
                self.key = None;
            }
        }
        Ok(())
    }

    /// Takes one step towards the environment that was begun, which is `panorama`; at the end it is there.
    ///
    /// # Errors
    /// As [`Environment::begin`].
    pub(crate) fn advance(
        &mut self,
        gl: &Rc<Gl>,
        panorama: Option<&Panorama>,
        budget: usize,
        patience: bool,
    ) -> Result<Progress, RenderError> {
        if let Some(effect) = self.table_effect.take_if(|effect| !patience || effect.is_built(gl)) {
            let effect = effect.finish(gl)?;
            let framebuffer = Framebuffer::new(gl)?;
            gl.attach(&framebuffer, &self.table, TargetFormat::Light);
            gl.set_target(Some(&framebuffer), TABLE_SIZE, TABLE_SIZE);
            filling(gl);
            effect.fill(gl, &[]);
            return Ok(Progress::More);
        }
        if let (Some(next), Some(panorama)) = (&mut self.next, panorama) {
            let progress = next.step(gl, panorama, budget, patience);
            if matches!(progress, Ok(Progress::More | Progress::Busy)) {
                return progress;
            }
            if let Some(next) = self.next.take()
                && progress? == Progress::Done
            {
                self.map = next.map;
                self.last_level = next.last_level;
                self.panorama = Some(next.panorama);
                self.irradiance = panorama.irradiance;
                self.key = panorama.key;
            }
        }
        Ok(if self.table_effect.is_some() { Progress::Busy } else { Progress::Done })
    }

    /// The light that has a highlight and a shadow of its own, as the world has it.
    pub(crate) fn key(&self, lighting: &Lighting) -> Option<KeyLight> {
        let KeyLight { direction: [x, y, z], color } = self.key?;
        let (sin, cos) = lighting.rotation.sin_cos();
        let direction = [cos * x + sin * z, y, cos * z - sin * x];
        Some(KeyLight { direction, color: color.map(|value| value * lighting.intensity) })
    }

    /// What `u_irradiance` and `u_environment` are.
    pub(crate) fn block(&self, gl: &Gl, lighting: &Lighting) -> [[f32; 4]; 10] {
        let mut out = [[0.0; 4]; 10];
        for (out, [r, g, b]) in out.iter_mut().zip(self.irradiance) {
            *out = [r * lighting.intensity, g * lighting.intensity, b * lighting.intensity, 0.0];
        }
        let (sin, cos) = lighting.rotation.sin_cos();
        let range = if gl.draws_floats() { 1.0 } else { MOST_LIGHT };
        let strength = if self.panorama.is_some() { range * lighting.intensity } else { 0.0 };
        out[9] = [cos, sin, strength, self.last_level as f32];
        out
    }

    /// Binds what the shaders of a frame look light up in.
    pub(crate) fn bind(&self, gl: &Gl) {
        gl.bind_cube(ENVIRONMENT_UNIT, &self.map);
        gl.bind_texture(BRDF_UNIT, &self.table, None);
    }

    /// Makes what drawing the sky needs.
    pub(crate) fn prepare_sky(&mut self, gl: &Rc<Gl>) -> Result<(), RenderError> {
        if self.sky.is_none() {
            self.sky = Some(Effect::new(gl, "screen.vert", "sky.frag", "")?);
        }
        Ok(())
    }

    /// Draws the sky behind everything.
    pub(crate) fn draw_sky(&self, gl: &Gl, frame: &Frame<'_>) {
        let (Some(sky), Some(panorama)) = (&self.sky, &self.panorama) else { return };
        gl.bind_texture(SOURCE_UNIT, panorama, None);
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

/// The making of a cube map whose levels are what surfaces of rising roughness mirror of a panorama.
#[derive(Debug)]
struct Prefilter {
    panorama: Texture,
    /// The rows of it that are there.
    rows: u32,
    size: u32,
    last_level: u32,
    requests: Vec<EffectRequest>,
    /// What copies the panorama, and what filters.
    effects: Vec<Effect>,
    framebuffer: Framebuffer,
    /// What is looked up and what is drawn are two maps, as GL wants it.
    source: CubeMap,
    map: CubeMap,
    /// The next thing to draw: the two maps, then the rougher levels.
    stage: u32,
    fence: Option<Fence>,
}

impl Prefilter {
    fn new(gl: &Rc<Gl>, from: &Panorama) -> Result<Self, RenderError> {
        let panorama = Texture::new(gl)?;
        gl.allocate_panorama(&panorama, from.width, from.height)?;
        // A small panorama has nothing that would show in large faces.
        let size = if from.width > 512 { 256 } else { 128 };
        let last_level = (size / LAST_SIZE).ilog2();
        let request = |defines| EffectRequest::new(gl, "screen.vert", "prefilter.frag", defines);
        let (requests, effects) = (vec![request("")?, request("#define PANORAMA\n")?], Vec::new());
        let [source, map] = [CubeMap::new(gl)?, CubeMap::new(gl)?];
        gl.allocate_cube(&source, size, size.ilog2() + 1);
        gl.allocate_cube(&map, size, last_level + 1);
        let framebuffer = Framebuffer::new(gl)?;
        let (rows, stage, fence) = (0, 0, None);
        Ok(Self {
            panorama,
            rows,
            size,
            last_level,
            requests,
            effects,
            framebuffer,
            source,
            map,
            stage,
            fence,
        })
    }

    fn step(
        &mut self,
        gl: &Rc<Gl>,
        from: &Panorama,
        budget: usize,
        patience: bool,
    ) -> Result<Progress, RenderError> {
        if Fence::holds(&mut self.fence, patience) {
            return Ok(Progress::Busy);
        }
        if self.rows < from.height {
            let width = from.width as usize;
            let rows = (budget / (4 * width)).clamp(1, (from.height - self.rows) as usize);
            let begin = self.rows as usize * width;
            let texels = from.texels.get(begin..begin + rows * width).unwrap_or_default();
            gl.write_panorama(&self.panorama, from.width, self.rows, texels);
            self.rows += rows as u32;
            if self.rows == from.height {
                // Asking for anything waits for all that was sent.
                self.fence = Some(Fence::new(gl)?);
            }
            return Ok(Progress::More);
        }
        if let Some(request) = self.requests.pop_if(|request| !patience || request.is_built(gl)) {
            self.effects.push(request.finish(gl)?);
            return Ok(Progress::More);
        }
        let [copy, filter] = &self.effects[..] else { return Ok(Progress::Busy) };
        let most = if gl.draws_floats() { 0.0 } else { MOST_LIGHT };
        // Enough lookups for each texel of the panorama to be seen.
        let grid = (from.width as f32 / (4 * self.size) as f32).ceil().clamp(1.0, 4.0);
        filling(gl);
        let (cube, level, effect, numbers) = match self.stage {
            0 => (&self.source, 0, copy, [grid, 0.0]),
            1 => (&self.map, 0, copy, [grid, 0.0]),
            stage => {
                let level = stage - 1;
                if level == 1 {
                    gl.fill_cube_levels(&self.source);
                }
                let roughness = level as f32 / self.last_level as f32;
                (&self.map, level, filter, [roughness, self.size as f32])
            }
        };
        gl.bind_texture(SOURCE_UNIT, &self.panorama, None);
        if self.stage > 1 {
            gl.bind_cube(ENVIRONMENT_UNIT, &self.source);
        }
        for face in 0..6 {
            gl.attach_face(&self.framebuffer, cube, face, level);
            gl.set_target(Some(&self.framebuffer), self.size >> level, self.size >> level);
            effect.fill(gl, &[[face as f32, numbers[0], numbers[1], most]]);
        }
        self.stage += 1;
        if self.stage > self.last_level + 1 {
            return gl.check().map(|()| Progress::Done);
        }
        self.fence = Some(Fence::new(gl)?);
        Ok(Progress::More)
    }
}
