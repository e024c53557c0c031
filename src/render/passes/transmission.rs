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
    /// Copies the current contents of the render target, `width` × `height` pixels.
    ///
    /// # Errors
    /// `TextureTooLarge`, `OutOfMemory`, `ContextLost`.
    pub(crate) fn copy(&mut self, gl: &Rc<Gl>, width: u32, height: u32) -> Result<(), RenderError> {
        let size = [width, height];
        if self.copy.as_ref().is_none_or(|(_, known)| *known != size) {
            gl.check_size(width, height)?;
            let texture = Texture::new(gl)?;
            gl.allocate_copy(&texture, width, height);
            self.copy = Some((texture, size));
        }
        if let Some((texture, _)) = &self.copy {
            gl.copy_canvas(texture, width, height);
        }
        Ok(())
    }

    /// The copy, if there is one.
    pub(crate) fn texture(&self) -> Option<&Texture> {
        self.copy.as_ref().map(|(texture, _)| texture)
    }
}
