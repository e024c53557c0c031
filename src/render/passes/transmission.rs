//! The backdrop of transmissive materials: the opaque part of a frame, as a texture.

use crate::render::error::RenderError;
use crate::render::gl::{Gl, Texture};
use std::rc::Rc;

/// A copy of the canvas with its mipmap, created for the first transmissive draw, dropped with the last transmissive model.
#[derive(Debug, Default)]
pub(crate) struct Backdrop {
    copy: Option<(Texture, [u32; 2])>,
}

impl Backdrop {
    /// Copies a part of the current render target: its lower left corner, and its width and height in pixels.
    ///
    /// # Errors
    /// `TextureTooLarge`, `OutOfMemory`, `ContextLost`.
    pub(crate) fn copy(&mut self, gl: &Rc<Gl>, corner: [u32; 2], size: [u32; 2]) -> Result<(), RenderError> {
        let [width, height] = size;
        if self.copy.as_ref().is_none_or(|(_, known)| *known != size) {
            gl.check_size(width, height)?;
            let texture = Texture::new(gl)?;
            gl.allocate_copy(&texture, width, height);
            self.copy = Some((texture, size));
        }
        if let Some((texture, _)) = &self.copy {
            gl.copy_canvas(texture, corner, size);
        }
        Ok(())
    }

    /// The copy, if there is one.
    pub(crate) fn texture(&self) -> Option<&Texture> {
        self.copy.as_ref().map(|(texture, _)| texture)
    }
}
