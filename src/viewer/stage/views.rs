//! Views of a headset or of a phone: pictures of a stage through other cameras, into framebuffers of the page.

use super::Stage;
use crate::render::{Line, RenderError, ViewTarget};
use glam::Mat4;

/// A picture through a camera other than that of the stage.
#[derive(Debug, Clone)]
pub struct View {
    /// `view_from_world`; it may scale.
    pub view: Mat4,
    /// `clip_from_view`, with GL's depth range of −1 to 1.
    pub projection: Mat4,
    /// The render target.
    pub target: ViewTarget,
}

/// The view that is being drawn, and the marks in it.
#[derive(Debug)]
pub(super) struct ShownView {
    pub(super) view: View,
    pub(super) marks: Vec<Line>,
}

impl Stage {
    /// Draws the current state through other cameras, one after the other. Camera, size and background of the stage stay.
    ///
    /// - `marks`: lines in world space, drawn with depth test.
    /// - `transparent`: draws neither background nor skybox, so that a camera picture behind the views is visible.
    ///
    /// Returns `true` if all pictures are complete. In a lost context nothing is drawn.
    ///
    /// # Errors
    /// Those of [`Renderer::render`](crate::render::Renderer::render).
    pub fn draw_views(
        &mut self,
        views: Vec<View>,
        marks: &[Line],
        transparent: bool,
    ) -> Result<bool, RenderError> {
        let (size, background, skybox) = (self.size, self.background, self.light.settings.skybox);
        let (frames, stale) = (self.frames, self.stale);
        if transparent {
            self.background = None;
            self.light.settings.skybox = false;
        }
        let mut drawn = Ok(true);
        for view in views {
            let [_, _, width, height] = view.target.viewport;
            self.size = (width, height);
            // Culling and levels of detail of crowds depend on the camera.
            self.crowds_posed = false;
            self.through = Some(Box::new(ShownView { view, marks: marks.to_vec() }));
            match self.draw_frame(true) {
                Ok(complete) => drawn = drawn.map(|all| all && complete),
                Err(RenderError::ContextLost) => {}
                Err(error) => drawn = drawn.and(Err(error)),
            }
        }
        self.through = None;
        self.crowds_posed = false;
        (self.size, self.background, self.light.settings.skybox) = (size, background, skybox);
        // The frames of the canvas: it does not show the current state yet.
        (self.frames, self.stale) = (frames, stale);
        drawn
    }

    /// The nearest triangle on a ray in world space, with its distance in lengths of the direction, in the current pose.
    /// Transparent materials count as opaque.
    pub fn pick_along(&mut self, origin: glam::Vec3, direction: glam::Vec3) -> Option<super::Picked> {
        self.pose();
        self.nearest(crate::animation::Ray { origin, direction }).map(|(_, hit)| hit)
    }
}
