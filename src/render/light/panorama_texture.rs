//! The texture of a panorama.

use crate::model::Panorama;
use crate::render::error::RenderError;
use crate::render::gl::{Gl, Texture};
use std::rc::Rc;

/// A panorama on the GPU, for a sharp skybox.
#[derive(Debug)]
pub(crate) struct Picture {
    /// `None` if the panorama exceeds the maximum texture size.
    pub(crate) texture: Option<Texture>,
    /// The number of rows uploaded.
    pub(crate) rows: usize,
}

impl Picture {
    pub(crate) fn new(gl: &Rc<Gl>, panorama: &Panorama) -> Result<Self, RenderError> {
        let texture = Texture::new(gl)?;
        match gl.allocate_panorama(&texture, panorama.width, panorama.height) {
            Ok(()) => Ok(Self { texture: Some(texture), rows: 0 }),
            Err(RenderError::TextureTooLarge { .. }) => {
                Ok(Self { texture: None, rows: panorama.height as usize })
            }
            Err(error) => Err(error),
        }
    }

    /// Uploads rows of about `budget` bytes; returns `true` if all rows are uploaded.
    pub(crate) fn write(&mut self, gl: &Gl, from: &Panorama, budget: usize) -> bool {
        let (width, height) = (from.width as usize, from.height as usize);
        if let Some(texture) = self.texture.as_ref().filter(|_| self.rows < height) {
            let rows = (budget / (4 * width)).clamp(1, height - self.rows);
            let texels = from.texels.get(self.rows * width..(self.rows + rows) * width).unwrap_or_default();
            gl.write_panorama(texture, from.width, self.rows as u32, texels);
            self.rows += rows;
        }
        self.rows == height
    }
}
