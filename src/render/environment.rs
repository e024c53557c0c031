//! The light of the environment on the GPU: prefiltered for every roughness, and shown as the sky.

use super::RenderError;
use super::effect::{EffectRequest, LazyEffect};
use super::frame::Frame;
use super::gl::{CubeMap, Fence, Framebuffer, Gl, TargetFormat, Texture};
use super::lighting::Lighting;
use super::programs::{BRDF_UNIT, ENVIRONMENT_UNIT, SOURCE_UNIT};
use super::upload::Progress;
use crate::model::{Harmonics, KeyLight, Panorama, Within, sin_cos};
use std::cell::{OnceCell, RefCell};
use std::f32::consts::{PI, TAU};
use std::rc::{Rc, Weak};

/// The texels of the table of how much is mirrored, each way; as `shaders/environment.glsl` says.
const TABLE_SIZE: u32 = 64;
/// The texels of a face of the roughest level, each way.
const LAST_SIZE: u32 = 8;
/// How many samples are taken of what a rough surface mirrors; as `shaders/prefilter.frag` says.
const SAMPLES: u32 = 48;
/// The greatest light where targets have bytes.
const MOST_LIGHT: f32 = 16.0;

/// The light of a panorama, prefiltered for every roughness, or on its way to be. Stages that are lit by the same panorama
/// share it; the renderer that made it must be the one that shows it.
#[derive(Debug)]
pub struct Environment {
    /// Which panorama it is of; as long as this is held no other has its address.
    of: Weak<Panorama>,
    light: OnceCell<Prefiltered>,
    prefilter: RefCell<Option<Prefilter>>,
}

#[derive(Debug)]
struct Prefiltered {
    map: CubeMap,
    /// The index of its roughest level.
    last_level: u32,
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
    pub(crate) fn block(&self, gl: &Gl, lighting: &Lighting) -> [[f32; 4]; 10] {
        let mut out = [[0.0; 4]; 10];
        let Some(light) = self.light.get() else { return out };
        for (out, [r, g, b]) in out.iter_mut().zip(light.irradiance) {
            *out = [r * lighting.intensity, g * lighting.intensity, b * lighting.intensity, 0.0];
        }
        let (sin, cos) = sin_cos(lighting.rotation);
        let range = if gl.draws_floats() { 1.0 } else { MOST_LIGHT };
        out[9] = [cos, sin, range * lighting.intensity, light.last_level as f32];
        out
    }

    /// Takes one step of the prefiltering.
    fn advance(
        &self,
        gl: &Rc<Gl>,
        tools: &mut Tools,
        budget: usize,
        patience: bool,
    ) -> Result<Progress, RenderError> {
        let mut prefilter = self.prefilter.borrow_mut();
        let Some(going) = prefilter.as_mut() else { return Ok(Progress::Done) };
        let progress = going.step(gl, tools, budget, patience);
        if matches!(progress, Ok(Progress::More | Progress::Busy)) {
            return progress;
        }
        if let Some(Prefilter { map, last_level, texture, panorama, .. }) = prefilter.take()
            && progress? == Progress::Done
        {
            let (irradiance, key) = (panorama.irradiance, panorama.key);
            let _ = self.light.set(Prefiltered { map, last_level, panorama: texture, irradiance, key });
        }
        Ok(Progress::Done)
    }

    /// Whether the prefiltering did not fail.
    fn is_sound(&self) -> bool {
        self.is_ready() || self.prefilter.borrow().is_some()
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
    /// What fills the table, until it has.
    table_effect: Option<EffectRequest>,
    tools: Tools,
    sky: LazyEffect,
}

/// What copies panoramas into cubes, and what filters those; there while any environment is on its way.
#[derive(Debug)]
struct Tools {
    copy: LazyEffect,
    filter: LazyEffect,
}

impl Tools {
    fn new() -> Self {
        let effect = |defines| LazyEffect::new("screen.vert", "prefilter.frag", defines);
        Self { copy: effect("#define PANORAMA\n"), filter: effect("") }
    }
}

impl Environments {
    /// None yet.
    ///
    /// # Errors
    /// Those of making textures and programs.
    pub(crate) fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        let table = Texture::new(gl)?;
        gl.allocate_target(&table, TargetFormat::Light, TABLE_SIZE);
        let table_effect = Some(EffectRequest::new(gl, "screen.vert", "brdf_table.frag", "")?);
        let dark = CubeMap::new(gl)?;
        gl.allocate_cube(&dark, 1, 1);
        let sky = LazyEffect::new("screen.vert", "sky.frag", "");
        Ok(Self { known: Vec::new(), dark, table, table_effect, tools: Tools::new(), sky })
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
            prefilter: RefCell::new(Some(Prefilter::new(gl, panorama)?)),
        });
        self.known.push(Rc::downgrade(&environment));
        // They are built while the panorama is on its way.
        self.expect(gl)?;
        Ok(environment)
    }

    /// Begins to build the programs that make environments.
    ///
    /// # Errors
    /// Those of programs.
    pub(crate) fn expect(&mut self, gl: &Rc<Gl>) -> Result<(), RenderError> {
        self.tools.copy.request(gl)?;
        self.tools.filter.request(gl)
    }

    /// Takes one step of what light needs: of the environment, if there is one, and of what all share.
    ///
    /// # Errors
    /// As [`Environments::get`], and those of programs; the environment will not be there then.
    pub(crate) fn advance(
        &mut self,
        gl: &Rc<Gl>,
        environment: Option<&Environment>,
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
        if let Some(environment) = environment {
            let progress = environment.advance(gl, &mut self.tools, budget, patience)?;
            if progress != Progress::Done {
                return Ok(progress);
            }
        }
        self.known.retain(|environment| environment.strong_count() > 0);
        if self.known.iter().filter_map(Weak::upgrade).all(|known| known.prefilter.borrow().is_none()) {
            self.tools = Tools::new();
        }
        Ok(if self.table_effect.is_some() { Progress::Busy } else { Progress::Done })
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

/// The making of a cube map whose levels are what surfaces of rising roughness mirror of a panorama.
#[derive(Debug)]
struct Prefilter {
    panorama: Rc<Panorama>,
    /// The panorama on the GPU.
    texture: Texture,
    /// The rows of it that are there.
    rows: u32,
    size: u32,
    last_level: u32,
    framebuffer: Framebuffer,
    /// What is looked up and what is drawn are two maps, as GL wants it.
    source: CubeMap,
    map: CubeMap,
    /// The next level to draw.
    level: u32,
    fence: Option<Fence>,
}

impl Prefilter {
    fn new(gl: &Rc<Gl>, panorama: &Rc<Panorama>) -> Result<Self, RenderError> {
        let texture = Texture::new(gl)?;
        gl.allocate_panorama(&texture, panorama.width, panorama.height)?;
        // A small panorama has nothing that would show in large faces.
        let size = if panorama.width > 512 { 256 } else { 128 };
        let last_level = (size / LAST_SIZE).ilog2();
        let [source, map] = [CubeMap::new(gl)?, CubeMap::new(gl)?];
        gl.allocate_cube(&source, size, size.ilog2() + 1);
        gl.allocate_cube(&map, size, last_level + 1);
        let framebuffer = Framebuffer::new(gl)?;
        let panorama = Rc::clone(panorama);
        let (rows, level, fence) = (0, 0, None);
        Ok(Self { panorama, texture, rows, size, last_level, framebuffer, source, map, level, fence })
    }

    fn step(
        &mut self,
        gl: &Rc<Gl>,
        tools: &mut Tools,
        budget: usize,
        patience: bool,
    ) -> Result<Progress, RenderError> {
        if Fence::holds(&mut self.fence, patience) {
            return Ok(Progress::Busy);
        }
        let from = &*self.panorama;
        if self.rows < from.height {
            let width = from.width as usize;
            let rows = (budget / (4 * width)).within(1, (from.height - self.rows) as usize);
            let begin = self.rows as usize * width;
            let texels = from.texels.get(begin..begin + rows * width).unwrap_or_default();
            gl.write_panorama(&self.texture, from.width, self.rows, texels);
            self.rows += rows as u32;
            if self.rows == from.height {
                // Asking for anything waits for all that was sent.
                self.fence = Some(Fence::new(gl)?);
            }
            return Ok(Progress::More);
        }
        for effect in [&mut tools.copy, &mut tools.filter] {
            if effect.built().is_none() {
                let built = effect.get(gl, patience)?.is_some();
                return Ok(if built { Progress::More } else { Progress::Busy });
            }
        }
        let (Some(copy), Some(filter)) = (tools.copy.built(), tools.filter.built()) else {
            return Ok(Progress::Busy);
        };
        let most = if gl.draws_floats() { 0.0 } else { MOST_LIGHT };
        filling(gl);
        gl.bind_texture(SOURCE_UNIT, &self.texture, None);
        let (cube, effect, mut parameters) = if self.level == 0 {
            // Enough lookups for each texel of the panorama to be seen.
            let grid = (from.width as f32 / (4 * self.size) as f32).ceil().within(1.0, 4.0);
            (&self.source, copy, vec![[0.0, grid, 0.0, most]])
        } else {
            gl.bind_cube(ENVIRONMENT_UNIT, &self.source);
            let samples = samples(self.level as f32 / self.last_level as f32, self.size);
            let weight = samples.iter().map(|[_, _, weight, _]| weight).sum();
            let parameters = [&[[0.0, samples.len() as f32, weight, most]], samples.as_slice()].concat();
            (&self.map, filter, parameters)
        };
        for face in 0..6 {
            gl.attach_face(&self.framebuffer, cube, face, self.level);
            gl.set_target(Some(&self.framebuffer), self.size >> self.level, self.size >> self.level);
            if let Some([which, ..]) = parameters.first_mut() {
                *which = face as f32;
            }
            effect.fill(gl, &parameters);
            if self.level == 0 {
                // What is mirrored by smooth surfaces is what is there.
                gl.copy_face(&self.map, face, self.size);
            }
        }
        if self.level == 0 {
            gl.fill_cube_levels(&self.source);
        }
        self.level += 1;
        if self.level > self.last_level {
            return gl.check().map(|()| Progress::Done);
        }
        // Small levels take no time worth waiting for.
        if self.size >> self.level >= 32 {
            self.fence = Some(Fence::new(gl)?);
        }
        Ok(Progress::More)
    }
}

/// Where a surface of this roughness that looks up looks for what it mirrors, seen from straight above as everybody who prefilters
/// assumes: each with the cosine, its weight, as z, and the level to be read of a map of this size.
fn samples(roughness: f32, size: u32) -> Vec<[f32; 4]> {
    let alpha = roughness * roughness;
    // The solid angle of a texel of the map.
    let texel = 4.0 * PI / (6.0 * size as f32 * size as f32);
    let sample = |i: u32| {
        // Points that fill the unit square evenly (Hammersley), as half vectors of the density D(h) (n·h), with D of Trowbridge and Reitz.
        let (around, out) = ((i as f32 + 0.5) / SAMPLES as f32, i.reverse_bits() as f32 / 4_294_967_296.0);
        let cosine2 = (1.0 - out) / (1.0 + (alpha * alpha - 1.0) * out);
        let z = 2.0 * cosine2 - 1.0;
        let slope = cosine2 * (alpha * alpha - 1.0) + 1.0;
        let density = alpha * alpha / (4.0 * PI * slope * slope);
        // A sample stands for all directions that are nearer to it than to others: a smaller level, a little smoother.
        let level = (0.5 * (1.0 / (SAMPLES as f32 * density * texel)).log2() + 1.0).max(0.0);
        let (sin, cos) = sin_cos(TAU * around);
        let across = 2.0 * (cosine2 * (1.0 - cosine2)).sqrt();
        (z > 0.0).then_some([across * cos, across * sin, z, level])
    };
    (0..SAMPLES).filter_map(sample).collect()
}
