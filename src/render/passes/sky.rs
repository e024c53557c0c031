//! The skybox pass. Few pages use it, so the code is in a feature.

use crate::render::error::RenderError;
use crate::render::frame::Frame;
use crate::render::gl::{Cull, Gl};
use crate::render::light::{Lighting, Picture};
use crate::render::programs::{ENVIRONMENT_UNIT, LazyEffect, SOURCE_UNIT};
use std::rc::Rc;

/// The number of bytes of a panorama uploaded per frame, unless the frame waits for the upload.
const BYTES_A_FRAME: usize = 4 << 20;

/// The effects that draw the skybox.
#[derive(Debug)]
pub(crate) struct Skies {
    /// For a skybox at infinity, and for one projected onto the ground.
    effects: [LazyEffect; 2],
}

impl Skies {
    pub(crate) fn new() -> Self {
        let effect = |defines| LazyEffect::new("screen.vert", "sky.frag", defines);
        Self { effects: [effect(""), effect("#define GROUNDED\n")] }
    }

    /// Creates the resources of the skybox; returns `true` if they are ready, which is certain without `may_defer`.
    pub(crate) fn prepare(&mut self, gl: &Rc<Gl>, frame: &Frame<'_>) -> Result<bool, RenderError> {
        let effect = &mut self.effects[usize::from(frame.ground.is_some())];
        let built = effect.get(gl, frame.may_defer)?.is_some();
        let Some(sky) = frame.sky.filter(|_| frame.lighting.skybox_blur == 0.0) else { return Ok(built) };
        let budget = if frame.may_defer { BYTES_A_FRAME } else { usize::MAX };
        let mut picture = sky.picture.borrow_mut();
        if picture.is_none() {
            *picture = Some(Picture::new(gl, &sky.panorama)?);
        }
        Ok(picture.as_mut().is_some_and(|picture| picture.write(gl, &sky.panorama, budget)) && built)
    }

    /// Draws the skybox at the far plane. The caller must bind the environment textures again.
    pub(crate) fn draw(&self, gl: &Gl, frame: &Frame<'_>) {
        let effect = self.effects[usize::from(frame.ground.is_some())].built();
        let (Some(effect), Some(sky)) = (effect, frame.sky) else { return };
        let Some(light) = sky.light.get() else { return };
        let Lighting { skybox_blur, skybox_height, intensity, .. } = frame.lighting;
        let mut level = skybox_blur * light.last_level as f32;
        let picture = sky.picture.borrow();
        if level == 0.0 {
            match picture.as_ref() {
                Some(Picture { texture: Some(texture), rows }) if *rows == sky.panorama.height as usize => {
                    gl.bind_texture(SOURCE_UNIT, texture, None);
                }
                // Uses the first level of the cube map, which is less sharp.
                Some(Picture { texture: None, .. }) => level = f32::MIN_POSITIVE,
                _ => return,
            }
        }
        gl.bind_cube(ENVIRONMENT_UNIT, &light.map);
        let [x, y, z, w] = (frame.projection * frame.view).inverse().to_cols_array_2d();
        gl.set_blend(false);
        gl.set_depth_write(false);
        gl.set_cull(Cull::None);
        let parameters = [level, intensity, skybox_height, 0.0];
        effect.fill(gl, &[x, y, z, w, parameters, frame.ground.unwrap_or_default()]);
        gl.set_depth_write(true);
    }
}
