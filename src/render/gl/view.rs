//! Views: parts of framebuffers that the page owns, such as those of WebXR, as render targets in place of the canvas.

use super::context::Gl;
use glow::HasContext;

/// A part of a framebuffer that the page owns, or of the canvas.
#[derive(Debug, Clone)]
pub struct ViewTarget {
    /// The framebuffer; `None` is the canvas.
    #[cfg(target_arch = "wasm32")]
    pub framebuffer: Option<web_sys::WebGlFramebuffer>,
    /// The lower left corner, the width and the height in pixels.
    pub viewport: [u32; 4],
}

impl ViewTarget {
    /// `true` if the view is a part of the canvas.
    fn is_on_canvas(&self) -> bool {
        #[cfg(target_arch = "wasm32")]
        return self.framebuffer.is_none();
        #[cfg(not(target_arch = "wasm32"))]
        true
    }
}

impl Gl {
    /// Makes a view the render target, and returns its lower left corner. Draws and clears change no other part of it.
    ///
    /// - `backdrop`: the target is read afterwards. A framebuffer of WebXR cannot be read, so this is the lower left part of the
    ///   canvas, which must be large enough.
    pub(crate) fn set_view(&self, view: &ViewTarget, backdrop: bool) -> [u32; 2] {
        let [x, y, width, height] = view.viewport;
        let [x, y] = if backdrop && !view.is_on_canvas() { [0; 2] } else { [x, y] };
        {
            let mut state = self.state.borrow_mut();
            (state.framebuffer, state.viewport) = (None, None);
        }
        // SAFETY: see the module `gl`; the page keeps the framebuffer alive during the call.
        unsafe {
            self.raw.bind_framebuffer(glow::FRAMEBUFFER, None);
            #[cfg(target_arch = "wasm32")]
            if let Some(framebuffer) = view.framebuffer.as_ref().filter(|_| !backdrop) {
                self.raw.bind_external_framebuffer(glow::FRAMEBUFFER, framebuffer);
            }
            let [x, y, width, height] = [x, y, width, height].map(|n| n as i32);
            self.raw.viewport(x, y, width, height);
            self.raw.scissor(x, y, width, height);
            self.raw.enable(glow::SCISSOR_TEST);
        }
        [x, y]
    }

    /// Ends the restriction of draws and clears to a view.
    pub(crate) fn end_view(&self) {
        // SAFETY: see the module `gl`.
        unsafe { self.raw.disable(glow::SCISSOR_TEST) };
    }
}
