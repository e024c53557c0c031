//! Buffers: vertices, indices, uniforms.

use super::context::Gl;
use super::cost::Spent;
use super::object::Buffer;
use crate::render::error::RenderError;
use glow::HasContext;

/// A plain number type, or an array of one, that GL reads from memory unchanged.
///
/// # Safety
/// The type has no padding and no pointers.
pub(crate) unsafe trait Element: Copy {}
// SAFETY: a plain number type.
unsafe impl Element for u8 {}
// SAFETY: a plain number type.
unsafe impl Element for u16 {}
// SAFETY: a plain number type.
unsafe impl Element for u32 {}
// SAFETY: a plain number type.
unsafe impl Element for f32 {}
// SAFETY: arrays have no padding between their elements.
unsafe impl<T: Element, const N: usize> Element for [T; N] {}

/// The bytes of a slice.
pub(crate) fn as_bytes<T: Element>(slice: &[T]) -> &[u8] {
    // SAFETY: the slice has this many initialised bytes, since `Element` has no padding; the lifetime is the same.
    unsafe { std::slice::from_raw_parts(slice.as_ptr().cast(), size_of_val(slice)) }
}

/// The layout of a vertex attribute in a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Attribute {
    /// The `location` in the shader.
    pub(crate) location: u32,
    /// The number of components per vertex.
    pub(crate) components: usize,
    /// `true` if the components are u16 and stay integers in the shader; otherwise they are f32.
    pub(crate) integer: bool,
    /// The distance between vertices in bytes.
    pub(crate) stride: usize,
    /// The byte offset of the first component of vertex 0.
    pub(crate) offset: usize,
}

impl Gl {
    /// Allocates `size` bytes for the vertices in `buffer`; `dynamic` if they change every frame.
    ///
    /// # Errors
    /// `TooLarge` for 2 GiB or more. (Out of memory is reported by [`Gl::check`].)
    pub(crate) fn allocate_vertices(
        &self,
        buffer: &Buffer,
        size: usize,
        dynamic: bool,
    ) -> Result<(), RenderError> {
        let Ok(size) = i32::try_from(size) else {
            return Err(RenderError::TooLarge { needed: size, available: i32::MAX as usize });
        };
        let usage = if dynamic { glow::DYNAMIC_DRAW } else { glow::STATIC_DRAW };
        // SAFETY: see the module `gl`; the buffer is alive.
        unsafe {
            self.raw.bind_buffer(glow::ARRAY_BUFFER, Some(buffer.raw));
            self.raw.buffer_data_size(glow::ARRAY_BUFFER, size, usage);
        }
        Ok(())
    }

    /// Copies `data` into `buffer` at byte `offset`.
    pub(crate) fn write_vertices<T: Element>(&self, buffer: &Buffer, offset: usize, data: &[T]) {
        self.spend(Spent::Uploaded, size_of_val(data));
        // SAFETY: see the module `gl`; the buffer is alive, and GL rejects writes beyond its end.
        unsafe {
            self.raw.bind_buffer(glow::ARRAY_BUFFER, Some(buffer.raw));
            self.raw.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, offset as i32, as_bytes(data));
        }
    }

    /// Binds `buffer` as the index buffer of the bound vertex array.
    pub(crate) fn set_indices(&self, buffer: &Buffer) {
        // SAFETY: see the module `gl`; the buffer is alive.
        unsafe { self.raw.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(buffer.raw)) };
    }

    /// Binds `buffer` as the index buffer of the bound vertex array, and allocates `size` bytes.
    ///
    /// # Errors
    /// As [`Gl::allocate_vertices`].
    pub(crate) fn allocate_indices(&self, buffer: &Buffer, size: usize) -> Result<(), RenderError> {
        let Ok(bytes) = i32::try_from(size) else {
            return Err(RenderError::TooLarge { needed: size, available: i32::MAX as usize });
        };
        self.set_indices(buffer);
        // SAFETY: see the module `gl`; the buffer is alive and bound.
        unsafe { self.raw.buffer_data_size(glow::ELEMENT_ARRAY_BUFFER, bytes, glow::STATIC_DRAW) };
        Ok(())
    }

    /// Copies `data` into the index buffer of the bound vertex array at byte `offset`.
    pub(crate) fn write_indices<T: Element>(&self, offset: usize, data: &[T]) {
        self.spend(Spent::Uploaded, size_of_val(data));
        // SAFETY: see the module `gl`; GL rejects writes beyond the end of the buffer.
        unsafe {
            self.raw.buffer_sub_data_u8_slice(glow::ELEMENT_ARRAY_BUFFER, offset as i32, as_bytes(data));
        }
    }

    /// Sets `buffer` as the source of `attribute` in the bound vertex array.
    pub(crate) fn set_attribute(&self, buffer: &Buffer, attribute: Attribute) {
        let Attribute { location, components, integer, stride, offset } = attribute;
        let (components, stride, offset) = (components as i32, stride as i32, offset as i32);
        // SAFETY: see the module `gl`; the buffer is alive, and WebGL checks what a draw reads.
        unsafe {
            self.raw.bind_buffer(glow::ARRAY_BUFFER, Some(buffer.raw));
            self.raw.enable_vertex_attrib_array(location);
            if integer {
                let kind = glow::UNSIGNED_SHORT;
                self.raw.vertex_attrib_pointer_i32(location, components, kind, stride, offset);
            } else {
                self.raw.vertex_attrib_pointer_f32(location, components, glow::FLOAT, false, stride, offset);
            }
        }
    }

    /// Replaces the contents of a uniform buffer, which gets the size of `data`.
    pub(crate) fn fill_uniforms(&self, buffer: &Buffer, data: &[f32], dynamic: bool) {
        self.spend(Spent::Uploaded, size_of_val(data));
        let usage = if dynamic { glow::DYNAMIC_DRAW } else { glow::STATIC_DRAW };
        // SAFETY: see the module `gl`; the buffer is alive.
        unsafe {
            self.raw.bind_buffer(glow::UNIFORM_BUFFER, Some(buffer.raw));
            self.raw.buffer_data_u8_slice(glow::UNIFORM_BUFFER, as_bytes(data), usage);
        }
    }

    /// Overwrites a uniform buffer from byte `offset` on.
    pub(crate) fn write_uniforms(&self, buffer: &Buffer, offset: usize, data: &[f32]) {
        self.spend(Spent::Uploaded, size_of_val(data));
        // SAFETY: see the module `gl`; the buffer is alive, and GL rejects writes beyond its end.
        unsafe {
            self.raw.bind_buffer(glow::UNIFORM_BUFFER, Some(buffer.raw));
            self.raw.buffer_sub_data_u8_slice(glow::UNIFORM_BUFFER, offset as i32, as_bytes(data));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_bytes_returns_the_memory_of_a_slice() {
        assert_eq!(as_bytes(&[[1u16, 2], [3, 4]]).len(), 8);
        assert_eq!(as_bytes(&[1.0f32]), 1.0f32.to_ne_bytes());
        assert_eq!(as_bytes::<f32>(&[]), [0_u8; 0]);
    }
}
