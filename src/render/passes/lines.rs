//! Lines with a width in pixels over the picture: skeletons, boxes, normals.

use crate::base::feature;
use crate::render::debug_view::{Debug, Line};
use crate::render::error::RenderError;
use crate::render::frame::Frame;
use crate::render::gl::{Cull, Gl, Texture};
use crate::render::programs::{Effect, EffectRequest, PALETTE_WIDTH, SOURCE_UNIT};
use std::rc::Rc;

/// The width of a line in CSS pixels.
const WIDTH: f32 = 1.5;
/// The number of lines per row of the texture.
const ROW: usize = PALETTE_WIDTH / 2;

/// The resources for lines, created when the first lines are drawn.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    made: Option<Made>,
}

#[derive(Debug)]
struct Made {
    effect: Effect,
    texture: Texture,
    rows: usize,
}

feature! {
    list for_debug;
    fn prepare_rows(lines: &mut Lines, gl: &Rc<Gl>, debug: &Debug<'_>, rows: usize) -> Result<(), RenderError> =
        Lines::prepare_rows;
    fn draw_made(made: &Made, gl: &Gl, frame: &Frame<'_>) = Made::draw;
}

impl Lines {
    /// Uploads the lines of a frame.
    pub(crate) fn prepare(&mut self, gl: &Rc<Gl>, debug: &Debug<'_>) -> Result<(), RenderError> {
        // Each list starts on a new row.
        let rows = rows_of(debug.lines) + rows_of(debug.lines_over);
        if rows == 0 { Ok(()) } else { prepare_rows(self, gl, debug, rows) }
    }

    fn prepare_rows(&mut self, gl: &Rc<Gl>, debug: &Debug<'_>, rows: usize) -> Result<(), RenderError> {
        let limit = gl.limits().texture_size;
        if rows > limit {
            return Err(RenderError::TooLarge {
                needed: rows * PALETTE_WIDTH,
                available: limit * PALETTE_WIDTH,
            });
        }
        let fits = self.made.take().filter(|made| made.rows >= rows);
        let made = match fits {
            Some(made) => made,
            None => {
                let (texture, rows) = (Texture::new(gl)?, rows.next_power_of_two().min(limit));
                gl.allocate_floats(&texture, PALETTE_WIDTH, rows);
                let effect = EffectRequest::new(gl, "lines.vert", "lines.frag", "")?.finish(gl)?;
                Made { effect, texture, rows }
            }
        };
        let mut row = 0;
        for lines in [debug.lines, debug.lines_over] {
            let texels = lines.as_flattened().as_flattened();
            gl.write_floats(&made.texture, PALETTE_WIDTH, row * PALETTE_WIDTH, texels);
            row += rows_of(lines);
        }
        self.made = Some(made);
        Ok(())
    }

    /// Draws the lines that [`Lines::prepare`] uploaded.
    pub(crate) fn draw(&self, gl: &Gl, frame: &Frame<'_>) {
        if let Some(made) = &self.made {
            draw_made(made, gl, frame);
        }
    }
}

impl Made {
    fn draw(&self, gl: &Gl, frame: &Frame<'_>) {
        let Self { effect, texture, .. } = self;
        let ratio = if frame.pixel_ratio >= 1.0 { frame.pixel_ratio } else { 1.0 };
        let mut first = 0;
        for (lines, hidden) in [(frame.debug.lines, true), (frame.debug.lines_over, false)] {
            if lines.is_empty() {
                continue;
            }
            gl.bind_texture(SOURCE_UNIT, texture, None);
            gl.set_blend(false);
            gl.set_cull(Cull::None);
            gl.set_depth_test(hidden);
            let [width, height] = [frame.width, frame.height].map(|size| size as f32);
            let parameters = [first as f32, 0.5 * WIDTH * ratio, width, height];
            effect.draw(gl, &[parameters], glow::TRIANGLES, 6 * lines.len());
            first += rows_of(lines) * ROW;
        }
        gl.set_depth_test(true);
    }
}

fn rows_of(lines: &[Line]) -> usize {
    lines.len().div_ceil(ROW)
}
