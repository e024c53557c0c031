//! Fences, which track the progress of the GPU.

use super::context::Gl;
use crate::render::error::RenderError;
use glow::HasContext;
use std::rc::Rc;

/// A sync object in the command queue of the GPU.
#[derive(Debug)]
pub(crate) struct Fence {
    gl: Rc<Gl>,
    raw: glow::Fence,
}

impl Fence {
    /// Inserts a fence behind all earlier commands, and flushes them.
    ///
    /// # Errors
    /// If the context is lost.
    pub(crate) fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        if gl.lost.get() {
            return Err(RenderError::ContextLost);
        }
        // SAFETY: see the module `gl`; these are the only valid arguments.
        let raw = unsafe { gl.raw.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0) };
        let raw = raw.map_err(|_| RenderError::ContextLost)?;
        gl.count(|live| live.fences += 1);
        // SAFETY: see the module `gl`.
        unsafe { gl.raw.flush() };
        Ok(Self { gl: Rc::clone(gl), raw })
    }

    /// `true` while the GPU has not reached the fence, if there is one; always `false` without `may_defer`.
    /// A fence that was reached is dropped. In a lost context a fence is never reached.
    pub(crate) fn is_pending(fence: &mut Option<Self>, may_defer: bool) -> bool {
        if may_defer && fence.as_ref().is_some_and(|fence| !fence.is_passed()) {
            return true;
        }
        *fence = None;
        false
    }

    /// `true` if the fence is signalled. In a browser the status changes only between tasks.
    fn is_passed(&self) -> bool {
        // SAFETY: see the module `gl`; the fence is alive.
        unsafe { self.gl.raw.get_sync_status(self.raw) == glow::SIGNALED }
    }
}

impl Drop for Fence {
    fn drop(&mut self) {
        self.gl.count(|live| live.fences -= 1);
        if !self.gl.lost.get() {
            // SAFETY: see the module `gl`; `self` made the fence and is its only owner.
            unsafe { self.gl.raw.delete_sync(self.raw) };
        }
    }
}
