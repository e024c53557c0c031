//! The palette texture: the matrices of all actors, then the active morph targets, uploaded once a frame.

use super::RenderError;
use super::gl::{Gl, Texture};
use std::rc::Rc;

/// The texels of a row: a power of two that every WebGL2 texture can have.
pub(crate) const PALETTE_WIDTH: usize = 1024;
/// The floats of a palette entry: three rows of four.
pub(crate) const ENTRY_FLOATS: usize = 12;

/// The texture that vertex shaders read matrices from.
#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) texture: Texture,
    rows: usize,
}

impl Palette {
    /// A palette with room for some characters.
    pub(crate) fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        Self::with_rows(gl, 4)
    }

    fn with_rows(gl: &Rc<Gl>, rows: usize) -> Result<Self, RenderError> {
        let texture = Texture::new(gl)?;
        gl.allocate_floats(&texture, PALETTE_WIDTH, rows);
        Ok(Self { texture, rows })
    }

    /// Copies the matrices, and behind them, on a row of its own, the list of active morph targets (a
    /// multiple of four floats). The texture grows where it must, which is not in a steady frame.
    ///
    /// # Errors
    /// `TooLarge` (in texels) above some 700 000 entries, depending on the GPU.
    pub(crate) fn upload(
        &mut self,
        gl: &Rc<Gl>,
        matrices: &[f32],
        morphs: &[f32],
    ) -> Result<(), RenderError> {
        let matrix_rows = rows_of(matrices);
        let needed = matrix_rows + rows_of(morphs);
        let available = gl.limits().texture_size;
        if needed > available {
            let available = available * PALETTE_WIDTH;
            return Err(RenderError::TooLarge { needed: needed * PALETTE_WIDTH, available });
        }
        if needed > self.rows {
            *self = Self::with_rows(gl, needed.next_power_of_two().min(available))?;
        }
        gl.write_floats(&self.texture, PALETTE_WIDTH, 0, matrices);
        gl.write_floats(&self.texture, PALETTE_WIDTH, matrix_rows * PALETTE_WIDTH, morphs);
        Ok(())
    }
}

fn rows_of(floats: &[f32]) -> usize {
    floats.len().div_ceil(4 * PALETTE_WIDTH)
}

/// How many entries there may be in textures of a size, with as much room for morph targets.
pub(crate) fn palette_limit(texture_size: usize) -> usize {
    texture_size * PALETTE_WIDTH / 6
}

/// The texel where the list of active morph targets begins.
pub(crate) fn morph_list_begin(matrices: &[f32]) -> usize {
    rows_of(matrices) * PALETTE_WIDTH
}

/// An entry of a palette as rows; `None` beyond its end.
pub(crate) fn entry(palette: &[f32], index: u32) -> Option<&[f32; ENTRY_FLOATS]> {
    let begin = (index as usize).checked_mul(ENTRY_FLOATS)?;
    palette.get(begin..begin.checked_add(ENTRY_FLOATS)?)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_begins_on_its_own_row() {
        assert_eq!(morph_list_begin(&[]), 0);
        assert_eq!(morph_list_begin(&[0.0; 12]), 1024);
        assert_eq!(morph_list_begin(&[0.0; 4096]), 1024);
        assert_eq!(morph_list_begin(&[0.0; 4097]), 2048);
    }

    #[test]
    fn entries_beyond_the_end_are_none() {
        let palette: Vec<f32> = (0..24).map(|i| i as f32).collect();
        assert_eq!(entry(&palette, 1).map(|rows| rows[0]), Some(12.0));
        assert_eq!(entry(&palette, 2), None);
        assert_eq!(entry(&palette, u32::MAX), None);
    }
}
