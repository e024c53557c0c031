//! Shadows on uneven ground: a grid in a texture, drawn in the picture and in the view of the contact map.

use super::target::{CONTACT_SIZE, Target};
use crate::render::error::RenderError;
use crate::render::gl::{Cull, Gl, TargetFormat, Texture};
use crate::render::light::UnevenGround;
use crate::render::programs::{Effect, LazyEffect, PALETTE_UNIT, PALETTE_WIDTH, SHADOW_DEPTH_UNIT};
use std::rc::Rc;

/// Six vertices for each cell of the grid.
const VERTICES: usize = 6 * (UnevenGround::SIDE - 1) * (UnevenGround::SIDE - 1);

/// The resources for uneven grounds, created for the first one.
#[derive(Debug)]
pub(crate) struct UnevenReceiver {
    made: Option<Made>,
    /// The picture, the view from below, and the blur of heights above the ground.
    effects: [LazyEffect; 3],
}

#[derive(Debug)]
struct Made {
    grid: Texture,
    /// The ground in the grid, once one is.
    ground: Option<Rc<UnevenGround>>,
    /// The depth of the ground from below.
    floor: Target,
}

impl UnevenReceiver {
    pub(crate) fn new() -> Self {
        const UNEVEN: &str = "#define UNEVEN\n";
        Self {
            made: None,
            effects: [
                LazyEffect::new("ground.vert", "ground.frag", UNEVEN),
                LazyEffect::new("ground.vert", "depth.frag", UNEVEN),
                LazyEffect::new("screen.vert", "blur.frag", "#define DEPTH\n#define UNEVEN\n"),
            ],
        }
    }

    /// Uploads a ground; returns `true` if all is ready, which is certain without `may_defer`.
    pub(crate) fn prepare(
        &mut self,
        gl: &Rc<Gl>,
        ground: &Rc<UnevenGround>,
        may_defer: bool,
    ) -> Result<bool, RenderError> {
        if ground.heights().is_none() {
            return Ok(true);
        }
        let made = match &mut self.made {
            Some(made) => made,
            made => {
                let grid = Texture::new(gl)?;
                let texels = UnevenGround::SIDE * UnevenGround::SIDE;
                gl.allocate_floats(&grid, PALETTE_WIDTH, texels.div_ceil(PALETTE_WIDTH));
                let floor = Target::new(gl, TargetFormat::Depth, CONTACT_SIZE)?;
                made.insert(Made { grid, ground: None, floor })
            }
        };
        if !made.ground.as_ref().is_some_and(|before| Rc::ptr_eq(before, ground)) {
            gl.write_floats(&made.grid, PALETTE_WIDTH, 0, &ground.texels);
            made.ground = Some(Rc::clone(ground));
        }
        let mut ready = true;
        for effect in &mut self.effects {
            ready &= effect.get(gl, may_defer)?.is_some();
        }
        Ok(ready)
    }

    /// Draws the shadows on the ground of the last [`UnevenReceiver::prepare`], with the parameters of `shaders/ground.vert`.
    pub(crate) fn draw(&self, gl: &Gl, parameters: [[f32; 4]; 3]) {
        let (Some(Made { grid, .. }), Some(effect)) = (&self.made, self.effects[0].built()) else { return };
        gl.bind_texture(PALETTE_UNIT, grid, None);
        gl.set_mirrored(false);
        gl.set_cull(Cull::Back);
        gl.set_blend(true);
        // Transparent and only into the depth buffer at first, so that a hill hides the shadow behind it. That is lower, so that it
        // hides no surface of a model that shows the same ground less exactly.
        gl.set_depth_write(true);
        let [ends, [sunk, dark, ..], contact] = parameters;
        effect.draw(gl, &[ends, [10.0 * sunk, dark, 1.0, 0.0], contact], glow::TRIANGLES, VERTICES);
        gl.set_depth_write(false);
        effect.draw(gl, &parameters, glow::TRIANGLES, VERTICES);
    }

    /// Draws the ground as the bound frame block sees it from below, and binds its depth for the blur; returns the blur of
    /// heights above it.
    pub(crate) fn floor(&self, gl: &Gl) -> Option<&Effect> {
        let Made { grid, floor, .. } = self.made.as_ref()?;
        let effect = self.effects[1].built()?;
        floor.begin_depth(gl, CONTACT_SIZE);
        gl.bind_texture(PALETTE_UNIT, grid, None);
        effect.draw(gl, &[[0.0; 4]; 3], glow::TRIANGLES, VERTICES);
        gl.bind_texture(SHADOW_DEPTH_UNIT, &floor.texture, None);
        self.effects[2].built()
    }
}
