//! GL objects: each has one owner, which deletes it.

use super::context::Gl;
use crate::render::error::RenderError;
use glow::HasContext;
use std::rc::Rc;

macro_rules! objects {
    ($($(#[$doc:meta])* $name:ident: $raw:ty, $create:ident($($kind:ident: u32)?), $delete:ident, $count:ident,
       forget $forget:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name {
            gl: Rc<Gl>,
            pub(super) raw: $raw,
        }

        impl $name {
            /// A new object.
            ///
            /// # Errors
            /// If the context is lost or out of memory.
            pub(crate) fn new(gl: &Rc<Gl> $(, $kind: u32)?) -> Result<Self, RenderError> {
                if gl.lost.get() {
                    return Err(RenderError::ContextLost);
                }
                // SAFETY: see the module `gl`; creating an object has no further precondition.
                match unsafe { gl.raw.$create($($kind)?) } {
                    Ok(raw) => {
                        gl.count(|live| live.$count += 1);
                        Ok(Self { gl: Rc::clone(gl), raw })
                    }
                    Err(_) if gl.is_lost() => Err(RenderError::ContextLost),
                    Err(_) => Err(RenderError::OutOfMemory),
                }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // GL may reuse the name, so the cache must not consider it bound.
                self.gl.state.borrow_mut().$forget(self.raw);
                self.gl.count(|live| live.$count -= 1);
                if !self.gl.lost.get() {
                    // SAFETY: see the module `gl`; `self` made the object and is its only owner.
                    unsafe { self.gl.raw.$delete(self.raw) };
                }
            }
        }
    )*};
}

objects! {
    /// Vertices, indices or uniforms.
    Buffer: glow::Buffer, create_buffer(), delete_buffer, buffers, forget forget_buffer;
    /// A two-dimensional texture.
    Texture: glow::Texture, create_texture(), delete_texture, textures, forget forget_texture;
    /// A cube map texture.
    CubeMap: glow::Texture, create_texture(), delete_texture, textures, forget forget_texture;
    /// A render target in place of the canvas.
    Framebuffer: glow::Framebuffer, create_framebuffer(), delete_framebuffer, framebuffers,
        forget forget_framebuffer;
    /// Sampler parameters of textures.
    Sampler: glow::Sampler, create_sampler(), delete_sampler, samplers, forget forget_sampler;
    /// The sources of vertex attributes and indices.
    VertexArray: glow::VertexArray, create_vertex_array(), delete_vertex_array, vertex_arrays,
        forget forget_vertex_array;
    /// A linked pair of shaders.
    Program: glow::Program, create_program(), delete_program, programs, forget forget_program;
    /// A compiled shader.
    Shader: glow::Shader, create_shader(stage: u32), delete_shader, shaders, forget forget_shader;
}
