//! The palette texture: the matrices of all actors, then the active morph targets, uploaded once per frame.

use crate::render::error::RenderError;
use crate::render::gl::{Gl, Texture};
use crate::render::programs::PALETTE_WIDTH;
use std::rc::Rc;

/// The number of floats per palette entry: three rows of four.
pub(crate) const ENTRY_FLOATS: usize = 12;

/// The palette texture, from which vertex shaders fetch matrices.
#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) texture: Texture,
    rows: usize,
    /// The index of the first texel of the active morph targets.
    pub(crate) morphs: usize,
}

impl Palette {
    /// A palette with initial capacity for a few actors.
    pub(crate) fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        Self::with_rows(gl, 4)
    }

    fn with_rows(gl: &Rc<Gl>, rows: usize) -> Result<Self, RenderError> {
        let texture = Texture::new(gl)?;
        gl.allocate_floats(&texture, PALETTE_WIDTH, rows);
        Ok(Self { texture, rows, morphs: 0 })
    }

    /// Uploads the matrices, then those of the crowds, each directly from its slice. The active morph targets (a multiple
    /// of four floats) follow on a new row. The texture grows if needed, which does not happen in a steady state.
    ///
    /// # Errors
    /// `TooLarge` (in texels) above about 700 000 entries, depending on the GPU.
    pub(crate) fn upload<'a>(
        &mut self,
        gl: &Rc<Gl>,
        palette: &[f32],
        crowds: impl Iterator<Item = &'a [f32]> + Clone,
        morphs: &[f32],
    ) -> Result<(), RenderError> {
        let floats = crowds.clone().fold(palette.len(), |sum, palettes| sum + palettes.len());
        let needed = rows_of(floats) + rows_of(morphs.len());
        let available = gl.limits().texture_size;
        if needed > available {
            let available = available * PALETTE_WIDTH;
            return Err(RenderError::TooLarge { needed: needed * PALETTE_WIDTH, available });
        }
        if needed > self.rows {
            *self = Self::with_rows(gl, needed.next_power_of_two().min(available))?;
        }
        gl.write_floats(&self.texture, PALETTE_WIDTH, 0, palette);
        let mut first = palette.len() / 4;
        for palettes in crowds {
            gl.write_floats(&self.texture, PALETTE_WIDTH, first, palettes);
            first += palettes.len() / 4;
        }
        self.morphs = rows_of(floats) * PALETTE_WIDTH;
        gl.write_floats(&self.texture, PALETTE_WIDTH, self.morphs, morphs);
        Ok(())
    }
}

/// The number of rows for a number of floats.
fn rows_of(floats: usize) -> usize {
    floats.div_ceil(4 * PALETTE_WIDTH)
}

/// The maximum number of entries in a texture of this size; half of the texture is reserved for morph targets.
pub(crate) fn palette_limit(texture_size: usize) -> usize {
    texture_size * PALETTE_WIDTH / 6
}

/// A palette entry as rows; `None` beyond the end.
pub(crate) fn entry(palette: &[f32], index: u32) -> Option<&[f32; ENTRY_FLOATS]> {
    let begin = (index as usize).checked_mul(ENTRY_FLOATS)?;
    palette.get(begin..begin.checked_add(ENTRY_FLOATS)?)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palette_row_has_1024_texels() {
        assert_eq!([0, 12, 4096, 4097].map(rows_of), [0, 1, 1, 2]);
    }

    #[test]
    fn palette_has_no_entry_beyond_its_end() {
        let palette: Vec<f32> = (0..24).map(|i| i as f32).collect();
        assert_eq!(entry(&palette, 1).map(|rows| rows[0]), Some(12.0));
        assert_eq!(entry(&palette, 2), None);
        assert_eq!(entry(&palette, u32::MAX), None);
    }
}
