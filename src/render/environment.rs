//! The light of the environment on the GPU: prefiltered for every roughness, and shown as the sky.

use super::RenderError;
use super::effect::Effect;
use super::frame::Frame;
use super::gl::{CubeMap, Framebuffer, Gl, TargetFormat, Texture};
use super::lighting::Lighting;
use super::programs::{BRDF_UNIT, ENVIRONMENT_UNIT, SOURCE_UNIT};
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
    sky: Option<Effect>,
}

impl Environment {
    /// Darkness.
    ///
    /// # Errors
    /// Those of making textures and programs.
    pub(crate) fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        let table = Texture::new(gl)?;
        gl.allocate_target(&table, TargetFormat::Light, TABLE_SIZE);
        let framebuffer = Framebuffer::new(gl)?;
        gl.attach(&framebuffer, &table, TargetFormat::Light);
        gl.set_target(Some(&framebuffer), TABLE_SIZE, TABLE_SIZE);
        let effect = Effect::new(gl, "screen.vert", "brdf_table.frag", "")?;
        filling(gl);
        effect.fill(gl, &[]);
        let map = CubeMap::new(gl)?;
        gl.allocate_cube(&map, 1, 1);
        let irradiance = Harmonics::default();
        Ok(Self { map, last_level: 0, panorama: None, irradiance, key: None, table, sky: None })
    }

    /// Takes another environment, and prefilters it; `None` is darkness.
    ///
    /// # Errors
    /// Those of making textures and programs, and `TextureTooLarge`; the environment before stays.
    pub(crate) fn set(&mut self, gl: &Rc<Gl>, panorama: Option<&Panorama>) -> Result<(), RenderError> {
        let Some(panorama) = panorama else {
            self.panorama = None;
            self.irradiance = Harmonics::default();
            self.key = None;
            return Ok(());
        };
        let (width, height) = (panorama.width, panorama.height);
        let texture = Texture::new(gl)?;
        gl.fill_panorama(&texture, width, height, &panorama.texels)?;
        // A small panorama has nothing that would show in large faces.
        let size = if width > 512 { 256 } else { 128 };
        let last_level = (size / LAST_SIZE).ilog2();
        let map = prefiltered(gl, &texture, width, size, last_level)?;
        self.map = map;
        self.last_level = last_level;
        self.panorama = Some(texture);
        self.irradiance = panorama.irradiance;
        self.key = panorama.key;
        Ok(())
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

/// A cube map whose levels are what surfaces of rising roughness mirror of a panorama.
fn prefiltered(
    gl: &Rc<Gl>,
    panorama: &Texture,
    width: u32,
    size: u32,
    last_level: u32,
) -> Result<CubeMap, RenderError> {
    let most = if gl.draws_floats() { 0.0 } else { MOST_LIGHT };
    let framebuffer = Framebuffer::new(gl)?;
    let copy = Effect::new(gl, "screen.vert", "prefilter.frag", "#define PANORAMA\n")?;
    let filter = Effect::new(gl, "screen.vert", "prefilter.frag", "")?;
    filling(gl);
    // Enough lookups for each texel of the panorama to be seen.
    let grid = (width as f32 / (4 * size) as f32).ceil().clamp(1.0, 4.0);
    // What is looked up and what is drawn are two maps, as GL wants it.
    let [source, map] = [CubeMap::new(gl)?, CubeMap::new(gl)?];
    gl.allocate_cube(&source, size, size.ilog2() + 1);
    gl.allocate_cube(&map, size, last_level + 1);
    gl.bind_texture(SOURCE_UNIT, panorama, None);
    for cube in [&source, &map] {
        for face in 0..6 {
            gl.attach_face(&framebuffer, cube, face, 0);
            gl.set_target(Some(&framebuffer), size, size);
            copy.fill(gl, &[[face as f32, grid, 0.0, most]]);
        }
    }
    gl.fill_cube_levels(&source);
    gl.bind_cube(ENVIRONMENT_UNIT, &source);
    for level in 1..=last_level {
        let roughness = level as f32 / last_level as f32;
        for face in 0..6 {
            gl.attach_face(&framebuffer, &map, face, level);
            gl.set_target(Some(&framebuffer), size >> level, size >> level);
            filter.fill(gl, &[[face as f32, roughness, size as f32, most]]);
        }
    }
    Ok(map)
}
