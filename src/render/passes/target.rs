//! The render targets of shadow maps.

use crate::render::error::RenderError;
use crate::render::gl::{Coverage, Cull, Framebuffer, Gl, TargetFormat, Texture};
use std::rc::Rc;

/// The width and height of the contact map in texels.
pub(super) const CONTACT_SIZE: u32 = 256;

/// A texture that is drawn to.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) texture: Texture,
    pub(super) framebuffer: Framebuffer,
}

impl Target {
    pub(super) fn new(gl: &Rc<Gl>, format: TargetFormat, size: u32) -> Result<Self, RenderError> {
        let (texture, framebuffer) = (Texture::new(gl)?, Framebuffer::new(gl)?);
        gl.allocate_target(&texture, format, size);
        gl.attach(&framebuffer, &texture, format);
        Ok(Self { texture, framebuffer })
    }

    /// Clears the depth and sets the state for drawing it.
    pub(super) fn begin_depth(&self, gl: &Gl, size: u32) {
        gl.set_target(Some(&self.framebuffer), size, size);
        gl.set_depth_test(true);
        gl.set_coverage(Coverage::Whole);
        gl.clear([0.0; 4]);
        gl.set_blend(false);
        gl.set_cull(Cull::None);
    }
}
