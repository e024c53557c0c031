//! Fences: how far the GPU is.

use super::context::Gl;
use crate::render::error::RenderError;
use glow::HasContext;
use std::rc::Rc;

/// A place in the list of what the GPU has to do.
#[derive(Debug)]
pub(crate) struct Fence {
    gl: Rc<Gl>,
    raw: glow::Fence,
}

impl Fence {
    /// A fence behind all that was called so far, which begins at once.
    ///
    /// # Errors
    /// If the context is lost.
    pub(crate) fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        if gl.gone.get() {
            return Err(RenderError::ContextLost);
        }
        // SAFETY: see the module `gl`; the arguments are the only ones there are.
        let raw = unsafe { gl.raw.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0) };
        let raw = raw.map_err(|_| RenderError::ContextLost)?;
        gl.count(|live| live.fences += 1);
        // SAFETY: see the module `gl`.
        unsafe { gl.raw.flush() };
        Ok(Self { gl: Rc::clone(gl), raw })
    }

    /// Whether the GPU has not yet done all that is before a fence, if there is one; who has no patience does not ask. The
    /// fence goes when it is passed, which it never is in a context that is lost.
    pub(crate) fn holds(fence: &mut Option<Self>, patience: bool) -> bool {
        if patience && fence.as_ref().is_some_and(|fence| !fence.is_passed()) {
            return true;
        }
        *fence = None;
        false
    }

    /// In a browser the answer changes between tasks only.
    fn is_passed(&self) -> bool {
        // SAFETY: see the module `gl`; the fence is alive.
        unsafe { self.gl.raw.get_sync_status(self.raw) == glow::SIGNALED }
    }
}

impl Drop for Fence {
    fn drop(&mut self) {
        self.gl.count(|live| live.fences -= 1);
        if !self.gl.gone.get() {
            // SAFETY: see the module `gl`; `self` made the fence and is its only owner.
            unsafe { self.gl.raw.delete_sync(self.raw) };
        }
    }
}
